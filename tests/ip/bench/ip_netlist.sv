// SPDX-License-Identifier: Apache-2.0
// The router of ip_tb that is configured by constants, as a top of its own for Yosys. bench.sh puts the
// parameters of the bench in place of these defaults, which are those of ip_tb.
`default_nettype none

module ip_netlist #(
  parameter int Dims = 2,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 2,
  parameter int DepthMax = 4,
  parameter int Dynamic = 0,
  parameter int Stages = 1,
  parameter int Datelines = 1,
  parameter int Classes = 1,
  parameter int HighFirst = 0,
  parameter int Switching = 0,
  parameter int Depth = 4,
  parameter int Packet = 3,
  parameter int R0 = 4,
  parameter int R1 = 3,
  localparam int A = 5,
  localparam int D = 9,
  localparam int W = ec_ip_pkg::word_bits(Vcs, A, D),
  localparam int Links = Dims * LinksPerDim
) (
  input  wire                   clk_i,
  input  wire                   rst_ni,
  output wire                   idle_o,
  input  wire  [W*Links-1:0]    link_i,
  input  wire  [Vcs*Links-1:0]  link_credit_i,
  output wire  [W*Links-1:0]    link_o,
  output wire  [Vcs*Links-1:0]  link_credit_o,
  input  wire  [W*Locals-1:0]   local_i,
  input  wire  [Vcs*Locals-1:0] local_credit_i,
  output wire  [W*Locals-1:0]   local_o,
  output wire  [Vcs*Locals-1:0] local_credit_o
);
  localparam [32*Dims-1:0] Radices = (32*Dims)'({{18{32'd2}}, 32'(R1), 32'(R0)});
  localparam [32*Dims-1:0] Position = (32*Dims)'({{18{32'd1}}, 32'(R1 - 1), 32'(R0 - 1)});
  localparam [1:0] Rings = Datelines != 0 ? {R1 > 2, R0 > 2} : 2'b00;
  ec_ip #(
    .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax),
    .Dynamic(Dynamic), .Stages(Stages), .AddressBits(A), .DataBits(D), .ResetStages(2),
    .Radices(Radices), .Position(Position), .Wraps(Dims'(Rings)), .Datelines(Datelines), .Classes(Classes),
    .HighFirst(HighFirst), .Switching(2'(Switching)), .Depth(Depth), .Packet(Packet)
  ) u_ip (.*);
endmodule

`default_nettype wire
