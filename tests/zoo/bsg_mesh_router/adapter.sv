// SPDX-License-Identifier: Apache-2.0
// bsg_mesh_router of BaseJump STL: packets of one word, no buffers, an input is told when its word is taken (yumi).
`include "contract.svh"
`ZOO_ADAPTER(bsg_zoo, 1)
  `ZOO_REQUIRE(Dims == 2 && LinksPerDim == 2 && Locals == 1 && Vcs == 1, bsg_error_meshes_with_one_virtual_channel_only)
  logic [64*5-1:0] in_words;
  logic [15:0] own;  // y, x
  logic [16*5-1:0] at;
  ec_place u_place (.clk_i, .rst_i, .coord_i, .mask_i, .word_i(in_words), .own_o(own), .at_o(at));

  // Its ports: 0 processor, 1 west, 2 east, 3 north, 4 south; y grows to the south. The coordinates are the lowest bits.
  localparam int Port[5] = '{2, 1, 4, 3, 0};
  logic [4:0][79:0] data_in, data_out;
  logic [4:0] valid_in, yumi, ready, valid_out;
  for (genvar p = 0; p < 5; p++) begin : gen_port
    ec_to_ready #(.DepthMax(DepthMax)) u_in (
      .clk_i, .rst_i, .link_i(link_i[64*p +: 64]), .credit_o(credit_o[p]),
      .word_o(in_words[64*p +: 64]), .valid_o(valid_in[Port[p]]), .ready_i(yumi[Port[p]])
    );
    assign data_in[Port[p]] = {in_words[64*p +: 64], at[16*p +: 16]};
    ec_from_ready u_out (
      .clk_i, .rst_i, .depth_i, .word_i(data_out[Port[p]][79:16]), .valid_i(valid_out[Port[p]]),
      .ready_o(ready[Port[p]]), .link_o(link_o[64*p +: 64]), .credit_i(credit_i[p])
    );
  end
  bsg_mesh_router #(
    .width_p(80), .x_cord_width_p(8), .y_cord_width_p(8)
  ) u_router (
    .clk_i, .reset_i(rst_i), .data_i(data_in), .v_i(valid_in), .yumi_o(yumi),
    .ready_and_i(ready), .data_o(data_out), .v_o(valid_out), .my_x_i(own[7:0]), .my_y_i(own[15:8])
  );
endmodule
