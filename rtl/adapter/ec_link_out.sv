// SPDX-License-Identifier: Apache-2.0
// The output side of an adapter, which ec_from_ready and ec_from_credits are made of: a word is on the link while there
// is a credit for its VC. All outputs are functions of registers if `word_i` and `valid_i` are, or with a queue.
`default_nettype none

module ec_link_out #(
  parameter int Vcs = 1,
  parameter int Queue = 0,  // places of a queue for each VC, a power of two; 0: none, the word waits in the router
  parameter int Spare = 0,  // places that are kept for words that come after `ready_o` has fallen
  parameter int Hold = 0    // cycles after a reset in which the router does not show its words yet
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire  [15:0]    depth_i,
  input  wire  [63:0]    word_i,
  input  wire  [Vcs-1:0] valid_i,  // the VC of the word, at most one bit
  output logic [Vcs-1:0] ready_o,
  output logic [Vcs-1:0] left_o,   // a word has left the queue
  output logic [63:0]    link_o,
  input  wire  [Vcs-1:0] credit_i
);
  localparam int VcBits = Vcs == 8 ? 3 : 2;
  localparam int Aw = Queue > 1 ? $clog2(Queue) : 1;
  logic [64*Vcs-1:0] front;
  logic [Vcs-1:0] ask, some, sends;
  logic [63:0] word;
  logic [VcBits-1:0] vc;
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
    logic [15:0] credits_q;
    assign some[v] = credits_q != '0;
    always_ff @(posedge clk_i) credits_q <= rst_i ? depth_i : credits_q - 16'({sends[v]}) + 16'({credit_i[v]});

    if (Queue == 0) begin : gen_direct
      assign front[64*v +: 64] = word_i;
      assign ask[v] = valid_i[v] && some[v] && !hold;
      assign ready_o[v] = some[v] && !hold;
    end else begin : gen_queue
      logic [63:0] places_q[Queue];
      logic [Aw:0] put_q, got_q;
      wire arrives = valid_i[v] && (Spare > 0 || ready_o[v]) && !hold;
      assign front[64*v +: 64] = places_q[got_q[Aw-1:0]];
      assign ask[v] = put_q != got_q && some[v];
      assign ready_o[v] = (Aw + 1)'(Queue) - (put_q - got_q) > (Aw + 1)'(Spare) && !hold;
      always_ff @(posedge clk_i) begin
        if (arrives) places_q[put_q[Aw-1:0]] <= word_i;
        put_q <= rst_i ? '0 : put_q + (Aw + 1)'({arrives});
        got_q <= rst_i ? '0 : got_q + (Aw + 1)'({sends[v]});
      end
    end
  end
  assign left_o = sends;

  if (Vcs == 1) begin : gen_one
    assign sends = ask;
  end else begin : gen_choice
    ec_turn #(
      .Inputs(Vcs)
    ) u_turn (
      .clk_i,
      .rst_i,
      .ask_i(ask),
      .go_i(1'b1),
      .choice_o(sends)
    );
  end
  always_comb begin
    word = '0;
    vc = '0;
    for (int v = 0; v < Vcs; v++) begin
      word = word | (front[64*v +: 64] & {64{sends[v]}});
      if (sends[v]) vc = vc | VcBits'(v);
    end
    link_o = word;
    if (Vcs > 1) link_o[60 -: VcBits] = vc;  // with one VC the field stays
  end

  wire unused = &{1'b0, rst};
endmodule

`default_nettype wire
