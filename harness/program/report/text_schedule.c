/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule for a person: its size, what it needs of a node, and what is wrong with it.
 *
 * Knows what the audit of a schedule finds; not how a schedule is played. */
#include <inttypes.h>

#include "program/report/text.h"

enum { OTHERS_SHOWN = 5 };

static const char *const ports[] = {[EC_PORTS_ONE] = "one", [EC_PORTS_ALL] = "all"};

static void put_candidate(const char *label, const struct ec_candidate *k, FILE *out)
{
    fprintf(out, "  %-10s  %s, ports=%s: %s%" PRIu64 " cycles %s\n", label, k->algorithm,
            ports[k->ports], k->basis == EC_BASIS_AT_LEAST ? "at least " : "", k->cycles,
            k->basis == EC_BASIS_PREDICTED  ? "predicted"
            : k->basis == EC_BASIS_MEASURED ? "measured"
                                            : "(no prediction; `ecube run' measures it)");
}

/* Without a prediction, and perhaps faster than the one chosen. */
static bool is_open(const struct ec_case *c, size_t i)
{
    return c->candidates[i].basis == EC_BASIS_AT_LEAST &&
           c->candidates[i].cycles < c->candidates[0].cycles;
}

static void put_candidates(const struct ec_case *c, FILE *out)
{
    size_t shown = 0, slower = 0;
    put_candidate("best", &c->candidates[0], out);
    for (size_t i = 1; i < c->candidate_count; i++) {
        if (is_open(c, i))
            continue;
        if (c->candidates[i].basis == EC_BASIS_AT_LEAST || shown == OTHERS_SHOWN)
            slower++;
        else
            put_candidate(shown++ ? "" : "runners-up", &c->candidates[i], out);
    }
    if (slower)
        fprintf(out, "              and %zu that %s not faster\n", slower,
                slower == 1 ? "is" : "are");
    for (size_t i = 1; i < c->candidate_count; i++) {
        if (is_open(c, i))
            put_candidate("unknown", &c->candidates[i], out);
    }
}

void cli_text_schedule(const struct ec_case *c, FILE *out)
{
    const struct ec_schedule_audit *a = &c->found;
    if (c->candidates)
        put_candidates(c, out);
    if (!c->schedule)
        return;
    fprintf(out,
            "  schedule    %s, --sync %s: %" PRIu32 " step%s, %zu transfer%s, %" PRIu64
            " element-hops\n",
            c->algorithm, cli_syncs[c->spec.sync].word, a->steps, cli_plural(a->steps),
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
