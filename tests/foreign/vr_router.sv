// SPDX-License-Identifier: Apache-2.0
// vr_switch behind the ports of docs/ROUTER-CONTRACT.md: the adapter that a router with valid/ready
// needs. It serves meshes and cubes with one virtual channel and one local port, in wormhole switching.
//
// Input: a FIFO of `depth` words in front of each input of the switch; a credit goes back in the cycle
// after the switch took the word, some cycles before that word is on an output channel.
// Output: valid/ready becomes credits: the switch may send while the counter is not 0. So all outputs
// are functions of registers (Moore rule). There are no taps and no quiet_o.
`default_nettype none

module vr_router #(
  parameter int Dims = 3,
  parameter int LinksPerDim = 1,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  localparam int Links = Dims * LinksPerDim,
  localparam int Ports = Links + Locals,
  localparam int Pw = $clog2(Ports),
  localparam int Dw = $clog2(DepthMax)
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire  [15:0]         coord_i,
  input  wire  [16*Dims-1:0]  mask_i,
  input  wire  [17*Dims-1:0]  radix_i,
  input  wire  [Dims-1:0]     wrap_i,
  input  wire                 dateline_i,
  input  wire                 order_high_i,
  input  wire  [1:0]          switching_i,
  input  wire  [15:0]         depth_i,
  input  wire  [15:0]         packet_i,
  input  wire  [64*Ports-1:0] link_i,
  input  wire  [Ports-1:0]    credit_i,
  output logic [64*Ports-1:0] link_o,
  output logic [Ports-1:0]    credit_o
);
  if (Vcs != 1 || Locals != 1) begin : gen_unsupported
    vr_error_one_virtual_channel_and_one_local_port_only u_error ();
  end

  // Pins.
  logic [15:0] coord_q;
  logic [16*Dims-1:0] mask_q;
  logic high_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      coord_q <= coord_i;
      mask_q <= mask_i;
      high_q <= order_high_i;
    end
  end

  logic [Ports-1:0] in_valid, in_ready, out_valid, out_ready;
  logic [64*Ports-1:0] in_data, out_data;
  logic [Pw*Ports-1:0] in_to;

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    // The input FIFO.
    logic [63:0] mem [0:DepthMax-1];
    logic [Dw:0] wr_q, rd_q;
    logic credit_q;
    logic [15:0] dst, field;
    logic minus;
    logic [Pw-1:0] to;
    wire push = link_i[64*p + 63];
    wire pop = in_valid[p] && in_ready[p];
    always_ff @(posedge clk_i) begin
      if (push) begin
        mem[wr_q[Dw-1:0]] <= link_i[64*p +: 64];
        wr_q <= wr_q + 1'b1;
      end
      if (pop) rd_q <= rd_q + 1'b1;
      credit_q <= pop;
      if (rst_i) begin
        wr_q <= '0;
        rd_q <= '0;
        credit_q <= 1'b0;
      end
    end
    assign in_valid[p] = wr_q != rd_q;
    assign in_data[64*p +: 64] = mem[rd_q[Dw-1:0]];
    assign credit_o[p] = credit_q;

    // Dimension order: the last dimension that differs in the order of this loop wins.
    assign dst = in_data[64*p + 43 +: 16];
    always_comb begin
      to = Pw'(Links);
      field = '0;
      minus = 1'b0;
      for (int k = 0; k < Dims; k++) begin
        if (LinksPerDim == 1) begin
          if (dst[high_q ? k : Dims - 1 - k] != coord_q[high_q ? k : Dims - 1 - k])
            to = Pw'(high_q ? k : Dims - 1 - k);
        end else begin
          field = mask_q[16*(high_q ? k : Dims - 1 - k) +: 16];
          // Both ways to the other node of a radix 2 are one: the first link (a field of one bit).
          minus = (dst & field) < (coord_q & field) && (field & (field - 1'b1)) != '0;
          if (((dst ^ coord_q) & field) != '0)
            to = Pw'(2 * (high_q ? k : Dims - 1 - k)) + Pw'({minus});
        end
      end
    end
    assign in_to[Pw*p +: Pw] = to;

    // Ready is a credit.
    logic [15:0] credits_q;
    wire sends = out_valid[p] && out_ready[p];
    always_ff @(posedge clk_i) begin
      credits_q <= credits_q + 16'({credit_i[p]}) - 16'({sends});
      if (rst_i) credits_q <= depth_i;
    end
    assign out_ready[p] = credits_q != '0;
    assign link_o[64*p +: 64] = out_data[64*p +: 64] & {64{sends}};
  end

  vr_switch #(
    .Ports(Ports)
  ) u_switch (
    .clk_i,
    .rst_i,
    .valid_i(in_valid),
    .ready_o(in_ready),
    .data_i(in_data),
    .to_i(in_to),
    .valid_o(out_valid),
    .ready_i(out_ready),
    .data_o(out_data)
  );

  wire unused = &{1'b0, radix_i, wrap_i, dateline_i, switching_i, packet_i, mask_q};
endmodule

`default_nettype wire
