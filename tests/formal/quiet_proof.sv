// SPDX-License-Identifier: Apache-2.0
// Frame for the proof of quiet_o: a router without input. tests/formal/cells.sh adds to every flip-flop
// the assertion that its next value is its value, and proves all of them for *every* state with
// quiet_o = 1, reachable or not.
`default_nettype none

module quiet_proof #(
  parameter int Dims = 3,
  parameter int LinksPerDim = 1,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Dynamic = 0,
  parameter int Stages = 1,
  localparam int Ports = Dims * LinksPerDim + Locals,
  localparam int Bufs = Ports * Vcs
) (
  input wire                clk_i,
  input wire                rst_i,
  // Pins are free: they are read during reset only.
  input wire [15:0]         coord_i,
  input wire [16*Dims-1:0]  mask_i,
  input wire [17*Dims-1:0]  radix_i,
  input wire [Dims-1:0]     wrap_i,
  input wire                dateline_i,
  input wire                balanced_i,
  input wire                order_high_i,
  input wire [1:0]          switching_i,
  input wire [15:0]         depth_i,
  input wire [15:0]         packet_i,
  input wire [64*Ports-1:0] link_i,
  input wire [Bufs-1:0]     credit_i
);
  wire [64*Ports-1:0] link;
  wire [Bufs-1:0] credit, contended, starved;
  wire [8*Bufs-1:0] want;
  wire quiet;

  ec_router #(
    .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax),
    .Dynamic(Dynamic), .Stages(Stages)
  ) u_dut (
    .clk_i, .rst_i, .coord_i, .mask_i, .radix_i, .wrap_i, .dateline_i, .classes_i(1'b0), .balanced_i, .order_high_i,
    .switching_i, .depth_i, .packet_i, .link_i, .credit_i, .link_o(link), .credit_o(credit),
    .contended_o(contended), .starved_o(starved), .want_o(want), .quiet_o(quiet)
  );

  // No input: assumed, not tied to 0, else Yosys simplifies away what is to be proved. What else is in
  // a word that is not valid is free, as are the pins.
  always_comb begin
    assume (!rst_i);
    assume (credit_i == '0);
    for (int p = 0; p < Ports; p++) assume (!link_i[64*p + 63]);
    assume (quiet);
    // And a quiet router shows nothing.
    assert (link == '0 && credit == '0 && contended == '0 && starved == '0 && want == '0);
  end
endmodule

`default_nettype wire
