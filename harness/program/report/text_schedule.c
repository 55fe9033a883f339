/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule for a person: its size, what it needs of a node, and what is wrong with it.
 *
 * Knows what the audit of a schedule finds; not how a schedule is played. */
#include <inttypes.h>

#include "program/case/best.h"
#include "program/report/text.h"

void cli_text_schedule(const struct cli_case *c, FILE *out)
{
    const struct ec_schedule_audit *a = &c->found;
    if (c->best)
        cli_best_text(c->best, out);
    if (!c->schedule)
        return;
    fprintf(out,
            "  schedule    %s, --sync %s: %" PRIu32 " step%s, %zu transfer%s, %" PRIu64
            " element-hops\n",
            c->schedule->algorithm, cli_syncs[c->job->spec.sync], a->steps, cli_plural(a->steps),
            c->schedule->transfer_count, cli_plural(c->schedule->transfer_count), a->element_hops);
    fprintf(out,
            "  nodes       at most %" PRIu32 " element%s in one, %" PRIu64
            " local move%s, %s%s%s\n",
            a->peak_memory, cli_plural(a->peak_memory), a->local_moves, cli_plural(a->local_moves),
            a->adjacent ? "neighbours only, " : "", a->one_port ? "one port" : "several ports",
            c->ports_chosen ? ", hence ports=all" : "");
    if (a->defect[0])
        fprintf(out, "  defect      %s\n", a->defect);
}
