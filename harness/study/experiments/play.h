/* SPDX-License-Identifier: Apache-2.0 */
/* Audits and runs in the ways that experiments share. All return false if the experiment should go
 * no further. */
#ifndef CLAIMS_PLAY_H
#define CLAIMS_PLAY_H

#include "ec_cost_exact.h"
#include "ecube/sdp.h"
#include "study/experiments.h"
#include "study/experiments/cycles.h"
#include "study/grids.h"

/* --- Shifts ----------------------------------------------------------------------------------- */

/* The cycles of `steps` steps under --sync step, each of them messages of m words over one link:
 * the closed form of one such message, so many times. */
uint64_t steps_time(uint64_t steps, uint32_t m, uint32_t ts);

/* What a schedule of steps must always show: it is valid, every node at most one packet at a time;
 * and on RTL, no contended cycle and cycles equal to those of its steps. False: go no further. */
bool play_steps(struct claims_run *run, bool timed, struct claims_seen *ret, const char *format,
                ...) CLAIMS_FORMAT(4, 5);
bool play_ring(struct claims_run *run, const struct claims_shift *g, const char *algorithm,
               uint32_t m, uint32_t ts, struct claims_seen *ret);
bool play_torus(struct claims_run *run, const struct claims_shift *g, const char *algorithm,
                uint32_t m, uint32_t ts, struct claims_seen *ret);
bool play_gray(struct claims_run *run, const struct claims_shift *g, const char *algorithm,
               uint32_t m, uint32_t ts, struct claims_seen *ret);

/* The same under --sync data, for the words of a case: cycles as the longest path through the
 * transfers predicts them, and never more than `cycles` step by step. */
bool play_data(struct claims_run *run, uint64_t cycles, const char *format, ...)
    CLAIMS_FORMAT(3, 4);

/* A shift on a cube with plain labels (or on the Gray-coded ring), every message straight to its
 * destination. */
bool play_direct(struct claims_run *run, const struct claims_shift *g, bool gray, bool high,
                 uint32_t m, uint32_t ts, struct claims_seen *ret);

/* One given shift, as if it were the only one of a grid. */
struct claims_shift single_shift(uint32_t size, uint32_t nodes, uint32_t q);

/* t_s + t_w m of the texts is the time of one step here: what is left of it without m (t_w = 1). */
uint64_t step_startup(uint32_t m, uint32_t ts);

/* --- Schedules of one cycle ------------------------------------------------------------------- */

/* How elements are sent. */
struct pace {
    uint32_t block, startup; /* B, t_s */
};
#define PLAIN_PACE ((struct pace){0}) /* one word per packet, no start-up */

/* Audits the schedule that `algorithm` makes of the case, and runs it in both disciplines (with one
 * port, step by step only) if it is timed; `ret` shows the run step by step. Must show: it is
 * valid; no contended cycle; the cycles of its steps, each as long as its longest packet. False: go
 * no further. */
bool play_gsh(struct claims_run *run, const struct gsh *g, const char *algorithm, struct pace pace,
              struct claims_seen *ret);
/* The same for all words of a case. */
bool play_words(struct claims_run *run, bool timed, const char *text, struct claims_seen *ret);
/* The same for any words of a workload with K elements per node ("cube:3 gsh:..."). */
bool play_paced(struct claims_run *run, bool timed, const char *words, const char *algorithm,
                struct pace pace, struct claims_seen *ret);

/* Start-ups (steps) and transfers in sequence (of each step the elements of its longest packet). */
uint64_t count_transfers(const struct ec_schedule *s);
/* What these cost on RTL: cycles of a word and of a packet beside its words, as one packet alone
 * shows; t_s comes to the latter. */
struct machine {
    uint64_t tc, tau;
};
bool measure_machine(struct claims_run *run, struct machine *ret);
uint64_t machine_cycles(const struct machine *m, uint64_t transfers, uint64_t startups,
                        uint32_t startup);

/* Follows the elements of a schedule step by step. */
struct trace {
    const struct ec_schedule *s;
    struct ec_place
        *at; /* [holders * per_node] after `step` and the moves before the next; owned */
    uint32_t step;
    size_t transfer, move;
};
/* False: out of memory. */
bool trace_open(struct trace *t, const struct ec_schedule *s);
/* Local moves before the next step. Then, with trace_go(), its transfers. */
void trace_move(struct trace *t);
void trace_go(struct trace *t);
void trace_close(struct trace *t);

/* Elements over each directed link: count[node * links + link]. NULL: out of memory. */
uint32_t *link_elements(const struct ec_topology *t, const struct ec_schedule *s);

/* A row of a schedule's table: exchanges[first .. end), and whether it begins elsewhere than in the
 * first processor dimension of all. */
struct table_row {
    size_t first, end;
    bool elsewhere;
};
/* The row that begins at exchange `first`; false beyond the last. */
bool table_row_at(const struct ec_schedule *s, size_t first, struct table_row *ret);

/* Random numbers, the same in every run. */
uint32_t draw_below(uint64_t *state, uint32_t below);

/* --- Schedules of several blocks -------------------------------------------------------------- */

/* The schedule of `algorithm` with packets of B elements: audited, and, if `timed`, run on RTL in
 * both disciplines. It must be valid, no link may serve two transfers of a step, and with --sync
 * step cycles must be the sum of the times of its steps, without contention. `ret` is that of
 * --sync step. False: go no further. */
bool play_blocks(struct claims_run *run, const struct shuffle *g, const char *algorithm,
                 uint32_t block, uint32_t startup, bool timed, struct claims_seen *ret);
/* The same for all words of a case. */
bool play_blocks_words(struct claims_run *run, bool timed, const char *name, const char *words,
                       struct claims_seen *ret);
/* The same, but it may be refused: *ret_refused, and true. */
bool play_blocks_or_refused(struct claims_run *run, const struct shuffle *g, const char *algorithm,
                            uint32_t block, bool timed, struct claims_seen *ret, bool *ret_refused);

/* What the steps of a schedule cost: start-ups, and, for each step, the elements of its longest
 * transfer. */
struct ec_cost_terms schedule_terms(const struct ec_schedule *s);

/* Are these the terms of the schedule, `expected` by a formula? A case, with a condition. */
void terms_case_if(struct claims_run *run, bool condition, const struct ec_schedule *s,
                   struct ec_cost_terms expected, const char *format, ...) CLAIMS_FORMAT(5, 6);

/* Cycles of so many transfers of elements of `words` words, in so many steps one after the other:
 * t_c is a word's time, tau what a step over one link takes beside its words. */
uint64_t terms_time(struct ec_cost_terms terms, uint32_t words, uint32_t startup);

/* play_blocks() of it: one word an element, one element a packet. */
bool play_multi(struct claims_run *run, const struct multi *g, const char *algorithm,
                struct claims_seen *ret);

/* The most processor bits that an element has to change. */
unsigned most_hops(const struct ec_sdp *s);

#endif
