// SPDX-License-Identifier: Apache-2.0
// The tile around the generated code of a router that steps a group of routers at once: banks, and
// the change between the arrays of ecube/tile.h, which have a row for each router, and vectors,
// which have a lane for each. Compiled after that code, with the shape as EC_SHAPE_* macros.
//
// A group is stepped if one of its routers is. The others must be quiet, and then keep their state
// by themselves; where one is not, its lane is put back.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

extern "C" {
#include "ecube/tile.h"
#include EC_SHAPE_FABRIC
}

// An array of zeros, as far apart as the vectors in it ask for.
template <class T> struct Aligned {
    T *at;

    explicit Aligned(size_t count)
        : at(static_cast<T *>(std::aligned_alloc(alignof(T), count * sizeof(T))))
    {
        if (at == nullptr)
            throw std::bad_alloc();
        std::memset(static_cast<void *>(at), 0, count * sizeof(T));
    }
    ~Aligned() { std::free(at); }
    Aligned(const Aligned &) = delete;
    Aligned &operator=(const Aligned &) = delete;
    T &operator[](size_t i) const { return at[i]; }
};

namespace
{

constexpr unsigned Dims = EC_SHAPE_DIMS, Vcs = EC_SHAPE_VCS, AddressBits = EC_SHAPE_ADDRESS_BITS;
constexpr unsigned Ports = Dims * EC_SHAPE_LINKS_PER_DIM + EC_SHAPE_LOCALS, Bufs = Ports * Vcs;
constexpr unsigned Limb = 32;                     // bits of a number in a lane
constexpr unsigned Halves = Ports > Limb ? 2 : 1; // numbers that hold a bit for each port
constexpr unsigned Wants = (8 * Bufs + Limb - 1) / Limb;
constexpr unsigned Four = 4; // words are turned in squares of so many

using Words = uint64_t __attribute__((vector_size(8 * Four)));
using Numbers = uint32_t __attribute__((vector_size(4 * Four), may_alias));
using Wide = uint64_t __attribute__((vector_size(8 * Lanes)));
using Bytes = uint8_t __attribute__((vector_size(Lanes)));

template <class T> inline T load(const void *from)
{
    T x;
    std::memcpy(&x, from, sizeof x);
    return x;
}

__attribute__((noinline)) void step_group(State &state, const Pins &pins, const Inputs &in,
                                          Outputs &out)
{
    next_part<false>(state, pins, in);
    show_part(state, pins, out);
}

__attribute__((noinline, cold)) void show_group(State &state, const Pins &pins, Outputs &out)
{
    show_part(state, pins, out);
}

__attribute__((noinline, cold)) void reset_group(State &state, const Pins &pins)
{
    Inputs in{};
    next_part<true>(state, pins, in);
}

// --- Words: rows to lanes and back -------------------------------------------------------------

inline void turn(Words (&row)[Four])
{
    const Words a = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6);
    const Words b = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7);
    const Words c = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6);
    const Words d = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);
    row[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    row[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    row[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// Bit p of each lane of `valid` says whether the word of port p counts.
inline void take_words(V *link, const uint64_t *word, const V (&valid)[Halves])
{
    auto *number = reinterpret_cast<Numbers *>(link);
    for (unsigned first = 0; first < Ports; first += Four) {
        for (unsigned part = 0; part < Lanes / Four; part++) {
            Words row[Four];
            for (unsigned i = 0; i < Four; i++)
                row[i] = load<Words>(word + (part * Four + i) * Ports + first);
            turn(row);
            for (unsigned i = 0; i < Four && first + i < Ports; i++) {
                Numbers *to = number + (first + i) * 2 * (Lanes / Four) + part;
                to[0] = __builtin_convertvector(row[i], Numbers);
                to[Lanes / Four] = __builtin_convertvector(row[i] >> 32, Numbers);
            }
        }
    }
    for (unsigned port = 0; port < Ports; port++) {
        const V counts = bit_mask(valid[port / Limb], port % Limb);
        link[2 * port] &= counts;
        link[2 * port + 1] &= counts;
    }
}

inline void put_words(uint64_t *word, const V *link)
{
    const auto *number = reinterpret_cast<const Numbers *>(link);
    for (unsigned first = 0; first < Ports; first += Four) {
        const unsigned n = Ports - first < Four ? Ports - first : Four;
        for (unsigned part = 0; part < Lanes / Four; part++) {
            Words row[Four] = {};
            for (unsigned i = 0; i < n; i++) {
                const Numbers *from = number + (first + i) * 2 * (Lanes / Four) + part;
                row[i] = __builtin_convertvector(from[0], Words) |
                         __builtin_convertvector(from[Lanes / Four], Words) << 32;
            }
            turn(row);
            for (unsigned i = 0; i < Four; i++)
                std::memcpy(word + (part * Four + i) * Ports + first, &row[i], 8 * n);
        }
    }
}

// --- Bits: by VC in the arrays, by port and VC in the router -----------------------------------

inline V load_bits(const uint64_t *from, unsigned vcs, unsigned half)
{
    if (vcs == 1 && half == 0)
        return __builtin_convertvector(load<Wide>(from), V);
    V bits{};
    for (unsigned i = 0; i < Lanes; i++)
        bits[i] = static_cast<uint32_t>(from[i * vcs] >> Limb * half);
    return bits;
}

inline void store_bits(uint64_t *to, unsigned vcs, const V (&bits)[Halves])
{
    if (vcs == 1 && Halves == 1) {
        const Wide row = __builtin_convertvector(bits[0], Wide);
        std::memcpy(to, &row, sizeof row);
        return;
    }
    for (unsigned i = 0; i < Lanes; i++)
        to[i * vcs] = bits[0][i] | (Halves > 1 ? uint64_t{bits[Halves - 1][i]} << 32 : 0);
}

inline void take_bits(V *packed, const uint64_t *from, V counts)
{
    for (unsigned n = 0; n < (Bufs + Limb - 1) / Limb; n++)
        packed[n] = V{};
    for (unsigned vc = 0; vc < Vcs; vc++) {
        for (unsigned half = 0; half < Halves; half++) {
            const V bits = load_bits(from + vc, Vcs, half) & counts;
            if (Vcs == 1)
                packed[half] = bits;
            for (unsigned port = half * Limb; Vcs > 1 && port < Ports && port < half * Limb + Limb;
                 port++) {
                const unsigned at = port * Vcs + vc;
                packed[at / Limb] |= (bits >> port % Limb & 1) << at % Limb;
            }
        }
    }
}

inline void put_bits(uint64_t *to, const V *packed)
{
    for (unsigned vc = 0; vc < Vcs; vc++) {
        V bits[Halves] = {};
        for (unsigned half = 0; Vcs == 1 && half < Halves; half++)
            bits[half] = packed[half];
        for (unsigned port = 0; Vcs > 1 && port < Ports; port++) {
            const unsigned at = port * Vcs + vc;
            bits[port / Limb] |= (packed[at / Limb] >> at % Limb & 1) << port % Limb;
        }
        store_bits(to + vc, Vcs, bits);
    }
}

// --- A group -----------------------------------------------------------------------------------

// Rows of the group's first router, for all lanes.
struct Rows {
    ec_tile_io io;

    Rows(const ec_tile_io &all, size_t first)
        : io{all.in_word + first * Ports, all.in_valid + first,
             all.in_credit + first * Vcs, all.out_word + first * Ports,
             all.out_valid + first,       all.out_credit + first * Vcs,
             all.contended + first * Vcs, all.starved + first * Vcs,
             all.want + first * Bufs,     all.quiet + first}
    {
    }
};

inline void gather(Inputs &in, const ec_tile_io &io, V counts)
{
    V valid[Halves], any{};
    for (unsigned half = 0; half < Halves; half++) {
        valid[half] = load_bits(io.in_valid, 1, half) & counts;
        any |= valid[half];
    }
    if (lane_bits(nonzero(any)) != 0)
        take_words(in.link_i, io.in_word, valid);
    else
        std::memset(&in.link_i, 0, sizeof in.link_i);
    take_bits(in.credit_i, io.in_credit, counts);
}

inline void put_wants(const ec_tile_io &io, const Outputs &out)
{
    V blocked{};
    for (unsigned n = 0; n < (Bufs + Limb - 1) / Limb; n++)
        blocked |= out.contended_o[n] | out.starved_o[n];
    if (lane_bits(nonzero(blocked)) == 0)
        return;
    for (unsigned i = 0; i < Lanes; i++) { // (a branch for each lane would cost more)
        uint32_t row[Wants];
        for (unsigned n = 0; n < Wants; n++)
            row[n] = reinterpret_cast<const uint32_t *>(&out.want_o[n])[i];
        std::memcpy(io.want + i * Bufs, row, Bufs);
    }
}

inline void scatter(const Outputs &out, const ec_tile_io &io)
{
    V valid[Halves] = {}, any{};
    for (unsigned port = 0; port < Ports; port++)
        valid[port / Limb] |= out.link_o[2 * port + 1] >> 31 << port % Limb;
    for (unsigned half = 0; half < Halves; half++)
        any |= valid[half];
    store_bits(io.out_valid, 1, valid);
    if (lane_bits(nonzero(any)) != 0)
        put_words(io.out_word, out.link_o);
    put_bits(io.out_credit, out.credit_o);
    put_bits(io.contended, out.contended_o);
    put_bits(io.starved, out.starved_o);
    put_wants(io, out);
    const auto quiet = __builtin_convertvector(out.quiet_o[0], Bytes);
    std::memcpy(io.quiet, &quiet, sizeof quiet);
}

// --- Pins --------------------------------------------------------------------------------------

void set_pin(V *pin, unsigned lane, unsigned at, unsigned width, uint32_t value)
{
    for (unsigned i = 0; i < width; i++)
        pin[(at + i) / Limb][lane] |= (value >> i & 1) << (at + i) % Limb;
}

void set_pins(Pins &pins, unsigned lane, const ec_tile_place &place)
{
    set_pin(pins.coord_i, lane, 0, AddressBits, place.coord);
    for (unsigned d = 0; d < Dims; d++) {
        set_pin(pins.mask_i, lane, AddressBits * d, AddressBits, place.mask[d]);
        set_pin(pins.radix_i, lane, (AddressBits + 1) * d, AddressBits + 1, place.radix[d]);
    }
    set_pin(pins.wrap_i, lane, 0, Dims, place.wrap);
    set_pin(pins.dateline_i, lane, 0, 1, place.dateline != 0);
    set_pin(pins.classes_i, lane, 0, 1, place.classes == 2);
    set_pin(pins.balanced_i, lane, 0, 1, place.balanced != 0);
    set_pin(pins.order_high_i, lane, 0, 1, place.order_high != 0);
    set_pin(pins.switching_i, lane, 0, 2, place.switching & 3);
    set_pin(pins.depth_i, lane, 0, 16, place.depth);
    set_pin(pins.packet_i, lane, 0, 16, place.packet);
}

} // namespace

struct ec_tile_bank {
    size_t routers, groups;
    Aligned<State> states;
    Aligned<Pins> pins;
    Aligned<Inputs> in;
    Aligned<Outputs> out;
    std::vector<uint32_t> awake; // [group] lanes that were not quiet after the last step
    std::vector<uint32_t> lanes; // [group] lanes to step; 0 between steps
    std::vector<uint32_t> list;  // groups to step
    std::vector<uint64_t> last;  // words that arrive at the last group

    ec_tile_bank(size_t count, const ec_tile_place *places)
        : routers(count), groups((count + Lanes - 1) / Lanes), states(groups), pins(groups), in(1),
          out(1), awake(groups), lanes(groups), list(groups + 1), last(Lanes * Ports + Four)
    {
        for (size_t i = 0; i < groups * Lanes; i++)
            set_pins(pins[i / Lanes], i % Lanes, places[i < count ? i : 0]);
        for (size_t g = 0; g < groups; g++)
            show_group(states[g], pins[g], out[0]);
    }
};

namespace
{

// Where not all lanes of a group are in the arrays, or some must not be written: rows of a group
// alone. The reading of rows in squares goes beyond the last one.
struct Apart {
    uint64_t in_word[Lanes * Ports + Four], in_valid[Lanes], in_credit[Lanes * Vcs];
    uint64_t out_word[Lanes * Ports], out_valid[Lanes], out_credit[Lanes * Vcs];
    uint64_t contended[Lanes * Vcs], starved[Lanes * Vcs];
    uint8_t want[Lanes * Bufs], quiet[Lanes];

    ec_tile_io io()
    {
        return {in_word,    in_valid,  in_credit, out_word, out_valid,
                out_credit, contended, starved,   want,     quiet};
    }
};

void copy_in(Apart &to, const ec_tile_io &from, uint32_t lanes)
{
    std::memset(&to, 0, sizeof to);
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(__builtin_ctz(left));
        std::memcpy(to.in_word + i * Ports, from.in_word + i * Ports, 8 * Ports);
        std::memcpy(to.in_credit + i * Vcs, from.in_credit + i * Vcs, 8 * Vcs);
        to.in_valid[i] = from.in_valid[i];
    }
}

void copy_out(const ec_tile_io &to, const Apart &from, uint32_t lanes)
{
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(__builtin_ctz(left));
        std::memcpy(to.out_word + i * Ports, from.out_word + i * Ports, 8 * Ports);
        std::memcpy(to.out_credit + i * Vcs, from.out_credit + i * Vcs, 8 * Vcs);
        std::memcpy(to.contended + i * Vcs, from.contended + i * Vcs, 8 * Vcs);
        std::memcpy(to.starved + i * Vcs, from.starved + i * Vcs, 8 * Vcs);
        std::memcpy(to.want + i * Bufs, from.want + i * Bufs, Bufs);
        to.out_valid[i] = from.out_valid[i];
        to.quiet[i] = from.quiet[i];
    }
}

// The lanes that are not stepped get their state back.
void keep_others(State &now, const State &before, uint32_t lanes)
{
    const V stepped = lanes_of(lanes);
    V *to = reinterpret_cast<V *>(&now);
    const V *from = reinterpret_cast<const V *>(&before);
    for (size_t i = 0; i < sizeof now / sizeof *to; i++)
        to[i] = pick(stepped, to[i], from[i]);
}

uint32_t awake_lanes(const Outputs &out)
{
    return lane_bits(equal(out.quiet_o[0], V{}));
}

__attribute__((noinline)) void step_apart(ec_tile_bank &bank, size_t g, const ec_tile_io &rows,
                                          uint32_t lanes)
{
    Apart apart;
    const State before = bank.states[g];
    copy_in(apart, rows, lanes);
    gather(bank.in[0], apart.io(), lanes_of(lanes));
    step_group(bank.states[g], bank.pins[g], bank.in[0], bank.out[0]);
    scatter(bank.out[0], apart.io());
    copy_out(rows, apart, lanes);
    keep_others(bank.states[g], before, lanes);
    bank.awake[g] = (awake_lanes(bank.out[0]) & lanes) | (bank.awake[g] & ~lanes);
}

inline void step_rows(ec_tile_bank &bank, size_t g, const ec_tile_io &rows, uint32_t lanes)
{
    gather(bank.in[0], rows, lanes_of(lanes));
    step_group(bank.states[g], bank.pins[g], bank.in[0], bank.out[0]);
    scatter(bank.out[0], rows);
    bank.awake[g] = awake_lanes(bank.out[0]);
}

// The groups of these routers into bank.list, and their lanes. Returns how many.
size_t find_groups(ec_tile_bank &bank, const uint32_t *ids, size_t count)
{
    size_t n = 0;
    for (size_t k = 0; k < count; k++) {
        const uint32_t g = ids[k] / Lanes;
        bank.list[n] = g;
        n += bank.lanes[g] == 0;
        bank.lanes[g] |= 1U << ids[k] % Lanes;
    }
    return n;
}

void step_bank(ec_tile_bank *bank, const ec_tile_io *io, const uint32_t *ids, size_t count)
{
    const size_t n = find_groups(*bank, ids, count);
    for (size_t k = 0; k < n; k++) {
        const size_t g = bank->list[k];
        const uint32_t lanes = bank->lanes[g];
        Rows rows(*io, g * Lanes);
        bank->lanes[g] = 0;
        if (g == bank->groups - 1) { // a square of words begins in the last row and ends behind it
            std::memcpy(bank->last.data(), rows.io.in_word,
                        8 * Ports * (bank->routers - g * Lanes));
            rows.io.in_word = bank->last.data();
        }
        if ((g + 1) * Lanes > bank->routers || (bank->awake[g] & ~lanes) != 0)
            step_apart(*bank, g, rows.io, lanes);
        else
            step_rows(*bank, g, rows.io, lanes);
    }
}

// By the Moore rule inputs do not matter.
void peek_bank(ec_tile_bank *bank, const ec_tile_io *io, const uint32_t *ids, size_t count)
{
    Apart apart{};
    const size_t n = find_groups(*bank, ids, count);
    for (size_t k = 0; k < n; k++) {
        const size_t g = bank->list[k];
        show_group(bank->states[g], bank->pins[g], bank->out[0]);
        scatter(bank->out[0], apart.io());
        copy_out(Rows(*io, g * Lanes).io, apart, bank->lanes[g]);
        bank->lanes[g] = 0;
    }
}

uint32_t draw(uint32_t seed, uint64_t at)
{
    uint64_t x = seed + at * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return static_cast<uint32_t>(x >> 32);
}

// Registers and memories at random values, which depend on the number of their router.
void draw_state(ec_tile_bank &bank, const uint32_t *numbers, uint32_t seed)
{
    constexpr size_t Count = sizeof state_bits / sizeof *state_bits;
    for (size_t r = 0; r < bank.routers; r++) {
        V *state = reinterpret_cast<V *>(&bank.states[r / Lanes]);
        for (size_t i = 0; i < Count; i++) {
            const uint32_t x = draw(seed, (numbers != nullptr ? numbers[r] : r) * Count + i);
            state[i][r % Lanes] = state_bits[i] != 0 ? x & state_bits[i] : 0 - (x & 1);
        }
    }
    for (size_t g = 0; g < bank.groups; g++)
        show_group(bank.states[g], bank.pins[g], bank.out[0]);
}

ec_tile_bank *open_bank(size_t routers, const ec_tile_place *places, const uint32_t *numbers,
                        uint32_t random_seed, const char *const *, const ec_tile_listener *)
{
    try {
        auto bank = std::make_unique<ec_tile_bank>(routers, places);
        if (random_seed != 0)
            draw_state(*bank, numbers, random_seed);
        return bank.release();
    } catch (...) {
        return nullptr;
    }
}

void reset_bank(ec_tile_bank *bank)
{
    for (size_t g = 0; g < bank->groups; g++) {
        reset_group(bank->states[g], bank->pins[g]);
        show_group(bank->states[g], bank->pins[g], bank->out[0]);
        const size_t left = bank->routers - g * Lanes;
        const uint32_t all = left < Lanes ? (1U << left) - 1 : (2U << (Lanes - 1)) - 1;
        bank->awake[g] = awake_lanes(bank->out[0]) & all;
    }
}

void close_bank(ec_tile_bank *bank)
{
    delete bank;
}

const struct ec_tile_api api = {
    EC_TILE_ABI,
    {EC_SHAPE_DIMS, EC_SHAPE_LINKS_PER_DIM, EC_SHAPE_LOCALS, EC_SHAPE_VCS, EC_SHAPE_DEPTH_MAX,
     EC_SHAPE_DYNAMIC, EC_SHAPE_STAGES, EC_SHAPE_ADDRESS_BITS, EC_SHAPE_TABLE, EC_SHAPE_PATHS,
     EC_SHAPE_SPEEDUP},
    EC_SHAPE_HAS_TAPS,
    EC_SHAPE_HAS_QUIET,
    EC_SHAPE_TOOL,
    open_bank,
    reset_bank,
    step_bank,
    close_bank,
    nullptr,
    0,
    peek_bank,
};

} // namespace

extern "C" __attribute__((visibility("default"))) const struct ec_tile_api *ec_tile_api(void)
{
    return &api;
}

#include "ec_fabric.h"
