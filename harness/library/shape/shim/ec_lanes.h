// SPDX-License-Identifier: Apache-2.0
// The operations of the code that harness/library/simd/emit.c generates: on vectors that have a
// number of 32 bits for each router of a group (a lane), with the vector types of GCC and clang.
// A mask is a vector whose lanes are 0 or all ones.
#ifndef EC_LANES_H
#define EC_LANES_H

#include <cstddef>
#include <cstdint>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
constexpr unsigned Lanes = 16;
#elif defined(__AVX2__)
constexpr unsigned Lanes = 8;
#else
constexpr unsigned Lanes = 4;
#endif

using V = uint32_t __attribute__((vector_size(4 * Lanes), may_alias));
using Signed = int32_t __attribute__((vector_size(4 * Lanes)));

static inline V fill(uint32_t x)
{
    return V{} + x;
}

// (In the sign of a mask are all its bits: processors select by it.)
static inline V pick(V mask, V one, V zero)
{
    return reinterpret_cast<Signed>(mask) < 0 ? one : zero;
}

static inline V equal(V a, V b)
{
    return reinterpret_cast<V>(a == b);
}

static inline V nonzero(V a)
{
    return reinterpret_cast<V>(a != 0);
}

// Of numbers below 2^31.
static inline V less(V a, V b)
{
    return reinterpret_cast<V>(reinterpret_cast<Signed>(a) < reinterpret_cast<Signed>(b));
}

static inline V bit_mask(V a, unsigned bit)
{
    return equal(a & (1U << bit), fill(1U << bit));
}

// Numbers of several vectors, the lowest first, moved by so many bits where the mask is 1.
template <unsigned By, unsigned Width> static inline void shift_right(V (&x)[Width], V mask)
{
    constexpr unsigned Far = By / 32, Near = By % 32;
    for (unsigned k = 0; k < Width; k++) {
        V moved = k + Far < Width ? x[k + Far] >> Near : V{};
        if (Near != 0 && k + Far + 1 < Width)
            moved |= x[k + Far + 1] << (32 - Near) % 32;
        x[k] = pick(mask, moved, x[k]);
    }
}

template <unsigned By, unsigned Width> static inline void shift_left(V (&x)[Width], V mask)
{
    constexpr unsigned Far = By / 32, Near = By % 32;
    for (unsigned k = Width; k-- > 0;) {
        V moved = k >= Far ? x[k - Far] << Near : V{};
        if (Near != 0 && k >= Far + 1)
            moved |= x[k - Far - 1] >> (32 - Near) % 32;
        x[k] = pick(mask, moved, x[k]);
    }
}

static inline V parity(V a)
{
    a ^= a >> 16;
    a ^= a >> 8;
    a ^= a >> 4;
    a ^= a >> 2;
    a ^= a >> 1;
    return bit_mask(a, 0);
}

// Bit i of the result is that of lane i of a mask.
static inline uint32_t lane_bits(V mask)
{
#if defined(__AVX512F__)
    return _mm512_cmplt_epi32_mask(reinterpret_cast<__m512i>(mask), _mm512_setzero_si512());
#elif defined(__AVX2__)
    return static_cast<uint32_t>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
#elif defined(__SSE2__)
    return static_cast<uint32_t>(_mm_movemask_ps(reinterpret_cast<__m128>(mask)));
#else
    uint32_t bits = 0;
    for (unsigned i = 0; i < Lanes; i++)
        bits |= (mask[i] & 1) << i;
    return bits;
#endif
}

static inline V lanes_of(uint32_t bits)
{
    V lane{};
    for (unsigned i = 0; i < Lanes; i++)
        lane[i] = 1U << i;
    return equal(fill(bits) & lane, lane);
}

// Up to so many words, all are looked at; of larger memories, each lane finds its own.
constexpr unsigned FewWords = 8;

template <unsigned Words, unsigned Width> // in numbers of 32 bits
static inline __attribute__((always_inline)) void read_memory(const V *memory, V address,
                                                              V (&to)[Width])
{
    if constexpr (Words <= FewWords) {
        for (unsigned k = 0; k < Width; k++)
            to[k] = memory[k];
        for (unsigned w = 1; w < Words; w++) {
            const V here = equal(address, fill(w));
            for (unsigned k = 0; k < Width; k++)
                to[k] = pick(here, memory[w * Width + k], to[k]);
        }
    } else {
        for (unsigned k = 0; k < Width; k++)
            for (unsigned i = 0; i < Lanes; i++)
                to[k][i] = memory[address[i] % Words * Width + k][i];
    }
}

template <unsigned Words, unsigned Width>
static inline __attribute__((always_inline)) void write_memory(V *memory, V enable, V address,
                                                               const V (&from)[Width])
{
    if constexpr (Words <= FewWords) {
        for (unsigned w = 0; w < Words; w++) {
            const V here = enable & equal(address, fill(w));
            for (unsigned k = 0; k < Width; k++)
                memory[w * Width + k] = pick(here, from[k], memory[w * Width + k]);
        }
    } else {
        for (uint32_t left = lane_bits(enable); left != 0; left &= left - 1) {
            const auto i = static_cast<unsigned>(__builtin_ctz(left));
            if (address[i] < Words)
                for (unsigned k = 0; k < Width; k++)
                    memory[address[i] * Width + k][i] = from[k][i];
        }
    }
}

#endif
