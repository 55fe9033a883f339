// SPDX-License-Identifier: Apache-2.0
// One tracked word: any word of any packet, chosen by the solver. Only this word has the bit TAG of its data,
// so it is recognized wherever it comes out. It leaves once, unchanged, by the port and on the VC that section 5
// of docs/ROUTER-CONTRACT.md gives (Free: by one that section 12.2 allows), and (Exact) when the
// credits of the words before it are back.
`default_nettype none

(* ec_environment *) module ec_proof_flit #(
  parameter int Dims = 1,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Dynamic = 0,
  parameter int Stages = 1,
  parameter int AddressBits = 16,
  parameter int DataBits = 27,
  parameter bit Exact = 1'b1,
  parameter int Free = 0,
  parameter int Paths = 0,
  parameter int Tag = 0,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 3 + VcBits + 2 * AddressBits + DataBits,
  localparam int Cw = $clog2(DepthMax + 1),
  localparam int Links = Dims * LinksPerDim,
  localparam int Ports = Links + Locals,
  localparam int Bufs = Ports * Vcs
) (
  input  wire                             clk_i,
  input  wire                             rst_i,
  input  wire                             live_i,
  input  wire  [AddressBits-1:0]          coord_i,
  input  wire  [AddressBits*Dims-1:0]     mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0] radix_i,
  input  wire  [Dims-1:0]                 wrap_i,
  input  wire                             balanced_i,
  input  wire                             order_high_i,
  input  wire                             dateline_i,
  input  wire                             classes_i,
  input  wire  [5:0]                      port_i,   // where it comes in: constant
  input  wire  [VcBits-1:0]               vc_i,
  input  wire  [W*Ports-1:0]              link_i,
  input  wire  [W*Ports-1:0]              link_o,   // the router's
  input  wire  [Bufs-1:0]                 credit_o, // the router's
  input  wire  [Cw*Bufs-1:0]              used_i,
  output logic                            inside_o,
  output logic                            done_o,   // it has left
  output logic [W-1:0]                    word_o,   // as it came
  output logic [Cw-1:0]                   ahead_o,  // words before it in its input VC
  output logic                            due_o,    // its credit is back (Exact): it must leave now
  output logic                            arrives_o,
  output logic                            leaves_o,
  output logic [5:0]                      to_o,     // the port by which it must leave, unless Free
  output logic [VcBits-1:0]               out_o,    // static: the VC; dynamic: one of its class
  output logic [Links:0]                  toward_o, // adaptive: its ports
  output logic [5:0]                      port_o,   // by which it leaves now
  output logic [VcBits-1:0]               leave_o   // on this VC
);
  `include "ec_proof_tags.svh"
  logic inside_q, done_q;
  logic [W-1:0] word_q;
  logic [Cw-1:0] ahead_q;

  // What comes in and out with the tag.
  logic [Ports-1:0] tagged_in, tagged_out;
  logic [W-1:0] word_in, word_out;
  logic [5:0] port_out;
  logic [Cw-1:0] used;
  logic freed;
  always_comb begin
    word_in = '0;
    word_out = '0;
    port_out = '0;
    used = '0;
    freed = 1'b0;
    for (int p = 0; p < Ports; p++) begin
      tagged_in[p] = link_i[W*p + W - 1] && link_i[W*p + Tag];
      tagged_out[p] = link_o[W*p + W - 1] && link_o[W*p + Tag];
      if (tagged_in[p]) word_in = word_in | link_i[W*p +: W];
      if (tagged_out[p]) begin
        word_out = word_out | link_o[W*p +: W];
        port_out = port_out | 6'(p);
      end
      for (int v = 0; v < Vcs; v++) begin
        if (port_i == 6'(p) && vc_i == VcBits'(v)) begin
          used = used_i[Cw*(p*Vcs + v) +: Cw];
          freed = credit_o[p*Vcs + v];
        end
      end
    end
  end
  assign arrives_o = live_i && tagged_in != '0;
  assign leaves_o = live_i && tagged_out != '0;
  wire own = live_i && inside_q && freed && ahead_q == '0;  // its credit, if credits come in order

  always_ff @(posedge clk_i) begin
    if (arrives_o) begin
      inside_q <= 1'b1;
      word_q <= word_in;
      ahead_q <= used - Cw'({freed});
    end else begin
      if (freed) ahead_q <= ahead_q - 1'b1;
      if (leaves_o) begin
        inside_q <= 1'b0;
        done_q <= 1'b1;
      end
    end
    if (rst_i) begin
      inside_q <= 1'b0;
      done_q <= 1'b0;
    end
  end

  // It comes once, at the chosen place.
  always_comb begin
    if (live_i) begin
      assume (tagged_in == '0 || (tagged_in == Ports'(1) << port_i && !inside_q && !done_q));
      if (tagged_in != '0) assume (Vcs == 1 || word_in[W-4 -: VcBits] == vc_i);
    end
  end

  // Section 5 for its destination.
  ec_proof_route #(
    .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .AddressBits(AddressBits), .Paths(Paths)
  ) u_route (
    .coord_i, .mask_i, .radix_i, .wrap_i, .balanced_i, .order_high_i, .dateline_i, .dst_i(word_q[W-4-VcBits -: AddressBits]),
    .port_i, .vc_i, .port_o(to_o), .vc_o(out_o)
  );
  wire [VcBits-1:0] out = word_out[W-4 -: VcBits];
  // Section 5.5, with Dynamic = 2.
  logic port_ok, vc_ok;
  ec_proof_adapt #(.Dims(Dims), .LinksPerDim(LinksPerDim), .Vcs(Vcs), .AddressBits(AddressBits)) u_adapt (
    .node_i(coord_i), .dst_i(word_q[W-4-VcBits -: AddressBits]), .mask_i, .radix_i, .wrap_i, .balanced_i, .order_high_i,
    .dateline_i, .classes_i, .port_i(port_out), .vc_i(out), .toward_o, .port_ok_o(port_ok), .vc_ok_o(vc_ok)
  );
  assign port_o = port_out;
  assign leave_o = out;
  wire [W-1:0] field = {3'b000, {VcBits{1'b1}}, {(W-3-VcBits){1'b0}}};
  wire right = Vcs == 1 ? out == vc_i : Dynamic == 0 ? out == out_o
               : Dynamic == 1 ? allowed(out, out_o, dateline_i, classes_i) : vc_ok && allowed(out, vc_i, 1'b0, classes_i);

  // With more than one stage a word is on the channel one cycle after its credit.
  logic own_q;
  always_ff @(posedge clk_i) own_q <= own && !rst_i;
  assign due_o = Stages == 1 ? own : own_q;

  wire broken_invented = leaves_o && !inside_q;
  wire broken_twice = leaves_o && (tagged_out & (tagged_out - 1'b1)) != '0;
  wire broken_altered = leaves_o && ((word_out ^ word_q) & ~field) != '0;
  logic allowed_port;
  if (Dynamic == 2) begin : gen_chosen
    assign allowed_port = port_ok;
  end else if (Free != 0) begin : gen_free
    logic [Links-1:0] nearer;
    ec_proof_near #(.Dims(Dims), .LinksPerDim(LinksPerDim), .AddressBits(AddressBits)) u_near (
      .node_i(coord_i), .dst_i(word_q[W-4-VcBits -: AddressBits]), .mask_i, .radix_i, .wrap_i,
      .far_o(), .nearer_o(nearer)
    );
    // The only output with the tag: else it leaves twice.
    assign allowed_port = port_out >= 6'(Links) ? nearer == '0
                                                : Free == 2 || (Links'(tagged_out) & nearer) != '0;
  end else begin : gen_prescribed
    assign allowed_port = port_out == to_o;
  end
  wire broken_route = leaves_o && !allowed_port;
  wire broken_vc = leaves_o && !right;
  wire broken_lost = Exact && live_i && due_o && !leaves_o;
  wire broken_early = Exact && live_i && leaves_o && !due_o;
  always_comb begin
    assert (!broken_invented);
    assert (!broken_twice);
    assert (!broken_altered);
    assert (!broken_route);
    assert (!broken_vc);
    assert (!broken_lost);
    assert (!broken_early);
  end

  assign inside_o = inside_q;
  assign done_o = done_q;
  assign word_o = word_q;
  assign ahead_o = ahead_q;
endmodule

`default_nettype wire
