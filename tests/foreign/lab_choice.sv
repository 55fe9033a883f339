// SPDX-License-Identifier: Apache-2.0
// Grants one of N requests, by one of three policies. Its state changes only with a grant that is used.
`default_nettype none

module lab_choice #(
  parameter int N = 4,
  parameter int Policy = 0  // 0: round robin, 1: the least recently granted (a matrix), 2: the oldest
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire             arst_i,
  input  wire  [N-1:0]    req_i,
  input  wire  [16*N-1:0] age_i,
  input  wire             used_i,
  output logic [N-1:0]    grant_o
);
  if (Policy == 0) begin : gen_round_robin
    logic [N-1:0] below_q, first;  // below_q: up to the one served last
    assign first = (req_i & ~below_q) != '0 ? req_i & ~below_q : req_i;
    assign grant_o = first & (~first + 1'b1);
    always_ff @(posedge clk_i or posedge arst_i) begin
      if (rst_i || arst_i) below_q <= '0;
      else if (used_i && req_i != '0) below_q <= grant_o | (grant_o - 1'b1);
    end
  end else if (Policy == 1) begin : gen_matrix
    logic [N-1:0] before_q [0:N-1];  // by request: those that are served before it
    for (genvar i = 0; i < N; i++) begin : gen_row
      assign grant_o[i] = req_i[i] && (req_i & before_q[i]) == '0;
      always_ff @(posedge clk_i or posedge arst_i) begin
        if (rst_i || arst_i) before_q[i] <= (N'(1) << i) - 1'b1;
        else if (used_i && grant_o[i]) before_q[i] <= ~(N'(1) << i);
        else if (used_i && req_i != '0) before_q[i] <= before_q[i] & ~grant_o;
      end
    end
  end else begin : gen_oldest
    logic [15:0] most;
    always_comb begin
      most = '0;
      grant_o = '0;
      for (int i = 0; i < N; i++) begin
        if (req_i[i] && (grant_o == '0 || age_i[16*i +: 16] > most)) begin
          most = age_i[16*i +: 16];
          grant_o = N'(1) << i;
        end
      end
    end
  end
endmodule

`default_nettype wire
