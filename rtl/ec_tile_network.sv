// SPDX-License-Identifier: Apache-2.0
// Simulation only: a whole network (ec_network.sv) as the C side sees it, with unpacked array ports
// like those of ec_tile.sv, for all routers one after the other. Links are wired inside; of the inputs
// only the local ports are left, and what the routers show on links is there to be counted.
//
// Clock: as in ec_tile.sv, every change of clk_i is one rising edge for the routers.
`default_nettype none

module ec_tile_network #(
  parameter int Dims = 3,
  parameter int LinksPerDim = 1,
  parameter logic [32*Dims-1:0] Radices = {Dims{32'd2}},
  parameter logic [Dims-1:0] Wraps = '0,
  parameter int Nodes = 8,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Dynamic = 0,
  parameter int Stages = 1,
  parameter int AddressBits = 16,
  parameter int Link = 1,
  localparam int Links = Dims * LinksPerDim,
  localparam int Ports = Links + Locals,
  localparam int Bufs = Ports * Vcs
) (
  input  wire               clk_i,
  input  wire               rst_i,
  // Pins.
  input  wire               dateline_i,
  input  wire               classes_i,
  input  wire               balanced_i,
  input  wire               order_high_i,
  input  wire  [1:0]        switching_i,
  input  wire  [15:0]       depth_i,
  input  wire  [15:0]       packet_i,
  // Local ports: [node * Locals + local], [node * Vcs + vc][local].
  input  wire  [63:0]       link_i [0:Nodes*Locals-1],
  input  wire  [Locals-1:0] credit_i [0:Nodes*Vcs-1],
  // All ports: [node * Ports + port], [node][port], [node * Vcs + vc][port].
  output logic [63:0]       link_o [0:Nodes*Ports-1],
  output logic [Ports-1:0]  valid_o [0:Nodes-1],
  output logic [Ports-1:0]  credit_o [0:Nodes*Vcs-1],
  // Taps: [node * Vcs + vc][port], [(node * Ports + port) * Vcs + vc].
  output logic [Ports-1:0]  contended_o [0:Nodes*Vcs-1],
  output logic [Ports-1:0]  starved_o [0:Nodes*Vcs-1],
  output logic [7:0]        want_o [0:Nodes*Bufs-1]
);
  logic tick_q;
  wire clk = clk_i ^ tick_q;
  initial tick_q = 1'b0;
  always_ff @(posedge clk) tick_q <= clk_i;

  logic [64*Locals*Nodes-1:0] link_in;
  logic [Locals*Vcs*Nodes-1:0] credit_in;
  logic [64*Ports*Nodes-1:0] sent;
  logic [Bufs*Nodes-1:0] freed, contended, starved;
  logic [8*Bufs*Nodes-1:0] want;

  ec_network #(
    .Dims(Dims),
    .LinksPerDim(LinksPerDim),
    .Radices(Radices),
    .Wraps(Wraps),
    .Nodes(Nodes),
    .Locals(Locals),
    .Vcs(Vcs),
    .DepthMax(DepthMax),
    .Dynamic(Dynamic),
    .Stages(Stages),
    .AddressBits(AddressBits),
    .Link(Link)
  ) u_network (
    .clk_i(clk),
    .rst_i,
    .dateline_i,
    .classes_i,
    .balanced_i,
    .order_high_i,
    .switching_i,
    .depth_i,
    .packet_i,
    .link_i(link_in),
    .credit_i(credit_in),
    .link_o(),    // the local part of sent_o
    .credit_o(),  // the local part of freed_o
    .sent_o(sent),
    .freed_o(freed),
    .contended_o(contended),
    .starved_o(starved),
    .want_o(want),
    .quiet_o()  // all routers step together
  );

  for (genvar n = 0; n < Nodes; n++) begin : gen_node
    for (genvar l = 0; l < Locals; l++) begin : gen_local
      assign link_in[64*(n*Locals + l) +: 64] = link_i[n*Locals + l];
      for (genvar v = 0; v < Vcs; v++) begin : gen_vc
        assign credit_in[(n*Locals + l)*Vcs + v] = credit_i[n*Vcs + v][l];
      end
    end
    for (genvar p = 0; p < Ports; p++) begin : gen_port
      localparam int Channel = n * Ports + p;
      assign link_o[Channel] = sent[64*Channel +: 64];
      assign valid_o[n][p] = sent[64*Channel + 63];
      for (genvar v = 0; v < Vcs; v++) begin : gen_vc
        localparam int Buf = Channel * Vcs + v;
        assign credit_o[n*Vcs + v][p] = freed[Buf];
        assign contended_o[n*Vcs + v][p] = contended[Buf];
        assign starved_o[n*Vcs + v][p] = starved[Buf];
        assign want_o[Buf] = want[8*Buf +: 8];
      end
    end
  end
endmodule

`default_nettype wire
