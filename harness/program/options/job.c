/* SPDX-License-Identifier: Apache-2.0 */
/* From the words of a command line to a job.
 *
 * Knows every option's bounds; knows nothing of what becomes of the values: the texts of topology,
 * workload and router are read by the library. */
#include <stdio.h>
#include <string.h>

#include "program/options/job_parse.h"
#include "terminal/arguments.h"
#include "terminal/number.h"

const char *const cli_backends[] = {"tiles", "flat", "systemc", NULL};
const char *const cli_syncs[] = {"step", "data", NULL};
static const char *const expectations[] = {"congestion-free", NULL};
static const char *const formats[] = {"text", "json", "csv", NULL}; /* enum cli_format */

struct cli_job cli_job_default(void)
{
    return (struct cli_job){.spec = ec_case_spec_default(), .format = CLI_TEXT};
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
        (arg && !cli_words_put(&job->options, arg)))
        return ec_fail(e, EC_MEMORY, "out of memory");
    return EC_OK;
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
    job->spec.backend = (enum ec_backend)choice;
    return code;
}

static enum ec_code set_sync(struct cli_job *job, const char *arg, struct ec_error *e)
{
    unsigned choice = 0;
    const enum ec_code code = cli_choice("--sync", arg, cli_syncs, &choice, e);
    job->spec.sync = (enum ec_sync)choice;
    job->spec.has_sync = true;
    return code;
}

/* Options of the network and the traffic. */
static enum ec_code set_simulation(struct cli_job *job, int key, const char *arg,
                                   struct ec_error *e)
{
    unsigned choice;
    switch (key) {
    case KEY_ROUTER:
        return set_text("--router", arg, &job->spec.router, e);
    case KEY_ALGORITHM:
        return set_text("--algorithm", arg, &job->spec.algorithm, e);
    case KEY_SYNC:
        return set_sync(job, arg, e);
    case KEY_LOCAL_COST:
        return cli_number32("--local-cost", arg, 0, &job->spec.local_cost, e);
    case KEY_BACKEND:
        return set_backend(job, arg, e);
    case KEY_PACKET:
        return cli_number32("--packet", arg, 1, &job->spec.packet, e);
    case KEY_STARTUP:
        return cli_number32("--startup", arg, 0, &job->spec.startup, e);
    case KEY_CYCLES:
        job->spec.has_cycles = true;
        return cli_number("--cycles", arg, 1, CLI_INTEGER_MAX, &job->spec.cycles, e);
    case KEY_WARMUP:
        job->spec.has_warmup = true;
        job->spec.warmup_optional = false;
        return cli_number("--warmup", arg, 0, CLI_INTEGER_MAX, &job->spec.warmup, e);
    case KEY_SEED:
        return cli_number("--seed", arg, 0, CLI_INTEGER_MAX, &job->spec.seed, e);
    case KEY_EJECT_STALL:
        return cli_fraction("--eject-stall", arg, 0, 0.99, &job->spec.eject_stall, e);
    case KEY_RTL:
        return set_text("--rtl", arg, &job->spec.rtl, e);
    case KEY_TOP:
        return set_text("--top", arg, &job->spec.top, e);
    case KEY_NO_SLEEP:
        job->spec.no_sleep = true;
        return EC_OK;
    case KEY_SHUFFLE:
        return cli_number("--shuffle", arg, 1, CLI_INTEGER_MAX, &job->spec.shuffle, e);
    case KEY_RANDOM_INIT:
        return cli_number32("--random-init", arg, 1, &job->spec.random_init, e);
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
        if (strcmp(arg, "-") == 0) /* the report is there already */
            return ec_fail(e, EC_USAGE,
                           "--events '-': a log is a file of its own; call it FILE, for "
                           "example /dev/stderr");
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
    if (!cli_words_put(&job->options, arg))
        return ec_fail(e, EC_MEMORY, "out of memory");
    return set_text("a side", arg, side, e);
}

static enum ec_code set_argument(struct cli_job *job, const char *arg, struct ec_error *e)
{
    if (job->two_sides && !job->side[1])
        return set_side(job, arg, e);
    if (!job->spec.topology)
        return set_text("TOPOLOGY", arg, &job->spec.topology, e);
    if (!job->spec.workload)
        return set_text("WORKLOAD", arg, &job->spec.workload, e);
    return ec_fail(e, EC_USAGE, "'%.60s': a third word, where TOPOLOGY WORKLOAD are the only two",
                   arg);
}

error_t cli_job_parse(int key, char *arg, struct argp_state *state)
{
    struct cli_parse *input = state->input;
    struct cli_job *job = input->target;
    struct ec_error *e = input->error;
    switch (key) {
    case ARGP_KEY_ARG:
        return (error_t)set_argument(job, arg, e);
    case ARGP_KEY_END:
        return (error_t)cli_job_check(job, e);
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
