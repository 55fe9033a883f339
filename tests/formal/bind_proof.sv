// SPDX-License-Identifier: Apache-2.0
// Proof obligations of ec_output with dynamic allocation, for any number of cycles and any requests:
// credits are conserved, no word leaves without one, a head takes the lowest free VC of its class that
// has `need` credits, it is contended iff none of its class is free or another flit wins (or is chosen before it),
// and only the packet that took a VC uses it until its tail.
//
// credits and held are registers of the port: tests/formal/cells.sh ties them to it.
`default_nettype none

module bind_proof #(
  parameter int Bufs = 4,
  parameter int Vcs = 4,
  parameter int DepthMax = 4,
  localparam int Classes = Vcs < 4 ? Vcs : 4,
  localparam int Slots = Vcs + Classes,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int Cw = $clog2(DepthMax + 1)
) (
  input wire                  clk_i,
  input wire                  rst_i,
  input wire [Slots*Bufs-1:0] want_i,
  input wire [Bufs-1:0]       ready_i,
  input wire [Bufs-1:0]       tail_i,
  input wire [Bufs-1:0]       chosen_i,
  input wire [Vcs-1:0]        credit_i
);
  (* anyconst *) logic [Cw-1:0] depth, need;
  (* anyconst *) logic dateline, classes;
  wire [Bufs-1:0] grant, contended;
  wire [Classes*VcBits-1:0] offer;
  ec_output #(.Bufs(Bufs), .Vcs(Vcs), .DepthMax(DepthMax), .Dynamic(1'b1)) u_dut (
    .clk_i, .rst_i, .depth_i(depth), .need_i(need), .dateline_i(dateline), .classes_i(classes), .want_i,
    .ready_i, .tail_i, .chosen_i, .credit_i, .req_o(), .grant_o(grant), .contended_o(contended), .offer_o(offer)
  );
  (* keep *) wire [Vcs*Cw-1:0] credits;
  (* keep *) wire [Vcs-1:0] held;

  // V = (mc * N + lane) * D + dl: the message class is V / (N * D), half of the VCs each, and the dateline
  // class V mod D. (Both written without a division, which would be a circuit here.)
  function automatic bit member(input int v, input int c);
    bit mc, dl;
    begin
      mc = Classes == 4 ? c >= 2 : classes && c == 1;
      dl = Classes == 4 ? c % 2 == 1 : dateline && c == 1;
      member = (!classes || (v >= Vcs / 2) == mc) && (!dateline || (v % 2 == 1) == dl);
    end
  endfunction

  // The specification, per VC: places taken at the other side, and who has the VC.
  (* mem2reg *) logic [Cw-1:0] owed_q [0:Vcs-1];
  (* mem2reg *) logic [Bufs-1:0] owner_q [0:Vcs-1];
  (* mem2reg *) logic [Bufs-1:0] sent [0:Vcs-1];
  logic [Vcs-1:0] able;
  logic [Classes-1:0] found, free;
  (* mem2reg *) logic [VcBits-1:0] lowest [0:Classes-1];
  logic [Bufs-1:0] seen, owners;

  always_comb begin
    for (int v = 0; v < Vcs; v++) begin
      able[v] = owner_q[v] == '0 && depth - owed_q[v] >= need;
      sent[v] = grant & want_i[v*Bufs +: Bufs];
    end
    for (int c = 0; c < Classes; c++) begin
      found[c] = 1'b0;
      free[c] = 1'b0;
      lowest[c] = '0;
      for (int v = Vcs - 1; v >= 0; v--) begin
        if (member(v, c) && owner_q[v] == '0) free[c] = 1'b1;
        if (member(v, c) && able[v]) begin
          found[c] = 1'b1;
          lowest[c] = VcBits'(v);
        end
      end
      for (int v = 0; v < Vcs; v++)
        if (found[c] && lowest[c] == VcBits'(v))
          sent[v] = sent[v] | (grant & want_i[(Vcs+c)*Bufs +: Bufs]);
    end
  end
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    always_ff @(posedge clk_i) begin
      owed_q[v] <= owed_q[v] + Cw'({sent[v] != '0}) - Cw'(credit_i[v]);
      if (sent[v] != '0) owner_q[v] <= (sent[v] & tail_i) != '0 ? '0 : sent[v];
      if (rst_i) begin
        owed_q[v] <= '0;
        owner_q[v] <= '0;
      end
    end
  end

  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) if (rst_i) started_q <= 1'b1;

  always_comb begin
    assume (depth >= 1 && depth <= DepthMax && need >= 1 && need <= depth);
    assume (Vcs >= 4 || !(dateline && classes));  // a class has a VC at least
    assume (Vcs > 1 || !(dateline || classes));
    if (!started_q) assume (rst_i);
    seen = '0;
    owners = '0;
    for (int s = 0; s < Slots; s++) begin
      assume ((want_i[s*Bufs +: Bufs] & seen) == '0);  // a front flit asks for one thing
      seen = seen | want_i[s*Bufs +: Bufs];
    end
    for (int v = 0; v < Vcs; v++) begin
      // Body flits ask for the VC of their packet; a credit comes only for a word that was sent.
      assume ((want_i[v*Bufs +: Bufs] & ~owner_q[v]) == '0);
      if (owed_q[v] == '0) assume (!credit_i[v]);
      owners = owners | owner_q[v];
    end
    for (int c = 0; c < Classes; c++) assume ((want_i[(Vcs+c)*Bufs +: Bufs] & owners) == '0);
    if (started_q) begin
      assert ((grant & ~(seen & chosen_i)) == '0);
      assert ((grant & (grant - 1'b1)) == '0);
      assert ((contended & ~seen) == '0);
      for (int v = 0; v < Vcs; v++) begin
        assert ({1'b0, credits[v*Cw +: Cw]} + {1'b0, owed_q[v]} == {1'b0, depth});
        assert (held[v] == (owner_q[v] != '0));
        assert ((owner_q[v] & (owner_q[v] - 1'b1)) == '0);
        for (int u = 0; u < v; u++) assert ((owner_q[v] & owner_q[u]) == '0);
        if (sent[v] != '0) assert (owed_q[v] < depth);
      end
      for (int c = 0; c < Classes; c++) begin
        if ((grant & want_i[(Vcs+c)*Bufs +: Bufs]) != '0) assert (found[c] && (grant & ~ready_i) == '0);
        if (found[c]) assert (offer[c*VcBits +: VcBits] == lowest[c]);
        if (!free[c]) assert ((want_i[(Vcs+c)*Bufs +: Bufs] & ~contended) == '0);
        if (free[c] && grant == '0) assert ((want_i[(Vcs+c)*Bufs +: Bufs] & contended & chosen_i) == '0);
        if (found[c] && grant == '0) assert ((want_i[(Vcs+c)*Bufs +: Bufs] & ready_i & chosen_i) == '0);
      end
    end
  end
endmodule

`default_nettype wire
