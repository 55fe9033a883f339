/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of runs (--from), with their workload files and file lists, and baselines of a regression.
 * A baseline that is written is read as the same.
 *
 * The input is the list; files that it names follow at lines "=== NAME". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "program/options/job.h"
#include "program/regress/regress.h"

static void try_list(const char *command_name, bool keep_going)
{
    const struct cli_command *command = cli_command_find(&cli_table, command_name);
    struct cli_job base = cli_job_default();
    struct cli_batch b = {0};
    struct ec_error e;
    char *argv[] = {(char *)command_name, (char *)"--from", (char *)"list.txt", NULL};
    enum ec_code code = cli_parse(&cli_table, command, 3, argv, &base.parsed, &e);
    base.keep_going = keep_going;
    if (code == EC_OK)
        code = cli_batch_open(command, &base, command_name, &b, &e);
    fuzz_check_error(code, &e);
    if (code == EC_OK) {
        code = cli_batch_check_files(&b, &base, &e);
        fuzz_check_error(code, &e);
    }
    cli_batch_close(&b);
    cli_job_free(&base);
}

static char *written_form(const struct regress_file *f, size_t *ret_size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, ret_size);
    if (!out)
        exit(1);
    regress_file_write(f, out);
    fclose(out);
    return text;
}

/* The results that were read count as those of a run, and are written. */
static void try_writing(struct regress_file *f)
{
    struct regress_file again;
    struct ec_error e;
    size_t first_size, second_size;
    for (size_t i = 0; i < f->count; i++)
        f->lines[i].is = f->lines[i].was;
    char *first = written_form(f, &first_size);
    fuzz_write("again.txt", first, first_size);
    if (regress_file_read("again.txt", &again, &e) != EC_OK)
        fuzz_fail("a baseline that was written cannot be read: %s", e.message);
    for (size_t i = 0; i < again.count; i++)
        again.lines[i].is = again.lines[i].was;
    char *second = written_form(&again, &second_size);
    if (first_size != second_size || memcmp(first, second, first_size) != 0)
        fuzz_fail("a baseline that was written is read as another one");
    regress_judge_twins(f);
    regress_file_close(&again);
    free(first);
    free(second);
    unlink("again.txt");
}

/* Rows with options before the workload count as large, too. */
static bool is_large(const char *row)
{
    struct cli_words w = {0};
    bool large = true;
    if (cli_words_split(row, strlen(row), &w, NULL) == EC_OK && w.count >= 2 && w.at[0][0] != '-' &&
        w.at[1][0] != '-')
        large = fuzz_is_large(w.at[0], w.at[1], strstr(row, "algorithm") != NULL);
    cli_words_free(&w);
    return large;
}

static void try_baseline(void)
{
    static struct regress_runner runner;
    struct regress_file f;
    struct cli_files files = {0};
    struct ec_error e;
    enum ec_code code = regress_file_read("list.txt", &f, &e);
    fuzz_check_error(code, &e);
    if (code != EC_OK)
        return;
    for (size_t i = 0; code == EC_OK && i < f.count; i++) {
        if (f.lines[i].is_run && !is_large(f.lines[i].text)) {
            code = regress_check(&runner, &f, i, &files, &e);
            fuzz_check_error(code, &e);
        }
    }
    cli_files_free(&files);
    try_writing(&f);
    regress_file_close(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t list_size;
    fuzz_enter_folder();
    if (fuzz_leaves_folder(data, size))
        return -1;
    char *list = fuzz_write_files(data, size, &list_size);
    fuzz_write("list.txt", list, list_size);
    try_list("run", false);
    try_list("compare", true);
    try_list("audit", true);
    try_baseline();
    unlink("list.txt");
    fuzz_remove_files();
    free(list);
    return 0;
}
