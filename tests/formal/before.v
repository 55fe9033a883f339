// SPDX-License-Identifier: Apache-2.0
// A map for Yosys' techmap: an assertion that held in the cycle before, as an assumption.
module \$assert (A, EN);
  input A, EN;
  wire held;
  \$ff #(.WIDTH(1)) before (.D(A | ~EN), .Q(held));
  \$assume assumed (.A(held), .EN(1'b1));
endmodule
