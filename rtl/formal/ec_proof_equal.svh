// SPDX-License-Identifier: Apache-2.0
// For the comparison of ecube's own router (ec_router.sv) with a copy that has a defect: what of its registers
// matters, and when. Two routers may differ in the rest. Included in ec_proof where EC_EQUAL is defined, behind
// the invariants, whose names it uses.
//
// view_X[i] must be equal in both routers while care_X[i] is 1 in the first of them.

// Can a word of input port `from` ask for output port `to`? Dimensions come in order, words go on in their
// direction, and a word from the node does not stay.
function automatic turns(input int from, input int to, input order_high);
  if (from >= Links) turns = to < Links && (Locals == 1 || to == from - Links);
  else if (to >= Links) turns = Locals == 1 || to == Links + from;
  else if (from / LinksPerDim == to / LinksPerDim) turns = LinksPerDim == 2 && to != from;
  else turns = order_high ? to / LinksPerDim < from / LinksPerDim : to / LinksPerDim > from / LinksPerDim;
endfunction

// Is there a node with this address?
function automatic exists(input [AddressBits-1:0] dst);
  exists = (dst & ~nodes) == '0;
  for (int d = 0; d < Dims; d++) begin
    if (LinksPerDim == 2 && mask[AddressBits*d +: AddressBits] != '0
        && {1'b0, dst & mask[AddressBits*d +: AddressBits]} >= radix[(AddressBits+1)*d +: AddressBits+1])
      exists = 1'b0;
  end
endfunction

wire [W*DepthMax*Bufs-1:0] care_mem, view_mem;
wire [(Pw+1)*DepthMax*Bufs-1:0] care_routes, view_routes;
wire [VcBits*Bufs-1:0] care_vc, view_vc;
wire [Cw*Bufs-1:0] care_tails, view_tails;
wire [Bufs*Ports-1:0] care_pointer, view_pointer;
wire [W*Ports-1:0] care_arrival, view_arrival;
wire [AddressBits*Dims-1:0] care_far, view_far;
wire [Dims-1:0] care_turn, view_turn, care_wrap, view_wrap, care_first, view_first, care_last, view_last;
assign view_mem = inv_mem;
assign view_routes = inv_routes;
assign view_vc = inv_vc;
assign view_tails = inv_tails;
assign view_arrival = inv_arrival;
assign view_far = inv_far;
assign view_turn = inv_turn;
assign view_wrap = inv_wrap;
assign view_first = inv_first;
assign view_last = inv_last;

// A dimension of radix 1 is never chosen. Where the wrap link is matters for dateline classes only.
for (genvar d = 0; d < Dims; d++) begin : gen_equal_dim
  wire used = started_q && mask[AddressBits*d +: AddressBits] != '0;
  assign care_far[AddressBits*d +: AddressBits] = {AddressBits{used}};
  assign care_turn[d] = used;
  assign care_wrap[d] = used && dateline;
  assign care_first[d] = used && dateline && wrap[d];
  assign care_last[d] = used && dateline && wrap[d];
end

for (genvar i = 0; i < Bufs; i++) begin : gen_equal_buf
  localparam int Port = i / Vcs;
  assign care_vc[VcBits*i +: VcBits] = {VcBits{going_q[i] || crossing[i]}};
  assign care_tails[Cw*i +: Cw] = {Cw{inv_whole}};
  // In store-and-forward a packet leaves only when it is here in full.
  always_comb if (started_q && switching == 2'd2 && going_q[i]) begin
    `EC_INVARIANT(inv_tails[Cw*i +: Cw] != '0)
  end
  // Places that were written since the reset. A word can be read only behind them, so a defect may mix its bits
  // with theirs.
  logic [DepthMax-1:0] written_q;
  wire [W-1:0] pushed = Stages == 3 ? inv_arrival[W*Port +: W] : link_i[W*Port +: W];
  wire [Iw-1:0] wr = inv_wr[(Iw+1)*i +: Iw];
  always_ff @(posedge clk_i) begin
    for (int s = 0; s < DepthMax; s++) begin
      if (pushed[W-1] && (Vcs == 1 || pushed[W-4 -: VcBits] == VcBits'(i % Vcs)) && wr == Iw'(s)) written_q[s] <= 1'b1;
    end
    if (rst_i) written_q <= '0;
  end
  // With datelines, words of the second class come by links of a ring only.
  if (Vcs > 1 && i % 2 == 1) begin : gen_class
    always_comb if (started_q && dateline && (Port >= Links || !wrap[Port < Links ? Port / LinksPerDim : 0])) begin
      `EC_INVARIANT(written_q == '0)
    end
  end
  for (genvar s = 0; s < DepthMax; s++) begin : gen_slot
    localparam int Slot = DepthMax * i + s;
    wire holds = gen_inv_buf[i].gen_slot[s].holds;
    wire was_popped = crossing[i] && gen_inv_buf[i].before == Iw'(s);
    wire written = started_q && written_q[s];
    assign care_mem[W*Slot +: W] = {W{holds || was_popped}};
    assign care_routes[(Pw+1)*Slot +: Pw] = {Pw{holds}};
    assign care_routes[(Pw+1)*Slot + Pw] = holds && dateline;
    always_comb if (started_q && (holds || was_popped)) begin
      `EC_INVARIANT(written_q[s])
    end
    if (s > 0) begin : gen_before
      always_comb if (started_q && (written_q[s] || wr == Iw'(s))) begin
        `EC_INVARIANT(written_q[s-1])
      end
    end
    // Every word asks for a port that it may ask for.
    wire [Pw:0] route = inv_routes[(Pw+1)*Slot +: Pw+1];
    wire [5:0] to_port = gen_inv_buf[i].gen_slot[s].to_port;
    for (genvar p = 0; p < Ports; p++) begin : gen_to
      always_comb if (written && (!turns(Port, p, order_high) || !connected[p])) begin
        if (Early) begin
          `EC_INVARIANT(route[Pw-1:0] != Pw'(p))
        end else begin
          `EC_INVARIANT(to_port != 6'(p))
        end
      end
    end
    if (Early) begin : gen_route
      always_comb if (written) begin
        `EC_INVARIANT({1'b0, route[Pw-1:0]} < (Pw + 1)'(Ports))
        if (LinksPerDim == 1 || route[Pw-1:0] >= Pw'(Links)) begin  // no wrap link
          `EC_INVARIANT(!route[Pw])
        end
      end
    end
    // A word that has crossed the wrap link of its dimension stays in the class behind it.
    if (Vcs > 1 && Port < Links && LinksPerDim == 2 && i % 2 == 1) begin : gen_crossed
      always_comb if (written && dateline && route[Pw-1:1] == (Pw-1)'(Port / 2)) begin
        `EC_INVARIANT(route[Pw])
      end
    end
    wire [W-1:0] w = inv_mem[W*Slot +: W];
    always_comb if (written) begin
      `EC_INVARIANT(w[W-1] && exists(w[W-4-VcBits -: AddressBits]))
      `EC_INVARIANT(w[W-4 -: VcBits] == VcBits'(i % Vcs))
    end
  end
end

for (genvar p = 0; p < Ports; p++) begin : gen_equal_port
  // A word that comes asks for such a port: this is what its sender's route means for this router's.
  wire [W-1:0] comes = link_i[W*p +: W];
  wire [5:0] comes_port;
  wire [VcBits-1:0] comes_vc;
  `EC_ROUTE(u_comes, p, comes[W-4-VcBits -: AddressBits], comes[W-4 -: VcBits], dateline, comes_port, comes_vc)
  for (genvar o = 0; o < Ports; o++) begin : gen_comes
    always_comb if (live && comes[W-1] && (!turns(p, o, order_high) || !connected[o])) begin
      `EC_INVARIANT(comes_port != 6'(o))
    end
  end
  always_comb if (live && comes[W-1]) begin
    `EC_INVARIANT(comes_port < 6'(Ports))
  end
  // A word that has arrived does so, too.
  wire [W-1:0] stage = inv_arrival[W*p +: W];
  assign care_arrival[W*p +: W] = {1'b1, {(W-1){stage[W-1]}}};
  if (Stages == 3) begin : gen_stage
    wire [5:0] to_port;
    wire [VcBits-1:0] to_vc;
    `EC_ROUTE(u_route, p, stage[W-4-VcBits -: AddressBits], stage[W-4 -: VcBits], dateline, to_port, to_vc)
    always_comb if (started_q && stage[W-1]) begin
      `EC_INVARIANT(exists(stage[W-4-VcBits -: AddressBits]))
      if (Vcs == 1) begin
        `EC_INVARIANT(stage[W-4 -: VcBits] == '0)
      end else if (dateline && (p >= Links || !wrap[p < Links ? p / LinksPerDim : 0])) begin
        `EC_INVARIANT(!stage[W-3-VcBits])
      end
    end
    for (genvar o = 0; o < Ports; o++) begin : gen_to
      always_comb if (started_q && stage[W-1] && !turns(p, o, order_high)) begin
        `EC_INVARIANT(to_port != 6'(o))
      end
    end
  end
  // The pointer: of those that may ask, from whom on; none is as good as all. With one VC only the packet that
  // holds the port asks for it, and the pointer moves with its tail.
  wire held = Vcs == 1 && (Dynamic != 0 ? inv_held[p] : inv_may[Bufs*p +: Bufs] != '1);
  wire [Bufs-1:0] may_ask;
  for (genvar i = 0; i < Bufs; i++) begin : gen_from
    assign may_ask[i] = turns(i / Vcs, p, order_high);
  end
  wire [Bufs-1:0] pointer = inv_pointer[Bufs*p +: Bufs] & may_ask;
  assign care_pointer[Bufs*p +: Bufs] = {Bufs{started_q && !held}};
  assign view_pointer[Bufs*p +: Bufs] = pointer == '0 ? may_ask : pointer;
end
