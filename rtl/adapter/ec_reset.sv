// SPDX-License-Identifier: Apache-2.0
// For a router with a register in its reset, or one that needs a reset of several cycles: a reset that lasts `Cycles`
// longer. The other cells take the same number as `Hold`: until then they keep words and show nothing.
`default_nettype none

module ec_reset #(
  parameter int Cycles = 1,
  localparam int Bits = $clog2(Cycles + 2)
) (
  input  wire  clk_i,
  input  wire  rst_i,
  output logic rst_o,  // the longer reset
  output logic hold_o  // the cycles by which it is longer; a function of registers
);
  logic [Bits-1:0] left_q;
  always_ff @(posedge clk_i) left_q <= rst_i ? Bits'(Cycles) : left_q - Bits'({left_q != '0});
  assign hold_o = left_q != '0;
  assign rst_o = rst_i || hold_o;
endmodule

`default_nettype wire
