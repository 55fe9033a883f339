// SPDX-License-Identifier: Apache-2.0
// Credits in, valid/ready out, packet by packet: the first word of a packet is offered when the last one is there, with
// the number of words.
module credits_to_packets #(
  parameter int DepthMax = 4
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic [63:0] link_i,
  output logic        credit_o,
  output logic [63:0] word_o,
  output logic [10:0] length_o,  // of a first word
  output logic        valid_o,
  input  logic        ready_i
);
  localparam int Aw = $clog2(DepthMax);
  logic [63:0] places_q[DepthMax];
  logic [10:0] lengths_q[DepthMax], count_q;  // count_q: words of the packet that arrives
  logic [Aw:0] put_q, got_q, packets_q, done_q;
  logic credit_q;
  wire arrives = link_i[63], ends = link_i[63] && link_i[61];
  wire taken = valid_o && ready_i;
  assign valid_o = packets_q != done_q;
  assign word_o = places_q[got_q[Aw-1:0]];
  assign length_o = lengths_q[done_q[Aw-1:0]];
  assign credit_o = credit_q;
  always_ff @(posedge clk_i) begin
    if (arrives) places_q[put_q[Aw-1:0]] <= link_i;
    if (ends) lengths_q[packets_q[Aw-1:0]] <= count_q + 1'b1;
    count_q <= rst_i || ends ? '0 : count_q + 11'(arrives);
    put_q <= rst_i ? '0 : put_q + (Aw + 1)'(arrives);
    got_q <= rst_i ? '0 : got_q + (Aw + 1)'(taken);
    packets_q <= rst_i ? '0 : packets_q + (Aw + 1)'(ends);
    done_q <= rst_i ? '0 : done_q + (Aw + 1)'(taken && word_o[61]);
    credit_q <= !rst_i && taken;
  end
endmodule
