/* SPDX-License-Identifier: Apache-2.0 */
/* Explains the names of all grids.
 *
 * Must not know the claims that use them. */
#include "claims/grids.h"

#include <string.h>

static const struct {
    const char *name, *quick, *full;
} names[] = {
    {"RING", "ring:p, p=2..16, all q", "ring:p, p=2..33 and 64, all q"},
    {"LINE", "mesh:p, p=2..12, all q", "mesh:p, p=2..33, all q"},
    {"TOR", "torus:sxs, s=2..5, all q",
     "torus:sxs; audited: s=2..16, all q; on RTL: s<=8 all q, above 32 q for each s"},
    {"CUBE", "cube:d, d=1..5, all q",
     "cube:d; audited: d=1..12, all q; on RTL: d<=8 all q (algorithms with many steps: d<=6), "
     "above 16 q for each d up to 10"},
    {"MIX", "one block, sigma_r<=4, K=2..16",
     "audited: sigma_r<=8, K=2..128 and, where stated, every even K (every 16th above 2^14 "
     "elements in total); on RTL: sigma_r<=6 for K<=24 and powers of two, samples up to 10"},
    {"MUL", "beta=2, orders <=3 and 4,1; 4,2; 5,4, K=4..20",
     "beta<=4, orders <=6, sigma_r<=12, K<=128; audited: up to 2^14 elements in total, samples up "
     "to 2^17; on RTL: sigma_r<=6 all, samples up to 10"},
    {"REAL", "sigma_r<=4, K=1..16",
     "audited: sigma_r<=8, K<=128 (every 16th above 2^14 elements in total); on RTL: sigma_r<=6 "
     "for K<=24 and powers of two, samples up to 10"},
    {"TWO", "beta<=2 two-cycles, K<=16", "beta<=5 two-cycles, K<=128"},
    {"SDP", "50 pseudo-random, m<=6, real, mixed, virtual, complements",
     "2000 pseudo-random, m<=12; on RTL: 100 of them, n<=6"},
    {"NAM", "named permutations, n<=5, all splits into processor and storage dimensions",
     "named permutations; audited: n<=12; on RTL: n<=6, samples up to 10"},
    {"ECP", "n+e<=4, e<=2, K<=16", "audited: e<=8, n+e<=10, K<=1024; on RTL: n+e<=8"},
    {"PKT", "m in {1, 8}, ts in {0, 7}; blocks: B in {1, 2, K/2}",
     "m in {1, 2, 7, 64}, ts in {0, 1, 7, 50, 200}; blocks: all B<=K/2"},
    {"FIG", "the one instance of the figure or example",
     "the one instance of the figure or example"},
};

const char *claims_grid(const char *name, size_t length, bool full)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i].name) == length && strncmp(names[i].name, name, length) == 0)
            return full ? names[i].full : names[i].quick;
    }
    return NULL;
}
