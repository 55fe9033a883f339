// SPDX-License-Identifier: Apache-2.0
// The function of ec_route.svh as a module, for route_tb.sv.
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
  input  wire  [AddressBits*Dims-1:0]     far_i,
  input  wire  [Dims-1:0]                 turn_i,
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
  assign {class_o, port_o} = route(coord_i, mask_i, far_i, turn_i, wrap_i, first_i, last_i, order_high_i,
                                    dst_i, class_i);
endmodule

`default_nettype wire
