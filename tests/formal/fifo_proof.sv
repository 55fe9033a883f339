// SPDX-License-Identifier: Apache-2.0
// Proof obligations of ec_fifo, for any number of cycles: used as its users must (no push when full,
// no pop when empty), it shows empty_o exactly when empty, and any one word, chosen by the solver at
// its push, comes out unchanged after exactly the words that were before it.
//
// rd_q, wr_q and mem_at_slot are registers of the FIFO: tests/formal/cells.sh ties them to it.
`default_nettype none

module fifo_proof #(
  parameter int Depth = 4,
  localparam int Pw = $clog2(Depth)
) (
  input wire        clk_i,
  input wire        rst_i,
  input wire        push_i,
  input wire [63:0] word_i,
  input wire        pop_i,
  input wire        choose_i  // track the word that is pushed now
);
  wire [63:0] front;
  wire empty;
  ec_fifo #(.Depth(Depth)) u_dut (
    .clk_i, .rst_i, .push_i, .word_i, .pop_i, .front_o(front), .empty_o(empty)
  );
  (* keep *) wire [Pw:0] rd_q, wr_q;
  (* keep *) wire [64*Depth-1:0] mem;

  // The specification: how many words are inside; the tracked one and how many are before it.
  logic [Pw:0] used_q, ahead_q;
  logic [63:0] tracked_q;
  logic tracking_q;
  wire choose = choose_i && push_i && !tracking_q;

  always_ff @(posedge clk_i) begin
    used_q <= used_q + (Pw + 1)'(push_i) - (Pw + 1)'(pop_i);
    if (choose) begin
      tracking_q <= 1'b1;
      tracked_q <= word_i;
      ahead_q <= used_q - (Pw + 1)'(pop_i);
    end else if (tracking_q && pop_i) begin
      if (ahead_q == '0) tracking_q <= 1'b0;
      ahead_q <= ahead_q - 1'b1;
    end
    if (rst_i) begin
      used_q <= '0;
      tracking_q <= 1'b0;
    end
  end

  logic started_q;  // a reset has been
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) if (rst_i) started_q <= 1'b1;

  wire [Pw-1:0] slot = rd_q[Pw-1:0] + ahead_q[Pw-1:0];
  always_comb begin
    if (!started_q) assume (rst_i);
    if (used_q == (Pw + 1)'(Depth)) assume (!push_i);
    if (used_q == '0) assume (!pop_i);
    if (started_q) begin
      assert (empty == (used_q == '0));
      if (tracking_q && ahead_q == '0) assert (front == tracked_q);
      // What makes it inductive.
      assert (used_q <= (Pw + 1)'(Depth));
      assert (used_q == (Pw + 1)'(wr_q - rd_q));
      if (tracking_q) assert (ahead_q < used_q);
      if (tracking_q) assert (mem[64*slot +: 64] == tracked_q);
    end
  end
endmodule

`default_nettype wire
