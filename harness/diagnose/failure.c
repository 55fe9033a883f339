/* SPDX-License-Identifier: Apache-2.0 */
/* Failure by replay. Two replays: one in which every router has a traced twin, so that the checks
 * inside the RTL can speak; and one that dumps the routers concerned around the cycle concerned.
 *
 * Knows what is worth looking at; what went wrong was found out before (diagnosis.c, checks.c). */
#include "diagnose/failure.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/file.h"
#include "observe/wave_state.h"

enum {
    CYCLES_BEFORE = 64,
    CYCLES_AFTER = 16,
    NEIGHBOURS_UP_TO = 16, /* routers in a dump with the neighbours of the culprit */
    WHOLE_UP_TO = 16,      /* nodes: a network so small is dumped whole if no place is known */
    WHOLE_CYCLES = 1000,   /* then so many cycles of it */
    TWINS_UP_TO = 4096,    /* nodes: beyond, only the routers concerned have their checks on */
};

struct twin_watch {
    struct ec_net_watch watch;
    struct twins twins;
};

static void see_router(void *context, const struct ec_net_seen *seen)
{
    twins_see(&((struct twin_watch *)context)->twins, seen);
}

static void see_cycle(void *context, uint64_t cycle)
{
    twins_step(&((struct twin_watch *)context)->twins, cycle);
}

static void see_reset(void *context)
{
    twins_reset(&((struct twin_watch *)context)->twins);
}

/* The checks that fired, as lines of the report; the first of them may be the place to look at. */
static void take_checks(const struct play *p, const struct twins *twins, struct ec_failure *f,
                        struct failure_place *place)
{
    f->checks = calloc(twins->failure_count ? twins->failure_count : 1, sizeof *f->checks);
    for (size_t i = 0; f->checks && i < twins->failure_count; i++) {
        const struct twin_failure *t = &twins->failures[i];
        char router[128], line[512];
        ec_topology_node_name(p->net->topology, t->node, router, sizeof router);
        snprintf(line, sizeof line, "cycle %" PRIu64 ", router %s%s%s: %s", t->cycle, router,
                 t->place[0] ? ", " : "", t->place, t->what);
        f->checks[f->check_count] = strdup(line);
        f->check_count += f->checks[f->check_count] != NULL;
    }
    if (twins->failure_count == 0)
        return;
    const struct twin_failure *first = &twins->failures[0];
    if (place->nodes.count == 0 || first->cycle < place->cycle)
        place->cycle = first->cycle;
    ec_node_set_add(&place->nodes, first->node);
}

/* The replay with the RTL's checks on. */
static enum ec_code replay_checked(struct play *p, const struct ec_shape *shape,
                                   struct failure_place *place, struct ec_failure *f,
                                   struct ec_error *reterr)
{
    struct twin_watch w = {.twins = {0}};
    const struct ec_topology *t = p->net->topology;
    struct ec_node_set all = {0};
    const struct ec_node_set *set = &place->nodes;
    enum ec_code code = EC_OK;
    if (t->nodes <= TWINS_UP_TO) {
        code = ec_select_nodes("all", t, p->net->router, &all, reterr);
        set = &all;
    }
    if (code == EC_OK && set->count == 0)
        return EC_OK;
    if (code == EC_OK)
        code = twins_open(&w.twins, t, p->net->router, shape, set, p->net->pulse, reterr);
    ec_node_set_free(&all);
    if (code != EC_OK)
        return code;
    w.watch = (struct ec_net_watch){.router = see_router,
                                    .cycle = see_cycle,
                                    .reset = see_reset,
                                    .nodes = w.twins.selected,
                                    .context = &w};
    const bool whole = play_again(p, &w.watch, p->cycle);
    take_checks(p, &w.twins, f, place);
    twins_close(&w.twins);
    return whole ? EC_OK : ec_fail(reterr, EC_INTERRUPTED, "interrupted");
}

struct ec_cycle_range failure_cycles(uint64_t cycle)
{
    return (struct ec_cycle_range){cycle > CYCLES_BEFORE ? cycle - CYCLES_BEFORE : 1,
                                   cycle + CYCLES_AFTER};
}

bool failure_neighbours(const struct ec_topology *t, struct ec_node_set *set)
{
    const size_t own = set->count;
    for (size_t i = 0; i < own; i++) {
        for (unsigned link = 0; link < ec_topology_links(t); link++) {
            const uint32_t node = ec_topology_neighbor(t, set->nodes[i], link);
            if (node == EC_NONE || set->count >= NEIGHBOURS_UP_TO)
                continue;
            if (!ec_node_set_add(set, node))
                return false;
        }
    }
    return true;
}

void failure_note(char *note, size_t size, const char *format, ...)
{
    const size_t used = strlen(note);
    const int between = used ? snprintf(note + used, size - used, "; ") : 0;
    const size_t from = used + (size_t)between;
    va_list args;
    va_start(args, format);
    if (from < size)
        vsnprintf(note + from, size - from, format, args);
    va_end(args);
}

enum ec_code failure_wave_finish(struct ec_wave *wave, bool whole,
                                 const struct ec_cycle_range *cycles, struct ec_wave_summary *ret,
                                 char *note, size_t size, struct ec_error *reterr)
{
    if (!whole && !wave->first)
        return ec_fail(reterr, EC_INTERRUPTED, "interrupted before cycle %" PRIu64, cycles->from);
    const enum ec_code code = ec_wave_finish(wave, ret, reterr);
    if (code == EC_OK && !whole && ret->last < cycles->to)
        failure_note(note, size, "interrupted: the wave ends in cycle %" PRIu64, ret->last);
    return code;
}

/* Which routers, which cycles. False (with a note): nothing can be chosen. */
static bool choose(const struct play *p, struct failure_place *place, struct ec_cycle_range *range,
                   struct ec_failure *f)
{
    const struct ec_topology *t = p->net->topology;
    f->found = place->nodes.count > 0;
    f->cycle = f->found ? place->cycle : 0;
    if (f->found) {
        *range = failure_cycles(place->cycle);
        return failure_neighbours(t, &place->nodes);
    }
    if (t->nodes > WHOLE_UP_TO) {
        snprintf(f->note, sizeof f->note,
                 "no wave: nothing says which router to look at; choose with --wave-nodes");
        return false;
    }
    *range = (struct ec_cycle_range){1, WHOLE_CYCLES};
    return ec_select_nodes("all", t, p->net->router, &place->nodes, NULL) == EC_OK;
}

/* ecube-failure-HASH.fst: the same run has the same name, and overwrites its own file. */
static enum ec_code name_wave(const struct play *p, const struct ec_report *report, char *buffer,
                              size_t size, struct ec_error *reterr)
{
    const uint64_t key = XXH3_64bits_withSeed(&report->digest, sizeof report->digest, play_key(p));
    return ec_path(buffer, size, reterr, "%s/ecube-failure-%016" PRIx64 ".fst",
                   p->options.failure->folder, key);
}

static enum ec_code replay_dumped(struct play *p, const struct ec_shape *shape,
                                  const struct failure_place *place,
                                  const struct ec_cycle_range *range, struct ec_report *report,
                                  struct ec_error *reterr)
{
    struct ec_failure *f = &report->failure;
    char path[sizeof f->wave];
    struct ec_wave *wave;
    struct ec_wave_summary summary;
    struct ec_node_set shown = place->nodes; /* borrowed */
    if (shown.count > EC_WAVE_NODES_MAX)
        shown.count = EC_WAVE_NODES_MAX;
    const struct ec_wave_options options = {.path = path,
                                            .nodes = &shown,
                                            .cycles = *range,
                                            .title = p->options.failure->title,
                                            .unfinished = p->options.failure->unfinished,
                                            .pulse = p->net->pulse};
    enum ec_code code = name_wave(p, report, path, sizeof path, reterr);
    if (code == EC_OK)
        code = ec_folder_make(p->options.failure->folder, EC_FOLDER_USUAL, reterr);
    if (code == EC_OK)
        code = ec_wave_open(p->net->topology, p->net->router, shape, &options, &wave, reterr);
    if (code != EC_OK)
        return code;
    if (f->found)
        ec_wave_mark(wave, f->cycle, "FAILURE");
    const bool whole = play_again(p, ec_wave_watch(wave), f->found ? range->to : p->cycle);
    code = failure_wave_finish(wave, whole, range, &summary, f->note, sizeof f->note, reterr);
    ec_wave_close(wave);
    if (code != EC_OK)
        return code;
    f->wave_nodes = shown.count;
    if (shown.count < f->node_count)
        failure_note(f->note, sizeof f->note,
                     "the wave has the first %zu of the %zu routers concerned", shown.count,
                     f->node_count);
    f->first = summary.first;
    f->last = summary.last;
    snprintf(f->wave, sizeof f->wave, "%s", path);
    if (summary.differs) { /* then the traced shape is wrong, not the run */
        char router[128];
        ec_topology_node_name(p->net->topology, summary.differs_node, router, sizeof router);
        failure_note(f->note, sizeof f->note,
                     "internal error: in cycle %" PRIu64 " the traced router %s does not do what "
                     "the router did",
                     summary.differs_cycle, router);
    }
    return EC_OK;
}

static bool keep_nodes(struct ec_failure *f, const struct ec_node_set *set)
{
    f->nodes = malloc(set->count * sizeof *f->nodes);
    if (!f->nodes)
        return false;
    memcpy(f->nodes, set->nodes, set->count * sizeof *f->nodes);
    f->node_count = set->count;
    return true;
}

/* Places that checks and ledger know, where the diagnosis knew none. */
static bool start_place(const struct play *p, const struct failure_place *known,
                        struct failure_place *ret)
{
    const struct ec_net_fault *fault = p->net->ops->fault(p->net);
    const struct ec_net_rtl *rtl = p->net->rtl;
    *ret = (struct failure_place){.cycle = known->cycle};
    for (size_t i = 0; i < known->nodes.count; i++) {
        if (!ec_node_set_add(&ret->nodes, known->nodes.nodes[i]))
            return false;
    }
    if (ret->nodes.count)
        return true;
    if (rtl && rtl->count && rtl->node != EC_NONE) {
        ret->cycle = rtl->cycle;
        return ec_node_set_add(&ret->nodes, rtl->node);
    }
    if (fault->found) {
        ret->cycle = fault->cycle;
        return ec_node_set_add(&ret->nodes, fault->node);
    }
    if (p->board.failed) {
        ret->cycle = p->board.failed_cycle;
        return ec_node_set_add(&ret->nodes, p->board.failed_node);
    }
    return true;
}

void failure_replay(struct play *p, const struct failure_place *known, struct ec_report *report)
{
    const struct ec_failure_options *options = p->options.failure;
    struct ec_failure *f = &report->failure;
    struct failure_place place;
    struct ec_cycle_range range;
    struct ec_shape *shape = NULL;
    struct ec_error e = {.code = EC_OK, .message = "out of memory"};
    bool good = start_place(p, known, &place);
    if (good && !p->net->ops->watch) {
        snprintf(f->note, sizeof f->note, "no wave: backend %s cannot be watched",
                 p->net->ops->name);
        goto done;
    }
    good = good && options->traced(options->context, &shape, &e) == EC_OK &&
           replay_checked(p, shape, &place, f, &e) == EC_OK;
    if (good && choose(p, &place, &range, f))
        good = keep_nodes(f, &place.nodes) &&
               replay_dumped(p, shape, &place, &range, report, &e) == EC_OK;
    if (!good)
        snprintf(f->note, sizeof f->note, "no wave: %s", e.message);
done:
    ec_node_set_free(&place.nodes);
}

void failure_close(struct ec_failure *f)
{
    for (size_t i = 0; i < f->check_count; i++)
        free(f->checks[i]);
    free(f->checks);
    free(f->nodes);
    *f = (struct ec_failure){0};
}
