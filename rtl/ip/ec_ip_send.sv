// SPDX-License-Identifier: Apache-2.0
// From valid/ready to the words of a local port: one stream per message class, credits inside.
//
// A packet is the words up to and including last_i. It takes the lowest VC of its class with the
// credits that its head needs, and keeps it; packets of a stream follow each other. Words of two
// streams alternate on the port. dst_i must be the same in all words of a packet.
//
// Timing: a word is on link_o in the cycle in which it is taken (valid and ready). ready_o depends on
// registers, and with two streams on valid_i.
`default_nettype none
`include "ec_check.svh"

module ec_ip_send #(
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Classes = 1,  // streams: 1 or 2
  parameter int AddressBits = 8,
  parameter int DataBits = 32,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 3 + VcBits + 2 * AddressBits + DataBits,
  localparam int Cw = $clog2(DepthMax + 1)
) (
  input  wire                           clk_i,
  input  wire                           rst_i,
  // Place and mode: constant after reset.
  input  wire  [AddressBits-1:0]        coord_i,
  input  wire                           dateline_i,
  input  wire  [Cw-1:0]                 depth_i,
  input  wire  [Cw-1:0]                 need_i,   // credits without which a head does not move
  // The streams.
  input  wire  [Classes-1:0]            valid_i,
  output logic [Classes-1:0]            ready_o,
  input  wire  [Classes-1:0]            last_i,
  input  wire  [AddressBits*Classes-1:0] dst_i,
  input  wire  [DataBits*Classes-1:0]   data_i,
  // The local port of the router.
  output logic [W-1:0]                  link_o,
  input  wire  [Vcs-1:0]                credit_i
);
  logic [Vcs-1:0] some, enough;  // credits: one, or as many as a head needs
  logic [Vcs-1:0] used;
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [Cw-1:0] credits;
    ec_credits #(
      .DepthMax(DepthMax)
    ) u_credits (
      .clk_i,
      .rst_i,
      .depth_i,
      .credit_i(credit_i[v]),
      .used_i(used[v]),
      .credits_o(credits)
    );
    assign some[v] = credits != '0;
    assign enough[v] = credits >= need_i;
  end

  logic [Classes-1:0] grant, able;
  logic [W*Classes-1:0] word;
  logic [Vcs*Classes-1:0] chosen;  // one-hot: the VC of the next word
  for (genvar c = 0; c < Classes; c++) begin : gen_class
    logic open_q;  // inside a packet
    logic [Vcs-1:0] vc_q, members, free;
    logic [VcBits-1:0] number;
    for (genvar v = 0; v < Vcs; v++) begin : gen_member
      localparam bit Mine = Classes == 1 || (v >= Vcs / 2) == (c == 1);
      assign members[v] = Mine && !(dateline_i && v % 2 == 1);
    end
    assign free = enough & members;
    assign chosen[Vcs*c +: Vcs] = open_q ? vc_q & some : free & (~free + 1'b1);
    assign able[c] = chosen[Vcs*c +: Vcs] != '0;
    always_comb begin
      number = '0;
      for (int v = 0; v < Vcs; v++) if (chosen[Vcs*c + v]) number = number | VcBits'(v);
    end
    assign word[W*c +: W] = {1'b1, !open_q, last_i[c], number, dst_i[AddressBits*c +: AddressBits], coord_i,
                             data_i[DataBits*c +: DataBits]};
    always_ff @(posedge clk_i) begin
      if (grant[c]) begin
        open_q <= !last_i[c];
        vc_q <= chosen[Vcs*c +: Vcs];
      end
      if (rst_i) begin
        open_q <= 1'b0;
        vc_q <= '0;
      end
    end

    // Checks.
`ifdef EC_CHECKS
    logic [AddressBits-1:0] dst_q;
    always_ff @(posedge clk_i) if (grant[c]) dst_q <= dst_i[AddressBits*c +: AddressBits];
    always @(posedge clk_i) begin
      if (!rst_i && grant[c]) begin
        `EC_CHECK(dst_i[AddressBits*c +: AddressBits] != coord_i, "a packet to the own node")
        `EC_CHECK(!open_q || dst_i[AddressBits*c +: AddressBits] == dst_q, "a packet that changes its destination")
      end
    end
`endif
  end

  ec_arbiter #(
    .N(Classes)
  ) u_arbiter (
    .clk_i,
    .rst_i,
    .req_i(valid_i & able & {Classes{!rst_i}}),
    .move_i(1'b1),
    .grant_o(grant)
  );

  always_comb begin
    link_o = '0;
    used = '0;
    ready_o = able & {Classes{!rst_i}};
    for (int c = 0; c < Classes; c++) begin
      if (grant[c]) begin
        link_o = link_o | word[W*c +: W];
        used = used | chosen[Vcs*c +: Vcs];
        ready_o = Classes'(1) << c;
      end
    end
  end
endmodule

`default_nettype wire
