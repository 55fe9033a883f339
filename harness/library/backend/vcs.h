/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual channel of every word on every channel, against docs/ROUTER-CONTRACT.md, section 5.3.
 * Used only with several VCs.
 *
 * Three properties are checked, only from the words on channels and those that the nodes sent,
 * never from internal state of a router:
 *
 *   - class: with datelines, the class is a function of the channel and of the word's source; with
 *     a routing table, of the router and the word's destination;
 *   - packet: on one VC packets are contiguous, so a packet uses one VC of a channel;
 *   - keeps: a packet keeps the VC on which its node sent it, apart from the class of datelines
 *     (static allocation), or its message class (dynamic allocation, which chooses the VC anew on
 *     every channel). */
#pragma once

#include "ecube/router.h"
#include "ecube/topology.h"
#include "ecube/word.h"
#include "shape/fabric.h"

/* What each packet on its way keeps: the bits of its VC above the dateline class, or with dynamic
 * allocation its message class. A hash table, so its memory is proportional to the packets on their
 * way. It knows names of packets as numbers, not what they mean. */
enum { VC_UNKNOWN = EC_VCS_MAX };

struct packet_vc {
    uint32_t packet; /* its name, not 0; 0: free */
    uint32_t kept;   /* less than VC_UNKNOWN */
};

struct packet_vcs {
    struct packet_vc *of; /* [1 << bits], at most half of them taken; NULL: not opened */
    unsigned bits;
    uint32_t count;
};

bool packet_vcs_open(struct packet_vcs *l);
void packet_vcs_close(struct packet_vcs *l);
void packet_vcs_reset(struct packet_vcs *l);

/* Without memory the packet stays unknown. */
void packet_vcs_keep(struct packet_vcs *l, uint32_t packet, uint32_t kept);
/* The packet may be unknown. */
void packet_vcs_forget(struct packet_vcs *l, uint32_t packet);

static inline size_t packet_vcs_place(const struct packet_vcs *l, uint32_t packet)
{
    return (packet * UINT32_C(2654435769)) >> (32 - l->bits);
}

/* What the packet keeps, or VC_UNKNOWN. */
static inline uint32_t packet_vcs_find(const struct packet_vcs *l, uint32_t packet)
{
    const size_t mask = ((size_t)1 << l->bits) - 1;
    for (size_t i = packet_vcs_place(l, packet); l->of[i].packet; i = (i + 1) & mask) {
        if (l->of[i].packet == packet)
            return l->of[i].kept;
    }
    return VC_UNKNOWN;
}

/* The rule of an output link. A word enters a dimension with its source's coordinate x; at node a
 * it is past the wrap link, or on it, iff it goes up and a = radix - 1 or a < x, or it goes down
 * and a = 0 or a > x. */
struct class_rule class_rule_of(const struct ec_topology *t, uint32_t node, unsigned link);

/* Of a word with this source address, whatever its upper bits are. */
static inline unsigned class_rule_due(struct class_rule rule, uint32_t src)
{
    return (src & rule.mask) - rule.low <= rule.span;
}

struct tiles_vcs {
    const struct ec_topology *t;
    uint32_t routers;
    bool follows;          /* since the last reset */
    unsigned links, ports; /* of the shape */
    unsigned vcs, class_bits;
    bool dynamic;
    struct class_rule *rules;     /* [channel]; NULL without datelines, or with a table */
    const uint32_t *node;         /* [router]; borrowed */
    const struct ec_table *table; /* its classes; NULL without them */
    uint32_t *open; /* [channel * vcs + vc] packet_name() of the packet there; 0: none */
    struct ec_word_layout layout;
    unsigned kept_shift;    /* what a packet keeps is its VC without so many low bits, */
    unsigned kept_mask;     /* of which these */
    bool legs;              /* routing=valiant: the message class is 1 from the node on the way */
    struct packet_vcs kept; /* not opened: there is no choice */
    uint64_t unknown;       /* heads whose packet was not found, so nothing is checked */
};

/* For the routers of these nodes, node[0..routers-1]. `links` and `ports` are of the shape. With
 * one VC nothing is allocated or checked. False: out of memory; close it. */
bool tiles_vcs_open(struct tiles_vcs *v, const struct ec_topology *t, const struct ec_router *r,
                    const uint32_t *node, uint32_t routers, unsigned links, unsigned ports);
/* Forget all packets. `follow`: words have their source and the number of their packet. */
void tiles_vcs_reset(struct tiles_vcs *v, bool follow);
void tiles_vcs_close(struct tiles_vcs *v);

/* A node sends a word. False: on a VC that no node may use. */
bool tiles_vcs_enter(struct tiles_vcs *v, unsigned vc, uint64_t word);
/* A word enters from another part of the network. */
void tiles_vcs_cross(struct tiles_vcs *v, unsigned vc, uint64_t word);
/* Describe the fault of a word for which tiles_vcs_right() is false; call it before
 * tiles_vcs_pass(). */
void tiles_vcs_explain(const struct tiles_vcs *v, size_t channel, unsigned vc, uint64_t word,
                       char *buffer, size_t size);

/* A packet's source and number, which stand side by side in a word: at most 30 bits. Never 0. */
static inline uint32_t packet_name(const struct ec_word_layout *l, uint64_t word)
{
    return UINT32_C(1) << 31 |
           ec_word_field(word, l->index_bits, l->number_bits + (unsigned)l->address_bits);
}

/* The packet that must be open on a VC for this word to follow; 0: none. */
static inline uint32_t packet_before(const struct ec_word_layout *l, uint64_t word)
{
    return ec_word_head(word) ? 0 : packet_name(l, word);
}

/* The dateline class of a word on a channel; only with v->rules or v->table. */
static inline unsigned tiles_vcs_class(const struct tiles_vcs *v, size_t channel, unsigned vc,
                                       uint64_t word)
{
    const bool second = v->legs && 2 * vc >= v->vcs; /* the leg begins at the node on the way */
    if (v->rules)
        return class_rule_due(v->rules[channel], second ? ec_word_via(&v->layout, word)
                                                        : (uint32_t)(word >> v->layout.src_shift));
    const uint32_t dst = ec_topology_node(v->t, ec_word_dst(&v->layout, word));
    const size_t router = v->node[channel / v->ports], port = channel % v->ports;
    return dst != EC_NONE && port < v->links &&
           ec_table_ports(v->table, router * v->table->nodes + dst, 1) >> port & 1;
}

static inline bool tiles_vcs_right(struct tiles_vcs *v, size_t channel, unsigned vc, uint64_t word,
                                   unsigned vcs)
{
    bool right = v->open[channel * vcs + vc] == packet_before(&v->layout, word);
    if (v->rules || v->table)
        right &= tiles_vcs_class(v, channel, vc, word) == (vc & 1);
    if (v->kept.of && ec_word_head(word)) {
        const uint32_t kept = packet_vcs_find(&v->kept, packet_name(&v->layout, word));
        v->unknown += kept == VC_UNKNOWN;
        right &= kept == VC_UNKNOWN || kept == (vc >> v->kept_shift & v->kept_mask);
    }
    return right;
}

/* A word has left on (channel, vc); `gone`: to its node or another part of the network. */
static inline void tiles_vcs_pass(struct tiles_vcs *v, size_t channel, unsigned vc, uint64_t word,
                                  unsigned vcs, bool gone)
{
    v->open[channel * vcs + vc] = ec_word_tail(word) ? 0 : packet_name(&v->layout, word);
    if (gone && v->kept.of && ec_word_head(word))
        packet_vcs_forget(&v->kept, packet_name(&v->layout, word));
}
