// SPDX-License-Identifier: Apache-2.0
// Simulation only: one router as the C side sees it, with unpacked array ports (no bit slicing in C).
//
// Clock: every *change* of clk_i is one rising edge for the router, so one evaluation is one cycle.
// tick_q follows clk_i at that edge, which lets the inner clock fall again by itself.
//
// EC_ROUTER names the router to wrap; EC_NO_TAPS and EC_NO_QUIET stand for one without taps or
// without quiet_o (docs/ROUTER-CONTRACT.md, section 12): they are tied to 0 here. EC_NO_DYNAMIC,
// EC_NO_STAGES, EC_NO_ADDRESS_BITS and EC_NO_CLASSES stand for one without the parameter Dynamic,
// Stages or AddressBits, or without classes_i; EC_NO_BALANCED for one without balanced_i: these are left out.
//
// EC_TABLE: the router has a routing table. EC_PATHS, EC_SPEEDUP: its parameters Paths and Speedup.
//
// EC_PARAMETERS: further parameters of that router, ".Name(value), .Name(value),".
//
// EC_SAMPLED: the router has concurrent properties. They sample the vectors between it and the inputs,
// because C++ of Verilator 5.006 that samples unpacked ports does not compile.
//
// EC_TRACE makes the variant whose waves people read: scopes named by port (ec_trace.svh) instead of
// the vectors and the trick with the clock.
`default_nettype none

`ifndef EC_ROUTER
`define EC_ROUTER ec_router
`endif
`ifndef EC_PARAMETERS
`define EC_PARAMETERS
`endif
`ifdef EC_SAMPLED
`define EC_INPUT /*verilator public_flat_rd*/
`define EC_INPUT_BITS /*verilator public_flat_rd*/
`else
`define EC_INPUT /*verilator split_var*/
`define EC_INPUT_BITS
`endif
`ifdef EC_TRACE
`include "ec_trace.svh"
`endif

module ec_tile #(
  parameter int Dims = 3,
  parameter int LinksPerDim = 1,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Dynamic = 0,
  parameter int Stages = 1,
  parameter int AddressBits = 16,
`ifdef EC_TABLE
  parameter int Table = 64,
`endif
  localparam int Links = Dims * LinksPerDim,
  localparam int Ports = Links + Locals,
  localparam int Bufs = Ports * Vcs
) (
  /*verilator tracing_off*/
  input  wire              clk_i,
  input  wire              rst_i,
  // Pins.
  input  wire  [AddressBits-1:0] coord_i,
  input  wire  [AddressBits-1:0] mask_i [0:Dims-1],
  input  wire  [AddressBits:0] radix_i [0:Dims-1],
  input  wire  [Dims-1:0]  wrap_i,
  input  wire              dateline_i,
  input  wire              classes_i,
  input  wire              balanced_i,
  input  wire              order_high_i,
  input  wire  [1:0]       switching_i,
  input  wire  [15:0]      depth_i,
  input  wire  [15:0]      packet_i,
`ifdef EC_TABLE
  input  wire              table_write_i,
  input  wire  [AddressBits-1:0] table_row_i,
  input  wire  [63:0]      table_entries_i,
`endif
  // Links and local ports.
  input  wire  [63:0]      link_i [0:Ports-1],
  input  wire  [Ports-1:0] credit_i [0:Vcs-1],
`ifdef EC_TRACE
  // Texts for the reader of a wave (ec_trace.svh); per input VC, and one for the router.
  input  wire  [511:0]     front_i [0:Bufs-1],
  input  wire  [511:0]     state_i [0:Bufs-1],
  input  wire  [1023:0]    failure_i,
`endif
  output logic [63:0]      link_o [0:Ports-1],
  output logic [Ports-1:0] credit_o [0:Vcs-1],
  // Taps.
  output logic [Ports-1:0] contended_o [0:Vcs-1],
  output logic [Ports-1:0] starved_o [0:Vcs-1],
  output logic [7:0]       want_o [0:Bufs-1],
  output logic             quiet_o
);
  logic tick_q;
  wire clk = clk_i ^ tick_q;
  initial tick_q = 1'b0;
  always_ff @(posedge clk) tick_q <= clk_i;

  logic [AddressBits*Dims-1:0] mask `EC_INPUT;
  logic [(AddressBits+1)*Dims-1:0] radix `EC_INPUT;
  logic [64*Ports-1:0] link_in `EC_INPUT, link_out /*verilator split_var*/;
  logic [Bufs-1:0] credit_in `EC_INPUT_BITS;
  logic [Bufs-1:0] credit_out, contended, starved;
  logic [8*Bufs-1:0] want /*verilator split_var*/;

  /*verilator tracing_on*/
  `EC_ROUTER #(
    `EC_PARAMETERS
    .Dims(Dims),
    .LinksPerDim(LinksPerDim),
    .Locals(Locals),
    .Vcs(Vcs),
`ifndef EC_NO_DYNAMIC
    .Dynamic(Dynamic),
`endif
`ifndef EC_NO_STAGES
    .Stages(Stages),
`endif
`ifndef EC_NO_ADDRESS_BITS
    .AddressBits(AddressBits),
`endif
`ifdef EC_TABLE
    .Table(Table),
`endif
`ifdef EC_PATHS
    .Paths(`EC_PATHS),
`endif
`ifdef EC_SPEEDUP
    .Speedup(`EC_SPEEDUP),
`endif
    .DepthMax(DepthMax)
  ) u_router (
    .clk_i(clk),
    .rst_i,
    .coord_i,
    .mask_i(mask),
    .radix_i(radix),
    .wrap_i,
    .dateline_i,
`ifndef EC_NO_CLASSES
    .classes_i,
`endif
`ifndef EC_NO_BALANCED
    .balanced_i,
`endif
    .order_high_i,
    .switching_i,
    .depth_i,
    .packet_i,
`ifdef EC_TABLE
    .table_write_i,
    .table_row_i,
    .table_entries_i,
`endif
    .link_i(link_in),
    .credit_i(credit_in),
    .link_o(link_out),
`ifndef EC_NO_TAPS
    .contended_o(contended),
    .starved_o(starved),
    .want_o(want),
`endif
`ifndef EC_NO_QUIET
    .quiet_o,
`endif
    .credit_o(credit_out)
  );
  /*verilator tracing_off*/
`ifdef EC_NO_TAPS
  assign contended = '0;
  assign starved = '0;
  assign want = '0;
`endif
`ifdef EC_NO_QUIET
  assign quiet_o = 1'b0;
`endif

  for (genvar d = 0; d < Dims; d++) begin : gen_dim
    assign mask[AddressBits*d +: AddressBits] = mask_i[d];
    assign radix[(AddressBits+1)*d +: AddressBits+1] = radix_i[d];
  end
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign link_in[64*p +: 64] = link_i[p];
    assign link_o[p] = link_out[64*p +: 64];
    for (genvar v = 0; v < Vcs; v++) begin : gen_want
      assign want_o[p*Vcs + v] = want[8*(p*Vcs + v) +: 8];
    end
  end
  if (Vcs == 1) begin : gen_one_vc
    assign credit_in = credit_i[0];
    assign credit_o[0] = credit_out;
    assign contended_o[0] = contended;
    assign starved_o[0] = starved;
  end else begin : gen_vcs
    for (genvar b = 0; b < Bufs; b++) begin : gen_buf
      assign credit_in[b] = credit_i[b % Vcs][b / Vcs];
      assign credit_o[b % Vcs][b / Vcs] = credit_out[b];
      assign contended_o[b % Vcs][b / Vcs] = contended[b];
      assign starved_o[b % Vcs][b / Vcs] = starved[b];
    end
  end

  wire unused = &{1'b0, classes_i, balanced_i};

  /*verilator tracing_on*/
`ifdef EC_TRACE
`include "ec_trace_ports.svh"
`endif
endmodule

`default_nettype wire
