/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of compiled shapes: reuse, rebuilds, and two processes at once. Every test has its own
 * cache. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/runner.h"
#include "base/file.h"
#include "fixture.h"

/* A file system without locks. */
static bool lockless;
int __real_flock(int fd, int operation);
int __wrap_flock(int fd, int operation);
int __wrap_flock(int fd, int operation)
{
    errno = ENOLCK;
    return lockless ? -1 : __real_flock(fd, operation);
}

static bool sample; /* some cases of a table: each compiles a router */

/* Open, and fail the test unless that needed exactly `builds` builds. */
static void expect_builds(struct fixture *f, unsigned builds)
{
    if (fixture_open(f, NULL) != EC_OK)
        fail_msg("%s", f->error.message);
    if (f->builds != builds)
        fail_msg("%u builds instead of %u; said:\n%s", f->builds, builds, f->said);
}

static void the_second_open_builds_nothing(void **state)
{
    struct fixture *f = *state;
    expect_builds(f, 1);
    expect_builds(f, 0);
    assert_string_equal(f->said, "");
    assert_int_equal(count_names(f, "tmp."), 0);
}

static void a_changed_source_is_built_under_a_new_key(void **state)
{
    static const char *const sources[] = {"rtl/ec_tile.sv",
                                          "harness/library/shape/shim/ec_shim.cpp",
                                          "harness/library/include/ecube/tile.h"};
    struct fixture *f = *state;
    char first[64];
    fixture_fill(f);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i += sample ? 2 : 1) {
        snprintf(first, sizeof first, "%s", f->key);
        append_text(fixture_path(f, "data/%s", sources[i]), "// changed\n");
        expect_builds(f, 1);
        assert_string_not_equal(f->key, first);
    }
}

static void truncate_object(struct fixture *f)
{
    assert_int_equal(truncate(fixture_path(f, "cache/%s/tile.so", f->key), 1000), 0);
}

static void flip_a_byte(struct fixture *f)
{
    FILE *file = fopen(fixture_path(f, "cache/%s/tile.so", f->key), "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 5000, SEEK_SET), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, 5000, SEEK_SET), 0);
    fputc(byte ^ 1, file);
    assert_int_equal(fclose(file), 0);
}

static void remove_object(struct fixture *f)
{
    assert_int_equal(unlink(fixture_path(f, "cache/%s/tile.so", f->key)), 0);
}

static void remove_manifest(struct fixture *f)
{
    assert_int_equal(unlink(fixture_path(f, "cache/%s/manifest.json", f->key)), 0);
}

static void spoil_manifest(struct fixture *f)
{
    write_text(fixture_path(f, "cache/%s/manifest.json", f->key), "{\"schema\": 1, \"file\"");
}

static void a_damaged_entry_is_built_again(void **state)
{
    void (*const damages[])(struct fixture *) = {truncate_object, flip_a_byte, remove_object,
                                                 remove_manifest, spoil_manifest};
    struct fixture *f = *state;
    fixture_fill(f);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i += sample ? 3 : 1) {
        damages[i](f);
        expect_builds(f, 1);
        assert_non_null(strstr(f->said, "damaged"));
        expect_builds(f, 0);
    }
}

static void a_missing_runtime_is_built_again(void **state)
{
    struct fixture *f = *state;
    char command[PATH_MAX + 32];
    expect_builds(f, 1);
    snprintf(command, sizeof command, "rm -r %s", fixture_path(f, "cache/runtime-*"));
    assert_int_equal(system(command), 0);
    assert_int_equal(count_names(f, "runtime-"), 0);
    expect_builds(f, 1);
    assert_int_equal(count_names(f, "runtime-"), 1);
    expect_builds(f, 0);
}

/* Build the tile again: does its command name the headers? */
static bool uses_headers(struct fixture *f)
{
    char *log = NULL;
    size_t size = 0;
    truncate_object(f);
    expect_builds(f, 1);
    assert_int_equal(ec_file_read(fixture_path(f, "cache/%s/build.log", f->key), &log, &size, NULL),
                     EC_OK);
    const bool uses = strstr(log, "/headers-") != NULL;
    assert_null(strstr(log, "[-Winvalid-pch]"));
    free(log);
    return uses;
}

static void headers_are_compiled_for_the_fourth_tile(void **state)
{
    struct fixture *f = *state;
    fixture_fill(f);
    expect_builds(f, 0);
    assert_false(uses_headers(f));
    assert_int_equal(count_names(f, "headers-"), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(mkdir(fixture_path(f, "cache/%032d", i), 0700), 0);
    assert_false(uses_headers(f)); /* compiled meanwhile */
    assert_int_equal(count_names(f, "headers-"), 1);
    assert_true(uses_headers(f));
    char command[PATH_MAX + 64];
    snprintf(command, sizeof command,
             "printf X | dd conv=notrunc bs=1 seek=9000000 status=none of=$(ls %s)",
             fixture_path(f, "cache/headers-*/*.gch"));
    assert_int_equal(system(command), 0);
    assert_false(uses_headers(f)); /* damaged: compiled again */
    assert_true(uses_headers(f));
}

static void a_spoilt_memo_of_tool_versions_is_forgotten(void **state)
{
    struct fixture *f = *state;
    expect_builds(f, 1);
    write_text(fixture_path(f, "cache/programs.json"), "[1, 2");
    expect_builds(f, 0);
}

/* In a child: 0 if the shape was opened from the cache, 1 if it was built, 2 if that failed. */
static pid_t open_in_child(struct fixture *f)
{
    const pid_t pid = fork();
    if (pid == 0)
        _exit(fixture_open(f, NULL) == EC_OK ? (int)f->builds : 2);
    assert_true(pid > 0);
    return pid;
}

static int child_status(pid_t pid)
{
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void two_processes_at_once_build_a_shape_once(void **state)
{
    struct fixture *f = *state;
    const pid_t a = open_in_child(f), b = open_in_child(f);
    const int first = child_status(a), second = child_status(b);
    if (first + second != 1)
        fail_msg("builds: %d and %d", first, second);
    expect_builds(f, 0);
}

static void locks_are_not_needed(void **state)
{
    struct fixture *f = *state;
    lockless = true;
    const pid_t a = open_in_child(f), b = open_in_child(f);
    const int first = child_status(a), second = child_status(b);
    if (first > 1 || second > 1 || first + second < 1)
        fail_msg("builds: %d and %d", first, second);
    expect_builds(f, 0);
    size_t removed = 0;
    struct ec_error e;
    assert_int_equal(ec_shape_clean(&removed, &e), EC_OK);
    assert_true(removed > 0);
    expect_builds(f, 1);
    lockless = false;
    assert_int_equal(count_names(f, "tmp."), 0);
}

static void expect_refused(struct fixture *f, enum ec_code code, const char *words)
{
    const enum ec_code got = fixture_open(f, NULL);
    if (got != code || strstr(f->error.message, words) == NULL)
        fail_msg("%s (%s), which is not %s", ec_code_text(got), f->error.message, words);
}

static void what_others_could_have_written_is_refused(void **state)
{
    static const char *const names[] = {"tile.so", "manifest.json", "."};
    struct fixture *f = *state;
    expect_builds(f, 1);
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        struct stat info;
        const char *path = fixture_path(f, "cache/%s/%s", f->key, names[i / 2]);
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(chmod(path, info.st_mode | (i % 2 == 0 ? S_IWGRP : S_IWOTH)), 0);
        expect_refused(f, EC_IO, "is writable by others");
        assert_int_equal(chmod(path, info.st_mode), 0);
        if (chown(path, 12345, info.st_gid) != 0)
            continue; /* only root can do that */
        expect_refused(f, EC_IO, "belongs to user 12345: expected your user id 0, or root; remove");
        assert_int_equal(chown(path, info.st_uid, info.st_gid), 0);
    }
    expect_builds(f, 0);
}

static void tool(struct fixture *f, const char *variable, const char *text)
{
    const char *path = fixture_path(f, "tool");
    unlink(path);
    write_text(path, text);
    assert_int_equal(chmod(path, 0700), 0);
    setenv(variable, path, 1);
}

static void a_cached_router_needs_no_tools(void **state)
{
    struct fixture *f = *state;
    char *const path = strdup(getenv("PATH"));
    fixture_fill(f);
    setenv("PATH", "/nowhere", 1);
    expect_builds(f, 0);
    append_text(fixture_path(f, "data/rtl/ec_tile.sv"), "// changed\n");
    expect_refused(f, EC_TOOL, "Verilator is missing");
    setenv("PATH", path, 1);
    free(path);
    expect_builds(f, 1);

    tool(f, "CXX", "#!/bin/sh\necho another compiler\n");
    expect_builds(f, 0);
    tool(f, "CXX", "#!/bin/sh\n[ $2 = --version ] && echo a compiler with options\n");
    setenv("CXX", fixture_path(f, "tool -O1"), 1);
    expect_refused(f, EC_TOOL, "failed");
    unsetenv("CXX");
    tool(f, "VERILATOR",
         "#!/bin/sh\ncase $1 in -*version) echo Verilator 9;; --getenv) echo /;; *) exit 1;; "
         "esac\n");
    expect_refused(f, EC_TOOL, "failed");
    unsetenv("VERILATOR");
    expect_builds(f, 0);
}

static void what_a_killed_builder_leaves_is_swept(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(mkdir(fixture_path(f, "cache/tmp.killed"), 0700), 0);
    write_text(fixture_path(f, "cache/tmp.killed/hot.cpp"), "");
    assert_int_equal(mkdir(fixture_path(f, "cache/tmp.living"), 0700), 0);
    const int living = open(fixture_path(f, "cache/tmp.living"), O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(living, LOCK_EX), 0);
    expect_builds(f, 1);
    assert_false(exists(fixture_path(f, "cache/tmp.killed")));
    assert_true(exists(fixture_path(f, "cache/tmp.living")));
    close(living);
}

static void handle(int number)
{
    (void)number;
}

static void an_interrupt_ends_a_build_and_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    write_text(fixture_path(f, "slow-c++"), "#!/bin/sh\n"
                                            "case $1 in --version) echo slow 1;;\n"
                                            "*) : >\"$0.started\"; exec sleep 60;; esac\n");
    assert_int_equal(chmod(fixture_path(f, "slow-c++"), 0700), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
        sigaction(SIGINT, &action, NULL);
        setenv("CXX", fixture_path(f, "slow-c++"), 1);
        _exit(fixture_open(f, NULL) == EC_INTERRUPTED ? 0 : 1);
    }
    for (int i = 0; i < 10000 && !exists(fixture_path(f, "slow-c++.started")); i++)
        usleep(10000);
    assert_int_equal(kill(pid, SIGINT), 0);
    assert_int_equal(child_status(pid), 0);
    assert_int_equal(count_names(f, "tmp."), 0);
}

struct tally {
    size_t entries, valid, shapes;
};

static void count_entry(void *context, const struct ec_shape_entry *e)
{
    struct tally *tally = context;
    tally->entries++;
    tally->valid += e->valid && e->bytes > 0;
    tally->shapes += strcmp(e->description, "cube dims=3 locals=1 vcs=1 depth=4") == 0;
}

static void entries_are_listed_and_cleaned(void **state)
{
    struct fixture *f = *state;
    struct tally before = {0}, damaged = {0}, after = {0};
    size_t removed = 0;
    expect_builds(f, 1);
    assert_int_equal(ec_shape_list(count_entry, &before, &f->error), EC_OK);
    const size_t entries = 1 + count_names(f, "runtime-"); /* the shared cache may have several */
    assert_int_equal(before.entries, entries);
    assert_int_equal(before.valid, entries);
    assert_int_equal(before.shapes, 1);
    truncate_object(f);
    assert_int_equal(ec_shape_list(count_entry, &damaged, &f->error), EC_OK);
    assert_int_equal(damaged.valid, entries - 1);
    assert_int_equal(ec_shape_clean(&removed, &f->error), EC_OK);
    assert_int_equal(removed, entries);
    assert_int_equal(ec_shape_list(count_entry, &after, &f->error), EC_OK);
    assert_int_equal(after.entries, 0);
}

static void a_cache_that_does_not_exist_yet_lists_empty(void **state)
{
    struct fixture *f = *state;
    struct tally tally = {0};
    size_t removed = 1;
    setenv("ECUBE_CACHE", fixture_path(f, "none/yet"), 1);
    assert_int_equal(ec_shape_list(count_entry, &tally, &f->error), EC_OK);
    assert_int_equal(tally.entries, 0);
    assert_int_equal(ec_shape_clean(&removed, &f->error), EC_OK);
    assert_int_equal(removed, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest usual[] = {
        TEST(the_second_open_builds_nothing),
        TEST(a_changed_source_is_built_under_a_new_key),
        TEST(a_damaged_entry_is_built_again),
        TEST(two_processes_at_once_build_a_shape_once),
        TEST(a_cached_router_needs_no_tools),
        TEST(an_interrupt_ends_a_build_and_leaves_nothing),
        TEST(a_cache_that_does_not_exist_yet_lists_empty),
    };
    const struct CMUnitTest rare[] = {
        TEST(a_changed_source_is_built_under_a_new_key),
        TEST(a_damaged_entry_is_built_again),
        TEST(a_missing_runtime_is_built_again),
        TEST(headers_are_compiled_for_the_fourth_tile),
        TEST(a_spoilt_memo_of_tool_versions_is_forgotten),
        TEST(locks_are_not_needed),
        TEST(what_others_could_have_written_is_refused),
        TEST(what_a_killed_builder_leaves_is_swept),
        TEST(entries_are_listed_and_cleaned),
    };
    if (argc == 2 && strcmp(argv[1], "rare") == 0)
        return cmocka_run_group_tests(rare, NULL, NULL);
    sample = true;
    return cmocka_run_group_tests(usual, NULL, NULL);
}
