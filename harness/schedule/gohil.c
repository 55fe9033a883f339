/* SPDX-License-Identifier: Apache-2.0 */
/* Gohil's procedures, as printed and corrected. */
#include "plan.h"

const struct plan_algorithm plan_gohil_algorithms[] = {
    {.info = {.name = NULL}},
};
