// SPDX-License-Identifier: Apache-2.0
// hs_router behind the ports of docs/ROUTER-CONTRACT.md. The whole word travels as payload, so that nothing of it is
// lost. The parameters of the router are those of the adapter, for --parameter.
module hs_adapter #(
  parameter int Dims = 2,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Slices = 1,
  parameter bit Throttle = 1'b0,
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
    hs_error_meshes_of_two_dimensions_with_one_virtual_channel_only u_error ();
  end
  localparam int CoordBits = 8, FlitBits = 2 + 2 * CoordBits + 64;

  // x is the lower field of an address, y the one above it.
  logic [64*Channels-1:0] word;
  logic [2*CoordBits*Channels-1:0] at;
  logic [CoordBits-1:0] my_x, my_y;
  ec_place #(
    .CoordBits(CoordBits)
  ) u_place (
    .clk_i,
    .rst_i,
    .coord_i,
    .mask_i,
    .word_i(word),
    .own_o({my_y, my_x}),
    .at_o(at)
  );

  // +x, -x, +y, -y, local are ports 0 to 4 of the router, too.
  logic [5*FlitBits-1:0] in_flit, out_flit;
  logic [4:0] in_valid, in_ready, out_valid, out_ready;
  for (genvar p = 0; p < Channels; p++) begin : gen_port
    ec_to_ready #(
      .DepthMax(DepthMax)
    ) u_in (
      .clk_i,
      .rst_i,
      .link_i(link_i[64*p +: 64]),
      .credit_o(credit_o[p]),
      .word_o(word[64*p +: 64]),
      .valid_o(in_valid[p]),
      .ready_i(in_ready[p])
    );
    assign in_flit[FlitBits*p +: FlitBits] = 
        {word[64*p + 62], word[64*p + 61], at[CoordBits*2*p +: CoordBits], at[CoordBits*(2*p+1) +: CoordBits], word[64*p +: 64]};
    ec_from_ready u_out (
      .clk_i,
      .rst_i,
      .depth_i,
      .word_i(out_flit[FlitBits*p +: 64]),
      .valid_i(out_valid[p]),
      .ready_o(out_ready[p]),
      .link_o(link_o[64*p +: 64]),
      .credit_i(credit_i[p])
    );
  end

  hs_router #(
    .CoordBits(CoordBits),
    .Slices(Slices),
    .Throttle(Throttle)
  ) u_router (
    .clk(clk_i),
    .rst(rst_i),
    .my_x,
    .my_y,
    .in_valid,
    .in_ready,
    .in_flit,
    .out_valid,
    .out_ready,
    .out_flit
  );
endmodule
