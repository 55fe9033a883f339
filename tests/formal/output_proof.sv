// SPDX-License-Identifier: Apache-2.0
// Proof obligations of ec_output, for any number of cycles and any requests: credits are conserved (those
// in hand and those owed by the other side make the depth), no word leaves without one, a head leaves
// only with `need`, a held output VC serves its holder only, and its holder did send a head. Also if crossbar inputs are
// not free for all (chosen).
//
// credits and may (the requesters that may use a VC: its holder, or all) are registers of the port:
// tests/formal/cells.sh ties them to it.
`default_nettype none

module output_proof #(
  parameter int Bufs = 4,
  parameter int Vcs = 2,
  parameter int DepthMax = 4,
  localparam int Cw = $clog2(DepthMax + 1)
) (
  input wire                 clk_i,
  input wire                 rst_i,
  input wire [Vcs*Bufs-1:0]  want_i,
  input wire [Bufs-1:0]      ready_i,
  input wire [Bufs-1:0]      tail_i,
  input wire [Bufs-1:0]      chosen_i,
  input wire [Vcs-1:0]       credit_i
);
  (* anyconst *) logic [Cw-1:0] depth, need;
  wire [Bufs-1:0] grant, contended;
  ec_output #(.Bufs(Bufs), .Vcs(Vcs), .DepthMax(DepthMax)) u_dut (
    .clk_i, .rst_i, .depth_i(depth), .need_i(need), .dateline_i(1'b0), .classes_i(1'b0), .want_i, .ready_i, .tail_i, .chosen_i,
    .credit_i, .req_o(),
    .grant_o(grant), .contended_o(contended), .offer_o()
  );
  (* keep *) wire [Vcs*Cw-1:0] credits;
  (* keep *) wire [Vcs*Bufs-1:0] may;

  // The specification, per VC: places taken at the other side, and who has the VC.
  (* mem2reg *) logic [Cw-1:0] owed_q [0:Vcs-1];
  (* mem2reg *) logic [Bufs-1:0] owner_q [0:Vcs-1];
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    wire [Bufs-1:0] sent = grant & want_i[v*Bufs +: Bufs];
    always_ff @(posedge clk_i) begin
      owed_q[v] <= owed_q[v] + Cw'({sent != '0}) - Cw'(credit_i[v]);
      if (sent != '0) owner_q[v] <= (sent & tail_i) != '0 ? '0 : sent;
      if (rst_i) begin
        owed_q[v] <= '0;
        owner_q[v] <= '0;
      end
    end
  end

  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) if (rst_i) started_q <= 1'b1;

  logic [Bufs-1:0] seen;
  always_comb begin
    assume (depth >= 1 && depth <= DepthMax && need >= 1 && need <= depth);
    if (!started_q) assume (rst_i);
    seen = '0;
    for (int v = 0; v < Vcs; v++) begin
      // A front flit wants one VC; a credit comes only for a word that was sent.
      assume ((want_i[v*Bufs +: Bufs] & seen) == '0);
      seen = seen | want_i[v*Bufs +: Bufs];
      if (owed_q[v] == '0) assume (!credit_i[v]);
    end
    if (started_q) begin
      assert ((grant & ~(seen & chosen_i)) == '0);
      assert ((grant & (grant - 1'b1)) == '0);
      assert ((contended & ~seen) == '0);
      for (int v = 0; v < Vcs; v++) begin
        assert ({1'b0, credits[v*Cw +: Cw]} + {1'b0, owed_q[v]} == {1'b0, depth});
        if ((grant & want_i[v*Bufs +: Bufs]) != '0) begin
          assert (owed_q[v] < depth);
          if (owner_q[v] == '0) assert (depth - owed_q[v] >= need && (grant & ~ready_i) == '0);
          else assert ((grant & ~owner_q[v]) == '0);
        end
        if (owner_q[v] != '0)
          assert ((want_i[v*Bufs +: Bufs] & ~owner_q[v] & ~contended) == '0);
        assert (may[v*Bufs +: Bufs] == (owner_q[v] == '0 ? '1 : owner_q[v]));
        assert ((owner_q[v] & (owner_q[v] - 1'b1)) == '0);
      end
    end
  end
endmodule

`default_nettype wire
