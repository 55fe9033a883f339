// SPDX-License-Identifier: Apache-2.0
// The head of an adapter for VCS virtual channels and meshes of two dimensions: the parameters and ports of
// docs/ROUTER-CONTRACT.md, section 3.
`ifndef ZOO_CONTRACT
`define ZOO_CONTRACT
`define ZOO_ADAPTER(NAME, VCS) \
module NAME #( \
  parameter int Dims = 2, \
  parameter int LinksPerDim = 2, \
  parameter int Locals = 1, \
  parameter int Vcs = VCS, \
  parameter int DepthMax = 8, \
  localparam int Ports = Dims * LinksPerDim + Locals \
) ( \
  input  logic                 clk_i, \
  input  logic                 rst_i, \
  input  logic [15:0]          coord_i, \
  input  logic [16*Dims-1:0]   mask_i, \
  input  logic [17*Dims-1:0]   radix_i, \
  input  logic [Dims-1:0]      wrap_i, \
  input  logic                 dateline_i, \
  input  logic                 order_high_i, \
  input  logic [1:0]           switching_i, \
  input  logic [15:0]          depth_i, \
  input  logic [15:0]          packet_i, \
  input  logic [64*Ports-1:0]  link_i, \
  input  logic [Vcs*Ports-1:0] credit_i, \
  output logic [64*Ports-1:0]  link_o, \
  output logic [Vcs*Ports-1:0] credit_o \
);
// Refuses shapes: the name of the missing module is the message.
`define ZOO_REQUIRE(CONDITION, MESSAGE) if (!(CONDITION)) begin : gen_``MESSAGE MESSAGE u_error (); end
`endif
