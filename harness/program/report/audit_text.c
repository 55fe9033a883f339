/* SPDX-License-Identifier: Apache-2.0 */
/* The result of an audit for people: the verdict first, then figures, proofs and a picture. Decides
 * what to print; computes nothing. */
#include <inttypes.h>

#include "program/report/report.h"
#include "result/channels.h"

enum {
    CYCLE_SHOWN = 12, /* channels of a cycle of waiting */
    HOPS_SHOWN = 24,
    NODES_NAMED = 64, /* coordinates would make paths in larger networks too long */
};

static void put_audit_verdict(const struct cli_audit_result *r, const struct cli_style *s,
                              FILE *out)
{
    const struct ec_audit *a = r->c->audit;
    const bool safe = r->proofs->deadlock_free && !ec_workload_can_deadlock(r->c->workload);
    const bool valid = !r->c->schedule || r->c->found.valid;
    bool good = safe && valid && (!a || a->congestion_free);
    enum cli_paint paint = r->status != CLI_OK ? CLI_BAD : good ? CLI_GOOD : CLI_WARM;
    const bool wrong = r->c->schedule && !(r->c->found.sound && r->c->found.placed);
    const char *word = !safe && ec_router_has_sets(&r->c->router) ? "NOT PROVED"
                       : !safe                                    ? "CAN DEADLOCK"
                       : wrong                                    ? "WRONG"
                       : !a                                       ? "DEADLOCK-FREE"
                       : !a->congestion_free                      ? "CONGESTED"
                       : valid                                    ? "CONGESTION-FREE"
                                                                  : "DEFECTIVE";
    const char *of_step = cli_has_steps(r->c) ? " of a step" : "";
    fprintf(out, "%s%s%s  %s %s", cli_paint(s, paint), word, cli_unpaint(s), r->c->topology_text,
            r->c->workload->text);
    if (r->c->schedule || r->c->candidates)
        fprintf(out, " by %s", r->c->algorithm);
    if (a && a->congestion_free)
        fprintf(out, "  no two messages%s share a channel", of_step);
    else if (a)
        fprintf(out, "  up to %" PRIu32 " messages%s share a channel", a->max_step_load, of_step);
    if (r->proofs->has_prediction)
        fprintf(out, ", %" PRIu64 " cycles", r->proofs->predicted_cycles);
    fputc('\n', out);
    if (r->expect.verdict == EC_VERDICT_FAIL)
        fprintf(out, "    %sFAIL%s  expect      %s\n", cli_paint(s, CLI_BAD), cli_unpaint(s),
                r->expect.detail);
}

static void name_node(const struct cli_audit_result *r, uint32_t node, char *buffer, size_t size)
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
    for (size_t i = 0; i < r->proofs->hops[which]; i++) {
        const struct ec_hop *hop = &r->proofs->path[which][i];
        bool here = shared->kind == EC_CHANNEL_LINK && hop->node == shared->node &&
                    hop->link == shared->port;
        name_node(r, hop->node, name, sizeof name);
        if (i == HOPS_SHOWN) /* the shared channel is named above in any case */
            fprintf(out, "... ");
        if (i < HOPS_SHOWN || here)
            fprintf(out, "%s %s%s%s ", name, here ? cli_paint(s, CLI_BAD) : "", here ? "==>" : "->",
                    here ? cli_unpaint(s) : "");
    }
    name_node(r, m->dst, name, sizeof name);
    fprintf(out, "%s\n", name);
}

/* Messages of the step of message `first` with the ends of message `second`; 1 if these two have
 * different ends. K elements on every node often are K messages from one node to another. */
static size_t count_alike(const struct ec_workload *w, size_t first, size_t second)
{
    const struct ec_message *m = w->messages;
    const uint32_t *step = w->order ? w->order->step : NULL;
    size_t count = 0;
    if (m[first].src != m[second].src || m[first].dst != m[second].dst)
        return 1;
    for (size_t i = 0; i < w->message_count; i++)
        count += m[i].src == m[first].src && m[i].dst == m[first].dst &&
                 (!step || step[i] == step[first]);
    return count;
}

static void put_witness(const struct cli_audit_result *r, const struct cli_style *s, FILE *out)
{
    const struct ec_audit *a = r->c->audit;
    char name[200];
    channel_name(&r->c->topology, a->locals, a->busiest, name, sizeof name);
    const size_t alike = count_alike(r->c->workload, a->witness[0], a->witness[1]);
    fprintf(out, "  busiest     %s: %" PRIu32 " messages; ", name, a->max_step_load);
    if (alike == a->max_step_load)
        fprintf(out, "all of them:\n");
    else if (alike > 1)
        fprintf(out, "%zu of them:\n", alike);
    else
        fprintf(out, "two of them:\n");
    put_path(r, 0, s, out);
    if (alike == 1)
        put_path(r, 1, s, out);
}

static void put_deadlock(const struct cli_audit_result *r, FILE *out)
{
    if (ec_workload_can_deadlock(r->c->workload))
        fprintf(out, "  protocol    deadlock possible: requests that wait at full nodes can keep "
                     "replies from leaving them (classes=1, queue=N)\n");
    if (r->proofs->deadlock_free) {
        fprintf(out, "  deadlock    impossible: no cycle of channels waiting for each other%s\n",
                r->c->router.routing == EC_ROUTING_ADAPTIVE &&
                        r->c->topology.nodes > EC_ESCAPE_NODES_MAX
                    ? ", by the argument of the contract (section 5.5), not by a search"
                    : "");
        return;
    }
    fprintf(out, "  deadlock    %s: %zu channels waiting for each other in a cycle\n",
            ec_router_has_sets(&r->c->router) ? "not excluded" : "possible",
            r->proofs->waiting_count);
    for (size_t i = 0; i < r->proofs->waiting_count && i < CYCLE_SHOWN; i++) {
        const struct ec_vertex *v = &r->proofs->waiting[i];
        struct ec_channel c = {.kind = EC_CHANNEL_LINK, .node = v->node, .port = v->link};
        char name[200];
        channel_name(&r->c->topology, 1, c, name, sizeof name);
        fprintf(out, "    %s, class %u\n", name, v->class_);
    }
    if (r->proofs->waiting_count > CYCLE_SHOWN)
        fprintf(out, "    ... and %zu more\n", r->proofs->waiting_count - CYCLE_SHOWN);
    if (r->proofs->warning.possible == EC_ANSWER_NO)
        fprintf(out, "  traffic     cannot deadlock: its own messages close no such cycle\n");
}

/* The bounds of open-loop traffic. */
static void put_bounds(const struct cli_audit_result *r, FILE *out)
{
    const struct ec_bounds *b = &r->proofs->bounds;
    char name[200];
    if (!b->has_rate)
        return;
    channel_name(&r->c->topology, ec_router_locals(&r->c->router, &r->c->topology), b->channel,
                 name, sizeof name);
    fprintf(out, "  bound       %.4g flits/node/cycle: then %s is always busy\n", b->rate, name);
    if (b->has_zero_load)
        fprintf(out, "  latency     %.4f cycles on average without contention, over %.4f hops\n",
                b->zero_load, b->hops);
}

static void put_audit_figures(const struct cli_audit_result *r, FILE *out)
{
    const struct ec_audit *a = r->c->audit;
    fprintf(out, "  router      %s\n", r->c->router_text);
    cli_text_schedule(r->c, out);
    if (r->c->updown)
        fprintf(out, "  paths       up/down routing, since shortest paths can deadlock\n");
    if (r->c->router.table)
        fprintf(out,
                "  minimal     %s: %" PRIu64 " of %" PRIu64 " pairs of nodes have longer paths\n",
                r->proofs->longer ? "no" : "yes", r->proofs->longer,
                (uint64_t)r->c->topology.nodes * (r->c->topology.nodes - 1));
    if (!a) {
        fprintf(out, "  congestion  not audited: %s\n",
                ec_router_chooses(&r->c->router)
                    ? "the router chooses the paths"
                    : "the messages of open-loop traffic are drawn at run time");
        put_bounds(r, out);
        return;
    }
    size_t n = r->c->workload->message_count;
    fprintf(out,
            "  paths       %zu message%s, longest path %u hop%s, %" PRIu64 " hop%s and %" PRIu64
            " flit-hop%s in all\n",
            n, cli_plural(n), a->max_hops, cli_plural(a->max_hops), a->total_hops,
            cli_plural(a->total_hops), a->flit_hops, cli_plural(a->flit_hops));
    fprintf(out,
            "  links       %" PRIu64 " of %" PRIu64 " used, at most %" PRIu32 " message%s on one\n",
            a->channels_used, a->channels, a->max_link_load, cli_plural(a->max_link_load));
}

/* A way without a shared link, one dimension per step, and what the router's other order does. */
static void put_order(const struct cli_audit_result *r, FILE *out)
{
    const bool low = r->c->router.order == EC_ORDER_LOW;
    struct ec_bit_loads other;
    fprintf(out, "  order       --algorithm ecube-steps:order=");
    for (unsigned i = 0; i < r->proofs->bits.dims; i++)
        fprintf(out, "%s%u", i ? "-" : "", r->proofs->bits.order[i]);
    fprintf(out, " shares no link, but nodes may hold two elements");
    if (ec_bit_loads_of(r->c->workload->sdp, low ? EC_ORDER_HIGH : EC_ORDER_LOW, NULL, &other))
        fprintf(out, "; --router order=%s: load %" PRIu64, low ? "high" : "low",
                other.load[other.worst]);
    fputc('\n', out);
}

/* Why a permutation of address bits loads links as it does. */
static void put_bits(const struct cli_audit_result *r, FILE *out)
{
    char reason[400];
    if (!r->proofs->has_bits)
        return;
    result_bits_reason(r->c, r->proofs, reason, sizeof reason);
    fprintf(out, "  bits        %s (see docs/study/BEYOND.md)\n", reason);
    if (r->proofs->bits.passing)
        put_order(r, out);
}

void cli_text_audit(const struct cli_audit_result *r, enum cli_detail detail,
                    const struct cli_style *style, FILE *out)
{
    const struct ec_audit *a = r->c->audit;
    put_audit_verdict(r, style, out);
    if (detail == CLI_BRIEF)
        return;
    put_audit_figures(r, out);
    put_bits(r, out);
    if (a && !a->congestion_free)
        put_witness(r, style, out);
    put_deadlock(r, out);
    if (!a)
        return;
    struct cli_field field = {.topology = &r->c->topology,
                              .at = cli_field_load,
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
