// SPDX-License-Identifier: Apache-2.0
module noc_fifo #(
  parameter int unsigned Depth = 3,
  parameter type T = logic
) (
  input  logic clk,
  input  logic rst_n,
  input  logic push,
  input  T     wdata,
  output logic full,
  input  logic pop,
  output T     rdata,
  output logic empty
);
  localparam int unsigned Aw = Depth > 1 ? $clog2(Depth) : 1;
  T ram[Depth];
  logic [Aw-1:0] wp, rp;
  logic [Aw:0] count;

  assign full = count == (Aw + 1)'(Depth);
  assign empty = count == '0;
  assign rdata = ram[rp];

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      wp <= '0;
      rp <= '0;
      count <= '0;
    end else begin
      if (push) begin
        ram[wp] <= wdata;
        wp <= wp == Aw'(Depth - 1) ? '0 : wp + 1'b1;
      end
      if (pop) rp <= rp == Aw'(Depth - 1) ? '0 : rp + 1'b1;
      count <= count + (Aw + 1)'(push) - (Aw + 1)'(pop);
    end
  end

  no_overflow : assert property (@(posedge clk) disable iff (!rst_n) !(push && full))
  else $error("push into a full FIFO");
endmodule
