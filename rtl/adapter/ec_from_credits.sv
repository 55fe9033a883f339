// SPDX-License-Identifier: Apache-2.0
// Router to link, between depths: the router counts `Inside` credits for each VC after a reset, the link has `depth_i`. A
// queue takes what the router may send, and returns a credit for each word that has left. (A router that starts its count
// at a pin needs no cell here.)
`default_nettype none

module ec_from_credits #(
  parameter int Vcs = 1,
  parameter int Inside = 4,
  parameter int Hold = 0  // cycles after a reset in which the router does not show its words yet (ec_reset)
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire  [15:0]    depth_i,
  input  wire  [63:0]    word_i,
  input  wire  [Vcs-1:0] valid_i,  // the VC of the word, at most one bit
  output logic [Vcs-1:0] credit_o, // to the router
  output logic [63:0]    link_o,
  input  wire  [Vcs-1:0] credit_i
);
  localparam int Queue = Inside < 2 ? 2 : 1 << $clog2(Inside);
  logic [Vcs-1:0] ready;
  ec_link_out #(
    .Vcs(Vcs),
    .Queue(Queue),
    .Spare(Queue - 1),
    .Hold(Hold)
  ) u_out (
    .clk_i,
    .rst_i,
    .depth_i,
    .word_i,
    .valid_i,
    .ready_o(ready),
    .left_o(credit_o),
    .link_o,
    .credit_i
  );
  wire unused = &{1'b0, ready};
endmodule

`default_nettype wire
