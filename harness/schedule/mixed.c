/* SPDX-License-Identifier: Apache-2.0 */
/* Mixed GSH. */
#include "plan.h"

const struct plan_algorithm plan_mixed_algorithms[] = {
    {.info = {.name = NULL}},
};
