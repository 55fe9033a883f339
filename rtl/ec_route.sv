// SPDX-License-Identifier: Apache-2.0
// Route computation, dimension-ordered: which output port and VC class a flit asks for.
//
// Combinational. Everything is compared in place, inside the packed address: a dimension is a mask,
// and its radix is given shifted to the same bits. On wrapped dimensions the way is the shorter one
// round, ties positive; a dimension of radix 2 has one link, number 2d.
//
// One link per dimension (the cube shape): dimension d is address bit d, link d crosses it.
`default_nettype none

module ec_route #(
  parameter int Dims = 3,
  parameter int LinksPerDim = 1,  // 1 or 2
  parameter int Locals = 1,       // 1 or Dims * LinksPerDim
  parameter int AddressBits = 16,
  parameter int InPort = 0,       // the port on which the flit came
  localparam int Links = Dims * LinksPerDim,
  localparam int Pw = $clog2(Links + Locals)
) (
  // The place of the router: constant after reset.
  input  wire  [AddressBits-1:0]          coord_i,
  input  wire  [AddressBits*Dims-1:0]     mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0] radix_i,
  input  wire  [Dims-1:0]                 wrap_i,
  input  wire  [Dims-1:0]                 first_i,  // own coordinate is 0
  input  wire  [Dims-1:0]                 last_i,   // own coordinate is radix - 1
  input  wire                             order_high_i,
  // The flit.
  input  wire  [AddressBits-1:0]          dst_i,
  input  wire                             class_i,  // dateline class in which it came
  output logic [Pw-1:0]                   port_o,
  output logic                            class_o
);
  `include "ec_route.svh"
  assign {class_o, port_o} = route(coord_i, mask_i, radix_i, wrap_i, first_i, last_i, order_high_i,
                                    dst_i, class_i);
endmodule

`default_nettype wire
