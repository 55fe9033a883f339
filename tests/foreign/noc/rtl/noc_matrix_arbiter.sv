// SPDX-License-Identifier: Apache-2.0
// Least recently served first: beats[i][j] says that i goes before j.
module noc_matrix_arbiter #(
  parameter int unsigned N = 5
) (
  input  logic         clk,
  input  logic         rst_n,
  input  logic [N-1:0] request,
  input  logic         advance,
  output logic [N-1:0] grant
);
  logic [N-1:0][N-1:0] beats;

  always_comb begin
    grant = request;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) if (i != j && request[j] && beats[j][i]) grant[i] = 1'b0;
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) beats[i][j] <= i < j;
    end else if (advance) begin
      for (int i = 0; i < N; i++)
        if (grant[i]) begin
          beats[i] <= '0;
          for (int j = 0; j < N; j++) if (i != j) beats[j][i] <= 1'b1;
        end
    end
  end
endmodule
