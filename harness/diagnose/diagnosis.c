/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnosis of a replayed run from link words and credits alone. Knows the external rules of the
 * contract (ports, credits, routes); must not know the inside of a router, so it works for any
 * router. */
#include "diagnose/diagnosis.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "ecube/route.h"
#include "ecube/word.h"
#include "network/names.h"
#include "contract/shadow.h"

#define NOBODY UINT32_MAX

struct diagnosis {
    struct ec_net_watch watch;
    const struct ec_topology *t;
    const struct ec_router *r;
    bool foreign;
    struct wires *wires;
    struct shadow shadow; /* the input VCs */
    int32_t *ahead;    /* [buffer] foreign routers: credits returned for words that have not left,
                          minus words that left before their credits */
    uint32_t *holder;  /* [output VC, numbered as the buffers] the input VC, port * vcs + vc, of the
                          packet that holds it, or NOBODY */
    uint32_t *sent;    /* [output VC] words sent whose credits have not come back */
    uint64_t cycle;    /* the last one seen */
    uint64_t moved_at; /* the last cycle in which a word left a router */
    char violation[400];
    bool wrong_vc; /* the violation is a word on the wrong VC; no word or credit is lost */
    uint64_t violation_cycle;
    uint32_t violation_node;
};

/* --- Names and routes ----------------------------------------------------------------------- */

static void name_port(const struct diagnosis *d, unsigned port, char *buffer, size_t size)
{
    ec_port_name(d->t, d->shadow.locals, port, buffer, size);
}

static void name_word(const struct diagnosis *d, uint64_t word, char *buffer, size_t size)
{
    char name[EC_NAME_SIZE];
    ec_word_name(d->t, word, name, sizeof name);
    snprintf(buffer, size, "%s%s%.60s", ec_word_head(word) ? "head " : "",
             ec_word_tail(word) ? "tail " : "", name);
}

/* The output port that the contract's routing gives a word in this router; d->shadow.ports: none.
 */
static unsigned port_due(const struct diagnosis *d, uint32_t node, unsigned in_port, uint64_t word)
{
    const uint32_t dst = ec_topology_node(d->t, ec_word_dst(word));
    if (dst == EC_NONE)
        return d->shadow.ports;
    const uint32_t link = ec_route_link(d->t, d->r->order, node, dst);
    if (link != EC_NONE)
        return link;
    if (d->shadow.locals == 1)
        return d->shadow.links;
    return in_port < d->shadow.links ? d->shadow.links + in_port : in_port;
}

/* The VC of a word from input VC (in_port, vc) on output port `port`. The lane stays; with
 * datelines the class is 1 from the wrap link to the end of the dimension. */
static unsigned vc_due(const struct diagnosis *d, uint32_t node, unsigned in_port, unsigned vc,
                       unsigned port)
{
    unsigned class_ = 0;
    if (!d->r->dateline)
        return vc;
    if (port < d->shadow.links) {
        const unsigned dim = port / d->t->links_per_dim;
        const uint32_t here = ec_topology_coord(d->t, node, dim);
        const bool plus = port % d->t->links_per_dim == 0;
        const bool round = d->t->wrap[dim] && here == (plus ? d->t->radix[dim] - 1 : 0);
        const bool same = in_port < d->shadow.links && in_port / d->t->links_per_dim == dim;
        class_ = round || (same && (vc & 1));
    }
    return (vc & ~1u) | class_;
}

/* The sender's end of an input port; false at a local port. */
static bool find_upstream(const struct diagnosis *d, uint32_t node, unsigned port,
                          uint32_t *ret_node, unsigned *ret_port)
{
    if (port >= d->shadow.links)
        return false;
    *ret_node = ec_topology_neighbor(d->t, node, port);
    *ret_port = ec_topology_reverse(d->t, port);
    return *ret_node != EC_NONE;
}

/* --- Violations ----------------------------------------------------------------------------- */

/* Keep the earliest violation. */
__attribute__((format(printf, 5, 6))) static void
violate(struct diagnosis *d, uint64_t cycle, uint32_t node, unsigned port, const char *format, ...)
{
    if (d->violation[0] && d->violation_cycle <= cycle)
        return;
    d->violation_cycle = cycle;
    d->violation_node = node;
    char why[200], router[64], name[32];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    ec_topology_node_name(d->t, node, router, sizeof router);
    name_port(d, port, name, sizeof name);
    snprintf(d->violation, sizeof d->violation, "cycle %llu, router %s, port %s: %s",
             (unsigned long long)cycle, router, name, why);
}

/* --- Router behaviour ----------------------------------------------------------------------- */

/* A word leaves from input VC (in, vc): by the right port and VC, and not inside another packet? */
static void judge_way(struct diagnosis *d, uint32_t node, unsigned in, unsigned vc, unsigned port,
                      uint64_t word)
{
    const uint64_t cycle = d->cycle + 1;
    const unsigned out_vc = ec_word_vc(word) & (d->shadow.vcs - 1);
    const unsigned right_port = port_due(d, node, in, word);
    const unsigned right_vc = vc_due(d, node, in, vc, port);
    uint32_t *holder = &d->holder[shadow_at(&d->shadow, node, port, out_vc)];
    char text[80], name[32] = "nowhere";
    name_word(d, word, text, sizeof text);
    if (right_port != port) {
        if (right_port < d->shadow.ports)
            name_port(d, right_port, name, sizeof name);
        violate(d, cycle, node, port, "wrong turn: word %s belongs to port %s", text, name);
    } else if (out_vc != right_vc) {
        d->wrong_vc = d->wrong_vc || !d->violation[0];
        violate(d, cycle, node, port, "wrong VC: word %s leaves on VC %u instead of VC %u", text,
                out_vc, right_vc);
    } else if (*holder != (ec_word_head(word) ? NOBODY : in * d->shadow.vcs + vc)) {
        violate(d, cycle, node, port, "packets are mixed: word %s leaves on VC %u %s", text, out_vc,
                *holder == NOBODY ? "without its head" : "inside another packet");
    }
    *holder = ec_word_tail(word) ? NOBODY : in * d->shadow.vcs + vc;
}

/* A word that leaves must have been at the front of a buffer that returns its credit. */
static void judge_word(struct diagnosis *d, uint32_t node, unsigned port, uint64_t word,
                       const uint64_t *credits, uint64_t *used)
{
    const uint64_t cycle = d->cycle + 1;
    char text[80];
    name_word(d, word, text, sizeof text);
    for (unsigned in = 0; in < d->shadow.ports; in++) {
        for (unsigned vc = 0; vc < d->shadow.vcs; vc++) {
            const size_t at = shadow_at(&d->shadow, node, in, vc);
            const uint64_t bit = UINT64_C(1) << in;
            if (d->shadow.buffers[at].count == 0 || (!d->foreign && (used[vc] & bit)) ||
                (shadow_front(&d->shadow, at) | EC_WORD_VC_MASK) != (word | EC_WORD_VC_MASK))
                continue;
            used[vc] |= bit;
            if (!d->foreign && !(credits[vc] & bit))
                violate(d, cycle, node, in,
                        "word %s leaves, but no credit is returned for it (credit lost or word "
                        "duplicated)",
                        text);
            judge_way(d, node, in, vc, port, word);
            if (d->foreign) {
                shadow_leave(&d->shadow, at);
                d->ahead[at]--;
            }
            return;
        }
    }
    violate(d, cycle, node, port,
            "word %s leaves, but no buffer has it at its front (altered, duplicated or invented)",
            text);
}

/* A buffer that returns a credit must have sent its front word. */
static void judge_credit(struct diagnosis *d, uint32_t node, unsigned in, unsigned vc, bool used)
{
    const size_t at = shadow_at(&d->shadow, node, in, vc);
    const uint32_t count = d->shadow.buffers[at].count;
    if (d->foreign ? d->ahead[at] >= (int32_t)count : count == 0) {
        violate(d, d->cycle + 1, node, in, "a credit is returned for an empty buffer");
        return;
    }
    if (!d->foreign && !used) {
        char text[80];
        name_word(d, shadow_front(&d->shadow, at), text, sizeof text);
        violate(d, d->cycle + 1, node, in,
                "word %s is removed from its buffer but does not leave (lost or altered)", text);
    }
    if (d->foreign)
        d->ahead[at]++;
    else
        shadow_leave(&d->shadow, at);
    uint32_t up;
    unsigned up_port;
    if (!find_upstream(d, node, in, &up, &up_port))
        return;
    uint32_t *sent = &d->sent[shadow_at(&d->shadow, up, up_port, vc)];
    *sent -= *sent > 0;
}

static void diagnose_router(void *context, const struct ec_net_seen *seen)
{
    struct diagnosis *d = context;
    const uint32_t node = seen->node;
    uint64_t used[EC_VCS_MAX] = {0}; /* buffers whose front word leaves */
    d->cycle = seen->cycle;
    wires_see(d->wires, seen);
    shadow_enter(&d->shadow, seen);
    if (seen->out_valid)
        d->moved_at = seen->cycle;
    for (uint64_t left = seen->out_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t word = seen->out_word[port];
        if (port >= d->shadow.ports) {
            violate(d, seen->cycle + 1, node, port, "a word leaves by a port without a link");
            continue;
        }
        d->sent[shadow_at(&d->shadow, node, port, ec_word_vc(word) & (d->shadow.vcs - 1))]++;
        judge_word(d, node, port, word, seen->out_credit, used);
    }
    for (unsigned in = 0; in < d->shadow.ports; in++) {
        for (unsigned vc = 0; vc < d->shadow.vcs; vc++) {
            if (seen->out_credit[vc] >> in & 1)
                judge_credit(d, node, in, vc, used[vc] >> in & 1);
        }
    }
}

/* A wire carries in this cycle what a router showed in the previous one. */
static void diagnose_wires(void *context, uint64_t cycle)
{
    struct diagnosis *d = context;
    struct wire_fault fault;
    char what[100] = "a credit", peer[64];
    if (!wires_judge(d->wires, cycle, &fault))
        return;
    if (fault.word) {
        char text[80];
        name_word(d, fault.word, text, sizeof text);
        snprintf(what, sizeof what, "word %s", text);
    } else if (d->shadow.vcs > 1) {
        snprintf(what, sizeof what, "a credit of VC %u", fault.vc);
    }
    ec_topology_node_name(d->t, fault.peer, peer, sizeof peer);
    if (!d->violation[0] || fault.cycle < d->violation_cycle)
        d->wrong_vc = false;
    violate(d, fault.cycle, fault.node, fault.port,
            fault.lost ? "%s leaves but does not arrive at router %s (wiring error)"
                       : "%s arrives, but router %s did not send it (wiring error)",
            what, peer);
}

/* --- Waiting -------------------------------------------------------------------------------- */

/* Each blocked input buffer waits for one other: the holder of the output VC that it wants, or the
 * full buffer behind it. Following these either closes a cycle, which is a deadlock, or ends at a
 * router that could move and does not. */

/* Words and credits travel for one cycle: if no word has left any router for longer than this, no
 * front word can move. */
#define STILL_AFTER 2

/* One step of a chain: the buffer waited for (SIZE_MAX: none), and why. */
struct wait {
    size_t next;
    char why[512];
};

/* A buffer and its front word. */
struct blocked {
    uint32_t node;
    unsigned in, vc, port;
    uint64_t word;
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

/* Is this output VC closed to the front word: held by another packet, or without credits? */
static bool is_closed(const struct diagnosis *d, const struct blocked *b, size_t out,
                      struct wait *wait)
{
    const unsigned vc = (unsigned)(out % d->shadow.vcs);
    const uint32_t holder = d->holder[out];
    char text[80], name[32];
    name_word(d, b->word, text, sizeof text);
    name_port(d, b->port, name, sizeof name);
    if (holder != NOBODY && holder != b->in * d->shadow.vcs + b->vc) {
        char other[32];
        name_port(d, holder / d->shadow.vcs, other, sizeof other);
        explain_wait(d, wait, b,
                     "packet %s wants output %s VC %u, held by the packet from input %s VC %u",
                     text, name, vc, other, holder % d->shadow.vcs);
        wait->next = shadow_at(&d->shadow, b->node, holder / d->shadow.vcs, holder % d->shadow.vcs);
        return true;
    }
    const bool whole = ec_word_head(b->word) && d->r->switching != EC_WORMHOLE;
    if (b->port < d->shadow.links && d->sent[out] + (whole ? d->r->packet : 1) > d->r->depth) {
        const uint32_t to = ec_topology_neighbor(d->t, b->node, b->port);
        char there[64];
        ec_topology_node_name(d->t, to, there, sizeof there);
        explain_wait(d, wait, b,
                     "packet %s wants output %s VC %u, whose buffer in router %s is full", text,
                     name, vc, there);
        wait->next = shadow_at(&d->shadow, to, ec_topology_reverse(d->t, b->port), vc);
        return true;
    }
    return false;
}

/* An empty buffer that holds an output VC: the rest of its packet is still upstream. */
static void wait_upstream(const struct diagnosis *d, const struct blocked *b, struct wait *wait)
{
    uint32_t up;
    unsigned port;
    explain_wait(d, wait, b, "waits for the rest of its packet");
    wait->next = SIZE_MAX;
    if (!find_upstream(d, b->node, b->in, &up, &port))
        return;
    const uint32_t holder = d->holder[shadow_at(&d->shadow, up, port, b->vc)];
    if (holder != NOBODY)
        wait->next = shadow_at(&d->shadow, up, holder / d->shadow.vcs, holder % d->shadow.vcs);
}

static void find_wait(const struct diagnosis *d, size_t buffer, struct wait *wait)
{
    struct blocked b = {.node = (uint32_t)(buffer / d->shadow.vcs / d->shadow.ports),
                        .in = (unsigned)(buffer / d->shadow.vcs % d->shadow.ports),
                        .vc = (unsigned)(buffer % d->shadow.vcs)};
    if (d->shadow.buffers[buffer].count == 0) {
        wait_upstream(d, &b, wait);
        return;
    }
    b.word = shadow_front(&d->shadow, buffer);
    b.port = port_due(d, b.node, b.in, b.word);
    char text[80], name[32];
    name_word(d, b.word, text, sizeof text);
    if (b.port >= d->shadow.ports) {
        explain_wait(d, wait, &b, "word %s names no node", text);
        wait->next = SIZE_MAX;
        return;
    }
    const size_t out = shadow_at(&d->shadow, b.node, b.port, vc_due(d, b.node, b.in, b.vc, b.port));
    if (is_closed(d, &b, out, wait))
        return;
    /* If nothing moves, a router that breaks the dateline rule may wait for the other class of the
     * same lane. Otherwise this front word is about to leave. */
    if (d->cycle > d->moved_at + STILL_AFTER && d->r->dateline && b.port < d->shadow.links &&
        is_closed(d, &b, out ^ 1, wait)) {
        const size_t used = strlen(wait->why);
        snprintf(wait->why + used, sizeof wait->why - used, " (the dateline rule says VC %u)",
                 (unsigned)(out % d->shadow.vcs));
        return;
    }
    name_port(d, b.port, name, sizeof name);
    explain_wait(d, wait, &b,
                 "packet %s could leave by output %s VC %u but does not (a credit or a grant was "
                 "lost, or its tail never arrived)",
                 text, name, (unsigned)(out % d->shadow.vcs));
    wait->next = SIZE_MAX;
}

static uint32_t router_of_buffer(const struct diagnosis *d, size_t buffer)
{
    return (uint32_t)(buffer / d->shadow.vcs / d->shadow.ports);
}

/* One line for each step of the cycle through `start`. */
static void describe_cycle(const struct diagnosis *d, size_t start, char ***ret_lines,
                           size_t *ret_count, struct ec_node_set *nodes)
{
    struct wait wait = {.next = start};
    size_t count = 0, room = 0;
    char **lines = NULL;
    do {
        if (!ec_node_set_add(nodes, router_of_buffer(d, wait.next)))
            break;
        find_wait(d, wait.next, &wait);
        char **more = ec_list_grow(lines, sizeof *lines, count, &room);
        if (!more)
            break;
        lines = more;
        lines[count] = strdup(wait.why);
        if (!lines[count])
            break;
        count++;
    } while (wait.next != start && wait.next != SIZE_MAX);
    *ret_lines = lines;
    *ret_count = count;
}

bool diagnosis_waiting(const struct diagnosis *d, char ***ret_lines, size_t *ret_count,
                       char **ret_culprit, struct ec_node_set *nodes)
{
    *ret_lines = NULL;
    *ret_count = 0;
    *ret_culprit = NULL;
    /* Colour each buffer with the first chain that reaches it: a chain that meets its own colour
     * closes a cycle. Each buffer has one successor, so this takes linear time. */
    size_t *colour = calloc(d->shadow.count, sizeof *colour);
    if (!colour)
        return false;
    bool found = false;
    for (size_t start = 0; start < d->shadow.count && !found; start++) {
        if (d->shadow.buffers[start].count == 0)
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
            describe_cycle(d, wait.next, ret_lines, ret_count, nodes);
            found = true;
        }
    }
    free(colour);
    return found;
}

/* --- Opening and closing -------------------------------------------------------------------- */

struct diagnosis *diagnosis_open(const struct ec_topology *t, const struct ec_router *r,
                                 bool foreign)
{
    struct diagnosis *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->t = t;
    d->r = r;
    d->foreign = foreign;
    d->watch =
        (struct ec_net_watch){.router = diagnose_router, .cycle = diagnose_wires, .context = d};
    if (!shadow_open(&d->shadow, t, r))
        goto fail;
    d->ahead = calloc(d->shadow.count, sizeof *d->ahead);
    d->holder = malloc(d->shadow.count * sizeof *d->holder);
    d->sent = calloc(d->shadow.count, sizeof *d->sent);
    d->wires = wires_open(t, d->shadow.vcs);
    if (!d->ahead || !d->holder || !d->sent || !d->wires)
        goto fail;
    for (size_t i = 0; i < d->shadow.count; i++)
        d->holder[i] = NOBODY;
    return d;

fail:
    diagnosis_close(d);
    return NULL;
}

void diagnosis_close(struct diagnosis *d)
{
    if (!d)
        return;
    wires_close(d->wires);
    shadow_close(&d->shadow);
    free(d->ahead);
    free(d->holder);
    free(d->sent);
    free(d);
}

const struct ec_net_watch *diagnosis_watch(struct diagnosis *d)
{
    return &d->watch;
}

const char *diagnosis_violation(const struct diagnosis *d)
{
    return d->violation[0] ? d->violation : NULL;
}

bool diagnosis_wrong_vc(const struct diagnosis *d)
{
    return d->wrong_vc;
}

bool diagnosis_place(const struct diagnosis *d, uint64_t *ret_cycle, uint32_t *ret_node)
{
    if (!d->violation[0])
        return false;
    *ret_cycle = d->violation_cycle;
    *ret_node = d->violation_node;
    return true;
}

bool diagnosis_memory_short(const struct diagnosis *d)
{
    return d->shadow.memory_short;
}
