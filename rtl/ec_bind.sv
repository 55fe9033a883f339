// SPDX-License-Identifier: Apache-2.0
// Dynamic allocation: the VCs of one output port, of which a head takes the lowest free one of its
// class in the cycle of its grant. Body flits ask for it by number.
//
// Classes are numbered {message class, dateline class}, or by the one that is used if there are only
// two VCs. With Adaptive, classes 0 to 3 are the escape VCs, 4 and 5 the adaptive VCs of the message classes;
// a head takes one of these only if it is open. Timing: requests and offers are functions of registers and of the want vectors, which are;
// a change by a grant is visible in the next cycle.
`default_nettype none
`include "ec_check.svh"

module ec_bind #(
  parameter int Bufs = 7,  // input VCs of the router = requesters
  parameter int Vcs = 2,
  parameter int DepthMax = 4,
  parameter bit Adaptive = 1'b0,
  localparam int Classes = Adaptive ? 6 : Vcs < 4 ? Vcs : 4,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int Cw = $clog2(DepthMax + 1),
  localparam int RoomBits = Cw + $clog2(Vcs)
) (
  input  wire                           clk_i,
  input  wire                           rst_i,
  input  wire  [Cw-1:0]                 depth_i,
  input  wire  [Cw-1:0]                 need_i,      // credits without which a head does not move
  input  wire  [Cw-1:0]                 open_need_i, // the same at an adaptive VC
  // Mode: constant after reset.
  input  wire                           dateline_i,  // odd VCs are dateline class 1
  input  wire                           classes_i,   // the upper half of the VCs is message class 1
  // The front flits of all input VCs.
  input  wire  [(Vcs+Classes)*Bufs-1:0] want_i,      // [vc * Bufs + buf], [(Vcs + class) * Bufs + buf]
  input  wire  [Bufs-1:0]               ready_i,
  // The link.
  input  wire  [Vcs-1:0]                credit_i,
  input  wire  [Bufs-1:0]               grant_i,     // one-hot: whose front flit leaves here
  input  wire                           tail_i,      // it is a tail
  output logic [Bufs-1:0]               req_o,       // may leave through this port now
  output logic [Bufs-1:0]               lost_o,      // other packets have all VCs of its class
  output logic [Classes*VcBits-1:0]     offer_o,     // per class, the VC that a head would take now
  // With Adaptive, per message class: an adaptive VC is open; the credits of all of them.
  output logic [1:0]                    open_o,
  output logic [2*RoomBits-1:0]         room_o
);
  logic [Vcs-1:0] held_q;       // by a packet whose tail has not been granted
  logic [Vcs-1:0] able, open;   // free, with the credits that a head needs
  logic [Cw*Vcs-1:0] counts;
  logic [Vcs-1:0] body, taken, used;
  logic [Vcs*Bufs-1:0] req_vc;
  logic [Classes*Bufs-1:0] req_class, lost_class;
  logic [Classes*Vcs-1:0] taken_class;

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [Bufs-1:0] want_v;
    logic [Cw-1:0] credits;

    assign want_v = want_i[v*Bufs +: Bufs];
    assign req_vc[v*Bufs +: Bufs] = want_v & {Bufs{credits != '0}};
    assign able[v] = !held_q[v] && credits >= need_i;
    assign open[v] = !held_q[v] && credits >= open_need_i;
    assign counts[Cw*v +: Cw] = credits;
    assign body[v] = (grant_i & want_v) != '0;

    ec_credits #(
      .DepthMax(DepthMax)
    ) u_credits (
      .clk_i,
      .rst_i,
      .depth_i,
      .credit_i(credit_i[v]),
      .used_i(used[v]),
      .credits_o(credits)
    );

    // Checks.
    always @(posedge clk_i) begin
      if (!rst_i) begin
        `EC_CHECK(want_v == '0 || held_q[v], "a body flit on a VC that is not held")
        `EC_CHECK((want_v & (want_v - 1'b1)) == '0, "an output VC with two holders")
        `EC_CHECK(!(taken[v] && held_q[v]), "a head on a VC that is held")
      end
    end
  end

  for (genvar c = 0; c < Classes; c++) begin : gen_class
    logic [Bufs-1:0] want_c;
    logic [Vcs-1:0] members, able_c, first_c;
    logic [VcBits-1:0] offer;
    for (genvar v = 0; v < Vcs; v++) begin : gen_member
      // With two VCs the only bit of a class is the bit of whichever kind there is.
      localparam bit Upper = Classes >= 4 && c < 4 ? 1'(c >> 1) : 1'(c);
      localparam bit SameHalf = Vcs == 1 || (v >= Vcs / 2) == Upper, SameParity = c >= 4 || v % 2 == c % 2;
      localparam int InHalf = Vcs == 1 ? 0 : v % (Vcs / 2);
      logic escape;  // of the first lane of its message class
      assign escape = (classes_i ? InHalf : v) < (dateline_i ? 2 : 1);
      assign members[v] = (SameHalf || !classes_i) && (SameParity || !dateline_i)
                          && (!Adaptive || escape == (c < 4));
      wire unused = &{1'b0, escape};
    end
    assign want_c = want_i[(Vcs+c)*Bufs +: Bufs];
    assign able_c = (c < 4 ? able : open) & members;
    assign first_c = able_c & (~able_c + 1'b1);  // lowest set bit
    always_comb begin
      offer = '0;
      for (int v = 0; v < Vcs; v++) if (first_c[v]) offer = offer | VcBits'(v);
    end
    assign offer_o[c*VcBits +: VcBits] = offer;
    assign req_class[c*Bufs +: Bufs] = want_c & ready_i & {Bufs{able_c != '0}};
    assign lost_class[c*Bufs +: Bufs] = want_c & {Bufs{(members & ~held_q) == '0}};
    assign taken_class[c*Vcs +: Vcs] = first_c & {Vcs{(grant_i & want_c) != '0}};
    if (c >= 4) begin : gen_room
      logic [RoomBits-1:0] room;
      always_comb begin
        room = '0;
        for (int v = 0; v < Vcs; v++) if (members[v]) room = room + RoomBits'(counts[Cw*v +: Cw]);
      end
      assign open_o[c-4] = able_c != '0;
      assign room_o[RoomBits*(c-4) +: RoomBits] = room;
    end
  end
  if (!Adaptive) begin : gen_no_room
    assign open_o = '0;
    assign room_o = '0;
    wire unused = &{1'b0, open, counts, open_need_i};
  end

  always_comb begin
    req_o = '0;
    lost_o = '0;
    for (int v = 0; v < Vcs; v++) req_o = req_o | req_vc[v*Bufs +: Bufs];
    for (int c = 0; c < Classes; c++) begin
      req_o = req_o | req_class[c*Bufs +: Bufs];
      lost_o = lost_o | lost_class[c*Bufs +: Bufs];
    end
  end
  // On its own: it follows the grants, and these follow the requests.
  always_comb begin
    taken = '0;
    for (int c = 0; c < Classes; c++) taken = taken | taken_class[c*Vcs +: Vcs];
  end

  assign used = body | taken;
  always_ff @(posedge clk_i) begin
    held_q <= (held_q & ~used) | (used & {Vcs{!tail_i}});
    if (rst_i) held_q <= '0;
  end

  // Checks.
  always @(posedge clk_i) begin
    if (!rst_i) begin
      `EC_CHECK((used & (used - 1'b1)) == '0 && (used != '0) == (grant_i != '0),
                "a granted flit that has not one output VC")
    end
  end
endmodule

`default_nettype wire
