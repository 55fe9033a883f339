// SPDX-License-Identifier: Apache-2.0
// @NAME@_router behind the ports of ecube's router contract (docs/ROUTER-CONTRACT.md), with the cells of rtl/adapter. Change the
// flit's fields and the instance at the end into those of your router; the whole word travels as payload.
module @NAME@_adapter #(
  parameter int Dims = 2,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = @VCS@,
  parameter int DepthMax = 4,
  localparam int Ports = Dims * LinksPerDim + Locals
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic [15:0]          coord_i,
  input  logic [16*Dims-1:0]   mask_i,
  input  logic [17*Dims-1:0]   radix_i,
  input  logic [Dims-1:0]      wrap_i,
  input  logic                 dateline_i,
  input  logic                 order_high_i,
  input  logic [1:0]           switching_i,
  input  logic [15:0]          depth_i,
  input  logic [15:0]          packet_i,
  input  logic [64*Ports-1:0]  link_i,
  input  logic [Vcs*Ports-1:0] credit_i,
  output logic [64*Ports-1:0]  link_o,
  output logic [Vcs*Ports-1:0] credit_o
);
  if (Dims != 2 || LinksPerDim != 2 || Locals != 1 || Vcs != @VCS@) begin : gen_unsupported
    @NAME@_error_meshes_of_two_dimensions_with_@VCS@_virtual_channels_only u_error ();
  end
@valid-ready,on-off,credit@  localparam int CoordBits = 8, FlitBits = 2 + 2 * CoordBits + 64;
@length@  localparam int CoordBits = 8, FlitBits = 11 + 2 * CoordBits + 64;
@credit@  localparam int Depth = 4;  // the credits with which the router starts

  // Pins that the router does not serve: `ecube tile check` does not judge it for them.
`ifndef YOSYS
  always @(posedge clk_i) begin
    if (rst_i && (wrap_i != '0 || order_high_i)) $error("serves only meshes, the lowest dimension first");
@length@    if (rst_i && switching_i == 2'd0) $error("serves only packets that fit into a queue, not wormhole switching");
@valid-ready,on-off,credit@    if (rst_i && switching_i == 2'd2) $error("serves only switching that does not wait for tails");
    for (int d = 0; d < 2; d++)
      if (rst_i && mask_i[16*d +: 16] != '0 && (mask_i[16*d +: 16] & (mask_i[16*d +: 16] - 1'b1)) == '0)
        $error("serves only dimensions of 3 and more nodes, which use both links");
  end
`endif

  // Places: x is dimension 0, y is dimension 1.
  logic [64*Ports-1:0] word;
  logic [2*CoordBits*Ports-1:0] at;
  logic [CoordBits-1:0] my_x, my_y;
  ec_place #(
    .Vcs(Vcs),
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
  logic [Ports*FlitBits-1:0] in_flit, out_flit;
  logic [Vcs*Ports-1:0] in_valid, in_back, out_valid, out_back;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    wire [63:0] in = word[64*p +: 64];
@length@    logic [10:0] length;
    // The fields of a flit.
@valid-ready,on-off,credit@    assign in_flit[FlitBits*p +: FlitBits] = {
@valid-ready,on-off,credit@        in[62], in[61], at[CoordBits*2*p +: CoordBits], at[CoordBits*(2*p+1) +: CoordBits], in};
@length@    assign in_flit[FlitBits*p +: FlitBits] = {
@length@        length, at[CoordBits*2*p +: CoordBits], at[CoordBits*(2*p+1) +: CoordBits], in};
    wire [63:0] out = out_flit[FlitBits*p +: 64];

@valid-ready,on-off@    ec_to_ready #(
@on-off@      .Ask(1'b1),  // valid means taken
@length@    ec_to_packets #(
@credit@    ec_to_credits #(
@credit@      .Inside(Depth),
      .Vcs(Vcs),
      .DepthMax(DepthMax)
    ) u_in (
      .clk_i,
      .rst_i,
      .link_i(link_i[64*p +: 64]),
      .credit_o(credit_o[Vcs*p +: Vcs]),
      .word_o(word[64*p +: 64]),
@length@      .length_o(length),
      .valid_o(in_valid[Vcs*p +: Vcs]),
@valid-ready,on-off,length@      .ready_i(in_back[Vcs*p +: Vcs])
@credit@      .credit_i(in_back[Vcs*p +: Vcs])
    );
@valid-ready,on-off,length@    ec_from_ready #(
@credit@    ec_from_credits #(
@credit@      .Inside(Depth),
@on-off@      .Latency(2),  // cycles after `on` has fallen in which the router may still send
      .Vcs(Vcs)
    ) u_out (
      .clk_i,
      .rst_i,
      .depth_i,
      .word_i(out),
      .valid_i(out_valid[Vcs*p +: Vcs]),
@valid-ready,on-off,length@      .ready_o(out_back[Vcs*p +: Vcs]),
@credit@      .credit_o(out_back[Vcs*p +: Vcs]),
      .link_o(link_o[64*p +: 64]),
      .credit_i(credit_i[Vcs*p +: Vcs])
    );
  end

  @NAME@_router #(
@credit@    .Depth(Depth),
    .Vcs(Vcs),
    .CoordBits(CoordBits)
  ) u_router (
    .clk(clk_i),
    .rst(rst_i),
    .my_x,
    .my_y,
    .in_valid,
    .in_flit,
@valid-ready,length@    .in_ready(in_back),
@on-off@    .in_on(in_back),
@credit@    .in_credit(in_back),
    .out_valid,
    .out_flit,
@valid-ready,length@    .out_ready(out_back)
@on-off@    .out_on(out_back)
@credit@    .out_credit(out_back)
  );
endmodule
