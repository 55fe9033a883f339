/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the grids of shifts and packets, quick and full, and explains the names of all grids.
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

/* --- Shifts ----------------------------------------------------------------------------------- */

struct claims_family {
    uint32_t first_size;
    uint32_t (*nodes)(uint32_t size);
};

static uint32_t as_many(uint32_t size)
{
    return size;
}
static uint32_t squared(uint32_t size)
{
    return size * size;
}
static uint32_t power_of_two(uint32_t size)
{
    return UINT32_C(1) << size;
}

static const struct claims_family rings = {2, as_many}, tori = {2, squared},
                                  cubes = {1, power_of_two};

static struct claims_shift shifts(const struct claims_family *f, uint32_t last_size)
{
    return (struct claims_shift){
        .size = f->first_size - 1,
        .last = true,
        .family = f,
        .last_size = last_size,
        .all_timed = last_size,
        .timed_size = last_size,
    };
}

struct claims_shift claims_ring(const struct claims_run *run)
{
    struct claims_shift g = shifts(&rings, claims_is_full(run) ? 33 : 16);
    g.extra_size = claims_is_full(run) ? 64 : 0;
    g.all_timed = g.timed_size = claims_max(g.last_size, g.extra_size);
    return g;
}

struct claims_shift claims_line(const struct claims_run *run)
{
    return shifts(&rings, claims_is_full(run) ? 33 : 12);
}

struct claims_shift claims_torus(const struct claims_run *run)
{
    struct claims_shift g = shifts(&tori, claims_is_full(run) ? 16 : 5);
    g.all_timed = claims_min(g.last_size, 8);
    g.sampled = 32;
    return g;
}

struct claims_shift claims_cube(const struct claims_run *run)
{
    struct claims_shift g = shifts(&cubes, claims_is_full(run) ? 12 : 5);
    g.all_timed = claims_min(g.last_size, 8);
    g.sampled = 16;
    g.timed_size = claims_min(g.last_size, 10);
    return g;
}

struct claims_shift claims_cube_steps(const struct claims_run *run)
{
    struct claims_shift g = claims_cube(run);
    g.all_timed = claims_min(g.last_size, 6);
    return g;
}

/* Selects about `count` of the p - 1 shifts of a large network, the same ones in every run. The
 * fixed multiplier scatters the selected shifts. */
static bool in_sample(uint32_t q, uint32_t nodes, uint32_t count)
{
    return (uint64_t)q * 2654435761U % nodes < count;
}

bool claims_next(struct claims_shift *g)
{
    if (g->last) {
        if (g->size >= g->last_size) {
            if (g->extra_size <= g->size)
                return false;
            g->size = g->extra_size;
        } else {
            g->size++;
        }
        g->nodes = g->family->nodes(g->size);
        g->q = 0;
    }
    g->q++;
    g->last = g->q + 1 == g->nodes;
    g->timed = g->size <= g->all_timed ||
               (g->size <= g->timed_size && in_sample(g->q, g->nodes, g->sampled));
    return true;
}

/* --- Packets ---------------------------------------------------------------------------------- */

struct claims_packet claims_packets(const struct claims_run *run)
{
    return (struct claims_packet){.full = claims_is_full(run)};
}

bool claims_next_packet(struct claims_packet *p)
{
    static const uint32_t m[2][5] = {{1, 8}, {1, 2, 7, 64}};
    static const uint32_t ts[2][6] = {{0, 7}, {0, 1, 7, 50, 200}};
    static const unsigned m_count[2] = {2, 4}, ts_count[2] = {2, 5};
    unsigned i = p->index++;
    p->m = m[p->full][i % m_count[p->full]];
    p->ts = ts[p->full][i / m_count[p->full] % 6];
    return i < m_count[p->full] * ts_count[p->full];
}
