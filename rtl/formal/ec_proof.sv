// SPDX-License-Identifier: Apache-2.0
// A router in its environment: every legal node, mode and traffic, and what docs/ROUTER-CONTRACT.md promises
// at the router's ports. Any router with the ports of the contract fits; the properties know no sources of it.
//
// EC_ROUTER names the router. EC_NO_TAPS, EC_NO_QUIET, EC_NO_DYNAMIC, EC_NO_STAGES, EC_NO_ADDRESS_BITS,
// EC_NO_CLASSES, EC_NO_BALANCED and EC_PARAMETERS are those of ec_tile.sv; EC_NO_DATA_BITS stands for a router without the
// parameter DataBits. Exact = 0 leaves out what section 12 leaves to foreign routers: the cycle of a credit and
// the switching mode. Free leaves the choice of the port to the router (section 12.2): 1 among the links that come
// nearer, 2 among all; Ordered: it promises order between packets, too.
//
// EC_INVARIANTS adds the invariants of ecube's own router (ec_proof_invariants.svh).
//
// A property is a wire named broken_*, which is 1 in the cycle of a violation, and an assertion that it is 0.
`default_nettype none

`ifndef EC_ROUTER
`define EC_ROUTER ec_router
`endif
`ifndef EC_PARAMETERS
`define EC_PARAMETERS
`endif

(* ec_environment *) module ec_proof #(
  parameter int Dims = 1,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 2,
  parameter int Dynamic = 0,
  parameter int Stages = 1,
  parameter int AddressBits = 2,
  parameter int DataBits = 3,  // 3 at least: see ec_proof_tags.svh
  parameter int Exact = 1,
  parameter int Free = 0,
  parameter int Ordered = 0,
  parameter int Paths = 0,
  parameter int Still = 256,  // cycles without movement that break section 12.1
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 3 + VcBits + 2 * AddressBits + DataBits,
  localparam int Cw = $clog2(DepthMax + 1),
  localparam int Links = Dims * LinksPerDim,
  localparam int Ports = Links + Locals,
  localparam int Bufs = Ports * Vcs
) (
  input  wire               clk_i,
  input  wire               rst_i,
  input  wire [W*Ports-1:0] link_i,
  input  wire [Bufs-1:0]    credit_i
);
  wire [AddressBits-1:0] coord, nodes;
  wire [AddressBits*Dims-1:0] mask;
  wire [(AddressBits+1)*Dims-1:0] radix;
  wire [Dims-1:0] wrap;
  wire dateline, classes, balanced, order_high;
  wire [1:0] switching;
  wire [15:0] depth, packet, need;
  ec_proof_pins #(
    .Dims(Dims), .LinksPerDim(LinksPerDim), .Vcs(Vcs), .DepthMax(DepthMax), .Dynamic(Dynamic),
    .AddressBits(AddressBits)
  ) u_pins (
    .clk_i, .coord_o(coord), .mask_o(mask), .radix_o(radix), .wrap_o(wrap), .dateline_o(dateline),
    .classes_o(classes), .balanced_o(balanced), .order_high_o(order_high), .switching_o(switching), .depth_o(depth), .packet_o(packet),
    .need_o(need), .nodes_o(nodes)
  );

  wire [W*Ports-1:0] link;
  wire [Bufs-1:0] credit, contended, starved;
  wire [8*Bufs-1:0] want;
  wire quiet;
  `EC_ROUTER #(
    `EC_PARAMETERS
    .Dims(Dims),
    .LinksPerDim(LinksPerDim),
    .Locals(Locals),
    .Vcs(Vcs),
`ifndef EC_NO_DYNAMIC
    .Dynamic(Dynamic),
`endif
`ifndef EC_NO_STAGES
    .Stages(Stages),
`endif
`ifndef EC_NO_ADDRESS_BITS
    .AddressBits(AddressBits),
`endif
`ifndef EC_NO_DATA_BITS
    .DataBits(DataBits),
`endif
    .DepthMax(DepthMax)
  ) u_router (
    .clk_i,
    .rst_i,
    .coord_i(coord),
    .mask_i(mask),
    .radix_i(radix),
    .wrap_i(wrap),
    .dateline_i(dateline),
`ifndef EC_NO_CLASSES
    .classes_i(classes),
`endif
`ifndef EC_NO_BALANCED
    .balanced_i(balanced),
`endif
    .order_high_i(order_high),
    .switching_i(switching),
    .depth_i(depth),
    .packet_i(packet),
    .link_i,
    .credit_i,
`ifndef EC_NO_TAPS
    .contended_o(contended),
    .starved_o(starved),
    .want_o(want),
`endif
`ifndef EC_NO_QUIET
    .quiet_o(quiet),
`endif
    .link_o(link),
    .credit_o(credit)
  );

  `include "ec_proof_tags.svh"

  // A reset first; more of them at any time.
  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb if (!started_q) assume (rst_i);
  wire live = started_q && !rst_i;
  // Assertions of the router's sources say nothing before it is reset. A clocked one speaks of the cycle before.
  logic settled_q;
  initial settled_q = 1'b0;
  always_ff @(posedge clk_i) settled_q <= started_q;
  wire settled = settled_q;

  // The two ends of every port.
  wire [Cw*Bufs-1:0] used, owed;
  wire [Bufs-1:0] in_open, in_colour, out_open, out_colour;
  wire [AddressBits*Bufs-1:0] in_dst;
  wire [Ports-1:0] connected;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    ec_proof_arrivals #(
      .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax),
      .AddressBits(AddressBits), .DataBits(DataBits), .Free(Free != 0), .Adaptive(Dynamic == 2), .Paths(Paths), .Port(p)
    ) u_in (
      .clk_i, .rst_i, .live_i(live), .coord_i(coord), .mask_i(mask), .radix_i(radix), .wrap_i(wrap),
      .nodes_i(nodes), .dateline_i(dateline), .classes_i(classes), .balanced_i(balanced), .order_high_i(order_high), .switching_i(switching),
      .depth_i(depth), .packet_i(packet), .need_i(need),
      .word_i(link_i[W*p +: W]), .credit_i(credit[Vcs*p +: Vcs]),
      .used_o(used[Cw*Vcs*p +: Cw*Vcs]), .open_o(in_open[Vcs*p +: Vcs]),
      .dst_o(in_dst[AddressBits*Vcs*p +: AddressBits*Vcs]), .colour_o(in_colour[Vcs*p +: Vcs]),
      .connected_o(connected[p])
    );
    ec_proof_departures #(
      .Vcs(Vcs), .DepthMax(DepthMax), .AddressBits(AddressBits), .DataBits(DataBits), .Exact(Exact != 0)
    ) u_out (
      .clk_i, .rst_i, .live_i(live), .connected_i(connected[p]), .depth_i(depth), .need_i(need),
      .word_i(link[W*p +: W]), .credit_i(credit_i[Vcs*p +: Vcs]),
      .owed_o(owed[Cw*Vcs*p +: Cw*Vcs]), .open_o(out_open[Vcs*p +: Vcs]), .colour_o(out_colour[Vcs*p +: Vcs])
    );
  end

  // Two tracked words of one input VC.
  (* anyconst *) logic [5:0] port;
  (* anyconst *) logic [VcBits-1:0] vc;
  always_comb assume (port < 6'(Ports) && 32'(vc) < Vcs);
  wire [1:0] inside, done, due, arrives, leaves;
  wire [2*W-1:0] word;
  wire [2*Cw-1:0] ahead;
  wire [11:0] to;
  wire [2*VcBits-1:0] out, on;
  wire [11:0] by;
  wire [2*Links+1:0] toward;
  for (genvar t = 0; t < 2; t++) begin : gen_flit
    ec_proof_flit #(
      .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax),
      .Dynamic(Dynamic), .Stages(Stages), .AddressBits(AddressBits), .DataBits(DataBits), .Exact(Exact != 0),
      .Free(Free), .Paths(Paths), .Tag(t)
    ) u_flit (
      .clk_i, .rst_i, .live_i(live), .coord_i(coord), .mask_i(mask), .radix_i(radix), .wrap_i(wrap),
      .balanced_i(balanced), .order_high_i(order_high), .dateline_i(dateline), .classes_i(classes), .port_i(port), .vc_i(vc),
      .link_i, .link_o(link), .credit_o(credit), .used_i(used), .inside_o(inside[t]), .done_o(done[t]),
      .word_o(word[W*t +: W]), .ahead_o(ahead[Cw*t +: Cw]), .due_o(due[t]), .arrives_o(arrives[t]), .leaves_o(leaves[t]),
      .to_o(to[6*t +: 6]), .out_o(out[VcBits*t +: VcBits]), .toward_o(toward[(Links+1)*t +: Links+1]),
      .port_o(by[6*t +: 6]), .leave_o(on[VcBits*t +: VcBits])
    );
  end

  // Order: the second comes behind the first, and leaves behind it. Exact: from one input VC always. Else if
  // they ask for the same output VC, and with dynamic allocation or a free choice are of one packet; or, if the router
  // promises it, have the same source and destination.
  logic packet_q;  // no head since the first
  logic [W-1:0] second;
  always_comb begin
    second = '0;
    for (int p = 0; p < Ports; p++) if (port == 6'(p)) second = link_i[W*p +: W];
  end
  always_ff @(posedge clk_i) begin
    if (arrives[0]) packet_q <= 1'b1;
    else if (second[W-1] && second[W-2] && (Vcs == 1 || second[W-4 -: VcBits] == vc)) packet_q <= 1'b0;
  end
  logic same_q;  // the second is of the packet of the first
  always_ff @(posedge clk_i) if (arrives[1]) same_q <= packet_q && !second[W-2];
  always_comb if (live && arrives[1]) assume (inside[0] || done[0]);
  localparam int Ends = 2 * AddressBits;  // the bits of dst and src
  wire same_ends = word[W-4-VcBits -: Ends] == word[2*W-4-VcBits -: Ends];
  wire one_way = Free != 0 ? same_q || (Ordered != 0 && same_ends)
                           : to[0 +: 6] == to[6 +: 6] && (Dynamic == 0 ? out[0 +: VcBits] == out[VcBits +: VcBits] : same_q);
  wire broken_order = live && leaves[1] && inside[0] && (Exact != 0 || one_way);
  always_comb assert (!broken_order);

  // Section 8.3. The last word and credit of a quiet router may be on the outputs of yours: the simulator takes them,
  // and idle outputs in the next cycle. Ecube's own is not quiet then.
`ifndef EC_NO_QUIET
  logic slept_q;  // it was quiet, and nothing came
  logic [Ports-1:0] coming, going;
  always_comb begin
    for (int p = 0; p < Ports; p++) begin
      coming[p] = link_i[W*p + W - 1];
      going[p] = link[W*p + W - 1];
    end
  end
  always_ff @(posedge clk_i) slept_q <= live && quiet && coming == '0 && credit_i == '0;
  wire [1:0] stays = inside & ~leaves;
  wire shows = going != '0 || credit != '0;
  wire broken_quiet = live && quiet && (stays != '0 || (Exact != 0 && shows));
  wire broken_asleep = live && slept_q && !quiet;
  always_comb begin
    assert (!broken_quiet);
    assert (!broken_asleep);
  end
  if (Stages == 1) begin : gen_awake
    wire broken_awake = Exact != 0 && live && quiet != (used == '0);
    always_comb assert (!broken_awake);
  end
`endif

  // Section 12.1, "Movement", and "Credits": in wormhole switching `depth` words leave while credits are withheld. With
  // dynamic allocation a router may prefer VCs, and in the other modes packets may be shorter than their bound.
  ec_proof_progress #(
    .Ports(Ports), .Vcs(Vcs), .DepthMax(DepthMax), .W(W), .Bound(Still)
  ) u_progress (
    .clk_i, .live_i(live), .depth_i(depth), .need_i(need),
    .withheld_i(Exact != 0 || (Dynamic == 0 && switching == 2'd0)),
    .link_i, .link_o(link), .credit_i, .credit_o(credit), .used_i(used), .owed_i(owed), .open_i(in_open),
    .inside_i(inside[0]),
`ifdef EC_NO_QUIET
    .quiet_i(1'b1)
`else
    .quiet_i(quiet)
`endif
  );

  // Section 5.5.
  if (Dynamic == 2) begin : gen_adaptive
    logic right;
    ec_proof_choice #(.Links(Links), .Vcs(Vcs), .DepthMax(DepthMax), .Stages(Stages)) u_choice (
      .clk_i, .dateline_i(dateline), .classes_i(classes), .order_high_i(order_high),
      .open_need_i(switching == 2'd0 ? depth : packet), .depth_i(depth), .credit_i, .owed_i(owed), .held_i(out_open),
      .toward_i(toward[Links:0]), .port_i(by[5:0]), .vc_i(on[VcBits-1:0]), .right_o(right)
    );
    wire chooses = live && leaves[0] && word[W-2];
    wire several = (toward[Links:0] & (toward[Links:0] - 1'b1)) != '0;
    wire two_dims = Dims > 1 && mask[AddressBits-1:0] != '0 && mask[AddressBits*Dims-1 -: AddressBits] != '0;
    wire broken_choice = Exact != 0 && chooses && !right;
    always_comb begin
      assert (!broken_choice);
      cover (chooses && escapes(on[VcBits-1:0], dateline, classes));
      cover (chooses && !escapes(on[VcBits-1:0], dateline, classes) && (several || !two_dims));
    end
  end
  if (Paths == 2) begin : gen_legs
    always_comb cover (live && leaves[0] && 32'(vc) < Vcs / 2 && 32'(on[VcBits-1:0]) >= Vcs / 2);
  end

`ifdef EC_INVARIANTS
  `include "ec_proof_invariants.svh"
`endif

  // What can happen, so that the assumptions leave something to prove.
  always_comb begin
    cover (live && leaves[0]);
    cover (live && done == 2'b11);
    cover (live && leaves[1] && done[0] && same_q);
    cover (live && out_open != '0 && out_open == (out_open & out_colour));
    cover (live && 16'(used[Cw-1:0]) == depth);
    cover (live && 16'(owed[Cw-1:0]) == depth);
  end
endmodule

`default_nettype wire
