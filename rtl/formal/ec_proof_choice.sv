// SPDX-License-Identifier: Apache-2.0
// The choice of a head with adaptive routing (section 5.5 of docs/ROUTER-CONTRACT.md, rules 3, 4 and 6): of its ports with an
// open adaptive VC that with the most room, and there the lowest open one; an escape VC only without any.
//
// Credits and holders are those of the cycle in which the router chose: with more stages than one, the cycle before
// the word left. They are known from the words and credits that crossed its ports.
`default_nettype none

(* ec_environment *) module ec_proof_choice #(
  parameter int Links = 2,
  parameter int Vcs = 2,
  parameter int DepthMax = 2,
  parameter int Stages = 1,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 1,
  localparam int Cw = $clog2(DepthMax + 1),
  localparam int Bufs = (Links + 1) * Vcs
) (
  input  wire               clk_i,
  input  wire               dateline_i,
  input  wire               classes_i,
  input  wire               order_high_i,
  input  wire [15:0]        open_need_i,  // credits with which an adaptive VC is open
  input  wire [15:0]        depth_i,
  input  wire [Bufs-1:0]    credit_i,
  input  wire [Cw*Bufs-1:0] owed_i,
  input  wire [Bufs-1:0]    held_i,       // a packet has begun and not ended there
  input  wire [Links:0]     toward_i,     // the ports of the head
  input  wire [5:0]         port_i,       // where it leaves
  input  wire [VcBits-1:0]  vc_i,
  output logic              right_o
);
  `include "ec_proof_tags.svh"
  localparam int Rw = Cw + 3;
  logic [Bufs-1:0] back_q;
  always_ff @(posedge clk_i) back_q <= credit_i;

  logic [Links:0] open;
  (* mem2reg *) logic [Rw-1:0] room [0:Links];
  (* mem2reg *) logic [VcBits-1:0] lowest [0:Links];
  logic [Cw-1:0] count;
  logic [Rw-1:0] most;
  always_comb begin
    most = '0;
    right_o = 1'b0;
    for (int p = 0; p <= Links; p++) begin
      open[p] = 1'b0;
      room[p] = '0;
      lowest[p] = '0;
      for (int v = Vcs - 1; v >= 0; v--) begin
        count = Cw'(depth_i) - owed_i[Cw*(p*Vcs + v) +: Cw] - Cw'({Stages > 1 && back_q[p*Vcs + v]});
        if (!escapes(VcBits'(v), dateline_i, classes_i) && allowed(VcBits'(v), vc_i, 1'b0, classes_i)) begin
          room[p] = room[p] + Rw'(count);
          if (!held_i[p*Vcs + v] && 16'(count) >= open_need_i) begin
            open[p] = 1'b1;
            lowest[p] = VcBits'(v);
          end
        end
      end
      if (port_i == 6'(p)) begin
        most = room[p];
        right_o = open[p] && lowest[p] == vc_i;
      end
    end
    if (escapes(vc_i, dateline_i, classes_i)) right_o = (open & toward_i) == '0;
    else begin
      for (int p = 0; p <= Links; p++) begin
        if (toward_i[p] && open[p] && (room[p] > most
            || (room[p] == most && (order_high_i ? 6'(p) > port_i : 6'(p) < port_i)))) right_o = 1'b0;
      end
    end
  end
endmodule

`default_nettype wire
