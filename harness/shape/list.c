/* SPDX-License-Identifier: Apache-2.0 */
/* Listing and emptying the cache of compiled shapes.
 *
 * Knows the cache's layout (shape/cache.h); must not know how entries are made. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "ecube/shape.h"
#include "shape/cache.h"

#define RUNTIME_PREFIX "runtime-"
#define KEY_DIGITS     32

static bool is_entry(const char *name)
{
    if (strncmp(name, RUNTIME_PREFIX, strlen(RUNTIME_PREFIX)) == 0)
        name += strlen(RUNTIME_PREFIX);
    return strlen(name) == KEY_DIGITS && strspn(name, "0123456789abcdef") == KEY_DIGITS;
}

static uint64_t folder_bytes(const char *path)
{
    char **names = NULL;
    size_t count = 0;
    uint64_t bytes = 0;
    if (ec_folder_names(path, &names, &count, NULL) != EC_OK)
        return 0;
    for (size_t i = 0; i < count; i++) {
        char file[PATH_MAX];
        struct stat info;
        if (ec_path(file, sizeof file, NULL, "%s/%s", path, names[i]) == EC_OK &&
            lstat(file, &info) == 0)
            bytes += (uint64_t)info.st_size;
    }
    free(names);
    return bytes;
}

static void describe(const char *cache, const char *name, struct ec_shape_entry *ret)
{
    char path[PATH_MAX];
    json_t *manifest = ec_entry_manifest(cache, name);
    const char *text = json_string_value(json_object_get(manifest, "description"));
    snprintf(ret->key, sizeof ret->key, "%s", name);
    snprintf(ret->description, sizeof ret->description, "%s", text != NULL ? text : "?");
    ret->bytes =
        ec_path(path, sizeof path, NULL, "%s/%s", cache, name) == EC_OK ? folder_bytes(path) : 0;
    const enum ec_entry_state state = ec_entry_check(cache, name);
    ret->valid = state == EC_ENTRY_VALID;
    ret->stale = state == EC_ENTRY_STALE;
    json_decref(manifest);
}

/* The names in the cache folder; none if there is no such folder yet. */
static enum ec_code cache_names(char *cache, size_t size, char ***ret, size_t *ret_count,
                                struct ec_error *reterr)
{
    *ret = NULL;
    *ret_count = 0;
    const enum ec_code code = ec_shape_cache_path(cache, size, reterr);
    if (code != EC_OK || (access(cache, F_OK) != 0 && errno == ENOENT))
        return code;
    return ec_folder_names(cache, ret, ret_count, reterr);
}

enum ec_code ec_shape_list(void (*entry)(void *context, const struct ec_shape_entry *e),
                           void *context, struct ec_error *reterr)
{
    char cache[PATH_MAX];
    char **names;
    size_t count;
    const enum ec_code code = cache_names(cache, sizeof cache, &names, &count, reterr);
    if (code != EC_OK)
        return code;
    for (size_t i = 0; i < count; i++) {
        struct ec_shape_entry e;
        if (!is_entry(names[i]))
            continue;
        describe(cache, names[i], &e);
        entry(context, &e);
    }
    free(names);
    return EC_OK;
}

/* Remove an entry unless somebody is building it at this moment. */
static enum ec_code clean_one(const char *cache, const char *name, size_t *removed,
                              struct ec_error *reterr)
{
    char lock_path[PATH_MAX], path[PATH_MAX];
    enum ec_code code = ec_path(lock_path, sizeof lock_path, reterr, "%s/locks/%s", cache, name);
    if (code == EC_OK)
        code = ec_path(path, sizeof path, reterr, "%s/%s", cache, name);
    if (code != EC_OK)
        return code;
    const int lock = open(lock_path, O_RDWR | O_CLOEXEC);
    if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) == 0) {
        code = ec_folder_remove(path, reterr);
        if (code == EC_OK)
            ++*removed;
        if (lock >= 0)
            unlink(lock_path);
    }
    if (lock >= 0)
        close(lock);
    return code;
}

enum ec_code ec_shape_clean(size_t *ret_removed, struct ec_error *reterr)
{
    static const char *const files[] = {"tools.json", "logs"};
    char cache[PATH_MAX], path[PATH_MAX];
    char **names;
    size_t count, removed = 0;
    enum ec_code code = cache_names(cache, sizeof cache, &names, &count, reterr);
    if (code != EC_OK)
        return code;
    ec_cache_sweep(cache);
    for (size_t i = 0; i < count && code == EC_OK; i++) {
        if (is_entry(names[i]))
            code = clean_one(cache, names[i], &removed, reterr);
    }
    for (size_t i = 0; i < sizeof files / sizeof *files && code == EC_OK; i++) {
        code = ec_path(path, sizeof path, reterr, "%s/%s", cache, files[i]);
        if (code == EC_OK)
            code = ec_folder_remove(path, reterr);
    }
    free(names);
    if (code == EC_OK)
        *ret_removed = removed;
    return code;
}
