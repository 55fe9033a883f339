/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a mixture, "uniform@3+hotspot:node=5:m=64@1": each is a workload of its own, with
 * colons instead of commas, and a weight behind '@' (1 if it is not given). */
#pragma once

#include "workload/spec.h"

struct mixture_part {
    double weight, share; /* share: weight / sum of the weights */
    struct ec_workload_spec spec;
};

/* Take the next part with its weight; false: there is none. */
bool mixture_take_part(struct ec_slice *rest, struct ec_slice *ret);
/* Cut off the weight behind the last '@'; false: it is no valid one. */
bool mixture_take_weight(struct ec_slice *part, double *ret);
/* Parse the parts of `mix` into parts[EC_PARTS_MAX]. EC_USAGE. */
enum ec_code mixture_parse(const struct ec_workload_spec *mix, const struct ec_topology *t,
                           struct mixture_part *parts, unsigned *ret_count,
                           struct ec_error *reterr);

/* "hotspot:node=5:share=0.2:m=64" */
void mixture_part_format(const struct mixture_part *part, char *buffer, size_t size);
/* The canonical text of the whole workload, with every key and weight. EC_USAGE: too long. */
enum ec_code mixture_format(const struct ec_workload_spec *mix, const struct mixture_part *parts,
                            unsigned count, char *buffer, size_t size, struct ec_error *reterr);
