/* SPDX-License-Identifier: Apache-2.0 */
/* The account that the rules keep of every router. Private to this folder. */
#pragma once

#include "base/list.h"
#include "contract/rules.h"
#include "ecube/word.h"

#define PORTS_MAX 64 /* a port is a bit of a mask */

struct account_input {      /* an input VC */
    uint64_t front_at;      /* the first cycle with its front word at the front */
    uint64_t entered_at;    /* the first cycle with its last word in it */
    uint64_t left, left_at; /* the last word that left, and when; 0: none */
    uint64_t credit_at;     /* the last credit that was returned; 0: none */
    uint64_t correct_at;    /* the last cycle in which no credit was missing */
    uint64_t missing_at;    /* the first one after it in which one was; 0: none is */
    int32_t ahead;          /* credits returned, minus words that left */
    int32_t best;           /* the most that `ahead` ever was */
    uint32_t tails;         /* in the buffer */
    uint8_t port, vcs;      /* where the front word must leave; port = ports: nowhere. VCs: bits,
                               of which it takes one. (A head that has a choice of
                               ports: that of dimension order.) */
    bool open;              /* the last word that entered is not a tail */
};

struct rules {
    const struct ec_topology *t;
    const struct ec_router *r;
    struct rules_options options;
    rules_excuse *excuse; /* or NULL */
    const void *excuse_context;
    uint32_t routers;
    unsigned ports, vcs, buffers; /* of a router; buffers = ports * vcs */
    unsigned route;               /* cycles between an input and its input VC: a stage, or 0 */
    struct shadow shadow;
    struct ec_arrays arrays;      /* all of the following: */
    struct account_input *inputs; /* [shadow_at()] */
    struct rules_output *outputs; /* [shadow_at()], by output port and VC */
    uint64_t *filled;             /* [router * vcs + vc] bits: ports whose input VC holds words */
    uint16_t *pointer;            /* [router * ports + port] round robin */
    uint16_t *turn;               /* [router * ports + port] of the VCs of an input port */
    /* Own router of several stages, the words between allocation and output: */
    uint64_t *granted; /* [router] output ports with such a word; NULL: there is no such stage */
    uint16_t *winner; /* [router * ports + port] the input VC that it came from, where it is kept */
    struct shadow unpaid;       /* foreign: when words left whose credits have not been returned */
    uint64_t *shown;            /* [router] the last cycle */
    uint32_t *words;            /* [router] that it holds */
    uint32_t *busy, busy_count; /* the routers that may hold words, by number */
    bool *listed;               /* [router] in busy */
    uint64_t moved_at;
    bool found;
    struct rules_breach breach;
};

/* The number of a router, from 0: rules->shadow.first is the first one shown. */
static inline uint32_t account_router(const struct rules *rules, uint32_t node)
{
    return node - rules->shadow.first;
}

/* Input and output VCs with a number. */
struct rules_breach account_at_input(const struct rules *rules, enum rules_kind kind,
                                     uint64_t cycle, size_t at, uint64_t word);
struct rules_breach account_at_output(const struct rules *rules, enum rules_kind kind,
                                      uint64_t cycle, size_t at, uint64_t word);

/* The output VC that the front word of an input VC takes if it leaves now: the first of those it
 * may take that is not held by another packet and has so many credits. If there is none, the first
 * that is not held; else the first. */
size_t account_choice(const struct rules *rules, size_t at);
/* Does another packet hold every output VC that the front word may take? */
bool account_is_held(const struct rules *rules, size_t at);
/* Credits that the router must have. */
static inline unsigned account_free(const struct rules *rules, const struct rules_output *out)
{
    return rules->r->depth > out->sent ? rules->r->depth - out->sent : 0;
}

/* Destination, source and number, which all words of a packet have in common and no others. */
uint64_t account_packet(const struct rules *rules, uint64_t word);
/* The output port where a word of an input VC must leave; `ports`: nowhere. */
unsigned account_port(const struct rules *rules, size_t at, uint64_t word);
/* May the front word of an input VC leave by this output port? That is what `routing` of the router
 * prescribes (section 12.2): the port of dimension order, any that comes nearer, or any. */
bool account_may_leave(const struct rules *rules, size_t at, unsigned port);
/* On which VCs (bits), then. */
unsigned account_vcs(const struct rules *rules, size_t at, unsigned port);
/* Who is at the other end of a port: "the node" or "the neighbour". */
const char *account_peer(const struct rules *rules, size_t at);
/* A router gets words and credits. */
void account_take(struct rules *rules, const struct ec_net_seen *seen);
/* The front word of an input VC is granted an output VC. */
void account_grant(struct rules *rules, size_t from, size_t to, uint64_t cycle);
/* The front word of an input VC leaves the router; the next one is at the front from `next` on. */
void account_leave(struct rules *rules, size_t from, uint64_t cycle, uint64_t next);
/* Both at once. */
void account_pass(struct rules *rules, size_t from, size_t to, uint64_t cycle);
/* The input VC returns a credit. */
void account_credit(struct rules *rules, size_t at, uint64_t cycle);
/* The first words of an input VC will not come any more. */
void account_drop(struct rules *rules, size_t at, uint32_t count, uint64_t cycle);
/* Word k of an input VC leaves before the words in front of it, which ask for other output VCs: it
 * becomes the front word. False: one of them asks for the same. */
bool account_overtake(struct rules *rules, size_t at, uint32_t k, uint64_t cycle);
/* The front word of an input VC has changed. */
void account_look(struct rules *rules, size_t at, uint64_t cycle);

/* --- adaptive.c: heads with routing=adaptive ---------------------------------------------------
 */

/* Is this VC of an output adaptive? With another routing none is. */
bool adaptive_vc(const struct rules *rules, unsigned vc);
/* The VCs that the head at the front of an input VC may take on an output port, in some cycle. */
unsigned adaptive_vcs(const struct rules *rules, size_t at, unsigned port);
/* Set the port and the VCs that it asks for now. */
void adaptive_choose(struct rules *rules, size_t at);

/* --- breach.c ------------------------------------------------------------------------------- */

/* Record a breach, unless there is one of the same cycle or an earlier one. */
void rules_note(struct rules *rules, struct rules_breach at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

struct rules_name rules_port_name(const struct rules *rules, unsigned port);
struct rules_name rules_vc_name(const struct rules *rules, unsigned port, unsigned vc);
/* "VC 0 or VC 2", for bits. */
struct rules_name rules_vcs_name(unsigned vcs);
/* EVENT "in cycle 12", or NEVER for cycle 0. */
struct rules_name rules_when(const char *event, const char *never, uint64_t cycle);
/* "the last one came back in cycle 12", or that none did. */
struct rules_name rules_credit_name(const struct rules_output *out);

/* --- any_router.c: any router ----------------------------------------------------------------- */

/* The input VC with this word at its front; where words are equal, the one that fits the output VC
 * `to` best. SIZE_MAX: none, or none with that `to` by its route (if `routed`). */
size_t any_source(const struct rules *rules, size_t to, uint64_t word, bool routed);
/* `at.word` leaves from the front of an input VC by the output at.port and at.vc. False: that is a
 * breach, and it is recorded. */
bool any_judge(struct rules *rules, size_t from, struct rules_breach at);
/* `at.word` is at no front: record what has happened. `instead`: the word that was removed for it;
 * 0: not known. */
void any_judge_unknown(struct rules *rules, struct rules_breach at, uint64_t instead);
/* The word that a router shows on a port; its kind is that of an altered one. */
struct rules_breach any_leaving(const struct rules *rules, const struct ec_net_seen *seen,
                                unsigned port);
/* False: the port has no link, and that is recorded. */
bool any_has_link(struct rules *rules, struct rules_breach at);
/* Judge and account the words that a router shows, and the credits. */
void any_words(struct rules *rules, const struct ec_net_seen *seen);
void any_credits(struct rules *rules, const struct ec_net_seen *seen);

/* --- own_router.c: own router ----------------------------------------------------------------- */

/* What a router must show if it follows sections 4.6, 6, 7 and 8. */
struct due {
    uint64_t valid;                                     /* output ports that are granted */
    uint64_t word[PORTS_MAX];                           /* [port] the word that is granted it */
    unsigned winner[PORTS_MAX];                         /* [port] the input VC that is granted */
    uint64_t credit[EC_VCS_MAX], contended[EC_VCS_MAX]; /* [vc] */
    uint64_t starved[EC_VCS_MAX];
};

/* Judge and account what a router shows. */
void own_see(struct rules *rules, const struct ec_net_seen *seen);
/* Words between allocation and output are from now on accounted for when they leave. */
void own_forget(struct rules *rules, size_t router);
