// SPDX-License-Identifier: Apache-2.0
// What a person reads in a wave of one router, for ec_tile.sv where EC_TRACE is defined. The scopes
// themselves are listed in ec_trace_ports.svh, which goes into the module's body.
//
// One scope per port, called as in every report ("dim2" on a cube, "+x", "-y" on a grid, "local").
// It sees the links and taps from outside only, so it is the same for any router. Scopes:
//   in, out          the word on the link (0: none); in_word and out_word are its fields
//   vcN.buffered     words in the input buffer of VC N
//   vcN.returned     a credit goes back to the sender
//   vcN.credits      words that may still be sent on output VC N
//   vcN.contended    the front word did not move, and another packet is why
//   vcN.starved      the front word did not move for any other reason
//   vcN.want         the output port that the front word asks for (255: the buffer is empty)
//   vcN.front        the name of the front word, as ASCII text
//   vcN.state        where that word goes, or what it waits for, as ASCII text
// and beside the ports
//   failure          from the cycle of a failure on: what failed, as ASCII text
// The texts are written by the C side, which keeps the account of words and credits.
`ifndef EC_TRACE_SVH
`define EC_TRACE_SVH

// `exists` is a constant: does this shape have the port?
`define EC_TRACE_PORT(name, p, exists) \
  if (exists) begin : name \
    wire [63:0] in = link_i[p]; \
    wire [63:0] out = link_o[p]; \
    ec_seen_t in_word, out_word; \
    assign in_word = in; \
    assign out_word = out; \
    `EC_TRACE_VC(vc0, p, 0) \
    `EC_TRACE_VC(vc1, p, 1) \
    `EC_TRACE_VC(vc2, p, 2) \
    `EC_TRACE_VC(vc3, p, 3) \
    `EC_TRACE_VC(vc4, p, 4) \
    `EC_TRACE_VC(vc5, p, 5) \
    `EC_TRACE_VC(vc6, p, 6) \
    `EC_TRACE_VC(vc7, p, 7) \
  end

`define EC_TRACE_VC(name, p, v) \
  if (Vcs > v) begin : name \
    logic [15:0] buffered, credits; \
    wire [7:0] want = buffered == '0 ? 8'hff : want_o[(p) * Vcs + v]; \
    wire contended = contended_o[v][p]; \
    wire starved = starved_o[v][p]; \
    wire returned = credit_o[v][p]; \
    wire [511:0] front = front_i[(p) * Vcs + v]; \
    wire [511:0] state = state_i[(p) * Vcs + v]; \
    always_ff @(posedge clk) begin \
      buffered <= buffered + 16'(in_word.valid && (Vcs == 1 || in_word.vc == v)) \
                  - 16'(credit_o[v][p]); \
      credits <= credits + 16'(credit_i[v][p]) \
                 - 16'(out_word.valid && (Vcs == 1 || out_word.vc == v)); \
      if (rst_i) begin \
        buffered <= '0; \
        credits <= depth_i; \
      end \
    end \
  end

`define EC_TRACE_CUBE(name, d) \
  `EC_TRACE_PORT(name, d, LinksPerDim == 1 && Dims > d)
// On grids x, y, z are the names of up to three dimensions.
`define EC_TRACE_AXIS(plus, minus, d) \
  `EC_TRACE_PORT(plus, 2 * d, LinksPerDim == 2 && Dims <= 3 && Dims > d) \
  `EC_TRACE_PORT(minus, 2 * d + 1, LinksPerDim == 2 && Dims <= 3 && Dims > d)
`define EC_TRACE_GRID(plus, minus, d) \
  `EC_TRACE_PORT(plus, 2 * d, LinksPerDim == 2 && Dims > 3 && Dims > d) \
  `EC_TRACE_PORT(minus, 2 * d + 1, LinksPerDim == 2 && Dims > 3 && Dims > d)
`define EC_TRACE_LOCAL(name, l) \
  `EC_TRACE_PORT(name, Links + l, Locals > 1 && Locals > l)

`endif
