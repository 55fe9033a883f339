// SPDX-License-Identifier: Apache-2.0
// Static allocation: the VCs of one output port, for which packets ask by number.
//
// An output VC is held by one packet from head to tail. Timing: requests are functions of registers
// and of the want vectors, which are; a change by a grant is visible in the next cycle.
`default_nettype none
`include "ec_check.svh"

module ec_hold #(
  parameter int Bufs = 7,  // input VCs of the router = requesters
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  localparam int Cw = $clog2(DepthMax + 1)
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire  [Cw-1:0]       depth_i,
  input  wire  [Cw-1:0]       need_i,   // credits without which a head does not move
  // The front flits of all input VCs.
  input  wire  [Vcs*Bufs-1:0] want_i,   // [vc * Bufs + buf]: wants this port and this VC
  input  wire  [Bufs-1:0]     ready_i,
  // The link.
  input  wire  [Vcs-1:0]      credit_i,
  input  wire  [Bufs-1:0]     grant_i,  // one-hot: whose front flit leaves through this port
  input  wire                 tail_i,   // it is a tail
  output logic [Bufs-1:0]     req_o,    // may leave through this port now
  output logic [Bufs-1:0]     lost_o    // another packet has the VC
);
  logic [Vcs*Bufs-1:0] req_vc, lost_vc;

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [Bufs-1:0] want_v, granted;
    logic [Bufs-1:0] may_q;  // who may use this VC: its holder, or everybody while it is free
    logic [Cw-1:0] credits;
    logic held, enough, used;

    assign want_v = want_i[v*Bufs +: Bufs];
    assign held = may_q != '1;
    // A held VC serves its holder only, whose front flit is no head and always ready.
    assign enough = held ? credits != '0 : credits >= need_i;
    assign req_vc[v*Bufs +: Bufs] = want_v & may_q & ready_i & {Bufs{enough}};
    assign lost_vc[v*Bufs +: Bufs] = want_v & ~may_q;

    assign granted = Vcs == 1 ? grant_i : grant_i & want_v;
    assign used = granted != '0;
    always_ff @(posedge clk_i) begin
      may_q <= (may_q & {Bufs{!used}}) | granted | {Bufs{used && tail_i}};
      if (rst_i) may_q <= '1;
    end

    ec_credits #(
      .DepthMax(DepthMax)
    ) u_credits (
      .clk_i,
      .rst_i,
      .depth_i,
      .credit_i(credit_i[v]),
      .used_i(used),
      .credits_o(credits)
    );

    // Checks.
    always @(posedge clk_i) begin
      if (!rst_i) begin
        `EC_CHECK(!held || (may_q & (may_q - 1'b1)) == '0, "an output VC with two holders")
      end
    end
  end

  always_comb begin
    req_o = '0;
    lost_o = '0;
    for (int v = 0; v < Vcs; v++) begin
      req_o = req_o | req_vc[v*Bufs +: Bufs];
      lost_o = lost_o | lost_vc[v*Bufs +: Bufs];
    end
  end
endmodule

`default_nettype wire
