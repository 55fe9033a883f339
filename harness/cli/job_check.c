/* SPDX-License-Identifier: Apache-2.0 */
/* Options that need or exclude each other: what can only be said when all words have been seen.
 *
 * Knows the values; nothing of how they are written. */
#include "job_parse.h"

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

enum ec_code cli_job_check_own(const char *rtl, const char *top, struct ec_error *e)
{
    if (top && !rtl)
        return ec_fail(e, EC_USAGE, "--top %.60s needs --rtl FILES, the sources of that module",
                       top);
    if (rtl && !top)
        return ec_fail(e, EC_USAGE, "--rtl %.60s needs --top NAME, the router module in there",
                       rtl);
    return EC_OK;
}

enum ec_code cli_job_check(const struct cli_job *job, struct ec_error *e)
{
    if (job->quiet && job->verbose)
        return ec_fail(e, EC_USAGE, "--quiet and --verbose contradict each other");
    const enum ec_code own = cli_job_check_own(job->rtl, job->top, e);
    if (own != EC_OK)
        return own;
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
