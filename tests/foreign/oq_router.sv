// SPDX-License-Identifier: Apache-2.0
// An output-buffered router: a crossbar with one lane for each output VC moves words into queues at the
// outputs, and their fronts share the link. A credit goes back when a word enters its queue, so words may
// stay in the router long after their entry was freed; those of one input VC leave in order at each output
// VC, but a packet for a free output overtakes one that waits at another. It has no taps and no quiet_o.
`default_nettype none

module oq_router #(
  parameter int Dims = 2,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  localparam int Places = 8,  // of an output queue
  localparam int Ports = Dims * LinksPerDim + Locals,
  localparam int Bufs = Ports * Vcs,
  localparam int Pw = $clog2(Ports)
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
  input  wire  [Bufs-1:0]     credit_i,
  output logic [64*Ports-1:0] link_o,
  output logic [Bufs-1:0]     credit_o
);
  // Pins.
  logic [15:0] coord_q, depth_q, need_q;
  logic [16*Dims-1:0] mask_q;
  logic [17*Dims-1:0] radix_q;
  logic [Dims-1:0] wrap_q;
  logic dateline_q, high_q, store_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      coord_q <= coord_i;
      mask_q <= mask_i;
      radix_q <= radix_i;
      wrap_q <= wrap_i;
      dateline_q <= dateline_i;
      high_q <= order_high_i;
      store_q <= switching_i == 2'd2;
      depth_q <= depth_i;
      need_q <= switching_i == 2'd0 ? 16'd1 : packet_i;
    end
  end

  // Input VCs.
  logic [Bufs-1:0] valid, whole, pop;
  logic [64*Bufs-1:0] word;
  logic [Pw*Bufs-1:0] to;
  logic [16*Bufs-1:0] age;
  for (genvar q = 0; q < Ports; q++) begin : gen_input
    lab_port #(
      .Dims(Dims),
      .LinksPerDim(LinksPerDim),
      .Locals(Locals),
      .Vcs(Vcs),
      .DepthMax(DepthMax),
      .InPort(q)
    ) u_port (
      .clk_i,
      .rst_i,
      .arst_i(1'b0),
      .coord_i(coord_q),
      .mask_i(mask_q),
      .radix_i(radix_q),
      .wrap_i(wrap_q),
      .dateline_i(dateline_q),
      .order_high_i(high_q),
      .link_i(link_i[64*q +: 64]),
      .pop_i(pop[Vcs*q +: Vcs]),
      .valid_o(valid[Vcs*q +: Vcs]),
      .word_o(word[64*Vcs*q +: 64*Vcs]),
      .to_o(to[Pw*Vcs*q +: Pw*Vcs]),
      .whole_o(whole[Vcs*q +: Vcs]),
      .age_o(age[16*Vcs*q +: 16*Vcs])
    );
  end

  // Output VCs: the input VC whose packet comes in, and the queue.
  logic [Bufs-1:0] moves [0:Bufs-1];
  logic [64*Bufs-1:0] front;
  logic [Bufs-1:0] ready, sends;
  for (genvar o = 0; o < Bufs; o++) begin : gen_queue
    logic [63:0] mem [0:Places-1];
    logic [63:0] data;
    logic [3:0] wr_q, rd_q;
    logic [15:0] used_q;
    logic [Bufs-1:0] ask, holder_q;
    for (genvar i = 0; i < Bufs; i++) begin : gen_ask
      assign ask[i] = valid[i] && to[Pw*i +: Pw] == Pw'(o / Vcs) && (Vcs == 1 || word[64*i + 59 +: 2] == 2'(o % Vcs))
                      && wr_q - rd_q != 4'(Places)
                      && (holder_q != '0 ? holder_q[i] : whole[i] || !store_q);
    end
    lab_choice #(
      .N(Bufs),
      .Policy(1)
    ) u_choice (
      .clk_i,
      .rst_i,
      .arst_i(1'b0),
      .req_i(ask),
      .age_i(age),
      .used_i(holder_q == '0),
      .grant_o(moves[o])
    );
    always_comb begin
      data = '0;
      for (int i = 0; i < Bufs; i++) data = data | (word[64*i +: 64] & {64{moves[o][i]}});
    end
    assign front[64*o +: 64] = mem[rd_q[2:0]];
    assign ready[o] = wr_q != rd_q && used_q + (front[64*o + 62] ? need_q : 16'd1) <= depth_q;
    always_ff @(posedge clk_i) begin
      if (moves[o] != '0) begin
        mem[wr_q[2:0]] <= data;
        wr_q <= wr_q + 1'b1;
        holder_q <= data[61] ? '0 : moves[o];
      end
      if (sends[o]) rd_q <= rd_q + 1'b1;
      used_q <= used_q + 16'(sends[o]) - 16'(credit_i[o]);
      if (rst_i) begin
        wr_q <= '0;
        rd_q <= '0;
        holder_q <= '0;
        used_q <= '0;
      end
    end
  end
  always_comb begin
    pop = '0;
    for (int o = 0; o < Bufs; o++) pop = pop | moves[o];
  end
  always_ff @(posedge clk_i) credit_o <= rst_i ? '0 : pop;

  // Links.
  for (genvar p = 0; p < Ports; p++) begin : gen_link
    lab_choice #(
      .N(Vcs)
    ) u_choice (
      .clk_i,
      .rst_i,
      .arst_i(1'b0),
      .req_i(ready[Vcs*p +: Vcs]),
      .age_i('0),
      .used_i(1'b1),
      .grant_o(sends[Vcs*p +: Vcs])
    );
    always_comb begin
      link_o[64*p +: 64] = '0;
      for (int v = 0; v < Vcs; v++) begin
        link_o[64*p +: 64] = link_o[64*p +: 64] | (front[64*(Vcs*p + v) +: 64] & {64{sends[Vcs*p + v]}});
      end
    end
  end
endmodule

`default_nettype wire
