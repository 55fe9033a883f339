// SPDX-License-Identifier: Apache-2.0
// The routing table of a router: which output port, and which dateline class there, leads to an address.
// docs/ROUTER-CONTRACT.md, section 5.4. Every port of the router reads it, for the word that arrives.
//
// Timing: a row of eight entries is written at an edge with reset high; the ways are functions of the
// addresses in the same cycle, meaningful while reset is low.
`default_nettype none
`include "ec_check.svh"

module ec_table #(
  parameter int Entries = 64,  // one per address: a power of two, 8 or more
  parameter int Ports = 4,     // of the router, at most 64
  parameter int AddressBits = 16,
  localparam int Pw = $clog2(Ports),
  localparam int Rw = $clog2(Entries / 8)
) (
  input  wire                         clk_i,
  input  wire                         rst_i,
  // Configuration: entry e of a row is at [8*e +: 8], {0, class, port in 6 bits}.
  input  wire                         write_i,
  input  wire  [AddressBits-1:0]      row_i,
  input  wire  [63:0]                 entries_i,
  // By input port.
  input  wire  [AddressBits*Ports-1:0] dst_i,
  output logic [(Pw+1)*Ports-1:0]     way_o   // {class, port}
);
  if (Entries < 16 || (Entries & (Entries - 1)) != 0 || $clog2(Entries) > AddressBits) begin : gen_bad_entries
    ec_error_table_must_be_a_power_of_two_within_the_addresses u_error ();
  end

  logic [63:0] rows_q [0:Entries/8-1];
  always_ff @(posedge clk_i) if (rst_i && write_i) rows_q[row_i[Rw-1:0]] <= entries_i;

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [AddressBits-1:0] dst;
    logic [63:0] row;
    logic [7:0] entry;
    assign dst = dst_i[AddressBits*p +: AddressBits];
    assign row = rows_q[dst[Rw+2:3]];
    assign entry = row[{dst[2:0], 3'b000} +: 8];
    assign way_o[(Pw+1)*p +: Pw+1] = {entry[6], entry[Pw-1:0]};
    wire unused = &{1'b0, dst, entry};
  end
  wire unused = &{1'b0, row_i};
endmodule

`default_nettype wire
