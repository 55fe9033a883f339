// SPDX-License-Identifier: Apache-2.0
// The flit word: 64 bits, self-describing (docs/ROUTER-CONTRACT.md, section 2).
`ifndef EC_WORD_SVH
`define EC_WORD_SVH

typedef struct packed {
  logic        valid;  // 63
  logic        head;   // 62
  logic        tail;   // 61
  logic [1:0]  vc;     // 60:59, virtual channel on the link that carries the word
  logic [15:0] dst;    // 58:43, packed coordinates
  logic [15:0] src;    // 42:27, packed coordinates
  logic [26:0] data;   // 26:0
} ec_word_t;

`endif
