/* SPDX-License-Identifier: Apache-2.0 */
/* ecube-bench: the speed of runs and comparisons, of making schedules, and of building shapes, on
 * one core with all checks on. A slow result is not a failure; a failed check is. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

struct arguments {
    const char *only; /* NULL: all cases */
    const char *json; /* NULL: none */
    unsigned repeat;
};

static const struct argp_option options[] = {
    {"case", 'c', "SUBSTRING", 0, "measure only the cases whose name contains SUBSTRING", 0},
    {"repeat", 'r', "N", 0, "repetitions of each load; the median is shown (5)", 0},
    {"json", 'j', "FILE", 0, "write all repetitions to FILE as well", 0},
    {0}};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *a = state->input;
    char *end;
    unsigned long n;
    switch (key) {
    case 'c':
        a->only = value;
        return 0;
    case 'j':
        a->json = value;
        return 0;
    case 'r':
        n = strtoul(value, &end, 10);
        if (*end != '\0' || n == 0 || n > BENCH_REPEAT_MAX)
            argp_error(state, "'%s' is not a number of repetitions from 1 to %d", value,
                       BENCH_REPEAT_MAX);
        a->repeat = (unsigned)n;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Each measures case `i`, prints its row and appends it to the list; false if it failed. */

static bool one_load(size_t i, unsigned repeat, json_t *list)
{
    struct bench_load_result result;
    bench_measure_load(&bench_loads[i], repeat, &result);
    bench_print_load(&bench_loads[i], &result);
    json_array_append_new(list, bench_load_json(&bench_loads[i], &result));
    return result.passed;
}

static bool one_comparison(size_t i, unsigned repeat, json_t *list)
{
    struct bench_comparison_result result;
    bench_measure_comparison(&bench_comparisons[i], repeat, &result);
    bench_print_comparison(&bench_comparisons[i], &result);
    json_array_append_new(list, bench_comparison_json(&bench_comparisons[i], &result));
    return result.passed;
}

static bool one_schedule(size_t i, unsigned repeat, json_t *list)
{
    struct bench_schedule_result result;
    bench_measure_schedule(&bench_schedules[i], repeat, &result);
    bench_print_schedule(&bench_schedules[i], &result);
    json_array_append_new(list, bench_schedule_json(&bench_schedules[i], &result));
    return result.passed;
}

static bool one_build(size_t i, unsigned repeat, json_t *list)
{
    struct bench_build_result result;
    (void)repeat; /* seconds of compiling, once */
    bench_measure_build(&bench_builds[i], &result);
    bench_print_build(&bench_builds[i], &result);
    json_array_append_new(list, bench_build_json(&bench_builds[i], &result));
    return result.passed;
}

/* Rows of one table. */
struct group {
    const char *key; /* in JSON */
    const char *(*name)(size_t i);
    void (*heading)(void);
    bool (*one)(size_t i, unsigned repeat, json_t *list);
    size_t count;
};

static const char *load_name(size_t i)
{
    return bench_loads[i].name;
}

static const char *comparison_name(size_t i)
{
    return bench_comparisons[i].name;
}

static const char *schedule_name(size_t i)
{
    return bench_schedules[i].name;
}

static const char *build_name(size_t i)
{
    return bench_builds[i].name;
}

/* Returns the number of cases that failed. */
static unsigned measure(const struct group *g, const struct arguments *a, json_t *list)
{
    unsigned failed = 0, shown = 0;
    for (size_t i = 0; i < g->count; i++) {
        if (a->only != NULL && strstr(g->name(i), a->only) == NULL)
            continue;
        if (shown++ == 0)
            g->heading();
        failed += !g->one(i, a->repeat, list);
    }
    return failed;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "Measure ecube: million router-cycles per second of whole runs and of comparisons, "
               "the time to make and audit schedules and to build router shapes, and peak memory."};
    struct arguments a = {.repeat = 5};
    argp_err_exit_status = 2;
    argp_parse(&argp, argc, argv, 0, NULL, &a);

    const struct group groups[] = {
        {"loads", load_name, bench_print_load_heading, one_load, bench_load_count},
        {"comparisons", comparison_name, bench_print_comparison_heading, one_comparison,
         bench_comparison_count},
        {"schedules", schedule_name, bench_print_schedule_heading, one_schedule,
         bench_schedule_count},
        {"builds", build_name, bench_print_build_heading, one_build, bench_build_count},
    };
    json_t *all = json_pack("{s:s, s:s}", "schema", "ecube-bench-1", "version", EC_VERSION);
    unsigned failed = 0;
    size_t measured = 0;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        json_t *list = json_array();
        failed += measure(&groups[i], &a, list);
        measured += json_array_size(list);
        json_object_set_new(all, groups[i].key, list);
    }
    int status = failed > 0 ? 1 : 0;
    if (measured == 0) {
        fprintf(stderr, "%s: no case matches '%s'\n", argv[0], a.only);
        status = 2;
    }
    if (a.json != NULL && (all == NULL || json_dump_file(all, a.json, JSON_INDENT(2)) != 0)) {
        fprintf(stderr, "%s: cannot write %s: %s\n", argv[0], a.json, strerror(errno));
        status = 2;
    }
    json_decref(all);
    return status;
}
