/* SPDX-License-Identifier: Apache-2.0 */
/* A model of an application: all nodes ask node 0 for blocks until cycle 2000; it answers after
 * some work. Only these decisions are made here: the library queues the messages, moves them
 * through ecube's RTL, checks them and counts. Usage: service torus:4x4 */
#include <ecube/host.h>
#include <ecube/session.h>
#include <inttypes.h>
#include <stdio.h>

enum { SERVER = 0, END = 2000, BLOCK_WORDS = 16, WORK = 20 };

struct service {
    struct ec_host *host;
    uint64_t blocks, cycles; /* that arrived; from all requests to their blocks */
    struct ec_error error;
};

/* The tag of a request, and of its block, is the cycle in which the client asks. */
static void send(struct service *s, uint32_t src, uint32_t dst, uint32_t words, uint64_t asked)
{
    const uint64_t next = ec_host_cycle(s->host) + 1;
    const struct ec_host_message m = {src, dst, words, asked ? asked : next,
                                      next + (src == SERVER ? WORK : 0)};
    if (next < END || asked)
        ec_host_send(s->host, &m, &s->error);
}

/* A message has arrived: at the server a request, elsewhere a block. */
static void arrived(void *context, const struct ec_host_delivery *d)
{
    struct service *s = context;
    if (d->dst != SERVER) {
        s->blocks++;
        s->cycles += d->delivered - d->tag + 1;
    }
    send(s, d->dst, d->src, d->dst == SERVER ? BLOCK_WORDS : 1, d->dst == SERVER ? d->tag : 0);
}

static enum ec_code serve(struct ec_session *session, const char *topology, struct ec_error *e)
{
    struct ec_case_spec spec = ec_case_spec_default();
    struct service s = {0};
    struct ec_report *report = NULL;
    struct ec_case *c = NULL;
    struct ec_net *net;
    spec.topology = topology;
    spec.longest = BLOCK_WORDS;
    enum ec_code code = ec_case_open(session, &spec, &c, e);
    if (code == EC_OK)
        code = ec_case_net(c, &net, e);
    if (code == EC_OK)
        code = ec_host_open(net, &(struct ec_run_options){.seed = 1}, arrived, &s, &s.host, e);
    for (uint32_t node = 1; code == EC_OK && node < net->topology->nodes; node++)
        send(&s, node, SERVER, 1, 0);
    if (code == EC_OK)
        code = ec_host_finish(s.host, &report, e); /* when all messages have arrived */
    if (code == EC_OK && s.error.code != EC_OK)
        code = ec_fail(e, s.error.code, "%s", s.error.message);
    if (code == EC_OK)
        printf("%" PRIu64 " blocks, %.1f cycles each, in %" PRIu64 " cycles; %s\n", s.blocks,
               (double)s.cycles / (double)s.blocks, report->cycles,
               report->passed ? "passed" : "failed");
    ec_report_close(report);
    ec_host_close(s.host);
    ec_case_close(c);
    return code;
}

int main(int argc, char **argv)
{
    struct ec_session *session = NULL;
    struct ec_error e;
    enum ec_code code = ec_session_open(NULL, &session, &e);
    if (code == EC_OK)
        code = serve(session, argc > 1 ? argv[1] : "torus:4x4", &e);
    if (code != EC_OK)
        fprintf(stderr, "service: %s\n", e.message);
    ec_session_close(session);
    return code != EC_OK;
}
