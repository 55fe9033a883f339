// SPDX-License-Identifier: Apache-2.0
// ec_fifo against a queue: random pushes and pops, at rates that fill and that drain it, and resets.
`default_nettype none

module fifo_tb #(
  parameter int Depth = 4
);
  logic clk = 1'b0, rst = 1'b1, push = 1'b0, pop = 1'b0;
  logic [63:0] word = 64'd0;
  wire [63:0] front, popped;
  wire empty;
  ec_fifo #(.Depth(Depth)) u_fifo (
    .clk_i(clk), .rst_i(rst), .push_i(push), .word_i(word), .pop_i(pop), .front_o(front),
    .empty_o(empty)
  );

  logic [63:0] queue[$];
  int errors = 0, was_full = 0, was_empty = 0, both = 0;

  logic [63:0] oldest;
  task compare;
    if (empty !== (queue.size() == 0)) begin
      $display("empty_o is %b with %0d words", empty, queue.size());
      errors++;
    end
    if (queue.size() != 0) begin
      oldest = queue[0];
      if (front !== oldest) begin
        $display("front_o is %h, not %h", front, oldest);
        errors++;
      end
    end
  endtask

  int rate;
  logic [63:0] gone;
  initial begin
    for (int cycle = 0; cycle < 6000; cycle++) begin
      // A phase of 64 cycles: mostly pushes, mostly pops, or both.
      rate = (cycle / 64) % 3;
      rst = cycle < 2 || $urandom_range(499) == 0;
      push = !rst && queue.size() < Depth && $urandom_range(99) < (rate == 1 ? 30 : 90);
      pop = !rst && queue.size() > 0 && $urandom_range(99) < (rate == 0 ? 30 : 90);
      word = {$urandom, $urandom};
      #1;
      if (cycle > 0) compare;  // undefined before the first edge
      was_full += queue.size() == Depth;
      was_empty += queue.size() == 0;
      both += push && pop;
      clk = 1'b1;
      if (pop) gone = queue.pop_front();
      if (push) queue.push_back(word);
      if (rst) queue.delete();
      #1 clk = 1'b0;
    end
    if (was_full < 50 || was_empty < 50 || both < 50) begin
      $display("too little happened: full %0d, empty %0d, push and pop %0d", was_full, was_empty,
               both);
      errors++;
    end
    $display("%s", errors == 0 ? "PASS" : "FAIL");
    $finish(0);
  end
endmodule

`default_nettype wire
