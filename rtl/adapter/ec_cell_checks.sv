// SPDX-License-Identifier: Apache-2.0
// What the cells of adapters expect of the link and of the router, as assertions beside them. For simulators with `bind`:
// list checks.f instead of cells.f. The files of the cells have none, so that every tool reads them.
// verilator lint_off DECLFILENAME
// verilator lint_off UNUSEDSIGNAL
`default_nettype none

module ec_link_in_checks #(
  parameter int Vcs = 1,
  parameter int DepthMax = 4
) (
  input wire           clk_i,
  input wire           rst_i,
  input wire [63:0]    link_i,
  input wire [Vcs-1:0] taken_i
);
  localparam int VcBits = Vcs == 8 ? 3 : 2;
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    int words_q;
    wire arrives = link_i[63] && (Vcs == 1 || link_i[60 -: VcBits] == VcBits'(v));
    always @(posedge clk_i) begin
      words_q <= rst_i ? 0 : words_q + int'(arrives) - int'(taken_i[v]);
      if (!rst_i && arrives && words_q == DepthMax) $error("a word without a credit");
    end
  end
endmodule

module ec_to_credits_checks #(
  parameter int Vcs = 1
) (
  input wire           clk_i,
  input wire           rst_i,
  input wire [Vcs-1:0] valid_i,
  input wire [Vcs-1:0] credit_i
);
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    int out_q;  // words without a credit
    always @(posedge clk_i) begin
      out_q <= rst_i ? 0 : out_q + int'(valid_i[v]) - int'(credit_i[v]);
      if (!rst_i && credit_i[v] && out_q == 0 && !valid_i[v]) $error("the router returns a credit too many");
    end
  end
endmodule

module ec_link_out_checks #(
  parameter int Vcs = 1,
  parameter int Queue = 0,
  parameter int Spare = 0
) (
  input wire           clk_i,
  input wire           rst_i,
  input wire           hold_i,
  input wire [Vcs-1:0] valid_i,
  input wire [Vcs-1:0] ready_i,
  input wire [Vcs-1:0] left_i
);
  always @(posedge clk_i)
    if (!rst_i && !hold_i && (valid_i & (valid_i - 1'b1)) != '0) $error("words of two VCs on the same wires");
  for (genvar v = 0; v < Vcs && Queue > 0; v++) begin : gen_vc
    int words_q;
    wire arrives = valid_i[v] && !hold_i && (Spare > 0 || ready_i[v]);
    always @(posedge clk_i) begin
      words_q <= rst_i ? 0 : words_q + int'(arrives) - int'(left_i[v]);
      if (!rst_i && arrives && words_q == Queue) $error("the router sends a word for which there is no place");
    end
  end
endmodule

module ec_from_ready_checks #(
  parameter int Vcs = 1,
  parameter int Latency = 0,
  parameter bit Stays = 1'b1
) (
  input wire           clk_i,
  input wire           rst_i,
  input wire [63:0]    word_i,
  input wire [Vcs-1:0] valid_i,
  input wire [Vcs-1:0] ready_i
);
  logic begun_q;  // the time of Hold is over
  logic [Vcs-1:0] waits_q;
  logic [63:0] word_q;
  logic [Vcs*(Latency+1)-1:0] ready_q;
  logic [Vcs-1:0] recent;
  always_comb begin
    recent = ready_i;
    for (int k = 0; k < Latency; k++) recent = recent | ready_q[Vcs*k +: Vcs];
  end
  always @(posedge clk_i) begin
    begun_q <= !rst_i && (begun_q || ready_i != '0);
    waits_q <= rst_i || !begun_q ? '0 : valid_i & ~ready_i;
    word_q <= word_i;
    ready_q <= rst_i ? '0 : (ready_q << Vcs) | (Vcs*(Latency+1))'(ready_i);
    if (Latency == 0 && Stays && !rst_i && waits_q != '0 && ((waits_q & ~valid_i) != '0 || word_i != word_q))
      $error("the router changes a word that was not taken");
    if (Latency > 0 && !rst_i && begun_q && (valid_i & ~recent) != '0)
      $error("the router sends more than %0d cycles after ready has fallen", Latency);
  end
endmodule

// `ecube tile check` does not judge a router in networks that it says it does not serve.
module ec_place_checks #(
  parameter int Dims = 2,
  parameter int CoordBits = 8
) (
  input wire               clk_i,
  input wire               rst_i,
  input wire [16*Dims-1:0] mask_i
);
  for (genvar d = 0; d < Dims; d++) begin : gen_dim
    always @(posedge clk_i)
      if (rst_i && $countones(mask_i[16*d +: 16]) > CoordBits) $error("serves only coordinates of up to %0d bits", CoordBits);
  end
endmodule

bind ec_link_in ec_link_in_checks #(.Vcs(Vcs), .DepthMax(DepthMax))
  u_checks (.clk_i, .rst_i, .link_i, .taken_i(taken));
bind ec_to_credits ec_to_credits_checks #(.Vcs(Vcs))
  u_checks (.clk_i, .rst_i, .valid_i(valid_o), .credit_i);
bind ec_link_out ec_link_out_checks #(.Vcs(Vcs), .Queue(Queue), .Spare(Spare))
  u_checks (.clk_i, .rst_i, .hold_i(hold), .valid_i, .ready_i(ready_o), .left_i(left_o));
bind ec_from_ready ec_from_ready_checks #(.Vcs(Vcs), .Latency(Latency), .Stays(Stays))
  u_checks (.clk_i, .rst_i, .word_i, .valid_i, .ready_i(ready_o));
bind ec_place ec_place_checks #(.Dims(Dims), .CoordBits(CoordBits - int'(Relative && !Wraps)))
  u_checks (.clk_i, .rst_i, .mask_i);

`default_nettype wire
// verilator lint_on DECLFILENAME
// verilator lint_on UNUSEDSIGNAL
