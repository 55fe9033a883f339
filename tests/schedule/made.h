/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules made by the library, and an independent check that shares no code with it. */
#ifndef EC_MADE_H
#define EC_MADE_H

#include "table.h"
#include "unit.h"

#include "ecube/schedule.h"

struct made {
    struct ec_topology t;
    struct ec_workload *w;
    struct ec_schedule *s;
    struct ec_schedule_audit a;
    char text[160]; /* all three names, for messages */
};

/* Open and audit; fails the test if the library refuses. Close it with made_close(). */
void made_open(const char *topology, const char *workload, const char *algorithm, struct made *ret);
void made_close(struct made *m);

/* Results of moving the elements in the test. */
struct found {
    bool sound;    /* every transfer carries elements that are at its source, once */
    bool adjacent; /* between neighbours, by coordinates */
    bool free;     /* no directed link twice in a step */
    bool one_port;
    uint32_t steps; /* with transfers */
    uint32_t at[1 << 12];
    uint32_t slot[1 << 12];
};

/* For schedules of one element per node, up to 4096 nodes. */
void made_follow(const struct made *m, struct found *ret);

/* The audit and the test agree, element by element. */
void made_agree(const struct made *m, const struct found *f);

/* A circular shift done right: valid, one element per node after every step (unless all ports),
 * every element at ring place i + q, `steps` steps. */
void made_right(const struct made *m, uint32_t q, uint32_t steps);

/* Gray code, and back by search. */
uint32_t gray_of(uint32_t i);
uint32_t ring_of(uint32_t node);

/* A row of a table (tests/unit/table.h): its numbers, '-' as UINT32_MAX. */
struct row {
    uint32_t number[TABLE_CELLS_MAX];
    const struct table *table; /* texts of the cells */
};
/* Calls back for every row; fails unless there are `rows` of them. */
void each_row(const char *name, size_t rows, void (*check)(const struct row *r));

#endif
