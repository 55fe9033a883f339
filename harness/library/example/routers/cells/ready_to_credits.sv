// SPDX-License-Identifier: Apache-2.0
// Valid/ready in, credits out: ready while there is a credit. The word is on the link in the cycle in which it is
// taken, so `word_i` and `valid_i` must come from registers.
module ready_to_credits (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic [15:0] depth_i,
  input  logic [63:0] word_i,
  input  logic        valid_i,
  output logic        ready_o,
  output logic [63:0] link_o,
  input  logic        credit_i
);
  logic [15:0] credits_q;
  assign ready_o = credits_q != '0;
  assign link_o = valid_i && ready_o ? word_i : 64'd0;
  always_ff @(posedge clk_i)
    credits_q <= rst_i ? depth_i : credits_q - 16'(valid_i && ready_o) + 16'(credit_i);
endmodule
