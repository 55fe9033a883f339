// SPDX-License-Identifier: Apache-2.0
// The router contract (docs/ROUTER-CONTRACT.md) at the ports of one router, for any bench: an instance
// beside the router, or bound to it (bind.sv), since all ports are inputs with the names of the router's
// own. Each $error names the section of the contract that is broken; section 13 is for the other side,
// that is, the bench.
//
// It follows every word from the port where it comes to the port where it leaves, so words that are in
// the router at the same time should differ in src or data. Lost words show at the latest in 256 cycles
// without traffic, with all credits at home: end a bench with them. Not checked: arbitration and time (6,
// 10), taps but quiet_o, that outputs do not follow inputs (1), shares and starvation (12.1), tables (5.4).
//
// For simulation: blocking assignments, since no other block reads these variables.
// verilator lint_off BLKSEQ
// verilator lint_off UNUSEDSIGNAL
// verilator lint_off VARHIDDEN
`default_nettype none

module ec_checker #(
  parameter int Dims = 2,         // Dims to DataBits: those of the router (section 3.1)
  parameter int LinksPerDim = 2,
  parameter int Locals = 1,
  parameter int Vcs = 1,
  parameter int Dynamic = 0,      // not 0: any VC of its class (6.12), order within packets only
  parameter int AddressBits = 16,
  parameter int DataBits = 61 - (Vcs == 8 ? 3 : 2) - 2 * AddressBits,
  parameter int Routes = 1,       // 1: paths of section 5; 2: minimal, 0: any (section 12.2)
  parameter int Hold = 128,       // words of one VC that the router may hold, credits returned or not
  localparam int VcBits = Vcs == 8 ? 3 : 2,
  localparam int W = 3 + VcBits + 2 * AddressBits + DataBits,
  localparam int Links = Dims * LinksPerDim,
  localparam int Ports = Links + Locals,
  localparam int Bufs = Ports * Vcs
) (
  input wire                            clk_i,
  input wire                            rst_i,
  input wire [AddressBits-1:0]          coord_i,  // pins of section 3.2, read while rst_i is high
  input wire [AddressBits*Dims-1:0]     mask_i,
  input wire [(AddressBits+1)*Dims-1:0] radix_i,
  input wire [Dims-1:0]                 wrap_i,
  input wire                            dateline_i,
  input wire                            classes_i,
  input wire                            balanced_i,
  input wire                            order_high_i,
  input wire [1:0]                      switching_i,  // store-and-forward is checked
  input wire [15:0]                     depth_i,
  input wire [W*Ports-1:0]              link_i,
  input wire [Bufs-1:0]                 credit_i,
  input wire [W*Ports-1:0]              link_o,
  input wire [Bufs-1:0]                 credit_o,
  input wire                            quiet_o       // 0 for a router without it
);
  localparam [W-1:0] VcField = Vcs == 1 ? '0 : {3'b000, {VcBits{1'b1}}, {(W-3-VcBits){1'b0}}};

  // The pins, sampled while rst_i is high.
  logic [AddressBits-1:0] coord;
  logic [AddressBits*Dims-1:0] masks;
  logic [(AddressBits+1)*Dims-1:0] radices;
  logic [Dims-1:0] wraps;
  logic dateline, classes, balanced, order_high, stores;
  int depth;
  // The words inside, by input VC, as they came, without their VC; each with the number of its packet.
  logic [W-1:0] word [0:Bufs*Hold-1];
  int packet [0:Bufs*Hold-1];
  int count [0:Bufs-1], packets [0:Bufs-1];
  logic coming [0:Bufs-1];  // a packet has not come in full
  // Words without a credit: here, by input VC, and at the other end, by output VC. For how many cycles
  // a credit is due.
  int here [0:Bufs-1], there [0:Bufs-1], due [0:Bufs-1];
  // The packet that leaves by an output VC: its input VC, or -1, and its number.
  int holder [0:Bufs-1], holds [0:Bufs-1];
  int total, owed, still;
  logic was_reset, moves, home;

  function automatic [AddressBits-1:0] dst_of(input [W-1:0] w);
    dst_of = w[W-4-VcBits -: AddressBits];
  endfunction
  // The VC of a word, Vcs or more if there is no such VC.
  function automatic int vc_of(input [W-1:0] w);
    vc_of = Vcs == 1 ? 0 : int'(w[W-4 -: VcBits]);
  endfunction

  // Coordinate d of an address, and the radix of its dimension.
  function automatic int low(input int d);
    low = LinksPerDim == 1 ? d : 0;
    if (LinksPerDim == 2)
      for (int k = AddressBits - 1; k >= 0; k--) if (masks[AddressBits*d + k]) low = k;
  endfunction
  function automatic int at(input [AddressBits-1:0] address, input int d);
    logic [AddressBits-1:0] field;
    field = address & (LinksPerDim == 1 ? AddressBits'(1) << d : masks[AddressBits*d +: AddressBits]);
    at = int'(field) >> low(d);
  endfunction
  function automatic int radix(input int d);
    radix = LinksPerDim == 1 ? 2 : int'(radices[(AddressBits+1)*d +: AddressBits+1]) >> low(d);
  endfunction
  // Steps up to the destination, round the ring; and the link for a word with such steps (section 5.2).
  function automatic int steps(input [AddressBits-1:0] dst, input int d);
    steps = (at(dst, d) - at(coord, d) + radix(d)) % radix(d);
  endfunction
  function automatic int link_in(input [AddressBits-1:0] dst, input int d);
    int a, b, r, n;
    a = at(coord, d);
    b = at(dst, d);
    r = radix(d);
    n = steps(dst, d);
    if (LinksPerDim == 1) link_in = d;
    else if (r == 2) link_in = 2 * d;
    else if (!wraps[d]) link_in = b > a ? 2 * d : 2 * d + 1;
    else if (2 * n == r) link_in = balanced && a % 2 == 1 ? 2 * d + 1 : 2 * d;
    else link_in = 2 * n < r ? 2 * d : 2 * d + 1;
  endfunction
  function automatic logic away(input [AddressBits-1:0] dst, input int d);
    away = at(coord, d) != at(dst, d);
  endfunction
  // The port of a word that came by port q (sections 5.1, 5.2).
  function automatic int way(input [AddressBits-1:0] dst, input int q);
    way = Locals == 1 || q >= Links ? Links : Links + q;
    for (int k = Dims - 1; k >= 0; k--) begin
      if (away(dst, order_high ? Dims - 1 - k : k)) way = link_in(dst, order_high ? Dims - 1 - k : k);
    end
  endfunction
  // May a word leave by port p?
  function automatic logic may(input [AddressBits-1:0] dst, input int p, input int q);
    int d;
    logic ends;  // at its destination
    ends = 1'b1;
    for (int k = 0; k < Dims; k++) if (away(dst, k)) ends = 1'b0;
    d = p / LinksPerDim;
    if (Routes == 1) may = p == way(dst, q);
    else if (p >= Links) may = ends;
    else if (Routes == 0) may = 1'b1;
    else may = away(dst, d) && (p == link_in(dst, d) || (wraps[d] && 2 * steps(dst, d) == radix(d)));
  endfunction
  // May a word of input VC (q, v) leave on VC o of port p (section 5.3)?
  function automatic logic fits(input int p, input int o, input int q, input int v);
    int d, a, class_v, half;
    d = p / LinksPerDim;
    class_v = 0;
    if (p < Links && LinksPerDim == 2) begin
      a = at(coord, d);
      if (wraps[d] && a == (p % 2 == 0 ? radix(d) - 1 : 0)) class_v = 1;
      else if (q < Links && q / LinksPerDim == d) class_v = v % 2;
    end
    half = classes ? Vcs / 2 : Vcs;
    if (Dynamic != 0) fits = o / half == v / half;
    else fits = dateline ? o / 2 == v / 2 : o == v;
    if (dateline && Routes == 1 && o % 2 != class_v) fits = 1'b0;
  endfunction

  // It may leave by port p before the entries in front of it: none of them is of its packet or goes there.
  function automatic logic in_order(input int i, input int k, input int p);
    in_order = 1'b1;
    for (int j = 0; j < k; j++) begin
      if (packet[i*Hold + j] == packet[i*Hold + k]) in_order = 1'b0;
      if (Routes == 1 && Dynamic == 0 && way(dst_of(word[i*Hold + j]), i / Vcs) == p) in_order = 1'b0;
    end
  endfunction
  function automatic logic whole(input int i, input int k);
    whole = 1'b0;
    for (int j = k; j < count[i]; j++)
      if (packet[i*Hold + j] == packet[i*Hold + k] && word[i*Hold + j][W-3]) whole = 1'b1;
  endfunction

  task leave(input int p, input [W-1:0] s);
    int v, o, from, entry;
    logic good;
    begin
      v = vc_of(s);
      from = -1;
      entry = 0;
      good = 1'b0;
      o = p * Vcs + v;
      if (v >= Vcs) $error("rule 5.3: port %0d: VC %0d does not exist", p, v);
      else begin
        if (there[o] >= depth) $error("rule 4.5: port %0d, VC %0d: a word leaves without a credit", p, v);
        there[o] = there[o] + 1;
        if (s[W-2] != (holder[o] < 0)) $error("rule 4.4: port %0d, VC %0d: packets are mixed", p, v);
        // Where did it come from? Of equal words, that which may leave here.
        for (int i = 0; i < Bufs; i++) begin
          for (int k = 0; k < count[i]; k++) begin
            if (!good && word[i*Hold + k] == (s & ~VcField)) begin
              good = in_order(i, k, p) && (s[W-2] ? fits(p, v, i / Vcs, i % Vcs)
                                                  : i == holder[o] && packet[i*Hold + k] == holds[o]);
              if (good || from < 0) begin
                from = i;
                entry = k;
              end
            end
          end
        end
        if (from < 0) $error("rule 2.2: port %0d, VC %0d: a word leaves that is not inside: %h", p, v, s);
        else take(p, v, from, entry, good, s);
        holder[o] = s[W-3] ? -1 : from;
      end
    end
  endtask

  // The word s leaves by VC v of port p. It is entry `entry` of input VC `from`.
  task take(input int p, input int v, input int from, input int entry, input good, input [W-1:0] s);
    int o;
    begin
      o = p * Vcs + v;
      if (!may(dst_of(s), p, from / Vcs)) begin
        if (p >= Links) $error("rule 5.1: port %0d: a word leaves at the wrong node or local port: %h", p, s);
        else $error("rule 5.2: port %0d: wrong turn: %h", p, s);
      end else if (!fits(p, v, from / Vcs, from % Vcs)) $error("rule 5.3: port %0d: wrong VC %0d: %h", p, v, s);
      else if (!good) $error("rule 4.4: port %0d, VC %0d: a word before its turn, or of another packet: %h", p, v, s);
      if (s[W-2] && stores && !whole(from, entry))
        $error("rule 7: port %0d, VC %0d: a packet leaves before its tail has come", p, v);
      holds[o] = packet[from*Hold + entry];
      for (int j = entry; j < count[from] - 1; j++) begin
        word[from*Hold + j] = word[from*Hold + j + 1];
        packet[from*Hold + j] = packet[from*Hold + j + 1];
      end
      count[from] = count[from] - 1;
    end
  endtask

  task come(input int p, input [W-1:0] s);
    int v, i;
    begin
      v = vc_of(s);
      i = p * Vcs + v;
      if (v >= Vcs) $error("rule 13: port %0d: a word comes on VC %0d, which does not exist", p, v);
      else begin
        if (here[i] >= depth) $error("rule 13: port %0d, VC %0d: a word comes without a credit", p, v);
        if (s[W-2] == coming[i]) $error("rule 13: port %0d, VC %0d: packets come mixed", p, v);
        if (coming[i] && count[i] > 0 && packet[i*Hold + count[i]-1] == packets[i]
            && dst_of(word[i*Hold + count[i]-1]) != dst_of(s))
          $error("rule 13: port %0d, VC %0d: a packet changes its destination", p, v);
        packets[i] = packets[i] + int'(s[W-2]);
        coming[i] = !s[W-3];
        here[i] = here[i] + 1;
        if (count[i] == Hold) $error("rule 12.1: port %0d, VC %0d: %0d words do not leave (parameter Hold)", p, v, Hold);
        else begin
          word[i*Hold + count[i]] = s & ~VcField;
          packet[i*Hold + count[i]] = packets[i];
          count[i] = count[i] + 1;
        end
      end
    end
  endtask

  always @(posedge clk_i) begin
    if (was_reset && (link_o !== '0 || credit_o !== '0)) $error("rule 9.3: the router is not idle after a reset");
    was_reset = rst_i;
    if (rst_i) begin
      coord = coord_i;
      masks = mask_i;
      radices = radix_i;
      wraps = wrap_i;
      dateline = dateline_i;
      classes = classes_i;
      balanced = balanced_i;
      order_high = order_high_i;
      stores = switching_i == 2'd2;
      depth = int'(depth_i);
      for (int i = 0; i < Bufs; i++) begin
        count[i] = 0;
        packets[i] = 0;
        coming[i] = 1'b0;
        here[i] = 0;
        there[i] = 0;
        due[i] = 0;
        holder[i] = -1;
        holds[i] = 0;
      end
      still = 0;
    end else begin
      for (int p = 0; p < Ports; p++) begin
        if (link_o[W*p + W-1]) leave(p, link_o[W*p +: W]);
        else if (link_o[W*p +: W] !== '0) $error("rule 2.4: port %0d: bits without a word", p);
      end
      total = 0;
      for (int i = 0; i < Bufs; i++) total = total + count[i];
      if (quiet_o && total > 0) $error("rule 8.3: quiet_o, but %0d words have not left", total);

      // Credits of words that came in earlier cycles, then the words of this cycle.
      for (int i = 0; i < Bufs; i++) begin
        if (credit_o[i] && here[i] == 0)
          $error("rule 4.6: port %0d, VC %0d: a credit for a word that is not there", i / Vcs, i % Vcs);
        due[i] = credit_o[i] || here[i] <= count[i] ? 0 : due[i] + 1;
        if (due[i] > 64) $error("rule 12.1: port %0d, VC %0d: the credit of a word does not come", i / Vcs, i % Vcs);
        if (credit_i[i] && there[i] == 0)
          $error("rule 13: port %0d, VC %0d: a credit too many comes", i / Vcs, i % Vcs);
        there[i] = there[i] - int'(credit_i[i]);
      end
      for (int p = 0; p < Ports; p++) if (link_i[W*p + W-1]) come(p, link_i[W*p +: W]);
      moves = credit_i != '0 || credit_o != '0;
      home = 1'b1;
      owed = 0;
      for (int i = 0; i < Bufs; i++) begin
        here[i] = here[i] - int'(credit_o[i]);
        owed = owed + here[i];
        if (there[i] != 0 || coming[i]) home = 1'b0;
      end
      for (int p = 0; p < Ports; p++) if (link_i[W*p + W-1] || link_o[W*p + W-1]) moves = 1'b1;
      still = moves || !home || total + owed == 0 ? 0 : still + 1;
      if (still == 256) $error("rule 12.1: %0d words and %0d credits do not leave", total, owed);
    end
  end
endmodule

`default_nettype wire
