// SPDX-License-Identifier: Apache-2.0
// Types and widths for those who instantiate ec_ip or ec_ip_stream. Use them by name (ec_ip_pkg::...):
// Yosys 0.23 knows no import.
//
// Only vectors: Icarus 11 takes no structures in packages, Yosys 0.52 none in ports.
`default_nettype none
/*verilator lint_off UNUSEDPARAM*/

package ec_ip_pkg;
  // How packets move (docs/ROUTER-CONTRACT.md, section 7).
  typedef logic [1:0] switching_t;
  localparam switching_t Wormhole = 2'd0;
  localparam switching_t CutThrough = 2'd1;
  localparam switching_t StoreAndForward = 2'd2;

  // A number of words: entries of a buffer, or the packet bound.
  typedef logic [15:0] words_t;

  // Bits of a word: valid, head, tail, VC, destination, source, data (section 2).
  function automatic integer word_bits(input integer vcs, input integer address_bits, input integer data_bits);
    word_bits = 3 + (vcs == 8 ? 3 : 2) + 2 * address_bits + data_bits;
  endfunction

  // The depth that keeps full rate in wormhole switching: the loop of a credit, 2 L + s - 1. A link has a
  // delay of L = 1 cycle, one more for each register in it (OutputRegister is one). Round up to a power of
  // two for DepthMax.
  function automatic integer full_rate_depth(input integer stages, input integer link_cycles);
    full_rate_depth = 2 * link_cycles + stages - 1;
  endfunction

  // The packed address of a node (section 3.3): radices and coordinates are 32 bits per dimension,
  // dimension 0 in the lowest.
  function automatic [19:0] address(input integer dims, input [639:0] radices, input [639:0] position);
    integer shift;
    shift = 0;
    address = '0;
    for (int d = 0; d < dims; d++) begin
      address = address | 20'(position[32*d +: 32] << shift);
      shift = shift + $clog2(radices[32*d +: 32]);
    end
  endfunction
endpackage
/*verilator lint_on UNUSEDPARAM*/

`default_nettype wire
