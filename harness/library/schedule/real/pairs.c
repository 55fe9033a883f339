/* SPDX-License-Identifier: Apache-2.0 */
/* Short real cycles: 2-cycles in both directions of a square, a shift on rings of four nodes, and
 * inversions. Knows rows and the order in which they visit cycles; must not know slots. */
#include "schedule/real/real.h"

#include <stdlib.h>

/* --- a2x2: b 2-cycles ---------------------------------------------------------------------
 *
 * A row is two elements (packets of block=B) of every node. In a block, that is a 2-cycle, those of
 * a node whose two bits change cross both dimensions, the first in the order (0, 1), the second in
 * (1, 0), in two steps; a new row may begin in a block with every step. */

struct pairs {
    struct plan *p;
    struct ec_sdp_cycle c[EC_SDP_DIMS_MAX / 2];
    unsigned blocks;
    uint32_t rows;
    struct visit *list;
    size_t count;
};

struct visit {
    uint32_t step, row;
    unsigned block;
    bool second; /* of its two steps */
};

static enum ec_code find_pairs(struct pairs *a, struct ec_error *reterr)
{
    const enum ec_code code = plan_check_bits(a->p, reterr);
    if (code)
        return code;
    const struct ec_sdp *s = a->p->w->sdp;
    uint64_t inverted = s->complement;

    a->blocks = ec_sdp_cycles(s, a->c);
    bool fits = a->blocks > 0 && ec_sdp_classify(s).kind == EC_SDP_REAL;
    for (unsigned b = 0; fits && b < a->blocks; b++) {
        fits = a->c[b].length == 2 && (a->c[b].complement == 0 || a->c[b].complement == 3);
        for (unsigned i = 0; i < 2; i++)
            inverted &= ~(UINT64_C(1) << a->c[b].dim[i]);
    }
    if (!fits || inverted)
        return ec_fail(
            reterr, EC_USAGE,
            "%s: expected exchanges of pairs of processor dimensions that invert none or "
            "both; got %s: use best",
            a->p->s->algorithm, a->p->w->text);
    return EC_OK;
}

static void visit_block(struct pairs *a, uint32_t step, uint32_t row, unsigned block)
{
    a->list[a->count++] = (struct visit){step, row, block, false};
    a->list[a->count++] = (struct visit){step + 1, row, block, true};
}

/* Rows begin in different blocks and visit all of them in turn. With at least two rows per block, a
 * row begins in every block in every step: rows + 1 steps. */
static void visit_all(struct pairs *a)
{
    const unsigned n = a->blocks;
    const uint32_t share = a->rows / n, more = a->rows % n; /* the first `more` get one more */
    uint32_t row = 0;

    for (unsigned b = 0; b < n; b++) {
        const uint32_t own = share + (b < more);
        for (uint32_t u = 0; u < own; u++, row++) {
            uint32_t step = 1 + u;
            for (unsigned h = 0; h < n; h++) {
                const unsigned block = (b + h) % n;
                const uint32_t size = share + (block < more);
                if (h > 0)
                    step += a->rows >= 2 * n ? size : 2;
                visit_block(a, step, row, block);
            }
        }
    }
}

static int by_visit(const void *a, const void *b)
{
    const struct visit *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* One of the two steps of a row in a block; goal[e]: where element e goes in this block. */
static void cross_block(struct mover *m, const struct pairs *a, const struct visit *x,
                        uint64_t *goal)
{
    const struct ec_sdp_cycle *c = &a->c[x->block];
    const uint32_t per_node = a->p->w->per_node, width = 2 * a->p->block;
    const uint32_t from = x->row * width, to = per_node - from < width ? per_node : from + width;

    for (uint32_t node = 0; node < a->p->w->nodes; node++) {
        for (uint32_t slot = from; slot < to; slot++) {
            const uint32_t e = node * per_node + slot;
            const uint64_t at = m->address[e];
            const uint64_t b0 = at >> c->dim[0] & 1, b1 = at >> c->dim[1] & 1;
            const bool changes = (b0 ^ b1) != (c->complement & 1);
            const unsigned first = c->dim[slot - from >= a->p->block];
            if (x->second) {
                mover_go(m, e, goal[e]);
                continue;
            }
            goal[e] = changes ? at ^ UINT64_C(1) << c->dim[0] ^ UINT64_C(1) << c->dim[1] : at;
            if (changes)
                mover_go(m, e, at ^ UINT64_C(1) << first);
        }
    }
}

static enum ec_code play_pairs(struct pairs *a, struct ec_error *reterr)
{
    struct mover m;
    enum ec_code code = mover_open(&m, a->p, 2 * a->p->block * a->blocks, reterr);
    uint64_t *goal = code ? NULL : malloc(m.elements * sizeof *goal);

    if (code == EC_OK && !goal)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
    if (code == EC_OK) {
        qsort(a->list, a->count, sizeof *a->list, by_visit);
        for (size_t i = 0; i < a->count; i++) {
            cross_block(&m, a, &a->list[i], goal);
            if (i + 1 == a->count || a->list[i + 1].step != a->list[i].step)
                mover_commit(&m, a->list[i].step);
        }
        code = mover_finish(&m, reterr);
    }
    free(goal);
    mover_close(&m);
    return code;
}

enum ec_code real_a2x2(struct plan *p, struct ec_error *reterr)
{
    struct pairs a = {.p = p};
    enum ec_code code = find_pairs(&a, reterr);

    if (code)
        return code;
    /* With an odd number of elements, the last row has one. */
    a.rows = real_groups(p->w->per_node, 2 * p->block);
    a.list = malloc((size_t)a.rows * a.blocks * 2 * sizeof *a.list);
    if (!a.list)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
    visit_all(&a);
    code = play_pairs(&a, reterr);
    free(a.list);
    return code;
}

/* --- packets ------------------------------------------------------------------------------ */

/* Packet `packet` of every node takes the path `how`. */
static void send(struct mover *m, uint32_t packet, const struct ec_sdp *how)
{
    const uint32_t per_node = m->p->w->per_node, block = m->p->block;
    const uint32_t from = packet * block, to = per_node - from < block ? per_node : from + block;

    for (uint32_t node = 0; node < m->p->w->nodes; node++) {
        for (uint32_t e = node * per_node + from; e < node * per_node + to; e++)
            mover_go(m, e, ec_sdp_apply(how, m->address[e]));
    }
}

/* --- cycle4: (alpha_1, alpha_0) <- (alpha_0, not alpha_1) ---------------------------------
 *
 * The two dimensions make rings of four nodes, and the permutation is a shift by one on them. Of
 * four packets three go forward, one hop, and the fourth goes backward, three hops, in the same
 * three steps. */

enum ec_code real_cycle4(struct plan *p, struct ec_error *reterr)
{
    struct ec_sdp_cycle c;
    struct mover m;
    enum ec_code code = real_one_cycle(p, &c, reterr);

    if (code)
        return code;
    if (c.length != 2 || c.complement == 0 || c.complement == 3)
        return ec_fail(reterr, EC_USAGE,
                       "%s: expected a cycle of two processor dimensions of which one is inverted; "
                       "got %s: use a2x2 if it inverts none or both",
                       p->s->algorithm, p->w->text);
    code = mover_open(&m, p, 0, reterr);
    if (code == EC_OK) {
        const struct ec_sdp back = ec_sdp_inverse(p->w->sdp);
        const uint32_t packets = real_groups(p->w->per_node, p->block);
        const uint32_t backward = packets / 4, forward = packets - backward;
        for (uint32_t step = 1; step <= forward; step++) {
            send(&m, step - 1, p->w->sdp);
            if ((step - 1) / 3 < backward)
                send(&m, forward + (step - 1) / 3, &back);
            mover_commit(&m, step);
        }
        code = mover_finish(&m, reterr);
    }
    mover_close(&m);
    return code;
}

/* --- crossing: dimensions inverted and none moved ------------------------------------------
 *
 * With M = max(packets, dimensions), packet j crosses dimension number d in step
 * 1 + (j + d) mod M: a packet one dimension, a dimension one packet in each step. With one port:
 * in step 1 + j + d * packets. */

/* Packet `packet` of every node crosses one dimension. */
static void send_over(struct mover *m, uint32_t packet, unsigned dim)
{
    struct ec_sdp over = ec_sdp_identity(m->p->w->sdp->storage, m->p->w->sdp->processor);

    over.complement = UINT64_C(1) << dim;
    send(m, packet, &over);
}

static void cross_all_ports(struct mover *m, const unsigned *dims, unsigned count)
{
    const uint32_t packets = real_groups(m->p->w->per_node, m->p->block);
    const uint32_t turns = packets > count ? packets : count;

    for (uint32_t step = 1; step <= turns && count; step++) {
        for (unsigned d = 0; d < count; d++) {
            const uint32_t packet = (step - 1 + turns - d) % turns;
            if (packet < packets)
                send_over(m, packet, dims[d]);
        }
        mover_commit(m, step);
    }
}

static void cross_one_port(struct mover *m, const unsigned *dims, unsigned count)
{
    const uint32_t packets = real_groups(m->p->w->per_node, m->p->block);

    for (unsigned d = 0; d < count; d++) {
        for (uint32_t packet = 0; packet < packets; packet++) {
            send_over(m, packet, dims[d]);
            mover_commit(m, 1 + packet + d * packets);
        }
    }
}

enum ec_code real_crossing(struct plan *p, struct ec_error *reterr)
{
    const struct ec_sdp *s = p->w->sdp;
    struct mover m;
    unsigned dims[EC_SDP_DIMS_MAX], count = 0;
    enum ec_code code = plan_check_bits(p, reterr);

    if (code)
        return code;
    if (ec_sdp_classify(s).kind != EC_SDP_IDENTITY)
        return ec_fail(reterr, EC_USAGE,
                       "%s: expected a permutation that inverts dimensions and moves none, such as "
                       "bitcomp; got %s: use best",
                       p->s->algorithm, p->w->text);
    for (unsigned i = s->storage; i < s->storage + s->processor; i++) {
        if (s->complement >> i & 1)
            dims[count++] = i;
    }
    code = mover_open(&m, p, 0, reterr);
    if (code == EC_OK) {
        (p->algorithm->all_ports ? cross_all_ports : cross_one_port)(&m, dims, count);
        code = mover_finish(&m, reterr);
    }
    mover_close(&m);
    return code;
}
