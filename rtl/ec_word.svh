// SPDX-License-Identifier: Apache-2.0
// The flit word, self-describing (docs/ROUTER-CONTRACT.md, section 2). The module that includes this
// has VcBits, AddressBits and DataBits as parameters; ecube's networks have words of 64 bits.
//
// To be included inside a module, hence without a guard: Yosys 0.52 fails on the members of a packed
// struct that is declared outside ("Assert `!source_offset && !id2ast->range_swapped' failed").
typedef struct packed {
  logic                   valid;
  logic                   head;
  logic                   tail;
  logic [VcBits-1:0]      vc;    // virtual channel on the link that carries the word
  logic [AddressBits-1:0] dst;   // packed coordinates
  logic [AddressBits-1:0] src;   // packed coordinates
  logic [DataBits-1:0]    data;
} ec_word_t;
