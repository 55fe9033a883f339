/* SPDX-License-Identifier: Apache-2.0 */
/* What the values of a workload's keys mean. Knows which make sense on which topology; must not
 * know how messages are made. */
#include "workload/spec.h"

#include <stdio.h>
#include <string.h>

#include "workload/bits.h"
#include "workload/words.h"

#define RATE_MAX  64  /* flits/node/cycle: no node has more ports */
#define HOT_SHARE 0.2 /* of the messages, where share= is not given */

struct parser {
    struct ec_workload_words words;
    const struct ec_topology *t;
    struct ec_workload_spec *spec;
    struct ec_error *reterr;
};

static bool has(const struct parser *p, enum ec_workload_key key)
{
    return ec_workload_has(&p->words, key);
}

static enum ec_code read_shift(struct parser *p)
{
    struct ec_pattern *pattern = &p->spec->pattern;
    struct ec_slice labels = p->words.values[EC_KEY_LABELS];
    uint64_t q;

    if (!ec_slice_number(p->words.values[EC_KEY_Q], p->t->nodes - 1, &q) || q == 0)
        return ec_fail(
            p->reterr, EC_USAGE,
            EC_IN_WORKLOAD "q=%.*s is no distance on %u nodes; it must be a number with 0 < q < %u",
            p->words.text, EC_SHOWN(p->words.values[EC_KEY_Q]), p->t->nodes, p->t->nodes);
    pattern->q = (uint32_t)q;
    if (!has(p, EC_KEY_LABELS) || ec_slice_is(labels, "plain"))
        return EC_OK;
    if (!ec_slice_is(labels, "gray"))
        return ec_fail(p->reterr, EC_USAGE, EC_IN_WORKLOAD "labels=%.*s: not one of plain, gray",
                       p->words.text, EC_SHOWN(labels));
    if (p->t->kind != EC_CUBE)
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD
                       "labels=gray lays a ring into a cube; take cube:D or labels=plain",
                       p->words.text);
    pattern->gray = true;
    return EC_OK;
}

static enum ec_code read_rotation(struct parser *p)
{
    /* Of the whole machine address; the pattern of labels alone has no other bits. */
    unsigned bits = p->spec->pattern.bits + ec_workload_storage(p->spec->per_node);
    uint64_t k;

    if (p->spec->id == EC_WORKLOAD_SHUFFLE) {
        k = 1 % bits; /* bits >= 1: there are at least two nodes */
    } else if (p->spec->id == EC_WORKLOAD_UNSHUFFLE) {
        k = bits - 1;
    } else if (!ec_slice_number(p->words.values[EC_KEY_K], bits - 1, &k) || k == 0) {
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD
                       "k=%.*s is no rotation of %u address bits; it must be a number with "
                       "0 < k < %u",
                       p->words.text, EC_SHOWN(p->words.values[EC_KEY_K]), bits, bits);
    }
    p->spec->pattern.k = (unsigned)k;
    return EC_OK;
}

static enum ec_code check_transpose(struct parser *p)
{
    unsigned bits = p->spec->pattern.bits, storage = ec_workload_storage(p->spec->per_node);

    if (storage && (bits + storage) % 2)
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD
                       "transpose exchanges the halves of an even number of address bits, but "
                       "%u of the nodes and %u of K=%u are odd; take K=%u",
                       p->words.text, bits, storage, p->spec->per_node, UINT32_C(2) << storage);
    if (storage)
        return EC_OK;
    if ((!p->spec->sub && ec_pattern_square(p->t)) || (bits && bits % 2 == 0))
        return EC_OK;
    if (bits)
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD
                       "transpose exchanges the halves of an even number of address bits, but "
                       "2^%u nodes have %u; take 2^%u nodes, or a square mesh or torus",
                       p->words.text, bits, bits, bits + 1);
    return ec_fail(p->reterr, EC_USAGE,
                   EC_IN_WORKLOAD
                   "transpose needs a square mesh:AxA or torus:AxA, or 2^n nodes with n even; "
                   "here are %u nodes",
                   p->words.text, p->t->nodes);
}

static enum ec_code read_hotspot(struct parser *p)
{
    struct ec_workload_spec *s = p->spec;
    uint64_t node = 0;

    if (has(p, EC_KEY_NODE) &&
        !ec_slice_number(p->words.values[EC_KEY_NODE], p->t->nodes - 1, &node))
        return ec_fail(p->reterr, EC_USAGE, EC_IN_WORKLOAD "node=%.*s: not a node (0 to %u)",
                       p->words.text, EC_SHOWN(p->words.values[EC_KEY_NODE]), p->t->nodes - 1);
    s->node = (uint32_t)node;
    if (has(p, EC_KEY_SHARE) && !s->open_loop)
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD
                       "share= is for open-loop traffic; add rate=R, or leave it out (without "
                       "rate, every other node sends to the hot one)",
                       p->words.text);
    if (s->open_loop)
        s->share = HOT_SHARE;
    if (has(p, EC_KEY_SHARE) && (!ec_slice_fraction(p->words.values[EC_KEY_SHARE], &s->share) ||
                                 !(s->share > 0 && s->share <= 1)))
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD "share=%.*s: not a part of the messages (0 < share <= 1)",
                       p->words.text, EC_SHOWN(p->words.values[EC_KEY_SHARE]));
    return EC_OK;
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
    struct ec_slice value = p->words.values[EC_KEY_M];

    *lengths = (struct ec_lengths){1, 1, false};
    if (!has(p, EC_KEY_M))
        return EC_OK;
    if (!parse_lengths(value, lengths))
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD
                       "m=%.*s: not a message length (m=8, with rate also m=1..16 for a range or "
                       "m=1+8 for two lengths; words, 1 to %u)",
                       p->words.text, EC_SHOWN(value), EC_MESSAGE_WORDS_MAX);
    if (!p->spec->open_loop && lengths->first != lengths->last)
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD
                       "m=%.*s: random lengths are for open-loop traffic; add rate=R, or take "
                       "one length",
                       p->words.text, EC_SHOWN(value));
    if (lengths->mix && lengths->first > lengths->last)
        *lengths = (struct ec_lengths){lengths->last, lengths->first, true};
    lengths->mix = lengths->mix && lengths->first != lengths->last;
    return EC_OK;
}

static enum ec_code read_rate(struct parser *p)
{
    if (!has(p, EC_KEY_RATE))
        return EC_OK;
    if (!ec_slice_fraction(p->words.values[EC_KEY_RATE], &p->spec->rate) ||
        !(p->spec->rate > 0 && p->spec->rate <= RATE_MAX))
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD
                       "rate=%.*s: not a number of flits/node/cycle (0 < rate <= 1 for a node "
                       "with one port, at most %d for any)",
                       p->words.text, EC_SHOWN(p->words.values[EC_KEY_RATE]), RATE_MAX);
    p->spec->open_loop = true;
    return EC_OK;
}

/* The elements lie in the subcube of the lowest dimensions: the permutation is one of its
 * addresses.
 */
static enum ec_code read_sub(struct parser *p)
{
    struct ec_slice value = p->words.values[EC_KEY_SUB];
    uint64_t sub;

    if (!has(p, EC_KEY_SUB))
        return EC_OK;
    if (p->t->kind != EC_CUBE)
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD
                       "sub= is a subcube that has all elements; take cube:D, or leave it out",
                       p->words.text);
    if (!ec_slice_number(value, p->t->dims, &sub) || sub == 0)
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD "sub=%.*s: not the dimensions of a subcube (1 to %u)",
                       p->words.text, EC_SHOWN(value), p->t->dims);
    if (p->spec->open_loop)
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD
                       "the elements of a subcube move once; leave out rate=, or sub",
                       p->words.text);
    if (sub < p->t->dims) /* else the subcube is the cube */
        p->spec->sub = p->spec->pattern.bits = (unsigned)sub;
    return EC_OK;
}

/* K, on a cube only: elsewhere nodes have no address bits to add storage bits to. */
static enum ec_code read_elements(struct parser *p)
{
    const char *name = ec_workload_list()[p->spec->id].name;
    const uint32_t holders = p->spec->sub ? UINT32_C(1) << p->spec->sub : p->t->nodes;
    const uint32_t most = EC_WORKLOAD_ELEMENTS_MAX / holders;
    uint64_t elements = 1;

    if (ec_workload_traits(p->spec->id)->on_cube && p->t->kind != EC_CUBE)
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD "%s moves address bits of a cube; take cube:D", p->words.text,
                       name);
    if (has(p, EC_KEY_ELEMENTS) &&
        (!ec_slice_number(p->words.values[EC_KEY_ELEMENTS], most, &elements) || elements == 0))
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD
                       "K=%.*s: not a number of elements per node (1 to %u on %u nodes)",
                       p->words.text, EC_SHOWN(p->words.values[EC_KEY_ELEMENTS]), most, holders);
    p->spec->per_node = (uint32_t)elements;
    if (elements > 1 && p->t->kind != EC_CUBE)
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD
                       "K=%u: with more than one element per node %s moves address bits of a "
                       "cube; take cube:D, or leave out K",
                       p->words.text, p->spec->per_node, name);
    if (elements > 1 && p->spec->open_loop)
        return ec_fail(p->reterr, EC_USAGE,
                       EC_IN_WORKLOAD "K=%u elements move once; leave out rate=, or K",
                       p->words.text, p->spec->per_node);
    return EC_OK;
}

static enum ec_code read_bits(struct parser *p)
{
    struct ec_workload_spec *s = p->spec;

    s->on_bits = p->t->kind == EC_CUBE && ec_workload_traits(s->id)->keys >> EC_KEY_ELEMENTS & 1;
    if (!s->on_bits)
        return EC_OK;
    return ec_workload_sdp(p->words.text, s->id, s->pattern.bits, s->per_node, s->pattern.k,
                           p->words.values[EC_KEY_CYCLE], &s->sdp, p->reterr);
}

/* What only one kind of workload asks for. */
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
    default:
        return EC_OK;
    }
}

/* n if there are 2^n nodes, else 0. */
static unsigned log2_nodes(const struct ec_topology *t)
{
    return t->nodes & (t->nodes - 1) ? 0 : (unsigned)__builtin_ctz(t->nodes);
}

enum ec_code ec_workload_spec_parse(const char *text, const struct ec_topology *t,
                                    struct ec_workload_spec *ret, struct ec_error *reterr)
{
    struct ec_workload_spec spec = {.pattern = {.t = t, .bits = log2_nodes(t)}};
    struct parser p = {.t = t, .spec = &spec, .reterr = reterr};

    enum ec_code code = ec_workload_words(text, &p.words, reterr);
    if (code)
        return code;
    spec.id = p.words.id;
    if (ec_workload_traits(spec.id)->on_bits && spec.pattern.bits == 0)
        return ec_fail(reterr, EC_USAGE,
                       EC_IN_WORKLOAD
                       "%s moves address bits and needs a power-of-two number of nodes; here "
                       "are %u",
                       text, ec_workload_list()[spec.id].name, t->nodes);
    spec.file = p.words.values[EC_KEY_FILE];
    if ((code = read_rate(&p)) || (code = read_sub(&p)) || (code = read_elements(&p)) ||
        (code = read_own(&p)) || (code = read_bits(&p)) || (code = read_lengths(&p)))
        return code;
    *ret = spec;
    return EC_OK;
}

void ec_workload_spec_format(const struct ec_workload_spec *s, char *buffer, size_t size)
{
    unsigned keys = ec_workload_traits(s->id)->keys;
    char head[200] = "", cycles[160], tail[80] = "", lengths[40];
    size_t used = 0;

    /* Everything but the file name first; it gets the room that is left. */
    if (s->id == EC_WORKLOAD_SHIFT)
        used = (size_t)snprintf(head, sizeof head, "q=%u,%s", s->pattern.q,
                                s->pattern.gray ? "labels=gray," : "");
    if (s->id == EC_WORKLOAD_KSHUFFLE)
        used = (size_t)snprintf(head, sizeof head, "k=%u,", s->pattern.k);
    if (s->id == EC_WORKLOAD_GSH) {
        ec_sdp_format(&s->sdp, cycles, sizeof cycles);
        used = (size_t)snprintf(head, sizeof head, "cycle=%s,", cycles);
    }
    if (s->per_node > 1 || ec_workload_traits(s->id)->on_cube)
        used += (size_t)snprintf(head + used, sizeof head - used, "K=%u,", s->per_node);
    if (s->sub && used < sizeof head)
        snprintf(head + used, sizeof head - used, "sub=%u,", s->sub);
    if (s->id == EC_WORKLOAD_HOTSPOT)
        used = (size_t)snprintf(head, sizeof head, "node=%u,", s->node);
    if (s->share > 0)
        snprintf(head + used, sizeof head - used, "share=%.15g,", s->share);
    if (s->lengths.first == s->lengths.last)
        snprintf(lengths, sizeof lengths, "%u", s->lengths.first);
    else
        snprintf(lengths, sizeof lengths, "%u%s%u", s->lengths.first, s->lengths.mix ? "+" : "..",
                 s->lengths.last);
    used = 0;
    if (s->open_loop)
        used = (size_t)snprintf(tail, sizeof tail, "rate=%.15g,", s->rate);
    if (keys >> EC_KEY_M & 1)
        snprintf(tail + used, sizeof tail - used, "m=%s", lengths);

    const char *name = ec_workload_list()[s->id].name;
    if (!s->file.at) {
        snprintf(buffer, size, "%s:%s%s", name, head, tail);
        return;
    }
    size_t fixed = strlen(name) + strlen(":file=,...") + strlen(tail) + 1;
    size_t room = size > fixed ? size - fixed : 0;
    struct ec_slice file = s->file;
    bool cut = file.length > room;
    if (cut)
        file = (struct ec_slice){file.at + file.length - room, room};
    snprintf(buffer, size, "%s:file=%s%.*s%s%s", name, cut ? "..." : "", (int)file.length, file.at,
             *tail ? "," : "", tail);
}
