/* SPDX-License-Identifier: Apache-2.0 */
/* ecube-bench: how fast networks run and shapes build, on one core, with all checks on. Nothing
 * here fails because of a time; it fails if a check of a run does. */
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

static bool wanted(const struct arguments *a, const char *name)
{
    return a->only == NULL || strstr(name, a->only) != NULL;
}

/* Both measure, print and collect; they return the number of cases that failed. */
static unsigned measure_loads(const struct arguments *a, json_t *list)
{
    unsigned failed = 0, shown = 0;
    for (size_t i = 0; i < bench_load_count; i++) {
        const struct bench_load *c = &bench_loads[i];
        struct bench_load_result result;
        if (!wanted(a, c->name))
            continue;
        if (shown++ == 0)
            bench_print_load_heading();
        bench_measure_load(c, a->repeat, &result);
        bench_print_load(c, &result);
        json_array_append_new(list, bench_load_json(c, &result));
        failed += !result.passed;
    }
    return failed;
}

static unsigned measure_builds(const struct arguments *a, json_t *list)
{
    unsigned failed = 0, shown = 0;
    for (size_t i = 0; i < bench_build_count; i++) {
        const struct bench_build *c = &bench_builds[i];
        struct bench_build_result result;
        if (!wanted(a, c->name))
            continue;
        if (shown++ == 0)
            bench_print_build_heading();
        bench_measure_build(c, &result);
        bench_print_build(c, &result);
        json_array_append_new(list, bench_build_json(c, &result));
        failed += !result.passed;
    }
    return failed;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "Measure ecube: million router-cycles per second of whole runs, the time to build "
               "router shapes, and peak memory."};
    struct arguments a = {.repeat = 5};
    argp_err_exit_status = 2;
    argp_parse(&argp, argc, argv, 0, NULL, &a);

    json_t *loads = json_array(), *builds = json_array();
    const unsigned failed = measure_loads(&a, loads) + measure_builds(&a, builds);
    int status = failed > 0 ? 1 : 0;
    if (json_array_size(loads) + json_array_size(builds) == 0) {
        fprintf(stderr, "%s: no case is named like '%s'\n", argv[0], a.only);
        status = 2;
    }
    json_t *all = json_pack("{s:s, s:s, s:o, s:o}", "schema", "ecube-bench-1", "version",
                            EC_VERSION, "loads", loads, "builds", builds);
    if (a.json != NULL && (all == NULL || json_dump_file(all, a.json, JSON_INDENT(2)) != 0)) {
        fprintf(stderr, "%s: cannot write %s: %s\n", argv[0], a.json, strerror(errno));
        status = 2;
    }
    json_decref(all);
    return status;
}
