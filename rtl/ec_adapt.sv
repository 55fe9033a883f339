// SPDX-License-Identifier: Apache-2.0
// Adaptive routing: what the head at the front of one input VC asks for in this cycle.
// docs/ROUTER-CONTRACT.md, section 5.5.
//
// Of the links that lead nearer to its destination, one in each dimension, and that have an open
// adaptive VC, the one with the most room; if none has, the escape VC of dimension order. Timing:
// outputs are functions of the inputs in the same cycle, which are functions of registers.
`default_nettype none

module ec_adapt #(
  parameter int Dims = 3,
  parameter int LinksPerDim = 1,
  parameter int AddressBits = 16,
  parameter int RoomBits = 4,
  localparam int Links = Dims * LinksPerDim,
  localparam int Ports = Links + 1,
  localparam int Pw = $clog2(Ports)
) (
  // Place and mode: constant after reset.
  input  wire  [AddressBits-1:0]      coord_i,
  input  wire  [AddressBits*Dims-1:0] mask_i,
  input  wire  [AddressBits*Dims-1:0] far_i,
  input  wire  [Dims-1:0]             turn_i,
  input  wire  [Dims-1:0]             wrap_i,
  input  wire                         order_high_i,
  // The head, and what the output ports have for its message class.
  input  wire  [AddressBits-1:0]      dst_i,
  input  wire  [Ports-1:0]            open_i,  // an adaptive VC that it could take
  input  wire  [RoomBits*Ports-1:0]   room_i,  // the credits of all adaptive VCs
  output logic [Pw-1:0]               port_o,
  output logic                        adaptive_o,  // one of the adaptive VCs, else the escape VC
  output logic                        class_o      // the dateline class of that
);
  logic [Links-1:0] toward;  // leads nearer
  logic [Dims-1:0] differs, ahead;
  for (genvar d = 0; d < Dims; d++) begin : gen_dim
    if (LinksPerDim == 1) begin : gen_cube
      assign differs[d] = dst_i[d] != coord_i[d];
      assign toward[d] = differs[d];
      assign ahead[d] = 1'b1;
    end else begin : gen_grid
      logic [AddressBits-1:0] there, here, far;
      logic above, near, plus;
      assign there = dst_i & mask_i[AddressBits*d +: AddressBits];
      assign here = coord_i & mask_i[AddressBits*d +: AddressBits];
      assign far = far_i[AddressBits*d +: AddressBits];
      assign differs[d] = there != here;
      // As in ec_route.svh.
      assign above = there > here;
      assign near = there <= far;
      assign plus = (above & near) | (turn_i[d] & (above | near));
      assign toward[2*d] = differs[d] && plus;
      assign toward[2*d + 1] = differs[d] && !plus;
      assign ahead[d] = wrap_i[d] && plus != above;  // the wrap link is
    end
  end

  logic ejects;
  assign ejects = open_i[Links] && differs == '0;
  logic [RoomBits-1:0] most;
  always_comb begin
    port_o = Pw'(Links);
    adaptive_o = ejects;
    class_o = 1'b0;
    most = '0;
    for (int p = 0; p < Links; p++) begin
      if (toward[p] && open_i[p] && (!adaptive_o || room_i[RoomBits*p +: RoomBits] > most
                                     || (order_high_i && room_i[RoomBits*p +: RoomBits] == most))) begin
        port_o = Pw'(p);
        adaptive_o = 1'b1;
        most = room_i[RoomBits*p +: RoomBits];
      end
    end
    // The escape VC of the first dimension.
    for (int p = 0; p < Links; p++) begin
      if (!adaptive_o && toward[p] && (order_high_i || port_o == Pw'(Links))) begin
        port_o = Pw'(p);
        class_o = wrap_i[p / LinksPerDim] && !ahead[p / LinksPerDim];
      end
    end
  end
  wire unused = &{1'b0, coord_i, dst_i, mask_i, far_i, turn_i, wrap_i, room_i};
endmodule

`default_nettype wire
