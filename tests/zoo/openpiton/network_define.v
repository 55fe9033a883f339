// SPDX-License-Identifier: Apache-2.0
// The sizes of the network: flits of 42 bits of header and a word of 64 bits.
`define XY_WIDTH 8
`define CHIP_ID_WIDTH 14
`define PAYLOAD_LEN 8
`define DATA_WIDTH 106
`define OFF_CHIP_NODE_X 0
`define OFF_CHIP_NODE_Y 0
