// SPDX-License-Identifier: Apache-2.0
// The input side of an adapter, which ec_to_ready, ec_to_credits and ec_to_packets are made of: a queue for each VC,
// with the words for which the sender has credits. Of the VCs with a word, one in turn is on the wires of the router. A
// place is free, and its credit on the way, in the cycle after its word was taken.
`default_nettype none

module ec_link_in #(
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Hold = 0,      // cycles after a reset in which the router takes nothing
  parameter bit Ask = 1'b0,    // offer a word when the router takes it, not before
  parameter bit Whole = 1'b0   // offer the first word of a packet when the last one is there
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire  [63:0]    link_i,
  output logic [Vcs-1:0] credit_o,
  output logic [63:0]    word_o,
  output logic [Vcs-1:0] valid_o,   // the VC of the word, one-hot; 0: there is none
  output logic [10:0]    length_o,  // with Whole: of the packet that word_o begins
  input  wire  [Vcs-1:0] ready_i    // by VC: the router takes a word
);
  localparam int Aw = $clog2(DepthMax);
  localparam int VcBits = Vcs == 8 ? 3 : 2;
  logic [64*Vcs-1:0] front;
  logic [11*Vcs-1:0] length;
  logic [Vcs-1:0] filled, taken;
  logic rst, hold;

  ec_reset #(
    .Cycles(Hold)
  ) u_hold (
    .clk_i,
    .rst_i,
    .rst_o(rst),
    .hold_o(hold)
  );

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [63:0] places_q[DepthMax];
    logic [Aw:0] put_q, got_q;
    wire arrives = link_i[63] && (Vcs == 1 || link_i[60 -: VcBits] == VcBits'(v));
    assign front[64*v +: 64] = places_q[got_q[Aw-1:0]];
    assign taken[v] = valid_o[v] && ready_i[v];
    always_ff @(posedge clk_i) begin
      if (arrives) places_q[put_q[Aw-1:0]] <= link_i;
      put_q <= rst_i ? '0 : put_q + (Aw + 1)'({arrives});
      got_q <= rst_i ? '0 : got_q + (Aw + 1)'({taken[v]});
      credit_o[v] <= !rst_i && taken[v];
    end

    if (Whole) begin : gen_whole
      logic [10:0] lengths_q[DepthMax], count_q;  // count_q: words of the packet that arrives
      logic [Aw:0] packets_q, done_q;
      wire ends = arrives && link_i[61];
      assign filled[v] = packets_q != done_q;
      assign length[11*v +: 11] = lengths_q[done_q[Aw-1:0]];
      always_ff @(posedge clk_i) begin
        if (ends) lengths_q[packets_q[Aw-1:0]] <= count_q + 1'b1;
        count_q <= rst_i || ends ? '0 : count_q + 11'({arrives});
        packets_q <= rst_i ? '0 : packets_q + (Aw + 1)'({ends});
        done_q <= rst_i ? '0 : done_q + (Aw + 1)'({taken[v] && front[64*v + 61]});
      end
    end else begin : gen_words
      assign filled[v] = put_q != got_q;
      assign length[11*v +: 11] = '0;
    end
  end

  if (Vcs == 1) begin : gen_one
    assign valid_o = filled & {Vcs{!hold}} & (ready_i | {Vcs{!Ask}});
    assign word_o = front;
    assign length_o = length;
  end else begin : gen_choice
    ec_turn #(
      .Inputs(Vcs)
    ) u_turn (
      .clk_i,
      .rst_i,
      .ask_i(filled & {Vcs{!hold}} & (ready_i | {Vcs{!Ask}})),
      .go_i(1'b1),
      .choice_o(valid_o)
    );
    always_comb begin
      word_o = '0;
      length_o = '0;
      for (int v = 0; v < Vcs; v++) begin
        word_o = word_o | (front[64*v +: 64] & {64{valid_o[v]}});
        length_o = length_o | (length[11*v +: 11] & {11{valid_o[v]}});
      end
    end
  end

  wire unused = &{1'b0, rst};
endmodule

`default_nettype wire
