// SPDX-License-Identifier: Apache-2.0
// One output port: its VCs (holder and credits) and the round-robin choice of who uses the link.
//
// An output VC is held by one packet from head to tail; the link is arbitrated anew in every cycle
// over all front flits that may move. Timing: grants are functions of registers and of the want
// vectors, which are; a credit that arrives in cycle t may be used from t + 1 on.
`default_nettype none
`include "ec_check.svh"

module ec_output #(
  parameter int Bufs = 7,  // input VCs of the router = requesters
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  localparam int Cw = $clog2(DepthMax + 1)
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire  [Cw-1:0]       depth_i,  // credits after reset (a pin; read during reset only)
  input  wire  [Cw-1:0]       need_i,   // credits without which a head does not move
  // The front flits of all input VCs.
  input  wire  [Vcs*Bufs-1:0] want_i,   // [vc * Bufs + buf]: wants this port and this VC
  input  wire  [Bufs-1:0]     ready_i,
  input  wire  [Bufs-1:0]     tail_i,
  // The link.
  input  wire  [Vcs-1:0]      credit_i,
  output logic [Bufs-1:0]     grant_o,      // one-hot: whose front flit leaves through this port
  output logic [Bufs-1:0]     contended_o   // wants this port; unless it moves, another packet is why
);
  logic [Vcs*Bufs-1:0] req_vc, lost_vc;
  logic [Bufs-1:0] req, lost, want;
  logic tail;

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [Bufs-1:0] want_v, granted;
    logic [Bufs-1:0] may_q;  // who may use this VC: its holder, or everybody while it is free
    logic [Cw-1:0] credits_q;
    logic held, enough, used;

    assign want_v = want_i[v*Bufs +: Bufs];
    assign held = may_q != '1;
    // A held VC serves its holder only, whose front flit is no head and always ready.
    assign enough = held ? credits_q != '0 : credits_q >= need_i;
    assign req_vc[v*Bufs +: Bufs] = want_v & may_q & ready_i & {Bufs{enough}};
    assign lost_vc[v*Bufs +: Bufs] = want_v & ~may_q;

    assign granted = Vcs == 1 ? grant_o : grant_o & want_v;
    assign used = granted != '0;
    always_ff @(posedge clk_i) begin
      may_q <= (may_q & {Bufs{!used}}) | granted | {Bufs{used && tail}};
      credits_q <= credits_q + Cw'(credit_i[v]) - Cw'({used});
      if (rst_i) begin
        may_q <= '1;
        credits_q <= depth_i;
      end
    end

    // Checks.
    always @(posedge clk_i) begin
      if (!rst_i) begin
        `EC_CHECK(!held || (may_q & (may_q - 1'b1)) == '0, "an output VC with two holders")
        `EC_CHECK(!(used && credits_q == '0), "a flit sent without a credit")
        `EC_CHECK(!(credit_i[v] && credits_q == Cw'(DepthMax) && !used), "a credit too many")
      end
    end
  end

  always_comb begin
    req = '0;
    lost = '0;
    want = '0;
    for (int v = 0; v < Vcs; v++) begin
      req = req | req_vc[v*Bufs +: Bufs];
      lost = lost | lost_vc[v*Bufs +: Bufs];
      want = want | want_i[v*Bufs +: Bufs];
    end
  end

  assign tail = (grant_o & tail_i) != '0;

  ec_arbiter #(
    .N(Bufs)
  ) u_arbiter (
    .clk_i,
    .rst_i,
    .req_i(req),
    .move_i(Vcs > 1 || tail),
    .grant_o
  );

  // Held by another packet, or the link was won by another packet.
  assign contended_o = lost | (want & {Bufs{grant_o != '0}});
endmodule

`default_nettype wire
