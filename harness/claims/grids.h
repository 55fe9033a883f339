/* SPDX-License-Identifier: Apache-2.0 */
/* The names of grids that rows show (RING, TOR, CUBE, ...) and what they mean. */
#ifndef CLAIMS_GRIDS_H
#define CLAIMS_GRIDS_H

#include <stdbool.h>
#include <stddef.h>

/* The meaning of a grid's name, or NULL. */
const char *claims_grid(const char *name, size_t length, bool full);

#endif
