// SPDX-License-Identifier: Apache-2.0
// lisnoc_router_2dgrid of LISNOC: valid/ready for each VC on shared wires, and a table from destinations to outputs as a
// parameter. A destination here is a direction, 3 (below, same, above in y) + (below, same, above in x): 9 entries.
`include "contract.svh"
`ZOO_ADAPTER(lis_zoo, 2)
  `ZOO_REQUIRE(Dims == 2 && LinksPerDim == 2 && Locals == 1 && Vcs == 2, lis_error_meshes_with_two_virtual_channels_only)
  localparam int W = 2 + 5 + 64;  // type, destination, word
  localparam logic [4:0] North = 5'd1, East = 5'd2, South = 5'd4, West = 5'd8, Local = 5'd16;
  logic [9:0] in_valid, in_ready, out_valid, out_ready;
  logic [64*5-1:0] in_words;
  logic [15:0] own;  // y, x
  logic [16*5-1:0] at;
  ec_place u_place (.clk_i, .rst_i, .coord_i, .mask_i, .word_i(in_words), .own_o(own), .at_o(at));

  // East, west, north (y grows), south, local.
  logic [W*5-1:0] in_flit, out_flit;
  for (genvar p = 0; p < 5; p++) begin : gen_port
    wire [63:0] word = in_words[64*p +: 64];
    ec_to_ready #(.Vcs(2), .DepthMax(DepthMax)) u_in (
      .clk_i, .rst_i, .link_i(link_i[64*p +: 64]), .credit_o(credit_o[2*p +: 2]),
      .word_o(in_words[64*p +: 64]), .valid_o(in_valid[2*p +: 2]), .ready_i(in_ready[2*p +: 2])
    );
    wire [7:0] x = at[16*p +: 8], y = at[16*p+8 +: 8];
    wire [4:0] column = x < own[7:0] ? 5'd0 : x == own[7:0] ? 5'd1 : 5'd2;
    wire [4:0] row = y < own[15:8] ? 5'd0 : y == own[15:8] ? 5'd3 : 5'd6;
    assign in_flit[W*p +: W] = {word[61], word[62], word[62] ? row + column : 5'd15, word};
    ec_from_ready #(.Vcs(2)) u_out (
      .clk_i, .rst_i, .depth_i, .word_i(out_flit[W*p +: 64]), .valid_i(out_valid[2*p +: 2]), .ready_o(out_ready[2*p +: 2]),
      .link_o(link_o[64*p +: 64]), .credit_i(credit_i[2*p +: 2])
    );
  end
  lisnoc_router_2dgrid #(
    .flit_data_width(5 + 64), .vchannels(2), .in_fifo_length(2), .out_fifo_length(2), .num_dests(9),
    .lookup({West, South, East, West, Local, East, West, North, East})
  ) u_router (
    .clk(clk_i), .rst(rst_i),
    .east_in_flit_i(in_flit[0 +: W]), .east_in_valid_i(in_valid[1:0]), .east_in_ready_o(in_ready[1:0]),
    .west_in_flit_i(in_flit[W +: W]), .west_in_valid_i(in_valid[3:2]), .west_in_ready_o(in_ready[3:2]),
    .north_in_flit_i(in_flit[2*W +: W]), .north_in_valid_i(in_valid[5:4]), .north_in_ready_o(in_ready[5:4]),
    .south_in_flit_i(in_flit[3*W +: W]), .south_in_valid_i(in_valid[7:6]), .south_in_ready_o(in_ready[7:6]),
    .local_in_flit_i(in_flit[4*W +: W]), .local_in_valid_i(in_valid[9:8]), .local_in_ready_o(in_ready[9:8]),
    .east_out_flit_o(out_flit[0 +: W]), .east_out_valid_o(out_valid[1:0]), .east_out_ready_i(out_ready[1:0]),
    .west_out_flit_o(out_flit[W +: W]), .west_out_valid_o(out_valid[3:2]), .west_out_ready_i(out_ready[3:2]),
    .north_out_flit_o(out_flit[2*W +: W]), .north_out_valid_o(out_valid[5:4]), .north_out_ready_i(out_ready[5:4]),
    .south_out_flit_o(out_flit[3*W +: W]), .south_out_valid_o(out_valid[7:6]), .south_out_ready_i(out_ready[7:6]),
    .local_out_flit_o(out_flit[4*W +: W]), .local_out_valid_o(out_valid[9:8]), .local_out_ready_i(out_ready[9:8])
  );
endmodule
