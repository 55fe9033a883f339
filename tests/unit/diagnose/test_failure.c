/* SPDX-License-Identifier: Apache-2.0 */
/* The replays of a failed run: which routers and cycles the wave shows, and what the report says of
 * them. The linker replaces the replay, the twins, the story and the wave by stand-ins that follow
 * a script. */
#include "diagnose/failure.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "observe/waves.h"
#include "scarce.h"
#include "unit.h"

enum { CYCLE = 9000, LAST_MOVE = 8000, KEY = 77 };

/* --- The script ------------------------------------------------------------------------------- */

#define SCRIPT(...)                                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

struct script {
    /* Of the net. */
    const char *topology;     /* NULL: cube:3 */
    uint64_t link;            /* cycles; 0: one */
    bool unwatched, no_shape; /* it cannot be watched; no traced shape */
    bool rtl, rtl_elsewhere;  /* the RTL reported in cycle 31 at node 6, or at no node */
    bool fault, board, left;  /* cycle 32 at node 5, port 1; 33 at 4; 34 at 3, port 2 */
    enum ec_verdict ledger;   /* failed: credits are missing */
    enum ec_outcome outcome;  /* a deadlock: three buffers wait, since 40, 30 and 50... */
    uint64_t later, last;     /* ... plus `later`, the last one plus `last` */
    uint64_t last_move;       /* 0: LAST_MOVE */
    /* Known before. */
    uint64_t cycle, begin;
    const char *nodes, *what;
    unsigned port;
    bool has_port;
    /* Of the replays. */
    unsigned checks; /* that failed, the first in this cycle at node 2 */
    uint64_t check_cycle;
    enum ec_code twins, folder, wave, finish;
    bool story_short, no_story;
    unsigned stopped;   /* the replay that is interrupted; 0: none */
    uint64_t dumped_to; /* the last cycle; 0: all */
    bool none_dumped, differs;
    unsigned allocations; /* the last one of these fails; 0: none does */
};

struct wave {
    char path[300], folder[200], nodes[400], title[100], text[500];
    struct ec_wave_options options;
    struct ec_cycle_range cycles;
    uint64_t failure_cycle;
    unsigned port;
    bool has_failure;
    char marks[200];
};

static struct {
    struct script s;
    unsigned replays, twins_opened, twins_closed, stories, stories_closed, waves, waves_closed;
    size_t twin_count;
    uint64_t until[3];
    char known[400];                        /* to the story */
    uint64_t saw[2], stepped[2], resets[2]; /* twins, story */
    struct wave wave;
    struct ec_topology t;
    struct ec_router r;
    struct ec_net net;
    struct ec_net_ops ops;
    struct ec_net_rtl rtl;
    struct ec_net_fault fault;
    struct ec_net_pulse pulse;
    struct ec_failure_options options;
    struct ec_unfinished unfinished;
    struct ec_workload w;
    struct play p;
    struct ec_report report;
    uint64_t selected[1 << 10];
    bool ran_out; /* of memory */
} m;

static const struct ec_net_watch wave_watch;
static char shape[1], story[1];
static struct ec_wave the_wave;

#define STAND_IN(name) __asm__("__wrap_" #name)
enum ec_code open_twins(struct twins *w, const struct ec_topology *t, const struct ec_router *r,
                        const struct ec_shape *s, const struct ec_node_set *set,
                        struct ec_net_pulse *pulse, struct ec_error *reterr) STAND_IN(twins_open);
void close_twins(struct twins *w) STAND_IN(twins_close);
void reset_twins(struct twins *w) STAND_IN(twins_reset);
void show_twins(struct twins *w, const struct ec_net_seen *seen) STAND_IN(twins_see);
void step_twins(struct twins *w, uint64_t cycle) STAND_IN(twins_step);
struct story *open_story(const struct ec_topology *t, const struct ec_router *r, bool foreign,
                         const struct ec_node_set *set) STAND_IN(story_open);
void close_story(struct story *s) STAND_IN(story_close);
bool short_story(const struct story *s) STAND_IN(story_memory_short);
void reset_story(struct story *s) STAND_IN(story_reset);
void show_story(struct story *s, const struct ec_net_seen *seen) STAND_IN(story_see);
void step_story(struct story *s, uint64_t cycle) STAND_IN(story_cycle);
uint64_t since_here(const struct story *s, struct story_input at) STAND_IN(story_since);
bool again_here(struct play *p, const struct ec_net_watch *w, uint64_t until) STAND_IN(play_again);
uint64_t key_here(const struct play *p, const char *command) STAND_IN(play_key);
const char *shape_key_here(const struct ec_shape *s) STAND_IN(ec_shape_key);
enum ec_code make_folder(const char *path, unsigned mode, struct ec_error *reterr)
    STAND_IN(ec_folder_make);
enum ec_code open_wave(const struct ec_topology *t, const struct ec_router *r,
                       const struct ec_shape *s, const struct ec_wave_options *options,
                       struct ec_wave **ret, struct ec_error *reterr) STAND_IN(ec_wave_open);
const struct ec_net_watch *watch_wave(struct ec_wave *wave) STAND_IN(ec_wave_watch);
void mark_wave(struct ec_wave *wave, uint64_t cycle, const char *text) STAND_IN(ec_wave_mark);
enum ec_code finish_wave(struct ec_wave *wave, struct ec_wave_summary *ret, struct ec_error *reterr)
    STAND_IN(ec_wave_finish);
void close_wave(struct ec_wave *wave) STAND_IN(ec_wave_close);

static void list_nodes(const struct ec_node_set *set, char *buffer, size_t size)
{
    buffer[0] = '\0';
    for (size_t i = 0; i < set->count; i++) {
        const size_t used = strlen(buffer);
        snprintf(buffer + used, size - used, "%s%u", i ? " " : "", set->nodes[i]);
    }
}

enum ec_code open_twins(struct twins *w, const struct ec_topology *t, const struct ec_router *r,
                        const struct ec_shape *s, const struct ec_node_set *set,
                        struct ec_net_pulse *pulse, struct ec_error *reterr)
{
    static const char *const whats[] = {"push into a full FIFO", "another", "a third"};
    assert_true(t == &m.t && r == &m.r && s == (const struct ec_shape *)shape && pulse == &m.pulse);
    *w = (struct twins){.selected = m.selected, .failure_count = m.s.checks};
    m.twins_opened++;
    m.twin_count = set->count;
    for (unsigned k = 0; k < m.s.checks; k++) {
        w->failures[k] = (struct twin_failure){.cycle = m.s.check_cycle + k, .node = 2 + k};
        snprintf(w->failures[k].place, sizeof w->failures[k].place, "%s",
                 k == 0 ? "input dim2 VC 0" : "");
        snprintf(w->failures[k].what, sizeof w->failures[k].what, "%s", whats[k]);
    }
    return m.s.twins == EC_OK ? EC_OK : ec_fail(reterr, m.s.twins, "no twins");
}

void close_twins(struct twins *w)
{
    m.twins_closed += w->selected != NULL;
}

void reset_twins(struct twins *w)
{
    assert_ptr_equal(w->selected, m.selected);
    m.resets[0]++;
}

void show_twins(struct twins *w, const struct ec_net_seen *seen)
{
    assert_ptr_equal(w->selected, m.selected);
    m.saw[0] += seen->cycle;
}

void step_twins(struct twins *w, uint64_t cycle)
{
    assert_ptr_equal(w->selected, m.selected);
    m.stepped[0] += cycle;
}

struct story *open_story(const struct ec_topology *t, const struct ec_router *r, bool foreign,
                         const struct ec_node_set *set)
{
    assert_true(t == &m.t && r == &m.r && foreign == m.net.foreign);
    list_nodes(set, m.known, sizeof m.known);
    if (m.s.no_story)
        return NULL;
    m.stories++;
    return (struct story *)story;
}

void close_story(struct story *s)
{
    m.stories_closed += s != NULL;
}

bool short_story(const struct story *s)
{
    assert_ptr_equal(s, story);
    return m.s.story_short;
}

void reset_story(struct story *s)
{
    assert_ptr_equal(s, story);
    m.resets[1]++;
}

void show_story(struct story *s, const struct ec_net_seen *seen)
{
    assert_ptr_equal(s, story);
    m.saw[1] += seen->cycle;
}

void step_story(struct story *s, uint64_t cycle)
{
    assert_ptr_equal(s, story);
    m.stepped[1] += cycle;
}

/* Of the inputs in report.waiting_at, which are port 1, VC 1 of two VCs. */
uint64_t since_here(const struct story *s, struct story_input at)
{
    static const uint64_t since[] = {40, 30, 50};
    assert_ptr_equal(s, story);
    assert_int_equal(at.input, 3);
    assert_between(at.node, 4, 6);
    return since[at.node - 4] + m.s.later + (at.node == 6 ? m.s.last : 0);
}

/* The first replay shows one router in each of two cycles, after a reset. */
bool again_here(struct play *p, const struct ec_net_watch *w, uint64_t until)
{
    const struct ec_net_seen seen[] = {{.cycle = 3}, {.cycle = 5}};
    assert_ptr_equal(p, &m.p);
    m.until[m.replays++] = until;
    if (m.replays == 1 && w != &wave_watch) {
        assert_ptr_equal(w->nodes, m.selected);
        w->reset(w->context);
        for (size_t k = 0; k < COUNT(seen); k++) {
            w->router(w->context, &seen[k]);
            w->cycle(w->context, 10 * seen[k].cycle);
        }
    } else {
        assert_ptr_equal(w, &wave_watch);
    }
    return m.replays != m.s.stopped;
}

uint64_t key_here(const struct play *p, const char *command)
{
    (void)command;
    assert_ptr_equal(p, &m.p);
    return KEY;
}

static const char *shape_key = "0123456789abcdef";

const char *shape_key_here(const struct ec_shape *s)
{
    assert_ptr_equal(s, shape);
    return shape_key;
}

enum ec_code make_folder(const char *path, unsigned mode, struct ec_error *reterr)
{
    assert_int_equal(mode, EC_FOLDER_USUAL);
    snprintf(m.wave.folder, sizeof m.wave.folder, "%s", path);
    return m.s.folder == EC_OK ? EC_OK : ec_fail(reterr, m.s.folder, "no folder");
}

enum ec_code open_wave(const struct ec_topology *t, const struct ec_router *r,
                       const struct ec_shape *s, const struct ec_wave_options *options,
                       struct ec_wave **ret, struct ec_error *reterr)
{
    struct wave *wave = &m.wave;
    assert_true(t == &m.t && r == &m.r && s == (const struct ec_shape *)shape);
    if (m.s.wave != EC_OK)
        return ec_fail(reterr, m.s.wave, "no wave file");
    m.waves++;
    wave->options = *options;
    wave->cycles = options->cycles;
    assert_true(options->title == m.options.title && options->foreign == m.net.foreign);
    assert_true(options->unfinished == &m.unfinished && options->pulse == &m.pulse);
    snprintf(wave->path, sizeof wave->path, "%s", options->path);
    list_nodes(options->nodes, wave->nodes, sizeof wave->nodes);
    wave->has_failure = options->failure != NULL;
    if (options->failure) {
        wave->failure_cycle = options->failure->cycle;
        wave->port = options->failure->port;
        snprintf(wave->text, sizeof wave->text, "%s", options->failure->text);
    }
    *ret = &the_wave;
    (*ret)->first = m.s.none_dumped ? 0 : options->cycles.from;
    return EC_OK;
}

const struct ec_net_watch *watch_wave(struct ec_wave *wave)
{
    assert_non_null(wave);
    return &wave_watch;
}

void mark_wave(struct ec_wave *wave, uint64_t cycle, const char *text)
{
    char *marks = m.wave.marks;
    assert_non_null(wave);
    const size_t used = strlen(marks);
    snprintf(marks + used, sizeof m.wave.marks - used, "%s%llu %s", used ? ", " : "",
             (unsigned long long)cycle, text);
}

enum ec_code finish_wave(struct ec_wave *wave, struct ec_wave_summary *ret, struct ec_error *reterr)
{
    assert_non_null(wave);
    if (m.s.finish != EC_OK)
        return ec_fail(reterr, m.s.finish, "no end");
    *ret = (struct ec_wave_summary){.first = m.wave.cycles.from,
                                    .last = m.s.dumped_to ? m.s.dumped_to : m.wave.cycles.to,
                                    .differs = m.s.differs,
                                    .differs_cycle = 61,
                                    .differs_node = 7};
    return EC_OK;
}

void close_wave(struct ec_wave *wave)
{
    m.waves_closed += wave != NULL;
}

static enum ec_code give_traced(void *context, struct ec_shape **ret, struct ec_error *reterr)
{
    assert_ptr_equal(context, &m);
    *ret = (struct ec_shape *)shape;
    return m.s.no_shape ? ec_fail(reterr, EC_USAGE, "no shape") : EC_OK;
}

static void watch(struct ec_net *net, const struct ec_net_watch *w)
{
    (void)net;
    (void)w;
}

static const struct ec_net_fault *fault(const struct ec_net *net)
{
    (void)net;
    return &m.fault;
}

static bool drained(const struct ec_net *net, struct ec_net_fault *ret)
{
    (void)net;
    *ret = (struct ec_net_fault){.found = true, .cycle = 34, .node = 3, .port = 2};
    return !m.s.left;
}

static void add_nodes(struct ec_node_set *set, const char *nodes)
{
    char *end;
    for (const char *at = nodes ? nodes : ""; *at; at = end)
        assert_true(ec_node_set_add(set, (uint32_t)strtoul(at, &end, 10)));
}

static void open_play(const struct script *s)
{
    failure_close(&m.report.failure);
    free(m.report.waiting_at);
    memset(&m, 0, sizeof m);
    m.s = *s;
    m.t = topology_of(s->topology ? s->topology : "cube:3");
    m.r = router_of("vcs=2", &m.t);
    m.r.link = s->link ? (unsigned)s->link : 1;
    m.ops = (struct ec_net_ops){
        .name = "mine", .watch = s->unwatched ? NULL : watch, .fault = fault, .drained = drained};
    m.rtl = (struct ec_net_rtl){
        .count = s->rtl || s->rtl_elsewhere, .cycle = 31, .node = s->rtl ? 6 : EC_NONE};
    m.fault = (struct ec_net_fault){.found = s->fault, .cycle = 32, .node = 5, .port = 1};
    m.net = (struct ec_net){.ops = &m.ops,
                            .topology = &m.t,
                            .router = &m.r,
                            .rtl = s->rtl || s->rtl_elsewhere || s->link ? &m.rtl : NULL,
                            .foreign = s->link > 1,
                            .pulse = &m.pulse};
    m.options = (struct ec_failure_options){.folder = "/f",
                                            .title = "the command",
                                            .traced = give_traced,
                                            .context = &m,
                                            .unfinished = &m.unfinished};
    m.p.options.failure = &m.options;
    m.p.net = &m.net;
    m.p.w = &m.w;
    m.p.cycle = CYCLE;
    m.p.last_move = s->last_move ? s->last_move : LAST_MOVE;
    m.p.board.failed = s->board;
    m.p.board.failed_cycle = 33;
    m.p.board.failed_node = 4;
}

static void fill_report(const struct script *s)
{
    m.report.outcome = s->outcome;
    m.report.digest = 0x1234;
    m.report.checks[EC_CHECK_RTL] = (struct ec_check){.verdict = EC_VERDICT_FAIL, .detail = "rtl"};
    m.report.checks[EC_CHECK_LEDGER] = (struct ec_check){s->ledger, "credits"};
    m.report.checks[EC_CHECK_TIME] = (struct ec_check){EC_VERDICT_FAIL, "late"};
    if (s->outcome != EC_RUN_DEADLOCK)
        return;
    m.report.waiting_count = 3;
    m.report.waiting_at = calloc(3, sizeof *m.report.waiting_at);
    for (unsigned k = 0; k < 3; k++)
        m.report.waiting_at[k] = (struct ec_waiting_input){.node = 4 + k, .port = 1, .vc = 1};
}

static void replay(const struct script *s)
{
    struct failure_place known = {
        .cycle = s->cycle, .begin = s->begin, .port = s->port, .has_port = s->has_port};
    open_play(s);
    fill_report(s);
    add_nodes(&known.nodes, s->nodes);
    snprintf(known.what, sizeof known.what, "%s", s->what ? s->what : "");
    char before[100], after[100];
    list_nodes(&known.nodes, before, sizeof before);
    scarce_after = s->allocations - 1;
    failure_replay(&m.p, &known, &m.report);
    m.ran_out = s->allocations && scarce_after == SCARCE_NEVER;
    scarce_after = SCARCE_NEVER;
    list_nodes(&known.nodes, after, sizeof after); /* borrowed */
    assert_string_equal(before, after);
    ec_node_set_free(&known.nodes);
    assert_int_equal(m.twins_opened, m.twins_closed);
    assert_int_equal(m.stories, m.stories_closed);
    assert_int_equal(m.waves, m.waves_closed);
}

/* --- Which routers and cycles ----------------------------------------------------------------- */

struct row {
    const char *name;
    uint64_t cycle;    /* 0: no place is found */
    const char *nodes; /* concerned; all are in the wave */
    uint64_t from, to; /* of the wave; 0: there is none */
    const char *marks;
    const char *known; /* before: nodes */
    const char *text;  /* NULL: of the check */
    unsigned port;     /* 0: not known */
    const char *note, *check;
    struct script s;
};

#define NOTE_8000 "the wave shows the cause; the last word moved in cycle 8000"

static const struct row rows[] = {
    {"a place, and a port that leads to another router", 100, "5 7", 36, 152,
     "100 FAILURE, 120 last move", "5", .text = "it breaks", .port = 1,
     .s = SCRIPT(.cycle = 100, .nodes = "5", .port = 1, .has_port = true, .what = "it breaks",
                 .last_move = 120)},
    {"a place at a local port", 100, "5", 36, 132, "100 FAILURE", "5", .port = 3,
     .s = SCRIPT(.cycle = 100, .nodes = "5", .port = 3, .has_port = true, .last_move = 100)},
    {"a place without a port", 64, "5", 1, 4096, "64 FAILURE, 4064 last move", "5",
     .s = SCRIPT(.cycle = 64, .nodes = "5", .port = 1, .last_move = 4064)},
    {"consequences far away", 65, "5", 1, 97, "65 FAILURE, 8000 last move", "5", .note = NOTE_8000,
     .s = SCRIPT(.cycle = 65, .nodes = "5", .last_move = 8000)},
    {"the run ends with the last move", 8990, "5", 8926, 9031, "8990 FAILURE", "5",
     .s = SCRIPT(.cycle = 8990, .nodes = "5", .last_move = 8999)},
    {"long links", 1000, "5", 916, 1052, "1000 FAILURE", "5",
     .s = SCRIPT(.cycle = 1000, .nodes = "5", .link = 11, .last_move = 990)},
    {"a deadlock", 50, "4 5 6", 1, 92, "50 FAILURE, 30 it begins, 60 last move", "4 5 6",
     .text = "DEADLOCK: 3 buffers wait for each other",
     .s = SCRIPT(.outcome = EC_RUN_DEADLOCK, .cycle = 8000, .nodes = "4 5 6", .last_move = 60)},
    {"a deadlock by a breach", 50, "4 5 6 1", 1, 92, "50 FAILURE, 12 it begins, 60 last move",
     "4 5 6 1", .text = "DEADLOCK: 3 buffers wait for each other; cause: cycle 12: it breaks",
     .s = SCRIPT(.outcome = EC_RUN_DEADLOCK, .cycle = 8000, .begin = 12, .nodes = "4 5 6 1",
                 .what = "cycle 12: it breaks", .last_move = 60)},
    {"a deadlock that takes some time", 350, "4 5 6", 166, 432,
     "350 FAILURE, 230 it begins, 400 last move", "4 5 6",
     .text = "DEADLOCK: 3 buffers wait for each other",
     .s = SCRIPT(.outcome = EC_RUN_DEADLOCK, .nodes = "4 5 6", .later = 200, .last = 100,
                 .last_move = 400)},
    {"a deadlock that takes long", 5250, "4 5 6", 5186, 5332,
     "5250 FAILURE, 230 it begins, 5300 last move", "4 5 6",
     .text = "DEADLOCK: 3 buffers wait for each other",
     .s = SCRIPT(.outcome = EC_RUN_DEADLOCK, .nodes = "4 5 6", .later = 200, .last = 5000,
                 .last_move = 5300)},
    {"a deadlock that ends where the wave of its beginning does", 262, "4 5 6", 166, 262,
     "262 FAILURE, 230 it begins, 8990 last move", "4 5 6",
     .text = "DEADLOCK: 3 buffers wait for each other",
     .note = "the wave shows the cause; the last word moved in cycle 8990",
     .s = SCRIPT(.outcome = EC_RUN_DEADLOCK, .nodes = "4 5 6", .later = 200, .last = 12,
                 .last_move = 8990)},
    {"nothing is known of a small network", 0, "0 1 2 3 4 5 6 7", 1, 1000, "", "",
     .s = SCRIPT(.left = true)},
    {"nothing is known of a network of 17 routers", 0, NULL, 0, 0, NULL, "",
     .note = "no wave: the router at fault is not known; choose routers with --wave-nodes",
     .s = SCRIPT(.topology = "ring:17")},
    {"nothing is known of a network of 16 routers", 0, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", 1,
     1000, "", "", .s = SCRIPT(.topology = "ring:16")},
    {"the RTL names a router", 31, "6", 1, 63, "31 FAILURE", "6",
     .s = SCRIPT(.rtl = true, .fault = true, .board = true, .last_move = 30)},
    {"the RTL names none, but the ledger does", 32, "5 7", 1, 64, "32 FAILURE", "5", .port = 1,
     .s = SCRIPT(.rtl_elsewhere = true, .fault = true, .board = true, .last_move = 30)},
    {"the scoreboard names a router", 33, "4", 1, 65, "33 FAILURE", "4", .text = "credits",
     .s = SCRIPT(.board = true, .left = true, .ledger = EC_VERDICT_FAIL, .last_move = 30)},
    {"credits that are missing name a router", 34, "3 7", 1, 66, "34 FAILURE", "3",
     .text = "credits", .port = 2,
     .s = SCRIPT(.left = true, .ledger = EC_VERDICT_FAIL, .last_move = 30)},
    {"no credits are missing", 0, "0 1 2 3 4 5 6 7", 1, 1000, "", "",
     .s = SCRIPT(.ledger = EC_VERDICT_FAIL)},
    {"a known place is kept", 100, "1", 36, 132, "100 FAILURE", "1",
     .s = SCRIPT(.rtl = true, .fault = true, .board = true, .cycle = 100, .nodes = "1",
                 .last_move = 90)},
    {"a check of the RTL failed before the place", 90, "1 2", 26, 122, "90 FAILURE", "1",
     .check = "cycle 90, router 2 (010), input dim2 VC 0: push into a full FIFO|cycle 91, router 3 "
              "(011): another|cycle 92, router 4 (100): a third",
     .s = SCRIPT(.cycle = 100, .nodes = "1", .checks = 3, .check_cycle = 90, .last_move = 90)},
    {"a check of the RTL failed with the place", 100, "2", 36, 132, "100 FAILURE", "2",
     .check = "cycle 100, router 2 (010), input dim2 VC 0: push into a full FIFO",
     .s = SCRIPT(.cycle = 100, .nodes = "2", .checks = 1, .check_cycle = 100, .last_move = 90)},
    {"only a check of the RTL tells the place", 110, "2", 46, 142, "110 FAILURE", "",
     .check = "cycle 110, router 2 (010), input dim2 VC 0: push into a full FIFO",
     .s = SCRIPT(.checks = 1, .check_cycle = 110, .last_move = 90)},
};

static void assert_checks(const struct ec_failure *f, const char *should)
{
    char is[600] = "";
    for (size_t i = 0; i < f->check_count; i++) {
        const size_t used = strlen(is);
        snprintf(is + used, sizeof is - used, "%s%s", i ? "|" : "", f->checks[i]);
    }
    assert_string_equal(is, should);
}

static void assert_row(const struct row *x)
{
    const struct ec_failure *f = &m.report.failure;
    const struct wave *w = &m.wave;
    char nodes[400];
    const struct ec_node_set set = {f->nodes, f->node_count};
    list_nodes(&set, nodes, sizeof nodes);
    if (strcmp(nodes, x->nodes ? x->nodes : "") != 0 || w->cycles.from != x->from ||
        w->cycles.to != x->to)
        fail_msg("%s: nodes %s, cycles %llu to %llu", x->name, nodes,
                 (unsigned long long)w->cycles.from, (unsigned long long)w->cycles.to);
    assert_int_equal(f->found, x->cycle > 0);
    assert_int_equal(f->cycle, x->cycle);
    assert_string_equal(f->note, x->note ? x->note : "");
    assert_string_equal(m.known, x->known);
    assert_checks(f, x->check ? x->check : "");
    assert_int_equal(m.until[0], CYCLE);
    assert_int_equal(m.resets[0], 1);
    assert_int_equal(m.saw[0], 8);
    assert_int_equal(m.stepped[0], 80);
    for (unsigned k = 0; k < 3; k++) {
        const uint64_t *const told[] = {m.resets, m.saw, m.stepped};
        assert_int_equal(told[k][1], x->known[0] ? told[k][0] : 0);
    }
    assert_int_equal(m.twin_count, m.t.nodes);
    assert_int_equal(m.waves, x->from > 0);
    if (!x->from)
        return;
    assert_string_equal(w->nodes, x->nodes);
    assert_int_equal(f->wave_nodes, f->node_count);
    assert_int_equal(m.until[1], x->cycle > 0 ? x->to : CYCLE);
    assert_int_equal(f->first, x->from);
    assert_int_equal(f->last, x->to);
    assert_string_equal(w->marks, x->marks);
    assert_string_equal(w->folder, "/f");
    assert_string_equal(f->wave, w->path);
    assert_int_equal(w->has_failure, x->cycle > 0);
    if (x->cycle == 0)
        return;
    assert_string_equal(w->text, x->text ? x->text : "late");
    assert_int_equal(w->port, x->port ? x->port : EC_NONE);
    assert_int_equal(w->failure_cycle, x->cycle);
}

static void the_wave_shows_the_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        replay(&rows[i].s);
        assert_row(&rows[i]);
    }
}

/* Of another router, another play and another result, the wave has another name. */
static void a_wave_overwrites_only_its_own(void **state)
{
    const struct script s = {.cycle = 100, .nodes = "5"};
    char first[300];
    (void)state;
    replay(&s);
    snprintf(first, sizeof first, "%s", m.wave.path);
    assert_int_equal(strncmp(first, "/f/ecube-failure-", 17), 0);
    assert_int_equal(strlen(first), 17 + 16 + 4);
    replay(&s);
    assert_string_equal(m.wave.path, first);
    shape_key = "0123456789abcdee";
    replay(&s);
    assert_string_not_equal(m.wave.path, first);
    assert_true(failure_key(1, (const struct ec_shape *)shape) !=
                failure_key(2, (const struct ec_shape *)shape));
    shape_key = "0123456789abcdef";
}

/* --- What goes wrong in the replays ----------------------------------------------------------- */

static void a_replay_without_a_wave_says_why(void **state)
{
    static const struct {
        struct script s;
        const char *note;
        unsigned replays;
    } table[] = {
        {{.unwatched = true}, "no wave: backend mine cannot be watched", 0},
        {{.no_shape = true}, "no wave: no shape", 0},
        {{.twins = EC_USAGE}, "no wave: no twins", 0},
        {{.no_story = true}, "no wave: out of memory for the replay", 0},
        {{.story_short = true}, "no wave: out of memory for the replay", 1},
        {{.stopped = 1}, "no wave: interrupted", 1},
        {{.stopped = 1, .story_short = true}, "no wave: interrupted", 1},
        {{.folder = EC_IO}, "no wave: no folder", 1},
        {{.wave = EC_IO}, "no wave: no wave file", 1},
        {{.finish = EC_IO}, "no wave: no end", 2},
        {{.stopped = 2, .none_dumped = true}, "no wave: interrupted before cycle 36", 2},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        struct script s = table[i].s;
        s.cycle = 100;
        s.nodes = "5";
        s.outcome = i % 2 ? EC_RUN_DEADLOCK : EC_RUN_BROKEN;
        if (s.outcome == EC_RUN_DEADLOCK)
            s.nodes = "4 5 6";
        s.outcome = s.none_dumped ? EC_RUN_BROKEN : s.outcome;
        replay(&s);
        assert_string_equal(m.report.failure.note, table[i].note);
        assert_string_equal(m.report.failure.wave, "");
        assert_int_equal(m.replays, table[i].replays);
        assert_int_equal(m.report.failure.wave_nodes, 0);
    }
}

/* Then it is not known when it began. */
static void an_unreliable_story_tells_nothing(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        replay(&(struct script){.outcome = EC_RUN_DEADLOCK,
                                .cycle = 100,
                                .nodes = "4 5 6",
                                .checks = 1,
                                .check_cycle = 90,
                                .story_short = k == 0,
                                .stopped = k});
        assert_checks(&m.report.failure,
                      "cycle 90, router 2 (010), input dim2 VC 0: push into a full FIFO");
        assert_false(m.report.failure.found);
    }
}

static void missing_memory_is_told(void **state)
{
    struct script table[] = {
        {.cycle = 100, .nodes = "5 6", .port = 1, .has_port = true, .checks = 3, .check_cycle = 90},
        {.left = true},
        {.rtl = true},
        {.fault = true},
        {.board = true},
        {.left = true, .ledger = EC_VERDICT_FAIL},
        {.outcome = EC_RUN_DEADLOCK, .cycle = 100, .nodes = "4 5 6"},
    };
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        do {
            const struct ec_failure *f = &m.report.failure;
            table[i].allocations++;
            replay(&table[i]);
            failed += m.ran_out;
            assert_int_equal(f->wave[0] == '\0', m.ran_out);
            assert_int_equal(strncmp(f->note, "no wave: out of memory", 22) == 0, m.ran_out);
        } while (m.ran_out);
    }
    assert_between(failed, 3 * COUNT(table), 30 * COUNT(table));
}

static void a_wave_of_many_routers_has_the_first(void **state)
{
    char nodes[400] = "", first[400] = "";
    (void)state;
    for (unsigned k = 0; k < 70; k++) {
        snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes), "%s%u", k ? " " : "", k);
        if (k == 63)
            snprintf(first, sizeof first, "%s", nodes);
    }
    replay(&(struct script){.topology = "cube:7", .cycle = 100, .nodes = nodes, .last_move = 90});
    assert_string_equal(m.wave.nodes, first);
    assert_int_equal(m.report.failure.node_count, 70);
    assert_int_equal(m.report.failure.wave_nodes, 64);
    assert_string_equal(m.report.failure.note,
                        "the wave has the first 64 of the 70 routers concerned");
}

static void notes_are_kept_side_by_side(void **state)
{
    (void)state;
    replay(&(struct script){
        .cycle = 100, .nodes = "5", .differs = true, .stopped = 2, .dumped_to = 110});
    assert_string_equal(m.report.failure.note,
                        NOTE_8000 "; interrupted: the wave ends in cycle 110; internal error: in "
                                  "cycle 61 the traced router 7 (111) behaves differently from the "
                                  "router");
    assert_int_equal(m.report.failure.last, 110);
    replay(&(struct script){.cycle = 100, .nodes = "5", .stopped = 2, .last_move = 90});
    assert_string_equal(m.report.failure.note, ""); /* interrupted at its end */
}

/* Of larger networks only the routers concerned have twins, and without them nothing is replayed.
 */
static void large_networks_have_few_twins(void **state)
{
    (void)state;
    replay(&(struct script){.topology = "cube:12", .cycle = 100, .nodes = "5"});
    assert_int_equal(m.twin_count, 4096);
    replay(&(struct script){.topology = "cube:13", .cycle = 100, .nodes = "5 9"});
    assert_int_equal(m.twin_count, 2);
    assert_int_equal(m.replays, 2);
    replay(&(struct script){.topology = "cube:13"});
    assert_int_equal(m.twins_opened + m.replays, 0);
    assert_string_equal(
        m.report.failure.note,
        "no wave: the router at fault is not known; choose routers with --wave-nodes");
}

static int close_all(void **state)
{
    (void)state;
    open_play(&(struct script){0});
    failure_close(&m.report.failure);
    assert_true(m.report.failure.checks == NULL && m.report.failure.nodes == NULL);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("the wave shows the place of a failure", the_wave_shows_the_place),
        TEST("a wave overwrites only its own", a_wave_overwrites_only_its_own),
        TEST("a replay without a wave says why", a_replay_without_a_wave_says_why),
        TEST("an unreliable story tells nothing", an_unreliable_story_tells_nothing),
        TEST("missing memory is told", missing_memory_is_told),
        TEST("a wave of many routers has the first", a_wave_of_many_routers_has_the_first),
        TEST("notes are kept side by side", notes_are_kept_side_by_side),
        TEST("large networks have few twins", large_networks_have_few_twins),
    };
    return cmocka_run_group_tests_name("failure", tests, NULL, close_all);
}
