// SPDX-License-Identifier: Apache-2.0
// One VC of a port (ec_arrival and ec_input) against a queue and the arithmetic of topology.svh: random packets on the channel, for this VC and
// for others, random pops, store-and-forward on and off.
`default_nettype none

module input_tb #(
  parameter int Dims = 2,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 2,
  parameter int DepthMax = 4,
  parameter int InPort = 1,
  parameter int InVc = 1,
  parameter int R0 = 5,
  parameter int R1 = 3,
  parameter int R2 = 1,
  parameter int R3 = 1,
  parameter [15:0] Wrap = 16'd3,
  parameter int AddressBits = 16
);
  localparam int Ports = Dims * LinksPerDim + Locals;
  localparam int Pw = $clog2(Ports);
  localparam int Head = 62, Tail = 61, Vc = 59;
`include "topology.svh"

  logic clk = 1'b0, rst = 1'b1, pop = 1'b0;
  logic dateline = 1'b0, order_high = 1'b0, whole = 1'b0;
  logic [63:0] link = 64'd0;
  logic [15:0] coord;
  logic [AddressBits*Dims-1:0] mask;
  logic [AddressBits*Dims-1:0] far;
  logic [Dims-1:0] first, last, turn;
  // Grids have the route made on arrival, cubes at the front.
  localparam bit Early = LinksPerDim == 2;
  wire [63:0] arrival, stored, front;
  wire [Vcs-1:0] push;
  wire [Pw-1:0] port;
  wire empty, tail, part, busy;
  wire [1:0] vc, next_vc, class_out;
  assign front = Vcs == 1 ? stored : {stored[63:61], next_vc, stored[58:0]};  // as the crossbar does
  ec_arrival #(
    .Vcs(Vcs)
  ) u_arrival (
    .clk_i(clk), .rst_i(rst), .link_i(link), .push_o(push), .word_o(arrival), .busy_o(busy)
  );
  ec_input #(
    .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax),
    .Early(Early), .InPort(InPort), .InVc(InVc)
  ) u_input (
    .clk_i(clk), .rst_i(rst), .coord_i(coord), .mask_i(mask), .far_i(far), .turn_i(turn),
    .wrap_i(Wrap[Dims-1:0]), .first_i(first), .last_i(last), .order_high_i(order_high),
    .dateline_i(dateline), .classes_i(1'b0), .whole_i(whole), .push_i(push[InVc]), .word_i(arrival),
    .pop_i(pop), .offer_i(2'd0), .word_o(stored), .vc_o(next_vc), .empty_o(empty), .tail_o(tail),
    .part_o(part), .port_o(port), .slot_o(vc), .class_o(class_out)
  );

  // The model: words with the number of their destination.
  logic [63:0] words[$];
  int targets[$];
  int here, target, gone, dst, left, errors = 0, checks = 0, parts = 0;
  logic [63:0] oldest, word;
  logic whole_packet;

  task reset(input int seed);
    begin
      here = $urandom_range(nodes - 1);
      coord = address_of(here);
      for (int d = 0; d < Dims; d++) begin
        first[d] = coord_of(here, d) == 0;
        last[d] = coord_of(here, d) == radix_t[d] - 1;
        turn[d] = turn_of(here, d);
        far[AddressBits*d +: AddressBits] = far_of(here, d) << shift_t[d];
      end
      {dateline, order_high, whole} = seed;
      if (Vcs == 1) dateline = 1'b0;
      words.delete();
      targets.delete();
      left = 0;
      link = 64'd0;
      pop = 1'b0;
      rst = 1'b1;
      #1 clk = 1'b1;
      #1 clk = 1'b0;
      rst = 1'b0;
    end
  endtask

  // Next word on the channel: of our packet, of another VC, or none.
  task offer;
    begin
      link = {1'b0, 31'($urandom), 32'($urandom)};
      if (words.size() < DepthMax && $urandom_range(2) != 0) begin
        if (left == 0) target = $urandom_range(nodes - 1);
        link = {1'b1, left == 0, 1'b0, 2'(InVc), 16'(address_of(target)), 43'($urandom)};
        left = left == 0 ? 1 + $urandom_range(DepthMax - 1) : left;
        left = left - 1;
        link[Tail] = left == 0;
      end else if (Vcs > 1) begin
        link[63] = 1'b1;
        link[Vc +: 2] = (InVc + 1) % Vcs;
      end
    end
  endtask

  task expect_front;
    int p, v;
    begin
      if (empty !== (words.size() == 0)) errors++;
      if (words.size() != 0) begin
        oldest = words[0];
        whole_packet = 1'b0;
        for (int k = 0; k < words.size(); k++) begin
          word = words[k];
          whole_packet = whole_packet | word[Tail];
        end
        dst = targets[0];
        p = port_of(here, dst, order_high, InPort);
        v = dateline ? InVc / 2 * 2 + class_of(here, dst, order_high, InPort, InVc % 2 == 1)
                     : InVc;
        if (Vcs > 1) oldest[Vc +: 2] = v;
        if (front !== oldest || tail !== oldest[Tail] || port !== Pw'(p) || (Vcs > 1 && vc !== 2'(v)))
          errors++;
        if (whole && part !== (oldest[Head] && !whole_packet)) errors++;
        parts += whole && part;
        checks++;
      end
    end
  endtask

  initial begin
    open_topology;
    mask = mask_pins(Dims);
    for (int phase = 0; phase < 32; phase++) begin
      reset(phase);
      for (int cycle = 0; cycle < 60; cycle++) begin
        offer;
        pop = words.size() != 0 && $urandom_range(1) != 0;
        #1 expect_front;
        clk = 1'b1;
        if (pop) begin
          word = words.pop_front();
          gone = targets.pop_front();
        end
        if (link[63] && (Vcs == 1 || link[Vc +: 2] == InVc)) begin
          words.push_back(link);
          targets.push_back(target);
        end
        #1 clk = 1'b0;
      end
    end
    $display("%0d fronts compared, %0d of them waiting for a tail, %0d wrong", checks, parts, errors);
    $display("%s", errors == 0 && checks > 500 && parts > 20 ? "PASS" : "FAIL");
    $finish(0);
  end
endmodule

`default_nettype wire
