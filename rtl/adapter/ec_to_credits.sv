// SPDX-License-Identifier: Apache-2.0
// Link to router, between depths: the router has `Inside` places for each VC and returns a credit for each word, the link
// has `depth_i`. (A router with at least DepthMax places needs no cell here.)
`default_nettype none

module ec_to_credits #(
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Inside = 4,
  parameter int Hold = 0  // cycles after a reset in which the router takes nothing (ec_reset)
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire  [63:0]    link_i,
  output logic [Vcs-1:0] credit_o,
  output logic [63:0]    word_o,
  output logic [Vcs-1:0] valid_o,  // the VC of the word, one-hot; 0: there is none
  input  wire  [Vcs-1:0] credit_i  // of the router
);
  localparam int Cw = $clog2(Inside + 1);
  logic [Vcs-1:0] some;
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [Cw-1:0] credits_q;
    assign some[v] = credits_q != '0;
    always_ff @(posedge clk_i)
      credits_q <= rst_i ? Cw'(Inside) : credits_q - Cw'({valid_o[v]}) + Cw'({credit_i[v]});
  end

  logic [10:0] length;
  ec_link_in #(
    .Vcs(Vcs),
    .DepthMax(DepthMax),
    .Hold(Hold),
    .Ask(1'b1)
  ) u_in (
    .clk_i,
    .rst_i,
    .link_i,
    .credit_o,
    .word_o,
    .valid_o,
    .length_o(length),
    .ready_i(some)
  );
  wire unused = &{1'b0, length};
endmodule

`default_nettype wire
