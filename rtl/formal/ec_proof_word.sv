// SPDX-License-Identifier: Apache-2.0
// May this word come by this port, and where must it leave? Sections 3 to 5 of docs/ROUTER-CONTRACT.md for one
// word at one input port. Combinational.
`default_nettype none

module ec_proof_word #(
  parameter int Dims = 1,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int AddressBits = 16,
  parameter int Port = 0,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int H = 2 + VcBits + 2 * AddressBits,
  localparam int Links = Dims * LinksPerDim,
  localparam int Dim = Port < Links ? Port / LinksPerDim : 0,
  localparam bit Minus = Port < Links && LinksPerDim == 2 && Port % 2 == 1
) (
  input  wire  [AddressBits-1:0]          coord_i,
  input  wire  [AddressBits*Dims-1:0]     mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0] radix_i,
  input  wire  [Dims-1:0]                 wrap_i,
  input  wire  [AddressBits-1:0]          nodes_i,
  input  wire                             dateline_i,
  input  wire                             order_high_i,
  input  wire  [H-1:0]                    word_i,   // head, tail, vc, dst, src
  output logic                            legal_o,
  output logic [5:0]                      port_o,   // where it must leave
  output logic                            class_o   // the dateline class there
);
  logic [VcBits-1:0] vc;
  logic [AddressBits-1:0] dst, src;
  assign {vc, dst, src} = word_i[H-3:0];

  logic exists;
  always_comb begin
    exists = ((dst | src) & ~nodes_i) == '0 && 32'(vc) < Vcs;
    for (int d = 0; d < Dims; d++) begin
      if (LinksPerDim == 2 && mask_i[AddressBits*d +: AddressBits] != '0
          && {1'b0, dst & mask_i[AddressBits*d +: AddressBits]} >= radix_i[(AddressBits+1)*d +: AddressBits+1])
        exists = 1'b0;
    end
  end

  // The way on from here.
  logic home, plus, wraps;
  logic [4:0] dim;
  ec_proof_step #(.Dims(Dims), .LinksPerDim(LinksPerDim), .AddressBits(AddressBits)) u_here (
    .node_i(coord_i), .dst_i(dst), .mask_i, .radix_i, .wrap_i, .order_high_i,
    .home_o(home), .dim_o(dim), .plus_o(plus), .wraps_o(wraps)
  );
  assign port_o = home ? (Locals == 1 ? 6'(Links) : Port < Links ? 6'(Links + Port) : 6'(Port))
                       : (LinksPerDim == 1 ? {1'b0, dim} : {dim, !plus});
  assign class_o = !home && LinksPerDim == 2 && (wraps || (Port < Links && dim == 5'(Dim) && vc[0]));

  // The way to here.
  if (Port >= Links) begin : gen_local
    localparam int Local = Port - Links;
    assign legal_o = exists && !home && !(dateline_i && vc[0]) && (Locals == 1 || port_o == 6'(Local));
  end else begin : gen_link
    logic [AddressBits-1:0] from;
    logic connected, away, up, round, far, crossed, two;
    logic [4:0] by;
    ec_proof_step #(.Dims(Dims), .LinksPerDim(LinksPerDim), .AddressBits(AddressBits)) u_there (
      .node_i(from), .dst_i(dst), .mask_i, .radix_i, .wrap_i, .order_high_i,
      .home_o(away), .dim_o(by), .plus_o(up), .wraps_o(round)
    );
    if (LinksPerDim == 1) begin : gen_cube
      assign from = coord_i ^ (AddressBits'(1) << Dim);
      assign {connected, two, crossed} = 3'b110;
    end else begin : gen_grid
      logic [AddressBits:0] mask, unit, radix, here, there, last, neighbour;
      assign mask = {1'b0, mask_i[AddressBits*Dim +: AddressBits]};
      assign unit = mask & (~mask + 1'b1);
      assign radix = radix_i[(AddressBits+1)*Dim +: AddressBits+1];
      assign here = {1'b0, coord_i} & mask;
      assign there = {1'b0, dst} & mask;
      assign last = radix - unit;
      assign two = radix == unit << 1;
      assign neighbour = two ? here ^ unit : Minus ? (here == '0 ? last : here - unit)
                                                   : (here == last ? '0 : here + unit);
      assign from = AddressBits'(({1'b0, coord_i} & ~mask) | neighbour);
      assign connected = mask != '0 && !(two && Minus) && (two || wrap_i[Dim] || here != (Minus ? '0 : last));
      // It may have crossed the wrap link on its way.
      assign crossed = wrap_i[Dim] && (Minus ? here <= there && {1'b0, there + unit} << 1 <= {1'b0, radix}
                                            : here >= there && {1'b0, there} << 1 > {1'b0, radix});
    end
    assign far = away || by != 5'(Dim) || (!two && up != Minus);
    assign legal_o = exists && connected && !far && (!dateline_i || (vc[0] ? round || crossed : !round));
  end
endmodule

`default_nettype wire
