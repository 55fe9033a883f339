// SPDX-License-Identifier: Apache-2.0
// Shortest paths from one node to another (section 12.2 of docs/ROUTER-CONTRACT.md): how far it is in each
// dimension, and which links of the first node come nearer. Combinational; written from the contract alone.
`default_nettype none

(* ec_environment *) module ec_proof_near #(
  parameter int Dims = 1,
  parameter int LinksPerDim = 2,
  parameter int AddressBits = 16,
  localparam int Bits = AddressBits + 2
) (
  input  wire  [AddressBits-1:0]          node_i,
  input  wire  [AddressBits-1:0]          dst_i,
  input  wire  [AddressBits*Dims-1:0]     mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0] radix_i,
  input  wire  [Dims-1:0]                 wrap_i,
  output logic [Bits*Dims-1:0]            far_o,   // hops, multiplied by the unit of the dimension's field
  output logic [Dims*LinksPerDim-1:0]     nearer_o
);
  for (genvar d = 0; d < Dims; d++) begin : gen_dim
    if (LinksPerDim == 1) begin : gen_cube
      assign nearer_o[d] = node_i[d] != dst_i[d];
      assign far_o[Bits*d +: Bits] = Bits'(nearer_o[d]);
    end else begin : gen_grid
      // Coordinates and radix in place, that is, all multiplied by the unit of the field.
      logic [Bits-1:0] mask, radix, here, there, up, down;
      assign mask = {2'b00, mask_i[AddressBits*d +: AddressBits]};
      assign radix = {1'b0, radix_i[(AddressBits+1)*d +: AddressBits+1]};
      assign here = {2'b00, node_i} & mask;
      assign there = {2'b00, dst_i} & mask;
      wire above = there > here;
      wire two = radix == (mask & (~mask + 1'b1)) << 1;
      always_comb begin
        up = above ? there - here : there + radix - here;
        down = above ? here + radix - there : here - there;
        if (here == there) nearer_o[2*d +: 2] = 2'b00;
        else if (two) nearer_o[2*d +: 2] = 2'b01;
        else if (!wrap_i[d]) nearer_o[2*d +: 2] = {!above, above};
        else nearer_o[2*d +: 2] = {down <= up, up <= down};
        if (here == there) far_o[Bits*d +: Bits] = '0;
        else if (wrap_i[d] ? up <= down : above) far_o[Bits*d +: Bits] = up;
        else far_o[Bits*d +: Bits] = down;
      end
    end
  end
endmodule

`default_nettype wire
