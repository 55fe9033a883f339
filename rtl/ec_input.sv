// SPDX-License-Identifier: Apache-2.0
// One input VC: its buffer, and what the front flit asks for.
//
// Timing: all outputs but those of the front flit's content are meaningful only unless empty_o. Outputs
// are functions of registers (and of offer_i, with Dynamic). With one stage word_o is the front word;
// with more it is the word that was popped in the last cycle. Its entry is not lost by then, although the
// credit left with the grant: a word that uses the credit is on the channel one cycle after the grant at
// the earliest, and is written at the end of that cycle.
`default_nettype none
`include "ec_check.svh"

module ec_input #(
  parameter int Dims = 3,
  parameter int LinksPerDim = 1,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter bit Dynamic = 1'b0,
  parameter bit Adaptive = 1'b0,
  parameter int Stages = 1,
  parameter bit Early = 1'b0,  // the route came with the word
  parameter int Paths = 0,
  parameter int AddressBits = 16,
  parameter int DataBits = 27,
  parameter int InPort = 0,
  parameter int InVc = 0,
  localparam int Ports = Dims * LinksPerDim + Locals,
  localparam int Pw = $clog2(Ports),
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 3 + VcBits + 2 * AddressBits + DataBits,
  localparam int Iw = $clog2(DepthMax),
  localparam int Sw = Adaptive ? $clog2(Vcs + 6) : Dynamic ? VcBits + 1 : VcBits,
  localparam int Cw = $clog2(DepthMax + 1),
  localparam int RoomBits = Cw + $clog2(Vcs)
) (
  input  wire                             clk_i,
  input  wire                             rst_i,
  // Place and mode: constant after reset.
  input  wire  [AddressBits-1:0]          coord_i,
  input  wire  [AddressBits*Dims-1:0]     mask_i,
  input  wire  [AddressBits*Dims-1:0]     far_i,
  input  wire  [Dims-1:0]                 turn_i,
  input  wire  [Dims-1:0]                 wrap_i,
  input  wire  [Dims-1:0]                 first_i,
  input  wire  [Dims-1:0]                 last_i,
  input  wire                             order_high_i,
  input  wire                             dateline_i,
  input  wire                             classes_i,
  input  wire                             whole_i,  // store-and-forward: a packet leaves only in full
  // From the port.
  input  wire                             push_i,
  input  wire  [W-1:0]                    word_i,
  input  wire  [Pw:0]                     way_i,    // EC_TABLE: {class, port} of the word
  // The crossbar.
  input  wire                             pop_i,
  input  wire  [VcBits-1:0]               offer_i,  // with Dynamic: the VC that a head here would take
  input  wire  [Ports-1:0]                open_i,   // with Adaptive (ec_adapt.sv)
  input  wire  [RoomBits*Ports-1:0]       room_i,
  output logic [W-1:0]                    word_o,   // as it came
  output logic [VcBits-1:0]               vc_o,     // its VC on the next channel
  output logic                            empty_o,
  output logic                            tail_o,
  output logic                            part_o,   // store-and-forward: a head whose packet is not here in full
  output logic [Pw-1:0]                   port_o,
  output logic [Sw-1:0]                   slot_o,   // what it asks for there: a VC, or Vcs + class
  output logic [2:0]                      class_o   // with Dynamic, the class of its packet
);
  `include "ec_word.svh"
  ec_word_t word, front;
  logic [W-1:0] popped;
  logic [VcBits-1:0] lane_vc;  // lane and class of the next channel
  logic [Iw-1:0] back, place;
  logic class_out;  // the dateline class of the front word
  logic adaptive;   // with Adaptive, it asks for adaptive VCs

  assign word = word_i;

  // With Paths the message class, a part of the VC, says which path: with 1 class 1 goes in the other
  // order; with 2 class 0 leads to the node in the upper half of dst, and class 1 from there on.
  localparam bit Second = Vcs > 1 && InVc >= Vcs / 2;  // message class 1
  localparam int Half = AddressBits / 2;
  localparam logic [AddressBits-1:0] Low = (1 << Half) - 1;
  logic high_first, second;  // second: the front word leaves in message class 1
  assign high_first = order_high_i ^ (Paths == 1 && Second);
  function automatic onward(input [AddressBits-1:0] coord, input [AddressBits-1:0] dst);
    onward = Second || dst >> Half == coord;
  endfunction
  function automatic [AddressBits-1:0] target(input [AddressBits-1:0] coord, input [AddressBits-1:0] dst);
    target = onward(coord, dst) ? dst & Low : dst >> Half;
  endfunction

  ec_fifo #(
    .Depth(DepthMax),
    .W(W)
  ) u_fifo (
    .clk_i,
    .rst_i,
    .push_i,
    .word_i,
    .pop_i,
    .front_o(front),
    .popped_o(popped),
    .empty_o,
    .back_o(back),
    .place_o(place)
  );

`ifdef EC_TABLE
  (* mem2reg *) logic [Pw:0] routes [0:DepthMax-1];
  always_ff @(posedge clk_i) if (push_i) routes[back] <= way_i;
  assign {class_out, port_o} = routes[place];
  wire unused_place = &{1'b0, coord_i, mask_i, far_i, turn_i, wrap_i, first_i, last_i, order_high_i, Early, InPort};
  assign second = Second;
  wire unused_order = &{1'b0, high_first};
`else
  wire unused_way = &{1'b0, way_i};
  `include "ec_route.svh"
  if (Adaptive) begin : gen_adaptive
    // A head asks anew in every cycle; the rest of its packet follows it.
    logic [Pw-1:0] port, port_q;
    ec_adapt #(
      .Dims(Dims),
      .LinksPerDim(LinksPerDim),
      .AddressBits(AddressBits),
      .RoomBits(RoomBits)
    ) u_adapt (
      .coord_i,
      .mask_i,
      .far_i,
      .turn_i,
      .wrap_i,
      .order_high_i,
      .dst_i(front.dst),
      .open_i,
      .room_i,
      .port_o(port),
      .adaptive_o(adaptive),
      .class_o(class_out)
    );
    assign port_o = front.head ? port : port_q;
    always_ff @(posedge clk_i) if (pop_i) port_q <= port_o;
    assign second = Second;
    wire unused = &{1'b0, first_i, last_i, back, place, high_first};
  end else if (Early && Paths != 2) begin : gen_routed
    // In the branch, where the compiled model makes it once for each word. As a wire from the channel it
    // would be made in every cycle, before and after the clock edge.
    // Few bits: registers. (As a memory they keep Yosys' pass `share` busy for minutes.)
    (* mem2reg *) logic [Pw:0] routes [0:DepthMax-1];
    always_ff @(posedge clk_i) begin
      if (push_i) routes[back] <= route(coord_i, mask_i, far_i, turn_i, wrap_i, first_i, last_i, high_first,
                                        word.dst, word.vc[0]);
    end
    assign {class_out, port_o} = routes[place];
    assign second = Second;
  end else if (Early) begin : gen_routed_legs
    (* mem2reg *) logic [Pw+1:0] routes [0:DepthMax-1];
    always_ff @(posedge clk_i) begin
      if (push_i) routes[back] <= {onward(coord_i, word.dst),
                                   route(coord_i, mask_i, far_i, turn_i, wrap_i, first_i, last_i, high_first,
                                         target(coord_i, word.dst),
                                         word.vc[0] && onward(coord_i, word.dst) == Second)};
    end
    assign {second, class_out, port_o} = routes[place];
  end else if (Paths == 2) begin : gen_legs
    assign {class_out, port_o} = route(coord_i, mask_i, far_i, turn_i, wrap_i, first_i, last_i, high_first,
                                       target(coord_i, front.dst),
                                       1'(InVc) && onward(coord_i, front.dst) == Second);
    assign second = onward(coord_i, front.dst);
    wire unused = &{1'b0, back, place};
  end else begin : gen_route
    assign {class_out, port_o} = route(coord_i, mask_i, far_i, turn_i, wrap_i, first_i, last_i, high_first,
                                       front.dst, 1'(InVc));
    assign second = Second;
    wire unused = &{1'b0, back, place};
  end
`endif
  if (!Adaptive) begin : gen_prescribed
    assign adaptive = 1'b0;
    wire unused = &{1'b0, adaptive, open_i, room_i};
  end
  // The lane stays; with datelines the lowest bit of a VC is its class.
  localparam int Upper = Second ? InVc : InVc + Vcs / 2;  // the same VC in message class 1
  logic [VcBits-1:0] lane;
  assign lane = Paths == 2 && second ? VcBits'(Upper) : VcBits'(InVc);
  assign lane_vc = Vcs == 1 ? '0 : dateline_i ? {lane[VcBits-1:1], class_out} : lane;

  // The VC of the front word: with Dynamic a head takes one, and the other flits ask for it.
  logic [VcBits-1:0] vc, vc_q;
  if (Dynamic) begin : gen_bound
    logic message_class, dateline_class;
    assign message_class = classes_i && (Paths == 2 ? second : InVc >= Vcs / 2);
    assign dateline_class = dateline_i && lane_vc[0];
    if (Adaptive) begin : gen_set
      assign class_o = adaptive ? {2'b10, message_class} : {1'b0, message_class, dateline_class};
    end else begin : gen_class
      assign class_o = Vcs == 1 ? 3'd0 : Vcs == 2 ? {2'b00, message_class || dateline_class}
                                                  : {1'b0, message_class, dateline_class};
    end
    assign vc = front.head ? offer_i : vc_q;
    assign slot_o = front.head ? Sw'(Vcs) + Sw'(class_o) : Sw'(vc_q);

    // Checks: a packet stays in its class.
    always @(posedge clk_i) begin
      if (!rst_i && !empty_o && !front.head) begin
        `EC_CHECK(Vcs == 1 || !classes_i || 1'(vc_q >> $clog2(Vcs) - 1) == message_class,
                  "a packet on a VC of another message class")
        `EC_CHECK(Adaptive || !dateline_i || vc_q[0] == dateline_class,
                  "a packet on a VC of another dateline class")
      end
    end
  end else begin : gen_asked
    assign class_o = '0;
    assign slot_o = lane_vc;
    assign vc = lane_vc;
    wire unused = &{1'b0, classes_i, dateline_i, offer_i};
  end

  always_ff @(posedge clk_i) if (pop_i) vc_q <= vc;

  assign word_o = Stages == 1 ? front : popped;
  assign vc_o = Stages == 1 ? vc : vc_q;
  assign tail_o = front.tail;

  // Tails in the buffer: the packet at the front is complete iff there is one.
  logic [Cw-1:0] tails_q;
  always_ff @(posedge clk_i) begin
    if (whole_i) begin
      tails_q <= tails_q + Cw'({push_i && word.tail}) - Cw'({pop_i && front.tail});
    end
    if (rst_i) tails_q <= '0;
  end
  assign part_o = front.head && tails_q == '0;

  // Checks: packets arrive head first, tail last, and are not interleaved within a VC.
`ifdef EC_CHECKS
  logic open_q;
  always_ff @(posedge clk_i) begin
    if (push_i) open_q <= !word.tail;
    if (rst_i) open_q <= 1'b0;
  end
  always @(posedge clk_i) begin
    if (!rst_i && push_i) begin
      `EC_CHECK(word.head == !open_q, "a head inside a packet, or a body flit outside one")
    end
  end
`endif
  wire unused = &{1'b0, word, front, popped, lane_vc, class_out, vc_q, second};
endmodule

`default_nettype wire
