// SPDX-License-Identifier: Apache-2.0
// A map for Yosys' techmap: every flip-flop gets the assertion that it keeps its value.
module \$dff (CLK, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1'b1;
  input CLK;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  \$dff #(.WIDTH(WIDTH), .CLK_POLARITY(CLK_POLARITY)) _TECHMAP_REPLACE_ (.CLK(CLK), .D(D), .Q(Q));
  \$assert holds (.A(D == Q), .EN(1'b1));
endmodule
