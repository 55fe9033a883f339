// SPDX-License-Identifier: Apache-2.0
// The environment in front of one input port: any traffic that a network brings there, and nothing else
// (sections 3 to 5, 7 and 11 of docs/ROUTER-CONTRACT.md). Counts the words whose credits are out.
//
// Words come only where a neighbour or the node would send them: the neighbour's own route leads here (Free: the
// only shortest path), and the VC has a dateline class that some path can have. Packets are whole, in order, not
// interleaved within a VC, and start only with the credits that their switching mode asks for. The bit COLOUR of
// data is the same in all words of a packet; it tells packets apart. Words and credits of a reset cycle are free.
`default_nettype none

(* ec_environment *) module ec_proof_arrivals #(
  parameter int Dims = 1,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int AddressBits = 16,
  parameter int DataBits = 27,
  parameter bit Free = 1'b0,
  parameter bit Adaptive = 1'b0,
  parameter int Paths = 0,
  parameter int Port = 0,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 3 + VcBits + 2 * AddressBits + DataBits,
  localparam int Cw = $clog2(DepthMax + 1),
  localparam int Links = Dims * LinksPerDim,
  localparam int Dim = Port < Links ? Port / LinksPerDim : 0,
  localparam bit Minus = Port < Links && LinksPerDim == 2 && Port % 2 == 1
) (
  input  wire                             clk_i,
  input  wire                             rst_i,
  input  wire                             live_i,  // the first reset is over, and this is no reset
  input  wire  [AddressBits-1:0]          coord_i,
  input  wire  [AddressBits*Dims-1:0]     mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0] radix_i,
  input  wire  [Dims-1:0]                 wrap_i,
  input  wire  [AddressBits-1:0]          nodes_i,
  input  wire                             dateline_i,
  input  wire                             classes_i,
  input  wire                             balanced_i,
  input  wire                             order_high_i,
  input  wire  [1:0]                      switching_i,
  input  wire  [15:0]                     depth_i,
  input  wire  [15:0]                     packet_i,
  input  wire  [15:0]                     need_i,
  input  wire  [W-1:0]                    word_i,
  input  wire  [Vcs-1:0]                  credit_i,   // the router's: what it gives back
  output logic [Cw*Vcs-1:0]               used_o,     // words whose credit is out
  output logic [Vcs-1:0]                  open_o,     // a packet has begun and not ended
  output logic [Vcs*AddressBits-1:0]      dst_o,      // of its last word
  output logic [Vcs-1:0]                  colour_o,
  output logic                            connected_o // there is a neighbour or the node
);
  `include "ec_proof_tags.svh"

  // The word.
  logic valid, head, tail;
  logic [VcBits-1:0] vc;
  logic [AddressBits-1:0] dst, src;
  assign {valid, head, tail, vc, dst, src} = word_i[W-1 -: 3 + VcBits + 2 * AddressBits];

  // Section 5.6: with Paths = 2 dst names two nodes, that on the way in its upper half. (Yosys takes '1 in a choice as 1.)
  localparam int Half = Paths == 2 ? AddressBits / 2 : AddressBits;
  wire second = Paths != 0 && 32'(vc) >= Vcs / 2;
  wire [AddressBits-1:0] last_node = dst & (Paths == 2 ? (AddressBits'(1) << Half) - 1'b1 : {AddressBits{1'b1}});
  wire [AddressBits-1:0] on_way = dst >> Half;

  // Do the destination, the source and the node on the way exist?
  logic [1:0] node;
  always_comb begin
    node = {(src & ~nodes_i) == '0, ((last_node | on_way) & ~nodes_i) == '0};
    for (int d = 0; d < Dims; d++) begin
      if (LinksPerDim == 2 && mask_i[AddressBits*d +: AddressBits] != '0) begin
        if ({1'b0, last_node & mask_i[AddressBits*d +: AddressBits]} >= radix_i[(AddressBits+1)*d +: AddressBits+1])
          node[0] = 1'b0;
        if ({1'b0, on_way & mask_i[AddressBits*d +: AddressBits]} >= radix_i[(AddressBits+1)*d +: AddressBits+1])
          node[0] = 1'b0;
        if ({1'b0, src & mask_i[AddressBits*d +: AddressBits]} >= radix_i[(AddressBits+1)*d +: AddressBits+1])
          node[1] = 1'b0;
      end
    end
  end

  // Where it comes from: this node, or the neighbour at the other end of the link. `fits`: its route there
  // leads to this port, and the dateline class is one that a path by this link can have. `way_here`: the link there.
  logic [AddressBits-1:0] from, to;  // to: the node to which it goes there, in its message class
  logic home, plus, wraps, fits;
  logic [4:0] dim;
  logic [Links-1:0] way_here;
  ec_proof_step #(.Dims(Dims), .LinksPerDim(LinksPerDim), .AddressBits(AddressBits)) u_step (
    .node_i(from), .dst_i(to), .mask_i, .radix_i, .wrap_i, .balanced_i, .order_high_i(order_high_i ^ (Paths == 1 && second)),
    .home_o(home), .dim_o(dim), .plus_o(plus), .wraps_o(wraps), .past_o(), .toward_o()
  );
  if (Port >= Links) begin : gen_local
    // With a local port per link a packet enters by that of its first link.
    localparam int Local = Port - Links;
    assign from = coord_i;
    assign to = last_node;
    assign way_here = '0;
    assign connected_o = 1'b1;
    assign fits = !home && !(dateline_i && vc[0]) && !(Paths == 2 && second)
      && (Locals == 1 || (LinksPerDim == 1 ? dim == 5'(Local) : {dim, !plus} == 6'(Local)));
  end else if (LinksPerDim == 1) begin : gen_cube
    assign from = coord_i ^ (AddressBits'(1) << Dim);
    assign to = Paths == 2 && !second ? on_way : last_node;
    assign way_here = Links'(1) << Dim;
    assign connected_o = 1'b1;
    assign fits = !home && dim == 5'(Dim) && !(dateline_i && vc[0]);
  end else begin : gen_link
    logic [AddressBits:0] mask, unit, radix, here, there, last, neighbour;
    logic two, wrap, crossed, before;
    assign mask = {1'b0, mask_i[AddressBits*Dim +: AddressBits]};
    assign unit = mask & (~mask + 1'b1);
    assign radix = radix_i[(AddressBits+1)*Dim +: AddressBits+1];
    assign here = {1'b0, coord_i} & mask;
    assign to = Paths == 2 && !second ? on_way : last_node;
    assign there = {1'b0, to} & mask;
    assign last = radix - unit;
    assign two = radix == unit << 1;
    assign wrap = wrap_i[Dim];
    // Port 2d comes from the neighbour above, 2d + 1 from the one below. In radix 2 there is only 2d.
    assign neighbour = two ? here ^ unit : Minus ? (here == '0 ? last : here - unit)
                                                 : (here == last ? '0 : here + unit);
    assign from = AddressBits'(({1'b0, coord_i} & ~mask) | neighbour);
    assign way_here = Links'(Minus || two ? 1 : 2) << 2 * Dim;
    assign connected_o = mask != '0 && !(two && Minus) && (two || wrap || here != (Minus ? '0 : last));
    // From below words go up. They crossed the wrap link if it is this one, or if one that started at the end
    // of the ring still goes this way.
    assign crossed = wraps;
    assign before = wrap && (Minus ? here <= there && {1'b0, there + unit} << 1 <= {1'b0, radix}
                                   : here >= there && {1'b0, there} << 1 > {1'b0, radix});
    assign fits = !home && dim == 5'(Dim) && (two || plus == Minus)
      && (!dateline_i || (vc[0] ? crossed || before : !crossed));
  end

  // Free: on a shortest path from src to dst by the link from there to here, which is the only one that comes nearer:
  // where a router has a choice, it may make this turn never.
  logic allowed;
  if (Free) begin : gen_free
    localparam int Bits = AddressBits + 2;
    logic [Bits*Dims-1:0] behind, ahead, whole;
    logic [Links-1:0] nearer;
    ec_proof_near #(.Dims(Dims), .LinksPerDim(LinksPerDim), .AddressBits(AddressBits)) u_behind (
      .node_i(src), .dst_i(from), .mask_i, .radix_i, .wrap_i, .far_o(behind), .nearer_o()
    );
    ec_proof_near #(.Dims(Dims), .LinksPerDim(LinksPerDim), .AddressBits(AddressBits)) u_ahead (
      .node_i(from), .dst_i(dst), .mask_i, .radix_i, .wrap_i, .far_o(ahead), .nearer_o(nearer)
    );
    ec_proof_near #(.Dims(Dims), .LinksPerDim(LinksPerDim), .AddressBits(AddressBits)) u_whole (
      .node_i(src), .dst_i(dst), .mask_i, .radix_i, .wrap_i, .far_o(whole), .nearer_o()
    );
    always_comb begin
      allowed = node[1] && (Port < Links ? nearer == way_here : src == coord_i && nearer != '0);
      for (int d = 0; d < Dims; d++)
        if (behind[Bits*d +: Bits] + ahead[Bits*d +: Bits] != whole[Bits*d +: Bits]) allowed = 1'b0;
    end
  end else if (Adaptive && Port < Links) begin : gen_adaptive
    logic [5:0] port_there;
    logic port_ok, vc_ok;
    always_comb begin
      port_there = '0;
      for (int p = 0; p < Links; p++) if (way_here[p]) port_there = 6'(p);
    end
    ec_proof_adapt #(.Dims(Dims), .LinksPerDim(LinksPerDim), .Vcs(Vcs), .AddressBits(AddressBits)) u_adapt (
      .node_i(from), .dst_i(dst), .mask_i, .radix_i, .wrap_i, .balanced_i, .order_high_i, .dateline_i, .classes_i,
      .port_i(port_there), .vc_i(vc), .toward_o(), .port_ok_o(port_ok), .vc_ok_o(vc_ok)
    );
    assign allowed = port_ok && vc_ok;
  end else begin : gen_prescribed
    assign allowed = fits;
  end

  // Per VC: what is inside, and the packet that is under way.
  (* mem2reg *) logic [Cw-1:0] used_q [0:Vcs-1];
  (* mem2reg *) logic [Cw-1:0] length_q [0:Vcs-1];  // words of the open packet; read with a packet bound only
  (* mem2reg *) logic [AddressBits-1:0] dst_q [0:Vcs-1];
  logic [Vcs-1:0] open_q, colour_q, broken_credit;
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    wire arrives = valid && (Vcs == 1 || vc == VcBits'(v));
    wire [Cw:0] length = (open_q[v] ? {1'b0, length_q[v]} : '0) + 1'b1;
    always_ff @(posedge clk_i) begin
      used_q[v] <= used_q[v] + Cw'({arrives}) - Cw'(credit_i[v]);
      if (arrives) begin
        open_q[v] <= !tail;
        colour_q[v] <= word_i[Colour];
        dst_q[v] <= dst;
        length_q[v] <= Cw'(length);
      end
      if (rst_i) begin
        used_q[v] <= '0;
        open_q[v] <= 1'b0;
      end
    end
    always_comb begin
      if (live_i && arrives) begin
        assume (used_q[v] < depth_i);
        assume (head == !open_q[v]);
        if (head) assume (depth_i - 16'(used_q[v]) >= need_i);
        else assume (dst == dst_q[v] && word_i[Colour] == colour_q[v]);
        if (switching_i != 2'd0) assume (16'(length) <= packet_i && (tail || 16'(length) < packet_i));
      end
    end

    assign used_o[Cw*v +: Cw] = used_q[v];
    assign dst_o[AddressBits*v +: AddressBits] = dst_q[v];

    // Section 4.6: one credit for each word, never more.
    assign broken_credit[v] = live_i && credit_i[v] && used_q[v] == '0;
    always_comb assert (!broken_credit[v]);
  end
  assign open_o = open_q;
  assign colour_o = colour_q;

  always_comb begin
    if (live_i && valid) begin
      assume (connected_o);
      assume (32'(vc) < Vcs);
      assume (node[0] && allowed);
    end
  end
endmodule

`default_nettype wire
