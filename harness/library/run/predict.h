/* SPDX-License-Identifier: Apache-2.0 */
/* The time of one message. */
#pragma once

#include "ecube/router.h"

/* Cycles from the first start-up (the first offer, if there is none) to the last word of a message
 * that meets no other, inclusive; hops >= 1, words >= 1. The packet bound of `r` is set. */
uint64_t predict_message(const struct ec_router *r, unsigned hops, uint32_t words,
                         uint32_t startup);

/* True if predict_message() is a closed form, else a loop over the words; and if it also adds the
 * same for each further full packet. */
bool predict_is_closed(const struct ec_router *r, uint32_t words, uint32_t startup);
bool predict_is_affine(const struct ec_router *r, uint32_t startup);

/* True if no word of a message alone ever waits for a credit. */
bool predict_at_full_rate(const struct ec_router *r);

/* True if a message of so many words does not meet itself: false if its packets choose virtual
 * channels and may overtake each other. Then predict_message() says nothing about it. */
bool predict_is_alone(const struct ec_router *r, uint32_t words);
