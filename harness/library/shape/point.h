/* SPDX-License-Identifier: Apache-2.0 */
/* A point of coverage, as a router compiled with coverage tells it. */
#pragma once

#include <stdint.h>

struct ec_point {
    const char *file;
    uint32_t line, column;
    const char *page;    /* kind and module: "v_line/ec_fifo", "v_branch/...", "v_toggle/...",
                            "v_user/..." */
    const char *comment; /* "if", "block", the toggled bit, the label of a cover property */
    const char *lines;   /* that it covers, "12-14,20"; "": none but its own */
    const char *hier;    /* the instance, ".ec_tile.u_router.u_cover" */
};

/* Receives a point and how often it was hit since the last call. */
typedef void ec_point_take(void *context, const struct ec_point *point, uint64_t hits);
