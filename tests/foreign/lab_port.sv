// SPDX-License-Identifier: Apache-2.0
// An input port of the routers in lab_router.sv and oq_router.sv: a FIFO per virtual channel. The route is
// computed as a word arrives (sections 4 and 5 of docs/ROUTER-CONTRACT.md) and kept beside it, so a word
// comes out with the VC of its next channel and the number of the port that leads there.
`default_nettype none

module lab_port #(
  parameter int Dims = 2,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int InPort = 0,
  localparam int Links = Dims * LinksPerDim,
  localparam int Pw = $clog2(Links + Locals),
  localparam int Dw = $clog2(DepthMax)
) (
  input  wire                clk_i,
  input  wire                rst_i,
  input  wire                arst_i,   // asynchronous; 0 in a router with synchronous reset
  // Pins: registers.
  input  wire  [15:0]        coord_i,
  input  wire  [16*Dims-1:0] mask_i,
  input  wire  [17*Dims-1:0] radix_i,
  input  wire  [Dims-1:0]    wrap_i,
  input  wire                dateline_i,
  input  wire                order_high_i,
  input  wire  [63:0]        link_i,
  input  wire  [Vcs-1:0]     pop_i,
  // The front of each VC.
  output logic [Vcs-1:0]     valid_o,
  output logic [64*Vcs-1:0]  word_o,
  output logic [Pw*Vcs-1:0]  to_o,
  output logic [Vcs-1:0]     whole_o,  // a whole packet is here
  output logic [16*Vcs-1:0]  age_o     // cycles for which the word has been at the front
);
  localparam int Home = Locals == 1 ? Links : InPort < Links ? Links + InPort : InPort;

  // The last dimension in the order of this loop that differs wins.
  logic [15:0] dst, here, there, field;
  logic [16:0] radix, up;
  logic plus, around, turned;
  logic [Pw-1:0] to;
  assign dst = link_i[58:43];
  always_comb begin
    to = Pw'(Home);
    turned = 1'b0;
    {here, there, field, radix, up, plus, around} = '0;
    for (int k = 0; k < Dims; k++) begin
      automatic int d = order_high_i ? k : Dims - 1 - k;
      if (LinksPerDim == 1) begin
        if (dst[d] != coord_i[d]) to = Pw'(d);
      end else begin
        field = mask_i[16*d +: 16];
        radix = radix_i[17*d +: 17];
        here = coord_i & field;
        there = dst & field;
        if (here != there) begin
          up = 17'(there) - 17'(here) + (there < here ? radix : '0);  // steps in direction plus
          plus = wrap_i[d] ? {up, 1'b0} <= {1'b0, radix} : there > here;
          if ((field & (field - 1'b1)) == '0) plus = 1'b1;  // a radix of 2 has one link
          around = plus ? 17'(here) + 17'(field & (~field + 1'b1)) == radix : here == '0;
          turned = (wrap_i[d] && around) || (InPort < Links && InPort / 2 == d && link_i[59]);
          to = Pw'(2 * d) + Pw'(!plus);
        end
      end
    end
  end
  wire [1:0] vc_in = Vcs == 1 ? 2'd0 : link_i[60:59];
  wire [1:0] vc_out = Vcs == 1 ? link_i[60:59] : dateline_i ? {vc_in[1], turned} : vc_in;

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [Pw+63:0] mem [0:DepthMax-1];
    logic [Dw:0] wr_q, rd_q, tails_q;
    logic [15:0] age_q;
    wire push = link_i[63] && vc_in == 2'(v);
    assign valid_o[v] = wr_q != rd_q;
    assign {to_o[Pw*v +: Pw], word_o[64*v +: 64]} = mem[rd_q[Dw-1:0]];
    assign whole_o[v] = tails_q != '0;
    assign age_o[16*v +: 16] = age_q;
    always_ff @(posedge clk_i) if (push) mem[wr_q[Dw-1:0]] <= {to, link_i[63:61], vc_out, link_i[58:0]};
    always_ff @(posedge clk_i or posedge arst_i) begin
      if (rst_i || arst_i) begin
        wr_q <= '0;
        rd_q <= '0;
        tails_q <= '0;
        age_q <= '0;
      end else begin
        wr_q <= wr_q + (Dw + 1)'(push);
        rd_q <= rd_q + (Dw + 1)'(pop_i[v]);
        tails_q <= tails_q + (Dw + 1)'(push && link_i[61]) - (Dw + 1)'(pop_i[v] && word_o[64*v + 61]);
        if (pop_i[v]) age_q <= '0;
        else if (valid_o[v] && age_q != '1) age_q <= age_q + 1'b1;
      end
    end
  end
endmodule

`default_nettype wire
