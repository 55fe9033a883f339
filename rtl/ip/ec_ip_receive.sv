// SPDX-License-Identifier: Apache-2.0
// From the words of a local port to valid/ready: one stream per message class, buffers inside.
//
// A stream shows whole packets one after the other, in rotation over its VCs. What it shows stays until
// it is taken. A stream that is not read stops its own class only.
//
// Timing: a word on link_i in cycle t is shown in t + 1 at the earliest. Outputs to the streams are
// functions of registers; credit_o is one of ready_i, too.
`default_nettype none

module ec_ip_receive #(
  parameter int Vcs = 1,
  parameter int DepthMax = 4,
  parameter int Classes = 1,  // streams: 1 or 2
  parameter int AddressBits = 8,
  parameter int DataBits = 32,
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 3 + VcBits + 2 * AddressBits + DataBits
) (
  input  wire                           clk_i,
  input  wire                           rst_i,
  input  wire                           dateline_i,  // odd VCs are not used at local ports
  // The local port of the router.
  input  wire  [W-1:0]                  link_i,
  output logic [Vcs-1:0]                credit_o,
  // The streams.
  output logic [Classes-1:0]            valid_o,
  input  wire  [Classes-1:0]            ready_i,
  output logic [Classes-1:0]            last_o,
  output logic [AddressBits*Classes-1:0] src_o,
  output logic [DataBits*Classes-1:0]   data_o
);
  localparam int PerClass = Vcs / Classes;
  localparam int F = 1 + AddressBits + DataBits;  // tail, source, data
  logic [Vcs-1:0] empty;
  logic [F*Vcs-1:0] front;
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [F-1:0] popped;
    logic [$clog2(DepthMax)-1:0] back, place;
    ec_fifo #(
      .Depth(DepthMax),
      .W(F)
    ) u_fifo (
      .clk_i,
      .rst_i,
      .push_i(link_i[W-1] && (Vcs == 1 || link_i[W-4 -: VcBits] == VcBits'(v)) && !(dateline_i && v % 2 == 1)),
      .word_i({link_i[W-3], link_i[AddressBits+DataBits-1:0]}),
      .pop_i(credit_o[v]),
      .front_o(front[F*v +: F]),
      .popped_o(popped),
      .empty_o(empty[v]),
      .back_o(back),
      .place_o(place)
    );
    wire unused = &{1'b0, popped, back, place};
  end

  for (genvar c = 0; c < Classes; c++) begin : gen_class
    logic [PerClass-1:0] here, grant, held_q;  // held_q: whose packet is shown
    logic [F-1:0] word;
    assign here = ~empty[PerClass*c +: PerClass] & {PerClass{!rst_i}};
    ec_arbiter #(
      .N(PerClass)
    ) u_arbiter (
      .clk_i,
      .rst_i,
      .req_i(held_q == '0 ? here : here & held_q),
      .move_i(ready_i[c] && word[F-1]),
      .grant_o(grant)
    );
    always_ff @(posedge clk_i) begin
      if (grant != '0) held_q <= ready_i[c] && word[F-1] ? '0 : grant;
      if (rst_i) held_q <= '0;
    end
    always_comb begin
      word = '0;
      for (int v = 0; v < PerClass; v++) word = word | (front[F*(PerClass*c + v) +: F] & {F{grant[v]}});
    end
    assign valid_o[c] = grant != '0;
    assign {last_o[c], src_o[AddressBits*c +: AddressBits], data_o[DataBits*c +: DataBits]} = word;
    assign credit_o[PerClass*c +: PerClass] = grant & {PerClass{ready_i[c]}};
  end
  wire unused = &{1'b0, link_i};
endmodule

`default_nettype wire
