/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting buffers: what each waits for, and the knots of them. Knows the account of the rules. Must
 * not know the inside of a router, nor how the run was replayed. */
#include "diagnose/waiting.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "network/names.h"

/* --- What a buffer waits for ----------------------------------------------------------------- */

/* A buffer waits until one of these others moves. */
struct wait {
    size_t next[EC_VCS_MAX * EC_TILE_PORTS_MAX];
    size_t count;
    bool open; /* or until something else happens, or for nothing: it is not proved stuck */
    char why[700];
};

/* A buffer and its front word. */
struct blocked {
    uint32_t node;
    unsigned in, vc;
    struct rules_ask ask;
    char packet[80]; /* its name */
};

/* Append to the reason of a wait. */
#define SAY(wait, ...) ec_append((wait)->why, sizeof(wait)->why, __VA_ARGS__)

static struct rules_name port_name(const struct waiting *w, unsigned port)
{
    struct rules_name ret = {0};
    ec_port_name(w->t, rules_shadow(w->rules)->locals, port, ret.text, sizeof ret.text);
    return ret;
}

static void begin(const struct waiting *w, const struct blocked *b, struct wait *wait)
{
    char router[64];
    ec_topology_node_name(w->t, b->node, router, sizeof router);
    wait->count = 0;
    wait->open = false;
    wait->why[0] = '\0';
    SAY(wait, "router %s, input %s VC %u: ", router, port_name(w, b->in).text, b->vc);
}

/* The node has no room for a request: it waits for the buffers into which its replies must go. */
static bool wait_for_node(const struct waiting *w, const struct blocked *b, unsigned vc,
                          struct wait *wait)
{
    const struct shadow *shadow = rules_shadow(w->rules);
    struct waiting_refusal refusal = {0};
    bool waits = false;
    if (!w->ask || !w->ask(w->ask_context, b->node, b->ask.port - shadow->links, vc, &refusal))
        return false;
    SAY(wait, ", whose node has no room: it holds %u request%s, and ", refusal.held,
        refusal.held == 1 ? "" : "s");
    for (unsigned local = 0; local < shadow->locals; local++) {
        for (unsigned left = refusal.replies[local]; left; left &= left - 1) {
            const unsigned port = shadow->links + local, in_vc = (unsigned)__builtin_ctz(left);
            SAY(wait, "%s input %s VC %u", waits ? " or" : "its replies wait for",
                port_name(w, port).text, in_vc);
            wait->next[wait->count++] = shadow_at(shadow, b->node, port, in_vc);
            waits = true;
        }
    }
    if (!waits)
        SAY(wait, "no reply waits for the network");
    wait->open |= !waits;
    return true;
}

/* The buffer behind an output VC has no room; at a local port the node owes the credits. */
static void wait_for_room(const struct waiting *w, const struct blocked *b, unsigned vc,
                          struct wait *wait)
{
    const struct shadow *shadow = rules_shadow(w->rules);
    char there[64];
    if (b->ask.port >= shadow->links) {
        if (!wait_for_node(w, b, vc, wait)) {
            SAY(wait, ", whose node returns no credit");
            wait->open = true;
        }
        return;
    }
    const uint32_t to = ec_topology_neighbor(w->t, b->node, b->ask.port);
    ec_topology_node_name(w->t, to, there, sizeof there);
    SAY(wait, ", whose buffer in router %s is full", there);
    wait->next[wait->count++] =
        shadow_at(shadow, to, ec_topology_back(w->t, b->node, b->ask.port), vc);
}

/* The sender's end of an input port; false at a local port. */
static bool find_upstream(const struct waiting *w, uint32_t node, unsigned port, uint32_t *ret_node,
                          unsigned *ret_port)
{
    if (port >= rules_shadow(w->rules)->links)
        return false;
    *ret_node = ec_topology_neighbor(w->t, node, port);
    *ret_port = ec_topology_back(w->t, node, port);
    return *ret_node != EC_NONE;
}

/* Is no credit of this output VC under way? Else its buffer has just become free. (A foreign router
 * may return credits early.) */
static bool is_settled(const struct waiting *w, const struct blocked *b, unsigned vc)
{
    const struct shadow *shadow = rules_shadow(w->rules);
    const size_t out = shadow_at(shadow, b->node, b->ask.port, vc);
    uint32_t to;
    unsigned port;
    return !find_upstream(w, b->node, b->ask.port, &to, &port) ||
           shadow->buffers[shadow_at(shadow, to, port, vc)].count >=
               rules_output(w->rules, out)->sent;
}

/* Is this VC of the output closed to the front word: held by another packet, or without credits? */
static bool add_closed(const struct waiting *w, const struct blocked *b, unsigned vc,
                       struct wait *wait)
{
    const struct shadow *shadow = rules_shadow(w->rules);
    const unsigned vcs = shadow->vcs;
    const struct rules_output *out =
        rules_output(w->rules, shadow_at(shadow, b->node, b->ask.port, vc));
    const bool held = out->holder != RULES_NOBODY && out->holder != b->in * vcs + b->vc;
    const bool full = out->sent + rules_need(w->rules, b->ask.word, vc) > w->r->depth;
    if (!held && (!full || !is_settled(w, b, vc)))
        return false;
    SAY(wait, "%s VC %u", wait->count > 0 || wait->open ? " or" : "", vc);
    if (!held) {
        wait_for_room(w, b, vc, wait);
        return true;
    }
    SAY(wait, ", held by the packet from input %s VC %u", port_name(w, out->holder / vcs).text,
        out->holder % vcs);
    wait->next[wait->count++] = shadow_at(shadow, b->node, out->holder / vcs, out->holder % vcs);
    return true;
}

/* Are all these VCs closed to the front word? */
static bool add_all_closed(const struct waiting *w, const struct blocked *b, unsigned vcs,
                           struct wait *wait)
{
    for (; vcs; vcs &= vcs - 1) {
        if (!add_closed(w, b, (unsigned)__builtin_ctz(vcs), wait))
            return false;
    }
    return true;
}

static bool all_closed(const struct waiting *w, const struct blocked *b, unsigned vcs,
                       struct wait *wait)
{
    begin(w, b, wait);
    SAY(wait, "packet %s wants output %s", b->packet, port_name(w, b->ask.port).text);
    return add_all_closed(w, b, vcs, wait);
}

/* Are they closed on every port by which a head may leave? Else b->ask.port is one that is not. */
static bool all_ports_closed(const struct waiting *w, size_t buffer, struct blocked *b,
                             struct wait *wait)
{
    const char *between = "wants output";
    begin(w, b, wait);
    SAY(wait, "packet %s", b->packet);
    for (unsigned port = 0; port < rules_shadow(w->rules)->ports; port++) {
        if (!rules_may_leave(w->rules, buffer, port))
            continue;
        b->ask.port = port;
        b->ask.vcs = rules_vcs(w->rules, buffer, port); /* in a set, each port has a class */
        b->ask.vc = (unsigned)__builtin_ctz(b->ask.vcs);
        SAY(wait, " %s %s", between, port_name(w, port).text);
        if (!add_all_closed(w, b, b->ask.vcs, wait))
            return false;
        between = "or output";
    }
    return true;
}

/* The rest of a packet is still upstream. */
static void wait_upstream(const struct waiting *w, const struct blocked *b, struct wait *wait)
{
    const struct shadow *shadow = rules_shadow(w->rules);
    const unsigned vcs = shadow->vcs;
    uint32_t up, holder = RULES_NOBODY;
    unsigned port;
    begin(w, b, wait);
    SAY(wait, "waits for the rest of its packet");
    if (find_upstream(w, b->node, b->in, &up, &port))
        holder = rules_output(w->rules, shadow_at(shadow, up, port, b->vc))->holder;
    wait->open = holder == RULES_NOBODY;
    if (holder != RULES_NOBODY)
        wait->next[wait->count++] = shadow_at(shadow, up, holder / vcs, holder % vcs);
}

static bool is_still(const struct waiting *w)
{
    return w->cycle > rules_moved_at(w->rules) + w->still_after;
}

/* Nothing is in the way of a front word: it moves next, or its router is at fault. */
static void wait_for_nothing(const struct waiting *w, const struct blocked *b, struct wait *wait)
{
    const unsigned vc = b->ask.vc;
    const struct rules_output *out =
        rules_output(w->rules, shadow_at(rules_shadow(w->rules), b->node, b->ask.port, vc));
    const uint64_t shown = rules_shown_at(w->rules, b->node);
    begin(w, b, wait);
    wait->open = true;
    SAY(wait, "packet %s could leave and does not, by output %s VC %u with %u of %u credits free",
        b->packet, port_name(w, b->ask.port).text, vc, w->r->depth - out->sent, w->r->depth);
    if (out->credit_at && shown + w->still_after >= w->cycle)
        SAY(wait, ", the last one came back in cycle %llu", (unsigned long long)out->credit_at);
    if (shown + w->still_after < w->cycle)
        SAY(wait, "; the router sleeps since cycle %llu: quiet_o is wrong",
            (unsigned long long)shown + 1);
}

/* The same VCs with the other dateline class. */
static unsigned other_class(unsigned vcs)
{
    return (vcs & 0x55) << 1 | (vcs & 0xaa) >> 1;
}

static void find_wait(const struct waiting *w, size_t buffer, struct wait *wait)
{
    const struct shadow *shadow = rules_shadow(w->rules);
    struct blocked b = {.node = (uint32_t)(buffer / shadow->vcs / shadow->ports),
                        .in = (unsigned)(buffer / shadow->vcs % shadow->ports),
                        .vc = (unsigned)(buffer % shadow->vcs),
                        .ask = rules_ask(w->rules, buffer)};
    const bool head = ec_word_head(b.ask.word);
    if (b.ask.word == 0 || (head && w->r->switching == EC_STORE_AND_FORWARD && !b.ask.complete)) {
        wait_upstream(w, &b, wait);
        return;
    }
    snprintf(b.packet, sizeof b.packet, "%.70s", rules_word_name(w->rules, b.ask.word).text);
    if (b.ask.port >= shadow->ports) {
        begin(w, &b, wait);
        SAY(wait, "word %s names no node", b.packet);
        wait->open = true;
        return;
    }
    const bool chooses = head && ec_router_chooses(w->r);
    if (chooses ? all_ports_closed(w, buffer, &b, wait) : all_closed(w, &b, b.ask.vcs, wait))
        return;
    /* If nothing moves, a router that breaks the dateline rule may wait for the other class of the
     * same lanes, and a foreign one may give a link to one packet at a time. Otherwise this front
     * word is about to leave. */
    if (is_still(w) && w->r->dateline && b.ask.port < shadow->links &&
        all_closed(w, &b, other_class(b.ask.vcs), wait))
        SAY(wait,
            w->foreign ? " (VC %u is free, but perhaps not the link)"
                       : " (the dateline rule says VC %u)",
            b.ask.vc);
    else
        wait_for_nothing(w, &b, wait);
}

/* --- Knots ----------------------------------------------------------------------------------- */

/* A strongly connected component of waiting buffers that no wait leads out of, found by Tarjan's
 * algorithm (1972). The search ends with the first one, so a component that was completed before is
 * none: from each of its buffers something can still move. */

struct visit {
    size_t number, low; /* number: from 1 on, in order of discovery; 0: new */
    bool open;          /* the buffer, or one found from it, may move */
    bool stacked;
};

/* A buffer whose waits, edges[first .. end - 1], are being followed; done: those before `next`. */
struct frame {
    size_t buffer, first, next, end;
};

struct search {
    const struct waiting *w;
    struct visit *visits; /* [buffer] */
    size_t *stack;        /* buffers whose component is not complete, in order of discovery */
    struct frame *frames;
    size_t *edges;
    size_t count, numbers, depth, frames_room, edge_count, edges_room;
    size_t first_open; /* the first buffer found that may move; SIZE_MAX: none */
    bool memory_short;
    struct wait wait;
};

static void visit(struct search *s, size_t buffer)
{
    const size_t first = s->edge_count;
    find_wait(s->w, buffer, &s->wait);
    for (size_t i = 0; i < s->wait.count && !s->memory_short; i++)
        s->memory_short = !EC_LIST_PUSH(s->edges, s->edge_count, s->edges_room, s->wait.next[i]);
    const struct frame frame = {buffer, first, first, s->edge_count};
    if (s->memory_short || !EC_LIST_PUSH(s->frames, s->depth, s->frames_room, frame)) {
        s->memory_short = true;
        return;
    }
    if (s->wait.open && s->first_open == SIZE_MAX)
        s->first_open = buffer;
    s->numbers++;
    s->visits[buffer] = (struct visit){s->numbers, s->numbers, s->wait.open, true};
    s->stack[s->count++] = buffer;
}

/* The waits of a buffer have been followed. True: it closes a knot, stack[*ret_from] and on. */
static bool leave(struct search *s, size_t buffer, size_t *ret_from)
{
    const struct visit *v = &s->visits[buffer];
    s->depth--;
    if (s->depth > 0) {
        struct visit *before = &s->visits[s->frames[s->depth - 1].buffer];
        before->low = v->low < before->low ? v->low : before->low;
        before->open |= v->open;
    }
    if (v->low < v->number)
        return false;
    size_t from = s->count;
    while (s->stack[--from] != buffer)
        ;
    *ret_from = from;
    if (!v->open)
        return true;
    while (s->count > from)
        s->visits[s->stack[--s->count]].stacked = false;
    return false;
}

/* Follow all waits from `start`. True: they lead to a knot. */
static bool follow(struct search *s, size_t start, size_t *ret_from)
{
    visit(s, start);
    while (s->depth > 0 && !s->memory_short) {
        struct frame *f = &s->frames[s->depth - 1];
        if (f->next == f->end) {
            s->edge_count = f->first;
            if (leave(s, f->buffer, ret_from))
                return true;
            continue;
        }
        const size_t to = s->edges[f->next++];
        struct visit *v = &s->visits[f->buffer];
        if (s->visits[to].number == 0)
            visit(s, to);
        else if (!s->visits[to].stacked)
            v->open = true;
        else if (s->visits[to].number < v->low)
            v->low = s->visits[to].number;
    }
    return false;
}

static uint32_t router_of(const struct waiting *w, size_t buffer)
{
    const struct shadow *shadow = rules_shadow(w->rules);
    return (uint32_t)(buffer / shadow->vcs / shadow->ports);
}

static struct ec_waiting_input input_of(const struct waiting *w, size_t buffer)
{
    const struct shadow *shadow = rules_shadow(w->rules);
    return (struct ec_waiting_input){.node = router_of(w, buffer),
                                     .port = (unsigned)(buffer / shadow->vcs % shadow->ports),
                                     .vc = (unsigned)(buffer % shadow->vcs),
                                     .wants = rules_ask(w->rules, buffer).port};
}

/* One line for each buffer of a knot, and its input. */
static bool describe(struct search *s, size_t from, struct waiting_found *ret,
                     struct ec_node_set *nodes)
{
    ret->lines = calloc(s->count - from, sizeof *ret->lines);
    ret->inputs = calloc(s->count - from, sizeof *ret->inputs);
    if (!ret->lines || !ret->inputs)
        return false;
    for (size_t i = from; i < s->count; i++) {
        const size_t buffer = s->stack[i];
        find_wait(s->w, buffer, &s->wait);
        char *line = strdup(s->wait.why);
        if (!line || !ec_node_set_add(nodes, router_of(s->w, buffer))) {
            free(line);
            return false;
        }
        ret->knot |= s->wait.count > 1;
        ret->inputs[ret->count] = input_of(s->w, buffer);
        ret->lines[ret->count++] = line;
    }
    return true;
}

static bool open_search(struct search *s, const struct waiting *w)
{
    const size_t buffers = rules_shadow(w->rules)->count;
    *s = (struct search){.w = w,
                         .visits = calloc(buffers, sizeof *s->visits),
                         .stack = calloc(buffers, sizeof *s->stack),
                         .first_open = SIZE_MAX};
    return s->visits && s->stack;
}

static void close_search(struct search *s)
{
    free(s->visits);
    free(s->stack);
    free(s->frames);
    free(s->edges);
}

/* Nothing is stuck for ever: the first buffer that may move and does not. NULL without one; false:
 * out of memory. */
static bool describe_culprit(struct search *s, char **ret, struct ec_node_set *nodes)
{
    if (s->first_open == SIZE_MAX)
        return true;
    find_wait(s->w, s->first_open, &s->wait);
    *ret = strdup(s->wait.why);
    return *ret && ec_node_set_add(nodes, router_of(s->w, s->first_open));
}

bool waiting_find(const struct waiting *w, struct waiting_found *ret, struct ec_node_set *nodes)
{
    const struct shadow *shadow = rules_shadow(w->rules);
    struct search *s = malloc(sizeof *s);
    bool found = false;
    size_t from = 0;
    *ret = (struct waiting_found){.memory_short = true};
    if (!s)
        return false;
    if (open_search(s, w)) {
        for (size_t b = 0; b < shadow->count && !found && !s->memory_short; b++)
            found = shadow->buffers[b].count > 0 && s->visits[b].number == 0 && follow(s, b, &from);
        ret->memory_short = found ? !describe(s, from, ret, nodes) : s->memory_short;
        if (!ret->memory_short && !found)
            ret->memory_short = !describe_culprit(s, &ret->culprit, nodes);
    }
    close_search(s);
    free(s);
    return found;
}
