/* SPDX-License-Identifier: Apache-2.0 */
/* Circular shifts on tori: the steps of their schedules.
 *
 * Knows the formulas of Grama et al. 4.6.1, Gohil III, Gergel and our own for the same. */
#include <inttypes.h>
#include <string.h>

#include "ec_cost_gergel.h"
#include "ec_cost_grama.h"
#include "ec_cost_shift.h"
#include "study/experiments/try.h"

enum { EAST, WEST, SOUTH, NORTH };

/* --- Steps of torus schedules -------------------------------------------------------------------
 */

/* The composition of the phases is the shift: the audit follows every packet. */
void try_torus_composes(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        if (!claims_audit(run, &seen,
                          "torus:%" PRIu32 "x%" PRIu32 " shift:q=%" PRIu32 " --algorithm forward",
                          g.size, g.size, g.q))
            return;
        claims_case(run, seen.checked->valid, "s=%" PRIu32 ", q=%" PRIu32 ": %s", g.size, g.q,
                    seen.checked->defect);
    }
}

void try_torus_phases(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        const uint32_t r = g.q % g.size, c = g.q / g.size;
        if (!try_torus(run, &g, "forward", 8, 0, &seen))
            return;
        claims_predicted(run, "steps", ec_cost_shift_forward(g.size, g.q));
        claims_relate(run, seen.steps, CLAIMS_EQ, ec_cost_shift_forward(g.size, g.q),
                      "s=%" PRIu32 ", q=%" PRIu32 ": steps", g.size, g.q);
        claims_require_equal(run, claims_link_steps(seen.topology, seen.schedule, EAST), r,
                             "s=%" PRIu32 ", q=%" PRIu32 ": steps in rows", g.size, g.q);
        claims_require_equal(run, claims_link_steps(seen.topology, seen.schedule, SOUTH),
                             (r > 0) + c, "s=%" PRIu32 ", q=%" PRIu32 ": steps in columns", g.size,
                             g.q);
        if (g.timed &&
            !try_data(run, seen.cycles,
                      "torus:%" PRIu32 "x%" PRIu32 " shift:q=%" PRIu32 ",m=8 --algorithm forward",
                      g.size, g.size, g.q))
            return;
    }
}

void try_torus_directions(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        if (!try_torus(run, &g, "forward", 1, 0, &seen))
            return;
        const uint32_t forward = seen.steps;
        if (!try_torus(run, &g, "plain", 1, 0, &seen))
            return;
        claims_predicted(run, "steps", ec_cost_shift_plain(g.size, g.q));
        claims_require_equal(run, seen.steps, ec_cost_shift_plain(g.size, g.q),
                             "s=%" PRIu32 ", q=%" PRIu32 ": steps of plain", g.size, g.q);
        claims_relate(run, seen.steps, CLAIMS_LE, forward, "s=%" PRIu32 ", q=%" PRIu32 ": steps",
                      g.size, g.q);
    }
}

#define SQUARE_SHIFT "torus:%" PRIu32 "x%" PRIu32 " shift:q=%" PRIu32 " --algorithm %s"

/* At most floor(s/2) unit shifts in each direction, for every q of a size: true for per-column, for
 * merged where s is even. */
void try_torus_half(struct claims_run *run)
{
    static const char *const algorithms[] = {"plain", "merged", "per-column"};
    struct claims_all all[3] = {claims_all(), claims_all(), claims_all()};
    uint32_t first[3] = {1, 1, 1}; /* q where it is false */
    struct claims_seen seen;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        for (size_t a = 0; a < 3; a++) {
            if (!claims_audit(run, &seen, SQUARE_SHIFT, g.size, g.size, g.q, algorithms[a]))
                return;
            uint32_t most = 0;
            for (unsigned link = EAST; link <= NORTH; link++)
                most = claims_max(most, claims_link_steps(seen.topology, seen.schedule, link));
            claims_audited(run, "steps in one direction", most);
            first[a] = all[a].truth ? g.q : first[a];
            claims_all_case(&all[a], most <= g.size / 2,
                            "%s s=%" PRIu32 ", q=%" PRIu32 ": steps in one direction: %" PRIu32
                            ", stated at most %" PRIu32,
                            algorithms[a], g.size, g.q, most, g.size / 2);
        }
        for (size_t a = 0; g.last && a < 3; a++) {
            const bool condition = a == 2 || (a == 1 && g.size % 2 == 0);
            if (!claims_audit(run, &seen, SQUARE_SHIFT, g.size, g.size, first[a], algorithms[a]))
                return;
            claims_case_if(run, condition, all[a].truth, "%s", all[a].first);
            all[a] = claims_all();
        }
    }
}

/* T <= (ts + tw m)(s + 1), counted in the time of one step as measured on the 1-shift of a row.
 * with: bit 0 forward shifts only; else plain, merged and per-column. */
static bool bound_of(struct claims_run *run, const struct claims_shift *g, const char *algorithm,
                     const struct claims_packet *p, bool *reached)
{
    struct claims_seen seen;
    if (!try_torus(run, g, algorithm, p->m, p->ts, &seen))
        return false;
    claims_predicted(run, "steps <=", g->size + 1);
    claims_relate(run, seen.steps, CLAIMS_LE, g->size + 1, "%ss=%" PRIu32 ", q=%" PRIu32 ": steps",
                  *algorithm == 'f' ? "" : seen.schedule->algorithm, g->size, g->q);
    const uint64_t printed =
        ec_cost_grama_mesh_printed(g->size, try_step_startup(p->m, p->ts), 1, p->m);
    if (g->timed)
        claims_require(run, (seen.cycles <= printed) == (seen.steps <= g->size + 1),
                       "cycles and steps agree on the bound");
    *reached |= seen.steps == g->size + 1;
    return true;
}

void try_torus_bound(struct claims_run *run)
{
    static const char *const forward[] = {"forward", NULL};
    static const char *const best[] = {"plain", "merged", "per-column", NULL};
    const bool only_forward = claims_with(run) == 1;
    for (struct claims_packet p = claims_packets(run); claims_next_packet(&p);) {
        for (const char *const *a = only_forward ? forward : best; *a; a++) {
            bool reached = false;
            for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
                g.timed &= g.size <= 8;
                if (!bound_of(run, &g, *a, &p, &reached))
                    return;
                if (g.last && !only_forward)
                    claims_require(run, reached == (strcmp(*a, "plain") == 0 && g.size % 2 == 0),
                                   "%s, s=%" PRIu32 ": the bound is reached by plain with even s "
                                   "only",
                                   *a, g.size);
                reached = g.last ? false : reached;
            }
        }
    }
}

/* Gergel's (3.19): the maximum over q of the time of plain, in steps 2 floor(s/2) + 1. */
void try_torus_maximum(struct claims_run *run)
{
    for (struct claims_packet p = claims_packets(run); claims_next_packet(&p);) {
        uint64_t most = 0;
        for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
            struct claims_seen seen;
            const uint64_t bound = ec_cost_gergel_3_19(g.size, try_step_startup(p.m, p.ts), 1, p.m);
            if (!try_torus(run, &g, "plain", p.m, p.ts, &seen))
                return;
            const uint64_t time = try_steps_time(seen.steps, p.m, p.ts);
            most = time > most ? time : most;
            if (!g.last)
                continue;
            claims_predicted(run, "cycles", bound);
            claims_relate(run, most, CLAIMS_EQ, bound,
                          "s=%" PRIu32 ", m=%" PRIu32 ", ts=%" PRIu32 ", maximum over q: cycles",
                          g.size, p.m, p.ts);
            most = 0;
        }
    }
}

/* Steps of merged (with: 0) and per-column (1), their maxima over q, and that per-column is the
 * torus distance of the packet that has farthest to go, hence the best there is. */
void try_torus_better(struct claims_run *run)
{
    const bool per_column = claims_with(run) == 1;
    uint32_t most = 0;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        const uint32_t s = g.size;
        struct claims_seen seen;
        const uint64_t steps =
            per_column ? ec_cost_shift_per_column(s, g.q) : ec_cost_shift_merged(s, g.q);
        if (!try_torus(run, &g, per_column ? "per-column" : "merged", 8, 0, &seen))
            return;
        most = claims_max(most, seen.steps);
        claims_predicted(run, "steps", steps);
        claims_relate(run, seen.steps, CLAIMS_EQ, steps, "s=%" PRIu32 ", q=%" PRIu32 ": steps", s,
                      g.q);
        uint32_t worst = 0;
        for (uint32_t i = 0; i < g.nodes; i++)
            worst = claims_max(worst, ec_topology_distance(seen.topology, i, (i + g.q) % g.nodes));
        if (per_column)
            claims_relate(run, seen.steps, CLAIMS_EQ, worst,
                          "s=%" PRIu32 ", q=%" PRIu32 ": worst distance", s, g.q);
        if (!g.last)
            continue;
        claims_relate(run, most, CLAIMS_EQ,
                      per_column ? ec_cost_shift_per_column_worst(s)
                                 : ec_cost_shift_merged_worst(s),
                      "s=%" PRIu32 ", maximum over q: steps", s);
        most = 0;
    }
}

/* The load of the busiest link under X-then-Y routing is max(f(r), f(c), f(c+1) if r > 0), on a
 * ring min(q, p - q); the link counters of every run equal the audited loads. */
void try_torus_load(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_ring(run); claims_next(&g);) {
        if (!claims_look(run, g.timed, &seen, "ring:%" PRIu32 " shift:q=%" PRIu32 ",m=8", g.size,
                         g.q))
            return;
        claims_predicted(run, "link load", ec_cost_shift_ring(g.nodes, g.q));
        claims_relate(run, seen.load, CLAIMS_EQ, ec_cost_shift_ring(g.nodes, g.q),
                      "p=%" PRIu32 ", q=%" PRIu32 ": load", g.nodes, g.q);
    }
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        const uint32_t s = g.size;
        if (s < 3)
            continue;
        const uint64_t load = ec_cost_shift_torus_load(s, g.q);
        if (!claims_look(run, g.timed, &seen,
                         "torus:%" PRIu32 "x%" PRIu32 " shift:q=%" PRIu32 ",m=8", s, s, g.q))
            return;
        claims_predicted(run, "link load", load);
        claims_relate(run, seen.load, CLAIMS_EQ, load, "s=%" PRIu32 ", q=%" PRIu32 ": load", s,
                      g.q);
        if (g.timed)
            claims_relate(run, seen.report->max_link_flits, CLAIMS_EQ, 8 * load,
                          "s=%" PRIu32 ", q=%" PRIu32 ": words counted on the busiest link", s,
                          g.q);
    }
}

/* Gergel: column 0 one step south after every row step. with: 0 the placement, 1 the cost against
 * (3.19) with forward rows, and with the shorter ways round. */
void try_torus_each_row(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        const uint32_t s = g.size, bound = 2 * (s / 2) + 1;
        if (!try_torus(run, &g, "compensate-each-row", 8, 0, &seen))
            return;
        claims_predicted(run, "steps <=", bound);
        claims_require_equal(run, seen.steps, ec_cost_shift_compensate_each_row(s, g.q),
                             "s=%" PRIu32 ", q=%" PRIu32 ": 2r + c", s, g.q);
        if (claims_with(run) == 0)
            claims_case(run, seen.checked->placed, "s=%" PRIu32 ", q=%" PRIu32, s, g.q);
        else
            claims_relate(run, seen.steps, CLAIMS_LE, bound, "s=%" PRIu32 ", q=%" PRIu32 ": steps",
                          s, g.q);
    }
    if (claims_with(run) == 0)
        return;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        const uint32_t s = g.size, r = g.q % s, c = g.q / s;
        const uint32_t steps = 2 * claims_min(r, s - r) + claims_min(c, s - c);
        if (steps > 2 * (s / 2) + 1) {
            claims_remark(run,
                          "with the shorter ways round first s=%" PRIu32 ", q=%" PRIu32 ": %" PRIu32
                          " > %" PRIu32,
                          s, g.q, steps, 2 * (s / 2) + 1);
            return;
        }
    }
}

/* --- Corrections --------------------------------------------------------------------------------
 */

/* with: 2 the column direction of plain takes up to floor(s/2) + 1 steps; 3 the bound s + 1 is
 * reached by plain with even s only, and merged never needs more than s. */
void try_torus_correction(struct claims_run *run)
{
    uint32_t south = 0, plain = 0;
    for (struct claims_shift g = claims_torus(run); claims_next(&g);) {
        const uint32_t s = g.size;
        struct claims_seen seen;
        if (!try_torus(run, &g, "plain", 1, 0, &seen))
            return;
        south = claims_max(south, claims_link_steps(seen.topology, seen.schedule, SOUTH));
        plain = claims_max(plain, seen.steps);
        if (claims_with(run) == 3) {
            if (!try_torus(run, &g, "merged", 1, 0, &seen))
                return;
            claims_relate(run, seen.steps, CLAIMS_LE, s,
                          "merged, s=%" PRIu32 ", q=%" PRIu32 ": steps", s, g.q);
        }
        if (!g.last)
            continue;
        if (claims_with(run) == 2)
            claims_relate(run, south, CLAIMS_EQ, s / 2 + 1, "s=%" PRIu32 ": steps south at most",
                          s);
        else
            claims_case(run, (plain == s + 1) == (s % 2 == 0),
                        "plain, s=%" PRIu32 ": %" PRIu32 " steps at most", s, plain);
        south = plain = 0;
    }
}
