/* SPDX-License-Identifier: Apache-2.0 */
/* A case without its run: "TOPOLOGY WORKLOAD [OPTION...]", as in a line of a list. Its messages and
 * schedule are made and audited, its cycles predicted and bounded. Small networks only.
 *
 * The input is the line; files that it names (permutations, traces) follow at lines "=== NAME". */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "program/options/job.h"

enum { MESSAGES_MAX = 1 << 16 };

static void check_messages(const struct ec_workload *w)
{
    for (size_t i = 0; !w->open_loop && i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        if (m->src >= w->nodes || m->dst >= w->nodes || m->words == 0)
            fuzz_fail("message %zu of '%s' is not one between nodes", i, w->text);
    }
}

static void try_case(struct ec_case *c)
{
    struct ec_least least;
    struct ec_bounds bounds;
    struct ec_error e;
    uint64_t cycles;
    bool known;
    check_messages(c->workload);
    enum ec_code code = ec_case_check(c, &e);
    fuzz_check_error(code, &e);
    if (c->workload->open_loop) {
        code = ec_case_bounds(c, &bounds, &e);
        fuzz_check_error(code, &e);
        return;
    }
    if (c->workload->message_count > MESSAGES_MAX)
        return;
    code = ec_case_audit(c, true, &e);
    fuzz_check_error(code, &e);
    if (code != EC_OK)
        return;
    code = ec_case_predict(c, &known, &cycles, &e);
    fuzz_check_error(code, &e);
    code = ec_case_least(c, c->router.ports, &least, &e);
    fuzz_check_error(code, &e);
}

static void try_spec(struct ec_case_spec *spec)
{
    struct ec_case *c;
    struct ec_error e;
    if (fuzz_is_large(spec->topology, spec->workload, spec->algorithm != NULL))
        return;
    spec->no_trials = true;
    const enum ec_code code = ec_case_open(NULL, spec, &c, &e);
    fuzz_check_error(code, &e);
    if (code == EC_OK) {
        try_case(c);
        ec_case_close(c);
    }
}

static void try_line(const char *line)
{
    struct cli_words words = {0};
    struct cli_job job = cli_job_default();
    struct ec_error e;
    const enum ec_code code = cli_job_read(line, CLI_LINE, &words, &job, &e);
    fuzz_check_error(code, &e);
    if (code == EC_OK)
        try_spec(&job.spec);
    cli_job_free(&job);
    cli_words_free(&words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t line_size;
    fuzz_enter_folder();
    if (fuzz_leaves_folder(data, size))
        return -1;
    char *line = fuzz_write_files(data, size, &line_size);
    if (strlen(line) == line_size) {
        if (line_size > 0 && line[line_size - 1] == '\n')
            line[line_size - 1] = '\0';
        try_line(line);
    }
    fuzz_remove_files();
    free(line);
    return 0;
}
