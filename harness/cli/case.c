/* SPDX-License-Identifier: Apache-2.0 */
/* From words to objects. Knows the order in which the library's parsers need each other. */
#include "case.h"

enum ec_code cli_case_open(const struct cli_job *job, struct cli_case *ret, struct ec_error *reterr)
{
    struct cli_case c = {.job = job};
    enum ec_code code = ec_topology_parse(job->topology, &c.topology, reterr);
    if (code == EC_OK)
        code = ec_router_parse(job->router, &c.topology, &c.router, reterr);
    if (code == EC_OK)
        code = ec_workload_open(job->workload, &c.topology, job->seed, &c.workload, reterr);
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
    return ec_audit_open(&c->topology, &c->router, c->workload, with_words, &c->audit, reterr);
}

void cli_case_close(struct cli_case *c)
{
    ec_audit_close(c->audit);
    ec_workload_close(c->workload);
    *c = (struct cli_case){0};
}
