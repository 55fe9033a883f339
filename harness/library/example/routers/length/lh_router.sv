// SPDX-License-Identifier: Apache-2.0
// A router whose packets say how long they are: the first flit has the length, and no flit is marked as the last.
// valid/ready, two dimensions, XY; east, west, north, south, local. A register at the output.
module lh_router #(
  parameter int CoordBits = 8,
  parameter int LengthBits = 11,
  parameter int PayloadBits = 64,
  localparam int Ports = 5,
  localparam int FlitBits = LengthBits + 2 * CoordBits + PayloadBits  // length, x, y: of the first flit only
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

  for (genvar i = 0; i < Ports; i++) begin : gen_input
    logic [FlitBits-1:0] queue_q[2];
    logic [1:0] put_q, got_q;
    logic [LengthBits-1:0] left_q, length;  // left_q: flits of the packet that are still to come; 0: none is under way
    logic [CoordBits-1:0] x, y;
    logic [2:0] port_q;
    assign filled[i] = put_q != got_q;
    assign in_ready[i] = (put_q - got_q) != 2'd2;
    assign front[i] = queue_q[got_q[0]];
    assign {length, x, y} = front[i][FlitBits-1:PayloadBits];
    assign first[i] = left_q == '0;
    assign last[i] = first[i] ? length == LengthBits'(1) : left_q == LengthBits'(1);
    assign port[i] = !first[i] ? port_q : x > my_x ? 3'd0 : x < my_x ? 3'd1 : y > my_y ? 3'd2 : y < my_y ? 3'd3 : 3'd4;
    always_ff @(posedge clk) begin
      if (in_valid[i] && in_ready[i]) queue_q[put_q[0]] <= in_flit[i];
      if (pop[i]) left_q <= (first[i] ? length : left_q) - 1'b1;
      if (pop[i]) port_q <= port[i];
      put_q <= rst ? '0 : put_q + 2'(in_valid[i] && in_ready[i]);
      got_q <= rst ? '0 : got_q + 2'(pop[i]);
      if (rst) left_q <= '0;
    end
    always_comb begin
      pop[i] = 1'b0;
      for (int o = 0; o < Ports; o++) pop[i] |= choice[o][i] && (!out_valid[o] || out_ready[o]);
    end
  end

  for (genvar o = 0; o < Ports; o++) begin : gen_output
    logic [Ports-1:0] ask;
    logic [FlitBits-1:0] flit, flit_q;
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
