// SPDX-License-Identifier: Apache-2.0
// A router with look-ahead routing and valid/ready: each flit says by which port it leaves *this* router, and gets
// the port for the next one on its way out. Two dimensions, XY; east, west, north, south, local. Two stages: a
// queue at the input, a register at the output.
module la_router #(
  parameter int CoordBits = 8,
  parameter int PayloadBits = 64,
  localparam int Ports = 5,
  localparam int FlitBits = 2 + 3 + 2 * CoordBits + PayloadBits  // first, last, port, x, y, payload
) (
  input  logic                           clk,
  input  logic                           rst,
  input  logic [CoordBits-1:0]           my_x,
  input  logic [CoordBits-1:0]           my_y,
  input  logic [Ports-1:0]               in_valid,
  output logic [Ports-1:0]               in_ready,
  input  logic [Ports-1:0][FlitBits-1:0] in_flit,
  output logic [Ports-1:0]               out_valid,
  input  logic [Ports-1:0]               out_ready,
  output logic [Ports-1:0][FlitBits-1:0] out_flit
);
  logic [Ports-1:0][FlitBits-1:0] front;
  logic [Ports-1:0] filled, first, last, pop;
  logic [Ports-1:0][2:0] port;
  logic [Ports-1:0][Ports-1:0] choice;

  // The port of a flit for (x, y) at the router (at_x, at_y).
  function automatic logic [2:0] route(logic [CoordBits-1:0] x, logic [CoordBits-1:0] y,
                                       logic [CoordBits-1:0] at_x, logic [CoordBits-1:0] at_y);
    if (x != at_x) return x > at_x ? 3'd0 : 3'd1;
    if (y != at_y) return y > at_y ? 3'd2 : 3'd3;
    return 3'd4;
  endfunction

  for (genvar i = 0; i < Ports; i++) begin : gen_input
    logic [FlitBits-1:0] queue_q[2];
    logic [1:0] put_q, got_q;
    assign filled[i] = put_q != got_q;
    assign in_ready[i] = (put_q - got_q) != 2'd2;
    assign front[i] = queue_q[got_q[0]];
    assign {first[i], last[i], port[i]} = front[i][FlitBits-1 -: 5];
    always_ff @(posedge clk) begin
      if (in_valid[i] && in_ready[i]) queue_q[put_q[0]] <= in_flit[i];
      put_q <= rst ? '0 : put_q + 2'(in_valid[i] && in_ready[i]);
      got_q <= rst ? '0 : got_q + 2'(pop[i]);
    end
    always_comb begin
      pop[i] = 1'b0;
      for (int o = 0; o < Ports; o++) pop[i] |= choice[o][i] && (!out_valid[o] || out_ready[o]);
    end
  end

  for (genvar o = 0; o < Ports; o++) begin : gen_output
    localparam int East = 0, West = 1, North = 2, South = 3;
    logic [Ports-1:0] ask;
    logic [FlitBits-1:0] flit, flit_q;
    logic [CoordBits-1:0] x, y;
    logic full_q;
    wire room = !full_q || out_ready[o];
    for (genvar i = 0; i < Ports; i++) begin : gen_ask
      assign ask[i] = filled[i] && port[i] == 3'(o);
    end
    arbiter #(
      .Inputs(Ports)
    ) u_arbiter (
      .clk_i(clk),
      .rst_i(rst),
      .ask_i(ask),
      .first_i(first),
      .last_i(last),
      .go_i(room),
      .choice_o(choice[o])
    );
    always_comb begin
      flit = '0;
      for (int i = 0; i < Ports; i++) if (choice[o][i]) flit = front[i];
      {x, y} = flit[PayloadBits +: 2 * CoordBits];
      // The look-ahead: the port at the neighbour to which the flit goes.
      flit[PayloadBits + 2 * CoordBits +: 3] = route(x, y, my_x + CoordBits'(o == East) - CoordBits'(o == West),
                                                     my_y + CoordBits'(o == North) - CoordBits'(o == South));
    end
    assign out_valid[o] = full_q;
    assign out_flit[o] = flit_q;
    always_ff @(posedge clk) begin
      if (room) flit_q <= flit;
      if (room) full_q <= choice[o] != '0;
      if (rst) full_q <= 1'b0;
    end
  end
endmodule
