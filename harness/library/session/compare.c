/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison: one play on a pair of networks; if they differ, a replay dumps a wave of each. Also
 * compares the deliveries of two runs. diagnose/pair.c compares two routers. */
#include "ecube/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/rng.h"
#include "contract/shadow.h"
#include "diagnose/failure.h"
#include "diagnose/pair.h"
#include "ecube/wave.h"
#include "ecube/word.h"
#include "network/names.h"
#include "run/play.h"

#define COMPARED_NAME(id, name, text) name,
#define COMPARED_TEXT(id, name, text) text,
static const char *const compared_names[] = {EC_COMPARED(COMPARED_NAME)};
static const char *const compared_texts[] = {EC_COMPARED(COMPARED_TEXT)};

const char *ec_compared_name(enum ec_compared field)
{
    return compared_names[field];
}

const char *ec_compared_text(enum ec_compared field)
{
    return compared_texts[field];
}

struct comparing {
    struct pair pair;
    struct play play;
    const struct ec_compare_options *options;
    struct ec_comparison *result;
};

/* --- Texts ---------------------------------------------------------------------------------- */

static bool is_word(enum ec_compared field)
{
    return field == EC_COMPARED_IN_WORD || field == EC_COMPARED_OUT_WORD;
}

static struct ec_word_layout layout_of(const struct ec_net *net)
{
    return ec_router_layout(net->router, net->topology);
}

static void word_text(const struct comparing *c, uint64_t word, char *buffer, size_t size)
{
    const struct ec_net *net = &c->pair.net;
    const struct ec_word_layout l = layout_of(net);
    char name[EC_NAME_SIZE];
    if (!(word & EC_WORD_VALID)) {
        snprintf(buffer, size, "no word");
        return;
    }
    ec_word_name(net->topology, &l, word, name, sizeof name);
    snprintf(buffer, size, "%s%sVC %u  %.80s", ec_word_head(word) ? "head " : "",
             ec_word_tail(word) ? "tail " : "", ec_word_vc_field(word, net->router->vcs), name);
}

static void value_text(const struct comparing *c, enum ec_compared field, uint64_t value,
                       char *buffer, size_t size)
{
    char name[EC_NAME_SIZE];
    const struct ec_topology *t = c->pair.net.topology;
    if (is_word(field)) {
        word_text(c, value, buffer, size);
    } else if (field == EC_COMPARED_WANT) {
        ec_port_name(t, ec_router_local_ports(c->pair.net.router, t), (unsigned)value, name,
                     sizeof name);
        snprintf(buffer, size, "%.80s", name);
    } else {
        snprintf(buffer, size, "%s", value ? "yes" : "no");
    }
}

/* "router 5 (101), output dim1". The text of a word includes its VC, other fields need it here. */
static void name_place(const struct comparing *c, struct ec_divergence *d)
{
    const struct ec_topology *t = c->pair.net.topology;
    const bool output = d->field == EC_COMPARED_OUT_WORD || d->field == EC_COMPARED_IN_CREDIT;
    char router[EC_NAME_SIZE], port[EC_NAME_SIZE], vc[16] = "";
    ec_topology_node_name(t, d->node, router, sizeof router);
    ec_port_name(t, ec_router_local_ports(c->pair.net.router, t), d->port, port, sizeof port);
    if (!is_word(d->field))
        snprintf(vc, sizeof vc, ", VC %u", d->vc);
    snprintf(d->place, sizeof d->place, "router %.80s, %s %.40s%s", router,
             output ? "output" : "input", port, vc);
}

static void take_divergence(struct comparing *c)
{
    const struct pair_difference *d = &c->pair.first;
    struct ec_divergence *to = &c->result->divergence;
    *to = (struct ec_divergence){
        .found = true,
        .cycle = d->cycle,
        .node = d->node,
        .port = d->port,
        .vc = d->vc,
        .field = d->field,
        .value = {d->a, d->b},
    };
    name_place(c, to);
    for (unsigned k = 0; k < 2; k++)
        value_text(c, d->field, to->value[k], to->text[k], sizeof to->text[k]);
}

/* --- The replay ----------------------------------------------------------------------------- */

/* The buffers of the router that differs, before its grants of that cycle. */
struct front_watch {
    struct shadow shadow;
    uint32_t node;
    uint64_t cycle;
};

static void follow_buffers(void *context, const struct ec_net_seen *seen)
{
    struct front_watch *f = context;
    if (seen->node != f->node || seen->cycle >= f->cycle)
        return;
    shadow_enter(&f->shadow, seen);
    if (seen->cycle + 1 < f->cycle)
        shadow_leave_by_credits(&f->shadow, seen);
}

static void forget_buffers(void *context)
{
    struct front_watch *f = context;
    shadow_reset(&f->shadow);
}

/* The word at the front of the input VC that differs; 0: none, or not known. */
static uint64_t find_front(struct comparing *c)
{
    const struct pair_difference d = c->pair.first; /* a copy: the replay resets it */
    const struct ec_net *net = &c->pair.net;
    struct front_watch f = {.node = d.node, .cycle = d.cycle};
    const struct ec_net_watch watch = {
        .router = follow_buffers, .reset = forget_buffers, .context = &f};
    uint64_t word = 0;
    if (!shadow_open(&f.shadow, net->topology, net->router, EC_NONE))
        return 0;
    pair_look(&c->pair, &watch, NULL);
    if (d.port < f.shadow.ports && play_again(&c->play, NULL, d.cycle))
        word = shadow_front(&f.shadow, shadow_at(&f.shadow, d.node, d.port, d.vc));
    pair_look(&c->pair, NULL, NULL);
    shadow_close(&f.shadow);
    return word;
}

/* Name the packets of the words that differ; if a credit or a tap differs, the packet at the front.
 */
static void name_packets(struct comparing *c)
{
    struct ec_divergence *d = &c->result->divergence;
    char name[EC_NAME_SIZE];
    uint64_t words[2] = {0};
    const struct ec_word_layout l = layout_of(&c->pair.net);
    if (is_word(d->field)) {
        words[0] = d->value[0];
        words[1] = d->value[1];
    } else if (d->field != EC_COMPARED_IN_CREDIT) {
        words[0] = find_front(c);
    }
    for (unsigned k = 0; k < 2; k++) {
        if (!(words[k] & EC_WORD_VALID))
            continue;
        ec_word_name(c->pair.net.topology, &l, words[k], name, sizeof name);
        *strchr(name, '.') = '\0'; /* the packet, not the word in it */
        snprintf(d->packets[k], sizeof d->packets[k], "%.120s", name);
    }
    if (strcmp(d->packets[0], d->packets[1]) == 0)
        d->packets[1][0] = '\0';
}

/* ecube-compare-HASH-a.fst and -b.fst: a comparison overwrites only its own files, and so do other
 * routers. */
static enum ec_code name_side_wave(const struct comparing *c, struct ec_shape *const shape[2],
                                   unsigned side, char *buffer, size_t size,
                                   struct ec_error *reterr)
{
    uint64_t key = play_key(&c->play, c->options->wave[side]->title);
    for (unsigned k = 0; k < 2; k++) {
        const char *name = c->pair.side[k]->ops->name;
        key = XXH3_64bits_withSeed(name, strlen(name) + 1, key);
        key = shape[k] ? failure_key(key, shape[k]) : key;
    }
    return ec_path(buffer, size, reterr, "%s/ecube-compare-%016" PRIx64 "-%c.fst",
                   c->options->wave[side]->folder, key, (char)('a' + side));
}

static enum ec_code open_side_wave(const struct comparing *c, struct ec_shape *const shape[2],
                                   unsigned side, const struct ec_node_set *nodes,
                                   const struct ec_cycle_range *cycles, struct ec_wave **ret,
                                   struct ec_error *reterr)
{
    const struct ec_failure_options *how = c->options->wave[side];
    const struct ec_divergence *d = &c->result->divergence;
    struct ec_compare_wave *to = &c->result->wave[side];
    char path[sizeof to->path], mark[64], text[sizeof d->place + sizeof d->text + 32];
    snprintf(mark, sizeof mark, "DIFFERS %s", ec_compared_name(d->field));
    snprintf(text, sizeof text, "%s: %s: A %s, B %s", d->place, ec_compared_name(d->field),
             d->text[0], d->text[1]);
    const struct ec_wave_failure failure = {
        .cycle = d->cycle, .text = text, .port = c->pair.first.port};
    const struct ec_wave_options options = {.path = path,
                                            .nodes = nodes,
                                            .cycles = *cycles,
                                            .foreign = c->pair.side[side]->foreign,
                                            .failure = &failure,
                                            .title = how->title,
                                            .unfinished = how->unfinished,
                                            .pulse = c->pair.side[side]->pulse};
    enum ec_code code = name_side_wave(c, shape, side, path, sizeof path, reterr);
    if (code == EC_OK)
        code = ec_folder_make(how->folder, EC_FOLDER_USUAL, reterr);
    if (code == EC_OK)
        code = ec_wave_open(c->pair.net.topology, c->pair.net.router, shape[side], &options, ret,
                            reterr);
    if (code != EC_OK)
        return code;
    ec_wave_mark(*ret, d->cycle, mark);
    memcpy(to->path, path, sizeof path);
    return EC_OK;
}

static void finish_side_wave(struct comparing *c, unsigned side, struct ec_wave *wave, bool whole,
                             const struct ec_cycle_range *cycles)
{
    struct ec_compare_wave *to = &c->result->wave[side];
    struct ec_wave_summary summary;
    struct ec_error e;
    if (!wave)
        return;
    if (failure_wave_finish(wave, whole, cycles, &summary, to->note, sizeof to->note, &e) ==
        EC_OK) {
        to->first = summary.first;
        to->last = summary.last;
        if (summary.differs) /* the twins are RTL; this side may not be */
            failure_note(to->note, sizeof to->note,
                         "from cycle %" PRIu64
                         " on the wave shows what the RTL does with this side's "
                         "inputs, not what this side does",
                         summary.differs_cycle);
    } else {
        to->path[0] = '\0';
        snprintf(to->note, sizeof to->note, "no wave: %s", e.message);
    }
    ec_wave_close(wave);
}

/* Both waves in one replay. */
static void leave_waves(struct comparing *c)
{
    struct ec_comparison *r = c->result;
    struct ec_node_set nodes = {0};
    struct ec_wave *wave[2] = {0};
    struct ec_shape *shape[2] = {0};
    struct ec_error e[2] = {{.message = "out of memory"}, {.message = "out of memory"}};
    const struct ec_cycle_range cycles = failure_cycles(c->pair.net.router, r->divergence.cycle, 0);
    bool whole = true;
    const bool good =
        ec_node_set_add(&nodes, r->divergence.node) &&
        failure_peer(c->pair.net.topology, r->divergence.node, c->pair.first.port, &nodes);
    for (unsigned k = 0; k < 2; k++) {
        const struct ec_failure_options *how = c->options->wave[k];
        if (how && how->traced(how->context, &shape[k], &e[k]) != EC_OK)
            shape[k] = NULL;
    }
    for (unsigned k = 0; k < 2; k++) {
        if (!c->options->wave[k])
            continue;
        if (!good || !shape[k] ||
            open_side_wave(c, shape, k, &nodes, &cycles, &wave[k], &e[k]) != EC_OK) {
            wave[k] = NULL;
            snprintf(r->wave[k].note, sizeof r->wave[k].note, "no wave: %s", e[k].message);
        }
    }
    if (wave[0] || wave[1]) {
        pair_look(&c->pair, wave[0] ? ec_wave_watch(wave[0]) : NULL,
                  wave[1] ? ec_wave_watch(wave[1]) : NULL);
        whole = play_again(&c->play, NULL, cycles.to);
        pair_look(&c->pair, NULL, NULL);
    }
    for (unsigned k = 0; k < 2; k++)
        finish_side_wave(c, k, wave[k], whole, &cycles);
    ec_node_set_free(&nodes);
}

/* --- The play ------------------------------------------------------------------------------- */

/* The sides agree, but both break a rule, or a ledger of one of them is wrong. */
static void take_breach(struct comparing *c)
{
    const struct scoreboard *b = &c->play.board;
    char router[EC_NAME_SIZE];
    for (unsigned k = 0; k < 2; k++) {
        const struct ec_net *side = c->pair.side[k];
        const struct ec_net_fault *fault = side->ops->fault(side);
        if (!fault->found)
            continue;
        ec_topology_node_name(side->topology, fault->node, router, sizeof router);
        snprintf(c->result->detail, sizeof c->result->detail,
                 "the sides agree, but %c breaks a rule: cycle %" PRIu64 ", router %.100s: %.150s",
                 (char)('A' + k), fault->cycle, router, fault->what);
        return;
    }
    snprintf(c->result->detail, sizeof c->result->detail,
             "the sides agree, but both break a rule: %.380s", b->failed ? b->what : "?");
}

/* A side whose RTL reported an error or ended the simulation is wrong, whether the sides agree or
 * not. */
static void take_rtl_message(struct comparing *c)
{
    const unsigned side = pair_rtl_side(&c->pair);
    char what[1150];
    if (side > 1)
        return;
    ec_net_rtl_text(c->pair.side[side], what, sizeof what);
    c->result->outcome = EC_RUN_BROKEN;
    snprintf(c->result->detail, sizeof c->result->detail, "the RTL of side %c: %s",
             (char)('A' + side), what);
}

static void judge_comparison(struct comparing *c, enum play_state state)
{
    struct ec_comparison *r = c->result;
    struct ec_net_fault left;
    char router[EC_NAME_SIZE];
    r->agree = !c->pair.first.found;
    switch (state) {
    case PLAY_DONE:
        r->outcome = EC_RUN_FINISHED;
        break;
    case PLAY_LIMIT:
        r->outcome = EC_RUN_LIMIT;
        break;
    case PLAY_STUCK:
        r->outcome = EC_RUN_DEADLOCK;
        break;
    case PLAY_INTERRUPTED:
        r->outcome = EC_RUN_INTERRUPTED;
        break;
    default:
        r->outcome = EC_RUN_BROKEN;
        break;
    }
    if (!r->agree)
        r->outcome = EC_RUN_BROKEN;
    else if (state == PLAY_BROKEN)
        take_breach(c);
    else if (state == PLAY_DONE && !pair_net_drained(&c->pair, &left)) {
        ec_topology_node_name(c->pair.net.topology, left.node, router, sizeof router);
        r->outcome = EC_RUN_BROKEN;
        snprintf(r->detail, sizeof r->detail,
                 "the sides agree, but at the end router %.100s: %.150s", router, left.what);
    }
    take_rtl_message(c);
}

static enum play_state play_to_end(struct comparing *c)
{
    enum play_state state;
    while ((state = play_on(&c->play, 0)) == PLAY_OLD)
        c->play.age_bound *= 2; /* packet age is not checked: both sides are equally slow */
    return state;
}

static enum ec_code compare_plays(struct comparing *c, struct ec_error *reterr)
{
    struct ec_comparison *r = c->result;
    const double begin = ec_clock(CLOCK_MONOTONIC);
    const enum play_state state = play_to_end(c);
    r->seconds = ec_clock(CLOCK_MONOTONIC) - begin;
    if (c->play.board.memory_short)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the nodes of a comparison");
    r->taps = c->pair.taps;
    r->cycles = c->play.cycle - c->play.skipped;
    r->words = c->play.board.words;
    r->packets = c->play.board.packets;
    r->compared = c->pair.compared;
    if (r->seconds > 0)
        r->router_cycles_per_second =
            (double)c->pair.net.topology->routers * (double)r->cycles / r->seconds;
    judge_comparison(c, state);
    if (c->pair.first.found) {
        take_divergence(c);
        name_packets(c);
        leave_waves(c);
    }
    return EC_OK;
}

enum ec_code ec_compare(struct ec_net *a, struct ec_net *b, const struct ec_workload *w,
                        const struct ec_compare_options *options, struct ec_comparison **ret,
                        struct ec_error *reterr)
{
    struct comparing c = {.options = options};
    struct ec_run_options run = options->run;
    run.watches = NULL;
    run.watch_count = 0;
    run.offer = NULL;
    run.failure = NULL;
    run.keep_packets = false;
    enum ec_code code = play_check(a, w, &run, reterr);
    if (code == EC_OK)
        code = pair_open(&c.pair, a, b, reterr);
    if (code != EC_OK)
        return code;
    code = play_open(&c.play, &c.pair.net, NULL, w, &run, reterr);
    if (code == EC_OK) {
        c.result = calloc(1, sizeof *c.result);
        code = c.result ? compare_plays(&c, reterr)
                        : ec_fail(reterr, EC_MEMORY, "out of memory for a comparison");
        play_close(&c.play);
    }
    pair_close(&c.pair);
    if (code == EC_OK)
        *ret = c.result;
    else
        ec_comparison_close(c.result);
    return code;
}

void ec_comparison_close(struct ec_comparison *c)
{
    free(c);
}

/* --- Deliveries ----------------------------------------------------------------------------- */

/* The packets of each pair of nodes, in the order in which the source sent them. */
static int by_pair_and_time(const void *x, const void *y)
{
    const struct ec_packet_log *a = x, *b = y;
    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    if (a->dst != b->dst)
        return a->dst < b->dst ? -1 : 1;
    if (a->created != b->created)
        return a->created < b->created ? -1 : 1;
    return a->injected < b->injected ? -1 : a->injected > b->injected;
}

static struct ec_packet_log *sort_packets(const struct ec_report *r)
{
    const size_t count = (size_t)r->packets;
    struct ec_packet_log *log = calloc(count ? count : 1, sizeof *log);
    if (log && count) {
        memcpy(log, r->packets_log, count * sizeof *log);
        qsort(log, count, sizeof *log, by_pair_and_time);
    }
    return log;
}

static int pair_order(const struct ec_packet_log *a, const struct ec_packet_log *b)
{
    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    return a->dst < b->dst ? -1 : a->dst > b->dst;
}

struct packet_list {
    const struct ec_packet_log *log;
    size_t count, at;
};

static const struct ec_packet_log *front_packet(const struct packet_list *l)
{
    return l->at < l->count ? &l->log[l->at] : NULL;
}

static const struct ec_packet_log *take_packet(struct packet_list *l,
                                               const struct ec_packet_log *pair)
{
    const struct ec_packet_log *p = front_packet(l);
    if (!p || pair_order(p, pair) != 0)
        return NULL;
    l->at++;
    return p;
}

static void note_packets(const struct ec_packet_log *pair, size_t index,
                         const struct ec_packet_log *x, const struct ec_packet_log *y,
                         struct ec_delivery_comparison *c)
{
    if (c->found)
        return;
    c->found = true;
    c->src = pair->src;
    c->dst = pair->dst;
    c->index = index;
    c->words[0] = x ? x->words : 0;
    c->words[1] = y ? y->words : 0;
    c->created[0] = x ? x->created : 0;
    c->created[1] = y ? y->created : 0;
}

/* Compare the packets of the lowest pair of nodes left in either list. */
static void compare_pair(struct packet_list *a, struct packet_list *b, bool open_loop,
                         struct ec_delivery_comparison *c)
{
    const struct ec_packet_log *x = front_packet(a), *y = front_packet(b);
    const struct ec_packet_log pair = !y || (x && pair_order(x, y) <= 0) ? *x : *y;
    for (size_t index = 0;; index++) {
        x = take_packet(a, &pair);
        y = take_packet(b, &pair);
        if (!x && !y)
            return;
        if (x && y && x->words == y->words && (!open_loop || x->created == y->created)) {
            c->common++;
            continue;
        }
        c->only[0] += x != NULL;
        c->only[1] += y != NULL;
        if ((x && y) || !open_loop)
            note_packets(&pair, index, x, y, c);
    }
}

enum ec_code ec_compare_deliveries(const struct ec_report *a, const struct ec_report *b,
                                   bool open_loop, struct ec_delivery_comparison *ret,
                                   struct ec_error *reterr)
{
    if ((a->packets && !a->packets_log) || (b->packets && !b->packets_log))
        return ec_fail(reterr, EC_USAGE,
                       "cannot compare deliveries: a run was made without keep_packets");
    struct ec_packet_log *log[2] = {sort_packets(a), sort_packets(b)};
    enum ec_code code = EC_OK;
    if (!log[0] || !log[1]) {
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a comparison");
    } else {
        struct packet_list x = {log[0], (size_t)a->packets, 0}, y = {log[1], (size_t)b->packets, 0};
        struct ec_delivery_comparison c = {0};
        while (front_packet(&x) || front_packet(&y))
            compare_pair(&x, &y, open_loop, &c);
        *ret = c;
    }
    free(log[0]);
    free(log[1]);
    return code;
}

uint64_t ec_report_deliveries(const struct ec_report *r)
{
    uint64_t sum = 0;
    for (size_t i = 0; r->packets_log && i < (size_t)r->packets; i++) {
        const struct ec_packet_log *p = &r->packets_log[i];
        sum += ec_rng_mix(ec_rng_mix((uint64_t)p->src << 32 | p->dst) + p->words);
    }
    return sum;
}
