// SPDX-License-Identifier: Apache-2.0
// The router as a product, with valid/ready streams at its local ports: ec_ip_cfg, ec_ip_send and
// ec_ip_receive. Parameters, configuration and links are those of ec_ip_cfg; credits of local ports are
// inside. (ec_ip_stream has parameters instead of pins.) rtl/README.md is its guide.
//
// Stream number: local port * Classes + message class. idle_o is that of ec_ip_cfg, with tx_valid_i in place
// of the local port: no word on link_i, no credit on link_credit_i, tx_valid_i low and rst_ni high.
`default_nettype none

module ec_ip_stream_cfg #(
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
  parameter int Classes = 1,          // message classes = streams per local port: 1 or 2
  localparam int W = ec_ip_pkg::word_bits(Vcs, AddressBits, DataBits),
  localparam int Links = Dims * LinksPerDim,
  localparam int Streams = Locals * Classes
) (
  input  wire                             clk_i,
  input  wire                             rst_ni,
  // Place and mode.
  input  wire  [AddressBits-1:0]          cfg_coord_i,
  input  wire  [AddressBits*Dims-1:0]     cfg_mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0] cfg_radix_i,
  input  wire  [Dims-1:0]                 cfg_wrap_i,
  input  wire                             cfg_dateline_i,
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
  localparam int Cw = $clog2(DepthMax + 1);

  logic rst;
  ec_ip_reset #(
    .Stages(ResetStages)
  ) u_reset (
    .clk_i,
    .rst_ni,
    .rst_o(rst)
  );

  // What the streams have to know of place and mode.
  logic [AddressBits-1:0] coord_q;
  logic [Cw-1:0] depth, need_q;
  logic dateline_q;
  assign depth = cfg_depth_i[Cw-1:0];
  if (Fixed != 0) begin : gen_fixed
    assign coord_q = cfg_coord_i;
    assign dateline_q = cfg_dateline_i;
    assign need_q = cfg_switching_i == ec_ip_pkg::Wormhole ? Cw'(1) : cfg_packet_i[Cw-1:0];
  end else begin : gen_sampled
    always_ff @(posedge clk_i) begin
      if (rst) begin
        coord_q <= cfg_coord_i;
        dateline_q <= cfg_dateline_i;
        need_q <= cfg_switching_i == ec_ip_pkg::Wormhole ? Cw'(1) : cfg_packet_i[Cw-1:0];
      end
    end
  end

  logic [W*Locals-1:0] to_router, from_router;
  logic [Vcs*Locals-1:0] to_router_credit, from_router_credit;
  logic idle;
  assign idle_o = idle && rx_valid_o == '0 && !(ResetStages != 0 && rst);
  ec_ip_cfg #(
    .Dims(Dims),
    .LinksPerDim(LinksPerDim),
    .Locals(Locals),
    .Vcs(Vcs),
    .DepthMax(DepthMax),
    .Dynamic(Dynamic),
    .Stages(Stages),
    .AddressBits(AddressBits),
    .DataBits(DataBits),
    .ResetStages(0),
    .OutputRegister(OutputRegister),
    .Fixed(Fixed),
    .Balanced(Balanced)
  ) u_ip (
    .clk_i,
    .rst_ni(!rst),
    .cfg_coord_i,
    .cfg_mask_i,
    .cfg_radix_i,
    .cfg_wrap_i,
    .cfg_dateline_i,
    .cfg_classes_i(Classes == 2),
    .cfg_order_high_i,
    .cfg_switching_i,
    .cfg_depth_i,
    .cfg_packet_i,
    .idle_o(idle),
    .link_i,
    .link_credit_i,
    .link_o,
    .link_credit_o,
    .local_i(to_router),
    .local_credit_i(to_router_credit),
    .local_o(from_router),
    .local_credit_o(from_router_credit)
  );

  for (genvar j = 0; j < Locals; j++) begin : gen_local
    ec_ip_send #(
      .Vcs(Vcs),
      .DepthMax(DepthMax),
      .Classes(Classes),
      .AddressBits(AddressBits),
      .DataBits(DataBits)
    ) u_send (
      .clk_i,
      .rst_i(rst),
      .coord_i(coord_q),
      .dateline_i(dateline_q),
      .depth_i(depth),
      .need_i(need_q),
      .valid_i(tx_valid_i[Classes*j +: Classes]),
      .ready_o(tx_ready_o[Classes*j +: Classes]),
      .last_i(tx_last_i[Classes*j +: Classes]),
      .dst_i(tx_dst_i[AddressBits*Classes*j +: AddressBits*Classes]),
      .data_i(tx_data_i[DataBits*Classes*j +: DataBits*Classes]),
      .link_o(to_router[W*j +: W]),
      .credit_i(from_router_credit[Vcs*j +: Vcs])
    );
    ec_ip_receive #(
      .Vcs(Vcs),
      .DepthMax(DepthMax),
      .Classes(Classes),
      .AddressBits(AddressBits),
      .DataBits(DataBits)
    ) u_receive (
      .clk_i,
      .rst_i(rst),
      .dateline_i(dateline_q),
      .link_i(from_router[W*j +: W]),
      .credit_o(to_router_credit[Vcs*j +: Vcs]),
      .valid_o(rx_valid_o[Classes*j +: Classes]),
      .ready_i(rx_ready_i[Classes*j +: Classes]),
      .last_o(rx_last_o[Classes*j +: Classes]),
      .src_o(rx_src_o[AddressBits*Classes*j +: AddressBits*Classes]),
      .data_o(rx_data_o[DataBits*Classes*j +: DataBits*Classes])
    );
  end

`ifdef EC_SVA
  for (genvar s = 0; s < Streams; s++) begin : gen_checks
    // What is offered stays until it is taken.
    rx_stays: assert property (@(posedge clk_i) disable iff (rst)
      rx_valid_o[s] && !rx_ready_i[s] |=> rx_valid_o[s] && $stable(rx_last_o[s])
        && $stable(rx_src_o[AddressBits*s +: AddressBits]) && $stable(rx_data_o[DataBits*s +: DataBits]));
    tx_stays: assert property (@(posedge clk_i) disable iff (rst)
      tx_valid_i[s] && !tx_ready_o[s] |=> tx_valid_i[s] && $stable(tx_last_i[s])
        && $stable(tx_dst_i[AddressBits*s +: AddressBits]) && $stable(tx_data_i[DataBits*s +: DataBits]));
  end
`endif
endmodule

`default_nettype wire
