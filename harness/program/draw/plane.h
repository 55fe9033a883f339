/* SPDX-License-Identifier: Apache-2.0 */
/* The plane of K and sigma_r: the steps of one mixed GSH by each kind of schedule, and which kind
 * has the fewest (Johnsson and Ho, Theorem 1 and Figure 6). */
#ifndef DRAW_PLANE_H
#define DRAW_PLANE_H

#include <stdint.h>
#include <stdio.h>

#include "ecube/error.h"

enum plane_kind { PLANE_PIPELINED, PLANE_CONCURRENT, PLANE_PARITY, PLANE_LOCKSTEP, PLANE_KINDS };

#define PLANE_ORDERS_MAX   10
#define PLANE_ELEMENTS_MAX 40

struct plane {
    char title[700];
    unsigned orders;   /* sigma_r = 1..orders */
    uint32_t elements; /* K = 2, 4, ..., elements */
    uint32_t steps[PLANE_ORDERS_MAX + 1][PLANE_ELEMENTS_MAX / 2 + 1][PLANE_KINDS]; /* by K/2 */
    unsigned order_here; /* of the case of the command line */
    uint32_t elements_here;
    double millimetres; /* width in print; 0: a pixel is 1/96 inch */
};

/* Makes all schedules. EC_USAGE: too large; or one of ec_schedule_open(). `say` is called before
 * each order, with the context. */
enum ec_code plane_open(unsigned orders, uint32_t elements, const char *title,
                        void (*say)(void *context, unsigned order), void *context,
                        struct plane *ret, struct ec_error *reterr);
void plane_svg(FILE *out, const struct plane *p);
void plane_text(FILE *out, const struct plane *p);

#endif
