// SPDX-License-Identifier: Apache-2.0
// The route of ecube's router (ec_route.svh, with what ec_router.sv makes of its pins) is the one that section 5 of
// docs/ROUTER-CONTRACT.md states (ec_proof_route.sv): for every place, destination, radix and order of an address of
// full width, for words of every input port. Combinational.
//
// The wires far, turn, first and last are those of the router: tests/formal/cells.sh ties them to it.
`default_nettype none

module route_proof #(
  parameter int Dims = 1,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int AddressBits = 16,
  localparam int Vcs = 2,
  localparam int VcBits = 2,
  localparam int W = 3 + VcBits + 2 * AddressBits + 3,
  localparam int Ports = Dims * LinksPerDim + Locals,
  localparam int Pw = $clog2(Ports)
) (
  input wire                   clk_i,
  input wire                   rst_i,
  input wire [W*Ports-1:0]     link_i,  // of no interest, but without words the router would vanish
  input wire [AddressBits-1:0] dst_i,
  input wire [VcBits-1:0]      vc_i
);
  wire [AddressBits-1:0] coord, nodes;
  wire [AddressBits*Dims-1:0] mask;
  wire [(AddressBits+1)*Dims-1:0] radix;
  wire [Dims-1:0] wrap;
  wire dateline, classes, balanced, order_high;
  wire [1:0] switching;
  wire [15:0] depth, packet, need;
  ec_proof_pins #(
    .Dims(Dims), .LinksPerDim(LinksPerDim), .Vcs(Vcs), .DepthMax(2), .AddressBits(AddressBits)
  ) u_pins (
    .clk_i, .coord_o(coord), .mask_o(mask), .radix_o(radix), .wrap_o(wrap), .dateline_o(dateline),
    .classes_o(classes), .balanced_o(balanced), .order_high_o(order_high), .switching_o(switching), .depth_o(depth), .packet_o(packet),
    .need_o(need), .nodes_o(nodes)
  );

  // Fixed: what the router makes of its pins is a function of them. In the cube shape it makes nothing of them.
  (* keep *) wire [AddressBits*Dims-1:0] far;
  (* keep *) wire [Dims-1:0] turn, first, last;
  if (LinksPerDim == 2) begin : gen_router
    (* keep *) wire [W*Ports-1:0] link;
    (* keep *) wire quiet;
    wire [Ports*Vcs-1:0] credit, contended, starved;
    wire [8*Ports*Vcs-1:0] want;
    ec_router #(
      .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(2), .AddressBits(AddressBits),
      .DataBits(3), .Fixed(1)
    ) u_dut (
      .clk_i, .rst_i, .coord_i(coord), .mask_i(mask), .radix_i(radix), .wrap_i(wrap), .dateline_i(dateline),
      .classes_i(classes), .balanced_i(balanced), .order_high_i(order_high), .switching_i(switching), .depth_i(depth), .packet_i(packet),
      .link_i, .credit_i('0), .link_o(link), .credit_o(credit), .contended_o(contended), .starved_o(starved),
      .want_o(want), .quiet_o(quiet)
    );
  end

  // A destination that exists, as in ec_proof_arrivals.sv.
  logic exists;
  always_comb begin
    exists = (dst_i & ~nodes) == '0;
    for (int d = 0; d < Dims; d++) begin
      if (LinksPerDim == 2 && mask[AddressBits*d +: AddressBits] != '0
          && {1'b0, dst_i & mask[AddressBits*d +: AddressBits]} >= radix[(AddressBits+1)*d +: AddressBits+1])
        exists = 1'b0;
    end
  end
  always_comb assume (exists && 32'(vc_i) < Vcs);

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    localparam int InPort = p;
    `include "ec_route.svh"
    wire [Pw:0] way = route(coord, mask, far, turn, wrap, first, last, order_high, dst_i, vc_i[0]);
    wire [5:0] port;
    wire [VcBits-1:0] vc;
    ec_proof_route #(
      .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .AddressBits(AddressBits)
    ) u_route (
      .coord_i(coord), .mask_i(mask), .radix_i(radix), .wrap_i(wrap), .balanced_i(balanced), .order_high_i(order_high),
      .dateline_i(dateline), .dst_i, .port_i(6'(p)), .vc_i, .port_o(port), .vc_o(vc)
    );
    // Nobody sends to itself (section 11): with a local port per link such a word has no port.
    always_comb if (Locals == 1 || p < Dims * LinksPerDim || dst_i != coord) begin
      assert (6'(way[Pw-1:0]) == port);
      assert (!dateline || way[Pw] == vc[0]);
    end
  end
endmodule

`default_nettype wire
