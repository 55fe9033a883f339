/* SPDX-License-Identifier: Apache-2.0 */
/* The tile network from inside, for the files that open it (tiles_open.c), step it (tiles.c),
 * report on it (tiles_net.c) and connect it with the rest of the network (border.c, part.c).
 *
 * A network may hold the routers of one part of a larger one. Inside, its routers are numbered from
 * 0 in ascending order of their nodes; nodes and ports in its interface are those of the whole
 * network. A network that is not split is a part that owns all nodes. */
#pragma once

#include "backend/links.h"
#include "backend/part.h"
#include "backend/vcs.h"
#include "ecube/net.h"
#include "ecube/tile.h"
#include "ecube/word.h"
#include "shape/fabric.h"
#include "shape/tile_io.h"

struct tiles {
    struct ec_net net;            /* first: the interface */
    const struct ec_shape *shape; /* borrowed */
    const struct ec_tile_api *api;
    struct ec_tile_bank *bank;
    struct ec_arrays arrays;         /* what is set up once, and outputs */
    struct ec_arrays traffic;        /* what a reset clears */
    struct ec_tile_io io[2];         /* [turn] inputs; outputs shared */
    uint32_t *peers;                 /* [node * ports + port] the router at the far end; nodes + k:
                                        end k of the border; or EC_NONE */
    uint8_t back[EC_TILE_PORTS_MAX]; /* [port] the port there, the same for all routers; */
    uint8_t *backs;                  /* or [node * ports + port], in a graph; else NULL */
    uint8_t *delays;                 /* [node * ports + port] cycles of a link, if they differ; else
                                        NULL, and all have that of on_links */
    uint32_t *own;                   /* [nodes] the node of a router in the whole network */
    uint32_t *router_of; /* [port of the whole network] its router here; only own ports matter */
    uint32_t *inside;    /* in a graph: [router of the whole network] the same; else NULL */
    /* [nodes + 1] the first local port of a router, of the whole network; in a graph up to that of
     * the next one: its parts are ranges of routers */
    uint32_t *first_port;

    uint32_t nodes;             /* own routers */
    unsigned ports, links, vcs; /* of the shape */
    unsigned net_links, locals; /* of a router of the topology */
    struct ec_port_map map;     /* maps ports of the shape to ports of the topology */
    unsigned depth;
    bool *awake[2]; /* [turn][node, rounded up to 8] routers to step */
    uint32_t *ids;  /* [nodes + 1] the routers of this cycle */
    size_t id_count;

    struct tiles_links on_links;
    uint64_t linked_at; /* the last cycle in which links of several cycles were looked at */
    struct border border;

    /* Words sent and not credited: by routers, [(node * ports + port) * vcs + vc], and by nodes,
     * [(node * locals + local) * vcs + vc]. */
    uint16_t *ledger, *injected_ledger;
    uint64_t *flits, *contended, *starved; /* [node * ports + port] */
    uint64_t *injected;                    /* [node * locals + local] */
    uint64_t *entered;                     /* in a graph the same, by nodes; else NULL */
    uint64_t *compact[3]; /* the three, in the topology's ports; NULL: these are the shape's */
    uint64_t stepped;
    unsigned turn; /* 0 and 1 by turns: of this step, and of the next one, even if the caller skips
                      an odd number of cycles between them */
    struct tiles_vcs vc_rule;
    const struct ec_fabric_api *fabric_api;
    struct ec_fabric *fabric; /* NULL: all work is done router by router */
    uint64_t uncounted;       /* steps that its counters hold */
    bool in_fabric;           /* until the next reset, or a reason to look at routers */
    bool loaded;              /* rows have a state that the next step hands to the fabric */
    struct ec_net_fault fault;
    struct ec_tiles_options options;
    const struct ec_net_watch *watch;
    struct ec_tile_listener listener; /* of the bank */
    struct ec_net_rtl rtl;            /* since the last reset */
    struct ec_net_rtl opened;      /* messages from the opening of the bank: a reset keeps them */
    bool resetting;                /* opened, and not yet reset */
    struct ec_net_pulse own_pulse; /* if options.pulse is NULL */
};

static inline struct tiles *tiles_of(struct ec_net *net)
{
    return (struct tiles *)net;
}

/* The router here of a router of the whole network, which must be in this part. */
static inline uint32_t tiles_inside(const struct tiles *s, uint32_t node)
{
    return s->inside ? s->inside[node] : s->router_of[(size_t)node * s->locals];
}

static inline void wake(struct tiles *s, unsigned bank, uint32_t node)
{
    s->awake[bank][node] = true;
}

/* --- tiles.c ---------------------------------------------------------------------------------- */

/* Words that nodes send. */
void tiles_count_entering(struct tiles *s, const struct ec_port_events *in);
void tiles_step(struct ec_net *net, const struct ec_port_events *in, struct ec_port_events *out);
/* A word or credit from a link arrives in cycle `at`, whose inputs are bank `bank`. */
void tiles_arrive(struct tiles *s, unsigned bank, struct on_link x, uint64_t at);
/* A credit too many arrives at an output: name the router behind it, which returned it. */
void tiles_note_extra_credit(struct tiles *s, struct on_link x, uint64_t at);
/* For qsort() and bsearch() in `ids`. */
int tiles_by_node(const void *a, const void *b);
/* `node` is a router here, `port` one of the shape. Only the first fault is kept. */
void tiles_note_fault(struct tiles *s, uint64_t cycle, uint32_t node, unsigned port, unsigned vc,
                      const char *what);

/* --- tiles_net.c ------------------------------------------------------------------------------ */

extern const struct ec_net_ops tiles_ops, flat_ops;
void tiles_reset(struct ec_net *net);

/* --- fabric.c --------------------------------------------------------------------------------- */

/* Let the bank move words and credits itself, if it can. False: out of memory. */
bool fabric_open(struct tiles *s, const struct ec_shape *shape);
void fabric_reset(struct tiles *s);
/* One cycle. False: the routers have been stepped, and are to be looked at one by one. */
bool fabric_step(struct tiles *s, const struct ec_port_events *in, struct ec_port_events *out);
/* Bring counters and ledger up to date; `inputs`: of the step of this turn, too. */
void fabric_count(struct tiles *s);
void fabric_show(const struct tiles *s, unsigned turn);
/* Between two steps: go on router by router. */
void fabric_leave(struct tiles *s);
/* Before a step: the opposite, after a state was loaded. */
void fabric_enter(struct tiles *s);

/* --- tiles_state.c ---------------------------------------------------------------------------- */

void tiles_state(struct ec_net *net, struct state *state, uint32_t router);
void tiles_track(struct ec_net *net, uint64_t word);

/* --- tiles_open.c ----------------------------------------------------------------------------- */

void tiles_close(struct ec_net *net);

/* --- border.c --------------------------------------------------------------------------------- */

/* Close it, even if this fails. `cut` NULL: there are no other parts. `delay`: the longest. */
bool border_open(struct border *b, const struct ec_partition *cut, uint32_t part, unsigned delay);
/* A link of `delay` cycles leads to `channel` in another part: the number of the new end. */
uint32_t border_add(struct border *b, uint32_t part, uint32_t channel, unsigned delay);
/* A word, or without EC_WORD_VALID a credit, leaves this cycle for end `end` of the border. */
void border_send(struct tiles *s, uint32_t end, uint64_t word);
/* It arrives in cycle `at`, after this one. */
void border_keep(struct tiles *s, struct on_link x, uint64_t at);
/* Something is on its way to or from another part: describe it. */
bool border_on_the_way(const struct tiles *s, struct ec_net_fault *ret_fault);
void border_reset(struct border *b);
void border_close(struct border *b);
