// SPDX-License-Identifier: Apache-2.0
// One output port: its VCs (ec_hold.sv, ec_bind.sv) and the round-robin choice of who uses the link.
//
// The link is arbitrated anew in every cycle over all front flits that may move. Timing: grants are
// functions of registers and of the want vectors, which are.
`default_nettype none

module ec_output #(
  parameter int Bufs = 7,  // input VCs of the router = requesters
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter bit Dynamic = 1'b0,
  parameter bit Adaptive = 1'b0,
  localparam int Classes = Adaptive ? 6 : Vcs < 4 ? Vcs : 4,
  localparam int Slots = Dynamic ? Vcs + Classes : Vcs,  // what a front flit can ask for here
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int Cw = $clog2(DepthMax + 1),
  localparam int RoomBits = Cw + $clog2(Vcs)
) (
  input  wire                       clk_i,
  input  wire                       rst_i,
  input  wire  [Cw-1:0]             depth_i,     // credits after reset (a pin; read during reset only)
  input  wire  [Cw-1:0]             need_i,      // credits without which a head does not move
  input  wire  [Cw-1:0]             open_need_i, // with Adaptive: the same at an adaptive VC
  // Mode: constant after reset, read with Dynamic only.
  input  wire                       dateline_i,
  input  wire                       classes_i,
  // The front flits of all input VCs.
  input  wire  [Slots*Bufs-1:0]     want_i,      // [slot * Bufs + buf]: wants this port, a VC or a class
  input  wire  [Bufs-1:0]           ready_i,
  input  wire  [Bufs-1:0]           tail_i,
  input  wire  [Bufs-1:0]           chosen_i,    // whose turn it is at the crossbar input of its port
  // The link.
  input  wire  [Vcs-1:0]            credit_i,
  output logic [Bufs-1:0]           req_o,       // may leave through this port now
  output logic [Bufs-1:0]           grant_o,     // one-hot: whose front flit leaves through this port
  output logic [Bufs-1:0]           contended_o, // wants this port; unless it moves, another packet is why
  output logic [Classes*VcBits-1:0] offer_o,     // with Dynamic, per class, the VC that a head would take
  output logic [1:0]                open_o,      // with Adaptive (ec_bind.sv)
  output logic [2*RoomBits-1:0]     room_o
);
  logic [Bufs-1:0] lost, want;
  logic tail;

  if (Dynamic) begin : gen_bind
    ec_bind #(
      .Bufs(Bufs),
      .Vcs(Vcs),
      .DepthMax(DepthMax),
      .Adaptive(Adaptive)
    ) u_vcs (
      .clk_i,
      .rst_i,
      .depth_i,
      .need_i,
      .open_need_i,
      .dateline_i,
      .classes_i,
      .want_i,
      .ready_i,
      .credit_i,
      .grant_i(grant_o),
      .tail_i(tail),
      .req_o,
      .lost_o(lost),
      .offer_o,
      .open_o,
      .room_o
    );
  end else begin : gen_hold
    ec_hold #(
      .Bufs(Bufs),
      .Vcs(Vcs),
      .DepthMax(DepthMax)
    ) u_vcs (
      .clk_i,
      .rst_i,
      .depth_i,
      .need_i,
      .want_i,
      .ready_i,
      .credit_i,
      .grant_i(grant_o),
      .tail_i(tail),
      .req_o,
      .lost_o(lost)
    );
    assign offer_o = '0;
    assign open_o = '0;
    assign room_o = '0;
    wire unused = &{1'b0, open_need_i, dateline_i, classes_i};
  end

  always_comb begin
    want = '0;
    for (int s = 0; s < Slots; s++) want = want | want_i[s*Bufs +: Bufs];
  end

  assign tail = (grant_o & tail_i) != '0;

  ec_arbiter #(
    .N(Bufs)
  ) u_arbiter (
    .clk_i,
    .rst_i,
    .req_i(req_o & chosen_i),
    .move_i(Vcs > 1 || tail),
    .grant_o
  );

  // Held by another packet, or the link or the crossbar input was won by another packet.
  assign contended_o = lost | (want & {Bufs{grant_o != '0}}) | (req_o & ~chosen_i);
endmodule

`default_nettype wire
