/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of workloads. Knows which values make sense on which topology; must not know how
 * messages are made. */
#include "workload/spec.h"

#include <string.h>

#include "base/keyvalue.h"
#include "workload/collective.h"

#define RATE_MAX  64  /* flits/node/cycle: no node has more ports */
#define HOT_SHARE 0.2 /* of the messages, if share= is not given */

/* All elements of all nodes. */
#define EC_WORKLOAD_ELEMENTS_MAX (UINT32_C(1) << 24)

#define BURST_MAX 1000000000 /* cycles */
#define THINK_MAX 1000000    /* cycles */
#define BURST_ON  0.5        /* of the time, if on= is not given */

static const char *const labels_words[] = {"plain", "gray", NULL};
static const char *const by_words[EC_BY_COUNT + 1] = {"ring", "doubling", "tree", "exchange"};

/* Bounds that depend on the topology are filled in when the value is read. */
static const struct ec_key keys[EC_KEY_COUNT] = {
    [EC_KEY_Q] = {"q", EC_VALUE_NUMBER, .expected = "a distance, q=1 to nodes - 1"},
    [EC_KEY_LABELS] = {"labels", EC_VALUE_CHOICE, .choices = labels_words},
    [EC_KEY_K] = {"k", EC_VALUE_NUMBER, .expected = "bits to rotate by, k=1 to address bits - 1"},
    [EC_KEY_CYCLE] = {"cycle", EC_VALUE_TEXT,
                      .expected = "cycles of address bits, cycle=6-5-~4+3-0"},
    [EC_KEY_ELEMENTS] = {"K", EC_VALUE_NUMBER, .expected = "elements per node, K=8"},
    [EC_KEY_SUB] = {"sub", EC_VALUE_NUMBER, .expected = "dimensions of a subcube, sub=2"},
    [EC_KEY_NODE] = {"node", EC_VALUE_NUMBER, .expected = "a node, node=0"},
    [EC_KEY_SHARE] = {"share", EC_VALUE_FRACTION, .most = 1},
    [EC_KEY_FILE] = {"file", EC_VALUE_TEXT, .expected = "the name of a CSV file, file=NAME"},
    [EC_KEY_PAIRS] = {"pairs", EC_VALUE_LIST,
                      .expected = "pairs of nodes, SOURCE-DESTINATION, pairs=0-1,1-2 (or 0>1, in "
                                  "quotes in a shell)"},
    [EC_KEY_MESH] = {"mesh", EC_VALUE_TEXT,
                     .expected = "sizes from 1 on of at most 8 axes, mesh=4x4x16"},
    [EC_KEY_FROM] = {"from", EC_VALUE_TEXT, .expected = "axes of the mesh, from=XY"},
    [EC_KEY_TO] = {"to", EC_VALUE_TEXT, .expected = "axes of the mesh, to=YX"},
    [EC_KEY_RATE] = {"rate", EC_VALUE_FRACTION, .most = RATE_MAX,
                     .expected =
                         "flits per node and "
                         "cycle, above 0 and at most 64 (1 for a node with one local port)"},
    [EC_KEY_M] = {"m", EC_VALUE_TEXT,
                  .expected = "words per message from 1 to 16777216: m=8, or "
                              "with rate= also a range m=1..16 or two lengths m=1+8"},
    [EC_KEY_OF] = {"of", EC_VALUE_TEXT,
                   .expected = "patterns with weights, of=uniform@3+hotspot:node=5:m=64@1"},
    [EC_KEY_BURST] = {"burst", EC_VALUE_FRACTION, .most = BURST_MAX,
                      .expected = "the mean length of an on period in cycles, burst=1 to 1e9"},
    [EC_KEY_ON] = {"on", EC_VALUE_FRACTION, .most = 1,
                   .expected = "the fraction of the time in which a source is on, above 0 and "
                               "below 1"},
    [EC_KEY_REPLY] = {"reply", EC_VALUE_NUMBER, .least = 1, .most = EC_MESSAGE_WORDS_MAX,
                      .expected = "the words of a reply, reply=1 to 16777216"},
    [EC_KEY_THINK] = {"think", EC_VALUE_NUMBER, .most = THINK_MAX},
    [EC_KEY_QUEUE] = {"queue", EC_VALUE_TEXT,
                      .expected = "the requests that a node holds, queue=1 to 4294967295, or "
                                  "queue=inf"},
    [EC_KEY_OUTSTANDING] = {"outstanding", EC_VALUE_NUMBER, .least = 1, .most = UINT32_MAX},
    [EC_KEY_CLASSES] = {"classes", EC_VALUE_NUMBER, .least = 1, .most = 2},
    [EC_KEY_BY] = {"by", EC_VALUE_CHOICE, .choices = by_words},
    [EC_KEY_WAYS] = {"ways", EC_VALUE_NUMBER, .least = 1, .most = 2},
};
_Static_assert(RATE_MAX == 64 && EC_MESSAGE_WORDS_MAX == 16777216, "the messages name both");

struct parser {
    struct ec_grammar grammar;
    struct ec_slice values[EC_KEY_COUNT]; /* as written */
    const struct ec_topology *t;
    const struct ec_workload_spec *mix; /* of which this is a part; or NULL */
    struct ec_workload_spec *spec;
    struct ec_error *reterr;
};

static bool given(const struct parser *p, enum ec_workload_key key)
{
    return p->values[key].at != NULL;
}

/* EC_USAGE: "workload NAME: WHAT". */
static enum ec_code refuse_text(const struct parser *p, const char *what)
{
    return ec_fail(p->reterr, EC_USAGE, "workload %s: %s", p->grammar.name, what);
}

/* The same for one key and its value: "workload NAME: KEY=VALUE: expected EXPECTED". */
static enum ec_code refuse_key(const struct parser *p, enum ec_workload_key key,
                               const char *expected)
{
    return ec_keyvalue_refuse(&p->grammar, &keys[key], p->values[key], expected, p->reterr);
}

/* A whole number of a key that is given. */
static enum ec_code read_number(const struct parser *p, enum ec_workload_key key, uint64_t least,
                                uint64_t most, uint32_t *ret)
{
    struct ec_key bounded = keys[key];
    uint64_t number = 0;

    bounded.expected = NULL;
    bounded.least = least;
    bounded.most = most;
    const enum ec_code code =
        ec_keyvalue_read(&p->grammar, &bounded, p->values[key], &number, p->reterr);
    if (code == EC_OK)
        *ret = (uint32_t)number;
    return code;
}

static enum ec_code read_shift(struct parser *p)
{
    struct ec_pattern *pattern = &p->spec->pattern;
    uint64_t labels = 0;

    enum ec_code code = read_number(p, EC_KEY_Q, 1, p->t->nodes - 1, &pattern->q);
    if (code == EC_OK && given(p, EC_KEY_LABELS))
        code = ec_keyvalue_read(&p->grammar, &keys[EC_KEY_LABELS], p->values[EC_KEY_LABELS],
                                &labels, p->reterr);
    if (code == EC_OK && labels && p->t->kind != EC_CUBE)
        code = refuse_key(p, EC_KEY_LABELS,
                          "a topology cube:D, since a Gray code embeds the ring in a cube");
    pattern->gray = labels;
    return code;
}

static enum ec_code read_rotation(struct parser *p)
{
    /* Bits of the machine address: node and storage bits. At least 1: there are 2 nodes. */
    const unsigned bits = p->spec->pattern.bits + ec_workload_storage(p->spec->per_node);

    p->spec->pattern.k = p->spec->id == EC_WORKLOAD_SHUFFLE ? 1 % bits : bits - 1;
    if (p->spec->id != EC_WORKLOAD_KSHUFFLE)
        return EC_OK;
    return read_number(p, EC_KEY_K, 1, bits - 1, &p->spec->pattern.k);
}

/* Transpose exchanges coordinates on a square, else the halves of the machine address. */
static enum ec_code check_transpose(struct parser *p)
{
    const unsigned bits = p->spec->pattern.bits, storage = ec_workload_storage(p->spec->per_node);

    if (!storage && !p->spec->sub && ec_pattern_square(p->t))
        return EC_OK;
    if (bits && (bits + storage) % 2 == 0)
        return EC_OK;
    if (bits)
        return ec_fail(p->reterr, EC_USAGE,
                       "workload transpose: expected an even number of address bits, or a square "
                       "mesh or torus; got %u bits of the nodes and %u of K=%u",
                       bits, storage, p->spec->per_node);
    return ec_fail(
        p->reterr, EC_USAGE,
        "workload transpose: expected a square mesh or torus, or 2^n nodes with n even; got "
        "%u nodes",
        p->t->nodes);
}

static enum ec_code read_hotspot(struct parser *p)
{
    struct ec_workload_spec *s = p->spec;
    enum ec_code code = EC_OK;

    if (given(p, EC_KEY_NODE))
        code = read_number(p, EC_KEY_NODE, 0, p->t->nodes - 1, &s->node);
    if (code)
        return code;
    if (!s->open_loop)
        return given(p, EC_KEY_SHARE) ? refuse_key(p, EC_KEY_SHARE, "rate= as well") : EC_OK;
    s->share = HOT_SHARE;
    if (given(p, EC_KEY_SHARE))
        code = ec_keyvalue_fraction(&p->grammar, &keys[EC_KEY_SHARE], p->values[EC_KEY_SHARE],
                                    &s->share, p->reterr);
    return code;
}

/* "4x4x16" devices, one on each node. */
static enum ec_code read_mesh(struct parser *p)
{
    struct ec_reshard *r = &p->spec->pattern.reshard;
    const uint32_t nodes = p->spec->sub ? UINT32_C(1) << p->spec->sub : p->t->nodes;
    struct ec_slice rest = p->values[EC_KEY_MESH], item;
    uint64_t devices = 1, size;

    for (; ec_slice_take(&rest, 'x', &item); devices *= size) {
        if (r->axes == EC_RESHARD_AXES || !ec_slice_number(item, nodes, &size) || size == 0)
            return refuse_key(p, EC_KEY_MESH, keys[EC_KEY_MESH].expected);
        r->size[r->axes++] = (uint32_t)size;
        if (devices * size > nodes)
            break;
    }
    if (devices == nodes)
        return EC_OK;
    return ec_fail(p->reterr, EC_USAGE,
                   "workload reshard: mesh=%.*s: expected %u devices in all, one on each node",
                   EC_SHOWN(p->values[EC_KEY_MESH]), nodes);
}

/* "XY" and then the other axes; ret_parts: the shards that the named ones make. */
static enum ec_code read_axes(struct parser *p, enum ec_workload_key key, uint8_t *order,
                              unsigned *ret_named, uint32_t *ret_parts)
{
    const struct ec_reshard *r = &p->spec->pattern.reshard;
    const struct ec_slice word = p->values[key];
    unsigned count = 0, seen = 0;
    char expected[64];

    *ret_parts = 1;
    for (size_t i = 0; i < word.length; i++) {
        const char *at = memchr(EC_RESHARD_NAMES, word.at[i], r->axes);
        const unsigned axis = at ? (unsigned)(at - EC_RESHARD_NAMES) : 0;
        if (!at || seen >> axis & 1) {
            snprintf(expected, sizeof expected, "axes of %.*s, each at most once", (int)r->axes,
                     EC_RESHARD_NAMES);
            return refuse_key(p, key, expected);
        }
        seen |= 1U << axis;
        order[count++] = (uint8_t)axis;
        *ret_parts *= r->size[axis];
    }
    *ret_named = count;
    for (unsigned axis = 0; axis < r->axes; axis++) {
        if (!(seen >> axis & 1))
            order[count++] = (uint8_t)axis;
    }
    return EC_OK;
}

static enum ec_code read_reshard(struct parser *p)
{
    struct ec_reshard *r = &p->spec->pattern.reshard;
    uint32_t before = 0, after = 0;
    enum ec_code code = read_mesh(p);

    if (code == EC_OK)
        code = read_axes(p, EC_KEY_FROM, r->from, &r->from_named, &before);
    if (code == EC_OK)
        code = read_axes(p, EC_KEY_TO, r->to, &r->to_named, &after);
    if (code != EC_OK || before == after)
        return code;
    return ec_fail(p->reterr, EC_USAGE,
                   "workload reshard: from=%.*s makes %u shards, to=%.*s makes %u: expected the "
                   "same number, since every node keeps one (see allgather)",
                   EC_SHOWN(p->values[EC_KEY_FROM]), before, EC_SHOWN(p->values[EC_KEY_TO]), after);
}

/* How a collective operation is carried out; ways= means by=ring. */
static enum ec_code read_way(struct parser *p)
{
    struct ec_workload_spec *s = p->spec;
    const char *words[EC_BY_COUNT + 1] = {NULL};
    uint64_t by = given(p, EC_KEY_WAYS) ? EC_BY_RING : (uint64_t)collective_default(s->id);
    enum ec_code code = EC_OK;

    if (given(p, EC_KEY_BY))
        code =
            ec_keyvalue_read(&p->grammar, &keys[EC_KEY_BY], p->values[EC_KEY_BY], &by, p->reterr);
    if (code != EC_OK)
        return code;
    if (!collective_can(s->id, (enum ec_collective_by)by)) {
        char list[64];
        for (int k = 0, used = 0; k < EC_BY_COUNT; k++) {
            if (collective_can(s->id, (enum ec_collective_by)k))
                words[used++] = by_words[k];
        }
        return refuse_key(p, EC_KEY_BY, ec_words_or(words, list, sizeof list));
    }
    s->by = (enum ec_collective_by)by;
    if (s->by != EC_BY_RING)
        return given(p, EC_KEY_WAYS) ? refuse_key(p, EC_KEY_WAYS, "by=ring as well") : EC_OK;
    s->ways = 1;
    return given(p, EC_KEY_WAYS) ? read_number(p, EC_KEY_WAYS, 1, 2, &s->ways) : EC_OK;
}

/* "8", "1..16" or "1+8". */
static bool parse_lengths(struct ec_slice value, struct ec_lengths *ret)
{
    uint64_t first, last;
    struct ec_slice rest = value, part;

    if (ec_slice_number(value, EC_MESSAGE_WORDS_MAX, &first)) {
        *ret = (struct ec_lengths){(uint32_t)first, (uint32_t)first, false};
        return first > 0;
    }
    bool mix = memchr(value.at, '+', value.length) != NULL;
    if (!ec_slice_take(&rest, mix ? '+' : '.', &part) || !rest.at ||
        !ec_slice_number(part, EC_MESSAGE_WORDS_MAX, &first))
        return false;
    if (!mix) { /* the second point */
        if (rest.length == 0 || *rest.at != '.')
            return false;
        rest = (struct ec_slice){rest.at + 1, rest.length - 1};
    }
    if (!ec_slice_number(rest, EC_MESSAGE_WORDS_MAX, &last) || first == 0 || last == 0)
        return false;
    *ret = (struct ec_lengths){(uint32_t)first, (uint32_t)last, mix};
    return mix || first <= last;
}

static enum ec_code read_lengths(struct parser *p)
{
    struct ec_lengths *lengths = &p->spec->lengths;

    *lengths = p->mix ? p->mix->lengths : (struct ec_lengths){1, 1, false};
    if (!given(p, EC_KEY_M))
        return EC_OK;
    const bool rate = ec_workload_kind(p->spec->id)->keys >> EC_KEY_RATE & 1;
    static const char words[] = "a number of words from 1 to 16777216";
    if (!parse_lengths(p->values[EC_KEY_M], lengths))
        return refuse_key(p, EC_KEY_M, rate ? keys[EC_KEY_M].expected : words);
    if (!p->spec->open_loop && lengths->first != lengths->last)
        return refuse_key(p, EC_KEY_M, rate ? "one length, or rate= as well" : words);
    if (lengths->mix && lengths->first > lengths->last)
        *lengths = (struct ec_lengths){lengths->last, lengths->first, true};
    lengths->mix = lengths->mix && lengths->first != lengths->last;
    return EC_OK;
}

static enum ec_code read_rate(struct parser *p)
{
    if (p->mix) {
        p->spec->open_loop = true;
        p->spec->rate = p->mix->rate;
        return given(p, EC_KEY_RATE) ? refuse_key(p, EC_KEY_RATE, "that of the mixture") : EC_OK;
    }
    if (!given(p, EC_KEY_RATE))
        return EC_OK;
    p->spec->open_loop = true;
    return ec_keyvalue_fraction(&p->grammar, &keys[EC_KEY_RATE], p->values[EC_KEY_RATE],
                                &p->spec->rate, p->reterr);
}

/* Two states that a cycle ends with the probabilities 1 / burst and on / ((1 - on) burst). */
static enum ec_code read_burst(struct parser *p)
{
    struct ec_burst *b = &p->spec->burst;

    if (!given(p, EC_KEY_BURST))
        return given(p, EC_KEY_ON) ? refuse_key(p, EC_KEY_ON, "burst= as well") : EC_OK;
    if (!p->spec->open_loop)
        return refuse_key(p, EC_KEY_BURST, "rate= as well");
    *b = (struct ec_burst){.on = BURST_ON};
    enum ec_code code = ec_keyvalue_fraction(&p->grammar, &keys[EC_KEY_BURST],
                                             p->values[EC_KEY_BURST], &b->cycles, p->reterr);
    if (code == EC_OK && given(p, EC_KEY_ON))
        code = ec_keyvalue_fraction(&p->grammar, &keys[EC_KEY_ON], p->values[EC_KEY_ON], &b->on,
                                    p->reterr);
    if (code == EC_OK && b->cycles < 1)
        code = refuse_key(p, EC_KEY_BURST, keys[EC_KEY_BURST].expected);
    if (code == EC_OK && b->on >= 1)
        code = refuse_key(p, EC_KEY_ON, keys[EC_KEY_ON].expected);
    if (code == EC_OK && b->cycles < b->on / (1 - b->on))
        code =
            ec_fail(p->reterr, EC_USAGE,
                    "workload %s: burst=%.*s: expected at least %g cycles with on=%g, since an "
                    "off period lasts at least one",
                    p->grammar.name, EC_SHOWN(p->values[EC_KEY_BURST]), b->on / (1 - b->on), b->on);
    return code;
}

/* A key that only requests with replies have. */
static enum ec_code read_of_service(struct parser *p, enum ec_workload_key key, uint32_t *ret)
{
    if (!given(p, key))
        return EC_OK;
    if (!given(p, EC_KEY_REPLY))
        return refuse_key(p, key, "reply= as well");
    return read_number(p, key, keys[key].least, keys[key].most, ret);
}

static enum ec_code read_service(struct parser *p)
{
    struct ec_service *s = &p->spec->service;
    const struct ec_slice queue = p->values[EC_KEY_QUEUE];
    uint64_t number = 0;
    uint32_t classes = 2;
    enum ec_code code = EC_OK;

    if (given(p, EC_KEY_REPLY) && !p->spec->open_loop)
        return refuse_key(p, EC_KEY_REPLY, "rate= as well");
    if ((code = read_of_service(p, EC_KEY_REPLY, &s->words)) ||
        (code = read_of_service(p, EC_KEY_THINK, &s->think)) ||
        (code = read_of_service(p, EC_KEY_OUTSTANDING, &s->outstanding)) ||
        (code = read_of_service(p, EC_KEY_CLASSES, &classes)))
        return code;
    s->shared = classes == 1;
    if (!queue.at)
        return EC_OK;
    if (s->words == 0)
        return refuse_key(p, EC_KEY_QUEUE, "reply= as well");
    if (ec_slice_is(queue, "inf"))
        return EC_OK;
    if (!ec_slice_number(queue, UINT32_MAX, &number) || number == 0)
        return refuse_key(p, EC_KEY_QUEUE, keys[EC_KEY_QUEUE].expected);
    s->queue = (uint32_t)number;
    return EC_OK;
}

/* With sub=, only the nodes of a subcube of the lowest dimensions hold elements. */
static enum ec_code read_sub(struct parser *p)
{
    uint32_t sub = 0;

    if (!given(p, EC_KEY_SUB))
        return EC_OK;
    if (p->t->kind != EC_CUBE)
        return refuse_key(p, EC_KEY_SUB, "a topology cube:D, which has subcubes");
    const enum ec_code code = read_number(p, EC_KEY_SUB, 1, p->t->dims, &sub);
    if (code)
        return code;
    if (p->spec->open_loop)
        return refuse_key(p, EC_KEY_SUB, "no rate=, since elements move once");
    if (sub < p->t->dims) /* else the subcube is the cube */
        p->spec->sub = p->spec->pattern.bits = sub;
    return EC_OK;
}

/* K, on a cube only: nodes of other topologies have no address bits to add storage bits to. */
static enum ec_code read_elements(struct parser *p)
{
    const uint32_t holders = p->spec->sub ? UINT32_C(1) << p->spec->sub : p->t->nodes;
    enum ec_code code = EC_OK;

    p->spec->per_node = 1;
    if (ec_workload_kind(p->spec->id)->on == EC_ON_CUBE && p->t->kind != EC_CUBE)
        return refuse_text(p, "expected a topology cube:D, whose address bits it moves");
    if (given(p, EC_KEY_ELEMENTS))
        code = read_number(p, EC_KEY_ELEMENTS, 1, EC_WORKLOAD_ELEMENTS_MAX / holders,
                           &p->spec->per_node);
    if (code || p->spec->per_node == 1)
        return code;
    if (p->t->kind != EC_CUBE)
        return refuse_key(p, EC_KEY_ELEMENTS, "a topology cube:D, or K=1");
    if (p->spec->open_loop)
        return refuse_key(p, EC_KEY_ELEMENTS, "no rate=, since elements move once");
    return EC_OK;
}

/* Each of m bits takes the value of the bit `by` places below it. */
static void rotate_bits(struct ec_sdp *s, unsigned by)
{
    const unsigned m = s->storage + s->processor;

    for (unsigned i = 0; i < m; i++)
        s->from[i] = (uint8_t)((i + m - by % m) % m);
}

static enum ec_code read_cycles(const struct parser *p, struct ec_sdp *s)
{
    const struct ec_slice cycles = p->values[EC_KEY_CYCLE];
    char copy[256];

    if (cycles.length >= sizeof copy)
        return refuse_key(p, EC_KEY_CYCLE, "fewer than 256 characters");
    snprintf(copy, sizeof copy, "%.*s", (int)cycles.length, cycles.at);
    return ec_sdp_parse(copy, s->storage, s->processor, s, p->reterr);
}

/* K elements fill the local addresses 0..K-1. If K is not a power of two, every storage dimension
 * that the permutation moves or inverts must be free in them: K is a multiple of 2^(highest + 1).
 */
static enum ec_code check_gaps(const struct parser *p, const struct ec_sdp *s)
{
    unsigned highest = s->storage;

    while (highest > 0 && s->from[highest - 1] == highest - 1 &&
           !(s->complement >> (highest - 1) & 1))
        highest--;
    const uint32_t unit = UINT32_C(1) << highest;
    if (p->spec->per_node % unit == 0)
        return EC_OK;
    return ec_fail(
        p->reterr, EC_USAGE,
        "workload %s: K=%u: expected a multiple of 2^%u = %u, since storage dimension %u "
        "takes part",
        p->grammar.name, p->spec->per_node, highest, unit, highest - 1);
}

/* The workload as a permutation of the machine addresses of a cube. */
static enum ec_code read_bits(struct parser *p)
{
    struct ec_workload_spec *spec = p->spec;

    spec->on_bits =
        p->t->kind == EC_CUBE && ec_workload_kind(spec->id)->keys >> EC_KEY_ELEMENTS & 1;
    if (!spec->on_bits && !(spec->id == EC_WORKLOAD_RESHARD && spec->pattern.bits))
        return EC_OK;

    struct ec_sdp s = ec_sdp_identity(ec_workload_storage(spec->per_node), spec->pattern.bits);
    const unsigned m = s.storage + s.processor;
    enum ec_code code = EC_OK;

    switch (spec->id) {
    case EC_WORKLOAD_GSH:
        code = read_cycles(p, &s);
        break;
    case EC_WORKLOAD_SHUFFLE:
        rotate_bits(&s, 1);
        break;
    case EC_WORKLOAD_UNSHUFFLE:
        rotate_bits(&s, m - 1);
        break;
    case EC_WORKLOAD_KSHUFFLE:
        rotate_bits(&s, spec->pattern.k);
        break;
    case EC_WORKLOAD_TRANSPOSE:
        rotate_bits(&s, m / 2);
        break;
    case EC_WORKLOAD_TOCYCLIC: /* the n lowest bits become the processor's */
        rotate_bits(&s, m - s.processor);
        break;
    case EC_WORKLOAD_TOCONSECUTIVE:
        rotate_bits(&s, s.processor);
        break;
    case EC_WORKLOAD_BITREV:
        for (unsigned i = 0; i < m; i++)
            s.from[i] = (uint8_t)(m - 1 - i);
        break;
    case EC_WORKLOAD_BITCOMP:
        s.complement = (UINT64_C(1) << m) - 1;
        break;
    case EC_WORKLOAD_RESHARD: /* all sizes are powers of two */
        for (unsigned i = 0; i < s.processor; i++) {
            const uint32_t to = ec_workload_kind(spec->id)->map(&spec->pattern, UINT32_C(1) << i);
            s.from[s.storage + (unsigned)__builtin_ctz(to)] = (uint8_t)(s.storage + i);
        }
        break;
    default:
        return ec_fail(p->reterr, EC_INTERNAL, "workload %s does not permute address bits",
                       p->grammar.name);
    }
    if (code == EC_OK)
        code = check_gaps(p, &s);
    if (code == EC_OK)
        spec->sdp = s;
    return code;
}

/* The keys that only one kind of workload has. */
static enum ec_code read_own(struct parser *p)
{
    switch (p->spec->id) {
    case EC_WORKLOAD_SHIFT:
        return read_shift(p);
    case EC_WORKLOAD_SHUFFLE:
    case EC_WORKLOAD_UNSHUFFLE:
    case EC_WORKLOAD_KSHUFFLE:
        return read_rotation(p);
    case EC_WORKLOAD_TRANSPOSE:
        return check_transpose(p);
    case EC_WORKLOAD_HOTSPOT:
        return read_hotspot(p);
    case EC_WORKLOAD_RESHARD:
        return read_reshard(p);
    case EC_WORKLOAD_ALLREDUCE:
    case EC_WORKLOAD_REDUCESCATTER:
    case EC_WORKLOAD_ALLGATHER:
    case EC_WORKLOAD_ALLTOALL:
        return read_way(p);
    case EC_WORKLOAD_BROADCAST:
    case EC_WORKLOAD_REDUCE:
    case EC_WORKLOAD_SCATTER:
    case EC_WORKLOAD_GATHER: {
        const enum ec_code code = read_way(p);
        return code == EC_OK && given(p, EC_KEY_NODE)
                   ? read_number(p, EC_KEY_NODE, 0, p->t->nodes - 1, &p->spec->node)
                   : code;
    }
    default:
        return EC_OK;
    }
}

/* n if there are 2^n nodes, else 0. */
static unsigned log2_nodes(const struct ec_topology *t)
{
    return t->nodes & (t->nodes - 1) ? 0 : (unsigned)__builtin_ctz(t->nodes);
}

unsigned ec_workload_storage(uint32_t per_node)
{
    unsigned k = 0;

    while (UINT32_C(1) << k < per_node)
        k++;
    return k;
}

/* A comma ends the patterns of a mixture: "of=uniform,transpose". */
static enum ec_code check_separators(enum ec_workload_id id, struct ec_slice text,
                                     struct ec_error *reterr)
{
    struct ec_slice item;
    enum ec_workload_id other;
    struct ec_error e;

    while (id == EC_WORKLOAD_MIX && ec_slice_take(&text, ',', &item)) {
        size_t n = 0;
        while (n < item.length && !strchr(":@=+", item.at[n]))
            n++;
        if ((n == item.length || item.at[n] != '=') &&
            ec_workload_find((struct ec_slice){item.at, n}, &other, &e) == EC_OK)
            return ec_fail(reterr, EC_USAGE,
                           "workload mix: '%.*s' behind a comma: expected '+' between patterns, as "
                           "in of=uniform+transpose",
                           EC_SHOWN(item));
    }
    return EC_OK;
}

static enum ec_code parse(struct ec_slice text, const struct ec_workload_spec *mix,
                          const struct ec_topology *t, struct ec_workload_spec *ret,
                          struct ec_error *reterr)
{
    struct ec_workload_spec spec = {.pattern = {.t = t, .bits = log2_nodes(t)}};
    struct parser p = {.t = t, .mix = mix, .spec = &spec, .reterr = reterr};
    struct ec_slice rest = text, name;

    ec_slice_take(&rest, ':', &name);
    enum ec_code code = ec_workload_find(name, &spec.id, reterr);
    if (code)
        return code;
    const struct ec_workload_kind *kind = ec_workload_kind(spec.id);
    p.grammar = (struct ec_grammar){.what = "workload",
                                    .name = kind->info.name,
                                    .keys = keys,
                                    .count = EC_KEY_COUNT,
                                    .taken = kind->keys,
                                    .required = kind->needed & (mix ? ~(1U << EC_KEY_RATE) : ~0U),
                                    .separator = mix ? ':' : ','};
    code = check_separators(spec.id, rest, reterr);
    if (code == EC_OK)
        code = ec_keyvalue_split(&p.grammar, rest, p.values, reterr);
    if (code)
        return code;
    if (kind->on == EC_ON_GRID && t->graph)
        return ec_fail(reterr, EC_USAGE,
                       "workload %s: expected a ring, mesh, torus or cube, whose coordinates it "
                       "moves; got a graph: choose shift, randperm, hotspot, perm, trace or "
                       "uniform",
                       kind->info.name);
    if (kind->on >= EC_ON_BITS && spec.pattern.bits == 0)
        return ec_fail(reterr, EC_USAGE,
                       "workload %s: expected 2^n nodes, whose address bits it moves; got %u nodes",
                       kind->info.name, t->nodes);
    spec.file = p.values[spec.id == EC_WORKLOAD_PPERMUTE ? EC_KEY_PAIRS : EC_KEY_FILE];
    spec.of = p.values[EC_KEY_OF];
    if ((code = read_rate(&p)) || (code = read_sub(&p)) || (code = read_elements(&p)) ||
        (code = read_own(&p)) || (code = read_bits(&p)) || (code = read_lengths(&p)) ||
        (code = read_burst(&p)) || (code = read_service(&p)))
        return code;
    *ret = spec;
    return EC_OK;
}

enum ec_code ec_workload_spec_parse(const char *text, const struct ec_topology *t,
                                    struct ec_workload_spec *ret, struct ec_error *reterr)
{
    return parse(ec_slice_of(text), NULL, t, ret, reterr);
}

enum ec_code ec_workload_part_parse(struct ec_slice text, const struct ec_workload_spec *mix,
                                    const struct ec_topology *t, struct ec_workload_spec *ret,
                                    struct ec_error *reterr)
{
    return parse(text, mix, t, ret, reterr);
}

/* The keys of all patterns: rate, bursts, lengths, replies. */
static void format_tail(const struct ec_workload_spec *s, char *buffer, size_t size)
{
    const struct ec_service *v = &s->service;

    if (s->open_loop)
        ec_append(buffer, size, "rate=%.15g,", s->rate);
    if (s->burst.cycles > 0)
        ec_append(buffer, size, "burst=%.15g,on=%.15g,", s->burst.cycles, s->burst.on);
    if (!(ec_workload_kind(s->id)->keys >> EC_KEY_M & 1))
        return;
    ec_append(buffer, size, "m=%u", s->lengths.first);
    if (s->lengths.first != s->lengths.last)
        ec_append(buffer, size, "%s%u", s->lengths.mix ? "+" : "..", s->lengths.last);
    if (v->words == 0)
        return;
    ec_append(buffer, size, ",reply=%u,think=%u,queue=", v->words, v->think);
    if (v->queue)
        ec_append(buffer, size, "%u", v->queue);
    else
        ec_append(buffer, size, "inf");
    if (v->outstanding)
        ec_append(buffer, size, ",outstanding=%u", v->outstanding);
    ec_append(buffer, size, ",classes=%d", v->shared ? 1 : 2);
}

/* "mesh=4x4x16,from=XY,to=YX,"; short, since there are at most 2^24 nodes. */
static void format_reshard(const struct ec_reshard *r, char *buffer, size_t size)
{
    for (unsigned a = 0; a < r->axes; a++)
        ec_append(buffer, size, "%s%u", a ? "x" : "mesh=", r->size[a]);
    ec_append(buffer, size, ",from=");
    for (unsigned i = 0; i < r->from_named; i++)
        ec_append(buffer, size, "%c", EC_RESHARD_NAMES[r->from[i]]);
    ec_append(buffer, size, ",to=");
    for (unsigned i = 0; i < r->to_named; i++)
        ec_append(buffer, size, "%c", EC_RESHARD_NAMES[r->to[i]]);
    ec_append(buffer, size, ",");
}

void ec_workload_spec_format(const struct ec_workload_spec *s, char *buffer, size_t size)
{
    char head[200] = "", cycles[160], tail[240] = "";

    /* Write everything but the file name first; the name gets the remaining space. */
    if (s->id == EC_WORKLOAD_SHIFT)
        snprintf(head, sizeof head, "q=%u,%s", s->pattern.q, s->pattern.gray ? "labels=gray," : "");
    if (s->id == EC_WORKLOAD_KSHUFFLE)
        snprintf(head, sizeof head, "k=%u,", s->pattern.k);
    if (s->id == EC_WORKLOAD_GSH) {
        ec_sdp_format(&s->sdp, cycles, sizeof cycles);
        snprintf(head, sizeof head, "cycle=%s,", cycles);
    }
    if (s->id == EC_WORKLOAD_RESHARD)
        format_reshard(&s->pattern.reshard, head, sizeof head);
    if (s->per_node > 1 || ec_workload_kind(s->id)->on == EC_ON_CUBE)
        ec_append(head, sizeof head, "K=%u,", s->per_node);
    if (s->sub)
        ec_append(head, sizeof head, "sub=%u,", s->sub);
    if (ec_workload_kind(s->id)->keys >> EC_KEY_NODE & 1)
        snprintf(head, sizeof head, "node=%u,", s->node);
    if (collective_is(s->id) && s->by != collective_default(s->id))
        ec_append(head, sizeof head, "by=%s,", by_words[s->by]);
    if (s->ways)
        ec_append(head, sizeof head, "ways=%u,", s->ways);
    if (s->share > 0)
        ec_append(head, sizeof head, "share=%.15g,", s->share);
    format_tail(s, tail, sizeof tail);

    const char *name = ec_workload_kind(s->id)->info.name;
    if (!s->file.at) {
        snprintf(buffer, size, "%s:%s%s", name, head, tail);
        return;
    }
    const char *key = s->id == EC_WORKLOAD_PPERMUTE ? "pairs" : "file";
    size_t fixed = strlen(name) + strlen(key) + strlen(":=,...") + strlen(tail) + 1;
    size_t room = size > fixed ? size - fixed : 0;
    struct ec_slice file = s->file;
    bool cut = file.length > room;
    if (cut)
        file = (struct ec_slice){file.at + file.length - room, room};
    snprintf(buffer, size, "%s:%s=%s%.*s%s%s", name, key, cut ? "..." : "", (int)file.length,
             file.at, *tail ? "," : "", tail);
}
