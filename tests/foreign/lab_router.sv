// SPDX-License-Identifier: Apache-2.0
// Sound routers of many microarchitectures: input VCs, VC allocation, switch allocation and output registers,
// with one parameter for each design decision that docs/ROUTER-CONTRACT.md, section 12, leaves open. They
// serve every network and switching mode. lab_tops.sv names some of them.
`default_nettype none

module lab_router #(
  parameter int Dims = 2,
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter bit VcStage = 0,    // a head gets its output VC one cycle before it competes for the switch
  parameter int Allocator = 0,  // 0: by output; 1: input first, one grant per input port; 2: wavefront
  parameter int Policy = 0,     // of the arbiters: lab_choice.sv
  parameter bit HoldLink = 0,   // a packet has a link for itself from head to tail
  parameter int Stages = 0,     // registers between the switch and the link
  parameter int CreditLag = 0,  // cycles from the switch to the credit: 0 early, Stages late, more lazy
  parameter int Burst = 0,      // collect credits for so many cycles, then return them for as many
  parameter bit AsyncReset = 0,
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
  output logic [Bufs-1:0]     credit_o,
  output logic                quiet_o
);
  wire arst = AsyncReset && rst_i;

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
  logic [Bufs-1:0] valid, whole, pop, head, tail;
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
      .arst_i(arst),
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
  for (genvar i = 0; i < Bufs; i++) begin : gen_front
    assign head[i] = word[64*i + 62];
    assign tail[i] = word[64*i + 61];
  end

  // Output VCs: who holds each, and which input VCs may send to it in this cycle.
  logic [Bufs-1:0] may [0:Bufs-1];
  logic [Bufs-1:0] grant [0:Ports-1];  // by output port, one-hot
  for (genvar o = 0; o < Bufs; o++) begin : gen_output_vc
    logic [Bufs-1:0] ask, holder_q, choice, enough, sent;
    logic [15:0] used_q;
    wire held = holder_q != '0;
    for (genvar i = 0; i < Bufs; i++) begin : gen_ask
      assign ask[i] = valid[i] && to[Pw*i +: Pw] == Pw'(o / Vcs) && (Vcs == 1 || word[64*i + 59 +: 2] == 2'(o % Vcs));
      assign enough[i] = head[i] ? used_q + need_q <= depth_q && (whole[i] || !store_q) : used_q < depth_q;
    end
    assign may[o] = ask & enough & (held ? holder_q : {Bufs{!VcStage}});
    assign sent = grant[o / Vcs] & ask;
    lab_choice #(
      .N(Bufs),
      .Policy(Policy)
    ) u_choice (
      .clk_i,
      .rst_i,
      .arst_i(arst),
      .req_i(VcStage && !held ? ask : '0),
      .age_i(age),
      .used_i(1'b1),
      .grant_o(choice)
    );
    always_ff @(posedge clk_i or posedge arst) begin
      if (rst_i || arst) begin
        holder_q <= '0;
        used_q <= '0;
      end else begin
        if (sent != '0) holder_q <= sent & ~tail;
        else if (!held) holder_q <= choice;
        used_q <= used_q + 16'(sent != '0) - 16'(credit_i[o]);
      end
    end
  end

  // The switch: which input VCs ask for each output port.
  logic [Bufs-1:0] req [0:Ports-1];
  for (genvar p = 0; p < Ports; p++) begin : gen_request
    logic [Bufs-1:0] train_q;  // the input VC whose packet has the link
    always_comb begin
      req[p] = '0;
      for (int v = 0; v < Vcs; v++) req[p] = req[p] | may[Vcs*p + v];
      if (HoldLink && train_q != '0) req[p] = req[p] & train_q;
    end
    always_ff @(posedge clk_i or posedge arst) begin
      if (rst_i || arst) train_q <= '0;
      else if (grant[p] != '0) train_q <= grant[p] & ~tail;
    end
  end
  if (Allocator == 2) begin : gen_wavefront
    // Diagonals of input ports by output ports: no two places of a diagonal are in conflict.
    logic [Pw-1:0] first_q;
    logic [Ports-1:0] match [0:Ports-1];  // by output port: the input port
    logic [Ports-1:0] busy;
    logic some;
    always_comb begin
      busy = '0;
      some = 1'b0;
      for (int p = 0; p < Ports; p++) begin
        match[p] = '0;
        some = some || req[p] != '0;
      end
      for (int k = 0; k < Ports; k++) begin
        for (int q = 0; q < Ports; q++) begin
          for (int p = 0; p < Ports; p++) begin
            if ((p + q) % Ports == (32'(first_q) + k) % Ports && !busy[q] && match[p] == '0
                && req[p][Vcs*q +: Vcs] != '0) begin
              match[p][q] = 1'b1;
              busy[q] = 1'b1;
            end
          end
        end
      end
    end
    always_ff @(posedge clk_i or posedge arst) begin
      if (rst_i || arst) first_q <= '0;
      else if (some) first_q <= first_q == Pw'(Ports - 1) ? '0 : first_q + 1'b1;
    end
    // An arbiter for each input port: one for each output port would serve the same VC of a port again and
    // again when ports take turns.
    logic [Bufs-1:0] chosen, matched [0:Ports-1];
    for (genvar q = 0; q < Ports; q++) begin : gen_input
      logic [Vcs-1:0] ask;
      always_comb begin
        ask = '0;
        for (int p = 0; p < Ports; p++) ask = ask | (req[p][Vcs*q +: Vcs] & {Vcs{match[p][q]}});
      end
      lab_choice #(
        .N(Vcs),
        .Policy(Policy)
      ) u_choice (
        .clk_i,
        .rst_i,
        .arst_i(arst),
        .req_i(ask),
        .age_i(age[16*Vcs*q +: 16*Vcs]),
        .used_i(1'b1),
        .grant_o(chosen[Vcs*q +: Vcs])
      );
    end
    for (genvar p = 0; p < Ports; p++) begin : gen_output
      for (genvar q = 0; q < Ports; q++) begin : gen_vcs
        assign matched[p][Vcs*q +: Vcs] = {Vcs{match[p][q]}};
      end
      assign grant[p] = req[p] & matched[p] & chosen;
    end
  end else begin : gen_separable
    logic [Bufs-1:0] chosen, any;
    always_comb begin
      any = '0;
      for (int p = 0; p < Ports; p++) any = any | req[p];
    end
    for (genvar q = 0; q < Ports; q++) begin : gen_input
      logic [Vcs-1:0] choice;
      lab_choice #(
        .N(Vcs),
        .Policy(Policy)
      ) u_choice (
        .clk_i,
        .rst_i,
        .arst_i(arst),
        .req_i(any[Vcs*q +: Vcs]),
        .age_i(age[16*Vcs*q +: 16*Vcs]),
        .used_i(pop[Vcs*q +: Vcs] != '0),
        .grant_o(choice)
      );
      assign chosen[Vcs*q +: Vcs] = Allocator == 1 ? choice : '1;
    end
    for (genvar p = 0; p < Ports; p++) begin : gen_output
      lab_choice #(
        .N(Bufs),
        .Policy(Policy)
      ) u_choice (
        .clk_i,
        .rst_i,
        .arst_i(arst),
        .req_i(req[p] & chosen),
        .age_i(age),
        .used_i(1'b1),
        .grant_o(grant[p])
      );
    end
  end
  always_comb begin
    pop = '0;
    for (int p = 0; p < Ports; p++) pop = pop | grant[p];
  end

  // From the switch to the links.
  logic [64*Ports-1:0] pipe [0:Stages];
  always_comb begin
    pipe[0] = '0;
    for (int p = 0; p < Ports; p++) begin
      for (int i = 0; i < Bufs; i++) begin
        pipe[0][64*p +: 64] = pipe[0][64*p +: 64] | (word[64*i +: 64] & {64{grant[p][i]}});
      end
    end
  end
  logic [Stages:0] moving;
  assign moving[0] = 1'b0;
  for (genvar s = 1; s <= Stages; s++) begin : gen_stage
    always_ff @(posedge clk_i or posedge arst) begin
      if (rst_i || arst) pipe[s] <= '0;
      else pipe[s] <= pipe[s-1];
    end
    assign moving[s] = pipe[s] != '0;
  end
  assign link_o = pipe[Stages];

  // Credits.
  logic [Bufs-1:0] lag [0:CreditLag];
  logic [CreditLag:0] lagging;
  logic [Bufs-1:0] owing;
  assign lag[0] = pop;
  assign lagging[0] = 1'b0;
  for (genvar s = 1; s <= CreditLag; s++) begin : gen_lag
    always_ff @(posedge clk_i or posedge arst) begin
      if (rst_i || arst) lag[s] <= '0;
      else lag[s] <= lag[s-1];
    end
    assign lagging[s] = lag[s] != '0;
  end
  if (Burst == 0) begin : gen_single
    assign credit_o = lag[CreditLag];
    assign owing = '0;
  end else begin : gen_burst
    logic [15:0] time_q;
    always_ff @(posedge clk_i or posedge arst) begin
      if (rst_i || arst) time_q <= '0;
      else if (owing == '0 || time_q == 16'(2 * Burst - 1)) time_q <= '0;
      else time_q <= time_q + 1'b1;
    end
    for (genvar i = 0; i < Bufs; i++) begin : gen_owed
      logic [15:0] owed_q;
      assign owing[i] = owed_q != '0;
      assign credit_o[i] = owing[i] && time_q >= 16'(Burst);
      always_ff @(posedge clk_i or posedge arst) begin
        if (rst_i || arst) owed_q <= '0;
        else owed_q <= owed_q + 16'(lag[CreditLag][i]) - 16'(credit_o[i]);
      end
    end
  end

  assign quiet_o = {valid, moving, lagging, owing} == '0;
endmodule

`default_nettype wire
