/* SPDX-License-Identifier: Apache-2.0 */
/* The patterns: a table of all workloads with their names, keys and formulas, and the maps of
 * labels. Knows labels, address bits and coordinates; must not know links, routing or time. Where
 * simulators define a pattern differently, the formula in the table is ours. */
#include "workload/pattern.h"

#include <string.h>
#include <strings.h>

#include "base/keyvalue.h"
#include "base/rng.h"

/* Separates the draws of a permutation from the streams that nodes draw from with the same seed. */
#define PERMUTATION_STREAM UINT64_C(0x7065726d)

static uint32_t gray(uint32_t i)
{
    return i ^ i >> 1;
}

static uint32_t gray_inverse(uint32_t g)
{
    for (unsigned s = 1; s < 32; s *= 2)
        g ^= g >> s;
    return g;
}

static uint32_t map_shift(const struct ec_pattern *p, uint32_t src)
{
    uint32_t i = p->gray ? gray_inverse(src) : src;
    uint32_t j = (i + p->q) % p->t->nodes; /* no overflow: nodes <= 2^24 */

    return p->gray ? gray(j) : j;
}

static uint32_t map_complement(const struct ec_pattern *p, uint32_t src)
{
    return src ^ (p->t->nodes - 1);
}

static uint32_t map_reverse(const struct ec_pattern *p, uint32_t src)
{
    uint32_t dst = 0;

    for (unsigned i = 0; i < p->bits; i++)
        dst |= (src >> i & 1) << (p->bits - 1 - i);
    return dst;
}

static uint32_t map_rotate(const struct ec_pattern *p, uint32_t src)
{
    return (src << p->k | src >> (p->bits - p->k)) & (p->t->nodes - 1);
}

bool ec_pattern_square(const struct ec_topology *t)
{
    return (t->kind == EC_MESH || t->kind == EC_TORUS) && t->dims == 2 &&
           t->radix[0] == t->radix[1];
}

static uint32_t map_transpose(const struct ec_pattern *p, uint32_t src)
{
    if (ec_pattern_square(p->t))
        return src % p->t->radix[0] * p->t->radix[0] + src / p->t->radix[0];

    unsigned half = p->bits / 2;
    return src >> half | (src & ((UINT32_C(1) << half) - 1)) << half;
}

/* Every coordinate moves by one, or, as far as it gets without a shorter way back, by half. */
static uint32_t move_all(const struct ec_topology *t, uint32_t src, bool half)
{
    uint32_t dst = 0;

    for (unsigned d = 0; d < t->dims; d++) {
        const uint32_t r = t->radix[d], step = half ? (r + 1) / 2 - 1 : 1;
        dst += (ec_topology_coord(t, src, d) + step) % r * t->stride[d];
    }
    return dst;
}

static uint32_t map_tornado(const struct ec_pattern *p, uint32_t src)
{
    return move_all(p->t, src, true);
}

static uint32_t map_neighbor(const struct ec_pattern *p, uint32_t src)
{
    return move_all(p->t, src, false);
}

/* Shard number of a device in the first order, then the device that has this shard in the other. */
static uint32_t map_reshard(const struct ec_pattern *p, uint32_t src)
{
    const struct ec_reshard *r = &p->reshard;
    uint32_t stride[EC_RESHARD_AXES] = {1}, shard = 0, dst = 0;

    for (unsigned a = 1; a < r->axes; a++)
        stride[a] = stride[a - 1] * r->size[a - 1];
    for (unsigned i = 0; i < r->axes; i++)
        shard = shard * r->size[r->from[i]] + src / stride[r->from[i]] % r->size[r->from[i]];
    for (unsigned i = r->axes; i-- > 0; shard /= r->size[r->to[i]])
        dst += shard % r->size[r->to[i]] * stride[r->to[i]];
    return dst;
}

void ec_pattern_permutation(uint64_t seed, uint32_t count, uint32_t *ret_map)
{
    uint64_t key = ec_rng_key(seed, PERMUTATION_STREAM);

    for (uint32_t i = 0; i < count; i++)
        ret_map[i] = i;
    for (uint32_t i = count; i-- > 1;) { /* Fisher-Yates shuffle */
        uint32_t j = (uint32_t)ec_rng_below(ec_rng_draw(key, i), (uint64_t)i + 1);
        uint32_t other = ret_map[j];
        ret_map[j] = ret_map[i];
        ret_map[i] = other;
    }
}

#define KEY(name) (1U << EC_KEY_##name)
#define SERVICE   (KEY(REPLY) | KEY(THINK) | KEY(QUEUE) | KEY(OUTSTANDING) | KEY(CLASSES))
#define COMMON    (KEY(RATE) | KEY(M) | KEY(BURST) | KEY(ON) | SERVICE) /* of an open loop */
#define BITS      (COMMON | KEY(ELEMENTS) | KEY(SUB)) /* permutations of address bits */
#define TREE      (KEY(M) | KEY(NODE) | KEY(BY))      /* binomial trees */
#define KIND(id, keys, needed, map, on, ...)                                                       \
    [EC_WORKLOAD_##id] = {{__VA_ARGS__}, keys, needed, map, EC_ON_##on}

/* Per workload: keys, those that it needs, map, topology; name, aliases, parameters, formula. */
static const struct ec_workload_kind kinds[EC_WORKLOAD_COUNT] = {
    KIND(SHIFT, COMMON | KEY(Q) | KEY(LABELS), KEY(Q), map_shift, ANY, "shift", "",
         "q=1..p-1, labels=plain|gray",
         "i -> (i + q) mod p; gray: ring node i sits on cube node i xor (i >> 1)"),
    KIND(BITCOMP, BITS, 0, map_complement, BITS, "bitcomp", "bit_complement, vector_reversal",
         "K=elements, sub=dimensions", "every address bit inverted: i -> p - 1 - i (p = 2^n)"),
    KIND(BITREV, BITS, 0, map_reverse, BITS, "bitrev", "bit_reverse, bit_reversal, bitreversal",
         "K=elements, sub=dimensions", "d_i = s_(n-1-i) (p = 2^n)"),
    KIND(SHUFFLE, BITS, 0, map_rotate, BITS, "shuffle", "perfect_shuffle",
         "K=elements, sub=dimensions", "d_i = s_(i-1 mod n): the address rotated left (p = 2^n)"),
    KIND(UNSHUFFLE, BITS, 0, map_rotate, BITS, "unshuffle", "bitrot, bit_rotation",
         "K=elements, sub=dimensions", "d_i = s_(i+1 mod n): the address rotated right (p = 2^n)"),
    KIND(KSHUFFLE, BITS | KEY(K), KEY(K), map_rotate, BITS, "kshuffle", "k_shuffle",
         "k=1..n-1, K=elements, sub=dimensions",
         "d_i = s_(i-k mod n): the address rotated left k times (p = 2^n)"),
    KIND(TRANSPOSE, BITS, 0, map_transpose, ANY, "transpose", "", "K=elements, sub=dimensions",
         "(x, y) -> (y, x) on a square mesh or torus; else the address halves exchanged (p = 2^n, "
         "n even)"),
    KIND(
        TOCYCLIC, BITS, KEY(ELEMENTS), NULL, CUBE, "tocyclic", "", "K=elements, sub=dimensions",
        "element j of all moves from node j div K to node j mod p: consecutive to cyclic (a cube)"),
    KIND(
        TOCONSECUTIVE, BITS, KEY(ELEMENTS), NULL, CUBE, "toconsecutive", "",
        "K=elements, sub=dimensions",
        "element j of all moves from node j mod p to node j div K: cyclic to consecutive (a cube)"),
    KIND(GSH, BITS | KEY(CYCLE), KEY(CYCLE), NULL, CUBE, "gsh", "sdp",
         "cycle=6-5-~4+3-0, K=elements, sub=dimensions",
         "bits of the machine address (node | slot) move in cycles, each to the place on its left; "
         "~: inverted on arrival (a cube)"),
    KIND(TORNADO, COMMON, 0, map_tornado, GRID, "tornado", "", "",
         "every coordinate x -> x + ceil(r/2) - 1 mod r (r: radix)"),
    KIND(NEIGHBOR, COMMON, 0, map_neighbor, GRID, "neighbor", "neighbour", "",
         "every coordinate x -> x + 1 mod r, all dimensions at once"),
    KIND(RANDPERM, COMMON, 0, NULL, ANY, "randperm", "random_permutation", "",
         "a random permutation drawn from the seed (a node may keep its own)"),
    KIND(HOTSPOT, COMMON | KEY(NODE) | KEY(SHARE), 0, NULL, ANY, "hotspot", "hot_spot",
         "node=0..p-1, share=S (with rate)",
         "all other nodes send to one; with rate: a message goes there with probability S (0.2), "
         "else as in uniform"),
    KIND(PERM, COMMON | KEY(FILE), KEY(FILE), NULL, ANY, "perm", "permutation", "file=map.csv",
         "rows src,dst; no node twice in a column; nodes may be missing"),
    KIND(PPERMUTE, KEY(M) | KEY(PAIRS), KEY(PAIRS), NULL, ANY, "ppermute", "collective_permute",
         "pairs=0-1,1-2, m=words", "a message for each pair; no node sends or receives twice"),
    KIND(RESHARD, BITS | KEY(MESH) | KEY(FROM) | KEY(TO), KEY(MESH) | KEY(FROM) | KEY(TO),
         map_reshard, ANY, "reshard", "allpermute, all_permute",
         "mesh=4x4x16, from=XY, to=YX, K=elements, sub=dimensions",
         "shards that the axes `from` of a device mesh divide, the first one the most significant, "
         "are divided by the axes `to`"),
    KIND(TRACE, KEY(FILE), KEY(FILE), NULL, ANY, "trace", "", "file=packets.csv",
         "rows cycle,source,destination,words; in any order, cycles from 1; a header may name more "
         "columns: id, after, delay, behind, step"),
    KIND(ALLREDUCE, KEY(M) | KEY(BY) | KEY(WAYS), KEY(M), NULL, ANY, "allreduce",
         "all-reduce, all_reduce", "m=words, by=ring|doubling|tree, ways=1|2",
         "every node gets the sum of the vectors of all: reducescatter, then allgather; doubling: "
         "step k exchanges sums with node i xor 2^k; tree: reduce, then broadcast (p = 2^n)"),
    KIND(REDUCESCATTER, KEY(M) | KEY(BY) | KEY(WAYS), KEY(M), NULL, ANY, "reducescatter",
         "reduce-scatter, reduce_scatter", "m=words, ways=1|2",
         "every node gets m/p words of the sum of the vectors of m words of all, on the rings of "
         "each dimension; ways=2: half of the vector the other way round"),
    KIND(ALLGATHER, KEY(M) | KEY(BY) | KEY(WAYS), KEY(M), NULL, ANY, "allgather",
         "all-gather, all_gather", "m=words, ways=1|2",
         "every node gets the m/p words of every node, in the same way"),
    KIND(ALLTOALL, KEY(M) | KEY(BY) | KEY(WAYS), KEY(M), NULL, ANY, "alltoall",
         "all-to-all, all_to_all", "m=words, by=exchange|ring, ways=1|2",
         "step k = 1..p-1: node i sends m/p of its m words to node i xor k (p = 2^n), else i + k; "
         "ring: from neighbour to neighbour, one dimension after the other"),
    KIND(BROADCAST, TREE, KEY(M), NULL, BITS, "broadcast", "bcast", "m=words, node=0..p-1",
         "every node gets the m words of one, in a binomial tree (p = 2^n)"),
    KIND(REDUCE, TREE, KEY(M), NULL, BITS, "reduce", "", "m=words, node=0..p-1",
         "one node gets the sum of the vectors of all, in a binomial tree (p = 2^n)"),
    KIND(SCATTER, TREE, KEY(M), NULL, BITS, "scatter", "", "m=words, node=0..p-1",
         "every node gets its m/p of the m words of one, in a binomial tree (p = 2^n)"),
    KIND(GATHER, TREE, KEY(M), NULL, BITS, "gather", "", "m=words, node=0..p-1",
         "one node gets the m/p words of every node, in a binomial tree (p = 2^n)"),
    KIND(UNIFORM, COMMON, KEY(RATE), NULL, ANY, "uniform", "uniform_random, random", "rate=R",
         "open loop: every destination but the source is equally likely"),
    KIND(MIX, COMMON | KEY(OF), KEY(RATE) | KEY(OF), NULL, ANY, "mix", "mixture",
         "rate=R, of=PATTERN@WEIGHT+PATTERN:KEY=VALUE@WEIGHT",
         "open loop: each message is drawn from one of the patterns, in proportion to the weights"),
};

#undef KEY
#undef SERVICE
#undef COMMON
#undef BITS
#undef TREE
#undef KIND

const struct ec_workload_kind *ec_workload_kind(enum ec_workload_id id)
{
    return &kinds[id];
}

const struct ec_workload_info *ec_workload_at(size_t index)
{
    return index < EC_WORKLOAD_COUNT ? &kinds[index].info : NULL;
}

static bool same_word(struct ec_slice a, const char *b)
{
    return strlen(b) == a.length && strncasecmp(a.at, b, a.length) == 0;
}

/* Without the blank behind a comma. */
static struct ec_slice trim(struct ec_slice s)
{
    return s.length && *s.at == ' ' ? (struct ec_slice){s.at + 1, s.length - 1} : s;
}

/* Workloads of other programs, and the nearest of ours. */
static const struct {
    const char *names, *instead;
} others[] = {
    {"bursty,burst", "bursts are keys of the patterns, as in uniform:rate=0.1,burst=8,on=0.25"},
    {"multicast", "the nearest are broadcast:m=8, and trace:file=FILE with a row for each message, "
                  "cycle,source,destination,words"},
    {"goal",
     "python3 -m ecube.goal SCHEDULE TRACE.csv makes a trace of it, for trace:file=TRACE.csv"},
    {"incast", "the nearest is hotspot:node=0, in which all nodes send to one"},
};

static bool is_one_of(struct ec_slice name, const char *names)
{
    struct ec_slice list = ec_slice_of(names), one;
    while (ec_slice_take(&list, ',', &one)) {
        one = trim(one);
        if (one.length && one.length == name.length &&
            strncasecmp(one.at, name.at, name.length) == 0)
            return true;
    }
    return false;
}

/* EC_WORKLOAD_COUNT: no workload has this name or alias. */
static enum ec_workload_id find_workload(struct ec_slice name)
{
    for (int id = 0; id < EC_WORKLOAD_COUNT; id++) {
        if (same_word(name, kinds[id].info.name) || is_one_of(name, kinds[id].info.aliases))
            return (enum ec_workload_id)id;
    }
    return EC_WORKLOAD_COUNT;
}

enum ec_code ec_workload_find(struct ec_slice name, enum ec_workload_id *ret,
                              struct ec_error *reterr)
{
    enum { NAMES = 4 * EC_WORKLOAD_COUNT, LENGTH = 32 };
    const char *names[NAMES + 1] = {NULL};
    char alias[NAMES][LENGTH];
    const enum ec_workload_id id = find_workload(name);
    size_t n = 0;

    if (id < EC_WORKLOAD_COUNT) {
        *ret = id;
        return EC_OK;
    }
    /* "shift,q=5" */
    while (n < name.length && !strchr(",=", name.at[n]))
        n++;
    if (n < name.length && find_workload((struct ec_slice){name.at, n}) < EC_WORKLOAD_COUNT)
        return ec_fail(reterr, EC_USAGE,
                       "unknown workload '%.*s': expected a colon behind the name; did you mean "
                       "'%.*s:%.*s'?",
                       EC_SHOWN(name), (int)n, name.at, (int)(name.length - n - 1),
                       name.at + n + 1);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (is_one_of(name, others[i].names))
            return ec_fail(reterr, EC_USAGE, "unknown workload '%.*s': %s", EC_SHOWN(name),
                           others[i].instead);
    }
    n = 0;
    for (int i = 0; i < EC_WORKLOAD_COUNT; i++) {
        struct ec_slice rest = ec_slice_of(kinds[i].info.aliases), one;
        names[n++] = kinds[i].info.name;
        while (*kinds[i].info.aliases && n < NAMES && ec_slice_take(&rest, ',', &one)) {
            one = trim(one);
            snprintf(alias[n], LENGTH, "%.*s", EC_SHOWN(one));
            names[n] = alias[n];
            n++;
        }
    }
    return ec_keyvalue_unknown("workload", name, names, "ecube list workloads", reterr);
}
