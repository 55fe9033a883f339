/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube tile prove`: the verdict on each property, and counterexamples as stories.
 *
 * Knows what a person and a program want to read of a proof. Must not know how it is made. */
#include "prove/prove.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/record.h"
#include "ecube/session.h"
#include "program/options/job.h"
#include "program/report/report.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "terminal/status.h"
#include "terminal/words.h"
#include "verify/commands/commands.h"

#define SCHEMA "ecube-prove-1"

struct state {
    const struct cli_job *job;
    struct cli_progress progress;
    bool failed; /* memory ran out */
};

static const char *const verdicts[] = {[EC_PROVED] = "proved",
                                       [EC_HOLDS] = "holds-to-depth",
                                       [EC_FAILED] = "failed",
                                       [EC_NOT_CHECKED] = "not-checked"};

/* --- Stories ---------------------------------------------------------------------------------- */

static void tell_wave(const char *path)
{
    char program[] = "gtkwave", *file = strdup(path);
    char *const words[] = {program, file};
    char *command = file != NULL ? cli_words_quote(words, 2) : NULL;
    printf("      wave   %s\n", command != NULL ? command : path);
    free(command);
    free(file);
}

static void tell(const struct ec_prove_trace *t)
{
    unsigned last = UINT32_MAX;
    printf("      place  %s\n", t->pins);
    for (size_t i = 0; i < t->count; i++) {
        const struct ec_prove_event *e = &t->events[i];
        if (e->cycle != last)
            printf("      cycle %3u  %s\n", e->cycle, e->text);
        else
            printf("                 %s\n", e->text);
        last = e->cycle;
    }
    if (last + 1 < t->cycles && last != UINT32_MAX)
        printf("      until %3u  (nothing at the ports)\n", t->cycles);
    else if (last != t->cycles)
        printf("      cycle %3u  (nothing at the ports)\n", t->cycles);
    if (t->wave[0] != '\0')
        tell_wave(t->wave);
}

/* --- Text ------------------------------------------------------------------------------------- */

static void put_text(const struct ec_prove_row *r)
{
    char verdict[40];
    if (r->verdict == EC_HOLDS)
        snprintf(verdict, sizeof verdict, "HOLDS TO DEPTH %u", r->depth);
    else
        snprintf(verdict, sizeof verdict, "%s",
                 r->verdict == EC_PROVED   ? "PROVED"
                 : r->verdict == EC_FAILED ? "FAILED"
                                           : "NOT CHECKED");
    printf("  %-18s  %-11s  %s", verdict, r->property, r->rule);
    if (r->section[0] != '\0')
        printf(" (section %s)", r->section);
    printf("\n");
    if (r->verdict == EC_FAILED)
        printf("    violated in cycle %u%s%s\n", r->trace->cycles, r->note[0] ? " at " : "",
               r->note);
    else if (r->note[0] != '\0')
        printf("    %s\n", r->note);
    if (r->trace != NULL)
        tell(r->trace);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *events_of(const struct ec_prove_trace *t)
{
    json_t *list = json_array();
    for (size_t i = 0; i < t->count && list != NULL; i++)
        list = record_append(list, json_pack("{s:i, s:s}", "cycle", (int)t->events[i].cycle,
                                             "event", t->events[i].text));
    return list;
}

static json_t *not_covered(void)
{
    json_t *list = json_array();
    for (size_t i = 0; ec_prove_not_covered[i] != NULL && list != NULL; i++)
        list = record_append(list, record_text(ec_prove_not_covered[i]));
    return list;
}

static void put_json(struct state *s, const struct ec_prove_shape *shape,
                     const struct ec_prove_row *row)
{
    const struct ec_prove_trace *t = row->trace;
    json_t *object = record_of((const struct record_pair[]){
        {"schema", record_text(SCHEMA)},
        {"shape", record_text(shape->text)},
        {"assumptions", record_text(shape->assumptions)},
        {"property", record_text(row->property)},
        {"rule", record_text(row->rule)},
        {"section", row->section[0] ? record_text(row->section) : json_null()},
        {"verdict", record_text(verdicts[row->verdict])},
        {"asked", json_boolean(row->asked)},
        {"depth", record_number_if(row->verdict == EC_HOLDS, row->depth)},
        {"cycle", record_number_if(t != NULL, t != NULL ? t->cycles : 0)},
        {"note", row->note[0] ? record_text(row->note) : json_null()},
        {"place", t != NULL ? record_text(t->pins) : json_null()},
        {"events", t != NULL ? events_of(t) : json_null()},
        {"wave", t != NULL && t->wave[0] ? record_text(t->wave) : json_null()},
        {"not_covered", not_covered()},
        {NULL, NULL},
    });
    s->failed |= object == NULL || !record_print_json(object, true, stdout);
    json_decref(object);
}

/* --- The command ------------------------------------------------------------------------------ */

static void begin_shape(void *context, const struct ec_prove_shape *shape)
{
    struct state *s = context;
    cli_progress_erase(&s->progress);
    if (s->job->format == CLI_TEXT)
        printf("%s\n  for %s\n", shape->text, shape->assumptions);
    fflush(stdout);
}

static void put_row(void *context, const struct ec_prove_shape *shape,
                    const struct ec_prove_row *row)
{
    struct state *s = context;
    cli_progress_erase(&s->progress);
    if (s->job->format == CLI_TEXT)
        put_text(row);
    else
        put_json(s, shape, row);
    fflush(stdout);
}

static void say(void *context, const char *text)
{
    struct state *s = context;
    cli_progress_say(&s->progress, "%s", text);
}

static bool is_proved(const struct ec_prove_result *r)
{
    return r->failed == 0 && r->settled == r->asked;
}

static void put_verdict(const struct ec_prove_result *r, bool interrupted)
{
    if (interrupted)
        printf("INTERRUPTED");
    else if (r->failed > 0)
        printf("FAILED");
    else if (is_proved(r))
        printf("PROVED");
    else if (r->settled > 0)
        printf("PARTLY PROVED %u of %u", r->settled, r->asked);
    else
        printf("NOT PROVED");
    printf("  %u shape%s: %u proved", r->shapes, cli_plural(r->shapes), r->proved);
    if (r->holds > 0)
        printf(", %u only to a depth", r->holds);
    if (r->failed > 0)
        printf(", %u failed", r->failed);
    if (r->not_checked > 0)
        printf(", %u not checked", r->not_checked);
    for (size_t i = 0; ec_prove_not_covered[i] != NULL; i++)
        printf("%s%s", i == 0 ? "; not covered: " : ", ", ec_prove_not_covered[i]);
    printf("\n");
}

/* TOPOLOGY and --router. Without --packet, all packet bounds: 0. */
static enum ec_code read_network(const struct cli_job *job, struct ec_topology *t,
                                 struct ec_router *r, struct ec_error *reterr)
{
    enum ec_code code = ec_topology_parse(job->spec.topology, t, reterr);
    if (code == EC_OK)
        code = ec_router_parse(job->spec.router, t, r, reterr);
    if (code == EC_OK && r->routing == EC_ROUTING_TABLE)
        code = ec_fail(reterr, EC_USAGE,
                       "routing=table is not covered by proofs: ecube tile check and runs judge "
                       "such routers");
    const bool adapts = code == EC_OK && r->routing == EC_ROUTING_ADAPTIVE;
    if (code == EC_OK && job->spec.top && (r->speedup || adapts || ec_router_draws(r)))
        code = ec_fail(reterr, EC_USAGE,
                       "router: %s is an option of ecube's own router: leave out --top",
                       adapts                             ? "routing=adaptive"
                       : r->order == EC_ORDER_CLASS       ? "order=class"
                       : r->routing == EC_ROUTING_VALIANT ? "routing=valiant"
                                                          : "speedup");
    if (code == EC_OK && job->spec.packet > 0)
        code = ec_router_set_packet(r, job->spec.packet, r->depth, reterr);
    if (code == EC_OK)
        code = ec_router_set_classes(r, 1, reterr);
    if (code == EC_OK && (t->nodes < 2 || t->address_bits > EC_PROVE_ADDRESS_BITS_MAX))
        code = ec_fail(reterr, EC_USAGE, "%s: expected 2 to %u nodes for a proof",
                       job->spec.topology, 1U << EC_PROVE_ADDRESS_BITS_MAX);
    return code;
}

static enum cli_status prove(const struct cli_job *job)
{
    struct state s = {.job = job};
    struct ec_topology topology;
    struct ec_router router;
    struct ec_prove_result result;
    struct ec_error e;
    enum ec_code code = EC_OK;
    if (job->spec.topology != NULL)
        code = read_network(job, &topology, &router, &e);
    if (code == EC_OK)
        code = cli_folder_check("--failure-dir", job->failure_dir, &e);
    if (code == EC_OK && job->failure_dir != NULL)
        code = ec_folder_make(job->failure_dir, EC_FOLDER_USUAL, &e);
    cli_progress_init(&s.progress, job->quiet);
    cli_interrupt_catch();
    if (code == EC_OK) {
        const struct ec_prove_options options = {
            .rtl = job->spec.rtl,
            .top = job->spec.top,
            .build = job->spec.build,
            .topology = job->spec.topology != NULL ? &topology : NULL,
            .router = &router,
            .depth = job->depth,
            .seconds = job->proof_seconds,
            .folder = job->no_failure_wave       ? NULL
                      : job->failure_dir != NULL ? job->failure_dir
                                                 : ".",
            .begin = begin_shape,
            .row = put_row,
            .progress = say,
            .context = &s};
        code = ec_prove(&options, &result, &e);
    }
    cli_progress_end(&s.progress);
    if (code == EC_OK && s.failed)
        code = ec_fail(&e, EC_MEMORY, "out of memory");
    const bool interrupted = code != EC_OK && cli_interrupted();
    if (code != EC_OK && !interrupted)
        return cli_complain(NULL, &e);
    if (job->format == CLI_TEXT && (!interrupted || result.shapes > 0))
        put_verdict(&result, interrupted);
    if (interrupted)
        return CLI_INTERRUPTED;
    return result.failed > 0 || (job->require_proof && !is_proved(&result)) ? CLI_FAILED : CLI_OK;
}

int verify_prove(const struct cli_command *self, int argc, char **argv)
{
    struct cli_job job = cli_job_default();
    int status;
    if (cli_begin(&cli_table, self, argc, argv, &job.parsed, &status)) {
        status = (int)prove(&job);
        status = (int)cli_status_worse((enum cli_status)status,
                                       cli_output_flush(stdout, "standard output"));
    }
    cli_job_free(&job);
    return status;
}
