/* SPDX-License-Identifier: Apache-2.0 */
/* Circular shifts on square tori. Labels are row-major, C + S * R: east is column + 1, south is
 * row + 1. Let r = q mod S and c = q div S. An element of column C has to move r columns; the label
 * carries into the row exactly if that wraps. So after the row phase, in either direction, the
 * elements in columns C < r need c + 1 rows and the others c. All algorithms here follow from that;
 * compensate-wrapped is what results from misreading it. */
#include "schedule/shift/shift.h"

enum { EAST = 0, WEST = 1, SOUTH = 2, NORTH = 3 };

struct torus {
    struct journey j;
    uint32_t s, r, c;
};

static enum ec_code open_torus(struct plan *p, struct torus *ret, struct ec_error *reterr)
{
    const enum ec_code code =
        shift_check(p, "a square torus (torus:4x4)", shift_square_torus(p->t), reterr);
    if (code)
        return code;
    ret->s = p->t->radix[0];
    ret->r = p->w->shift % ret->s;
    ret->c = p->w->shift / ret->s;
    return journey_open(p, &ret->j, reterr);
}

/* The elements in columns first <= C < end go one link. Does not end the step. */
static void move_columns(struct torus *x, uint32_t first, uint32_t end, unsigned way)
{
    /* A dimension of radix 2 has one link, which leads both ways. */
    const unsigned link = x->s == 2 ? way & ~1U : way;

    for (uint32_t i = 0; i < x->j.nodes; i++) {
        const uint32_t column = x->j.at[i] % x->s;
        if (column >= first && column < end)
            journey_cross(&x->j, i, link);
    }
}

static void steps(struct torus *x, uint32_t count, uint32_t first, uint32_t end, unsigned way)
{
    plan_expect(x->j.p, (uint64_t)count * (end - first) * x->s);
    for (; count > 0 && !plan_full(x->j.p); count--, x->j.step++)
        move_columns(x, first, end, way);
}

/* All elements go `distance` links forward in a dimension, or the shorter way; ties go forward. */
static void shorter(struct torus *x, uint32_t distance, unsigned forward, unsigned backward)
{
    if (distance <= x->s - distance)
        steps(x, distance, 0, x->s, forward);
    else
        steps(x, x->s - distance, 0, x->s, backward);
}

static void shift_forward(struct torus *x)
{
    steps(x, x->r, 0, x->s, EAST);
    steps(x, x->r > 0, 0, x->r, SOUTH);
    steps(x, x->c, 0, x->s, SOUTH);
}

static void shift_plain(struct torus *x)
{
    shorter(x, x->r, EAST, WEST);
    steps(x, x->r > 0, 0, x->r, SOUTH);
    shorter(x, x->c, SOUTH, NORTH);
}

/* Going north, the columns C < r are the ones that may stop a row earlier. */
static void shift_merged(struct torus *x)
{
    shorter(x, x->r, EAST, WEST);
    if (x->r == 0) {
        shorter(x, x->c, SOUTH, NORTH);
    } else if (x->c + 1 <= x->s - x->c) {
        steps(x, 1, 0, x->r, SOUTH);
        steps(x, x->c, 0, x->s, SOUTH);
    } else {
        steps(x, 1, x->r, x->s, NORTH);
        steps(x, x->s - x->c - 1, 0, x->s, NORTH);
    }
}

/* Step done + 1 of the columns first <= C < end, which need `rows` rows south. False: they have
 * arrived.
 */
static bool own_way(struct torus *x, uint32_t rows, uint32_t done, uint32_t first, uint32_t end)
{
    const bool south = rows <= x->s - rows;

    if (done >= (south ? rows : x->s - rows) || first == end)
        return false;
    move_columns(x, first, end, south ? SOUTH : NORTH);
    return true;
}

static void shift_per_column(struct torus *x)
{
    shorter(x, x->r, EAST, WEST);
    bool left = true, right = true;
    plan_expect(x->j.p, (uint64_t)x->j.nodes * (x->c < x->s - x->c ? x->c : x->s - x->c - 1));
    for (uint32_t done = 0; (left || right) && !plan_full(x->j.p); done++, x->j.step++) {
        left = own_way(x, (x->c + 1) % x->s, done, 0, x->r);
        right = own_way(x, x->c, done, x->r, x->s);
    }
}

static void shift_each_row(struct torus *x)
{
    for (uint32_t k = 0; k < x->r && !plan_full(x->j.p); k++) {
        steps(x, 1, 0, x->s, EAST);
        steps(x, 1, 0, 1, SOUTH);
    }
    steps(x, x->c, 0, x->s, SOUTH);
}

static void shift_wrapped(struct torus *x)
{
    const bool east = x->r <= x->s - x->r; /* what wrapped is in C < r, going west in C >= r */
    shorter(x, x->r, EAST, WEST);
    steps(x, x->r > 0, east ? 0 : x->r, east ? x->r : x->s, SOUTH);
    shorter(x, x->c, SOUTH, NORTH);
}

static enum ec_code on_torus(struct plan *p, void (*shift)(struct torus *x),
                             struct ec_error *reterr)
{
    struct torus x = {0};
    const enum ec_code code = open_torus(p, &x, reterr);

    if (code == EC_OK)
        shift(&x);
    journey_close(&x.j);
    return code;
}

enum ec_code torus_forward_make(struct plan *p, struct ec_error *reterr)
{
    return on_torus(p, shift_forward, reterr);
}

enum ec_code torus_plain_make(struct plan *p, struct ec_error *reterr)
{
    return on_torus(p, shift_plain, reterr);
}

enum ec_code torus_merged_make(struct plan *p, struct ec_error *reterr)
{
    return on_torus(p, shift_merged, reterr);
}

enum ec_code torus_per_column_make(struct plan *p, struct ec_error *reterr)
{
    return on_torus(p, shift_per_column, reterr);
}

enum ec_code torus_each_row_make(struct plan *p, struct ec_error *reterr)
{
    return on_torus(p, shift_each_row, reterr);
}

enum ec_code torus_wrapped_make(struct plan *p, struct ec_error *reterr)
{
    return on_torus(p, shift_wrapped, reterr);
}
