// SPDX-License-Identifier: Apache-2.0
// First-word-fall-through FIFO of words. It shows where they are, for notes beside them.
//
// Timing: a word pushed in cycle t is at the front in t + 1 at the earliest. Outputs are functions
// of registers. push_i and pop_i may come in the same cycle. The user never pushes into a full FIFO
// (credits see to that) and never pops an empty one; both are checked, not handled.
//
// The word that was popped in the last cycle can still be read: its entry is written at the end of this
// cycle at the earliest.
`default_nettype none
`include "ec_check.svh"

module ec_fifo #(
  parameter int Depth = 4,  // words, a power of two, >= 2
  parameter int W = 64,     // bits of a word
  localparam int Pw = $clog2(Depth)
) (
  input  wire          clk_i,
  input  wire          rst_i,
  input  wire          push_i,
  input  wire  [W-1:0] word_i,
  input  wire          pop_i,
  output logic [W-1:0] front_o,  // meaningful unless empty_o
  output logic [W-1:0] popped_o, // meaningful in the cycle after a pop
  output logic         empty_o,
  output logic [Pw-1:0] back_o,  // the place of the word that is pushed
  output logic [Pw-1:0] place_o  // that of the front word
);
  if (Depth < 2 || (Depth & (Depth - 1)) != 0) begin : gen_bad_depth
    ec_error_fifo_depth_must_be_a_power_of_two u_error ();
  end

  logic [W-1:0] mem [0:Depth-1];
  // One bit more than an address needs, so that full and empty differ.
  logic [Pw:0] wr_q, rd_q;

  assign empty_o = wr_q == rd_q;
  assign back_o = wr_q[Pw-1:0];
  assign place_o = rd_q[Pw-1:0];
  assign front_o = mem[rd_q[Pw-1:0]];
  assign popped_o = mem[Pw'(rd_q[Pw-1:0] - 1'b1)];

  // One write port with an enable, which every tool maps to a memory. (A mask instead of the condition
  // gains 2 to 3 % in the compiled model at high load, and costs half as many cells again.)
  always_ff @(posedge clk_i) begin
    if (push_i) mem[wr_q[Pw-1:0]] <= word_i;
    wr_q <= wr_q + (Pw + 1)'({push_i});
    rd_q <= rd_q + (Pw + 1)'({pop_i});
    if (rst_i) begin
      wr_q <= '0;
      rd_q <= '0;
    end
  end

  // Checks.
  wire [Pw:0] used = wr_q - rd_q;
  always @(posedge clk_i) begin
    if (!rst_i) begin
      `EC_CHECK(used <= (Pw + 1)'(Depth), "more words than the FIFO has places")
      `EC_CHECK(!(push_i && used == (Pw + 1)'(Depth)), "push into a full FIFO")
      `EC_CHECK(!(pop_i && empty_o), "pop from an empty FIFO")
    end
  end
`ifndef FORMAL
`ifndef EC_CHECKS
  wire unused = &{1'b0, used};
`endif
`endif
endmodule

`default_nettype wire
