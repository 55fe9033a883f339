// SPDX-License-Identifier: Apache-2.0
// cr_router behind the ports of docs/ROUTER-CONTRACT.md. The place of the router is a parameter, which stays the
// same for all routers: the adapter makes the coordinates of each packet relative to its own, so that one
// compilation serves every place of meshes of up to 16 x 16.
module cr_adapter #(
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
    cr_error_meshes_of_two_dimensions_with_one_virtual_channel_only u_error ();
  end
  localparam int CoordBits = 5, Middle = 16, FlitBits = 2 + 2 * CoordBits + 64;

  logic [2*CoordBits*Channels-1:0] at;
  logic [2*CoordBits-1:0] middle;  // the parameters of the router
  ec_place #(
    .CoordBits(CoordBits),
    .Relative(1'b1)
  ) u_place (
    .clk_i,
    .rst_i,
    .coord_i,
    .mask_i,
    .word_i(link_i),
    .own_o(middle),
    .at_o(at)
  );

  logic [4:0][FlitBits-1:0] in_flit, out_flit;
  logic [4:0] in_valid, in_credit_n, out_valid, out_credit_n;
  for (genvar p = 0; p < Channels; p++) begin : gen_port
    // +x, -x, +y, -y, local are east, west, north, south, local.
    localparam int Own = p == 0 ? 2 : p == 1 ? 4 : p == 2 ? 1 : p == 3 ? 3 : 0;
    wire [63:0] word = link_i[64*p +: 64];
    assign in_valid[Own] = word[63];
    assign in_flit[Own] = {word[62], word[61], at[CoordBits*2*p +: CoordBits], at[CoordBits*(2*p+1) +: CoordBits], word};
    assign credit_o[p] = !in_credit_n[Own];
    assign link_o[64*p +: 64] = out_valid[Own] ? out_flit[Own][63:0] : 64'd0;
    assign out_credit_n[Own] = !credit_i[p];
  end

  // The credits are loaded while reset is high, from pins that are sampled at the same edge.
  cr_router #(
    .X(Middle),
    .Y(Middle),
    .CoordBits(CoordBits),
    .Depth(DepthMax)
  ) u_router (
    .clock(clk_i),
    .reset(rst_i),
    .initial_credits(($clog2(DepthMax) + 1)'(depth_i)),
    .in_valid,
    .in_flit,
    .in_credit_n,
    .out_valid,
    .out_flit,
    .out_credit_n
  );
endmodule
