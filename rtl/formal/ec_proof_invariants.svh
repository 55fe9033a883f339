// SPDX-License-Identifier: Apache-2.0
// What is always true inside ecube's own router (ec_router.sv): what makes the properties of ec_proof.sv
// inductive. Included in ec_proof where EC_INVARIANTS is defined. They are asserted, and hence proved along with
// the properties.
//
// Wires named inv_* are registers of the router: ties.sh connects them after flattening.
`define EC_INVARIANT(c) assert(c);

// What a word that came by a port asks for; `ways`: are there dateline classes?
`define EC_ROUTE(name, port, dst, vc, ways, to_port, to_vc) \
  ec_proof_route #( \
    .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .AddressBits(AddressBits), .Paths(Paths) \
  ) name ( \
    .coord_i(coord), .mask_i(mask), .radix_i(radix), .wrap_i(wrap), .balanced_i(balanced), .order_high_i(order_high), \
    .dateline_i(ways), .dst_i(dst), .port_i(6'(port)), .vc_i(vc), .port_o(to_port), .vc_o(to_vc) \
  );

// With adaptive routing: the ports of a word, and whether `port` and `vc` are right.
`define EC_ADAPT(name, dst, port, vc, toward, port_ok, vc_ok) \
  ec_proof_adapt #(.Dims(Dims), .LinksPerDim(LinksPerDim), .Vcs(Vcs), .AddressBits(AddressBits)) name ( \
    .node_i(coord), .dst_i(dst), .mask_i(mask), .radix_i(radix), .wrap_i(wrap), .balanced_i(balanced), \
    .order_high_i(order_high), .dateline_i(dateline), .classes_i(classes), .port_i(port), .vc_i(vc), .toward_o(toward), \
    .port_ok_o(port_ok), .vc_ok_o(vc_ok) \
  );

localparam int Pw = $clog2(Ports);
localparam int Rw = Pw + 1 + (Paths == 2 ? 1 : 0);
localparam int Iw = $clog2(DepthMax);
localparam bit Early = Dynamic != 2 && (LinksPerDim == 2 || Stages == 3);
// Of dst, the destination.
localparam logic [AddressBits-1:0] Low = Paths == 2 ? (AddressBits'(1) << AddressBits / 2) - 1'b1 : {AddressBits{1'b1}};

(* keep *) wire [AddressBits-1:0] inv_coord;
(* keep *) wire [AddressBits*Dims-1:0] inv_mask, inv_far;
(* keep *) wire [Dims-1:0] inv_turn, inv_first, inv_last, inv_wrap;
(* keep *) wire inv_dateline, inv_classes, inv_order_high, inv_whole;
(* keep *) wire [Cw-1:0] inv_need, inv_open_need;  // open_need: adaptive
(* keep *) wire [W*DepthMax*Bufs-1:0] inv_mem;
(* keep *) wire [Rw*DepthMax*Bufs-1:0] inv_routes;
(* keep *) wire [(Iw+1)*Bufs-1:0] inv_wr, inv_rd;
(* keep *) wire [VcBits*Bufs-1:0] inv_vc;
(* keep *) wire [Cw*Bufs-1:0] inv_tails, inv_credits;
(* keep *) wire [Bufs*Bufs-1:0] inv_may;     // static
(* keep *) wire [Bufs-1:0] inv_held;         // dynamic
(* keep *) wire [Pw*Bufs-1:0] inv_port;      // adaptive
(* keep *) wire [Bufs*Ports-1:0] inv_pointer;
(* keep *) wire [Bufs*Ports-1:0] inv_grant;  // traversal stage
(* keep *) wire [W*Ports-1:0] inv_arrival;   // route stage

// The pins as they were sampled.
for (genvar d = 0; d < Dims; d++) begin : gen_inv_pins
  wire [AddressBits:0] m = {1'b0, mask[AddressBits*d +: AddressBits]};
  wire [AddressBits:0] r = radix[(AddressBits+1)*d +: AddressBits+1];
  wire [AddressBits:0] unit = m & (~m + 1'b1);
  wire [AddressBits:0] here = {1'b0, coord} & m;
  // By plus the coordinates above are reached, up to `far`; half the ring further, and beyond its end `turn`.
  wire shy = balanced && (here & unit) != '0;
  wire [AddressBits:0] half = here + (((shy ? r - unit : r) >> 1) & m);
  always_comb if (started_q && LinksPerDim == 2 && m != '0) begin
    if (Dynamic != 2) begin
      `EC_INVARIANT(inv_first[d] == (here == '0))
      `EC_INVARIANT(inv_last[d] == (here + unit == r))
    end
    if (wrap[d]) begin
      `EC_INVARIANT(inv_turn[d] == (half >= r))
      `EC_INVARIANT({1'b0, inv_far[AddressBits*d +: AddressBits]} == (half >= r ? half - r : half))
    end else begin
      `EC_INVARIANT(inv_turn[d] == (r == unit << 1))
      `EC_INVARIANT(inv_far[AddressBits*d +: AddressBits] == AddressBits'(m))
    end
  end
end
always_comb if (started_q) begin
  `EC_INVARIANT(inv_coord == coord)
  if (Dims > 1) begin
    `EC_INVARIANT(inv_order_high == order_high)
  end
  if (LinksPerDim == 2) begin
    `EC_INVARIANT(inv_mask == mask && inv_wrap == wrap)
  end
  if (Vcs > 1) begin
    `EC_INVARIANT(inv_dateline == dateline)
    if (Dynamic != 0) begin
      `EC_INVARIANT(inv_classes == classes)
    end
  end
  `EC_INVARIANT(inv_whole == (switching == 2'd2))
  `EC_INVARIANT(16'(inv_need) == need)
end
if (Dynamic == 2) begin : gen_inv_open
  always_comb if (started_q) begin
    `EC_INVARIANT(16'(inv_open_need) == (switching == 2'd0 ? depth : packet))
  end
end

wire [63:0] leads = 64'(connected);  // by port: it leads somewhere

// Per input VC: the packet at its front (what was popped last), and what is inside.
(* mem2reg *) logic [AddressBits-1:0] last_dst_q [0:Bufs-1];
logic [Bufs-1:0] going_q, last_head_q, last_colour_q;  // going_q: the packet of the last word has not left in full
wire [Bufs-1:0] crossing;                              // the last word is in the traversal stage
(* mem2reg *) wire [5:0] last_port [0:Bufs-1];
(* mem2reg *) wire [VcBits-1:0] last_vc [0:Bufs-1];
for (genvar i = 0; i < Bufs; i++) begin : gen_inv_buf
  localparam int Port = i / Vcs;
  localparam int Vc = i % Vcs;
  wire [Iw:0] count = inv_wr[(Iw+1)*i +: Iw+1] - inv_rd[(Iw+1)*i +: Iw+1];
  wire [Iw-1:0] rd = inv_rd[(Iw+1)*i +: Iw];
  wire [W-1:0] stage = inv_arrival[W*Port +: W];
  wire staged = Stages == 3 && stage[W-1] && (Vcs == 1 || stage[W-4 -: VcBits] == VcBits'(Vc));
  wire [Iw-1:0] before = rd - 1'b1;
  logic [W-1:0] front, popped;  // (a variable part select would have undefined bits, for Yosys)
  always_comb begin
    front = '0;
    popped = '0;
    for (int s = 0; s < DepthMax; s++) begin
      if (rd == Iw'(s)) front = inv_mem[W*(DepthMax*i + s) +: W];
      if (before == Iw'(s)) popped = inv_mem[W*(DepthMax*i + s) +: W];
    end
  end

  always_ff @(posedge clk_i) begin
    if (credit[i]) begin
      going_q[i] <= !front[W-3];
      last_head_q[i] <= front[W-2];
      last_colour_q[i] <= front[Colour];
      last_dst_q[i] <= front[W-4-VcBits -: AddressBits];
    end
    if (rst_i) going_q[i] <= 1'b0;
  end
  // The word in the route stage is one that may come here, too.
  wire stage_leads;
  if (Dynamic == 2) begin : gen_chosen
    wire port_ok, vc_ok;
    wire [Links:0] toward;
    assign last_port[i] = 6'(inv_port[Pw*i +: Pw]);
    assign last_vc[i] = inv_vc[VcBits*i +: VcBits];
    `EC_ADAPT(u_last, last_dst_q[i], last_port[i], last_vc[i], , port_ok, vc_ok)
    `EC_ADAPT(u_stage, stage[W-4-VcBits -: AddressBits], 6'd0, VcBits'(0), toward, , )
    assign stage_leads = (64'(toward) & ~leads) == '0;
    always_comb if (started_q && (going_q[i] || crossing[i])) begin
      `EC_INVARIANT(port_ok && vc_ok && leads[last_port[i]] && allowed(last_vc[i], VcBits'(Vc), 1'b0, classes))
    end
  end else begin : gen_prescribed
    wire [5:0] stage_port;
    `EC_ROUTE(u_last, Port, last_dst_q[i], VcBits'(Vc), dateline, last_port[i], last_vc[i])
    `EC_ROUTE(u_stage, Port, stage[W-4-VcBits -: AddressBits], VcBits'(Vc), dateline, stage_port, )
    assign stage_leads = leads[stage_port];
  end

  // Every word inside: it is one that may come here, its route is right, and it follows the one before it.
  logic [Cw-1:0] tails;
  wire [DepthMax-1:0] tail_slot;
  for (genvar s = 0; s < DepthMax; s++) begin : gen_slot
    localparam int Before = (s + DepthMax - 1) % DepthMax;
    wire [W-1:0] w = inv_mem[W*(DepthMax*i + s) +: W];
    wire [W-1:0] b = inv_mem[W*(DepthMax*i + Before) +: W];
    wire [Iw-1:0] place = Iw'(s) - rd;
    wire holds = {1'b0, place} < count;
    assign tail_slot[s] = holds && w[W-3];
    wire [5:0] to_port;
    wire [VcBits-1:0] to_vc;
    wire [Rw-1:0] route = inv_routes[Rw*(DepthMax*i + s) +: Rw];
    wire led;
    if (Dynamic == 2) begin : gen_chosen
      wire [Links:0] toward;
      `EC_ADAPT(u_adapt, w[W-4-VcBits -: AddressBits], 6'd0, VcBits'(0), toward, , )
      assign led = (64'(toward) & ~leads) == '0;
      assign to_port = '0;
      assign to_vc = '0;
    end else begin : gen_prescribed
      `EC_ROUTE(u_route, Port, w[W-4-VcBits -: AddressBits], VcBits'(Vc), dateline, to_port, to_vc)
      assign led = leads[to_port];
    end
    if (Paths == 2 && Early) begin : gen_leg
      always_comb if (started_q && holds) begin
        `EC_INVARIANT(route[Rw-1] == (32'(to_vc) >= Vcs / 2))
      end
    end
    always_comb if (started_q && holds) begin
      `EC_INVARIANT(w[W-1] && led)
      `EC_INVARIANT(w[W-4 -: VcBits] == VcBits'(Vc))
      if (Port >= Links) begin  // a node sends nothing to itself
        `EC_INVARIANT((w[W-4-VcBits -: AddressBits] & Low) != coord)
      end
      if (Early) begin
        `EC_INVARIANT(6'(route[Pw-1:0]) == to_port)
        if (dateline) begin
          `EC_INVARIANT(route[Pw] == to_vc[0])
        end
      end
      if (place == '0) begin
        `EC_INVARIANT(w[W-2] != going_q[i])
        if (going_q[i]) begin
          `EC_INVARIANT(w[W-4-VcBits -: AddressBits] == last_dst_q[i] && w[Colour] == last_colour_q[i])
        end
      end else begin
        `EC_INVARIANT(w[W-2] == b[W-3])
        if (!w[W-2]) begin
          `EC_INVARIANT(w[W-4-VcBits -: AddressBits] == b[W-4-VcBits -: AddressBits] && w[Colour] == b[Colour])
        end
      end
      if ({1'b0, place} + 1'b1 == count) begin
        if (staged) begin
          `EC_INVARIANT(stage[W-2] == w[W-3])
          if (!stage[W-2]) begin
            `EC_INVARIANT(stage[W-4-VcBits -: AddressBits] == w[W-4-VcBits -: AddressBits] && stage[Colour] == w[Colour])
          end
        end else begin
          `EC_INVARIANT(in_open[i] != w[W-3])
          if (in_open[i]) begin
            `EC_INVARIANT(in_dst[AddressBits*i +: AddressBits] == w[W-4-VcBits -: AddressBits])
            `EC_INVARIANT(in_colour[i] == w[Colour])
          end
        end
      end
      // The tracked words are where they should be, and nowhere else.
      for (int t = 0; t < 2; t++) begin
        `EC_INVARIANT(w[t] == (inside[t] && !due_later[t] && from == i && ahead[Cw*t +: Cw] == Cw'(place)))
        if (w[t]) begin
          `EC_INVARIANT(w == word[W*t +: W])
        end
      end
    end
  end

  always_comb begin
    tails = '0;
    for (int s = 0; s < DepthMax; s++) tails = tails + Cw'({tail_slot[s]});
  end
  always_comb if (started_q) begin
    `EC_INVARIANT({1'b0, used[Cw*i +: Cw]} == (Cw + 1)'(count) + (Cw + 1)'({staged}))
    `EC_INVARIANT(16'(used[Cw*i +: Cw]) <= depth)
    `EC_INVARIANT(inv_tails[Cw*i +: Cw] == (switching == 2'd2 ? tails : '0))
    if (count == '0) begin
      if (staged) begin
        `EC_INVARIANT(stage[W-2] != going_q[i])
        if (going_q[i]) begin
          `EC_INVARIANT(stage[W-4-VcBits -: AddressBits] == last_dst_q[i] && stage[Colour] == last_colour_q[i])
        end
      end else begin
        `EC_INVARIANT(in_open[i] == going_q[i])
        if (going_q[i]) begin
          `EC_INVARIANT(in_dst[AddressBits*i +: AddressBits] == last_dst_q[i] && in_colour[i] == last_colour_q[i])
        end
      end
    end
    if (staged) begin
      `EC_INVARIANT(stage[W-4 -: VcBits] == VcBits'(Vc) && stage_leads)
      if (Port >= Links) begin
        `EC_INVARIANT((stage[W-4-VcBits -: AddressBits] & Low) != coord)
      end
      `EC_INVARIANT(in_open[i] != stage[W-3])
      if (in_open[i]) begin
        `EC_INVARIANT(in_dst[AddressBits*i +: AddressBits] == stage[W-4-VcBits -: AddressBits])
        `EC_INVARIANT(in_colour[i] == stage[Colour])
      end
    end
  end

  // The traversal stage has the word that was popped last.
  if (Stages > 1) begin : gen_crossing
    logic [Ports-1:0] ports;
    always_comb for (int p = 0; p < Ports; p++) ports[p] = inv_grant[Bufs*p + i];
    assign crossing[i] = ports != '0;
    always_comb if (started_q && crossing[i]) begin
      `EC_INVARIANT(ports == Ports'(1) << last_port[i])
      `EC_INVARIANT(popped[W-1] && popped[W-2] == last_head_q[i] && popped[W-3] != going_q[i])
      `EC_INVARIANT(popped[W-4-VcBits -: AddressBits] == last_dst_q[i] && popped[Colour] == last_colour_q[i])
      if (Vcs == 1) begin
        `EC_INVARIANT(popped[W-4 -: VcBits] == '0)
      end
      for (int t = 0; t < 2; t++) begin
        `EC_INVARIANT(popped[t] == (due[t] && from == i))
        if (popped[t]) begin
          `EC_INVARIANT(popped == word[W*t +: W])
        end
      end
      if (Dynamic == 0 && Vcs > 1) begin
        `EC_INVARIANT(inv_vc[VcBits*i +: VcBits] == last_vc[i])
      end
    end
  end else begin : gen_direct
    assign crossing[i] = 1'b0;
  end
  if (Dynamic == 1 && Vcs > 1) begin : gen_bound
    always_comb if (started_q && (going_q[i] || crossing[i])) begin
      `EC_INVARIANT(allowed(inv_vc[VcBits*i +: VcBits], last_vc[i], dateline, classes))
    end
  end
  if (Dynamic != 0 && Vcs == 1) begin : gen_one
    always_comb if (started_q && (going_q[i] || crossing[i])) begin
      `EC_INVARIANT(inv_vc[VcBits*i +: VcBits] == '0)
    end
  end
end

// Per output VC: whose packet is on it, its credits, and what the other end has seen.
for (genvar o = 0; o < Bufs; o++) begin : gen_inv_out
  localparam int Port = o / Vcs;
  localparam int Vc = o % Vcs;
  logic [Bufs-1:0] holders, crossers;
  always_comb begin
    for (int i = 0; i < Bufs; i++) begin
      holders[i] = going_q[i] && here[i];
      crossers[i] = crossing[i] && here[i];
    end
  end
  wire [Bufs-1:0] here;
  for (genvar i = 0; i < Bufs; i++) begin : gen_here
    assign here[i] = last_port[i] == 6'(Port)
      && (Vcs == 1 || (Dynamic != 0 ? inv_vc[VcBits*i +: VcBits] : last_vc[i]) == VcBits'(Vc));
  end
  always_comb if (started_q) begin
    `EC_INVARIANT((holders & (holders - 1'b1)) == '0)
    `EC_INVARIANT((crossers & (crossers - 1'b1)) == '0)
    if (Dynamic != 0) begin
      `EC_INVARIANT(inv_held[o] == (holders != '0))
    end else begin
      `EC_INVARIANT(inv_may[Bufs*o +: Bufs] == (holders == '0 ? '1 : holders))
    end
    `EC_INVARIANT({1'b0, inv_credits[Cw*o +: Cw]} + {1'b0, owed[Cw*o +: Cw]} + (Cw + 1)'({crossers != '0}) == depth)
    if (crossers == '0) begin
      `EC_INVARIANT(out_open[o] == (holders != '0))
      if (holders != '0) begin
        `EC_INVARIANT(out_colour[o] == ((holders & last_colour_q) != '0))
      end
    end else begin
      `EC_INVARIANT(out_open[o] == ((crossers & last_head_q) == '0))
      if (out_open[o]) begin
        `EC_INVARIANT(out_colour[o] == ((crossers & last_colour_q) != '0))
      end
      `EC_INVARIANT(holders == (crossers & going_q))
    end
  end
end
// Per output port: the pointer as a mask, ones above zeros; one word in the traversal stage.
for (genvar p = 0; p < Ports; p++) begin : gen_inv_pointer
  wire [Bufs-1:0] below = ~inv_pointer[Bufs*p +: Bufs];
  always_comb if (started_q) begin
    `EC_INVARIANT((below & (below + 1'b1)) == '0)
  end
end
if (Stages > 1) begin : gen_inv_traversal
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    wire [Bufs-1:0] granted = inv_grant[Bufs*p +: Bufs];
    always_comb if (started_q) begin
      `EC_INVARIANT((granted & (granted - 1'b1)) == '0)
    end
  end
end

// The tracked words.
wire [9:0] from = 10'(port) * 10'(Vcs) + 10'(vc);
wire [1:0] due_later = Stages > 1 ? due : 2'b00;  // it is in the traversal stage
logic [Cw-1:0] from_count;
logic from_staged, from_crossing;
logic [W-1:0] from_stage;
always_comb begin
  from_count = '0;
  from_staged = 1'b0;
  from_crossing = 1'b0;
  from_stage = '0;
  for (int p = 0; p < Ports; p++) begin
    if (port == 6'(p)) from_stage = inv_arrival[W*p +: W];
    for (int v = 0; v < Vcs; v++) begin
      if (from == p * Vcs + v) begin
        from_count = inv_wr[(Iw+1)*(p*Vcs + v) +: Iw+1] - inv_rd[(Iw+1)*(p*Vcs + v) +: Iw+1];
        from_crossing = crossing[p*Vcs + v];
      end
    end
  end
  from_staged = Stages == 3 && from_stage[W-1] && (Vcs == 1 || from_stage[W-4 -: VcBits] == vc);
end
always_comb if (started_q) begin
  for (int t = 0; t < 2; t++) begin
    `EC_INVARIANT(!(inside[t] && done[t]))
    if (Stages > 1) begin  // its credit is back: no word is before it, not even itself
      `EC_INVARIANT(!due[t] || (inside[t] && from_crossing && ahead[Cw*t +: Cw] == '1))
    end
    if (inside[t] && !due_later[t]) begin
      `EC_INVARIANT(ahead[Cw*t +: Cw] < from_count + Cw'({from_staged}))
      if (ahead[Cw*t +: Cw] == from_count) begin
        `EC_INVARIANT(from_stage == word[W*t +: W])
      end
      `EC_INVARIANT(word[W*t + t])
    end
    if (from_staged) begin
      `EC_INVARIANT(from_stage[t] == (inside[t] && !due_later[t] && ahead[Cw*t +: Cw] == from_count))
    end
    for (int p = 0; p < Ports; p++) begin
      if (Stages == 3 && inv_arrival[W*p + W - 1] && (port != 6'(p) || !from_staged)) begin
        `EC_INVARIANT(!inv_arrival[W*p + t])
      end
    end
  end
  // The second is behind the first.
  if (inside[1] || done[1]) begin
    `EC_INVARIANT(inside[0] || done[0])
  end
  if (inside[0]) begin
    `EC_INVARIANT(!done[1] && !due_later[1])
    if (inside[1] && !due_later[0]) begin
      `EC_INVARIANT(ahead[0 +: Cw] < ahead[Cw +: Cw])
    end
  end
  if (slept_q) begin
    `EC_INVARIANT(used == '0 && crossing == '0)
  end
end
