// SPDX-License-Identifier: Apache-2.0
// A router with virtual channels that it allocates itself, one step before the switch: two dimensions, XY; east, west,
// north, south, local. A head takes the next free VC of its output in one cycle, in turn, and asks for the switch from
// the next cycle on. The switch is separable: each input chooses a VC, then each output an input. A pointer moves only
// if its choice leaves; else a VC that always loses would starve. Credits come and go one per port and cycle, by number.
module vc_router #(
  parameter int Vcs = 2,
  parameter int CoordBits = 8,
  parameter int PayloadBits = 64,
  parameter int Depth = 4,
  localparam int Ports = 5,
  localparam int VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int FlitBits = 2 + 2 * CoordBits + PayloadBits  // first, last, x, y, payload
) (
  input  logic                           clk,
  input  logic                           rst,
  input  logic [CoordBits-1:0]           my_x,
  input  logic [CoordBits-1:0]           my_y,
  input  logic [$clog2(Depth):0]         credits,  // of each VC of each output, after a reset
  input  logic [Ports-1:0]               in_valid,
  input  logic [Ports-1:0][VcBits-1:0]   in_vc,
  input  logic [Ports-1:0][FlitBits-1:0] in_flit,
  output logic [Ports-1:0]               in_credit,
  output logic [Ports-1:0][VcBits-1:0]   in_credit_vc,
  output logic [Ports-1:0]               out_valid,
  output logic [Ports-1:0][VcBits-1:0]   out_vc,
  output logic [Ports-1:0][FlitBits-1:0] out_flit,
  input  logic [Ports-1:0]               out_credit,
  input  logic [Ports-1:0][VcBits-1:0]   out_credit_vc
);
  localparam int Aw = $clog2(Depth), Inputs = Ports * Vcs;  // input VC: port * Vcs + VC

  logic [Inputs-1:0] filled, first, last, asks_vc, active_q, pop;
  logic [Inputs-1:0][2:0] port;                 // output that the packet in front goes to
  logic [Inputs-1:0][VcBits-1:0] vc_q;          // of that output; if active
  logic [Inputs-1:0][FlitBits-1:0] front;
  logic [Ports-1:0][Inputs-1:0] vc_choice;      // by output
  logic [Ports-1:0][VcBits-1:0] vc_next;        // the free VC that the choice takes
  logic [Ports-1:0][Vcs-1:0] has_credit;
  logic [Ports-1:0][Vcs-1:0] vc_pick;           // by input: the VC that asks for the switch
  logic [Ports-1:0][Ports-1:0] switch_ask, switch_choice;  // by output: inputs

  for (genvar i = 0; i < Inputs; i++) begin : gen_input
    localparam int P = i / Vcs, V = i % Vcs;
    logic [FlitBits-1:0] queue_q[Depth];
    logic [Aw:0] put_q, got_q;
    logic [CoordBits-1:0] x, y;
    logic taken;
    wire arrives = in_valid[P] && in_vc[P] == VcBits'(V);
    assign filled[i] = put_q != got_q;
    assign front[i] = queue_q[got_q[Aw-1:0]];
    assign {first[i], last[i], x, y} = front[i][FlitBits-1:PayloadBits];
    assign port[i] = x > my_x ? 3'd0 : x < my_x ? 3'd1 : y > my_y ? 3'd2 : y < my_y ? 3'd3 : 3'd4;
    assign asks_vc[i] = filled[i] && first[i] && !active_q[i];
    always_comb begin
      taken = 1'b0;
      pop[i] = 1'b0;
      for (int o = 0; o < Ports; o++) begin
        taken |= vc_choice[o][i];
        pop[i] |= vc_pick[P][V] && switch_choice[o][P];
      end
    end
    always_ff @(posedge clk) begin
      if (arrives) queue_q[put_q[Aw-1:0]] <= in_flit[P];
      put_q <= rst ? '0 : put_q + (Aw + 1)'(arrives);
      got_q <= rst ? '0 : got_q + (Aw + 1)'(pop[i]);
      active_q[i] <= !rst && (taken || (active_q[i] && !(pop[i] && last[i])));
      if (taken) vc_q[i] <= vc_next[port[i]];
    end
  end

  // One VC of each input asks for the switch.
  for (genvar p = 0; p < Ports; p++) begin : gen_choose
    logic [Vcs-1:0] ask;
    wire leaves = (vc_pick[p] & pop[p*Vcs +: Vcs]) != '0;
    for (genvar v = 0; v < Vcs; v++) begin : gen_ask
      assign ask[v] = filled[p*Vcs + v] && active_q[p*Vcs + v] && has_credit[port[p*Vcs + v]][vc_q[p*Vcs + v]];
    end
    ec_turn #(
      .Inputs(Vcs)
    ) u_turn (
      .clk_i(clk),
      .rst_i(rst),
      .ask_i(ask),
      .go_i(leaves),
      .choice_o(vc_pick[p])
    );
    always_comb begin
      for (int o = 0; o < Ports; o++) begin
        switch_ask[o][p] = 1'b0;
        for (int v = 0; v < Vcs; v++) if (vc_pick[p][v] && port[p*Vcs + v] == 3'(o)) switch_ask[o][p] = 1'b1;
      end
    end
    always_ff @(posedge clk) begin
      in_credit[p] <= !rst && leaves;
      in_credit_vc[p] <= '0;
      for (int v = 0; v < Vcs; v++) if (vc_pick[p][v]) in_credit_vc[p] <= VcBits'(v);
    end
  end

  for (genvar o = 0; o < Ports; o++) begin : gen_output
    logic [Vcs-1:0] held_q, turn;
    logic [Inputs-1:0] ask;
    logic [FlitBits-1:0] flit;
    logic [VcBits-1:0] vc;
    logic ends;
    wire takes = vc_choice[o] != '0, leaves = switch_choice[o] != '0;

    // A VC for a head: a head of all inputs, and a free VC, both in turn.
    for (genvar i = 0; i < Inputs; i++) begin : gen_ask
      assign ask[i] = asks_vc[i] && port[i] == 3'(o) && held_q != '1;
    end
    ec_turn #(
      .Inputs(Inputs)
    ) u_head (
      .clk_i(clk),
      .rst_i(rst),
      .ask_i(ask),
      .go_i(takes),
      .choice_o(vc_choice[o])
    );
    ec_turn #(
      .Inputs(Vcs)
    ) u_free (
      .clk_i(clk),
      .rst_i(rst),
      .ask_i(~held_q),
      .go_i(takes),
      .choice_o(turn)
    );
    always_comb begin
      vc_next[o] = '0;
      for (int v = 0; v < Vcs; v++) if (turn[v]) vc_next[o] = VcBits'(v);
    end

    // The switch, and a register behind it.
    ec_turn #(
      .Inputs(Ports)
    ) u_switch (
      .clk_i(clk),
      .rst_i(rst),
      .ask_i(switch_ask[o]),
      .go_i(leaves),
      .choice_o(switch_choice[o])
    );
    always_comb begin
      flit = '0;
      vc = '0;
      ends = 1'b0;
      for (int i = 0; i < Inputs; i++) begin
        if (switch_choice[o][i / Vcs] && vc_pick[i / Vcs][i % Vcs]) begin
          flit = front[i];
          vc = vc_q[i];
          ends = last[i];
        end
      end
    end
    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      logic [Aw:0] credits_q;
      assign has_credit[o][v] = credits_q != '0;
      always_ff @(posedge clk) begin
        credits_q <= rst ? credits : credits_q - (Aw + 1)'(leaves && vc == VcBits'(v))
                                               + (Aw + 1)'(out_credit[o] && out_credit_vc[o] == VcBits'(v));
        held_q[v] <= !rst && ((takes && turn[v]) || (held_q[v] && !(leaves && ends && vc == VcBits'(v))));
      end
    end
    always_ff @(posedge clk) begin
      out_valid[o] <= !rst && leaves;
      out_vc[o] <= vc;
      out_flit[o] <= flit;
    end
  end
endmodule
