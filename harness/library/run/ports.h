/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes' side of the local ports. A sender splits messages into packets and words, and sends
 * one word a cycle as credits and start-up times allow; a receiver takes words, or under
 * back-pressure holds them until its node accepts them (docs/ROUTER-CONTRACT.md, "node"). */
#pragma once

#include "base/list.h"
#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/run.h"
#include "ecube/topology.h"
#include "parts/state.h"
#include "run/scoreboard.h"
#include "traffic/service.h"
#include "traffic/source.h"

struct sender {
    uint32_t dst;
    uint32_t message_left;    /* words of the message not yet in a packet */
    uint32_t words, sent;     /* of the packet; words 0: between packets */
    uint64_t common;          /* what all words of the packet have in common */
    uint32_t message;         /* its index in a list, or its number if it is assembled */
    uint32_t whole;           /* its words, if it is assembled; else 0 */
    uint64_t created;         /* the message */
    uint64_t asked;           /* a reply: creation of its request; else 0 */
    uint32_t part;            /* its traffic class */
    uint32_t way;             /* its path, where the source draws one */
    uint64_t ready;           /* end of the start-up: the head may be offered from this cycle on */
    uint64_t blocked;         /* the first cycle of the current wait for a credit; 0: none */
    unsigned lane, next_lane; /* dynamic allocation: lane is that of the packet, once it begins */
    bool starting;            /* the start-up of the next packet has begun */
    bool busy;                /* a message is in hand */
};

struct senders {
    const struct ec_topology *t;
    const struct ec_router *r;
    struct sources *sources;
    struct scoreboard *board;
    struct order *order; /* of the sources; NULL if no message waits for another */
    unsigned locals, vcs;
    unsigned lanes; /* of each message class */
    bool dynamic;   /* allocation of VCs: by packet, not in turn by message */
    bool listed;    /* messages have an index */
    uint32_t ports, startup;
    struct nodes_own own;
    unsigned head_credits; /* needed to send a head: the packet bound, in wormhole 1 */
    /* A port has one sender, or one for requests and one for replies, which use lanes of their own
     * and take turns, word by word: neither waits for the other. */
    unsigned classes;
    struct service *service; /* borrowed; has the replies; NULL: there are none */
    uint8_t *turn;           /* [ports] the sender that goes first; NULL: one sender */
    uint64_t *sent;        /* [ports * 2] words of requests and of replies sent; NULL: no replies */
    struct sender *sender; /* [ports * classes] */
    uint64_t *due; /* [ports * classes] the next cycle in which a sender has something to do */
    struct sender_credit *credit; /* [ports * vcs] */
    uint64_t started;             /* cycle of the first start-up or offer; 0: none yet */
    uint64_t busy;                /* senders with a message in hand */
    /* Called for each packet that a sender starts; NULL during replays. */
    void (*offered)(void *context, const struct ec_offer *offer);
    void *offered_context;
    void (*taken)(void *context, const struct ec_message *message); /* as in ec_run_options */
    void *taken_context;
    /* Called for each message of a node to itself; or NULL. */
    void (*home)(void *context, uint32_t message, uint64_t now);
    void *home_context;
    uint64_t *blocked; /* [ports * classes] cycles with a word to send and no credit, in waits that
                          ended */
    uint64_t messages; /* taken in hand */
    uint64_t self_messages;  /* of these, messages of nodes to themselves, delivered without the
                                network */
    struct ec_arrays arrays; /* all of the arrays */
};

/* `own` NULL: all nodes send. False if memory is short. */
bool senders_open(struct senders *s, const struct ec_topology *t, const struct ec_router *r,
                  struct sources *sources, struct scoreboard *board, uint32_t startup,
                  const struct nodes_own *own);
/* Send the replies of `service`, too; after opening. Unless they share the lanes of requests, the
 * number of lanes is even. False if memory is short. */
bool senders_serve(struct senders *s, struct service *service, bool shared);
void senders_reset(struct senders *s);
void senders_close(struct senders *s);

/* Put the words of cycle `now` into `in`. */
void senders_offer(struct senders *s, uint64_t now, struct ec_port_events *in);
/* A router shows a credit for a local port in cycle `now`; it is usable from now + 1 on. */
void senders_credit(struct senders *s, uint32_t port, unsigned vc, uint64_t now);
/* Cycles up to `now` in which a sender had a word to send, but no credit. */
uint64_t senders_blocked(const struct senders *s, uint32_t port, uint64_t now);
/* What senders_blocked() returns from now on, for a port that sends no more. */
void senders_set_blocked(struct senders *s, uint32_t port, uint64_t cycles);
/* The next cycle in which any sender has something to do; SOURCE_NEVER: none has. */
uint64_t senders_next_due(const struct senders *s);
/* The first port with a message in hand, or with one since before cycle `now`, and the VC on which
 * it sends (dynamic allocation: the first of those that it may take). False: all ports are idle. */
bool senders_waiting(const struct senders *s, uint64_t now, uint32_t *ret_port, unsigned *ret_vc);
/* This port has a message from cycle `now` on. */
void senders_wake(struct senders *s, uint32_t port, uint64_t now);
/* This port has a reply from cycle `ready` on. */
void senders_wake_for_reply(struct senders *s, uint32_t port, uint64_t ready);
/* The VCs for a credit of one of which a reply at this port waits, as bits, perhaps behind a
 * request that goes first; 0: none does. */
unsigned senders_reply_waits(const struct senders *s, uint32_t port);

/* The state: first that of each own node, in its unit; then the rest. */
void senders_state_node(struct senders *s, struct state *state, uint32_t node);
void senders_state(struct senders *s, struct state *state);

struct receivers {
    uint32_t ports;
    unsigned locals, vcs;
    struct nodes_own own;
    uint64_t
        stall;    /* a port accepts nothing if a 64-bit draw is below this; 0: it always accepts */
    uint64_t key; /* of the random numbers */
    uint16_t *held;  /* [ports * vcs] words not yet accepted; NULL without back-pressure */
    uint64_t *words; /* [ports * vcs * depth] these words, if the scoreboard sees a word only when
                        the node takes it; else NULL */
    unsigned depth;
    struct scoreboard *board; /* borrowed; sees these words */
    uint32_t *holds;          /* [ports] the sum over VCs */
    uint64_t waiting;         /* port-cycles with something to accept */
    uint64_t stalled;         /* of these, those that accepted nothing */
    uint64_t held_words;
    struct service *service; /* borrowed; decides whether its node has room; or NULL */
    struct senders *senders; /* borrowed; of the replies */
    bool memory_short;
    struct ec_arrays arrays; /* all of the arrays */
};

/* `own` NULL: all nodes receive. False if memory is short. */
bool receivers_open(struct receivers *r, uint32_t nodes, unsigned locals, unsigned vcs,
                    double stall, uint64_t seed, const struct nodes_own *own);
/* From now on, with back-pressure: show a word to the scoreboard when the node takes it, which has
 * room for `depth` of them on a VC. After opening. False if memory is short. */
bool receivers_keep(struct receivers *r, struct scoreboard *board, unsigned depth);
/* Accept requests only while the node has room for them; after opening. False if memory is short.
 */
bool receivers_serve(struct receivers *r, struct service *service, struct senders *senders,
                     bool finite);
void receivers_reset(struct receivers *r);
void receivers_close(struct receivers *r);

/* The first port that holds words back. False: none does. */
bool receivers_holding(const struct receivers *r, uint32_t *ret_port);
/* Does a port hold back words of a VC because its node has no room for a request? */
bool receivers_refuse(const struct receivers *r, uint32_t port, unsigned vc);
/* Take the words `seen` that routers show in cycle `now`; put the credits of those accepted into
 * `in`, the events of the same cycle. */
void receivers_accept(struct receivers *r, uint64_t now, const struct ec_port_events *seen,
                      struct ec_port_events *in);

/* The state, likewise. */
void receivers_state_node(struct receivers *r, struct state *state, uint32_t node);
void receivers_state(struct receivers *r, struct state *state);
