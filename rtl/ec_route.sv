// SPDX-License-Identifier: Apache-2.0
// Route computation, dimension-ordered: which output port and VC class a flit asks for.
//
// Combinational. Everything is compared in place, inside the packed address: a dimension is a mask,
// and its radix is given shifted to the same bits. On wrapped dimensions the way is the shorter one
// round, ties positive; a dimension of radix 2 has one link, number 2d.
//
// One link per dimension (the cube shape): dimension d is address bit d, link d crosses it.
`default_nettype none

module ec_route #(
  parameter int Dims = 3,
  parameter int LinksPerDim = 1,  // 1 or 2
  parameter int Locals = 1,       // 1 or Dims * LinksPerDim
  parameter int AddressBits = 16,
  parameter int InPort = 0,       // the port on which the flit came
  localparam int Links = Dims * LinksPerDim,
  localparam int Pw = $clog2(Links + Locals)
) (
  // The place of the router: constant after reset.
  input  wire  [AddressBits-1:0]          coord_i,
  input  wire  [AddressBits*Dims-1:0]     mask_i,
  input  wire  [(AddressBits+1)*Dims-1:0] radix_i,
  input  wire  [Dims-1:0]                 wrap_i,
  input  wire  [Dims-1:0]                 first_i,  // own coordinate is 0
  input  wire  [Dims-1:0]                 last_i,   // own coordinate is radix - 1
  input  wire                             order_high_i,
  // The flit.
  input  wire  [AddressBits-1:0]          dst_i,
  input  wire                             class_i,  // dateline class in which it came
  output logic [Pw-1:0]                   port_o,
  output logic                            class_o
);
  // A local port answers a flit that is at home: the only one, or that of the link it came on.
  localparam int Home = Locals == 1 ? Links : InPort < Links ? Links + InPort : InPort;
  localparam bit FromLink = InPort < Links;
  localparam int InDim = FromLink ? InPort / LinksPerDim : 0;

  if (LinksPerDim == 1) begin : gen_cube
    logic [AddressBits-1:0] differs;
    logic [Pw-1:0] port;
    always_comb begin
      differs = dst_i ^ coord_i;
      port = Pw'(Home);
      if (order_high_i) begin
        for (int d = 0; d < Dims; d++) if (differs[d]) port = Pw'(d);
      end else begin
        for (int d = Dims - 1; d >= 0; d--) if (differs[d]) port = Pw'(d);
      end
      port_o = port;
      class_o = 1'b0;
    end
    wire unused = &{1'b0, mask_i, radix_i, wrap_i, first_i, last_i, class_i, differs};
  end else begin : gen_grid
    logic [AddressBits-1:0] there, here, mask;
    logic [AddressBits:0] radix, ahead;
    logic [Pw-1:0] dim;
    logic away, wrap, first, last, plus, same, round;
    always_comb begin
      // The first dimension, in the chosen order, in which the flit is not yet at home.
      away = 1'b0;
      mask = '0;
      radix = '0;
      wrap = 1'b0;
      first = 1'b0;
      last = 1'b0;
      same = 1'b0;
      dim = '0;
      for (int k = Dims - 1; k >= 0; k--) begin
        // Later assignments win: walk from the least to the most urgent dimension.
        if (((dst_i ^ coord_i) & mask_i[AddressBits*k +: AddressBits]) != '0 && !(order_high_i && away)) begin
          away = 1'b1;
          mask = mask_i[AddressBits*k +: AddressBits];
          radix = radix_i[(AddressBits+1)*k +: AddressBits+1];
          wrap = wrap_i[k];
          first = first_i[k];
          last = last_i[k];
          same = FromLink && k == InDim;
          dim = Pw'(2 * k);
        end
      end
      there = dst_i & mask;
      here = coord_i & mask;
      ahead = {1'b0, there} - {1'b0, here};
      if (there < here) ahead = ahead + radix;  // steps up, round the ring
      // Radix 2, and only it, has a mask of half its radix: always link 2d.
      if ({mask, 1'b0} == radix) plus = 1'b1;
      else if (wrap) plus = {ahead, 1'b0} <= {1'b0, radix};
      else plus = there > here;
      round = wrap && (plus ? last : first);  // this is the wrap link
      port_o = away ? (plus ? dim : dim + 1'b1) : Pw'(Home);
      class_o = away && (round || (same && class_i));
    end
  end
endmodule

`default_nettype wire
