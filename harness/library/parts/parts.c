/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of a transport. Must not know what the parts exchange. */
#include "parts/transport.h"

enum ec_code parts_run(const struct parts_plan *plan, parts_body *body, void *context,
                       struct ec_error *reterr)
{
    const bool ranks = plan->world && plan->parts > 1;
    if (plan->refused && !ranks) {
        if (reterr)
            *reterr = *plan->refused;
        return plan->refused->code;
    }
    return ranks ? ranks_run(plan, body, context, reterr) : team_run(plan, body, context, reterr);
}
