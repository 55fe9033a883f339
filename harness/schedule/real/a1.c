/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithm A1: an extra storage dimension v goes around a real cycle by exchanges. Knows rows and
 * the orders in which they may use dimensions; must not know slots.
 *
 * A row is a pair of elements of every node that differ in v, here dimension 0 (with block=B, up to
 * B pairs that travel together). Its sequence is exchange(v, s), (v, s + 1), ..., (v, s + r), of
 * indices modulo r: r + 1 exchanges in any start s. In each, one element of the pair leaves every
 * node and one comes. */
#include "schedule/real/real.h"

#include <stdlib.h>

struct a1 {
    struct plan *p;
    struct ec_sdp_cycle c;
    uint32_t rows;
    struct exchange *list;
    size_t count;
};

struct exchange {
    uint32_t step, row;
    unsigned index; /* into the cycle */
    bool first;     /* what v brings into the dimension is not final: not inverted */
};

static enum ec_code begin(struct a1 *a, struct plan *p, struct ec_error *reterr)
{
    *a = (struct a1){.p = p};
    const enum ec_code code = real_one_cycle(p, &a->c, reterr);
    if (code)
        return code;
    if (p->w->per_node % 2)
        return ec_fail(reterr, EC_USAGE,
                       "%s exchanges pairs of elements, so K must be even; K=%u is odd (K=%u, or "
                       "a2)",
                       p->s->algorithm, p->w->per_node, p->w->per_node + 1);
    a->rows = real_groups(p->w->per_node / 2, p->block);
    a->list = malloc((size_t)a->rows * (a->c.length + 1) * sizeof *a->list);
    return a->list ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
}

static void add(struct a1 *a, uint32_t step, uint32_t row, unsigned start, unsigned t)
{
    a->list[a->count++] = (struct exchange){step, row, (start + t) % a->c.length, t == 0};
}

static int by_step(const void *a, const void *b)
{
    const struct exchange *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Exchange v and one dimension for the elements of a row; those in which they differ cross it. */
static void exchange(struct mover *m, const struct a1 *a, const struct exchange *x)
{
    const uint32_t per_node = a->p->w->per_node, width = 2 * a->p->block;
    const uint32_t from = x->row * width, to = per_node - from < width ? per_node : from + width;
    const unsigned dim = a->c.dim[x->index];
    const uint64_t inverted = x->first ? 0 : a->c.complement >> x->index & 1;

    for (uint32_t node = 0; node < a->p->w->nodes; node++) {
        for (uint32_t slot = from; slot < to; slot++) {
            const uint32_t e = node * per_node + slot;
            const uint64_t at = m->address[e], v = at & 1, bit = at >> dim & 1;
            const uint64_t rest = at & ~(UINT64_C(1) << dim) & ~UINT64_C(1);
            mover_go(m, e, rest | (v ^ inverted) << dim | bit);
        }
    }
}

static enum ec_code play(struct a1 *a, struct ec_error *reterr)
{
    struct mover m;
    enum ec_code code = mover_open(&m, a->p, 0, reterr);

    if (code == EC_OK) {
        qsort(a->list, a->count, sizeof *a->list, by_step);
        for (size_t i = 0; i < a->count; i++) {
            const struct exchange *x = &a->list[i];
            exchange(&m, a, x);
            plan_exchange(a->p, x->row, x->step, 0, a->c.dim[x->index]);
            if (i + 1 == a->count || x[1].step != x->step)
                mover_commit(&m, x->step);
        }
        code = mover_finish(&m, reterr);
    }
    mover_close(&m);
    return code;
}

enum ec_code real_a1_one_port(struct plan *p, struct ec_error *reterr)
{
    struct a1 a;
    enum ec_code code = begin(&a, p, reterr);

    if (code == EC_OK) {
        for (uint32_t row = 0; row < a.rows; row++) {
            for (unsigned t = 0; t <= a.c.length; t++)
                add(&a, row * (a.c.length + 1) + t + 1, row, 0, t);
        }
        code = play(&a, reterr);
    }
    free(a.list);
    return code;
}

/* The last exchange is in the first dimension again, which is busy with the first exchanges of all
 * rows until step `rows`. */
enum ec_code real_a1_pipelined(struct plan *p, struct ec_error *reterr)
{
    struct a1 a;
    enum ec_code code = begin(&a, p, reterr);

    if (code == EC_OK) {
        const uint32_t wait = a.rows > a.c.length ? a.rows : a.c.length;
        for (uint32_t row = 0; row < a.rows; row++) {
            for (unsigned t = 0; t < a.c.length; t++)
                add(&a, row + t + 1, row, 0, t);
            add(&a, row + 1 + wait, row, 0, a.c.length);
        }
        code = play(&a, reterr);
    }
    free(a.list);
    return code;
}

enum ec_code real_a1_concurrent(struct plan *p, struct ec_error *reterr)
{
    struct a1 a;
    enum ec_code code = begin(&a, p, reterr);

    if (code == EC_OK) {
        for (uint32_t row = 0; row < a.rows; row++) {
            for (unsigned t = 0; t <= a.c.length; t++)
                add(&a, row / a.c.length * (a.c.length + 1) + t + 1, row, row % a.c.length, t);
        }
        code = play(&a, reterr);
    }
    free(a.list);
    return code;
}

/* One step of the list schedule: the rows with most exchanges left first, by number among equals; a
 * row whose dimension is taken waits. Rows of equal start pass each exchange in the order of their
 * numbers: done[t * r + start] of them have done exchange t. Returns false if there was none to do.
 */
static bool pack_step(struct a1 *a, uint32_t step, uint32_t *done)
{
    const unsigned r = a->c.length;
    const size_t before = a->count;
    uint32_t ready[EC_SDP_DIMS_MAX]; /* [start] rows that had done exchange t - 1 */
    uint64_t busy = 0;

    for (unsigned start = 0; start < r; start++)
        ready[start] = (a->rows + r - 1 - start) / r;
    for (unsigned t = 0; t <= r; t++) { /* t exchanges done: r + 1 - t left */
        for (unsigned start = 0; start < r; start++) {
            const uint64_t dim = UINT64_C(1) << (start + t) % r;
            uint32_t *rows = &done[t * r + start];
            const uint32_t first = *rows;
            if (first < ready[start] && !(busy & dim)) {
                busy |= dim;
                add(a, step, first * r + start, start, t);
                ++*rows;
            }
            ready[start] = first;
        }
    }
    return a->count > before;
}

enum ec_code real_a1_packed(struct plan *p, struct ec_error *reterr)
{
    struct a1 a;
    enum ec_code code = begin(&a, p, reterr);
    uint32_t *done = NULL;

    if (code == EC_OK) {
        done = calloc((size_t)(a.c.length + 1) * a.c.length, sizeof *done);
        if (!done)
            code = ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
    }
    if (code == EC_OK) {
        for (uint32_t step = 1; pack_step(&a, step, done); step++)
            ;
        code = play(&a, reterr);
    }
    free(done);
    free(a.list);
    return code;
}
