// SPDX-License-Identifier: Apache-2.0
// What arrives at one port of a link of several cycles: words, and credits for words sent there.
//
// Delay registers in a row, none with Delay = 0: what goes in in cycle t comes out in t + Delay.
// After reset the wires are idle.
`default_nettype none

module ec_link #(
  parameter int Delay = 1,  // cycles beyond the one that every link takes
  parameter int W = 64,     // bits of a word
  parameter int Vcs = 1
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire  [W-1:0]   word_i,
  input  wire  [Vcs-1:0] credit_i,
  output logic [W-1:0]   word_o,
  output logic [Vcs-1:0] credit_o
);
  if (Delay == 0) begin : gen_wire
    assign word_o = word_i;
    assign credit_o = credit_i;
    wire unused = &{1'b0, clk_i, rst_i};
  end else begin : gen_registers
    logic [W*Delay-1:0] words_q;
    logic [Vcs*Delay-1:0] credits_q;
    always_ff @(posedge clk_i) begin
      words_q <= rst_i ? '0 : (W*Delay)'({words_q, word_i});
      credits_q <= rst_i ? '0 : (Vcs*Delay)'({credits_q, credit_i});
    end
    assign word_o = words_q[W*Delay-1 -: W];
    assign credit_o = credits_q[Vcs*Delay-1 -: Vcs];
  end
endmodule

`default_nettype wire
