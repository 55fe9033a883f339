// SPDX-License-Identifier: Apache-2.0
// A network of ec_ip_stream: a hypercube, or a ring with datelines. All streams of all nodes offer random
// packets with pauses, and take them with pauses. Every packet arrives once, at its destination, in one
// piece, with its words in order.
//
// The data of a word is its place in the packet and the number of the packet; src says the rest.
//
// For Icarus and Verilator (--binary --timing).
`default_nettype none

module stream_tb #(
  parameter int Dims = 3,         // of a hypercube; 1: a ring of Nodes
  parameter int Nodes = 8,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Dynamic = 0,
  parameter int Stages = 1,
  parameter int Datelines = 0,
  parameter int Classes = 1,
  parameter int Switching = 0,
  parameter int Packet = 3,
  parameter int OutputRegister = 0,
  parameter int Fixed = 1,
  parameter int Gated = 0,        // 1: clocks stand still by idle_o
  parameter int Packets = 20      // of each stream
);
  localparam int A = 4, D = 16;
  localparam int PerDim = Dims == 1 ? 2 : 1;
  localparam int Links = Dims * PerDim;
  localparam int W = ec_ip_pkg::word_bits(Vcs, A, D);
  localparam int Streams = Locals * Classes;
  localparam int All = Nodes * Streams;
  localparam [32*Dims-1:0] Radices = Dims == 1 ? (32*Dims)'(Nodes) : {Dims{32'd2}};
  // Coordinates of all nodes: that of a ring, or the bits of the number.
  function automatic [32*Dims*Nodes-1:0] places(input int nodes);
    places = '0;
    for (int n = 0; n < nodes; n++)
      for (int d = 0; d < Dims; d++)
        places[32*(Dims*n + d) +: 32] = Dims == 1 ? n : (n >> d) & 1;
  endfunction
  localparam [32*Dims*Nodes-1:0] Places = places(Nodes);
  localparam int FieldMask = (1 << $clog2(Nodes)) - 1;

  logic clk = 1'b0, rst_n = 1'b0;
  wire [W*Links*Nodes-1:0] links;
  wire [Vcs*Links*Nodes-1:0] credits;
  logic [All-1:0] tx_valid = '0, tx_last = '0, rx_ready = '0;
  wire [All-1:0] tx_ready, rx_valid, rx_last;
  logic [A*All-1:0] tx_dst = '0;
  logic [D*All-1:0] tx_data = '0;
  wire [A*All-1:0] rx_src;
  wire [D*All-1:0] rx_data;
  logic [Nodes-1:0] stood = '0;

  for (genvar n = 0; n < Nodes; n++) begin : gen_node
    wire [W*Links-1:0] in;
    wire [Vcs*Links-1:0] credit_in;
    localparam [32*Dims-1:0] Position = Places[32*Dims*n +: 32*Dims];
    // The clock of a node with nothing to do stands still.
    logic wakes, open;
    wire idle;
    wire gated = clk & (open | Gated == 0);
    wire [Streams-1:0] offered = tx_valid[Streams*n +: Streams];
    always_comb begin
      wakes = !rst_n || !idle || credit_in != '0 || offered != '0;
      for (int p = 0; p < Links; p++) if (in[W*p + W-1]) wakes = 1'b1;
    end
    always @(clk or wakes) if (!clk) open = wakes;
    always @(posedge clk) if (!open) stood[n] <= 1'b1;
    if (Fixed != 0) begin : gen_fixed
      ec_ip_stream #(
        .Dims(Dims), .LinksPerDim(PerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax),
        .Dynamic(Dynamic), .Stages(Stages), .AddressBits(A), .DataBits(D),
        .ResetStages(2), .OutputRegister(OutputRegister),
        .Radices(Radices), .Position(Position), .Wraps(Dims'(Dims == 1)), .Datelines(Datelines),
        .Classes(Classes), .Switching(2'(Switching)), .Packet(Switching == 0 ? 1 : Packet)
      ) u_ip (
        .clk_i(gated), .rst_ni(rst_n), .idle_o(idle),
        .link_i(in), .link_credit_i(credit_in),
        .link_o(links[W*Links*n +: W*Links]), .link_credit_o(credits[Vcs*Links*n +: Vcs*Links]),
        .tx_valid_i(tx_valid[Streams*n +: Streams]), .tx_ready_o(tx_ready[Streams*n +: Streams]),
        .tx_last_i(tx_last[Streams*n +: Streams]), .tx_dst_i(tx_dst[A*Streams*n +: A*Streams]),
        .tx_data_i(tx_data[D*Streams*n +: D*Streams]),
        .rx_valid_o(rx_valid[Streams*n +: Streams]), .rx_ready_i(rx_ready[Streams*n +: Streams]),
        .rx_last_o(rx_last[Streams*n +: Streams]), .rx_src_o(rx_src[A*Streams*n +: A*Streams]),
        .rx_data_o(rx_data[D*Streams*n +: D*Streams])
      );
    end else begin : gen_pins
      ec_ip_stream_cfg #(
        .Dims(Dims), .LinksPerDim(PerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax),
        .Dynamic(Dynamic), .Stages(Stages), .AddressBits(A), .DataBits(D),
        .ResetStages(2), .OutputRegister(OutputRegister), .Classes(Classes)
      ) u_ip (
        .clk_i(gated), .rst_ni(rst_n), .idle_o(idle),
        .cfg_coord_i(A'(n)), .cfg_mask_i((A*Dims)'(Dims == 1 ? FieldMask : 0)),
        .cfg_radix_i(((A+1)*Dims)'(Dims == 1 ? Nodes : 0)),
        .cfg_wrap_i(Dims'(Dims == 1)), .cfg_dateline_i(Datelines != 0), .cfg_order_high_i(1'b0),
        .cfg_switching_i(2'(Switching)), .cfg_depth_i(16'(DepthMax)), .cfg_packet_i(16'(Packet)),
        .link_i(in), .link_credit_i(credit_in),
        .link_o(links[W*Links*n +: W*Links]), .link_credit_o(credits[Vcs*Links*n +: Vcs*Links]),
        .tx_valid_i(tx_valid[Streams*n +: Streams]), .tx_ready_o(tx_ready[Streams*n +: Streams]),
        .tx_last_i(tx_last[Streams*n +: Streams]), .tx_dst_i(tx_dst[A*Streams*n +: A*Streams]),
        .tx_data_i(tx_data[D*Streams*n +: D*Streams]),
        .rx_valid_o(rx_valid[Streams*n +: Streams]), .rx_ready_i(rx_ready[Streams*n +: Streams]),
        .rx_last_o(rx_last[Streams*n +: Streams]), .rx_src_o(rx_src[A*Streams*n +: A*Streams]),
        .rx_data_o(rx_data[D*Streams*n +: D*Streams])
      );
    end
    for (genvar p = 0; p < Links; p++) begin : gen_link
      localparam int Peer = Dims > 1 ? n ^ (1 << p) : p == 0 ? (n + 1) % Nodes : (n + Nodes - 1) % Nodes;
      localparam int Back = Dims > 1 ? p : 1 - p;
      assign in[W*p +: W] = links[W*(Links*Peer + Back) +: W];
      assign credit_in[Vcs*p +: Vcs] = credits[Vcs*(Links*Peer + Back) +: Vcs];
    end
  end

  // Of each stream: packets begun, words left, and their lengths and destinations, to compare with.
  int begun [0:All-1], left [0:All-1];
  int length [0:All*Packets-1];
  logic [A-1:0] target [0:All*Packets-1];
  logic arrived [0:All*Packets-1];
  // Of each receiving stream: the packet that is being received (-1: none), words of it so far.
  int current [0:All-1], position [0:All-1];
  int errors = 0, delivered = 0, cycle = 0;

  task offer;
    for (int s = 0; s < All; s++) begin
      if (tx_ready[s]) tx_valid[s] <= 1'b0;
      if ((!tx_valid[s] || tx_ready[s]) && $urandom_range(99) < 70) begin
        if (left[s] == 0 && begun[s] < Packets) begin
          int other;
          other = (s / Streams + 1 + $urandom_range(Nodes - 2)) % Nodes;
          left[s] = 1 + $urandom_range((Switching == 0 ? 6 : Packet) - 1);
          length[s*Packets + begun[s]] = left[s];
          target[s*Packets + begun[s]] = A'(other);
          tx_dst[A*s +: A] <= A'(other);
          begun[s] = begun[s] + 1;
        end
        if (left[s] > 0) begin
          int number;
          number = begun[s] - 1;
          tx_valid[s] <= 1'b1;
          tx_last[s] <= left[s] == 1;
          // Local port and class, number, place.
          tx_data[D*s +: D] <= {4'(s % Streams), 8'(number), 4'(length[s*Packets + number] - left[s])};
          left[s] = left[s] - 1;
        end
      end
      rx_ready[s] <= $urandom_range(99) < 60;
    end
  endtask

  task complain(input int s, input int id, input int why);
    errors = errors + 1;
    case (why)
      0: $display("cycle %0d: stream %0d: no such packet: data %h of %0d", cycle, s, rx_data[D*s +: D], rx_src[A*s +: A]);
      1: $display("cycle %0d: stream %0d: packet %0d is for node %0d", cycle, s, id, target[id]);
      2: $display("cycle %0d: stream %0d: packet %0d comes twice", cycle, s, id);
      3: $display("cycle %0d: stream %0d: packet %0d inside packet %0d", cycle, s, id, current[s]);
      4: $display("cycle %0d: stream %0d: packet %0d: a word at a wrong place", cycle, s, id);
      default: $display("cycle %0d: stream %0d: packet %0d: of another message class", cycle, s, id);
    endcase
  endtask

  task take(input int s);
    begin
      int from, id, place;
      from = rx_src[A*s +: A] * Streams + rx_data[D*s + 12 +: 4];
      id = from * Packets + rx_data[D*s + 4 +: 8];
      place = rx_data[D*s +: 4];
      if (from >= All || rx_data[D*s + 4 +: 8] >= Packets || rx_data[D*s + 4 +: 8] >= begun[from]) complain(s, 0, 0);
      else begin
        if (target[id] != s / Streams) complain(s, id, 1);
        if (arrived[id]) complain(s, id, 2);
        if (current[s] >= 0 && current[s] != id) complain(s, id, 3);
        if (place != position[s] || rx_last[s] != (place == length[id] - 1)) complain(s, id, 4);
        if (from % Classes != s % Classes) complain(s, id, 5);
        current[s] = rx_last[s] ? -1 : id;
        position[s] = rx_last[s] ? 0 : position[s] + 1;
        if (rx_last[s]) begin
          arrived[id] = 1'b1;
          delivered = delivered + 1;
        end
      end
    end
  endtask

  // Values from before the edge; what is driven here changes after it.
  always @(posedge clk) begin
    if (cycle > 6) begin
      for (int s = 0; s < All; s++) if (rx_valid[s] && rx_ready[s]) take(s);
      offer;
    end
  end

  initial begin
    for (int s = 0; s < All; s++) begin
      begun[s] = 0;
      left[s] = 0;
      current[s] = -1;
      position[s] = 0;
      for (int k = 0; k < Packets; k++) arrived[s*Packets + k] = 1'b0;
    end
    while (delivered < All * Packets && errors < 5 && cycle < 400 * Packets) begin
      #1 clk = 1'b1;
      #1 clk = 1'b0;
      rst_n = cycle >= 3;  // between two edges
      cycle = cycle + 1;
    end
    $display("%0d of %0d packets in %0d cycles", delivered, All * Packets, cycle);
    $display("%s", errors == 0 && delivered == All * Packets && (Gated == 0 || stood == '1) ? "PASS" : "FAIL");
    $finish;
  end
endmodule

`default_nettype wire
