/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of --coverage may be one that has other files. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "program/runs/coverage.h"
#include "unit.h"

static void test_other_files(void **state)
{
    static const char *const kept[] = {"film.part", "12a.part", ".part", "12.part.txt"};
    static const char left[] = "12.part"; /* by a worker that was killed */
    char folder[] = "/tmp/ecube-unit.XXXXXX";
    struct cli_coverage v;
    struct cli_job job = cli_job_default();
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    for (size_t i = 0; i < COUNT(kept); i++)
        assert_int_equal(ec_file_write(kept[i], "", 0, NULL), EC_OK);
    assert_int_equal(ec_file_write(left, "", 0, NULL), EC_OK);
    job.coverage = folder;
    assert_int_equal(cli_coverage_open(&v, &job, NULL), EC_OK);
    cli_coverage_close(&v);
    for (size_t i = 0; i < COUNT(kept); i++) {
        if (access(kept[i], F_OK) != 0)
            fail_msg("%s is gone", kept[i]);
    }
    assert_int_equal(access(left, F_OK), -1);
    cli_job_free(&job);
    assert_int_equal(ec_folder_remove(folder, NULL), EC_OK);
}

static void test_lock(void **state)
{
    char folder[] = "/tmp/ecube-unit.XXXXXX", path[100];
    struct cli_coverage first, second;
    struct cli_job job = cli_job_default();
    struct ec_error e = {.message = ""};
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/12.part", folder);
    job.coverage = folder;
    assert_int_equal(cli_coverage_open(&first, &job, NULL), EC_OK);
    assert_int_equal(ec_file_write(path, "", 0, NULL), EC_OK); /* of a worker of the first one */
    assert_int_equal(cli_coverage_open(&second, &job, &e), EC_USAGE);
    assert_non_null(strstr(e.message, "is in use"));
    assert_int_equal(access(path, F_OK), 0);
    cli_coverage_close(&second);
    cli_coverage_close(&first);
    assert_int_equal(cli_coverage_open(&second, &job, NULL), EC_OK);
    cli_coverage_close(&second);
    cli_job_free(&job);
    assert_int_equal(ec_folder_remove(folder, NULL), EC_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("only files of workers are removed", test_other_files),
        TEST("one command at a time uses a folder", test_lock),
    };
    return cmocka_run_group_tests_name("coverage folder", tests, NULL, NULL);
}
