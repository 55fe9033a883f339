// SPDX-License-Identifier: Apache-2.0
// noc_router behind the ports of docs/ROUTER-CONTRACT.md, as docs/REGRESSION.md tells: the router itself
// is untouched. 2D meshes, lowest dimension first (XY), one virtual channel, wormhole.

module noc_adapter
  import noc_pkg::*;
#(
  parameter int Dims = 2,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  localparam int Channels = Dims * LinksPerDim + Locals
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic [15:0]            coord_i,
  input  logic [16*Dims-1:0]     mask_i,
  input  logic [17*Dims-1:0]     radix_i,
  input  logic [Dims-1:0]        wrap_i,
  input  logic                   dateline_i,
  input  logic                   order_high_i,
  input  logic [1:0]             switching_i,
  input  logic [15:0]            depth_i,
  input  logic [15:0]            packet_i,
  input  logic [64*Channels-1:0] link_i,
  input  logic [Channels-1:0]    credit_i,
  output logic [64*Channels-1:0] link_o,
  output logic [Channels-1:0]    credit_o
);
  if (Dims != 2 || LinksPerDim != 2 || Locals != 1 || Vcs != 1) begin : gen_unsupported
    noc_error_meshes_of_two_dimensions_with_one_virtual_channel_only u_error ();
  end

  // x is the lower field of an address, y the one above it.
  logic [64*Ports-1:0] word;
  logic [2*CoordW*Ports-1:0] at;
  logic [CoordW-1:0] my_x, my_y;
  ec_place #(
    .CoordBits(CoordW)
  ) u_place (
    .clk_i,
    .rst_i,
    .coord_i,
    .mask_i,
    .word_i(word),
    .own_o({my_y, my_x}),
    .at_o(at)
  );

  flit_t in_flit[Ports], out_flit[Ports];
  logic in_valid[Ports], in_ready[Ports], out_valid[Ports], out_ready[Ports];

  // East, west, north, south, local: +x, -x, +y, -y, local are ports 0 to 4 here, too.
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    ec_to_ready #(
      .DepthMax(DepthMax)
    ) u_from (
      .clk_i,
      .rst_i,
      .link_i(link_i[64*p +: 64]),
      .credit_o(credit_o[p]),
      .word_o(word[64*p +: 64]),
      .valid_o(in_valid[p]),
      .ready_i(in_ready[p])
    );
    // The whole word travels as payload, so that nothing of it is lost.
    assign in_flit[p] = '{
        kind: kind_e'({word[64*p + 61], word[64*p + 62]}),
        x: at[CoordW*2*p +: CoordW],
        y: at[CoordW*(2*p+1) +: CoordW],
        payload: word[64*p +: 64]
    };
    ec_from_ready u_to (
      .clk_i,
      .rst_i,
      .depth_i,
      .word_i(out_flit[p].payload),
      .valid_i(out_valid[p]),
      .ready_o(out_ready[p]),
      .link_o(link_o[64*p +: 64]),
      .credit_i(credit_i[p])
    );
  end

  noc_router u_router (
    .clk(clk_i),
    .rst_n(!rst_i),
    .my_x,
    .my_y,
    .in_flit,
    .in_valid,
    .in_ready,
    .out_flit,
    .out_valid,
    .out_ready
  );
endmodule
