// SPDX-License-Identifier: Apache-2.0
// Bounded waiting at one output port, static and dynamic allocation, for any number of cycles: a head that may start
// and keeps asking is granted within Bound cycles, and at most Members * (Bufs - 1) packets take a VC of its class
// before it (section 12.1 of docs/ROUTER-CONTRACT.md allows 64 for each input VC).
//
// Assumed: a credit is back within Back cycles after its word; packets have at most Words words, which follow each
// other without gaps in their input VC; and with more than one VC, packets can follow each other on a VC without a
// gap, depth >= need + Back. (Without that, section 12.1 promises nothing: the pointer moves with every grant, and
// can stay in step with VCs that become free again.)
//
// Why it is so. While a VC of the class is free, the head asks, so the pointer moves towards it and not past it. Who
// takes the VC is before it, and leaves the pointer behind himself when he is done. So each VC changes hands at
// most Bufs - 1 times. Between two words on VCs of the class are at most Back + Bufs cycles.
//
// mask, credits, may and held are registers of the port: tests/formal/cells.sh ties them to it.
`default_nettype none

module waiting_proof #(
  parameter int Bufs = 3,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Dynamic = 0,
  parameter int Words = 2,
  parameter int Back = 2,
  localparam int Members = Dynamic != 0 ? Vcs : 1,  // VCs of a class, at most
  localparam int Gap = Back + Bufs,
  localparam int Bound = (Members * (Bufs * Words - 1) + 1) * Gap,
  localparam int Classes = Vcs < 4 ? Vcs : 4,
  localparam int Slots = Dynamic != 0 ? Vcs + Classes : Vcs,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int Cw = $clog2(DepthMax + 1),
  localparam int Pw = $clog2(Bufs + 1),
  localparam int Tw = $clog2(Bound + 1) + 1
) (
  input wire                  clk_i,
  input wire                  rst_i,
  input wire [Slots*Bufs-1:0] want_i,
  input wire [Bufs-1:0]       ready_i,
  input wire [Bufs-1:0]       tail_i,
  input wire [Vcs-1:0]        credit_i
);
  (* anyconst *) logic [Cw-1:0] depth, need;
  (* anyconst *) logic dateline, classes;
  wire [Bufs-1:0] grant, contended;
  wire [Classes*VcBits-1:0] offer;
  ec_output #(.Bufs(Bufs), .Vcs(Vcs), .DepthMax(DepthMax), .Dynamic(Dynamic != 0)) u_dut (
    .clk_i, .rst_i, .depth_i(depth), .need_i(need), .dateline_i(dateline), .classes_i(classes), .want_i, .ready_i,
    .tail_i, .chosen_i({Bufs{1'b1}}), .credit_i, .req_o(), .grant_o(grant), .contended_o(contended), .offer_o(offer)
  );
  (* keep *) wire [Bufs-1:0] mask;
  (* keep *) wire [Vcs*Cw-1:0] credits;
  (* keep *) wire [Vcs*Bufs-1:0] may;  // static
  (* keep *) wire [Vcs-1:0] held;      // dynamic

  // The head that waits: its input VC, what it asks for, and the VCs that it may take.
  (* anyconst *) logic [Pw-1:0] who;
  (* anyconst *) logic [2:0] asked;  // static: the VC; dynamic: the class
  logic [Vcs-1:0] members;
  always_comb begin
    for (int v = 0; v < Vcs; v++) begin
      if (Dynamic == 0) members[v] = asked == 3'(v);
      else if (Classes == 4)
        members[v] = (!classes || (v >= Vcs / 2) == asked[1]) && (!dateline || (v % 2 == 1) == asked[0]);
      else members[v] = (!classes || (v >= Vcs / 2) == asked[0]) && (!dateline || (v % 2 == 1) == asked[0]);
    end
  end
  logic asks;
  always_comb begin
    asks = 1'b0;
    for (int s = 0; s < Slots; s++) begin
      for (int i = 0; i < Bufs; i++) begin
        if (who == Pw'(i) && s == asked + (Dynamic != 0 ? Vcs : 0)) asks = want_i[s*Bufs + i] && ready_i[i];
      end
    end
    for (int v = 0; v < Vcs; v++) begin
      for (int i = 0; i < Bufs; i++) if (who == Pw'(i) && owner_q[v][i]) asks = 1'b0;  // no head
    end
  end

  // Per VC: its packet, and the words whose credit is not back.
  (* mem2reg *) logic [Bufs-1:0] owner_q [0:Vcs-1];
  (* mem2reg *) logic [Cw-1:0] owed_q [0:Vcs-1];
  (* mem2reg *) logic [7:0] length_q [0:Vcs-1];  // words of the packet that have left
  (* mem2reg *) logic [Back:0] recent_q [0:Vcs-1];  // bit k: a word left k + 1 cycles ago
  (* mem2reg *) logic [Bufs-1:0] sent [0:Vcs-1];
  logic [Vcs-1:0] able;
  logic [Bufs-1:0] owners, seen;
  logic taken;
  always_comb begin
    owners = '0;
    for (int v = 0; v < Vcs; v++) begin
      owners = owners | owner_q[v];
      able[v] = owner_q[v] == '0 && depth - owed_q[v] >= need;
    end
    for (int v = 0; v < Vcs; v++) sent[v] = grant & want_i[v*Bufs +: Bufs];
    if (Dynamic != 0) begin
      for (int c = 0; c < Classes; c++) begin
        taken = 1'b0;
        for (int v = 0; v < Vcs; v++) begin
          // The lowest VC of the class, as bind_proof.sv proves.
          if (!taken && able[v] && (!classes || (v >= Vcs / 2) == (Classes == 4 ? c >= 2 : c == 1))
              && (!dateline || (v % 2 == 1) == (c % 2 == 1))) begin
            taken = 1'b1;
            sent[v] = sent[v] | (grant & want_i[(Vcs + c)*Bufs +: Bufs]);
          end
        end
      end
    end
  end
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    wire [7:0] length = owner_q[v] == '0 ? 8'd1 : length_q[v] + 1'b1;
    logic [Cw:0] late;  // words whose credit may still be out
    always_comb begin
      late = '0;
      for (int k = 0; k < Back; k++) late = late + (Cw + 1)'({recent_q[v][k]});
    end
    always_ff @(posedge clk_i) begin
      owed_q[v] <= owed_q[v] + Cw'({sent[v] != '0}) - Cw'(credit_i[v]);
      recent_q[v] <= {recent_q[v][Back-1:0], sent[v] != '0};
      if (sent[v] != '0) begin
        owner_q[v] <= (sent[v] & tail_i) != '0 ? '0 : sent[v];
        length_q[v] <= length;
      end
      if (rst_i) begin
        owed_q[v] <= '0;
        owner_q[v] <= '0;
        recent_q[v] <= '0;
      end
    end
    always_comb begin
      assume (!credit_i[v] || owed_q[v] != '0 || sent[v] != '0);
      assume ({1'b0, owed_q[v]} <= late);
      if (sent[v] != '0 && length == 8'(Words)) assume ((sent[v] & tail_i) != '0);
      // Words of a packet follow without gaps, and ask for nothing else.
      assume ((owner_q[v] & ~(want_i[v*Bufs +: Bufs] & ready_i)) == '0);
      if (Dynamic != 0) assume ((want_i[v*Bufs +: Bufs] & ~owner_q[v]) == '0);
    end
  end

  // The pointer of the arbiter, as a number; and how many input VCs come before another one.
  logic [Pw-1:0] pointer_q, winner;
  always_comb begin
    winner = '0;
    for (int i = 0; i < Bufs; i++) if (grant[i]) winner = Pw'(i);
  end
  always_ff @(posedge clk_i) begin
    if (grant != '0 && (Vcs > 1 || (grant & tail_i) != '0)) pointer_q <= winner == Pw'(Bufs - 1) ? '0 : winner + 1'b1;
    if (rst_i) pointer_q <= '0;
  end
  function automatic [Pw-1:0] before(input [Pw-1:0] from, input [Pw-1:0] to);
    before = to >= from ? to - from : Pw'(Bufs) - from + to;
  endfunction

  // How long at most, from here: each VC of the class has a number of hand-overs and of words left.
  logic [Tw-1:0] waited_q, quiet_q, passed_q;  // quiet: cycles since a word left on a VC of the class
  logic [Tw-1:0] left, hands;
  logic moved, headed, any_free;
  logic [Pw-1:0] first;  // who asks in any case: the head, or the packet on the lowest VC
  logic [Pw-1:0] owner;
  always_comb begin
    left = '0;
    hands = '0;
    moved = 1'b0;
    headed = 1'b0;
    any_free = 1'b0;
    first = who;
    for (int v = Vcs - 1; v >= 0; v--) begin
      owner = '0;
      for (int i = 0; i < Bufs; i++) if (owner_q[v][i]) owner = Pw'(i);
      if (members[v]) begin
        if (owner_q[v] == '0) begin
          any_free = 1'b1;
          hands = hands + Tw'(before(pointer_q, who));
        end else begin
          first = owner;
          hands = hands + Tw'(before(owner == Pw'(Bufs - 1) ? '0 : owner + 1'b1, who));
          left = left + Tw'(8'(Words) - length_q[v]);
        end
        if (sent[v] != '0) moved = 1'b1;
        if (sent[v] != '0 && owner_q[v] == '0) headed = 1'b1;
      end
    end
    if (any_free) first = who;
  end
  wire granted = (grant >> who) & 1'b1;
  always_ff @(posedge clk_i) begin
    waited_q <= waited_q + 1'b1;
    quiet_q <= moved ? '0 : quiet_q + 1'b1;
    passed_q <= passed_q + Tw'({headed});
    if (rst_i || !asks || granted) begin
      waited_q <= '0;
      quiet_q <= '0;
      passed_q <= '0;
    end
  end

  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) if (rst_i) started_q <= 1'b1;

  always_comb begin
    assume (depth >= 1 && depth <= DepthMax && need >= 1 && need <= depth);
    if (Vcs > 1) assume (32'(depth) >= 32'(need) + Back);
    assume (Vcs >= 4 || !(dateline && classes));
    assume (Dynamic != 0 && Vcs > 1 || !(dateline || classes));
    assume (who < Bufs && asked < (Dynamic != 0 ? Classes : Vcs));
    if (!started_q) assume (rst_i);
    seen = '0;
    for (int s = 0; s < Slots; s++) begin
      assume ((want_i[s*Bufs +: Bufs] & seen) == '0);  // a front flit asks for one thing
      seen = seen | want_i[s*Bufs +: Bufs];
    end
    // A head that asks keeps asking, until it is granted.
    if (waited_q != '0) assume (asks);
    if (started_q) begin
      assert (!asks || granted || 32'(waited_q) < Bound - 1);
      assert (!asks || 32'(passed_q) <= Members * (Bufs - 1));
      // What makes it inductive.
      assert (pointer_q < Bufs);
      assert (mask == ~((Bufs'(1) << pointer_q) - 1'b1) || (pointer_q == '0 && mask == '0));
      for (int v = 0; v < Vcs; v++) begin
        assert ({1'b0, credits[v*Cw +: Cw]} + {1'b0, owed_q[v]} == {1'b0, depth});
        assert ((owner_q[v] & (owner_q[v] - 1'b1)) == '0);
        for (int u = 0; u < v; u++) assert ((owner_q[v] & owner_q[u]) == '0);
        if (Dynamic != 0) assert (held[v] == (owner_q[v] != '0));
        else assert (may[v*Bufs +: Bufs] == (owner_q[v] == '0 ? '1 : owner_q[v]));
        if (owner_q[v] != '0) assert (length_q[v] >= 8'd1 && length_q[v] < 8'(Words));
        // With one VC the pointer waits behind the tail.
        if (Vcs == 1 && asks) assert (quiet_q <= Tw'(Back) || owed_q[v] == '0);
      end
      if (waited_q != '0) begin
        for (int v = 0; v < Vcs; v++) begin
          for (int k = 0; k < Back; k++) if (members[v] && quiet_q > Tw'(k)) assert (!recent_q[v][k]);
        end
        assert (quiet_q <= Tw'(Back) || quiet_q - Tw'(Back) + Tw'(before(pointer_q, first)) <= Tw'(Bufs - 1));
        assert (waited_q + (hands * Tw'(Words) + left + 1'b1) * Tw'(Gap) <= Tw'(Bound) + quiet_q);
        assert (passed_q + hands <= Tw'(Members * (Bufs - 1)));
      end
    end
  end
endmodule

`default_nettype wire
