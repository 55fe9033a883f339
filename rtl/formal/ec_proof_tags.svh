// SPDX-License-Identifier: Apache-2.0
// The bits of data that mean something in a proof. Inside a module.
localparam int TagA = 0;    // the first tracked word, and no other, has it
localparam int TagB = 1;    // the second one
localparam int Colour = 2;  // equal in all words of a packet
