// SPDX-License-Identifier: Apache-2.0
// Credits in, valid/ready out: a queue of the words for which the sender has credits. A place is free, and its
// credit on the way, in the cycle after its word was taken.
module credits_to_ready #(
  parameter int DepthMax = 4
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic [63:0] link_i,
  output logic        credit_o,
  output logic [63:0] word_o,
  output logic        valid_o,
  input  logic        ready_i
);
  localparam int Aw = $clog2(DepthMax);
  logic [63:0] places_q[DepthMax];
  logic [Aw:0] put_q, got_q;
  logic credit_q;
  wire taken = valid_o && ready_i;
  assign valid_o = put_q != got_q;
  assign word_o = places_q[got_q[Aw-1:0]];
  assign credit_o = credit_q;
  always_ff @(posedge clk_i) begin
    if (link_i[63]) places_q[put_q[Aw-1:0]] <= link_i;
    put_q <= rst_i ? '0 : put_q + (Aw + 1)'(link_i[63]);
    got_q <= rst_i ? '0 : got_q + (Aw + 1)'(taken);
    credit_q <= !rst_i && taken;
  end
endmodule
