// SPDX-License-Identifier: Apache-2.0
// Round robin: the first that asks behind the last one that went. `choice_o` is one-hot, or 0.
`default_nettype none

module ec_turn #(
  parameter int Inputs = 5
) (
  input  wire               clk_i,
  input  wire               rst_i,
  input  wire  [Inputs-1:0] ask_i,
  input  wire               go_i,  // the choice goes
  output logic [Inputs-1:0] choice_o
);
  logic [Inputs-1:0] last_q;  // one bit
  wire [Inputs-1:0] behind = ask_i & ~(last_q | (last_q - 1'b1));
  wire [Inputs-1:0] from = behind == '0 ? ask_i : behind;
  assign choice_o = from & (~from + 1'b1);
  always_ff @(posedge clk_i) begin
    if (rst_i) last_q <= Inputs'(1);
    else if (go_i && choice_o != '0) last_q <= choice_o;
  end
endmodule

`default_nettype wire
