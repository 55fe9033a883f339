/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a run (--report) or of a stored result: what goes into it. Must not know how it is
 * written. */
#include "page/page.h"

#include <stdio.h>
#include <stdlib.h>

#include "program/report/report.h"
#include "terminal/interrupt.h"

/* With more of them, the record in the page has no list of them. */
enum { LISTED_LINKS_MOST = 8192, INTERVALS_MOST = 2000 };

enum ec_code cli_page_open(struct cli_page *p, const char *path, const struct ec_case *c,
                           struct ec_error *reterr)
{
    *p = (struct cli_page){.path = path};
    enum ec_code code = page_available(reterr);
    if (code == EC_OK)
        code = ec_recorder_open(&c->topology, &c->router, NULL, &p->recorder, reterr);
    if (code == EC_OK)
        code = ec_output_open(&p->output, "the report", path, &cli_interrupt_unfinished, reterr);
    if (code != EC_OK)
        cli_page_close(p);
    return code;
}

void cli_page_close(struct cli_page *p)
{
    ec_output_discard(&p->output);
    ec_recorder_close(p->recorder);
    *p = (struct cli_page){0};
}

static enum ec_code write_page(struct cli_page *p, const struct page_data *data,
                               struct ec_error *reterr)
{
    if (!data->title || !data->result || !page_write(data, p->output.file))
        return ec_fail(reterr, EC_MEMORY, "out of memory while writing the report");
    p->bytes = (uint64_t)ftello(p->output.file);
    return ec_output_commit(&p->output, reterr);
}

/* "torus:8x8 uniform:rate=0.2,m=8"; malloc'd. */
static char *title_of(const struct cli_run_result *r)
{
    const struct ec_case *c = r->c;
    char *title = NULL;
    const char *algorithm = c->schedule ? c->algorithm : "";
    if (asprintf(&title, "%s%s %s%s%s",
                 r->stored && r->stored->kind == CLI_STORED_COMPARE ? "comparison, " : "",
                 c->topology_text, c->workload->text, *algorithm ? ", " : "", algorithm) < 0)
        return NULL;
    return title;
}

/* The record of this run, because nothing in a stored one is certain, without lists that would make
 * the page too long: *notes has room for two of them. */
static json_t *record_of_run(const struct cli_run_result *r, const char **notes)
{
    const struct ec_result_details details = cli_run_details(r);
    struct ec_report report = *r->report;
    const uint64_t links = (uint64_t)r->c->topology.nodes * ec_topology_links(&r->c->topology);
    report.packets_log = NULL; /* the recording has packets */
    const bool whole = links <= LISTED_LINKS_MOST;
    if (!whole)
        *notes++ = "The lists links, locals and sources of the result are left out, because they "
                   "would be too long; ecube run --format json has them.";
    if (report.interval_count > INTERVALS_MOST) {
        report.interval_count = 0;
        *notes = "The list intervals of the result is left out, because it would be too long; "
                 "ecube run --format json has it.";
    }
    return result_run(r->c, &report, &details, whole ? RESULT_LISTS_WHOLE : RESULT_LISTS_LEFT_OUT);
}

static json_t *page_record(const struct cli_run_result *r, const char **notes)
{
    if (!r->stored || r->stored->kind != CLI_STORED_COMPARE)
        return record_of_run(r, notes);
    *notes = "Network, time and packets are those of side A, which was run again.";
    return json_incref(r->stored->result);
}

enum ec_code cli_page_finish(struct cli_page *p, const struct cli_run_result *r,
                             struct ec_error *reterr)
{
    const struct ec_recording *recording;
    const char *notes[3] = {0};
    enum ec_code code = ec_recorder_finish(p->recorder, &recording, reterr);
    if (code != EC_OK)
        return code;
    json_t *record = page_record(r, notes);
    char *title = title_of(r);
    const struct page_data data = {.kind = r->stored ? r->stored->kind_name : "run",
                                   .title = title,
                                   .command = r->job->command,
                                   .version = EC_VERSION,
                                   .result = record,
                                   .replayed = r->stored != NULL,
                                   .notes = notes,
                                   .run = {.recording = recording,
                                           .topology = &r->c->topology,
                                           .router = &r->c->router,
                                           .report = r->report,
                                           .foreign = r->c->spec.top != NULL}};
    code = write_page(p, &data, reterr);
    p->channels = recording->channels;
    p->packets = recording->packets;
    free(title);
    json_decref(record);
    return code;
}

/* --- Stored results --------------------------------------------------------------------------- */

enum ec_code cli_page_stored(const struct cli_stored *stored, const char *path,
                             struct ec_error *reterr)
{
    struct cli_page p = {.path = path};
    char *title = NULL;
    enum ec_code code = page_available(reterr);
    if (code == EC_OK)
        code = ec_output_open(&p.output, "the report", path, &cli_interrupt_unfinished, reterr);
    if (code != EC_OK)
        return code;
    const char *what = json_string_value(json_object_get(
        stored->result, stored->kind == CLI_STORED_REGRESS ? "baseline" : "topology"));
    if (asprintf(&title, "%s%s%s", stored->kind == CLI_STORED_REGRESS ? "regression" : "sweep",
                 what ? ", " : "", what ? what : "") < 0)
        title = NULL;
    const struct page_data data = {.kind = stored->kind_name,
                                   .title = title,
                                   .command = stored->command,
                                   .version = EC_VERSION,
                                   .result = stored->result,
                                   .replayed = true};
    code = write_page(&p, &data, reterr);
    free(title);
    cli_page_close(&p);
    return code;
}

void cli_page_text(const struct cli_page *p, FILE *out)
{
    fprintf(out,
            "  report      %s: %zu channels, %zu packet%s, %.1f MB; open it in a web browser\n",
            p->path, p->channels, p->packets, p->packets == 1 ? "" : "s", (double)p->bytes / 1e6);
}
