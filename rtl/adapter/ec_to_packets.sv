// SPDX-License-Identifier: Apache-2.0
// Link to router, packet by packet, for routers that read the length of a packet in its first flit: that word is offered
// when the last one is there, with the number of words. So packets must fit into the queue, which `packet_i` promises in
// cut-through and store-and-forward switching. Else as ec_to_ready.
`default_nettype none

module ec_to_packets #(
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Hold = 0
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire  [63:0]    link_i,
  output logic [Vcs-1:0] credit_o,
  output logic [63:0]    word_o,
  output logic [10:0]    length_o,  // of the packet, with its first word
  output logic [Vcs-1:0] valid_o,
  input  wire  [Vcs-1:0] ready_i
);
  ec_link_in #(
    .Vcs(Vcs),
    .DepthMax(DepthMax),
    .Hold(Hold),
    .Ask(Vcs > 1),
    .Whole(1'b1)
  ) u_in (
    .clk_i,
    .rst_i,
    .link_i,
    .credit_o,
    .word_o,
    .valid_o,
    .length_o,
    .ready_i
  );
endmodule

`default_nettype wire
