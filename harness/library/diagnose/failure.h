/* SPDX-License-Identifier: Apache-2.0 */
/* Explains a failed run: the reason, and a wave of the place. */
#pragma once

#include "ecube/run.h"
#include "ecube/select.h"
#include "ecube/wave.h"
#include "run/play.h"

/* Where a run failed, as far as known. */
struct failure_place {
    uint64_t cycle;
    uint64_t begin; /* of a deadlock: its cause, or the first of its packets stops; or 0 */
    struct ec_node_set nodes; /* the culprit, or the cycle of routers that wait; empty: not known */
    unsigned port;            /* of the culprit, if known */
    bool has_port;
    char what[1200];  /* what broke there, without the cycle; "": only the checks say it */
    char cause[1400]; /* the same with cycle and place, if it is the first breach */
};

/* Nothing moves, or a packet is very old (*state): is this a deadlock? True: the run is over, the
 * report has the outcome and the check of progress, and `place` is set. False: the packet was only
 * old; the play has been replayed to the same cycle and can continue. */
bool explain_stand_still(struct play *p, enum play_state *state, struct ec_report *report,
                         struct failure_place *place);

/* After the checks: if one failed, name the router that broke the contract first, if any did. */
void explain(struct play *p, struct ec_report *report, struct failure_place *place);

/* Is there something that explain() would look into: a failed check other than that of stability,
 * or a network that is slower than overload may explain? */
bool explain_applies(const struct play *p, const struct ec_report *report);

/* Did a check fail that a wave can show? It cannot show overload and errors of a schedule. */
bool explain_by_wave(const struct play *p, const struct ec_report *report);

/* Replay with the checks inside the RTL, then once more with a dump of the routers concerned. Fills
 * report->failure. Never fails: errors become its note. */
void failure_replay(struct play *p, const struct failure_place *known, struct ec_report *report);
void failure_close(struct ec_failure *f);

/* --- Shared with comparisons ---------------------------------------------------------------- */

/* The cycles from shortly before a failure to shortly after its last consequence; if these are too
 * many to stay readable, those around the failure. On longer links, shortly is longer. */
struct ec_cycle_range failure_cycles(const struct ec_router *r, uint64_t cycle, uint64_t last);
/* Add the router at the other end of a link to a set; nothing for other ports. */
bool failure_peer(const struct ec_topology *t, uint32_t node, unsigned port,
                  struct ec_node_set *set);
/* A hash of the RTL that a shape was made from, mixed into a key. */
uint64_t failure_key(uint64_t key, const struct ec_shape *shape);
/* Finish the wave of a replay of `cycles`. If the replay was interrupted (not `whole`), keep the
 * cycles dumped and say so in the note; EC_INTERRUPTED if there are none. */
enum ec_code failure_wave_finish(struct ec_wave *wave, bool whole,
                                 const struct ec_cycle_range *cycles, struct ec_wave_summary *ret,
                                 char *note, size_t size, struct ec_error *reterr);
/* Append to a note. */
void failure_note(char *note, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
