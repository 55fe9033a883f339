/* SPDX-License-Identifier: Apache-2.0 */
/* Counter-based random numbers: a draw is a pure function of (seed, stream, number of the draw).
 *
 * Without state, the order of evaluation does not matter: the draws of a node are always the same.
 * A stream is usually a node; its key is computed once and kept. */
#pragma once

#include <stdint.h>

/* A bijection of 64-bit words in which every input bit flips about half of the output bits:
 * xor-shifts and odd multipliers in turn, as in the finalisers of the usual hash functions. */
static inline uint64_t ec_rng_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 29;
    x *= UINT64_C(0xa0761d6478bd642f);
    x ^= x >> 32;
    x *= UINT64_C(0xe7037ed1a0b428db);
    x ^= x >> 30;
    return x;
}

/* The key of one stream of a seed. */
static inline uint64_t ec_rng_key(uint64_t seed, uint64_t stream)
{
    return ec_rng_mix(ec_rng_mix(seed ^ UINT64_C(0x8ebc6af09c88c6e3)) + stream);
}

/* Draw number `draw` of the stream with this key: 64 random bits. A stream walks the ring of 64-bit
 * numbers in odd steps from its key; keys are random, so that two streams of n draws meet with a
 * probability of about n / 2^63. */
static inline uint64_t ec_rng_draw(uint64_t key, uint64_t draw)
{
    return ec_rng_mix(key + draw * UINT64_C(0x9e3779b97f4a7c15));
}

/* 64 random bits as a number in [0, 1). */
static inline double ec_rng_unit(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

/* 64 random bits as a number in 0..n-1, n >= 1. No value is more than n / 2^64 too likely. */
static inline uint64_t ec_rng_below(uint64_t bits, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)bits * n) >> 64);
}
