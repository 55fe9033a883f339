// SPDX-License-Identifier: Apache-2.0
// The bits of data that mean something in a proof, and classes of VCs. To be included inside a module that has
// VcBits, Vcs and W.
localparam int TagA = 0;    // the first tracked word, and no other, has it
localparam int TagB = 1;    // the second one
localparam int Colour = 2;  // equal in all words of a packet

// Has VC `out` the class of `asked`: the same half of the VCs as message class, the same parity as dateline class?
function automatic allowed(input [VcBits-1:0] out, input [VcBits-1:0] asked,
                                  input dateline, input classes);
  allowed = 32'(out) < Vcs && (!dateline || out[0] == asked[0])
            && (!classes || (32'(out) >= Vcs / 2) == (32'(asked) >= Vcs / 2));
endfunction

// Is it an escape VC (section 5.5): one of lane 0 of its message class?
function automatic escapes(input [VcBits-1:0] out, input dateline, input classes);
  escapes = 32'(out) - (classes && 32'(out) >= Vcs / 2 ? Vcs / 2 : 0) < (dateline ? 2 : 1);
endfunction
