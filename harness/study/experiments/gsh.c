/* SPDX-License-Identifier: Apache-2.0 */
/* Generalized shuffles (GSH): grids, words, and what a schedule of steps must always show.
 *
 * Knows the grammar of workloads and the closed form of one packet over one link; must not know
 * any algorithm or bound. */
#include "study/experiments/gsh.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ec_cost.h"

enum { DEPTH = 4 /* the router's default */, ALL_TIMED = 6 };

/* --- Grids ------------------------------------------------------------------------------------ */

static struct try_gsh grid(const struct claims_run *run, uint32_t first, unsigned order)
{
    const bool full = claims_is_full(run);
    return (struct try_gsh){
        .order = order - 1,
        .full = full,
        .first_order = order,
        .last_order = full ? 10 : 4,
        .first = first,
        .last = full ? 128 : 16,
        .per_node = UINT32_MAX / 4,
    };
}

struct try_gsh try_mixed_grid(const struct claims_run *run, uint32_t first, bool even)
{
    struct try_gsh g = grid(run, first, 1);
    g.even = even;
    return g;
}

struct try_gsh try_real_grid(const struct claims_run *run, uint32_t first)
{
    struct try_gsh g = grid(run, first, 2);
    g.real = true;
    return g;
}

/* Small cubes run for K up to 24 and for powers of two; of larger ones a sample. */
static bool in_sample(const struct try_gsh *g)
{
    const uint32_t k = g->per_node;
    if (!g->full)
        return true;
    if (g->order <= ALL_TIMED)
        return k <= 24 || (k & (k - 1)) == 0;
    return k == 4 || k == (g->order % 2 ? 16 : 32) || k == 2 * g->order + 2;
}

/* To 2^14 elements every K of the row, above them multiples of 16; beyond 8 dimensions samples. */
static bool in_grid(const struct try_gsh *g)
{
    if (g->order <= 8)
        return (uint64_t)g->per_node << g->order <= 1U << 14 || (g->per_node & 15) == 0;
    return in_sample(g);
}

bool try_gsh_next(struct try_gsh *g)
{
    do {
        const uint32_t next = g->even ? g->per_node + 2 : g->per_node * 2;
        if (next > g->last) {
            if (g->order >= g->last_order)
                return false;
            g->order++;
            g->per_node = g->first;
        } else {
            g->per_node = next;
        }
    } while (!in_grid(g));
    g->timed = in_sample(g);
    return true;
}

struct try_gsh try_mixed_one(unsigned order, uint32_t per_node)
{
    return (struct try_gsh){.order = order, .per_node = per_node, .timed = true};
}

/* --- Words ------------------------------------------------------------------------------------ */

void try_gsh_words(const struct try_gsh *g, char *buffer, size_t size)
{
    const unsigned k = claims_storage(g->per_node), last = g->real ? g->order - 1 : g->order;
    *buffer = '\0';
    claims_add(buffer, size, "cube:%u gsh:cycle", g->order + g->spectators);
    for (unsigned i = last + 1; i-- > 0;) {
        const unsigned dim = g->real ? k + i : i == 0 ? 0 : k + i - 1;
        claims_add(buffer, size, "%c%s%u", i == last ? '=' : '-', g->inverted >> i & 1 ? "~" : "",
                   dim);
    }
    claims_add(buffer, size, ",K=%" PRIu32, g->per_node);
}

void try_gsh_name(const struct try_gsh *g, char *buffer, size_t size)
{
    snprintf(buffer, size, TRY_GSH_CASE, TRY_GSH(g));
}

/* --- Schedules -------------------------------------------------------------------------------- */

/* Elements of the longest packet of the step that begins at *transfer, which moves on to the next
 * step. */
static uint32_t longest_packet(const struct ec_schedule *s, size_t *transfer)
{
    const uint32_t step = s->transfers[*transfer].step;
    uint32_t longest = 0;
    for (; *transfer < s->transfer_count && s->transfers[*transfer].step == step; (*transfer)++)
        longest = claims_max(longest, s->transfers[*transfer].count);
    return longest;
}

uint64_t try_transfers(const struct ec_schedule *s)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->transfer_count;)
        sum += longest_packet(s, &i);
    return sum;
}

static uint64_t step_cycles(const struct ec_schedule *s, uint32_t startup)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->transfer_count;) {
        const uint64_t words = (uint64_t)longest_packet(s, &i) * s->words;
        sum += ec_cost_wormhole(1, words, words, startup, DEPTH);
    }
    return sum;
}

bool try_play(struct claims_run *run, bool timed, const char *text, struct claims_seen *ret)
{
    if (!claims_audit(run, ret, "%s", text) ||
        !claims_require(run, ret->checked->valid && ret->load <= 1, "%s: %s", text,
                        ret->checked->defect))
        return false;
    /* With one port, messages of different steps meet in the ports of their nodes. */
    if (timed && ret->schedule->all_ports &&
        (!claims_measure(run, ret, "%s --sync data", text) ||
         !claims_require_uncontended(run, ret, "%s: contended cycles", text)))
        return false;
    if (timed && !claims_measure(run, ret, "%s", text))
        return false;
    if (!timed)
        return true;
    const uint64_t cycles = step_cycles(ret->schedule, ret->startup);
    claims_predicted(run, "cycles", cycles);
    return claims_require_uncontended(run, ret, "%s: contended cycles", text) &&
           claims_require_equal(run, ret->cycles, cycles, "%s: cycles of %" PRIu32 " steps", text,
                                ret->steps);
}

bool try_words_play(struct claims_run *run, bool timed, const char *words, const char *algorithm,
                    struct try_pace pace, struct claims_seen *ret)
{
    char block[32] = "", startup[32] = "", text[300];
    if (pace.block)
        snprintf(block, sizeof block, "%sblock=%" PRIu32, strchr(algorithm, ':') ? "," : ":",
                 pace.block);
    if (pace.startup)
        snprintf(startup, sizeof startup, " --startup %" PRIu32, pace.startup);
    snprintf(text, sizeof text, "%s --algorithm %s%s%s", words, algorithm, block, startup);
    return try_play(run, timed, text, ret);
}

bool try_gsh_play(struct claims_run *run, const struct try_gsh *g, const char *algorithm,
                  struct try_pace pace, struct claims_seen *ret)
{
    char words[200];
    try_gsh_words(g, words, sizeof words);
    return try_words_play(run, g->timed, words, algorithm, pace, ret);
}

bool try_machine(struct claims_run *run, struct try_machine *ret)
{
    enum { MORE = 8 };
    struct claims_seen one, more;
    if (!claims_measure_single(run, &one, "cube:3", 0, 1, 1, 0, NULL))
        return false;
    const uint64_t first = one.cycles;
    if (!claims_measure_single(run, &more, "cube:3", 0, 1, 1 + MORE, 0, NULL))
        return false;
    ret->tc = (more.cycles - first) / MORE;
    ret->tau = first - ret->tc;
    return claims_require_equal(run, first + ret->tc * MORE, more.cycles, "a packet of %d words",
                                1 + MORE);
}

uint64_t try_cycles(const struct try_machine *m, uint64_t transfers, uint64_t startups,
                    uint32_t startup)
{
    return transfers * m->tc + startups * (m->tau + startup);
}

/* --- Elements --------------------------------------------------------------------------------- */

bool try_trace_open(struct try_trace *t, const struct ec_schedule *s)
{
    const uint32_t count = s->holders * s->per_node;
    *t = (struct try_trace){.s = s, .at = calloc((size_t)count + 1, sizeof *t->at)};
    for (uint32_t e = 0; t->at && e < count; e++)
        t->at[e] = (struct ec_place){e / s->per_node, e % s->per_node};
    return t->at != NULL;
}

void try_trace_close(struct try_trace *t)
{
    free(t->at);
    t->at = NULL;
}

void try_trace_move(struct try_trace *t)
{
    const struct ec_schedule *s = t->s;
    for (; t->move < s->move_count && s->moves[t->move].step <= t->step + 1; t->move++)
        t->at[s->moves[t->move].element].slot = s->moves[t->move].slot;
}

void try_trace_go(struct try_trace *t)
{
    const struct ec_schedule *s = t->s;
    t->step++;
    for (; t->transfer < s->transfer_count && s->transfers[t->transfer].step == t->step;
         t->transfer++) {
        const struct ec_transfer *x = &s->transfers[t->transfer];
        for (uint32_t i = x->first; i < x->first + x->count; i++)
            t->at[s->carried[i].element] = (struct ec_place){x->dst, s->carried[i].slot};
    }
}

uint32_t *try_link_elements(const struct ec_topology *t, const struct ec_schedule *s)
{
    const unsigned links = ec_topology_links(t);
    uint32_t *count = calloc((size_t)s->nodes * links + 1, sizeof *count);
    for (size_t i = 0; count && i < s->transfer_count; i++) {
        const struct ec_transfer *x = &s->transfers[i];
        for (unsigned link = 0; link < links; link++)
            if (ec_topology_neighbor(t, x->src, link) == x->dst)
                count[(size_t)x->src * links + link] += x->count;
    }
    return count;
}

bool try_row_at(const struct ec_schedule *s, size_t first, struct try_row *ret)
{
    unsigned lowest = UINT_MAX;
    if (first >= s->exchange_count)
        return false;
    for (size_t i = 0; i < s->exchange_count; i++)
        lowest = claims_min(lowest, s->exchanges[i].processor);
    *ret = (struct try_row){first, first, s->exchanges[first].processor != lowest};
    while (ret->end < s->exchange_count && s->exchanges[ret->end].row == s->exchanges[first].row)
        ret->end++;
    return true;
}

uint32_t try_drawn(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}
