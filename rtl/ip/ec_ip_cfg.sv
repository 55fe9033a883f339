// SPDX-License-Identifier: Apache-2.0
// The router as a product: ec_router without taps, with a reset and outputs as designs need them, and a
// configuration by pins, which are sampled while the router is in reset. (ec_ip has parameters instead.)
// rtl/README.md is its guide, docs/ROUTER-CONTRACT.md says what it does in every cycle.
//
// OutputRegister: link_o and link_credit_o come from registers with nothing behind them, one cycle later:
// the delay L of the link is one cycle more. Local ports are as without it. All outputs are functions of
// registers only.
//
// idle_o is for a clock gate: if it is high, and in this cycle no word is on link_i or local_i, no credit on
// link_credit_i or local_credit_i, and rst_ni is high, then the clock edge at the end of the cycle may be
// left out: all later outputs are the same without it.
`default_nettype none

module ec_ip_cfg #(
  // Shape: as ec_router.
  parameter int Dims = 2,             // dimensions, 1..20
  parameter int LinksPerDim = 2,      // 2, or 1 in a hypercube
  parameter int Locals = 1,           // local ports: 1, or one per link
  parameter int Vcs = 1,              // virtual channels per port: 1, 2, 4 or 8
  parameter int DepthMax = 4,         // words of an input buffer, a power of two
  parameter int Dynamic = 0,          // 1: a head takes any free VC of its class
  parameter int Stages = 1,           // pipeline stages: 1..3
  parameter int AddressBits = 8,      // bits of a packed address: 1..20
  parameter int DataBits = 32,        // payload of a word
  // The product.
  parameter int ResetStages = 0,      // 0: rst_ni is synchronous; 2 and more: asynchronous, synchronised here
  parameter int OutputRegister = 0,   // 1: registers behind the links
  parameter int Fixed = 0,            // 1: the pins cfg_* are constants and are not sampled
  parameter int Balanced = 0,         // 1: half way round a ring, odd coordinates go down
  localparam int W = ec_ip_pkg::word_bits(Vcs, AddressBits, DataBits),
  localparam int Links = Dims * LinksPerDim
) (
  input  wire                             clk_i,
  input  wire                             rst_ni,
  // Place and mode.
  input  wire  [AddressBits-1:0]          cfg_coord_i,
  input  wire  [AddressBits*Dims-1:0]     cfg_mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0] cfg_radix_i,
  input  wire  [Dims-1:0]                 cfg_wrap_i,
  input  wire                             cfg_dateline_i,
  input  wire                             cfg_classes_i,
  input  wire                             cfg_order_high_i,
  input  ec_ip_pkg::switching_t           cfg_switching_i,
  input  ec_ip_pkg::words_t               cfg_depth_i,
  input  ec_ip_pkg::words_t               cfg_packet_i,
  // The next clock edge may be left out if nothing arrives (above).
  output logic                            idle_o,
  // To the neighbours: a word, and a credit per VC, in each direction.
  input  wire  [W*Links-1:0]              link_i,
  input  wire  [Vcs*Links-1:0]            link_credit_i,
  output logic [W*Links-1:0]              link_o,
  output logic [Vcs*Links-1:0]            link_credit_o,
  // To the node.
  input  wire  [W*Locals-1:0]             local_i,
  input  wire  [Vcs*Locals-1:0]           local_credit_i,
  output logic [W*Locals-1:0]             local_o,
  output logic [Vcs*Locals-1:0]           local_credit_o
);
  localparam int Ports = Links + Locals;
  localparam int Bufs = Ports * Vcs;

  if (OutputRegister != 0 && OutputRegister != 1) begin : gen_bad_register
    ec_error_output_register_must_be_0_or_1 u_error ();
  end
  logic rst;
  ec_ip_reset #(
    .Stages(ResetStages)
  ) u_reset (
    .clk_i,
    .rst_ni,
    .rst_o(rst)
  );

  logic [W*Links-1:0] link;
  logic [Vcs*Links-1:0] credit;
  logic [Bufs-1:0] contended, starved;  // taps, for whoever looks at waves
  logic [8*Bufs-1:0] want;
  logic quiet, still;
  ec_router #(
    .Dims(Dims),
    .LinksPerDim(LinksPerDim),
    .Locals(Locals),
    .Vcs(Vcs),
    .DepthMax(DepthMax),
    .Dynamic(Dynamic),
    .Stages(Stages),
    .AddressBits(AddressBits),
    .DataBits(DataBits),
    .Fixed(Fixed)
  ) u_router (
    .clk_i,
    .rst_i(rst),
    .coord_i(cfg_coord_i),
    .mask_i(cfg_mask_i),
    .radix_i(cfg_radix_i),
    .wrap_i(cfg_wrap_i),
    .dateline_i(cfg_dateline_i),
    .classes_i(cfg_classes_i),
    .balanced_i(Balanced != 0),
    .order_high_i(cfg_order_high_i),
    .switching_i(cfg_switching_i),
    .depth_i(cfg_depth_i),
    .packet_i(cfg_packet_i),
    .link_i({local_i, link_i}),
    .credit_i({local_credit_i, link_credit_i}),
    .link_o({local_o, link}),
    .credit_o({local_credit_o, credit}),
    .contended_o(contended),
    .starved_o(starved),
    .want_o(want),
    .quiet_o(quiet)
  );

  if (OutputRegister == 0) begin : gen_direct
    assign link_o = link;
    assign link_credit_o = credit;
    assign still = 1'b1;
  end else begin : gen_output
    logic still_q;  // what the registers show is nothing
    always_ff @(posedge clk_i) begin
      still_q <= quiet;
      link_o <= link;
      link_credit_o <= credit;
      if (rst) begin
        link_o <= '0;
        link_credit_o <= '0;
      end
    end
    assign still = still_q;
  end
  // A reset of several stages needs edges after rst_ni. (Without stages rst is an input, which no output follows.)
  assign idle_o = quiet && still && !(ResetStages != 0 && rst);

  wire unused = &{1'b0, contended, starved, want};
endmodule

`default_nettype wire
