/* SPDX-License-Identifier: Apache-2.0 */
/* How long one message takes on an idle line of routers, from the rules of docs/ROUTER-CONTRACT.md
 * alone: computed by the tests, independently of the library and of model/cost. */
#ifndef TEST_RUN_LINE_H
#define TEST_RUN_LINE_H

#include <stdint.h>

#include "ecube/router.h"

#define LINE_WORDS_MAX 128
#define LINE_HOPS_MAX  32

/* Cycles from the first start-up (the first offer, without) to the last word seen, inclusive. */
uint64_t line_time(const struct ec_router *r, unsigned hops, unsigned words, unsigned startup);

#endif
