/* SPDX-License-Identifier: Apache-2.0 */
/* Permutations of the bits of machine addresses: from names and cycles to an SDP, from an SDP to
 * messages. Knows K and the order of elements; must not know links, schedules or time. */
#include "workload/bits.h"

#include <stdio.h>
#include <stdlib.h>

#include "workload/words.h"

unsigned ec_workload_storage(uint32_t per_node)
{
    unsigned k = 0;

    while (UINT32_C(1) << k < per_node)
        k++;
    return k;
}

/* Each of m bits takes the value of the bit `by` places below it. */
static void rotate(struct ec_sdp *s, unsigned by)
{
    const unsigned m = s->storage + s->processor;

    for (unsigned i = 0; i < m; i++)
        s->from[i] = (uint8_t)((i + m - by % m) % m);
}

static enum ec_code parse_cycles(const char *text, struct ec_slice cycles, struct ec_sdp *s,
                                 struct ec_error *reterr)
{
    char copy[256];
    struct ec_error inner;

    if (cycles.length >= sizeof copy)
        return ec_fail(reterr, EC_USAGE,
                       EC_IN_WORKLOAD "cycle= has %zu characters; no permutation needs %zu", text,
                       cycles.length, sizeof copy);
    snprintf(copy, sizeof copy, "%.*s", (int)cycles.length, cycles.at);
    const enum ec_code code = ec_sdp_parse(copy, s->storage, s->processor, s, &inner);
    return code ? ec_fail(reterr, code, EC_IN_WORKLOAD "%s", text, inner.message) : EC_OK;
}

/* K elements fill the local addresses 0..K-1. Where K is no power of two, the storage dimensions
 * that the permutation moves or inverts must all be free in them: K a multiple of 2^(highest + 1).
 */
static enum ec_code check_whole(const char *text, const struct ec_sdp *s, uint32_t per_node,
                                struct ec_error *reterr)
{
    unsigned highest = s->storage;

    while (highest > 0 && s->from[highest - 1] == highest - 1 &&
           !(s->complement >> (highest - 1) & 1))
        highest--;
    const uint32_t unit = UINT32_C(1) << highest;
    if (per_node % unit == 0)
        return EC_OK;
    return ec_fail(reterr, EC_USAGE,
                   EC_IN_WORKLOAD
                   "K=%u elements leave gaps in storage dimension %u, which takes part; K must "
                   "be a multiple of 2^%u = %u, for example K=%u",
                   text, per_node, highest - 1, highest, unit, (per_node / unit + 1) * unit);
}

enum ec_code ec_workload_sdp(const char *text, enum ec_workload_id id, unsigned processor,
                             uint32_t per_node, unsigned rotation, struct ec_slice cycles,
                             struct ec_sdp *ret, struct ec_error *reterr)
{
    struct ec_sdp s = ec_sdp_identity(ec_workload_storage(per_node), processor);
    const unsigned m = s.storage + s.processor;
    enum ec_code code = EC_OK;

    switch (id) {
    case EC_WORKLOAD_GSH:
        code = parse_cycles(text, cycles, &s, reterr);
        break;
    case EC_WORKLOAD_SHUFFLE:
        rotate(&s, 1);
        break;
    case EC_WORKLOAD_UNSHUFFLE:
        rotate(&s, m - 1);
        break;
    case EC_WORKLOAD_KSHUFFLE:
        rotate(&s, rotation);
        break;
    case EC_WORKLOAD_TRANSPOSE:
        rotate(&s, m / 2);
        break;
    case EC_WORKLOAD_TOCYCLIC: /* the n lowest bits become the processor's */
        rotate(&s, m - processor);
        break;
    case EC_WORKLOAD_TOCONSECUTIVE:
        rotate(&s, processor);
        break;
    case EC_WORKLOAD_BITREV:
        for (unsigned i = 0; i < m; i++)
            s.from[i] = (uint8_t)(m - 1 - i);
        break;
    case EC_WORKLOAD_BITCOMP:
        s.complement = (UINT64_C(1) << m) - 1;
        break;
    default:
        return ec_fail(reterr, EC_INTERNAL, EC_IN_WORKLOAD "no permutation of address bits", text);
    }
    if (code == EC_OK)
        code = check_whole(text, &s, per_node, reterr);
    if (code == EC_OK)
        *ret = s;
    return code;
}

enum ec_code ec_workload_elements(struct ec_workload *w, uint32_t words, struct ec_error *reterr)
{
    const struct ec_sdp *s = w->sdp;
    size_t count = 0;

    /* Whether an element leaves its node does not depend on how many there are: count, then fill.
     */
    for (int fill = 0; fill < 2; fill++) {
        if (fill) {
            w->messages = malloc((count ? count : 1) * sizeof *w->messages);
            if (!w->messages)
                return ec_fail(reterr, EC_MEMORY, "out of memory for the workload's messages");
        }
        for (uint32_t src = 0; src < w->holders; src++) {
            for (uint32_t slot = 0; slot < w->per_node; slot++) {
                const uint64_t to = ec_sdp_apply(s, (uint64_t)src << s->storage | slot);
                const uint32_t dst = (uint32_t)(to >> s->storage);
                if (dst != src && !fill)
                    count++;
                if (dst != src && fill)
                    w->messages[w->message_count++] =
                        (struct ec_message){.cycle = 1, .src = src, .dst = dst, .words = words};
            }
        }
    }
    return EC_OK;
}
