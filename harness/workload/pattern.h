/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns: pure maps from a source label to a destination label. Nothing is sent here. */
#ifndef EC_PATTERN_H
#define EC_PATTERN_H

#include "ecube/topology.h"

/* What a map may depend on besides the label. */
struct ec_pattern {
    const struct ec_topology *t;
    unsigned bits; /* n, for 2^n nodes; 0 where the number of nodes is no power of two */
    uint32_t q;    /* distance of a shift, 0 < q < nodes */
    bool gray;     /* shift on a ring laid into the cube by the Gray code */
    unsigned k;    /* bits of a rotation, k < bits (0 for bits = 0 or 1) */
};

typedef uint32_t ec_pattern_map(const struct ec_pattern *p, uint32_t src);

ec_pattern_map ec_pattern_shift;      /* (i + q) mod p */
ec_pattern_map ec_pattern_complement; /* every address bit inverted */
ec_pattern_map ec_pattern_reverse;    /* bit i takes the value of bit n-1-i */
ec_pattern_map ec_pattern_rotate;     /* bit i takes the value of bit i-k mod n: k-shuffle */
ec_pattern_map ec_pattern_transpose;  /* (x, y) -> (y, x), or the address halves exchanged */
ec_pattern_map ec_pattern_tornado;    /* every coordinate + ceil(r/2) - 1 mod r */
ec_pattern_map ec_pattern_neighbor;   /* every coordinate + 1 mod r */

/* True if transpose is the exchange of coordinates, on a square mesh or torus of two dimensions. */
bool ec_pattern_square(const struct ec_topology *t);

/* A random permutation of 0..count-1, a pure function of the seed. */
void ec_pattern_permutation(uint64_t seed, uint32_t count, uint32_t *ret_map);

#endif
