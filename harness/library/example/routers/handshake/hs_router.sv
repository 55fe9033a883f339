// SPDX-License-Identifier: Apache-2.0
// A router with valid/ready on all sides: two dimensions, XY; east, west, north, south, local. A queue at the input,
// and `Slices` registers at the output. With `Throttle` it rests in every third cycle, so that its time is not affine.
// Vectors instead of packed arrays: Yosys 0.23 reads it.
module hs_router #(
  parameter int CoordBits = 8,
  parameter int PayloadBits = 64,
  parameter int Slices = 1,
  parameter bit Throttle = 1'b0,
  localparam int Ports = 5,
  localparam int FlitBits = 2 + 2 * CoordBits + PayloadBits  // first, last, x, y, payload
) (
  input  logic                      clk,
  input  logic                      rst,
  input  logic [CoordBits-1:0]      my_x,
  input  logic [CoordBits-1:0]      my_y,
  input  logic [Ports-1:0]          in_valid,
  output logic [Ports-1:0]          in_ready,
  input  logic [Ports*FlitBits-1:0] in_flit,
  output logic [Ports-1:0]          out_valid,
  input  logic [Ports-1:0]          out_ready,
  output logic [Ports*FlitBits-1:0] out_flit
);
  logic [Ports*FlitBits-1:0] front;
  logic [Ports-1:0] filled, first, last, pop;
  logic [3*Ports-1:0] port;
  logic [Ports*Ports-1:0] choice;  // bit Ports * output + input
  logic [Ports-1:0] room;  // by output

  logic [1:0] phase_q;
  wire rests = Throttle && phase_q == 2'd2;
  always_ff @(posedge clk) phase_q <= rst || phase_q == 2'd2 ? '0 : phase_q + 1'b1;

  for (genvar i = 0; i < Ports; i++) begin : gen_input
    logic [FlitBits-1:0] queue_q[2];
    logic [1:0] put_q, got_q;
    assign filled[i] = put_q != got_q;
    assign in_ready[i] = (put_q - got_q) != 2'd2;
    wire [FlitBits-1:0] flit = queue_q[got_q[0]];
    assign front[FlitBits*i +: FlitBits] = flit;
    logic [CoordBits-1:0] x, y;
    assign {first[i], last[i], x, y} = flit[FlitBits-1:PayloadBits];
    assign port[3*i +: 3] = x > my_x ? 3'd0 : x < my_x ? 3'd1 : y > my_y ? 3'd2 : y < my_y ? 3'd3 : 3'd4;
    always_ff @(posedge clk) begin
      if (in_valid[i] && in_ready[i]) queue_q[put_q[0]] <= in_flit[FlitBits*i +: FlitBits];
      put_q <= rst ? '0 : put_q + 2'(in_valid[i] && in_ready[i]);
      got_q <= rst ? '0 : got_q + 2'(pop[i]);
    end
    always_comb begin
      pop[i] = 1'b0;
      for (int o = 0; o < Ports; o++) pop[i] = pop[i] || (choice[Ports*o+i] && room[o]);
    end
  end

  for (genvar o = 0; o < Ports; o++) begin : gen_output
    logic [Ports-1:0] ask;
    // Between the slices; 0: from the arbiter. No bit of `ready` depends on itself.
    /* verilator lint_off UNOPTFLAT */
    logic [Slices:0] full, ready;
    /* verilator lint_on UNOPTFLAT */
    logic [(Slices+1)*FlitBits-1:0] flit;
    logic [FlitBits-1:0] chosen;
    for (genvar i = 0; i < Ports; i++) begin : gen_ask
      assign ask[i] = filled[i] && port[3*i+:3] == 3'(o) && !rests;
    end
    arbiter #(
      .Inputs(Ports)
    ) u_arbiter (
      .clk_i(clk),
      .rst_i(rst),
      .ask_i(ask),
      .first_i(first),
      .last_i(last),
      .go_i(room[o]),
      .choice_o(choice[Ports*o +: Ports])
    );
    always_comb begin
      chosen = '0;
      for (int i = 0; i < Ports; i++) if (choice[Ports*o+i]) chosen = front[FlitBits*i+:FlitBits];
    end
    assign flit[0 +: FlitBits] = chosen;
    assign full[0] = choice[Ports*o +: Ports] != '0;
    assign room[o] = ready[0];
    for (genvar k = 0; k < Slices; k++) begin : gen_slice
      logic [FlitBits-1:0] flit_q;
      logic full_q;
      assign ready[k] = !full_q || ready[k+1];
      assign full[k+1] = full_q;
      assign flit[FlitBits*(k+1) +: FlitBits] = flit_q;
      always_ff @(posedge clk) begin
        if (ready[k]) flit_q <= flit[FlitBits*k +: FlitBits];
        if (ready[k]) full_q <= full[k];
        if (rst) full_q <= 1'b0;
      end
    end
    assign ready[Slices] = out_ready[o];
    assign out_valid[o] = full[Slices];
    assign out_flit[FlitBits*o +: FlitBits] = flit[FlitBits*Slices +: FlitBits];
  end
endmodule
