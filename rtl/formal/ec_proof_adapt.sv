// SPDX-License-Identifier: Apache-2.0
// Where a word may go with adaptive routing (section 5.5 of docs/ROUTER-CONTRACT.md, rules 1, 2 and 4): its ports, and
// whether it may leave by a port and VC. Combinational; written from the contract alone.
`default_nettype none

(* ec_environment *) module ec_proof_adapt #(
  parameter int Dims = 1,
  parameter int LinksPerDim = 2,
  parameter int Vcs = 2,
  parameter int AddressBits = 16,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 1,
  localparam int Links = Dims * LinksPerDim
) (
  input  wire  [AddressBits-1:0]          node_i,
  input  wire  [AddressBits-1:0]          dst_i,
  input  wire  [AddressBits*Dims-1:0]     mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0] radix_i,
  input  wire  [Dims-1:0]                 wrap_i,
  input  wire                             balanced_i,
  input  wire                             order_high_i,
  input  wire                             dateline_i,
  input  wire                             classes_i,
  input  wire  [5:0]                      port_i,
  input  wire  [VcBits-1:0]               vc_i,
  output logic [Links:0]                  toward_o,   // its ports, the local one last
  output logic                            port_ok_o,
  output logic                            vc_ok_o     // if it is an escape VC: the dateline class
);
  `include "ec_proof_tags.svh"
  logic home, plus, past;
  logic [4:0] dim;
  logic [Links-1:0] toward;
  ec_proof_step #(.Dims(Dims), .LinksPerDim(LinksPerDim), .AddressBits(AddressBits)) u_step (
    .node_i, .dst_i, .mask_i, .radix_i, .wrap_i, .balanced_i, .order_high_i,
    .home_o(home), .dim_o(dim), .plus_o(plus), .wraps_o(), .past_o(past), .toward_o(toward)
  );
  assign toward_o = {home, toward};
  wire escape = escapes(vc_i, dateline_i, classes_i);
  logic [5:0] first;
  always_comb begin
    if (home) first = 6'(Links);
    else first = LinksPerDim == 1 ? {1'b0, dim} : {dim, !plus};
    port_ok_o = 1'b0;
    for (int p = 0; p <= Links; p++) if (port_i == 6'(p)) port_ok_o = toward_o[p] && (!escape || first == 6'(p));
  end
  assign vc_ok_o = !escape || !dateline_i || vc_i[0] == (!home && past);
endmodule

`default_nettype wire
