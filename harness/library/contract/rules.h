/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of docs/ROUTER-CONTRACT.md for routers, judged from outside: what routers got and
 * showed goes in, the first breach comes out, with its place and what was due there.
 *
 * Written from the contract alone; shares no code with the RTL and the SystemC model. Two
 * strictnesses: ecube's own router must do exactly what sections 4.6, 6, 7 and 8 say, in exactly
 * that cycle. A foreign router (section 12) may use any pipeline and arbitration and return its
 * credits early or late; it must keep the words of an input VC in order, send them unchanged by the
 * right port and VC without mixing packets, never send without a credit, and return one credit per
 * word. With dynamic allocation the right VC is any of the right class, one for all words of a
 * packet, and only the words of a packet keep their order.
 *
 * Ports are those of the topology: links, then local ports. */
#pragma once

#include "contract/shadow.h"
#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/topology.h"

enum rules_kind {
    RULES_HELD_BACK,      /* a word could leave and does not: a credit or a grant was lost */
    RULES_NO_CREDIT,      /* a word leaves without a credit */
    RULES_TOO_EARLY,      /* a head leaves with too few credits, or before its tail arrived */
    RULES_ORDER,          /* the link is granted to another input VC: round robin */
    RULES_PORT,           /* a word leaves by the wrong port */
    RULES_VC,             /* ... on the wrong VC */
    RULES_MIXED,          /* ... inside another packet, or without its head */
    RULES_WORD,           /* a word is altered, duplicated or invented */
    RULES_LOST,           /* a word is lost, or was not stored */
    RULES_CREDIT_MISSING, /* no credit for a word that has left */
    RULES_CREDIT_TWICE,   /* a credit too many */
    RULES_ASLEEP,         /* a router sleeps (quiet_o) although it holds a word */
    RULES_TAP,            /* a tap is wrong */
    RULES_INPUT,          /* the router got what it must never get: not its fault */
};

struct rules_breach {
    enum rules_kind kind;
    uint64_t cycle;
    uint32_t node;
    bool input; /* port and VC are those of an input; else of an output */
    unsigned port, vc;
    uint64_t word; /* concerned; 0: none */
    char what[320];
};

/* The most cycles between a word on an output channel and its credit (contract, section 12.1). */
#define RULES_CREDIT_DELAY 64

/* The most links that a packet may take with routing=any, by the diameter (contract, 12.2). */
#define RULES_HOPS_MOST 64

struct rules_options {
    bool foreign; /* section 12 */
    bool stored;  /* foreign: no head leaves before the tail of its packet is in the router */
    bool taps;    /* own router: contended, starved and want are shown, and judged */
};

/* Does a node hold back words of this VC for a reason of its own? */
typedef bool rules_excuse(const void *context, uint32_t node, unsigned local, unsigned vc);

struct rules;

/* `node`: the only router that will be shown, or EC_NONE: all of the network. Borrows t and r, of
 * which the packet bound must be set. NULL: out of memory. */
struct rules *rules_open(const struct ec_topology *t, const struct ec_router *r, uint32_t node,
                         struct rules_options options);
void rules_reset(struct rules *rules); /* the routers were reset: cycle 1 comes next */
void rules_close(struct rules *rules); /* NULL is fine */

/* What one router got in a cycle, and what it shows in the next one. A router that was not shown in
 * a cycle got nothing in it. */
void rules_see(struct rules *rules, const struct ec_net_seen *seen);
/* All routers of this cycle have been shown. Own router: finds those that sleep with a word; not
 * needed where all routers are shown in every cycle. */
void rules_cycle(struct rules *rules, uint64_t cycle);

/* Nothing has moved, and no credit was returned or held back by a node, for some time: credits that
 * are still missing at an input VC or a local output in which nothing has happened for `patience`
 * cycles are lost. A breach of these two functions is kept like any other: only if it is the first.
 */
void rules_still(struct rules *rules, uint64_t cycle, uint64_t patience);
/* Then a node for which `excuse` is true owes no credits. */
void rules_excuse_nodes(struct rules *rules, rules_excuse *excuse, const void *context);
/* The traffic is over, and all credits have been returned to the routers: every word must have left
 * and every credit be back. */
void rules_end(struct rules *rules, uint64_t cycle);

/* The first breach; NULL: none. Later ones may follow from it and are not recorded. */
const struct rules_breach *rules_breach(const struct rules *rules);
/* "cycle 12, router 5 (101), output dim1 VC 0: word ..."; with a single VC without it. */
void rules_text(const struct rules *rules, const struct rules_breach *b, char *buffer, size_t size);
/* "head 4->7 #0.0". */
struct rules_name {
    char text[100];
};
struct rules_name rules_word_name(const struct rules *rules, uint64_t word);
/* The words and credits are still accounted for after such a breach, so that what the routers hold
 * and wait for is known. */
bool rules_conserves(enum rules_kind kind);
/* It is about a credit, or about a word that could leave and does not. */
bool rules_about_credits(enum rules_kind kind);
/* Out of memory: the account is not reliable, and no breach was recorded since. */
bool rules_memory_short(const struct rules *rules);

/* --- The account, for those who explain why nothing moves -----------------------------------
 *
 * Input VCs are numbered by shadow_at(); so are output VCs, by their port and VC. */

#define RULES_NOBODY UINT32_MAX

const struct shadow *rules_shadow(const struct rules *rules); /* the words in the input VCs */

/* What the front word of an input VC asks for (section 5). */
struct rules_ask {
    uint64_t word;  /* 0: the input VC is empty */
    unsigned port;  /* by which it must leave; the number of ports: it names no node */
    unsigned vcs;   /* the VCs that it may take there, as bits: several only for a head and with
                       dynamic allocation */
    unsigned vc;    /* the one of them that it takes now, or would take if it could leave */
    uint64_t since; /* the first cycle in which it is at the front */
    bool complete;  /* its packet is here up to the tail */
};
struct rules_ask rules_ask(const struct rules *rules, size_t input);
/* May the front word leave by this port? Several only for a head, and with a routing other than
 * dor. */
bool rules_may_leave(const struct rules *rules, size_t input, unsigned port);
/* On which VCs (bits) it may leave by a port for which that is true. */
unsigned rules_vcs(const struct rules *rules, size_t input, unsigned port);
/* Own router of several stages: the output VC that the front word was granted in the cycle after
 * the last one seen, so that it leaves one cycle later; or RULES_NOBODY. */
uint32_t rules_granted(const struct rules *rules, size_t input);

struct rules_output {
    uint32_t holder;     /* the input VC, port * vcs + vc, that sends a packet; or RULES_NOBODY */
    uint64_t packet;     /* that it sends: destination, source and number; with a holder only */
    uint32_t sent;       /* words whose credits have not come back */
    uint64_t credit_at;  /* the last cycle in which a credit came back; 0: never */
    uint64_t freed_at;   /* ... in which a tail left; 0: never */
    uint64_t correct_at; /* ... in which all credits were back */
    uint64_t out_since;  /* the first one after it in which a word left */
};
const struct rules_output *rules_output(const struct rules *rules, size_t output);
/* The credits without which a word may not leave on a VC (sections 5.5 and 7). */
unsigned rules_need(const struct rules *rules, uint64_t word, unsigned vc);
/* The last cycle in which a router was shown, and the last in which a word left any router. */
uint64_t rules_shown_at(const struct rules *rules, uint32_t node);
uint64_t rules_moved_at(const struct rules *rules);
