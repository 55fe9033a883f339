// SPDX-License-Identifier: Apache-2.0
// bsg_mesh_router of BaseJump STL: packets of one word, no buffers, an input is told when its word is taken (yumi).
`include "contract.svh"
`ZOO_ADAPTER(bsg_zoo, 1)
  `ZOO_REQUIRE(Dims == 2 && LinksPerDim == 2 && Locals == 1 && Vcs == 1, bsg_error_meshes_with_one_virtual_channel_only)
  logic [4:0] in_valid, in_ready, out_valid, out_ready;
  logic [64*5-1:0] in_words, out_words;
  logic [7:0] x, y;
  logic [39:0] in_x, in_y;
  zoo_ends #(.DepthMax(DepthMax)) u_ends (
    .clk_i, .rst_i, .coord_i, .mask_i, .depth_i, .link_i, .credit_i, .link_o, .credit_o, .x_o(x), .y_o(y),
    .in_word_o(in_words), .in_x_o(in_x), .in_y_o(in_y), .in_valid_o(in_valid), .in_ready_i(in_ready),
    .out_word_i(out_words), .out_valid_i(out_valid), .out_ready_o(out_ready)
  );

  // Its ports: 0 processor, 1 west, 2 east, 3 north, 4 south; y grows to the south. The coordinates are the lowest bits.
  localparam int Port[5] = '{2, 1, 4, 3, 0};
  logic [4:0][79:0] data_in, data_out;
  logic [4:0] valid_in, yumi, ready, valid_out;
  for (genvar p = 0; p < 5; p++) begin : gen_port
    assign data_in[Port[p]] = {in_words[64*p +: 64], in_y[8*p +: 8], in_x[8*p +: 8]};
    assign valid_in[Port[p]] = in_valid[p];
    assign in_ready[p] = yumi[Port[p]];
    assign out_words[64*p +: 64] = data_out[Port[p]][79:16];
    assign out_valid[p] = valid_out[Port[p]];
    assign ready[Port[p]] = out_ready[p];
  end
  bsg_mesh_router #(
    .width_p(80), .x_cord_width_p(8), .y_cord_width_p(8)
  ) u_router (
    .clk_i, .reset_i(rst_i), .data_i(data_in), .v_i(valid_in), .yumi_o(yumi),
    .ready_and_i(ready), .data_o(data_out), .v_o(valid_out), .my_x_i(x), .my_y_i(y)
  );
endmodule
