/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube tile check` of one network: the report.
 *
 * Knows what a person and a program want to read of a trial. Must not know how routers are tried.
 */
#include "program/commands/tile_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/record.h"
#include "base/text.h"
#include "program/report/report.h"
#include "terminal/interrupt.h"

#define SCHEMA "ecube-tile-check-1"

struct check {
    const struct cli_job *job;
    const struct ec_case *c;
    struct ec_wave *wave; /* of a breach, while it is being written */
    char path[512];       /* of it; "": there is none */
    char no_wave[sizeof((struct ec_error *)0)->message]; /* why; "": none was asked for */
    char unfair[160];      /* of the mode that was asked for; "": nothing to say */
    char not_checked[400]; /* likewise */
    struct cli_progress *progress;
    FILE *out;
    struct cli_words lines; /* of the text, in threes: a verdict, a mode, what it lacks */
    unsigned group;         /* the last one in it */
    bool failed;            /* memory ran out */
};

static const char *const verdicts[] = {[EC_TRIAL_SERVES] = "serves",
                                       [EC_TRIAL_LACKS] = "lacks",
                                       [EC_TRIAL_BREAKS] = "breaks",
                                       [EC_TRIAL_NOT_TRIED] = "not-tried"};

static void say_mode(void *context, const char *words)
{
    const struct check *x = context;
    cli_progress_say(x->progress, "checking %s", words);
}

/* A command line with the user's router. NULL: out of memory. */
static char *command_of(const struct check *x, const char *line)
{
    const struct ec_case_spec *spec = &x->job->spec;
    struct cli_words w = {0};
    bool good = cli_words_split(line, strlen(line), &w, NULL) == EC_OK;
    good = good && cli_job_put_router(spec, &w);
    char *command = good ? cli_words_quote(w.at, w.count) : NULL;
    cli_words_free(&w);
    return command;
}

/* What tries this mode alone. */
static char *check_command(const struct check *x, const struct ec_trial_mode *m)
{
    char line[600], packet[40] = "";
    if (x->job->spec.packet || m->router->switching != EC_WORMHOLE)
        snprintf(packet, sizeof packet, " --packet %u", m->router->packet);
    snprintf(line, sizeof line, "ecube tile check %s%s --seed %" PRIu64 "%s%s --only", m->words,
             packet, x->job->spec.seed, x->job->relative ? " --relative" : "",
             x->job->allow_starvation ? " --allow-starvation" : "");
    return command_of(x, line);
}

/* A run with packets of all lengths, which may meet the same breach. */
static char *run_command(const struct check *x, const struct ec_trial_mode *m)
{
    const struct ec_router *r = m->router;
    const char *options = strchr(m->words, ' ');
    const unsigned longest = r->switching == EC_WORMHOLE ? r->depth + 1 : r->packet;
    char line[600];
    snprintf(line, sizeof line, "ecube run %.*s uniform:rate=0.3,m=%s%u --cycles 5000%s",
             (int)(options - m->words), m->words, longest > 1 ? "1.." : "", longest, options);
    return command_of(x, line);
}

/* --- The wave of a breach --------------------------------------------------------------------- */

enum { BEFORE = 48, AFTER = 24 }; /* cycles in it */

/* ecube-check-mesh-3x3-5.fst: network and router. */
static enum ec_code name_wave(struct check *x, const struct ec_trial_breach *b,
                              struct ec_error *reterr)
{
    const char *folder = x->job->failure_dir ? x->job->failure_dir : ".";
    char topology[160];
    ec_topology_format(b->topology, topology, sizeof topology);
    for (char *at = topology; *at; at++)
        *at = (char)(*at == ':' || *at == '/' ? '-' : *at);
    const enum ec_code code = ec_path(x->path, sizeof x->path, reterr, "%s/ecube-check-%s-%u.fst",
                                      folder, topology, b->node);
    return code == EC_OK ? ec_folder_make(folder, EC_FOLDER_USUAL, reterr) : code;
}

/* Our own router may fail in networks that were not asked for; they have no wave. */
static const struct ec_net_watch *open_wave(void *context, const struct ec_trial_breach *b)
{
    struct check *x = context;
    struct ec_error e;
    uint32_t node = b->node;
    const struct ec_node_set nodes = {.nodes = &node, .count = 1};
    const struct ec_wave_failure failure = {
        .cycle = b->cycle > 0 ? b->cycle : 1, .text = b->text, .port = b->port};
    const struct ec_wave_options options = {
        .path = x->path,
        .nodes = &nodes,
        .cycles = {b->cycle > BEFORE ? b->cycle - BEFORE : 1, b->cycle + AFTER},
        .failure = &failure,
        .title = x->job->command,
        .unfinished = &cli_interrupt_unfinished};
    if (x->job->no_failure_wave || x->job->quiet || x->job->format != CLI_TEXT ||
        b->topology != &x->c->topology)
        return NULL;
    enum ec_code code = name_wave(x, b, &e);
    if (code == EC_OK)
        code = ec_case_wave_of(x->c, b->router, &options, &x->wave, &e);
    if (code != EC_OK) {
        snprintf(x->no_wave, sizeof x->no_wave, "%s", e.message);
        x->path[0] = '\0';
        return NULL;
    }
    ec_wave_mark(x->wave, failure.cycle, "FAILURE");
    return ec_wave_watch(x->wave);
}

static void close_wave(void *context)
{
    struct check *x = context;
    struct ec_wave_summary summary;
    struct ec_error e;
    if (ec_wave_finish(x->wave, &summary, &e) != EC_OK) {
        snprintf(x->no_wave, sizeof x->no_wave, "%s", e.message);
        x->path[0] = '\0';
    }
    ec_wave_close(x->wave);
    x->wave = NULL;
}

/* What the trial of one router cannot judge; "": nothing. */
static const char *not_checked(const struct ec_trial_mode *m, char *text, size_t size)
{
    snprintf(text, size, "%s",
             m->router->routing == EC_ROUTING_ANY
                 ? "hops and order over several routers (ecube run checks them); packets that "
                   "arrive by detours; unused credits and shares of an output"
             : m->router->ordered ? "order over several routers (ecube run checks it)"
                                  : "");
    if (m->unseen > 0)
        ec_append(text, size,
                  "%s%" PRIu64 " of %" PRIu64 " ways to arrive by a link, which no packet from the "
                  "node of a neighbour took",
                  text[0] ? "; " : "", m->unseen, m->arrivals);
    return text;
}

/* --- Verdicts --------------------------------------------------------------------------------- */

/* What to do next about the breach that the error message reports. */
static void put_steps(const struct check *x, const struct ec_trial_mode *m)
{
    char *check = check_command(x, m), *run = run_command(x, m);
    fprintf(x->out, "BREAKS  %s\n", m->words);
    fprintf(x->out, "  breach     %s\n", m->reason);
    if (m->scenario)
        fprintf(x->out, "  during     %s\n", m->scenario);
    if (check)
        fprintf(x->out, "  repeat     %s\n", check);
    if (x->no_wave[0])
        fprintf(x->out, "  no wave    %s\n", x->no_wave);
    if (x->path[0])
        fprintf(x->out, "  wave       gtkwave %s %.*s.gtkw\n", x->path,
                (int)(strlen(x->path) - strlen(".fst")), x->path);
    if (run)
        fprintf(x->out, "  network    %s\n             (this run may fail, too)\n", run);
    free(check);
    free(run);
}

static void put_record(struct check *x, const struct ec_trial_mode *m)
{
    char topology[160], router[160], *command = check_command(x, m);
    char text[sizeof x->not_checked];
    const char *lacks = not_checked(m, text, sizeof text);
    ec_topology_format(m->topology, topology, sizeof topology);
    ec_router_format(m->router, router, sizeof router);
    json_t *object = record_of((const struct record_pair[]){
        {"schema", record_text(SCHEMA)},
        {"topology", record_text(topology)},
        {"router", record_text(router)},
        {"verdict", record_text(verdicts[m->verdict])},
        {"reason", m->reason[0] ? record_text(m->reason) : json_null()},
        {"scenario", record_text(m->scenario)},
        {"words", record_number(m->moved)},
        {"unfair", m->unfair[0] ? record_text(m->unfair) : json_null()},
        {"not_checked", lacks[0] ? record_text(lacks) : json_null()},
        {"command", record_text(command)},
        {NULL, NULL},
    });
    x->failed |= !command || !object || !record_print_json(object, true, x->out);
    json_decref(object);
    free(command);
}

/* Of modes that differ in switching and depth only, the text has the first that is lacking. */
static void note_mode(void *context, const struct ec_trial_mode *m)
{
    struct check *x = context;
    cli_progress_erase(x->progress);
    if (x->job->format != CLI_TEXT) {
        put_record(x, m);
        return;
    }
    if (!x->not_checked[0])
        not_checked(m, x->not_checked, sizeof x->not_checked);
    if (m->unfair[0] && !x->unfair[0])
        snprintf(x->unfair, sizeof x->unfair, "%s", m->unfair);
    if (m->verdict == EC_TRIAL_BREAKS && !x->job->quiet)
        put_steps(x, m);
    if (m->verdict == EC_TRIAL_SERVES || m->verdict == EC_TRIAL_BREAKS || m->group == x->group)
        return;
    x->group = m->group;
    x->failed |= !cli_words_put(&x->lines, verdicts[m->verdict]) ||
                 !cli_words_put(&x->lines, m->words) || !cli_words_put(&x->lines, m->reason);
}

static void put_text(const struct check *x, const char *topology, const struct ec_trial_result *r)
{
    fprintf(x->out,
            "%s%s%s  keeps the contract and the Moore rule: %" PRIu64
            " words in %u mode%s of %u network%s and %u parameter set%s\n",
            x->job->quiet ? "" : r->key, x->job->quiet ? "" : "  ", topology, r->words,
            r->modes - r->lacking, cli_plural(r->modes - r->lacking), r->networks,
            cli_plural(r->networks), r->shapes_served, cli_plural(r->shapes_served));
    for (size_t i = 0; i < x->lines.count; i += 3)
        fprintf(x->out, "  %s  %s\n           %s\n", x->lines.at[i], x->lines.at[i + 1],
                x->lines.at[i + 2]);
    if (x->lines.count > 0)
        fprintf(x->out, "  %u of %u parameter sets are served; %u mode%s are lacking\n",
                r->shapes_served, r->shapes, r->lacking, cli_plural(r->lacking));
    if (x->job->relative)
        fprintf(x->out, "  relative coordinates: %u pair%s of places show the same\n", r->pairs,
                cli_plural(r->pairs));
    if (x->job->allow_starvation)
        fprintf(x->out, "  not judged: how long an input waits for a saturated output "
                        "(--allow-starvation)\n");
    if (x->not_checked[0])
        fprintf(x->out, "  not checked: %s\n", x->not_checked);
    if (x->unfair[0])
        fprintf(x->out, "  unfair  %s\n", x->unfair);
    if (x->job->only)
        fprintf(x->out, "  other modes, networks and parameters were not tried (--only)\n");
}

enum ec_code cli_tile_check(const struct cli_job *job, const struct ec_case *c,
                            struct cli_progress *progress, struct ec_vitals *vitals, FILE *out,
                            struct ec_error *reterr)
{
    struct check x = {.job = job, .c = c, .progress = progress, .out = out};
    struct ec_trial_result result;
    const struct ec_trial_options options = {.only = job->only,
                                             .one_packet = job->spec.packet > 0,
                                             .relative = job->relative,
                                             .allow_starvation = job->allow_starvation,
                                             .seed = job->spec.seed,
                                             .pulse = &vitals->pulse[0],
                                             .begin = say_mode,
                                             .done = note_mode,
                                             .watch = open_wave,
                                             .watched = close_wave,
                                             .context = &x};
    cli_progress_say(progress, "checking %s", c->topology_text);
    enum ec_code code = ec_case_try(c, &options, &result, reterr);
    cli_progress_erase(progress);
    if (code == EC_OK && x.failed)
        code = ec_fail(reterr, EC_MEMORY, "out of memory");
    if (code == EC_OK && job->format == CLI_TEXT)
        put_text(&x, c->topology_text, &result);
    cli_words_free(&x.lines);
    return code;
}
