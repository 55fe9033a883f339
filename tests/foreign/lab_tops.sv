// SPDX-License-Identifier: Apache-2.0
// Routers to choose with --top: rows of settings of lab_router.sv, one column for each of its parameters. None
// has taps; those of the second table have quiet_o.
`default_nettype none

`define LAB_PORTS \
  parameter int Dims = 2, parameter int LinksPerDim = 2, parameter int Locals = 1, parameter int Vcs = 1, \
  parameter int DepthMax = 4, \
  localparam int Ports = Dims * LinksPerDim + Locals, localparam int Bufs = Ports * Vcs \
) ( \
  input wire clk_i, input wire rst_i, input wire [15:0] coord_i, input wire [16*Dims-1:0] mask_i, \
  input wire [17*Dims-1:0] radix_i, input wire [Dims-1:0] wrap_i, input wire dateline_i, input wire order_high_i, \
  input wire [1:0] switching_i, input wire [15:0] depth_i, input wire [15:0] packet_i, \
  input wire [64*Ports-1:0] link_i, input wire [Bufs-1:0] credit_i, \
  output logic [64*Ports-1:0] link_o, output logic [Bufs-1:0] credit_o
`define LAB_ROUTER(VC_STAGE, ALLOCATOR, POLICY, HOLD, STAGES, LAG, BURST, ASYNC) \
  lab_router #( \
    .Dims(Dims), .LinksPerDim(LinksPerDim), .Locals(Locals), .Vcs(Vcs), .DepthMax(DepthMax), \
    .VcStage(VC_STAGE), .Allocator(ALLOCATOR), .Policy(POLICY), .HoldLink(HOLD), .Stages(STAGES), \
    .CreditLag(LAG), .Burst(BURST), .AsyncReset(ASYNC) \
  ) u_router
`define LAB(NAME, VC_STAGE, ALLOCATOR, POLICY, HOLD, STAGES, LAG, BURST, ASYNC) \
module NAME #(`LAB_PORTS); \
  wire quiet_o; \
  `LAB_ROUTER(VC_STAGE, ALLOCATOR, POLICY, HOLD, STAGES, LAG, BURST, ASYNC) (.*); \
endmodule
`define LAB_QUIET(NAME, VC_STAGE, ALLOCATOR, POLICY, HOLD, STAGES, LAG, BURST, ASYNC) \
module NAME #(`LAB_PORTS, output logic quiet_o); \
  `LAB_ROUTER(VC_STAGE, ALLOCATOR, POLICY, HOLD, STAGES, LAG, BURST, ASYNC) (.*); \
endmodule

//              VC stage, allocator, policy, hold link, stages, credit lag, burst, async
`LAB(lab_two_stage,    0,         0,      0,         0,      1,          0,     0,     0)
`LAB(lab_three_stage,  1,         0,      1,         0,      1,          1,     0,     1)
`LAB(lab_lazy,         0,         0,      2,         0,      0,         13,     0,     0)
`LAB(lab_burst,        1,         1,      0,         0,      2,          0,    16,     0)
`LAB(lab_train,        0,         0,      1,         1,      0,          0,     0,     0)
//                    VC stage, allocator, policy, hold link, stages, credit lag, burst, async
`LAB_QUIET(lab_input_first,  0,         1,      1,         0,      0,          0,     0,     0)
`LAB_QUIET(lab_wavefront,    0,         2,      0,         0,      1,          1,     0,     1)
`LAB_QUIET(lab_deep,         1,         1,      2,         0,      2,          3,     4,     0)

`default_nettype wire
