/* SPDX-License-Identifier: Apache-2.0 */
/* The report of an audit for a person.
 *
 * Knows what a proof looks like: two packets and the channel they share, or a circle of channels
 * that wait for each other. */
#include <inttypes.h>

#include "program/report/channel.h"
#include "program/report/picture.h"
#include "program/report/text.h"

enum { WAITING_SHOWN = 12, HOPS_SHOWN = 24, NODES_NAMED = 64 };

static uint64_t load_at(const void *context, uint32_t node, unsigned link)
{
    const struct ec_audit *audit = context;
    return audit->link_load[(size_t)node * audit->links + link];
}

static void put_verdict(const struct cli_audit_result *r, const struct cli_style *s, FILE *out)
{
    const struct ec_audit *a = r->c->audit;
    bool good = r->deadlock_free && (!a || a->congestion_free);
    enum cli_paint paint = r->status != CLI_OK ? CLI_BAD : good ? CLI_GOOD : CLI_WARM;
    const bool wrong = r->c->schedule && !(r->c->found.sound && r->c->found.placed);
    const char *word = !r->deadlock_free    ? "CAN DEADLOCK"
                       : wrong              ? "WRONG"
                       : !a                 ? "DEADLOCK-FREE"
                       : a->congestion_free ? "CONGESTION-FREE"
                                            : "CONGESTED";
    const char *of_step = r->c->schedule ? " of a step" : "";
    fprintf(out, "%s%s%s  %s %s", cli_paint(s, paint), word, cli_unpaint(s), r->c->topology_text,
            r->c->workload->text);
    if (r->c->schedule || r->c->candidates)
        fprintf(out, " by %s", r->c->algorithm);
    if (a && a->congestion_free)
        fprintf(out, "  no two messages%s share a channel", of_step);
    else if (a)
        fprintf(out, "  up to %" PRIu32 " messages%s share a channel", a->max_step_load, of_step);
    if (r->has_prediction)
        fprintf(out, ", %" PRIu64 " cycles", r->predicted_cycles);
    fputc('\n', out);
    if (r->expect.verdict == EC_VERDICT_FAIL)
        fprintf(out, "    %sFAIL%s  expect      %s\n", cli_paint(s, CLI_BAD), cli_unpaint(s),
                r->expect.detail);
}

/* In large networks the coordinates would make a path of several lines. */
static void node_name(const struct cli_audit_result *r, uint32_t node, char *buffer, size_t size)
{
    if (r->c->topology.nodes <= NODES_NAMED)
        ec_topology_node_name(&r->c->topology, node, buffer, size);
    else
        snprintf(buffer, size, "%" PRIu32, node);
}

/* A path with the place where it uses the shared channel marked: 0 -> 1 => 3 -> 7. */
static void put_path(const struct cli_audit_result *r, unsigned which, const struct cli_style *s,
                     FILE *out)
{
    const struct ec_channel *shared = &r->c->audit->busiest;
    const struct ec_message *m = &r->c->workload->messages[r->c->audit->witness[which]];
    char name[64];
    fprintf(out, "    %" PRIu32 " to %" PRIu32 ": ", m->src, m->dst);
    for (size_t i = 0; i < r->hops[which]; i++) {
        const struct ec_hop *hop = &r->path[which][i];
        bool here = shared->kind == EC_CHANNEL_LINK && hop->node == shared->node &&
                    hop->link == shared->port;
        node_name(r, hop->node, name, sizeof name);
        if (i == HOPS_SHOWN) /* the shared channel is named above in any case */
            fprintf(out, "... ");
        if (i < HOPS_SHOWN || here)
            fprintf(out, "%s %s%s%s ", name, here ? cli_paint(s, CLI_BAD) : "", here ? "==>" : "->",
                    here ? cli_unpaint(s) : "");
    }
    node_name(r, m->dst, name, sizeof name);
    fprintf(out, "%s\n", name);
}

static void put_witness(const struct cli_audit_result *r, const struct cli_style *s, FILE *out)
{
    const struct ec_audit *a = r->c->audit;
    char name[200];
    cli_channel_name(&r->c->topology, a->locals, a->busiest, name, sizeof name);
    fprintf(out, "  busiest     %s: %" PRIu32 " messages; two of them:\n", name, a->max_step_load);
    put_path(r, 0, s, out);
    put_path(r, 1, s, out);
}

static void put_deadlock(const struct cli_audit_result *r, FILE *out)
{
    if (r->deadlock_free) {
        fprintf(out, "  deadlock    impossible: no circle of channels that wait for each other\n");
        return;
    }
    fprintf(out, "  deadlock    possible: %zu channels that wait for each other in a circle\n",
            r->waiting_count);
    for (size_t i = 0; i < r->waiting_count && i < WAITING_SHOWN; i++) {
        const struct ec_vertex *v = &r->waiting[i];
        struct ec_channel c = {.kind = EC_CHANNEL_LINK, .node = v->node, .port = v->link};
        char name[200];
        cli_channel_name(&r->c->topology, 1, c, name, sizeof name);
        fprintf(out, "    %s, class %u\n", name, v->class_);
    }
    if (r->waiting_count > WAITING_SHOWN)
        fprintf(out, "    ... and %zu more\n", r->waiting_count - WAITING_SHOWN);
}

static void put_figures(const struct cli_audit_result *r, FILE *out)
{
    const struct ec_audit *a = r->c->audit;
    fprintf(out, "  router      %s\n", r->c->router_text);
    cli_text_schedule(r->c, out);
    if (!a) {
        fprintf(out, "  congestion  not audited: the messages of open-loop traffic are drawn at "
                     "run time\n");
        return;
    }
    size_t n = r->c->workload->message_count;
    fprintf(out,
            "  paths       %zu message%s, longest path %u hop%s, %" PRIu64 " hops and %" PRIu64
            " flit-hops in all\n",
            n, cli_plural(n), a->max_hops, cli_plural(a->max_hops), a->total_hops, a->flit_hops);
    fprintf(out,
            "  links       %" PRIu64 " of %" PRIu64 " used, at most %" PRIu32 " message%s on one\n",
            a->channels_used, a->channels, a->max_link_load, cli_plural(a->max_link_load));
}

void cli_text_audit(const struct cli_audit_result *r, enum cli_detail detail,
                    const struct cli_style *style, FILE *out)
{
    const struct ec_audit *a = r->c->audit;
    put_verdict(r, style, out);
    if (detail == CLI_BRIEF)
        return;
    put_figures(r, out);
    if (a && !a->congestion_free)
        put_witness(r, style, out);
    put_deadlock(r, out);
    if (!a)
        return;
    struct cli_field field = {.topology = &r->c->topology,
                              .at = load_at,
                              .context = a,
                              .title = "messages per link",
                              .unit = "",
                              .warm = 2};
    fputc('\n', out);
    cli_picture(&field, style, out);
    if (detail == CLI_FULL && r->c->topology.nodes <= 64) {
        fputc('\n', out);
        cli_histogram(&field, style, out);
    }
}
