// SPDX-License-Identifier: Apache-2.0
// Proof obligations of ec_arbiter, for any number of cycles: it grants what the contract's pointer
// rule says (at most one, only a requester, and one whenever there is a request), and, when the pointer
// moves at every grant, a persistent requester is passed over by each other one at most once.
//
// mask_q is the register of the arbiter: tests/formal/cells.sh ties it to it.
`default_nettype none

module arbiter_proof #(
  parameter int N = 7,
  localparam int Pw = $clog2(N + 1)
) (
  input wire         clk_i,
  input wire         rst_i,
  input wire [N-1:0] req_i,
  input wire         move_i
);
  wire [N-1:0] grant;
  ec_arbiter #(.N(N)) u_dut (.clk_i, .rst_i, .req_i, .move_i, .grant_o(grant));
  (* keep *) wire [N-1:0] mask_q;

  // The specification: a number, and the first requester at or after it, going round.
  logic [Pw-1:0] pointer_q, winner;
  logic any;
  always_comb begin
    any = 1'b0;
    winner = '0;
    for (int k = 2 * N - 1; k >= 0; k--) begin
      if (k >= pointer_q && req_i[k % N]) begin
        any = 1'b1;
        winner = Pw'(k % N);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (any && move_i) pointer_q <= winner == Pw'(N - 1) ? '0 : winner + 1'b1;
    if (rst_i) pointer_q <= '0;
  end

  // Bounded waiting: requester `who` asks in every cycle; count the grants of others since it began.
  (* anyconst *) logic [Pw-1:0] who;
  logic [Pw-1:0] waited_q;
  wire served = grant[who];
  always_ff @(posedge clk_i) begin
    if (req_i[who] && !served) begin
      if (move_i) waited_q <= waited_q + 1'b1;
    end else waited_q <= '0;
    if (rst_i) waited_q <= '0;
  end
  // Others between the pointer and `who`: no more of them can come first.
  wire [Pw:0] before = who >= pointer_q ? who - pointer_q : who + N - pointer_q;

  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) if (rst_i) started_q <= 1'b1;

  always_comb begin
    assume (who < N);
    if (!started_q) assume (rst_i);
    if (started_q) begin
      assert (grant == (any ? N'(1) << winner : '0));
      assert ((grant & ~req_i) == '0);
      assert ((grant & (grant - 1'b1)) == '0);
      assert ((grant != '0) == (req_i != '0));
      if (req_i[who] && !served) assert (waited_q < N - 1);
      // What makes it inductive.
      assert (pointer_q < N);
      assert (mask_q == ~((N'(1) << pointer_q) - 1'b1) || (pointer_q == '0 && mask_q == '0));
      if (req_i[who]) assert (waited_q + before <= N - 1);
    end
  end
endmodule

`default_nettype wire
