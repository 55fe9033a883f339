// SPDX-License-Identifier: Apache-2.0
// The pins of a router, chosen by the solver among all legal ones and constant (sections 3.2 and 3.3 of
// docs/ROUTER-CONTRACT.md): any node of any network that the shape can serve, any mode, depth and packet bound.
`default_nettype none

(* ec_environment *) module ec_proof_pins #(
  parameter int Dims = 1,
  parameter int LinksPerDim = 2,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Dynamic = 0,
  parameter int AddressBits = 16
) (
  input  wire                             clk_i,
  output wire  [AddressBits-1:0]          coord_o,
  output wire  [AddressBits*Dims-1:0]     mask_o,
  output wire  [(AddressBits+1)*Dims-1:0] radix_o,
  output wire  [Dims-1:0]                 wrap_o,
  output wire                             dateline_o,
  output wire                             classes_o,
  output wire                             balanced_o,
  output wire                             order_high_o,
  output wire  [1:0]                      switching_o,
  output wire  [15:0]                     depth_o,
  output wire  [15:0]                     packet_o,
  output wire  [15:0]                     need_o,    // credits with which a head starts (section 7)
  output wire  [AddressBits-1:0]          nodes_o    // all address fields
);
  localparam int Cw = $clog2(DepthMax + 1);
  (* anyconst *) logic [AddressBits-1:0] coord;
  (* anyconst *) logic [AddressBits*Dims-1:0] mask;
  (* anyconst *) logic [(AddressBits+1)*Dims-1:0] radix;
  (* anyconst *) logic [Dims-1:0] wrap;
  (* anyconst *) logic dateline, classes, balanced, order_high;
  (* anyconst *) logic [1:0] switching;
  (* anyconst *) logic [Cw-1:0] depth, packet;

  // Fields lie side by side from bit 0 on. A radix r takes ceil(log2 r) bits: r - 1 is in the field and has
  // the highest bit of it.
  logic [AddressBits-1:0] below;
  logic [AddressBits:0] field, unit, size, above;
  logic legal;
  always_comb begin
    legal = 1'b1;
    below = '0;
    for (int d = 0; d < Dims; d++) begin
      if (LinksPerDim == 1) begin
        below[d] = 1'b1;
        if (wrap[d] || mask[AddressBits*d +: AddressBits] != AddressBits'(1) << d) legal = 1'b0;
        if (radix[(AddressBits+1)*d +: AddressBits+1] != (AddressBits + 1)'(2) << d) legal = 1'b0;
      end else begin
        field = {1'b0, mask[AddressBits*d +: AddressBits]};
        unit = {1'b0, below} + 1'b1;
        size = radix[(AddressBits+1)*d +: AddressBits+1];
        above = size - unit;
        if (field == '0) begin
          if (size != '0 || wrap[d]) legal = 1'b0;
        end else begin
          if ((field & {1'b0, below}) != '0) legal = 1'b0;
          if (((field | {1'b0, below}) & ((field | {1'b0, below}) + 1'b1)) != '0) legal = 1'b0;
          if (size <= unit || (above & ~field) != '0 || (above & field & ~(field >> 1)) == '0) legal = 1'b0;
          if (wrap[d] && size <= unit << 1) legal = 1'b0;
          if (({1'b0, coord} & field) >= size) legal = 1'b0;
        end
        below = below | mask[AddressBits*d +: AddressBits];
      end
    end
    if ((coord & ~below) != '0) legal = 1'b0;
    if (switching == 2'd3 || depth == '0 || depth > Cw'(DepthMax) || packet == '0 || packet > depth) legal = 1'b0;
    // A VC number has a bit for each class that it tells.
    if (Vcs == 1 && (dateline || classes)) legal = 1'b0;
    if (Vcs == 2 && dateline && classes) legal = 1'b0;
    if (Dynamic == 0 && classes) legal = 1'b0;
`ifdef EC_NO_BALANCED
    if (balanced) legal = 1'b0;
`endif
  end
  always_comb assume (legal);

  assign coord_o = coord;
  assign mask_o = mask;
  assign radix_o = radix;
  assign wrap_o = wrap;
  assign dateline_o = dateline;
  assign classes_o = classes;
  assign balanced_o = balanced;
  assign order_high_o = order_high;
  assign switching_o = switching;
  assign depth_o = 16'(depth);
  assign packet_o = 16'(packet);
  assign need_o = switching == 2'd0 ? 16'd1 : 16'(packet);
  assign nodes_o = below;
  wire unused = &{1'b0, clk_i};
endmodule

`default_nettype wire
