// SPDX-License-Identifier: Apache-2.0
// ec_ip in all its forms against ec_router, in every cycle: configured by pins, by constants, with
// registers behind the links, with an asynchronous reset. All get the same legal random traffic, which
// answers ec_router.
//
// For Icarus and Verilator (--binary --timing). With EC_NETLIST the router that is configured by constants
// is a netlist with this bench's parameters, ip_netlist.
`default_nettype none

module ip_tb #(
  parameter int Dims = 2,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 2,
  parameter int DepthMax = 4,
  parameter int Dynamic = 0,
  parameter int Stages = 1,
  parameter int Datelines = 1,
  parameter int Classes = 1,
  parameter int HighFirst = 0,
  parameter int Switching = 0,
  parameter int Depth = 4,
  parameter int Packet = 3,
  parameter int R0 = 4,
  parameter int R1 = 3,
  parameter int Cycles = 450
);
  localparam int A = 5, D = 9;
  localparam int VcBits = Vcs == 8 ? 3 : 2;
  localparam int W = ec_ip_pkg::word_bits(Vcs, A, D);
  localparam int Links = Dims * LinksPerDim, Ports = Links + Locals, Bufs = Ports * Vcs;
  // Dimension 0 and 1; further ones have radix 2. This router is at the upper end of each.
  localparam [32*Dims-1:0] Radices = (32*Dims)'({{20{32'd2}}, 32'(R1), 32'(R0)});
  localparam [32*Dims-1:0] Position = (32*Dims)'({{20{32'd1}}, 32'(R1 - 1), 32'(R0 - 1)});
  localparam [Dims-1:0] Wraps = Dims'(Datelines != 0 ? {R1 > 2, R0 > 2} : 2'b00);

  logic clk = 1'b0, rst_n = 1'b0;
  logic rst;  // of the reference: the synchronised one
  logic [1:0] chain = '1;

  // The pins of this place, counted here by other means than in ec_ip.
  logic [A-1:0] coord;
  logic [A*Dims-1:0] mask;
  logic [(A+1)*Dims-1:0] radix;
  initial begin
    int unit;
    coord = '0;
    mask = '0;
    radix = '0;
    unit = 1;
    for (int d = 0; d < Dims; d++) begin
      int r, field;
      r = d == 0 ? R0 : d == 1 ? R1 : 2;
      field = 1;
      while (field < r) field = 2 * field;
      coord = coord + A'((r - 1) * unit);
      mask[A*d +: A] = A'((field - 1) * unit);
      if (r > 1) radix[(A+1)*d +: A+1] = (A+1)'(r * unit);
      unit = unit * field;
    end
  end

  logic [W*Ports-1:0] link = '0;
  logic [Bufs-1:0] credit = '0;
  wire [W*Ports-1:0] out_router, out_pins, out_fixed, out_late;
  wire [Bufs-1:0] back_router, back_pins, back_fixed, back_late, contended, starved;
  wire [8*Bufs-1:0] want;
  wire quiet;
  ec_router #(
    .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax),
    .Dynamic(Dynamic), .Stages(Stages), .AddressBits(A), .DataBits(D)
  ) u_router (
    .clk_i(clk), .rst_i(rst), .coord_i(coord), .mask_i(mask), .radix_i(radix), .wrap_i(Wraps),
    .dateline_i(Datelines != 0), .classes_i(Classes == 2), .balanced_i(1'b0), .order_high_i(HighFirst != 0),
    .switching_i(2'(Switching)), .depth_i(16'(Depth)), .packet_i(16'(Packet)),
    .link_i(link), .credit_i(credit), .link_o(out_router), .credit_o(back_router),
    .contended_o(contended), .starved_o(starved), .want_o(want), .quiet_o(quiet)
  );
  // Pins are read in reset only: garbage afterwards.
  wire [A-1:0] cfg_coord = coord ^ {A{!rst}};
  ec_ip_cfg #(
    .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax),
    .Dynamic(Dynamic), .Stages(Stages), .AddressBits(A), .DataBits(D)
  ) u_pins (
    .clk_i(clk), .rst_ni(!rst), .idle_o(), .cfg_coord_i(cfg_coord), .cfg_mask_i(mask), .cfg_radix_i(radix),
    .cfg_wrap_i(Wraps), .cfg_dateline_i(Datelines != 0), .cfg_classes_i(Classes == 2),
    .cfg_order_high_i(HighFirst != 0), .cfg_switching_i(2'(Switching)), .cfg_depth_i(16'(Depth)),
    .cfg_packet_i(16'(Packet)),
    .link_i(link[W*Links-1:0]), .link_credit_i(credit[Vcs*Links-1:0]),
    .link_o(out_pins[W*Links-1:0]), .link_credit_o(back_pins[Vcs*Links-1:0]),
    .local_i(link[W*Ports-1:W*Links]), .local_credit_i(credit[Bufs-1:Vcs*Links]),
    .local_o(out_pins[W*Ports-1:W*Links]), .local_credit_o(back_pins[Bufs-1:Vcs*Links])
  );
`ifdef EC_NETLIST
  ip_netlist u_fixed (
`else
  ec_ip #(
    .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax),
    .Dynamic(Dynamic), .Stages(Stages), .AddressBits(A), .DataBits(D), .ResetStages(2),
    .Radices(Radices), .Position(Position), .Wraps(Wraps), .Datelines(Datelines), .Classes(Classes),
    .HighFirst(HighFirst), .Switching(2'(Switching)), .Depth(Depth), .Packet(Packet)
  ) u_fixed (
`endif
    .clk_i(clk), .rst_ni(rst_n), .idle_o(),
    .link_i(link[W*Links-1:0]), .link_credit_i(credit[Vcs*Links-1:0]),
    .link_o(out_fixed[W*Links-1:0]), .link_credit_o(back_fixed[Vcs*Links-1:0]),
    .local_i(link[W*Ports-1:W*Links]), .local_credit_i(credit[Bufs-1:Vcs*Links]),
    .local_o(out_fixed[W*Ports-1:W*Links]), .local_credit_o(back_fixed[Bufs-1:Vcs*Links])
  );
  ec_ip #(
    .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax),
    .Dynamic(Dynamic), .Stages(Stages), .AddressBits(A), .DataBits(D), .OutputRegister(1),
    .Radices(Radices), .Position(Position), .Wraps(Wraps), .Datelines(Datelines), .Classes(Classes),
    .HighFirst(HighFirst), .Switching(2'(Switching)), .Depth(Depth), .Packet(Packet)
  ) u_late (
    .clk_i(clk), .rst_ni(!rst), .idle_o(),
    .link_i(link[W*Links-1:0]), .link_credit_i(credit[Vcs*Links-1:0]),
    .link_o(out_late[W*Links-1:0]), .link_credit_o(back_late[Vcs*Links-1:0]),
    .local_i(link[W*Ports-1:W*Links]), .local_credit_i(credit[Bufs-1:Vcs*Links]),
    .local_o(out_late[W*Ports-1:W*Links]), .local_credit_o(back_late[Bufs-1:Vcs*Links])
  );

  // The same two, without the clock edges that idle_o allows to leave out: an asynchronous reset, output registers.
  wire [W*Ports-1:0] out_gated [0:1];
  wire [Bufs-1:0] back_gated [0:1];
  logic wakes;
  int stood [0:1];
  always_comb begin
    wakes = credit != '0;
    for (int p = 0; p < Ports; p++) if (link[W*p + W-1]) wakes = 1'b1;
  end
  for (genvar r = 0; r < 2; r++) begin : gen_gated
    wire idle;
    wire wanted = wakes || !idle || (r == 0 ? !rst_n : rst);
    logic open;
    always @(clk or wanted) if (!clk) open = wanted;
    always @(posedge clk) stood[r] = stood[r] + int'(!open);
    ec_ip #(
      .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax),
      .Dynamic(Dynamic), .Stages(Stages), .AddressBits(A), .DataBits(D), .ResetStages(2 - 2*r), .OutputRegister(r),
      .Radices(Radices), .Position(Position), .Wraps(Wraps), .Datelines(Datelines), .Classes(Classes),
      .HighFirst(HighFirst), .Switching(2'(Switching)), .Depth(Depth), .Packet(Packet)
    ) u_ip (
      .clk_i(clk & open), .rst_ni(r == 0 ? rst_n : !rst), .idle_o(idle),
      .link_i(link[W*Links-1:0]), .link_credit_i(credit[Vcs*Links-1:0]),
      .link_o(out_gated[r][W*Links-1:0]), .link_credit_o(back_gated[r][Vcs*Links-1:0]),
      .local_i(link[W*Ports-1:W*Links]), .local_credit_i(credit[Bufs-1:Vcs*Links]),
      .local_o(out_gated[r][W*Ports-1:W*Links]), .local_credit_o(back_gated[r][Bufs-1:Vcs*Links])
    );
  end

  // The traffic: per input VC a packet that comes in, and credits; per output VC words to answer.
  int credits [0:Bufs-1], left [0:Bufs-1], owed [0:Bufs-1];
  logic [A-1:0] to [0:Bufs-1];
  int errors = 0, words = 0, sent = 0, cycle = 0, load;
  logic [W*Links-1:0] link_before = '0;
  logic [Vcs*Links-1:0] credit_before = '0;

  // A node that legal traffic on this port can have as its destination: with Locals > 1 and at borders
  // the router does not care.
  function automatic [A-1:0] somewhere(input int seed);
    int unit, rest;
    somewhere = '0;
    unit = 1;
    rest = seed;
    for (int d = 0; d < Dims; d++) begin
      int r, field;
      r = d == 0 ? R0 : d == 1 ? R1 : 2;
      field = 1;
      while (field < r) field = 2 * field;
      somewhere = somewhere + A'((rest % r) * unit);
      rest = rest / r;
      unit = unit * field;
    end
  endfunction

  task drive;
    link = '0;
    credit = '0;
    for (int p = 0; p < Ports; p++) begin
      int v, b, need;
      v = $urandom_range(Vcs - 1);
      b = p * Vcs + v;
      need = Switching == 0 || left[b] > 0 ? 1 : Packet;
      if ($urandom_range(99) < load && credits[b] >= need) begin
        logic head;
        head = left[b] == 0;
        if (head) begin
          left[b] = 1 + $urandom_range((Switching == 0 ? 5 : Packet) - 1);
          to[b] = somewhere($urandom_range(1 << 20));
          // A packet from the node goes elsewhere.
          if (p >= Links && to[b] == coord) to[b] = '0;
        end
        link[W*p +: W] = {1'b1, head, left[b] == 1, VcBits'(v), to[b], A'($urandom), D'($urandom)};
        left[b] = left[b] - 1;
        credits[b] = credits[b] - 1;
        words = words + 1;
      end
    end
    for (int b = 0; b < Bufs; b++) begin
      if (owed[b] > 0 && $urandom_range(99) < 50) begin
        credit[b] = 1'b1;
        owed[b] = owed[b] - 1;
      end
    end
  endtask

  task look;
    for (int p = 0; p < Ports; p++) begin
      if (out_router[W*p + W-1]) begin
        int v;
        v = Vcs == 1 ? 0 : int'(out_router[W*p + W-4 -: VcBits]);
        owed[p*Vcs + v] = owed[p*Vcs + v] + 1;
        sent = sent + 1;
      end
    end
    for (int b = 0; b < Bufs; b++) if (back_router[b]) credits[b] = credits[b] + 1;
    if (out_pins !== out_router || back_pins !== back_router) begin
      errors = errors + 1;
      $display("cycle %0d: configured by pins: %h %h, ec_router %h %h", cycle, out_pins, back_pins, out_router, back_router);
    end
    if (out_fixed !== out_router || back_fixed !== back_router) begin
      errors = errors + 1;
      $display("cycle %0d: configured by constants: %h %h, ec_router %h %h", cycle, out_fixed, back_fixed, out_router, back_router);
    end
    if (out_late !== {out_router[W*Ports-1:W*Links], link_before}
        || back_late !== {back_router[Bufs-1:Vcs*Links], credit_before}) begin
      errors = errors + 1;
      $display("cycle %0d: with output registers: %h %h, expected %h %h", cycle, out_late, back_late,
               {out_router[W*Ports-1:W*Links], link_before}, {back_router[Bufs-1:Vcs*Links], credit_before});
    end
    if (out_gated[0] !== out_fixed || back_gated[0] !== back_fixed) begin
      errors = errors + 1;
      $display("cycle %0d: with a gated clock: %h %h, expected %h %h", cycle, out_gated[0], back_gated[0], out_fixed, back_fixed);
    end
    if (out_gated[1] !== out_late || back_gated[1] !== back_late) begin
      errors = errors + 1;
      $display("cycle %0d: with output registers and a gated clock: %h %h, expected %h %h", cycle, out_gated[1], back_gated[1],
               out_late, back_late);
    end
    link_before = out_router[W*Links-1:0];
    credit_before = back_router[Vcs*Links-1:0];
  endtask

  assign rst = chain[1];
  task tick;
    #1 clk = 1'b1;
    #1 clk = 1'b0;
    #1;
  endtask
  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) chain <= '1;
    else chain <= chain << 1;
  end

  initial begin
    stood[0] = 0;
    stood[1] = 0;
    for (int phase = 0; phase < 3; phase++) begin
      load = phase == 1 ? 1 : 60;
      // The reset comes between two edges, lasts for two cycles after its end.
      #1 rst_n = 1'b0;
      link = '0;
      credit = '0;
      for (int b = 0; b < Bufs; b++) begin
        credits[b] = Depth;
        left[b] = 0;
        owed[b] = 0;
      end
      tick;
      tick;
      #1 rst_n = 1'b1;
      tick;
      tick;
      link_before = '0;
      credit_before = '0;
      if (rst) begin
        errors = errors + 1;
        $display("still in reset");
      end
      for (cycle = 1; cycle <= Cycles / 3; cycle++) begin
        drive;
        #1 look;
        tick;
        if (errors > 5) $finish;
      end
    end
    if (sent < Cycles / 4) begin
      errors = errors + 1;
      $display("only %0d words left", sent);
    end
    for (int r = 0; r < 2; r++) begin
      if (stood[r] < Cycles / 40) begin
        errors = errors + 1;
        $display("only %0d edges left out", stood[r]);
      end
    end
    $display("%0d words in, %0d out, %0d and %0d clock edges left out", words, sent, stood[0], stood[1]);
    $display("%s", errors == 0 ? "PASS" : "FAIL");
    $finish;
  end
endmodule

`default_nettype wire
