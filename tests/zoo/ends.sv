// SPDX-License-Identifier: Apache-2.0
// Both ends of all ports of a router with valid and ready. Words that arrive wait in a queue for each VC, of which one
// a cycle is offered, in turn, with its destination as coordinates. A word leaves while there is a credit for its VC.
// All outputs follow from registers and from what the router makes of them.
module zoo_ends #(
  parameter int Vcs = 1,
  parameter int DepthMax = 8,
  parameter int CoordBits = 8,
  parameter bit Asks = 1'b0,  // the router's ready is about the VC that is offered: offer all in turn
  localparam int Ports = 5
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [15:0]                coord_i,
  input  logic [31:0]                mask_i,
  input  logic [15:0]                depth_i,
  input  logic [64*Ports-1:0]        link_i,
  input  logic [Vcs*Ports-1:0]       credit_i,
  output logic [64*Ports-1:0]        link_o,
  output logic [Vcs*Ports-1:0]       credit_o,
  output logic [CoordBits-1:0]       x_o,  // of this router
  output logic [CoordBits-1:0]       y_o,
  output logic [64*Ports-1:0]        in_word_o,
  output logic [CoordBits*Ports-1:0] in_x_o,  // of the destination
  output logic [CoordBits*Ports-1:0] in_y_o,
  output logic [Vcs*Ports-1:0]       in_head_o,  // the first word of each queue is a head
  output logic [Vcs*Ports-1:0]       in_valid_o,
  input  logic [Vcs*Ports-1:0]       in_ready_i,
  input  logic [64*Ports-1:0]        out_word_i,
  input  logic [Vcs*Ports-1:0]       out_valid_i,
  output logic [Vcs*Ports-1:0]       out_ready_o
);
  localparam int Aw = $clog2(DepthMax), Vw = Vcs > 1 ? $clog2(Vcs) : 1;

  logic [15:0] coord_q, mask_x_q, mask_y_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      coord_q <= coord_i;
      mask_x_q <= mask_i[15:0];
      mask_y_q <= mask_i[31:16];
    end
  end
  assign x_o = CoordBits'(coord_q & mask_x_q);
  assign y_o = CoordBits'((coord_q & mask_y_q) >> $countones(mask_x_q));

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    wire [63:0] arriving = link_i[64*p +: 64];
    logic [64*Vcs-1:0] front;
    logic [Vcs-1:0] filled, offered;
    logic [63:0] word;
    logic [Vw-1:0] turn_q;  // the VC that was served last

    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      logic [63:0] queue_q[DepthMax];
      logic [Aw:0] put_q, got_q;
      logic [15:0] credits_q;
      wire put = arriving[63] && (Vcs == 1 || arriving[59 +: Vw] == Vw'(v));
      wire got = offered[v] && in_ready_i[Vcs*p+v];
      wire sent = out_valid_i[Vcs*p+v] && out_ready_o[Vcs*p+v];
      assign filled[v] = put_q != got_q;
      assign front[64*v +: 64] = queue_q[got_q[Aw-1:0]];
      assign in_head_o[Vcs*p+v] = filled[v] && front[64*v+62];
      assign credit_o[Vcs*p+v] = got;
      assign out_ready_o[Vcs*p+v] = credits_q != '0;
      always_ff @(posedge clk_i) begin
        if (put) queue_q[put_q[Aw-1:0]] <= arriving;
        put_q <= rst_i ? '0 : put_q + (Aw + 1)'(put);
        got_q <= rst_i ? '0 : got_q + (Aw + 1)'(got);
        credits_q <= rst_i ? depth_i : credits_q - 16'(sent) + 16'(credit_i[Vcs*p+v]);
      end
    end

    // The first VC after the one served last that has a word which the router takes.
    wire [Vcs-1:0] may = Vcs == 1 || Asks ? filled : filled & in_ready_i[Vcs*p +: Vcs];
    wire [Vcs-1:0] later = may & ~((Vcs'(2) << turn_q) - 1'b1);
    wire [Vcs-1:0] from = later == '0 ? may : later;
    assign offered = from & (~from + 1'b1);
    always_comb begin
      word = '0;
      for (int v = 0; v < Vcs; v++) if (offered[v]) word = word | front[64*v +: 64];
    end
    always_ff @(posedge clk_i) begin
      for (int v = 0; v < Vcs; v++) if (offered[v]) turn_q <= Vw'(v);
      if (rst_i) turn_q <= '0;
    end
    wire [15:0] dst = word[58:43];
    assign in_word_o[64*p +: 64] = word;
    assign in_x_o[CoordBits*p +: CoordBits] = CoordBits'(dst & mask_x_q);
    assign in_y_o[CoordBits*p +: CoordBits] = CoordBits'((dst & mask_y_q) >> $countones(mask_x_q));
    assign in_valid_o[Vcs*p +: Vcs] = offered;
    wire [Vcs-1:0] leaves = out_valid_i[Vcs*p +: Vcs] & out_ready_o[Vcs*p +: Vcs];
    assign link_o[64*p +: 64] = leaves == '0 ? 64'd0 : out_word_i[64*p +: 64];
  end
endmodule
