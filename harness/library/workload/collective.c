/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations (docs/WORKLOADS.md): on the rings of each dimension, where in every step
 * every node sends a part of its vector to the next node of its ring; in binomial trees; and in
 * exchanges of pairs. Knows coordinates and who waits for whom; must not know routers or time. */
#include "workload/collective.h"

#include <stdlib.h>

#include "base/list.h"

#define COLLECTIVE_MAX (UINT64_C(1) << 27) /* messages: 5 GB */

/* How operations are carried out; the first way of each is its default. */
static const struct {
    enum ec_workload_id id;
    enum ec_collective_by by;
    uint32_t ways; /* round the rings; 0: on no rings */
    const char *keys;
} table[] = {
    {EC_WORKLOAD_ALLREDUCE, EC_BY_RING, 1, "by=ring,ways=1"},
    {EC_WORKLOAD_ALLREDUCE, EC_BY_RING, 2, "by=ring,ways=2"},
    {EC_WORKLOAD_ALLREDUCE, EC_BY_DOUBLING, 0, "by=doubling"},
    {EC_WORKLOAD_ALLREDUCE, EC_BY_TREE, 0, "by=tree"},
    {EC_WORKLOAD_REDUCESCATTER, EC_BY_RING, 1, "by=ring,ways=1"},
    {EC_WORKLOAD_REDUCESCATTER, EC_BY_RING, 2, "by=ring,ways=2"},
    {EC_WORKLOAD_ALLGATHER, EC_BY_RING, 1, "by=ring,ways=1"},
    {EC_WORKLOAD_ALLGATHER, EC_BY_RING, 2, "by=ring,ways=2"},
    {EC_WORKLOAD_ALLTOALL, EC_BY_EXCHANGE, 0, "by=exchange"},
    {EC_WORKLOAD_ALLTOALL, EC_BY_RING, 1, "by=ring,ways=1"},
    {EC_WORKLOAD_ALLTOALL, EC_BY_RING, 2, "by=ring,ways=2"},
    {EC_WORKLOAD_BROADCAST, EC_BY_TREE, 0, "by=tree"},
    {EC_WORKLOAD_REDUCE, EC_BY_TREE, 0, "by=tree"},
    {EC_WORKLOAD_SCATTER, EC_BY_TREE, 0, "by=tree"},
    {EC_WORKLOAD_GATHER, EC_BY_TREE, 0, "by=tree"},
};
enum { WAYS = sizeof table / sizeof *table };

const char *ec_workload_way(const char *text, size_t index, bool *ret_all_ports)
{
    struct ec_slice rest = ec_slice_of(text), name;
    enum ec_workload_id id;
    struct ec_error unused;

    ec_slice_take(&rest, ':', &name);
    if (ec_workload_find(name, &id, &unused) != EC_OK)
        return NULL;
    for (size_t i = 0; i < WAYS; i++) {
        if (table[i].id != id || index-- > 0)
            continue;
        *ret_all_ports = table[i].ways == 2;
        return table[i].keys;
    }
    return NULL;
}

bool collective_can(enum ec_workload_id id, enum ec_collective_by by)
{
    size_t i = 0;

    while (i < WAYS && (table[i].id != id || table[i].by != by))
        i++;
    return i < WAYS;
}

enum ec_collective_by collective_default(enum ec_workload_id id)
{
    size_t i = 0;

    while (i + 1 < WAYS && table[i].id != id)
        i++;
    return table[i].by;
}

/* Steps in one dimension. */
struct phase {
    unsigned dim;
    uint32_t steps, words; /* words: of a message, or of all blocks for a node of the ring */
    bool reduces;          /* what arrives is combined with what is there */
    bool exchanges;        /* every node has a block for every other one of its ring */
};

struct making {
    const struct ec_topology *t;
    struct ec_workload *w;
    unsigned ways; /* 2: half of the vector goes round the other way */
    struct phase phase[2 * EC_DIMS_MAX];
    unsigned phases;
    uint64_t steps;
    size_t at, waits, room; /* messages, entries of after[] and their room */
    bool no_memory;
};

bool collective_is(enum ec_workload_id id)
{
    return id >= EC_WORKLOAD_ALLREDUCE && id <= EC_WORKLOAD_GATHER;
}

/* The operation goes round rings; the remedy are its ways that do not. */
static enum ec_code refuse_rings(const struct ec_workload_spec *s, const struct ec_topology *t,
                                 const char *name, struct ec_error *reterr)
{
    const char *words[WAYS + 1] = {NULL};
    char list[64];

    for (size_t i = 0, used = 0; i < WAYS; i++) {
        if (table[i].id == s->id && table[i].ways == 0 &&
            (table[i].by == EC_BY_EXCHANGE || (t->nodes & (t->nodes - 1)) == 0))
            words[used++] = table[i].keys;
    }
    return ec_fail(reterr, EC_USAGE,
                   "workload %s: expected a ring, a torus or a cube, whose dimensions are rings; "
                   "got a %s%s%s",
                   name, t->graph ? "graph" : "mesh", words[0] ? ": or choose " : "",
                   ec_words_or(words, list, sizeof list));
}

static enum ec_code check(const struct ec_workload_spec *s, const struct ec_topology *t,
                          struct ec_error *reterr)
{
    const char *name = ec_workload_kind(s->id)->info.name;
    const bool whole = s->id == EC_WORKLOAD_BROADCAST || s->id == EC_WORKLOAD_REDUCE ||
                       (s->id == EC_WORKLOAD_ALLREDUCE && !s->ways);
    const uint64_t parts = (whole ? 1 : t->nodes) * (s->ways ? s->ways : 1);
    const uint64_t m = s->lengths.first, next = (m / parts + 1) * parts;

    bool rings = !t->graph;
    for (unsigned d = 0; d < t->dims && !t->graph; d++)
        rings = rings && (t->radix[d] <= 2 || t->wrap[d]);
    if (s->ways && !rings)
        return refuse_rings(s, t, name, reterr);
    if ((s->by == EC_BY_DOUBLING || s->by == EC_BY_TREE) && (t->nodes & (t->nodes - 1)))
        return ec_fail(reterr, EC_USAGE,
                       "workload %s: expected 2^n nodes, whose address bits it changes; got %u "
                       "nodes",
                       name, t->nodes);
    if (m % parts)
        return ec_fail(reterr, EC_USAGE,
                       "workload %s: m=%u: expected a multiple of %llu, as %u nodes%s share the "
                       "words: use m=%llu",
                       name, s->lengths.first, (unsigned long long)parts, t->nodes,
                       s->ways == 2 ? " and two ways" : "", (unsigned long long)next);
    return EC_OK;
}

/* --- Messages --------------------------------------------------------------------------------- */

static bool allocate(struct making *c)
{
    struct ec_workload *w = c->w;
    const size_t count = w->message_count;
    struct ec_message_order *o = w->order = calloc(1, sizeof *o);

    w->messages = calloc(count, sizeof *w->messages);
    w->combined = calloc(count, sizeof *w->combined);
    if (!o || !w->messages || !w->combined)
        return false;
    o->step = calloc(count, sizeof *o->step);
    o->first = calloc(count + 1, sizeof *o->first);
    return o->step && o->first;
}

/* The next message. It waits for nothing yet, and combines nothing. */
static void add_message(struct making *c, uint32_t step, uint32_t src, uint32_t dst, uint32_t words)
{
    const size_t i = c->at++;

    c->w->messages[i] = (struct ec_message){1, src, dst, words, 0};
    c->w->order->step[i] = step;
    c->w->order->first[i + 1] = c->waits;
}

/* The last message waits for another one. */
static void wait_for(struct making *c, size_t before)
{
    struct ec_message_order *o = c->w->order;

    if (!EC_LIST_PUSH(o->after, c->waits, c->room, (uint32_t)before))
        c->no_memory = true;
    o->first[c->at] = c->waits;
}

/* --- Rings ------------------------------------------------------------------------------------ */

static void add_phase(struct making *c, struct phase p)
{
    const uint32_t radix = c->t->radix[p.dim];

    p.steps = p.exchanges && c->ways == 2 ? radix / 2 : radix - 1;
    if (p.steps == 0)
        return;
    c->phase[c->phases++] = p;
    c->steps += p.steps;
}

/* Reduce-scatter shortens the vector of a node in each dimension by its radix, all-gather makes it
 * long again in the opposite order. All-to-all moves blocks to their coordinate, one dimension
 * after the other. */
static void choose_phases(struct making *c, const struct ec_workload_spec *s)
{
    uint32_t words[EC_DIMS_MAX], left = s->lengths.first / s->ways;
    const bool exchanges = s->id == EC_WORKLOAD_ALLTOALL;

    for (unsigned d = 0; d < c->t->dims; d++)
        words[d] = left /= c->t->radix[d];
    for (unsigned d = 0; d < c->t->dims && exchanges; d++)
        add_phase(c, (struct phase){
                         .dim = d, .words = s->lengths.first / c->t->radix[d], .exchanges = true});
    for (unsigned d = 0; d < c->t->dims && !exchanges && s->id != EC_WORKLOAD_ALLGATHER; d++)
        add_phase(c, (struct phase){.dim = d, .words = words[d], .reduces = true});
    for (unsigned d = c->t->dims; d-- > 0 && !exchanges && s->id != EC_WORKLOAD_REDUCESCATTER;)
        add_phase(c, (struct phase){.dim = d, .words = words[d]});
}

/* Words of a message in step k = 1, 2, ... of a phase. In an exchange it has the blocks that go k
 * links or more this way; with two ways, half of a block for the opposite node. */
static uint32_t words_in(const struct making *c, const struct phase *p, uint32_t k)
{
    const uint32_t radix = c->t->radix[p->dim];

    if (!p->exchanges)
        return p->words;
    if (c->ways == 1 || radix % 2)
        return (p->steps - k + 1) * p->words;
    return (p->steps - k) * p->words + p->words / 2;
}

/* The next node of the ring of a dimension, or the one before. */
static uint32_t neighbor(const struct ec_topology *t, uint32_t node, unsigned dim, bool forward)
{
    const uint32_t x = ec_topology_coord(t, node, dim), r = t->radix[dim];

    return node - x * t->stride[dim] + (forward ? x + 1 : x + r - 1) % r * t->stride[dim];
}

/* The last message waits for what its source received in `step`, of phase p, this way. */
static void wait_for_ring(struct making *c, uint32_t node, unsigned way, uint32_t step,
                          const struct phase *p)
{
    const uint32_t from = neighbor(c->t, node, p->dim, way != 0);

    wait_for(c, (size_t)(step - 1) * c->t->nodes * c->ways + (size_t)from * c->ways + way);
}

/* In the first step of a phase, a node sends what it received in all steps of the phases before,
 * this way, in an exchange both ways. Of a phase that reduces, only the last sum is left. */
static void wait_for_phases(struct making *c, uint32_t node, unsigned way, uint32_t step,
                            const struct phase *p)
{
    for (const struct phase *before = p; before-- > c->phase;) {
        for (uint32_t k = before->steps; k > 0; k--, step--) {
            for (unsigned of = 0; of < c->ways; of++) {
                if ((of == way || p->exchanges) && (k == before->steps || !before->reduces))
                    wait_for_ring(c, node, of, step, before);
            }
        }
    }
}

/* Step k of phase p: what a node sends waits for what it received in the step before, the same way,
 * and is combined with it there if the phase of that step reduces. */
static void add_step(struct making *c, uint32_t step, const struct phase *p, uint32_t k)
{
    const struct phase *before = k > 1 ? p : p > c->phase ? p - 1 : NULL;

    for (uint32_t node = 0; node < c->t->nodes; node++) {
        for (unsigned way = 0; way < c->ways; way++) {
            add_message(c, step, node, neighbor(c->t, node, p->dim, way == 0), words_in(c, p, k));
            if (k == 1)
                wait_for_phases(c, node, way, step - 1, p);
            else
                wait_for_ring(c, node, way, step - 1, before);
            if (before && before->reduces)
                c->w->combined[c->at - 1] = before->words;
        }
    }
}

static void add_rings(struct making *c)
{
    uint32_t step = 0;

    for (unsigned p = 0; p < c->phases; p++) {
        for (uint32_t k = 1; k <= c->phase[p].steps; k++)
            add_step(c, ++step, &c->phase[p], k);
    }
}

/* --- Binomial trees --------------------------------------------------------------------------- */

/* Labels are node xor root. Label l > 0, whose lowest bit is b, is joined to l - 2^b. From the root
 * (down) the highest bit comes first, towards it (up) the lowest. The message of label l: */
static uint32_t tree_message(uint32_t nodes, bool up, uint32_t l)
{
    const unsigned b = (unsigned)__builtin_ctz(l);

    return (up ? nodes - (nodes >> b) : (nodes >> (b + 1)) - 1) + (l >> (b + 1));
}

/* A node sends what it has received: up, from all below it; down, from its parent, or the root
 * after a tree up. It sends in the order of the list. part: words of a node; 0: all m, combined on
 * the way up, as a node adds what came first while it waits for the last. */
static void add_tree(struct making *c, const struct ec_workload_spec *s, bool up, uint32_t part)
{
    const uint32_t nodes = c->t->nodes, steps = (uint32_t)__builtin_ctz(nodes);
    const uint32_t m = s->lengths.first, start = c->at ? steps : 0;
    const size_t base = c->at;

    for (uint32_t step = 1; step <= steps; step++) {
        const uint32_t b = up ? step - 1 : steps - step, half = UINT32_C(1) << b;
        for (uint32_t l = half; l < nodes; l += 2 * half) {
            const uint32_t child = l ^ s->node, parent = (l - half) ^ s->node;
            add_message(c, start + step, up ? child : parent, up ? parent : child,
                        part ? part * half : m);
            if (!up && l > half)
                wait_for(c, base + tree_message(nodes, up, l - half));
            for (uint32_t k = 1; base && l == half && k < nodes; k *= 2)
                wait_for(c, tree_message(nodes, true, k));
            for (uint32_t k = 1; up && k < half; k *= 2)
                wait_for(c, tree_message(nodes, up, l + k));
            if (!part && (up ? half > 1 : base && l == half))
                c->w->combined[c->at - 1] = m;
        }
    }
}

/* --- Exchanges -------------------------------------------------------------------------------- */

/* In step k, node i sends the words for its partner, i xor k of 2^n nodes, else i + k, after those
 * of step k - 1. On a cube, whose paths all correct the bits of k, no two messages of a step share
 * a link. */
static void add_exchanges(struct making *c, uint32_t words)
{
    const uint32_t nodes = c->t->nodes;
    const bool bits = (nodes & (nodes - 1)) == 0;

    for (uint32_t k = 1; k < nodes; k++) {
        for (uint32_t node = 0; node < nodes; node++) {
            const uint32_t from = bits ? node ^ (k - 1) : (node + nodes - k + 1) % nodes;
            add_message(c, k, node, bits ? node ^ k : (node + k) % nodes, words);
            if (k > 1)
                wait_for(c, (size_t)(k - 2) * nodes + from);
        }
    }
}

/* In step k, node i exchanges its sum with node i xor 2^(k-1). */
static void add_doubling(struct making *c, uint32_t words)
{
    const uint32_t nodes = c->t->nodes;

    for (uint32_t k = 1, bit = 1; bit < nodes; k++, bit *= 2) {
        for (uint32_t node = 0; node < nodes; node++) {
            add_message(c, k, node, node ^ bit, words);
            for (uint32_t j = 1; j < k; j++)
                wait_for(c, (size_t)(j - 1) * nodes + (node ^ UINT32_C(1) << (j - 1)));
            c->w->combined[c->at - 1] = k > 1 ? words : 0;
        }
    }
}

/* --- All of them ------------------------------------------------------------------------------ */

static uint64_t count_messages(struct making *c, const struct ec_workload_spec *s)
{
    const uint64_t nodes = c->t->nodes;

    switch (s->by) {
    case EC_BY_RING:
        choose_phases(c, s);
        return c->steps * nodes * c->ways;
    case EC_BY_EXCHANGE:
        c->steps = nodes - 1;
        return c->steps * nodes;
    case EC_BY_DOUBLING:
        c->steps = (uint64_t)__builtin_ctzll(nodes);
        return c->steps * nodes;
    default:
        return (nodes - 1) * (s->id == EC_WORKLOAD_ALLREDUCE ? 2 : 1);
    }
}

static void add_all(struct making *c, const struct ec_workload_spec *s)
{
    const uint32_t m = s->lengths.first, part = m / c->t->nodes;
    const bool whole = s->id != EC_WORKLOAD_SCATTER && s->id != EC_WORKLOAD_GATHER;

    switch (s->by) {
    case EC_BY_RING:
        add_rings(c);
        break;
    case EC_BY_EXCHANGE:
        add_exchanges(c, part);
        break;
    case EC_BY_DOUBLING:
        add_doubling(c, m);
        break;
    default:
        if (s->id != EC_WORKLOAD_BROADCAST && s->id != EC_WORKLOAD_SCATTER)
            add_tree(c, s, true, whole ? 0 : part);
        if (s->id != EC_WORKLOAD_REDUCE && s->id != EC_WORKLOAD_GATHER)
            add_tree(c, s, false, whole ? 0 : part);
    }
}

/* Words that a node must send or receive whatever the way. Every part of a sum takes p - 1 messages
 * to be added up, and an all-reduce, as a gossip, 2 (p - 1) (by the mean over the nodes). */
static void find_least(const struct ec_workload_spec *s, struct ec_workload *w)
{
    const uint64_t m = s->lengths.first, others = ((w->nodes - 1) * m + w->nodes - 1) / w->nodes;

    w->vector = s->lengths.first;
    w->reduces = s->id == EC_WORKLOAD_ALLREDUCE || s->id == EC_WORKLOAD_REDUCESCATTER ||
                 s->id == EC_WORKLOAD_REDUCE;
    w->from_one = s->id != EC_WORKLOAD_REDUCE && s->id != EC_WORKLOAD_GATHER;
    w->node_words = s->id == EC_WORKLOAD_BROADCAST || s->id == EC_WORKLOAD_REDUCE ? m : others;
    if (s->id == EC_WORKLOAD_ALLREDUCE)
        w->node_words = (2 * (w->nodes - 1) * m + w->nodes - 1) / w->nodes;
    if (s->id == EC_WORKLOAD_ALLTOALL) /* its exchanges are what every way must carry */
        w->node_words = 0;
}

enum ec_code collective_messages(const struct ec_workload_spec *s, struct ec_workload *w,
                                 struct ec_error *reterr)
{
    struct making c = {.t = s->pattern.t, .w = w, .ways = s->ways};
    const enum ec_code code = check(s, c.t, reterr);

    if (code)
        return code;
    const uint64_t count = count_messages(&c, s);
    if (count > COLLECTIVE_MAX)
        return ec_fail(
            reterr, EC_USAGE,
            "workload %s: %llu steps of %u nodes: expected at most %llu messages: choose "
            "a smaller network%s",
            w->name, (unsigned long long)c.steps, c.t->nodes, (unsigned long long)COLLECTIVE_MAX,
            s->ways ? ", or one of more dimensions" : "");
    find_least(s, w);
    w->message_count = (size_t)count;
    if (allocate(&c))
        add_all(&c, s);
    else
        c.no_memory = true;
    return c.no_memory ? ec_fail(reterr, EC_MEMORY, "out of memory for the workload's messages")
                       : EC_OK;
}

enum ec_code ec_workload_combine(struct ec_workload *w, uint32_t cycles, struct ec_error *reterr)
{
    if (!w->reduces)
        return ec_fail(reterr, EC_USAGE,
                       "--combine %u: expected a workload that reduces, allreduce, reducescatter "
                       "or reduce; got '%.100s'",
                       cycles, w->text);
    if ((uint64_t)cycles * w->longest > UINT32_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "--combine %u: a node combines %u words: expected less than 2^32 cycles",
                       cycles, w->longest);
    free(w->order->delay);
    w->order->delay = calloc(w->message_count, sizeof *w->order->delay);
    if (!w->order->delay)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the workload's messages");
    for (size_t i = 0; i < w->message_count; i++)
        w->order->delay[i] = cycles * w->combined[i];
    return EC_OK;
}
