// SPDX-License-Identifier: Apache-2.0
// hs_router of the guide with another routing: west first, then adaptive. A head goes west as long as it has to, and
// else takes an output that comes nearer and has room. ADAPTIVE_DEFECT plants a defect; ADAPTIVE_DETOUR lets heads from
// a node leave the column of their destination once. For hs_adapter.
// ADAPTIVE_MODEL is a turn model: 1 west first, 2 negative first, 3 north last, 4 odd-even. There, a head that has made a
// turn which the model forbids has no output left and goes to the local port.
`ifndef ADAPTIVE_DEFECT
`define ADAPTIVE_DEFECT 0
`endif
`ifndef ADAPTIVE_MODEL
`define ADAPTIVE_MODEL 0
`endif
`ifndef ADAPTIVE_DETOUR
`define ADAPTIVE_DETOUR 0
`endif
module hs_router #(
  parameter int CoordBits = 8,
  parameter int PayloadBits = 64,
  parameter int Slices = 1,
  parameter bit Throttle = 1'b0,
  localparam int Ports = 5,
  localparam int Defect = `ADAPTIVE_DEFECT,
  localparam int NoTurns = 1, Lost = 2, Duplicated = 3, Mixed = 4, Wanders = 5, Swapped = 6, Circles = 7, Astray = 8,
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
  logic [Ports-1:0] room, held;  // by output

  logic [1:0] phase_q;
  wire rests = Throttle && phase_q == 2'd2;
  always_ff @(posedge clk) phase_q <= rst || phase_q == 2'd2 ? '0 : phase_q + 1'b1;

  for (genvar i = 0; i < Ports; i++) begin : gen_input
    logic [FlitBits-1:0] queue_q[2];
    logic [1:0] put_q, got_q;
    assign filled[i] = put_q != got_q;
    assign in_ready[i] = (put_q - got_q) != 2'd2;
    // Of two packets of one word the younger one first.
    wire swap = Defect == Swapped && !in_ready[i] && queue_q[0][FlitBits-1-:2] == '1 && queue_q[1][FlitBits-1-:2] == '1;
    always_ff @(posedge clk) if (pop[i] && swap) queue_q[!got_q[0]] <= queue_q[got_q[0]];
    wire [FlitBits-1:0] flit = queue_q[got_q[0] ^ swap];
    assign front[FlitBits*i +: FlitBits] = flit;
    logic [CoordBits-1:0] x, y;
    assign {first[i], last[i], x, y} = flit[FlitBits-1:PayloadBits];
    logic [3:0] near, may;  // the outputs that come nearer, and those of them that the turn model allows
    logic [2:0] choose, port_q;
    assign near = {y < my_y, y > my_y, x < my_x, x > my_x};
    localparam bit East = i == 1, North = i == 3, South = i == 2;  // where heads of this input go
    wire last_east = near[0] && x == my_x + 1'b1 && !x[0];
    always_comb begin
      may = near;
      case (`ADAPTIVE_MODEL)
        1: if (near[1]) may = {3'b000, !North && !South} << 1;
        2: if ((near & 4'b1010) != '0) may = near & (East || North ? 4'b0000 : 4'b1010);
        3: if (near != 4'b0100) may = near & (North ? 4'b0000 : 4'b1011);
        4: begin
          if (East && !my_x[0] || near[1] && my_x[0]) may &= 4'b0011;
          if ((North || South) && my_x[0]) may &= 4'b1101;
          if (last_east && near != 4'b0001) may &= 4'b1100;
        end
        default: if (near[1] && Defect != NoTurns) may = 4'b0010;
      endcase
      choose = may[1] ? 3'd1 : may[0] ? 3'd0 : may[2] ? 3'd2 : may[3] ? 3'd3 : 3'd4;
      for (int o = 0; o < 4; o++) if (may[o] && room[o] && !held[o]) choose = 3'(o);
      if (Defect == Astray && (North || South) && near == 4'b0001) choose = 3'd1;
      if (`ADAPTIVE_DETOUR != 0 && i == 4 && x == my_x && my_x == '0) choose = 3'd0;
      // Round a square of four routers, and never out of it.
      if (Defect == Circles) choose = {1'b0, my_x[0] ^ my_y[0], my_x[0] ? my_x[0] & my_y[0] : my_y[0]};
      if (Defect == Wanders && x == '0 && y == '0) choose = my_x[0] ? 3'd1 : 3'd0;
    end
    assign port[3*i +: 3] = first[i] ? choose : port_q;
    always_ff @(posedge clk) if (pop[i] && first[i]) port_q <= choose;
    // The defects are at the local inputs of the first column.
    wire drop = Defect == Lost && in_flit[FlitBits*(i+1)-1-:2] == '0 && i == 4 && my_x == '0;
    wire body = !first[i] && !last[i] && i == 4 && my_x == '0;
    logic again_q;
    always_ff @(posedge clk) again_q <= !rst && (pop[i] ? !again_q : again_q);
    always_ff @(posedge clk) begin
      if (in_valid[i] && in_ready[i]) queue_q[put_q[0]] <= in_flit[FlitBits*i +: FlitBits];
      put_q <= rst ? '0 : put_q + 2'(in_valid[i] && in_ready[i] && !drop);
      got_q <= rst ? '0 : got_q + 2'(pop[i] && !(Defect == Duplicated && body && !again_q));
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
      .last_i(Defect == Mixed ? '1 : last),
      .go_i(room[o]),
      .choice_o(choice[Ports*o +: Ports])
    );
    always_comb begin
      chosen = '0;
      for (int i = 0; i < Ports; i++) if (choice[Ports*o+i]) chosen = front[FlitBits*i+:FlitBits];
    end
    // Inside a packet.
    always_ff @(posedge clk)
      held[o] <= !rst && (choice[Ports*o +: Ports] & ~({Ports{room[o]}} & last)) != '0 || (held[o] && !rst &&
          choice[Ports*o +: Ports] == '0);
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
