/* SPDX-License-Identifier: Apache-2.0 */
/* How a network is split into parts, as text and as a record. Computes nothing but sums. */
#include <inttypes.h>

#include "program/report/report.h"

enum { PARTS_SHOWN = 16 }; /* without --verbose */

static uint64_t channels_of(const struct ec_topology *t)
{
    uint64_t channels = 0;
    for (uint32_t x = 0; x < t->nodes; x++) {
        for (unsigned l = 0; l < ec_topology_links(t); l++)
            channels += ec_topology_neighbor(t, x, l) != EC_NONE;
    }
    return channels;
}

static double balance(const struct cli_cut *r)
{
    return (double)r->partition->nodes / (double)r->partition->parts / (double)r->use.most;
}

/* Boundary channels that leave a part. */
static uint64_t leaving(const struct cli_cut *r, uint32_t part)
{
    const struct ec_partition *p = r->partition;
    const struct ec_topology *t = &r->c->topology;
    uint64_t channels = 0;
    for (uint32_t i = p->first[part]; i < p->first[part + 1]; i++) {
        for (unsigned l = 0; l < ec_topology_links(t); l++) {
            const uint32_t y = ec_topology_neighbor(t, p->node[i], l);
            channels += y != EC_NONE && p->part_of[y] != part;
        }
    }
    return channels;
}

/* --- Text --------------------------------------------------------------------------------- */

static void put_parts(const struct cli_cut *r, FILE *out)
{
    const struct ec_partition *p = r->partition;
    const uint32_t shown = r->job->verbose || p->parts <= PARTS_SHOWN ? p->parts : PARTS_SHOWN;
    char first[80], last[80];
    fprintf(out, "\n  %-6s %8s %9s %11s  %s\n", "part", "nodes", "channels", "neighbours",
            "first and last node");
    for (uint32_t k = 0; k < shown; k++) {
        ec_topology_node_name(&r->c->topology, p->node[p->first[k]], first, sizeof first);
        ec_topology_node_name(&r->c->topology, p->node[p->first[k + 1] - 1], last, sizeof last);
        fprintf(out, "  %-6" PRIu32 " %8" PRIu32 " %9" PRIu64 " %11" PRIu32 "  %s to %s\n", k,
                p->first[k + 1] - p->first[k], leaving(r, k),
                p->first_neighbour[k + 1] - p->first_neighbour[k], first, last);
    }
    if (shown < p->parts)
        fprintf(out, "  and %" PRIu32 " more (--verbose shows all)\n", p->parts - shown);
}

void cli_text_cut(const struct cli_cut *r, bool brief, FILE *out)
{
    const struct ec_partition_use *use = &r->use;
    const struct ec_case_split *s = &r->split;
    const uint64_t channels = channels_of(&r->c->topology);
    fprintf(out, "%s in %" PRIu32 " part%s: ", r->c->topology_text, s->parts, cli_plural(s->parts));
    if (s->ranks > 1)
        fprintf(out, "%" PRIu32 " ranks, ", s->ranks);
    if (r->c->spec.parts > 1)
        fputs("in turn\n", out);
    else
        fprintf(out, "%" PRIu32 " thread%s%s\n", s->threads, cli_plural(s->threads),
                s->ranks > 1 ? " each" : "");
    if (use->least == use->most)
        fprintf(out, "  nodes       %" PRIu32 " in each part\n", use->most);
    else
        fprintf(out, "  nodes       %" PRIu32 " to %" PRIu32 " in a part, balance %.1f %%\n",
                use->least, use->most, 100 * balance(r));
    fprintf(out,
            "  boundary    %" PRIu64 " of %" PRIu64 " channels (%.1f %%), at most %" PRIu64
            " leave a part\n",
            use->channels, channels, 100 * (double)use->channels / (double)channels,
            use->most_channels);
    fprintf(out, "  neighbours  at most %" PRIu32 " of a part\n", use->neighbours);
    if (!brief)
        put_parts(r, out);
}

/* --- JSON and CSV ------------------------------------------------------------------------- */

static json_t *neighbours(const struct ec_partition *p, uint32_t part)
{
    json_t *list = json_array();
    for (uint32_t i = p->first_neighbour[part]; i < p->first_neighbour[part + 1]; i++)
        list = record_append(list, record_number(p->neighbour[i]));
    return list;
}

#define PUT(key, unit, column, value, definition) record_put(&into, key, value);
#define ROW(key, unit, column, value, definition) {key, column, unit, definition},

static json_t *part(const struct cli_cut *r, uint32_t k)
{
    const struct ec_partition *p = r->partition;
    const uint32_t *node = p->node + p->first[k];
    const uint32_t count = p->first[k + 1] - p->first[k];
    struct record into = {.object = json_object()};
#define PARTITION_PART PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *cut(const struct cli_cut *r)
{
    json_t *list = json_array();
    for (uint32_t k = 0; k < r->partition->parts; k++)
        list = record_append(list, part(r, k));
    return list;
}

const struct record_key cli_cut_keys[] = {
#define PARTITION ROW
#include "program/report/keys.def"
    {0},
};

json_t *cli_record_cut(const struct cli_cut *r)
{
    const struct ec_case *c = r->c;
    const struct ec_case_split *s = &r->split;
    const struct ec_partition_use *use = &r->use;
    struct record into = {.object = json_object()};
#define PARTITION PUT
#include "program/report/keys.def"
    return record_finish(&into);
}
