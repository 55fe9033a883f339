/* SPDX-License-Identifier: Apache-2.0 */
/* Shared parts of the builder's tests. */
#include "fixture.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../unit/runner.h"
#include "base/file.h"

static void copy_folder(const char *from, const char *to)
{
    char **names;
    size_t count;
    assert_int_equal(ec_folder_make(to, EC_FOLDER_PRIVATE, NULL), EC_OK);
    assert_int_equal(ec_folder_names(from, &names, &count, NULL), EC_OK);
    for (size_t i = 0; i < count; i++) {
        char source[PATH_MAX], target[PATH_MAX];
        struct stat info;
        char *text;
        size_t size;
        snprintf(source, sizeof source, "%s/%s", from, names[i]);
        snprintf(target, sizeof target, "%s/%s", to, names[i]);
        assert_int_equal(stat(source, &info), 0);
        if (S_ISDIR(info.st_mode))
            continue;
        assert_int_equal(ec_file_read(source, &text, &size, NULL), EC_OK);
        assert_int_equal(ec_file_write(target, text, size, NULL), EC_OK);
        free(text);
    }
    free(names);
}

/* The runtime takes longer to compile than a tile: take it from the shared cache, which the build
 * has filled. */
static void borrow_runtime(const struct fixture *f, const char *shared)
{
    char **names;
    size_t count;
    assert_int_equal(ec_folder_names(shared, &names, &count, NULL), EC_OK);
    for (size_t i = 0; i < count; i++) {
        char from[PATH_MAX], to[PATH_MAX];
        if (strncmp(names[i], "runtime-", 8) != 0)
            continue;
        snprintf(from, sizeof from, "%s/%s", shared, names[i]);
        snprintf(to, sizeof to, "%.4000s/%s", f->cache, names[i]);
        copy_folder(from, to);
    }
    free(names);
}

int fixture_setup(void **state)
{
    const char *shared = getenv("TEST_SHARED_CACHE");
    const char *source = getenv("TEST_SOURCE_ROOT");
    struct fixture *f = calloc(1, sizeof *f);
    if (f == NULL || shared == NULL || source == NULL) {
        fprintf(stderr, "TEST_SHARED_CACHE and TEST_SOURCE_ROOT must be set\n");
        free(f);
        return -1;
    }
    snprintf(f->root, sizeof f->root, "%s-test.XXXXXX", shared);
    if (mkdtemp(f->root) == NULL) {
        free(f);
        return -1;
    }
    /* With $TEST_KEPT_CACHE what was compiled serves the next time, too. */
    const char *kept = getenv("TEST_KEPT_CACHE");
    snprintf(f->cache, sizeof f->cache, "%.4000s%s", kept ? kept : f->root, kept ? "" : "/cache");
    snprintf(f->data, sizeof f->data, "%.4000s/data", f->root);
    assert_int_equal(ec_folder_make(f->cache, EC_FOLDER_PRIVATE, NULL), EC_OK);
    borrow_runtime(f, shared);
    static const char *const folders[] = {"rtl", "harness/library/shape/shim",
                                          "harness/library/include/ecube"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char from[PATH_MAX], to[PATH_MAX];
        snprintf(from, sizeof from, "%s/%s", source, folders[i]);
        snprintf(to, sizeof to, "%.4000s/%s", f->data, folders[i]);
        copy_folder(from, to);
    }
    setenv("ECUBE_CACHE", f->cache, 1);
    setenv("ECUBE_DATA", f->data, 1);
    *state = f;
    return 0;
}

int fixture_teardown(void **state)
{
    struct fixture *f = *state;
    ec_folder_remove(f->root, NULL);
    free(f);
    return 0;
}

static void listen(void *context, const char *line)
{
    struct fixture *f = context;
    const size_t used = strlen(f->said);
    snprintf(f->said + used, sizeof f->said - used, "%s\n", line);
    f->builds += strncmp(line, "building ", strlen("building ")) == 0;
}

enum ec_code fixture_open(struct fixture *f, const struct ec_shape_options *options)
{
    const struct ec_tile_shape smallest = {.dims = 3,
                                           .links_per_dim = 1,
                                           .locals = 1,
                                           .vcs = 1,
                                           .depth_max = 4,
                                           .stages = 1,
                                           .address_bits = 16};
    struct ec_shape_options mine = {0};
    struct ec_shape *shape = NULL;
    if (options != NULL)
        mine = *options;
    mine.progress = listen;
    mine.progress_context = f;
    f->said[0] = f->error.message[0] = '\0';
    f->builds = 0;
    const enum ec_code code = ec_shape_open(&smallest, &mine, &shape, &f->error);
    if (code == EC_OK) {
        snprintf(f->key, sizeof f->key, "%s", ec_shape_key(shape));
        ec_shape_close(shape);
    }
    return code;
}

void fixture_fill(struct fixture *f)
{
    char from[PATH_MAX], to[PATH_MAX];
    setenv("ECUBE_CACHE", getenv("TEST_SHARED_CACHE"), 1);
    if (fixture_open(f, NULL) != EC_OK)
        fail_msg("%s", f->error.message);
    setenv("ECUBE_CACHE", f->cache, 1);
    snprintf(from, sizeof from, "%.4000s/%s", getenv("TEST_SHARED_CACHE"), f->key);
    snprintf(to, sizeof to, "%.4000s/%s", f->cache, f->key);
    copy_folder(from, to);
}

const char *fixture_path(const struct fixture *f, const char *format, ...)
{
    static char buffers[4][PATH_MAX];
    static unsigned next;
    char *buffer = buffers[next++ % 4];
    int used = snprintf(buffer, PATH_MAX, "%s/", f->root);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer + used, PATH_MAX - (size_t)used, format, arguments);
    va_end(arguments);
    return buffer;
}

void write_text(const char *path, const char *text)
{
    assert_int_equal(ec_file_write(path, text, strlen(text), NULL), EC_OK);
}

void append_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

void replace_in(const char *path, const char *from, const char *to)
{
    char *text;
    size_t size;
    bool found = false;
    assert_int_equal(ec_file_read(path, &text, &size, NULL), EC_OK);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    const char *at = text;
    for (const char *hit; (hit = strstr(at, from)) != NULL; at = hit + strlen(from)) {
        fprintf(file, "%.*s%s", (int)(hit - at), at, to);
        found = true;
    }
    fputs(at, file);
    assert_int_equal(fclose(file), 0);
    free(text);
    if (!found)
        fail_msg("%s does not contain \"%s\"", path, from);
}

size_t count_names(const struct fixture *f, const char *prefix)
{
    char **names;
    size_t count, hits = 0;
    assert_int_equal(ec_folder_names(f->cache, &names, &count, NULL), EC_OK);
    for (size_t i = 0; i < count; i++)
        hits += strncmp(names[i], prefix, strlen(prefix)) == 0;
    free(names);
    return hits;
}
