/* SPDX-License-Identifier: Apache-2.0 */
/* Several constituting GSH: factors of a cycle, interleaved exchanges, aligned addresses.
 *
 * Elements are moved here, by exchanging bits of their addresses; the library's schedules are only
 * compared with the outcome. */
#include <inttypes.h>
#include <string.h>

#include "ecube/sdp.h"
#include "study/experiments/addresses.h"
#include "study/experiments/gsh.h"
#include "study/experiments/shuffle.h"

enum { STEPS_MAX = 40 };

/* --- Factors and interleaving ----------------------------------------------------------------- */

static struct ec_sdp sdp_of(const struct ec_sdp_cycle *c, unsigned storage, unsigned processor)
{
    struct ec_sdp s = ec_sdp_identity(storage, processor);
    for (unsigned i = 0; i < c->length; i++)
        s.from[c->dim[i]] = c->dim[(i + c->length - 1) % c->length];
    for (unsigned i = 0; i < c->length; i++)
        s.complement |= (c->complement >> i & 1) << c->dim[i];
    return s;
}

/* Times the cycle goes from storage to a processor dimension. */
static unsigned runs_of(const struct ec_sdp_cycle *c, unsigned storage)
{
    unsigned runs = 0;
    for (unsigned i = 0; i < c->length; i++)
        runs += c->dim[i] < storage && c->dim[(i + 1) % c->length] >= storage;
    return runs;
}

/* Random cycles with a storage and a processor dimension: as many constituting GSH as runs of
 * processor dimensions, each with one storage dimension; and then one virtual GSH make the cycle.
 */
void try_multi_factor(struct claims_run *run)
{
    uint64_t state = 129;
    for (unsigned n = claims_is_full(run) ? 2000 : 50; n-- > 0;) {
        const unsigned most = claims_is_full(run) ? 12 : 6;
        const unsigned storage = 1 + try_drawn(&state, most / 2);
        const unsigned processor = 1 + try_drawn(&state, most - storage);
        struct ec_sdp_cycle c = {.length = 0}, part[EC_SDP_DIMS_MAX / 2], rest;
        uint8_t dims[EC_SDP_DIMS_MAX];
        for (unsigned i = 0; i < storage + processor; i++) {
            const unsigned j = try_drawn(&state, i + 1);
            dims[i] = dims[j];
            dims[j] = (uint8_t)i;
        }
        /* Rotate a storage dimension before a processor dimension to the front. */
        const unsigned length = storage + processor;
        for (unsigned r = 0; r < length && c.length == 0; r++) {
            if (dims[r] >= storage || dims[(r + 1) % length] < storage)
                continue;
            for (unsigned i = 0; i < length; i++)
                c.dim[i] = dims[(r + i) % length];
            c.length = length;
        }
        c.complement = try_drawn(&state, UINT32_C(1) << length);
        const unsigned parts = ec_sdp_factor(&c, storage, part, &rest);
        struct ec_sdp done = ec_sdp_identity(storage, processor);
        bool blocks = parts == runs_of(&c, storage);
        for (unsigned i = 0; i < parts; i++) {
            const struct ec_sdp one = sdp_of(&part[i], storage, processor);
            done = ec_sdp_compose(&done, &one);
            blocks &= part[i].length >= 2 && part[i].dim[0] < storage;
            for (unsigned j = 1; j < part[i].length; j++)
                blocks &= part[i].dim[j] >= storage;
        }
        const struct ec_sdp last = sdp_of(&rest, storage, processor),
                            wanted = sdp_of(&c, storage, processor);
        for (unsigned i = 0; i < rest.length; i++)
            blocks &= rest.dim[i] < storage;
        done = ec_sdp_compose(&done, &last);
        char text[200];
        ec_sdp_format(&wanted, text, sizeof text);
        claims_audited(run, "blocks", parts);
        claims_case(run,
                    blocks && done.complement == wanted.complement &&
                        memcmp(done.from, wanted.from, storage + processor) == 0,
                    "cycle %s, storage dimensions 0 to %u", text, storage - 1);
    }
}

/* Draw an interleaving of the blocks' sequences: block[k] is the block of exchange k. */
static unsigned interleave(const struct try_addresses *m, uint64_t *state, unsigned *block)
{
    unsigned count = 0, left = 0;
    for (unsigned b = 0; b < m->blocks; b++)
        for (unsigned i = 0; i < m->order[b]; i++)
            block[count++] = b;
    for (left = count; left > 1; left--) {
        const unsigned j = try_drawn(state, left), x = block[j];
        block[j] = block[left - 1];
        block[left - 1] = x;
    }
    return count;
}

/* Play an interleaving on all elements. with: 0 each exchange moves one of the two elements of
 * every row, and all end where they belong (jh.multi.interleave); 1 whatever crosses keeps its
 * aligned address, and aligning twice is nothing (jh.multi.align). */
static bool play_interleaved(struct claims_run *run, const struct try_multi *g, uint64_t *state)
{
    struct try_addresses m;
    unsigned block[STEPS_MAX], next[TRY_ADDRESSES_STORAGE] = {0};
    const struct try_shuffle x = try_multi_words(g, 1);
    bool right = true, memory = false;
    if (!try_addresses_open(run, &m, g->order, g->blocks, false))
        return false;
    try_addresses_pair(&m);
    const unsigned count = interleave(&m, state, block);
    for (unsigned k = 0; k < count; k++) {
        const unsigned b = block[k], d = try_addresses_dim(&m, b, ++next[b]);
        for (uint32_t e = 0; e < UINT32_C(1) << m.dims; e++) {
            const uint32_t to = m.at[e] ^ UINT32_C(1) << b ^ UINT32_C(1) << d;
            if (try_addresses_cross(m.at[e], b, d))
                right &=
                    try_addresses_coordinates(&m, to) == try_addresses_coordinates(&m, m.at[e]);
        }
        right &= try_addresses_exchange(&m, b, d, &memory);
    }
    right &= try_addresses_placed(&m);
    try_addresses_close(&m);
    claims_case(run, right, "%s", x.name);
    return claims_require(run, !memory, "out of memory");
}

void try_multi_interleave(struct claims_run *run)
{
    uint64_t state = 130;
    const unsigned times = claims_is_full(run) ? 20 : 3;
    for (struct try_multi g = try_multi(run); try_multi_next(&g);) {
        if (g.per_node != UINT32_C(1) << g.blocks && !(g.blocks < 3 && g.per_node == 4))
            continue;
        for (unsigned i = 0; g.sigma_r <= 8 && i < times; i++)
            if (!play_interleaved(run, &g, &state))
                return;
    }
    /* Control: the exchanges of one block in another order end elsewhere. */
    struct try_addresses m;
    static const unsigned two[] = {2};
    bool memory = false;
    if (!try_addresses_open(run, &m, two, 1, false))
        return;
    try_addresses_pair(&m);
    try_addresses_exchange(&m, 0, try_addresses_dim(&m, 0, 2), &memory);
    try_addresses_exchange(&m, 0, try_addresses_dim(&m, 0, 1), &memory);
    claims_require(run, !memory && !try_addresses_placed(&m),
                   "the order within a block does not matter");
    try_addresses_close(&m);
}

/* --- Alignment -------------------------------------------------------------------------------- */

/* The slots between the first moves and the last are those of the origin, each alpha_0 xor the
 * parity of its block, and the last moves make the same of them again. */
static bool aligns(const struct ec_schedule *s, const struct try_multi *g)
{
    struct try_addresses m = {.blocks = g->blocks, .storage = 0};
    while (UINT32_C(1) << m.storage < g->per_node)
        m.storage++;
    memcpy(m.order, g->order, g->blocks * sizeof *g->order);
    const uint32_t all = (UINT32_C(1) << g->blocks) - 1;
    for (size_t i = 0; i < s->move_count; i++) {
        const struct ec_local_move *move = &s->moves[i];
        if (move->step != 1)
            continue;
        const uint32_t address =
            move->element / s->per_node << m.storage | move->element % s->per_node;
        if (move->slot !=
            ((address & ~all & (g->per_node - 1)) | try_addresses_coordinates(&m, address)))
            return false;
    }
    return true;
}

void try_multi_align(struct claims_run *run)
{
    uint64_t state = 133;
    for (struct try_multi g = try_multi(run); try_multi_next(&g);) {
        const struct try_shuffle x = try_multi_words(&g, 1);
        struct claims_seen seen;
        if (g.sigma_r > 8 || !g.audited || (g.per_node & (g.per_node - 1)))
            continue;
        if (g.per_node == UINT32_C(1) << g.blocks && g.blocks <= TRY_ADDRESSES_STORAGE &&
            !play_interleaved(run, &g, &state))
            return;
        if (!try_schedule(run, &x, "align", 1, 0, g.timed, &seen))
            return;
        claims_predicted(run, "elements that change slots on a link", 0);
        claims_audited(run, "elements that change slots on a link", seen.checked->shifted);
        claims_relate(run, seen.checked->shifted, CLAIMS_EQ, 0, "%s: moves with unequal addresses",
                      x.name);
        claims_case(run, aligns(seen.schedule, &g), "%s: the first moves", x.name);
    }
}

/* Elements that cross in exchanges of w in all dimensions of all blocks, and of those, the ones
 * whose bits `mask` of `aligned` change. */
struct moved {
    uint64_t crossing, changed;
};

static struct moved all_exchanges(const struct try_addresses *m, unsigned w, bool own_block,
                                  uint32_t (*aligned)(const struct try_addresses *m,
                                                      uint32_t address))
{
    struct moved n = {0, 0};
    for (unsigned b = 0; b < m->blocks; b++) {
        for (unsigned i = 1; (!own_block || b == w) && i <= m->order[b]; i++) {
            const unsigned d = try_addresses_dim(m, b, i);
            for (uint32_t e = 0; e < UINT32_C(1) << m->dims; e++) {
                const uint32_t to = e ^ UINT32_C(1) << w ^ UINT32_C(1) << d;
                if (!try_addresses_cross(e, w, d))
                    continue;
                n.crossing++;
                n.changed += aligned(m, e) != aligned(m, to);
            }
        }
    }
    return n;
}

static uint32_t same_parity(const struct try_addresses *m, uint32_t address)
{
    const uint32_t local = address & ((UINT32_C(1) << m->storage) - 1);
    return local ^ try_addresses_parity(m, 0, address) * 3;
}

static uint32_t aligned_v(const struct try_addresses *m, uint32_t address)
{
    uint32_t local = address & ((UINT32_C(1) << m->storage) - 1);
    for (unsigned b = 0; b < m->blocks; b++)
        local ^= try_addresses_parity(m, b, address) << (m->storage - 1);
    return local;
}

/* jh.multi.alignv: v and alpha_0 aligned by one parity; exchanges of both. */
void try_align_both(struct claims_run *run)
{
    for (unsigned r = 1; r <= (claims_is_full(run) ? 6 : 4); r++) {
        struct try_addresses m;
        if (!try_addresses_open(run, &m, &r, 1, true))
            return;
        const uint64_t mismatches = all_exchanges(&m, 0, true, same_parity).changed +
                                    all_exchanges(&m, 1, false, same_parity).changed;
        try_addresses_close(&m);
        claims_predicted(run, "mismatches", (uint64_t)r << (r + 2));
        claims_audited(run, "mismatches", mismatches);
        claims_require_equal(run, mismatches, (uint64_t)r << (r + 2), "r=%u: r 2^(r+2)", r);
        claims_relate(run, mismatches, CLAIMS_EQ, 0, "sigma_r=%u: moves with unequal addresses", r);
    }
}

/* Lemma 3: v xor the parity of all blocks; exchanges of v in any block have equal addresses at both
 * ends. It differs from v xor the parity of one block in half of the nodes. */
void try_lemma3(struct claims_run *run)
{
    const unsigned blocks = claims_is_full(run) ? 3 : 2, most = claims_is_full(run) ? 4 : 3;
    for (unsigned count = 2; count <= blocks; count++) {
        for (unsigned n = 0; n < (count == 2 ? most * most : most * most * most); n++) {
            const unsigned order[] = {n % most + 1, n / most % most + 1, n / most / most + 1};
            struct try_addresses m;
            uint64_t differ = 0;
            if (!try_addresses_open(run, &m, order, count, true))
                return;
            const struct moved v = all_exchanges(&m, count, false, aligned_v);
            for (uint32_t e = 0; e < UINT32_C(1) << m.dims; e++)
                differ += (aligned_v(&m, e) >> count) !=
                          ((e >> count & 1) ^ try_addresses_parity(&m, 0, e));
            claims_case(run, v.crossing > 0 && v.changed == 0, "orders %u,%u%s: v", order[0],
                        order[1], count > 2 ? ",..." : "");
            claims_case(run, differ == UINT64_C(1) << (m.dims - 1),
                        "orders %u,%u%s: subcubes do not differ", order[0], order[1],
                        count > 2 ? ",..." : "");
            try_addresses_close(&m);
        }
    }
}
