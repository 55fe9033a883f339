/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of named permutations under E-cube routing: every element straight to its destination.
 *
 * Knows closed forms; loads come from the audit and from the link counters of runs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "try.h"

enum { WORDS = 8 };

static unsigned last_dims(const struct claims_run *run)
{
    return claims_is_full(run) ? 12 : 5;
}

static uint32_t power(unsigned exponent)
{
    return UINT32_C(1) << exponent;
}

/* `name` is a workload up to its key m: "bitrev:", "kshuffle:k=2,". The audited load of the busiest
 * link is `load`, and the run counts WORDS times as many words. */
static bool load_is(struct claims_run *run, unsigned n, const char *name, bool high, uint32_t load,
                    struct claims_seen *seen)
{
    const bool timed = n <= (claims_is_full(run) ? 8 : 5);
    if (!claims_look(run, timed, seen, "cube:%u %sm=%d%s", n, name, WORDS,
                     high ? " --router order=high" : ""))
        return false;
    claims_predicted(run, "link load", load);
    claims_relate(run, seen->load, CLAIMS_EQ, load, "cube:%u %.*s%s", n, (int)strlen(name) - 1,
                  name, high ? ", highest first" : "");
    if (timed)
        claims_relate(run, seen->report->max_link_flits, CLAIMS_EQ, WORDS * (uint64_t)load,
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
            if (!load_is(run, n, name, false, power(claims_min(k - 1, n - k)), &seen) ||
                !load_is(run, n, name, true, power(claims_min(n - k - 1, k)), &seen))
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
                if (!load_is(run, n, "transpose:", high, power(n / 2 - 1), &seen))
                    return;
                average_is(run, &seen, "transpose", n, 1, 2);
            }
            if (!load_is(run, n, "bitrev:", high, power(n / 2 - 1), &seen))
                return;
            if (n % 2 == 0)
                average_is(run, &seen, "bitrev", n, 1, 2);
            else
                average_is(run, &seen, "bitrev", n, n - 1, 2 * n);
            if (!load_is(run, n, "bitcomp:", high, 1, &seen))
                return;
            average_is(run, &seen, "bitcomp", n, 1, 1);
        }
    }
}
