// SPDX-License-Identifier: Apache-2.0
// vc_router behind the ports of docs/ROUTER-CONTRACT.md, for --router va=dynamic: the number of a VC goes into the router
// beside the word, and the one that the router has chosen into the word.
module vc_adapter #(
  parameter int Dims = 2,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 2,
  parameter int DepthMax = 4,
  localparam int Channels = Dims * LinksPerDim + Locals
) (
  input  logic                    clk_i,
  input  logic                    rst_i,
  input  logic [15:0]             coord_i,
  input  logic [16*Dims-1:0]      mask_i,
  input  logic [17*Dims-1:0]      radix_i,
  input  logic [Dims-1:0]         wrap_i,
  input  logic                    dateline_i,
  input  logic                    order_high_i,
  input  logic [1:0]              switching_i,
  input  logic [15:0]             depth_i,
  input  logic [15:0]             packet_i,
  input  logic [64*Channels-1:0]  link_i,
  input  logic [Vcs*Channels-1:0] credit_i,
  output logic [64*Channels-1:0]  link_o,
  output logic [Vcs*Channels-1:0] credit_o
);
  if (Dims != 2 || LinksPerDim != 2 || Locals != 1 || Vcs > 4) begin : gen_unsupported
    vc_error_meshes_of_two_dimensions_with_up_to_4_virtual_channels_only u_error ();
  end
  localparam int CoordBits = 8, FlitBits = 2 + 2 * CoordBits + 64, VcBits = Vcs > 1 ? $clog2(Vcs) : 1;

  // x is the lower field of an address, y the one above it.
  logic [2*CoordBits*Channels-1:0] at;
  logic [CoordBits-1:0] my_x, my_y;
  ec_place #(
    .Vcs(Vcs),
    .CoordBits(CoordBits)
  ) u_place (
    .clk_i,
    .rst_i,
    .coord_i,
    .mask_i,
    .word_i(link_i),
    .own_o({my_y, my_x}),
    .at_o(at)
  );

  // +x, -x, +y, -y, local are ports 0 to 4 of the router, too.
  logic [4:0][FlitBits-1:0] in_flit, out_flit;
  logic [4:0][VcBits-1:0] in_vc, in_credit_vc, out_vc, out_credit_vc;
  logic [4:0] in_valid, in_credit, out_valid, out_credit;
  for (genvar p = 0; p < Channels; p++) begin : gen_port
    wire [63:0] word = link_i[64*p +: 64], sent = out_flit[p][63:0];
    assign in_valid[p] = word[63];
    assign in_flit[p] = {word[62], word[61], at[CoordBits*2*p +: CoordBits], at[CoordBits*(2*p+1) +: CoordBits], word};
    assign in_vc[p] = Vcs > 1 ? word[59 +: VcBits] : '0;
    // Version 2 of the contract, section 2: bits 60 and 59 are the VC. With one VC they stay.
    wire [1:0] vc = Vcs > 1 ? 2'(out_vc[p]) : sent[60:59];
    assign link_o[64*p +: 64] = out_valid[p] ? {sent[63:61], vc, sent[58:0]} : 64'd0;
    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      assign credit_o[Vcs*p + v] = in_credit[p] && in_credit_vc[p] == VcBits'(v);
    end
    ec_credits_in_turn #(
      .Vcs(Vcs)
    ) u_credits (
      .clk_i,
      .rst_i,
      .credit_i(credit_i[Vcs*p +: Vcs]),
      .valid_o(out_credit[p]),
      .vc_o(out_credit_vc[p])
    );
  end

  vc_router #(
    .Vcs(Vcs),
    .CoordBits(CoordBits),
    .Depth(DepthMax)
  ) u_router (
    .clk(clk_i),
    .rst(rst_i),
    .my_x,
    .my_y,
    .credits(($clog2(DepthMax) + 1)'(depth_i)),
    .in_valid,
    .in_vc,
    .in_flit,
    .in_credit,
    .in_credit_vc,
    .out_valid,
    .out_vc,
    .out_flit,
    .out_credit,
    .out_credit_vc
  );
endmodule
