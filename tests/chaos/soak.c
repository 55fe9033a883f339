/* SPDX-License-Identifier: Apache-2.0 */
/* Thousands of runs in one process: some pass, some fail, deadlock, are refused or interrupted.
 * After a tenth of them neither memory, nor descriptors, nor threads may grow. Usage: soak RUNS.
 */
#include <dirent.h>
#include <ecube/host.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program/options/job.h"

enum { RUNS_OF_SESSION = 50, INTERRUPTED_EVERY = 400 };

/* What the C library and its allocator keep for themselves. */
enum { BYTES_MORE = 64 << 10, RSS_MORE = 4 << 20 };

/* Of each kind of run the arguments and the outcome; `code` other than EC_OK: it is refused. */
static const struct kind {
    const char *words;
    enum ec_code code;
    enum ec_outcome outcome;
    bool passed;
    uint32_t threads;
} kinds[] = {
    {"cube:3 shift:q=5,m=4", EC_OK, EC_RUN_FINISHED, true, 0},
    {"cube:3 uniform:rate=0.2,m=4 --cycles 200 --warmup 50", EC_OK, EC_RUN_FINISHED, false, 0},
    {"cube:3 shift:q=3 --algorithm best", EC_OK, EC_RUN_FINISHED, true, 0},
    {"cube:3 shift:q=8", EC_USAGE, EC_RUN_FINISHED, false, 0},
    {"torus:4x4 shift:q=5,m=8", EC_OK, EC_RUN_FINISHED, true, 0},
    {"cube:3 bitcomp:m=8", EC_OK, EC_RUN_FINISHED, true, 2},
    {"torus:4x4 uniform:rate=0.6,m=16 --router vcs=1", EC_OK, EC_RUN_DEADLOCK, false, 0},
    {"cube:3 perm:file=missing.csv", EC_IO, EC_RUN_FINISHED, false, 0},
    {"cube:3 gsh:cycle=4-1+3-2,K=4 --algorithm best", EC_OK, EC_RUN_FINISHED, true, 0},
    {"mesh:3x3 transpose:m=4", EC_OK, EC_RUN_FINISHED, true, 2},
    {"cube:40 shift:q=1", EC_USAGE, EC_RUN_FINISHED, false, 0},
};
static const struct kind endless = {"cube:3 uniform:rate=0.2,m=8 --cycles 100000000000", EC_OK,
                                    EC_RUN_INTERRUPTED, false, 0};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool end_it(void *context, uint64_t cycle, uint64_t done, uint64_t all)
{
    (void)context, (void)cycle, (void)done, (void)all;
    return false;
}

/* With `interrupt` the run is ended as soon as it can be. */
static enum ec_code run(struct ec_session *session, const struct kind *k, bool interrupt,
                        struct ec_report **ret, struct ec_error *e)
{
    struct cli_words words = {0};
    struct cli_job job = cli_job_default();
    struct ec_case *c = NULL;
    enum ec_code code = cli_job_read(k->words, CLI_LINE, &words, &job, e);
    job.spec.threads = k->threads;
    if (code == EC_OK)
        code = ec_case_open(session, &job.spec, &c, e);
    if (code == EC_OK) {
        struct ec_run_options options = ec_case_run_options(c);
        if (interrupt)
            options.progress = end_it;
        code = ec_case_run(c, &options, ret, e);
    }
    ec_case_close(c);
    cli_job_free(&job);
    cli_words_free(&words);
    return code;
}

/* Messages of an application; they are left behind under way. */
static enum ec_code host(struct ec_session *session, struct ec_error *e)
{
    struct ec_case_spec spec = ec_case_spec_default();
    struct ec_case *c = NULL;
    struct ec_net *net;
    struct ec_host *h = NULL;
    spec.topology = "cube:3";
    spec.longest = 4;
    enum ec_code code = ec_case_open(session, &spec, &c, e);
    if (code == EC_OK)
        code = ec_case_net(c, &net, e);
    if (code == EC_OK)
        code = ec_host_open(net, &(struct ec_run_options){.seed = 1}, NULL, NULL, &h, e);
    for (uint32_t node = 1; code == EC_OK && node < 8; node++)
        code = ec_host_send(h, &(struct ec_host_message){.src = node, .words = 4}, e);
    if (code == EC_OK)
        (void)ec_host_step(h, 5);
    ec_host_close(h);
    ec_case_close(c);
    return code;
}

static bool one(struct ec_session *session, unsigned long number)
{
    const struct kind *k = &kinds[number % KINDS];
    struct ec_report *report = NULL;
    struct ec_error e = {.code = EC_OK};
    if (number % INTERRUPTED_EVERY == 0) {
        const enum ec_code code = run(session, &endless, true, &report, &e);
        const bool good = code == EC_OK && report->outcome == EC_RUN_INTERRUPTED;
        ec_report_close(report);
        return good;
    }
    if (number % KINDS == 1 && host(session, &e) != EC_OK)
        return false;
    const enum ec_code code = run(session, k, false, &report, &e);
    const bool good =
        code == k->code &&
        (code != EC_OK || (report->outcome == k->outcome && (report->passed || !k->passed)));
    if (!good)
        printf("# run %lu, %s: code %d, outcome %d: %s\n", number, k->words, (int)code,
               report != NULL ? (int)report->outcome : -1, e.message);
    ec_report_close(report);
    return good;
}

/* --- What it uses ----------------------------------------------------------------------------- */

struct use {
    size_t bytes, rss, files, threads;
};

static size_t count_names(const char *folder)
{
    DIR *d = opendir(folder);
    size_t count = 0;
    while (d != NULL && readdir(d) != NULL)
        count++;
    if (d != NULL)
        closedir(d);
    return count;
}

static struct use measure(void)
{
    unsigned long pages = 0;
    FILE *in = fopen("/proc/self/statm", "r");
    if (in == NULL || fscanf(in, "%*u %lu", &pages) != 1)
        pages = 0;
    if (in != NULL)
        fclose(in);
    return (struct use){.bytes = mallinfo2().uordblks,
                        .rss = pages * (size_t)sysconf(_SC_PAGESIZE),
                        .files = count_names("/proc/self/fd"),
                        .threads = count_names("/proc/self/task")};
}

static void print_use(const char *when, const struct use *u)
{
    printf("# %s: %zu bytes allocated, %zu kB resident, %zu descriptors, %zu threads\n", when,
           u->bytes, u->rss >> 10, u->files - 3, u->threads - 2);
}

/* A test of TAP; returns the number of failures. */
static unsigned tell(unsigned number, bool good, const char *sentence)
{
    printf("%sok %u - %s\n", good ? "" : "not ", number, sentence);
    return !good;
}

int main(int argc, char **argv)
{
    const unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    struct ec_session *session = NULL;
    struct ec_error e;
    struct use begin = {0}, end;
    unsigned long wrong = 0;
    unsigned failed = 0;
    for (unsigned long i = 0; i < runs; i++) {
        if (i % RUNS_OF_SESSION == 0) {
            ec_session_close(session);
            if (begin.bytes == 0 && i >= runs / 10)
                begin = measure();
            session = NULL;
            if (ec_session_open(NULL, &session, &e) != EC_OK)
                return 1;
        }
        wrong += !one(session, i);
    }
    ec_session_close(session);
    end = measure();
    print_use("after a tenth", &begin);
    print_use("at the end", &end);
    printf("1..5\n");
    failed += tell(1, wrong == 0, "every run has its outcome");
    failed += tell(2, end.bytes <= begin.bytes + BYTES_MORE, "no allocation is left behind");
    failed += tell(3, end.rss <= begin.rss + RSS_MORE, "the process does not grow");
    failed += tell(4, end.files == begin.files, "all descriptors are closed");
    failed += tell(5, end.threads == begin.threads, "all threads have ended");
    return failed > 0;
}
