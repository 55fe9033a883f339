// SPDX-License-Identifier: Apache-2.0
// The flit word: 64 bits, self-describing (docs/ROUTER-CONTRACT.md, section 2).
//
// To be included inside a module, hence without a guard: Yosys 0.52 fails on the members of a packed
// struct that is declared outside ("Assert `!source_offset && !id2ast->range_swapped' failed").
typedef struct packed {
  logic        valid;  // 63
  logic        head;   // 62
  logic        tail;   // 61
  logic [1:0]  vc;     // 60:59, virtual channel on the link that carries the word
  logic [15:0] dst;    // 58:43, packed coordinates
  logic [15:0] src;    // 42:27, packed coordinates
  logic [26:0] data;   // 26:0
} ec_word_t;
