// SPDX-License-Identifier: Apache-2.0
// The way into one port: for which of its VCs a word is; with three stages also the register of the
// route stage.
//
// Timing: word_o and push_o are functions of link_i in the same cycle; with three stages, of link_i in
// the cycle before.
`default_nettype none

module ec_arrival #(
  parameter int Vcs = 1,
  parameter int Stages = 1,
  parameter int AddressBits = 16,
  parameter int DataBits = 27,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 3 + VcBits + 2 * AddressBits + DataBits
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire  [W-1:0]   link_i,
  // The buffers.
  output logic [Vcs-1:0] push_o,
  output logic [W-1:0]   word_o,
  output logic           busy_o   // a word is in the route stage
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
  assign word_o = word;
  wire unused = &{1'b0, clk_i, rst_i, word};
endmodule

`default_nettype wire
