// SPDX-License-Identifier: Apache-2.0
// The links between the groups of a bank (shape/fabric.h): a link is a permutation of lanes.
// Included by ec_lanes.cpp, whose groups and banks it uses.
//
// A cycle steps the groups that have work, hands on what they show, and writes their books for the
// next cycle beside the ones that count. Unless a lane may have broken a rule, these count then.
#ifndef EC_FABRIC_CODE_H
#define EC_FABRIC_CODE_H

namespace
{

constexpr unsigned Links = EC_SHAPE_DIMS * EC_SHAPE_LINKS_PER_DIM;
constexpr unsigned Packed = (Bufs + Limb - 1) / Limb; // numbers that hold a bit for each VC
constexpr uint32_t AllVcs = (1U << Vcs) - 1;
constexpr unsigned Named = Vcs > 1 ? Bufs : 1; // one VC needs no names of packets
// In the upper number of a word:
constexpr unsigned HeadBit = 30, TailBit = 29, VcShift = (Vcs == 8 ? 58 : 59) - 32;

inline V permuted(V from, V index)
{
#if defined(__AVX512F__)
    return reinterpret_cast<V>(_mm512_permutexvar_epi32(reinterpret_cast<__m512i>(index),
                                                        reinterpret_cast<__m512i>(from)));
#elif defined(__AVX2__)
    return reinterpret_cast<V>(_mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(from),
                                                           reinterpret_cast<__m256i>(index)));
#else
    V to{};
    for (unsigned i = 0; i < Lanes; i++)
        to[i] = from[index[i]];
    return to;
#endif
}

inline V sign(V a)
{
    return reinterpret_cast<V>(reinterpret_cast<Signed>(a) < 0);
}

inline V more(V a, V b) // without sign
{
    return reinterpret_cast<V>(a > b);
}

// Bits `from` and above of words.
inline V word_field(V low, V high, unsigned from)
{
    return low >> from | high << (Limb - from);
}

inline V packed_bit(const V *bits, unsigned i)
{
    return bits[i / Limb] >> i % Limb & 1;
}

// Lanes of one group that have their far end in another one, or in the same.
struct Source {
    size_t group;
    V index, mask;
};

// What the rows of backend/tiles.h are for one router.
struct Book {
    V ledger[Bufs], open[Named];
};
struct Counters {
    V flits[Ports], contended[Ports], starved[Ports];
};

struct Rule {
    V mask, low, span;
};

struct Junction {
    Book book[2];
    unsigned now; // which of the two counts
    Counters counters;
    V exists, used[Ports], may_credit[Packed]; // routers, their channels, and these by VC
    Rule rule[Vcs > 1 ? Ports : 1];
    uint32_t busy, next; // lanes: not quiet after this step; to be stepped in the next
};

// Apart from the rest of a group, so that groups that sleep touch no more than this.
struct Flags {
    bool stepped, receives; // in this cycle
    bool showed, received;  // its outputs, its inputs are not all zero
};

} // namespace

// bank.lanes has the lanes to be stepped.
struct ec_fabric {
    ec_tile_bank &bank;
    Aligned<Junction> at;    // [group]
    std::vector<Flags> flag; // [group]
    Aligned<Outputs> shown;  // [group] of this cycle
    Aligned<Inputs> in;      // [group] of the next one
    std::vector<Source> sources;
    std::vector<size_t> first;                // [group * Links + port] into sources; and one more
    std::vector<std::vector<size_t>> targets; // [group * Links + port] groups that it leads to
    unsigned locals, depth;
    bool follow = false, classes;
    unsigned name_shift, source_shift;
    uint32_t name_bits;
    uint8_t back[Links]{};

    ec_fabric(ec_tile_bank &routers, const ec_fabric_wires &wires);
};

namespace
{

// --- Wiring ------------------------------------------------------------------------------------

void wire_port(ec_fabric &f, const ec_fabric_wires &wires, size_t g, unsigned port)
{
    Junction &x = f.at[g];
    const size_t begin = f.sources.size();
    f.first.push_back(begin);
    for (unsigned lane = 0; lane < Lanes; lane++) {
        const size_t router = g * Lanes + lane;
        const uint32_t peer =
            router < f.bank.routers ? wires.peers[router * Ports + port] : UINT32_MAX;
        if (peer >= f.bank.routers)
            continue;
        size_t k = begin;
        while (k < f.sources.size() && f.sources[k].group != peer / Lanes)
            k++;
        if (k == f.sources.size())
            f.sources.push_back({peer / Lanes, V{}, V{}});
        f.sources[k].index[lane] = peer % Lanes;
        f.sources[k].mask[lane] = ~0U;
        x.used[port][lane] = ~0U;
    }
    for (size_t k = begin; k < f.sources.size(); k++)
        f.targets[g * Links + port].push_back(f.sources[k].group);
}

void wire_group(ec_fabric &f, const ec_fabric_wires &wires, size_t g)
{
    Junction &x = f.at[g];
    for (unsigned lane = 0; lane < Lanes && g * Lanes + lane < f.bank.routers; lane++) {
        x.exists[lane] = ~0U;
        for (unsigned port = 0; Vcs > 1 && wires.rules != nullptr && port < Ports; port++) {
            const class_rule &rule = wires.rules[(g * Lanes + lane) * Ports + port];
            x.rule[port].mask[lane] = rule.mask;
            x.rule[port].low[lane] = rule.low;
            x.rule[port].span[lane] = rule.span;
        }
    }
    for (unsigned port = 0; port < Links; port++)
        wire_port(f, wires, g, port);
    for (unsigned local = 0; local < f.locals; local++)
        x.used[Links + local] = x.exists;
    for (unsigned port = 0; port < Ports; port++)
        x.may_credit[port * Vcs / Limb] |= x.used[port] & AllVcs << port * Vcs % Limb;
}

// --- A cycle: nodes, steps, words ---------------------------------------------------------------

// A local port of the bank.
struct Place {
    size_t group;
    unsigned lane, local;

    Place(const ec_fabric &f, uint32_t port) : group(port / Lanes), lane(port % Lanes), local(0)
    {
        if (EC_SHAPE_LOCALS > 1) { // a division costs more than the rest
            group = port / f.locals / Lanes;
            lane = port / f.locals % Lanes;
            local = port % f.locals;
        }
    }
};

inline void wake(ec_fabric &f, const Place &at)
{
    f.bank.lanes[at.group] |= 1U << at.lane;
    f.flag[at.group].received = true;
}

// Returns whether a node may have returned a credit too many.
bool accept_nodes(ec_fabric &f, const ec_port_events &in)
{
    bool bad = false;
    for (size_t i = 0; i < in.word_count; i++) {
        const Place at(f, in.words[i].port);
        V *link = f.in[at.group].link_i + 2 * (Links + at.local);
        link[0][at.lane] = static_cast<uint32_t>(in.words[i].word);
        link[1][at.lane] = static_cast<uint32_t>(in.words[i].word >> Limb);
        wake(f, at);
    }
    for (size_t i = 0; i < in.credit_count; i++) {
        const Place at(f, in.credits[i].port);
        const unsigned bit = (Links + at.local) * Vcs + in.credits[i].vc;
        const Junction &x = f.at[at.group];
        f.in[at.group].credit_i[bit / Limb][at.lane] |= 1U << bit % Limb;
        bad |= x.book[x.now].ledger[bit][at.lane] == 0;
        wake(f, at);
    }
    return bad;
}

// The packet rule and the class rule (backend/vcs.h). Returns the lanes that break one.
inline V follow_packets(const ec_fabric &f, const Junction &x, unsigned port, V low, V high, V vc,
                        Book &to)
{
    const Book &from = x.book[x.now];
    const V valid = sign(high);
    const V name = (word_field(low, high, f.name_shift) & f.name_bits) | 1U << (Limb - 1);
    const V before = pick(bit_mask(high, HeadBit), V{}, name);
    const V after = pick(bit_mask(high, TailBit), V{}, name);
    V bad{};
    for (unsigned v = 0; v < Vcs; v++) {
        const unsigned at = port * Vcs + v;
        const V here = valid & equal(vc, fill(v));
        bad |= here & ~equal(from.open[at], before);
        to.open[at] = pick(here, after, from.open[at]);
    }
    if (f.classes) {
        const Rule &rule = x.rule[port];
        const V source = word_field(low, high, f.source_shift) & rule.mask;
        bad |= valid & ~(more(source - rule.low, rule.span) ^ bit_mask(vc, 0));
    }
    return bad;
}

// The books of a group after its step. Returns the lanes that may have broken a rule: all that
// have, and perhaps more.
__attribute__((noinline)) V keep_books(const ec_fabric &f, size_t g, V &moved)
{
    Junction &x = f.at[g];
    const Outputs &out = f.shown[g];
    const Book &from = x.book[x.now];
    Book &to = x.book[1 - x.now];
    V bad{}, active{};
    for (unsigned port = 0; port < Ports; port++) {
        const V high = out.link_o[2 * port + 1];
        const V vc = Vcs > 1 ? high >> VcShift & (Vcs - 1) : V{};
        moved += high >> 31;
        active |= sign(high);
        bad |= sign(high) & ~x.used[port];
        for (unsigned v = 0; v < Vcs; v++) {
            const unsigned at = port * Vcs + v;
            to.ledger[at] = from.ledger[at] + (high >> 31 & equal(vc, fill(v)));
            if (port >= Links) // (credits of other routers were taken when they were sent)
                to.ledger[at] -= packed_bit(f.in[g].credit_i, at);
            bad |= more(to.ledger[at], fill(f.depth));
        }
        if (Vcs > 1 && f.follow)
            bad |= follow_packets(f, x, port, out.link_o[2 * port], high, vc, to);
    }
    for (unsigned n = 0; n < Packed; n++) {
        active |= nonzero(out.credit_o[n] | out.contended_o[n] | out.starved_o[n]);
        bad |= nonzero(out.credit_o[n] & ~x.may_credit[n]);
    }
    return (bad | (active & ~lanes_of(f.bank.lanes[g]))) & x.exists;
}

inline void announce(ec_fabric &f, size_t g)
{
    const Outputs &o = f.shown[g];
    for (unsigned port = 0; port < Links; port++) {
        const V credits = o.credit_o[port * Vcs / Limb] & AllVcs << port * Vcs % Limb;
        if (lane_bits(sign(o.link_o[2 * port + 1]) | nonzero(credits)) == 0)
            continue;
        for (const size_t target : f.targets[g * Links + port])
            f.flag[target].receives = true;
    }
}

inline V step_one(ec_fabric &f, size_t g, V &moved)
{
    Flags &flag = f.flag[g];
    flag.stepped = f.bank.lanes[g] != 0;
    if (!flag.stepped) {
        if (flag.showed)
            f.shown[g] = Outputs{};
        flag.showed = false;
        return V{};
    }
    Junction &x = f.at[g];
    flag.showed = true;
    step_group(f.bank.states[g], f.bank.pins[g], f.in[g], f.shown[g]);
    x.busy = x.next = awake_lanes(f.shown[g]) & lane_bits(x.exists);
    announce(f, g);
    return keep_books(f, g, moved);
}

// --- A cycle: what other groups show ------------------------------------------------------------

// What the group gets. Returns the lanes that get anything.
inline V take_inputs(const ec_fabric &f, size_t g)
{
    Inputs &in = f.in[g];
    V any{};
    for (unsigned n = 0; n < Packed; n++)
        in.credit_i[n] = V{};
    for (unsigned port = 0; port < Links; port++) {
        const unsigned back = f.back[port], from = back * Vcs, to = port * Vcs;
        V low{}, high{}, credits{};
        for (size_t k = f.first[g * Links + port]; k < f.first[g * Links + port + 1]; k++) {
            const Source &s = f.sources[k];
            const Outputs &o = f.shown[s.group];
            low |= permuted(o.link_o[2 * back], s.index) & s.mask;
            high |= permuted(o.link_o[2 * back + 1], s.index) & s.mask;
            credits |= permuted(o.credit_o[from / Limb], s.index) & s.mask;
        }
        const V valid = sign(high);
        in.link_i[2 * port] = low & valid;
        in.link_i[2 * port + 1] = high & valid;
        in.credit_i[to / Limb] |= (credits >> from % Limb & AllVcs) << to % Limb;
        any |= valid;
    }
    for (unsigned n = 2 * Links; n < 2 * Ports; n++)
        in.link_i[n] = V{};
    for (unsigned n = 0; n < Packed; n++)
        any |= in.credit_i[n];
    return nonzero(any);
}

// A credit must be for a word of an earlier cycle.
inline V take_credits(const ec_fabric &f, size_t g)
{
    Junction &x = f.at[g];
    const Book &before = x.book[x.now];
    Book &to = x.book[1 - x.now];
    V bad{};
    for (unsigned at = 0; at < Links * Vcs; at++) {
        const V credit = packed_bit(f.in[g].credit_i, at);
        bad |= nonzero(credit) & equal(before.ledger[at], V{});
        to.ledger[at] -= credit;
    }
    return bad;
}

inline V receive_one(ec_fabric &f, size_t g)
{
    Flags &flag = f.flag[g];
    if (!flag.receives) {
        if (flag.received)
            f.in[g] = Inputs{};
        flag.received = false;
        return V{};
    }
    Junction &x = f.at[g];
    if (!flag.stepped) {
        x.book[1 - x.now] = x.book[x.now];
        x.next = 0;
    }
    flag.received = true;
    x.next |= lane_bits(take_inputs(f, g));
    return take_credits(f, g);
}

// --- A cycle: its end ---------------------------------------------------------------------------

// Words that were sent, and front flits that did not move by the port that they ask for.
inline void count_outputs(const Outputs &out, Counters &to)
{
    V blocked{};
    for (unsigned port = 0; port < Ports; port++)
        to.flits[port] += out.link_o[2 * port + 1] >> 31;
    for (unsigned n = 0; n < Packed; n++)
        blocked |= out.contended_o[n] | out.starved_o[n];
    if (lane_bits(nonzero(blocked)) == 0)
        return;
    for (unsigned at = 0; at < Bufs; at++) {
        const V contended = packed_bit(out.contended_o, at);
        const V starved = packed_bit(out.starved_o, at) & ~contended;
        if (lane_bits(nonzero(contended | starved)) == 0)
            continue;
        const V want = out.want_o[at / 4] >> 8 * (at % 4) & 0xff;
        for (unsigned port = 0; port < Ports; port++) {
            const V here = equal(want, fill(port));
            to.contended[port] += contended & here;
            to.starved[port] += starved & here;
        }
    }
}

inline void put_events(const ec_fabric &f, size_t g, const Outputs &o, ec_port_events &out)
{
    for (unsigned local = 0; local < f.locals; local++) {
        const V low = o.link_o[2 * (Links + local)], high = o.link_o[2 * (Links + local) + 1];
        for (uint32_t left = lane_bits(sign(high)); left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(__builtin_ctz(left));
            ec_port_word &word = out.words[out.word_count++];
            word.port = static_cast<uint32_t>(g * Lanes + lane) * f.locals + local;
            word.word = uint64_t{high[lane]} << Limb | low[lane];
        }
        for (unsigned vc = 0; vc < Vcs; vc++) {
            const unsigned at = (Links + local) * Vcs + vc;
            uint32_t left = lane_bits(bit_mask(o.credit_o[at / Limb], at % Limb));
            for (; left != 0; left &= left - 1) {
                const auto lane = static_cast<unsigned>(__builtin_ctz(left));
                ec_port_credit &credit = out.credits[out.credit_count++];
                credit.port = static_cast<uint32_t>(g * Lanes + lane) * f.locals + local;
                credit.vc = vc;
            }
        }
    }
}

// The cycle counts. Returns how many routers were stepped.
inline unsigned end_one(ec_fabric &f, size_t g, ec_port_events &out)
{
    Flags &flag = f.flag[g];
    if (!flag.stepped && !flag.receives)
        return 0;
    Junction &x = f.at[g];
    const uint32_t stepped = f.bank.lanes[g];
    f.bank.lanes[g] = x.next;
    x.now = 1 - x.now;
    flag.receives = false;
    if (flag.stepped) {
        f.bank.awake[g] = x.busy;
        count_outputs(f.shown[g], x.counters);
        put_events(f, g, f.shown[g], out);
    }
    return static_cast<unsigned>(__builtin_popcount(stepped));
}

bool step_fabric(ec_fabric *fabric, const ec_port_events *in, ec_port_events *out,
                 uint64_t *stepped, uint64_t *moved)
{
    ec_fabric &f = *fabric;
    V bad{}, words{};
    out->word_count = out->credit_count = 0;
    const bool early = accept_nodes(f, *in);
    for (size_t g = 0; g < f.bank.groups; g++)
        bad |= step_one(f, g, words);
    for (size_t g = 0; g < f.bank.groups; g++)
        bad |= receive_one(f, g);
    if (early || lane_bits(bad) != 0)
        return false;
    for (size_t g = 0; g < f.bank.groups; g++)
        *stepped += end_one(f, g, *out);
    for (unsigned lane = 0; lane < Lanes; lane++)
        *moved += words[lane];
    return true;
}

// --- Rows ---------------------------------------------------------------------------------------

void count_fabric(ec_fabric *f, const ec_fabric_rows *rows)
{
    for (size_t channel = 0; channel < f->bank.routers * Ports; channel++) {
        const size_t router = channel / Ports, port = channel % Ports;
        const Counters &from = f->at[router / Lanes].counters;
        rows->flits[channel] += from.flits[port][router % Lanes];
        rows->contended[channel] += from.contended[port][router % Lanes];
        rows->starved[channel] += from.starved[port][router % Lanes];
    }
    for (size_t g = 0; g < f->bank.groups; g++)
        f->at[g].counters = Counters{};
}

void show_router(const ec_fabric &f, size_t router, const ec_fabric_rows &rows,
                 const ec_tile_io &to)
{
    const Junction &x = f.at[router / Lanes];
    const Inputs &in = f.in[router / Lanes];
    const Book &book = x.book[x.now];
    const size_t lane = router % Lanes;
    to.in_valid[router] = 0;
    for (unsigned vc = 0; vc < Vcs; vc++)
        to.in_credit[router * Vcs + vc] = 0;
    for (unsigned port = 0; port < Ports; port++) {
        const uint64_t high = in.link_i[2 * port + 1][lane];
        to.in_word[router * Ports + port] = high << Limb | in.link_i[2 * port][lane];
        to.in_valid[router] |= (high >> 31) << port;
        for (unsigned vc = 0; vc < Vcs; vc++) {
            const unsigned at = port * Vcs + vc;
            const uint64_t credit = packed_bit(in.credit_i, at)[lane];
            to.in_credit[router * Vcs + vc] |= credit << port;
            rows.ledger[router * Bufs + at] = static_cast<uint16_t>(book.ledger[at][lane]);
            if (Vcs > 1)
                rows.open[router * Bufs + at] = book.open[at][lane];
        }
    }
}

void show_fabric(ec_fabric *f, const ec_fabric_rows *rows, const ec_tile_io *inputs, bool *awake)
{
    for (size_t router = 0; router < f->bank.routers; router++) {
        awake[router] = (f->bank.lanes[router / Lanes] >> router % Lanes & 1) != 0;
        show_router(*f, router, *rows, *inputs);
    }
}

void take_router(ec_fabric &f, size_t router, const ec_fabric_rows &rows, const ec_tile_io &from)
{
    Junction &x = f.at[router / Lanes];
    Inputs &in = f.in[router / Lanes];
    Book &book = x.book[x.now];
    const size_t lane = router % Lanes;
    for (unsigned port = 0; port < Ports; port++) {
        const bool valid = (from.in_valid[router] >> port & 1) != 0;
        const uint64_t word = valid ? from.in_word[router * Ports + port] : 0;
        in.link_i[2 * port][lane] = static_cast<uint32_t>(word);
        in.link_i[2 * port + 1][lane] = static_cast<uint32_t>(word >> Limb);
        for (unsigned vc = 0; vc < Vcs; vc++) {
            const unsigned at = port * Vcs + vc;
            const uint32_t credit = from.in_credit[router * Vcs + vc] >> port & 1;
            in.credit_i[at / Limb][lane] |= credit << at % Limb;
            book.ledger[at][lane] = rows.ledger[router * Bufs + at];
            if (Vcs > 1)
                book.open[at][lane] = rows.open[router * Bufs + at];
        }
    }
}

void take_fabric(ec_fabric *f, const ec_fabric_rows *rows, const ec_tile_io *inputs,
                 const bool *awake)
{
    for (size_t g = 0; g < f->bank.groups; g++) {
        f->bank.lanes[g] = 0;
        f->flag[g].received = true;
    }
    for (size_t router = 0; router < f->bank.routers; router++) {
        f->bank.lanes[router / Lanes] |= static_cast<uint32_t>(awake[router]) << router % Lanes;
        take_router(*f, router, *rows, *inputs);
    }
}

void leave_fabric(ec_fabric *f, const ec_tile_io *outputs)
{
    auto apart = std::make_unique<Apart>();
    for (size_t g = 0; g < f->bank.groups; g++) {
        if (outputs != nullptr && f->flag[g].stepped) {
            std::memset(apart.get(), 0, sizeof *apart);
            scatter(f->shown[g], apart->io());
            copy_out(Rows(*outputs, g * Lanes).io, *apart, f->bank.lanes[g]);
            f->bank.awake[g] = f->at[g].busy;
        }
        f->bank.lanes[g] = 0;
    }
}

bool drained_fabric(const ec_fabric *f)
{
    V owed{};
    for (size_t g = 0; g < f->bank.groups; g++) {
        const Junction &x = f->at[g];
        for (const V &ledger : x.book[x.now].ledger)
            owed |= ledger;
    }
    return lane_bits(nonzero(owed)) == 0;
}

void reset_fabric(ec_fabric *f, bool follow)
{
    f->follow = follow;
    for (size_t g = 0; g < f->bank.groups; g++) {
        Junction &x = f->at[g];
        for (Book &book : x.book)
            book = Book{};
        x.counters = Counters{};
        f->flag[g].receives = false;
        f->in[g] = Inputs{};
        f->shown[g] = Outputs{};
        f->bank.lanes[g] = f->bank.awake[g];
    }
}

ec_fabric *open_fabric(ec_tile_bank *bank, const ec_fabric_wires *wires)
{
    try {
        return std::make_unique<ec_fabric>(*bank, *wires).release();
    } catch (...) {
        return nullptr;
    }
}

void close_fabric(ec_fabric *f)
{
    delete f;
}

const ec_fabric_api fabric_api = {open_fabric,  reset_fabric,   step_fabric,
                                  count_fabric, show_fabric,    take_fabric,
                                  leave_fabric, drained_fabric, close_fabric};

} // namespace

ec_fabric::ec_fabric(ec_tile_bank &routers, const ec_fabric_wires &wires)
    : bank(routers), at(bank.groups), flag(bank.groups), shown(bank.groups), in(bank.groups),
      targets(bank.groups * Links), locals(wires.locals), depth(wires.depth),
      classes(wires.rules != nullptr), name_shift(wires.layout.index_bits),
      source_shift(wires.layout.src_shift),
      name_bits((1U << (wires.layout.number_bits + wires.layout.address_bits)) - 1)
{
    std::memcpy(back, wires.back, Links);
    for (size_t g = 0; g < bank.groups; g++)
        wire_group(*this, wires, g);
    first.push_back(sources.size());
}

extern "C" __attribute__((visibility("default"))) const struct ec_fabric_api *ec_tile_fabric(void)
{
    return &fabric_api;
}

#endif
