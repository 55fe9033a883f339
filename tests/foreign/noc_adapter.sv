// SPDX-License-Identifier: Apache-2.0
// noc_router behind the ports of docs/ROUTER-CONTRACT.md, as docs/REGRESSION.md tells: the router itself
// is untouched. 2D meshes, lowest dimension first (XY), one virtual channel, wormhole.

// Credits in, valid/ready out: a FIFO of the words that the sender has credits for. A place is free, and
// its credit on the way, in the cycle after its word was accepted.
module noc_from_credits #(
  parameter int DepthMax = 4
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic [63:0] link_i,
  output logic        credit_o,
  output logic [63:0] word_o,
  output logic        valid_o,
  input  logic        ready_i
);
  localparam int Aw = $clog2(DepthMax);
  logic [63:0] places [DepthMax];
  logic [Aw:0] put_q, got_q;
  logic taken;

  assign valid_o = put_q != got_q;
  assign word_o = places[got_q[Aw-1:0]];
  assign taken = valid_o && ready_i;
  always_ff @(posedge clk_i) begin
    if (link_i[63]) places[put_q[Aw-1:0]] <= link_i;
    put_q <= put_q + (Aw + 1)'(link_i[63]);
    got_q <= got_q + (Aw + 1)'(taken);
    credit_o <= taken;
    if (rst_i) begin
      put_q <= '0;
      got_q <= '0;
      credit_o <= 1'b0;
    end
  end
endmodule

// Valid/ready in, credits out: ready while there are credits. valid_i and word_i must be registers.
module noc_to_credits (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic [15:0] depth_i,
  input  logic [63:0] word_i,
  input  logic        valid_i,
  output logic        ready_o,
  output logic [63:0] link_o,
  input  logic        credit_i
);
  logic [15:0] credits_q;

  assign ready_o = credits_q != '0;
  assign link_o = valid_i && ready_o ? word_i : '0;
  always_ff @(posedge clk_i) begin
    credits_q <= credits_q + 16'(credit_i) - 16'(link_o[63]);
    if (rst_i) credits_q <= depth_i;
  end
endmodule

module noc_adapter
  import noc_pkg::*;
#(
  parameter int Dims = 2,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  localparam int Channels = Dims * LinksPerDim + Locals
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic [15:0]            coord_i,
  input  logic [16*Dims-1:0]     mask_i,
  input  logic [17*Dims-1:0]     radix_i,
  input  logic [Dims-1:0]        wrap_i,
  input  logic                   dateline_i,
  input  logic                   order_high_i,
  input  logic [1:0]             switching_i,
  input  logic [15:0]            depth_i,
  input  logic [15:0]            packet_i,
  input  logic [64*Channels-1:0] link_i,
  input  logic [Channels-1:0]    credit_i,
  output logic [64*Channels-1:0] link_o,
  output logic [Channels-1:0]    credit_o
);
  if (Dims != 2 || LinksPerDim != 2 || Locals != 1 || Vcs != 1) begin : gen_unsupported
    noc_error_meshes_of_two_dimensions_with_one_virtual_channel_only u_error ();
  end

  // Pins: kept from reset on. x is the lower field of an address, y the one above it.
  logic [15:0] coord_q;
  logic [16*Dims-1:0] mask_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      coord_q <= coord_i;
      mask_q <= mask_i;
    end
  end
  function automatic logic [CoordW-1:0] x_of(logic [15:0] address);
    return CoordW'(address & mask_q[15:0]);
  endfunction
  function automatic logic [CoordW-1:0] y_of(logic [15:0] address);
    return CoordW'((address & mask_q[31:16]) >> $countones(mask_q[15:0]));
  endfunction

  flit_t in_flit[Ports], out_flit[Ports];
  logic in_valid[Ports], in_ready[Ports], out_valid[Ports], out_ready[Ports];

  // East, west, north, south, local: +x, -x, +y, -y, local are ports 0 to 4 here, too.
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [63:0] word;
    noc_from_credits #(
      .DepthMax(DepthMax)
    ) u_from (
      .clk_i,
      .rst_i,
      .link_i(link_i[64*p +: 64]),
      .credit_o(credit_o[p]),
      .word_o(word),
      .valid_o(in_valid[p]),
      .ready_i(in_ready[p])
    );
    // The whole word travels as payload, so that nothing of it is lost.
    assign in_flit[p] = '{
        kind: kind_e'({word[61], word[62]}),
        x: x_of(word[58:43]),
        y: y_of(word[58:43]),
        payload: word
    };
    noc_to_credits u_to (
      .clk_i,
      .rst_i,
      .depth_i,
      .word_i(out_flit[p].payload),
      .valid_i(out_valid[p]),
      .ready_o(out_ready[p]),
      .link_o(link_o[64*p +: 64]),
      .credit_i(credit_i[p])
    );
  end

  noc_router u_router (
    .clk(clk_i),
    .rst_n(!rst_i),
    .my_x(x_of(coord_q)),
    .my_y(y_of(coord_q)),
    .in_flit,
    .in_valid,
    .in_ready,
    .out_flit,
    .out_valid,
    .out_ready
  );
endmodule
