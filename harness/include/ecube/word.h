/* SPDX-License-Identifier: Apache-2.0 */
/* The flit word: 64 bits, self-describing (docs/ROUTER-CONTRACT.md, section 2).
 *
 *   63     62    61    60..59  58..43  42..27  26..0
 *   valid  head  tail  VC      dst     src     data
 *
 * dst and src are packed coordinates (ec_topology_address). Word 0 means "no word". */
#ifndef ECUBE_WORD_H
#define ECUBE_WORD_H

#include <stdbool.h>
#include <stdint.h>

#define EC_WORD_VALID     (UINT64_C(1) << 63)
#define EC_WORD_HEAD      (UINT64_C(1) << 62)
#define EC_WORD_TAIL      (UINT64_C(1) << 61)
#define EC_WORD_VC_SHIFT  59
#define EC_WORD_DST_SHIFT 43
#define EC_WORD_SRC_SHIFT 27
#define EC_WORD_DATA_BITS 27
#define EC_WORD_DATA_MASK ((UINT64_C(1) << EC_WORD_DATA_BITS) - 1)
#define EC_WORD_VC_MASK   (UINT64_C(3) << EC_WORD_VC_SHIFT)

static inline uint64_t ec_word_pack(bool head, bool tail, unsigned vc, uint32_t dst, uint32_t src,
                                    uint32_t data)
{
    return EC_WORD_VALID | (head ? EC_WORD_HEAD : 0) | (tail ? EC_WORD_TAIL : 0) |
           (uint64_t)(vc & 3) << EC_WORD_VC_SHIFT | (uint64_t)(dst & 0xffff) << EC_WORD_DST_SHIFT |
           (uint64_t)(src & 0xffff) << EC_WORD_SRC_SHIFT | (data & EC_WORD_DATA_MASK);
}

static inline bool ec_word_head(uint64_t word)
{
    return (word & EC_WORD_HEAD) != 0;
}
static inline bool ec_word_tail(uint64_t word)
{
    return (word & EC_WORD_TAIL) != 0;
}
static inline unsigned ec_word_vc(uint64_t word)
{
    return (unsigned)(word >> EC_WORD_VC_SHIFT) & 3;
}
static inline uint32_t ec_word_dst(uint64_t word)
{
    return (uint32_t)(word >> EC_WORD_DST_SHIFT) & 0xffff;
}
static inline uint32_t ec_word_src(uint64_t word)
{
    return (uint32_t)(word >> EC_WORD_SRC_SHIFT) & 0xffff;
}
static inline uint32_t ec_word_data(uint64_t word)
{
    return (uint32_t)(word & EC_WORD_DATA_MASK);
}

#endif
