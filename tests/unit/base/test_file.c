/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders: what is read and made, and what the messages say. */
#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

static char root[] = "/tmp/unit-file-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return ec_folder_remove(root, NULL) != EC_OK;
}

static const char *at(const char *name)
{
    static char path[2][100];
    static unsigned k;
    snprintf(path[k ^= 1], sizeof path[k], "%s/%s", root, name);
    return path[k];
}

static void what_is_written_is_read(void **state)
{
    static const char bytes[] = "one\0two\n";
    char *text = NULL;
    size_t size = 0;
    (void)state;
    for (size_t length = 0; length <= sizeof bytes; length++) {
        assert_int_equal(ec_file_write(at("file"), bytes, length, NULL), EC_OK);
        assert_int_equal(ec_file_read(at("file"), &text, &size, NULL), EC_OK);
        assert_int_equal(size, length);
        assert_memory_equal(text, bytes, length);
        assert_int_equal(text[length], '\0'); /* beyond the end, for parsers */
        free(text);
    }
}

static void what_is_no_file_is_named(void **state)
{
    static const struct {
        const char *path, *says;
    } rows[] = {
        {"/no/such/file", "cannot read /no/such/file: No such file or directory"},
        {"/dev/null", "cannot read /dev/null: not a regular file"},
        {"/", "cannot read /: not a regular file"},
    };
    struct ec_error error;
    char *text = NULL;
    size_t size;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(ec_file_read(rows[i].path, &text, &size, &error), EC_IO);
        assert_string_equal(error.message, rows[i].says);
        assert_null(text);
    }
    assert_int_equal(ec_file_write("/no/such/file", "", 0, &error), EC_IO);
    assert_string_equal(error.message, "cannot write /no/such/file: No such file or directory");
}

static void folders_are_made_with_those_above(void **state)
{
    struct ec_error error;
    struct stat info;
    (void)state;
    assert_int_equal(ec_folder_make(at("a/b/c"), EC_FOLDER_PRIVATE, NULL), EC_OK);
    assert_int_equal(ec_folder_make(at("a/b/c"), EC_FOLDER_PRIVATE, NULL), EC_OK); /* is there */
    assert_int_equal(stat(at("a/b/c"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    assert_int_equal(ec_file_write(at("file"), "", 0, NULL), EC_OK);
    assert_int_equal(ec_folder_make(at("file"), EC_FOLDER_PRIVATE, &error), EC_IO);
    assert_non_null(strstr(error.message, "not a folder"));
    assert_int_equal(ec_folder_make(at("file/sub"), EC_FOLDER_PRIVATE, &error), EC_IO);
    assert_non_null(strstr(error.message, "Not a directory"));
}

/* Names are sorted, links are removed and not followed. */
static void folders_are_listed_and_removed(void **state)
{
    char **names = NULL;
    size_t count = 0;
    struct ec_error error;
    (void)state;
    assert_int_equal(ec_folder_make(at("full/sub"), EC_FOLDER_USUAL, NULL), EC_OK);
    assert_int_equal(ec_file_write(at("kept"), "kept", 4, NULL), EC_OK);
    assert_int_equal(ec_file_write(at("full/z"), "", 0, NULL), EC_OK);
    assert_int_equal(ec_file_write(at("full/sub/x"), "", 0, NULL), EC_OK);
    assert_int_equal(symlink(at("kept"), at("full/link")), 0);
    assert_int_equal(ec_folder_names(at("full"), &names, &count, NULL), EC_OK);
    assert_int_equal(count, 3);
    assert_string_equal(names[0], "link");
    assert_string_equal(names[1], "sub");
    assert_string_equal(names[2], "z");
    free(names);
    assert_int_equal(ec_folder_remove(at("full"), NULL), EC_OK);
    assert_int_equal(ec_folder_remove(at("full"), NULL), EC_OK); /* is gone */
    assert_int_equal(access(at("kept"), R_OK), 0);
    assert_int_equal(ec_folder_names(at("full"), &names, &count, &error), EC_IO);
}

static void long_paths_are_refused(void **state)
{
    char path[PATH_MAX], name[PATH_MAX + 1];
    struct ec_error error;
    (void)state;
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(ec_path(path, sizeof path, &error, "%s", name + 1), EC_OK);
    assert_int_equal(ec_path(path, sizeof path, &error, "%s", name), EC_IO);
    assert_int_equal(ec_folder_make(name, EC_FOLDER_USUAL, &error), EC_IO);
}

/* A full disk needs rights to make one. A limit of files is met at once, or in the middle. */
static void what_cannot_be_written_is_told(void **state)
{
    char **names;
    size_t count;
    struct rlimit before;
    (void)state;
    assert_int_equal(ec_folder_make(at("room"), EC_FOLDER_USUAL, NULL), EC_OK);
    assert_int_equal(ec_disk_trouble(at("room")), 0);
    assert_int_equal(ec_disk_trouble(at("no/such/folder")), ENOENT);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t most = 0; most <= 65536; most += 4096) {
        const struct rlimit limit = {most, before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        const int trouble = ec_disk_trouble(at("room"));
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(trouble, most < 65536 ? EFBIG : 0);
    }
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(ec_folder_names(at("room"), &names, &count, NULL), EC_OK);
    assert_int_equal(count, 0);
    free(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("what is written is read", what_is_written_is_read),
        TEST("what is no file is named", what_is_no_file_is_named),
        TEST("folders are made with those above", folders_are_made_with_those_above),
        TEST("folders are listed and removed", folders_are_listed_and_removed),
        TEST("what cannot be written is told", what_cannot_be_written_is_told),
        TEST("long paths are refused", long_paths_are_refused),
    };
    return cmocka_run_group_tests_name("file", tests, make_folder, remove_folder);
}
