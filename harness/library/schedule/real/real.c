/* SPDX-License-Identifier: Apache-2.0 */
/* Real GSH: one cycle of processor dimensions by the algorithms A1 and A2, and the table of all
 * algorithms for real GSH. Knows permutations, rows and steps; must not know slots. */
#include "schedule/real/real.h"

static const char *const kinds[] = {
    [EC_SDP_VIRTUAL] = "virtual", [EC_SDP_REAL] = "real", [EC_SDP_MIXED] = "mixed"};

uint32_t real_groups(uint32_t count, uint32_t size)
{
    return count / size + (count % size != 0);
}

enum ec_code real_one_cycle(const struct plan *p, struct ec_sdp_cycle *ret, struct ec_error *reterr)
{
    struct ec_sdp_cycle cycles[EC_SDP_DIMS_MAX / 2];
    const struct ec_sdp *s = p->w->sdp;

    const enum ec_code code = plan_check_bits(p, reterr);
    if (code)
        return code;
    const struct ec_sdp_class kind = ec_sdp_classify(s);
    const unsigned count = ec_sdp_cycles(s, cycles);
    if (count == 0)
        return ec_fail(reterr, EC_USAGE,
                       "%s: expected one cycle of processor dimensions; %s has none: use best",
                       p->s->algorithm, p->w->text);
    if (kind.kind != EC_SDP_REAL || count != 1)
        return ec_fail(reterr, EC_USAGE,
                       "%s: expected one cycle of processor dimensions; %s has %u %s cycle%s: use "
                       "best",
                       p->s->algorithm, p->w->text, count, kinds[kind.kind], count == 1 ? "" : "s");
    for (unsigned i = 0; i < s->storage + s->processor; i++) {
        if (s->from[i] == i && s->complement >> i & 1)
            return ec_fail(reterr, EC_USAGE,
                           "%s: expected one cycle of processor dimensions only; %s also inverts "
                           "dimension %u: use best",
                           p->s->algorithm, p->w->text, i);
    }
    *ret = cycles[0];
    return EC_OK;
}

/* --- A1 -------------------------------------------------------------------------------------- */

/* An extra storage dimension v goes around a real cycle by exchanges. A row is a pair of elements
 * of every node that differ in v, here dimension 0 (with block=B, up to B pairs that travel
 * together). Its sequence is exchange(v, s), (v, s + 1), ..., (v, s + r), indices modulo r: r + 1
 * exchanges from any start s. In each, one element of the pair leaves every node and one arrives.
 */

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
    bool first;     /* v brings a value that is not final, so it is not inverted */
};

static enum ec_code a1_begin(struct a1 *a, struct plan *p, struct ec_error *reterr)
{
    *a = (struct a1){.p = p};
    const enum ec_code code = real_one_cycle(p, &a->c, reterr);
    if (code)
        return code;
    if (p->w->per_node % 2)
        return ec_fail(reterr, EC_USAGE,
                       "%s: expected an even K, since it exchanges pairs of elements; K=%u is odd: "
                       "use K=%u, or a2",
                       p->s->algorithm, p->w->per_node, p->w->per_node + 1);
    a->rows = real_groups(p->w->per_node / 2, p->block);
    a->list = malloc((size_t)a->rows * (a->c.length + 1) * sizeof *a->list);
    return a->list ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
}

static void a1_add(struct a1 *a, uint32_t step, uint32_t row, unsigned start, unsigned t)
{
    a->list[a->count++] = (struct exchange){step, row, (start + t) % a->c.length, t == 0};
}

static int by_step_and_row(const void *a, const void *b)
{
    const struct exchange *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Exchange v and one dimension for the elements of a row. Those in which they differ cross it. */
static void a1_exchange(struct mover *m, const struct a1 *a, const struct exchange *x)
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

static enum ec_code a1_play(struct a1 *a, struct ec_error *reterr)
{
    struct mover m;
    enum ec_code code = mover_open(&m, a->p, 0, reterr);

    if (code == EC_OK) {
        qsort(a->list, a->count, sizeof *a->list, by_step_and_row);
        for (size_t i = 0; i < a->count; i++) {
            const struct exchange *x = &a->list[i];
            a1_exchange(&m, a, x);
            plan_exchange(a->p, x->row, x->step, 0, a->c.dim[x->index]);
            if (i + 1 == a->count || x[1].step != x->step)
                mover_commit(&m, x->step);
        }
        code = mover_finish(&m, reterr);
    }
    mover_close(&m);
    return code;
}

static void fill_one_port(struct a1 *a)
{
    for (uint32_t row = 0; row < a->rows; row++) {
        for (unsigned t = 0; t <= a->c.length; t++)
            a1_add(a, row * (a->c.length + 1) + t + 1, row, 0, t);
    }
}

/* The last exchange uses the first dimension again, which is busy with the first exchanges of all
 * rows until step `rows`. */
static void fill_pipelined(struct a1 *a)
{
    const uint32_t wait = a->rows > a->c.length ? a->rows : a->c.length;

    for (uint32_t row = 0; row < a->rows; row++) {
        for (unsigned t = 0; t < a->c.length; t++)
            a1_add(a, row + t + 1, row, 0, t);
        a1_add(a, row + 1 + wait, row, 0, a->c.length);
    }
}

static void fill_concurrent(struct a1 *a)
{
    const unsigned r = a->c.length;

    for (uint32_t row = 0; row < a->rows; row++) {
        for (unsigned t = 0; t <= r; t++)
            a1_add(a, row / r * (r + 1) + t + 1, row, row % r, t);
    }
}

/* One step of a list schedule: rows with most exchanges left go first, then by number; a row waits
 * if its dimension is taken. Rows of equal start do each exchange in the order of their numbers:
 * done[t * r + start] of them have done exchange t. False: no exchange was left. */
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
                a1_add(a, step, first * r + start, start, t);
                ++*rows;
            }
            ready[start] = first;
        }
    }
    return a->count > before;
}

static void fill_packed(struct a1 *a)
{
    uint32_t done[(EC_SDP_DIMS_MAX + 1) * EC_SDP_DIMS_MAX] = {0};

    for (uint32_t step = 1; pack_step(a, step, done); step++)
        ;
}

static enum ec_code real_a1(struct plan *p, struct ec_error *reterr)
{
    struct a1 a;
    enum ec_code code = a1_begin(&a, p, reterr);

    if (code == EC_OK) {
        p->algorithm->fill_a1(&a);
        code = a1_play(&a, reterr);
    }
    free(a.list);
    return code;
}

/* --- A2 -------------------------------------------------------------------------------------- */

/* A real cycle in r stages, within twice the memory. Stage 0 of a sequence sets new
 * alpha_s := alpha_(s-1), and the element remembers old alpha_s in an extra bit v: half of the
 * nodes become empty, the others hold twice as much. Stage t = 1..r-1 sets new alpha_(s+t) := v and
 * v := old alpha_(s+t). After the last stage v equals the bit of the node's address, and every node
 * holds K elements again. */

struct a2 {
    struct plan *p;
    struct ec_sdp_cycle c;
    struct mover m;
    uint8_t *v;      /* [elements] */
    uint64_t *next;  /* [elements] destination in this stage */
    uint32_t *batch; /* [elements] step of the stage; UINT32_MAX: it stays */
    uint32_t *sent;  /* [nodes] elements of the sequence that leave in this stage */
    uint32_t *order; /* [elements] those that move in this stage, ascending by batch */
    uint32_t *first; /* [K + 1] where those of a batch begin in order */
};

static enum ec_code a2_begin(struct a2 *a, struct plan *p, struct ec_error *reterr)
{
    *a = (struct a2){.p = p};
    enum ec_code code = real_one_cycle(p, &a->c, reterr);
    if (code == EC_OK)
        code = mover_open(&a->m, p, p->w->per_node, reterr);
    if (code)
        return code;
    struct ec_arrays *const arrays = &a->m.arrays;
    EC_ARRAY(arrays, a->v, a->m.elements);
    EC_ARRAY(arrays, a->next, a->m.elements);
    EC_ARRAY(arrays, a->batch, a->m.elements);
    EC_ARRAY(arrays, a->sent, p->w->nodes);
    EC_ARRAY(arrays, a->order, a->m.elements);
    EC_ARRAY(arrays, a->first, (size_t)p->w->per_node + 1); /* no more batches than K */
    if (arrays->memory_short)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
    return EC_OK;
}

/* Stage `t` of the sequence that begins at index `start`, for slots from..to - 1. */
static void a2_decide(struct a2 *a, unsigned start, unsigned t, uint32_t from, uint32_t to)
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

/* The steps of a stage, one per batch. */
static void a2_take_stage(struct a2 *a, uint32_t batches, uint32_t before)
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

static enum ec_code real_a2(struct plan *p, struct ec_error *reterr)
{
    struct a2 a;
    enum ec_code code = a2_begin(&a, p, reterr);

    if (code == EC_OK) {
        const uint32_t per_node = p->w->per_node, r = a.c.length;
        const uint32_t part = p->algorithm->all_ports ? real_groups(per_node, r) : per_node;
        const uint32_t batches = real_groups(part, p->block);
        for (unsigned t = 0; t < r; t++) {
            for (unsigned start = 0; start * part < per_node; start++) {
                const uint32_t from = start * part;
                a2_decide(&a, start, t, from, per_node - from < part ? per_node : from + part);
            }
            a2_take_stage(&a, batches, t * batches);
        }
        code = mover_finish(&a.m, reterr);
    }
    mover_close(&a.m);
    return code;
}

/* --- The table ------------------------------------------------------------------------------- */

#define ONE_CYCLE    "one real cycle of r dimensions on cube:N"
#define JOHNSSON(at) "Johnsson and Ho, TR-04-91, " at

const struct plan_algorithm plan_real_algorithms[] = {
    {.info = {"a1-one-port", "block=B", ONE_CYCLE ", K even",
              "pairs of elements, one after the other, go around the cycle: (r + 1) K/2 steps",
              JOHNSSON("section 7, algorithm A1")},
     .make = real_a1,
     .fill_a1 = fill_one_port},
    {.info = {"a1-pipelined", "block=B", ONE_CYCLE ", K even",
              "all pairs begin in the same dimension: K/2 + max(K/2, r) steps",
              JOHNSSON("section 7, algorithm A1")},
     .all_ports = true,
     .make = real_a1,
     .fill_a1 = fill_pipelined},
    {.info = {"a1-concurrent", "block=B", ONE_CYCLE ", K even",
              "groups of r pairs, each beginning in a dimension of its own: (r + 1) ceil(K / 2r) "
              "steps",
              JOHNSSON("section 7, algorithm A1")},
     .all_ports = true,
     .make = real_a1,
     .fill_a1 = fill_concurrent},
    {.info = {"a1-packed", "block=B", ONE_CYCLE ", K even",
              "the same without waiting for whole groups: max(r + 1, ceil((r + 1) K / 2r)) steps",
              "docs/study/GSH-REAL.md"},
     .all_ports = true,
     .make = real_a1,
     .fill_a1 = fill_packed},
    {.info = {"a2", "block=B", ONE_CYCLE,
              "r sequences of K/r elements, in twice the memory: r ceil(K/r) steps",
              JOHNSSON("section 7, algorithm A2")},
     .all_ports = true,
     .make = real_a2},
    {.info = {"a2-one-port", "block=B", ONE_CYCLE,
              "all elements one dimension after the other, in twice the memory: r K steps",
              JOHNSSON("section 7, algorithm A2")},
     .make = real_a2},
    {.info = {"a2x2", "block=B", "b real 2-cycles on cube:N, each inverting none or both",
              "of two elements, one goes each way round the square: K/2 + 1 steps if K >= 4b",
              JOHNSSON("section 7, algorithm A2 squared")},
     .all_ports = true,
     .make = real_a2x2},
    {.info = {"cycle4", "block=B", "one real 2-cycle that inverts one bit on cube:N",
              "a shift on rings of 4 nodes, a quarter of it the long way: ceil(3K/4) steps",
              "docs/study/GSH-REAL.md"},
     .all_ports = true,
     .make = real_cycle4},
    {.info = {"crossing", "block=B", "i dimensions inverted and none moved, on cube:N",
              "every element crosses each of them once: max(K, i) steps, the least possible",
              "docs/study/GSH-REAL.md"},
     .all_ports = true,
     .make = real_crossing},
    {.info = {"crossing-one-port", "block=B", "i dimensions inverted and none moved, on cube:N",
              "all elements cross one dimension after the other: i K steps, the least possible",
              "docs/study/GSH-REAL.md"},
     .make = real_crossing},
    {.info = {"flow", "block=B", ONE_CYCLE ", 2 <= r <= 12",
              "every element takes one of 2r routes, in shares that load all links equally: "
              "about (r+1)(2^r-2) K / (2r (2^r-1)) steps, or (r+1) K / 2r with an odd number "
              "of inversions, the least possible",
              "docs/study/GSH-REAL.md"},
     .all_ports = true,
     .make = real_flow},
    {.info = {.name = NULL}},
};
