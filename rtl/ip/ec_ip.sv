// SPDX-License-Identifier: Apache-2.0
// The router as a product: ec_router without taps, with a reset, a configuration and outputs as designs
// need them. rtl/README.md is its guide, docs/ROUTER-CONTRACT.md says what it does in every cycle.
//
// Configuration: constants (Fixed = 1; the pins cfg_* are not read, tie them to 0), or pins, which are
// sampled while the router is in reset. OutputRegister: link_o and link_credit_o come from registers
// with nothing behind them, one cycle later: the delay L of the link is one cycle more. Local ports are
// as without it. All outputs are functions of registers only.
`default_nettype none

module ec_ip #(
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
  parameter int Fixed = 1,            // 1: configured by the parameters below; 0: by the pins cfg_*
  parameter [32*Dims-1:0] Radices = {Dims{32'd2}},  // nodes in each dimension, dimension 0 in the lowest bits
  parameter [32*Dims-1:0] Position = '0,            // the coordinates of this router
  parameter [Dims-1:0] Wraps = '0,    // dimensions that are rings (radix 3 or more)
  parameter int Datelines = 0,        // 1: odd VCs are behind the dateline of a ring
  parameter int Classes = 1,          // message classes, 1 or 2 (2: with Dynamic only)
  parameter int HighFirst = 0,        // 1: correct the highest dimension first
  parameter int Balanced = 0,         // 1: half way round a ring, odd coordinates go down (also with Fixed = 0)
  parameter [1:0] Switching = ec_ip_pkg::Wormhole,
  parameter int Depth = DepthMax,     // entries of an input buffer in use
  parameter int Packet = 1,           // packet bound; not in wormhole switching
  localparam int W = ec_ip_pkg::word_bits(Vcs, AddressBits, DataBits),
  localparam int Links = Dims * LinksPerDim
) (
  input  wire                             clk_i,
  input  wire                             rst_ni,
  // With Fixed = 0: place and mode.
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

  if (Depth < 1 || Depth > DepthMax) begin : gen_bad_depth
    ec_error_depth_must_be_1_to_depth_max u_error ();
  end
  if (Packet < 1 || Packet > Depth) begin : gen_bad_packet
    ec_error_packet_must_be_1_to_depth u_error ();
  end
  if (Switching == 2'd3) begin : gen_bad_switching
    ec_error_switching_must_be_0_to_2 u_error ();
  end
  if (OutputRegister != 0 && OutputRegister != 1) begin : gen_bad_register
    ec_error_output_register_must_be_0_or_1 u_error ();
  end
  if (Datelines != 0 && Vcs == 1) begin : gen_bad_datelines
    ec_error_datelines_need_2_vcs u_error ();
  end
  if (Classes < 1 || Classes > 2 || Classes * (Datelines + 1) > Vcs) begin : gen_bad_classes
    ec_error_a_class_needs_a_vc u_error ();
  end

  // The fields of the dimensions in a packed address, one above the other (section 3.3). Each function
  // returns all of them: Icarus takes no function call in the constants of a generate block.
  function automatic [AddressBits*Dims-1:0] masks(input [32*Dims-1:0] radices);
    integer shift;
    shift = 0;
    masks = '0;
    for (int d = 0; d < Dims; d++) begin
      masks[AddressBits*d +: AddressBits] = AddressBits'(((1 << $clog2(radices[32*d +: 32])) - 1) << shift);
      shift = shift + $clog2(radices[32*d +: 32]);
    end
  endfunction
  function automatic [(AddressBits+1)*Dims-1:0] fields(input [32*Dims-1:0] radices);
    integer shift;
    shift = 0;
    fields = '0;
    for (int d = 0; d < Dims; d++) begin
      if (radices[32*d +: 32] > 1)
        fields[(AddressBits+1)*d +: AddressBits+1] = (AddressBits+1)'(radices[32*d +: 32] << shift);
      shift = shift + $clog2(radices[32*d +: 32]);
    end
  endfunction
  // Whether radices and position are those of a network with these parameters.
  function automatic [1:0] fit(input [32*Dims-1:0] radices, input [32*Dims-1:0] position);
    integer bits;
    bits = 0;
    fit = 2'b11;
    for (int d = 0; d < Dims; d++) begin
      bits = bits + $clog2(radices[32*d +: 32]);
      if (radices[32*d +: 32] < 1 || (LinksPerDim == 1 && radices[32*d +: 32] != 2)) fit[0] = 1'b0;
      if (position[32*d +: 32] >= radices[32*d +: 32]) fit[1] = 1'b0;
    end
    if (bits > AddressBits) fit[0] = 1'b0;
  endfunction
  localparam [AddressBits*Dims-1:0] Masks = masks(Radices);
  localparam [(AddressBits+1)*Dims-1:0] Fields = fields(Radices);
  localparam [19:0] Coord = ec_ip_pkg::address(Dims, 640'(Radices), 640'(Position));
  localparam [1:0] Fit = fit(Radices, Position);
  if (Fixed != 0 && !Fit[0]) begin : gen_bad_radices
    ec_error_radices_must_fit_the_address_and_be_2_in_a_cube u_error ();
  end
  if (Fixed != 0 && !Fit[1]) begin : gen_bad_position
    ec_error_position_must_be_below_the_radices u_error ();
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
  logic quiet;
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
    .coord_i(Fixed != 0 ? Coord[AddressBits-1:0] : cfg_coord_i),
    .mask_i(Fixed != 0 ? Masks : cfg_mask_i),
    .radix_i(Fixed != 0 ? Fields : cfg_radix_i),
    .wrap_i(Fixed != 0 ? Wraps : cfg_wrap_i),
    .dateline_i(Fixed != 0 ? Datelines != 0 : cfg_dateline_i),
    .classes_i(Fixed != 0 ? Classes == 2 : cfg_classes_i),
    .balanced_i(Balanced != 0),
    .order_high_i(Fixed != 0 ? HighFirst != 0 : cfg_order_high_i),
    .switching_i(Fixed != 0 ? Switching : cfg_switching_i),
    .depth_i(Fixed != 0 ? 16'(Depth) : cfg_depth_i),
    .packet_i(Fixed != 0 ? 16'(Packet) : cfg_packet_i),
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
  end else begin : gen_output
    always_ff @(posedge clk_i) begin
      link_o <= link;
      link_credit_o <= credit;
      if (rst) begin
        link_o <= '0;
        link_credit_o <= '0;
      end
    end
  end

  wire unused = &{1'b0, contended, starved, want, quiet, cfg_coord_i, cfg_mask_i, cfg_radix_i, cfg_wrap_i,
                  cfg_dateline_i, cfg_classes_i, cfg_order_high_i, cfg_switching_i, cfg_depth_i,
                  cfg_packet_i, Coord};
endmodule

`default_nettype wire
