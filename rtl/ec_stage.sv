// SPDX-License-Identifier: Apache-2.0
// A stage of the pipeline: a register whose highest bit says whether it holds something.
//
// It never stalls: what is put in comes out in the next cycle. Without valid input the other bits
// stay, so that an idle stage neither changes nor consumes power.
`default_nettype none

module ec_stage #(
  parameter int W = 64  // bits, the valid bit (W-1) included; >= 2
) (
  input  wire          clk_i,
  input  wire          rst_i,
  input  wire  [W-1:0] d_i,
  output logic [W-1:0] q_o
);
  always_ff @(posedge clk_i) begin
    q_o[W-1] <= d_i[W-1] && !rst_i;
    if (d_i[W-1]) q_o[W-2:0] <= d_i[W-2:0];
  end
endmodule

`default_nettype wire
