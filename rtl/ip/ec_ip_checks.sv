// SPDX-License-Identifier: Apache-2.0
// The rules of the ports of ec_ip as clocked assertions, for both sides. Verilator only (macro EC_SVA):
// Icarus and Yosys have no clocked assertions; the cells have checks of their own (ec_check.svh).
`default_nettype none

module ec_ip_checks #(
  parameter int Vcs = 1,
  parameter int Ports = 5,
  parameter int W = 64
) (
  input wire                  clk_i,
  input wire                  rst_i,
  input wire [15:0]           depth_i,
  input wire [W*Ports-1:0]    link_i,
  input wire [Vcs*Ports-1:0]  credit_i,
  input wire [W*Ports-1:0]    link_o,
  input wire [Vcs*Ports-1:0]  credit_o
);
  localparam int VcBits = Vcs == 8 ? 3 : 2;

  // Words in the buffer of a VC at the other end (out), and in the one here (in), as seen at the ports.
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    wire [W-1:0] out = link_o[W*p +: W];
    wire [W-1:0] in = link_i[W*p +: W];
    idle: assert property (@(posedge clk_i) disable iff (rst_i) !out[W-1] |-> out == '0);
    sent: cover property (@(posedge clk_i) disable iff (rst_i) out[W-1]);

    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      wire out_v = out[W-1] && (Vcs == 1 || out[W-4 -: VcBits] == VcBits'(v));
      wire in_v = in[W-1] && (Vcs == 1 || in[W-4 -: VcBits] == VcBits'(v));
      logic [15:0] there_q, here_q;
      logic out_open_q, in_open_q;  // inside a packet
      always_ff @(posedge clk_i) begin
        there_q <= there_q + 16'(out_v) - 16'(credit_i[p*Vcs + v]);
        here_q <= here_q + 16'(in_v) - 16'(credit_o[p*Vcs + v]);
        if (out_v) out_open_q <= !out[W-3];
        if (in_v) in_open_q <= !in[W-3];
        if (rst_i) begin
          there_q <= '0;
          here_q <= '0;
          out_open_q <= 1'b0;
          in_open_q <= 1'b0;
        end
      end
      sent_with_credit:
        assert property (@(posedge clk_i) disable iff (rst_i) out_v |-> there_q < depth_i);
      received_with_credit:
        assert property (@(posedge clk_i) disable iff (rst_i) in_v |-> here_q < depth_i);
      // A credit is for a word that is there: it may come in the cycle of the word.
      credit_for_a_word:
        assert property (@(posedge clk_i) disable iff (rst_i) credit_i[p*Vcs + v] |-> there_q != '0 || out_v);
      head_first_out:
        assert property (@(posedge clk_i) disable iff (rst_i) out_v |-> out[W-2] == !out_open_q);
      head_first_in:
        assert property (@(posedge clk_i) disable iff (rst_i) in_v |-> in[W-2] == !in_open_q);
      full: cover property (@(posedge clk_i) disable iff (rst_i) there_q == depth_i);
    end
  end
endmodule

`default_nettype wire
