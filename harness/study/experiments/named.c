/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of named permutations under E-cube routing: every element straight to its destination.
 *
 * Knows closed forms; loads come from the audit and from the link counters of runs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ec_cost_ecube.h"
#include "study/experiments/try.h"

enum { WORDS = 8 };

static unsigned last_dims(const struct claims_run *run)
{
    return claims_is_full(run) ? 12 : 5;
}

/* `name` is a workload up to its key m: "bitrev:", "kshuffle:k=2,". The audited load of the busiest
 * link is `load`, and the run counts WORDS times as many words. */
static bool load_is(struct claims_run *run, unsigned n, const char *name, bool high, uint64_t load,
                    struct claims_seen *seen)
{
    const bool timed = n <= (claims_is_full(run) ? 8 : 5);
    if (!claims_look(run, timed, seen, "cube:%u %sm=%d%s", n, name, WORDS,
                     high ? " --router order=high" : ""))
        return false;
    claims_predicted(run, "link load", load);
    claims_relate(run, seen->load, CLAIMS_EQ, load, "cube:%u %.*s%s: load", n,
                  (int)strlen(name) - 1, name, high ? ", highest first" : "");
    if (timed)
        claims_relate(run, seen->report->max_link_flits, CLAIMS_EQ, WORDS * load,
                      "cube:%u %.*s%s: words on the busiest link", n, (int)strlen(name) - 1, name,
                      high ? ", highest first" : "");
    return true;
}

/* 2^min(k-1, n-k) lowest first, 2^min(n-k-1, k) highest first. */
void try_kshuffle_load(struct claims_run *run)
{
    char name[32];
    struct claims_seen seen;
    for (unsigned n = 2; n <= last_dims(run); n++) {
        for (unsigned k = 1; k < n; k++) {
            snprintf(name, sizeof name, "kshuffle:k=%u,", k);
            if (!load_is(run, n, name, false, ec_cost_ecube_k_shuffle(n, k, false), &seen) ||
                !load_is(run, n, name, true, ec_cost_ecube_k_shuffle(n, k, true), &seen))
                return;
        }
        if (n >= 3 && (!load_is(run, n, "shuffle:", false, 1, &seen) ||
                       !load_is(run, n, "shuffle:", true, 2, &seen) ||
                       !load_is(run, n, "unshuffle:", false, 2, &seen) ||
                       !load_is(run, n, "unshuffle:", true, 1, &seen)))
            return;
    }
}

/* The sum over all links of messages, for the average: hops of all messages. */
static void average_is(struct claims_run *run, const struct claims_seen *seen, const char *name,
                       unsigned n, uint64_t numerator, uint64_t denominator)
{
    claims_relate(run, seen->audit->total_hops * denominator, CLAIMS_EQ,
                  numerator * seen->audit->channels, "cube:%u %s: average load times %" PRIu64, n,
                  name, denominator);
}

/* Transpose 2^(n/2-1), bit reversal 2^(floor(n/2)-1), vector reversal 1; averages 1/2, for odd bit
 * reversal (n-1)/2n, and 1. */
void try_named_load(struct claims_run *run)
{
    struct claims_seen seen;
    for (unsigned n = 2; n <= last_dims(run); n++) {
        for (int high = 0; high <= 1; high++) {
            if (n % 2 == 0) {
                if (!load_is(run, n, "transpose:", high, ec_cost_ecube_transpose(n), &seen))
                    return;
                average_is(run, &seen, "transpose", n, 1, 2);
            }
            if (!load_is(run, n, "bitrev:", high, ec_cost_ecube_bit_reversal(n), &seen))
                return;
            if (n % 2 == 0)
                average_is(run, &seen, "bitrev", n, 1, 2);
            else
                average_is(run, &seen, "bitrev", n, n - 1, 2 * n);
            if (!load_is(run, n, "bitcomp:", high, ec_cost_ecube_vector_reversal(n), &seen))
                return;
            average_is(run, &seen, "bitcomp", n, 1, 1);
        }
    }
}

/* K elements of every node as one message, straight to its destination: at least load x K cycles.
 */
static bool direct_cycles(struct claims_run *run, unsigned n, const char *name, uint32_t k)
{
    struct claims_seen seen;
    if (!claims_measure(run, &seen, "cube:%u %s:m=%" PRIu32, n, name, k))
        return false;
    const uint64_t bound = (uint64_t)seen.load * k;
    claims_predicted(run, "cycles >=", bound);
    claims_relate(run, seen.cycles, CLAIMS_GE, bound, "cube:%u %s K=%" PRIu32 ": cycles", n, name,
                  k);
    return true;
}

/* The real GSH of all n node bits above `storage` local ones: the shuffle, or (with `pairs`) the
 * bit reversal. Its schedule's elements on the busiest link, and its steps. */
static bool real_schedule(struct claims_run *run, unsigned n, bool pairs, const char *algorithm,
                          uint64_t *ret_elements, uint32_t *ret_steps)
{
    enum { STORAGE = 4 };
    char cycle[80] = "";
    struct claims_seen seen;
    for (unsigned i = 0; i < (pairs ? n / 2 : n); i++) {
        const unsigned high = STORAGE + n - 1 - i, low = STORAGE + i;
        if (pairs)
            claims_add(cycle, sizeof cycle, "%s%u-%u", i ? "+" : "", high, low);
        else
            claims_add(cycle, sizeof cycle, "%s%u", i ? "-" : "", high);
    }
    if (!claims_audit(run, &seen, "cube:%u gsh:cycle=%s,K=%u --algorithm %s", n, cycle,
                      1U << STORAGE, algorithm) ||
        !claims_require(run, seen.checked->valid, "%s: %s", algorithm, seen.checked->defect))
        return false;
    *ret_elements = seen.checked->max_link_elements;
    *ret_steps = seen.steps;
    return true;
}

/* ours.router.cycles: cycles of direct runs; and the ratios 2r/(r+1) of the shuffle's load K to the
 * steps of A1, 2^floor(n/2) of bit reversal's to the link load of A2 squared. */
void try_router_cycles(struct claims_run *run)
{
    static const char *const names[] = {"shuffle", "unshuffle", "bitrev", "bitcomp"};
    const uint32_t elements = 16; /* of a node */
    uint64_t busiest;
    uint32_t steps;
    for (unsigned n = 2; n <= (claims_is_full(run) ? 8 : 5); n++) {
        for (uint32_t k = 1; k <= 64; k *= claims_is_full(run) ? 2 : 8) {
            for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
                if (!direct_cycles(run, n, names[i], k))
                    return;
            }
        }
    }
    for (unsigned r = 2; r <= 4; r += 2) { /* 2r divides K */
        if (!real_schedule(run, r, false, "a1-concurrent", &busiest, &steps))
            return;
        claims_relate(run, 2 * r * steps, CLAIMS_EQ, (r + 1) * elements,
                      "shuffle, r=%u: K over the steps of A1 is 2r/(r+1)", r);
    }
    for (unsigned n = 2; n <= 6; n++) {
        if (!real_schedule(run, n, true, "a2x2", &busiest, &steps))
            return;
        claims_relate(run, ec_cost_ecube_bit_reversal(n) * elements, CLAIMS_EQ,
                      ec_cost_ecube_bit_reversal_over_a22(n) * busiest,
                      "bit reversal, n=%u: link load against A2 squared", n);
    }
}
