/* SPDX-License-Identifier: Apache-2.0 */
/* From words to objects. Knows the order in which the library's parsers need each other. */
#include "program/case/case.h"

#include <stdio.h>
#include <string.h>

#include "program/case/best.h"

static bool is_direct(const struct cli_job *job)
{
    return !job->spec.algorithm || strcmp(job->spec.algorithm, "direct") == 0;
}

/* A schedule that uses all links of a node at once needs a local port for each. */
static enum ec_code choose_ports(struct cli_case *c, struct ec_error *reterr)
{
    if (!c->schedule->all_ports || c->router.ports == EC_PORTS_ALL)
        return EC_OK;
    if (ec_case_spec_has_ports(&c->job->spec))
        return ec_fail(reterr, EC_USAGE,
                       "algorithm '%s' uses all links of a node at once: it needs ports=all in "
                       "--router, or no ports= at all",
                       c->schedule->algorithm);
    c->router.ports = EC_PORTS_ALL;
    c->ports_chosen = true;
    return EC_OK;
}

/* The schedule named, and its messages. */
static enum ec_code make_schedule(struct cli_case *c, struct ec_workload **ret_played,
                                  struct ec_error *reterr)
{
    const struct cli_job *job = c->job;
    cli_progress_say(c->progress, "%s %s: making the schedule '%s'", job->spec.topology,
                     job->spec.workload, job->spec.algorithm);
    enum ec_code code =
        ec_schedule_open(&c->topology, c->workload, job->spec.algorithm, &c->schedule, reterr);
    if (code == EC_OK)
        code = choose_ports(c, reterr);
    if (code == EC_OK)
        code = ec_schedule_workload(c->schedule, c->workload, job->spec.sync, job->spec.local_cost,
                                    ret_played, reterr);
    return code;
}

/* The fastest schedule, or none, under the name "best (...)". */
static enum ec_code choose_schedule(struct cli_case *c, struct ec_workload **ret_played,
                                    struct ec_error *reterr)
{
    const enum ec_code code = cli_best_choose(c, &c->schedule, ret_played, reterr);
    if (code != EC_OK)
        return code;
    char *name = c->schedule ? c->schedule->algorithm : c->direct;
    const size_t size = c->schedule ? sizeof c->schedule->algorithm : sizeof c->direct;
    const int length =
        snprintf(name, size, "%s (%s)", c->job->spec.algorithm, c->best->list[0].algorithm);
    if (length < 0 || (size_t)length >= size)
        return ec_fail(reterr, EC_USAGE, "--algorithm '%.40s...': the name is too long",
                       c->job->spec.algorithm);
    return EC_OK;
}

/* Put the messages of the algorithm's schedule in the place of the workload's own. */
static enum ec_code open_schedule(struct cli_case *c, struct ec_error *reterr)
{
    struct ec_workload *played = NULL;
    const enum ec_code code = ec_case_spec_chooses(&c->job->spec)
                                  ? choose_schedule(c, &played, reterr)
                                  : make_schedule(c, &played, reterr);
    if (played) {
        ec_workload_close(c->workload);
        c->workload = played;
    }
    return code;
}

enum ec_code cli_case_open(const struct cli_job *job, struct cli_progress *progress,
                           struct cli_pool *pool, struct cli_case *ret, struct ec_error *reterr)
{
    struct cli_case c = {.job = job, .progress = progress, .pool = pool, .direct = "direct"};
    cli_progress_say(progress, "%s %s: making the workload", job->spec.topology,
                     job->spec.workload);
    enum ec_code code = ec_topology_parse(job->spec.topology, &c.topology, reterr);
    if (code == EC_OK)
        code = ec_router_parse(job->spec.router, &c.topology, &c.router, reterr);
    if (code == EC_OK) {
        ec_topology_format(&c.topology, c.topology_text, sizeof c.topology_text);
        code =
            ec_workload_open(job->spec.workload, &c.topology, job->spec.seed, &c.workload, reterr);
    }
    if (code == EC_OK && job->spec.has_warmup && !job->spec.warmup_optional &&
        !c.workload->open_loop)
        code = ec_fail(reterr, EC_USAGE,
                       "--warmup is of open-loop workloads (rate=): '%.100s' is measured from its "
                       "first word",
                       job->spec.workload);
    if (code == EC_OK && !is_direct(job))
        code = open_schedule(&c, reterr);
    else if (code == EC_OK && (job->spec.has_sync || job->spec.local_cost))
        code = ec_fail(reterr, EC_USAGE,
                       "%s needs --algorithm NAME: direct traffic has no steps (`ecube list "
                       "algorithms` names those that have)",
                       job->spec.has_sync ? "--sync" : "--local-cost");
    if (code == EC_OK)
        code = ec_router_set_packet(&c.router, job->spec.packet, c.workload->longest, reterr);
    if (code != EC_OK) {
        cli_case_close(&c);
        return code;
    }
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
    return c->schedule ? c->schedule->algorithm : c->direct;
}

void cli_case_close(struct cli_case *c)
{
    ec_audit_close(c->audit);
    ec_schedule_close(c->schedule);
    cli_best_close(c->best);
    ec_workload_close(c->workload);
    *c = (struct cli_case){0};
}
