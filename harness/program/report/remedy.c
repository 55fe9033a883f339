/* SPDX-License-Identifier: Apache-2.0 */
/* Would datelines prevent a deadlock? The dependency graph of the routing says so; without a cycle
 * in it, a deadlock is the fault of the router. Must not know who asks. */
#include "ecube/audit.h"
#include "program/report/report.h"

enum ec_code cli_remedy_find(const struct ec_topology *t, const struct ec_router *router,
                             struct cli_remedy *ret, struct ec_error *reterr)
{
    struct ec_router with = *router;
    bool now = true, then = false;
    *ret = (struct cli_remedy){0};
    if (with.dateline)
        return EC_OK;
    enum ec_code code = ec_deadlock_free(t, &with, &now, NULL, NULL, reterr);
    with.dateline = true;
    with.vcs += with.vcs % 2; /* two classes per lane */
    if (code == EC_OK && !now)
        code = ec_deadlock_free(t, &with, &then, NULL, NULL, reterr);
    if (code == EC_OK && !now && then)
        snprintf(ret->text, sizeof ret->text, "--router vcs=%u,dateline=on", with.vcs);
    return code;
}
