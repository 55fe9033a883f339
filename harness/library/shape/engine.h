/* SPDX-License-Identifier: Apache-2.0 */
/* What makes the code of a shape, if it is not Verilator. */
#pragma once

#include "shape/recipe.h"

/* A symbol of code that leaves out assertions and messages of the router. */
#define EC_TILE_MUTE "ec_tile_mute"

struct ec_engine {
    const char *name;
    /* Changes when the same router gives other code: part of the key. */
    const char *generator;
    /* Options of the C++ compiler that name the instruction set of this machine. */
    const char *(*instructions)(void);
    /* Write the router of a recipe as C++ to `file` in `folder`. EC_TOOL: the engine cannot take
     * this router. `before` as in ec_process_wait. */
    enum ec_code (*write)(const struct ec_recipe *r, const char *folder, const char *file,
                          const sigset_t *before, struct ec_error *reterr);
};
