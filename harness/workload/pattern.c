/* SPDX-License-Identifier: Apache-2.0 */
/* The maps of the named patterns. Knows labels, address bits and coordinates; must not know links,
 * routing or time. Where the field's definitions of a pattern differ, ec_workload_list() states
 * ours. */
#include "workload/pattern.h"

#include "base/rng.h"

/* Keeps the draws of a permutation apart from the nodes' streams of the same seed. */
#define PERMUTATION_STREAM UINT64_C(0x7065726d)

static uint32_t gray(uint32_t i)
{
    return i ^ i >> 1;
}

static uint32_t gray_inverse(uint32_t g)
{
    for (unsigned s = 1; s < 32; s *= 2)
        g ^= g >> s;
    return g;
}

uint32_t ec_pattern_shift(const struct ec_pattern *p, uint32_t src)
{
    uint32_t i = p->gray ? gray_inverse(src) : src;
    uint32_t j = (i + p->q) % p->t->nodes; /* no overflow: nodes <= 2^24 */

    return p->gray ? gray(j) : j;
}

uint32_t ec_pattern_complement(const struct ec_pattern *p, uint32_t src)
{
    return src ^ (p->t->nodes - 1);
}

uint32_t ec_pattern_reverse(const struct ec_pattern *p, uint32_t src)
{
    uint32_t dst = 0;

    for (unsigned i = 0; i < p->bits; i++)
        dst |= (src >> i & 1) << (p->bits - 1 - i);
    return dst;
}

uint32_t ec_pattern_rotate(const struct ec_pattern *p, uint32_t src)
{
    return (src << p->k | src >> (p->bits - p->k)) & (p->t->nodes - 1);
}

bool ec_pattern_square(const struct ec_topology *t)
{
    return (t->kind == EC_MESH || t->kind == EC_TORUS) && t->dims == 2 &&
           t->radix[0] == t->radix[1];
}

uint32_t ec_pattern_transpose(const struct ec_pattern *p, uint32_t src)
{
    if (ec_pattern_square(p->t))
        return src % p->t->radix[0] * p->t->radix[0] + src / p->t->radix[0];

    unsigned half = p->bits / 2;
    return src >> half | (src & ((UINT32_C(1) << half) - 1)) << half;
}

/* Every coordinate moved up by step(radix), modulo the radix. */
static uint32_t move(const struct ec_topology *t, uint32_t src, uint32_t (*step)(uint32_t radix))
{
    uint32_t dst = 0;

    for (unsigned d = 0; d < t->dims; d++) {
        uint32_t r = t->radix[d];
        dst += (ec_topology_coord(t, src, d) + step(r)) % r * t->stride[d];
    }
    return dst;
}

static uint32_t tornado_step(uint32_t radix)
{
    return (radix + 1) / 2 - 1;
}

static uint32_t neighbor_step(uint32_t radix)
{
    return 1 % radix;
}

uint32_t ec_pattern_tornado(const struct ec_pattern *p, uint32_t src)
{
    return move(p->t, src, tornado_step);
}

uint32_t ec_pattern_neighbor(const struct ec_pattern *p, uint32_t src)
{
    return move(p->t, src, neighbor_step);
}

void ec_pattern_permutation(uint64_t seed, uint32_t count, uint32_t *ret_map)
{
    uint64_t key = ec_rng_key(seed, PERMUTATION_STREAM);

    for (uint32_t i = 0; i < count; i++)
        ret_map[i] = i;
    for (uint32_t i = count; i-- > 1;) { /* Fisher and Yates */
        uint32_t j = (uint32_t)ec_rng_below(ec_rng_draw(key, i), (uint64_t)i + 1);
        uint32_t other = ret_map[j];
        ret_map[j] = ret_map[i];
        ret_map[i] = other;
    }
}
