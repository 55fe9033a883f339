/* SPDX-License-Identifier: Apache-2.0 */
/* From --wave and its companions to a watcher of the run.
 *
 * Knows the defaults; the grammar and the files are the library's. */
#include "look.h"

#include <inttypes.h>
#include <string.h>

enum { ALL_UP_TO = 8 }; /* routers: a wave of a whole network is still readable */

/* The message with the longest path; the longer message among equals. */
static const struct ec_message *longest(const struct cli_case *c)
{
    const struct ec_workload *w = c->workload;
    const struct ec_message *best = NULL;
    unsigned most = 0;
    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        const unsigned hops = ec_topology_distance(&c->topology, m->src, m->dst);
        if (!best || hops > most || (hops == most && m->words > best->words)) {
            best = m;
            most = hops;
        }
    }
    return best;
}

/* A node as far from node 0 as there is one: open-loop traffic has no message to prefer. */
static uint32_t farthest(const struct ec_topology *t)
{
    uint32_t best = 0;
    for (uint32_t node = 1; node < t->nodes; node++) {
        if (ec_topology_distance(t, 0, node) > ec_topology_distance(t, 0, best))
            best = node;
    }
    return best;
}

static enum ec_code choose_nodes(const struct cli_case *c, struct ec_node_set *ret,
                                 struct ec_error *reterr)
{
    const struct ec_topology *t = &c->topology;
    if (c->job->wave_nodes) {
        struct ec_error e;
        enum ec_code code = ec_select_nodes(c->job->wave_nodes, t, &c->router, ret, &e);
        return code == EC_OK ? EC_OK : ec_fail(reterr, code, "--wave-nodes: %s", e.message);
    }
    if (t->nodes <= ALL_UP_TO)
        return ec_select_nodes("all", t, &c->router, ret, reterr);
    const struct ec_message *m = longest(c);
    return ec_select_path(t, &c->router, m ? m->src : 0, m ? m->dst : farthest(t), ret, reterr);
}

static enum ec_code open_wave(struct cli_look *l, struct cli_pool *pool, const struct cli_case *c,
                              struct ec_error *reterr)
{
    struct ec_wave_options options = {
        .path = c->job->wave, .cycles = {1, UINT64_MAX}, .title = c->job->command};
    struct ec_node_set nodes = {0};
    struct ec_shape *traced;
    struct ec_error e;
    enum ec_code code = EC_OK;
    if (c->job->wave_cycles && ec_select_cycles(c->job->wave_cycles, &options.cycles, &e) != EC_OK)
        return ec_fail(reterr, e.code, "--wave-cycles: %s", e.message);
    code = choose_nodes(c, &nodes, reterr);
    if (code == EC_OK && nodes.count > EC_WAVE_NODES_MAX)
        code = ec_fail(reterr, EC_USAGE,
                       "--wave-nodes '%.60s' means %zu routers; a wave shows at most %d",
                       c->job->wave_nodes, nodes.count, EC_WAVE_NODES_MAX);
    if (code == EC_OK)
        code = cli_pool_traced(pool, c, &traced, reterr);
    options.nodes = &nodes;
    if (code == EC_OK)
        code = ec_wave_open(&c->topology, &c->router, traced, &options, &l->wave, reterr);
    l->routers = nodes.count;
    ec_node_set_free(&nodes);
    return code;
}

enum ec_code cli_look_open(struct cli_look *l, struct cli_pool *pool, const struct cli_case *c,
                           struct ec_error *reterr)
{
    *l = (struct cli_look){.job = c->job, .topology = &c->topology};
    if (!c->job->wave)
        return EC_OK;
    enum ec_code code = open_wave(l, pool, c, reterr);
    if (code == EC_OK)
        l->watches[l->watch_count++] = ec_wave_watch(l->wave);
    return code;
}

enum ec_code cli_look_finish(struct cli_look *l, struct ec_error *reterr)
{
    if (!l->wave)
        return EC_OK;
    enum ec_code code = ec_wave_finish(l->wave, &l->summary, reterr);
    if (code == EC_OK && l->summary.differs) {
        char name[200];
        ec_topology_node_name(l->topology, l->summary.differs_node, name, sizeof name);
        code = ec_fail(reterr, EC_INTERNAL,
                       "cycle %" PRIu64 ", router %s: the traced router does not do what the "
                       "router does; the wave %s shows something else than the run",
                       l->summary.differs_cycle, name, l->job->wave);
    }
    return code;
}

void cli_look_close(struct cli_look *l)
{
    ec_wave_close(l->wave);
    *l = (struct cli_look){0};
}

void cli_look_text(const struct cli_look *l, FILE *out)
{
    if (!l->wave)
        return;
    const char *path = l->job->wave;
    const size_t length = strlen(path);
    const int stem =
        (int)(length > 4 && strcmp(path + length - 4, ".fst") == 0 ? length - 4 : length);
    if (l->summary.first == 0)
        fprintf(out, "  wave        %s is empty: the run never came to --wave-cycles %s\n", path,
                l->job->wave_cycles);
    else
        fprintf(out,
                "  wave        %s: %zu router%s, cycles %" PRIu64 " to %" PRIu64 ", %.1f kB\n"
                "              open it with   gtkwave %s %.*s.gtkw\n",
                path, l->routers, l->routers == 1 ? "" : "s", l->summary.first, l->summary.last,
                (double)l->summary.bytes / 1e3, path, stem, path);
}
