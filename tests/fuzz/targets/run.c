/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs on the compiled router: small networks, closed workloads, all modes. Every run of our
 * own router that cannot deadlock must pass all its checks; in two parts, and with routers stepped
 * in another order, it must be the same.
 *
 * Bytes of the input choose; the rest of it is a trace. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network.h"
#include "program/options/job.h"

/* Networks that the shapes of fuzz_networks serve, by their index. */
static const struct {
    unsigned shape;
    const char *topology;
} networks[] = {
    {0, "cube:1"},    {0, "cube:2"},    {0, "cube:3"},    {1, "torus:4x4"}, {1, "torus:3x5"},
    {1, "ring:5"},    {1, "torus:2x4"}, {2, "torus:4x3"}, {3, "torus:4x4"}, {3, "torus:5x2"},
    {4, "cube:3"},    {4, "cube:2"},    {5, "ring:8"},    {5, "ring:5"},    {6, "torus:4x3"},
    {6, "torus:2x2"}, {7, "mesh:6"},    {7, "mesh:2"},    {8, "mesh:3x4"},  {8, "mesh:2x5"},
};

static const char *const patterns[] = {
    "shift:q=%u", "randperm", "neighbor",  "tornado",          "bitcomp",    "bitrev",
    "shuffle",    "hotspot",  "transpose", "trace:file=t.csv", "bitrev:K=4", "gsh:cycle=1-0,K=2",
};

static const char *const algorithms[] = {
    "direct", "best", "forward", "ring", "per-column", "balanced", "gray-forward",
};

enum { WORDS_MAX = 24, MESSAGES_MAX = 24 };

struct line {
    char text[400];
    size_t used;
};

static void put(struct line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct line *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    l->used += (size_t)vsnprintf(l->text + l->used, sizeof l->text - l->used, format, args);
    va_end(args);
}

/* Messages from the rest of the input; none of them waits for a later one. */
static void write_trace(struct fuzz_bytes *b, uint32_t nodes)
{
    FILE *out = fopen("t.csv", "we");
    if (!out)
        exit(1);
    fputs("id,cycle,source,destination,words,after,delay\n", out);
    for (unsigned id = 0; id < MESSAGES_MAX && (b->left > 0 || id == 0); id++) {
        const unsigned cycle = 1 + fuzz_below(b, 64), src = fuzz_below(b, nodes);
        fprintf(out, "%u,%u,%u,%u,%u,", id, cycle, src, fuzz_below(b, nodes),
                1 + fuzz_below(b, WORDS_MAX));
        const unsigned after = fuzz_byte(b);
        if (after % 2 && id > 0)
            fprintf(out, "%u,%u\n", after % id, after / 16);
        else
            fputs(",\n", out);
    }
    fclose(out);
}

/* "TOPOLOGY WORKLOAD OPTION..."; *ret_safe: no deadlock is possible. */
static void choose(struct fuzz_bytes *b, struct line *l, bool *ret_safe)
{
    const unsigned network = fuzz_below(b, sizeof networks / sizeof *networks);
    const struct fuzz_network *n = &fuzz_networks[networks[network].shape];
    const unsigned pattern = fuzz_below(b, sizeof patterns / sizeof *patterns);
    const unsigned mode = fuzz_byte(b), depth = 1 + fuzz_below(b, FUZZ_DEPTH_MAX);
    static const char *const switching[] = {"wormhole", "cut-through", "store-and-forward"};
    struct ec_topology t;
    if (ec_topology_parse(networks[network].topology, &t, NULL) != EC_OK)
        fuzz_fail("%s is no topology", networks[network].topology);
    put(l, "%s ", networks[network].topology);
    put(l, patterns[pattern], 1 + fuzz_below(b, 16));
    if (!strstr(patterns[pattern], "file="))
        put(l, "%sm=%u", strchr(patterns[pattern], ':') ? "," : ":", 1 + fuzz_below(b, WORDS_MAX));
    put(l, " --router %s,depth=%u,switching=%s,order=%s", n->router, depth, switching[mode % 3],
        mode & 4 ? "high" : "low");
    if (!strstr(n->router, "ports=")) /* an algorithm with all ports needs another shape */
        put(l, ",ports=one");
    *ret_safe = (mode & 24) != 24 || strstr(n->router, "vcs=1") != NULL;
    if (!*ret_safe)
        put(l, ",dateline=off");
    if ((mode & 96) == 96)
        put(l, ",link=%u", 1 + fuzz_below(b, 5));
    if (mode & 128)
        put(l, " --packet %u", 1 + fuzz_below(b, depth));
    const unsigned more = fuzz_byte(b);
    if (more & 1)
        put(l, " --startup %u", fuzz_below(b, 20));
    if ((more & 6) == 6)
        put(l, " --eject-stall 0.%u", fuzz_below(b, 9));
    if ((more & 24) == 24)
        put(l, " --algorithm %s",
            algorithms[fuzz_below(b, sizeof algorithms / sizeof *algorithms)]);
    put(l, " --seed %u", fuzz_byte(b));
    write_trace(b, t.nodes);
}

static void check(const struct ec_report *r, const char *line, bool safe)
{
    if (r->passed || (!safe && r->outcome == EC_RUN_DEADLOCK))
        return;
    for (unsigned k = 0; k < EC_CHECK_COUNT; k++) {
        if (r->checks[k].verdict == EC_VERDICT_FAIL)
            fuzz_fail("%s: %s: %s", line, ec_check_name(k), r->checks[k].detail);
    }
    fuzz_fail("%s: the run does not pass", line);
}

static struct ec_report *run(const char *line, const struct ec_case_spec *how)
{
    static struct ec_session *session;
    struct cli_words words = {0};
    struct cli_job job = cli_job_default();
    struct ec_case *c = NULL;
    struct ec_report *report = NULL;
    struct ec_error e;
    job.spec = *how;
    enum ec_code code = session ? EC_OK : ec_session_open(NULL, &session, &e);
    if (code == EC_OK)
        code = cli_job_read(line, CLI_LINE, &words, &job, &e);
    if (code == EC_OK)
        code = ec_case_open(session, &job.spec, &c, &e);
    if (code == EC_OK)
        code = ec_case_run(c, NULL, &report, &e);
    fuzz_check_error(code, &e);
    ec_case_close(c);
    cli_job_free(&job);
    cli_words_free(&words);
    return report;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes b = {data, size};
    struct line l = {.used = 0};
    struct ec_case_spec how = ec_case_spec_default();
    bool safe;
    fuzz_enter_folder();
    const unsigned other = fuzz_byte(&b);
    choose(&b, &l, &safe);
    struct ec_report *first = run(l.text, &how);
    if (!first)
        return 0; /* not all combinations exist */
    check(first, l.text, safe);
    how.threads = other % 8 == 7 ? 2 : 0;
    how.shuffle = other % 8 == 6 ? other : 0;
    how.no_sleep = other % 8 == 5;
    struct ec_report *second = other % 8 >= 5 ? run(l.text, &how) : NULL;
    if (second && (second->digest != first->digest || second->cycles != first->cycles ||
                   second->contended_cycles != first->contended_cycles))
        fuzz_fail("%s: %" PRIu64 " cycles; in another way (%u) %" PRIu64, l.text, first->cycles,
                  other % 8, second->cycles);
    ec_report_close(second);
    ec_report_close(first);
    return 0;
}
