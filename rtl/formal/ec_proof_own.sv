// SPDX-License-Identifier: Apache-2.0
// What one word asks for, by the router's own function (ec_route.svh) and its own registers. With EC_EQUAL it stands
// where else ec_proof_route does: a copy of the router is compared with it, so that nothing is lost if both are
// wrong, and the solver sees the same gates twice instead of two forms of a route that it would have to prove equal.
`default_nettype none
`ifdef EC_EQUAL

(* ec_environment *) module ec_proof_own #(
  parameter int Dims = 1,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int AddressBits = 16,
  parameter int InPort = 0,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int Pw = $clog2(Dims * LinksPerDim + Locals)
) (
  // Of the router: ec_router.sv says what they are.
  input  wire  [AddressBits-1:0]      coord_i,
  input  wire  [AddressBits*Dims-1:0] mask_i,
  input  wire  [AddressBits*Dims-1:0] far_i,
  input  wire  [Dims-1:0]             turn_i,
  input  wire  [Dims-1:0]             wrap_i,
  input  wire  [Dims-1:0]             first_i,
  input  wire  [Dims-1:0]             last_i,
  input  wire                         order_high_i,
  input  wire                         dateline_i,
  input  wire  [AddressBits-1:0]      dst_i,
  input  wire  [VcBits-1:0]           vc_i,
  output wire  [5:0]                  port_o,
  output wire  [VcBits-1:0]           vc_o
);
  `include "ec_route.svh"
  wire [Pw:0] way = route(coord_i, mask_i, far_i, turn_i, wrap_i, first_i, last_i, order_high_i, dst_i, vc_i[0]);
  assign port_o = 6'(way[Pw-1:0]);
  assign vc_o = Vcs == 1 || !dateline_i ? vc_i : {vc_i[VcBits-1:1], way[Pw]};
endmodule

`endif
`default_nettype wire
