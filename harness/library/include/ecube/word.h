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
#include <stddef.h>
#include <stdint.h>

#define EC_WORD_VALID (UINT64_C(1) << 63)
#define EC_WORD_HEAD  (UINT64_C(1) << 62)
#define EC_WORD_TAIL  (UINT64_C(1) << 61)

static inline bool ec_word_head(uint64_t word)
{
    return (word & EC_WORD_HEAD) != 0;
}
static inline bool ec_word_tail(uint64_t word)
{
    return (word & EC_WORD_TAIL) != 0;
}

/* --- The virtual channel ---------------------------------------------------------------------- */

/* Where the field is, for so many virtual channels. */
static inline unsigned ec_word_vc_shift(unsigned vcs)
{
    return vcs == 8 ? 58 : 59;
}
static inline uint64_t ec_word_vc_mask(unsigned vcs)
{
    return EC_WORD_TAIL - (UINT64_C(1) << ec_word_vc_shift(vcs));
}
/* The whole field. */
static inline unsigned ec_word_vc_field(uint64_t word, unsigned vcs)
{
    return (unsigned)((word & ec_word_vc_mask(vcs)) >> ec_word_vc_shift(vcs));
}
/* The virtual channel that the field names, less than `vcs` (a power of two). */
static inline unsigned ec_word_vc(uint64_t word, unsigned vcs)
{
    return (unsigned)(word >> ec_word_vc_shift(vcs)) & (vcs - 1);
}

/* --- The other fields ------------------------------------------------------------------------- */

#define EC_WORD_ADDRESS_BITS      16 /* bits of dst and src, each */
#define EC_WORD_ADDRESS_BITS_WIDE 20 /* the same in networks that need more than 16 */

static inline unsigned ec_word_address_bits(unsigned topology_address_bits)
{
    return topology_address_bits > EC_WORD_ADDRESS_BITS ? EC_WORD_ADDRESS_BITS_WIDE
                                                        : EC_WORD_ADDRESS_BITS;
}

/* Where the fields are in the words of a network, and how ecube's nodes use data: the number of the
 * packet at its source in the upper half, the number of the word in its packet in the lower one.
 * Routers read neither. */
struct ec_word_layout {
    uint8_t vc_shift, dst_shift, src_shift;
    uint8_t address_bits; /* of dst and src, each */
    uint8_t dst_bits; /* of dst that name the destination; with routing=valiant the lower half */
    uint8_t number_bits, index_bits;
};

/* For a network of so many address bits (at most 20) and virtual channels. */
static inline struct ec_word_layout ec_word_layout(unsigned topology_address_bits, unsigned vcs)
{
    const unsigned address = ec_word_address_bits(topology_address_bits);
    const unsigned data = ec_word_vc_shift(vcs) - 2 * address;
    return (struct ec_word_layout){
        .vc_shift = (uint8_t)ec_word_vc_shift(vcs),
        .dst_shift = (uint8_t)(data + address),
        .src_shift = (uint8_t)data,
        .address_bits = (uint8_t)address,
        .dst_bits = (uint8_t)address,
        .number_bits = (uint8_t)(data - data / 2),
        .index_bits = (uint8_t)(data / 2),
    };
}

static inline uint32_t ec_word_field(uint64_t word, unsigned shift, unsigned bits)
{
    return (uint32_t)(word >> shift) & ((UINT32_C(1) << bits) - 1);
}
static inline uint32_t ec_word_dst(const struct ec_word_layout *l, uint64_t word)
{
    return ec_word_field(word, l->dst_shift, l->dst_bits);
}
/* The other bits of dst: routing=valiant, the node on the way. */
static inline uint32_t ec_word_via(const struct ec_word_layout *l, uint64_t word)
{
    return ec_word_field(word, l->dst_shift, l->address_bits) >> l->dst_bits;
}
static inline uint32_t ec_word_src(const struct ec_word_layout *l, uint64_t word)
{
    return ec_word_field(word, l->src_shift, l->address_bits);
}
static inline uint32_t ec_word_number(const struct ec_word_layout *l, uint64_t word)
{
    return ec_word_field(word, l->index_bits, l->number_bits);
}
static inline uint32_t ec_word_index(const struct ec_word_layout *l, uint64_t word)
{
    return ec_word_field(word, 0, l->index_bits);
}

/* Bits of a value that its field cannot hold are left out. */
static inline uint64_t ec_word_pack(const struct ec_word_layout *l, bool head, bool tail,
                                    unsigned vc, uint32_t dst, uint32_t src, uint32_t data)
{
    return EC_WORD_VALID | (head ? EC_WORD_HEAD : 0) | (tail ? EC_WORD_TAIL : 0) |
           ((uint64_t)vc << l->vc_shift & (EC_WORD_TAIL - 1)) |
           (uint64_t)ec_word_field(dst, 0, l->address_bits) << l->dst_shift |
           (uint64_t)ec_word_field(src, 0, l->address_bits) << l->src_shift |
           ec_word_field(data, 0, l->src_shift);
}
/* data, from the number of the packet and that of the word in it. */
static inline uint32_t ec_word_numbers(const struct ec_word_layout *l, uint32_t number,
                                       uint32_t index)
{
    return number << l->index_bits | ec_word_field(index, 0, l->index_bits);
}

/* --- Words at local ports -----------------------------------------------------------------------
 */

/* port = node * locals + local port, where locals are those of a node. In a graph every node has
 * one, so the port is the node. */
struct ec_port_word {
    uint32_t port;
    uint64_t word;
};
struct ec_port_credit {
    uint32_t port;
    uint32_t vc;
};

/* Sparse events of one cycle on the local ports; capacity is locals * nodes words and
 * locals * nodes * vcs credits. Order within an array carries no meaning. */
struct ec_port_events {
    struct ec_port_word *words;
    struct ec_port_credit *credits;
    size_t word_count, credit_count;
};

#endif
