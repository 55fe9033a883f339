// SPDX-License-Identifier: Apache-2.0
// What a router should have been through before its tests are called complete: cover properties, bound
// to ec_router from outside. Only in shapes with coverage, which Verilator compiles.
//
// They see the router's links and a few of its wires. The count of buffered words and of words on their
// way is made here, from the links alone, so that it does not depend on how the router counts.
`default_nettype none

`define EC_COVER(label, condition) label: cover property (@(posedge clk_i) !rst_i && (condition));

module ec_cover #(
  parameter int Dims = 3,
  parameter int LinksPerDim = 1,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Dynamic = 0,
  parameter int Stages = 1,
  parameter int W = 64,
  localparam int Links = Dims * LinksPerDim,
  localparam int Ports = Links + Locals,
  localparam int Bufs = Ports * Vcs,
  localparam int Classes = Vcs < 4 ? Vcs : 4,
  localparam int Slots = Dynamic != 0 ? Vcs + Classes : Vcs,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int Cw = $clog2(DepthMax + 1)
) (
  input wire                clk_i,
  input wire                rst_i,
  // The links.
  input wire [15:0]         depth_i,
  input wire [W*Ports-1:0]  link_i,
  input wire [Bufs-1:0]     credit_i,
  input wire [W*Ports-1:0]  link_o,
  input wire [Bufs-1:0]     credit_o,
  // Mode.
  input wire                dateline_i,
  input wire                classes_i,
  input wire                order_high_i,
  input wire                whole_i,
  input wire [Cw-1:0]       need_i,
  // Inside.
  input wire [Bufs-1:0]     empty_i,
  input wire [Bufs-1:0]     part_i,
  input wire [Ports-1:0]    arriving_i,
  input wire                crossing_i,
  input wire                quiet_i,
  input wire [Bufs-1:0]     contended_i,
  input wire [VcBits-1:0]   vc_i [0:Bufs-1],           // of the front word on its next channel
  input wire [Bufs-1:0]     want_i [0:Ports*Slots-1],
  input wire [Bufs-1:0]     grant_i [0:Ports-1]
);
  /*verilator coverage_off*/
  // Whose front words want output port p, per input port; and who is granted it.
  logic [Bufs-1:0] want_port [0:Ports-1];
  logic [Ports-1:0] asks [0:Ports-1];
  logic [Ports-1:0] moves [0:Ports-1];
  always_comb begin
    for (int p = 0; p < Ports; p++) begin
      want_port[p] = '0;
      for (int s = 0; s < Slots; s++) want_port[p] = want_port[p] | want_i[p*Slots + s];
      for (int i = 0; i < Ports; i++) begin
        asks[p][i] = want_port[p][i*Vcs +: Vcs] != '0;
        moves[p][i] = grant_i[p][i*Vcs +: Vcs] != '0;
      end
    end
  end

  // Words buffered per input VC, and words sent without a credit back per output VC.
  logic [Bufs-1:0] push, sent;
  logic [15:0] held_q [0:Bufs-1];
  logic [15:0] out_q [0:Bufs-1];
  for (genvar b = 0; b < Bufs; b++) begin : gen_count
    wire [W-1:0] in = link_i[W*(b/Vcs) +: W];
    wire [W-1:0] out = link_o[W*(b/Vcs) +: W];
    assign push[b] = in[W-1] && (Vcs == 1 || in[W-4 -: VcBits] == VcBits'(b % Vcs));
    assign sent[b] = out[W-1] && (Vcs == 1 || out[W-4 -: VcBits] == VcBits'(b % Vcs));
    always_ff @(posedge clk_i) begin
      held_q[b] <= held_q[b] + 16'(push[b]) - 16'(credit_o[b]);
      out_q[b] <= out_q[b] + 16'(sent[b]) - 16'(credit_i[b]);
      if (rst_i) begin
        held_q[b] <= '0;
        out_q[b] <= '0;
      end
    end
  end

  // What happens at each port.
  logic [Ports-1:0] full, full_pop, replaced, exhausted, revived, stalled, single, single_q;
  logic [Bufs-1:0] low;  // some credits, but not those that a head needs
  always_comb begin
    full = '0;
    full_pop = '0;
    replaced = '0;
    exhausted = '0;
    revived = '0;
    stalled = '0;
    for (int b = 0; b < Bufs; b++) begin
      if (held_q[b] == depth_i) full[b/Vcs] = 1'b1;
      if (held_q[b] == depth_i && credit_o[b]) full_pop[b/Vcs] = 1'b1;
      if (held_q[b] == 16'd1 && credit_o[b] && push[b]) replaced[b/Vcs] = 1'b1;
      if (out_q[b] == depth_i) exhausted[b/Vcs] = 1'b1;
      if (out_q[b] == depth_i && credit_i[b]) revived[b/Vcs] = 1'b1;
      low[b] = out_q[b] < depth_i && depth_i - out_q[b] < 16'(need_i);
    end
    for (int p = 0; p < Ports; p++) begin
      stalled[p] = exhausted[p] && want_port[p] != '0 && grant_i[p] == '0;
      single[p] = link_o[W*p + W - 1] && link_o[W*p + W - 2] && link_o[W*p + W - 3];
    end
  end
  always_ff @(posedge clk_i) single_q <= rst_i ? '0 : single;

  // Who enters and leaves the dateline class, and is on its way in it.
  logic [Bufs-1:0] crossed, followed, left;
  for (genvar b = 0; b < Bufs; b++) begin : gen_dateline
    assign crossed[b] = dateline_i && credit_o[b] && b % 2 == 0 && vc_i[b][0];
    assign followed[b] = dateline_i && credit_o[b] && b % 2 == 1 && vc_i[b][0];
    assign left[b] = dateline_i && credit_o[b] && b % 2 == 1 && !vc_i[b][0];
  end

  // Per VC, or class of VCs: it is used, and a word waits for it because of another packet.
  logic [Slots-1:0] taken, waited;
  always_comb begin
    taken = '0;
    waited = '0;
    for (int p = 0; p < Ports; p++) begin
      for (int s = 0; s < Slots; s++) begin
        if ((grant_i[p] & want_i[p*Slots + s]) != '0) taken[s] = 1'b1;
        if ((want_i[p*Slots + s] & contended_i) != '0) waited[s] = 1'b1;
      end
    end
  end

  logic [Bufs-1:0] starved, whole_wait;
  assign starved = ~empty_i & ~credit_o & ~contended_i;
  assign whole_wait = ~empty_i & part_i & {Bufs{whole_i}};
  // A word waits, although its output port has credits: only a head does, for all that it needs.
  logic room_wait;
  always_comb begin
    room_wait = 1'b0;
    for (int p = 0; p < Ports; p++) begin
      if ((want_port[p] & starved) != '0 && low[p*Vcs +: Vcs] == '1 && !whole_i) room_wait = 1'b1;
    end
  end
  wire moving = credit_o != '0;
  logic [Ports-1:0] leaving;  // output ports that are granted
  for (genvar p = 0; p < Ports; p++) begin : gen_leaving
    assign leaving[p] = grant_i[p] != '0;
  end
  wire unused = &{1'b0, classes_i, arriving_i, crossing_i, crossed, followed, left, waited, full, full_pop,
                    replaced, revived, stalled, single_q};
  /*verilator coverage_on*/

  // Of each port, in routers of few ports: in wider ones the ports are the same again.
  localparam int Each = Ports <= 8 ? Ports : 0;

  // Turns: what the routing may do. Shapes are told apart by name, because their ports differ.
  for (genvar i = 0; i < Each; i++) begin : gen_from
    for (genvar o = 0; o < Ports; o++) begin : gen_to
      localparam bit FromLink = i < Links, ToLink = o < Links;
      // A link leads on to the other link of its dimension only. A local port of several is that of a
      // link: a packet enters by the port of the first link, and leaves by that of its last one.
      localparam bit Straight = LinksPerDim == 2 && i / 2 == o / 2 && i != o;
      localparam bit Other = i / LinksPerDim != o / LinksPerDim;
      localparam bit Mate = Locals == 1 || i % Links == o % Links;
      localparam bit Legal = FromLink && ToLink ? Other || Straight : FromLink != ToLink && Mate;
      if (Legal && LinksPerDim == 1 && Locals == 1) begin : cube
        `EC_COVER(turn, moves[o][i])
      end else if (Legal && LinksPerDim == 1) begin : cube_ports
        `EC_COVER(turn, moves[o][i])
      end else if (Legal && Locals == 1) begin : grid
        `EC_COVER(turn, moves[o][i])
      end else if (Legal) begin : grid_ports
        `EC_COVER(turn, moves[o][i])
      end
    end
  end

  // Two input ports want the same output port.
  for (genvar i = 0; i < Each; i++) begin : gen_one
    for (genvar k = i + 1; k < Ports; k++) begin : gen_other
      logic [Ports-1:0] both;
      for (genvar o = 0; o < Ports; o++) begin : gen_to
        assign both[o] = asks[o][i] && asks[o][k];
      end
      wire unused_both = &{1'b0, both};
      // Local ports share nothing with each other.
      if (i < Links && LinksPerDim == 1 && Locals == 1) begin : cube
        `EC_COVER(contend, both != '0)
      end else if (i < Links && Locals == 1) begin : grid
        `EC_COVER(contend, both != '0)
      end
    end
  end

  for (genvar p = 0; p < Each; p++) begin : gen_port
    `EC_COVER(buffer_full, full[p])
    `EC_COVER(full_buffer_popped, full_pop[p])
    `EC_COVER(last_word_replaced, replaced[p])
    `EC_COVER(credits_exhausted, exhausted[p])
    `EC_COVER(credit_at_last, revived[p])
    `EC_COVER(one_flit_packets_back_to_back, single[p] && single_q[p])
    if (p < Links) begin : link
      `EC_COVER(stalled_without_credits, stalled[p])
    end else begin : local_port
      `EC_COVER(ejection_stalled, stalled[p])
    end
  end

  if (LinksPerDim == 2 && Vcs > 1) begin : gen_dateline_points
    for (genvar d = 0; d < Dims; d++) begin : gen_dim
      wire [2*Vcs-1:0] here_crossed = crossed[2*d*Vcs +: 2*Vcs];
      wire [2*Vcs-1:0] here_followed = followed[2*d*Vcs +: 2*Vcs];
      wire [2*Vcs-1:0] here_left = left[2*d*Vcs +: 2*Vcs];
      `EC_COVER(dateline_crossed, here_crossed != '0)
      `EC_COVER(behind_the_dateline, here_followed != '0)
      `EC_COVER(dateline_class_left, here_left != '0)
    end
    wire [Locals*Vcs-1:0] entering = crossed[Links*Vcs +: Locals*Vcs];
    `EC_COVER(dateline_crossed_at_once, entering != '0)
  end

  // With dynamic allocation a head asks for a class, and the rest of the packet for a VC.
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    `EC_COVER(used, taken[v])
    if (Dynamic == 0) begin : fixed
      `EC_COVER(waited_for, waited[v])
    end
  end
  for (genvar c = 0; c < Slots - Vcs; c++) begin : gen_class
    // {message class, dateline class}; with two VCs whichever there is. Cubes have no datelines.
    if (LinksPerDim == 2 || c % 2 == 0) begin : served
      `EC_COVER(allocated, taken[Vcs + c])
      `EC_COVER(waited_for, waited[Vcs + c])
    end
  end
  if (Dynamic != 0 && Vcs >= 4) begin : gen_classes
    `EC_COVER(two_message_classes, classes_i && moving)
  end

  if (Stages == 3) begin : gen_route_stage
    `EC_COVER(all_stages_busy, arriving_i != '0 && moving && crossing_i)
    `EC_COVER(word_arrives_while_all_wait, arriving_i != '0 && empty_i != '1 && !moving)
    `EC_COVER(only_the_route_stage_busy, arriving_i != '0 && empty_i == '1 && !crossing_i)
  end
  if (Stages > 1) begin : gen_traversal_stage
    `EC_COVER(only_the_traversal_busy, crossing_i && empty_i == '1 && arriving_i == '0)
    `EC_COVER(traversal_busy_while_all_wait, crossing_i && empty_i != '1 && !moving)
  end

  `EC_COVER(stalled_by_another_packet, contended_i != '0)
  `EC_COVER(stalled_by_credits, starved != '0 && exhausted != '0)
  `EC_COVER(all_inputs_wait, empty_i != '1 && !moving)
  `EC_COVER(all_ports_busy, leaving == '1)
  `EC_COVER(highest_dimension_first, order_high_i && moving)
  `EC_COVER(lowest_dimension_first, !order_high_i && moving)
  `EC_COVER(head_waits_for_room, room_wait)
  `EC_COVER(head_waits_for_its_tail, whole_wait != '0)
  `EC_COVER(quiet, quiet_i)
  `EC_COVER(quiet_but_for_an_arrival, quiet_i && push != '0)
endmodule

bind ec_router ec_cover #(
  .Dims(Dims),
  .LinksPerDim(LinksPerDim),
  .Locals(Locals),
  .Vcs(Vcs),
  .DepthMax(DepthMax),
  .Dynamic(Dynamic),
  .Stages(Stages),
  .W(W)
) u_cover (
  .clk_i,
  .rst_i,
  .depth_i,
  .link_i,
  .credit_i,
  .link_o,
  .credit_o,
  .dateline_i(dateline_q),
  .classes_i(classes_q),
  .order_high_i(order_high_q),
  .whole_i(whole_q),
  .need_i(need_q),
  .empty_i(empty),
  .part_i(part),
  .arriving_i(arriving),
  .crossing_i(crossing),
  .quiet_i(quiet_o),
  .contended_i(contended_o),
  .vc_i(next_vc),
  .want_i(want),
  .grant_i(grant)
);

`default_nettype wire
