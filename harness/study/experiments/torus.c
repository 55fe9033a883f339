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

/* --- Corrections --------------------------------------------------------------------------------
 */
