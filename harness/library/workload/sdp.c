/* SPDX-License-Identifier: Apache-2.0 */
/* Stable dimension permutations. Knows the bits of machine addresses; must not know elements,
 * links, schedules or time. */
#include "ecube/sdp.h"

#include <stdio.h>

#include "base/text.h"

/* The beginning of all messages; its argument is the text. */
#define IN "cycles '%.100s': "

struct ec_sdp ec_sdp_identity(unsigned storage, unsigned processor)
{
    struct ec_sdp s = {.storage = storage, .processor = processor};

    for (unsigned i = 0; i < EC_SDP_DIMS_MAX; i++)
        s.from[i] = (uint8_t)i;
    return s;
}

struct reader {
    const char *text;
    struct ec_sdp *sdp;
    uint64_t seen;
    struct ec_error *reterr;
};

static enum ec_code read_dim(struct reader *r, struct ec_slice word, unsigned *ret, bool *inverted)
{
    const unsigned storage = r->sdp->storage, dims = storage + r->sdp->processor;
    struct ec_slice number = word;
    uint64_t dim;

    *inverted = word.length && *word.at == '~';
    if (*inverted)
        number = (struct ec_slice){word.at + 1, word.length - 1};
    if (!ec_slice_number(number, UINT32_MAX, &dim))
        return ec_fail(r->reterr, EC_USAGE,
                       IN "'%.*s': expected a dimension from 0 to %u, with '~' before it to "
                          "invert it",
                       r->text, EC_SHOWN(word), dims - 1);
    if (dim >= dims)
        return ec_fail(r->reterr, EC_USAGE,
                       IN "dimension %llu: expected 0 to %u, %u of the storage, then %u of the "
                          "processors, which begin at %u",
                       r->text, (unsigned long long)dim, dims - 1, storage, r->sdp->processor,
                       storage);
    if (r->seen >> dim & 1)
        return ec_fail(r->reterr, EC_USAGE, IN "repeated dimension %u: expected each at most once",
                       r->text, (unsigned)dim);
    r->seen |= UINT64_C(1) << dim;
    *ret = (unsigned)dim;
    return EC_OK;
}

/* "6-5-~4": each dimension takes the bit of the one to its right, the last one that of the first.
 */
static enum ec_code read_cycle(struct reader *r, struct ec_slice cycle)
{
    struct ec_slice rest = cycle, word;
    unsigned first = 0, previous = 0, count = 0, dim = 0;
    bool inverted = false;

    while (ec_slice_take(&rest, '-', &word)) {
        const enum ec_code code = read_dim(r, word, &dim, &inverted);
        if (code)
            return code;
        if (count++ == 0)
            first = dim;
        else
            r->sdp->from[previous] = (uint8_t)dim;
        previous = dim;
        r->sdp->complement |= (uint64_t)inverted << dim;
    }
    r->sdp->from[previous] = (uint8_t)first;
    if (count == 1 && !inverted)
        return ec_fail(r->reterr, EC_USAGE,
                       IN
                       "'%.*s' has no effect: expected A-B-..., or '~%u' to invert the dimension",
                       r->text, EC_SHOWN(cycle), first);
    return EC_OK;
}

enum ec_code ec_sdp_parse(const char *cycles, unsigned storage, unsigned processor,
                          struct ec_sdp *ret, struct ec_error *reterr)
{
    struct ec_sdp sdp = ec_sdp_identity(storage, processor);
    struct reader r = {.text = cycles, .sdp = &sdp, .reterr = reterr};
    struct ec_slice rest = ec_slice_of(cycles), cycle;

    if (storage > EC_SDP_DIMS_MAX || processor > EC_SDP_DIMS_MAX - storage)
        return ec_fail(reterr, EC_USAGE, IN "%u + %u dimensions: expected at most %u", cycles,
                       storage, processor, EC_SDP_DIMS_MAX);
    while (*cycles && ec_slice_take(&rest, '+', &cycle)) {
        const enum ec_code code = read_cycle(&r, cycle);
        if (code)
            return code;
    }
    *ret = sdp;
    return EC_OK;
}

/* A buffer and the part of it that is filled. */
struct writer {
    char *buffer;
    size_t size, used;
};

static void put_dim(struct writer *w, const char *before, unsigned dim, bool inverted)
{
    if (w->used < w->size)
        w->used += (size_t)snprintf(w->buffer + w->used, w->size - w->used, "%s%s%u", before,
                                    inverted ? "~" : "", dim);
}

void ec_sdp_format(const struct ec_sdp *s, char *buffer, unsigned size)
{
    struct ec_sdp_cycle cycles[EC_SDP_DIMS_MAX / 2];
    struct writer w = {buffer, size, 0};

    if (size)
        *buffer = '\0';
    for (unsigned c = ec_sdp_cycles(s, cycles); c-- > 0;) {
        for (unsigned i = cycles[c].length; i-- > 0;)
            put_dim(&w,
                    i + 1 < cycles[c].length ? "-"
                    : w.used                 ? "+"
                                             : "",
                    cycles[c].dim[i], cycles[c].complement >> i & 1);
    }
    for (unsigned i = s->storage + s->processor; i-- > 0;) {
        if (s->from[i] == i && s->complement >> i & 1)
            put_dim(&w, w.used ? "+" : "", i, true);
    }
}

uint64_t ec_sdp_apply(const struct ec_sdp *s, uint64_t address)
{
    uint64_t moved = 0;

    for (unsigned i = 0; i < s->storage + s->processor; i++)
        moved |= (address >> s->from[i] & 1) << i;
    return moved ^ s->complement;
}

struct ec_sdp ec_sdp_inverse(const struct ec_sdp *s)
{
    struct ec_sdp inverse = ec_sdp_identity(s->storage, s->processor);

    for (unsigned i = 0; i < s->storage + s->processor; i++) {
        inverse.from[s->from[i]] = (uint8_t)i;
        inverse.complement |= (s->complement >> i & 1) << s->from[i];
    }
    return inverse;
}

/* The cycle of `start`, from there on: each dimension, then the one that takes its bit. */
static struct ec_sdp_cycle cycle_from(const struct ec_sdp *s, const struct ec_sdp *inverse,
                                      unsigned start)
{
    struct ec_sdp_cycle c = {0};
    unsigned dim = start;

    do {
        c.complement |= (s->complement >> dim & 1) << c.length;
        c.dim[c.length++] = (uint8_t)dim;
        dim = inverse->from[dim];
    } while (dim != start);
    return c;
}

/* Where the cycle that has `lowest` as its lowest dimension begins. */
static unsigned beginning(const struct ec_sdp *s, const struct ec_sdp *inverse, unsigned lowest)
{
    const struct ec_sdp_cycle c = cycle_from(s, inverse, lowest);
    unsigned best = EC_SDP_DIMS_MAX;

    for (unsigned i = 0; i < c.length; i++) {
        const unsigned dim = c.dim[i];
        if (dim < s->storage && inverse->from[dim] >= s->storage && dim < best)
            best = dim;
    }
    return best < EC_SDP_DIMS_MAX ? best : lowest;
}

unsigned ec_sdp_cycles(const struct ec_sdp *s, struct ec_sdp_cycle *ret)
{
    const struct ec_sdp inverse = ec_sdp_inverse(s);
    uint64_t seen = 0;
    unsigned count = 0;

    for (unsigned i = 0; i < s->storage + s->processor; i++) {
        if (s->from[i] == i || seen >> i & 1)
            continue;
        const struct ec_sdp_cycle c = cycle_from(s, &inverse, beginning(s, &inverse, i));
        for (unsigned j = 0; j < c.length; j++)
            seen |= UINT64_C(1) << c.dim[j];
        ret[count++] = c;
    }
    return count;
}

struct ec_sdp_class ec_sdp_classify(const struct ec_sdp *s)
{
    struct ec_sdp_class k = {0};

    for (unsigned i = 0; i < s->storage + s->processor; i++) {
        k.storage_order += i < s->storage && s->from[i] != i;
        k.real_order += i >= s->storage && s->from[i] != i;
    }
    k.order = k.storage_order + k.real_order;
    k.kind = k.order == 0           ? EC_SDP_IDENTITY
             : k.real_order == 0    ? EC_SDP_VIRTUAL
             : k.storage_order == 0 ? EC_SDP_REAL
                                    : EC_SDP_MIXED;
    return k;
}

unsigned ec_sdp_factor(const struct ec_sdp_cycle *c, unsigned storage, struct ec_sdp_cycle *ret,
                       struct ec_sdp_cycle *ret_virtual)
{
    unsigned count = 0;
    struct ec_sdp_cycle moved = {0};

    for (unsigned i = 0; i < c->length; i++) {
        const uint64_t inverted = c->complement >> i & 1;
        if (c->dim[i] < storage) {
            moved.complement |= inverted << moved.length;
            moved.dim[moved.length++] = c->dim[i];
            continue;
        }
        if (i && c->dim[i - 1] < storage)
            ret[count++] = (struct ec_sdp_cycle){.length = 1, .dim = {c->dim[i - 1]}};
        struct ec_sdp_cycle *block = &ret[count - 1];
        block->complement |= inverted << block->length;
        block->dim[block->length++] = c->dim[i];
    }
    *ret_virtual = moved;
    return count;
}
