/* SPDX-License-Identifier: Apache-2.0 */
/* The table of points, for those who make sense of them. */
#pragma once

#include "base/lookup.h"
#include "program/coverage/coverage.h"

struct covered_point {
    char *text; /* its keys and values; owned */
    size_t size;
    uint64_t hits;
};

struct ec_coverage {
    struct covered_point *points;
    size_t count, room;
    struct lookup known; /* index of a point by the hash of its text */
    bool lost;
};

/* The value of a key of a point, borrowed and not terminated; false: it has none. */
bool covered_value(const struct covered_point *p, const char *key, const char **ret,
                   size_t *ret_size);
