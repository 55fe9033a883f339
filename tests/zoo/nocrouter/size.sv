// SPDX-License-Identifier: Apache-2.0
// MESH_SIZE_X and MESH_SIZE_Y of the router's package: 16 is more than the networks need. Its own size is 5.
`ifndef NOC_SIZE
`define NOC_SIZE 16
`endif
