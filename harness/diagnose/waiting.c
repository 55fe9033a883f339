/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for whom, from the shadows of a replayed run. Each blocked input buffer waits for one
 * other: the holder of the output VC it wants, or the full buffer behind it. Following these either
 * closes a cycle, which is a deadlock, or ends at a router that could move and does not. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/state.h"
#include "ecube/word.h"

/* Credits and words are under way for one cycle: if nothing has left any router for longer than
 * this, what stands at a front cannot move. */
#define STILL_AFTER 2

/* One step of a chain: the buffer waited for (SIZE_MAX: none) and the sentence that says so. */
struct wait {
    size_t next;
    char why[512];
};

/* A buffer and what stands at its front. */
struct blocked {
    uint32_t node;
    unsigned in, vc, port;
    uint64_t word;
};

__attribute__((format(printf, 4, 5))) static void
say(const struct diagnosis *d, struct wait *wait, const struct blocked *b, const char *format, ...)
{
    char router[64], in[32], rest[300];
    va_list args;
    va_start(args, format);
    vsnprintf(rest, sizeof rest, format, args);
    va_end(args);
    ec_topology_node_name(d->t, b->node, router, sizeof router);
    diagnosis_port_name(d, b->in, in, sizeof in);
    snprintf(wait->why, sizeof wait->why, "router %s, input %s VC %u: %s", router, in, b->vc, rest);
}

/* Is this output VC closed to the front word: held by another packet, or without credits? */
static bool closed(const struct diagnosis *d, const struct blocked *b, size_t out,
                   struct wait *wait)
{
    const unsigned vc = (unsigned)(out % d->vcs);
    const uint32_t holder = d->holder[out];
    char text[80], name[32];
    diagnosis_word_text(d, b->word, text, sizeof text);
    diagnosis_port_name(d, b->port, name, sizeof name);
    if (holder != NOBODY && holder != b->in * d->vcs + b->vc) {
        char other[32];
        diagnosis_port_name(d, holder / d->vcs, other, sizeof other);
        say(d, wait, b, "packet %s wants output %s VC %u, held by the packet from input %s VC %u",
            text, name, vc, other, holder % d->vcs);
        wait->next = diagnosis_at(d, b->node, holder / d->vcs, holder % d->vcs);
        return true;
    }
    const bool whole = ec_word_head(b->word) && d->r->switching != EC_WORMHOLE;
    if (b->port < d->links && d->sent[out] + (whole ? d->r->packet : 1) > d->r->depth) {
        const uint32_t to = ec_topology_neighbor(d->t, b->node, b->port);
        char there[64];
        ec_topology_node_name(d->t, to, there, sizeof there);
        say(d, wait, b, "packet %s wants output %s VC %u, whose buffer in router %s is full", text,
            name, vc, there);
        wait->next = diagnosis_at(d, to, ec_topology_reverse(d->t, b->port), vc);
        return true;
    }
    return false;
}

/* An empty buffer that holds an output VC: the rest of its packet is still upstream. */
static void wait_upstream(const struct diagnosis *d, const struct blocked *b, struct wait *wait)
{
    uint32_t up;
    unsigned port;
    say(d, wait, b, "waits for the rest of its packet");
    wait->next = SIZE_MAX;
    if (!diagnosis_upstream(d, b->node, b->in, &up, &port))
        return;
    const uint32_t holder = d->holder[diagnosis_at(d, up, port, b->vc)];
    if (holder != NOBODY)
        wait->next = diagnosis_at(d, up, holder / d->vcs, holder % d->vcs);
}

static void waits_for(const struct diagnosis *d, size_t buffer, struct wait *wait)
{
    const struct shadow *s = &d->shadow[buffer];
    struct blocked b = {.node = (uint32_t)(buffer / d->vcs / d->ports),
                        .in = (unsigned)(buffer / d->vcs % d->ports),
                        .vc = (unsigned)(buffer % d->vcs)};
    if (s->count == 0) {
        wait_upstream(d, &b, wait);
        return;
    }
    b.word = diagnosis_front(s);
    b.port = diagnosis_due_port(d, b.node, b.in, b.word);
    char text[80], name[32];
    diagnosis_word_text(d, b.word, text, sizeof text);
    if (b.port >= d->ports) {
        say(d, wait, &b, "word %s names no node", text);
        wait->next = SIZE_MAX;
        return;
    }
    const size_t out =
        diagnosis_at(d, b.node, b.port, diagnosis_due_vc(d, b.node, b.in, b.vc, b.port));
    if (closed(d, &b, out, wait))
        return;
    /* Where nothing moves any more, a router that breaks the dateline rule may wait for the other
     * class of the same lane. Where things move, this front word is about to go. */
    if (d->cycle > d->moved_at + STILL_AFTER && d->r->dateline && b.port < d->links &&
        closed(d, &b, out ^ 1, wait)) {
        const size_t used = strlen(wait->why);
        snprintf(wait->why + used, sizeof wait->why - used, " (the dateline rule says VC %u)",
                 (unsigned)(out % d->vcs));
        return;
    }
    diagnosis_port_name(d, b.port, name, sizeof name);
    say(d, wait, &b,
        "packet %s could leave by output %s VC %u and does not (a credit or a grant is "
        "lost, or its tail never came)",
        text, name, (unsigned)(out % d->vcs));
    wait->next = SIZE_MAX;
}

static uint32_t node_of(const struct diagnosis *d, size_t buffer)
{
    return (uint32_t)(buffer / d->vcs / d->ports);
}

/* The sentences of the cycle through `start`. */
static void describe_cycle(const struct diagnosis *d, size_t start, char ***ret_lines,
                           size_t *ret_count, struct ec_node_set *nodes)
{
    struct wait wait = {.next = start};
    size_t count = 0, room = 0;
    char **lines = NULL;
    do {
        if (!ec_node_set_add(nodes, node_of(d, wait.next)))
            break;
        waits_for(d, wait.next, &wait);
        if (count == room) {
            char **more = realloc(lines, (room = room ? 2 * room : 8) * sizeof *lines);
            if (!more)
                break;
            lines = more;
        }
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
    const size_t buffers = (size_t)d->t->nodes * d->ports * d->vcs;
    *ret_lines = NULL;
    *ret_count = 0;
    *ret_culprit = NULL;
    /* Colour each buffer with the chain on which it was first met: meeting one's own colour again
     * closes a cycle. Every buffer has one successor, so this is linear. */
    size_t *colour = calloc(buffers, sizeof *colour);
    if (!colour)
        return false;
    bool found = false;
    for (size_t start = 0; start < buffers && !found; start++) {
        if (d->shadow[start].count == 0)
            continue;
        struct wait wait = {.next = start};
        size_t last = start;
        while (wait.next != SIZE_MAX && colour[wait.next] == 0) {
            last = wait.next;
            colour[last] = start + 1;
            waits_for(d, wait.next, &wait);
        }
        if (wait.next == SIZE_MAX) {
            if (!*ret_culprit && ec_node_set_add(nodes, node_of(d, last)))
                *ret_culprit = strdup(wait.why);
        } else if (colour[wait.next] == start + 1) {
            nodes->count = 0; /* not the end of another chain */
            describe_cycle(d, wait.next, ret_lines, ret_count, nodes);
            found = true;
        }
    }
    free(colour);
    return found;
}
