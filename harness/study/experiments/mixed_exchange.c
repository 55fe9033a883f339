/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of exchanges of two address bits that make a left cyclic shift, and the shortest ones.
 *
 * Knows only arrangements of bits; must not know networks or schedules. */
#include <stdlib.h>

#include "study/experiments/play.h"

enum { BITS_MAX = 9 };

/* The old bit that each bit holds, and whether it is inverted. */
struct bits {
    unsigned count;
    uint8_t old[BITS_MAX];
    uint32_t inverted;
    unsigned used[BITS_MAX];
};

static struct bits bits_of(unsigned count)
{
    struct bits b = {.count = count};
    for (unsigned i = 0; i < count; i++)
        b.old[i] = (uint8_t)i;
    return b;
}

/* Exchanges bits x and y. A bit that receives its final value is inverted if its bit of
 * `complement` is set: "complementing the appropriate bits in the exchange operation". The shift
 * has `sigma` bits; higher bits are extra. */
static void exchange(struct bits *b, unsigned sigma, unsigned x, unsigned y, uint32_t complement)
{
    const unsigned both[] = {x, y};
    const uint8_t old = b->old[x];
    const uint32_t differ = (b->inverted >> x ^ b->inverted >> y) & 1;
    b->old[x] = b->old[y];
    b->old[y] = old;
    b->inverted ^= differ << x | differ << y;
    for (int i = 0; i < 2; i++) {
        const unsigned at = both[i];
        b->used[at]++;
        if (at < sigma && b->old[at] == (at + sigma - 1) % sigma && complement >> at & 1)
            b->inverted ^= 1U << at;
    }
}

/* Do the first `sigma` bits hold the bit below, inverted as required, and all others their own? */
static bool is_shift(const struct bits *b, unsigned sigma, uint32_t complement)
{
    bool right = b->inverted == complement;
    for (unsigned i = 0; i < b->count; i++)
        right &= b->old[i] == (i < sigma ? (i + sigma - 1) % sigma : i);
    return right;
}

static unsigned last_sigma(const struct claims_run *run)
{
    return claims_is_full(run) ? 7 : 5;
}

/* (i, i-1), (i-1, i-2), ..., `count` pairs. */
static struct bits adjacent(unsigned sigma, unsigned i, unsigned count, uint32_t complement)
{
    struct bits b = bits_of(sigma);
    for (unsigned j = 0; j < count; j++)
        exchange(&b, sigma, (i + sigma - j) % sigma, (i + 2 * sigma - j - 1) % sigma, complement);
    return b;
}

/* f <-> f+1, f+2, ..., f-1. */
static struct bits fixed(unsigned sigma, unsigned f, uint32_t complement)
{
    struct bits b = bits_of(sigma);
    for (unsigned j = 1; j < sigma; j++)
        exchange(&b, sigma, f, (f + j) % sigma, complement);
    return b;
}

/* v <-> i, i+1, ..., i-1, i with v = bit sigma. The first exchange only saves a bit in v. */
static struct bits extra(unsigned sigma, unsigned i, uint32_t complement)
{
    struct bits b = bits_of(sigma + 1);
    for (unsigned j = 0; j <= sigma; j++)
        exchange(&b, sigma, sigma, (i + j) % sigma, complement);
    return b;
}

/* Adjacent pairs going right: sigma - 1 pairs, the last being (i+2, i+1). Ending with the pair left
 * of the first, (i+1, i), would take sigma pairs. with: 1 only the correction. */
void experiment_exchange_adjacent(struct claims_run *run)
{
    for (unsigned sigma = 2; sigma <= last_sigma(run); sigma++) {
        for (unsigned i = 0; i < sigma; i++) {
            for (uint32_t c = 0; c < 1U << sigma; c++) {
                for (unsigned pairs = sigma - 1; pairs <= sigma; pairs++) {
                    const struct bits b = adjacent(sigma, i, pairs, c);
                    if (claims_with(run) == 1) {
                        claims_case(run, is_shift(&b, sigma, c) == (pairs == sigma - 1),
                                    "sigma=%u, from pair (%u,%u): %u pairs", sigma, i,
                                    (i + sigma - 1) % sigma, pairs);
                        continue;
                    }
                    const bool shift = is_shift(&b, sigma, c);
                    claims_case_if(run, pairs == sigma - 1, shift,
                                   "sigma=%u, from pair (%u,%u) to the pair left of it: %u pairs, "
                                   "%s shift",
                                   sigma, i, (i + sigma - 1) % sigma, pairs, shift ? "the" : "no");
                }
            }
        }
        claims_predicted(run, "exchanges", sigma - 1);
    }
}

void experiment_exchange_fixed(struct claims_run *run)
{
    for (unsigned sigma = 2; sigma <= last_sigma(run); sigma++) {
        claims_predicted(run, "exchanges", sigma - 1);
        for (unsigned f = 0; f < sigma; f++) {
            for (uint32_t c = 0; c < 1U << sigma; c++) {
                const struct bits b = fixed(sigma, f, c);
                claims_case(run, is_shift(&b, sigma, c), "sigma=%u, fixed %u, complements %x",
                            sigma, f, c);
            }
        }
    }
}

void experiment_exchange_extra(struct claims_run *run)
{
    for (unsigned sigma = 2; sigma <= last_sigma(run); sigma++) {
        claims_predicted(run, "exchanges", sigma + 1);
        for (unsigned i = 0; i < sigma; i++) {
            for (uint32_t c = 0; c < 1U << sigma; c++) {
                const struct bits b = extra(sigma, i, c);
                claims_case(run, is_shift(&b, sigma, c), "sigma=%u, from %u, complements %x", sigma,
                            i, c);
            }
        }
        /* there, v is bit 0 and bits 1..sigma shift */
        claims_relate(run, least_exchanges(sigma + 1, 1, 0, 0), CLAIMS_EQ, sigma + 1,
                      "sigma=%u: the least exchanges with v, by search", sigma);
    }
}

/* The number of times that each sequence uses each dimension. */
void experiment_exchange_usage(struct claims_run *run)
{
    for (unsigned sigma = 2; sigma <= last_sigma(run); sigma++) {
        for (unsigned i = 0; i < sigma; i++) {
            const struct bits a = adjacent(sigma, i, sigma - 1, 0), f = fixed(sigma, i, 0),
                              e = extra(sigma, i, 0);
            for (unsigned d = 0; d < sigma; d++) {
                const bool ends = d == i || d == (i + 1) % sigma;
                claims_relate(run, a.used[d], CLAIMS_EQ, ends ? 1 : 2,
                              "sigma=%u, adjacent pairs from %u: uses of %u", sigma, i, d);
                claims_relate(run, f.used[d], CLAIMS_EQ, d == i ? sigma - 1 : 1,
                              "sigma=%u, fixed %u: uses of %u", sigma, i, d);
                claims_relate(run, e.used[d], CLAIMS_EQ, d == i ? 2 : 1,
                              "sigma=%u, with v from %u: uses of %u", sigma, i, d);
            }
            claims_relate(run, e.used[sigma], CLAIMS_EQ, sigma + 1,
                          "sigma=%u, with v from %u: uses of v", sigma, i);
        }
    }
}

/* --- The shortest sequences, by search -------------------------------------------------------- */

/* The index of an arrangement in lexical order. */
static uint32_t number_of(const uint8_t *old, unsigned count)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned below = 0;
        for (unsigned j = i + 1; j < count; j++)
            below += old[j] < old[i];
        number = number * (count - i) + below;
    }
    return number;
}

struct reached {
    uint8_t old[BITS_MAX];
    uint8_t cost;
};

struct search {
    unsigned count, fixed, start;
    struct reached *list; /* by cost; free exchanges are added immediately */
    uint32_t listed;
    bool *seen;
};

/* Arrangements before and after the first real exchange count as different: `begun`. */
static void reach(struct search *s, const struct reached *from, unsigned x, unsigned y)
{
    struct reached to = *from;
    const uint8_t old = to.old[x];
    to.old[x] = to.old[y];
    to.old[y] = old;
    to.cost = (uint8_t)(to.cost + (y > s->fixed));
    const uint32_t number = 2 * number_of(to.old, s->count) + (to.cost > 0);
    if (s->seen[number])
        return;
    s->seen[number] = true;
    s->list[s->listed++] = to;
}

static bool is_goal(const struct reached *r, unsigned count, unsigned first)
{
    bool right = true;
    for (unsigned i = 0; i < count; i++)
        right &= r->old[i] == (i < first ? i : i == first ? count - 1 : i - 1);
    return right;
}

/* Adds all arrangements with the cost of list[from], by free exchanges. */
static void reach_free(struct search *s, uint32_t from)
{
    for (uint32_t i = from; i < s->listed; i++)
        for (unsigned x = 0; x <= s->fixed; x++)
            for (unsigned y = x + 1; y <= s->fixed; y++)
                reach(s, &s->list[i], x, y);
}

static unsigned search_all(struct search *s, unsigned first)
{
    uint32_t from = 0;
    for (unsigned i = 0; i < s->count; i++)
        s->list[0].old[i] = (uint8_t)i;
    s->list[0].cost = 0;
    s->listed = 1;
    for (;;) {
        reach_free(s, from);
        const uint32_t end = s->listed;
        for (uint32_t i = from; i < end; i++)
            if (is_goal(&s->list[i], s->count, first))
                return s->list[i].cost;
        for (uint32_t i = from; i < end; i++)
            for (unsigned x = 0; x <= s->fixed; x++)
                for (unsigned y = s->fixed + 1; y < s->count; y++)
                    if (s->list[i].cost > 0 || s->start == 0 || y == s->start)
                        reach(s, &s->list[i], x, y);
        if (s->listed == end)
            return UINT8_MAX;
        from = end;
    }
}

unsigned least_exchanges(unsigned count, unsigned first, unsigned fixed, unsigned start)
{
    size_t all = 2;
    struct search s = {.count = count, .fixed = fixed, .start = start};
    for (unsigned i = 2; i <= count; i++)
        all *= i;
    s.list = calloc(all + 1, sizeof *s.list);
    s.seen = calloc(all, sizeof *s.seen);
    const unsigned least = s.list && s.seen ? search_all(&s, first) : UINT8_MAX;
    free(s.list);
    free(s.seen);
    return least;
}

/* --- Where a sequence starts ------------------------------------------------------------------ */

/* Counts the exchanges of rows that do not start in alpha_1. */
static bool rows_elsewhere(struct claims_run *run, const struct gsh *g, const char *algorithm)
{
    struct claims_seen seen;
    struct table_row row;
    if (!play_gsh(run, g, algorithm, (struct pace){0}, &seen))
        return false;
    for (size_t i = 0; table_row_at(seen.schedule, i, &row); i = row.end) {
        if (!row.elsewhere)
            continue;
        claims_audited(run, "exchanges of a row", row.end - row.first);
        claims_relate(run, row.end - row.first, CLAIMS_EQ, g->order + 1, GSH_CASE ", %s: row %u",
                      GSH_ARGS(g), algorithm, seen.schedule->exchanges[i].row);
    }
    return true;
}

/* Starting elsewhere takes sigma_r + 1 exchanges: the rows of the schedules do, and by search no
 * sequence with alpha_0 and v takes fewer. */
void experiment_start_elsewhere(struct claims_run *run)
{
    for (struct gsh g = mixed_grid(run, 4, false); gsh_next(&g);)
        if (!rows_elsewhere(run, &g, "concurrent") || !rows_elsewhere(run, &g, "parity"))
            return;
    for (unsigned r = 2; r <= 5; r++) {
        /* bit 0 is v, bit 1 alpha_0, bit 1 + i alpha_i */
        claims_require_equal(run, least_exchanges(r + 2, 1, 1, 2), r, "sigma_r=%u from 1", r);
        for (unsigned s = 2; s <= r; s++) {
            claims_predicted(run, "exchanges of a row", r + 1);
            claims_relate(run, least_exchanges(r + 2, 1, 1, s + 1), CLAIMS_EQ, r + 1,
                          "sigma_r=%u: the least exchanges from %u, by search", r, s);
        }
    }
}

/* With only alpha_0, another start cannot do it in sigma_r + 1 exchanges and takes one more. From
 * alpha_1, alpha_0 is sufficient. */
void experiment_start_without_v(struct claims_run *run)
{
    for (unsigned r = 2; r <= 5; r++) {
        claims_require_equal(run, least_exchanges(r + 1, 0, 0, 1), r, "sigma_r=%u from 1", r);
        for (unsigned s = 2; s <= r; s++) {
            const unsigned least = least_exchanges(r + 1, 0, 0, s);
            claims_case(run, least > r + 1, "sigma_r=%u: %u exchanges from %u", r, least, s);
            claims_require_equal(run, least, r + 2, "sigma_r=%u from %u", r, s);
        }
    }
    for (struct gsh g = mixed_grid(run, 2, false); gsh_next(&g);) {
        struct claims_seen seen;
        if (g.order > 6 || !play_gsh(run, &g, "pipelined", (struct pace){0}, &seen))
            return;
        for (size_t i = 0; i < seen.schedule->exchange_count; i++)
            claims_require_equal(run, seen.schedule->exchanges[i].storage, 0,
                                 GSH_CASE ": storage dimension of a row", GSH_ARGS(&g));
    }
}
