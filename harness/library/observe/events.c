/* SPDX-License-Identifier: Apache-2.0 */
/* The event log. It sees links, credits and taps from outside, like every watcher; the shadow of a
 * buffer supplies the word at the front when the buffer is blocked. */
#include "ecube/events.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/output.h"
#include "contract/shadow.h"
#include "ecube/word.h"
#include "network/names.h"
#include "observe/perfetto.h"

enum kind { OFFER, INJECT, EJECT, HOP, CONTENDED, STARVED };

static const char *const kind_names[] = {
    [OFFER] = "offer", [INJECT] = "inject",       [EJECT] = "eject",
    [HOP] = "hop",     [CONTENDED] = "contended", [STARVED] = "starved"};

struct event {
    uint64_t cycle, word; /* the word of an offer has source and destination only */
    uint32_t node, words; /* words of an offered packet */
    uint16_t port, vc, want;
    enum kind kind;
};

struct event_list {
    struct event *at;
    size_t count, room;
};

struct ec_events {
    struct ec_arrays arrays;
    struct ec_net_watch watch;
    const struct ec_topology *t;
    enum ec_events_format format;
    bool memory_short;
    struct perfetto *perfetto; /* NULL: another format */
    struct ec_cycle_range cycles;
    struct ec_packet_filter *packets;
    size_t packet_count;
    uint64_t *nodes; /* bitmap; NULL: all */
    struct shadow shadow;
    uint8_t *logged;             /* [buffer] kind of the last event of its front word; 0: none */
    struct event_list now, next; /* of this cycle, and of the one after */
    uint64_t lines;
    struct ec_output out;
};

static bool is_wanted(const struct ec_events *e, const struct event *v)
{
    if (v->cycle < e->cycles.from || v->cycle > e->cycles.to || v->port >= e->shadow.ports)
        return false;
    if (e->perfetto && v->kind != INJECT && v->kind != EJECT && v->kind != HOP)
        return false; /* not on a channel */
    if (e->nodes && !(e->nodes[v->node >> 6] >> (v->node & 63) & 1))
        return false;
    const uint32_t src = ec_topology_node(e->t, ec_word_src(&e->shadow.layout, v->word));
    const uint32_t dst = ec_topology_node(e->t, ec_word_dst(&e->shadow.layout, v->word));
    for (size_t i = 0; i < e->packet_count; i++) {
        if (e->packets[i].src == src && e->packets[i].dst == dst)
            return true;
    }
    return e->packet_count == 0;
}

static void add_event(struct ec_events *e, struct event_list *list, struct event v)
{
    if (is_wanted(e, &v))
        e->memory_short |= !EC_LIST_PUSH(list->at, list->count, list->room, v);
}

/* --- Writing ------------------------------------------------------------------------------ */

static int by_time_and_place(const void *a, const void *b)
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

static void put_text_line(const struct ec_events *e, const struct event *v)
{
    char router[EC_NAME_SIZE], port[EC_NAME_SIZE], word[EC_NAME_SIZE];
    ec_topology_node_name(e->t, v->node, router, sizeof router);
    ec_port_name(e->t, e->shadow.locals, v->port, port, sizeof port);
    ec_word_name(e->t, &e->shadow.layout, v->word, word, sizeof word);
    if (v->kind == OFFER)
        *strchr(word, ' ') = '\0'; /* the packet has no number yet */
    fprintf(e->out.file, "%10" PRIu64 "  %-9s  %-14s  %-7s VC %u  %s", v->cycle,
            kind_names[v->kind], router, port, v->vc, word);
    if (v->kind == OFFER)
        fprintf(e->out.file, ", %" PRIu32 " word%s", v->words, v->words == 1 ? "" : "s");
    else
        fprintf(e->out.file, "%s%s", ec_word_head(v->word) ? " head" : "",
                ec_word_tail(v->word) ? " tail" : "");
    if ((v->kind == CONTENDED || v->kind == STARVED) && v->want < e->shadow.ports) {
        ec_port_name(e->t, e->shadow.locals, v->want, port, sizeof port);
        fprintf(e->out.file, "  wants %s", port);
    }
    fputc('\n', e->out.file);
}

/* The texts consist of letters, digits, signs and parentheses: nothing to escape. */
static void put_json_line(const struct ec_events *e, const struct event *v)
{
    char router[EC_NAME_SIZE], port[EC_NAME_SIZE];
    ec_topology_node_name(e->t, v->node, router, sizeof router);
    ec_port_name(e->t, e->shadow.locals, v->port, port, sizeof port);
    fprintf(e->out.file,
            "{\"cycle\":%" PRIu64 ",\"event\":\"%s\",\"node\":%" PRIu32
            ",\"router\":\"%s\",\"port\":\"%s\",\"vc\":%u,\"src\":%" PRIu32 ",\"dst\":%" PRIu32,
            v->cycle, kind_names[v->kind], v->node, router, port, v->vc,
            ec_topology_node(e->t, ec_word_src(&e->shadow.layout, v->word)),
            ec_topology_node(e->t, ec_word_dst(&e->shadow.layout, v->word)));
    if (v->kind == OFFER)
        fprintf(e->out.file, ",\"words\":%" PRIu32, v->words);
    else
        fprintf(e->out.file, ",\"packet\":%" PRIu32 ",\"word\":%" PRIu32 ",\"head\":%s,\"tail\":%s",
                ec_word_number(&e->shadow.layout, v->word),
                ec_word_index(&e->shadow.layout, v->word), ec_word_head(v->word) ? "true" : "false",
                ec_word_tail(v->word) ? "true" : "false");
    if ((v->kind == CONTENDED || v->kind == STARVED) && v->want < e->shadow.ports) {
        ec_port_name(e->t, e->shadow.locals, v->want, port, sizeof port);
        fprintf(e->out.file, ",\"wants\":\"%s\"", port);
    }
    fputs("}\n", e->out.file);
}

/* Return the number of lines. */
static uint64_t put_event(struct ec_events *e, const struct event *v)
{
    if (e->perfetto)
        return perfetto_word(
            e->perfetto, e->out.file,
            &(struct perfetto_word){
                .cycle = v->cycle,
                .word = v->word,
                .node = v->node,
                .port = v->port,
                .vc = v->vc,
                .channel = v->kind == INJECT ? PERFETTO_INJECTION : PERFETTO_OUTPUT,
            });
    if (e->format == EC_EVENTS_JSONL)
        put_json_line(e, v);
    else
        put_text_line(e, v);
    return 1;
}

static void write_events(struct ec_events *e, struct event_list *list)
{
    if (list->count > 1)
        qsort(list->at, list->count, sizeof *list->at, by_time_and_place);
    errno = 0;
    for (size_t i = 0; i < list->count && !e->out.error; i++)
        e->lines += put_event(e, &list->at[i]);
    ec_output_good(&e->out);
    list->count = 0;
}

/* --- Watching ------------------------------------------------------------------------------- */

/* Inputs belong to the cycle seen; what a router shows belongs to the next one. */
static struct event event_of(const struct ec_net_seen *seen, enum kind kind, unsigned port,
                             unsigned vc, uint64_t word)
{
    return (struct event){.cycle = seen->cycle + (kind != INJECT),
                          .word = word,
                          .node = seen->node,
                          .port = (uint16_t)port,
                          .vc = (uint16_t)vc,
                          .kind = kind};
}

static void log_words(struct ec_events *e, const struct ec_net_seen *seen)
{
    const struct shadow *s = &e->shadow;
    for (uint64_t left = seen->in_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t word = seen->in_word[port];
        if (port >= s->links)
            add_event(e, &e->now, event_of(seen, INJECT, port, ec_word_vc(word, s->vcs), word));
    }
    for (uint64_t left = seen->out_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t word = seen->out_word[port];
        add_event(
            e, &e->next,
            event_of(seen, port >= s->links ? EJECT : HOP, port, ec_word_vc(word, s->vcs), word));
    }
}

/* Only the first cycle in which a front word is blocked for this reason. */
static void log_blocked(struct ec_events *e, const struct ec_net_seen *seen, const uint64_t *taps,
                        enum kind kind)
{
    const struct shadow *s = &e->shadow;
    for (unsigned vc = 0; vc < s->vcs; vc++) {
        for (uint64_t left = taps[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            if (port >= s->ports)
                continue;
            const size_t at = shadow_at(s, seen->node, port, vc);
            if (s->buffers[at].count == 0 || e->logged[at] == kind)
                continue;
            struct event v = event_of(seen, kind, port, vc, shadow_front(s, at));
            v.want = seen->want[port * s->vcs + vc];
            e->logged[at] = (uint8_t)kind;
            add_event(e, &e->next, v);
        }
    }
}

/* The words in an input from the cycle after `cycle` on; all of its VCs. */
static void log_input(struct ec_events *e, uint64_t cycle, uint32_t node, unsigned port)
{
    const struct shadow *s = &e->shadow;
    uint32_t words = 0;
    if (cycle + 1 < e->cycles.from || cycle + 1 > e->cycles.to || e->out.error)
        return;
    for (unsigned vc = 0; vc < s->vcs; vc++)
        words += s->buffers[shadow_at(s, node, port, vc)].count;
    e->lines += perfetto_buffered(e->perfetto, e->out.file, cycle + 1, node, port, words);
}

static void log_inputs(struct ec_events *e, const struct ec_net_seen *seen)
{
    uint64_t changed = seen->in_valid;
    for (unsigned vc = 0; vc < e->shadow.vcs; vc++)
        changed |= seen->out_credit[vc];
    for (unsigned port = 0; port < e->shadow.ports; port++) {
        if (changed >> port & 1)
            log_input(e, seen->cycle, seen->node, port);
    }
}

/* What the inputs hold when the log begins in the middle of a run. */
static void log_all_inputs(struct ec_events *e, uint64_t cycle)
{
    for (uint32_t node = 0; node < e->t->routers; node++) {
        for (unsigned port = 0; port < e->shadow.ports; port++)
            log_input(e, cycle, node, port);
    }
}

static void see_router_events(void *context, const struct ec_net_seen *seen)
{
    struct ec_events *e = context;
    shadow_enter(&e->shadow, seen);
    log_words(e, seen);
    for (unsigned vc = 0; vc < e->shadow.vcs; vc++) {
        for (uint64_t left = seen->out_credit[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            if (port >= e->shadow.ports)
                continue;
            const size_t at = shadow_at(&e->shadow, seen->node, port, vc);
            shadow_leave(&e->shadow, at);
            e->logged[at] = 0;
        }
    }
    log_blocked(e, seen, seen->contended, CONTENDED);
    log_blocked(e, seen, seen->starved, STARVED);
    if (e->perfetto)
        log_inputs(e, seen);
}

static void write_cycle(void *context, uint64_t cycle)
{
    struct ec_events *e = context;
    const struct event_list empty = e->now;
    if (e->perfetto && cycle + 1 == e->cycles.from)
        log_all_inputs(e, cycle);
    write_events(e, &e->now);
    e->now = e->next;
    e->next = empty;
    e->next.count = 0;
}

static void forget_events(void *context)
{
    struct ec_events *e = context;
    shadow_reset(&e->shadow);
    memset(e->logged, 0, e->shadow.count * sizeof *e->logged);
    e->now.count = e->next.count = 0;
    if (e->perfetto)
        perfetto_reset(e->perfetto);
}

void ec_events_offer(void *context, const struct ec_offer *offer)
{
    struct ec_events *e = context;
    add_event(e, &e->now,
              (struct event){.cycle = offer->cycle,
                             .word = ec_word_pack(&e->shadow.layout, false, false, 0,
                                                  ec_topology_address(e->t, offer->dst),
                                                  ec_topology_address(e->t, offer->node), 0),
                             .node = offer->node,
                             .words = offer->words,
                             .port = (uint16_t)(e->shadow.links + offer->local),
                             .vc = (uint16_t)offer->vc,
                             .kind = OFFER});
}

/* --- Opening and closing ------------------------------------------------------------------ */

static void copy_filters(struct ec_events *e, const struct ec_events_options *o)
{
    if (o->nodes)
        EC_ARRAY(&e->arrays, e->nodes, ((size_t)e->t->routers + 63) / 64);
    for (size_t i = 0; e->nodes && i < o->nodes->count; i++)
        e->nodes[o->nodes->nodes[i] >> 6] |= UINT64_C(1) << (o->nodes->nodes[i] & 63);
    if (o->packet_count)
        EC_ARRAY(&e->arrays, e->packets, o->packet_count);
    if (e->packets)
        memcpy(e->packets, o->packets, o->packet_count * sizeof *e->packets);
    e->packet_count = o->packet_count;
}

static bool open_shadow(struct ec_events *e, const struct ec_router *r)
{
    if (!shadow_open(&e->shadow, e->t, r, EC_NONE))
        return false;
    EC_ARRAY(&e->arrays, e->logged, e->shadow.count);
    return !e->arrays.memory_short;
}

/* After the filters. */
static bool open_perfetto(struct ec_events *e, const struct ec_router *r)
{
    if (e->format == EC_EVENTS_PERFETTO)
        e->perfetto = perfetto_open(e->t, r, e->nodes);
    return e->perfetto || e->format != EC_EVENTS_PERFETTO;
}

enum ec_code ec_events_open(const struct ec_topology *t, const struct ec_router *r,
                            const struct ec_events_options *options, struct ec_events **ret,
                            struct ec_error *reterr)
{
    struct ec_events *e = calloc(1, sizeof *e);
    if (!e)
        return ec_fail(reterr, EC_MEMORY, "out of memory for an event log");
    e->t = t;
    e->format = options->format;
    e->cycles = options->cycles;
    copy_filters(e, options);
    enum ec_code code =
        open_shadow(e, r) && open_perfetto(e, r)
            ? ec_output_open(&e->out, "the event log", options->path, options->unfinished, reterr)
            : ec_fail(reterr, EC_MEMORY, "out of memory for an event log");
    if (code != EC_OK) {
        ec_events_close(e);
        return code;
    }
    if (e->perfetto)
        e->lines += perfetto_begin(e->perfetto, e->out.file);
    e->watch = (struct ec_net_watch){.router = see_router_events,
                                     .cycle = write_cycle,
                                     .reset = forget_events,
                                     .nodes = e->nodes,
                                     .context = e};
    *ret = e;
    return EC_OK;
}

const struct ec_net_watch *ec_events_watch(struct ec_events *e)
{
    return &e->watch;
}

enum ec_code ec_events_finish(struct ec_events *e, uint64_t *ret_lines, struct ec_error *reterr)
{
    write_events(e, &e->now);
    write_events(e, &e->next);
    if (e->perfetto && !e->out.error)
        e->lines += perfetto_end(e->perfetto, e->out.file);
    if (e->memory_short || e->shadow.memory_short ||
        (e->perfetto && perfetto_memory_short(e->perfetto)))
        return ec_fail(reterr, EC_MEMORY, "out of memory for the events of one cycle");
    const enum ec_code code = ec_output_commit(&e->out, reterr);
    if (code == EC_OK)
        *ret_lines = e->lines;
    return code;
}

void ec_events_close(struct ec_events *e)
{
    if (!e)
        return;
    ec_output_discard(&e->out);
    shadow_close(&e->shadow);
    perfetto_close(e->perfetto);
    ec_arrays_free(&e->arrays);
    free(e->now.at);
    free(e->next.at);
    free(e);
}
