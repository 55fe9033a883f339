// SPDX-License-Identifier: Apache-2.0
// ec_arbiter against the text of the contract, for every pointer, every set of requests, moving or not.
`default_nettype none

module arbiter_tb #(
  parameter int N = 4
);
  logic clk = 1'b0, rst = 1'b1, move = 1'b0;
  logic [N-1:0] req = '0;
  wire [N-1:0] grant;
  ec_arbiter #(.N(N)) u_arbiter (
    .clk_i(clk), .rst_i(rst), .req_i(req), .move_i(move), .grant_o(grant)
  );

  int errors = 0;

  task tick;
    begin
      #1 clk = 1'b1;
      #1 clk = 1'b0;
    end
  endtask

  // The first requester at or after the pointer, cyclically; N if there is none.
  function automatic int first(input int pointer, input [N-1:0] requests);
    first = N;
    for (int k = N - 1; k >= 0; k--)
      if (requests[(pointer + k) % N]) first = (pointer + k) % N;
  endfunction

  task expect_grant(input int pointer);
    int winner;
    begin
      #1;
      winner = first(pointer, req);
      if (grant !== (winner == N ? '0 : N'(1) << winner)) begin
        $display("pointer %0d, requests %b: grant %b", pointer, req, grant);
        errors++;
      end
    end
  endtask

  // Find the pointer: all request, nothing moves.
  task expect_pointer(input int pointer);
    begin
      move = 1'b0;
      req = '1;
      expect_grant(pointer);
    end
  endtask

  task set_pointer(input int pointer);
    begin
      move = 1'b1;
      req = N'(1) << ((pointer + N - 1) % N);
      tick;
    end
  endtask

  int winner;
  initial begin
    tick;
    rst = 1'b0;
    expect_pointer(0);
    for (int pointer = 0; pointer < N; pointer++) begin
      for (int requests = 0; requests < 1 << N; requests++) begin
        for (int moving = 0; moving < 2; moving++) begin
          set_pointer(pointer);
          expect_pointer(pointer);
          req = N'(requests);
          move = moving != 0;
          expect_grant(pointer);
          winner = first(pointer, req);
          tick;
          expect_pointer(moving != 0 && winner != N ? (winner + 1) % N : pointer);
        end
      end
      rst = 1'b1;
      move = 1'b1;
      tick;
      rst = 1'b0;
      expect_pointer(0);
    end
    $display("%s", errors == 0 ? "PASS" : "FAIL");
    $finish(0);
  end
endmodule

`default_nettype wire
