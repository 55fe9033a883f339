/* SPDX-License-Identifier: Apache-2.0 */
/* What algorithm "best" chooses over the values of a parameter. */
#pragma once

#include "ecube/session.h"

/* A parameter of a case of algorithm "best": K of a permutation of address bits, the words of a
 * message, the cycles of a start-up. */
enum ec_axis { EC_AXIS_ELEMENTS, EC_AXIS_LENGTH, EC_AXIS_STARTUP };

/* What "best" chooses at a value; `open`: `rival`, a candidate without a prediction, may be faster.
 */
struct ec_axis_point {
    uint64_t value;
    struct ec_candidate best, rival;
    bool open;
};

enum {
    EC_AXIS_VALUE_MAX = 1024, /* words, cycles of a start-up; or that of the case, if larger */
    EC_AXIS_ELEMENTS_MAX = 1 << 13, /* in all nodes; or those of the case, if they are more */
};

struct ec_axis_points {
    struct ec_axis_point *at; /* by value; the caller frees it */
    size_t count;
};

/* What "best" chooses at powers of two and at the value of the case, else as in the case; for words
 * and start-ups also at those values between two of these where bisection finds that the choice
 * changes. Nothing is known of other values. A candidate without a prediction runs for at most the
 * budget of the case and 2^20 router-cycles. EC_INTERRUPTED, EC_MEMORY, errors of ec_case_open().
 */
enum ec_code ec_case_over(const struct ec_case *c, enum ec_axis axis, struct ec_axis_points *ret,
                          struct ec_error *reterr);
/* Do two points choose one algorithm, perhaps with other parameters? */
bool ec_axis_same(const struct ec_axis_point *a, const struct ec_axis_point *b);
