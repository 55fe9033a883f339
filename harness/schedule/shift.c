/* SPDX-License-Identifier: Apache-2.0 */
/* Circular shifts on rings, tori and Gray-coded cubes. */
#include "plan.h"

const struct plan_algorithm plan_shift_algorithms[] = {
    {.info = {.name = NULL}},
};
