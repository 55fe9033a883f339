// SPDX-License-Identifier: Apache-2.0
// The credits of one output VC: free entries of the buffer at the other end of the channel.
//
// Timing: a credit that arrives in cycle t is in the count from t + 1 on. The user sends only with a
// credit in the count, and a receiver returns one credit a word; both are checked, not handled.
`default_nettype none
`include "ec_check.svh"

module ec_credits #(
  parameter int DepthMax = 4,
  localparam int Cw = $clog2(DepthMax + 1)
) (
  input  wire           clk_i,
  input  wire           rst_i,
  input  wire  [Cw-1:0] depth_i,   // credits after reset (a pin; read during reset only)
  input  wire           credit_i,  // one comes back
  input  wire           used_i,    // one is used: a word is granted to this VC
  output logic [Cw-1:0] credits_o
);
  logic [Cw-1:0] credits_q;

  assign credits_o = credits_q;
  always_ff @(posedge clk_i) begin
    credits_q <= credits_q + Cw'(credit_i) - Cw'({used_i});
    if (rst_i) credits_q <= depth_i;
  end

  // Checks.
  always @(posedge clk_i) begin
    if (!rst_i) begin
      `EC_CHECK(!(used_i && credits_q == '0), "a flit sent without a credit")
      `EC_CHECK(!(credit_i && credits_q == Cw'(DepthMax) && !used_i), "a credit too many")
    end
  end
endmodule

`default_nettype wire
