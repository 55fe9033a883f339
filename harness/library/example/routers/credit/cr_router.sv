// SPDX-License-Identifier: Apache-2.0
// A router as one may find it: two dimensions, XY routing, wormhole, credits that are active low, ports in the
// order local, north, east, south, west, and its place as parameters. y grows to the north.
module cr_router #(
  parameter int unsigned X = 0,
  parameter int unsigned Y = 0,
  parameter int unsigned CoordBits = 5,
  parameter int unsigned PayloadBits = 64,
  parameter int unsigned Depth = 4,
  localparam int unsigned Ports = 5,
  localparam int unsigned FlitBits = 2 + 2 * CoordBits + PayloadBits  // first, last, x, y, payload
) (
  input  logic                           clock,
  input  logic                           reset,
  input  logic [$clog2(Depth):0]         initial_credits,
  input  logic [Ports-1:0]               in_valid,
  input  logic [Ports-1:0][FlitBits-1:0] in_flit,
  output logic [Ports-1:0]               in_credit_n,
  output logic [Ports-1:0]               out_valid,
  output logic [Ports-1:0][FlitBits-1:0] out_flit,
  input  logic [Ports-1:0]               out_credit_n
);
  localparam int unsigned Local = 0, North = 1, East = 2, South = 3, West = 4;
  localparam int unsigned Aw = $clog2(Depth);

  logic [Ports-1:0][FlitBits-1:0] front;
  logic [Ports-1:0] first, last, filled, pop;
  logic [Ports-1:0][Ports-1:0] wants, grant;  // by input: outputs; by output: inputs

  for (genvar i = 0; i < Ports; i++) begin : gen_input
    logic [FlitBits-1:0] queue_q[Depth];
    logic [Aw:0] put_q, got_q;
    logic [CoordBits-1:0] x, y;
    assign filled[i] = put_q != got_q;
    assign front[i] = queue_q[got_q[Aw-1:0]];
    assign {first[i], last[i], x, y} = front[i][FlitBits-1:PayloadBits];
    always_comb begin
      wants[i] = '0;
      if (x != CoordBits'(X)) wants[i][x > CoordBits'(X) ? East : West] = filled[i];
      else if (y != CoordBits'(Y)) wants[i][y > CoordBits'(Y) ? North : South] = filled[i];
      else wants[i][Local] = filled[i];
    end
    always_ff @(posedge clock) begin
      if (in_valid[i]) queue_q[put_q[Aw-1:0]] <= in_flit[i];
      put_q <= reset ? '0 : put_q + (Aw + 1)'(in_valid[i]);
      got_q <= reset ? '0 : got_q + (Aw + 1)'(pop[i]);
    end
    always_comb begin
      pop[i] = 1'b0;
      for (int o = 0; o < Ports; o++) pop[i] |= grant[o][i];
    end
    assign in_credit_n[i] = !pop[i];
  end

  for (genvar o = 0; o < Ports; o++) begin : gen_output
    logic [Ports-1:0] ask, after, holder_q;  // holder_q: the input whose packet is under way
    logic [$clog2(Ports)-1:0] last_q;
    logic [$clog2(Depth):0] credits_q;
    always_comb begin
      for (int i = 0; i < Ports; i++) ask[i] = wants[i][o] && (holder_q == '0 ? first[i] : holder_q[i]);
      after = ask & ~((Ports'(2) << last_q) - 1'b1);  // those behind the last winner come first
      if (after == '0) after = ask;
      grant[o] = credits_q == '0 ? '0 : after & (~after + 1'b1);
      out_flit[o] = '0;
      for (int i = 0; i < Ports; i++) if (grant[o][i]) out_flit[o] = front[i];
    end
    assign out_valid[o] = grant[o] != '0;
    always_ff @(posedge clock) begin
      credits_q <= reset ? initial_credits
          : credits_q - ($clog2(Depth) + 1)'(out_valid[o]) + ($clog2(Depth) + 1)'(!out_credit_n[o]);
      for (int i = 0; i < Ports; i++) if (grant[o][i] && last[i]) last_q <= ($clog2(Ports))'(i);
      if (out_valid[o]) holder_q <= (grant[o] & last) != '0 ? '0 : grant[o];
      if (reset) begin
        holder_q <= '0;
        last_q <= '0;
      end
    end
  end
endmodule
