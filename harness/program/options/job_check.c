/* SPDX-License-Identifier: Apache-2.0 */
/* Options that need or exclude each other: what can only be said when all words have been seen.
 *
 * Knows the values; nothing of how they are written. */
#include <string.h>

#include "program/options/job_parse.h"
#include "terminal/arguments.h"

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
    if (job->soak && (job->spec.topology || job->from || job->output || job->format != CLI_TEXT))
        return ec_fail(e, EC_USAGE,
                       "--soak draws topologies and workloads itself, and reports in "
                       "text: it goes without TOPOLOGY, --from, --output and --format");
    if (job->soak && !job->time && !job->spec.has_cycles)
        return ec_fail(e, EC_USAGE,
                       "--soak needs an end: --time SECONDS or --cycles ROUTER-CYCLES");
    return EC_OK;
}

/* Options of a comparison that have nothing to do there. */
static enum ec_code check_compare_unused(const struct cli_job *job, struct ec_error *e)
{
    static const char rtl[] = "rtl";
    const char *drawn = job->spec.router            ? "--router"
                        : job->spec.algorithm       ? "--algorithm"
                        : job->spec.has_sync        ? "--sync"
                        : job->spec.local_cost      ? "--local-cost"
                        : job->spec.packet          ? "--packet"
                        : job->spec.startup         ? "--startup"
                        : job->spec.has_warmup      ? "--warmup"
                        : job->spec.eject_stall > 0 ? "--eject-stall"
                        : job->verbose              ? "--verbose"
                                                    : NULL;
    if (job->soak && drawn)
        return ec_fail(e, EC_USAGE, "%s with --soak, which draws such things itself", drawn);
    if (job->spec.rtl && strcmp(job->side[0], rtl) != 0 && strcmp(job->side[1], rtl) != 0)
        return ec_fail(e, EC_USAGE,
                       "--rtl %.60s is the router of a side 'rtl', and no side is that: they are "
                       "'%.60s' and '%.60s'",
                       job->spec.rtl, job->side[0], job->side[1]);
    if (job->deliveries && job->failure_dir)
        return ec_fail(e, EC_USAGE, "--failure-dir with --deliveries, which leaves no waves");
    return EC_OK;
}

/* Options of an output that is not asked for. */
static enum ec_code check_output(const struct cli_job *job, struct ec_error *e)
{
    if (job->quiet && job->verbose)
        return ec_fail(e, EC_USAGE, "--quiet and --verbose contradict each other");
    if (job->packets && job->format != CLI_JSON)
        return ec_fail(e, EC_USAGE, "--packets needs --format json: packets are no part of %s",
                       job->format == CLI_CSV ? "a table of runs" : "the report for a person");
    if (job->failure_dir && job->no_failure_wave && !job->in_batch)
        return ec_fail(e, EC_USAGE, "--failure-dir and --no-failure-wave contradict each other");
    return EC_OK;
}

enum ec_code cli_job_check(const struct cli_job *job, struct ec_error *e)
{
    enum ec_code code = check_output(job, e);
    if (code == EC_OK)
        code = cli_check_own_router(job->spec.rtl, job->spec.top, e);
    if (code != EC_OK)
        return code;
    if (job->spec.backend == EC_BACKEND_FLAT && job->spec.shuffle)
        return ec_fail(e, EC_USAGE,
                       "--shuffle with --backend flat: all routers are one model there; choose the "
                       "backend tiles");
    if (job->spec.backend == EC_BACKEND_SYSTEMC &&
        (job->spec.rtl || job->spec.random_init || job->spec.shuffle))
        return ec_fail(e, EC_USAGE,
                       "--%s with --backend systemc: there is no RTL in that model; choose the "
                       "backend tiles",
                       job->spec.rtl           ? "rtl"
                       : job->spec.random_init ? "random-init"
                                               : "shuffle");
    if (job->from && job->spec.topology)
        return ec_fail(e, EC_USAGE,
                       "--from %.60s gives the topologies and workloads; '%.60s' is "
                       "one too many",
                       job->from, job->spec.topology);
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
        code = check_compare(job, e);
        if (code == EC_OK)
            code = check_compare_unused(job, e);
        if (code != EC_OK || job->soak)
            return code;
    }
    if (!job->from && !job->spec.workload)
        return ec_fail(e, EC_USAGE,
                       "%s missing: expected %sTOPOLOGY WORKLOAD, for example %scube:3 "
                       "shift:q=5,m=64",
                       job->spec.topology ? "the workload is" : "topology and workload are",
                       job->two_sides ? "A B " : "", job->two_sides ? "tiles flat " : "");
    return EC_OK;
}
