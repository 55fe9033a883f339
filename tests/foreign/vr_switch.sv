// SPDX-License-Identifier: Apache-2.0
// A packet switch of another school: valid/ready on all sides, a register behind every output, an
// output belongs to one packet from head to tail. It knows nothing of credits, virtual channels or
// ecube's words but four fields; vr_router.sv puts it behind the ports of the router contract.
//
// Timing: a word accepted in cycle t is offered at the output in t + 1 at the earliest.
`default_nettype none

module vr_switch #(
  parameter int Ports = 3,
  localparam int Pw = $clog2(Ports)
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire  [Ports-1:0]    valid_i,
  output logic [Ports-1:0]    ready_o,
  input  wire  [64*Ports-1:0] data_i,
  input  wire  [Pw*Ports-1:0] to_i,     // output port that the word at each input asks for
  output logic [Ports-1:0]    valid_o,
  input  wire  [Ports-1:0]    ready_i,
  output logic [64*Ports-1:0] data_o
);
  logic [Ports-1:0] locked_q, full_q;
  logic [Ports-1:0] taken [0:Ports-1];  // by output: the input whose word it takes, one-hot

  for (genvar o = 0; o < Ports; o++) begin : gen_output
    logic [Ports-1:0] ask, owner_q, last_q, above, choice;
    logic [63:0] data_q, data_d;
    logic room, tail;

    for (genvar i = 0; i < Ports; i++) begin : gen_ask
      assign ask[i] = valid_i[i] && to_i[Pw*i +: Pw] == Pw'(o);
    end
    assign room = !full_q[o] || ready_i[o];
    // The owner goes on; else the first input above the one served last, else the lowest.
    assign above = ask & ~(last_q | (last_q - 1'b1));
    always_comb begin
      choice = above != '0 ? above & (~above + 1'b1) : ask & (~ask + 1'b1);
      if (locked_q[o]) choice = ask & owner_q;
      if (!room) choice = '0;
    end
    assign taken[o] = choice;

    always_comb begin
      data_d = '0;
      for (int i = 0; i < Ports; i++) data_d = data_d | (data_i[64*i +: 64] & {64{choice[i]}});
    end
    assign tail = data_d[61];

    always_ff @(posedge clk_i) begin
      if (room) full_q[o] <= choice != '0;
      if (choice != '0) begin
        data_q <= data_d;
        owner_q <= choice;
        last_q <= choice;
        locked_q[o] <= !tail;
      end
      if (rst_i) begin
        full_q[o] <= 1'b0;
        locked_q[o] <= 1'b0;
        last_q <= Ports'(1) << (Ports - 1);
      end
    end
    assign valid_o[o] = full_q[o];
    assign data_o[64*o +: 64] = data_q;
  end

  always_comb begin
    ready_o = '0;
    for (int o = 0; o < Ports; o++) ready_o = ready_o | taken[o];
  end
endmodule

`default_nettype wire
