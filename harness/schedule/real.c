/* SPDX-License-Identifier: Apache-2.0 */
/* Real GSH. */
#include "plan.h"

const struct plan_algorithm plan_real_algorithms[] = {
    {.info = {.name = NULL}},
};
