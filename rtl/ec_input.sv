// SPDX-License-Identifier: Apache-2.0
// One input VC: its buffer, and what the front flit asks for.
//
// Timing: all outputs but front_o's content are meaningful only unless empty_o. Outputs are
// functions of registers. The front word is shown with the VC field it will have on its next link.
`default_nettype none
`include "ec_check.svh"

module ec_input #(
  parameter int Dims = 3,
  parameter int LinksPerDim = 1,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int AddressBits = 16,
  parameter int InPort = 0,
  parameter int InVc = 0,
  localparam int VcOut = Vcs == 8 ? 3 : 2,
  localparam int Pw = $clog2(Dims * LinksPerDim + Locals),
  localparam int Cw = $clog2(DepthMax + 1)
) (
  input  wire                                   clk_i,
  input  wire                                   rst_i,
  // Place and mode: constant after reset.
  input  wire  [AddressBits-1:0]                coord_i,
  input  wire  [AddressBits*Dims-1:0]           mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0]       radix_i,
  input  wire  [Dims-1:0]                       wrap_i,
  input  wire  [Dims-1:0]                       first_i,
  input  wire  [Dims-1:0]                       last_i,
  input  wire                                   order_high_i,
  input  wire                                   dateline_i,
  input  wire                                   whole_i,  // store-and-forward: a packet leaves only when it is here in full
  // The link.
  input  wire  [63:0]                           link_i,
  // The crossbar.
  input  wire                                   pop_i,
  output logic [63:0]                           front_o,
  output logic                                  empty_o,
  output logic                                  tail_o,
  output logic                                  part_o,   // store-and-forward: a head whose packet is not here in full
  output logic [Pw-1:0]                         port_o,
  output logic [VcOut-1:0]                      vc_o
);
  `include "ec_word.svh"
  ec_word_t word, front;
  logic push, class_out;

  assign word = link_i;
  assign push = word.valid && (Vcs == 1 || word.vc == VcBits'(InVc));

  ec_fifo #(
    .Depth(DepthMax)
  ) u_fifo (
    .clk_i,
    .rst_i,
    .push_i(push),
    .word_i(link_i),
    .pop_i,
    .front_o(front),
    .empty_o
  );

  ec_route #(
    .Dims(Dims),
    .LinksPerDim(LinksPerDim),
    .Locals(Locals),
    .AddressBits(AddressBits),
    .InPort(InPort)
  ) u_route (
    .coord_i,
    .mask_i,
    .radix_i,
    .wrap_i,
    .first_i,
    .last_i,
    .order_high_i,
    .dst_i(front.dst),
    .class_i(1'(InVc)),
    .port_o,
    .class_o(class_out)
  );

  // The lane stays; with datelines the lowest bit of a VC is its class.
  assign vc_o = Vcs == 1 ? '0 : dateline_i ? {(VcBits-1)'(InVc >> 1), class_out} : VcBits'(InVc);

  // (Assigned once, and so are port_o and class_o in ec_route: where a port is assigned twice in one
  // always_comb, Icarus 11 can loop for ever within a time step.)
  assign front_o = Vcs == 1 ? front : {front.valid, front.head, front.tail, vc_o,
                                       front.dst, front.src, front.data};
  assign tail_o = front.tail;

  // Tails in the buffer: the packet at the front is complete iff there is one.
  logic [Cw-1:0] tails_q;
  always_ff @(posedge clk_i) begin
    if (whole_i) begin
      tails_q <= tails_q + Cw'({push && word.tail}) - Cw'({pop_i && front.tail});
    end
    if (rst_i) tails_q <= '0;
  end
  assign part_o = front.head && tails_q == '0;

  // Checks: packets arrive head first, tail last, and are not interleaved within a VC.
`ifdef EC_CHECKS
  logic open_q;
  always_ff @(posedge clk_i) begin
    if (push) open_q <= !word.tail;
    if (rst_i) open_q <= 1'b0;
  end
  always @(posedge clk_i) begin
    if (!rst_i && push) begin
      `EC_CHECK(word.head == !open_q, "a head inside a packet, or a body flit outside one")
    end
  end
`endif
  wire unused = &{1'b0, class_out, dateline_i, word};
endmodule

`default_nettype wire
