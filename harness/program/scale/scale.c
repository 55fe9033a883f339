/* SPDX-License-Identifier: Apache-2.0 */
/* From a request to predictions. Knows the order of the steps; must not measure or print. */
#include "program/scale/scale.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/partition.h"
#include "parts/auto.h"
#include "program/scale/network.h"
#include "program/scale/probe.h"
#include "program/scale/threads.h"

#define MICRO             1e-6
#define GIGA              1e9
/* Bytes of memory of a part for each node of the network (docs/SCALING.md). */
#define OTHER_NODE_OPEN   54.0
#define OTHER_NODE_CLOSED 32.0

/* --- Lists ------------------------------------------------------------------------------------ */

static enum ec_code refuse_list(const char *option, const char *text, const char *why,
                                struct ec_error *e)
{
    return ec_fail(
        e, EC_USAGE,
        "--%s %.100s: %s; expected up to %d ascending numbers from 1 to %d, such as 1,2,4 "
        "or 2,...,1024",
        option, text, why, SCALE_LIST_MAX, EC_PARTITION_MAX);
}

static const char too_many[] = "these are too many numbers";

/* What is wrong, or NULL. */
static const char *list_put(struct scale_list *l, unsigned long value)
{
    if (value < 1 || value > EC_PARTITION_MAX)
        return "a number is out of range";
    if (l->count > 0 && value <= l->value[l->count - 1])
        return "a number is not above the one before";
    if (l->count == SCALE_LIST_MAX)
        return too_many;
    l->value[l->count++] = (uint32_t)value;
    return NULL;
}

/* Double the last number until `end` is next. The same. */
static const char *list_double(struct scale_list *l, unsigned long end)
{
    const char *why = NULL;
    if (l->count == 0)
        return "no number is before '...'";
    for (unsigned long n = 2UL * l->value[l->count - 1]; !why && n < end; n *= 2)
        why = list_put(l, n);
    return why;
}

enum ec_code scale_list_read(const char *option, const char *text, struct scale_list *ret,
                             struct ec_error *reterr)
{
    bool dots = false;
    const char *at = text;
    *ret = (struct scale_list){0};
    for (;;) {
        char *end = (char *)at;
        if (!dots && strncmp(at, "...,", 4) == 0) {
            dots = true;
            at += 4;
            continue;
        }
        /* What is too large for the type is its largest value. */
        const unsigned long value = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;
        const char *why = end == at || (*end && *end != ',') ? "this is no list of numbers" : NULL;
        if (!why && dots)
            why = list_double(ret, value < EC_PARTITION_MAX ? value : EC_PARTITION_MAX);
        if (!why)
            why = list_put(ret, value);
        if (why)
            return refuse_list(option, text, why, reterr);
        if (*end == '\0')
            return EC_OK;
        dots = false;
        at = end + 1;
    }
}

/* The powers of two up to the processors of this process, and these. */
static void list_processors(struct scale_list *l)
{
    const unsigned processors = parts_processors();
    for (unsigned n = 1; n < processors; n *= 2)
        (void)list_put(l, n);
    (void)list_put(l, processors);
}

/* One rank comes first: what follows is compared with it. */
static enum ec_code read_lists(const struct cli_job *job, struct scale_list *ranks,
                               struct scale_list *threads, struct ec_error *e)
{
    enum ec_code code = EC_OK;
    *threads = (struct scale_list){0};
    if (job->thread_list)
        code = scale_list_read("threads", job->thread_list, threads, e);
    else
        list_processors(threads);
    *ranks = (struct scale_list){.value = {1}, .count = 1};
    if (code != EC_OK || !job->rank_list)
        return code;
    code = scale_list_read("ranks", job->rank_list, ranks, e);
    if (code != EC_OK || ranks->value[0] == 1)
        return code;
    if (ranks->count == SCALE_LIST_MAX)
        return refuse_list("ranks", job->rank_list,
                           "with one rank, which is always predicted, these are too many numbers",
                           e);
    memmove(ranks->value + 1, ranks->value, ranks->count++ * sizeof *ranks->value);
    ranks->value[0] = 1;
    return EC_OK;
}

/* --- Networks --------------------------------------------------------------------------------- */

/* Typical of such networks (docs/SCALING.md). */
static const struct scale_kind typical[] = {
    {"InfiniBand", {1.5 * MICRO, 0.3 * MICRO, 1 / (20 * GIGA)}},
    {"25G Ethernet", {15 * MICRO, 3 * MICRO, 1 / (2.8 * GIGA)}},
    {"1G Ethernet", {40 * MICRO, 5 * MICRO, 1 / (0.115 * GIGA)}},
};
_Static_assert(sizeof typical / sizeof *typical == SCALE_NETWORKS - 1, "one more: the request's");

static void choose_networks(const struct cli_job *job, struct scale_kind *kinds)
{
    kinds[0] = (struct scale_kind){
        "this one", {job->latency * MICRO, job->overhead * MICRO, 1 / (job->bandwidth * GIGA)}};
    memcpy(kinds + 1, typical, sizeof typical);
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* A part also knows something of every node elsewhere: what has arrived from it, in open loop. */
static double rank_bytes(const struct scale_result *r, const struct scale_cut *cut)
{
    const double other = r->c->workload->open_loop ? OTHER_NODE_OPEN : OTHER_NODE_CLOSED;
    const bool split = cut->ranks * cut->threads > 1;
    if (r->measured.router_bytes <= 0)
        return 0;
    return cut->threads *
           (r->measured.router_bytes * cut->most + (split ? other * r->c->topology.nodes : 0));
}

/* Both lists, without what no run can have. */
static enum ec_code list_rows(struct scale_result *r, struct ec_error *e)
{
    const uint32_t nodes = r->c->topology.nodes;
    const uint32_t most = nodes < EC_PARTITION_MAX ? nodes : EC_PARTITION_MAX;
    const struct scale_list *ranks = &r->ranks, *threads = &r->threads;
    r->rows = calloc(ranks->count * threads->count, sizeof *r->rows);
    if (!r->rows)
        return ec_fail(e, EC_MEMORY, "out of memory for predictions");
    for (size_t i = 0; i < ranks->count; i++) {
        for (size_t k = 0; k < threads->count; k++) {
            struct scale_row *row = &r->rows[r->count];
            if ((uint64_t)ranks->value[i] * threads->value[k] > most) {
                r->left_out++;
                continue;
            }
            const enum ec_code code = scale_cut(&r->c->topology, &r->measured, ranks->value[i],
                                                threads->value[k], &row->cut, e);
            if (code != EC_OK)
                return code;
            row->bytes = rank_bytes(r, &row->cut);
            r->count++;
        }
    }
    return EC_OK;
}

void scale_predict_all(struct scale_result *r)
{
    struct scale_machine *m = &r->measured.machine;
    const struct scale_load *load = &r->measured.load;
    r->best = 0;
    for (size_t i = 0; i < r->count; i++) {
        struct scale_row *row = &r->rows[i];
        for (size_t k = SCALE_NETWORKS; k-- > 0;) { /* the one of the request remains */
            m->network = r->kinds[k].network;
            row->delay[k] = row->cut.ranks > 1
                                ? scale_delay(m, load, &row->cut, r->job->efficiency, EC_LINK_MAX)
                                : 0;
        }
        row->point = scale_predict(m, load, &row->cut);
        if (row->point.cycle < r->rows[r->best].point.cycle)
            r->best = i;
    }
}

/* Is there a split at all? */
static enum ec_code check_least(const struct ec_case *c, const struct scale_list *ranks,
                                const struct scale_list *threads, struct ec_error *e)
{
    if (ranks->value[0] * threads->value[0] <= c->topology.nodes)
        return EC_OK;
    return ec_fail(e, EC_USAGE, "%s has %u nodes, too few for %u threads", c->topology_text,
                   c->topology.nodes, threads->value[0]);
}

/* --- The steps -------------------------------------------------------------------------------- */

enum ec_code scale_open(const struct cli_job *job, struct ec_case *c, struct ec_net_pulse *pulse,
                        struct cli_progress *progress, struct scale_result *ret,
                        struct ec_error *reterr)
{
    *ret = (struct scale_result){.job = job, .c = c, .progress = progress};
    enum ec_code code = read_lists(job, &ret->ranks, &ret->threads, reterr);
    if (code == EC_OK)
        code = check_least(c, &ret->ranks, &ret->threads, reterr);
    if (code != EC_OK)
        return code;
    const struct scale_request request = {.seconds = job->seconds,
                                          .nodes = job->largest,
                                          .threads = ret->threads.value,
                                          .thread_count = ret->threads.count,
                                          .pulse = pulse,
                                          .progress = progress};
    choose_networks(job, ret->kinds);
    code = scale_measure(c, &request, &ret->measured, reterr);
    return code == EC_OK ? list_rows(ret, reterr) : code;
}

/* A short run has less traffic at its ends, in one part as in several. */
static enum ec_code verify_row(struct scale_result *r, struct ec_case *c, struct scale_row *row,
                               struct ec_error *e)
{
    double time;
    cli_progress_say(r->progress, "running %s %s in %u parts", c->topology_text, c->workload->text,
                     row->cut.ranks * row->cut.threads);
    c->spec.threads = row->cut.threads;
    const enum ec_code code = scale_case_time(c, r->job->seconds / 4, &time, e);
    if (code == EC_OK)
        row->verified = time * r->measured.cycle / r->measured.run;
    return code;
}

enum ec_code scale_verify(struct scale_result *r, struct ec_case *c, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    for (size_t i = 0; r->measured.run > 0 && code == EC_OK && i < r->count; i++) {
        struct scale_row *row = &r->rows[i];
        if (row->cut.ranks == 1 && row->cut.threads <= parts_processors())
            code = verify_row(r, c, row, reterr);
    }
    return code;
}

enum ec_code scale_meet(struct scale_result *r, struct ec_case *c, struct world *world,
                        struct ec_error *reterr)
{
    const bool runs = r->job->verify && c->topology.nodes <= r->job->largest;
    double time = 0;
    cli_progress_say(r->progress, "measuring %u ranks", world->ranks);
    enum ec_code code =
        scale_time_network(&c->topology, world, r->job->seconds / 4, &r->kinds[0].network, reterr);
    r->met = world->ranks;
    if (code == EC_OK && runs)
        code = scale_case_time(c, r->job->seconds / 4, &time, reterr);
    for (size_t i = 0; code == EC_OK && i < r->count; i++) {
        struct scale_row *row = &r->rows[i];
        if (row->cut.ranks == world->ranks && row->cut.threads == world->threads)
            row->verified = time * r->measured.cycle / r->measured.run;
    }
    return code;
}

void scale_free(struct scale_result *r)
{
    scale_measured_free(&r->measured);
    free(r->rows);
    *r = (struct scale_result){0};
}
