// SPDX-License-Identifier: Apache-2.0
// The environment behind one output port, and what the contract says of that port alone: words are sent with
// credits only, packets do not interleave on a VC, an idle channel is zero, nothing is sent where nobody is.
//
// Credits come back for words that were sent, at most one per VC and cycle, in the cycle of the word or at any
// later time.
`default_nettype none

(* ec_environment *) module ec_proof_departures #(
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int AddressBits = 16,
  parameter int DataBits = 27,
  parameter bit Exact = 1'b1,  // the router follows sections 6, 7 and 10, too
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 3 + VcBits + 2 * AddressBits + DataBits,
  localparam int Cw = $clog2(DepthMax + 1)
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 live_i,
  input  wire                 connected_i,
  input  wire  [15:0]         depth_i,
  input  wire  [15:0]         need_i,
  input  wire  [W-1:0]        word_i,    // the router's
  input  wire  [Vcs-1:0]      credit_i,  // to the router
  output logic [Cw*Vcs-1:0]   owed_o,    // words whose credit has not come back
  output logic [Vcs-1:0]      open_o,
  output logic [Vcs-1:0]      colour_o
);
  `include "ec_proof_tags.svh"

  logic valid, head, tail;
  logic [VcBits-1:0] vc;
  assign {valid, head, tail, vc} = word_i[W-1 -: 3 + VcBits];

  (* mem2reg *) logic [Cw-1:0] owed_q [0:Vcs-1];
  logic [Vcs-1:0] open_q, colour_q;
  logic [Vcs-1:0] broken_overflow, broken_interleaved, broken_mixed, broken_start;
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    wire leaves = valid && (Vcs == 1 || vc == VcBits'(v));
    always_ff @(posedge clk_i) begin
      owed_q[v] <= owed_q[v] + Cw'({leaves}) - Cw'(credit_i[v]);
      if (leaves) begin
        open_q[v] <= !tail;
        colour_q[v] <= word_i[Colour];
      end
      if (rst_i) begin
        owed_q[v] <= '0;
        open_q[v] <= 1'b0;
      end
    end
    always_comb if (live_i) assume (!credit_i[v] || owed_q[v] != '0 || leaves);
    assign owed_o[Cw*v +: Cw] = owed_q[v];

    assign broken_overflow[v] = live_i && leaves && 16'(owed_q[v]) >= depth_i;
    assign broken_interleaved[v] = live_i && leaves && head == open_q[v];
    assign broken_mixed[v] = live_i && leaves && open_q[v] && word_i[Colour] != colour_q[v];
    assign broken_start[v] = Exact && live_i && leaves && head && depth_i - 16'(owed_q[v]) < need_i;
  end
  assign open_o = open_q;
  assign colour_o = colour_q;

  wire broken_vc = live_i && valid && 32'(vc) >= Vcs;
  wire broken_idle = live_i && !valid && word_i != '0;
  wire broken_link = live_i && valid && !connected_i;
  always_comb begin
    assert (broken_overflow == '0);
    assert (broken_interleaved == '0);
    assert (broken_mixed == '0);
    assert (broken_start == '0);
    assert (!broken_vc);
    assert (!broken_idle);
    assert (!broken_link);
  end
endmodule

`default_nettype wire
