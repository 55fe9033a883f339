// SPDX-License-Identifier: Apache-2.0
// Credits as a bit for each VC, several in one cycle, to one number a cycle. Credits that have to wait are counted.
`default_nettype none

module ec_credits_in_turn #(
  parameter int Vcs = 2,
  localparam int VcBits = Vcs > 1 ? $clog2(Vcs) : 1
) (
  input  wire               clk_i,
  input  wire               rst_i,
  input  wire  [Vcs-1:0]    credit_i,
  output logic              valid_o,
  output logic [VcBits-1:0] vc_o
);
  logic [Vcs-1:0] waits, choice;
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [15:0] count_q;
    assign waits[v] = credit_i[v] || count_q != '0;
    always_ff @(posedge clk_i) count_q <= rst_i ? '0 : count_q + 16'({credit_i[v]}) - 16'({choice[v]});
  end
  ec_turn #(
    .Inputs(Vcs)
  ) u_turn (
    .clk_i,
    .rst_i,
    .ask_i(waits),
    .go_i(1'b1),
    .choice_o(choice)
  );
  assign valid_o = waits != '0;
  always_comb begin
    vc_o = '0;
    for (int v = 0; v < Vcs; v++) if (choice[v]) vc_o = vc_o | VcBits'(v);
  end
endmodule

`default_nettype wire
