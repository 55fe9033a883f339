/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of exchanges of two address bits that make a left cyclic shift, and the shortest ones.
 *
 * Knows only arrangements of bits; must not know networks or schedules. */
#include <stdlib.h>

#include "claims/experiments/play.h"
#include "claims/experiments/values.h"

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
