// SPDX-License-Identifier: Apache-2.0
// A router of graphs with one VC. It follows the routing table that it is given or, with UPWARDS, computes the ports of
// a fat tree of K ports from its number: up by any link with room, down by the only one. WRONG_TURN sends words for node
// 5 elsewhere; HALF_PORT leaves out a part of the configuration port.
`default_nettype none

module tree_router #(
  parameter int Dims = 6,
  parameter int LinksPerDim = 1,
  parameter int Locals = 2,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
`ifndef UPWARDS
  parameter int Table = 64,
`endif
  parameter int K = 4,
  localparam int Links = Dims * LinksPerDim,
  localparam int Ports = Links + Locals
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire  [15:0]         coord_i,
  input  wire  [16*Dims-1:0]  mask_i,
  input  wire  [17*Dims-1:0]  radix_i,
  input  wire  [Dims-1:0]     wrap_i,
  input  wire                 dateline_i,
  input  wire                 order_high_i,
  input  wire  [1:0]          switching_i,
  input  wire  [15:0]         depth_i,
  input  wire  [15:0]         packet_i,
`ifndef UPWARDS
`ifndef HALF_PORT
  input  wire                 table_write_i,
`endif
  input  wire  [15:0]         table_row_i,
  input  wire  [63:0]         table_entries_i,
`endif
  input  wire  [64*Ports-1:0] link_i,
  input  wire  [Ports-1:0]    credit_i,
  output logic [64*Ports-1:0] link_o,
  output logic [Ports-1:0]    credit_o
);
  if (Vcs != 1) begin : gen_unsupported
    tree_error_one_vc_only u_error ();
  end
  localparam int Pw = $clog2(Ports);
  logic [64*Ports-1:0] word;
  logic [Ports-1:0] valid, pop, room, head, tail;
  logic [Pw*Ports-1:0] port;
  logic [Ports*Ports-1:0] choice;  // bit Ports * output + input

`ifdef UPWARDS
  logic [15:0] me_q;
  always_ff @(posedge clk_i) if (rst_i) me_q <= coord_i;
  localparam int Half = K / 2;
  wire [15:0] pod = 16'(me_q / Half) % 16'(K);
  logic [Pw-1:0] up;  // the first of Half links with room
  always_comb begin
    up = '0;
    for (int u = Half - 1; u >= 0; u--) if (room[(me_q < 16'(K * Half) ? 0 : Half) + u]) up = Pw'(u);
  end
`else
  logic [7:0] table_q[Table];
`ifndef HALF_PORT
  always_ff @(posedge clk_i) if (rst_i && table_write_i)
    for (int e = 0; e < 8; e++) table_q[{table_row_i[$clog2(Table)-4:0], 3'(e)}] <= table_entries_i[8*e +: 8];
`endif
`endif

  for (genvar i = 0; i < Ports; i++) begin : gen_input
    ec_to_ready #(
      .DepthMax(DepthMax)
    ) u_in (
      .clk_i,
      .rst_i,
      .link_i(link_i[64*i +: 64]),
      .credit_o(credit_o[i]),
      .word_o(word[64*i +: 64]),
      .valid_o(valid[i]),
      .ready_i(pop[i])
    );
    wire [15:0] dst = word[64*i+43 +: 16];
    logic [Pw-1:0] due, port_q;
    assign {head[i], tail[i]} = word[64*i+61 +: 2];
`ifdef UPWARDS
    wire [15:0] leaf = dst / 16'(Half);
    always_comb begin
      if (me_q >= 16'(K * K)) due = Pw'(leaf / Half);
      else if (me_q < 16'(K * Half)) due = leaf == me_q ? Pw'(Links) + Pw'(dst % Half) : up;
      else due = 16'(leaf / Half) == pod ? Pw'(leaf % Half) : Pw'(Half) + up;
`ifdef WRONG_TURN
      if (dst == 16'd5 && me_q >= 16'(K * K)) due = '0;
`endif
    end
`else
`ifdef WRONG_TURN
    assign due = table_q[dst[$clog2(Table)-1:0]][Pw-1:0] ^ Pw'(dst == 16'd5);
`else
    assign due = table_q[dst[$clog2(Table)-1:0]][Pw-1:0];
`endif
`endif
    assign port[Pw*i +: Pw] = head[i] ? due : port_q;
    always_ff @(posedge clk_i) if (pop[i] && head[i]) port_q <= due;
    always_comb begin
      pop[i] = 1'b0;
      for (int o = 0; o < Ports; o++) pop[i] = pop[i] || (choice[Ports*o+i] && room[o]);
    end
  end

  for (genvar o = 0; o < Ports; o++) begin : gen_output
    logic [Ports-1:0] ask;
    logic [63:0] chosen;
    for (genvar i = 0; i < Ports; i++) begin : gen_ask
      assign ask[i] = valid[i] && port[Pw*i +: Pw] == Pw'(o);
    end
    arbiter #(
      .Inputs(Ports)
    ) u_arbiter (
      .clk_i,
      .rst_i,
      .ask_i(ask),
      .first_i(head),
      .last_i(tail),
      .go_i(room[o]),
      .choice_o(choice[Ports*o +: Ports])
    );
    always_comb begin
      chosen = '0;
      for (int i = 0; i < Ports; i++) if (choice[Ports*o+i]) chosen = word[64*i +: 64];
    end
    ec_from_ready #(
      .Queue(2),
      .Stays(1'b0)
    ) u_out (
      .clk_i,
      .rst_i,
      .depth_i,
      .word_i(chosen),
      .valid_i(choice[Ports*o +: Ports] != '0),
      .ready_o(room[o]),
      .link_o(link_o[64*o +: 64]),
      .credit_i(credit_i[o])
    );
  end
  wire unused = &{1'b0, coord_i, mask_i, radix_i, wrap_i, dateline_i, order_high_i, switching_i, packet_i};
endmodule

`default_nettype wire
