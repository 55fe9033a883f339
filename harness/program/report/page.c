/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a run (--report): what goes into it. Must not know how it is written. */
#include "page/page.h"

#include <stdio.h>
#include <stdlib.h>

#include "program/report/report.h"
#include "terminal/interrupt.h"

enum { LISTED_LINKS_MOST = 8192 }; /* with more, the record in the page has no lists of channels */

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

/* "torus:8x8 uniform:rate=0.2,m=8"; malloc'd. */
static char *title_of(const struct ec_case *c)
{
    char *title = NULL;
    const bool direct = !c->schedule;
    if (asprintf(&title, "%s %s%s%s", c->topology_text, c->workload->text, direct ? "" : ", ",
                 direct ? "" : c->algorithm) < 0)
        return NULL;
    return title;
}

static enum ec_code write_page(struct cli_page *p, const struct page_data *data,
                               struct ec_error *reterr)
{
    if (!page_write(data, p->output.file))
        return ec_fail(reterr, EC_MEMORY, "out of memory while writing the report");
    p->bytes = (uint64_t)ftello(p->output.file);
    return ec_output_commit(&p->output, reterr);
}

enum ec_code cli_page_finish(struct cli_page *p, const struct cli_run_result *r,
                             struct ec_error *reterr)
{
    const struct ec_recording *recording;
    enum ec_code code = ec_recorder_finish(p->recorder, &recording, reterr);
    if (code != EC_OK)
        return code;
    const struct ec_topology *t = &r->c->topology;
    const bool lists = (uint64_t)t->nodes * ec_topology_links(t) <= LISTED_LINKS_MOST;
    struct cli_run_result shown = *r;
    shown.without_lists = !lists;
    json_t *record = cli_record_run(&shown);
    char *title = title_of(r->c);
    static const char *const no_lists[] = {
        "The lists links, locals, sources and packet_log of the result are left out, because they "
        "would be too long; ecube run --format json has them.",
        NULL};
    const struct page_data data = {.kind = "run",
                                   .title = title,
                                   .command = r->job->command,
                                   .version = EC_VERSION,
                                   .result = record,
                                   .notes = lists ? NULL : no_lists,
                                   .recording = recording,
                                   .topology = t,
                                   .router = &r->c->router,
                                   .report = r->report,
                                   .foreign = r->c->spec.rtl != NULL};
    code = record && title ? write_page(p, &data, reterr)
                           : ec_fail(reterr, EC_MEMORY, "out of memory while writing the report");
    p->channels = recording->channels;
    p->packets = recording->packets;
    free(title);
    json_decref(record);
    return code;
}

void cli_page_text(const struct cli_page *p, FILE *out)
{
    fprintf(out,
            "  report      %s: %zu channels, %zu packet%s, %.1f MB; open it in a web browser\n",
            p->path, p->channels, p->packets, p->packets == 1 ? "" : "s", (double)p->bytes / 1e6);
}
