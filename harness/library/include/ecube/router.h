/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a router (`--router vcs=2,depth=8,...`), checked against a topology. */
#ifndef ECUBE_ROUTER_H
#define ECUBE_ROUTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/topology.h"
#include "ecube/word.h"

#pragma GCC visibility push(default)

#define EC_VCS_MAX    8
#define EC_DEPTH_MAX  1024 /* words of one input buffer */
#define EC_STAGES_MAX 3
#define EC_LINK_MAX   64 /* cycles */

enum ec_switching { EC_WORMHOLE, EC_CUT_THROUGH, EC_STORE_AND_FORWARD };
/* The dimension corrected first; CLASS: of packets of message class 0 the lowest, of class 1 the
 * highest (O1TURN: Seo et al. 2005). The source of a message draws its class. */
enum ec_order { EC_ORDER_LOW, EC_ORDER_HIGH, EC_ORDER_CLASS };
/* The direction round a ring where both ways are equally long: up, or up from even coordinates and
 * down from odd ones, so that uniform traffic loads both directions equally (a ring of 4k nodes:
 * every link; of 4k + 2: but for one path). */
enum ec_ties { EC_TIES_UP, EC_TIES_BALANCED };
enum ec_va { EC_VA_STATIC, EC_VA_DYNAMIC };   /* allocation of virtual channels */
enum ec_ports { EC_PORTS_ONE, EC_PORTS_ALL }; /* local ports of a node */
/* The links that a packet may take at a router on its way: the one of dimension order, any that
 * comes nearer to its destination, any (these two for the user's own routers), that of a table, or
 * one in each dimension that comes nearer, by free credits (section 5.5 of the contract); or in
 * dimension order to a node that its source draws, and from there to its destination (Valiant
 * 1982).
 */
enum ec_routing {
    EC_ROUTING_DOR,
    EC_ROUTING_MINIMAL,
    EC_ROUTING_ANY,
    EC_ROUTING_TABLE,
    EC_ROUTING_ADAPTIVE,
    EC_ROUTING_VALIANT
};
#define EC_TABLE_NAME_SIZE 161

/* A routing table: for every router and every node, the channel that a packet takes next, or
 * several among which a router of the user chooses. */
#define EC_TABLE_NONE 255 /* no way from this router to this node */
struct ec_table {
    uint32_t routers, nodes; /* rows, columns */
    unsigned ports;          /* of every router: links first, then local ports */
    uint8_t *port;           /* [router * nodes + node] the output port, or EC_TABLE_NONE */
    uint8_t *class_;         /* [router * nodes + node] VC class of that channel; NULL: all 0 */
    /* [2 * (router * nodes + node) + class] the ports, as bits; port and class_ have the first one
     * of an entry. NULL: no entry has several. */
    uint64_t *set;
};

/* The ports of an entry, as bits, by which packets leave in this VC class. */
static inline uint64_t ec_table_ports(const struct ec_table *t, size_t entry, unsigned class_)
{
    if (t->set)
        return t->set[2 * entry + class_];
    const bool same = class_ == (t->class_ ? t->class_[entry] : 0);
    return same && t->port[entry] != EC_TABLE_NONE ? UINT64_C(1) << t->port[entry] : 0;
}

static inline uint64_t ec_table_all_ports(const struct ec_table *t, size_t entry)
{
    return ec_table_ports(t, entry, 0) | ec_table_ports(t, entry, 1);
}

struct ec_router {
    unsigned vcs;   /* virtual channels per link: 1, 2, 4 or 8 */
    unsigned depth; /* words of one input buffer */
    enum ec_switching switching;
    enum ec_order order;
    enum ec_ports ports;
    bool dateline; /* tori: two VC classes, changed on the wrap link */
    enum ec_ties ties;
    enum ec_va va;
    enum ec_routing routing;
    /* routing=table: the file of the table; "": one made from dimension order. */
    char table_file[EC_TABLE_NAME_SIZE];
    bool ordered;     /* of routers that choose: packets of one source, destination and class stay
                         in order */
    unsigned stages;  /* pipeline stages of a router: 1..3 */
    unsigned link;    /* cycles from a router to its neighbour: 1..64 */
    unsigned speedup; /* crossbar inputs of a port: 1; 0: one for each VC */
    unsigned classes; /* message classes: 1 or 2; 0: not given, what the workload needs */
    unsigned classes_needed; /* by the workload; 0: not set yet */
    unsigned packet;         /* packet bound B in words; 0: not set yet */
    /* The paths of all messages; NULL: dimension order. Borrowed. Every path ends at a local port
     * of its destination. */
    const struct ec_table *table;
};

/* Parse "vcs=2,depth=8,switching=cut-through,order=low,ports=one,dateline=on,va=dynamic,stages=2,
 * link=4,classes=2,routing=table,table=FILE,ordered=yes,ties=balanced,speedup=1" (any subset in any
 * order; NULL or "": all defaults) for a topology. Defaults: vcs=2 if a wrapped radix exceeds 3,
 * else 1; wormhole; order=low; ports=one; dateline=on if a dimension wraps and vcs >= 2, else off;
 * va=static; routing=dor; ties=up; stages=1; link=1; `table` is left NULL; depth: the smallest at
 * full rate for packets of 2 words, at least 4 (4 where stages = link = 1). packet, and classes
 * without the key, stay 0. With routing=adaptive: va=dynamic, dateline=on if a wrapped radix
 * exceeds 3, and vcs: the fewest. With order=class or routing=valiant: twice as many VCs. EC_USAGE.
 */
enum ec_code ec_router_parse(const char *text, const struct ec_topology *t, struct ec_router *ret,
                             struct ec_error *reterr);

/* Set the packet bound for messages of at most `longest` words. `packet` 0 is the default: the
 * message in wormhole, else the largest packet that keeps full rate at this depth (cut-through:
 * depth - 2 link - stages + 2, store-and-forward: half of depth - 2 link - stages + 3, at least 1),
 * at most the message. EC_USAGE if the bound exceeds the depth in cut-through or
 * store-and-forward. */
enum ec_code ec_router_set_packet(struct ec_router *r, uint32_t packet, uint32_t longest,
                                  struct ec_error *reterr);

/* Set the message classes that the workload needs (1 or 2): the default of `classes`. EC_USAGE if
 * fewer are given, or if there are fewer lanes. */
enum ec_code ec_router_set_classes(struct ec_router *r, unsigned needed, struct ec_error *reterr);

/* True if all options but the packet bound are the same. */
bool ec_router_same(const struct ec_router *a, const struct ec_router *b);

/* Canonical text: "vcs=1,depth=4,switching=wormhole,order=low,ports=one,dateline=off,packet=8", and
 * before `packet` those of va, stages, link, classes, routing, table, ordered, ties and speedup
 * that are not the default.
 */
void ec_router_format(const struct ec_router *r, char *buffer, size_t size);

/* Lanes: virtual channels that a message may start on at its source (vcs / 2 with datelines). */
static inline unsigned ec_router_lanes(const struct ec_router *r)
{
    return r->dateline ? r->vcs / 2 : r->vcs;
}

/* Cycles of a head from one channel to the next: through a router, and over its link. */
static inline unsigned ec_router_hop(const struct ec_router *r)
{
    return r->stages + r->link - 1;
}

/* Cycles from a word on a link to the next one that can use its place in the buffer: the loop of a
 * credit, and the depth for full rate in wormhole. */
#define EC_ROUTER_LOOP_LEAST 2 /* links of one cycle, one stage */
static inline unsigned ec_router_loop(const struct ec_router *r)
{
    return 2 * r->link + r->stages - 1;
}

/* Cycles of the fastest link; `link` is the slowest one. */
static inline unsigned ec_router_link_least(const struct ec_router *r, const struct ec_topology *t)
{
    return t->graph && t->graph->delays ? t->graph->least : r->link;
}

/* Message classes, each with lanes of its own; 1 until they are set. */
static inline unsigned ec_router_classes(const struct ec_router *r)
{
    return r->classes ? r->classes : 1;
}

/* The bits of a VC number that are its class: message class (the highest bit) and dateline class
 * (the lowest one). The bits between them are the lane. */
static inline unsigned ec_router_class_mask(const struct ec_router *r)
{
    const unsigned lanes = ec_router_lanes(r) / ec_router_classes(r);
    if (r->routing == EC_ROUTING_ADAPTIVE) /* the class of datelines is that of escape VCs only */
        return (r->vcs - 1) & ~(r->vcs / ec_router_classes(r) - 1);
    return (r->vcs - 1) & ~((lanes - 1) << r->dateline);
}

/* Does a table give several ports? Then the router is one of the user, and chooses among them. */
static inline bool ec_router_has_sets(const struct ec_router *r)
{
    return r->routing == EC_ROUTING_TABLE && r->table && r->table->set;
}

/* Does the router choose among several paths? Then none is prescribed. */
static inline bool ec_router_chooses(const struct ec_router *r)
{
    return r->routing == EC_ROUTING_MINIMAL || r->routing == EC_ROUTING_ANY ||
           r->routing == EC_ROUTING_ADAPTIVE || ec_router_has_sets(r);
}

/* Does the source of a message draw its path? (ec_route_draw()) */
static inline bool ec_router_draws(const struct ec_router *r)
{
    return r->order == EC_ORDER_CLASS || r->routing == EC_ROUTING_VALIANT;
}

/* Bits of an address in a word of these routers: that of a node, with routing=valiant of two. */
static inline unsigned ec_router_address_bits(const struct ec_router *r,
                                              const struct ec_topology *t)
{
    return r->routing == EC_ROUTING_VALIANT ? 2 * t->address_bits : t->address_bits;
}

static inline struct ec_word_layout ec_router_layout(const struct ec_router *r,
                                                     const struct ec_topology *t)
{
    struct ec_word_layout l = ec_word_layout(ec_router_address_bits(r, t), r->vcs);
    l.dst_bits = (uint8_t)(r->routing == EC_ROUTING_VALIANT ? l.dst_bits / 2 : l.dst_bits);
    return l;
}

/* Can packets of one node for another overtake each other? Then a message is not always complete
 * when the packet that was sent last arrives. */
static inline bool ec_router_overtakes(const struct ec_router *r)
{
    if (ec_router_chooses(r))
        return !r->ordered;
    return r->va == EC_VA_DYNAMIC && ec_router_lanes(r) > ec_router_classes(r);
}

/* Local ports of a node. */
static inline unsigned ec_router_locals(const struct ec_router *r, const struct ec_topology *t)
{
    return r->ports == EC_PORTS_ALL ? ec_topology_links(t) : 1;
}

/* Local ports of a router: of all of its nodes. */
static inline unsigned ec_router_local_ports(const struct ec_router *r, const struct ec_topology *t)
{
    return t->graph ? t->graph->locals : ec_router_locals(r, t);
}

#pragma GCC visibility pop

#endif
