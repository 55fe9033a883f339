/* SPDX-License-Identifier: Apache-2.0 */
/* Translations of a network: all nodes move by the same number of steps in each dimension. A router
 * that sees relative coordinates only cannot tell its place from a translated one.
 *
 * Knows topologies and words. Must not know how a router is tried. */
#include "trial/translate.h"

#include "ecube/word.h"

/* Rings, and dimensions of two nodes, look the same from every node. */
static bool is_closed(const struct ec_topology *t, unsigned dim)
{
    return t->wrap[dim] || t->radix[dim] <= 2;
}

uint32_t translate_node(const struct ec_topology *t, uint32_t from, uint32_t to, uint32_t node)
{
    uint32_t moved = 0;
    for (unsigned d = 0; d < t->dims; d++) {
        const uint32_t x = ec_topology_coord(t, node, d) + ec_topology_coord(t, to, d),
                       less = ec_topology_coord(t, from, d), radix = t->radix[d];
        if (!is_closed(t, d) && (x < less || x - less >= radix))
            return EC_NONE;
        moved += (is_closed(t, d) ? (x + radix - less) % radix : x - less) * t->stride[d];
    }
    return moved;
}

static bool same_links(const struct ec_topology *t, uint32_t a, uint32_t b)
{
    for (unsigned link = 0; link < ec_topology_links(t); link++) {
        if ((ec_topology_neighbor(t, a, link) == EC_NONE) !=
            (ec_topology_neighbor(t, b, link) == EC_NONE))
            return false;
    }
    return true;
}

uint32_t translate_partner(const struct ec_topology *t, uint32_t node)
{
    uint32_t best = EC_NONE;
    for (uint32_t k = 1; k < t->nodes; k++) {
        const uint32_t other = (node + k) % t->nodes;
        if ((best == EC_NONE ||
             ec_topology_distance(t, node, other) < ec_topology_distance(t, node, best)) &&
            same_links(t, node, other))
            best = other;
    }
    return best;
}

static uint32_t translate_address(const struct ec_topology *t, uint32_t from, uint32_t to,
                                  uint32_t address)
{
    const uint32_t node = ec_topology_node(t, address);
    const uint32_t moved = node == EC_NONE ? EC_NONE : translate_node(t, from, to, node);
    return moved == EC_NONE ? address : ec_topology_address(t, moved);
}

uint64_t translate_word(const struct ec_topology *t, unsigned vcs, uint32_t from, uint32_t to,
                        uint64_t word)
{
    const struct ec_word_layout l = ec_word_layout(t->address_bits, vcs);
    const uint32_t dst = ec_word_dst(&l, word), src = ec_word_src(&l, word);
    const uint32_t new_dst = translate_address(t, from, to, dst),
                   new_src = translate_address(t, from, to, src);
    return word ^ (uint64_t)(dst ^ new_dst) << l.dst_shift ^
           (uint64_t)(src ^ new_src) << l.src_shift;
}
