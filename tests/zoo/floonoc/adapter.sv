// SPDX-License-Identifier: Apache-2.0
// floo_router of FlooNoC: valid/ready, wormhole, FIFOs of two words at inputs and outputs. The word is the payload.
`include "contract.svh"
`ZOO_ADAPTER(floo_zoo, 1)
  `ZOO_REQUIRE(Dims == 2 && LinksPerDim == 2 && Locals == 1 && Vcs == 1, floo_error_meshes_with_one_virtual_channel_only)
  typedef struct packed { logic [7:0] x; logic [7:0] y; logic port_id; } id_t;
  typedef struct packed { id_t dst_id; logic last; } hdr_t;
  typedef struct packed { hdr_t hdr; logic [63:0] payload; } flit_t;
  logic [4:0] valid_in, ready_out, valid_out, ready_in;
  logic [64*5-1:0] in_words;
  logic [15:0] own;  // y, x
  logic [16*5-1:0] at;
  ec_place u_place (.clk_i, .rst_i, .coord_i, .mask_i, .word_i(in_words), .own_o(own), .at_o(at));

  // Its ports: north (y grows), east, south, west, eject.
  localparam int Port[5] = '{1, 3, 0, 2, 4};
  flit_t [4:0] data_in, data_out;
  for (genvar p = 0; p < 5; p++) begin : gen_port
    wire [63:0] word = in_words[64*p +: 64];
    ec_to_ready #(.DepthMax(DepthMax)) u_in (
      .clk_i, .rst_i, .link_i(link_i[64*p +: 64]), .credit_o(credit_o[p]),
      .word_o(in_words[64*p +: 64]), .valid_o(valid_in[Port[p]]), .ready_i(ready_out[Port[p]])
    );
    assign data_in[Port[p]] = '{
      hdr: '{dst_id: '{x: at[16*p +: 8], y: at[16*p+8 +: 8], port_id: 1'b0}, last: word[61]}, payload: word};
    ec_from_ready u_out (
      .clk_i, .rst_i, .depth_i, .word_i(data_out[Port[p]].payload), .valid_i(valid_out[Port[p]]),
      .ready_o(ready_in[Port[p]]), .link_o(link_o[64*p +: 64]), .credit_i(credit_i[p])
    );
  end
  floo_router #(
    .NumRoutes(5), .NumVirtChannels(1), .flit_t(flit_t), .InFifoDepth(2), .OutFifoDepth(2),
    .RouteAlgo(floo_pkg::XYRouting), .id_t(id_t)
  ) u_router (
    .clk_i, .rst_ni(!rst_i), .test_enable_i(1'b0), .xy_id_i('{x: own[7:0], y: own[15:8], port_id: 1'b0}), .id_route_map_i('0),
    .valid_i(valid_in), .ready_o(ready_out), .data_i(data_in),
    .valid_o(valid_out), .ready_i(ready_in), .data_o(data_out)
  );
endmodule
