/* SPDX-License-Identifier: Apache-2.0 */
/* Router shapes for the grids: few serve all of them. Knows which networks the grids have. */
#include <string.h>

#include "ecube/shape.h"
#include "study/claim_workers.h"

static const struct {
    const char *topology, *router;
    bool full; /* on the full grid only */
} shapes[] = {
    {"cube:3", "depth=4", false},          {"cube:6", "depth=4", false},
    {"torus:3x3", "vcs=1,depth=4", false}, {"torus:4x4", "vcs=2,depth=4", false},
    {"cube:3", "depth=16", false},         {"cube:6", "depth=16", false},
    {"cube:3", "ports=all", false},        {"cube:6", "ports=all", false},
    {"cube:8", "depth=4", true},           {"cube:10", "depth=4", true},
    {"cube:8", "ports=all", true},         {"cube:10", "ports=all", true},
    {"cube:12", "ports=all", true},        {"cube:3", "depth=128", true},
    {"cube:6", "depth=128", true},
};

static enum ec_code build(const char *topology, const char *router,
                          const struct claims_options *options, struct ec_error *e)
{
    struct ec_topology t;
    struct ec_router r;
    struct ec_tile_shape shape;
    struct ec_shape *open = NULL;
    const struct ec_shape_options how = {.progress = options->progress,
                                         .progress_context = options->progress_context};
    enum ec_code code = ec_topology_parse(topology, &t, e);
    if (code == EC_OK)
        code = ec_router_parse(router, &t, &r, e);
    if (code == EC_OK)
        code = ec_shape_choose(&t, &r, &shape, e);
    if (code == EC_OK)
        code = ec_shape_open(&shape, &how, &open, e);
    ec_shape_close(open);
    return code;
}

/* Does any of the rows run on RTL? The word before ':' of its check has a T then. */
static bool timed(const struct claims_row *const *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *t = strchr(rows[i]->check, 'T');
        if (rows[i]->experiment && t && t < rows[i]->check + 2)
            return true;
    }
    return false;
}

enum ec_code claims_prepare(const struct claims_row *const *rows, size_t count,
                            const struct claims_options *options, struct ec_error *reterr)
{
    if (options->rtl || !timed(rows, count))
        return EC_OK;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (shapes[i].full && !options->full)
            continue;
        enum ec_code code = build(shapes[i].topology, shapes[i].router, options, reterr);
        if (code != EC_OK)
            return code;
    }
    return EC_OK;
}
