/* SPDX-License-Identifier: Apache-2.0 */
/* The flit word: 64 bits, self-describing (docs/ROUTER-CONTRACT.md, section 2).
 *
 *   63     62    61    then, downwards
 *   valid  head  tail  VC      dst, src        data
 *                      2 bits  16 bits each    27 bits
 *
 * dst and src are packed coordinates (ec_topology_address). Word 0 means "no word". With 8 virtual
 * channels VC has 3 bits; in networks of more than 16 address bits dst and src have 20: a layout.
 */
#ifndef ECUBE_WORD_H
#define ECUBE_WORD_H

#include <stdbool.h>
#include <stdint.h>

/* --- Layouts ---------------------------------------------------------------------------------- */

#define EC_WORD_ADDRESS_BITS      16 /* bits of dst and src, each */
#define EC_WORD_ADDRESS_BITS_WIDE 20 /* the same in networks that need more than 16 */

static inline unsigned ec_word_address_bits(unsigned topology_address_bits)
{
    return topology_address_bits > EC_WORD_ADDRESS_BITS ? EC_WORD_ADDRESS_BITS_WIDE
                                                        : EC_WORD_ADDRESS_BITS;
}

/* Where the fields are in the words of a network. */
struct ec_word_layout {
    uint8_t vc_shift, dst_shift, src_shift;
    uint8_t data_bits;
    uint8_t index_bits; /* lower part of data: the number of the word in its packet, as ecube's
                           nodes set it; the upper part is the number of the packet */
    uint32_t vc_mask, address_mask, data_mask; /* of a field's value */
};

/* For a network of so many address bits (at most 20) and virtual channels. */
static inline struct ec_word_layout ec_word_layout(unsigned topology_address_bits, unsigned vcs)
{
    const unsigned vc = vcs == 8 ? 3 : 2, address = ec_word_address_bits(topology_address_bits);
    const unsigned data = 61 - vc - 2 * address;
    return (struct ec_word_layout){
        .vc_shift = (uint8_t)(61 - vc),
        .dst_shift = (uint8_t)(data + address),
        .src_shift = (uint8_t)data,
        .data_bits = (uint8_t)data,
        .index_bits = (uint8_t)(data / 2),
        .vc_mask = (UINT32_C(1) << vc) - 1,
        .address_mask = (UINT32_C(1) << address) - 1,
        .data_mask = (UINT32_C(1) << data) - 1,
    };
}

static inline unsigned ec_layout_vc(const struct ec_word_layout *l, uint64_t word)
{
    return (unsigned)(word >> l->vc_shift) & l->vc_mask;
}
static inline uint32_t ec_layout_dst(const struct ec_word_layout *l, uint64_t word)
{
    return (uint32_t)(word >> l->dst_shift) & l->address_mask;
}
static inline uint32_t ec_layout_src(const struct ec_word_layout *l, uint64_t word)
{
    return (uint32_t)(word >> l->src_shift) & l->address_mask;
}
static inline uint32_t ec_layout_data(const struct ec_word_layout *l, uint64_t word)
{
    return (uint32_t)word & l->data_mask;
}

/* --- The layout of networks of up to 16 address bits and 4 virtual channels ------------------- */

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
