// SPDX-License-Identifier: Apache-2.0
// ec_router in lock-step with router_model: random legal traffic on every port, every output compared in
// every cycle, and ec_checker beside it. Phases of some hundred cycles, each begun by a reset in mid-traffic with new pins.
`default_nettype none

module router_tb #(
  parameter int Dims = 2,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int R0 = 4,
  parameter int R1 = 4,
  parameter int R2 = 1,
  parameter int R3 = 1,
  parameter [15:0] Wrap = 16'd0,
  parameter int Dynamic = 0,
  parameter int Stages = 1,
  parameter int AddressBits = 16,
  parameter int DataBits = 61 - (Vcs == 8 ? 3 : 2) - 2 * AddressBits,
  parameter int Phases = 24,
  parameter int Cycles = 150,
  parameter bit Alone = 1'b0,  // ec_checker alone judges; no new packets in the last 400 cycles of a phase
  parameter int Seed = 1
);
  localparam int VcBits = Vcs == 8 ? 3 : 2;
  localparam int W = 3 + VcBits + 2 * AddressBits + DataBits;
  localparam int Links = Dims * LinksPerDim;
  localparam int Ports = Links + Locals;
  localparam int Bufs = Ports * Vcs;
`include "topology.svh"

  logic clk = 1'b0, rst = 1'b1;
  logic dateline, classes, order_high;
  logic [1:0] switching;
  logic [15:0] depth, packet;
  logic [31:0] here;
  logic [AddressBits-1:0] coord;
  logic [AddressBits*Dims-1:0] mask;
  logic [(AddressBits+1)*Dims-1:0] radix;
  logic [W*Ports-1:0] link = '0;
  logic [Bufs-1:0] credit = '0;

  localparam int Outputs = W * Ports + 3 * Bufs + 8 * Bufs + 1;
  wire [Outputs-1:0] dut, model;
  logic [W*Ports-1:0] link_in = '0;
  always @(link) link_in <= link;  // (As a wire, Verilator 5.006 does not see all changes of it.)
  wire [W*Ports-1:0] link_out = dut[11*Bufs+1 +: W*Ports];
  wire [Bufs-1:0] credit_out = dut[10*Bufs+1 +: Bufs];

  ec_router #(
    .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax),
    .Dynamic(Dynamic), .Stages(Stages), .AddressBits(AddressBits), .DataBits(DataBits)
  ) u_dut (
    .clk_i(clk), .rst_i(rst), .coord_i(coord), .mask_i(mask), .radix_i(radix),
    .wrap_i(Wrap[Dims-1:0]), .dateline_i(dateline), .classes_i(classes), .balanced_i(balanced), .order_high_i(order_high),
    .switching_i(switching), .depth_i(depth), .packet_i(packet), .link_i(link_in), .credit_i(credit),
    .link_o(dut[11*Bufs+1 +: W*Ports]), .credit_o(dut[10*Bufs+1 +: Bufs]),
    .contended_o(dut[9*Bufs+1 +: Bufs]), .starved_o(dut[8*Bufs+1 +: Bufs]),
    .want_o(dut[1 +: 8*Bufs]), .quiet_o(dut[0])
  );
  if (!Alone) begin : gen_model
    router_model #(
      .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax),
      .Dynamic(Dynamic), .Stages(Stages), .AddressBits(AddressBits), .DataBits(DataBits),
      .R0(R0), .R1(R1), .R2(R2), .R3(R3), .Wrap(Wrap)
    ) u_model (
      .clk_i(clk), .rst_i(rst), .here_i(here), .dateline_i(dateline), .classes_i(classes), .balanced_i(balanced), .order_high_i(order_high),
      .switching_i(switching), .depth_i(depth), .packet_i(packet), .link_i(link), .credit_i(credit),
      .link_o(model[11*Bufs+1 +: W*Ports]), .credit_o(model[10*Bufs+1 +: Bufs]),
      .contended_o(model[9*Bufs+1 +: Bufs]), .starved_o(model[8*Bufs+1 +: Bufs]),
      .want_o(model[1 +: 8*Bufs]), .quiet_o(model[0])
    );
  end
`ifndef EC_SVA  // else it is bound to the router
  ec_checker #(
    .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .Dynamic(Dynamic), .AddressBits(AddressBits),
    .DataBits(DataBits), .Routes(Dynamic == 2 ? 2 : 1)
  ) u_checker (
    .clk_i(clk), .rst_i(rst), .coord_i(coord), .mask_i(mask), .radix_i(radix),
    .wrap_i(Wrap[Dims-1:0]), .dateline_i(dateline), .classes_i(classes), .balanced_i(balanced), .order_high_i(order_high),
    .switching_i(switching), .depth_i(depth), .link_i(link), .credit_i(credit),
    .link_o(link_out), .credit_o(credit_out), .quiet_o(dut[0])
  );
`endif

  // The neighbours: for every input VC an open packet and its credits, for every output VC the words that
  // wait for their credit.
  int left [0:Bufs-1], room [0:Bufs-1], owed [0:Bufs-1];
  int target [0:Bufs-1];
  int load, giving, seed;
  logic ends = 1'b0;
  int sent = 0, moved = 0, contended = 0, starved = 0, errors = 0;

  // (The same numbers in all simulators; those of Verilator's $random(seed) are hardly random.)
  function int random();
    for (int k = 0; k < 2; k++) begin
      seed = 1103515245 * seed + 12345;
      random = {random[15:0], seed[31:16]};
    end
  endfunction
  function int draw(input int below);
    draw = $unsigned(random()) % below;
  endfunction

  task new_pins;
    begin
      here = draw(nodes);
      coord = address_of(here);
      dateline = Vcs > 1 && draw(2);
      classes = Dynamic != 0 && Vcs >= (dateline ? 4 : 2) && draw(2);
      order_high = draw(2);
      balanced = draw(2);
      switching = draw(3);
      depth = 1 + draw(DepthMax);
      packet = 1 + draw(depth);
      load = 10 + 30 * draw(4);
      giving = 20 + 40 * draw(3);
      for (int i = 0; i < Bufs; i++) begin
        left[i] = 0;
        room[i] = depth;
        owed[i] = 0;
      end
    end
  endtask

  // A new packet for input VC i; a node never sends to itself.
  task new_packet(input int i);
    begin
      left[i] = 1 + draw(switching == 0 ? 6 : packet);
      target[i] = draw(nodes);
      if (i / Vcs >= Links && target[i] == here) target[i] = (here + 1) % nodes;
    end
  endtask

  task drive_port(input int port);
    int vc, i;
    logic head;
    begin
      vc = draw(Vcs);
      if (dateline && port >= Links) vc = vc / 2 * 2;
      i = port * Vcs + vc;
      link[W*port +: W] = {4{random()}};  // no word: noise
      link[W*port + W-1] = 1'b0;
      if (draw(100) < load && room[i] > 0 && !(ends && left[i] == 0)) begin
        head = left[i] == 0;
        if (head) new_packet(i);
        left[i] = left[i] - 1;
        room[i] = room[i] - 1;
        link[W*port +: W] = {1'b1, head, left[i] == 0, VcBits'(vc), AddressBits'(address_of(target[i])),
                             AddressBits'(random()), DataBits'(sent)};
        sent = sent + 1;
      end
    end
  endtask

  task drive;
    int o;
    begin
      for (int p = 0; p < Ports; p++) begin
        drive_port(p);
        if (link_out[W*p + W - 1]) begin
          o = p * Vcs + (Vcs == 1 ? 0 : link_out[W*p + W - 3 - VcBits +: VcBits]);
          owed[o] = owed[o] + 1;
          moved = moved + 1;
        end
      end
      for (int i = 0; i < Bufs; i++) begin
        credit[i] = owed[i] > 0 && draw(100) < giving;
        if (credit[i]) owed[i] = owed[i] - 1;
        contended = contended + dut[9*Bufs + 1 + i];
        starved = starved + dut[8*Bufs + 1 + i];
      end
    end
  endtask

  task tick;
    begin
      #4 clk = 1'b1;
      #5 clk = 1'b0;
    end
  endtask

  task compare(input int phase, input int cycle);
    if (dut !== model && !Alone) begin
      errors = errors + 1;
      if (errors <= 5) begin
        $display("phase %0d cycle %0d: switching %0d dateline %b order %b depth %0d packet %0d here %0d",
                 phase, cycle, switching, dateline, order_high, depth, packet, here);
        $display("  rtl   %h", dut);
        $display("  model %h", model);
      end
    end
  endtask

  // Credits as shown before the edge.
  logic [Bufs-1:0] credit_seen;
  always @(posedge clk) credit_seen = credit_out;

  initial begin
    open_topology;
    mask = mask_pins(Dims);
    radix = radix_pins(Dims);
    seed = Seed;
    for (int phase = 0; phase < Phases && errors == 0; phase++) begin
      // Words and credits that come in reset are lost.
      rst = 1'b1;
      ends = 1'b0;
      for (int k = draw(3); k >= 0; k--) begin
        #1;
        new_pins;
        drive;
        credit = credit | Bufs'(random());
        new_pins;
        tick;
      end
      rst = 1'b0;
      for (int cycle = 1; cycle <= Cycles && errors == 0; cycle++) begin
        #1;
        ends = Alone && cycle > Cycles - 400;
        if (ends) load = 100;
        if (ends) giving = 100;
        drive;
        #1 compare(phase, cycle);
        tick;
        for (int i = 0; i < Bufs; i++) room[i] = room[i] + credit_seen[i];
      end
    end
    $display("%0d words in, %0d out, %0d contended, %0d starved", sent, moved, contended, starved);
    $display("%s", errors == 0 && moved > 20 * Phases && (Alone || (contended > 5 * Phases &&
                   starved > 5 * Phases)) ? "PASS" : "FAIL");
    $finish(0);
  end
endmodule

`default_nettype wire
