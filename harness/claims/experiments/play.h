/* SPDX-License-Identifier: Apache-2.0 */
/* Audits and runs that several experiments share. Functions that return bool return false if the
 * experiment must return. */
#ifndef CLAIMS_PLAY_H
#define CLAIMS_PLAY_H

#include "claims/experiments.h"
#include "claims/experiments/cycles.h"
#include "ec_cost_exact.h"
#include "ecube/sdp.h"

/* --- Shifts ----------------------------------------------------------------------------------- */

/* The cycles of `steps` steps under --sync step: `steps` times the closed form of one message of m
 * words over one link. */
uint64_t steps_time(uint64_t steps, uint32_t m, uint32_t ts);

/* Checks what every schedule of steps must satisfy: it is valid; a node handles at most one packet
 * at a time; on RTL, no cycle is contended and the cycles are the sum of its steps. */
bool play_steps(struct claims_run *run, bool timed, const char *words, struct claims_seen *ret);

/* The same case under --sync data: the cycles are those of the longest path through the transfers,
 * and at most `cycles`, the count step by step. */
bool play_data(struct claims_run *run, uint64_t cycles, const char *words);

/* The start-up t_s of the papers, where one step takes t_s + t_w m: the time of a step here without
 * its m words (t_w = 1). */
uint64_t step_startup(uint32_t m, uint32_t ts);

/* --- Schedules of one cycle ------------------------------------------------------------------- */

/* Audits a schedule and, if timed, runs it in both disciplines (with one port only step by step);
 * `ret` is the run step by step. Checks that the schedule is valid, no cycle is contended, and the
 * cycles are the sum of its steps, each as long as its longest packet. */
bool play_words(struct claims_run *run, bool timed, const char *words, struct claims_seen *ret);

/* Transfers in sequence: the sum over all steps of the elements in the longest packet. */
uint64_t count_transfers(const struct ec_schedule *s);
/* Follows the elements of a schedule step by step. */
struct trace {
    const struct ec_schedule *s;
    struct ec_place
        *at; /* [holders * per_node] after `step` and the local moves before the next one; owned */
    uint32_t step;
    size_t transfer, move;
};
/* False: out of memory. */
bool trace_open(struct trace *t, const struct ec_schedule *s);
/* trace_move() applies the local moves before the next step, then trace_go() its transfers. */
void trace_move(struct trace *t);
void trace_go(struct trace *t);
void trace_close(struct trace *t);

/* Elements that cross each directed link: count[node * links + link]. NULL: out of memory. */
uint32_t *link_elements(const struct ec_topology *t, const struct ec_schedule *s);

/* A pseudo-random number below `below`; the sequence is the same in every run. */
uint32_t draw_below(uint64_t *state, uint32_t below);

/* --- The grid SDP ----------------------------------------------------------------------------- */

/* First the smallest SDP with a complement, ~0 on one node bit; then 50 of up to 6 dimensions, then
 * SDP of up to 12. They are the same in every run, and the quick grid is the start of the full one,
 * the first `quick` of them. */
struct sdp_grid {
    uint64_t d; /* the state of the generator */
    unsigned number, count;
    struct ec_sdp s;
};
struct sdp_grid sdp_grid(const struct claims_run *run, unsigned quick);
bool sdp_next(struct sdp_grid *g);
/* "SDP 2-1+~0 on (1|2)": n node bits, k storage bits. */
void sdp_name(const struct ec_sdp *s, char *text, size_t size);
/* As arguments of the command line, "cube:3 gsh:cycle=...,K=8"; "" for the identity, which is no
 * workload. */
void sdp_words(const struct ec_sdp *s, char *text, size_t size);

/* --- Schedules of several blocks -------------------------------------------------------------- */

/* Audits a schedule and, if `timed`, runs it on RTL in both disciplines. Checks that it is valid,
 * no link serves two transfers in a step, no cycle is contended and, with --sync step, the cycles
 * are the sum of its steps. `ret` is the run with --sync step. */
bool play_blocks_words(struct claims_run *run, bool timed, const char *name, const char *words,
                       struct claims_seen *ret);
/* The same for "TOPOLOGY WORKLOAD" with the algorithm of the fewest steps among all for n ports
 * that apply, the best schedule known; or with the first that takes at most `enough` steps. */
bool play_best(struct claims_run *run, const char *words, uint64_t enough, bool timed,
               struct claims_seen *ret);
/* The names of all these algorithms, "A, B, C". */
enum { SCHEDULES_SIZE = 1000 };
bool list_schedules(struct claims_run *run, const char *words, char *ret);

/* The largest number of processor bits that an element has to change. */
unsigned most_hops(const struct ec_sdp *s);

#endif
