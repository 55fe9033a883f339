/* SPDX-License-Identifier: Apache-2.0 */
/* The interface for experiments. CONTRIBUTING.md, section "Add a claim", explains it.
 *
 * An experiment iterates over its grid and reports for each case whether the statement of its row
 * is true. The verdict follows from these reports; an experiment never states it. Grids go from
 * small to large, so the first false case is the smallest counterexample. */
#ifndef CLAIMS_EXPERIMENT_H
#define CLAIMS_EXPERIMENT_H

#include "claims/claims.h"
#include "ecube/audit.h"
#include "ecube/run.h"
#include "ecube/schedule.h"
#include "ecube/topology.h"
#include "ecube/workload.h"

#define CLAIMS_FORMAT(a, b) __attribute__((format(printf, a, b)))

bool claims_is_full(const struct claims_run *run);

/* Append to the words of a case. Words that do not fit become empty, so that they are rejected and
 * not mistaken for another case. */
void claims_add(char *buffer, size_t size, const char *format, ...) CLAIMS_FORMAT(3, 4);

/* --- Cases ------------------------------------------------------------------------------------ */

enum claims_relation { CLAIMS_EQ, CLAIMS_LE, CLAIMS_LT, CLAIMS_GE, CLAIMS_GT };

/* One case: the statement is true or false. The text names the case and what was observed. */
void claims_case(struct claims_run *run, bool truth, const char *format, ...) CLAIMS_FORMAT(3, 4);
/* The same for a statement that must be true exactly where `condition` is true. */
void claims_case_if(struct claims_run *run, bool condition, bool truth, const char *format, ...)
    CLAIMS_FORMAT(4, 5);

/* The statement is left REL right. The text names the case and then the counted quantity; a false
 * case is shown as "s=3, q=8: steps: 5, stated at most 4". For <= and >=, the slack is reported. */
void claims_relate(struct claims_run *run, uint64_t left, enum claims_relation rel, uint64_t right,
                   const char *format, ...) CLAIMS_FORMAT(5, 6);
void claims_relate_if(struct claims_run *run, bool condition, uint64_t left,
                      enum claims_relation rel, uint64_t right, const char *format, ...)
    CLAIMS_FORMAT(6, 7);

/* "At most `stated`" for a quantity whose exact value may be unknown: `known` is the smallest that
 * can be shown, none is below `bound`. True if known <= stated, false if bound > stated (shown as
 * "steps at least: 9, stated at most 8", with the bound), else open: neither. known < bound is a
 * mistake. */
void claims_at_most(struct claims_run *run, uint64_t known, uint64_t bound, uint64_t stated,
                    const char *format, ...) CLAIMS_FORMAT(5, 6);

/* An assumption of the experiment, or our own exact value or correction. If it is false, the row
 * fails whatever its verdict. Returns `truth`. */
bool claims_require(struct claims_run *run, bool truth, const char *format, ...)
    CLAIMS_FORMAT(3, 4);
/* left == right. */
bool claims_require_equal(struct claims_run *run, uint64_t left, uint64_t right, const char *format,
                          ...) CLAIMS_FORMAT(4, 5);

/* The statement cannot be verified on our machine; the experiment runs an equivalent. */
void claims_equivalent(struct claims_run *run);

/* --- Numbers for the columns: "steps 1..9", the range over all cases -------------------------- */

void claims_predicted(struct claims_run *run, const char *what, uint64_t value);
void claims_audited(struct claims_run *run, const char *what, uint64_t value);
void claims_measured(struct claims_run *run, const char *what, uint64_t value);
/* A sentence for the note. */
void claims_remark(struct claims_run *run, const char *format, ...) CLAIMS_FORMAT(2, 3);
/* The next cases have no audit or run; only `ecube claims ID` reproduces them. */
void claims_without_command(struct claims_run *run);
/* The next cases are shown by "ecube WHAT WORDS" instead of the last audit or run; a second call,
 * by both. */
void claims_shown_by(struct claims_run *run, const char *what, const char *format, ...)
    CLAIMS_FORMAT(3, 4);
/* Add a command that reproduces a part of the finding. */
void claims_command(struct claims_run *run, const char *format, ...) CLAIMS_FORMAT(2, 3);
/* A row of the experiment's table, cells separated by commas. The first row is the heading. */
void claims_table_row(struct claims_run *run, const char *format, ...) CLAIMS_FORMAT(2, 3);

/* --- Audits and runs -------------------------------------------------------------------------- */

/* The results of an audit and a run. Pointers are valid until the next call. */
struct claims_seen {
    const struct ec_topology *topology;
    const struct ec_workload *workload;      /* of the pattern */
    const struct ec_audit *audit;            /* direct: paths of all messages; else NULL */
    const struct ec_schedule *schedule;      /* another algorithm; else NULL */
    const struct ec_schedule_audit *checked; /* of that schedule */
    const struct ec_report *report;          /* after a run */
    uint32_t startup;                        /* cycles before each packet */
    uint32_t steps, load, hops;              /* load: most messages on a link (in a step) */
    uint64_t cycles;                         /* after a run, as the next two */
    uint64_t contended;                      /* only where claims_sees_contention() */
    uint64_t predicted;                      /* 0: no prediction */
};

/* Audit a case, written as arguments of `ecube run`: "cube:3 shift:q=5,m=8 --algorithm
 * gray-forward"; if `timed`, run it on RTL, too, where every check must pass. Fills the columns and
 * records the command. False: it failed, which is recorded, and the experiment must return. A
 * schedule with a defect is not a failure: see ->checked. */
bool claims_measure(struct claims_run *run, bool timed, struct claims_seen *ret, const char *words);
/* One message of `words` words alone in the network. */
bool claims_measure_single(struct claims_run *run, struct claims_seen *ret, const char *topology,
                           uint32_t src, uint32_t dst, uint32_t words, uint32_t startup,
                           const char *router);
/* A schedule that the experiment made itself, on the topology and for the pattern of messages that
 * it stands for. It is taken. Runs on RTL if `timed`. No command reproduces it. */
bool claims_play_schedule(struct claims_run *run, bool timed, struct claims_seen *ret,
                          struct ec_schedule *s, const char *topology, const char *workload);
/* The map `to` of the nodes of an n-cube, a message of `words` words for each node that does not
 * stay; on RTL if `timed`. No command line reproduces it (see claims_without_command). */
bool claims_measure_map(struct claims_run *run, bool timed, struct claims_seen *ret, unsigned n,
                        const uint32_t *to, uint32_t words);
/* Did the run count contended cycles? A router without taps does not: checks of them are skipped,
 * and the row cannot hold. */
bool claims_sees_contention(struct claims_run *run, const struct claims_seen *seen);
/* Require that no cycle was contended; true also where that is unknown. */
bool claims_require_uncontended(struct claims_run *run, const struct claims_seen *seen,
                                const char *format, ...) CLAIMS_FORMAT(3, 4);
/* Require the predicted cycles. Also true for a router with another pipeline, where they are not
 * checked. */
bool claims_require_predicted(struct claims_run *run, const struct claims_seen *seen,
                              const char *format, ...) CLAIMS_FORMAT(3, 4);
/* Does ecube reject these words as bad input? Records nothing. */
bool claims_refused(const char *topology, const char *workload, const char *algorithm);

/* --- Schedules ------------------------------------------------------------------- */

/* Number of steps in which at least `least` > 0 nodes send over their link `link` (adjacent
 * transfers only). */
uint32_t claims_link_steps(const struct ec_topology *t, const struct ec_schedule *s, unsigned link,
                           uint32_t least);

/* --- Small arithmetic ------------------------------------------------------------------------- */

static inline uint32_t claims_min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}
static inline uint32_t claims_max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}
static inline unsigned claims_ones(uint64_t x)
{
    return (unsigned)__builtin_popcountll(x);
}
/* Storage dimensions of K elements a node; the processor's begin above them. */
static inline unsigned claims_storage(uint32_t per_node)
{
    unsigned k = 0;
    while (UINT32_C(1) << k < per_node)
        k++;
    return k;
}

#endif
