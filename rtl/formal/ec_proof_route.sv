// SPDX-License-Identifier: Apache-2.0
// What one word asks for (section 5 of docs/ROUTER-CONTRACT.md): the output port, and the output VC or, with
// dynamic allocation, some VC of its class. Combinational; written from the contract alone.
`default_nettype none

(* ec_environment *) module ec_proof_route #(
  parameter int Dims = 1,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int AddressBits = 16,
  parameter int Paths = 0,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int Links = Dims * LinksPerDim
) (
  input  wire  [AddressBits-1:0]          coord_i,
  input  wire  [AddressBits*Dims-1:0]     mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0] radix_i,
  input  wire  [Dims-1:0]                 wrap_i,
  input  wire                             balanced_i,
  input  wire                             order_high_i,
  input  wire                             dateline_i,
  input  wire  [AddressBits-1:0]          dst_i,
  input  wire  [5:0]                      port_i,  // where it came in
  input  wire  [VcBits-1:0]               vc_i,
  output logic [5:0]                      port_o,
  output logic [VcBits-1:0]               vc_o
);
  logic home, plus, wraps, same, class_out;
  logic [4:0] dim;
  // Section 5.6. Paths = 2: message class 0 leads to the node in the upper half of dst, 1 to that in the lower one.
  localparam int Half = AddressBits / 2;
  wire second = Paths != 0 && 32'(vc_i) >= Vcs / 2;
  wire turns = Paths == 2 && !second && dst_i >> Half == coord_i;
  logic [AddressBits-1:0] dst;
  always_comb begin
    if (Paths != 2) dst = dst_i;
    else if (second || turns) dst = dst_i & ((AddressBits'(1) << Half) - 1'b1);
    else dst = dst_i >> Half;
  end
  ec_proof_step #(.Dims(Dims), .LinksPerDim(LinksPerDim), .AddressBits(AddressBits)) u_step (
    .node_i(coord_i), .dst_i(dst), .mask_i, .radix_i, .wrap_i, .balanced_i, .order_high_i(order_high_i ^ (Paths == 1 && second)),
    .home_o(home), .dim_o(dim), .plus_o(plus), .wraps_o(wraps), .past_o(), .toward_o()
  );
  always_comb begin
    if (home) port_o = 6'(Links) + (Locals == 1 || port_i >= 6'(Links) ? 6'd0 : port_i);
    else port_o = LinksPerDim == 1 ? {1'b0, dim} : {dim, !plus};
  end
  assign same = !turns && port_i < 6'(Links) && (LinksPerDim == 1 ? port_i[4:0] : port_i[5:1]) == dim;
  assign class_out = LinksPerDim == 2 && !home && (wraps || (same && vc_i[0]));
  wire [VcBits-1:0] lane = turns ? vc_i + VcBits'(Vcs / 2) : vc_i;
  assign vc_o = Vcs == 1 || !dateline_i ? lane : {lane[VcBits-1:1], class_out};
endmodule

`default_nettype wire
