/* SPDX-License-Identifier: Apache-2.0 */
/* Named permutations and their bit maps, and the node-disjoint paths of the cube.
 *
 * Knows the formulas of Johnsson and Ho, sections 1 and 2; the maps tried are those of the library.
 */
#include <inttypes.h>

#include "ecube/sdp.h"
#include "study/experiments/try.h"

/* --- Named permutations
 * ------------------------------------------------------------------------------------ */

static uint32_t rotated(uint32_t a, unsigned n, unsigned left)
{
    const uint32_t mask = (UINT32_C(1) << n) - 1;
    left %= n;
    return left ? ((a << left) | (a >> (n - left))) & mask : a;
}

static bool is_map(const struct ec_workload *w, unsigned n, int which, unsigned k)
{
    for (size_t i = 0; i < w->message_count; i++) {
        const uint32_t a = w->messages[i].src;
        uint32_t to = ~a & ((UINT32_C(1) << n) - 1);
        if (which == 0) {
            to = rotated(a, n, k);
        } else if (which == 1) {
            to = 0;
            for (unsigned b = 0; b < n; b++)
                to |= (a >> b & 1) << (n - 1 - b);
        }
        if (w->messages[i].dst != to)
            return false;
    }
    return true;
}

/* Shuffles, bit reversal and vector reversal have the printed bit maps. */
void try_named_maps(struct claims_run *run)
{
    struct claims_seen seen;
    for (unsigned n = 1; n <= (claims_is_full(run) ? 12 : 5); n++) {
        for (unsigned k = 1; k < n; k++) {
            if (!claims_audit(run, &seen, "cube:%u kshuffle:k=%u", n, k))
                return;
            claims_case(run, is_map(seen.workload, n, 0, k), "n=%u, %u-shuffle", n, k);
        }
        if (!claims_audit(run, &seen, "cube:%u shuffle", n))
            return;
        claims_case(run, is_map(seen.workload, n, 0, 1), "n=%u, shuffle", n);
        if (!claims_audit(run, &seen, "cube:%u unshuffle", n))
            return;
        claims_case(run, is_map(seen.workload, n, 0, n - 1), "n=%u, unshuffle", n);
        if (!claims_audit(run, &seen, "cube:%u bitrev", n))
            return;
        claims_case(run, is_map(seen.workload, n, 1, 0), "n=%u, bit reversal", n);
        if (!claims_audit(run, &seen, "cube:%u bitcomp", n))
            return;
        claims_case(run, is_map(seen.workload, n, 2, 0), "n=%u, vector reversal", n);
    }
}

/* The shuffle of m bits (all in storage), `times` times over. */
static struct ec_sdp shuffles(unsigned m, unsigned times, bool left)
{
    struct ec_sdp one = ec_sdp_identity(m, 0), all = ec_sdp_identity(m, 0);
    for (unsigned i = 0; i < m; i++)
        one.from[i] = (uint8_t)((i + (left ? m - 1 : 1)) % m);
    for (unsigned t = 0; t < times; t++)
        all = ec_sdp_compose(&all, &one);
    return all;
}

/* Transposing 2^p x 2^q: p shuffles, or q unshuffles. */
void try_transpose(struct claims_run *run)
{
    const unsigned most = claims_is_full(run) ? 6 : 3;
    for (unsigned p = 1; p <= most; p++) {
        for (unsigned q = 1; q <= most; q++) {
            const struct ec_sdp s = shuffles(p + q, p, true), u = shuffles(p + q, q, false);
            bool same = true;
            for (uint64_t row = 0; row < UINT64_C(1) << p; row++) {
                for (uint64_t column = 0; column < UINT64_C(1) << q; column++) {
                    const uint64_t a = row << q | column, to = column << p | row;
                    same &= ec_sdp_apply(&s, a) == to && ec_sdp_apply(&u, a) == to;
                }
            }
            claims_case(run, same, "2^%u x 2^%u", p, q);
        }
    }
}

/* Consecutive (element j in node j div K) to cyclic (node j mod p) is n unshuffles of the machine
 * address, back n shuffles. */
void try_allocations(struct claims_run *run)
{
    static const char *const names[] = {"tocyclic", "toconsecutive"};
    for (unsigned n = 1; n <= (claims_is_full(run) ? 8 : 5); n++) {
        for (unsigned k = 1; k <= (claims_is_full(run) ? 6 : 4); k++) {
            for (int back = 0; back <= 1; back++) {
                struct claims_seen seen;
                bool same = true;
                if (!claims_audit(run, &seen, "cube:%u %s:K=%u", n, names[back], 1U << k))
                    return;
                const struct ec_sdp s = shuffles(n + k, n, back);
                if (!claims_require(run, seen.workload->sdp != NULL, "%s has no bit map",
                                    names[back]))
                    return;
                for (uint64_t j = 0; j < UINT64_C(1) << (n + k); j++) {
                    const uint64_t cyclic = (j & ((1U << n) - 1)) << k | j >> n;
                    const uint64_t from = back ? cyclic : j, to = back ? j : cyclic;
                    same &= ec_sdp_apply(seen.workload->sdp, from) == to;
                    same &= ec_sdp_apply(&s, from) == to;
                }
                claims_case(run, same, "n=%u, K=%u, %s", n, 1U << k, names[back]);
            }
        }
    }
}

/* --- Paths of the cube
 * ----------------------------------------------------------------------------------- */

/* Walk the path number `path` from 0 to 2^d - 1: the d dimensions cyclically from `path` on, or a
 * detour over dimension `path` >= d first and last. Counts the visits of inner nodes. */
static unsigned walk(unsigned d, unsigned path, uint8_t *visits)
{
    uint32_t at = 0;
    unsigned length = 0;
    const bool detour = path >= d;
    for (unsigned i = 0; i < d + 2 * detour; i++) {
        unsigned dim = (path + i) % (d ? d : 1);
        if (detour)
            dim = i == 0 || i == d + 1 ? path : i - 1;
        at ^= 1U << dim;
        length++;
        if (i + 1 < d + 2 * detour)
            visits[at]++;
    }
    return at == (1U << d) - 1 ? length : 0;
}

/* At distance d there are d node-disjoint paths of length d and n - d of length d + 2, all of them
 * disjoint: constructed and compared node by node. */
void try_disjoint_paths(struct claims_run *run)
{
    for (unsigned n = 1; n <= (claims_is_full(run) ? 10 : 5); n++) {
        for (unsigned d = 1; d <= n; d++) {
            uint8_t visits[1 << 10] = {0};
            unsigned shortest = 0, longer = 0;
            bool disjoint = true;
            for (unsigned path = 0; path < n; path++) {
                const unsigned length = walk(d, path, visits);
                shortest += length == d;
                longer += length == d + 2;
            }
            for (uint32_t node = 0; node < 1U << n; node++)
                disjoint &= visits[node] <= 1;
            claims_predicted(run, "paths", n);
            claims_audited(run, "paths", shortest + longer);
            claims_case(run, disjoint && shortest == d && longer == n - d, "n=%u, d=%u", n, d);
        }
    }
}
