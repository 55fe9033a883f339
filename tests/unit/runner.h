/* SPDX-License-Identifier: Apache-2.0 */
/* cmocka, with the headers that it needs. No other file includes it (tests/docs/layers.sh). */
#ifndef EC_RUNNER_H
#define EC_RUNNER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A macro in cmocka 2, and the name of functions and members here. */
#undef stop

/* The parameter of a test that needs nothing from its set-up. */
#define NO_STATE void **state __attribute__((unused))

#endif
