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
  parameter int Dynamic = 0,
  parameter int Stages = 1,
  parameter int AddressBits = 16,
  parameter int DataBits = 27,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 3 + VcBits + 2 * AddressBits + DataBits,
  localparam int Links = Dims * LinksPerDim,
  localparam int Ports = Links + Locals,
  localparam int Bufs = Ports * Vcs
) (
  input wire                clk_i,
  input wire                rst_i,
  input wire [31:0]         here_i,
  input wire                dateline_i,
  input wire                classes_i,
  input wire                balanced_i,
  input wire                order_high_i,
  input wire [1:0]          switching_i,
  input wire [15:0]         depth_i,
  input wire [15:0]         packet_i,
  input wire [W*Ports-1:0]  link_i,
  input wire [Bufs-1:0]     credit_i,
  output reg [W*Ports-1:0]  link_o,
  output reg [Bufs-1:0]     credit_o,
  output reg [Bufs-1:0]     contended_o,
  output reg [Bufs-1:0]     starved_o,
  output reg [8*Bufs-1:0]   want_o,
  output reg                quiet_o
);
  localparam int None = -1;
  localparam int Valid = W - 1, Head = W - 2, Tail = W - 3, Vc = Tail - VcBits, Dst = Vc - AddressBits;
`include "topology.svh"
  initial open_topology;

  // State. Input VC i has its words at [i*DepthMax ..], oldest first.
  reg [W-1:0] words [0:Bufs*DepthMax-1];
  int count [0:Bufs-1];
  int holder [0:Bufs-1], credits [0:Bufs-1];  // per output VC
  int pointer [0:Ports-1];
  reg [W-1:0] routed [0:Ports-1], crossing [0:Ports-1];  // in the route and the traversal stage
  int here, depth, bound;
  reg dateline, classes, order_high;
  reg [1:0] switching;

  // Choices for the cycle that begins.
  int port_asked [0:Bufs-1]; // of the front flit; None if the buffer is empty
  int ask [0:Bufs-1];        // output VC (port * Vcs + vc) that it asks for; dynamic: that it would get, or None
  reg blocked [0:Bufs-1];    // other packets hold what it asks for
  int winner [0:Ports-1];    // input VC granted, or None
  reg [W-1:0] granted [0:Ports-1];  // and its word

  reg [W-1:0] front;

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
        routed[p] = '0;
        crossing[p] = '0;
      end
      here = here_i;
      depth = depth_i;
      bound = packet_i;
      dateline = dateline_i;
      classes = classes_i;
      balanced = balanced_i;
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
      front = Stages == 3 ? routed[port] : link_i[W*port +: W];
      i = Vcs == 1 ? port : port * Vcs + front[Vc +: VcBits];
      if (front[Valid]) begin
        words[i*DepthMax + count[i]] = front;
        count[i] = count[i] + 1;
      end
      routed[port] = link_i[W*port +: W];
    end
  endtask

  // Section 5.
  function automatic int need(input int unused);
    need = switching == 0 ? 1 : bound;
  endfunction
  task route(input int i);
    int dst, vc, lanes, first, step;
    begin
      front = words[i*DepthMax];
      dst = node_of(front[Dst +: AddressBits]);
      port_asked[i] = count[i] == 0 ? None : port_of(here, dst, order_high, i / Vcs);
      vc = i % Vcs;
      if (Vcs > 1 && dateline)
        vc = vc / 2 * 2 + class_of(here, dst, order_high, i / Vcs, vc % 2 == 1);
      ask[i] = port_asked[i] == None ? None : port_asked[i] * Vcs + vc;
      blocked[i] = port_asked[i] != None && holder[ask[i]] != None && holder[ask[i]] != i;
      if (Dynamic != 0 && port_asked[i] != None) begin
        // The VCs of a class: `lanes` of them, `step` apart.
        step = Vcs > 1 && dateline ? 2 : 1;
        lanes = Vcs / step / (classes ? 2 : 1);
        first = port_asked[i] * Vcs + vc / (lanes * step) * (lanes * step) + vc % step;
        ask[i] = None;
        blocked[i] = front[Head];
        for (int k = lanes - 1; k >= 0; k--) begin
          if (front[Head] && holder[first + k * step] == None) begin
            blocked[i] = 1'b0;
            if (credits[first + k * step] >= need(0)) ask[i] = first + k * step;
          end
          if (!front[Head] && holder[first + k * step] == i) ask[i] = first + k * step;
        end
      end
    end
  endtask

  // Sections 6.2 and 7.
  function automatic bit complete(input int i);
    reg [W-1:0] word;
    complete = 1'b0;
    for (int k = 0; k < count[i]; k++) begin
      word = words[i*DepthMax + k];
      if (word[Tail]) complete = 1'b1;
    end
  endfunction
  function automatic bit requests(input int i, input int port);
    requests = 1'b0;
    if (port_asked[i] == port && ask[i] != None) begin
      if (holder[ask[i]] == i) requests = credits[ask[i]] >= 1;
      else if (holder[ask[i]] == None)
        requests = credits[ask[i]] >= need(0) && (switching != 2 || complete(i));
    end
  endfunction

  // Sections 6.3, 6.5 and 8.
  task show;
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
        granted[p] = '0;
        if (winner[p] != None) begin
          front = words[winner[p]*DepthMax];
          if (Vcs > 1) front[Vc +: VcBits] = ask[winner[p]] % Vcs;
          granted[p] = front;
          credit_o[winner[p]] = 1'b1;
        end
        link_o[W*p +: W] = Stages == 1 ? granted[p] : crossing[p];
        if (Stages > 1 && crossing[p][Valid] || Stages == 3 && routed[p][Valid]) quiet_o = 1'b0;
      end
      for (int b = 0; b < Bufs; b++) begin
        if (port_asked[b] != None) begin
          quiet_o = 1'b0;
          want_o[8*b +: 8] = port_asked[b];
          if (winner[port_asked[b]] != b) begin
            if (winner[port_asked[b]] != None || blocked[b]) contended_o[b] = 1'b1;
            else starved_o[b] = 1'b1;
          end
        end
      end
    end
  endtask

  always @(posedge clk_i) begin
    if (rst_i) reset;
    else begin
      for (int p = 0; p < Ports; p++) crossing[p] = granted[p];
      for (int p = 0; p < Ports; p++) if (winner[p] != None) move(p, winner[p]);
      for (int o = 0; o < Bufs; o++) if (credit_i[o]) credits[o] = credits[o] + 1;
      for (int p = 0; p < Ports; p++) arrive(p);
    end
    for (int i = 0; i < Bufs; i++) route(i);
    show;
  end
endmodule

`default_nettype wire
