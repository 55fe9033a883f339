/* SPDX-License-Identifier: Apache-2.0 */
/* Which rates to measure: first a grid, then rounds that bracket the saturation. A round depends on
 * the results of the rounds before it only, so the rates are the same for every number of workers.
 */
#pragma once

#include "ecube/error.h"
#include "program/sweep/sweep.h"

/* Saturation by latency: the mean is above this many zero-load latencies. */
#define SWEEP_SLOW_FACTOR 3.0
/* A bracket is narrow enough at this share of the bound. */
#define SWEEP_RESOLUTION  0.01

enum {
    SWEEP_ROUNDS_MAX = 8, /* with the grid */
    SWEEP_RATES_MAX = 1000,
};

/* Which definitions of saturation to bracket, bits. */
enum { SWEEP_SEARCH_BACKLOG = 1 << SWEEP_BACKLOG, SWEEP_SEARCH_LATENCY = 1 << SWEEP_LATENCY };

struct sweep_rate {
    double rate;
    char text[32];
    enum sweep_purpose purpose;
};

struct sweep_rates {
    struct sweep_rate at[SWEEP_RATES_MAX]; /* [count] ascending */
    size_t count;
};

/* "0.1,0.2" or "FROM:TO:STEP". EC_USAGE. */
enum ec_code sweep_rates_read(const char *text, struct sweep_rates *ret, struct ec_error *reterr);

/* Fractions of the bound, the last one beyond it, none of them 1. */
void sweep_rates_grid(double bound, struct sweep_rates *ret);

/* The next round of a curve with a bound: rates that narrow the brackets. None: it is finished. */
void sweep_rates_next(const struct sweep_curve *c, unsigned what, struct sweep_rates *ret);

/* Has a run shown the upper end of a bracket? Otherwise it is the bound. */
bool sweep_bracket_is_measured(const struct sweep_curve *c, const struct sweep_bracket *b);

/* Is the middle of a bracket worth showing? Not if it is far from the bound that is its end. */
bool sweep_bracket_is_found(const struct sweep_curve *c, const struct sweep_bracket *b);

/* Are both ends of a bracket close enough to each other? */
bool sweep_bracket_is_narrow(const struct sweep_curve *c, const struct sweep_bracket *b);

/* The points inside a bracket: none of them decides on which side of the saturation it is. */
size_t sweep_bracket_undecided(const struct sweep_curve *c, const struct sweep_bracket *b);

/* Update the brackets from the points. */
void sweep_curve_judge(struct sweep_curve *c);
