/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube draw`: schedules, paths and link use as pictures.
 *
 * Knows which picture is made of what; what a picture looks like is the business of harness/draw.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "draw/grids.h"
#include "draw/panels.h"
#include "program/commands/commands.h"
#include "program/options/job.h"
#include "terminal/interrupt.h"
#include "terminal/number.h"
#include "terminal/output.h"
#include "terminal/progress.h"
#include "terminal/status.h"
#include "terminal/style.h"

enum what { WHAT_DEFAULT, WHAT_STEPS, WHAT_PATHS, WHAT_TABLE, WHAT_SPACE_TIME };
enum format { FORMAT_DEFAULT, FORMAT_SVG, FORMAT_TEXT };

static const char *const whats[] = {"steps", "paths", "table", "space-time", NULL};
static const char *const formats[] = {"svg", "text", NULL};

struct request {
    struct cli_job job;
    enum what what;
    enum format format;
};

enum {
    KEY_ROUTER = 0x100,
    KEY_ALGORITHM,
    KEY_SYNC,
    KEY_PACKET,
    KEY_STARTUP,
    KEY_SEED,
    KEY_WHAT,
    KEY_FORMAT
};

static enum ec_code set_choice(const char *option, const char *arg, const char *const *words,
                               unsigned *ret, struct ec_error *e)
{
    unsigned choice = 0;
    const enum ec_code code = cli_choice(option, arg, words, &choice, e);
    if (code == EC_OK)
        *ret = choice;
    return code;
}

static enum ec_code set_argument(struct cli_job *job, const char *arg, struct ec_error *e)
{
    const char **word = !job->spec.topology ? &job->spec.topology : &job->spec.workload;
    if (job->spec.workload)
        return ec_fail(e, EC_USAGE,
                       "'%.60s': a third word, where TOPOLOGY WORKLOAD are the only two", arg);
    *word = arg;
    return EC_OK;
}

static enum ec_code set_option(struct request *r, int key, const char *arg, struct ec_error *e)
{
    unsigned choice = 0;
    enum ec_code code = EC_OK;
    switch (key) {
    case KEY_ROUTER:
        r->job.spec.router = arg;
        return EC_OK;
    case KEY_ALGORITHM:
        r->job.spec.algorithm = arg;
        return EC_OK;
    case KEY_SYNC:
        code = set_choice("--sync", arg, cli_syncs, &choice, e);
        r->job.spec.sync = (enum ec_sync)choice;
        r->job.spec.has_sync = true;
        return code;
    case KEY_PACKET:
        return cli_number32("--packet", arg, 1, &r->job.spec.packet, e);
    case KEY_STARTUP:
        return cli_number32("--startup", arg, 0, &r->job.spec.startup, e);
    case KEY_SEED:
        return cli_number("--seed", arg, 0, CLI_INTEGER_MAX, &r->job.spec.seed, e);
    case KEY_WHAT:
        code = set_choice("--what", arg, whats, &choice, e);
        r->what = (enum what)(choice + WHAT_STEPS);
        return code;
    case KEY_FORMAT:
        code = set_choice("--format", arg, formats, &choice, e);
        r->format = (enum format)(choice + FORMAT_SVG);
        return code;
    default: /* 'o' */
        r->job.output = arg;
        return EC_OK;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct cli_parse *input = state->input;
    struct request *r = input->target;
    if (key == ARGP_KEY_ARG)
        return (error_t)set_argument(&r->job, arg, input->error);
    if (key == ARGP_KEY_END && !r->job.spec.workload)
        return (error_t)ec_fail(input->error, EC_USAGE,
                                "%s missing: expected TOPOLOGY WORKLOAD, for example cube:3 "
                                "shift:q=5",
                                r->job.spec.topology ? "the workload is"
                                                     : "topology and workload are");
    if ((key < KEY_ROUTER || key > KEY_FORMAT) && key != 'o')
        return ARGP_ERR_UNKNOWN;
    if (*arg == '\0')
        return (error_t)ec_fail(input->error, EC_USAGE, "an option's value is empty");
    return (error_t)set_option(r, key, arg, input->error);
}

/* What the words ask for, where --what says nothing. */
static enum what choose(const struct request *r, const struct ec_case *c)
{
    if (r->what)
        return r->what;
    if (!c->schedule)
        return WHAT_PATHS;
    return c->schedule->exchange_count ? WHAT_TABLE : WHAT_STEPS;
}

static enum ec_code print_panels(FILE *out, enum format format, struct panels *p,
                                 struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    if (format == FORMAT_SVG)
        code = panels_svg(out, p, reterr);
    else
        panels_text(out, p);
    panels_close(p);
    return code;
}

static enum ec_code print_grid(FILE *out, enum format format, struct grid *g,
                               struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    if (format == FORMAT_SVG)
        code = grid_svg(out, g, reterr);
    else
        grid_text(out, g, cli_line_width(out));
    grid_close(g);
    return code;
}

/* Run the workload on the RTL, looking on. */
static enum ec_code observe(struct ec_case *c, struct link_use *use, struct ec_error *reterr)
{
    struct ec_report *report = NULL;
    const struct ec_net_watch *watches[] = {link_use_watch(use)};
    struct ec_run_options options = ec_case_run_options(c);
    options.cycles = LINK_USE_CYCLES_MAX;
    options.watches = watches;
    options.watch_count = 1;
    enum ec_code code = ec_case_run(c, &options, &report, reterr);
    if (code == EC_OK && report->outcome == EC_RUN_INTERRUPTED)
        code = ec_fail(reterr, EC_INTERRUPTED, "interrupted");
    else if (code == EC_OK && report->outcome == EC_RUN_LIMIT)
        code = ec_fail(reterr, EC_USAGE,
                       "the run takes more than %d cycles, the most that a space-time picture "
                       "shows; take shorter messages or earlier ones",
                       LINK_USE_CYCLES_MAX);
    else if (code == EC_OK && !report->passed)
        code = ec_fail(reterr, EC_USAGE,
                       "the run fails, so its picture would mislead; see `ecube run` with the same "
                       "words");
    ec_report_close(report);
    return code;
}

/* A row for each link that is used and a column for each cycle: what is known before the run. */
static enum ec_code check_size(const struct ec_case *c, enum format format, struct ec_error *reterr)
{
    uint64_t cycles = 0;
    if (format != FORMAT_SVG)
        return EC_OK;
    ec_case_predict(c, &cycles);
    cycles -= cycles > 0; /* the last word arrives a cycle after it has crossed its last link */
    return grid_svg_check(c->audit->channels_used, cycles, reterr);
}

static enum ec_code draw_space_time(FILE *out, enum format format, struct ec_case *c,
                                    const char *title, struct ec_error *reterr)
{
    struct grid g;
    struct link_use *use;
    enum ec_code code = ec_case_audit(c, true, reterr);
    if (code == EC_OK)
        code = check_size(c, format, reterr);
    if (code != EC_OK)
        return code;
    use = link_use_open(&c->topology);
    if (!use)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a picture");
    if (code == EC_OK)
        code = observe(c, use, reterr);
    if (code == EC_OK)
        code = grid_of_link_use(use, title, &g, reterr);
    link_use_close(use);
    return code ? code : print_grid(out, format, &g, reterr);
}

static bool ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcasecmp(name + length - tail, ending) == 0;
}

/* What the name of the file asks for, where --format says nothing. */
static enum ec_code choose_format(const struct request *r, enum format *ret,
                                  struct ec_error *reterr)
{
    static const char *const others[] = {".png", ".pdf", ".jpg", ".jpeg", ".gif", ".eps", ".ps"};
    const char *name = r->job.output ? r->job.output : "";

    *ret = r->format ? r->format : ends_in(name, ".svg") ? FORMAT_SVG : FORMAT_TEXT;
    for (size_t i = 0; !r->format && i < sizeof others / sizeof *others; i++) {
        if (ends_in(name, others[i]))
            return ec_fail(reterr, EC_USAGE,
                           "--output '%.200s': pictures are SVG; call it FILE.svg (rsvg-convert "
                           "makes others of it), or add --format",
                           name);
    }
    return EC_OK;
}

/* What the words alone tell, before anything is made of them. */
static enum ec_code check_words(const struct request *r, enum format *ret_format,
                                struct ec_error *reterr)
{
    const bool direct = !r->job.spec.algorithm || strcmp(r->job.spec.algorithm, "direct") == 0;
    const bool panels = r->what == WHAT_STEPS || r->what == WHAT_PATHS || (!r->what && direct);
    struct ec_topology t;
    enum ec_code code = choose_format(r, ret_format, reterr);
    if (code == EC_OK && direct && (r->what == WHAT_STEPS || r->what == WHAT_TABLE))
        return ec_fail(reterr, EC_USAGE,
                       "--what %s needs --algorithm NAME: direct traffic has no steps",
                       whats[r->what - WHAT_STEPS]);
    if (code == EC_OK && r->what != WHAT_SPACE_TIME && !ec_case_spec_chooses(&r->job.spec) &&
        (r->job.spec.has_sync || r->job.spec.packet || r->job.spec.startup))
        return ec_fail(reterr, EC_USAGE,
                       "--%s is of --what space-time: other pictures show no time",
                       r->job.spec.has_sync ? "sync"
                       : r->job.spec.packet ? "packet"
                                            : "startup");
    if (code == EC_OK)
        code = ec_topology_parse(r->job.spec.topology, &t, reterr);
    if (code == EC_OK && panels && *ret_format == FORMAT_SVG)
        code = panels_svg_check(&t, reterr);
    return code;
}

static enum ec_code draw(FILE *out, const struct request *r, enum format format, struct ec_case *c,
                         struct cli_progress *progress, struct ec_error *reterr)
{
    const enum what what = choose(r, c);
    struct panels panels;
    struct grid grid;
    char title[700];
    enum ec_code code = EC_OK;
    if (c->workload->open_loop)
        return ec_fail(reterr, EC_USAGE, "pictures are of closed workloads; leave out rate=");
    snprintf(title, sizeof title, "%s %s%s%s", c->topology_text, c->workload->text,
             r->job.spec.algorithm ? ", " : "", r->job.spec.algorithm ? c->algorithm : "");
    if (!c->schedule && (what == WHAT_STEPS || what == WHAT_TABLE))
        return ec_fail(reterr, EC_USAGE,
                       "--what %s: '%s' sends directly, without steps; name another algorithm",
                       whats[what - WHAT_STEPS], c->algorithm);
    if (what == WHAT_SPACE_TIME)
        return draw_space_time(out, format, c, title, reterr);
    if (what == WHAT_TABLE) {
        code = grid_of_exchanges(c->schedule, title, &grid, reterr);
        return code ? code : print_grid(out, format, &grid, reterr);
    }
    if (format == FORMAT_SVG && panels_svg_check(&c->topology, reterr) != EC_OK)
        return EC_USAGE;
    cli_progress_say(progress, "%s: drawing", title);
    if (what == WHAT_STEPS)
        code = panels_of_schedule(&c->topology, c->schedule, title, &panels, reterr);
    else
        code = panels_of_paths(&c->topology, c->router.order, c->workload, title, &panels, reterr);
    return code ? code : print_panels(out, format, &panels, reterr);
}

static enum ec_code draw_case(const struct request *r, enum format format, struct ec_case *c,
                              struct cli_progress *progress, struct ec_error *reterr)
{
    struct ec_output output;
    struct ec_error late;
    enum ec_code code = cli_output_open(r->job.output, &output, reterr);
    if (code != EC_OK)
        return code;
    code = draw(output.file, r, format, c, progress, reterr);
    cli_progress_erase(progress);
    const enum ec_code closed = ec_output_end(&output, code == EC_OK, &late);
    if (code == EC_OK && closed != EC_OK)
        code = ec_fail(reterr, closed, "%s", late.message);
    return code;
}

static enum ec_code draw_all(const struct request *r, struct cli_progress *progress,
                             struct ec_error *reterr)
{
    struct ec_session *session = NULL;
    struct ec_case *c = NULL;
    enum format format;
    enum ec_code code = check_words(r, &format, reterr);
    if (code == EC_OK)
        code = cli_progress_session(progress, &session, reterr);
    if (code == EC_OK)
        code = ec_case_open(session, &r->job.spec, &c, reterr);
    if (code == EC_OK)
        code = draw_case(r, format, c, progress, reterr);
    ec_case_close(c);
    ec_session_close(session);
    return code;
}

static int draw_main(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct request r = {.job = cli_job_default()};
    struct cli_progress progress;
    struct ec_error e;
    int status = 0;
    (void)line;
    r.job.spec.no_trials = true; /* a picture of "best" runs no candidate */
    if (!cli_arguments_begin(self, argc, argv, &r, &status))
        return status;
    cli_interrupt_catch();
    cli_progress_init(&progress, false);
    const enum ec_code code = draw_all(&r, &progress, &e);
    cli_progress_end(&progress);
    return code == EC_OK ? CLI_OK : (int)cli_complain(NULL, &e);
}

/* clang-format off */
static const struct argp_option options[] = {
    {"what", KEY_WHAT, "KIND", 0,
     "steps of a schedule, paths of all messages, table of a schedule's exchanges, or space-time: "
     "the link use of a run on the RTL (default: table or steps with --algorithm, else paths)", 1},
    {"router", KEY_ROUTER, "KEY=VALUE,...", 0, "as for `ecube run'", 1},
    {"algorithm", KEY_ALGORITHM, "NAME[:KEY=VALUE,...]", 0, "as for `ecube run'", 1},
    {"sync", KEY_SYNC, "step|data", 0, "as for `ecube run' (space-time)", 1},
    {"packet", KEY_PACKET, "WORDS", 0, "as for `ecube run' (space-time)", 1},
    {"startup", KEY_STARTUP, "CYCLES", 0, "as for `ecube run' (space-time)", 1},
    {"seed", KEY_SEED, "N", 0, "seed of everything random (default 1)", 1},
    {"format", KEY_FORMAT, "svg|text", 0,
     "a picture, or the same for the terminal (default: svg if FILE ends in .svg, else text)", 3},
    {"output", 'o', "FILE", 0, "write there; FILE changes only when all is written", 3},
    CLI_HELP_OPTION,
    {0},
};
/* clang-format on */

static const struct argp draw_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "TOPOLOGY WORKLOAD",
    .doc = "Draw packets and links per step, paths, schedule tables, and measured link use.\v"
           "Examples:\n"
           "  ecube draw cube:3 shift:q=5 --output paths.svg\n"
           "  ecube draw torus:4x4 shift:q=5 --algorithm forward\n"
           "  ecube draw cube:3 shift:q=5,m=4 --what space-time\n"
           "\n"
           "Exit status: 0 done; 2 usage or bad input; 5 a tool is missing or a build failed.",
};

const struct cli_command cli_command_draw = {
    .name = "draw",
    .summary = "schedules, paths and link use as pictures",
    .argp = &draw_argp,
    .main = draw_main,
};
