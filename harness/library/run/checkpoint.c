/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints: visit the state of a play, and keep it in a file. Knows which modules have a state;
 * must not know what it is. */
#include "run/checkpoint.h"

#include <inttypes.h>
#include <time.h>
#include <xxhash.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/output.h"

/* --- The state of a play ---------------------------------------------------------------------- */

static void visit_node(struct play *p, struct state *s, uint32_t node)
{
    state_unit(s, node);
    sources_state_node(p->sources, s, node);
    senders_state_node(&p->senders, s, node);
    receivers_state_node(&p->receivers, s, node);
    if (p->service)
        service_state_node(p->service, s, node);
    scoreboard_state_node(&p->board, s, node);
    state_unit_end(s);
}

static void visit_router(struct play *p, struct state *s, uint32_t router)
{
    state_unit(s, (size_t)p->net->topology->nodes + router);
    scoreboard_state_router(&p->board, s, router);
    if (!s->failed)
        p->net->ops->state(p->net, s, router);
    state_unit_end(s);
}

/* What routers show to own nodes. */
static void visit_shown(struct play *p, struct state *s)
{
    struct ec_port_events *e = &p->out;
    const uint32_t locals = p->senders.locals;
    const size_t ports = (size_t)p->net->topology->nodes * locals;
    if (!s->file) {
        state_save_list(s, e->words, e->word_count * sizeof *e->words);
        state_save_list(s, e->credits, e->credit_count * sizeof *e->credits);
    }
    for (size_t part = 0; s->file && part < s->file->parts; part++) {
        size_t words, credits;
        const struct ec_port_word *w = state_load_list(s, part, &words);
        const struct ec_port_credit *c = state_load_list(s, part, &credits);
        for (size_t i = 0; i < words / sizeof *w; i++) {
            if (e->word_count < ports && nodes_own_has(&p->senders.own, w[i].port / locals))
                e->words[e->word_count++] = w[i];
        }
        for (size_t i = 0; i < credits / sizeof *c; i++) {
            if (e->credit_count < ports * p->senders.vcs &&
                nodes_own_has(&p->senders.own, c[i].port / locals))
                e->credits[e->credit_count++] = c[i];
        }
    }
}

static void visit_figures(struct play *p, struct state *s)
{
    STATE_COMMON(s, STATE_SAME, p->cycle);
    STATE_COMMON(s, STATE_SAME, p->skipped);
    STATE_COMMON(s, STATE_SAME, p->mark);
    STATE_COMMON(s, STATE_SAME, p->last_move);
    STATE_COMMON(s, STATE_SAME, p->last_idle);
    STATE_COMMON(s, STATE_MIN, p->idle_at);
    STATE_COMMON(s, STATE_SAME, p->age_bound);
    STATE_COMMON(s, STATE_SAME, p->messages_before);
    STATE_COMMON(s, STATE_SAME, p->window_messages);
    STATE_COMMON(s, STATE_SUM, p->replies);
    STATE_COMMON(s, STATE_SUM, p->class_words);
    STATE_COMMON(s, STATE_SAME, p->grows);
    STATE_COMMON(s, STATE_SAME, p->stopped);
    double spent[2] = {p->spent[0] + ec_clock(CLOCK_MONOTONIC) - p->since[0],
                       p->spent[1] + ec_clock(CLOCK_PROCESS_CPUTIME_ID) - p->since[1]};
    STATE_COMMON(s, STATE_SAME, spent);
    if (s->file)
        memcpy(p->spent, spent, sizeof spent);
}

static void track(void *context, uint64_t word)
{
    struct ec_net *net = context;
    net->ops->track(net, word);
}

/* Units first: the rest counts what is in them. */
static void visit(struct play *p, struct state *s, const struct nodes_own *routers)
{
    const struct nodes_own *own = &p->senders.own;
    scoreboard_state_begin(&p->board, s);
    p->net->ops->state(p->net, s, EC_NONE);
    for (uint32_t i = 0; i < own->count && !s->failed; i++)
        visit_node(p, s, nodes_own_at(own, i));
    for (uint32_t i = 0; i < routers->count && !s->failed; i++)
        visit_router(p, s, nodes_own_at(routers, i));
    if (s->failed)
        return;
    sources_state(p->sources, s);
    senders_state(&p->senders, s);
    receivers_state(&p->receivers, s);
    if (p->service)
        service_state(p->service, s);
    scoreboard_state(&p->board, s, routers, p->part != NULL, track, p->net);
    if (p->options.precision)
        precision_state(&p->precise, s);
    else if (p->w->open_loop)
        steady_state(&p->steady, s);
    intervals_state(&p->intervals, s);
    visit_shown(p, s);
    visit_figures(p, s);
}

static bool visit_own(struct play *p, struct state *s)
{
    const struct ec_partition *cut = p->part ? p->part->partition->routers : NULL;
    const uint32_t part = p->part ? p->part->x->part : 0;
    struct nodes_own routers = nodes_all(p->net->topology->routers);
    if (cut && !nodes_own_open(&routers, cut->node + cut->first[part],
                               cut->first[part + 1] - cut->first[part]))
        return false;
    visit(p, s, &routers);
    nodes_own_close(&routers);
    return !s->failed;
}

/* --- The file ---------------------------------------------------------------------------------
 *
 * The header; then what it has the size and the hash of, lists as of state_save_list(): program,
 * router, command, figures; and for each part its common bytes and its units. */

static const char magic[] = "ecube checkpoint";
enum { SCHEMA = 1 };
#define BYTES_MOST (UINT64_C(1) << 30) /* that ec_file_read() takes */

struct header {
    char magic[16];
    uint64_t schema, size;
    XXH128_hash_t hash;
};

struct figures {
    uint64_t nodes, routers, parts;
};

/* Collective: lists of the bytes of all parts, in the first one. False: a part is gone. */
static bool put_parts(struct state *file, struct part *part, const struct state_bytes *own)
{
    const struct exchange_bytes *from = NULL;
    if (part && !exchange_gather(part->x, own->data, own->size, false, &from))
        return false;
    if (!part)
        state_save_list(file, own->data, own->size);
    for (uint32_t k = 0; from && k < part->x->parts; k++)
        state_save_list(file, from[k].data, from[k].size);
    return true;
}

static bool put_state(struct state *file, struct play *p, const struct state *s)
{
    const struct ec_checkpoint_options *o = p->options.checkpoint;
    const struct ec_topology *t = p->net->topology;
    const struct figures f = {t->nodes, t->routers, p->part ? p->part->x->parts : 1};
    state_save_list(file, o->program, strlen(o->program) + 1);
    state_save_list(file, o->router, strlen(o->router) + 1);
    state_save_list(file, o->command, strlen(o->command) + 1);
    state_save_list(file, &f, sizeof f);
    return put_parts(file, p->part, &s->common) && put_parts(file, p->part, &s->units);
}

static enum ec_code write_file(const struct ec_checkpoint_options *o,
                               const struct state_bytes *body, struct ec_error *e)
{
    struct header h = {.schema = SCHEMA, .size = body->size};
    struct ec_output output;
    if (h.size + sizeof h > BYTES_MOST)
        return ec_fail(e, EC_USAGE, "the state has %" PRIu64 " bytes: expected at most %" PRIu64,
                       h.size, BYTES_MOST - sizeof h);
    memcpy(h.magic, magic, sizeof h.magic);
    h.hash = XXH3_128bits(body->data, body->size);
    const enum ec_code code = ec_output_open(&output, NULL, o->path, o->unfinished, e);
    if (code != EC_OK)
        return code;
    fwrite(&h, sizeof h, 1, output.file);
    fwrite(body->data, 1, body->size, output.file);
    return ec_output_commit(&output, e);
}

void checkpoint_write(struct play *p)
{
    const struct ec_checkpoint_options *o = p->options.checkpoint;
    struct state s, file;
    struct ec_error e;
    char line[1200];
    checkpoint_begin(p);
    /* A run that has failed a check only goes on to tell more; the former checkpoint repeats it. */
    if (part_any(p->part, p->board.early.found || ec_net_rtl_said(p->net) || play_broken(p)))
        return;
    state_open(&file, NULL, true);
    state_open(&s, NULL, part_first(p->part));
    const bool good = !part_any(p->part, !visit_own(p, &s)) && put_state(&file, p, &s);
    enum ec_code code = good && !file.failed ? EC_OK : ec_fail(&e, EC_MEMORY, "out of memory");
    if (code == EC_OK && part_first(p->part))
        code = write_file(o, &file.common, &e);
    state_close(&file);
    state_close(&s);
    p->saved = p->saved || (code == EC_OK && part_first(p->part));
    if (code == EC_OK || !part_first(p->part) || !o->tell)
        return;
    snprintf(line, sizeof line, "cycle %" PRIu64 ": no checkpoint, a former one is kept: %s",
             p->cycle, e.message);
    o->tell(o->context, line);
}

/* --- When ------------------------------------------------------------------------------------- */

void checkpoint_begin(struct play *p)
{
    const struct ec_checkpoint_options *o = p->options.checkpoint;
    p->checkpoint_at = o && o->cycles ? (p->cycle / o->cycles + 1) * o->cycles : UINT64_MAX;
    p->checkpoint_since = ec_clock(CLOCK_MONOTONIC);
}

bool checkpoint_is_due(struct play *p)
{
    const struct ec_checkpoint_options *o = p->options.checkpoint;
    return o && o->seconds > 0 &&
           part_any(p->part, part_first(p->part) &&
                                 ec_clock(CLOCK_MONOTONIC) - p->checkpoint_since >= o->seconds);
}

/* --- Reading ---------------------------------------------------------------------------------- */

struct ec_restart {
    char *data; /* owned; the file */
    size_t size;
    const char *program, *router, *command; /* in it */
    struct figures figures;
    struct state_file file;
};

/* The units of a part. */
static bool index_units(struct state_file *f, size_t part, const unsigned char *at, size_t left)
{
    uint64_t header[2]; /* number, size */
    while (left >= sizeof header) {
        memcpy(header, at, sizeof header);
        at += sizeof header;
        left -= sizeof header;
        if (header[0] >= f->units || header[1] > left)
            return false;
        f->unit[header[0]] = (struct state_unit){at, header[1], part};
        at += header[1];
        left -= header[1];
    }
    return left == 0;
}

/* The next list, a text. */
static const char *take_text(struct state *in)
{
    size_t size;
    const char *text = state_load_list(in, 0, &size);
    in->failed = in->failed || size == 0 || text[size - 1] != '\0';
    return text;
}

static bool take_parts(struct ec_restart *r, struct state *in)
{
    struct state_file *f = &r->file;
    size_t size;
    f->parts = r->figures.parts;
    f->units = r->figures.nodes + r->figures.routers;
    f->common = calloc(f->parts, sizeof *f->common);
    f->unit = calloc(f->units, sizeof *f->unit);
    for (size_t k = 0; f->common && k < f->parts; k++)
        f->common[k].data = (unsigned char *)state_load_list(in, 0, &f->common[k].size);
    for (size_t k = 0; f->unit && k < f->parts; k++) {
        const void *units = state_load_list(in, 0, &size);
        in->failed = in->failed || !index_units(f, k, units, size);
    }
    return f->common && f->unit && !in->failed;
}

/* Every part, node and router has bytes. */
static bool is_counted(const struct figures *f, size_t size)
{
    return f->parts > 0 && f->parts <= size && f->nodes <= size && f->routers <= size;
}

static bool parse(struct ec_restart *r)
{
    struct state_bytes body = {.data = (unsigned char *)r->data + sizeof(struct header),
                               .size = r->size - sizeof(struct header)};
    const struct state_file whole = {.parts = 1, .common = &body};
    struct state in;
    size_t size = 0;
    bool good = state_open(&in, &whole, true);
    if (good) {
        r->program = take_text(&in);
        r->router = take_text(&in);
        r->command = take_text(&in);
        const void *figures = state_load_list(&in, 0, &size);
        good = !in.failed && size == sizeof r->figures;
        if (good)
            memcpy(&r->figures, figures, size);
        good = good && is_counted(&r->figures, body.size) && take_parts(r, &in);
    }
    state_close(&in);
    return good;
}

static enum ec_code check_file(struct ec_restart *r, const char *path, const char *program,
                               struct ec_error *reterr)
{
    struct header h = {.size = 0};
    if (r->size >= sizeof h)
        memcpy(&h, r->data, sizeof h);
    const size_t size = r->size - sizeof h;
    if (memcmp(h.magic, magic, sizeof h.magic) != 0)
        return ec_fail(reterr, EC_USAGE, "'%.300s' is not a checkpoint of ecube", path);
    if (h.schema == SCHEMA && h.size != size)
        return ec_fail(reterr, EC_USAGE,
                       "'%.300s' is truncated: expected %" PRIu64 " bytes; got %zu", path,
                       h.size + sizeof h, r->size);
    if (h.schema == SCHEMA &&
        (!XXH128_isEqual(h.hash, XXH3_128bits(r->data + sizeof h, size)) || !parse(r)))
        return ec_fail(reterr, EC_USAGE, "'%.300s' is damaged: its content has another hash", path);
    if (h.schema == SCHEMA && strcmp(r->program, program) == 0)
        return EC_OK;
    return ec_fail(reterr, EC_USAGE,
                   "'%.300s' was written by %.120s, and this is %.120s: restart it "
                   "with the program that wrote it",
                   path, r->program ? r->program : "another version of ecube", program);
}

enum ec_code ec_restart_open(const char *path, const char *program, struct ec_restart **ret,
                             struct ec_error *reterr)
{
    struct ec_restart *r = calloc(1, sizeof *r);
    if (!r)
        return ec_fail(reterr, EC_MEMORY, "out of memory for '%.300s'", path);
    enum ec_code code = ec_file_read(path, &r->data, &r->size, reterr);
    if (code == EC_OK)
        code = check_file(r, path, program, reterr);
    if (code == EC_OK)
        *ret = r;
    else
        ec_restart_close(r);
    return code;
}

void ec_restart_close(struct ec_restart *r)
{
    if (!r)
        return;
    free(r->file.common);
    free(r->file.unit);
    free(r->data);
    free(r);
}

const char *ec_restart_command(const struct ec_restart *r)
{
    return r->command;
}

const char *ec_restart_router(const struct ec_restart *r)
{
    return r->router;
}

enum ec_code checkpoint_load(struct play *p, const struct ec_restart *from, struct ec_error *reterr)
{
    const struct ec_topology *t = p->net->topology;
    struct state s = {.failed = true};
    const bool fits = from->figures.nodes == t->nodes && from->figures.routers == t->routers;
    const bool good = fits && state_open(&s, &from->file, part_first(p->part)) && visit_own(p, &s);
    state_close(&s);
    if (part_any(p->part, !good))
        return ec_fail(reterr, EC_USAGE,
                       "the checkpoint cannot be loaded: memory is short, or it is not that of %s",
                       p->w->text);
    p->moved = p->net->moved;
    checkpoint_begin(p);
    return EC_OK;
}
