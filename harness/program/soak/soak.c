/* SPDX-License-Identifier: Apache-2.0 */
/* Random comparisons, one worker process each. A failing one is reduced.
 *
 * Knows which configurations to draw, and exit statuses; must not know how sides are compared. */
#include "program/soak/soak.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "program/report/report.h"
#include "program/runs/pool.h"
#include "terminal/interrupt.h"
#include "terminal/status.h"
#include "terminal/words.h"

/* --- What to draw ----------------------------------------------------------------------------- */

struct network {
    const char *topology;
    unsigned nodes, vcs, all_ports, deepest;
    enum {
        PLAIN,
        WIRED, /* small enough to compile the whole network for each case */
        PIPED, /* also with dynamic allocation and pipelines: six shapes */
    } use;
};

/* Few shapes: cubes of 3 and 6 dimensions, grids of 2 and 3, 1 to 8 VCs with one and all ports,
 * depths to 4, 8 and 16. Of each kind the smaller networks come first. */
static const struct network networks[] = {
    {"cube:1", 2, 1, 0, 4, WIRED},       {"cube:2", 4, 1, 0, 4, PLAIN},
    {"cube:3", 8, 1, 0, 4, WIRED},       {"cube:4", 16, 1, 0, 4, WIRED},
    {"cube:5", 32, 1, 0, 4, PLAIN},      {"cube:6", 64, 1, 0, 4, PLAIN},
    {"cube:3", 8, 1, 1, 4, WIRED},       {"cube:4", 16, 1, 1, 4, PLAIN},
    {"cube:6", 64, 1, 1, 4, PLAIN},      {"cube:6", 64, 1, 0, 8, PLAIN},
    {"mesh:2x2", 4, 1, 0, 4, PLAIN},     {"mesh:1x5", 5, 1, 0, 4, PLAIN},
    {"mesh:4x3", 12, 1, 0, 4, WIRED},    {"mesh:8x8", 64, 1, 0, 4, PLAIN},
    {"ring:2", 2, 1, 0, 4, WIRED},       {"ring:3", 3, 1, 0, 4, PLAIN},
    {"torus:3x3", 9, 1, 0, 4, PLAIN},    {"ring:5", 5, 2, 0, 4, WIRED},
    {"ring:8", 8, 2, 0, 4, PLAIN},       {"torus:2x3", 6, 2, 0, 4, PLAIN},
    {"torus:4x4", 16, 2, 0, 4, WIRED},   {"torus:5x3", 15, 2, 0, 4, WIRED},
    {"mesh:4x4", 16, 2, 0, 4, PLAIN},    {"torus:6x7", 42, 2, 0, 4, PLAIN},
    {"torus:4x4", 16, 2, 0, 8, PLAIN},   {"torus:8x8", 64, 2, 0, 8, PLAIN},
    {"mesh:2x3", 6, 2, 1, 4, WIRED},     {"torus:3x3", 9, 2, 1, 4, WIRED},
    {"torus:4x4", 16, 2, 1, 4, PLAIN},   {"ring:8", 8, 4, 0, 4, WIRED},
    {"torus:4x4", 16, 4, 0, 4, PLAIN},   {"mesh:3x2x2", 12, 2, 0, 4, WIRED},
    {"torus:4x2x2", 16, 2, 0, 4, WIRED}, {"torus:2x3x4", 24, 2, 0, 4, PLAIN},
    {"torus:4x4x4", 64, 2, 0, 4, PLAIN}, {"cube:3", 8, 2, 0, 4, PLAIN},
    {"cube:4", 16, 4, 1, 4, PLAIN},      {"mesh:1x4", 4, 4, 0, 4, PLAIN},
    {"mesh:4x4", 16, 4, 0, 4, PLAIN},    {"mesh:3x3", 9, 1, 1, 4, PLAIN},
    {"ring:3", 3, 4, 1, 4, PLAIN},       {"torus:5x3", 15, 4, 1, 4, PLAIN},
    {"torus:3x1x5", 15, 2, 1, 4, PLAIN}, {"ring:5", 5, 8, 0, 16, PIPED},
    {"mesh:3x4", 12, 8, 0, 16, PIPED},   {"torus:4x4", 16, 8, 0, 16, PIPED},
    {"ring:8", 8, 4, 1, 4, PIPED},       {"mesh:3x3", 9, 4, 1, 4, PIPED},
    {"torus:5x4", 20, 4, 1, 4, PIPED},   {"cube:3", 8, 2, 0, 4, PIPED},
    {"cube:6", 64, 2, 0, 4, PIPED},
};
enum { NETWORKS = sizeof networks / sizeof *networks };

/* Patterns that every topology has. */
static const char *const traffics[] = {"uniform", "shift:q=1", "hotspot", "randperm"};
enum { TRAFFICS = sizeof traffics / sizeof *traffics };

static const char *const switchings[] = {"wormhole", "cut-through", "store-and-forward"};

/* Approximate limit of router-cycles per comparison: a thousand comparisons take a night on the
 * slowest backend. */
enum { ROUTER_CYCLES = 400000 };
/* Cycles of a wave beyond the difference. */
enum { AFTER = 16 };

/* A configuration: indices into the tables of this file, and plain numbers that can be made
 * smaller.
 */
struct soak_case {
    unsigned network, traffic;
    unsigned depth, switching, order, packet, dateline_off;
    unsigned dynamic, stages, link;
    unsigned first, last;    /* words of a message */
    unsigned rate;           /* flits per 100 nodes and cycle; 0: closed */
    unsigned startup, stall; /* cycles; percent */
    uint64_t cycles, seed;
    unsigned whole; /* every run must finish: no deadlock, no limit */
};

static uint64_t mix(uint64_t x) /* splitmix64 */
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* 0 to below `bound`. */
static unsigned draw(uint64_t *state, unsigned bound)
{
    *state = mix(*state);
    return (unsigned)(*state >> 32) % bound;
}

/* Make the numbers consistent: packets fit buffers, uniform traffic is open loop, and so on. */
static void settle(struct soak_case *c)
{
    const struct network *n = &networks[c->network];
    if (c->depth > n->deepest)
        c->depth = n->deepest;
    if (n->use != PIPED) {
        c->dynamic = 0;
        c->stages = c->link = 1;
    }
    if (c->switching != 0 && c->packet > c->depth)
        c->packet = c->depth;
    if (c->traffic == 0 && c->rate == 0)
        c->rate = 1;
    if (c->rate == 0)
        c->last = c->first;
    if (c->last < c->first)
        c->last = c->first;
    /* a source creates at most one message per cycle */
    if (c->rate >= 50 * (c->first + c->last))
        c->rate = 50 * (c->first + c->last) - 1;
    if (n->vcs == 1 || strncmp(n->topology, "cube", 4) == 0 || strncmp(n->topology, "mesh", 4) == 0)
        c->dateline_off = 0;
    if (c->whole) /* without datelines rings deadlock */
        c->dateline_off = 0;
}

/* In closed loop --cycles is a limit. */
static bool has_cycles(const struct soak_case *c)
{
    return c->rate != 0 || !c->whole;
}

/* Configuration number `index` of a soak. `wired`: only networks that are cheap to compile as a
 * whole. `whole`: the result is known only at the end of a run. */
static struct soak_case draw_case(uint64_t seed, uint64_t index, bool wired, bool whole)
{
    uint64_t s = mix(seed) ^ mix(index + 1);
    struct soak_case c = {.whole = whole};
    do
        c.network = draw(&s, NETWORKS);
    while (wired && networks[c.network].use != WIRED);
    c.traffic = draw(&s, TRAFFICS);
    c.depth = 1 + draw(&s, networks[c.network].deepest);
    c.switching = draw(&s, 3);
    c.order = draw(&s, 2);
    c.packet = draw(&s, 3) ? 0 : 1 + draw(&s, 4);
    c.dateline_off = draw(&s, 8) == 0;
    c.dynamic = draw(&s, 2);
    c.stages = 1 + draw(&s, 3);
    c.link = draw(&s, 2) ? 1 : 1 + draw(&s, 6);
    c.first = 1 + draw(&s, 12);
    c.last = c.first + (draw(&s, 2) ? draw(&s, 8) : 0);
    c.rate = draw(&s, 3) ? 1 + draw(&s, 100) : 0;
    c.startup = draw(&s, 3) ? 0 : draw(&s, 40);
    c.stall = draw(&s, 3) ? 0 : 10 * draw(&s, 10);
    c.cycles = 100 + draw(&s, ROUTER_CYCLES / networks[c.network].nodes);
    c.seed = 1 + draw(&s, 1000000);
    settle(&c);
    if (c.rate == 0)
        c.first = c.last = c.first * (1 + draw(&s, 16)); /* closed: longer messages, one each */
    return c;
}

/* --- Smaller -------------------------------------------------------------------------------- */

static bool lower(unsigned *value, unsigned to)
{
    const bool can = *value > to;
    *value = can ? to : *value;
    return can;
}

/* A smaller network of the same routers; the failure may then need more cycles. */
static bool instead(struct soak_case *c, unsigned network, bool wired)
{
    enum { LONGER = 4, AT_LEAST = 200 };
    const struct network *n = &networks[c->network], *m = &networks[network];
    if (m->nodes >= n->nodes || m->vcs != n->vcs || m->all_ports != n->all_ports ||
        (m->use == PIPED) != (n->use == PIPED) || (wired && m->use != WIRED))
        return false;
    c->network = network;
    c->cycles = LONGER * c->cycles + AT_LEAST;
    return true;
}

static bool shorter(struct soak_case *c, uint64_t to)
{
    const bool can = to >= 1 && c->cycles > to && has_cycles(c);
    c->cycles = can ? to : c->cycles;
    return can;
}

/* Ways, in order: end at the difference; each network, the smallest first; the numbers. */
enum { WAY_ENDS, WAY_NETWORK, WAY_RATE = WAY_NETWORK + NETWORKS };

/* Make the case smaller in the way number `way`; false: that is not possible, or no longer. `ends`
 * is the cycle in which it failed, 0 if not known. *ret_more: there are further ways. */
static bool make_smaller(struct soak_case *c, unsigned way, uint64_t ends, bool wired,
                         bool *ret_more)
{
    bool can = false;
    *ret_more = true;
    if (way == WAY_ENDS)
        can = ends > 0 && shorter(c, ends + AFTER);
    else if (way < WAY_RATE)
        can = instead(c, way - WAY_NETWORK, wired);
    switch (way) {
    case WAY_RATE:
        can = lower(&c->rate, c->rate / 2) && c->rate > 0;
        break;
    case WAY_RATE + 1:
        can = lower(&c->last, c->first);
        break;
    case WAY_RATE + 2:
        can = c->first > 1 && lower(&c->first, c->first / 2);
        c->last = can ? c->first : c->last;
        break;
    case WAY_RATE + 3:
        can = lower(&c->stall, 0);
        break;
    case WAY_RATE + 4:
        can = lower(&c->startup, 0);
        break;
    case WAY_RATE + 5:
        can = lower(&c->packet, 0);
        break;
    case WAY_RATE + 6:
        can = lower(&c->switching, 0);
        break;
    case WAY_RATE + 7:
        can = lower(&c->order, 0);
        break;
    case WAY_RATE + 8:
        can = lower(&c->link, 1);
        break;
    case WAY_RATE + 9:
        can = lower(&c->stages, 1);
        break;
    case WAY_RATE + 10:
        can = lower(&c->dynamic, 0);
        break;
    case WAY_RATE + 11:
        can = shorter(c, c->cycles / 2);
        break;
    default:
        *ret_more = way < WAY_RATE;
        break;
    }
    settle(c);
    return can;
}

/* --- From a configuration to a job --------------------------------------------------------------
 */

/* A configuration as a job for the library and as a command for the user. */
struct soak_job {
    char workload[64], router[160];
    struct cli_job job; /* borrows these */
    char *command;      /* that repeats it; owned */
};

static void write_texts(const struct soak_case *c, struct soak_job *s)
{
    const struct network *n = &networks[c->network];
    const char *name = traffics[c->traffic];
    const char separator = strchr(name, ':') ? ',' : ':';
    char length[32];
    snprintf(length, sizeof length, c->last > c->first ? "%u..%u" : "%u", c->first, c->last);
    if (c->rate == 0)
        snprintf(s->workload, sizeof s->workload, "%s%cm=%u", name, separator, c->first);
    else
        snprintf(s->workload, sizeof s->workload, "%s%crate=%u.%02u,m=%s", name, separator,
                 c->rate / 100, c->rate % 100, length);
    snprintf(s->router, sizeof s->router, "vcs=%u,depth=%u,switching=%s,order=%s,ports=%s%s",
             n->vcs, c->depth, switchings[c->switching], c->order ? "high" : "low",
             n->all_ports ? "all" : "one", c->dateline_off ? ",dateline=off" : "");
    const size_t used = strlen(s->router);
    if (n->use == PIPED)
        snprintf(s->router + used, sizeof s->router - used, ",va=%s,stages=%u,link=%u",
                 c->dynamic ? "dynamic" : "static", c->stages, c->link);
}

__attribute__((format(printf, 3, 4))) static bool
put_option(struct cli_words *words, const char *name, const char *format, ...)
{
    char value[160];
    va_list args;
    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    return cli_words_put(words, name) && cli_words_put(words, value);
}

static bool put_words(const struct cli_job *job, struct cli_words *words)
{
    const struct ec_case_spec *spec = &job->spec;
    bool good = cli_words_put(words, "ecube") && cli_words_put(words, "compare") &&
                cli_words_put(words, job->side[0]) && cli_words_put(words, job->side[1]) &&
                cli_words_put(words, spec->topology) && cli_words_put(words, spec->workload) &&
                put_option(words, "--router", "%s", spec->router) &&
                put_option(words, "--seed", "%" PRIu64, spec->seed);
    if (spec->has_cycles)
        good = good && put_option(words, "--cycles", "%" PRIu64, spec->cycles);
    if (spec->has_warmup)
        good = good && put_option(words, "--warmup", "%" PRIu64, spec->warmup);
    if (spec->packet)
        good = good && put_option(words, "--packet", "%u", spec->packet);
    if (spec->startup)
        good = good && put_option(words, "--startup", "%u", spec->startup);
    if (spec->eject_stall > 0)
        good = good && put_option(words, "--eject-stall", "%g", spec->eject_stall);
    good = good && cli_job_put_router(spec, words);
    return good && (!job->deliveries || cli_words_put(words, "--deliveries"));
}

static enum ec_code open_job(const struct cli_job *soak, const struct soak_case *c,
                             struct soak_job *ret, struct ec_error *e)
{
    struct cli_words words = {0};
    write_texts(c, ret);
    ret->job = *soak;
    ret->job.soak = false;
    ret->job.spec.topology = networks[c->network].topology;
    ret->job.spec.workload = ret->workload;
    ret->job.spec.router = ret->router;
    ret->job.spec.seed = c->seed;
    ret->job.spec.has_cycles = has_cycles(c);
    ret->job.spec.cycles = has_cycles(c) ? c->cycles : 0;
    ret->job.spec.has_warmup = c->rate != 0;
    ret->job.spec.packet = c->packet;
    ret->job.spec.startup = c->startup;
    ret->job.spec.eject_stall = c->stall / 100.0;
    ret->command = put_words(&ret->job, &words) ? cli_words_quote(words.at, words.count) : NULL;
    ret->job.command = ret->command;
    cli_words_free(&words);
    return ret->command ? EC_OK : ec_fail(e, EC_MEMORY, "out of memory");
}

static void close_job(struct soak_job *s)
{
    free(s->command);
}

/* --- One comparison --------------------------------------------------------------------------- */

struct soak {
    const struct cli_job *job;
    struct cli_comparison *x;
    bool wired;
    bool stopped; /* this process, or only a worker, was interrupted */
    double begin;
    uint64_t comparisons, router_cycles;
};

/* The outcome of a comparison. */
struct outcome {
    enum cli_status status;
    bool crashed; /* the process died, but not because of RTL */
    uint64_t router_cycles;
    uint64_t differs; /* the cycle; 0: none known */
};

/* A comparison in a worker and its outcome. */
struct trial {
    const struct soak *soak;
    const struct soak_job *job;
    struct outcome outcome;
};

static void take_outcome(const struct cli_compared *r, struct outcome *ret)
{
    const uint64_t cycles = r->cycles ? r->cycles->cycles : r->report[0]->cycles;
    ret->status = r->status;
    ret->router_cycles = r->c->topology.nodes * cycles;
    ret->differs = r->cycles && r->cycles->divergence.found ? r->cycles->divergence.cycle : 0;
}

static void watch_trial(void *context, struct ec_vitals *vitals)
{
    const struct trial *t = context;
    cli_comparison_show(t->soak->x, vitals);
}

static void compare_in_worker(void *context, size_t item, FILE *out, struct cli_reply *reply)
{
    const struct trial *t = context;
    struct cli_comparison *x = t->soak->x;
    struct cli_job job = t->job->job;
    struct outcome o = {.status = CLI_OK};
    struct ec_case *c = NULL;
    struct ec_error e;
    (void)item;
    (void)reply;
    x->progress->quiet = true; /* the soak reports the progress */
    job.no_failure_wave = true;
    enum ec_code code = ec_case_open(x->session, &job.spec, &c, &e);
    if (code == EC_OK)
        code = cli_comparison_make(x, &job, c, &e);
    if (code == EC_OK) {
        take_outcome(&x->result, &o);
        cli_comparison_release(x);
    } else {
        o.status = cli_complain(NULL, &e);
    }
    ec_case_close(c);
    fwrite(&o, sizeof o, 1, out);
}

static bool work_done(void *context, const struct cli_pool_result *r)
{
    struct trial *t = context;
    if (r->reply->code == EC_OK)
        memcpy(&t->outcome, r->bytes, sizeof t->outcome);
    else if (r->reply->code != EC_INTERRUPTED) /* that is what it holds already */
        t->outcome = (struct outcome){.status = CLI_FAILED, .crashed = !r->death};
    return true;
}

/* One comparison in a new process. */
static enum ec_code compare(const struct soak *s, const struct soak_job *job, struct outcome *ret,
                            struct ec_error *e)
{
    struct trial t = {.soak = s, .job = job, .outcome = {.status = CLI_INTERRUPTED}};
    const struct cli_pool pool = {.count = 1,
                                  .jobs = 1,
                                  .fresh = true,
                                  .progress = s->x->progress,
                                  .context = &t,
                                  .work = compare_in_worker,
                                  .watched = watch_trial,
                                  .done = work_done};
    const enum ec_code code = cli_pool_run(&pool, e);
    if (code == EC_OK)
        *ret = t.outcome;
    return code;
}

/* --- The soak --------------------------------------------------------------------------------- */

static double seconds(const struct soak *s)
{
    return ec_clock(CLOCK_MONOTONIC) - s->begin;
}

static void tell(const struct soak *s)
{
    cli_progress_say(s->x->progress, "soak: %" PRIu64 " comparisons, %.1f M router-cycles",
                     s->comparisons, (double)s->router_cycles / 1e6);
}

/* Does this configuration fail, too? */
static bool fails(const struct soak *s, const struct soak_case *c, struct outcome *ret)
{
    struct soak_job job;
    if (open_job(s->job, c, &job, NULL) != EC_OK)
        return false;
    const bool done = compare(s, &job, ret, NULL) == EC_OK;
    close_job(&job);
    return done && ret->status == CLI_FAILED;
}

/* Smaller cases, as long as they fail too. */
static void shrink(const struct soak *s, struct soak_case *c, struct outcome *outcome)
{
    bool more = true, shrunk = false;
    for (unsigned way = 0; !cli_interrupted(); way++) {
        struct soak_case smaller = *c;
        struct outcome now;
        const bool can = make_smaller(&smaller, way, outcome->differs, s->wired, &more);
        if (!more && !shrunk)
            return;
        if (!more) { /* a way that was impossible before may be possible now */
            way = (unsigned)-1;
            shrunk = false;
            continue;
        }
        if (!can || !fails(s, &smaller, &now))
            continue;
        *c = smaller;
        *outcome = now;
        shrunk = true;
        way--; /* again in the same way */
        tell(s);
    }
}

static void put_command(const char *label, const struct soak_job *job)
{
    printf("  %-10s  %s\n", label, job->command);
}

static enum ec_code report_failure(const struct soak *s, struct soak_case c,
                                   const struct soak_job *found, struct outcome outcome,
                                   struct ec_error *e)
{
    struct soak_job smaller;
    cli_progress_erase(s->x->progress);
    printf("DIFFER  %s, %s  after %" PRIu64 " random configuration%s%s\n", s->job->side[0],
           s->job->side[1], s->comparisons, cli_plural(s->comparisons),
           outcome.crashed ? ": the comparison crashed" : "");
    put_command("found by", found);
    fflush(stdout);
    shrink(s, &c, &outcome);
    cli_progress_erase(s->x->progress);
    const enum ec_code code = open_job(s->job, &c, &smaller, e);
    if (code != EC_OK)
        return code;
    if (strcmp(smaller.command, found->command) != 0)
        put_command("smaller", &smaller);
    fflush(stdout);
    smaller.job.quiet = false; /* once more, with place, values and waves for the user */
    cli_comparison_all(s->x, &smaller.job, NULL, smaller.command);
    close_job(&smaller);
    return EC_OK;
}

static bool over(const struct soak *s)
{
    return (s->job->time && seconds(s) >= (double)s->job->time) ||
           (s->job->spec.has_cycles && s->router_cycles >= s->job->spec.cycles);
}

/* Run the next comparison. False: the soak ends with *ret_status. */
static bool compare_next(struct soak *s, int *ret_status)
{
    const struct soak_case c =
        draw_case(s->job->spec.seed, s->comparisons, s->wired, s->job->deliveries);
    struct soak_job job;
    struct outcome outcome;
    struct ec_error e;
    enum ec_code code = open_job(s->job, &c, &job, &e);
    if (code == EC_OK) {
        code = compare(s, &job, &outcome, &e);
        s->stopped = cli_interrupted() || (code == EC_OK && outcome.status == CLI_INTERRUPTED);
        if (code == EC_OK && !s->stopped) {
            s->comparisons++;
            s->router_cycles += outcome.router_cycles;
            tell(s);
            *ret_status = (int)outcome.status;
            if (outcome.status == CLI_FAILED) {
                code = report_failure(s, c, &job, outcome, &e);
            } else if (outcome.status != CLI_OK) { /* the worker has reported why */
                cli_progress_erase(s->x->progress);
                put_command("failed", &job);
            }
        }
        close_job(&job);
    }
    if (code != EC_OK)
        *ret_status = (int)cli_complain(NULL, &e);
    return *ret_status == CLI_OK;
}

int cli_soak(struct cli_comparison *x, const struct cli_job *job)
{
    struct soak s = {.job = job, .x = x};
    int status = CLI_OK;
    for (unsigned k = 0; k < 2; k++)
        s.wired = s.wired || strcmp(job->side[k], "flat") == 0;
    cli_interrupt_catch();
    s.begin = ec_clock(CLOCK_MONOTONIC);
    tell(&s);
    while (!over(&s) && !s.stopped) {
        if (!compare_next(&s, &status))
            return status;
    }
    cli_progress_erase(x->progress);
    printf("%s  %s, %s  %" PRIu64 " random configuration%s, %" PRIu64 " router-cycles, %.0f s\n",
           over(&s) ? "AGREE" : "PARTIAL", job->side[0], job->side[1], s.comparisons,
           cli_plural(s.comparisons), s.router_cycles, seconds(&s));
    status = (int)cli_output_flush(stdout, "standard output");
    return over(&s) ? status : (int)CLI_INTERRUPTED;
}
