/* SPDX-License-Identifier: Apache-2.0 */
/* One mixed GSH: rows that do not start in the first dimension, what they must synchronise, and
 * what can be aligned.
 *
 * Knows the rules of the paper; checks them on schedules, and element by element on sets of
 * four. */
#include <stdlib.h>
#include <string.h>

#include "claims/experiments/play.h"

/* The orders and K for which the published schedule has rows that start elsewhere: from K =
 * 2(sigma_r + 1) on, or, with `few`, from 10. */
struct starts_grid {
    struct gsh g;
    unsigned last_order;
    uint32_t last;
    bool few;
};

static struct starts_grid starts_grid(const struct claims_run *run, bool few)
{
    struct starts_grid x = {.g = mixed_one(4, 8), .few = few};
    x.last_order = claims_is_full(run) ? 8 : 6;
    x.last = claims_is_full(run) ? 32 : 20;
    return x;
}

static bool starts_next(struct starts_grid *x)
{
    x->g.per_node += 2;
    if (x->g.per_node > x->last) {
        if (++x->g.order > x->last_order)
            return false;
        x->g.per_node = x->few ? 10 : 2 * (x->g.order + 1);
    }
    x->g.timed = x->g.order <= 6;
    return true;
}

/* --- Sets of four, element by element --------------------------------------------------------- */

/* Elements by machine address: bit 0 is alpha_0, bit 1 v, bit 1 + i alpha_i; and their aligned
 * places in the nodes. */
struct set {
    unsigned r, start;
    uint32_t count;
    uint32_t *at;
    bool wrong;          /* an element in two exchanges of a step, or two on a link */
    uint32_t mismatches; /* elements whose aligned place changed during a crossing */
};

static bool set_open(struct set *s, unsigned r, unsigned start)
{
    *s = (struct set){.r = r, .start = start, .count = 4U << r};
    s->at = malloc(s->count * sizeof *s->at);
    for (uint32_t e = 0; s->at && e < s->count; e++)
        s->at[e] = e;
    return s->at != NULL;
}

/* The place of an element, aligned on v: v is inverted in odd nodes. */
static uint32_t place_of(uint32_t at)
{
    return (at & 3) ^ (__builtin_parity(at >> 2) ? 2 : 0);
}

static void cross(struct set *s, uint32_t e, unsigned bit, unsigned i)
{
    const uint32_t at = s->at[e];
    if ((at >> bit & 1) == (at >> (1 + i) & 1))
        return;
    s->at[e] = at ^ 1U << bit ^ 1U << (1 + i);
    s->mismatches += place_of(s->at[e]) != place_of(at);
}

/* Applies the exchanges of `step`. Phase 1: row alpha_0 = b exchanges v with start..r from step 1 +
 * b. Phase 2: row v = u exchanges alpha_0 with 1..start from step `second` + u. */
static void set_step(struct set *s, unsigned step, unsigned second)
{
    for (uint32_t e = 0; e < s->count; e++) {
        const uint32_t at = s->at[e];
        const unsigned b = at & 1, u = at >> 1 & 1;
        const unsigned one = step - 1 - b + s->start, two = step - second - u + 1;
        const bool first = step >= 1 + b && one <= s->r;
        const bool then = step >= second + u && two <= s->start;
        s->wrong |= first && then;
        if (first)
            cross(s, e, 1, one);
        else if (then)
            cross(s, e, 0, two);
    }
}

static void swap_local(struct set *s)
{
    for (uint32_t e = 0; e < s->count; e++)
        s->at[e] = (s->at[e] & ~3U) | (s->at[e] & 1) << 1 | (s->at[e] >> 1 & 1);
}

/* Is alpha_i <- alpha_(i-1) and alpha_0 <- alpha_r, with v unchanged? */
static bool set_is_right(const struct set *s)
{
    bool right = !s->wrong;
    for (uint32_t e = 0; e < s->count; e++) {
        uint32_t to = (e & 2) | e >> (s->r + 1) | (e & 1) << 2;
        for (unsigned i = 2; i <= s->r; i++)
            to |= (e >> i & 1) << (1 + i);
        right &= s->at[e] == to;
    }
    return right;
}

/* Phase 2 can start at any step after both rows finish phase 1, with a final swap. One step earlier
 * or without the swap it is wrong. In the schedules the wait is at least one step. */
void experiment_synchronisation(struct claims_run *run)
{
    for (unsigned r = 2; r <= (claims_is_full(run) ? 7U : 5U); r++) {
        for (unsigned start = 2; start <= r; start++) {
            const unsigned through = r - start + 2; /* last step of phase 1 */
            for (unsigned second = through; second <= through + 4; second++) {
                for (int swap = 0; swap <= 1; swap++) {
                    struct set s;
                    if (!claims_require(run, set_open(&s, r, start), "out of memory"))
                        return;
                    for (unsigned step = 1; step <= second + r + 1; step++)
                        set_step(&s, step, second);
                    if (swap)
                        swap_local(&s);
                    const bool right = set_is_right(&s);
                    claims_case_if(run, swap && second > through, right,
                                   "sigma_r=%u, start %u, phase 2 in step %u, %s swap: %s", r,
                                   start, second, swap ? "with" : "without",
                                   right ? "right" : "elements end elsewhere");
                    free(s.at);
                }
            }
        }
    }
    for (struct starts_grid x = starts_grid(run, false); starts_next(&x);) {
        struct claims_seen seen;
        if (!play_gsh(run, &x.g, "concurrent", PLAIN_PACE, &seen))
            return;
    }
}

/* Rows of v and alpha_0, aligned on v; all exchanges of one before those of the other. `swapped`: v
 * and alpha_0 are swapped in between and v is used throughout. Returns the number of elements whose
 * local addresses differ at the two ends. */
static uint32_t aligned_mismatches(unsigned r, unsigned start, bool swapped, bool *ret_right)
{
    struct set s;
    if (!set_open(&s, r, start))
        return UINT32_MAX;
    for (unsigned i = start; i <= r; i++)
        for (uint32_t e = 0; e < s.count; e++)
            cross(&s, e, 1, i);
    if (swapped)
        swap_local(&s);
    for (unsigned i = 1; i <= start; i++)
        for (uint32_t e = 0; e < s.count; e++)
            cross(&s, e, swapped ? 1 : 0, i);
    if (!swapped)
        swap_local(&s);
    *ret_right = set_is_right(&s);
    free(s.at);
    return s.mismatches;
}

/* Align on v, swap v and alpha_0 at the synchronisation, continue with v: addresses are always
 * equal, and no swap is needed at the end. */
void experiment_align_swap(struct claims_run *run)
{
    for (unsigned r = 2; r <= (claims_is_full(run) ? 8U : 4U); r++) {
        for (unsigned start = 2; start <= r; start++) {
            bool right = false;
            const uint32_t count = aligned_mismatches(r, start, true, &right);
            claims_relate(run, count, CLAIMS_EQ, 0, "sigma_r=%u, start %u: other local addresses",
                          r, start);
            claims_case(run, right, "sigma_r=%u, start %u: elements end elsewhere", r, start);
            const uint32_t without = aligned_mismatches(r, start, false, &right);
            claims_require(run, right && without > 0, "sigma_r=%u, start %u: without the swap, %u",
                           r, start, without);
        }
    }
    for (struct starts_grid x = starts_grid(run, false); starts_next(&x);) {
        struct claims_seen seen;
        if (!play_gsh(run, &x.g, "concurrent", PLAIN_PACE, &seen))
            return;
    }
}

/* Dimensions that do not move change neither the table of exchanges nor the steps. */
static bool spectators_change_nothing(struct claims_run *run, const struct gsh *g,
                                      const char *algorithm)
{
    struct claims_seen seen;
    struct gsh more = *g;
    struct ec_exchange cells[512];
    uint32_t steps = 0;
    size_t count = 0;
    for (more.spectators = 0; more.spectators <= 3; more.spectators++) {
        if (!play_gsh(run, &more, algorithm, PLAIN_PACE, &seen))
            return false;
        if (more.spectators == 0) {
            steps = seen.steps;
            count = seen.schedule->exchange_count;
            if (count <= sizeof cells / sizeof *cells)
                memcpy(cells, seen.schedule->exchanges, count * sizeof *cells);
        }
        bool same = seen.schedule->exchange_count == count && seen.steps == steps;
        for (size_t i = 0; same && i < count && i < sizeof cells / sizeof *cells; i++)
            same = cells[i].row == seen.schedule->exchanges[i].row &&
                   cells[i].step == seen.schedule->exchanges[i].step &&
                   cells[i].storage == seen.schedule->exchanges[i].storage &&
                   cells[i].processor == seen.schedule->exchanges[i].processor;
        claims_require(run, same, GSH_CASE ", %s: %u spectators change it", GSH_ARGS(g), algorithm,
                       more.spectators);
        if (strcmp(algorithm, "align") == 0)
            claims_relate_if(run, true, seen.checked->shifted, CLAIMS_EQ, 0,
                             GSH_CASE ", %u spectators: other local addresses", GSH_ARGS(g),
                             more.spectators);
    }
    return true;
}

/* Alignment is on the exchanged dimension, by the parity of the shuffle's own dimensions. Rows of v
 * and alpha_0, aligned on v, keep their addresses only up to the synchronisation. */
void experiment_spectators(struct claims_run *run)
{
    static const char *const algorithms[] = {"align", "concurrent", "parity"};
    for (unsigned r = 1; r <= (claims_is_full(run) ? 6U : 3U); r++) {
        for (uint32_t k = 2; k <= (claims_is_full(run) ? 32U : 8U); k *= 2) {
            const struct gsh g = mixed_one(r, k);
            for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
                if (!spectators_change_nothing(run, &g, algorithms[a]))
                    return;
        }
        claims_without_command(run);
        for (unsigned start = 2; start <= r; start++) {
            bool right = false;
            claims_relate_if(run, false, aligned_mismatches(r, start, false, &right), CLAIMS_EQ, 0,
                             "sigma_r=%u, start %u, alpha_0 after v: other local addresses", r,
                             start);
        }
    }
}
