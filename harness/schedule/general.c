/* SPDX-License-Identifier: Apache-2.0 */
/* Any dimension permutation. */
#include "plan.h"

const struct plan_algorithm plan_general_algorithms[] = {
    {.info = {.name = NULL}},
};
