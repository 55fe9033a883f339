/* SPDX-License-Identifier: Apache-2.0 */
/* The key of a result in a journal: a result is only taken if nothing has changed that it depends
 * on. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "program/options/job.h"
#include "program/runs/journal.h"
#include "unit.h"

static char folder[] = "/tmp/ecube-unit.XXXXXX";

static void write_file(const char *name, const char *text)
{
    assert_int_equal(ec_file_write(name, text, strlen(text), NULL), EC_OK);
}

/* Of a new process, which has read no file yet. */
static struct cli_journal_key key_of(const struct cli_job *job)
{
    struct cli_journal *j;
    struct cli_files files = {0};
    assert_int_equal(cli_journal_open("out", false, &j, NULL), EC_OK);
    cli_job_files(job, 0, &files);
    const struct cli_journal_key key = cli_journal_key(j, "words", &files);
    cli_files_free(&files);
    cli_journal_close(j, false, false);
    return key;
}

static bool same(struct cli_journal_key a, struct cli_journal_key b)
{
    return a.low == b.low && a.high == b.high;
}

/* Every file counts, and no other one. */
static void expect_files(const struct cli_job *job, const char *const *names, size_t count)
{
    const struct cli_journal_key before = key_of(job);
    for (size_t i = 0; i < count; i++) {
        write_file(names[i], "// changed\n");
        if (same(before, key_of(job)))
            fail_msg("a change of %s is not noticed", names[i]);
        write_file(names[i], "");
        assert_true(same(before, key_of(job)));
    }
    write_file("include/notes.txt", "changed");
    assert_true(same(before, key_of(job)));
}

static const char *const files[] = {
    "own.f", "rtl/a.sv", "rtl/b.svh", "include/defs.inc", "include/more.svh", "library/c.v"};

static void test_run(void **state)
{
    (void)state;
    struct cli_job job = cli_job_default();
    job.spec.rtl = "rtl/a.sv";
    job.spec.top = "a";
    job.spec.build = "--include include\n--file-list own.f\n--file-list library.f";
    expect_files(&job, files, COUNT(files));
    cli_job_free(&job);
}

static void test_side(void **state)
{
    (void)state;
    struct cli_job job = cli_job_default();
    job.side[0] = "tiles";
    job.side[1] = "tiles:rtl=rtl/a.sv,top=a,include=include,file-list=own.f+library.f";
    expect_files(&job, files, COUNT(files));
    cli_job_free(&job);
}

static void test_new_file(void **state)
{
    (void)state;
    struct cli_job job = cli_job_default();
    job.spec.build = "--include include";
    const struct cli_journal_key before = key_of(&job);
    write_file("include/new.svh", "");
    assert_false(same(before, key_of(&job)));
    assert_int_equal(unlink("include/new.svh"), 0);
    assert_true(same(before, key_of(&job)));
    cli_job_free(&job);
}

static void test_links(void **state)
{
    struct cli_journal *j;
    struct ec_error e = {.message = ""};
    (void)state;
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_int_equal(cli_journal_open("loop", false, &j, &e), EC_IO);
    assert_string_equal(e.message, "cannot write 'loop': Too many levels of symbolic links");
    assert_null(j);
}

static int enter_folder(void **state)
{
    static const char *const folders[] = {"rtl", "include", "library"};
    (void)state;
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    for (size_t i = 0; i < COUNT(folders); i++)
        assert_int_equal(mkdir(folders[i], 0700), 0);
    for (size_t i = 0; i < COUNT(files); i++)
        write_file(files[i], "");
    write_file("library.f", "-y library\n");
    return 0;
}

static int leave_folder(void **state)
{
    (void)state;
    return ec_folder_remove(folder, NULL) == EC_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a result depends on lists, sources, headers and libraries", test_run),
        TEST("and those of a side of a comparison", test_side),
        TEST("a new header in a folder may hide another one", test_new_file),
        TEST("links that lead nowhere are no lack of memory", test_links),
    };
    return cmocka_run_group_tests_name("journal", tests, enter_folder, leave_folder);
}
