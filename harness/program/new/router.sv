// SPDX-License-Identifier: Apache-2.0
// A router to begin with: put yours in its place. Two dimensions, XY; east, west, north, south, local. Every VC has a queue
// at each input, and a packet stays on its VC.
@valid-ready@// A word moves in a cycle with valid and ready. With several VCs, valid is high only where ready is.
@on-off@// A word may follow two cycles after `on` has fallen.
@credit@// The router starts with `Depth` credits for each VC of an output.
@length@// The first word of a packet has its length, and no word is marked as the last. With several VCs, valid is high only where
@length@// ready is.
module @NAME@_router #(
  parameter int Vcs = @VCS@,
  parameter int CoordBits = 8,
  parameter int PayloadBits = 64,
  parameter int Depth = 4,
  localparam int Ports = 5,
  localparam int Inputs = Ports * Vcs,  // VC v of port p is number p * Vcs + v
@valid-ready,on-off,credit@  localparam int FlitBits = 2 + 2 * CoordBits + PayloadBits  // first, last, x, y, payload
@length@  localparam int FlitBits = 11 + 2 * CoordBits + PayloadBits  // length, x, y, payload
) (
  input  logic                      clk,
  input  logic                      rst,
  input  logic [CoordBits-1:0]      my_x,
  input  logic [CoordBits-1:0]      my_y,
  input  logic [Inputs-1:0]         in_valid,  // at most one VC of a port
  input  logic [Ports*FlitBits-1:0] in_flit,
@valid-ready,length@  output logic [Inputs-1:0]         in_ready,
@on-off@  output logic [Inputs-1:0]         in_on,
@credit@  output logic [Inputs-1:0]         in_credit,
  output logic [Inputs-1:0]         out_valid,
  output logic [Ports*FlitBits-1:0] out_flit,
@valid-ready,length@  input  logic [Inputs-1:0]         out_ready
@on-off@  input  logic [Inputs-1:0]         out_on
@credit@  input  logic [Inputs-1:0]         out_credit
);
  localparam int Aw = $clog2(Depth);
  logic [Inputs*FlitBits-1:0] front;
  logic [Inputs-1:0] filled, first, last, pop;
  logic [3*Inputs-1:0] port;
  logic [Inputs*Ports-1:0] choice;  // bit Ports * (output VC) + input port
  logic [Inputs-1:0] sends;         // by output VC

  for (genvar i = 0; i < Inputs; i++) begin : gen_input
    logic [FlitBits-1:0] queue_q[Depth];
    logic [Aw:0] put_q, got_q;
    wire [FlitBits-1:0] flit = queue_q[got_q[Aw-1:0]];
    wire [CoordBits-1:0] x = flit[PayloadBits+CoordBits +: CoordBits], y = flit[PayloadBits +: CoordBits];
    assign front[FlitBits*i +: FlitBits] = flit;
    assign filled[i] = put_q != got_q;
    assign port[3*i +: 3] = x > my_x ? 3'd0 : x < my_x ? 3'd1 : y > my_y ? 3'd2 : y < my_y ? 3'd3 : 3'd4;
@valid-ready,length@    assign in_ready[i] = put_q - got_q != (Aw + 1)'(Depth);
@valid-ready,length@    wire arrives = in_valid[i] && in_ready[i];
@on-off@    assign in_on[i] = put_q - got_q < (Aw + 1)'(Depth);
@on-off,credit@    wire arrives = in_valid[i];
@credit@    assign in_credit[i] = pop[i];
@valid-ready,on-off,credit@    assign {first[i], last[i]} = flit[FlitBits-1 -: 2];
@length@    logic [10:0] left_q;  // words of the packet in front after this one; 0: it is the first
@length@    wire [10:0] left = first[i] ? flit[FlitBits-1 -: 11] - 1'b1 : left_q - 1'b1;
@length@    assign first[i] = left_q == '0;
@length@    assign last[i] = left == '0;
@length@    always_ff @(posedge clk) left_q <= rst ? '0 : pop[i] ? left : left_q;
    always_comb begin
      pop[i] = 1'b0;
      for (int o = 0; o < Ports; o++)
        pop[i] = pop[i] | (sends[Vcs*o + i % Vcs] & choice[Ports*(Vcs*o + i % Vcs) + i / Vcs]);
    end
    always_ff @(posedge clk) begin
      if (arrives) queue_q[put_q[Aw-1:0]] <= in_flit[FlitBits*(i/Vcs) +: FlitBits];
      put_q <= rst ? '0 : put_q + (Aw + 1)'({arrives});
      got_q <= rst ? '0 : got_q + (Aw + 1)'({pop[i]});
    end
  end

  for (genvar o = 0; o < Ports; o++) begin : gen_output
    logic [Vcs-1:0] has, may, valid;
    logic [FlitBits-1:0] flit;
    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      localparam int Out = Vcs * o + v;
      logic [Ports-1:0] ask, holder_q;  // the input whose packet is under way, or offered
      wire [Ports-1:0] chosen = choice[Ports*Out +: Ports];
      logic ends;
      for (genvar p = 0; p < Ports; p++) begin : gen_ask
        assign ask[p] = filled[Vcs*p + v] && port[3*(Vcs*p + v) +: 3] == 3'(o)
            && (holder_q == '0 ? first[Vcs*p + v] : holder_q[p]);
      end
      ec_turn #(
        .Inputs(Ports)
      ) u_turn (
        .clk_i(clk),
        .rst_i(rst),
        .ask_i(ask),
        .go_i(sends[Out]),
        .choice_o(choice[Ports*Out +: Ports])
      );
      assign has[v] = chosen != '0;
      always_comb begin
        ends = 1'b0;
        for (int p = 0; p < Ports; p++) ends = ends | (chosen[p] & last[Vcs*p + v]);
      end
      always_ff @(posedge clk) begin
        if (has[v]) holder_q <= sends[Out] && ends ? '0 : chosen;
        if (rst) holder_q <= '0;
      end
@credit@      logic [Aw:0] credits_q;
@credit@      assign may[v] = credits_q != '0;
@credit@      always_ff @(posedge clk)
@credit@        credits_q <= rst ? (Aw + 1)'(Depth) : credits_q - (Aw + 1)'({sends[Out]}) + (Aw + 1)'({out_credit[Out]});
    end
@valid-ready,length@    assign may = Vcs == 1 ? '1 : out_ready[Vcs*o +: Vcs];
@on-off@    always_ff @(posedge clk) may <= rst ? '0 : out_on[Vcs*o +: Vcs];

    // A VC for the wires.
    ec_turn #(
      .Inputs(Vcs)
    ) u_vc (
      .clk_i(clk),
      .rst_i(rst),
      .ask_i(has & may),
      .go_i(sends[Vcs*o +: Vcs] != '0),
      .choice_o(valid)
    );
    always_comb begin
      flit = '0;
      for (int i = 0; i < Inputs; i++)
        flit = flit | (front[FlitBits*i +: FlitBits] & {FlitBits{valid[i % Vcs] & choice[Ports*(Vcs*o + i % Vcs) + i / Vcs]}});
    end
@valid-ready,length@    assign sends[Vcs*o +: Vcs] = valid & out_ready[Vcs*o +: Vcs];
@on-off,credit@    assign sends[Vcs*o +: Vcs] = valid;
@valid-ready,length,credit@    assign out_valid[Vcs*o +: Vcs] = valid;
@valid-ready,length,credit@    assign out_flit[FlitBits*o +: FlitBits] = flit;
@on-off@    always_ff @(posedge clk) begin
@on-off@      out_valid[Vcs*o +: Vcs] <= rst ? '0 : valid;
@on-off@      out_flit[FlitBits*o +: FlitBits] <= flit;
@on-off@    end
  end
endmodule
