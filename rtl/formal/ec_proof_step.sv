// SPDX-License-Identifier: Apache-2.0
// The route of one word at one node, as sections 5.1 and 5.2 of docs/ROUTER-CONTRACT.md state it: the
// dimension, the direction, and whether that link is the wrap link. Combinational.
//
// Written from the contract alone. It shares no code with the router, so that proofs compare two sources.
`default_nettype none

(* ec_environment *) module ec_proof_step #(
  parameter int Dims = 1,
  parameter int LinksPerDim = 2,
  parameter int AddressBits = 16
) (
  input  wire  [AddressBits-1:0]          node_i,  // where the word is
  input  wire  [AddressBits-1:0]          dst_i,
  input  wire  [AddressBits*Dims-1:0]     mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0] radix_i,
  input  wire  [Dims-1:0]                 wrap_i,
  input  wire                             balanced_i,
  input  wire                             order_high_i,
  output logic                            home_o,  // at the destination; the rest has no meaning
  output logic [4:0]                      dim_o,
  output logic                            plus_o,  // link 2 * dim; in the cube shape link dim
  output logic                            wraps_o, // the wrap link of a ring
  output logic                            past_o,  // of a ring whose wrap link is not on the way
  output logic [Dims*LinksPerDim-1:0]     toward_o // the links of all dimensions that differ
);
  logic [Dims-1:0] differs, plus, wraps, past;

  for (genvar d = 0; d < Dims; d++) begin : gen_dim
    if (LinksPerDim == 1) begin : gen_cube
      assign differs[d] = node_i[d] != dst_i[d];
      assign plus[d] = 1'b1;
      assign wraps[d] = 1'b0;
      assign past[d] = 1'b0;
      assign toward_o[d] = differs[d];
    end else begin : gen_grid
      // Coordinates and radix in place, that is, all multiplied by the unit of the field.
      logic [AddressBits+1:0] mask, unit, radix, here, there, up;
      assign mask = {2'b00, mask_i[AddressBits*d +: AddressBits]};
      assign unit = mask & (~mask + 1'b1);
      assign radix = {1'b0, radix_i[(AddressBits+1)*d +: AddressBits+1]};
      assign here = {2'b00, node_i} & mask;
      assign there = {2'b00, dst_i} & mask;
      assign up = there >= here ? there - here : there + radix - here;
      assign differs[d] = here != there;
      always_comb begin
        if (radix == unit << 1) plus[d] = 1'b1;
        else if (!wrap_i[d]) plus[d] = there > here;
        else if (up << 1 == radix) plus[d] = !(balanced_i && (here & unit) != '0);
        else plus[d] = up << 1 < radix;
      end
      assign wraps[d] = wrap_i[d] && here == (plus[d] ? radix - unit : '0);
      assign past[d] = wrap_i[d] && (plus[d] ? there > here : there < here);
      assign toward_o[2*d +: 2] = {differs[d] && !plus[d], differs[d] && plus[d]};
    end
  end

  assign home_o = differs == '0;
  always_comb begin
    dim_o = '0;
    plus_o = 1'b0;
    wraps_o = 1'b0;
    past_o = 1'b0;
    // Later assignments win: the most urgent dimension comes last.
    for (int k = 0; k < Dims; k++) begin
      if (order_high_i ? differs[k] : differs[Dims-1-k]) begin
        dim_o = order_high_i ? 5'(k) : 5'(Dims - 1 - k);
        plus_o = order_high_i ? plus[k] : plus[Dims-1-k];
        wraps_o = order_high_i ? wraps[k] : wraps[Dims-1-k];
        past_o = order_high_i ? past[k] : past[Dims-1-k];
      end
    end
  end
endmodule

`default_nettype wire
