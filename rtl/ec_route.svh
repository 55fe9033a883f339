// SPDX-License-Identifier: Apache-2.0
// Route computation, dimension-ordered: which output port and VC class a flit asks for. A function, so
// that it can stand in a branch: {class, port}. To be included inside a module that has the parameters
// Dims, LinksPerDim, Locals, AddressBits and InPort (the port on which the flit came), and Pw. (The
// place comes as arguments: Icarus evaluates a function in an assignment again only if one changes.)
//
// Everything is compared in place, inside the packed address: a dimension is a mask, and its radix is
// given shifted to the same bits. On wrapped dimensions the way is the shorter one round, ties positive, or as the
// router says (far);
// a dimension of radix 2 has one link, number 2d. One link per dimension (the cube shape): dimension d
// is address bit d, link d crosses it.
//
// A local port answers a flit that is at home: the only one, or that of the link it came on.
localparam int Home = Locals == 1 ? Dims * LinksPerDim
  : InPort < Dims * LinksPerDim ? Dims * LinksPerDim + InPort : InPort;
localparam bit FromLink = InPort < Dims * LinksPerDim;
localparam int InDim = FromLink ? InPort / LinksPerDim : 0;

function automatic [Pw:0] route(
  input [AddressBits-1:0] coord,
  input [AddressBits*Dims-1:0] masks,
  input [AddressBits*Dims-1:0] fars,
  input [Dims-1:0] turns,
  input [Dims-1:0] wraps,
  input [Dims-1:0] firsts,  // own coordinate is 0
  input [Dims-1:0] lasts,   // own coordinate is radix - 1
  input order_high,
  input [AddressBits-1:0] dst,
  input from_class  // dateline class in which the flit came
);
  logic [AddressBits-1:0] differs, there, here, mask, far;
  logic [Pw-1:0] port;
  logic away, wrap, first, last, turn, above, near, plus, same, round;
  differs = dst ^ coord;
  if (LinksPerDim == 1 && Dims <= 8) begin
    port = Pw'(Home);
    if (order_high) begin
      for (int d = 0; d < Dims; d++) if (differs[d]) port = Pw'(d);
    end else begin
      for (int d = Dims - 1; d >= 0; d--) if (differs[d]) port = Pw'(d);
    end
    route = {1'b0, port};
  end else if (LinksPerDim == 1) begin : long
    logic [Dims:0] chosen, numbers;
    // The same without a row of decisions, which gets long: the first bit that differs, alone, or if none does the
    // one above them all, which comes last in either order. Then its number, bit by bit.
    if (order_high) begin
      chosen = {differs[Dims-1:0], 1'b1};
      for (int k = 1; k <= Dims; k = 2 * k) chosen = chosen | chosen >> k;
      chosen = chosen & ~(chosen >> 1);
      chosen = {chosen[0], chosen[Dims:1]};
    end else begin
      chosen = {1'b1, differs[Dims-1:0]};
      chosen = chosen & (~chosen + 1'b1);
    end
    port = '0;
    for (int b = 0; b < Pw; b++) begin
      numbers = {1'(Home >> b), {Dims{1'b0}}};  // those with this bit
      for (int d = 0; d < Dims; d++) numbers[d] = 1'(d >> b);
      port[b] = (chosen & numbers) != '0;
    end
    route = {1'b0, port};
  end else begin
    // The first dimension, in the chosen order, in which the flit is not yet at home.
    away = 1'b0;
    mask = '0;
    far = '0;
    wrap = 1'b0;
    first = 1'b0;
    last = 1'b0;
    turn = 1'b0;
    same = 1'b0;
    port = '0;
    for (int k = Dims - 1; k >= 0; k--) begin
      // Later assignments win: walk from the least to the most urgent dimension.
      if ((differs & masks[AddressBits*k +: AddressBits]) != '0 && !(order_high && away)) begin
        away = 1'b1;
        mask = masks[AddressBits*k +: AddressBits];
        far = fars[AddressBits*k +: AddressBits];
        wrap = wraps[k];
        first = firsts[k];
        last = lasts[k];
        turn = turns[k];
        same = FromLink && k == InDim;
        port = Pw'(2 * k);
      end
    end
    there = dst & mask;
    here = coord & mask;
    // Up from here to far, which is beyond the end of the ring if turn is set.
    above = there > here;
    near = there <= far;
    plus = (above & near) | (turn & (above | near));
    round = wrap && (plus ? last : first);  // this is the wrap link
    route = {away && (round || (same && from_class)),
             away ? (plus ? port : port + 1'b1) : Pw'(Home)};
  end
endfunction
