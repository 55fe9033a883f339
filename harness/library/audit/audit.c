/* SPDX-License-Identifier: Apache-2.0 */
/* Walks the path of every message once and counts loads. Knows routing and workloads; must not know
 * the RTL, switching or time, since the channels of a message depend on none of them.
 *
 * A path of thousands of hops along a dimension costs no more than one hop: a leg of several links
 * is entered as +1 at its first link and -1 after its last, and running sums along the lines of
 * nodes turn these differences into loads. (Differences below 0 wrap around; the sums are right.)
 */
#include "ecube/audit.h"

#include <stdlib.h>

#include "network/walk.h"

#define FLIT_HOPS_MAX ((uint64_t)INT64_MAX) /* the largest integer that JSON readers accept */

/* Messages [first, last) of a workload: those of one step. */
struct audit_step {
    size_t first, last;
};

/* The channels at the two ends of a message's path. */
struct ends {
    size_t inject, eject; /* indices of inject_load[], eject_load[] */
};

static struct ec_walk walk_of(const struct ec_topology *t, const struct ec_router *r,
                              const struct ec_message *m)
{
    return ec_walk_drawn(t, r, m->src, m->dst, m->way);
}

/* With a local port per link, a message enters by the port of its first link and leaves by the
 * port of the link on which it came. */
static struct ends ends_of(const struct ec_audit *a, const struct ec_topology *t,
                           const struct ec_message *m, unsigned first, unsigned last)
{
    bool all = a->locals > 1;

    return (struct ends){
        .inject = (size_t)m->src * a->locals + (all ? first : 0),
        .eject = (size_t)m->dst * a->locals + (all ? ec_topology_reverse(t, last) : 0),
    };
}

static void add(uint32_t *loads, uint64_t *words, size_t channel, const struct ec_message *m)
{
    loads[channel]++;
    if (words)
        words[channel] += m->words;
}

static void subtract(uint32_t *loads, uint64_t *words, size_t channel, const struct ec_message *m)
{
    loads[channel]--;
    if (words)
        words[channel] -= m->words;
}

/* True for the links whose loads are kept as differences until sum_legs(). */
static bool is_summed(const struct ec_topology *t, unsigned dim)
{
    return t->radix[dim] > 2;
}

static void add_leg(struct ec_audit *a, const struct ec_topology *t, const struct ec_leg *leg,
                    const struct ec_message *m)
{
    uint32_t r = t->radix[leg->dim], stride = t->stride[leg->dim];

    add(a->link_load, a->link_words, (size_t)leg->node * a->links + leg->link, m);
    if (!is_summed(t, leg->dim))
        return;
    uint32_t x = ec_topology_coord(t, leg->node, leg->dim), line = leg->node - x * stride;
    uint32_t first = leg->down ? r - 1 : 0; /* where running sums begin */
    uint32_t left =
        leg->down ? x + 1 : r - x; /* links from x to the end of the line, with the wrap link */
    uint32_t end = leg->down ? (x + r - leg->steps) % r : (x + leg->steps) % r;
    if (leg->steps >= left) /* beyond the wrap: again from the beginning of the line */
        add(a->link_load, a->link_words, (size_t)(line + first * stride) * a->links + leg->link, m);
    subtract(a->link_load, a->link_words, (size_t)(line + end * stride) * a->links + leg->link, m);
}

/* Add the load of the same link of `before` to that of `node`. */
static void add_before(struct ec_audit *a, uint32_t node, uint32_t before, unsigned link)
{
    size_t to = (size_t)node * a->links + link, from = (size_t)before * a->links + link;

    a->link_load[to] += a->link_load[from];
    if (a->link_words)
        a->link_words[to] += a->link_words[from];
}

/* Turn differences into loads: upwards from coordinate 0, downwards from the highest one. */
static void sum_legs(struct ec_audit *a, const struct ec_topology *t)
{
    for (unsigned d = 0; d < t->dims; d++) {
        if (!is_summed(t, d))
            continue;
        for (uint32_t node = 0; node < t->nodes; node++) {
            if (ec_topology_coord(t, node, d) > 0)
                add_before(a, node, node - t->stride[d], 2 * d);
        }
        for (uint32_t node = t->nodes; node-- > 0;) {
            if (ec_topology_coord(t, node, d) < t->radix[d] - 1)
                add_before(a, node, node + t->stride[d], 2 * d + 1);
        }
    }
}

/* Count one message. With src == dst it uses no channel. */
static void count_message(struct ec_audit *a, const struct ec_topology *t,
                          const struct ec_router *r, const struct ec_message *m)
{
    struct ec_walk walk = walk_of(t, r, m);
    struct ec_leg leg;
    unsigned hops = 0, first = 0, last = 0;

    while (ec_walk_leg(&walk, &leg)) {
        if (hops == 0)
            first = leg.link;
        last = leg.link;
        hops += leg.steps;
        add_leg(a, t, &leg, m);
    }
    if (m->src == m->dst)
        return;
    struct ends ends = ends_of(a, t, m, first, last);
    add(a->inject_load, a->inject_words, ends.inject, m);
    add(a->eject_load, a->eject_words, ends.eject, m);
    if (hops > a->max_hops)
        a->max_hops = hops;
    a->total_hops += hops;
    /* A message has at most 2^56, so the sum does not overflow once it exceeds the limit. */
    if (a->flit_hops <= FLIT_HOPS_MAX)
        a->flit_hops += (uint64_t)hops * m->words;
}

/* Raise max_channel_load to the largest of these loads; busiest is the first channel that has it.
 */
static void find_busiest(struct ec_audit *a, const uint32_t *loads, size_t nodes, unsigned ports,
                         enum ec_channel_kind kind)
{
    for (size_t i = 0; i < nodes * ports; i++) {
        if (loads[i] <= a->max_channel_load)
            continue;
        a->max_channel_load = loads[i];
        a->busiest = (struct ec_channel){kind, (uint32_t)(i / ports), (unsigned)(i % ports)};
    }
}

static void summarise(struct ec_audit *a, const struct ec_topology *t)
{
    find_busiest(a, a->link_load, t->routers, a->links, EC_CHANNEL_LINK);
    a->max_link_load = a->max_channel_load;
    find_busiest(a, a->inject_load, t->nodes, a->locals, EC_CHANNEL_INJECT);
    find_busiest(a, a->eject_load, t->nodes, a->locals, EC_CHANNEL_EJECT);
    a->max_step_load = a->max_channel_load;

    for (size_t i = 0; i < (size_t)t->routers * a->links; i++) {
        a->channels_used += a->link_load[i] > 0;
        a->channels += t->graph && t->graph->far[i] != EC_NONE;
    }
    for (unsigned d = 0; !t->graph && d < t->dims; d++) {
        uint64_t lines = t->nodes / t->radix[d]; /* rows of nodes along dimension d */
        uint64_t pairs = t->wrap[d] ? t->radix[d] : t->radix[d] - 1;
        a->channels += 2 * lines * pairs;
    }
}

/* True if the leg crosses this link of `node`. */
static bool leg_has(const struct ec_topology *t, const struct ec_leg *leg, uint32_t node,
                    unsigned link)
{
    if (t->graph)
        return link == leg->link && node == leg->node;
    uint32_t r = t->radix[leg->dim], stride = t->stride[leg->dim];
    uint32_t x = ec_topology_coord(t, leg->node, leg->dim);
    uint32_t y = ec_topology_coord(t, node, leg->dim);
    uint32_t way = leg->down ? (x + r - y) % r : (y + r - x) % r;

    return link == leg->link && way < leg->steps &&
           leg->node - x * stride == node - y * stride; /* one line */
}

/* One more than the hops of a message if it uses the busiest channel, else 0. */
static unsigned through_busiest(const struct ec_audit *a, const struct ec_topology *t,
                                const struct ec_router *r, const struct ec_message *m)
{
    const struct ec_channel *c = &a->busiest;
    struct ec_walk walk = walk_of(t, r, m);
    struct ec_leg leg;
    unsigned hops = 0, first = 0, last = 0;
    bool through = false;

    if ((c->kind == EC_CHANNEL_INJECT && m->src != c->node) ||
        (c->kind == EC_CHANNEL_EJECT && m->dst != c->node))
        return 0;
    while (ec_walk_leg(&walk, &leg)) {
        if (hops == 0)
            first = leg.link;
        last = leg.link;
        hops += leg.steps;
        through = through || leg_has(t, &leg, c->node, c->port);
    }
    if (c->kind == EC_CHANNEL_LINK || m->src == m->dst)
        return through ? hops + 1 : 0;
    struct ends ends = ends_of(a, t, m, first, last);
    size_t end = c->kind == EC_CHANNEL_INJECT ? ends.inject : ends.eject;
    return end == (size_t)c->node * a->locals + c->port ? hops + 1 : 0;
}

/* The two messages of a step with the fewest hops through the busiest channel; the first of equals.
 */
static void find_witness(struct ec_audit *a, const struct ec_topology *t, const struct ec_router *r,
                         const struct ec_workload *w, struct audit_step step)
{
    unsigned best[2] = {0, 0}; /* their hops + 1; 0 = none yet */

    for (size_t i = step.first; i < step.last; i++) {
        unsigned hops = through_busiest(a, t, r, &w->messages[i]);
        if (hops == 0)
            continue;
        if (best[0] == 0 || hops < best[0]) {
            best[1] = best[0];
            a->witness[1] = a->witness[0];
            best[0] = hops;
            a->witness[0] = i;
        } else if (best[1] == 0 || hops < best[1]) {
            best[1] = hops;
            a->witness[1] = i;
        }
    }
    if (best[1] == 0) /* with routing=valiant a message may meet itself */
        a->witness[1] = a->witness[0];
}

/* --- Steps of a schedule --------------------------------------------------------------------- */

/* `load` messages of the step that begins with message step - 1 use this channel. */
struct use {
    size_t step;
    uint32_t load;
};

struct steps {
    struct ec_audit *a;
    struct use *use; /* [links], [injection ports], [ejection ports] of all nodes */
    size_t links, locals;
    struct audit_step now;
    struct audit_step *worst;
};

static void count_use(struct steps *s, enum ec_channel_kind kind, uint32_t node, unsigned port)
{
    const size_t base[] = {0, s->links, s->links + s->locals};
    const size_t per_node = kind == EC_CHANNEL_LINK ? s->a->links : s->a->locals;
    struct use *u = &s->use[base[kind] + node * per_node + port];
    if (u->step != s->now.first + 1)
        *u = (struct use){.step = s->now.first + 1, .load = 0};
    if (++u->load <= s->a->max_step_load)
        return;
    s->a->max_step_load = u->load;
    s->a->busiest = (struct ec_channel){kind, node, port};
    *s->worst = s->now;
}

static void count_step_message(struct steps *s, const struct ec_topology *t,
                               const struct ec_router *r, const struct ec_message *m)
{
    struct ec_walk walk = walk_of(t, r, m);
    struct ec_hop hop;
    unsigned last = EC_NONE;
    const bool all = s->a->locals > 1;
    while (ec_walk_next(&walk, &hop)) {
        if (last == EC_NONE)
            count_use(s, EC_CHANNEL_INJECT, m->src, all ? hop.link : 0);
        last = hop.link;
        count_use(s, EC_CHANNEL_LINK, hop.node, hop.link);
    }
    if (last == EC_NONE && m->src != m->dst) /* two nodes of a router */
        count_use(s, EC_CHANNEL_INJECT, m->src, 0);
    if (m->src != m->dst)
        count_use(s, EC_CHANNEL_EJECT, m->dst, all ? ec_topology_reverse(t, last) : 0);
}

/* Set a->max_step_load and, if a step uses it, a->busiest: the channel that most messages of one
 * step share, in the earliest such step, which is *ret. Counts hop by hop, since the messages of
 * schedules mostly have one hop. EC_MEMORY. */
static enum ec_code audit_steps(struct ec_audit *a, const struct ec_topology *t,
                                const struct ec_router *r, const struct ec_workload *w,
                                struct audit_step *ret, struct ec_error *reterr)
{
    struct steps s = {.a = a,
                      .links = (size_t)t->routers * a->links,
                      .locals = (size_t)t->nodes * a->locals,
                      .worst = ret};
    s.use = calloc(s.links + 2 * s.locals, sizeof *s.use);
    if (!s.use)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the loads of the steps of %u nodes",
                       t->nodes);
    for (size_t i = 0; i < w->message_count; i++) {
        if (i == s.now.last) {
            s.now.first = i;
            while (s.now.last < w->message_count && w->order->step[s.now.last] == w->order->step[i])
                s.now.last++;
        }
        count_step_message(&s, t, r, &w->messages[i]);
    }
    free(s.use);
    return EC_OK;
}

/* --- The audit ------------------------------------------------------------------------------- */

static bool allocate(struct ec_audit *a, const struct ec_topology *t, bool with_words)
{
    size_t links = (size_t)t->routers * a->links, locals = (size_t)t->nodes * a->locals;

    /* At most 2^24 nodes times 48 ports: the products fit a size_t of 64 bits. */
    a->link_load = calloc(links, sizeof *a->link_load);
    a->inject_load = calloc(locals, sizeof *a->inject_load);
    a->eject_load = calloc(locals, sizeof *a->eject_load);
    if (!a->link_load || !a->inject_load || !a->eject_load)
        return false;
    if (!with_words)
        return true;
    a->link_words = calloc(links, sizeof *a->link_words);
    a->inject_words = calloc(locals, sizeof *a->inject_words);
    a->eject_words = calloc(locals, sizeof *a->eject_words);
    return a->link_words && a->inject_words && a->eject_words;
}

enum ec_code ec_audit_open(const struct ec_topology *t, const struct ec_router *r,
                           const struct ec_workload *w, bool with_words, struct ec_audit **ret,
                           struct ec_error *reterr)
{
    if (w->open_loop)
        return ec_fail(
            reterr, EC_USAGE,
            "workload '%s' is random traffic: expected a fixed list of messages, without "
            "rate=",
            w->text);
    if (w->nodes != t->nodes)
        return ec_fail(reterr, EC_USAGE, "workload '%s' is for %u nodes, but the network has %u",
                       w->text, w->nodes, t->nodes);
    if (w->message_count > EC_MESSAGES_MAX)
        return ec_fail(reterr, EC_USAGE, "workload '%s' has %zu messages: expected at most %u",
                       w->text, w->message_count, EC_MESSAGES_MAX);

    struct ec_audit *a = calloc(1, sizeof *a);
    if (!a)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the audit");
    a->links = ec_topology_links(t);
    a->locals = ec_router_locals(r, t);
    if (!allocate(a, t, with_words)) {
        enum ec_code code =
            ec_fail(reterr, EC_MEMORY, "out of memory for the loads of %u nodes with %u ports",
                    t->nodes, a->links + a->locals);
        ec_audit_close(a);
        return code;
    }
    for (size_t i = 0; i < w->message_count; i++)
        count_message(a, t, r, &w->messages[i]);
    if (a->flit_hops > FLIT_HOPS_MAX) {
        ec_audit_close(a);
        return ec_fail(
            reterr, EC_USAGE,
            "the words of workload '%s' cross links more than 2^63 - 1 times, the limit of "
            "an audit: choose shorter messages",
            w->text);
    }
    sum_legs(a, t);
    summarise(a, t);
    struct audit_step step = {0, w->message_count};
    if (w->order && w->order->step) {
        a->max_step_load = 0;
        enum ec_code code = audit_steps(a, t, r, w, &step, reterr);
        if (code != EC_OK) {
            ec_audit_close(a);
            return code;
        }
    }
    a->congestion_free = a->max_step_load <= 1;
    if (!a->congestion_free)
        find_witness(a, t, r, w, step);
    *ret = a;
    return EC_OK;
}

void ec_audit_close(struct ec_audit *a)
{
    if (!a)
        return;
    free(a->link_load);
    free(a->inject_load);
    free(a->eject_load);
    free(a->link_words);
    free(a->inject_words);
    free(a->eject_words);
    free(a);
}
