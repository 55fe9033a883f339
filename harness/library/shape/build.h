/* SPDX-License-Identifier: Apache-2.0 */
/* Building one shape: Verilator, C++ compiler, linker. */
#pragma once

#include <signal.h>

#include "shape/recipe.h"

#define EC_TILE_OBJECT "tile.so"

/* The name of the cache entry for the Verilator runtime of a recipe. */
void ec_runtime_name(const struct ec_recipe *r, char *buffer, size_t size);

/* Build the entry r->key, and the runtime's if that is missing or damaged. The caller holds the
 * lock of r->key. The message of EC_TOOL names the log. `options` may be NULL; `before` as in
 * ec_process_wait. */
enum ec_code ec_shape_build(const struct ec_recipe *r, const char *cache,
                            const struct ec_shape_options *options, const sigset_t *before,
                            struct ec_error *reterr);

/* One line to the caller's progress function, if there is one. */
void ec_shape_say(const struct ec_shape_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
