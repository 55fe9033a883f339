// SPDX-License-Identifier: Apache-2.0
// Draws the timing diagrams of docs/ROUTER-CONTRACT.md from the RTL: three routers of a mesh:3 in a
// row, each with its node. tests/rtl/diagrams.sh compares the drawing with the document.
//
// +scene=flit|credit1|credit2|contention|store|stages|dynamic chooses the traffic, the parameters the
// routers and links. A row is a channel, a buffer or a counter; a column is a cycle. "A1" is flit 1 of
// packet A, "." is nothing.
`default_nettype none

// A wire that is Cycles longer than none.
module timing_wire #(
  parameter int W = 1,
  parameter int Cycles = 0
) (
  input  wire          clk_i,
  input  wire          rst_i,
  input  wire  [W-1:0] d_i,
  output wire  [W-1:0] q_o
);
  if (Cycles == 0) begin : gen_none
    assign q_o = d_i;
  end else begin : gen_some
    logic [Cycles*W-1:0] all_q;
    assign q_o = all_q[(Cycles-1)*W +: W];
    always_ff @(posedge clk_i) all_q <= rst_i ? '0 : (all_q << W) | (Cycles*W)'(d_i);
  end
endmodule

module timing_tb #(
  parameter int Stages = 1,
  parameter int Link = 1,
  parameter int Vcs = 1,
  parameter int Dynamic = 0
);
  localparam int N = 3;           // routers; ports: 0 plus, 1 minus, 2 local
  localparam int Columns = 24;

  logic clk = 1'b0, rst = 1'b1;
  always #5 clk = ~clk;

  // Pins.
  logic [15:0] depth = 16'd4, packet = 16'd1;
  logic [1:0] switching = 2'd0;

  // Channels and credit wires of port p of router r: number 3r + p. Links that lead nowhere are idle.
  localparam int Plus = 0, Minus = 1, Local = 2;
  wire [63:0] in [0:3*N-1], out [0:3*N-1], front [0:3*N-1], arriving [0:3*N-1];
  wire [15:0] credits [0:3*N-1];  // with one VC
  wire [Vcs-1:0] credit_in [0:3*N-1], credit_out [0:3*N-1], contended [0:3*N-1], starved [0:3*N-1];
  wire [2:0] pointer;             // of the plus link of router 1, with one VC: what it favours

  // Each node sends one packet of `length` words to `dst`, as its credits allow: node 0 from cycle 1
  // on, node 1 from cycle 2.
  int cycle;  // 0 in reset
  logic [15:0] dst;
  logic [7:0] length_0 = 8'd0, length_1 = 8'd0;

  for (genvar r = 0; r < N; r++) begin : gen_router
    wire [191:0] link_out;
    wire [3*Vcs-1:0] credit, contend, starve;
    wire [24*Vcs-1:0] want;
    wire quiet;
    ec_router #(
      .Dims(1), .LinksPerDim(2), .Locals(1), .Vcs(Vcs), .DepthMax(4), .Dynamic(Dynamic), .Stages(Stages)
    ) u_router (
      .clk_i(clk),
      .rst_i(rst),
      .coord_i(16'(r)),
      .mask_i(16'd3),
      .radix_i(17'd3),
      .wrap_i(1'b0),
      .dateline_i(1'b0),
      .classes_i(1'b0),
      .balanced_i(1'b0),
      .order_high_i(1'b0),
      .switching_i(switching),
      .depth_i(depth),
      .packet_i(packet),
      .link_i({in[3*r + 2], in[3*r + 1], in[3*r]}),
      .credit_i({credit_in[3*r + 2], credit_in[3*r + 1], credit_in[3*r]}),
      .link_o(link_out),
      .credit_o(credit),
      .contended_o(contend),
      .starved_o(starve),
      .want_o(want),
      .quiet_o(quiet)
    );
    for (genvar p = 0; p < 3; p++) begin : gen_port
      assign out[3*r + p] = link_out[64*p +: 64];
      assign credit_out[3*r + p] = credit[p*Vcs +: Vcs];
      assign contended[3*r + p] = contend[p*Vcs +: Vcs];
      assign starved[3*r + p] = starve[p*Vcs +: Vcs];
      // Of the lowest VC.
      assign front[3*r + p] = u_router.empty[p*Vcs] ? 64'd0 : u_router.gen_port[p].gen_vc[0].u_input.front;
      if (Vcs == 1) begin : gen_count
        assign credits[3*r + p] = {13'd0, u_router.gen_output[p].u_output.gen_hold.u_vcs.gen_vc[0].credits};
      end else begin : gen_no_count
        assign credits[3*r + p] = 16'd0;
      end
      if (Stages == 3) begin : gen_arriving
        assign arriving[3*r + p] = u_router.gen_port[p].u_arrival.gen_stage.word_q;
      end else begin : gen_none
        assign arriving[3*r + p] = 64'd0;
      end
    end

    if (r == 1 && Vcs == 1) begin : gen_pointer
      assign pointer = u_router.gen_output[Plus].u_output.u_arbiter.mask_q;
    end

    if (r + 1 < N) begin : gen_plus
      timing_wire #(.W(64), .Cycles(Link - 1)) u_up (
        .clk_i(clk), .rst_i(rst), .d_i(out[3*r + Plus]), .q_o(in[3*(r + 1) + Minus])
      );
      timing_wire #(.W(64), .Cycles(Link - 1)) u_down (
        .clk_i(clk), .rst_i(rst), .d_i(out[3*(r + 1) + Minus]), .q_o(in[3*r + Plus])
      );
      timing_wire #(.W(Vcs), .Cycles(Link - 1)) u_up_credit (
        .clk_i(clk), .rst_i(rst), .d_i(credit_out[3*r + Plus]), .q_o(credit_in[3*(r + 1) + Minus])
      );
      timing_wire #(.W(Vcs), .Cycles(Link - 1)) u_down_credit (
        .clk_i(clk), .rst_i(rst), .d_i(credit_out[3*(r + 1) + Minus]), .q_o(credit_in[3*r + Plus])
      );
    end else begin : gen_border
      assign in[3*r + Plus] = 64'd0;
      assign credit_in[3*r + Plus] = '0;
      assign in[Minus] = 64'd0;
      assign credit_in[Minus] = '0;
    end

    // The node. It sends on the lowest VC and takes every word at once: the credit goes back in the
    // same cycle.
    logic [7:0] sent;
    logic [15:0] left;  // its credits
    wire [7:0] length = r == 0 ? length_0 : r == 1 ? length_1 : 8'd0;
    wire [15:0] need = sent == 8'd0 && switching != 2'd0 ? packet : 16'd1;
    wire send = cycle > r && sent < length && left >= need;
    wire [63:0] word = {1'b1, sent == 8'd0, sent == length - 8'd1, 2'd0, dst, 16'(r), 19'd0, sent};
    assign in[3*r + Local] = send ? word : 64'd0;
    assign credit_in[3*r + Local] = Vcs'(out[3*r + Local][63]) << out[3*r + Local][60:59];
    always_ff @(posedge clk) begin
      sent <= rst ? 8'd0 : sent + 8'(send);
      left <= rst ? depth : left - 16'(send) + 16'(credit_out[3*r + Local][0]);
    end
  end

  // The drawing: rows are written cell by cell, and printed at the end.
  logic [15:0] cell_q [0:22*Columns-1];
  int last;

  task put(input int row, input [15:0] text);
    cell_q[row*Columns + cycle] = text;
  endtask
  task flit(input int row, input [63:0] word);
    put(row, word[63] ? {8'("A") + 8'(word[42:27]), 8'("0") + 8'(word[26:0])} : " .");
  endtask
  task mark(input int row, input on, input [7:0] letter);
    put(row, on ? {8'(" "), letter} : " .");
  endtask
  task tap(input int row, input int at);
    if (contended[at][0]) put(row, " c");
    else mark(row, starved[at][0], "s");
  endtask
  task vc(input int row, input [63:0] word);
    mark(row, word[63], 8'("0") + 8'(word[60:59]));
  endtask
  task print(input int row, input [8*30-1:0] name);
    begin
      $write("%0s", name);
      for (int c = 1; c <= last; c++) $write("%s", {8'(" "), cell_q[row*Columns + c]});
      $write("\n");
    end
  endtask

  logic [8*12-1:0] scene;
  task print_one;
    begin
      if (depth < 3) print(1, "credit, router 0 to node 0    ");
      print(2, "router 0, front of local input");
      if (depth < 3) print(3, "router 0, credits of its link ");
      print(4, "channel router 0 to router 1  ");
      if (depth < 3) print(5, "credit, router 1 to router 0  ");
      print(6, "router 1, front of link input ");
      print(12, "node 1 sees                   ");
      if (depth < 3 || scene == "flit") print(13, "credit, node 1 to router 1    ");
    end
  endtask
  task print_two;
    begin
      print(2, "router 0, front of local input");
      print(4, "channel router 0 to router 1  ");
      print(6, "router 1, front of link input ");
      print(7, "  its tap                     ");
      print(8, "node 1 sends                  ");
      print(9, "router 1, front of local input");
      print(10, "  its tap                     ");
      if (Vcs == 1) print(15, "router 1, pointer of its link ");
      print(11, "channel router 1 to router 2  ");
      if (Vcs > 1) print(20, "  its VC                      ");
      print(14, "node 2 sees                   ");
      if (Vcs > 1) print(21, "  on VC                       ");
    end
  endtask
  task print_stages;
    begin
      if (Stages == 3) print(16, "router 0, route stage of local");
      print(2, "router 0, front of local input");
      print(1, "credit, router 0 to node 0    ");
      print(3, "router 0, credits of its link ");
      print(4, "channel router 0 to router 1  ");
      if (Link > 1) print(17, "link_i of router 1            ");
      if (Stages == 3) print(18, "router 1, route stage of link ");
      print(6, "router 1, front of link input ");
      print(5, "credit_o of router 1          ");
      if (Link > 1) print(19, "credit_i of router 0          ");
      print(12, "node 1 sees                   ");
    end
  endtask
  initial begin
    if (!$value$plusargs("scene=%s", scene)) $fatal(1, "no +scene");
    dst = 16'd1;
    last = 6;
    case (scene)
      "flit": length_0 = 1;
      "credit1", "credit2": begin
        length_0 = 4;
        depth = scene == "credit1" ? 16'd1 : 16'd2;
        last = 11;
      end
      "stages": begin
        length_0 = Link == 1 ? 4 : 2;
        depth = Link == 1 ? 16'd3 : 16'd1;
        last = Link == 1 ? 11 : 14;
      end
      "contention", "dynamic": begin
        length_0 = 3;
        length_1 = 3;
        dst = 16'd2;
        last = 11;
      end
      "store": begin
        length_0 = 3;
        switching = 2'd2;
        packet = 16'd3;
        last = 11;
      end
      default: $fatal(1, "unknown scene");
    endcase

    cycle = 0;
    repeat (3) @(posedge clk);
    #1 rst = 1'b0;
    for (cycle = 1; cycle <= last; cycle++) begin
      #8;  // just before the edge that ends the cycle
      flit(0, in[Local]);
      mark(1, credit_out[Local][0], "c");
      flit(2, front[Local]);
      put(3, {8'(" "), 8'("0") + 8'(credits[Plus])});
      flit(4, out[Plus]);
      mark(5, credit_out[3 + Minus][0], "c");
      flit(6, front[3 + Minus]);
      tap(7, 3 + Minus);
      flit(8, in[3 + Local]);
      flit(9, front[3 + Local]);
      tap(10, 3 + Local);
      flit(11, out[3 + Plus]);
      flit(12, out[3 + Local]);
      mark(13, credit_in[3 + Local][0], "c");
      flit(14, out[6 + Local]);
      flit(16, arriving[Local]);
      flit(17, in[3 + Minus]);
      flit(18, arriving[3 + Minus]);
      mark(19, credit_in[Plus][0], "c");
      vc(20, out[3 + Plus]);
      vc(21, out[6 + Local]);
      case (pointer)
        3'b110: put(15, " 1");
        3'b100: put(15, " 2");
        default: put(15, " 0");
      endcase
      @(posedge clk);
      #1;
    end

    $write("cycle                         ");
    for (int c = 1; c <= last; c++) $write("%3d", c);
    $write("\n");
    print(0, "node 0 sends                  ");
    if (scene == "stages") print_stages;
    else if (scene == "contention" || scene == "dynamic") print_two;
    else print_one;
    $finish(0);
  end
endmodule

`default_nettype wire
