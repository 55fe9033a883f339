// SPDX-License-Identifier: Apache-2.0
// The router: input VCs, output ports, a crossbar. docs/ROUTER-CONTRACT.md is its specification; the
// section numbers below are those of the contract.
//
// Moore rule: every output is a function of registers only, so routers may be evaluated in any order.
// Ports: links first (dimension-major, + before -), then local ports. Input VC = port * Vcs + vc.
// EC_TABLE: the router has a routing table and the port that writes it (section 5.4).
// Fixed: the pins are constants; they are used as they are, without registers.
// Stages: one; or grants are registered before the crossbar; or words are registered before the route, too.
`default_nettype none
`include "ec_check.svh"

module ec_router #(
  parameter int Dims = 3,         // dimensions, 1..20
  parameter int LinksPerDim = 1,  // 2, or 1 in the cube shape
  parameter int Locals = 1,       // local ports: 1, or one per link
  parameter int Vcs = 1,          // virtual channels per link: 1, 2, 4 or 8
  parameter int DepthMax = 4,     // words of an input buffer, a power of two
  parameter int Dynamic = 0,      // 1: a head takes any free VC of its class; 2: of several links, too (adaptive)
  parameter int Stages = 1,       // pipeline stages: 1..3
  parameter int AddressBits = 16, // bits of a packed address: 1..20
  parameter int DataBits = 61 - (Vcs == 8 ? 3 : 2) - 2 * AddressBits,  // payload: words of 64 bits
  parameter int Fixed = 0,        // 1: the pins are constants
  parameter int Speedup = 0,      // 1: a port has one crossbar input; 0: each of its VCs has one
  parameter int Paths = 0,        // 1: message class 1 has the other order; 2: class 0 leads to a node on the way
`ifdef EC_TABLE
  parameter int Table = AddressBits < 6 ? 2 ** AddressBits : 64,  // entries of the routing table: 16, 32 ..
`endif
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 3 + VcBits + 2 * AddressBits + DataBits,
  localparam int Links = Dims * LinksPerDim,
  localparam int Ports = Links + Locals,
  localparam int Bufs = Ports * Vcs,
  localparam int Pw = $clog2(Ports)
) (
  input  wire                             clk_i,
  input  wire                             rst_i,
  // Pins, sampled while rst_i is high (section 3).
  input  wire  [AddressBits-1:0]          coord_i,
  input  wire  [AddressBits*Dims-1:0]     mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0] radix_i,
  input  wire  [Dims-1:0]                 wrap_i,
  input  wire                             dateline_i,
  input  wire                             classes_i,  // read with Dynamic only
  input  wire                             balanced_i,
  input  wire                             order_high_i,
  input  wire  [1:0]                      switching_i,
  input  wire  [15:0]                     depth_i,
  input  wire  [15:0]                     packet_i,
`ifdef EC_TABLE
  // Rows of the routing table, written while rst_i is high (section 5.4).
  input  wire                             table_write_i,
  input  wire  [AddressBits-1:0]          table_row_i,
  input  wire  [63:0]                     table_entries_i,
`endif
  // Links and local ports (section 4).
  input  wire  [W*Ports-1:0]              link_i /*verilator split_var*/,
  input  wire  [Bufs-1:0]                 credit_i,
  output logic [W*Ports-1:0]              link_o /*verilator split_var*/,
  output logic [Bufs-1:0]                 credit_o,
  // Taps (section 8).
  output logic [Bufs-1:0]                 contended_o,
  output logic [Bufs-1:0]                 starved_o,
  output logic [8*Bufs-1:0]               want_o /*verilator split_var*/,
  output logic                            quiet_o
);
  localparam int Cw = $clog2(DepthMax + 1);
  // What a front flit can ask for at a port: one of its VCs, or with Dynamic also any VC of a class.
  localparam bit Binds = Dynamic != 0;
  localparam bit Adapts = Dynamic == 2;
  localparam int Classes = Adapts ? 6 : Vcs < 4 ? Vcs : 4;
  localparam int Slots = Binds ? Vcs + Classes : Vcs;
  localparam int Sw = Adapts ? $clog2(Slots) : Binds ? VcBits + 1 : VcBits;
  localparam int Stride = Adapts ? 2 ** Sw : Slots;  // a shift, not a product
  localparam int RoomBits = Cw + $clog2(Vcs);
  localparam int Ow = $clog2(Ports * Stride);
  localparam int VcShift = W - 3 - VcBits;
  localparam logic [W-1:0] VcField = {3'b000, {VcBits{1'b1}}, {VcShift{1'b0}}};
`ifdef EC_TABLE
  localparam bit Listed = 1'b1;  // routes come from a table
`else
  localparam bit Listed = 1'b0;
`endif
  // Where the route is made: on arrival, unless it is short (ec_input.sv).
  localparam bit Early = LinksPerDim == 2 || Stages == 3;

  if (Dims < 1 || Dims > 20) begin : gen_bad_dims
    ec_error_dims_must_be_1_to_20 u_error ();
  end
  if (LinksPerDim != 1 && LinksPerDim != 2) begin : gen_bad_links
    ec_error_links_per_dim_must_be_1_or_2 u_error ();
  end
  if (Locals != 1 && Locals != Links && !Listed) begin : gen_bad_locals
    ec_error_locals_must_be_1_or_one_per_link u_error ();
  end
  if (Vcs != 1 && Vcs != 2 && Vcs != 4 && Vcs != 8) begin : gen_bad_vcs
    ec_error_vcs_must_be_1_2_4_or_8 u_error ();
  end
  if (DepthMax < 2 || DepthMax > 1024) begin : gen_bad_depth
    ec_error_depth_max_must_be_2_to_1024 u_error ();
  end
  if (Dynamic < 0 || Dynamic > 2) begin : gen_bad_dynamic
    ec_error_dynamic_must_be_0_to_2 u_error ();
  end
  if (Adapts && (Vcs < 2 || Locals != 1 || Listed)) begin : gen_bad_adaptive
    ec_error_dynamic_2_needs_2_vcs_one_local_port_and_no_table u_error ();
  end
  if (Stages < 1 || Stages > 3) begin : gen_bad_stages
    ec_error_stages_must_be_1_to_3 u_error ();
  end
  if (AddressBits < 1 || AddressBits > 20) begin : gen_bad_address_bits
    ec_error_address_bits_must_be_1_to_20 u_error ();
  end
  if (LinksPerDim == 1 && Dims > AddressBits && !Listed) begin : gen_bad_cube
    ec_error_a_cube_needs_an_address_bit_per_dimension u_error ();
  end
  if (Fixed != 0 && Fixed != 1) begin : gen_bad_fixed
    ec_error_fixed_must_be_0_or_1 u_error ();
  end
  if (Paths < 0 || Paths > 2 || (Paths != 0 && (Vcs == 1 || Listed || Adapts))) begin : gen_bad_paths
    ec_error_paths_must_be_0_to_2_and_0_with_one_vc_a_table_or_adaptive u_error ();
  end
  if (Speedup != 0 && Speedup != 1) begin : gen_bad_speedup
    ec_error_speedup_must_be_0_or_1 u_error ();
  end
  if (DataBits < 1) begin : gen_bad_data_bits
    ec_error_data_bits_must_be_1_or_more u_error ();
  end

  // Place and mode: registered at reset, so that they are constants of the state, not inputs.
  logic [AddressBits-1:0] coord_q;
  logic [AddressBits*Dims-1:0] mask_q;
  logic [AddressBits*Dims-1:0] far_q;
  logic [Dims-1:0] wrap_q, at_first, at_last, first_q, last_q, turn_q;
  logic dateline_q, classes_q, order_high_q, whole_q;
  logic [Cw-1:0] need_q;
  // {turn, far} of a dimension: its plus link leads to the coordinates above the own one up to far; with
  // turn to all above and, round the ring, from 0 to far. Without a ring these are all above. In radix 2,
  // where only there the mask is half of the radix, it is the other one. With shy far is nearer than half of
  // the ring.
  function automatic [AddressBits:0] reach(
    input [AddressBits-1:0] coord,
    input [AddressBits-1:0] mask,
    input [AddressBits:0] radix,
    input wrap,
    input shy
  );
    logic [AddressBits:0] unit, ahead;
    unit = {1'b0, mask & (~mask + 1'b1)};
    ahead = {1'b0, coord & mask} + ((shy ? radix - unit : radix) >> 1 & {1'b0, mask});
    if (!wrap) reach = {radix == {mask, 1'b0}, mask};
    else if (ahead >= radix) reach = {1'b1, AddressBits'(ahead - radix)};
    else reach = {1'b0, AddressBits'(ahead)};
  endfunction
  for (genvar d = 0; d < Dims; d++) begin : gen_dim
    logic [AddressBits-1:0] mask, here;
    logic [AddressBits:0] unit;
    logic shy;  // ties: at odd coordinates the minus link, if they are balanced
    assign mask = mask_i[AddressBits*d +: AddressBits];
    assign here = coord_i & mask;
    assign unit = {1'b0, mask & (~mask + 1'b1)};
    assign shy = balanced_i && (here & unit[AddressBits-1:0]) != '0;
    assign at_first[d] = here == '0;
    assign at_last[d] = {1'b0, here} + unit == radix_i[(AddressBits+1)*d +: AddressBits+1];
    // (Not as a wire where it is sampled: the compiled model would make it in every cycle.)
    if (Fixed != 0) begin : gen_fixed
      assign {turn_q[d], far_q[AddressBits*d +: AddressBits]} =
        reach(coord_i, mask, radix_i[(AddressBits+1)*d +: AddressBits+1], wrap_i[d], shy);
    end else begin : gen_sampled
      always_ff @(posedge clk_i) begin
        if (rst_i) begin
          {turn_q[d], far_q[AddressBits*d +: AddressBits]} <=
            reach(coord_i, mask, radix_i[(AddressBits+1)*d +: AddressBits+1], wrap_i[d], shy);
        end
      end
    end
  end
  if (Fixed != 0) begin : gen_fixed
    assign coord_q = coord_i;
    assign mask_q = mask_i;
    assign wrap_q = wrap_i;
    assign first_q = at_first;
    assign last_q = at_last;
    assign dateline_q = dateline_i;
    assign classes_q = classes_i;
    assign order_high_q = order_high_i;
    assign whole_q = switching_i == 2'd2;
    assign need_q = switching_i == 2'd0 ? Cw'(1) : packet_i[Cw-1:0];
  end else begin : gen_sampled
    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        coord_q <= coord_i;
        mask_q <= mask_i;
        wrap_q <= wrap_i;
        first_q <= at_first;
        last_q <= at_last;
        dateline_q <= dateline_i;
        classes_q <= classes_i;
        order_high_q <= order_high_i;
        whole_q <= switching_i == 2'd2;
        need_q <= switching_i == 2'd0 ? Cw'(1) : packet_i[Cw-1:0];
      end
    end
  end

  // Credits without which an adaptive VC is not open: in wormhole all, so that its buffer has one packet only.
  logic [Cw-1:0] open_need_q;
  if (!Adapts) begin : gen_prescribed
    assign open_need_q = '0;
  end else if (Fixed != 0) begin : gen_open_fixed
    assign open_need_q = switching_i == 2'd0 ? depth_i[Cw-1:0] : packet_i[Cw-1:0];
  end else begin : gen_open
    always_ff @(posedge clk_i) if (rst_i) open_need_q <= switching_i == 2'd0 ? depth_i[Cw-1:0] : packet_i[Cw-1:0];
  end

  // Input VCs.
  // (Arrays here are wires by number, not memories: mem2reg says so to Yosys.)
  logic [Ports-1:0] arriving;  // in the route stage
  logic [Bufs-1:0] empty, tail, part, ready, pop;
  (* mem2reg *) logic [W-1:0] word [0:Bufs-1];
  (* mem2reg *) logic [VcBits-1:0] next_vc [0:Bufs-1];  // the VC of word on its next channel
  (* mem2reg *) logic [Ow-1:0] ask [0:Bufs-1];  // what the front flit asks for: port * Stride + slot
  (* mem2reg *) logic [Classes*VcBits-1:0] offer [0:Ports-1];
  logic [2*Ports-1:0] open;           // [message class * Ports + port], with Adapts
  logic [2*RoomBits*Ports-1:0] room;  // the same
  logic [AddressBits*Ports-1:0] arriving_dst;
  logic [(Pw+1)*Ports-1:0] way;  // by the table
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [Vcs-1:0] push;
    logic [W-1:0] arrival;
    ec_arrival #(
      .Vcs(Vcs),
      .Stages(Stages),
      .AddressBits(AddressBits),
      .DataBits(DataBits)
    ) u_arrival (
      .clk_i,
      .rst_i,
      .link_i(link_i[W*p +: W]),
      .push_o(push),
      .word_o(arrival),
      .busy_o(arriving[p])
    );
    assign arriving_dst[AddressBits*p +: AddressBits] = arrival[VcShift-AddressBits +: AddressBits];
    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      localparam int Buf = p * Vcs + v;
      logic [Pw-1:0] ask_port;
      logic [Sw-1:0] ask_slot;
      logic [2:0] ask_class;
      logic [Ports-1:0] open_here;
      logic [RoomBits*Ports-1:0] room_here;
      // Of its message class.
      assign open_here = classes_q && v >= Vcs / 2 ? open[2*Ports-1:Ports] : open[Ports-1:0];
      assign room_here = classes_q && v >= Vcs / 2 ? room[2*RoomBits*Ports-1:RoomBits*Ports]
                                                   : room[RoomBits*Ports-1:0];
      ec_input #(
        .Dims(Dims),
        .LinksPerDim(LinksPerDim),
        .Locals(Locals),
        .Vcs(Vcs),
        .DepthMax(DepthMax),
        .Dynamic(Binds),
        .Adaptive(Adapts),
        .Stages(Stages),
        .Early(Early),
        .Paths(Paths),
        .AddressBits(AddressBits),
        .DataBits(DataBits),
        .InPort(p),
        .InVc(v)
      ) u_input (
        .clk_i,
        .rst_i,
        .coord_i(coord_q),
        .mask_i(mask_q),
        .far_i(far_q),
        .turn_i(turn_q),
        .wrap_i(wrap_q),
        .first_i(first_q),
        .last_i(last_q),
        .order_high_i(order_high_q),
        .dateline_i(dateline_q),
        .classes_i(classes_q),
        .whole_i(whole_q),
        .push_i(push[v]),
        .word_i(arrival),
        .way_i(way[(Pw+1)*p +: Pw+1]),
        .pop_i(pop[Buf]),
        .offer_i(offer[ask_port][ask_class*VcBits +: VcBits]),
        .open_i(open_here),
        .room_i(room_here),
        .word_o(word[Buf]),
        .vc_o(next_vc[Buf]),
        .empty_o(empty[Buf]),
        .tail_o(tail[Buf]),
        .part_o(part[Buf]),
        .port_o(ask_port),
        .slot_o(ask_slot),
        .class_o(ask_class)
      );
      assign want_o[8*Buf +: 8] = empty[Buf] ? 8'd0 : 8'(ask_port);
      assign ask[Buf] = Ow'(ask_port) * Ow'(Stride) + Ow'(ask_slot);
      wire unused_bits = &{1'b0, ask_slot, next_vc[Buf]};  // high bits, where there are fewer VCs
    end
  end

`ifdef EC_TABLE
  ec_table #(
    .Entries(Table),
    .Ports(Ports),
    .AddressBits(AddressBits)
  ) u_table (
    .clk_i,
    .rst_i,
    .write_i(table_write_i),
    .row_i(table_row_i),
    .entries_i(table_entries_i),
    .dst_i(arriving_dst),
    .way_o(way)
  );
`else
  assign way = '0;
`endif

  // In store-and-forward a packet leaves only when it is here in full.
  always_comb begin
    ready = '1;
    if (whole_q) ready = ~part;
  end

  // Who wants what: want[port * Stride + slot], one bit per input VC.
  (* mem2reg *) logic [Bufs-1:0] want [0:Ports*Stride-1];
  always_comb begin
    for (int o = 0; o < Ports * Stride; o++) want[o] = '0;
    for (int i = 0; i < Bufs; i++) begin
      if (!empty[i]) want[ask[i]] = want[ask[i]] | (Bufs'(1) << i);
    end
  end

  // Whose turn it is at the crossbar inputs. Where a port has one, of its VCs that may leave one is chosen,
  // round robin, and competes for its output.
  (* mem2reg *) logic [Bufs-1:0] req [0:Ports-1];
  logic [Bufs-1:0] chosen;
  if (Speedup == 1 && Vcs > 1) begin : gen_single
    logic [Bufs-1:0] able;  // requests some output
    for (genvar i = 0; i < Bufs; i++) begin : gen_able
      logic [Ports-1:0] at;
      for (genvar p = 0; p < Ports; p++) begin : gen_at
        assign at[p] = req[p][i];
      end
      assign able[i] = at != '0;
    end
    for (genvar p = 0; p < Ports; p++) begin : gen_turn
      ec_arbiter #(
        .N(Vcs)
      ) u_turn (
        .clk_i,
        .rst_i,
        .req_i(able[p*Vcs +: Vcs]),
        .move_i(pop[p*Vcs +: Vcs] != '0),
        .grant_o(chosen[p*Vcs +: Vcs])
      );
    end
  end else begin : gen_each
    assign chosen = '1;
    for (genvar p = 0; p < Ports; p++) begin : gen_all
      wire unused = &{1'b0, req[p]};
    end
  end

  // Output ports.
  (* mem2reg *) logic [W-1:0] leaving [0:Ports-1];
  (* mem2reg *) logic [Bufs-1:0] grant [0:Ports-1];
  (* mem2reg *) logic [Bufs-1:0] contended [0:Ports-1];
  for (genvar p = 0; p < Ports; p++) begin : gen_output
    logic [Slots*Bufs-1:0] want_p;
    logic [1:0] open_p;
    logic [2*RoomBits-1:0] room_p;
    assign {open[Ports + p], open[p]} = open_p;
    assign {room[RoomBits*(Ports + p) +: RoomBits], room[RoomBits*p +: RoomBits]} = room_p;
    for (genvar s = 0; s < Slots; s++) begin : gen_want
      assign want_p[s*Bufs +: Bufs] = want[p*Stride + s];
    end
    ec_output #(
      .Bufs(Bufs),
      .Vcs(Vcs),
      .DepthMax(DepthMax),
      .Dynamic(Binds),
      .Adaptive(Adapts)
    ) u_output (
      .clk_i,
      .rst_i,
      .depth_i(depth_i[Cw-1:0]),
      .need_i(need_q),
      .open_need_i(open_need_q),
      .dateline_i(dateline_q),
      .classes_i(classes_q),
      .want_i(want_p),
      .ready_i(ready),
      .tail_i(tail),
      .chosen_i(chosen),
      .credit_i(credit_i[p*Vcs +: Vcs]),
      .req_o(req[p]),
      .grant_o(grant[p]),
      .contended_o(contended[p]),
      .offer_o(offer[p]),
      .open_o(open_p),
      .room_o(room_p)
    );

    assign link_o[W*p +: W] = leaving[p];
  end

  // The words that leave have the VC of their next channel. With one VC the field is not touched.
  (* mem2reg *) logic [W-1:0] leaver [0:Bufs-1];
  for (genvar i = 0; i < Bufs; i++) begin : gen_leaver
    assign leaver[i] = Vcs == 1 ? word[i] : (word[i] & ~VcField) | (W'(next_vc[i]) << VcShift);
  end

  // The crossbar. In one stage from the side of the input VCs: each puts its word where it was granted.
  // (This is fast in the compiled model, and small.)
  logic crossing;  // a word is in the traversal stage
  if (Stages == 1) begin : gen_crossbar
    (* mem2reg *) logic [Pw-1:0] to [0:Bufs-1];
    for (genvar i = 0; i < Bufs; i++) begin : gen_to
      assign to[i] = gen_port[i/Vcs].gen_vc[i%Vcs].ask_port;
    end
    always_comb begin
      for (int p = 0; p < Ports; p++) leaving[p] = '0;
      for (int i = 0; i < Bufs; i++) begin
        if (pop[i]) leaving[to[i]] = leaver[i];
      end
    end
    assign crossing = 1'b0;
  end else begin : gen_traversal
    // In a stage of its own: the grants are registered, and choose from the words popped in the cycle before.
    logic [Ports-1:0] busy;
    for (genvar p = 0; p < Ports; p++) begin : gen_register
      logic [Bufs-1:0] grant_q;
      always_ff @(posedge clk_i) grant_q <= rst_i ? '0 : grant[p];
      assign busy[p] = grant_q != '0;
      always_comb begin
        leaving[p] = '0;
        for (int i = 0; i < Bufs; i++) leaving[p] = leaving[p] | (leaver[i] & {W{grant_q[i]}});
      end
    end
    assign crossing = busy != '0;
  end

  always_comb begin
    pop = '0;
    contended_o = '0;
    for (int p = 0; p < Ports; p++) begin
      pop = pop | grant[p];
      contended_o = contended_o | contended[p];
    end
    contended_o = contended_o & ~pop;
  end

  assign credit_o = pop;  // a credit leaves in the cycle of the pop (ec_input.sv says why it may)
  assign starved_o = ~empty & ~pop & ~contended_o;
  assign quiet_o = &empty && arriving == '0 && !crossing;

  wire unused = &{1'b0, depth_i, packet_i, arriving_dst};
endmodule

`default_nettype wire
