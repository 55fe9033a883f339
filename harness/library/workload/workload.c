/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads: makes a list of messages or the data of an open loop from a parsed spec or a CSV file.
 * Must not know routing, routers or time. */
#include "ecube/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/list.h"
#include "workload/collective.h"
#include "workload/mixture.h"
#include "workload/spec.h"
#include "workload/trace.h"

static enum ec_code no_memory_for_workload(struct ec_error *reterr)
{
    return ec_fail(reterr, EC_MEMORY, "out of memory for the workload's messages");
}

/* Maps from CSV files. */

/* src_line[], dst_line[]: the line in which a node sends, receives; 0: none yet. */
static enum ec_code read_map_rows(struct ec_csv *csv, uint32_t *map, uint64_t *src_line,
                                  uint64_t *dst_line, struct ec_error *reterr)
{
    uint64_t row[2];
    bool end;
    size_t count = 0;

    for (;; count++) {
        enum ec_code code = ec_csv_row(csv, row, &end, reterr);
        if (code)
            return code;
        if (end)
            return count ? EC_OK : trace_no_rows(csv, reterr);
        if (src_line[row[0]] || dst_line[row[1]]) {
            bool src = src_line[row[0]] != 0;
            return ec_fail(
                reterr, EC_USAGE,
                "%s:%llu: node %llu %s twice (first in line %llu): expected each node at "
                "most once per column",
                csv->path, (unsigned long long)csv->line, (unsigned long long)row[src ? 0 : 1],
                src ? "sends" : "receives",
                (unsigned long long)(src ? src_line[row[0]] : dst_line[row[1]]));
        }
        src_line[row[0]] = dst_line[row[1]] = csv->line;
        map[row[0]] = (uint32_t)row[1];
    }
}

static enum ec_code read_map_file(struct ec_slice path, uint32_t nodes, uint32_t *map,
                                  struct ec_error *reterr)
{
    char node[48];
    snprintf(node, sizeof node, "a node (0 to %u)", nodes - 1);
    const struct ec_csv_column columns[] = {
        {.name = "src", .other_name = "source", .what = node, .most = nodes - 1},
        {.name = "dst", .other_name = "destination", .what = node, .most = nodes - 1},
    };
    struct ec_csv csv = {0};
    uint64_t *lines = calloc(nodes, 2 * sizeof *lines);
    enum ec_code code;

    if (!lines)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a map of %u nodes", nodes);
    for (uint32_t i = 0; i < nodes; i++)
        map[i] = EC_NONE;
    code = trace_open_csv("perm", path, columns, 2, &csv, reterr);
    if (code == EC_OK)
        code = read_map_rows(&csv, map, lines, lines + nodes, reterr);
    ec_csv_close(&csv);
    free(lines);
    return code;
}

/* "0>1,1>2" or "0-1,1-2". */
static enum ec_code read_pair(struct ec_slice pair, uint32_t nodes, uint64_t *ret,
                              struct ec_error *reterr)
{
    struct ec_slice to = pair, from;

    ec_slice_take(&to, memchr(pair.at, '>', pair.length) ? '>' : '-', &from);
    if (to.at && ec_slice_number(from, nodes - 1, &ret[0]) &&
        ec_slice_number(to, nodes - 1, &ret[1]))
        return EC_OK;
    return ec_fail(reterr, EC_USAGE,
                   "workload ppermute: pair '%.*s': expected SOURCE-DESTINATION, nodes from 0 to "
                   "%u (or SOURCE>DESTINATION, in quotes in a shell)",
                   EC_SHOWN(pair), nodes - 1);
}

static enum ec_code read_pairs(struct ec_slice pairs, uint32_t nodes, uint32_t *map,
                               struct ec_error *reterr)
{
    bool *seen = calloc(nodes, 2 * sizeof *seen); /* sends, receives */
    enum ec_code code = EC_OK;
    struct ec_slice pair;
    uint64_t ends[2];

    if (!seen)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a map of %u nodes", nodes);
    for (uint32_t i = 0; i < nodes; i++)
        map[i] = EC_NONE;
    while (code == EC_OK && ec_slice_take(&pairs, ',', &pair)) {
        code = read_pair(pair, nodes, ends, reterr);
        for (unsigned k = 0; k < 2 && code == EC_OK; k++) {
            if (seen[2 * ends[k] + k])
                code =
                    ec_fail(reterr, EC_USAGE,
                            "workload ppermute: pair '%.*s': node %llu %s twice: expected each "
                            "node at most once as source and once as destination",
                            EC_SHOWN(pair), (unsigned long long)ends[k], k ? "receives" : "sends");
            seen[2 * ends[k] + k] = true;
        }
        if (code == EC_OK)
            map[ends[0]] = (uint32_t)ends[1];
    }
    free(seen);
    return code;
}

/* Messages from maps and permutations. */

/* The destination of every node, EC_NONE where a partial map has none. Owned by the caller. */
static enum ec_code make_map(const struct ec_workload_spec *s, uint64_t seed, uint32_t **ret,
                             struct ec_error *reterr)
{
    uint32_t nodes = s->pattern.t->nodes;
    ec_pattern_map *map_node = ec_workload_kind(s->id)->map;
    uint32_t *map = malloc(nodes * sizeof *map);

    if (!map)
        return no_memory_for_workload(reterr);
    if (s->id == EC_WORKLOAD_RANDPERM)
        ec_pattern_permutation(seed, nodes, map);
    if (s->id == EC_WORKLOAD_HOTSPOT) {
        for (uint32_t i = 0; i < nodes; i++)
            map[i] = i == s->node ? EC_NONE : s->node;
    }
    if (s->on_bits) {
        for (uint32_t i = 0; i < nodes; i++)
            map[i] = (uint32_t)ec_sdp_apply(&s->sdp, i); /* K is 1 here */
    } else if (map_node) {
        for (uint32_t i = 0; i < nodes; i++)
            map[i] = map_node(&s->pattern, i);
    }
    if (s->id == EC_WORKLOAD_PERM || s->id == EC_WORKLOAD_PPERMUTE) {
        const enum ec_code code = s->id == EC_WORKLOAD_PERM
                                      ? read_map_file(s->file, nodes, map, reterr)
                                      : read_pairs(s->file, nodes, map, reterr);
        if (code) {
            free(map);
            return code;
        }
    }
    *ret = map;
    return EC_OK;
}

/* One message per node that has a destination, all in cycle 1. */
static enum ec_code messages_from_map(struct ec_workload *w, const uint32_t *map, uint32_t words,
                                      struct ec_error *reterr)
{
    w->messages = malloc(w->nodes * sizeof *w->messages);
    if (!w->messages)
        return no_memory_for_workload(reterr);
    for (uint32_t i = 0; i < w->nodes; i++) {
        if (map[i] != EC_NONE)
            w->messages[w->message_count++] =
                (struct ec_message){.cycle = 1, .src = i, .dst = map[i], .words = words};
    }
    return EC_OK;
}

/* One message for each element that changes its node, in the order of nodes and slots. */
static enum ec_code messages_from_bits(struct ec_workload *w, uint32_t words,
                                       struct ec_error *reterr)
{
    const struct ec_sdp *s = w->sdp;

    w->messages = malloc((size_t)w->holders * w->per_node * sizeof *w->messages);
    if (!w->messages)
        return no_memory_for_workload(reterr);
    for (uint32_t src = 0; src < w->holders; src++) {
        for (uint32_t slot = 0; slot < w->per_node; slot++) {
            const uint64_t to = ec_sdp_apply(s, (uint64_t)src << s->storage | slot);
            const uint32_t dst = (uint32_t)(to >> s->storage);
            if (dst != src)
                w->messages[w->message_count++] =
                    (struct ec_message){.cycle = 1, .src = src, .dst = dst, .words = words};
        }
    }
    return EC_OK;
}

/* A message with its place in the file. */
struct placed {
    struct ec_message message;
    size_t at;
};

static int by_cycle_and_source(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->message.cycle != y->message.cycle)
        return x->message.cycle < y->message.cycle ? -1 : 1;
    if (x->message.src != y->message.src)
        return x->message.src < y->message.src ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Messages of one node in one cycle leave in the order of the file. */
static enum ec_code sort_messages(struct ec_workload *w, struct ec_error *reterr)
{
    struct placed *list = malloc(w->message_count * sizeof *list);

    if (!list)
        return no_memory_for_workload(reterr);
    for (size_t i = 0; i < w->message_count; i++)
        list[i] = (struct placed){w->messages[i], i};
    qsort(list, w->message_count, sizeof *list, by_cycle_and_source);
    for (size_t i = 0; i < w->message_count; i++)
        w->messages[i] = list[i].message;
    free(list);
    return EC_OK;
}

/* No node sends twice, none receives twice, all in cycle 1. */
static enum ec_code find_permutation(struct ec_workload *w, struct ec_error *reterr)
{
    unsigned char *seen = calloc(w->nodes, 1); /* bit 0: has sent, bit 1: has received */
    bool permutation = true;

    if (!seen)
        return no_memory_for_workload(reterr);
    for (size_t i = 0; i < w->message_count && permutation; i++) {
        const struct ec_message *m = &w->messages[i];
        permutation = m->cycle == 1 && !(seen[m->src] & 1) && !(seen[m->dst] & 2);
        seen[m->src] |= 1;
        seen[m->dst] |= 2;
    }
    free(seen);
    w->permutation = permutation;
    return EC_OK;
}

static enum ec_code build_closed(const struct ec_workload_spec *s, uint64_t seed,
                                 struct ec_workload *w, struct ec_error *reterr)
{
    enum ec_code code;

    if (s->id == EC_WORKLOAD_TRACE) {
        code = trace_read(s->file, w, reterr);
        if (code == EC_OK && !w->order)
            code = sort_messages(w, reterr);
    } else if (collective_is(s->id)) {
        code = collective_messages(s, w, reterr);
    } else if (s->on_bits && (s->per_node > 1 || s->sub || !ec_workload_kind(s->id)->map)) {
        code = messages_from_bits(w, s->lengths.first, reterr);
    } else {
        uint32_t *map;
        code = make_map(s, seed, &map, reterr);
        if (code)
            return code;
        code = messages_from_map(w, map, s->lengths.first, reterr);
        free(map);
    }
    if (code)
        return code;
    for (size_t i = 0; i < w->message_count; i++) {
        if (w->messages[i].words > w->longest)
            w->longest = w->messages[i].words;
    }
    w->shift = s->id == EC_WORKLOAD_SHIFT ? s->pattern.q : 0;
    w->gray = s->pattern.gray;
    w->words = s->id == EC_WORKLOAD_TRACE || w->combined ? 0 : s->lengths.first;
    return w->order ? EC_OK : find_permutation(w, reterr);
}

/* The pattern of an open loop. */
static enum ec_code make_part(const struct ec_workload_spec *s, uint64_t seed, uint32_t nodes,
                              struct ec_part *part, struct ec_error *reterr)
{
    part->lengths = s->lengths;
    part->hot_node = s->node;
    part->hot_share = s->share;
    if (s->id == EC_WORKLOAD_UNIFORM || s->id == EC_WORKLOAD_HOTSPOT)
        return EC_OK;

    enum ec_code code = make_map(s, seed, &part->map, reterr);
    for (uint32_t i = 0; code == EC_OK && i < nodes; i++) {
        if (part->map[i] == EC_NONE)
            code = ec_fail(
                reterr, EC_USAGE,
                "%.*s: node %u sends nothing: expected a row for every node, because of rate=",
                EC_SHOWN(s->file), i);
    }
    return code;
}

static enum ec_code build_mixture(const struct ec_workload_spec *s, uint64_t seed,
                                  struct ec_workload *w, struct ec_error *reterr)
{
    struct mixture_part parts[EC_PARTS_MAX];
    unsigned count;
    enum ec_code code = mixture_parse(s, s->pattern.t, parts, &count, reterr);
    for (unsigned k = 0; code == EC_OK && k < count; k++) {
        w->part_count = k + 1; /* those that hold memory */
        w->parts[k].share = parts[k].share;
        mixture_part_format(&parts[k], w->parts[k].text, sizeof w->parts[k].text);
        code = make_part(&parts[k].spec, seed, w->nodes, &w->parts[k], reterr);
    }
    if (code == EC_OK)
        code = mixture_format(s, parts, count, w->text, sizeof w->text, reterr);
    return code;
}

static enum ec_code build_open(const struct ec_workload_spec *s, uint64_t seed,
                               struct ec_workload *w, struct ec_error *reterr)
{
    const bool mixed = s->id == EC_WORKLOAD_MIX;
    enum ec_code code;
    w->open_loop = true;
    w->rate = s->rate;
    w->burst = s->burst;
    w->service = s->service;
    w->parts = calloc(mixed ? EC_PARTS_MAX : 1, sizeof *w->parts);
    if (!w->parts)
        return no_memory_for_workload(reterr);
    if (mixed) {
        code = build_mixture(s, seed, w, reterr);
    } else {
        w->part_count = 1;
        w->parts[0].share = 1;
        snprintf(w->parts[0].text, sizeof w->parts[0].text, "%s", w->name);
        code = make_part(s, seed, w->nodes, &w->parts[0], reterr);
    }
    if (code)
        return code;
    for (unsigned k = 0; k < w->part_count; k++) {
        if (w->parts[k].lengths.last > w->request)
            w->request = w->parts[k].lengths.last;
    }
    w->longest = w->request > w->service.words ? w->request : w->service.words;
    return EC_OK;
}

bool ec_workload_can_deadlock(const struct ec_workload *w)
{
    const struct ec_service *s = &w->service;
    const uint64_t most = (uint64_t)s->outstanding * (w->nodes - 1);
    return s->words > 0 && s->shared && s->queue > 0 && (most == 0 || most > s->queue);
}

unsigned ec_workload_classes(const struct ec_workload *w)
{
    const unsigned count = w->part_count + (w->service.words > 0);
    return count < 2 ? 0 : count;
}

const char *ec_workload_class_name(const struct ec_workload *w, unsigned class_)
{
    return class_ == w->part_count ? "replies"
           : w->part_count == 1    ? "requests"
                                   : w->parts[class_].text;
}

double ec_workload_mean_words(const struct ec_workload *w)
{
    double mean = 0;
    for (unsigned k = 0; k < w->part_count; k++) {
        const struct ec_lengths *l = &w->parts[k].lengths;
        mean += w->parts[k].share * (((double)l->first + (double)l->last) / 2);
    }
    return mean;
}

double ec_workload_mean_square(const struct ec_workload *w)
{
    double square = 0;
    for (unsigned k = 0; k < w->part_count; k++) {
        const struct ec_lengths *l = &w->parts[k].lengths;
        const double a = l->first, b = l->last, n = b - a + 1, mean = (a + b) / 2;
        square +=
            w->parts[k].share * (l->mix ? (a * a + b * b) / 2 : mean * mean + (n * n - 1) / 12);
    }
    return square;
}

static enum ec_code copy_sdp(const struct ec_workload_spec *s, struct ec_workload *w,
                             struct ec_error *reterr)
{
    if (!s->on_bits)
        return EC_OK;
    w->sdp = malloc(sizeof *w->sdp);
    if (!w->sdp)
        return no_memory_for_workload(reterr);
    *w->sdp = s->sdp;
    return EC_OK;
}

enum ec_code ec_workload_open(const char *text, const struct ec_topology *t, uint64_t seed,
                              struct ec_workload **ret, struct ec_error *reterr)
{
    struct ec_workload_spec spec;
    enum ec_code code = ec_workload_spec_parse(text, t, &spec, reterr);
    if (code)
        return code;

    struct ec_workload *w = calloc(1, sizeof *w);
    if (!w)
        return no_memory_for_workload(reterr);
    ec_workload_spec_format(&spec, w->text, sizeof w->text);
    w->name = ec_workload_kind(spec.id)->info.name;
    if (spec.id == EC_WORKLOAD_RESHARD && spec.pattern.bits)
        ec_sdp_format(&spec.sdp, w->shuffle, sizeof w->shuffle);
    w->nodes = t->nodes;
    w->per_node = spec.per_node;
    w->holders = spec.sub ? UINT32_C(1) << spec.sub : t->nodes;
    code = copy_sdp(&spec, w, reterr);
    if (code == EC_OK)
        code = spec.open_loop ? build_open(&spec, seed, w, reterr)
                              : build_closed(&spec, seed, w, reterr);
    if (code) {
        ec_workload_close(w);
        return code;
    }
    *ret = w;
    return EC_OK;
}

void ec_workload_close(struct ec_workload *w)
{
    if (!w)
        return;
    if (w->order) {
        free(w->order->step);
        free(w->order->delay);
        free(w->order->first);
        free(w->order->after);
        free(w->order->behind);
    }
    free(w->order);
    free(w->sdp);
    free(w->messages);
    free(w->ids);
    free(w->combined);
    for (unsigned k = 0; k < w->part_count; k++)
        free(w->parts[k].map);
    free(w->parts);
    free(w);
}
