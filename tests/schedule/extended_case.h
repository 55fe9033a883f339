/* SPDX-License-Identifier: Apache-2.0 */
/* Extended-cube permutations under test: made dimension by dimension, and their schedules followed
 * element by element, using only the data of the schedule from the library. */
#ifndef EC_EXTENDED_CASE_H
#define EC_EXTENDED_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/schedule.h"

#define DIMS_MAX 14

/* A permutation of k storage dimensions and n processor dimensions behind them. */
struct permutation {
    unsigned k, n;
    uint32_t per_node;
    unsigned from[DIMS_MAX]; /* dimension d takes the bit of from[d], */
    bool inverted[DIMS_MAX]; /* inverted */
};

/* Steps with transfers, by phase, and elements in the fullest node. */
struct phases {
    uint32_t expand, permute, compress, memory;
};

/* "gsh:cycle=...,K=8" and `rest`; false if nothing moves, which has no text. */
bool extended_text(const struct permutation *p, const char *rest, char *text, size_t size);

/* The schedule of `algorithm` for p in a subcube of a cube of `e` dimensions more: opened, audited
 * and followed; the test fails if the three disagree or anything is wrong. */
struct ec_schedule_audit extended_follow(const struct permutation *p, unsigned e,
                                         const char *algorithm, struct phases *ret);

#endif
