/* SPDX-License-Identifier: Apache-2.0 */
/* Waves: twins of the chosen routers, dumped while the run is in its window.
 *
 * Knows when a cycle is dumped and what is worth a mark; how the layouts look is in wave_gtkw.c and
 * wave_surfer.c, and what becomes of the files in wave_files.c. */
#include "ecube/wave.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/word.h"
#include "network/names.h"
#include "observe/wave_state.h"

/* Of each kind of event the first ones get a mark. */
enum { MARKS_PER_KIND = 8 };

static void add_mark(struct ec_wave *w, uint64_t cycle, bool must_read, const char *text)
{
    if (w->mark_count == WAVE_MARKS_MAX)
        return;
    struct wave_mark *m = &w->marks[w->mark_count++];
    m->cycle = cycle;
    m->must_read = must_read;
    snprintf(m->text, sizeof m->text, "%s", text);
}

void ec_wave_mark(struct ec_wave *w, uint64_t cycle, const char *text)
{
    add_mark(w, cycle, true, text);
}

static void mark_event(struct ec_wave *w, uint64_t cycle, const char *what, uint32_t node,
                       unsigned port)
{
    char router[EC_NAME_SIZE], name[EC_NAME_SIZE], text[64];
    size_t same = 0;
    for (size_t i = 0; i < w->mark_count; i++)
        same += strncmp(w->marks[i].text, what, strlen(what)) == 0;
    if (same >= MARKS_PER_KIND || cycle < w->cycles.from || cycle > w->cycles.to)
        return;
    ec_topology_node_name(w->t, node, router, sizeof router);
    ec_port_name(w->t, w->locals, port, name, sizeof name);
    snprintf(text, sizeof text, "%s %.20s %.20s", what, router, name);
    add_mark(w, cycle, false, text);
}

/* Set a flag of a VC; true if it is the first time. */
static bool note(struct ec_wave *w, size_t slot, unsigned port, unsigned vc, uint8_t flag)
{
    if (port >= w->ports)
        return false;
    uint8_t *at = wave_seen(w, slot, port, vc);
    const bool first = !(*at & flag);
    *at |= flag;
    return first;
}

static void note_words(struct ec_wave *w, size_t slot, const uint64_t *words, uint64_t valid,
                       uint8_t flag)
{
    for (uint64_t left = valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        word_set_add(&w->words, words[port]);
        note(w, slot, port, ec_word_vc(words[port]) & (w->twins.vcs - 1), flag);
    }
}

static void note_taps(struct ec_wave *w, const struct ec_net_seen *seen, size_t slot,
                      const uint64_t *taps, uint8_t flag, const char *what)
{
    for (unsigned vc = 0; vc < w->twins.vcs; vc++) {
        for (uint64_t left = taps[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            if (note(w, slot, port, vc, flag))
                mark_event(w, seen->cycle + 1, what, seen->node, port);
        }
    }
}

static void note_deliveries(struct ec_wave *w, const struct ec_net_seen *seen)
{
    for (uint64_t left = seen->out_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        if (port >= w->twins.links && ec_word_tail(seen->out_word[port]))
            mark_event(w, seen->cycle + 1, "delivered", seen->node, port);
    }
}

static bool inside(const struct ec_wave *w, uint64_t cycle)
{
    return cycle >= w->cycles.from && cycle <= w->cycles.to;
}

static void see_router(void *context, const struct ec_net_seen *seen)
{
    struct ec_wave *w = context;
    const uint32_t slot = w->twins.slot[seen->node];
    twins_see(&w->twins, seen);
    if (inside(w, seen->cycle))
        note_words(w, slot, seen->in_word, seen->in_valid, WAVE_IN);
    if (!inside(w, seen->cycle + 1))
        return;
    note_words(w, slot, seen->out_word, seen->out_valid, WAVE_OUT);
    note_taps(w, seen, slot, seen->contended, WAVE_CONTENDED, "contended");
    note_taps(w, seen, slot, seen->starved, WAVE_STARVED, "starved");
    note_deliveries(w, seen);
}

/* What cannot be whole is given up at once: it only takes the room of other files. */
static void dump(struct ec_wave *w, uint64_t cycle)
{
    const struct ec_tile_trace *trace = w->twins.api->trace;
    twins_show(&w->twins, !w->shown);
    w->shown = true;
    if (w->lost)
        return;
    w->lost = trace->dump(w->twins.bank, cycle);
    if (w->lost) {
        trace->dump_close(w->twins.bank);
        wave_files_remove(w);
    }
}

static void see_cycle(void *context, uint64_t cycle)
{
    struct ec_wave *w = context;
    /* One more than asked for, so that the last one has a width on the screen. */
    if (cycle >= w->cycles.from && cycle - 1 <= w->cycles.to) {
        dump(w, cycle);
        if (!w->first)
            w->first = cycle;
        w->last = cycle <= w->cycles.to ? cycle : w->cycles.to;
    } else {
        w->shown = false;
    }
    twins_step(&w->twins, cycle);
}

static void see_reset(void *context)
{
    struct ec_wave *w = context;
    twins_reset(&w->twins);
    w->shown = false;
}

static enum ec_code open_dump(struct ec_wave *w, const char *path, struct ec_error *reterr)
{
    uint32_t *all = calloc(w->twins.count, sizeof *all);
    if (!all)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a wave");
    for (size_t i = 0; i < w->twins.count; i++)
        all[i] = (uint32_t)i;
    enum ec_code code = wave_files_open(w, path, reterr);
    if (code == EC_OK) {
        w->lost = w->twins.api->trace->dump_open(w->twins.bank, w->files[WAVE_DUMP].temporary, all,
                                                 w->twins.count);
        code = w->lost ? wave_files_lost(w, reterr) : EC_OK;
    }
    free(all);
    return code;
}

enum ec_code ec_wave_open(const struct ec_topology *t, const struct ec_router *r,
                          const struct ec_shape *shape, const struct ec_wave_options *options,
                          struct ec_wave **ret, struct ec_error *reterr)
{
    const size_t count = options->nodes->count;
    if (count == 0 || count > EC_WAVE_NODES_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "a wave of %zu routers: choose 1 to %d (for example path:SRC-DST)", count,
                       EC_WAVE_NODES_MAX);
    struct ec_wave *w = calloc(1, sizeof *w);
    if (!w)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a wave");
    w->t = t;
    w->r = r;
    w->cycles = options->cycles;
    w->unfinished = options->unfinished;
    w->locals = ec_router_locals(r, t);
    w->ports = ec_topology_links(t) + w->locals;
    enum ec_code code = twins_open(&w->twins, t, r, shape, options->nodes, options->pulse, reterr);
    if (code == EC_OK) {
        w->seen = calloc(count * w->ports * w->twins.vcs, sizeof *w->seen);
        w->title = strdup(options->title ? options->title : "");
        code = w->seen && w->title ? open_dump(w, options->path, reterr)
                                   : ec_fail(reterr, EC_MEMORY, "out of memory for a wave");
    }
    if (code != EC_OK) {
        ec_wave_close(w);
        return code;
    }
    w->watch = (struct ec_net_watch){.router = see_router,
                                     .cycle = see_cycle,
                                     .reset = see_reset,
                                     .nodes = w->twins.selected,
                                     .context = w};
    *ret = w;
    return EC_OK;
}

const struct ec_net_watch *ec_wave_watch(struct ec_wave *w)
{
    return &w->watch;
}

static int by_cycle(const void *a, const void *b)
{
    const struct wave_mark *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return y->must_read - x->must_read;
}

enum ec_code ec_wave_finish(struct ec_wave *w, struct ec_wave_summary *ret, struct ec_error *reterr)
{
    uint64_t bytes;
    if (!w->lost)
        w->lost = w->twins.api->trace->dump_close(w->twins.bank);
    if (w->lost)
        return wave_files_lost(w, reterr);
    qsort(w->marks, w->mark_count, sizeof *w->marks, by_cycle);
    const enum ec_code code = wave_files_finish(w, &bytes, reterr);
    if (code == EC_OK)
        *ret = (struct ec_wave_summary){
            .bytes = bytes,
            .first = w->first,
            .last = w->last,
            .differs = w->twins.differs,
            .differs_cycle = w->twins.differs_cycle,
            .differs_node = w->twins.differs_node,
        };
    return code;
}

void ec_wave_close(struct ec_wave *w)
{
    if (!w)
        return;
    twins_close(&w->twins); /* closes the dump too */
    wave_files_remove(w);
    free(w->seen);
    free(w->title);
    word_set_close(&w->words);
    free(w);
}
