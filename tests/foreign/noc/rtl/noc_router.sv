// SPDX-License-Identifier: Apache-2.0
// Input-queued wormhole router for 2D meshes: XY routing, a matrix arbiter and a register behind every
// output, valid/ready on all sides, asynchronous reset. Body flits follow the route of their head.
`include "noc_defines.svh"

module noc_router
  import noc_pkg::*;
#(
  parameter int unsigned QueueDepth = 3
) (
  input  logic              clk,
  input  logic              rst_n,
  input  logic [CoordW-1:0] my_x,
  input  logic [CoordW-1:0] my_y,
  input  flit_t             in_flit  [Ports],
  input  logic              in_valid [Ports],
  output logic              in_ready [Ports],
  output flit_t             out_flit [Ports],
  output logic              out_valid[Ports],
  input  logic              out_ready[Ports]
);
  flit_t front[Ports];
  port_e route[Ports];
  logic [Ports-1:0] empty, full, pop;
  logic [Ports-1:0][Ports-1:0] take;  // by output: the input whose flit it takes

  for (genvar i = 0; i < Ports; i++) begin : gen_in
    port_e head_route, held_route;
    noc_fifo #(
      .Depth(QueueDepth),
      .T(flit_t)
    ) queue (
      .clk,
      .rst_n,
      .push(in_valid[i] && in_ready[i]),
      .wdata(in_flit[i]),
      .full(full[i]),
      .pop(pop[i]),
      .rdata(front[i]),
      .empty(empty[i])
    );
    assign in_ready[i] = !full[i];

    always_comb begin
      if (front[i].x > my_x) head_route = East;
      else if (front[i].x < my_x) head_route = West;
      else if (front[i].y > my_y) head_route = North;
      else if (front[i].y < my_y) head_route = South;
      else head_route = Local;
    end
    always_ff @(posedge clk) if (pop[i] && `NOC_IS_FIRST(front[i].kind)) held_route <= head_route;
    assign route[i] = `NOC_IS_FIRST(front[i].kind) ? head_route : held_route;
  end

  for (genvar o = 0; o < Ports; o++) begin : gen_out
    logic [Ports-1:0] heads, winner, owner;
    logic busy, room;
    flit_t chosen;

    assign room = !out_valid[o] || out_ready[o];
    always_comb
      for (int i = 0; i < Ports; i++)
        heads[i] = !empty[i] && route[i] == port_e'(o) && `NOC_IS_FIRST(front[i].kind);
    noc_matrix_arbiter #(
      .N(Ports)
    ) arbiter (
      .clk,
      .rst_n,
      .request(heads),
      .advance(room && !busy && heads != '0),
      .grant(winner)
    );
    assign take[o] = !room ? '0 : busy ? owner & ~empty : winner;

    always_comb begin
      chosen = flit_t'('0);
      for (int i = 0; i < Ports; i++) if (take[o][i]) chosen = front[i];
    end
    always_ff @(posedge clk or negedge rst_n) begin
      if (!rst_n) begin
        out_valid[o] <= 1'b0;
        busy <= 1'b0;
      end else begin
        if (room) out_valid[o] <= take[o] != '0;
        if (take[o] != '0) begin
          out_flit[o] <= chosen;
          owner <= take[o];
          busy <= `NOC_GOES_ON(chosen.kind);
        end
      end
    end
  end

  always_comb begin
    pop = '0;
    for (int o = 0; o < Ports; o++) pop |= take[o];
  end
endmodule
