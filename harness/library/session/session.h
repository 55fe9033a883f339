/* SPDX-License-Identifier: Apache-2.0 */
/* A session, for the files of this folder that open, run and compare cases. */
#pragma once

#include "ecube/partition.h"
#include "ecube/session.h"
#include "parts/ranks/world.h"
#include "shape/point.h"

/* The options of a session; without a session, options without callbacks. */
const struct ec_session_options *session_options(const struct ec_session *s);

/* Split the runs of the session over so many ranks of a job, of which this process is one. */
void session_ranks(struct ec_session *s, uint32_t ranks);
/* They have met; runs before that are not split over them. NULL: they have not. */
void session_meet(struct ec_session *s, struct world *world);
uint32_t session_rank_count(const struct ec_session *s);
struct world *session_world(const struct ec_session *s);
/* This rank cannot go on, and the others do not know: they may wait for it in a run. So they must
 * be ended. Does nothing unless they have met. */
void session_break(const struct ec_session *s);

/* Does `router` choose the local ports (ports=)? */
bool spec_has_ports(const struct ec_case_spec *spec);

/* Report the phase that begins. Does nothing without a session. */
void session_phase(const struct ec_session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A router of the case, which is the context, with waves (ec_shape_options.traced). The session
 * owns it. */
enum ec_code session_traced(void *context, struct ec_shape **ret, struct ec_error *reterr);

/* Prepare the network of the case in several parts, instead of as a whole. */
enum ec_code session_prepare_parts(const struct ec_case *c, uint32_t parts,
                                   struct ec_error *reterr);
/* More texts of the RTL than the session shows of a run. */
enum { RTL_LINES_MAX = 20, RTL_TEXTS_MAX = RTL_LINES_MAX + 1 };

/* What the RTL of a part has printed in a run, as far as it may be shown. */
struct rtl_texts {
    struct rtl_text {
        uint64_t cycle;
        uint32_t node, number; /* number: in the part */
        char text[500];
    } list[RTL_TEXTS_MAX];
    uint32_t count;
};

/* Open one of them, unless it is kept from the case before, in the thread that steps it. The
 * session owns it. The texts of its RTL go to `texts` until session_part_end(). */
enum ec_code session_part(const struct ec_case *c, const struct ec_partition *partition,
                          uint32_t part, struct ec_net_pulse *pulse, struct rtl_texts *texts,
                          struct ec_net **ret, struct ec_error *reterr);
void session_part_end(const struct ec_case *c, uint32_t part);
/* Where a part reports its progress; the first one of the process, to ec_session_show(). */
struct ec_net_pulse *session_pulse(const struct ec_case *c, uint32_t part, bool first);
/* Show a text of the RTL of a part. */
void session_tell(const struct ec_case *c, const struct rtl_text *text);

/* Does EC_ENGINE_AUTO try the engine simd? False: *ret_why has the reason. */
bool session_vectors(const struct ec_case *c, struct ec_error *ret_why);

/* Choose the fastest algorithm for the pattern of `c`, direct among them, by prediction or trial.
 * Fills schedule and played (NULL for direct), ports and candidates. EC_USAGE if the algorithms of
 * "best" cannot carry such a workload. */
enum ec_code best_choose(struct ec_case *c, struct ec_error *reterr);

/* The points of all compiled routers with coverage (ec_case_spec.cover), with their hits since the
 * last call; while nothing runs. */
void session_points(const struct ec_session *s, ec_point_take *take, void *context);
