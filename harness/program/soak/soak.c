/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of a soak: one comparison after the other, each a process of its own with a command line
 * that anybody can repeat. Knows processes and exit statuses; what is compared it only passes on.
 */
#include "program/soak/soak.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "program/soak/draws.h"
#include "terminal/interrupt.h"
#include "terminal/output.h"
#include "terminal/status.h"

struct soak {
    const struct cli_job *job;
    struct cli_progress *progress;
    bool wired;
    struct timespec begin;
    uint64_t comparisons, router_cycles;
};

/* What a comparison said. */
struct said {
    int status; /* of the process; negative: a signal ended it */
    uint64_t router_cycles;
    uint64_t differs; /* the cycle; 0: none known */
};

static double seconds(const struct soak *s)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - s->begin.tv_sec) + (double)(now.tv_nsec - s->begin.tv_nsec) * 1e-9;
}

/* "ecube compare A B TOPOLOGY WORKLOAD OPTION...": what the user may repeat. */
static bool command_of(const struct soak *s, const struct soak_case *c, struct cli_words *ret)
{
    const struct cli_job *job = s->job;
    bool good = cli_words_put(ret, "ecube") && cli_words_put(ret, "compare") &&
                cli_words_put(ret, job->side[0]) && cli_words_put(ret, job->side[1]) &&
                soak_words(c, ret);
    if (job->spec.rtl)
        good = good && cli_words_put(ret, "--rtl") && cli_words_put(ret, job->spec.rtl) &&
               cli_words_put(ret, "--top") && cli_words_put(ret, job->spec.top);
    if (job->deliveries)
        good = good && cli_words_put(ret, "--deliveries");
    return good;
}

static json_t *read_all(int from)
{
    FILE *file = fdopen(from, "r");
    if (!file) {
        close(from);
        return NULL;
    }
    json_t *object = json_loadf(file, 0, NULL);
    while (getc(file) != EOF) /* let the child write to its end */
        ;
    fclose(file);
    return object;
}

static void take(const json_t *object, struct said *said)
{
    const json_t *divergence = json_object_get(object, "divergence");
    const json_t *cycles = json_object_get(object, "simulated_cycles");
    if (!json_is_integer(cycles)) /* of --deliveries: each side has its own */
        cycles = json_object_get(json_object_get(object, "deliveries"), "a_cycles");
    said->router_cycles = (uint64_t)(json_integer_value(json_object_get(object, "nodes")) *
                                     json_integer_value(cycles));
    said->differs = (uint64_t)json_integer_value(json_object_get(divergence, "cycle"));
}

/* One comparison in a process of its own. */
static enum ec_code compare(const struct soak *s, const struct soak_case *c, struct said *ret,
                            struct ec_error *e)
{
    struct cli_words words = {0};
    int ends[2] = {-1, -1};
    pid_t child;
    struct said said = {0};
    if (!command_of(s, c, &words) || !cli_words_put(&words, "--format") ||
        !cli_words_put(&words, "json") || !cli_words_put(&words, "--no-failure-wave") ||
        (s->job->quiet && !cli_words_put(&words, "--quiet"))) {
        cli_words_free(&words);
        return ec_fail(e, EC_MEMORY, "out of memory");
    }
    enum ec_code code = pipe2(ends, O_CLOEXEC) == 0
                            ? ec_process_again(words.at, ends[1], &child, e)
                            : ec_fail(e, EC_IO, "cannot create a pipe: %s", strerror(errno));
    cli_words_free(&words);
    if (ends[1] >= 0)
        close(ends[1]);
    if (code != EC_OK) {
        if (ends[0] >= 0)
            close(ends[0]);
        return code;
    }
    json_t *object = read_all(ends[0]);
    said.status = ec_process_reap(child);
    take(object, &said);
    json_decref(object);
    *ret = said;
    return EC_OK;
}

/* A difference, or a crash: not an error of the soak itself. */
static bool failed(const struct said *said)
{
    return said->status == CLI_FAILED || said->status < 0;
}

static void tell(const struct soak *s)
{
    cli_progress_say(s->progress, "soak: %" PRIu64 " comparisons, %.1f M router-cycles",
                     s->comparisons, (double)s->router_cycles / 1e6);
}

/* Smaller cases, as long as they fail too; false if none did. */
static bool shrink(struct soak *s, struct soak_case *c, struct said *said)
{
    bool more = true, shrunk = false, ret = false;
    for (unsigned way = 0; !cli_interrupted(); way++) {
        struct soak_case smaller = *c;
        struct said now;
        const bool can = soak_shrink(&smaller, way, said->differs, s->wired, &more);
        if (!more && !shrunk)
            break;
        if (!more) { /* what was impossible may have become possible */
            way = (unsigned)-1;
            shrunk = false;
            continue;
        }
        if (!can || compare(s, &smaller, &now, NULL) != EC_OK || !failed(&now))
            continue;
        *c = smaller;
        *said = now;
        shrunk = ret = true;
        way--; /* again in the same way */
        tell(s);
    }
    return ret;
}

static void put_command(const struct soak *s, const struct soak_case *c, const char *label)
{
    struct cli_words words = {0};
    char *text = command_of(s, c, &words) ? cli_words_quote(words.at, words.count) : NULL;
    printf("  %-10s  %s\n", label, text ? text : "(out of memory)");
    free(text);
    cli_words_free(&words);
}

/* The failing comparison once more, for the reader: place, values, waves. */
static void show(const struct soak *s, const struct soak_case *c)
{
    struct cli_words words = {0};
    struct ec_error e;
    pid_t child;
    bool good = command_of(s, c, &words);
    if (s->job->failure_dir)
        good = good && cli_words_put(&words, "--failure-dir") &&
               cli_words_put(&words, s->job->failure_dir);
    if (s->job->no_failure_wave)
        good = good && cli_words_put(&words, "--no-failure-wave");
    if (!good)
        printf("  (out of memory)\n");
    else if (ec_process_again(words.at, -1, &child, &e) == EC_OK)
        ec_process_reap(child);
    else
        printf("  (%s)\n", e.message);
    cli_words_free(&words);
}

static void report_failure(struct soak *s, struct soak_case c, struct said said)
{
    const struct soak_case drawn = c;
    cli_progress_erase(s->progress);
    printf("DIFFER  %s, %s  after %" PRIu64 " random configurations%s\n", s->job->side[0],
           s->job->side[1], s->comparisons, said.status < 0 ? ": the comparison crashed" : "");
    put_command(s, &drawn, "found by");
    fflush(stdout);
    const bool smaller = shrink(s, &c, &said);
    cli_progress_erase(s->progress);
    if (smaller)
        put_command(s, &c, "smaller");
    show(s, &c);
}

static bool over(const struct soak *s)
{
    return (s->job->time && seconds(s) >= (double)s->job->time) ||
           (s->job->spec.has_cycles && s->router_cycles >= s->job->spec.cycles);
}

int cli_soak(const struct cli_job *job, struct cli_progress *progress)
{
    struct soak s = {.job = job, .progress = progress};
    struct ec_error e;
    for (unsigned k = 0; k < 2; k++)
        s.wired = s.wired || strcmp(job->side[k], "flat") == 0;
    cli_interrupt_catch();
    clock_gettime(CLOCK_MONOTONIC, &s.begin);
    tell(&s);
    while (!over(&s) && !cli_interrupted()) {
        const struct soak_case c =
            soak_draw(job->spec.seed, s.comparisons, s.wired, job->deliveries);
        struct said said;
        if (compare(&s, &c, &said, &e) != EC_OK)
            return (int)cli_complain(NULL, &e);
        if (cli_interrupted() || said.status == CLI_INTERRUPTED)
            break;
        s.comparisons++;
        s.router_cycles += said.router_cycles;
        tell(&s);
        if (failed(&said)) {
            report_failure(&s, c, said);
            return (int)CLI_FAILED;
        }
        if (said.status != CLI_OK) { /* it has said why */
            cli_progress_erase(progress);
            put_command(&s, &c, "failed");
            return said.status;
        }
    }
    cli_progress_erase(progress);
    printf("%s  %s, %s  %" PRIu64 " random configurations, %" PRIu64 " router-cycles, %.0f s\n",
           over(&s) ? "AGREE" : "PARTIAL", job->side[0], job->side[1], s.comparisons,
           s.router_cycles, seconds(&s));
    const int status = (int)cli_output_flush(stdout, "standard output");
    return over(&s) ? status : (int)CLI_INTERRUPTED;
}
