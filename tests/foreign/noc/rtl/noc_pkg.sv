// SPDX-License-Identifier: Apache-2.0
// Types of a 5-port router for 2D meshes.
package noc_pkg;
  localparam int unsigned CoordW = 8;
  localparam int unsigned PayloadW = 64;
  localparam int unsigned Ports = 5;

  typedef enum logic [1:0] {Body = 2'b00, Head = 2'b01, Tail = 2'b10, Single = 2'b11} kind_e;
  typedef enum logic [2:0] {East, West, North, South, Local} port_e;

  typedef struct packed {
    kind_e               kind;
    logic [CoordW-1:0]   x;  // of the destination; only heads are asked
    logic [CoordW-1:0]   y;
    logic [PayloadW-1:0] payload;
  } flit_t;
endpackage
