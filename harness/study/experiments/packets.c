/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of single packets in circular shifts on tori: which of them cross the wrap link,
 * which are compensated, where they are after each step of a figure.
 *
 * Knows Grama et al. 4.6.1 and Gohil III; reads the packets' ways out of schedules. */
#include <inttypes.h>
#include <stdlib.h>

#include "study/experiments/try.h"

enum { WEST = 1, SOUTH = 2 }; /* links of a torus */

/* --- Packets of torus schedules ------------------------------------------------------------------
 */

/* Where the packets are after the row phase of a schedule, and which of them crossed its wrap link.
 */
struct rows {
    uint32_t steps;    /* of the row phase */
    uint32_t *at;      /* [element] */
    bool *wrapped;     /* [element] */
    bool *compensated; /* [element] moved in the step after the row phase; NULL if there is none */
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

/* `forward`: which of the two ways the rows went (for s = 2 the links do not tell). */
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

/* The rows that are still missing after the row phase: c or c + 1 of them. */
static bool one_row_short(const struct rows *r, uint32_t element, uint32_t s, uint32_t q)
{
    const uint32_t target = (element + q) % (s * s), c = q / s;
    return (target / s + s - r->at[element] / s) % s == (c + 1) % s;
}

/* Exactly the packets that crossed the wrap link are a row short: if the rows went forward. */
void try_torus_wrapped(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        const uint32_t s = g.size, r = g.q % s;
        const int ways = r == 0 ? 0 : r > s - r ? 2 : 1;
        for (int backward = 0; backward < ways; backward++) {
            struct rows rows;
            bool wrapped_are_short = true, low_are_short = true;
            if (!claims_audit(run, &seen,
                              "torus:%" PRIu32 "x%" PRIu32 " shift:q=%" PRIu32 " --algorithm %s", s,
                              s, g.q, backward ? "plain" : "forward") ||
                !follow_rows(run, &seen, s, !backward, &rows))
                return;
            for (uint32_t e = 0; e < g.nodes; e++) {
                const bool is_short = one_row_short(&rows, e, s, g.q);
                wrapped_are_short &= is_short == rows.wrapped[e];
                low_are_short &= is_short == (rows.at[e] % s < r);
            }
            rows_close(&rows);
            claims_require(run, low_are_short,
                           "s=%" PRIu32 ", q=%" PRIu32 ": short are those now in columns < r", s,
                           g.q);
            claims_case_if(run, !backward, wrapped_are_short,
                           "s=%" PRIu32 ", q=%" PRIu32
                           ", rows backward: not the wrapped packets are a row short",
                           s, g.q);
        }
    }
}

/* Compensated are the packets that wrapped, which are those now in columns < r; no others move.
 * with: 0 the set is {column < r}, 1 it is that of the wrapped packets. */
void try_torus_compensated(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        const uint32_t s = g.size, r = g.q % s;
        struct rows rows;
        bool same = true, any = false;
        if (r == 0)
            continue;
        if (!claims_audit(run, &seen,
                          "torus:%" PRIu32 "x%" PRIu32 " shift:q=%" PRIu32 " --algorithm forward",
                          s, s, g.q) ||
            !follow_rows(run, &seen, s, true, &rows))
            return;
        for (uint32_t e = 0; e < g.nodes; e++) {
            const bool chosen = claims_with(run) == 0 ? rows.at[e] % s < r : rows.wrapped[e];
            same &= chosen == rows.compensated[e];
            any |= chosen;
        }
        rows_close(&rows);
        claims_case(run, same && any, "s=%" PRIu32 ", q=%" PRIu32, s, g.q);
    }
}

/* ours.torus.test: after rows forward or backward, the packets in columns < r need one row more,
 * and compensating the wrapped ones after a backward row phase is wrong for every such q. */
void try_torus_control(struct claims_run *run)
{
    struct claims_seen seen;
    uint32_t first_s = 0, first_q = 0;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        const uint32_t s = g.size, r = g.q % s;
        if (r == 0)
            continue;
        if (!try_torus(run, &g, "plain", 1, 0, &seen) ||
            !claims_audit(run, &seen,
                          "torus:%" PRIu32 "x%" PRIu32 " shift:q=%" PRIu32
                          " --algorithm compensate-wrapped",
                          s, s, g.q))
            return;
        const bool backward = r > s - r;
        claims_case(run, seen.checked->placed == !backward,
                    "s=%" PRIu32 ", q=%" PRIu32 ": compensating the wrapped packets is %s", s, g.q,
                    backward ? "right" : "wrong");
        claims_require(run, seen.checked->sound && seen.checked->congestion_free,
                       "the control fails for its placement only");
        if (backward && !first_s) {
            first_s = s;
            first_q = g.q;
        }
    }
    claims_remark(run, "the control first fails at s=%" PRIu32 ", q=%" PRIu32, first_s, first_q);
}

/* --- Figures and examples ------------------------------------------------------------------------
 */

/* Fig. 4.22 and Gohil's Fig. 1: the 5-shift on 4x4 after each of its three steps. */
void try_torus_figure(struct claims_run *run)
{
    const struct claims_shift g = try_one(4, 16, 5);
    struct claims_seen seen;
    uint32_t at[16];
    if (!try_torus(run, &g, "forward", 8, 0, &seen))
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
        claims_case(run, right, "placement after step %" PRIu32, step);
    }
    struct rows rows;
    if (!follow_rows(run, &seen, 4, true, &rows))
        return;
    for (uint32_t i = 0; i < 16; i++)
        claims_case(run, rows.wrapped[i] == (i % 4 == 3) && rows.compensated[i] == (i % 4 == 3),
                    "node %" PRIu32 ": wrapped and compensated are 3, 7, 11, 15", i);
    rows_close(&rows);
}

/* The 3-shift on 4x4, said to be one backward row step. with: 0 the claim, 1 its correction. */
void try_torus_example(struct claims_run *run)
{
    const struct claims_shift g = try_one(4, 16, 3);
    struct claims_seen seen;
    uint32_t at[16], wrong = 0, row_short = 0;
    if (!try_torus(run, &g, "plain", 8, 0, &seen))
        return;
    claims_places(seen.schedule, 1, at);
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t target = (i + 3) % 16;
        wrong += at[i] != target;
        row_short += (at[i] + 4) % 16 == target;
    }
    claims_remark(run, "after the first step %" PRIu32 " of 16 packets are a row short", row_short);
    claims_require_equal(run, wrong, row_short, "packets misplaced otherwise");
    if (claims_with(run) == 0) {
        claims_predicted(run, "steps", 1);
        claims_relate(run, seen.steps, CLAIMS_EQ, 1, "s=4, q=3: steps");
        return;
    }
    claims_predicted(run, "steps", 2);
    claims_relate(run, seen.steps, CLAIMS_EQ, 2, "s=4, q=3: steps");
    claims_relate(run, claims_link_steps(seen.topology, seen.schedule, WEST), CLAIMS_EQ, 1,
                  "steps in rows");
    claims_relate(run, claims_link_steps(seen.topology, seen.schedule, SOUTH), CLAIMS_EQ, 1,
                  "steps in columns");
    claims_relate(run, row_short, CLAIMS_EQ, 12, "packets a row short after the first step");
}
