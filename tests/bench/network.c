/* SPDX-License-Identifier: Apache-2.0 */
/* Networks and shapes. Knows the library; must not know the measurements. */
#include "network.h"

#include <stdio.h>

static void show(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "%s\n", line);
}

enum ec_code bench_read_words(const char *topology, const char *router, struct ec_topology *t,
                              struct ec_router *r, struct ec_error *error)
{
    const enum ec_code code = ec_topology_parse(topology, t, error);
    return code == EC_OK ? ec_router_parse(router, t, r, error) : code;
}

enum ec_code bench_open_shape(const char *topology, const char *router, struct ec_topology *t,
                              struct ec_router *r, struct ec_shape **ret, struct ec_error *error)
{
    const struct ec_shape_options options = {.progress = show};
    struct ec_tile_shape shape;
    enum ec_code code = bench_read_words(topology, router, t, r, error);
    if (code == EC_OK)
        code = ec_shape_choose(t, r, &shape, error);
    if (code == EC_OK)
        code = ec_shape_open(&shape, &options, ret, error);
    return code;
}

const char *bench_first_failure(const struct ec_report *report)
{
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        if (report->checks[id].verdict == EC_VERDICT_FAIL ||
            report->checks[id].verdict == EC_VERDICT_OPEN)
            return report->checks[id].detail;
    }
    return "the run did not finish";
}
