// SPDX-License-Identifier: Apache-2.0
// floo_router of FlooNoC: valid/ready, wormhole, FIFOs of two words at inputs and outputs. The word is the payload.
`include "contract.svh"
`ZOO_ADAPTER(floo_zoo, 1)
  `ZOO_REQUIRE(Dims == 2 && LinksPerDim == 2 && Locals == 1 && Vcs == 1, floo_error_meshes_with_one_virtual_channel_only)
  typedef struct packed { logic [7:0] x; logic [7:0] y; logic port_id; } id_t;
  typedef struct packed { id_t dst_id; logic last; } hdr_t;
  typedef struct packed { hdr_t hdr; logic [63:0] payload; } flit_t;
  logic [4:0] in_valid, in_ready, out_valid, out_ready, valid_in, ready_out, valid_out, ready_in;
  logic [64*5-1:0] in_words, out_words;
  logic [7:0] x, y;
  logic [39:0] in_x, in_y;
  zoo_ends #(.DepthMax(DepthMax)) u_ends (
    .clk_i, .rst_i, .coord_i, .mask_i, .depth_i, .link_i, .credit_i, .link_o, .credit_o, .x_o(x), .y_o(y),
    .in_word_o(in_words), .in_x_o(in_x), .in_y_o(in_y), .in_valid_o(in_valid), .in_ready_i(in_ready),
    .out_word_i(out_words), .out_valid_i(out_valid), .out_ready_o(out_ready)
  );

  // Its ports: north (y grows), east, south, west, eject.
  localparam int Port[5] = '{1, 3, 0, 2, 4};
  flit_t [4:0] data_in, data_out;
  for (genvar p = 0; p < 5; p++) begin : gen_port
    wire [63:0] word = in_words[64*p +: 64];
    assign data_in[Port[p]] = '{
      hdr: '{dst_id: '{x: in_x[8*p +: 8], y: in_y[8*p +: 8], port_id: 1'b0}, last: word[61]}, payload: word};
    assign valid_in[Port[p]] = in_valid[p];
    assign in_ready[p] = ready_out[Port[p]];
    assign out_words[64*p +: 64] = data_out[Port[p]].payload;
    assign out_valid[p] = valid_out[Port[p]];
    assign ready_in[Port[p]] = out_ready[p];
  end
  floo_router #(
    .NumRoutes(5), .NumVirtChannels(1), .flit_t(flit_t), .InFifoDepth(2), .OutFifoDepth(2),
    .RouteAlgo(floo_pkg::XYRouting), .id_t(id_t)
  ) u_router (
    .clk_i, .rst_ni(!rst_i), .test_enable_i(1'b0), .xy_id_i('{x: x, y: y, port_id: 1'b0}), .id_route_map_i('0),
    .valid_i(valid_in), .ready_o(ready_out), .data_i(data_in),
    .valid_o(valid_out), .ready_i(ready_in), .data_o(data_out)
  );
endmodule
