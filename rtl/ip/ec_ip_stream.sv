// SPDX-License-Identifier: Apache-2.0
// The router as a product, with valid/ready streams at its local ports, configured by parameters:
// ec_ip_stream_cfg, which says what its ports do, without the pins.
`default_nettype none

module ec_ip_stream #(
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
  parameter [32*Dims-1:0] Radices = {Dims{32'd2}},  // nodes in each dimension, dimension 0 in the lowest bits
  parameter [32*Dims-1:0] Position = '0,            // the coordinates of this router
  parameter [Dims-1:0] Wraps = '0,    // dimensions that are rings (radix 3 or more)
  parameter int Datelines = 0,        // 1: odd VCs are behind the dateline of a ring
  parameter int Classes = 1,          // message classes = streams per local port: 1 or 2
  parameter int HighFirst = 0,        // 1: correct the highest dimension first
  parameter int Balanced = 0,         // 1: half way round a ring, odd coordinates go down
  parameter [1:0] Switching = ec_ip_pkg::Wormhole,
  parameter int Depth = DepthMax,     // entries of an input buffer in use
  parameter int Packet = 1,           // packet bound; not in wormhole switching
  localparam int W = ec_ip_pkg::word_bits(Vcs, AddressBits, DataBits),
  localparam int Links = Dims * LinksPerDim,
  localparam int Streams = Locals * Classes
) (
  input  wire                             clk_i,
  input  wire                             rst_ni,
  // The next clock edge may be left out if nothing arrives (above).
  output logic                            idle_o,
  // To the neighbours: a word, and a credit per VC, in each direction.
  input  wire  [W*Links-1:0]              link_i,
  input  wire  [Vcs*Links-1:0]            link_credit_i,
  output logic [W*Links-1:0]              link_o,
  output logic [Vcs*Links-1:0]            link_credit_o,
  // Packets of the node into the network.
  input  wire  [Streams-1:0]              tx_valid_i,
  output logic [Streams-1:0]              tx_ready_o,
  input  wire  [Streams-1:0]              tx_last_i,
  input  wire  [AddressBits*Streams-1:0]  tx_dst_i,   // packed coordinates
  input  wire  [DataBits*Streams-1:0]     tx_data_i,
  // Packets for the node.
  output logic [Streams-1:0]              rx_valid_o,
  input  wire  [Streams-1:0]              rx_ready_i,
  output logic [Streams-1:0]              rx_last_o,
  output logic [AddressBits*Streams-1:0]  rx_src_o,
  output logic [DataBits*Streams-1:0]     rx_data_o
);
  wire [AddressBits-1:0] coord;
  wire [AddressBits*Dims-1:0] mask;
  wire [(AddressBits+1)*Dims-1:0] radix;
  ec_ip_constants #(
    .Dims(Dims),
    .LinksPerDim(LinksPerDim),
    .Vcs(Vcs),
    .DepthMax(DepthMax),
    .AddressBits(AddressBits),
    .Radices(Radices),
    .Position(Position),
    .Datelines(Datelines),
    .Classes(Classes),
    .Switching(Switching),
    .Depth(Depth),
    .Packet(Packet)
  ) u_constants (
    .coord_o(coord),
    .mask_o(mask),
    .radix_o(radix)
  );
  ec_ip_stream_cfg #(
    .Dims(Dims),
    .LinksPerDim(LinksPerDim),
    .Locals(Locals),
    .Vcs(Vcs),
    .DepthMax(DepthMax),
    .Dynamic(Dynamic),
    .Stages(Stages),
    .AddressBits(AddressBits),
    .DataBits(DataBits),
    .ResetStages(ResetStages),
    .OutputRegister(OutputRegister),
    .Fixed(1),
    .Balanced(Balanced),
    .Classes(Classes)
  ) u_cfg (
    .clk_i,
    .rst_ni,
    .cfg_coord_i(coord),
    .cfg_mask_i(mask),
    .cfg_radix_i(radix),
    .cfg_wrap_i(Wraps),
    .cfg_dateline_i(Datelines != 0),
    .cfg_order_high_i(HighFirst != 0),
    .cfg_switching_i(Switching),
    .cfg_depth_i(16'(Depth)),
    .cfg_packet_i(16'(Packet)),
    .idle_o,
    .link_i,
    .link_credit_i,
    .link_o,
    .link_credit_o,
    .tx_valid_i,
    .tx_ready_o,
    .tx_last_i,
    .tx_dst_i,
    .tx_data_i,
    .rx_valid_o,
    .rx_ready_i,
    .rx_last_o,
    .rx_src_o,
    .rx_data_o
  );
endmodule

`default_nettype wire
