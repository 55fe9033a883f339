/* SPDX-License-Identifier: Apache-2.0 */
/* Common to the algorithms with one element per node: the test whether they apply, and the place of
 * every element while they write the schedule. */
#pragma once

#include "schedule/plan/plan.h"

/* A schedule of one element per node while it is written. */
struct journey {
    struct plan *p;
    uint32_t step;  /* of the next hop; set by the caller */
    uint32_t nodes; /* and elements: element i began in node i */
    uint32_t *at;   /* [nodes] where each element is now */
};

/* All elements at their origins, step 1. Call journey_close() in any case. */
enum ec_code journey_open(struct plan *p, struct journey *ret, struct ec_error *reterr);
void journey_close(struct journey *j);

/* In the current step the element goes to another node, on the router's path. */
void journey_send(struct journey *j, uint32_t element, uint32_t node);
/* In the current step the element crosses a link of its node. */
void journey_cross(struct journey *j, uint32_t element, unsigned link);

/* EC_USAGE unless the workload is a circular shift and `fits` is true. `wanted` names the
 * topologies that the algorithm is for. */
enum ec_code shift_check(const struct plan *p, const char *wanted, bool fits,
                         struct ec_error *reterr);

bool shift_square_torus(const struct ec_topology *t);

/* The Gray code, and the links of a cube from ring node i to i + 2^j or i - 2^j (mod 2^dims): two
 * for j > 0, `low` and `high`; for j = 0 both are the same link. */
uint32_t gray_node(uint32_t i);
uint32_t gray_ring(uint32_t node);
void gray_links(unsigned dims, uint32_t i, unsigned j, bool forward, unsigned *ret_low,
                unsigned *ret_high);
/* EC_USAGE unless the workload is a shift on the Gray-coded ring of a cube. */
enum ec_code gray_check(const struct plan *p, struct ec_error *reterr);
/* All elements go 2^j places, in two steps (j = 0: one), in order 'A', 'B' or 'C'. */
void gray_phase(struct journey *j, unsigned exponent, bool forward, char order);

/* The algorithms; the table in shift.c describes them. */
enum ec_code ring_make(struct plan *p, struct ec_error *reterr);
enum ec_code line_make(struct plan *p, struct ec_error *reterr);
enum ec_code torus_each_row_make(struct plan *p, struct ec_error *reterr);
/* On any torus, and on square ones; by the shift in one dimension, which is one of: */
enum ec_code torus_make(struct plan *p, struct ec_error *reterr);
enum ec_code torus_square_make(struct plan *p, struct ec_error *reterr);
void torus_forward(const struct phase *f);
void torus_plain(const struct phase *f);
void torus_merged(const struct phase *f);
void torus_per_column(const struct phase *f);
void torus_wrapped(const struct phase *f);
enum ec_code gray_forward_make(struct plan *p, struct ec_error *reterr);
enum ec_code gray_signed_make(struct plan *p, struct ec_error *reterr);
enum ec_code ecube_steps_make(struct plan *p, struct ec_error *reterr);
enum ec_code two_phase_make(struct plan *p, struct ec_error *reterr);
