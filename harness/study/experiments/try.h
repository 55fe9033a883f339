/* SPDX-License-Identifier: Apache-2.0 */
/* What several experiments share. */
#ifndef CLAIMS_TRY_H
#define CLAIMS_TRY_H

#include "study/experiments.h"
#include "study/grids.h"

/* The cycles of `steps` steps under --sync step, each of them messages of m words over one link:
 * the closed form of one such message, so many times. */
uint64_t try_steps_time(uint64_t steps, uint32_t m, uint32_t ts);

/* What a schedule of steps must always show: it is valid, every node at most one packet at a time;
 * and on RTL, no contended cycle and cycles equal to those of its steps. False: go no further. */
bool try_steps(struct claims_run *run, bool timed, struct claims_seen *ret, const char *format, ...)
    CLAIMS_FORMAT(4, 5);
bool try_ring(struct claims_run *run, const struct claims_shift *g, const char *algorithm,
              uint32_t m, uint32_t ts, struct claims_seen *ret);
bool try_torus(struct claims_run *run, const struct claims_shift *g, const char *algorithm,
               uint32_t m, uint32_t ts, struct claims_seen *ret);
bool try_gray(struct claims_run *run, const struct claims_shift *g, const char *algorithm,
              uint32_t m, uint32_t ts, struct claims_seen *ret);

/* The same under --sync data, for the words of a case: cycles as the longest path through the
 * transfers predicts them, and never more than `cycles` step by step. */
bool try_data(struct claims_run *run, uint64_t cycles, const char *format, ...) CLAIMS_FORMAT(3, 4);

/* A shift on a cube with plain labels (or on the Gray-coded ring), every message straight to its
 * destination. */
bool try_direct(struct claims_run *run, const struct claims_shift *g, bool gray, bool high,
                uint32_t m, uint32_t ts, struct claims_seen *ret);

/* One given shift, as if it were the only one of a grid. */
struct claims_shift try_one(uint32_t size, uint32_t nodes, uint32_t q);

/* t_s + t_w m of the texts is the time of one step here: what is left of it without m (t_w = 1). */
uint64_t try_step_startup(uint32_t m, uint32_t ts);

#endif
