/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnosis of a replayed run from link words and credits alone. Knows the contract's outside
 * (ports, credits, routes); reads no router's inside, so it works for any router. */
#include "diagnose/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/route.h"
#include "ecube/word.h"
#include "network/names.h"

void diagnosis_port_name(const struct diagnosis *d, unsigned port, char *buffer, size_t size)
{
    ec_port_name(d->t, d->locals, port, buffer, size);
}

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
    diagnosis_port_name(d, port, name, sizeof name);
    snprintf(d->violation, sizeof d->violation, "cycle %llu, router %s, port %s: %s",
             (unsigned long long)cycle, router, name, why);
}

void diagnosis_word_text(const struct diagnosis *d, uint64_t word, char *buffer, size_t size)
{
    char name[EC_NAME_SIZE];
    ec_word_name(d->t, word, name, sizeof name);
    snprintf(buffer, size, "%s%s%.60s", ec_word_head(word) ? "head " : "",
             ec_word_tail(word) ? "tail " : "", name);
}

static bool enter(struct shadow *s, uint64_t word)
{
    if (s->count == s->size) {
        const uint32_t size = s->size ? 2 * s->size : 4;
        uint64_t *ring = malloc(size * sizeof *ring);
        if (!ring)
            return false;
        for (uint32_t i = 0; i < s->count; i++)
            ring[i] = s->ring[(s->first + i) % s->size];
        free(s->ring);
        *s = (struct shadow){.ring = ring, .count = s->count, .size = size, .ahead = s->ahead};
    }
    s->ring[(s->first + s->count++) % s->size] = word;
    return true;
}

static void leave(struct shadow *s)
{
    s->first = (s->first + 1) % s->size;
    s->count--;
}

/* The output port that the routing of docs/ROUTER-CONTRACT.md gives a word in this router. */
unsigned diagnosis_due_port(const struct diagnosis *d, uint32_t node, unsigned in_port,
                            uint64_t word)
{
    const uint32_t dst = ec_topology_node(d->t, ec_word_dst(word));
    if (dst == EC_NONE)
        return d->ports;
    const uint32_t link = ec_route_link(d->t, d->r->order, node, dst);
    if (link != EC_NONE)
        return link;
    return d->locals == 1 ? d->links : in_port < d->links ? d->links + in_port : in_port;
}

/* The lane stays; with datelines the class is 1 from the wrap link to the end of the dimension. */
unsigned diagnosis_due_vc(const struct diagnosis *d, uint32_t node, unsigned in_port, unsigned vc,
                          unsigned port)
{
    unsigned class_ = 0;
    if (!d->r->dateline)
        return vc;
    if (port < d->links) {
        const unsigned dim = port / d->t->links_per_dim;
        const uint32_t here = ec_topology_coord(d->t, node, dim);
        const bool plus = port % d->t->links_per_dim == 0;
        const bool round = d->t->wrap[dim] && here == (plus ? d->t->radix[dim] - 1 : 0);
        const bool same = in_port < d->links && in_port / d->t->links_per_dim == dim;
        class_ = round || (same && (vc & 1));
    }
    return (vc & ~1u) | class_;
}

/* The sender's end of an input port; false at a local port. */
bool diagnosis_upstream(const struct diagnosis *d, uint32_t node, unsigned port, uint32_t *ret_node,
                        unsigned *ret_port)
{
    if (port >= d->links)
        return false;
    *ret_node = ec_topology_neighbor(d->t, node, port);
    *ret_port = ec_topology_reverse(d->t, port);
    return *ret_node != EC_NONE;
}

/* A word leaves from input VC (in, vc): the right way, on the right VC, in its packet's turn? */
static void judge_way(struct diagnosis *d, uint32_t node, unsigned in, unsigned vc, unsigned port,
                      uint64_t word)
{
    const uint64_t cycle = d->cycle + 1;
    const unsigned out_vc = ec_word_vc(word) & (d->vcs - 1);
    const unsigned due = diagnosis_due_port(d, node, in, word);
    const unsigned due_vc = diagnosis_due_vc(d, node, in, vc, port);
    uint32_t *holder = &d->holder[diagnosis_at(d, node, port, out_vc)];
    char text[80], name[32] = "nowhere";
    diagnosis_word_text(d, word, text, sizeof text);
    if (due != port) {
        if (due < d->ports)
            diagnosis_port_name(d, due, name, sizeof name);
        violate(d, cycle, node, port, "wrong turn: word %s belongs to port %s", text, name);
    } else if (out_vc != due_vc) {
        d->wrong_vc = d->wrong_vc || !d->violation[0];
        violate(d, cycle, node, port, "wrong VC: word %s leaves on VC %u, its VC here is %u", text,
                out_vc, due_vc);
    } else if (*holder != (ec_word_head(word) ? NOBODY : in * d->vcs + vc)) {
        violate(d, cycle, node, port, "packets are mixed: word %s leaves on VC %u %s", text, out_vc,
                *holder == NOBODY ? "without its head" : "inside another packet");
    }
    *holder = ec_word_tail(word) ? NOBODY : in * d->vcs + vc;
}

/* A word that leaves must have been at the front of a buffer which gives its credit back. */
static void judge_word(struct diagnosis *d, uint32_t node, unsigned port, uint64_t word,
                       const uint64_t *credits, uint64_t *used)
{
    const uint64_t cycle = d->cycle + 1;
    char text[80];
    diagnosis_word_text(d, word, text, sizeof text);
    for (unsigned in = 0; in < d->ports; in++) {
        for (unsigned vc = 0; vc < d->vcs; vc++) {
            struct shadow *s = &d->shadow[diagnosis_at(d, node, in, vc)];
            const uint64_t bit = UINT64_C(1) << in;
            if (s->count == 0 || (!d->foreign && (used[vc] & bit)) ||
                (diagnosis_front(s) | EC_WORD_VC_MASK) != (word | EC_WORD_VC_MASK))
                continue;
            used[vc] |= bit;
            if (!d->foreign && !(credits[vc] & bit))
                violate(d, cycle, node, in,
                        "word %s leaves and stays: no credit is returned for it (credit lost or "
                        "word doubled)",
                        text);
            judge_way(d, node, in, vc, port, word);
            if (d->foreign) {
                leave(s);
                s->ahead--;
            }
            return;
        }
    }
    violate(d, cycle, node, port,
            "word %s leaves, but no buffer has it at its front (altered, doubled or invented)",
            text);
}

/* A buffer that gives a credit back must have sent its front word. */
static void judge_credits(struct diagnosis *d, uint32_t node, const uint64_t *credits,
                          const uint64_t *used)
{
    for (unsigned in = 0; in < d->ports; in++) {
        for (unsigned vc = 0; vc < d->vcs; vc++) {
            const uint64_t bit = UINT64_C(1) << in;
            if (!(credits[vc] & bit))
                continue;
            struct shadow *s = &d->shadow[diagnosis_at(d, node, in, vc)];
            if (d->foreign ? s->ahead >= (int32_t)s->count : s->count == 0) {
                violate(d, d->cycle + 1, node, in, "a credit is returned for an empty buffer");
                continue;
            }
            if (!d->foreign && !(used[vc] & bit)) {
                char text[80];
                diagnosis_word_text(d, diagnosis_front(s), text, sizeof text);
                violate(
                    d, d->cycle + 1, node, in,
                    "word %s is taken from its buffer and does not leave (swallowed or altered)",
                    text);
            }
            if (d->foreign)
                s->ahead++;
            else
                leave(s);
            uint32_t up;
            unsigned up_port;
            if (diagnosis_upstream(d, node, in, &up, &up_port) &&
                d->sent[diagnosis_at(d, up, up_port, vc)])
                d->sent[diagnosis_at(d, up, up_port, vc)]--;
        }
    }
}

static void see_router(void *context, const struct ec_net_seen *seen)
{
    struct diagnosis *d = context;
    const uint32_t node = seen->node;
    d->cycle = seen->cycle;
    wires_see(d->wires, seen);
    for (uint64_t left = seen->in_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t word = seen->in_word[port];
        if (port >= d->ports)
            continue;
        if (!enter(&d->shadow[diagnosis_at(d, node, port, ec_word_vc(word) & (d->vcs - 1))], word))
            d->memory_short = true;
    }
    if (seen->out_valid)
        d->moved_at = seen->cycle;
    uint64_t used[EC_VCS_MAX] = {0};
    for (uint64_t left = seen->out_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t word = seen->out_word[port];
        if (port >= d->ports) {
            violate(d, seen->cycle + 1, node, port, "a word leaves where the network has no link");
            continue;
        }
        d->sent[diagnosis_at(d, node, port, ec_word_vc(word) & (d->vcs - 1))]++;
        judge_word(d, node, port, word, seen->out_credit, used);
    }
    judge_credits(d, node, seen->out_credit, used);
}

/* What enters in this cycle is what the routers showed in it; what they show next is of a cycle
 * later. */
static void see_cycle(void *context, uint64_t cycle)
{
    struct diagnosis *d = context;
    struct wire_fault fault;
    char what[100] = "a credit", peer[64];
    if (!wires_judge(d->wires, cycle, &fault))
        return;
    if (fault.word) {
        char text[80];
        diagnosis_word_text(d, fault.word, text, sizeof text);
        snprintf(what, sizeof what, "word %s", text);
    } else if (d->vcs > 1) {
        snprintf(what, sizeof what, "a credit of VC %u", fault.vc);
    }
    ec_topology_node_name(d->t, fault.peer, peer, sizeof peer);
    if (!d->violation[0] || fault.cycle < d->violation_cycle)
        d->wrong_vc = false;
    violate(d, fault.cycle, fault.node, fault.port,
            fault.lost ? "%s leaves and does not arrive at router %s (a wire)"
                       : "%s arrives, but router %s did not send it (a wire)",
            what, peer);
}

struct diagnosis *diagnosis_open(const struct ec_topology *t, const struct ec_router *r,
                                 bool foreign)
{
    struct diagnosis *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->t = t;
    d->r = r;
    d->foreign = foreign;
    d->watch = (struct ec_net_watch){.router = see_router, .cycle = see_cycle, .context = d};
    d->links = ec_topology_links(t);
    d->locals = ec_router_locals(r, t);
    d->ports = d->links + d->locals;
    d->vcs = r->vcs;
    const size_t buffers = (size_t)t->nodes * d->ports * d->vcs;
    d->shadow = calloc(buffers, sizeof *d->shadow);
    d->holder = malloc(buffers * sizeof *d->holder);
    d->sent = calloc(buffers, sizeof *d->sent);
    d->wires = wires_open(t, d->vcs);
    if (!d->shadow || !d->holder || !d->sent || !d->wires) {
        diagnosis_close(d);
        return NULL;
    }
    for (size_t i = 0; i < buffers; i++)
        d->holder[i] = NOBODY;
    return d;
}

void diagnosis_close(struct diagnosis *d)
{
    if (!d)
        return;
    for (size_t i = 0; d->shadow && i < (size_t)d->t->nodes * d->ports * d->vcs; i++)
        free(d->shadow[i].ring);
    wires_close(d->wires);
    free(d->shadow);
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
    return d->memory_short;
}
