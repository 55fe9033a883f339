// SPDX-License-Identifier: Apache-2.0
// Routers that misbehave as programs: ec_router plus statements that no router should have. One router (3) executes
// them in one cycle, or from there on.
//
// `hostile` chooses by its packet bound (--packet), which wormhole switching does not read, so that one compilation
// serves all cases: the lower four bits say what happens, the next one when, in cycle 12 or 500. The trial of a router
// before a run is 400 cycles long. `hostile_finish` needs no choice. `properties` has concurrent properties, true ones
// and one that the packet bound chooses; its initial block refuses it for larger bounds.
`default_nettype none

`define HOSTILE(NAME, STATEMENTS) \
module NAME #( \
  parameter int Dims = 3, parameter int LinksPerDim = 1, parameter int Locals = 1, parameter int Vcs = 1, \
  parameter int DepthMax = 4, \
  localparam int Ports = Dims * LinksPerDim + Locals, localparam int Bufs = Ports * Vcs \
) ( \
  input wire clk_i, input wire rst_i, input wire [15:0] coord_i, input wire [16*Dims-1:0] mask_i, \
  input wire [17*Dims-1:0] radix_i, input wire [Dims-1:0] wrap_i, input wire dateline_i, input wire order_high_i, \
  input wire [1:0] switching_i, input wire [15:0] depth_i, input wire [15:0] packet_i, \
  input wire [64*Ports-1:0] link_i, input wire [Bufs-1:0] credit_i, \
  output logic [64*Ports-1:0] link_o, output logic [Bufs-1:0] credit_o, \
  output logic [Bufs-1:0] contended_o, output logic [Bufs-1:0] starved_o, output logic [8*Bufs-1:0] want_o, \
  output logic quiet_o \
); \
  ec_router #(.Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax)) u_router ( \
    .clk_i, .rst_i, .coord_i, .mask_i, .radix_i, .wrap_i, .dateline_i, .order_high_i, .switching_i, .depth_i, \
    .packet_i, .link_i, .credit_i, .link_o, .credit_o, .contended_o, .starved_o, .want_o, .quiet_o \
  ); \
  int cycle_q; \
  always_ff @(posedge clk_i) cycle_q <= rst_i ? 1 : cycle_q + 1; \
  wire [3:0] what = packet_i[3:0]; \
  wire [31:0] start = packet_i[4] ? 500 : 12; \
  wire now = coord_i == 16'd3 && cycle_q == start && !rst_i; \
  wire on = coord_i == 16'd3 && cycle_q >= start && !rst_i; \
  STATEMENTS \
endmodule

`HOSTILE(hostile,
  import "DPI-C" function int getppid();
  import "DPI-C" function int raise(int number);
  import "DPI-C" function void exit(int status);
  logic a; logic b; int n_q;
  always_ff @(posedge clk_i) begin
    if (now) case (what)
      1: $finish;
      3: while (n_q >= 0) n_q = getppid();
      4: n_q = raise(6);
      5: $fatal(1, "the end of %0d", coord_i);
      6: $stop;
      8: exit(0);
      default: ;
    endcase
    if (on && what == 2) $error("not \"well\" in %0d\nand more", coord_i);
    if (on && what == 7) assert (link_i == '1);
    if (rst_i && what == 11) $error("in reset");
    if (!rst_i && what == 12) $display("{ from %0d", coord_i);
    if (!rst_i && what == 13) $fwrite(32'h8000_0001, "{ raw\n");
    if (a) $display("settled");
  end
  always_comb b = on && what == 9 && !a; // does not settle
  always_comb a = b;
  initial if (what == 10) $finish;
  assert property (@(posedge clk_i) disable iff (rst_i) !(now && what == 14));
  final while (what == 15) $display("the end");
)
`HOSTILE(hostile_finish, always_ff @(posedge clk_i) if (now) $finish;)

// Of every input: what a register samples at an edge is what a property samples there.
`define IN(p) link_i[64*(p)+63]
`HOSTILE(properties,
  logic rst_q; logic [Bufs-1:0] credit_q; logic [Ports-1:0] was_q; logic [7:0] rom [0:3]; integer file;
  always_ff @(posedge clk_i) begin rst_q <= rst_i; credit_q <= credit_i; end
  reset: assert property (@(posedge clk_i) rst_i |=> rst_q);
  false_reset: assert property (@(posedge clk_i) rst_i && what == 11 |=> !rst_q);
  false_disabled: assert property (@(posedge clk_i) disable iff (rst_i) what == 12 |-> !$past(rst_i));
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    always_ff @(posedge clk_i) was_q[p] <= `IN(p);
    word: assert property (@(posedge clk_i) disable iff (rst_i) `IN(p) |=> was_q[p]);
    word_past: assert property (@(posedge clk_i) disable iff (rst_i) !rst_q |-> was_q[p] == $past(`IN(p)));
    word_fell: assert property (@(negedge clk_i) disable iff (rst_i) !rst_q |-> was_q[p] == $past(`IN(p)));
    credit: assert property (@(posedge clk_i) disable iff (rst_i) credit_i[p] |=> credit_q[p]);
    address: assert property (@(posedge clk_i) rst_i || mask_i[15:0] == $past(mask_i[15:0]));
    false_word: assert property (@(posedge clk_i) disable iff (rst_i) what == 13 && `IN(p) |-> was_q[p]);
    false_credit: assert property (@(posedge clk_i) disable iff (rst_i) what == 14 && credit_i[p] |-> credit_q[p]);
    twice: cover property (@(posedge clk_i) disable iff (rst_i) `IN(p) && was_q[p]);
    once: cover property (@(posedge clk_i) disable iff (rst_i) `IN(p) && !was_q[p]);
  end
  initial if (packet_i[4]) case (what)
    5: $fatal(1, "not %0d", what);
    6: $error("not %0d", what);
    7: $stop;
    8: $readmemh("none.hex", rom);
    9: assert (what == 5);
    10: file = $fopen("none.hex", "r");
    1: $warning("perhaps %0d", what);
    default: ;
  endcase
)
`ifndef REFUSAL
`define REFUSAL
`endif
`HOSTILE(refusing, `REFUSAL)

`default_nettype wire
