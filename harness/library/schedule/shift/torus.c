/* SPDX-License-Identifier: Apache-2.0 */
/* Circular shifts on tori of any radices. Labels are row-major: digit x_k of label x has the radix
 * of dimension k and the weight W_k, the product of the lower radices. Adding q moves x_k by the
 * digit q_k, and by one more if the lower digits carry. Dimension after dimension, lowest first:
 * once the lower ones are done, the carry has happened exactly where x mod W_k < q mod W_k. So a
 * line of dimension k needs one distance as a whole, and all its elements go round it together.
 * All algorithms here follow from that; compensate-wrapped is what results from misreading it. */
#include "schedule/shift/shift.h"

enum way { FORWARD = 0, BACKWARD = 1 };

/* A shift in one dimension, the lower ones being done. */
struct phase {
    struct journey *j;
    unsigned dim;
    uint32_t radix;
    uint32_t weight; /* nodes x with the same x mod weight are equal in the lower dimensions */
    uint32_t digit;  /* links for every element */
    uint32_t carry;  /* one more in nodes x mod weight < carry; 0 in the lowest dimension */
};

static struct phase phase_of(struct journey *j, unsigned dim)
{
    const struct ec_topology *t = j->p->t;
    const uint32_t q = j->p->w->shift, weight = t->stride[dim], radix = t->radix[dim];

    return (struct phase){.j = j,
                          .dim = dim,
                          .radix = radix,
                          .weight = weight,
                          .digit = q / weight % radix,
                          .carry = q % weight};
}

/* The elements in nodes first <= x mod weight < end go one link. Does not end the step. */
static void move(const struct phase *f, uint32_t first, uint32_t end, enum way way)
{
    /* A dimension of radix 2 has one link, which leads both ways. */
    const unsigned link = 2 * f->dim + (f->radix > 2 && way == BACKWARD);

    for (uint32_t i = 0; i < f->j->nodes; i++) {
        const uint32_t low = f->j->at[i] % f->weight;
        if (low >= first && low < end)
            journey_cross(f->j, i, link);
    }
}

static void steps(const struct phase *f, uint32_t count, uint32_t first, uint32_t end, enum way way)
{
    struct journey *j = f->j;

    plan_expect(j->p, (uint64_t)count * (end - first) * (j->nodes / f->weight));
    for (; count > 0 && !plan_full(j->p); count--, j->step++)
        move(f, first, end, way);
}

/* All elements go `digit` links forward, or the shorter way; ties go forward. */
static void shorter(const struct phase *f)
{
    if (f->digit <= f->radix - f->digit)
        steps(f, f->digit, 0, f->weight, FORWARD);
    else
        steps(f, f->radix - f->digit, 0, f->weight, BACKWARD);
}

void torus_forward(const struct phase *f)
{
    steps(f, f->carry > 0, 0, f->carry, FORWARD);
    steps(f, f->digit, 0, f->weight, FORWARD);
}

void torus_plain(const struct phase *f)
{
    steps(f, f->carry > 0, 0, f->carry, FORWARD);
    shorter(f);
}

/* Going backward, the elements that carry are the ones that may stop a link earlier. */
void torus_merged(const struct phase *f)
{
    if (f->carry == 0) {
        shorter(f);
    } else if (f->digit + 1 <= f->radix - f->digit) {
        torus_forward(f);
    } else {
        steps(f, 1, f->carry, f->weight, BACKWARD);
        steps(f, f->radix - f->digit - 1, 0, f->weight, BACKWARD);
    }
}

/* Step done + 1 of the nodes first <= x mod weight < end, which need `links` links forward. False:
 * they have arrived. */
static bool own_way(const struct phase *f, uint32_t links, uint32_t done, uint32_t first,
                    uint32_t end)
{
    const bool forward = links <= f->radix - links;

    if (done >= (forward ? links : f->radix - links) || first == end)
        return false;
    move(f, first, end, forward ? FORWARD : BACKWARD);
    return true;
}

/* The two groups of lines go side by side, each its shorter way. */
void torus_per_column(const struct phase *f)
{
    struct journey *j = f->j;

    for (uint32_t done = 0; !plan_full(j->p); done++, j->step++) {
        const bool carried = own_way(f, (f->digit + 1) % f->radix, done, 0, f->carry);
        const bool others = own_way(f, f->digit, done, f->carry, f->weight);
        if (!carried && !others)
            return;
    }
}

/* Of two dimensions. What wrapped is in x mod weight < carry, or if it went backward, in the rest.
 */
void torus_wrapped(const struct phase *f)
{
    const bool east = f->carry <= f->weight - f->carry;

    steps(f, f->carry > 0, east ? 0 : f->carry, east ? f->carry : f->weight, FORWARD);
    shorter(f);
}

/* No element goes fewer links than the shorter way of the nearer group, in any dimension. */
static void expect_least(struct journey *j)
{
    uint64_t links = 0;

    for (unsigned dim = 0; dim < j->p->t->dims; dim++) {
        const struct phase f = phase_of(j, dim);
        const uint32_t back = f.radix - f.digit - (f.carry > 0);
        links += f.digit <= back ? f.digit : back;
    }
    plan_expect(j->p, links * j->nodes);
}

static enum ec_code in_phases(struct plan *p, struct ec_error *reterr)
{
    const struct ec_topology *t = p->t;
    struct journey j = {0};
    const enum ec_code code = journey_open(p, &j, reterr);

    if (code == EC_OK)
        expect_least(&j);
    for (unsigned dim = 0; code == EC_OK && dim < t->dims && !plan_full(p); dim++) {
        const struct phase f = phase_of(&j, dim);
        if (f.radix > 1)
            p->algorithm->shift(&f);
    }
    journey_close(&j);
    return code;
}

enum ec_code torus_make(struct plan *p, struct ec_error *reterr)
{
    const bool fits = p->t->kind == EC_TORUS || p->t->kind == EC_RING;
    const enum ec_code code =
        shift_check(p, "a torus or a ring (torus:4x4, torus:3x4x5)", fits, reterr);

    return code ? code : in_phases(p, reterr);
}

static enum ec_code check_square(const struct plan *p, struct ec_error *reterr)
{
    return shift_check(p, "a square torus (torus:4x4)", shift_square_torus(p->t), reterr);
}

enum ec_code torus_square_make(struct plan *p, struct ec_error *reterr)
{
    const enum ec_code code = check_square(p, reterr);

    return code ? code : in_phases(p, reterr);
}

enum ec_code torus_each_row_make(struct plan *p, struct ec_error *reterr)
{
    struct journey j = {0};
    enum ec_code code = check_square(p, reterr);

    if (code == EC_OK)
        code = journey_open(p, &j, reterr);
    if (code == EC_OK) {
        const struct phase east = phase_of(&j, 0), south = phase_of(&j, 1);
        for (uint32_t k = 0; k < east.digit && !plan_full(p); k++) {
            steps(&east, 1, 0, east.weight, FORWARD);
            steps(&south, 1, 0, 1, FORWARD);
        }
        steps(&south, south.digit, 0, south.weight, FORWARD);
    }
    journey_close(&j);
    return code;
}
