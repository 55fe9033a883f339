/* SPDX-License-Identifier: Apache-2.0 */
/* The closed form of one message. */
#ifndef EC_PREDICT_H
#define EC_PREDICT_H

#include <stdint.h>

#include "ecube/router.h"

/* Cycles from the first start-up (the first offer, if there is none) to the last word of a message
 * that meets no other, inclusive; hops >= 1, words >= 1. The packet bound of `r` is set. */
uint64_t predict_message(const struct ec_router *r, unsigned hops, uint32_t words,
                         uint32_t startup);

#endif
