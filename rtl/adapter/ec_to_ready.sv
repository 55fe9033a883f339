// SPDX-License-Identifier: Apache-2.0
// Link to router, credits to valid/ready: the input of a router with a ready for each VC (or an `on` of on/off flow
// control). The VCs share the wires of the word.
//
// Latency: a word goes in the cycle that comes so many cycles after `ready_i`. With 0 and one VC the word is offered
// first and stays until it is taken; else, and with Ask, it is offered only where the router is ready, so `ready_i` must
// not wait for `valid_o`. On/off flow control needs Ask: there valid means taken. With Ask(0) and several VCs each VC is
// offered in turn, for a router with one ready, which is about the VC that is offered.
`default_nettype none

module ec_to_ready #(
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Latency = 0,
  parameter bit Ask = Vcs > 1 || Latency > 0,
  parameter int Hold = 0  // cycles after a reset in which the router is not ready (ec_reset)
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire  [63:0]    link_i,
  output logic [Vcs-1:0] credit_o,
  output logic [63:0]    word_o,
  output logic [Vcs-1:0] valid_o,  // the VC of the word, one-hot; 0: there is none
  input  wire  [Vcs-1:0] ready_i
);
  logic [Vcs-1:0] ready;
  if (Latency == 0) begin : gen_direct
    assign ready = ready_i;
  end else begin : gen_late
    logic [Vcs*Latency-1:0] ready_q;
    if (Latency == 1) begin : gen_once
      always_ff @(posedge clk_i) ready_q <= rst_i ? '0 : ready_i;
    end else begin : gen_more
      always_ff @(posedge clk_i) ready_q <= rst_i ? '0 : {ready_q[Vcs*(Latency-1)-1:0], ready_i};
    end
    assign ready = ready_q[Vcs*Latency-1 -: Vcs];
  end

  logic [10:0] length;
  ec_link_in #(
    .Vcs(Vcs),
    .DepthMax(DepthMax),
    .Hold(Hold),
    .Ask(Ask)
  ) u_in (
    .clk_i,
    .rst_i,
    .link_i,
    .credit_o,
    .word_o,
    .valid_o,
    .length_o(length),
    .ready_i(ready)
  );
  wire unused = &{1'b0, length};
endmodule

`default_nettype wire
