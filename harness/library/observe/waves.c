/* SPDX-License-Identifier: Apache-2.0 */
/* Waves: twins of the chosen routers, dumped while the run is in its window. The contents of the
 * layouts are in wave_layouts.c. */
#include "observe/waves.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "base/file.h"
#include "network/names.h"

enum {
    MARKS_PER_KIND = 8, /* only the first events of each kind get a mark */
    WORDS_MAX = 100000,
    NEAR_BEFORE = 3, /* cycles from a failure that are on the first screen */
    NEAR_AFTER = 6,
};

/* --- The words on dumped links -------------------------------------------------------------- */

static void remember_word(struct ec_wave *w, uint64_t word)
{
    if (word && w->word_count < WORDS_MAX && lookup_find(&w->known, word) == LOOKUP_NONE &&
        lookup_add(&w->known, word, 0))
        (void)EC_LIST_PUSH(w->words, w->word_count, w->word_room, word);
}

/* --- Files ---------------------------------------------------------------------------------- */

/* The dump and its layouts are written to temporary files, which are renamed when all of them are
 * complete. */
static const struct {
    const char *ending;
    void (*put)(const struct ec_wave *w, FILE *file); /* NULL: Verilator writes it */
} file_kinds[WAVE_FILES] = {
    [WAVE_DUMP] = {"fst", NULL},
    [WAVE_LABELS] = {"labels", wave_put_labels},
    [WAVE_GTKW] = {"gtkw", wave_put_gtkw},
    [WAVE_SUCL] = {"sucl", wave_put_surfer},
};

/* The layouts of FILE.fst are FILE.labels, FILE.gtkw and FILE.sucl. */
static enum ec_code name_files(struct ec_wave *w, const char *path, struct ec_error *reterr)
{
    const size_t length = strlen(path);
    const int stem = (int)(ec_name_ends(path, ".fst") ? length - strlen(".fst") : length);
    enum ec_code code = ec_path(w->path[WAVE_DUMP], sizeof *w->path, reterr, "%s", path);
    for (size_t i = WAVE_DUMP + 1; i < WAVE_FILES && code == EC_OK; i++)
        code = ec_path(w->path[i], sizeof *w->path, reterr, "%.*s.%s", stem, path,
                       file_kinds[i].ending);
    return code;
}

static enum ec_code begin_file(struct ec_wave *w, size_t kind, struct ec_error *reterr)
{
    return ec_output_open(&w->files[kind], "the wave", w->path[kind], w->unfinished, reterr);
}

/* Check all names, and begin the temporary dump, before anything is simulated. */
static enum ec_code open_files(struct ec_wave *w, const char *path, struct ec_error *reterr)
{
    struct stat info;
    enum ec_code code = name_files(w, path, reterr);
    for (size_t i = 0; i < WAVE_FILES && code == EC_OK; i++) {
        if (stat(w->path[i], &info) == 0 && !S_ISREG(info.st_mode))
            code = ec_fail(reterr, EC_IO, "cannot write the wave %.300s: it is %s", w->path[i],
                           S_ISDIR(info.st_mode) ? "a folder" : "not a regular file");
    }
    if (code == EC_OK)
        code = begin_file(w, WAVE_DUMP, reterr);
    /* Verilator opens the temporary file itself. */
    return code == EC_OK ? ec_output_close(&w->files[WAVE_DUMP], reterr) : code;
}

/* The message of w->lost. */
static enum ec_code fail_dump(const struct ec_wave *w, struct ec_error *reterr)
{
    return ec_fail_write(reterr, "the wave", w->path[WAVE_DUMP], w->lost);
}

static enum ec_code write_layout(struct ec_wave *w, size_t kind, struct ec_error *reterr)
{
    const enum ec_code code = begin_file(w, kind, reterr);
    if (code != EC_OK)
        return code;
    file_kinds[kind].put(w, w->files[kind].file);
    return ec_output_close(&w->files[kind], reterr);
}

/* Write the layouts of a closed dump and rename all files, the dump last, so that a dump always has
 * its layouts. */
static enum ec_code finish_files(struct ec_wave *w, uint64_t *ret_bytes, struct ec_error *reterr)
{
    struct stat info;
    enum ec_code code = EC_OK;
    if (stat(w->files[WAVE_DUMP].temporary, &info) != 0)
        return ec_output_fail(&w->files[WAVE_DUMP], errno, reterr);
    for (size_t i = 0; i < WAVE_FILES && code == EC_OK; i++) {
        if (file_kinds[i].put)
            code = write_layout(w, i, reterr);
    }
    for (size_t i = WAVE_FILES; i-- > 0 && code == EC_OK;)
        code = ec_output_commit(&w->files[i], reterr);
    if (code == EC_OK)
        *ret_bytes = (uint64_t)info.st_size;
    return code;
}

/* Remove the temporary files. */
static void remove_files(struct ec_wave *w)
{
    for (size_t i = 0; i < WAVE_FILES; i++)
        ec_output_discard(&w->files[i]);
}

/* --- Marks and events ----------------------------------------------------------------------- */

static void add_mark(struct ec_wave *w, uint64_t cycle, bool requested, const char *text)
{
    if (w->mark_count == WAVE_MARKS_MAX)
        return;
    struct wave_mark *m = &w->marks[w->mark_count++];
    m->cycle = cycle;
    m->requested = requested;
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
    if (w->focus.cycle || same >= MARKS_PER_KIND || cycle < w->cycles.from || cycle > w->cycles.to)
        return; /* in the wave of a failure the marks that were asked for are enough */
    ec_topology_node_name(w->t, node, router, sizeof router);
    ec_port_name(w->t, w->locals, port, name, sizeof name);
    snprintf(text, sizeof text, "%s %.20s %.20s", what, router, name);
    add_mark(w, cycle, false, text);
}

/* Set a flag of a VC; true the first time. */
static bool set_flag(struct ec_wave *w, size_t slot, unsigned port, unsigned vc, uint8_t flag)
{
    if (port >= w->ports)
        return false;
    uint8_t *at = wave_seen(w, slot, port, vc);
    const bool first = !(*at & flag);
    *at |= flag;
    return first;
}

static bool is_near(const struct ec_wave *w, uint64_t cycle)
{
    return cycle + NEAR_BEFORE >= w->focus.cycle && cycle <= w->focus.cycle + NEAR_AFTER;
}

static void note_words(struct ec_wave *w, size_t slot, const uint64_t *words, uint64_t valid,
                       unsigned flags)
{
    for (uint64_t left = valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        remember_word(w, words[port]);
        set_flag(w, slot, port, ec_word_vc(words[port], w->twins.vcs), (uint8_t)flags);
    }
}

static void note_taps(struct ec_wave *w, const struct ec_net_seen *seen, size_t slot,
                      const uint64_t *taps, uint8_t flag, const char *what)
{
    for (unsigned vc = 0; vc < w->twins.vcs; vc++) {
        for (uint64_t left = taps[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            if (set_flag(w, slot, port, vc, flag))
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

static bool in_window(const struct ec_wave *w, uint64_t cycle)
{
    return cycle >= w->cycles.from && cycle <= w->cycles.to;
}

static void trace_router(void *context, const struct ec_net_seen *seen)
{
    struct ec_wave *w = context;
    const uint32_t slot = w->twins.slot[seen->node];
    twins_see(&w->twins, seen);
    story_see(w->story, seen);
    if (in_window(w, seen->cycle))
        note_words(w, slot, seen->in_word, seen->in_valid,
                   WAVE_IN | (is_near(w, seen->cycle) ? WAVE_IN_NEAR : 0));
    if (!in_window(w, seen->cycle + 1))
        return;
    note_words(w, slot, seen->out_word, seen->out_valid,
               WAVE_OUT | (is_near(w, seen->cycle + 1) ? WAVE_OUT_NEAR : 0));
    note_taps(w, seen, slot, seen->contended, WAVE_CONTENDED, "contended");
    note_taps(w, seen, slot, seen->starved, WAVE_STARVED, "starved");
    note_deliveries(w, seen);
}

/* --- Texts ---------------------------------------------------------------------------------- */

/* How much an input VC of the first router has to do with a failure at a port: 0, it is an input of
 * that port; 1, its word asks for that port; 2, it has a word; 3, it has none. */
static unsigned rank_of(const struct ec_wave *w, struct story_input at)
{
    const unsigned port = at.input / w->r->vcs;
    const bool busy = story_is_busy(w->story, at);
    unsigned output;
    if (port == w->focus.port &&
        (busy || *wave_seen(w, 0, port, at.input % w->r->vcs) & WAVE_IN_NEAR))
        return 0;
    if (!busy)
        return 3;
    return story_asks(w->story, at, &output) && output / w->r->vcs == w->focus.port ? 1 : 2;
}

/* The input VCs that wait for each other in a circle with the first router. If there is none and no
 * port is to blame: the longest chain from there, which may be a circle that leaves the dump. */
static bool choose_chain(struct ec_wave *w, size_t room)
{
    struct wave_focus *f = &w->focus;
    struct story_input at = {.node = w->twins.nodes[0]}, start = at;
    size_t longest = 1;
    bool circle = false;
    for (at.input = 0; at.input < story_inputs(w->story); at.input++) {
        f->count = story_chain(w->story, at, f->inputs, room, &circle);
        if (circle)
            return true;
        if (f->count > longest) {
            longest = f->count;
            start = at;
        }
    }
    if (f->port != EC_NONE || longest == 1)
        return false;
    f->count = story_chain(w->story, start, f->inputs, room, &circle);
    return true;
}

/* A chain, or else the input VCs of the first router that the failure may be about, the likely ones
 * first. */
static void choose_inputs(struct ec_wave *w, size_t room)
{
    struct wave_focus *f = &w->focus;
    const unsigned inputs = story_inputs(w->story);
    struct story_input at = {.node = w->twins.nodes[0]};
    f->chain = choose_chain(w, room);
    if (f->chain)
        return;
    f->count = 0;
    for (unsigned rank = 0; rank < 3; rank++) {
        for (at.input = 0; at.input < inputs; at.input++) {
            if (rank_of(w, at) == rank)
                f->inputs[f->count++] = at;
        }
    }
}

static void find_focus(struct ec_wave *w)
{
    struct wave_focus *f = &w->focus;
    const size_t room = w->twins.count * story_inputs(w->story);
    f->inputs = calloc(room, sizeof *f->inputs);
    if (f->inputs)
        choose_inputs(w, room);
}

/* A viewer shows an empty text as two quotes. */
static void say(struct ec_wave *w, size_t slot, enum ec_tile_text what, unsigned inside,
                const char *text)
{
    w->twins.api->trace->say(w->twins.bank, (uint32_t)slot, what, inside, text[0] ? text : "-");
}

static void tell_router(struct ec_wave *w, size_t slot)
{
    struct story_input at = {.node = w->twins.nodes[slot]};
    for (at.input = 0; at.input < story_inputs(w->story); at.input++) {
        const unsigned port = ec_port_inside(&w->twins.map, at.input / w->r->vcs);
        const unsigned inside = port * w->twins.vcs + at.input % w->r->vcs;
        char text[160];
        if (port >= w->twins.ports)
            continue;
        story_front(w->story, at, text, sizeof text);
        say(w, slot, EC_TILE_FRONT, inside, text);
        story_state(w->story, at, text, sizeof text);
        say(w, slot, EC_TILE_STATE, inside, text);
    }
}

/* Put the texts of a cycle on the twins; they are dumped after the next evaluation. */
static void tell_texts(struct ec_wave *w, uint64_t cycle)
{
    struct wave_focus *f = &w->focus;
    if (cycle < w->cycles.from || cycle - 1 > w->cycles.to) {
        w->told = false;
        return;
    }
    for (size_t slot = 0; slot < w->twins.count; slot++) {
        if (!w->told || story_changed(w->story, slot, cycle - 1))
            tell_router(w, slot);
    }
    if (!w->told && !f->said)
        say(w, 0, EC_TILE_FAILURE, 0, "");
    w->told = true;
    if (!f->cycle || f->said || cycle < f->cycle)
        return;
    f->said = true;
    find_focus(w);
    say(w, 0, EC_TILE_FAILURE, 0, f->text);
    w->shown = false; /* evaluate all twins, even if they sleep */
}

/* --- The dump ------------------------------------------------------------------------------- */

/* A dump that cannot be completed is abandoned at once to free its space. */
static void dump_cycle(struct ec_wave *w, uint64_t cycle)
{
    const struct ec_tile_trace *trace = w->twins.api->trace;
    twins_show(&w->twins, !w->shown);
    w->shown = true;
    if (w->lost)
        return;
    w->lost = trace->dump(w->twins.bank, cycle);
    if (w->lost) {
        trace->dump_close(w->twins.bank);
        remove_files(w);
    }
}

static void trace_cycle(void *context, uint64_t cycle)
{
    struct ec_wave *w = context;
    /* One cycle more, which gives the last one a width on the screen. */
    if (cycle >= w->cycles.from && cycle - 1 <= w->cycles.to) {
        dump_cycle(w, cycle);
        if (!w->first)
            w->first = cycle;
        w->last = cycle <= w->cycles.to ? cycle : w->cycles.to;
    } else {
        w->shown = false;
    }
    story_cycle(w->story, cycle);
    tell_texts(w, cycle + 1);
    twins_step(&w->twins, cycle);
}

static void restart_trace(void *context)
{
    struct ec_wave *w = context;
    twins_reset(&w->twins);
    story_reset(w->story);
    w->shown = w->told = false;
    tell_texts(w, 1);
}

static enum ec_code open_dump(struct ec_wave *w, const char *path, struct ec_error *reterr)
{
    uint32_t *all = calloc(w->twins.count, sizeof *all);
    if (!all)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a wave");
    for (size_t i = 0; i < w->twins.count; i++)
        all[i] = (uint32_t)i;
    enum ec_code code = open_files(w, path, reterr);
    if (code == EC_OK) {
        w->lost = w->twins.api->trace->dump_open(w->twins.bank, w->files[WAVE_DUMP].temporary, all,
                                                 w->twins.count);
        code = w->lost ? fail_dump(w, reterr) : EC_OK;
        (void)ec_output_lock(&w->files[WAVE_DUMP]); /* Verilator has replaced it */
    }
    free(all);
    return code;
}

static void take_failure(struct ec_wave *w, const struct ec_wave_failure *failure)
{
    if (!failure)
        return;
    w->focus.cycle = failure->cycle;
    w->focus.port = failure->port;
    snprintf(w->focus.text, sizeof w->focus.text, "%s", failure->text);
}

enum ec_code ec_wave_open(const struct ec_topology *t, const struct ec_router *r,
                          const struct ec_shape *shape, const struct ec_wave_options *options,
                          struct ec_wave **ret, struct ec_error *reterr)
{
    const size_t count = options->nodes->count;
    if (count == 0 || count > EC_WAVE_NODES_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "cannot dump %zu routers: expected 1 to %d (for example path:SRC-DST)",
                       count, EC_WAVE_NODES_MAX);
    struct ec_wave *w = calloc(1, sizeof *w);
    if (!w)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a wave");
    w->t = t;
    w->r = r;
    w->cycles = options->cycles;
    w->unfinished = options->unfinished;
    w->locals = ec_router_local_ports(r, t);
    w->ports = ec_topology_links(t) + w->locals;
    take_failure(w, options->failure);
    enum ec_code code = twins_open(&w->twins, t, r, shape, options->nodes, options->pulse, reterr);
    if (code == EC_OK) {
        w->seen = calloc(count * w->ports * w->twins.vcs, sizeof *w->seen);
        w->title = strdup(options->title ? options->title : "");
        w->story = story_open(t, r, options->foreign, options->nodes);
        code = w->seen && w->title && w->story
                   ? open_dump(w, options->path, reterr)
                   : ec_fail(reterr, EC_MEMORY, "out of memory for a wave");
    }
    if (code != EC_OK) {
        ec_wave_close(w);
        return code;
    }
    w->watch = (struct ec_net_watch){.router = trace_router,
                                     .cycle = trace_cycle,
                                     .reset = restart_trace,
                                     .nodes = w->twins.selected,
                                     .context = w};
    *ret = w;
    return EC_OK;
}

const struct ec_net_watch *ec_wave_watch(struct ec_wave *w)
{
    return &w->watch;
}

static int by_cycle_requested_first(const void *a, const void *b)
{
    const struct wave_mark *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return y->requested - x->requested;
}

enum ec_code ec_wave_finish(struct ec_wave *w, struct ec_wave_summary *ret, struct ec_error *reterr)
{
    uint64_t bytes = 0;
    if (!w->lost)
        w->lost = w->twins.api->trace->dump_close(w->twins.bank);
    if (w->lost)
        return fail_dump(w, reterr);
    if (w->story && story_memory_short(w->story))
        return ec_fail(reterr, EC_MEMORY, "out of memory for the lines of words in %s",
                       w->path[WAVE_DUMP]);
    qsort(w->marks, w->mark_count, sizeof *w->marks, by_cycle_requested_first);
    const enum ec_code code = finish_files(w, &bytes, reterr);
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
    remove_files(w);
    story_close(w->story);
    free(w->focus.inputs);
    free(w->seen);
    free(w->title);
    free(w->words);
    lookup_free(&w->known);
    free(w);
}
