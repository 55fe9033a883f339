// SPDX-License-Identifier: Apache-2.0
// A whole network: one ec_router per node, wired as docs/ROUTER-CONTRACT.md says (sections 3.2, 3.3
// and 4). Nothing but constants, wires and the registers of long links is added to the routers.
//
// Topology. Dims dimensions with their radices and wraps; with LinksPerDim = 1 a hypercube, every
// radix being 2. Node n has the coordinates x_0, x_1, ..., dimension 0 varying fastest: n = x_0 +
// r_0 * (x_1 + r_1 * (x_2 + ...)). A dimension of radix 1 is not used.
//
// Ports. Local port j of node n is number n * Locals + j in link_i and link_o, and, with its VCs,
// (n * Locals + j) * Vcs + vc in credit_i and credit_o. What the routers show is number n * Ports + p
// in sent_o (words on the channel out of port p) and (n * Ports + p) * Vcs + vc in the others.
`default_nettype none

module ec_network #(
  parameter int Dims = 3,                                    // dimensions, 1..20
  parameter int LinksPerDim = 1,                             // 2, or 1: the hypercube
  parameter logic [32*Dims-1:0] Radices = {Dims{32'd2}},     // dimension d at [32*d +: 32]
  parameter logic [Dims-1:0] Wraps = '0,                     // dimension d is a ring (if 3 or more)
  parameter int Nodes = 8,                                   // the product of the radices
  parameter int Locals = 1,                                  // local ports of a node: 1, or one per link
  parameter int Vcs = 1,                                     // virtual channels: 1, 2, 4 or 8
  parameter int DepthMax = 4,                                // words of a buffer, a power of two
  parameter int Dynamic = 0, // of ec_router, like those below
  parameter int Stages = 1,
  parameter int AddressBits = 16,
  parameter int Link = 1,                                    // cycles from a router to its neighbour
  localparam int Links = Dims * LinksPerDim,
  localparam int Ports = Links + Locals,
  localparam int Bufs = Ports * Vcs
) (
  input  wire                        clk_i,
  input  wire                        rst_i,
  // Pins of the network, sampled while rst_i is high.
  input  wire                        dateline_i,
  input  wire                        classes_i,
  input  wire                        balanced_i,
  input  wire                        order_high_i,
  input  wire  [1:0]                 switching_i,
  input  wire  [15:0]                depth_i,
  input  wire  [15:0]                packet_i,
  // The local ports of all nodes.
  input  wire  [64*Locals*Nodes-1:0] link_i,
  input  wire  [Locals*Vcs*Nodes-1:0] credit_i,
  output logic [64*Locals*Nodes-1:0] link_o,
  output logic [Locals*Vcs*Nodes-1:0] credit_o,
  // What goes on inside, for whoever watches; nothing depends on it.
  output logic [64*Ports*Nodes-1:0]  sent_o,
  output logic [Bufs*Nodes-1:0]      freed_o,  // credit_o of the routers
  output logic [Bufs*Nodes-1:0]      contended_o,
  output logic [Bufs*Nodes-1:0]      starved_o,
  output logic [8*Bufs*Nodes-1:0]    want_o,
  output logic [Nodes-1:0]           quiet_o
);
  // Tables over the dimensions, 32 bits each, with one entry more for the whole. (Icarus takes no
  // function call in the constants of a generate block: they are made once, here.)
  // Label distance of one step in a dimension: the product of the radices below it.
  function automatic [32*Dims+31:0] strides(input [32*Dims-1:0] radices);
    strides = 1;
    for (int k = 0; k < Dims; k++)
      strides[32*(k+1) +: 32] = strides[32*k +: 32] * radices[32*k +: 32];
  endfunction
  // Lowest bit of a dimension's field in a packed address: the widths of the fields below it.
  function automatic [32*Dims+31:0] shifts(input [32*Dims-1:0] radices);
    shifts = 0;
    for (int k = 0; k < Dims; k++)
      shifts[32*(k+1) +: 32] = shifts[32*k +: 32] + $clog2(radices[32*k +: 32]);
  endfunction
  localparam [32*Dims+31:0] Strides = strides(Radices);
  localparam [32*Dims+31:0] Shifts = shifts(Radices);
  // The packed addresses of all nodes.
  function automatic [AddressBits*Nodes-1:0] addresses(input [32*Dims-1:0] radices);
    for (int k = 0; k < Nodes; k++) begin
      addresses[AddressBits*k +: AddressBits] = '0;
      for (int d = 0; d < Dims; d++)
        addresses[AddressBits*k +: AddressBits] = addresses[AddressBits*k +: AddressBits]
          | AddressBits'(k / Strides[32*d +: 32] % radices[32*d +: 32] << Shifts[32*d +: 32]);
    end
  endfunction
  localparam [AddressBits*Nodes-1:0] Addresses = addresses(Radices);

  if (LinksPerDim == 1 && Radices != {Dims{32'd2}}) begin : gen_bad_cube
    ec_error_a_cube_has_radix_2_in_every_dimension u_error ();
  end
  if (Strides[32*Dims +: 32] != Nodes) begin : gen_bad_nodes
    ec_error_nodes_must_be_the_product_of_the_radices u_error ();
  end
  if (Shifts[32*Dims +: 32] > AddressBits) begin : gen_bad_radices
    ec_error_radices_must_fit_an_address u_error ();
  end

  if (Link < 1 || Link > 64) begin : gen_bad_link
    ec_error_link_must_be_1_to_64 u_error ();
  end

  // The pins that say where a dimension is in an address: the same for all nodes.
  logic [AddressBits*Dims-1:0] mask;
  logic [(AddressBits+1)*Dims-1:0] radix;
  logic [Dims-1:0] wrap;
  for (genvar d = 0; d < Dims; d++) begin : gen_dim
    localparam int Radix = Radices[32*d +: 32];
    localparam int Shift = Shifts[32*d +: 32];
    assign mask[AddressBits*d +: AddressBits] = AddressBits'(((1 << $clog2(Radix)) - 1) << Shift);
    assign radix[(AddressBits+1)*d +: AddressBits+1] =
      Radix == 1 ? '0 : (AddressBits+1)'(Radix << Shift);
    assign wrap[d] = Radix > 2 && Wraps[d];
  end

  for (genvar n = 0; n < Nodes; n++) begin : gen_node
    logic [64*Ports-1:0] link_in, link_out;
    logic [Bufs-1:0] credit_in, credit_out;

    ec_router #(
      .Dims(Dims),
      .LinksPerDim(LinksPerDim),
      .Locals(Locals),
      .Vcs(Vcs),
      .DepthMax(DepthMax),
      .Dynamic(Dynamic),
      .Stages(Stages),
`ifdef EC_PATHS
      .Paths(`EC_PATHS),
`endif
`ifdef EC_SPEEDUP
      .Speedup(`EC_SPEEDUP),
`endif
      .AddressBits(AddressBits)
    ) u_router (
      .clk_i,
      .rst_i,
      .coord_i(Addresses[AddressBits*n +: AddressBits]),
      .mask_i(mask),
      .radix_i(radix),
      .wrap_i(wrap),
      .dateline_i,
      .classes_i,
      .balanced_i,
      .order_high_i,
      .switching_i,
      .depth_i,
      .packet_i,
      .link_i(link_in),
      .credit_i(credit_in),
      .link_o(link_out),
      .credit_o(credit_out),
      .contended_o(contended_o[Bufs*n +: Bufs]),
      .starved_o(starved_o[Bufs*n +: Bufs]),
      .want_o(want_o[8*Bufs*n +: 8*Bufs]),
      .quiet_o(quiet_o[n])
    );
    assign sent_o[64*Ports*n +: 64*Ports] = link_out;
    assign freed_o[Bufs*n +: Bufs] = credit_out;

    // Local ports lead to the outside.
    assign link_in[64*Links +: 64*Locals] = link_i[64*Locals*n +: 64*Locals];
    assign credit_in[Vcs*Links +: Vcs*Locals] = credit_i[Vcs*Locals*n +: Vcs*Locals];
    assign link_o[64*Locals*n +: 64*Locals] = link_out[64*Links +: 64*Locals];
    assign credit_o[Vcs*Locals*n +: Vcs*Locals] = credit_out[Vcs*Links +: Vcs*Locals];

    // Links. In the grid shape link 2d leads up (coordinate + 1), link 2d + 1 down, and each arrives
    // at the other; in radix 2 and in the cube shape there is one, which arrives at itself.
    for (genvar p = 0; p < Links; p++) begin : gen_link
      localparam int Dim = p / LinksPerDim;
      localparam int Radix = Radices[32*Dim +: 32];
      localparam int Stride = Strides[32*Dim +: 32];
      localparam int X = n / Stride % Radix;
      localparam bit Up = Radix == 2 ? X == 0 : p % 2 == 0;
      localparam bit Edge = X == (Up ? Radix - 1 : 0);
      localparam bit Second = LinksPerDim == 2 && p % 2 == 1;
      localparam bit Connected = Radix == 2 ? !Second : Radix > 2 && (!Edge || Wraps[Dim]);
      localparam int Steps = (Edge ? 1 - Radix : 1) * (Up ? 1 : -1);
      localparam int Peer = n + Steps * Stride;
      localparam int Back = Radix == 2 ? p : Second ? p - 1 : p + 1;

      if (Connected) begin : gen_wire
        ec_link #(
          .Delay(Link - 1),
          .Vcs(Vcs)
        ) u_link (
          .clk_i,
          .rst_i,
          .word_i(sent_o[64*(Peer*Ports + Back) +: 64]),
          .credit_i(freed_o[Vcs*(Peer*Ports + Back) +: Vcs]),
          .word_o(link_in[64*p +: 64]),
          .credit_o(credit_in[Vcs*p +: Vcs])
        );
      end else begin : gen_no_wire
        assign link_in[64*p +: 64] = '0;
        assign credit_in[Vcs*p +: Vcs] = '0;
      end
    end
  end
endmodule

`default_nettype wire
