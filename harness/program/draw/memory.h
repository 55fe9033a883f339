/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of all nodes, moment by moment: which element is in which slot, and which elements
 * change places next (Johnsson and Ho, Figures 1, 3, 4 and 10). */
#ifndef DRAW_MEMORY_H
#define DRAW_MEMORY_H

#include <stdint.h>
#include <stdio.h>

#include "ecube/error.h"
#include "ecube/schedule.h"
#include "ecube/topology.h"

struct memory_cell {
    uint32_t element; /* EC_NONE: empty */
    bool moves;
    unsigned dimension; /* that it crosses; meaningless if it stays in its node */
    char mark[16];      /* "X3": swaps with the other X3; "→5": goes to node (or slot) 5 */
};

/* Before a step, or before moves within the nodes, or at the end. */
struct memory_moment {
    char title[80];
    bool within;               /* the elements that move stay in their nodes */
    struct memory_cell *cells; /* [slots * nodes], slot by slot; owned */
};

struct memory {
    const struct ec_topology *t;
    char title[700];
    uint32_t slots, per_node;
    struct memory_moment *moments;
    size_t count;

    /* The page, chosen by the caller. */
    bool bits;          /* names are bits of the machine address, not numbers; for cubes */
    unsigned columns;   /* moments in a row; 0: as many as a screen shows */
    double millimetres; /* width in print; 0: a pixel is 1/96 inch */
};

/* EC_USAGE: too large for memory_svg() (`svg`) or for any picture. Schedules with defects are drawn
 * as they are: an element moves from where it is. */
enum ec_code memory_of_schedule(const struct ec_topology *t, const struct ec_schedule *s,
                                const char *title, bool svg, struct memory *ret,
                                struct ec_error *reterr);
void memory_close(struct memory *m);

void memory_svg(FILE *out, const struct memory *m);
/* Tables wider than `width` characters (0: no limit) are printed in blocks of nodes. */
void memory_text(FILE *out, const struct memory *m, unsigned width);

#endif
