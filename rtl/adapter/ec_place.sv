// SPDX-License-Identifier: Apache-2.0
// The place of a router, and the destinations of words, as coordinates of `CoordBits` bits: dimension d of word k is at
// `at_o[CoordBits*(Dims*k + d) +: CoordBits]`. The pins are kept from the last cycle of the reset on.
//
// Relative: the same place everywhere, the middle, with each destination relative to it. So the coordinates need a bit
// more than those of the network, except with Wraps, in a router for full rings of 2^CoordBits nodes: there, differences
// wrap like the ring. (Its adapter says that it serves only these.)
`default_nettype none

module ec_place #(
  parameter int Dims = 2,
  parameter int Vcs = 1,
  parameter int CoordBits = 8,
  parameter int Words = 2 * Dims + 1,
  parameter bit Relative = 1'b0,
  parameter bit Wraps = 1'b0,
  localparam int Place = CoordBits * Dims
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire  [15:0]            coord_i,
  input  wire  [16*Dims-1:0]     mask_i,
  input  wire  [64*Words-1:0]    word_i,
  output logic [Place-1:0]       own_o,
  output logic [Place*Words-1:0] at_o
);
  localparam int DstLow = Vcs == 8 ? 42 : 43;
  localparam int Middle = 1 << (CoordBits - 1);
  logic [15:0] coord_q;
  logic [16*Dims-1:0] mask_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      coord_q <= coord_i;
      mask_q <= mask_i;
    end
  end

  for (genvar d = 0; d < Dims; d++) begin : gen_dim
    wire [15:0] mask = mask_q[16*d +: 16];
    wire [15:0] below = mask & (~mask + 1'b1);  // the lowest bit of the field
    wire [3:0] shift = 4'($countones(below - 1'b1));  // without a field there is nothing to shift
    wire [15:0] own = (coord_q & mask) >> shift;
    assign own_o[CoordBits*d +: CoordBits] = CoordBits'(Relative ? 16'(Middle) : own);
    for (genvar k = 0; k < Words; k++) begin : gen_word
      wire [15:0] at = (word_i[64*k + DstLow +: 16] & mask) >> shift;
      assign at_o[Place*k + CoordBits*d +: CoordBits] = CoordBits'(Relative ? at - own + 16'(Middle) : at);
    end
    wire unused = &{1'b0, word_i, own, Wraps};
  end
endmodule

`default_nettype wire
