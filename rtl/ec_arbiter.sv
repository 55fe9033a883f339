// SPDX-License-Identifier: Apache-2.0
// Round-robin arbiter: grants the first requester at or after a pointer, cyclically.
//
// The pointer is 0 after reset and becomes winner + 1 when move_i is high in a cycle with a grant;
// otherwise it stays. It is kept as a mask (ones at and above the pointer), so that the choice is
// word-level arithmetic. grant_o is a function of req_i and the mask, within the cycle.
`default_nettype none
`include "ec_check.svh"

module ec_arbiter #(
  parameter int N = 7  // requesters, >= 1
) (
  input  wire          clk_i,
  input  wire          rst_i,
  input  wire  [N-1:0] req_i,
  input  wire          move_i,
  output logic [N-1:0] grant_o  // one-hot, or 0 without requests
);
  logic [N-1:0] mask_q;
  logic [N-1:0] preferred, eligible;

  // Masks rather than conditions: in the compiled model a branch on random traffic is mispredicted.
  always_comb begin
    preferred = req_i & mask_q;
    eligible = preferred | (req_i & {N{preferred == '0}});
    grant_o = eligible & (~eligible + 1'b1);  // lowest set bit
  end

  // Of a one-hot vector v, the bits above the one are -(v << 1).
  logic [N-1:0] moving;
  assign moving = grant_o & {N{move_i}};
  always_ff @(posedge clk_i) begin
    // Ones above the winner. Behind the last requester the mask is empty: as good as all ones.
    mask_q <= (mask_q & {N{moving == '0}}) | (-(moving << 1));
    if (rst_i) mask_q <= '1;
  end

  // Checks.
  always @(posedge clk_i) begin
    if (!rst_i) begin
      `EC_CHECK((~mask_q & (~mask_q + 1'b1)) == '0, "a pointer mask that is not ones above zeros")
      `EC_CHECK((grant_o & ~req_i) == '0, "grant without a request")
      `EC_CHECK((grant_o & (grant_o - 1'b1)) == '0, "more than one grant")
      `EC_CHECK((grant_o != '0) == (req_i != '0), "requests and no grant")
    end
  end
endmodule

`default_nettype wire
