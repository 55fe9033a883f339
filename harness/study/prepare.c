/* SPDX-License-Identifier: Apache-2.0 */
/* Router shapes for the grids: few serve all of them. Knows which networks the grids have. */
#include <string.h>

#include "ecube/session.h"
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

static enum ec_code build(struct ec_session *session, const char *topology, const char *router,
                          struct ec_error *e)
{
    struct ec_case_spec spec = ec_case_spec_default();
    struct ec_case *c = NULL;
    struct ec_shape *shape;
    spec.topology = topology;
    spec.router = router;
    enum ec_code code = ec_case_open(session, &spec, &c, e);
    if (code == EC_OK)
        code = ec_case_shape(c, &shape, e);
    ec_case_close(c);
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
    const struct ec_session_options how = {.context = options->progress_context,
                                           .building = options->progress};
    struct ec_session *session;
    if (options->rtl || !timed(rows, count))
        return EC_OK;
    enum ec_code code = ec_session_open(&how, &session, reterr);
    if (code != EC_OK)
        return code;
    for (size_t i = 0; code == EC_OK && i < sizeof shapes / sizeof *shapes; i++) {
        if (options->full || !shapes[i].full)
            code = build(session, shapes[i].topology, shapes[i].router, reterr);
    }
    ec_session_close(session);
    return code;
}
