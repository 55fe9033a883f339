// SPDX-License-Identifier: Apache-2.0
// One of the inputs that ask: round robin between packets; a packet that has begun is the only one until its end.
module arbiter #(
  parameter int Inputs = 5
) (
  input  logic              clk_i,
  input  logic              rst_i,
  input  logic [Inputs-1:0] ask_i,   // with a flit for this output
  input  logic [Inputs-1:0] first_i, // the flit is the first of its packet
  input  logic [Inputs-1:0] last_i,
  input  logic              go_i,    // the output takes a flit
  output logic [Inputs-1:0] choice_o
);
  logic [Inputs-1:0] holder_q, may, behind;
  logic [$clog2(Inputs)-1:0] winner_q;
  assign may = holder_q == '0 ? ask_i & first_i : ask_i & holder_q;
  assign behind = may & ~((Inputs'(2) << winner_q) - 1'b1);
  wire [Inputs-1:0] from = behind == '0 ? may : behind;
  assign choice_o = from & (~from + 1'b1);
  always_ff @(posedge clk_i) begin
    if (go_i && choice_o != '0) begin
      holder_q <= (choice_o & last_i) != '0 ? '0 : choice_o;
      for (int i = 0; i < Inputs; i++) if (choice_o[i]) winner_q <= ($clog2(Inputs))'(i);
    end
    if (rst_i) begin
      holder_q <= '0;
      winner_q <= '0;
    end
  end
endmodule
