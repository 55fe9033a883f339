// SPDX-License-Identifier: Apache-2.0
// The way into one port: with three stages the register of the route stage, with Early the route, which
// then goes into the buffer with the word.
//
// Early: one route per port serves all its VCs, and only its result is at the front of a buffer. In the
// cube shape with less than three stages the route is so short that it is made at the front (ec_input.sv).
// Timing: word_o, push_o and note_o are functions of link_i in the same cycle; with three stages, of
// link_i in the cycle before.
`default_nettype none

module ec_arrival #(
  parameter int Dims = 3,
  parameter int LinksPerDim = 1,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int Stages = 1,
  parameter bit Early = 1'b0,
  parameter int AddressBits = 16,
  parameter int DataBits = 27,
  parameter int InPort = 0,
  localparam int Pw = $clog2(Dims * LinksPerDim + Locals),
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 3 + VcBits + 2 * AddressBits + DataBits
) (
  input  wire                            clk_i,
  input  wire                            rst_i,
  // Place and mode: constant after reset.
  input  wire  [AddressBits-1:0]         coord_i,
  input  wire  [AddressBits*Dims-1:0]    mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0] radix_i,
  input  wire  [Dims-1:0]                wrap_i,
  input  wire  [Dims-1:0]                first_i,
  input  wire  [Dims-1:0]                last_i,
  input  wire                            order_high_i,
  input  wire                            dateline_i,
  // The link.
  input  wire  [W-1:0]                   link_i,
  // The buffers.
  output logic [Vcs-1:0]                 push_o,
  output logic [W-1:0]                   word_o,  // with Early, vc is that of the next channel
  output logic [Pw-1:0]                  port_o,  // with Early, the output port
  output logic                           busy_o   // a word is in the route stage
);
  `include "ec_word.svh"
  ec_word_t word;

  if (Stages == 3) begin : gen_stage
    logic [W-1:0] word_q;
    ec_stage #(
      .W(W)
    ) u_stage (
      .clk_i,
      .rst_i,
      .d_i(link_i),
      .q_o(word_q)
    );
    assign word = word_q;
    assign busy_o = word.valid;
  end else begin : gen_direct
    assign word = link_i;
    assign busy_o = 1'b0;
  end

  for (genvar v = 0; v < Vcs; v++) begin : gen_push
    assign push_o[v] = word.valid && (Vcs == 1 || word.vc == VcBits'(v));
  end

  if (Early) begin : gen_route
    logic class_out;
    logic [VcBits-1:0] vc_out;
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
      .dst_i(word.dst),
      .class_i(word.vc[0]),
      .port_o,
      .class_o(class_out)
    );
    // The lane stays; with datelines the lowest bit of a VC is its class.
    assign vc_out = Vcs > 1 && dateline_i ? {word.vc[VcBits-1:1], class_out} : word.vc;
    assign word_o = {word.valid, word.head, word.tail, vc_out, word.dst, word.src, word.data};
  end else begin : gen_no_route
    assign port_o = '0;
    assign word_o = word;
    wire unused = &{1'b0, coord_i, mask_i, radix_i, wrap_i, first_i, last_i, order_high_i, dateline_i};
  end
  wire unused = &{1'b0, clk_i, rst_i, word};
endmodule

`default_nettype wire
