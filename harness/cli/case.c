/* SPDX-License-Identifier: Apache-2.0 */
/* From words to objects. Knows the order in which the library's parsers need each other. */
#include "case.h"

#include <string.h>

static bool is_direct(const struct cli_job *job)
{
    return !job->algorithm || strcmp(job->algorithm, "direct") == 0;
}

/* Did the user choose the local ports himself? */
static bool chose_ports(const char *router)
{
    for (const char *at = router; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, "ports=", strlen("ports=")) == 0)
            return true;
    }
    return false;
}

/* A schedule that uses all links of a node at once needs a local port for each. */
static enum ec_code choose_ports(struct cli_case *c, struct ec_error *reterr)
{
    if (!c->schedule->all_ports || c->router.ports == EC_PORTS_ALL)
        return EC_OK;
    if (chose_ports(c->job->router))
        return ec_fail(reterr, EC_USAGE,
                       "algorithm '%s' uses all links of a node at once: it needs ports=all in "
                       "--router, or no ports= at all",
                       c->schedule->algorithm);
    c->router.ports = EC_PORTS_ALL;
    c->ports_chosen = true;
    return EC_OK;
}

/* Put the messages of the algorithm's schedule in the place of the workload's own. */
static enum ec_code open_schedule(struct cli_case *c, struct ec_error *reterr)
{
    const struct cli_job *job = c->job;
    struct ec_workload *played;
    cli_progress_say(c->progress, "%s %s: making the schedule '%s'", job->topology, job->workload,
                     job->algorithm);
    enum ec_code code =
        ec_schedule_open(&c->topology, c->workload, job->algorithm, &c->schedule, reterr);
    if (code == EC_OK)
        code = choose_ports(c, reterr);
    if (code == EC_OK)
        code = ec_schedule_workload(c->schedule, c->workload, job->sync, job->local_cost, &played,
                                    reterr);
    if (code != EC_OK)
        return code;
    ec_workload_close(c->workload);
    c->workload = played;
    return EC_OK;
}

enum ec_code cli_case_open(const struct cli_job *job, struct cli_progress *progress,
                           struct cli_case *ret, struct ec_error *reterr)
{
    struct cli_case c = {.job = job, .progress = progress};
    cli_progress_say(progress, "%s %s: making the workload", job->topology, job->workload);
    enum ec_code code = ec_topology_parse(job->topology, &c.topology, reterr);
    if (code == EC_OK)
        code = ec_router_parse(job->router, &c.topology, &c.router, reterr);
    if (code == EC_OK)
        code = ec_workload_open(job->workload, &c.topology, job->seed, &c.workload, reterr);
    if (code == EC_OK && !is_direct(job))
        code = open_schedule(&c, reterr);
    else if (code == EC_OK && (job->has_sync || job->local_cost))
        code = ec_fail(reterr, EC_USAGE,
                       "%s needs --algorithm NAME: direct traffic has no steps (`ecube list "
                       "algorithms` names those that have)",
                       job->has_sync ? "--sync" : "--local-cost");
    if (code == EC_OK)
        code = ec_router_set_packet(&c.router, job->packet, c.workload->longest, reterr);
    if (code != EC_OK) {
        cli_case_close(&c);
        return code;
    }
    ec_topology_format(&c.topology, c.topology_text, sizeof c.topology_text);
    ec_router_format(&c.router, c.router_text, sizeof c.router_text);
    *ret = c;
    return EC_OK;
}

enum ec_code cli_case_audit(struct cli_case *c, bool with_words, struct ec_error *reterr)
{
    if (c->workload->open_loop)
        return EC_OK;
    cli_progress_say(c->progress, "%s %s: auditing", c->topology_text, c->workload->text);
    enum ec_code code =
        ec_audit_open(&c->topology, &c->router, c->workload, with_words, &c->audit, reterr);
    if (code == EC_OK && c->schedule)
        code = ec_schedule_audit(&c->topology, c->router.order, c->schedule, &c->found, reterr);
    return code;
}

const char *cli_case_algorithm(const struct cli_case *c)
{
    return c->schedule ? c->schedule->algorithm : "direct";
}

void cli_case_close(struct cli_case *c)
{
    ec_audit_close(c->audit);
    ec_schedule_close(c->schedule);
    ec_workload_close(c->workload);
    *c = (struct cli_case){0};
}
