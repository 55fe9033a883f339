/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnosis of a replayed run: the first breach of the contract, in a router (contract/rules.h) or
 * on a wire (wires.c), and which buffer waits for which. Must not know the inside of a router, so
 * it works for any router. */
#include "diagnose/diagnosis.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "contract/rules.h"
#include "ecube/word.h"
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
    diagnosis_ask *ask;          /* or NULL */
    const void *ask_context;
    bool broken_wire;
    struct wire_fault wire;
    char cause[600];
};

static void name_port(const struct diagnosis *d, unsigned port, char *buffer, size_t size)
{
    ec_port_name(d->t, d->shadow->locals, port, buffer, size);
}

/* The sender's end of an input port; false at a local port. */
static bool find_upstream(const struct diagnosis *d, uint32_t node, unsigned port,
                          uint32_t *ret_node, unsigned *ret_port)
{
    if (port >= d->shadow->links)
        return false;
    *ret_node = ec_topology_neighbor(d->t, node, port);
    *ret_port = ec_topology_reverse(d->t, port);
    return *ret_node != EC_NONE;
}

/* --- The cause ------------------------------------------------------------------------------ */

static void diagnose_router(void *context, const struct ec_net_seen *seen)
{
    struct diagnosis *d = context;
    d->cycle = seen->cycle;
    wires_see(d->wires, seen);
    rules_see(d->rules, seen);
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
    name_port(d, f->port, port, sizeof port);
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

/* Each blocked input buffer waits for one other: the holder of the output VC that it wants, or the
 * full buffer behind it. Following these either closes a cycle, which is a deadlock, or ends at a
 * router that could move and does not. */

/* One step of a chain: the buffer waited for (SIZE_MAX: none), and why. */
struct wait {
    size_t next;
    char why[512];
};

/* A buffer and its front word. */
struct blocked {
    uint32_t node;
    unsigned in, vc;
    struct rules_ask ask;
    char packet[80]; /* its name */
};

__attribute__((format(printf, 4, 5))) static void explain_wait(const struct diagnosis *d,
                                                               struct wait *wait,
                                                               const struct blocked *b,
                                                               const char *format, ...)
{
    char router[64], in[32], rest[300];
    va_list args;
    va_start(args, format);
    vsnprintf(rest, sizeof rest, format, args);
    va_end(args);
    ec_topology_node_name(d->t, b->node, router, sizeof router);
    name_port(d, b->in, in, sizeof in);
    snprintf(wait->why, sizeof wait->why, "router %s, input %s VC %u: %s", router, in, b->vc, rest);
}

/* The node has no room for a request: it waits for the buffer into which its reply must go. */
static bool wait_for_node(const struct diagnosis *d, const struct blocked *b, unsigned vc,
                          struct wait *wait)
{
    struct diagnosis_refusal refusal;
    char out[32], in[32];
    if (!d->ask || !d->ask(d->ask_context, b->node, b->ask.port - d->shadow->links, vc, &refusal))
        return false;
    name_port(d, b->ask.port, out, sizeof out);
    name_port(d, d->shadow->links + refusal.local, in, sizeof in);
    wait->next = SIZE_MAX;
    if (!refusal.waits) {
        explain_wait(d, wait, b,
                     "packet %s wants output %s VC %u, whose node has no room: it holds %u "
                     "request%s, and no reply waits for the network",
                     b->packet, out, vc, refusal.held, refusal.held == 1 ? "" : "s");
        return true;
    }
    explain_wait(d, wait, b,
                 "packet %s wants output %s VC %u, whose node has no room: it holds %u request%s, "
                 "and its replies wait for input %s VC %u",
                 b->packet, out, vc, refusal.held, refusal.held == 1 ? "" : "s", in, refusal.vc);
    wait->next = shadow_at(d->shadow, b->node, d->shadow->links + refusal.local, refusal.vc);
    return true;
}

/* The buffer behind an output VC has no room; at a local port the node owes the credits. */
static void wait_for_room(const struct diagnosis *d, const struct blocked *b, unsigned vc,
                          struct wait *wait)
{
    char name[32], there[64];
    name_port(d, b->ask.port, name, sizeof name);
    if (b->ask.port >= d->shadow->links && wait_for_node(d, b, vc, wait))
        return;
    if (b->ask.port >= d->shadow->links) {
        explain_wait(d, wait, b, "packet %s wants output %s VC %u, whose node returns no credit",
                     b->packet, name, vc);
        wait->next = SIZE_MAX;
        return;
    }
    const uint32_t to = ec_topology_neighbor(d->t, b->node, b->ask.port);
    ec_topology_node_name(d->t, to, there, sizeof there);
    explain_wait(d, wait, b, "packet %s wants output %s VC %u, whose buffer in router %s is full",
                 b->packet, name, vc, there);
    wait->next = shadow_at(d->shadow, to, ec_topology_reverse(d->t, b->ask.port), vc);
}

/* Is no credit of this output VC under way? Else its buffer has just become free. (A foreign router
 * may return credits early.) */
static bool is_settled(const struct diagnosis *d, const struct blocked *b, unsigned vc)
{
    const size_t out = shadow_at(d->shadow, b->node, b->ask.port, vc);
    uint32_t to;
    unsigned port;
    return !find_upstream(d, b->node, b->ask.port, &to, &port) ||
           d->shadow->buffers[shadow_at(d->shadow, to, port, vc)].count >=
               rules_output(d->rules, out)->sent;
}

/* Is this output VC closed to the front word: held by another packet, or without credits? */
static bool is_closed(const struct diagnosis *d, const struct blocked *b, size_t at,
                      struct wait *wait)
{
    const unsigned vc = (unsigned)(at % d->shadow->vcs), vcs = d->shadow->vcs;
    const struct rules_output *out = rules_output(d->rules, at);
    if (out->holder != RULES_NOBODY && out->holder != b->in * vcs + b->vc) {
        char name[32], other[32];
        name_port(d, b->ask.port, name, sizeof name);
        name_port(d, out->holder / vcs, other, sizeof other);
        explain_wait(d, wait, b,
                     "packet %s wants output %s VC %u, held by the packet from input %s VC %u",
                     b->packet, name, vc, other, out->holder % vcs);
        wait->next = shadow_at(d->shadow, b->node, out->holder / vcs, out->holder % vcs);
        return true;
    }
    if (out->sent + rules_need(d->rules, b->ask.word) > d->r->depth && is_settled(d, b, vc)) {
        wait_for_room(d, b, vc, wait);
        return true;
    }
    return false;
}

/* The rest of a packet is still upstream. */
static void wait_upstream(const struct diagnosis *d, const struct blocked *b, struct wait *wait)
{
    uint32_t up;
    unsigned port;
    explain_wait(d, wait, b, "waits for the rest of its packet");
    wait->next = SIZE_MAX;
    if (!find_upstream(d, b->node, b->in, &up, &port))
        return;
    const uint32_t holder = rules_output(d->rules, shadow_at(d->shadow, up, port, b->vc))->holder;
    if (holder != RULES_NOBODY)
        wait->next = shadow_at(d->shadow, up, holder / d->shadow->vcs, holder % d->shadow->vcs);
}

static uint64_t still_after(const struct diagnosis *d)
{
    return STILL_AFTER + ec_router_loop(d->r) - EC_ROUTER_LOOP_LEAST;
}

static bool is_still(const struct diagnosis *d)
{
    return d->cycle > rules_moved_at(d->rules) + still_after(d);
}

/* Nothing is in the way of a front word: it moves next, or its router is at fault. */
static void wait_for_nothing(const struct diagnosis *d, const struct blocked *b, unsigned vc,
                             struct wait *wait)
{
    const struct rules_output *out =
        rules_output(d->rules, shadow_at(d->shadow, b->node, b->ask.port, vc));
    const uint64_t shown = rules_shown_at(d->rules, b->node);
    char name[32], sleeps[80] = "", credit[80] = "";
    name_port(d, b->ask.port, name, sizeof name);
    if (shown + STILL_AFTER < d->cycle)
        snprintf(sleeps, sizeof sleeps, "; the router sleeps since cycle %llu: quiet_o is wrong",
                 (unsigned long long)shown + 1);
    else if (out->credit_at)
        snprintf(credit, sizeof credit, ", the last one came back in cycle %llu",
                 (unsigned long long)out->credit_at);
    explain_wait(
        d, wait, b,
        "packet %s could leave and does not, by output %s VC %u with %u of %u credits free%s%s",
        b->packet, name, vc, d->r->depth - out->sent, d->r->depth, credit, sleeps);
    wait->next = SIZE_MAX;
}

static void find_wait(const struct diagnosis *d, size_t buffer, struct wait *wait)
{
    struct blocked b = {.node = (uint32_t)(buffer / d->shadow->vcs / d->shadow->ports),
                        .in = (unsigned)(buffer / d->shadow->vcs % d->shadow->ports),
                        .vc = (unsigned)(buffer % d->shadow->vcs),
                        .ask = rules_ask(d->rules, buffer)};
    const bool head = ec_word_head(b.ask.word);
    if (b.ask.word == 0 || (head && d->r->switching == EC_STORE_AND_FORWARD && !b.ask.complete)) {
        wait_upstream(d, &b, wait);
        return;
    }
    snprintf(b.packet, sizeof b.packet, "%.70s", rules_word_name(d->rules, b.ask.word).text);
    if (b.ask.port >= d->shadow->ports) {
        explain_wait(d, wait, &b, "word %s names no node", b.packet);
        wait->next = SIZE_MAX;
        return;
    }
    const size_t out = shadow_at(d->shadow, b.node, b.ask.port, b.ask.vc);
    if (is_closed(d, &b, out, wait))
        return;
    /* If nothing moves, a router that breaks the dateline rule may wait for the other class of the
     * same lane, and a foreign one may give a link to one packet at a time. Otherwise this front
     * word is about to leave. */
    if (is_still(d) && d->r->dateline && b.ask.port < d->shadow->links &&
        is_closed(d, &b, out ^ 1, wait)) {
        const size_t used = strlen(wait->why);
        snprintf(wait->why + used, sizeof wait->why - used,
                 d->foreign ? " (VC %u is free, but perhaps not the link)"
                            : " (the dateline rule says VC %u)",
                 b.ask.vc);
        return;
    }
    wait_for_nothing(d, &b, b.ask.vc, wait);
}

static uint32_t router_of_buffer(const struct diagnosis *d, size_t buffer)
{
    return (uint32_t)(buffer / d->shadow->vcs / d->shadow->ports);
}

static struct ec_waiting_input input_of(const struct diagnosis *d, size_t buffer)
{
    return (struct ec_waiting_input){.node = router_of_buffer(d, buffer),
                                     .port = (unsigned)(buffer / d->shadow->vcs % d->shadow->ports),
                                     .vc = (unsigned)(buffer % d->shadow->vcs),
                                     .wants = rules_ask(d->rules, buffer).port};
}

/* One line for each step of the cycle through `start`, and its input. */
static void describe_cycle(const struct diagnosis *d, size_t start, char ***ret_lines,
                           struct ec_waiting_input **ret_inputs, size_t *ret_count,
                           struct ec_node_set *nodes)
{
    struct wait wait = {.next = start};
    size_t count = 0, room = 0, inputs_room = 0;
    char **lines = NULL;
    struct ec_waiting_input *inputs = NULL;
    do {
        if (!ec_node_set_add(nodes, router_of_buffer(d, wait.next)))
            break;
        const struct ec_waiting_input input = input_of(d, wait.next);
        find_wait(d, wait.next, &wait);
        char **more = ec_list_grow(lines, sizeof *lines, count, &room);
        struct ec_waiting_input *more_inputs =
            ec_list_grow(inputs, sizeof *inputs, count, &inputs_room);
        lines = more ? more : lines;
        inputs = more_inputs ? more_inputs : inputs;
        if (!more || !more_inputs)
            break;
        inputs[count] = input;
        lines[count] = strdup(wait.why);
        if (!lines[count])
            break;
        count++;
    } while (wait.next != start && wait.next != SIZE_MAX);
    *ret_lines = lines;
    *ret_inputs = inputs;
    *ret_count = count;
}

bool diagnosis_waiting(const struct diagnosis *d, char ***ret_lines,
                       struct ec_waiting_input **ret_inputs, size_t *ret_count, char **ret_culprit,
                       struct ec_node_set *nodes)
{
    *ret_lines = NULL;
    *ret_inputs = NULL;
    *ret_count = 0;
    *ret_culprit = NULL;
    /* Colour each buffer with the first chain that reaches it: a chain that meets its own colour
     * closes a cycle. Each buffer has one successor, so this takes linear time. */
    size_t *colour = calloc(d->shadow->count, sizeof *colour);
    if (!colour)
        return false;
    bool found = false;
    for (size_t start = 0; start < d->shadow->count && !found; start++) {
        if (d->shadow->buffers[start].count == 0)
            continue;
        struct wait wait = {.next = start};
        size_t last = start;
        while (wait.next != SIZE_MAX && colour[wait.next] == 0) {
            last = wait.next;
            colour[last] = start + 1;
            find_wait(d, wait.next, &wait);
        }
        if (wait.next == SIZE_MAX) {
            if (!*ret_culprit && ec_node_set_add(nodes, router_of_buffer(d, last)))
                *ret_culprit = strdup(wait.why);
        } else if (colour[wait.next] == start + 1) {
            nodes->count = 0; /* drop the end of another chain */
            describe_cycle(d, wait.next, ret_lines, ret_inputs, ret_count, nodes);
            found = true;
        }
    }
    free(colour);
    return found;
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
    d->wires = wires_open(d->t, ec_router_locals(d->r, d->t), d->r->vcs, d->r->link);
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
    struct diagnosis_refusal refusal;
    return d->ask(d->ask_context, node, local, vc, &refusal);
}

void diagnosis_ask_nodes(struct diagnosis *d, diagnosis_ask *ask, const void *context)
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
