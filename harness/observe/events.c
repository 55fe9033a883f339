/* SPDX-License-Identifier: Apache-2.0 */
/* The event log. Sees links, credits and taps from outside, as every watcher does; the word at the
 * front of a blocked buffer is known from a shadow of the buffer. */
#include "ecube/events.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "ecube/word.h"
#include "network/names.h"
#include "network/payload.h"

enum kind { OFFER, INJECT, EJECT, HOP, CONTENDED, STARVED };

static const char *const kind_names[] = {
    [OFFER] = "offer", [INJECT] = "inject",       [EJECT] = "eject",
    [HOP] = "hop",     [CONTENDED] = "contended", [STARVED] = "starved"};

struct event {
    uint64_t cycle, word; /* offer: word has source and destination only */
    uint32_t node, words; /* words: of an offered packet */
    uint16_t port, vc, want;
    enum kind kind;
};

struct event_list {
    struct event *at;
    size_t count, room;
};

/* What is in one input buffer, and whether its front word is known to be blocked. */
struct buffer {
    uint16_t first, count;
    uint8_t blocked; /* enum kind of the last event about the front word; 0: none */
};

struct ec_events {
    struct ec_net_watch watch;
    const struct ec_topology *t;
    unsigned links, locals, ports, vcs, depth;
    bool json, memory_short;
    struct ec_cycle_range cycles;
    struct ec_packet_filter *packets;
    size_t packet_count;
    uint64_t *nodes;             /* bitmap; NULL: all */
    struct buffer *buffers;      /* [(node * ports + port) * vcs + vc] */
    uint64_t *words;             /* [buffer * depth] */
    struct event_list now, next; /* of this cycle, and of the one after */
    uint64_t lines;
    FILE *file;
    int lost; /* errno of what could not be written; 0: all is there */
    char path[PATH_MAX],
        temporary[PATH_MAX]; /* temporary: "" if there is none (a device, a pipe) */
    const struct ec_unfinished *unfinished;
};

static bool wanted(const struct ec_events *e, const struct event *v)
{
    if (v->cycle < e->cycles.from || v->cycle > e->cycles.to || v->port >= e->ports)
        return false;
    if (e->nodes && !(e->nodes[v->node >> 6] >> (v->node & 63) & 1))
        return false;
    const uint32_t src = ec_topology_node(e->t, ec_word_src(v->word));
    const uint32_t dst = ec_topology_node(e->t, ec_word_dst(v->word));
    for (size_t i = 0; i < e->packet_count; i++) {
        if (e->packets[i].src == src && e->packets[i].dst == dst)
            return true;
    }
    return e->packet_count == 0;
}

static void note(struct ec_events *e, struct event_list *list, struct event v)
{
    if (!wanted(e, &v))
        return;
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 256;
        struct event *grown = realloc(list->at, room * sizeof *grown);
        if (!grown) {
            e->memory_short = true;
            return;
        }
        list->at = grown;
        list->room = room;
    }
    list->at[list->count++] = v;
}

/* --- Writing ------------------------------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->port != y->port)
        return x->port < y->port ? -1 : 1;
    return x->vc < y->vc ? -1 : x->vc > y->vc;
}

static void put_text(const struct ec_events *e, const struct event *v)
{
    char router[EC_NAME_SIZE], port[EC_NAME_SIZE], word[EC_NAME_SIZE];
    ec_topology_node_name(e->t, v->node, router, sizeof router);
    ec_port_name(e->t, e->locals, v->port, port, sizeof port);
    ec_word_name(e->t, v->word, word, sizeof word);
    if (v->kind == OFFER)
        *strchr(word, ' ') = '\0'; /* the packet has no number yet */
    fprintf(e->file, "%10" PRIu64 "  %-9s  %-14s  %-7s VC %u  %s", v->cycle, kind_names[v->kind],
            router, port, v->vc, word);
    if (v->kind == OFFER)
        fprintf(e->file, ", %" PRIu32 " word%s", v->words, v->words == 1 ? "" : "s");
    else
        fprintf(e->file, "%s%s", ec_word_head(v->word) ? " head" : "",
                ec_word_tail(v->word) ? " tail" : "");
    if ((v->kind == CONTENDED || v->kind == STARVED) && v->want < e->ports) {
        ec_port_name(e->t, e->locals, v->want, port, sizeof port);
        fprintf(e->file, "  wants %s", port);
    }
    fputc('\n', e->file);
}

/* Every text here is made of letters, digits, signs and parentheses: nothing to escape. */
static void put_json(const struct ec_events *e, const struct event *v)
{
    char router[EC_NAME_SIZE], port[EC_NAME_SIZE];
    const uint32_t data = ec_word_data(v->word);
    ec_topology_node_name(e->t, v->node, router, sizeof router);
    ec_port_name(e->t, e->locals, v->port, port, sizeof port);
    fprintf(e->file,
            "{\"cycle\":%" PRIu64 ",\"event\":\"%s\",\"node\":%" PRIu32
            ",\"router\":\"%s\",\"port\":\"%s\",\"vc\":%u,\"src\":%" PRIu32 ",\"dst\":%" PRIu32,
            v->cycle, kind_names[v->kind], v->node, router, port, v->vc,
            ec_topology_node(e->t, ec_word_src(v->word)),
            ec_topology_node(e->t, ec_word_dst(v->word)));
    if (v->kind == OFFER)
        fprintf(e->file, ",\"words\":%" PRIu32, v->words);
    else
        fprintf(e->file, ",\"packet\":%" PRIu32 ",\"word\":%" PRIu32 ",\"head\":%s,\"tail\":%s",
                data >> PACKET_WORD_BITS, data & ((1u << PACKET_WORD_BITS) - 1),
                ec_word_head(v->word) ? "true" : "false", ec_word_tail(v->word) ? "true" : "false");
    if ((v->kind == CONTENDED || v->kind == STARVED) && v->want < e->ports) {
        ec_port_name(e->t, e->locals, v->want, port, sizeof port);
        fprintf(e->file, ",\"wants\":\"%s\"", port);
    }
    fputs("}\n", e->file);
}

/* What cannot be whole takes no room from other files. */
static void give_up(struct ec_events *e, int error)
{
    e->lost = error;
    if (e->temporary[0])
        (void)!ftruncate(fileno(e->file), 0);
}

static void flush(struct ec_events *e, struct event_list *list)
{
    if (list->count > 1)
        qsort(list->at, list->count, sizeof *list->at, compare);
    errno = 0;
    for (size_t i = 0; i < list->count && !e->lost; i++) {
        if (e->json)
            put_json(e, &list->at[i]);
        else
            put_text(e, &list->at[i]);
    }
    if (!e->lost && ferror(e->file))
        give_up(e, errno ? errno : EIO);
    e->lines += list->count;
    list->count = 0;
}

/* --- Seeing ------------------------------------------------------------------------------- */

static void enter(struct ec_events *e, size_t buffer, uint64_t word)
{
    struct buffer *b = &e->buffers[buffer];
    if (b->count == e->depth)
        return; /* a broken router; the run's own checks say so */
    e->words[buffer * e->depth + (b->first + b->count++) % e->depth] = word;
}

static void leave(struct ec_events *e, size_t buffer)
{
    struct buffer *b = &e->buffers[buffer];
    if (b->count == 0)
        return;
    b->first = (uint16_t)((b->first + 1) % e->depth);
    b->count--;
    b->blocked = 0;
}

static size_t buffer_at(const struct ec_events *e, uint32_t node, unsigned port, unsigned vc)
{
    return ((size_t)node * e->ports + port) * e->vcs + vc;
}

static void see_taps(struct ec_events *e, const struct ec_net_seen *seen, const uint64_t *taps,
                     enum kind kind)
{
    for (unsigned vc = 0; vc < e->vcs; vc++) {
        for (uint64_t left = taps[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            if (port >= e->ports)
                continue;
            const size_t at = buffer_at(e, seen->node, port, vc);
            struct buffer *b = &e->buffers[at];
            if (b->count == 0 || b->blocked == kind)
                continue;
            b->blocked = (uint8_t)kind;
            note(e, &e->next,
                 (struct event){.cycle = seen->cycle + 1,
                                .word = e->words[at * e->depth + b->first],
                                .node = seen->node,
                                .port = (uint16_t)port,
                                .vc = (uint16_t)vc,
                                .want = seen->want[port * e->vcs + vc],
                                .kind = kind});
        }
    }
}

static void see_words(struct ec_events *e, const struct ec_net_seen *seen)
{
    for (uint64_t left = seen->in_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t word = seen->in_word[port];
        const unsigned vc = ec_word_vc(word) & (e->vcs - 1);
        if (port >= e->ports)
            continue;
        enter(e, buffer_at(e, seen->node, port, vc), word);
        if (port >= e->links)
            note(e, &e->now,
                 (struct event){.cycle = seen->cycle,
                                .word = word,
                                .node = seen->node,
                                .port = (uint16_t)port,
                                .vc = (uint16_t)vc,
                                .kind = INJECT});
    }
    for (uint64_t left = seen->out_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t word = seen->out_word[port];
        note(e, &e->next,
             (struct event){.cycle = seen->cycle + 1,
                            .word = word,
                            .node = seen->node,
                            .port = (uint16_t)port,
                            .vc = (uint16_t)(ec_word_vc(word) & (e->vcs - 1)),
                            .kind = port >= e->links ? EJECT : HOP});
    }
}

static void see_router(void *context, const struct ec_net_seen *seen)
{
    struct ec_events *e = context;
    see_words(e, seen);
    for (unsigned vc = 0; vc < e->vcs; vc++) {
        for (uint64_t left = seen->out_credit[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            if (port < e->ports)
                leave(e, buffer_at(e, seen->node, port, vc));
        }
    }
    see_taps(e, seen, seen->contended, CONTENDED);
    see_taps(e, seen, seen->starved, STARVED);
}

static void see_cycle(void *context, uint64_t cycle)
{
    struct ec_events *e = context;
    const struct event_list empty = e->now;
    (void)cycle;
    flush(e, &e->now);
    e->now = e->next;
    e->next = empty;
    e->next.count = 0;
}

static void see_reset(void *context)
{
    struct ec_events *e = context;
    memset(e->buffers, 0, (size_t)e->t->nodes * e->ports * e->vcs * sizeof *e->buffers);
    e->now.count = e->next.count = 0;
}

void ec_events_offer(void *context, const struct ec_offer *offer)
{
    struct ec_events *e = context;
    note(e, &e->now,
         (struct event){.cycle = offer->cycle,
                        .word = ec_word_pack(false, false, 0, ec_topology_address(e->t, offer->dst),
                                             ec_topology_address(e->t, offer->node), 0),
                        .node = offer->node,
                        .words = offer->words,
                        .port = (uint16_t)(e->links + offer->local),
                        .vc = (uint16_t)offer->vc,
                        .kind = OFFER});
}

/* --- Opening and closing ------------------------------------------------------------------ */

static enum ec_code open_file(struct ec_events *e, const char *path, struct ec_error *reterr)
{
    struct stat info;
    const bool special = stat(path, &info) == 0 && !S_ISREG(info.st_mode);
    enum ec_code code = ec_path(e->path, sizeof e->path, reterr, "%s", path);
    if (code == EC_OK && !special)
        code =
            ec_path(e->temporary, sizeof e->temporary, reterr, "%s.%ld.tmp", path, (long)getpid());
    if (code != EC_OK)
        return code;
    if (!special)
        ec_unfinished_tell(e->unfinished, e->temporary, true);
    e->file = fopen(special ? path : e->temporary, "we");
    return e->file ? EC_OK : ec_fail_write(reterr, "the event log ", path, errno);
}

static bool copy_filters(struct ec_events *e, const struct ec_events_options *o)
{
    const size_t words = ((size_t)e->t->nodes + 63) / 64;
    if (o->nodes) {
        e->nodes = calloc(words, sizeof *e->nodes);
        for (size_t i = 0; e->nodes && i < o->nodes->count; i++)
            e->nodes[o->nodes->nodes[i] >> 6] |= UINT64_C(1) << (o->nodes->nodes[i] & 63);
    }
    if (o->packet_count) {
        e->packets = calloc(o->packet_count, sizeof *e->packets);
        if (e->packets)
            memcpy(e->packets, o->packets, o->packet_count * sizeof *e->packets);
        e->packet_count = o->packet_count;
    }
    return (e->nodes || !o->nodes) && (e->packets || !o->packet_count);
}

enum ec_code ec_events_open(const struct ec_topology *t, const struct ec_router *r,
                            const struct ec_events_options *options, struct ec_events **ret,
                            struct ec_error *reterr)
{
    struct ec_events *e = calloc(1, sizeof *e);
    if (!e)
        return ec_fail(reterr, EC_MEMORY, "out of memory for an event log");
    e->t = t;
    e->links = ec_topology_links(t);
    e->locals = ec_router_locals(r, t);
    e->ports = e->links + e->locals;
    e->vcs = r->vcs;
    e->depth = r->depth;
    e->json = options->json;
    e->cycles = options->cycles;
    e->unfinished = options->unfinished;
    const size_t buffers = (size_t)t->nodes * e->ports * e->vcs;
    e->buffers = calloc(buffers, sizeof *e->buffers);
    e->words = calloc(buffers * e->depth, sizeof *e->words);
    enum ec_code code = e->buffers && e->words && copy_filters(e, options)
                            ? open_file(e, options->path, reterr)
                            : ec_fail(reterr, EC_MEMORY, "out of memory for an event log");
    if (code != EC_OK) {
        ec_events_close(e);
        return code;
    }
    e->watch = (struct ec_net_watch){.router = see_router,
                                     .cycle = see_cycle,
                                     .reset = see_reset,
                                     .nodes = e->nodes,
                                     .context = e};
    *ret = e;
    return EC_OK;
}

const struct ec_net_watch *ec_events_watch(struct ec_events *e)
{
    return &e->watch;
}

/* The temporary file is no more. */
static void named(struct ec_events *e)
{
    if (e->temporary[0])
        ec_unfinished_tell(e->unfinished, e->temporary, false);
    e->temporary[0] = '\0';
}

enum ec_code ec_events_finish(struct ec_events *e, uint64_t *ret_lines, struct ec_error *reterr)
{
    flush(e, &e->now);
    flush(e, &e->next);
    if (fclose(e->file) != 0 && !e->lost)
        e->lost = errno;
    e->file = NULL;
    if (e->memory_short)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the events of one cycle");
    if (!e->lost && e->temporary[0] && rename(e->temporary, e->path) != 0)
        e->lost = errno;
    if (e->lost)
        return ec_fail_write(reterr, "the event log ", e->path, e->lost);
    named(e);
    *ret_lines = e->lines;
    return EC_OK;
}

void ec_events_close(struct ec_events *e)
{
    if (!e)
        return;
    if (e->file)
        fclose(e->file);
    if (e->temporary[0])
        unlink(e->temporary);
    named(e);
    free(e->nodes);
    free(e->packets);
    free(e->buffers);
    free(e->words);
    free(e->now.at);
    free(e->next.at);
    free(e);
}
