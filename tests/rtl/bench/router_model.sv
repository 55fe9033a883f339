// SPDX-License-Identifier: Apache-2.0
// The router of docs/ROUTER-CONTRACT.md in plain behavioural code; section numbers refer to the contract. It
// shares no source with rtl/ and is neither synthesisable nor fast.
//
// Place: `here` is the number of the node in the topology of the parameters (topology.svh).
`default_nettype none

module router_model #(
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
  localparam int Links = Dims * LinksPerDim,
  localparam int Ports = Links + Locals,
  localparam int Bufs = Ports * Vcs
) (
  input wire                clk_i,
  input wire                rst_i,
  input wire [31:0]         here_i,
  input wire                dateline_i,
  input wire                order_high_i,
  input wire [1:0]          switching_i,
  input wire [15:0]         depth_i,
  input wire [15:0]         packet_i,
  input wire [64*Ports-1:0] link_i,
  input wire [Bufs-1:0]     credit_i,
  output reg [64*Ports-1:0] link_o,
  output reg [Bufs-1:0]     credit_o,
  output reg [Bufs-1:0]     contended_o,
  output reg [Bufs-1:0]     starved_o,
  output reg [8*Bufs-1:0]   want_o,
  output reg                quiet_o
);
  localparam int None = -1;
  localparam int Valid = 63, Head = 62, Tail = 61, Vc = 59, Dst = 43;
`include "topology.svh"
  initial open_topology;

  // State. Input VC i has its words at [i*DepthMax ..], oldest first.
  reg [63:0] words [0:Bufs*DepthMax-1];
  int count [0:Bufs-1];
  int holder [0:Bufs-1], credits [0:Bufs-1];  // per output VC
  int pointer [0:Ports-1];
  int here, depth, bound;
  reg dateline, order_high;
  reg [1:0] switching;

  // Choices for the cycle that begins.
  int ask [0:Bufs-1];     // output VC (port * Vcs + vc) of the front flit, None if empty
  int winner [0:Ports-1]; // input VC granted, or None

  reg [63:0] front;

  // Section 9.
  task reset;
    begin
      for (int i = 0; i < Bufs; i++) begin
        count[i] = 0;
        holder[i] = None;
        credits[i] = depth_i;
      end
      for (int p = 0; p < Ports; p++) begin
        pointer[p] = 0;
        winner[p] = None;
      end
      here = here_i;
      depth = depth_i;
      bound = packet_i;
      dateline = dateline_i;
      order_high = order_high_i;
      switching = switching_i;
    end
  endtask

  // The edge: granted words leave, credits and words come in (sections 4, 6.1, 6.4).
  task move(input int port, input int i);
    begin
      front = words[i*DepthMax];
      holder[ask[i]] = front[Tail] ? None : i;
      credits[ask[i]] = credits[ask[i]] - 1;
      if (Vcs > 1 || front[Tail]) pointer[port] = (i + 1) % Bufs;
      for (int k = 1; k < count[i]; k++) words[i*DepthMax + k - 1] = words[i*DepthMax + k];
      count[i] = count[i] - 1;
    end
  endtask
  task arrive(input int port);
    int i;
    begin
      front = link_i[64*port +: 64];
      i = Vcs == 1 ? port : port * Vcs + front[Vc +: 2];
      if (front[Valid]) begin
        words[i*DepthMax + count[i]] = front;
        count[i] = count[i] + 1;
      end
    end
  endtask

  // Section 5.
  task route(input int i);
    int dst, port, vc;
    begin
      front = words[i*DepthMax];
      dst = node_of(front[Dst +: 16]);
      port = port_of(here, dst, order_high, i / Vcs);
      vc = i % Vcs;
      if (Vcs > 1 && dateline)
        vc = vc / 2 * 2 + class_of(here, dst, order_high, i / Vcs, vc % 2 == 1);
      ask[i] = count[i] == 0 ? None : port * Vcs + vc;
    end
  endtask

  // Sections 6.2 and 7.
  function automatic bit complete(input int i);
    reg [63:0] word;
    complete = 1'b0;
    for (int k = 0; k < count[i]; k++) begin
      word = words[i*DepthMax + k];
      if (word[Tail]) complete = 1'b1;
    end
  endfunction
  function automatic bit requests(input int i, input int port);
    requests = 1'b0;
    if (ask[i] != None && ask[i] / Vcs == port) begin
      if (holder[ask[i]] == i) requests = credits[ask[i]] >= 1;
      else if (holder[ask[i]] == None)
        requests = credits[ask[i]] >= (switching == 0 ? 1 : bound) &&
                   (switching != 2 || complete(i));
    end
  endfunction

  // Sections 6.3, 6.5 and 8.
  task show;
    int i, port;
    begin
      link_o = '0;
      credit_o = '0;
      contended_o = '0;
      starved_o = '0;
      want_o = '0;
      quiet_o = 1'b1;
      for (int p = 0; p < Ports; p++) begin
        winner[p] = None;
        for (int k = Bufs - 1; k >= 0; k--)
          if (requests((pointer[p] + k) % Bufs, p)) winner[p] = (pointer[p] + k) % Bufs;
        if (winner[p] != None) begin
          front = words[winner[p]*DepthMax];
          if (Vcs > 1) front[Vc +: 2] = ask[winner[p]] % Vcs;
          link_o[64*p +: 64] = front;
          credit_o[winner[p]] = 1'b1;
        end
      end
      for (int b = 0; b < Bufs; b++) begin
        if (ask[b] != None) begin
          port = ask[b] / Vcs;
          quiet_o = 1'b0;
          want_o[8*b +: 8] = port;
          if (winner[port] != b) begin
            if (winner[port] != None || (holder[ask[b]] != None && holder[ask[b]] != b))
              contended_o[b] = 1'b1;
            else starved_o[b] = 1'b1;
          end
        end
      end
    end
  endtask

  always @(posedge clk_i) begin
    if (rst_i) reset;
    else begin
      for (int p = 0; p < Ports; p++) if (winner[p] != None) move(p, winner[p]);
      for (int o = 0; o < Bufs; o++) if (credit_i[o]) credits[o] = credits[o] + 1;
      for (int p = 0; p < Ports; p++) arrive(p);
    end
    for (int i = 0; i < Bufs; i++) route(i);
    show;
  end
endmodule

`default_nettype wire
