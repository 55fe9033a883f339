// SPDX-License-Identifier: Apache-2.0
// What holds in every state that ecube's own router can reach, and which inputs are legal in a state. A
// function of its registers, the pins and one bit per input VC: a packet has begun to arrive and not ended.
//
// Combinational, so that one step proves it: a state for which it holds, or any state in a reset, leads to a
// state for which it holds. Assumed where mutants of the router are compared with it.
`default_nettype none

module ec_proof_state #(
  parameter int Dims = 1,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Dynamic = 0,
  parameter int Stages = 1,
  parameter int AddressBits = 16,
  parameter int DataBits = 27,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 3 + VcBits + 2 * AddressBits + DataBits,
  localparam int H = 2 + VcBits + 2 * AddressBits,
  localparam int Links = Dims * LinksPerDim,
  localparam int Ports = Links + Locals,
  localparam int Bufs = Ports * Vcs,
  localparam int Pw = $clog2(Ports),
  localparam int Iw = $clog2(DepthMax),
  localparam int Cw = $clog2(DepthMax + 1),
  localparam bit Early = LinksPerDim == 2 || Stages == 3
) (
  // Pins.
  input  wire  [AddressBits-1:0]            coord_i,
  input  wire  [AddressBits*Dims-1:0]       mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0]   radix_i,
  input  wire  [Dims-1:0]                   wrap_i,
  input  wire  [AddressBits-1:0]            nodes_i,
  input  wire                               dateline_i,
  input  wire                               classes_i,
  input  wire                               order_high_i,
  input  wire  [1:0]                        switching_i,
  input  wire  [15:0]                       depth_i,
  input  wire  [15:0]                       need_i,
  // Registers of the input VCs: [entry] in [input VC] in ports.
  input  wire  [Bufs-1:0]                   open_i,
  input  wire  [W*DepthMax*Bufs-1:0]        mem_i,
  input  wire  [(Iw+1)*Bufs-1:0]            wr_i,
  input  wire  [(Iw+1)*Bufs-1:0]            rd_i,
  input  wire  [Cw*Bufs-1:0]                tails_i,
  input  wire  [(Pw+1)*DepthMax*Bufs-1:0]   routes_i,  // where routes are made on arrival
  input  wire  [VcBits*Bufs-1:0]            vc_i,      // of the last word that was popped
  input  wire  [W*Ports-1:0]                stage_i,   // the route stage, with three stages
  // Registers of the output ports.
  input  wire  [Bufs*Ports-1:0]             arbiter_i,
  input  wire  [Cw*Bufs-1:0]                credits_i,
  input  wire  [Bufs*Bufs-1:0]              may_i,     // static allocation
  input  wire  [Bufs-1:0]                   held_i,    // dynamic allocation
  input  wire  [Bufs*Ports-1:0]             grant_i,   // the traversal stage, with two stages or three
  // Inputs.
  input  wire  [W*Ports-1:0]                link_i,
  input  wire  [Bufs-1:0]                   credit_i,
  output logic                              holds_o,
  output logic                              legal_o,
  output logic [Bufs-1:0]                   open_o     // after this cycle
);
  logic [Bufs-1:0] good_in, good_word;
  logic [Bufs-1:0] busy;                   // the packet at the front, or of the last word, holds an output VC
  (* mem2reg *) logic [5:0] to [0:Bufs-1];         // ... of this port
  (* mem2reg *) logic [VcBits-1:0] vc [0:Bufs-1];  // ... and this number
  logic [Bufs-1:0] good_class;
  logic [Ports-1:0] good_stage, good_arbiter, link_good;

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    wire [W-1:0] stage = stage_i[W*p +: W], arrival = link_i[W*p +: W];
    logic stage_legal, link_legal;
    ec_proof_word #(.Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .AddressBits(AddressBits),
      .Port(p)) u_stage (.coord_i, .mask_i, .radix_i, .wrap_i, .nodes_i, .dateline_i, .order_high_i,
      .word_i(stage[W-2 -: H]), .legal_o(stage_legal));
    ec_proof_word #(.Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .AddressBits(AddressBits),
      .Port(p)) u_link (.coord_i, .mask_i, .radix_i, .wrap_i, .nodes_i, .dateline_i, .order_high_i,
      .word_i(arrival[W-2 -: H]), .legal_o(link_legal));
    assign good_stage[p] = Stages < 3 || !stage[W-1] || stage_legal;

    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      localparam int B = p * Vcs + v;
      wire [Iw:0] wr = wr_i[(Iw+1)*B +: Iw+1], rd = rd_i[(Iw+1)*B +: Iw+1];
      wire [Iw:0] used = wr - rd;
      wire staged = Stages == 3 && stage[W-1] && (Vcs == 1 || stage[W-4 -: VcBits] == VcBits'(v));
      wire arrives = arrival[W-1] && (Vcs == 1 || arrival[W-4 -: VcBits] == VcBits'(v));
      wire [15:0] taken = 16'(used) + 16'(staged);

      // Is a packet open behind the last entry?
      wire ends_open = staged ? !stage[W-2] : open_i[B];

      // The entries.
      (* mem2reg *) logic [W-1:0] entry [0:DepthMax-1];
      (* mem2reg *) logic [5:0] port [0:DepthMax-1];
      logic [DepthMax-1:0] full, legal, class_out, same_route, follows, tails, good_entry;
      for (genvar e = 0; e < DepthMax; e++) begin : gen_entry
        wire [Iw-1:0] at = Iw'(e) - rd[Iw-1:0];
        wire [W-1:0] next = mem_i[W*(DepthMax*B + (e + 1) % DepthMax) +: W];
        assign entry[e] = mem_i[W*(DepthMax*B + e) +: W];
        assign full[e] = {1'b0, at} < used;
        assign tails[e] = full[e] && entry[e][W-3];
        ec_proof_word #(.Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs),
          .AddressBits(AddressBits), .Port(p)) u_word (.coord_i, .mask_i, .radix_i, .wrap_i, .nodes_i,
          .dateline_i, .order_high_i, .word_i(entry[e][W-2 -: H]), .legal_o(legal[e]), .port_o(port[e]),
          .class_o(class_out[e]));
        wire mine = Vcs == 1 ? entry[e][W-4 -: VcBits] == '0 : entry[e][W-4 -: VcBits] == VcBits'(v);
        wire good = legal[e] && mine;
        assign same_route[e] = !Early
          || routes_i[(Pw+1)*(DepthMax*B + e) +: Pw+1] == {class_out[e], Pw'(port[e])};
        // An entry that another one comes behind.
        assign follows[e] = !full[e] || {1'b0, at} + 1'b1 == used
          || (next[W-2] == entry[e][W-3] && (entry[e][W-3] || next[W-4-VcBits -: AddressBits]
                                                              == entry[e][W-4-VcBits -: AddressBits]));
        wire last = Iw'(e) == Iw'(wr[Iw-1:0] - 1'b1);
        wire [Iw-1:0] popped = rd[Iw-1:0] - 1'b1;
        logic crosses;
        always_comb begin
          crosses = 1'b0;
          for (int o = 0; o < Ports; o++) crosses = crosses | (Stages > 1 && grant_i[Bufs*o + B]);
        end
        // Of an empty buffer whose packet goes on, the last word is known; so is one in the traversal stage.
        wire known = full[e] || (last && ends_open) || (crosses && Iw'(e) == popped);
        assign good_entry[e] = (!known || (good && same_route[e])) && follows[e];
      end
      // The packet that has begun to leave.
      wire [W-1:0] front = mem_i[W*(DepthMax*B + 32'(rd[Iw-1:0])) +: W];
      wire [W-1:0] back = mem_i[W*(DepthMax*B + 32'(Iw'(wr[Iw-1:0] - 1'b1))) +: W];
      wire [Iw-1:0] now = used != '0 ? rd[Iw-1:0] : Iw'(wr[Iw-1:0] - 1'b1);
      wire [W-1:0] last_word = staged ? stage : back;
      assign busy[B] = used != '0 ? !front[W-2] : ends_open;
      assign to[B] = port[now];
      wire [VcBits-1:0] lane = Vcs == 1 ? '0 : dateline_i ? {(VcBits-1)'(v >> 1), class_out[now]} : VcBits'(v);
      assign vc[B] = Dynamic != 0 ? vc_i[VcBits*B +: VcBits] : lane;
      // Dynamic allocation stays in the class.
      wire same_mc = !classes_i || Vcs == 1 || (32'(vc[B]) >= Vcs / 2) == (v >= Vcs / 2);
      wire same_dl = !dateline_i || vc[B][0] == class_out[now];
      assign good_class[B] = Dynamic == 0 || !busy[B] || (32'(vc[B]) < Vcs && same_mc && same_dl);

      logic [Cw-1:0] count;
      always_comb begin
        count = '0;
        for (int e = 0; e < DepthMax; e++) count = count + Cw'({tails[e]});
      end
      assign good_in[B] = 16'(used) <= depth_i && taken <= depth_i && &good_entry
        && tails_i[Cw*B +: Cw] == (switching_i == 2'd2 ? count : '0)
        && (used == '0 || back[W-3] == !ends_open)
        && !(used == '0 && ends_open && back[W-3])
        && (!staged || open_i[B] == !stage[W-3])
        && (!staged || stage[W-2] || stage[W-4-VcBits -: AddressBits] == back[W-4-VcBits -: AddressBits]);
      assign good_word[B] = !arrives
        || (link_legal && taken < depth_i && arrival[W-2] == !open_i[B]
            && (arrival[W-2] ? depth_i - taken >= need_i
                : arrival[W-4-VcBits -: AddressBits] == last_word[W-4-VcBits -: AddressBits]));
      assign open_o[B] = arrives ? !arrival[W-3] : open_i[B];
    end
    assign link_good[p] = !arrival[W-1] || link_legal;
  end

  // Who holds which output VC.
  logic [Bufs-1:0] good_credits, good_holder, credit_good;
  for (genvar o = 0; o < Bufs; o++) begin : gen_out
    localparam int P = o / Vcs, V = o % Vcs;
    wire [Bufs-1:0] may = may_i[Bufs*o +: Bufs];
    logic [Bufs-1:0] owner;
    always_comb begin
      for (int b = 0; b < Bufs; b++) owner[b] = busy[b] && to[b] == 6'(P) && vc[b] == VcBits'(V);
    end
    assign good_holder[o] = (owner & (owner - 1'b1)) == '0
      && (Dynamic != 0 ? held_i[o] == (owner != '0) : may == (owner == '0 ? '1 : owner));
    wire [Cw-1:0] credits = credits_i[Cw*o +: Cw];
    assign good_credits[o] = 16'(credits) <= depth_i;
    assign credit_good[o] = !credit_i[o] || 16'(credits) < depth_i;
  end
  for (genvar p = 0; p < Ports; p++) begin : gen_arbiter
    wire [Bufs-1:0] above = arbiter_i[Bufs*p +: Bufs];
    wire [Bufs-1:0] below = ~above;
    wire [Bufs-1:0] grant = grant_i[Bufs*p +: Bufs];
    assign good_arbiter[p] = (below & (below + 1'b1)) == '0 && (Stages == 1 || (grant & (grant - 1'b1)) == '0);
  end

  assign holds_o = &good_in && &good_stage && &good_class && &good_holder && &good_credits && &good_arbiter;
  assign legal_o = &good_word && &link_good && &credit_good;
endmodule

`default_nettype wire
