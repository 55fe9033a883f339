/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations: followed part by part along the messages, every node ends with the
 * contributions of all. Nothing of the library but the messages and what they wait for. */
#include "unit.h"

#include <string.h>

enum { NODES = 64, WAYS = 2 };

/* Of each way: what a message carries, and what a node has. In a reduction, the nodes whose vectors
 * are in the sum; else the nodes whose parts are there. */
struct state {
    uint64_t carried[1 << 14];
    uint64_t has[NODES][WAYS];
};

static unsigned count_of(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}

/* Is it a step of reduce-scatter? They come first; each half has the same number of steps. */
static bool reduces(const struct ec_workload *w, uint32_t step)
{
    const uint32_t steps = w->order->step[w->message_count - 1];
    return strcmp(w->name, "reducescatter") == 0 ||
           (strcmp(w->name, "allreduce") == 0 && step <= steps / 2);
}

static void follow(const struct ec_topology *t, const struct ec_workload *w, uint32_t m,
                   unsigned ways)
{
    static struct state s;
    const struct ec_message_order *o = w->order;
    const uint64_t all = t->nodes == 64 ? UINT64_MAX : (UINT64_C(1) << t->nodes) - 1;
    bool reducing = reduces(w, 1);

    assert_true(w->message_count <= COUNT(s.carried));
    for (uint32_t i = 0; i < t->nodes; i++) {
        for (unsigned way = 0; way < ways; way++)
            s.has[i][way] = UINT64_C(1) << i;
    }
    for (size_t begin = 0, end; begin < w->message_count; begin = end) {
        const uint32_t step = o->step[begin];
        if (reducing && !reduces(w, step)) { /* every part has its sum: now gather the parts */
            for (uint32_t i = 0; i < t->nodes; i++) {
                for (unsigned way = 0; way < ways; way++) {
                    assert_true(s.has[i][way] == all);
                    s.has[i][way] = UINT64_C(1) << i;
                }
            }
            reducing = false;
        }
        for (end = begin; end < w->message_count && o->step[end] == step; end++) {
            const struct ec_message *x = &w->messages[end];
            const unsigned way = (unsigned)((end - begin) % ways);
            const uint32_t before =
                o->first[end + 1] > o->first[end] ? o->after[o->first[end]] : EC_NONE;
            assert_int_equal(ec_topology_distance(t, x->src, x->dst), 1);
            /* It waits for what its node received in the step before, the same way. */
            assert_int_equal(before == EC_NONE, step == 1);
            if (step > 1) {
                assert_int_equal(w->messages[before].dst, x->src);
                assert_int_equal(o->step[before], step - 1);
            }
            const bool on = step > 1 && w->messages[before].words == x->words &&
                            reduces(w, step) == reduces(w, step - 1);
            const uint64_t own = s.has[x->src][way];
            /* In the ring of one dimension: sent on; else the beginning of another one. */
            s.carried[end] = on ? s.carried[before] | (reducing ? own : 0) : own;
            uint64_t came = UINT64_C(1) << x->src;
            for (size_t e = o->first[end]; e < o->first[end + 1]; e++)
                came |= reduces(w, o->step[o->after[e]]) ? 0 : s.carried[o->after[e]];
            assert_true(reducing || (s.carried[end] & ~came) == 0);
            assert_int_equal(w->combined[end],
                             step > 1 && reduces(w, step - 1) ? w->messages[before].words : 0);
        }
        const bool last_of_ring = end == w->message_count ||
                                  w->messages[end].words != w->messages[begin].words ||
                                  reduces(w, o->step[end]) != reduces(w, step);
        for (size_t i = begin; i < end; i++) {
            uint64_t *has = &s.has[w->messages[i].dst][(i - begin) % ways];
            if (!reducing) {
                assert_true((*has & s.carried[i]) == 0); /* nothing is sent twice */
                assert_int_equal(w->messages[i].words,
                                 count_of(s.carried[i]) * m / ways / t->nodes);
            }
            if (!reducing || last_of_ring)
                *has |= s.carried[i];
            if (reducing && last_of_ring)
                assert_int_equal(w->messages[i].words, m / ways / count_of(*has));
        }
    }
    for (uint32_t i = 0; i < t->nodes; i++) {
        for (unsigned way = 0; way < ways; way++)
            assert_true(s.has[i][way] == all);
    }
}

static void every_node_gets_all(NO_STATE)
{
    static const char *const topologies[] = {"ring:2",    "ring:5",      "torus:4x4", "torus:3x5",
                                             "torus:1x7", "torus:2x3x4", "cube:1",    "cube:6",
                                             "torus:8x8", "torus:4x4x4", "mesh:2x2"};
    static const char *const names[] = {"allreduce", "reducescatter", "allgather"};

    for (size_t i = 0; i < COUNT(topologies); i++) {
        const struct ec_topology t = topology_of(topologies[i]);
        for (size_t n = 0; n < 2 * COUNT(names); n++) {
            const unsigned ways = n % 2 + 1;
            const uint32_t m = 2 * 3 * t.nodes;
            char text[64];
            snprintf(text, sizeof text, "%s:m=%u,ways=%u", names[n / 2], m, ways);
            struct ec_workload *w = workload_of(text, &t);
            follow(&t, w, m, ways);
            ec_workload_close(w);
        }
    }
}

/* Blocks are followed, not computed: block a * p + b is the part of node a for node b. A message
 * carries as many blocks as its words say, of those that its source has by what it waits for and
 * that its destination, or the nodes that this one still sends to, need. */
enum { SMALL = 16 };

struct walk {
    const struct ec_workload *w;
    uint32_t p, root;
    uint64_t has[SMALL][SMALL]; /* [node][b]: the nodes a of the blocks that are there */
};

/* The nodes that receive something because of message i, its destination included. */
static uint64_t served(const struct walk *x, size_t i)
{
    const struct ec_message_order *o = x->w->order;
    uint64_t nodes = UINT64_C(1) << x->w->messages[i].dst;

    for (size_t k = 0; k < x->w->message_count; k++) {
        for (size_t e = o->first[k]; e < o->first[k + 1]; e++) {
            if (o->after[e] == i)
                nodes |= served(x, k);
        }
    }
    return nodes;
}

static void move_blocks(struct walk *x, size_t i, uint32_t part)
{
    const struct ec_message *m = &x->w->messages[i];
    const bool exchange = strcmp(x->w->name, "alltoall") == 0;
    const uint64_t for_ = exchange ? UINT64_C(1) << m->dst : served(x, i);
    const bool gather = strcmp(x->w->name, "gather") == 0;
    unsigned count = 0;

    for (uint32_t b = 0; b < x->p; b++) {
        const uint64_t own = exchange ? UINT64_C(1) << m->src : UINT64_MAX;
        if (!gather && strcmp(x->w->name, "broadcast") != 0 && !(for_ >> b & 1))
            continue;
        count += count_of(x->has[m->src][b] & own);
        assert_true((x->has[m->dst][b] & x->has[m->src][b] & own) == 0); /* nothing comes twice */
        x->has[m->dst][b] |= x->has[m->src][b] & own;
    }
    assert_int_equal(m->words, count * part);
}

/* What a message sends on has arrived in messages that it waits for. */
static void check_waits(const struct walk *x, size_t i)
{
    const struct ec_message_order *o = x->w->order;
    const bool exchange = strcmp(x->w->name, "alltoall") == 0;

    for (size_t k = 0; k < i; k++) {
        bool waits = false;
        for (size_t e = o->first[i]; e < o->first[i + 1]; e++)
            waits = waits || o->after[e] == k;
        const bool came = x->w->messages[k].dst == x->w->messages[i].src;
        assert_int_equal(waits, came && (!exchange || o->step[k] + 1 == o->step[i]));
    }
}

static void walk_blocks(const struct ec_topology *t, const char *name, uint32_t root)
{
    const bool exchange = strcmp(name, "alltoall") == 0, gather = strcmp(name, "gather") == 0;
    const uint32_t p = t->nodes, part = 3;
    const uint64_t all = (UINT64_C(1) << p) - 1;
    struct walk x = {.p = p, .root = root};
    char text[64];

    if (exchange)
        snprintf(text, sizeof text, "alltoall:m=%u", p * part);
    else
        snprintf(text, sizeof text, "%s:node=%u,m=%u", name, root, p * part);
    struct ec_workload *w = workload_of(text, t);
    x.w = w;
    assert_string_equal(w->text, text);
    for (uint32_t node = 0; node < p; node++) {
        for (uint32_t b = 0; b < p; b++) { /* gather: one block of each node, for the root */
            const bool there = exchange || (gather ? b == root : node == root);
            x.has[node][b] = there ? UINT64_C(1) << node : 0;
        }
    }
    for (size_t i = 0; i < w->message_count; i++) {
        check_waits(&x, i);
        move_blocks(&x, i, part);
    }
    for (uint32_t node = 0; node < p; node++) {
        if (exchange)
            assert_true(x.has[node][node] == all);
        else if (gather)
            assert_true(node != root || x.has[node][root] == all);
        else
            assert_true(x.has[node][node] == UINT64_C(1) << root);
        for (uint32_t b = 0; b < p && strcmp(name, "broadcast") == 0; b++)
            assert_true(x.has[node][b] == UINT64_C(1) << root);
    }
    ec_workload_close(w);
}

static void every_block_gets_where_it_belongs(NO_STATE)
{
    static const char *const topologies[] = {"ring:2",    "ring:4",   "ring:8",     "ring:16",
                                             "mesh:2x8",  "mesh:4x4", "torus:2x4",  "torus:4x4",
                                             "torus:8x2", "cube:1",   "cube:2",     "cube:3",
                                             "cube:4",    "mesh:16",  "torus:2x2x4"};
    static const char *const names[] = {"alltoall", "broadcast", "scatter", "gather"};

    for (size_t i = 0; i < COUNT(topologies); i++) {
        const struct ec_topology t = topology_of(topologies[i]);
        for (size_t n = 0; n < COUNT(names); n++) {
            for (uint32_t root = 0; root < t.nodes; root++)
                walk_blocks(&t, names[n], root);
        }
    }
}

/* In sums that whole vectors make, no contribution comes twice: a message has that of its source
 * and those of all that it waits for, or passes on what is complete. root: who ends with the sum;
 * EC_NONE: all. */
static void follow_sums(const struct ec_topology *t, const char *text, uint32_t root)
{
    static uint64_t carried[1 << 10];
    struct ec_workload *w = workload_of(text, t);
    const struct ec_message_order *o = w->order;
    const uint64_t all = t->nodes == 64 ? UINT64_MAX : (UINT64_C(1) << t->nodes) - 1;
    uint64_t has[NODES];

    assert_true(w->message_count <= COUNT(carried));
    for (uint32_t node = 0; node < t->nodes; node++)
        has[node] = UINT64_C(1) << node;
    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *x = &w->messages[i];
        bool adds = false;
        carried[i] = UINT64_C(1) << x->src;
        for (size_t e = o->first[i]; e < o->first[i + 1]; e++) {
            const uint64_t came = carried[o->after[e]];
            assert_true(o->after[e] < i && w->messages[o->after[e]].dst == x->src);
            assert_true(came == all || (came & carried[i]) == 0);
            adds |= came != all;
            carried[i] |= came;
        }
        assert_int_equal(x->words, w->vector);
        assert_int_equal(w->combined[i], adds ? w->vector : 0);
        has[x->dst] |= carried[i];
    }
    for (uint32_t node = 0; node < t->nodes; node++)
        assert_true(has[node] == all || (root != EC_NONE && node != root));
    ec_workload_close(w);
}

static void every_sum_is_complete(NO_STATE)
{
    static const char *const topologies[] = {"ring:2",    "ring:8", "mesh:4x4", "torus:2x8",
                                             "torus:8x8", "cube:1", "cube:3",   "cube:6"};
    for (size_t i = 0; i < COUNT(topologies); i++) {
        const struct ec_topology t = topology_of(topologies[i]);
        follow_sums(&t, "allreduce:m=5,by=doubling", EC_NONE);
        follow_sums(&t, "allreduce:m=5,by=tree", EC_NONE);
        for (uint32_t root = 0; root < t.nodes; root++) {
            char text[32];
            snprintf(text, sizeof text, "reduce:node=%u,m=5", root);
            follow_sums(&t, text, root);
        }
    }
}

static bool waits_for(const struct ec_workload *w, size_t i, size_t before)
{
    const struct ec_message_order *o = w->order;
    bool waits = false;

    for (size_t e = o->first[i]; e < o->first[i + 1]; e++)
        waits |= o->after[e] == before;
    return waits;
}

enum { HALF = 3 }; /* words of half a block */

/* Half a block from node `at` to `dst`, in the messages that it is in, whose words are added. */
static void walk_rings(const struct ec_topology *t, const struct ec_workload *w, unsigned ways,
                       uint32_t at, uint32_t dst, bool second, uint64_t *words)
{
    size_t before = SIZE_MAX, step = 0;

    for (unsigned d = 0; d < t->dims; d++) {
        const uint32_t k = t->radix[d];
        const uint32_t up = (ec_topology_coord(t, dst, d) + k - ec_topology_coord(t, at, d)) % k;
        const bool forward = ways == 1 || 2 * up < k || (2 * up == k && !second);
        for (uint32_t hop = 0; hop < (forward ? up : k - up); hop++) {
            const size_t i = ((step + hop) * t->nodes + at) * ways + !forward;
            assert_int_equal(w->messages[i].src, at);
            assert_true(before == SIZE_MAX || waits_for(w, i, before));
            words[i] += HALF;
            before = i;
            at = w->messages[i].dst;
        }
        step += ways == 2 ? k / 2 : k - 1;
    }
    assert_int_equal(at, dst);
}

static void blocks_go_round_the_rings(NO_STATE)
{
    static const char *const topologies[] = {"ring:2",    "ring:5",     "ring:12",     "torus:3x5",
                                             "torus:4x4", "torus:1x6",  "torus:2x3x4", "torus:8x8",
                                             "cube:4",    "torus:4x4x4"};
    static uint64_t words[1 << 13];

    for (size_t i = 0; i < 2 * COUNT(topologies); i++) {
        const struct ec_topology t = topology_of(topologies[i / 2]);
        const unsigned ways = i % 2 + 1;
        const uint32_t k = t.radix[0];
        char text[48];
        snprintf(text, sizeof text, "alltoall:by=ring,ways=%u,m=%u", ways, 2 * HALF * t.nodes);
        struct ec_workload *w = workload_of(text, &t);
        assert_string_equal(w->text, text);
        assert_true(w->message_count <= COUNT(words));
        memset(words, 0, sizeof words);
        for (uint32_t pair = 0; pair < 2 * t.nodes * t.nodes; pair++)
            walk_rings(&t, w, ways, pair / 2 % t.nodes, pair / 2 / t.nodes, pair % 2, words);
        uint64_t link = 0; /* of the first node, in dimension 0 */
        for (size_t at = 0; at < w->message_count; at++) {
            assert_int_equal(w->messages[at].words, words[at]);
            if (w->messages[at].src == 0 && w->messages[at].dst == 1)
                link += words[at];
        }
        /* The bound of k^(n+1)/8 words on a link, for one word a pair. */
        if (ways == 2 && k % 2 == 0 && k > 2 && t.radix[t.dims - 1] == k)
            assert_int_equal(link, 2 * HALF * t.nodes * k / 8);
        ec_workload_close(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("every block gets where it belongs", every_block_gets_where_it_belongs),
        TEST("every sum of whole vectors is complete", every_sum_is_complete),
        TEST("every block of an all-to-all goes round the rings", blocks_go_round_the_rings),
        TEST("every node gets the sum, or the parts, of all", every_node_gets_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
