/* SPDX-License-Identifier: Apache-2.0 */
/* Circular shifts on tori: directions, packets after the row phase, figures.
 *
 * Knows the formulas of Grama et al. 4.6.1, Gohil III and Gergel; reads the places of packets from
 * schedules. */
#include <stdlib.h>

#include "study/experiments/play.h"

enum { EAST, WEST, SOUTH, NORTH }; /* links of a torus */

/* --- Packets of torus schedules --------------------------------------------------------------- */

/* The places of the packets after the row phase of a schedule, and the packets that crossed its
 * wrap link. */
struct rows {
    uint32_t steps;    /* of the row phase */
    uint32_t *at;      /* [element] */
    bool *wrapped;     /* [element] */
    bool *compensated; /* [element] moved in the step after the row phase; NULL if there is no such
                          step */
};

static bool crosses_wrap(const struct ec_transfer *t, uint32_t s)
{
    const uint32_t from = t->src % s, to = t->dst % s;
    return (from == s - 1 && to == 0) || (from == 0 && to == s - 1);
}

static void rows_close(struct rows *r)
{
    free(r->at);
    free(r->wrapped);
    free(r->compensated);
}

/* `forward`: the direction of the rows, which the links do not show for s = 2. */
static bool follow_rows(struct claims_run *run, const struct claims_seen *seen, uint32_t s,
                        bool forward, struct rows *ret)
{
    const struct ec_schedule *x = seen->schedule;
    struct rows r = {
        .at = calloc(x->nodes, sizeof *r.at),
        .wrapped = calloc(x->nodes, sizeof *r.wrapped),
        .compensated = calloc(x->nodes, sizeof *r.compensated),
    };
    *ret = r;
    if (!claims_require(run, r.at && r.wrapped && r.compensated, "out of memory")) {
        rows_close(&r);
        return false;
    }
    for (size_t i = 0; i < x->transfer_count; i++) {
        const struct ec_transfer *t = &x->transfers[i];
        const uint32_t element = x->carried[t->first].element;
        const bool in_row = t->src / s == t->dst / s;
        if (in_row) {
            ret->steps = t->step;
            const bool right_way = s > 2 || (forward ? t->dst % s == 0 : t->src % s == 0);
            ret->wrapped[element] |= crosses_wrap(t, s) && right_way;
        } else if (t->step == ret->steps + 1) {
            ret->compensated[element] = true;
        }
    }
    claims_places(x, ret->steps, ret->at);
    return true;
}

/* Does the packet need c + 1 rows after the row phase, not c? */
static bool one_row_short(const struct rows *r, uint32_t element, uint32_t s, uint32_t q)
{
    const uint32_t target = (element + q) % (s * s), c = q / s;
    return (target / s + s - r->at[element] / s) % s == (c + 1) % s;
}

/* Exactly the packets that crossed the wrap link are one row short, if the rows went forward. */
void experiment_torus_wrapped(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        const uint32_t s = g.size, r = g.q % s;
        const int ways = r == 0 ? 0 : r > s - r ? 2 : 1;
        for (int backward = 0; backward < ways; backward++) {
            struct rows rows;
            bool wrapped_are_short = true, low_are_short = true;
            if (!play_torus(run, &g, backward ? "plain" : "forward", 1, 0, &seen) ||
                !follow_rows(run, &seen, s, !backward, &rows))
                return;
            for (uint32_t e = 0; e < g.nodes; e++) {
                const bool is_short = one_row_short(&rows, e, s, g.q);
                wrapped_are_short &= is_short == rows.wrapped[e];
                low_are_short &= is_short == (rows.at[e] % s < r);
            }
            rows_close(&rows);
            claims_require(run, low_are_short, "s=%u, q=%u: short are those now in columns < r", s,
                           g.q);
            claims_case_if(
                run, !backward, wrapped_are_short,
                "s=%u, q=%u, rows backward: the packets one row short are not the wrapped ones", s,
                g.q);
        }
    }
}

/* The packets that wrapped around, now in columns < r, are compensated and no others move; without
 * row steps none is. with: 0 the set is {column < r}; 1 it is the set of wrapped packets. */
void experiment_torus_compensated(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        const uint32_t s = g.size, r = g.q % s;
        struct rows rows;
        bool same = true, any = false;
        if (!play_torus(run, &g, "forward", 1, 0, &seen))
            return;
        if (r == 0) {
            claims_case(run, claims_link_steps(seen.topology, seen.schedule, SOUTH, 1) == g.q / s,
                        "s=%u, q=%u: compensated without need", s, g.q);
            continue;
        }
        if (!follow_rows(run, &seen, s, true, &rows))
            return;
        for (uint32_t e = 0; e < g.nodes; e++) {
            const bool chosen = claims_with(run) == 0 ? rows.at[e] % s < r : rows.wrapped[e];
            same &= chosen == rows.compensated[e];
            any |= chosen;
        }
        rows_close(&rows);
        claims_case(run, same && any, "s=%u, q=%u", s, g.q);
    }
}

/* ours.torus.test: after a forward or backward row phase, the packets in columns < r need one row
 * more. Compensating the wrapped packets after a backward phase is wrong for every such q. */
void experiment_torus_control(struct claims_run *run)
{
    struct claims_seen seen;
    uint32_t first_s = 0, first_q = 0;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        const uint32_t s = g.size, r = g.q % s;
        if (r == 0)
            continue;
        if (!play_torus(run, &g, "plain", 1, 0, &seen) ||
            !claims_audit(run, &seen, "torus:%ux%u shift:q=%u --algorithm compensate-wrapped", s, s,
                          g.q))
            return;
        const bool backward = r > s - r;
        claims_case(run, seen.checked->placed == !backward,
                    "s=%u, q=%u: compensating the wrapped packets is %s", s, g.q,
                    backward ? "right" : "wrong");
        claims_require(run, seen.checked->sound && seen.checked->congestion_free,
                       "the control fails for its placement only");
        if (backward && !first_s) {
            first_s = s;
            first_q = g.q;
        }
    }
    claims_remark(run, "the negative control first fails at s=%u, q=%u", first_s, first_q);
}

/* --- Figures and examples --------------------------------------------------------------------- */

/* Fig. 4.22 and Gohil's Fig. 1: the 5-shift on 4x4 after each of its three steps. */
void experiment_torus_figure(struct claims_run *run)
{
    const struct claims_shift g = single_shift(4, 16, 5);
    struct claims_seen seen;
    uint32_t at[16];
    if (!play_torus(run, &g, "forward", 8, 0, &seen))
        return;
    claims_predicted(run, "steps", 3);
    claims_relate(run, seen.steps, CLAIMS_EQ, 3, "steps");
    for (uint32_t step = 1; step <= seen.steps; step++) {
        bool right = true;
        claims_places(seen.schedule, step, at);
        for (uint32_t i = 0; i < 16; i++) {
            const uint32_t column = (i % 4 + 1) % 4;
            uint32_t row = i / 4;
            row += step >= 2 && column < 1; /* the compensation of column 0 */
            row += step >= 3;
            right &= at[i] == row % 4 * 4 + column;
        }
        claims_case(run, right, "placement after step %u", step);
    }
    struct rows rows;
    if (!follow_rows(run, &seen, 4, true, &rows))
        return;
    for (uint32_t i = 0; i < 16; i++)
        claims_case(run, rows.wrapped[i] == (i % 4 == 3) && rows.compensated[i] == (i % 4 == 3),
                    "node %u: wrapped and compensated are 3, 7, 11, 15", i);
    rows_close(&rows);
}

/* The 3-shift on 4x4, claimed to be one backward row step. with: 0 the claim, 1 its correction. */
void experiment_torus_example(struct claims_run *run)
{
    const struct claims_shift g = single_shift(4, 16, 3);
    struct claims_seen seen;
    uint32_t at[16], wrong = 0, row_short = 0;
    if (!play_torus(run, &g, "plain", 8, 0, &seen))
        return;
    claims_places(seen.schedule, 1, at);
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t target = (i + 3) % 16;
        wrong += at[i] != target;
        row_short += (at[i] + 4) % 16 == target;
    }
    claims_remark(run, "after the first step %u of 16 packets are a row short", row_short);
    claims_require_equal(run, wrong, row_short, "packets misplaced otherwise");
    if (claims_with(run) == 0) {
        claims_predicted(run, "steps as stated", 1);
        claims_relate(run, seen.steps, CLAIMS_EQ, 1, "s=4, q=3: steps");
        return;
    }
    claims_predicted(run, "steps", 2);
    claims_relate(run, seen.steps, CLAIMS_EQ, 2, "s=4, q=3: steps");
    claims_relate(run, claims_link_steps(seen.topology, seen.schedule, WEST, 1), CLAIMS_EQ, 1,
                  "steps in rows");
    claims_relate(run, claims_link_steps(seen.topology, seen.schedule, SOUTH, 1), CLAIMS_EQ, 1,
                  "steps in columns");
    claims_relate(run, row_short, CLAIMS_EQ, 12, "packets a row short after the first step");
}
