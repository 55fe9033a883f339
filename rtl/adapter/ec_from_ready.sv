// SPDX-License-Identifier: Apache-2.0
// Router to link, valid/ready to credits: the output of a router that looks at a ready for each VC (or at an `on` of
// on/off flow control). The VCs share the wires of the word.
//
// Latency: cycles after `ready_o` has fallen in which the router may still send; 0 is the usual valid/ready. With 0 and no
// queue, ready is a credit, and the word is on the link in the cycle in which it is taken: `word_i` and `valid_i` must
// come from registers then. Set Queue to 2 if they do not.
`default_nettype none

module ec_from_ready #(
  parameter int Vcs = 1,
  parameter int Latency = 0,
  parameter int Queue = Latency == 0 ? 0 : 1 << $clog2(Latency + 2),  // places for each VC: 0 or a power of two
  parameter bit Stays = Vcs == 1,  // check that a word that is offered stays until it is taken
  parameter int Hold = 0  // cycles after a reset in which the router does not show its words yet (ec_reset)
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire  [15:0]    depth_i,
  input  wire  [63:0]    word_i,
  input  wire  [Vcs-1:0] valid_i,  // the VC of the word, at most one bit
  output logic [Vcs-1:0] ready_o,
  output logic [63:0]    link_o,
  input  wire  [Vcs-1:0] credit_i
);
  if (Latency > 0 && Queue < Latency + 1) begin : gen_bad_queue
    ec_error_queue_must_be_more_than_latency u_error ();
  end

  logic [Vcs-1:0] left;
  ec_link_out #(
    .Vcs(Vcs),
    .Queue(Queue),
    .Spare(Latency),
    .Hold(Hold)
  ) u_out (
    .clk_i,
    .rst_i,
    .depth_i,
    .word_i,
    .valid_i,
    .ready_o,
    .left_o(left),
    .link_o,
    .credit_i
  );
  wire unused = &{1'b0, left, Stays};
endmodule

`default_nettype wire
