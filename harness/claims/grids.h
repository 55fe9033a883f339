/* SPDX-License-Identifier: Apache-2.0 */
/* The grids of cases, by the names that rows use (RING, TOR, CUBE, ...). */
#ifndef CLAIMS_GRIDS_H
#define CLAIMS_GRIDS_H

#include "claims/experiment.h"

/* Circular shifts of one family of networks, from small to large, each with its q:
 *
 *     for (struct claims_shift g = claims_cube(run); claims_next(&g);)
 *         ... g.size, g.nodes, g.q, g.timed ...
 */
struct claims_shift {
    uint32_t size;  /* p of a ring or line, side s of a torus, dimensions d of a cube */
    uint32_t nodes; /* p */
    uint32_t q;
    bool timed; /* this case also runs on RTL */
    bool last;  /* of this size */

    /* Private to the iterator. */
    const struct claims_family *family;
    uint32_t last_size, extra_size; /* extra: one more size after a gap, or 0 */
    uint32_t all_timed, sampled;    /* sizes with every q timed; number of q timed above, to */
    uint32_t timed_size;
};
struct claims_shift claims_ring(const struct claims_run *run);
struct claims_shift claims_line(const struct claims_run *run);
struct claims_shift claims_torus(const struct claims_run *run);
struct claims_shift claims_cube(const struct claims_run *run);
/* For algorithms with many steps: fewer cubes have every q timed. */
struct claims_shift claims_cube_steps(const struct claims_run *run);
bool claims_next(struct claims_shift *g);

/* PKT for shifts: words of a message, and start-up cycles. */
struct claims_packet {
    uint32_t m, ts;
    unsigned index;
    bool full;
};
struct claims_packet claims_packets(const struct claims_run *run);
bool claims_next_packet(struct claims_packet *p);

/* The meaning of a grid's name, or NULL. */
const char *claims_grid(const char *name, size_t length, bool full);

#endif
