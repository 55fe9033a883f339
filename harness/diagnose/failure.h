/* SPDX-License-Identifier: Apache-2.0 */
/* The replay of a failed run that leaves a wave. */
#ifndef EC_FAILURE_H
#define EC_FAILURE_H

#include "ecube/run.h"
#include "ecube/select.h"
#include "ecube/wave.h"
#include "run/play.h"

/* What is known of the place of a failure; no nodes: nothing. */
struct failure_place {
    uint64_t cycle;
    struct ec_node_set nodes; /* the culprit, or the circle of those who wait */
};

/* Play again with the RTL's checks on, then once more with a dump of the routers concerned. Fills
 * report->failure; never fails itself: what went wrong becomes its note. */
void failure_replay(struct play *p, const struct failure_place *place, struct ec_report *report);
/* The cycles around a place, and the routers around those of a set (which grows by them), as far as
 * a dump stays readable. */
struct ec_cycle_range failure_cycles(uint64_t cycle);
bool failure_neighbours(const struct ec_topology *t, struct ec_node_set *set);
/* Finish the wave of a replay of `cycles`. One that was interrupted (not `whole`) is kept as far as
 * it came, and the note says so; without a cycle there is none: EC_INTERRUPTED. */
enum ec_code failure_wave_finish(struct ec_wave *wave, bool whole,
                                 const struct ec_cycle_range *cycles, struct ec_wave_summary *ret,
                                 char *note, size_t size, struct ec_error *reterr);
/* Add to a note. */
void failure_note(char *note, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void failure_close(struct ec_failure *f);

#endif
