/* SPDX-License-Identifier: Apache-2.0 */
/* Several constituting GSH, element by element: interleaved exchanges, aligned addresses,
 * pairs of locations.
 *
 * Moves elements by exchanging address bits and compares schedules with the result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims/experiments/play.h"
#include "ecube/sdp.h"

/* --- Addresses -------------------------------------------------------------------------------- */

enum { experiment_ADDRESSES_STORAGE = 4 };

/* Storage dimensions: alpha_0 of block b is b, then v; the processor dimensions of all blocks
 * follow in order. `at[e]` is the current address of the element that was at address e. */
struct addresses {
    unsigned blocks, order[experiment_ADDRESSES_STORAGE], storage, dims;
    uint32_t *at;
    uint32_t *row; /* the row of an element, constant */
    uint32_t rows;
};

/* Does the element at this address move when w and d are exchanged? */
static inline bool addresses_cross(uint32_t address, unsigned w, unsigned d)
{
    return (address >> w & 1) != (address >> d & 1);
}

/* False: out of memory; the experiment must return. */
static bool addresses_open(struct claims_run *run, struct addresses *m, const unsigned *order,
                           unsigned blocks, bool with_v)
{
    *m = (struct addresses){.blocks = blocks, .storage = blocks + with_v, .dims = blocks + with_v};
    for (unsigned b = 0; b < blocks; b++)
        m->dims += m->order[b] = order[b];
    m->at = calloc(UINT32_C(2) << m->dims, sizeof *m->at);
    if (!claims_require(run, m->at != NULL, "out of memory"))
        return false;
    m->row = m->at + (UINT32_C(1) << m->dims);
    for (uint32_t e = 0; e < UINT32_C(1) << m->dims; e++)
        m->at[e] = e;
    return true;
}

static void addresses_close(struct addresses *m)
{
    free(m->at);
}

/* alpha_i of block b, i >= 1. */
static unsigned addresses_dim(const struct addresses *m, unsigned b, unsigned i)
{
    unsigned d = m->storage + i - 1;
    while (b-- > 0)
        d += m->order[b];
    return d;
}

/* The parity of the processor bits of block b. */
static uint32_t addresses_parity(const struct addresses *m, unsigned b, uint32_t address)
{
    const unsigned first = addresses_dim(m, b, 1);
    return claims_ones(address >> first & ((UINT32_C(1) << m->order[b]) - 1)) & 1;
}

/* X_b = alpha_0 of block b xor the parity of block b, as bits. */
static uint32_t addresses_coordinates(const struct addresses *m, uint32_t address)
{
    uint32_t x = 0;
    for (unsigned b = 0; b < m->blocks; b++)
        x |= ((address >> b & 1) ^ addresses_parity(m, b, address)) << b;
    return x;
}

/* Exchanges w with d in every row. False unless in every node exactly one of two elements of each
 * row crosses. Out of memory: *reterr, and false. */
static bool addresses_exchange(const struct addresses *m, unsigned w, unsigned d, bool *reterr)
{
    const uint32_t nodes = UINT32_C(1) << (m->dims - m->storage);
    uint8_t *count = calloc((size_t)nodes * m->rows * 2, 1);
    bool one_of_two = count != NULL;
    *reterr |= count == NULL;
    for (uint32_t e = 0; count && e < UINT32_C(1) << m->dims; e++) {
        uint8_t *here = &count[2 * ((m->at[e] >> m->storage) * m->rows + m->row[e])];
        here[0]++;
        if (addresses_cross(m->at[e], w, d)) {
            here[1]++;
            m->at[e] ^= UINT32_C(1) << w ^ UINT32_C(1) << d;
        }
    }
    for (size_t i = 0; one_of_two && i < (size_t)nodes * m->rows; i++) /* 0: no such row */
        one_of_two = count[2 * i] == 0 || (count[2 * i] == 2 && count[2 * i + 1] == 1);
    free(count);
    return one_of_two;
}

/* Rows: pairs of complementary coordinates; v, where there is one, tells rows apart. */
static void addresses_pair(struct addresses *m)
{
    const uint32_t all = (UINT32_C(1) << m->blocks) - 1;
    for (uint32_t e = 0; e < UINT32_C(1) << m->dims; e++) {
        const uint32_t x = addresses_coordinates(m, e),
                       v = e >> m->blocks & (m->storage > m->blocks);
        m->row[e] = claims_min(x, x ^ all) | v << m->blocks;
    }
    m->rows = UINT32_C(2) << m->blocks;
}

/* Do all processor bits and alpha_0 of every block hold what the constituting GSH move there:
 * alpha_i <- alpha_(i-1), alpha_0 <- alpha_r? */
static bool addresses_placed(const struct addresses *m)
{
    for (uint32_t e = 0; e < UINT32_C(1) << m->dims; e++) {
        for (unsigned b = 0; b < m->blocks; b++) {
            unsigned below = b;
            for (unsigned i = 1; i <= m->order[b]; i++) {
                const unsigned d = addresses_dim(m, b, i);
                if ((m->at[e] >> d & 1) != (e >> below & 1))
                    return false;
                below = d;
            }
            if ((m->at[e] >> b & 1) != (e >> below & 1))
                return false;
        }
    }
    return true;
}

enum { STEPS_MAX = 40 };

/* --- Interleaving --------------------------------------------------------------------------------
 */

/* Draws an interleaving of the blocks' sequences: block[k] is the block of exchange k. */
static unsigned interleave(const struct addresses *m, uint64_t *state, unsigned *block)
{
    unsigned count = 0, left = 0;
    for (unsigned b = 0; b < m->blocks; b++)
        for (unsigned i = 0; i < m->order[b]; i++)
            block[count++] = b;
    for (left = count; left > 1; left--) {
        const unsigned j = draw_below(state, left), x = block[j];
        block[j] = block[left - 1];
        block[left - 1] = x;
    }
    return count;
}

/* Applies an interleaving to all elements: each exchange moves one of the two elements of every row
 * and keeps aligned addresses, and all reach their places. */
static bool play_interleaved(struct claims_run *run, const struct multi *g, uint64_t *state)
{
    struct addresses m;
    unsigned block[STEPS_MAX], next[experiment_ADDRESSES_STORAGE] = {0};
    const struct shuffle x = multi_words(g, 1);
    bool right = true, memory = false;
    if (!addresses_open(run, &m, g->order, g->blocks, false))
        return false;
    addresses_pair(&m);
    const unsigned count = interleave(&m, state, block);
    for (unsigned k = 0; k < count; k++) {
        const unsigned b = block[k], d = addresses_dim(&m, b, ++next[b]);
        for (uint32_t e = 0; e < UINT32_C(1) << m.dims; e++) {
            const uint32_t to = m.at[e] ^ UINT32_C(1) << b ^ UINT32_C(1) << d;
            if (addresses_cross(m.at[e], b, d))
                right &= addresses_coordinates(&m, to) == addresses_coordinates(&m, m.at[e]);
        }
        right &= addresses_exchange(&m, b, d, &memory);
    }
    right &= addresses_placed(&m);
    addresses_close(&m);
    claims_case(run, right, "%s", x.name);
    return claims_require(run, !memory, "out of memory");
}

void experiment_multi_interleave(struct claims_run *run)
{
    uint64_t state = 130;
    const unsigned times = claims_is_full(run) ? 20 : 3;
    for (struct multi g = multi_grid(run); multi_next(&g);) {
        if (g.per_node != UINT32_C(1) << g.blocks && !(g.blocks < 3 && g.per_node == 4))
            continue;
        for (unsigned i = 0; g.sigma_r <= 8 && i < times; i++)
            if (!play_interleaved(run, &g, &state))
                return;
    }
    /* negative control: with the exchanges of one block in another order, elements end elsewhere */
    struct addresses m;
    static const unsigned two[] = {2};
    bool memory = false;
    if (!addresses_open(run, &m, two, 1, false))
        return;
    addresses_pair(&m);
    addresses_exchange(&m, 0, addresses_dim(&m, 0, 2), &memory);
    addresses_exchange(&m, 0, addresses_dim(&m, 0, 1), &memory);
    claims_require(run, !memory && !addresses_placed(&m),
                   "the order within a block does not matter");
    addresses_close(&m);
}

/* --- Alignment -------------------------------------------------------------------------------- */

/* Follows the machine addresses of all elements through a schedule: an element that crosses
 * dimension d has d exchanged with the storage dimension that the table names for this step. */
struct followed {
    struct addresses m; /* of the whole address; at[] as below */
    uint32_t *at;       /* machine address of each element */
    uint8_t *storage;   /* of step and dimension; UINT8_MAX: none */
};

static void followed_close(struct followed *f)
{
    free(f->at);
    free(f->storage);
}

static bool followed_open(struct claims_run *run, const struct ec_schedule *s,
                          const struct multi *g, struct followed *f)
{
    const size_t cells = ((size_t)s->steps + 1) * EC_SDP_DIMS_MAX;
    *f = (struct followed){.m = {.blocks = g->blocks, .storage = claims_storage(g->per_node)},
                           .at = calloc((size_t)s->nodes * s->per_node, sizeof *f->at),
                           .storage = malloc(cells)};
    memcpy(f->m.order, g->order, g->blocks * sizeof *g->order);
    if (!claims_require(run, f->at && f->storage, "out of memory")) {
        followed_close(f);
        return false;
    }
    for (uint32_t e = 0; e < s->nodes * s->per_node; e++)
        f->at[e] = e / s->per_node << f->m.storage | e % s->per_node;
    memset(f->storage, UINT8_MAX, cells);
    for (size_t i = 0; i < s->exchange_count; i++) {
        const struct ec_exchange *x = &s->exchanges[i];
        f->storage[(size_t)x->step * EC_SDP_DIMS_MAX + x->processor] = x->storage;
    }
    return true;
}

/* The local address with each alpha_0 xor the parity of its own block. */
static uint32_t own_parity(const struct followed *f, uint32_t address)
{
    const uint32_t all = (UINT32_C(1) << f->m.blocks) - 1;
    return (address & ~all & ((UINT32_C(1) << f->m.storage) - 1)) |
           addresses_coordinates(&f->m, address);
}

/* Does every transfer of the schedule keep the aligned local address of its elements? `slots`: it
 * is the slot at both ends, too, from the first local moves to the last. */
static bool keeps_aligned(const struct ec_schedule *s, struct followed *f, struct trace *t,
                          bool slots)
{
    bool right = true;
    for (size_t i = 0; i < s->transfer_count; i++) {
        const struct ec_transfer *x = &s->transfers[i];
        const unsigned d = f->m.storage + (unsigned)__builtin_ctz(x->src ^ x->dst);
        const uint8_t w = f->storage[(size_t)x->step * EC_SDP_DIMS_MAX + d];
        while (t->step < x->step - 1)
            trace_go(t);
        trace_move(t);
        for (uint32_t k = x->first; k < x->first + x->count && w != UINT8_MAX; k++) {
            const struct ec_carried *c = &s->carried[k];
            uint32_t *at = &f->at[c->element];
            const uint32_t before = own_parity(f, *at);
            right &= addresses_cross(*at, w, d) && *at >> f->m.storage == x->src;
            right &= !slots || t->at[c->element].slot == before;
            *at ^= UINT32_C(1) << w | UINT32_C(1) << d;
            right &= own_parity(f, *at) == before && (!slots || c->slot == before);
        }
        right &= w != UINT8_MAX;
    }
    return right;
}

/* Realigning is the same operation, after which only the virtual GSH is left. */
static bool realigns(const struct ec_schedule *s, const struct ec_sdp *of, const struct followed *f,
                     struct trace *t, bool slots)
{
    struct ec_sdp_cycle cycle[EC_SDP_DIMS_MAX / 2], part[EC_SDP_DIMS_MAX / 2], rest;
    bool right = ec_sdp_cycles(of, cycle) == 1 &&
                 ec_sdp_factor(cycle, of->storage, part, &rest) == f->m.blocks;
    struct ec_sdp last = ec_sdp_identity(of->storage, of->processor);
    for (unsigned k = 0; k < rest.length; k++) {
        last.from[rest.dim[k]] = rest.dim[(k + rest.length - 1) % rest.length];
        last.complement |= (rest.complement >> k & 1) << rest.dim[k];
    }
    trace_go(t);
    for (uint32_t e = 0; right && e < s->nodes * s->per_node; e++) {
        const uint32_t local = UINT32_C(1) << f->m.storage, aligned = own_parity(f, f->at[e]),
                       again = own_parity(f, (f->at[e] & ~(local - 1)) | aligned);
        const uint64_t to = ec_sdp_apply(&last, (f->at[e] & ~(local - 1)) | again);
        right = again == (f->at[e] & (local - 1)) && to >> f->m.storage == s->target[e].node &&
                (to & (local - 1)) == s->target[e].slot && (!slots || t->at[e].slot == aligned);
    }
    return right;
}

static bool aligned_case(struct claims_run *run, const struct multi *g, const char *algorithm,
                         bool slots)
{
    const struct shuffle x = multi_words(g, 1);
    struct claims_seen seen;
    struct followed f;
    struct trace t;
    if (!play_blocks(run, &x, algorithm, g->timed, &seen) ||
        !followed_open(run, seen.schedule, g, &f))
        return false;
    bool good = claims_require(run, trace_open(&t, seen.schedule), "out of memory");
    if (good) {
        claims_case(run, keeps_aligned(seen.schedule, &f, &t, slots),
                    "%s, %s: local addresses of the exchanges", x.name, algorithm);
        claims_case(run, realigns(seen.schedule, seen.workload->sdp, &f, &t, slots),
                    "%s, %s: realigned", x.name, algorithm);
        if (slots)
            claims_relate(run, seen.checked->shifted, CLAIMS_EQ, 0,
                          "%s, %s: moves with unequal addresses", x.name, algorithm);
    }
    trace_close(&t);
    followed_close(&f);
    return good;
}

/* jh.multi.align: in every exchange of all blocks, of the schedule with alignment slot by slot, and
 * of the pipelined and AAPC schedules with the addresses that alignment would give them. */
void experiment_multi_align(struct claims_run *run)
{
    for (struct multi g = multi_grid(run); multi_next(&g);) {
        if (g.sigma_r > 8 || !g.audited || (g.per_node & (g.per_node - 1)))
            continue;
        claims_predicted(run, "elements that change slots on a link", 0);
        if (!aligned_case(run, &g, "align", true) || !aligned_case(run, &g, "pipelined", false) ||
            !aligned_case(run, &g, "aapc", false))
            return;
    }
}

/* --- Pairs ------------------------------------------------------------------------------------ */

/* Does a matching of coordinates (partner[x]) give rows of which every exchange moves one
 * element? */
static bool pairs_work(struct claims_run *run, const unsigned *order, unsigned blocks,
                       const uint32_t *partner)
{
    struct addresses m;
    bool right = true, memory = false;
    if (!addresses_open(run, &m, order, blocks, false))
        return false;
    for (uint32_t e = 0; e < UINT32_C(1) << m.dims; e++) {
        const uint32_t x = addresses_coordinates(&m, e);
        m.row[e] = claims_min(x, partner[x]);
    }
    m.rows = UINT32_C(1) << blocks;
    for (unsigned b = 0; b < blocks; b++)
        for (unsigned i = 1; i <= order[b]; i++)
            right &= addresses_exchange(&m, b, addresses_dim(&m, b, i), &memory);
    addresses_close(&m);
    claims_require(run, !memory, "out of memory");
    return right;
}

static void bits(uint32_t x, unsigned n, char *text)
{
    for (unsigned i = 0; i < n; i++)
        text[i] = x >> (n - 1 - i) & 1 ? '1' : '0';
    text[n] = '\0';
}

static void pairs_text(const uint32_t *partner, unsigned blocks, char *text)
{
    *text = '\0';
    for (uint32_t x = 0; x < UINT32_C(1) << blocks; x++) {
        char a[8], b[8];
        if (partner[x] < x)
            continue;
        bits(x, blocks, a);
        bits(partner[x], blocks, b);
        sprintf(text + strlen(text), "(%s,%s)", a, b);
    }
}

/* Reports all matchings of 2^blocks coordinates. */
static void each_matching(struct claims_run *run, const unsigned *order, unsigned blocks,
                          uint32_t *partner, uint32_t used)
{
    const uint32_t size = UINT32_C(1) << blocks;
    uint32_t x = 0;
    while (x < size && used >> x & 1)
        x++;
    if (x == size) {
        bool complementary = true;
        char text[80];
        for (uint32_t y = 0; y < size; y++)
            complementary &= partner[y] == (y ^ (size - 1));
        pairs_text(partner, blocks, text);
        const bool right = pairs_work(run, order, blocks, partner);
        const char *does = right ? "work" : "do not work";
        if (claims_with(run) == 1)
            claims_case(run, right == complementary, "pairs %s %s", text, does);
        else
            claims_case_if(run, complementary, right, "pairs %s %s", text, does);
        return;
    }
    for (uint32_t y = x + 1; y < size; y++) {
        if (used >> y & 1)
            continue;
        partner[x] = y;
        partner[y] = x;
        each_matching(run, order, blocks, partner, used | UINT32_C(1) << x | UINT32_C(1) << y);
    }
}

/* jh.pair.multi: only pairs of complementary values of all control dimensions work. The printed
 * list for three, (000,111) (001,101) (011,100), pairs 001 with a value that is not its complement.
 * with: 1 the correction. */
void experiment_pairs(struct claims_run *run)
{
    static const unsigned two[] = {1, 2}, three[] = {1, 1, 2};
    uint32_t partner[8] = {0};
    if (claims_with(run) == 0)
        each_matching(run, two, 2, partner, 0);
    each_matching(run, three, 3, partner, 0);
    claims_remark(
        run,
        "the complementary pairs of three dimensions are (000,111)(001,110)(010,101)(011,100); "
        "the paper prints (000,111), (001,101), (011,100)");
}
