/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithm A2: a real cycle in r stages, within twice the memory. Knows sequences, stages and
 * packets; must not know slots.
 *
 * Stage 0 of a sequence sets new alpha_s := alpha_(s-1), and the element remembers old alpha_s in
 * an extra bit v: half of the nodes become empty, the others hold twice as much. Stage t = 1..r-1
 * sets new alpha_(s+t) := v and v := old alpha_(s+t); after the last one v is what the node's
 * address says, and every node holds K elements again. */
#include "schedule/real/real.h"

#include <stdlib.h>
#include <string.h>

struct a2 {
    struct plan *p;
    struct ec_sdp_cycle c;
    struct mover m;
    uint8_t *v;      /* [elements] */
    uint64_t *next;  /* [elements] where it goes in this stage */
    uint32_t *batch; /* [elements] in which of the stage's steps; UINT32_MAX: it stays */
    uint32_t *sent;  /* [nodes] elements of the sequence that leave in this stage */
    uint32_t *order; /* [elements] those that move in this stage, ascending by batch */
    uint32_t *first; /* [K + 1] where those of a batch begin in order */
};

static void free_a2(struct a2 *a)
{
    mover_close(&a->m);
    free(a->v);
    free(a->next);
    free(a->batch);
    free(a->sent);
    free(a->order);
    free(a->first);
}

static enum ec_code begin(struct a2 *a, struct plan *p, struct ec_error *reterr)
{
    *a = (struct a2){.p = p};
    enum ec_code code = real_one_cycle(p, &a->c, reterr);
    if (code == EC_OK)
        code = mover_open(&a->m, p, p->w->per_node, reterr);
    if (code)
        return code;
    a->v = calloc(a->m.elements, sizeof *a->v);
    a->next = malloc(a->m.elements * sizeof *a->next);
    a->batch = malloc(a->m.elements * sizeof *a->batch);
    a->sent = malloc(p->w->nodes * sizeof *a->sent);
    a->order = malloc(a->m.elements * sizeof *a->order);
    a->first = malloc(((size_t)p->w->per_node + 1) * sizeof *a->first); /* no more batches than K */
    if (!a->v || !a->next || !a->batch || !a->sent || !a->order || !a->first)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
    return EC_OK;
}

/* Stage `t` of the sequence that begins at index `start`, for the slots of it. */
static void decide(struct a2 *a, unsigned start, unsigned t, uint32_t from, uint32_t to)
{
    const unsigned r = a->c.length, index = (start + t) % r;
    const unsigned dim = a->c.dim[index], before = a->c.dim[(index + r - 1) % r];
    const uint32_t per_node = a->p->w->per_node;
    const uint64_t inverted = a->c.complement >> index & 1;

    for (uint32_t node = 0; node < a->p->w->nodes; node++)
        a->sent[node] = 0;
    for (uint32_t e = 0; e < a->m.elements; e++) {
        if (e % per_node < from || e % per_node >= to)
            continue;
        const uint64_t at = a->m.address[e], bit = at >> dim & 1;
        const uint64_t value = (t ? a->v[e] : at >> before & 1) ^ inverted;
        a->v[e] = (uint8_t)bit;
        a->next[e] = (at & ~(UINT64_C(1) << dim)) | value << dim;
        a->batch[e] = value == bit ? UINT32_MAX : a->sent[at >> a->m.storage]++ / a->p->block;
    }
}

/* A stage in its steps: batch by batch, so that each element is looked at once. */
static void take_stage(struct a2 *a, uint32_t batches, uint32_t before)
{
    memset(a->first, 0, ((size_t)batches + 1) * sizeof *a->first);
    for (uint32_t e = 0; e < a->m.elements; e++) {
        if (a->batch[e] != UINT32_MAX)
            a->first[a->batch[e]]++;
    }
    for (uint32_t b = 1; b <= batches; b++) /* first[b]: for now, where batch b ends */
        a->first[b] += a->first[b - 1];
    for (uint32_t e = a->m.elements; e-- > 0;) {
        if (a->batch[e] != UINT32_MAX)
            a->order[--a->first[a->batch[e]]] = e;
    }
    for (uint32_t b = 0; b < batches; b++) {
        for (uint32_t i = a->first[b]; i < a->first[b + 1]; i++)
            mover_go(&a->m, a->order[i], a->next[a->order[i]]);
        mover_commit(&a->m, before + b + 1);
    }
}

static enum ec_code run(struct plan *p, bool one_port, struct ec_error *reterr)
{
    struct a2 a;
    enum ec_code code = begin(&a, p, reterr);

    if (code == EC_OK) {
        const uint32_t per_node = p->w->per_node, r = a.c.length;
        const uint32_t part = one_port ? per_node : real_groups(per_node, r);
        const uint32_t batches = real_groups(part, p->block);
        for (unsigned t = 0; t < r; t++) {
            for (unsigned start = 0; start * part < per_node; start++) {
                const uint32_t from = start * part;
                decide(&a, start, t, from, per_node - from < part ? per_node : from + part);
            }
            take_stage(&a, batches, t * batches);
        }
        code = mover_finish(&a.m, reterr);
    }
    free_a2(&a);
    return code;
}

enum ec_code real_a2(struct plan *p, struct ec_error *reterr)
{
    return run(p, false, reterr);
}

enum ec_code real_a2_one_port(struct plan *p, struct ec_error *reterr)
{
    return run(p, true, reterr);
}
