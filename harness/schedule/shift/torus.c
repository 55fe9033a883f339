/* SPDX-License-Identifier: Apache-2.0 */
/* Circular shifts on square tori. Labels are row-major, C + S * R: east is column + 1, south is
 * row + 1. With r = q mod S and c = q div S an element of column C has to end r columns on; the
 * label carries into the row exactly if that wraps, so after the row phase, whichever way round it
 * went, the elements now in columns C < r still need c + 1 rows and the others c. Everything here
 * follows from that one sentence; compensate-wrapped is what becomes of it when it is misread. */
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

/* What is in the columns first <= C < end goes one link; the step is not over yet. */
static void move(struct torus *x, uint32_t first, uint32_t end, unsigned way)
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
        move(x, first, end, way);
}

/* All elements of a dimension the shorter way to what lies `distance` on, ties forward. */
static void shorter(struct torus *x, uint32_t distance, unsigned forward, unsigned backward)
{
    if (distance <= x->s - distance)
        steps(x, distance, 0, x->s, forward);
    else
        steps(x, x->s - distance, 0, x->s, backward);
}

enum ec_code torus_forward_make(struct plan *p, struct ec_error *reterr)
{
    struct torus x = {0};
    const enum ec_code code = open_torus(p, &x, reterr);
    if (code == EC_OK) {
        steps(&x, x.r, 0, x.s, EAST);
        steps(&x, x.r > 0, 0, x.r, SOUTH);
        steps(&x, x.c, 0, x.s, SOUTH);
    }
    journey_close(&x.j);
    return code;
}

enum ec_code torus_plain_make(struct plan *p, struct ec_error *reterr)
{
    struct torus x = {0};
    const enum ec_code code = open_torus(p, &x, reterr);
    if (code == EC_OK) {
        shorter(&x, x.r, EAST, WEST);
        steps(&x, x.r > 0, 0, x.r, SOUTH);
        shorter(&x, x.c, SOUTH, NORTH);
    }
    journey_close(&x.j);
    return code;
}

/* Going north, the columns C < r are the ones that may stop a row earlier. */
enum ec_code torus_merged_make(struct plan *p, struct ec_error *reterr)
{
    struct torus x = {0};
    const enum ec_code code = open_torus(p, &x, reterr);
    if (code == EC_OK) {
        shorter(&x, x.r, EAST, WEST);
        if (x.r == 0) {
            shorter(&x, x.c, SOUTH, NORTH);
        } else if (x.c + 1 <= x.s - x.c) {
            steps(&x, 1, 0, x.r, SOUTH);
            steps(&x, x.c, 0, x.s, SOUTH);
        } else {
            steps(&x, 1, x.r, x.s, NORTH);
            steps(&x, x.s - x.c - 1, 0, x.s, NORTH);
        }
    }
    journey_close(&x.j);
    return code;
}

/* One step of the columns first <= C < end, which need `rows` rows south, `done` steps after they
 * began; false once they are there. */
static bool own_way(struct torus *x, uint32_t rows, uint32_t done, uint32_t first, uint32_t end)
{
    const bool south = rows <= x->s - rows;

    if (done >= (south ? rows : x->s - rows) || first == end)
        return false;
    move(x, first, end, south ? SOUTH : NORTH);
    return true;
}

enum ec_code torus_per_column_make(struct plan *p, struct ec_error *reterr)
{
    struct torus x = {0};
    const enum ec_code code = open_torus(p, &x, reterr);
    if (code == EC_OK) {
        shorter(&x, x.r, EAST, WEST);
        bool left = true, right = true;
        plan_expect(p, (uint64_t)x.j.nodes * (x.c < x.s - x.c ? x.c : x.s - x.c - 1));
        for (uint32_t done = 0; (left || right) && !plan_full(p); done++, x.j.step++) {
            left = own_way(&x, (x.c + 1) % x.s, done, 0, x.r);
            right = own_way(&x, x.c, done, x.r, x.s);
        }
    }
    journey_close(&x.j);
    return code;
}

enum ec_code torus_each_row_make(struct plan *p, struct ec_error *reterr)
{
    struct torus x = {0};
    const enum ec_code code = open_torus(p, &x, reterr);
    if (code == EC_OK) {
        for (uint32_t k = 0; k < x.r && !plan_full(p); k++) {
            steps(&x, 1, 0, x.s, EAST);
            steps(&x, 1, 0, 1, SOUTH);
        }
        steps(&x, x.c, 0, x.s, SOUTH);
    }
    journey_close(&x.j);
    return code;
}

enum ec_code torus_wrapped_make(struct plan *p, struct ec_error *reterr)
{
    struct torus x = {0};
    const enum ec_code code = open_torus(p, &x, reterr);
    if (code == EC_OK) {
        const bool east = x.r <= x.s - x.r; /* what wrapped is in C < r, going west in C >= r */
        shorter(&x, x.r, EAST, WEST);
        steps(&x, x.r > 0, east ? 0 : x.r, east ? x.r : x.s, SOUTH);
        shorter(&x, x.c, SOUTH, NORTH);
    }
    journey_close(&x.j);
    return code;
}
