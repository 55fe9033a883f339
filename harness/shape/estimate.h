/* SPDX-License-Identifier: Apache-2.0 */
/* How long the build of a shape takes. */
#ifndef ECUBE_SHAPE_ESTIMATE_H
#define ECUBE_SHAPE_ESTIMATE_H

#include "shape/recipe.h"

/* Members of a manifest: processor seconds of a build, and what ec_estimate_cpu() said of it. */
#define EC_CPU_MEASURED "cpu_seconds"
#define EC_CPU_EXPECTED "cpu_expected"

/* Processor seconds on the machine of the measurement; `runtime`: Verilator's runtime is built,
 * too. */
double ec_estimate_cpu(const struct ec_recipe *r, bool runtime);

/* Seconds on this machine, as far as earlier builds in the cache tell; 0: not known, which is so
 * for the first build of a user's router. */
double ec_estimate_seconds(const struct ec_recipe *r, const char *cache, bool runtime);

/* Processor seconds of all tools that have ended. */
double ec_tools_cpu(void);

#endif
