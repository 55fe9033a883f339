/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `ecube run` and `ecube audit`.
 *
 * Knows every option, its bounds and its help text; knows nothing of what becomes of the values:
 * the texts of topology, workload and router are read by the library. */
#include "job.h"

#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "number.h"

/* Options without a letter. */
enum {
    KEY_ROUTER = 0x100,
    KEY_ALGORITHM,
    KEY_SYNC,
    KEY_LOCAL_COST,
    KEY_PACKET,
    KEY_STARTUP,
    KEY_CYCLES,
    KEY_WARMUP,
    KEY_SEED,
    KEY_EJECT_STALL,
    KEY_BACKEND,
    KEY_RTL,
    KEY_TOP,
    KEY_EXPECT,
    KEY_FORMAT,
    KEY_FROM,
    KEY_PACKETS,
    KEY_NO_SLEEP,
    KEY_SHUFFLE,
    KEY_WAVE,
    KEY_WAVE_NODES,
    KEY_WAVE_CYCLES,
    KEY_EVENTS,
    KEY_EVENTS_FORMAT,
    KEY_EVENTS_NODES,
    KEY_EVENTS_PACKETS,
    KEY_EVENTS_CYCLES,
    KEY_FAILURE_DIR,
    KEY_NO_FAILURE_WAVE,
    KEY_RANDOM_INIT,
    KEY_DELIVERIES,
    KEY_SOAK,
    KEY_TIME,
    KEY_LAST = KEY_TIME,
};

const char *const cli_backends[] = {"tiles", "flat", "systemc", NULL};
const char *const cli_syncs[] = {"step", "data", NULL};
static const char *const expectations[] = {"congestion-free", NULL};
static const char *const formats[] = {"text", "json", "csv", NULL}; /* enum cli_format */

struct cli_job cli_job_default(void)
{
    return (struct cli_job){.seed = 1, .format = CLI_TEXT};
}

void cli_job_free(struct cli_job *job)
{
    cli_words_free(&job->options);
}

/* Keep an option for the command lines of a list of runs. */
static enum ec_code remember(struct cli_job *job, const struct argp_option *o, int key,
                             const char *arg, struct ec_error *e)
{
    char word[40];
    while (o->key != key)
        o++;
    int length = snprintf(word, sizeof word, "--%s", o->name);
    if (!cli_words_add(&job->options, word, (size_t)length) ||
        (arg && !cli_words_add(&job->options, arg, strlen(arg))))
        return ec_fail(e, EC_MEMORY, "out of memory");
    return EC_OK;
}

static enum ec_code set_number(const char *option, const char *text, uint64_t least, uint64_t most,
                               uint32_t *target, struct ec_error *e)
{
    uint64_t value = 0;
    enum ec_code code = cli_number(option, text, least, most, &value, e);
    if (code == EC_OK)
        *target = (uint32_t)value;
    return code;
}

static enum ec_code set_text(const char *option, const char *text, const char **target,
                             struct ec_error *e)
{
    if (*text == '\0')
        return ec_fail(e, EC_USAGE, "%s '': the value is empty", option);
    *target = text;
    return EC_OK;
}

static enum ec_code set_backend(struct cli_job *job, const char *arg, struct ec_error *e)
{
    unsigned choice = 0;
    const enum ec_code code = cli_choice("--backend", arg, cli_backends, &choice, e);
    job->backend = (enum cli_backend)choice;
    return code;
}

static enum ec_code set_sync(struct cli_job *job, const char *arg, struct ec_error *e)
{
    unsigned choice = 0;
    const enum ec_code code = cli_choice("--sync", arg, cli_syncs, &choice, e);
    job->sync = (enum ec_sync)choice;
    job->has_sync = true;
    return code;
}

/* Options of the network and the traffic. */
static enum ec_code set_simulation(struct cli_job *job, int key, const char *arg,
                                   struct ec_error *e)
{
    unsigned choice;
    switch (key) {
    case KEY_ROUTER:
        return set_text("--router", arg, &job->router, e);
    case KEY_ALGORITHM:
        return set_text("--algorithm", arg, &job->algorithm, e);
    case KEY_SYNC:
        return set_sync(job, arg, e);
    case KEY_LOCAL_COST:
        return set_number("--local-cost", arg, 0, UINT32_MAX, &job->local_cost, e);
    case KEY_BACKEND:
        return set_backend(job, arg, e);
    case KEY_PACKET:
        return set_number("--packet", arg, 1, UINT32_MAX, &job->packet, e);
    case KEY_STARTUP:
        return set_number("--startup", arg, 0, UINT32_MAX, &job->startup, e);
    case KEY_CYCLES:
        job->has_cycles = true;
        return cli_number("--cycles", arg, 1, CLI_INTEGER_MAX, &job->cycles, e);
    case KEY_WARMUP:
        job->has_warmup = true;
        return cli_number("--warmup", arg, 0, CLI_INTEGER_MAX, &job->warmup, e);
    case KEY_SEED:
        return cli_number("--seed", arg, 0, CLI_INTEGER_MAX, &job->seed, e);
    case KEY_EJECT_STALL:
        return cli_fraction("--eject-stall", arg, 0, 0.99, &job->eject_stall, e);
    case KEY_RTL:
        return set_text("--rtl", arg, &job->rtl, e);
    case KEY_TOP:
        return set_text("--top", arg, &job->top, e);
    case KEY_NO_SLEEP:
        job->no_sleep = true;
        return EC_OK;
    case KEY_SHUFFLE:
        return cli_number("--shuffle", arg, 1, CLI_INTEGER_MAX, &job->shuffle, e);
    case KEY_RANDOM_INIT:
        return set_number("--random-init", arg, 1, UINT32_MAX, &job->random_init, e);
    case KEY_DELIVERIES:
        job->deliveries = true;
        return EC_OK;
    case KEY_EXPECT:
        job->expect_congestion_free = true;
        return cli_choice("--expect", arg, expectations, &choice, e);
    default:
        return ec_fail(e, EC_INTERNAL, "option key %d has no meaning", key);
    }
}

/* Options of what is looked at. They belong to one run: with a list of runs, to its lines. */
/* Viewers tell the format of a dump by the end of its name. */
static enum ec_code set_wave(struct cli_job *job, const char *arg, struct ec_error *e)
{
    const size_t length = strlen(arg);
    if (length <= 4 || strcmp(arg + length - 4, ".fst") != 0)
        return ec_fail(e, EC_USAGE, "--wave '%.60s': dumps are FST files; call it FILE.fst", arg);
    return set_text("--wave", arg, &job->wave, e);
}

static enum ec_code set_look(struct cli_job *job, int key, const char *arg, struct ec_error *e)
{
    static const char *const event_formats[] = {"text", "jsonl", NULL};
    unsigned choice = 0;
    enum ec_code code;
    switch (key) {
    case KEY_WAVE:
        return set_wave(job, arg, e);
    case KEY_WAVE_NODES:
        return set_text("--wave-nodes", arg, &job->wave_nodes, e);
    case KEY_WAVE_CYCLES:
        return set_text("--wave-cycles", arg, &job->wave_cycles, e);
    case KEY_EVENTS:
        return set_text("--events", arg, &job->events, e);
    case KEY_EVENTS_FORMAT:
        code = cli_choice("--events-format", arg, event_formats, &choice, e);
        job->has_events_format = true;
        job->events_json = choice == 1;
        return code;
    case KEY_EVENTS_NODES:
        return set_text("--events-nodes", arg, &job->events_nodes, e);
    case KEY_EVENTS_PACKETS:
        return set_text("--events-packets", arg, &job->events_packets, e);
    case KEY_EVENTS_CYCLES:
        return set_text("--events-cycles", arg, &job->events_cycles, e);
    case KEY_FAILURE_DIR:
        return set_text("--failure-dir", arg, &job->failure_dir, e);
    default: /* KEY_NO_FAILURE_WAVE */
        job->no_failure_wave = true;
        return EC_OK;
    }
}

/* Options of input and output, which belong to the program, not to one line of a --from file. */
static enum ec_code set_output(struct cli_job *job, int key, const char *arg, struct ec_error *e)
{
    unsigned choice = 0;
    enum ec_code code = EC_OK;
    if (job->in_batch)
        return ec_fail(e, EC_USAGE,
                       "--from, --format, --output, --quiet, --verbose, --packets, --soak and "
                       "--time belong on the command line, not into a list of runs");
    switch (key) {
    case KEY_FORMAT:
        code = cli_choice("--format", arg, formats, &choice, e);
        job->format = (enum cli_format)choice;
        return code;
    case 'o':
        return set_text("--output", arg, &job->output, e);
    case KEY_FROM:
        return set_text("--from", arg, &job->from, e);
    case KEY_SOAK:
        job->soak = true;
        return EC_OK;
    case KEY_TIME:
        return cli_number("--time", arg, 1, CLI_INTEGER_MAX, &job->time, e);
    case 'q':
        job->quiet = true;
        return EC_OK;
    case 'v':
        job->verbose = true;
        return EC_OK;
    default: /* KEY_PACKETS */
        job->packets = true;
        return EC_OK;
    }
}

/* The sides of a comparison, which a list of comparisons repeats for every line. */
static enum ec_code set_side(struct cli_job *job, const char *arg, struct ec_error *e)
{
    const char **side = &job->side[job->side[0] != NULL];
    if (!cli_words_add(&job->options, arg, strlen(arg)))
        return ec_fail(e, EC_MEMORY, "out of memory");
    return set_text("a side", arg, side, e);
}

static enum ec_code set_argument(struct cli_job *job, const char *arg, struct ec_error *e)
{
    if (job->two_sides && !job->side[1])
        return set_side(job, arg, e);
    if (!job->topology)
        return set_text("TOPOLOGY", arg, &job->topology, e);
    if (!job->workload)
        return set_text("WORKLOAD", arg, &job->workload, e);
    return ec_fail(e, EC_USAGE, "'%.60s': a third word, where TOPOLOGY WORKLOAD are the only two",
                   arg);
}

/* The same, of a comparison. */
static enum ec_code check_compare(const struct cli_job *job, struct ec_error *e)
{
    if (!job->side[1])
        return ec_fail(e, EC_USAGE,
                       "%s missing: expected A B TOPOLOGY WORKLOAD, for example tiles flat cube:3 "
                       "shift:q=5,m=64",
                       job->side[0] ? "side B is" : "the sides are");
    if (job->format == CLI_CSV)
        return ec_fail(e, EC_USAGE,
                       "--format csv: a comparison is no row of numbers; choose text "
                       "or json");
    if (job->time && !job->soak)
        return ec_fail(e, EC_USAGE, "--time needs --soak");
    if (job->soak && (job->topology || job->from || job->output || job->format != CLI_TEXT))
        return ec_fail(e, EC_USAGE,
                       "--soak draws topologies and workloads itself, and reports in "
                       "text: it goes without TOPOLOGY, --from, --output and --format");
    if (job->soak && !job->time && !job->has_cycles)
        return ec_fail(e, EC_USAGE,
                       "--soak needs an end: --time SECONDS or --cycles ROUTER-CYCLES");
    return EC_OK;
}

/* What can only be said when all words have been seen. */
static enum ec_code check_whole(const struct cli_job *job, struct ec_error *e)
{
    if (job->quiet && job->verbose)
        return ec_fail(e, EC_USAGE, "--quiet and --verbose contradict each other");
    if (job->top && !job->rtl)
        return ec_fail(e, EC_USAGE, "--top %.60s needs --rtl FILES, the sources of that module",
                       job->top);
    if (job->rtl && !job->top)
        return ec_fail(e, EC_USAGE, "--rtl %.60s needs --top NAME, the router module in there",
                       job->rtl);
    if (job->backend == CLI_SYSTEMC && (job->rtl || job->random_init || job->shuffle))
        return ec_fail(e, EC_USAGE,
                       "--%s with --backend systemc: there is no RTL in that model; choose the "
                       "backend tiles",
                       job->rtl           ? "rtl"
                       : job->random_init ? "random-init"
                                          : "shuffle");
    if (job->from && job->topology)
        return ec_fail(e, EC_USAGE,
                       "--from %.60s gives the topologies and workloads; '%.60s' is "
                       "one too many",
                       job->from, job->topology);
    if ((job->wave_nodes || job->wave_cycles) && !job->wave)
        return ec_fail(e, EC_USAGE, "--wave-%s needs --wave FILE.fst",
                       job->wave_nodes ? "nodes" : "cycles");
    if ((job->events_nodes || job->events_packets || job->events_cycles ||
         job->has_events_format) &&
        !job->events)
        return ec_fail(e, EC_USAGE, "an option of the event log needs --events FILE");
    if (job->from && (job->wave || job->events))
        return ec_fail(e, EC_USAGE,
                       "--%s %.60s with --from: every run would write the same file; put the "
                       "option into a line of the list",
                       job->wave ? "wave" : "events", job->wave ? job->wave : job->events);
    if (job->two_sides && !job->in_batch) {
        const enum ec_code code = check_compare(job, e);
        if (code != EC_OK || job->soak)
            return code;
    }
    if (!job->from && !job->workload)
        return ec_fail(e, EC_USAGE,
                       "%s missing: expected %sTOPOLOGY WORKLOAD, for example %scube:3 "
                       "shift:q=5,m=64",
                       job->topology ? "the workload is" : "topology and workload are",
                       job->two_sides ? "A B " : "", job->two_sides ? "tiles flat " : "");
    return EC_OK;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct cli_parse *input = state->input;
    struct cli_job *job = input->target;
    struct ec_error *e = input->error;
    switch (key) {
    case ARGP_KEY_ARG:
        return (error_t)set_argument(job, arg, e);
    case ARGP_KEY_END:
        return (error_t)check_whole(job, e);
    case KEY_FORMAT:
    case KEY_FROM:
    case KEY_SOAK:
    case KEY_TIME:
    case KEY_PACKETS:
    case 'o':
    case 'q':
    case 'v':
        return (error_t)set_output(job, key, arg, e);
    default:
        break;
    }
    if (key < KEY_ROUTER || key > KEY_LAST)
        return ARGP_ERR_UNKNOWN;
    const bool look = key >= KEY_WAVE && key <= KEY_NO_FAILURE_WAVE;
    enum ec_code code = look ? set_look(job, key, arg, e) : set_simulation(job, key, arg, e);
    if (code == EC_OK && !job->in_batch)
        code = remember(job, state->root_argp->options, key, arg, e);
    return (error_t)code;
}

/* One line per option reads better here than what clang-format makes of it. */
/* clang-format off */
#define OPTIONS_TRAFFIC                                                                            \
    {NULL, 0, NULL, 0, "Network and traffic:", 1},                                                 \
    {"router", KEY_ROUTER, "KEY=VALUE,...", 0,                                                     \
     "vcs, depth, switching, order, ports, dateline (see `ecube list routers')", 1},               \
    {"algorithm", KEY_ALGORITHM, "NAME[:KEY=VALUE,...]", 0,                                        \
     "how the pattern is realised: direct (default), or a schedule of `ecube list algorithms'", 1},     \
    {"sync", KEY_SYNC, "step|data", 0,                                                             \
     "a transfer of a schedule starts when all of the step before it have been delivered "         \
     "(default), or when its data is there", 1},                                                   \
    {"local-cost", KEY_LOCAL_COST, "CYCLES", 0,                                                    \
     "what a node needs to move a word within its memory, before the transfer that waits for it "  \
     "(default 0)", 1},                                                                            \
    {"packet", KEY_PACKET, "WORDS", 0,                                                             \
     "longest packet (default: the message in wormhole switching, else the longest that keeps "    \
     "full rate)", 1},                                                                             \
    {"startup", KEY_STARTUP, "CYCLES", 0,                                                          \
     "cycles for which the sending port is occupied before each packet (default 0)", 1},           \
    {"seed", KEY_SEED, "N", 0, "seed of everything random (default 1)", 1}

#define OPTIONS_NETWORK                                                                            \
    OPTIONS_TRAFFIC,                                                                               \
    {"expect", KEY_EXPECT, "congestion-free", 0,                                                   \
     "exit 1 unless the traffic is congestion-free", 1}

#define OPTIONS_OUTPUT(formats)                                                                           \
    {NULL, 0, NULL, 0, "Input and output:", 3},                                                    \
    {"from", KEY_FROM, "FILE", 0,                                                                  \
     "do every line of FILE (TOPOLOGY WORKLOAD [OPTION...], # comments, - = standard input) in "   \
     "one process", 3},                                                                            \
    {"format", KEY_FORMAT, formats, 0, "for a person (default), or for a program", 3},     \
    {"output", 'o', "FILE", 0, "write there; FILE changes only when all is written", 3},           \
    {"quiet", 'q', NULL, 0, "the verdict line only; no progress", 3},                              \
    {"verbose", 'v', NULL, 0, "every check with what was seen", 3},                                \
    CLI_HELP_OPTION

#define OPTIONS_WINDOW                                                                              \
    {"cycles", KEY_CYCLES, "N", 0,                                                                 \
     "open loop: the measured window (default 10000); else stop after N cycles", 1},               \
    {"warmup", KEY_WARMUP, "N", 0, "open loop: cycles before the window (default 1000)", 1},       \
    {"eject-stall", KEY_EJECT_STALL, "P", 0,                                                       \
     "probability that a node accepts nothing at a port in a cycle (default 0)", 1}

static const struct argp_option run_options[] = {
    OPTIONS_NETWORK,
    OPTIONS_WINDOW,
    {NULL, 0, NULL, 0, "The network's hardware:", 2},
    {"backend", KEY_BACKEND, "NAME", 0, 
     "what steps the routers: tiles (default); flat, one model that is wired in RTL; systemc, an "
     "independent model", 2},
    {"rtl", KEY_RTL, "FILES", 0, "your own router: its sources, comma-separated", 2},
    {"top", KEY_TOP, "NAME", 0, "your own router: its module", 2},
    OPTIONS_OUTPUT("text|json|csv"),
    {"packets", KEY_PACKETS, NULL, 0, "json: every packet with its cycles", 3},
    {NULL, 0, NULL, 0, "Looking inside:", 4},
    {"wave", KEY_WAVE, "FILE.fst", 0,
     "dump what some routers do, with layouts for GTKWave and Surfer beside it", 4},
    {"wave-nodes", KEY_WAVE_NODES, "LIST", 0,
     "which routers: 5, (1,2), x1y2, 0-3, path:SRC-DST, all; comma-separated, at most 64 (default: "
     "all of up to 8, else the longest path)", 4},
    {"wave-cycles", KEY_WAVE_CYCLES, "FROM:TO", 0,
     "which cycles; either end may be left open (default: all)", 4},
    {"events", KEY_EVENTS, "FILE", 0, "log every word: offer, inject, hop, contended, starved, eject",
     4},
    {"events-format", KEY_EVENTS_FORMAT, "text|jsonl", 0,
     "columns or JSON lines (default: by the ending of FILE, .jsonl or not)", 4},
    {"events-nodes", KEY_EVENTS_NODES, "LIST", 0, "of these routers only, as --wave-nodes", 4},
    {"events-packets", KEY_EVENTS_PACKETS, "SRC-DST,...", 0, "of these packets only", 4},
    {"events-cycles", KEY_EVENTS_CYCLES, "FROM:TO", 0, "of these cycles only", 4},
    {"failure-dir", KEY_FAILURE_DIR, "FOLDER", 0,
     "where a failed run leaves its wave, ecube-failure-*.fst (default: the current folder)", 4},
    {"no-failure-wave", KEY_NO_FAILURE_WAVE, NULL, 0, "a failed run leaves no wave", 4},
    {NULL, 0, NULL, 0, "Determinism (none of these changes the digest):", 5},
    {"no-sleep", KEY_NO_SLEEP, NULL, 0, "step quiet routers too", 5},
    {"shuffle", KEY_SHUFFLE, "SEED", 0, "step the routers in an order drawn from SEED", 5},
    {"random-init", KEY_RANDOM_INIT, "SEED", 0, "start all registers at values drawn from SEED", 5},
    {0},
};

static const struct argp_option compare_options[] = {
    OPTIONS_TRAFFIC,
    OPTIONS_WINDOW,
    {NULL, 0, NULL, 0, "The comparison:", 2},
    {"rtl", KEY_RTL, "FILES", 0, "the router of a side `rtl': its sources, comma-separated", 2},
    {"top", KEY_TOP, "NAME", 0, "the router of a side `rtl': its module", 2},
    {"deliveries", KEY_DELIVERIES, NULL, 0,
     "compare what arrives, not when: for routers of different microarchitecture", 2},
    {"soak", KEY_SOAK, NULL, 0,
     "compare random configurations drawn from --seed, one process each, until --time or --cycles "
     "(then of all routers together); a failure is made smaller", 2},
    {"time", KEY_TIME, "SECONDS", 0, "of --soak", 2},
    OPTIONS_OUTPUT("text|json"),
    {NULL, 0, NULL, 0, "Looking inside:", 4},
    {"failure-dir", KEY_FAILURE_DIR, "FOLDER", 0,
     "where a difference leaves its waves, ecube-compare-*.fst (default: the current folder)", 4},
    {"no-failure-wave", KEY_NO_FAILURE_WAVE, NULL, 0, "a difference leaves no wave", 4},
    {0},
};
/* clang-format on */

/* A row of a regression: what has no part in its result has no place in it. */
static const struct argp_option row_options[] = {
    OPTIONS_TRAFFIC, OPTIONS_WINDOW, CLI_HELP_OPTION, {0}};

static const struct argp_option audit_options[] = {
    OPTIONS_NETWORK, OPTIONS_OUTPUT("text|json|csv"), {0}};

static const char arguments_doc[] = "TOPOLOGY WORKLOAD\n--from FILE";

const struct argp cli_run_argp = {
    .options = run_options,
    .parser = parse,
    .args_doc = arguments_doc,
    .doc = "Simulate one workload on the routers' RTL: verify the delivery of every word, count "
           "every cycle, compare with the closed form.\v"
           "Examples:\n"
           "  ecube run cube:3 shift:q=5,m=64\n"
           "  ecube run cube:6 bitrev:m=8 --router switching=cut-through,depth=9\n"
           "  ecube run cube:4 shift:q=7,labels=gray,m=8 --algorithm gray-signed\n"
           "  ecube run torus:8x8 uniform:rate=0.2,m=8 --cycles 100000\n"
           "  ecube run --from grid.txt --format csv --output grid.csv\n"
           "\n"
           "Exit status: 0 all checks held; 1 a check failed; 2 usage or bad input; 3 did not "
           "stabilise; 4 deadlock; 5 a tool is missing or a build failed.",
};

const struct argp cli_row_argp = {.options = row_options, .parser = parse};

const struct argp cli_audit_argp = {
    .options = audit_options,
    .parser = parse,
    .args_doc = arguments_doc,
    .doc = "Prove without simulating: the load of every channel, a certificate that the traffic "
           "is congestion-free or two packets that share a channel, freedom from deadlock.\v"
           "Examples:\n"
           "  ecube audit cube:6 bitrev\n"
           "  ecube audit cube:20 shift:q=12345 --expect congestion-free\n"
           "  ecube audit torus:8x8 tornado --router vcs=1,dateline=off\n"
           "\n"
           "Exit status: 0 done; 1 --expect was not met, the routing can deadlock, or the schedule "
           "is wrong; 2 usage or bad input.",
};

const struct argp cli_compare_argp = {
    .options = compare_options,
    .parser = parse,
    .args_doc = "A B TOPOLOGY WORKLOAD\nA B --from FILE\nA B --soak",
    .doc = "Step two sides together on one workload, with the same stimulus, and compare all link "
           "words, credits and taps of all routers in every cycle. A side is a backend (see `ecube "
           "list backends'), `rtl' (the router of --rtl and --top), or "
           "tiles:rtl=FILE+FILE...,top=NAME.\v"
           "Examples:\n"
           "  ecube compare tiles flat cube:3 shift:q=5,m=64\n"
           "  ecube compare tiles flat torus:4x4 uniform:rate=0.4,m=8 --cycles 1000\n"
           "  ecube compare tiles flat --soak --cycles 100000 --seed 7\n"
           "\n"
           "Exit status: 0 they agree; 1 they differ; 2 usage or bad input; 5 a tool is missing or "
           "a build failed.",
};
