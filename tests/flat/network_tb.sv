// SPDX-License-Identifier: Apache-2.0
// Plays the offers of a run on ec_network and prints what the nodes get.
//
//   +offers=FILE   one word a line: cycle, local port, vc, head, tail, dst, src, packet, word
//   +cycles=N +depth=N +packet=N +switching=0|1|2 +order_high=0|1 +dateline=0|1 +classes=1|2
//
// dst and src are packed addresses. A delivery is printed in the same form. Nodes return every credit
// in the cycle in which they see the word (docs/ROUTER-CONTRACT.md, section 11.6).
`default_nettype none

module network_tb #(
  parameter int Dims = 3,
  parameter int LinksPerDim = 1,
  parameter logic [32*Dims-1:0] Radices = {Dims{32'd2}},
  parameter logic [Dims-1:0] Wraps = '0,
  parameter int Nodes = 8,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter bit Dynamic = 1'b0,
  parameter int Stages = 1,
  parameter int Link = 1
);
  localparam int Ports = Nodes * Locals;
  // Fields of a word: 16 address bits, and 2 or 3 bits for the VC, which the upper part of the data
  // (14 or 13 bits) makes room for.
  localparam int VcBits = Vcs == 8 ? 3 : 2;
  localparam int SrcAt = 29 - VcBits;
  logic clk_i, rst_i;
  logic dateline_i, order_high_i, classes_i;
  logic [1:0] switching_i;
  logic [15:0] depth_i, packet_i;
  logic [64*Ports-1:0] link_i;
  logic [Ports*Vcs-1:0] credit_i;
  wire [64*Ports-1:0] link_o;
  wire [Ports*Vcs-1:0] credit_o;

  ec_network #(
    .Dims(Dims),
    .LinksPerDim(LinksPerDim),
    .Radices(Radices),
    .Wraps(Wraps),
    .Nodes(Nodes),
    .Locals(Locals),
    .Vcs(Vcs),
    .DepthMax(DepthMax),
    .Dynamic(Dynamic),
    .Stages(Stages),
    .Link(Link)
  ) u_network (
    .clk_i,
    .rst_i,
    .dateline_i,
    .classes_i,
    .balanced_i(1'b0),
    .order_high_i,
    .switching_i,
    .depth_i,
    .packet_i,
    .link_i,
    .credit_i,
    .link_o,
    .credit_o,
    .sent_o(),
    .freed_o(),
    .contended_o(),
    .starved_o(),
    .want_o(),
    .quiet_o()
  );

  string path;
  integer file, found, cycles, cycle, classes;
  integer at, port, vc, head, tail, dst, src, packet, number;

  task read_offer;
    found = $fscanf(file, "%d %d %d %d %d %d %d %d %d", at, port, vc, head, tail, dst, src, packet,
                    number);
  endtask

  task offer;
    begin
      link_i = '0;
      while (found == 9 && at == cycle) begin
        link_i[64*port +: 64] = {1'b1, head[0], tail[0], vc[VcBits-1:0], dst[15:0], src[15:0],
                                 packet[SrcAt-14:0], number[12:0]};
        read_offer;
      end
    end
  endtask

  task accept;
    logic [63:0] word;
    begin
      credit_i = '0;
      for (int p = 0; p < Ports; p++) begin
        word = link_o[64*p +: 64];
        if (word[63]) begin
          credit_i[p*Vcs + (Vcs == 1 ? 0 : word[60 -: VcBits])] = 1'b1;
          $display("%0d %0d %0d %0d %0d %0d %0d %0d %0d", cycle, p, word[60 -: VcBits], word[62],
                   word[61], word[SrcAt+16 +: 16], word[SrcAt +: 16], word[SrcAt-1:13], word[12:0]);
        end
      end
    end
  endtask

  task pins;
    begin
      found = $value$plusargs("cycles=%d", cycles);
      found = $value$plusargs("depth=%d", depth_i);
      found = $value$plusargs("packet=%d", packet_i);
      found = $value$plusargs("switching=%d", switching_i);
      found = $value$plusargs("order_high=%d", order_high_i);
      found = $value$plusargs("dateline=%d", dateline_i);
      found = $value$plusargs("classes=%d", classes);
      classes_i = classes == 2;
      found = $value$plusargs("offers=%s", path);
      file = $fopen(path, "r");
    end
  endtask

  initial begin
    pins;
    clk_i = 1'b0;
    rst_i = 1'b1;
    link_i = '0;
    credit_i = '0;
    #1 clk_i = 1'b1;
    #1 clk_i = 1'b0;
    rst_i = 1'b0;
    read_offer;
    for (cycle = 1; cycle <= cycles; cycle = cycle + 1) begin
      offer;
      #1 accept;
      #1 clk_i = 1'b1;
      #1 clk_i = 1'b0;
    end
    if (found == 9) $display("offers are left from cycle %0d on", at);
    $finish(0);
  end
endmodule

`default_nettype wire
