/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnosis of a replayed run: the first breach of the contract, in a router (contract/rules.h) or
 * on a wire (wires.c), and which buffer waits for which (waiting.c). Must not know the inside of a
 * router, so it works for any router. */
#include "diagnose/diagnosis.h"

#include <stdlib.h>

#include "network/names.h"

/* If no word has left any router for longer than this and a loop of a credit, no front word can
 * move. */
#define STILL_AFTER 2

struct diagnosis {
    struct ec_net_watch watch;
    const struct ec_topology *t;
    const struct ec_router *r;
    bool foreign;
    struct wires *wires;
    struct rules *rules;
    const struct shadow *shadow; /* of the rules: the input VCs */
    uint64_t cycle;              /* the last one seen */
    waiting_ask *ask;            /* or NULL */
    const void *ask_context;
    bool broken_wire;
    struct wire_fault wire;
    uint64_t followed; /* a word of the packet whose hops are counted; 0: none */
    uint64_t from;     /* ... from this cycle on: its number may have been used before */
    uint64_t hops;
    char cause[600];
};

/* --- The cause ------------------------------------------------------------------------------ */

/* The heads of the followed packet that leave by links. */
static void count_hops(struct diagnosis *d, const struct ec_net_seen *seen)
{
    const struct ec_word_layout *l = &d->shadow->layout;
    const uint64_t links = (UINT64_C(1) << d->shadow->links) - 1;
    for (uint64_t left = seen->out_valid & links; left; left &= left - 1) {
        const uint64_t word = seen->out_word[__builtin_ctzll(left)];
        d->hops += ec_word_head(word) && ec_word_src(l, word) == ec_word_src(l, d->followed) &&
                   ec_word_number(l, word) == ec_word_number(l, d->followed);
    }
}

void diagnosis_follow(struct diagnosis *d, uint64_t word, uint64_t from)
{
    d->followed = word;
    d->from = from;
}

uint64_t diagnosis_hops(const struct diagnosis *d)
{
    return d->hops;
}

static void diagnose_router(void *context, const struct ec_net_seen *seen)
{
    struct diagnosis *d = context;
    d->cycle = seen->cycle;
    wires_see(d->wires, seen);
    rules_see(d->rules, seen);
    if (d->followed && seen->cycle >= d->from)
        count_hops(d, seen);
}

/* A wire carries in this cycle what a router showed in the previous one. */
static void diagnose_cycle(void *context, uint64_t cycle)
{
    struct diagnosis *d = context;
    rules_cycle(d->rules, cycle);
    if (!d->broken_wire)
        d->broken_wire = wires_judge(d->wires, cycle, &d->wire);
}

void diagnosis_nodes(void *diagnosis, uint64_t cycle, const struct ec_port_events *in,
                     const struct ec_port_events *out)
{
    struct diagnosis *d = diagnosis;
    if (!d->broken_wire)
        d->broken_wire = wires_judge_nodes(d->wires, cycle, in, out, &d->wire);
}

/* The rules if they were broken before the first wire was; else NULL. */
static const struct rules_breach *first_breach(const struct diagnosis *d)
{
    const struct rules_breach *b = rules_breach(d->rules);
    return b && (!d->broken_wire || b->cycle < d->wire.cycle) ? b : NULL;
}

/* What happened on the wire, from the end that `node` and `port` name. */
static void describe_ends(const struct diagnosis *d, char *buffer, size_t size)
{
    const struct wire_fault *f = &d->wire;
    char peer[64];
    if (f->peer == EC_NONE) {
        snprintf(buffer, size, "%s",
                 f->lost && f->out ? "leaves but does not arrive at the node"
                 : f->lost         ? "leaves the node but does not arrive at the router"
                 : f->out          ? "arrives at the node, but the router did not send it"
                                   : "arrives, but the node did not send it");
        return;
    }
    ec_topology_node_name(d->t, f->peer, peer, sizeof peer);
    snprintf(buffer, size,
             f->lost ? "leaves but does not arrive at router %s"
                     : "arrives, but router %s did not send it",
             peer);
}

static void describe_wire(const struct diagnosis *d, char *buffer, size_t size)
{
    const struct wire_fault *f = &d->wire;
    char what[100] = "a credit", router[64], port[32], ends[120];
    if (f->word)
        snprintf(what, sizeof what, "word %.90s", rules_word_name(d->rules, f->word).text);
    else if (d->shadow->vcs > 1)
        snprintf(what, sizeof what, "a credit of VC %u", f->vc);
    ec_topology_node_name(d->t, f->node, router, sizeof router);
    ec_port_name(d->t, d->shadow->locals, f->port, port, sizeof port);
    describe_ends(d, ends, sizeof ends);
    snprintf(buffer, size, "cycle %llu, router %s, port %s: %s %s (wiring error)",
             (unsigned long long)f->cycle, router, port, what, ends);
}

const char *diagnosis_cause(struct diagnosis *d)
{
    const struct rules_breach *b = first_breach(d);
    d->cause[0] = '\0';
    if (b)
        rules_text(d->rules, b, d->cause, sizeof d->cause);
    else if (d->broken_wire)
        describe_wire(d, d->cause, sizeof d->cause);
    return d->cause[0] ? d->cause : NULL;
}

bool diagnosis_place(const struct diagnosis *d, uint64_t *ret_cycle, uint32_t *ret_node,
                     unsigned *ret_port)
{
    const struct rules_breach *b = first_breach(d);
    if (!b && !d->broken_wire)
        return false;
    *ret_cycle = b ? b->cycle : d->wire.cycle;
    *ret_node = b ? b->node : d->wire.node;
    *ret_port = b ? b->port : d->wire.port;
    return true;
}

bool diagnosis_conserves(const struct diagnosis *d)
{
    const struct rules_breach *b = first_breach(d);
    return b && rules_conserves(b->kind);
}

bool diagnosis_about_credits(const struct diagnosis *d)
{
    const struct rules_breach *b = first_breach(d);
    return b && rules_about_credits(b->kind);
}

void diagnosis_still(struct diagnosis *d, uint64_t cycle, uint64_t patience)
{
    if (!d->broken_wire)
        rules_still(d->rules, cycle, patience);
}

void diagnosis_drained(struct diagnosis *d, uint64_t cycle)
{
    if (!d->broken_wire)
        rules_end(d->rules, cycle);
}

/* --- Waiting -------------------------------------------------------------------------------- */

bool diagnosis_waiting(const struct diagnosis *d, struct waiting_found *ret,
                       struct ec_node_set *nodes)
{
    const struct waiting w = {.t = d->t,
                              .r = d->r,
                              .rules = d->rules,
                              .foreign = d->foreign,
                              .cycle = d->cycle,
                              .still_after =
                                  STILL_AFTER + ec_router_loop(d->r) - EC_ROUTER_LOOP_LEAST,
                              .ask = d->ask,
                              .ask_context = d->ask_context};
    return waiting_find(&w, ret, nodes);
}

/* --- Opening and closing -------------------------------------------------------------------- */

struct diagnosis *diagnosis_open(const struct ec_net *net)
{
    const struct rules_options options = {.foreign = net->foreign, .taps = net->has_taps};
    struct diagnosis *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->t = net->topology;
    d->r = net->router;
    d->foreign = net->foreign;
    d->watch =
        (struct ec_net_watch){.router = diagnose_router, .cycle = diagnose_cycle, .context = d};
    d->rules = rules_open(d->t, d->r, EC_NONE, options);
    d->wires = wires_open(d->t, ec_router_local_ports(d->r, d->t), d->r->vcs, d->r->link);
    if (d->rules && d->wires) {
        d->shadow = rules_shadow(d->rules);
        return d;
    }
    diagnosis_close(d);
    return NULL;
}

static bool is_refused(const void *diagnosis, uint32_t node, unsigned local, unsigned vc)
{
    const struct diagnosis *d = diagnosis;
    struct waiting_refusal refusal;
    return d->ask(d->ask_context, node, local, vc, &refusal);
}

void diagnosis_ask_nodes(struct diagnosis *d, waiting_ask *ask, const void *context)
{
    d->ask = ask;
    d->ask_context = context;
    rules_excuse_nodes(d->rules, is_refused, d);
}

void diagnosis_close(struct diagnosis *d)
{
    if (!d)
        return;
    wires_close(d->wires);
    rules_close(d->rules);
    free(d);
}

const struct ec_net_watch *diagnosis_watch(struct diagnosis *d)
{
    return &d->watch;
}

bool diagnosis_memory_short(const struct diagnosis *d)
{
    return rules_memory_short(d->rules) || wires_memory_short(d->wires);
}
