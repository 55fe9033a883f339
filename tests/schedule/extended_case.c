/* SPDX-License-Identifier: Apache-2.0 */
/* Extended-cube permutations under test: their texts, and an independent check of their schedules.
 */
#include "extended_case.h"

#include "gsh.h"

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

bool extended_text(const struct permutation *p, const char *rest, char *text, size_t size)
{
    bool done[DIMS_MAX] = {false};
    size_t used = (size_t)snprintf(text, size, "gsh:cycle=");
    const char *join = "";

    for (unsigned d = 0; d < p->k + p->n; d++) {
        if (done[d] || (p->from[d] == d && !p->inverted[d]))
            continue;
        for (unsigned i = d; !done[i]; i = p->from[i], join = "-") {
            done[i] = true;
            used += (size_t)snprintf(text + used, size - used, "%s%s%u", join,
                                     p->inverted[i] ? "~" : "", i);
        }
        join = "+";
    }
    snprintf(text + used, size - used, ",K=%u%s", p->per_node, rest);
    return *join != '\0';
}

/* The machine address that the element at `address` goes to. */
static uint32_t moved(const struct permutation *p, uint32_t address)
{
    uint32_t to = 0;

    for (unsigned d = 0; d < p->k + p->n; d++)
        to |= ((address >> p->from[d] & 1) ^ p->inverted[d]) << d;
    return to;
}

/* Where everything is, moved by hand. */
static struct {
    uint32_t node[1 << 14], slot[1 << 14]; /* of an element */
    uint32_t held[1 << 12], sent[1 << 12], received[1 << 12], used[DIMS_MAX][1 << 12];
} now;

static void begin(const struct permutation *p, unsigned e)
{
    assert_true(p->per_node << p->n <= COUNT(now.node) &&
                UINT32_C(1) << (p->n + e) <= COUNT(now.held));
    memset(&now, 0, sizeof now);
    for (uint32_t i = 0; i < p->per_node << p->n; i++) {
        now.node[i] = i / p->per_node;
        now.slot[i] = i % p->per_node;
        now.held[now.node[i]]++;
    }
}

static size_t make_moves(const struct ec_schedule *s, size_t next, uint32_t step)
{
    for (; next < s->move_count && s->moves[next].step <= step; next++)
        now.slot[s->moves[next].element] = s->moves[next].slot;
    return next;
}

/* One transfer over a free link, of elements that are at its source; returns its dimension. */
static unsigned transfer(const struct ec_schedule *s, const struct ec_transfer *x, const char *what)
{
    const uint32_t link = x->src ^ x->dst;

    if (!link || link & (link - 1) || x->src >= s->nodes || x->dst >= s->nodes)
        fail_msg("%s: step %u: from %u to %u", what, x->step, x->src, x->dst);
    const unsigned dim = (unsigned)__builtin_ctz(link);
    if (now.used[dim][x->src] == x->step)
        fail_msg("%s: step %u: a link twice", what, x->step);
    if (!s->all_ports && (now.sent[x->src] == x->step || now.received[x->dst] == x->step))
        fail_msg("%s: step %u: two ports of a node", what, x->step);
    now.used[dim][x->src] = now.sent[x->src] = now.received[x->dst] = x->step;
    for (uint32_t c = x->first; c < x->first + x->count; c++) {
        const uint32_t element = s->carried[c].element;
        if (now.node[element] != x->src)
            fail_msg("%s: step %u: element %u is elsewhere", what, x->step, element);
        now.node[element] = x->dst;
        now.slot[element] = s->carried[c].slot;
        now.held[x->src]--;
        now.held[x->dst]++;
    }
    return dim;
}

/* Definition 3: over links out of the subcube until every node holds K/2^e, within subcubes, and
 * back. If there is no permutation, all steps count as expansion. */
static void follow(const struct permutation *p, unsigned e, const struct ec_schedule *s,
                   const char *what, struct phases *ret)
{
    size_t moves = 0;
    enum { EXPAND, PERMUTE, COMPRESS } phase = EXPAND;
    uint32_t *const steps[] = {&ret->expand, &ret->permute, &ret->compress};

    begin(p, e);
    *ret = (struct phases){.memory = p->per_node};
    for (size_t i = 0; i < s->transfer_count;) {
        const uint32_t step = s->transfers[i].step;
        const bool inside = (s->transfers[i].src ^ s->transfers[i].dst) >> p->n == 0;
        if (phase == EXPAND && inside) {
            for (uint32_t node = 0; node < s->nodes; node++) {
                if (now.held[node] != p->per_node >> e)
                    fail_msg("%s: %u elements in node %u when expanded", what, now.held[node],
                             node);
            }
            phase = PERMUTE;
        } else if (phase == PERMUTE && !inside) {
            phase = COMPRESS;
        }
        ++*steps[phase];
        moves = make_moves(s, moves, step);
        for (; i < s->transfer_count && s->transfers[i].step == step; i++) {
            const unsigned dim = transfer(s, &s->transfers[i], what);
            if ((dim < p->n) != (phase == PERMUTE))
                fail_msg("%s: step %u: dimension %u", what, step, dim);
        }
        for (uint32_t node = 0; node < s->nodes; node++)
            ret->memory = larger(ret->memory, now.held[node]);
    }
    make_moves(s, moves, s->steps + 1);
    for (uint32_t i = 0; i < p->per_node << p->n; i++) {
        const uint32_t to = moved(p, i / p->per_node << p->k | i % p->per_node);
        if (now.node[i] != to >> p->k || now.slot[i] != (to & ((1U << p->k) - 1)))
            fail_msg("%s: element %u is in slot %u of node %u", what, i, now.slot[i], now.node[i]);
    }
}

struct ec_schedule_audit extended_follow(const struct permutation *p, unsigned e,
                                         const char *algorithm, struct phases *ret)
{
    char topology[16], text[160], rest[16], what[240];

    snprintf(rest, sizeof rest, ",sub=%u", p->n);
    snprintf(topology, sizeof topology, "cube:%u", p->n + e);
    assert_true(extended_text(p, rest, text, sizeof text));
    snprintf(what, sizeof what, "%s %s %s", topology, text, algorithm);
    const struct ec_schedule_audit a = audited(topology, text, algorithm);
    struct ec_topology t = topology_of(topology);
    struct ec_workload *w = workload_of(text, &t);
    struct ec_schedule *s = NULL;
    assert_int_equal(ec_schedule_open(&t, w, algorithm, &s, NULL), EC_OK);
    assert_int_equal(s->holders, 1U << p->n);
    follow(p, e, s, what, ret);
    if (a.peak_memory != ret->memory)
        fail_msg("%s: %u elements in a node, the audit says %u", what, ret->memory, a.peak_memory);
    ec_schedule_close(s);
    ec_workload_close(w);
    return a;
}
