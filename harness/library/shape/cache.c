/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of compiled shapes on disk: entries, locks, stages, and the list of entries.
 *
 * Several processes may use it at once, and any of them may be killed at any moment: an entry
 * appears by one rename, and a lock ends with the process that holds it. Must not know routers or
 * compilers. */
#include "shape/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "base/text.h"
#include "ecube/shape.h"

#define STAGE_PREFIX   "tmp."
#define LOCK_POLL_NS   20000000L
#define RUNTIME_PREFIX "runtime-"
#define KEY_DIGITS     32

bool ec_entry_named(const char *name)
{
    if (strncmp(name, RUNTIME_PREFIX, strlen(RUNTIME_PREFIX)) == 0)
        name += strlen(RUNTIME_PREFIX);
    else if (strncmp(name, EC_HEADERS_PREFIX, strlen(EC_HEADERS_PREFIX)) == 0)
        name += strlen(EC_HEADERS_PREFIX);
    return strlen(name) == KEY_DIGITS && strspn(name, "0123456789abcdef") == KEY_DIGITS;
}

enum ec_code ec_shape_cache_path(char *buffer, size_t size, struct ec_error *reterr)
{
    const char *folder = getenv("ECUBE_CACHE");
    if (folder != NULL && *folder != '\0')
        return ec_path(buffer, size, reterr, "%s", folder);
    folder = getenv("XDG_CACHE_HOME");
    if (folder != NULL && *folder == '/') /* relative values are to be ignored (XDG) */
        return ec_path(buffer, size, reterr, "%s/ecube", folder);
    folder = getenv("HOME");
    if (folder != NULL && *folder != '\0')
        return ec_path(buffer, size, reterr, "%s/.cache/ecube", folder);
    return ec_fail(reterr, EC_IO, "no folder for compiled router shapes: set ECUBE_CACHE or HOME");
}

/* Shared objects from the cache are loaded and run, so no other user but root may write there. */
static enum ec_code check_owner(const char *what, const char *path, const char *remedy,
                                struct ec_error *reterr)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return ec_fail(reterr, EC_IO, "cannot use %s %s: %s", what, path, strerror(errno));
    if (info.st_uid != geteuid() && info.st_uid != 0)
        return ec_fail(reterr, EC_IO,
                       "%s %s belongs to user %ld: expected your user id %ld, or root; %sset "
                       "ECUBE_CACHE to a folder that you own",
                       what, path, (long)info.st_uid, (long)geteuid(), remedy);
    if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return ec_fail(reterr, EC_IO,
                       "%s %s is writable by others (mode %04o): %sset ECUBE_CACHE to a folder "
                       "that only you can write",
                       what, path, (unsigned)info.st_mode & 07777,
                       *remedy ? remedy : "run chmod go-w on it, or ");
    return EC_OK;
}

enum ec_code ec_entry_trust(const char *cache, const char *name, struct ec_error *reterr)
{
    static const char *const kinds[] = {"", ("/" EC_MANIFEST), "/"};
    json_t *manifest = ec_entry_manifest(cache, name);
    const char *object = json_string_value(json_object_get(manifest, "file"));
    enum ec_code code = EC_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && code == EC_OK; i++) {
        char path[PATH_MAX];
        code = ec_path(path, sizeof path, reterr, "%s/%s%s%s", cache, name, kinds[i],
                       i == 2 && object != NULL ? object : "");
        if (code == EC_OK && access(path, F_OK) == 0)
            code = check_owner("cached router", path,
                               "remove it (ecube tile clean removes all), or ", reterr);
    }
    json_decref(manifest);
    return code;
}

enum ec_code ec_cache_open(char *buffer, size_t size, struct ec_error *reterr)
{
    char path[PATH_MAX], absolute[PATH_MAX];
    enum ec_code code = ec_shape_cache_path(path, sizeof path, reterr);
    if (code == EC_OK)
        code = ec_folder_make(path, EC_FOLDER_PRIVATE, reterr);
    if (code == EC_OK)
        code = check_owner("cache folder", path, "", reterr);
    if (code != EC_OK)
        return code;
    if (realpath(path, absolute) == NULL)
        return ec_fail(reterr, EC_IO, "cannot use cache folder %s: %s", path, strerror(errno));
    return ec_path(buffer, size, reterr, "%s", absolute);
}

json_t *ec_entry_manifest(const char *cache, const char *name)
{
    char path[PATH_MAX];
    if (ec_path(path, sizeof path, NULL, "%s/%s/" EC_MANIFEST, cache, name) != EC_OK)
        return NULL;
    return json_load_file(path, 0, NULL);
}

static bool object_is_right(const char *cache, const char *name, const json_t *manifest)
{
    const char *file = json_string_value(json_object_get(manifest, "file"));
    const char *checksum = json_string_value(json_object_get(manifest, "checksum"));
    char path[PATH_MAX], found[33];
    return file != NULL && checksum != NULL && strchr(file, '/') == NULL &&
           ec_path(path, sizeof path, NULL, "%s/%s/%s", cache, name, file) == EC_OK &&
           ec_file_hash(path, found, NULL, NULL) == EC_OK && strcmp(found, checksum) == 0;
}

/* Is a source of the entry no longer what it was built from? */
static bool has_changed(const char *path, const char *checksum)
{
    char found[33];
    if (checksum != NULL && strcmp(checksum, EC_SOURCE_ABSENT) == 0)
        return access(path, F_OK) == 0;
    return checksum == NULL || ec_file_hash(path, found, NULL, NULL) != EC_OK ||
           strcmp(found, checksum) != 0;
}

/* An included file that is no longer what the entry was built from, or NULL. */
static const char *changed_include(json_t *manifest)
{
    const char *path;
    json_t *checksum;
    json_object_foreach(json_object_get(manifest, "includes"), path, checksum)
    {
        if (has_changed(path, json_string_value(checksum)))
            return path;
    }
    return NULL;
}

enum ec_entry_state ec_entry_check(const char *cache, const char *name)
{
    char path[PATH_MAX];
    if (ec_path(path, sizeof path, NULL, "%s/%s", cache, name) != EC_OK || access(path, F_OK) != 0)
        return EC_ENTRY_MISSING;
    json_t *manifest = ec_entry_manifest(cache, name);
    enum ec_entry_state state = EC_ENTRY_VALID;
    if (!object_is_right(cache, name, manifest))
        state = EC_ENTRY_DAMAGED;
    else if (changed_include(manifest) != NULL)
        state = EC_ENTRY_STALE;
    json_decref(manifest);
    return state;
}

const char *ec_manifest_text(const json_t *manifest, const char *key)
{
    const char *text = json_string_value(json_object_get(manifest, key));
    return text != NULL ? text : "";
}

bool ec_entry_find(const char *cache, const char *design, const char *verilator, const char *cxx,
                   char ret_key[33], char ret_runtime_key[33])
{
    char **names = NULL;
    size_t count = 0;
    bool found = false;
    if (ec_folder_names(cache, &names, &count, NULL) != EC_OK)
        return false;
    for (size_t i = 0; i < count && !found; i++) {
        json_t *manifest = ec_entry_named(names[i]) ? ec_entry_manifest(cache, names[i]) : NULL;
        const char *runtime = ec_manifest_text(manifest, "runtime");
        found =
            strcmp(ec_manifest_text(manifest, "design"), design) == 0 && ec_entry_named(runtime) &&
            (verilator == NULL ||
             (strcmp(ec_manifest_text(manifest, "verilator"), verilator) == 0 &&
              strcmp(strchrnul(ec_manifest_text(manifest, "command"), ' '), strchrnul(cxx, ' ')) ==
                  0)) &&
            ec_entry_check(cache, names[i]) == EC_ENTRY_VALID &&
            ec_entry_check(cache, runtime) == EC_ENTRY_VALID;
        if (found) {
            snprintf(ret_key, 33, "%s", names[i]);
            snprintf(ret_runtime_key, 33, "%s", runtime + strlen(RUNTIME_PREFIX));
        }
        json_decref(manifest);
    }
    free(names);
    return found;
}

/* Is the open descriptor still the file at `path`? If another process removed it between our open
 * and our lock, the lock protects nothing. */
static bool is_still(int fd, const char *path)
{
    struct stat ours, theirs;
    return fstat(fd, &ours) == 0 && stat(path, &theirs) == 0 && ours.st_dev == theirs.st_dev &&
           ours.st_ino == theirs.st_ino;
}

/* Some network file systems. */
static bool has_no_locks(int error)
{
    return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP || error == EINVAL;
}

static enum ec_code lock_poll(int fd, const char *path, void (*waiting)(void *context),
                              void *context, const sigset_t *before, struct ec_error *reterr)
{
    for (bool first = true; flock(fd, LOCK_EX | LOCK_NB) != 0; first = false) {
        if (has_no_locks(errno))
            return EC_OK; /* at worst two processes build the same entry */
        if (errno != EWOULDBLOCK && errno != EINTR)
            return ec_fail(reterr, EC_IO, "cannot lock %s: %s", path, strerror(errno));
        if (before == NULL)
            return ec_fail(reterr, EC_IO, "%s is locked", path);
        if (first && waiting != NULL)
            waiting(context);
        if (ec_signals_pause(before, LOCK_POLL_NS))
            return ec_fail(reterr, EC_INTERRUPTED,
                           "interrupted while another process was building a router shape");
    }
    return EC_OK;
}

enum ec_code ec_cache_lock(const char *cache, const char *name, void (*waiting)(void *context),
                           void *context, const sigset_t *before, int *ret, struct ec_error *reterr)
{
    char path[PATH_MAX];
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/locks", cache);
    if (code == EC_OK)
        code = ec_folder_make(path, EC_FOLDER_PRIVATE, reterr);
    if (code == EC_OK)
        code = ec_path(path, sizeof path, reterr, "%s/locks/%s", cache, name);
    while (code == EC_OK) {
        const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0)
            return ec_fail(reterr, EC_IO, "cannot write %s: %s", path, strerror(errno));
        code = lock_poll(fd, path, waiting, context, before, reterr);
        if (code == EC_OK && is_still(fd, path)) {
            *ret = fd;
            return EC_OK;
        }
        close(fd);
    }
    return code;
}

void ec_cache_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}

enum ec_code ec_stage_open(const char *cache, struct ec_stage *ret, struct ec_error *reterr)
{
    /* Between mkdtemp and flock a sweep may take the new folder for an orphan. Then try again. */
    for (;;) {
        struct ec_stage stage;
        const enum ec_code code =
            ec_path(stage.path, sizeof stage.path, reterr, "%s/" STAGE_PREFIX "XXXXXX", cache);
        if (code != EC_OK)
            return code;
        if (mkdtemp(stage.path) == NULL)
            return ec_fail(reterr, EC_IO, "cannot create a folder in %s: %s", cache,
                           strerror(errno));
        stage.lock = open(stage.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (stage.lock >= 0 && (flock(stage.lock, LOCK_EX | LOCK_NB) == 0 || has_no_locks(errno)) &&
            is_still(stage.lock, stage.path)) {
            *ret = stage;
            return EC_OK;
        }
        const bool swept = errno == EWOULDBLOCK || errno == ENOENT;
        if (stage.lock >= 0)
            close(stage.lock);
        if (!swept)
            return ec_fail(reterr, EC_IO, "cannot lock %s: %s", stage.path, strerror(errno));
    }
}

enum ec_code ec_stage_publish(struct ec_stage *stage, const char *cache, const char *name,
                              struct ec_error *reterr)
{
    char entry[PATH_MAX], old[PATH_MAX];
    enum ec_code code = ec_path(entry, sizeof entry, reterr, "%s/%s", cache, name);
    if (code == EC_OK)
        code = ec_path(old, sizeof old, reterr, "%s/" STAGE_PREFIX "old-%s", cache, name);
    if (code != EC_OK)
        return code;
    /* A folder cannot be renamed onto one that is not empty: move a damaged entry aside first.
     * Another process that looks in between finds no entry and waits for our lock. */
    ec_folder_remove(old, NULL);
    if (rename(entry, old) != 0 && errno != ENOENT)
        return ec_fail(reterr, EC_IO, "cannot replace %s: %s", entry, strerror(errno));
    /* Without locks another process may have published the same entry since then. */
    if (rename(stage->path, entry) != 0)
        return errno == ENOTEMPTY || errno == EEXIST
                   ? EC_OK
                   : ec_fail(reterr, EC_IO, "cannot create %s: %s", entry, strerror(errno));
    ec_folder_remove(old, NULL);
    ec_cache_unlock(stage->lock);
    stage->lock = -1;
    stage->path[0] = '\0';
    return EC_OK;
}

void ec_stage_close(struct ec_stage *stage)
{
    if (stage->path[0] != '\0')
        ec_folder_remove(stage->path, NULL);
    if (stage->lock >= 0)
        close(stage->lock);
}

static bool sweep_one(const char *path)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool orphan = flock(fd, LOCK_EX | LOCK_NB) == 0;
    const bool removed = orphan && ec_folder_remove(path, NULL) == EC_OK;
    close(fd);
    return removed;
}

size_t ec_cache_sweep(const char *cache)
{
    char path[PATH_MAX];
    char **names = NULL;
    size_t count = 0, removed = 0;
    if (ec_folder_names(cache, &names, &count, NULL) != EC_OK)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(names[i], STAGE_PREFIX, strlen(STAGE_PREFIX)) == 0 &&
            ec_path(path, sizeof path, NULL, "%s/%s", cache, names[i]) == EC_OK && sweep_one(path))
            removed++;
    }
    free(names);
    return removed;
}

/* --- Listing and cleaning --------------------------------------------------------------------- */

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

/* The sources of a foreign router, separated by commas. */
static void copy_sources(const json_t *manifest, char *buffer, size_t size)
{
    const json_t *list = json_object_get(manifest, "rtl");
    buffer[0] = '\0';
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *path = json_string_value(json_array_get(list, i));
        ec_append(buffer, size, "%s%s", i > 0 ? "," : "", path != NULL ? path : "");
    }
}

/* What happened to a file that has_changed(). */
static const char *change_of(const json_t *manifest, const char *path)
{
    const json_t *checksum = json_object_get(json_object_get(manifest, "includes"), path);
    if (json_is_string(checksum) && strcmp(json_string_value(checksum), EC_SOURCE_ABSENT) == 0)
        return "would be read instead of another file";
    return access(path, F_OK) == 0 ? "has changed" : "is gone";
}

static void fill_state(const char *cache, const char *name, json_t *manifest,
                       struct ec_shape_entry *ret)
{
    const enum ec_entry_state state = ec_entry_check(cache, name);
    const char *changed = changed_include(manifest);
    struct ec_error e;
    ret->valid = state == EC_ENTRY_VALID && ec_entry_trust(cache, name, &e) == EC_OK;
    ret->stale = state == EC_ENTRY_STALE;
    ret->reason[0] = '\0';
    if (ret->stale && changed != NULL)
        snprintf(ret->reason, sizeof ret->reason, "%.900s %s", changed,
                 change_of(manifest, changed));
    else if (state == EC_ENTRY_VALID && !ret->valid)
        snprintf(ret->reason, sizeof ret->reason, "%.900s", e.message);
    else if (!ret->valid)
        snprintf(ret->reason, sizeof ret->reason, "%s",
                 manifest == NULL ? "no readable " EC_MANIFEST
                                  : "the shared object does not match its checksum");
}

static void fill_entry(const char *cache, const char *name, struct ec_shape_entry *ret)
{
    char path[PATH_MAX];
    struct stat info;
    json_t *manifest = ec_entry_manifest(cache, name);
    *ret = (struct ec_shape_entry){
        .traced = json_is_true(json_object_get(manifest, "traced")),
        .random_init = json_is_true(json_object_get(manifest, "random_init")),
        .seconds = json_number_value(json_object_get(manifest, "seconds"))};
    snprintf(ret->key, sizeof ret->key, "%s", name);
    snprintf(ret->description, sizeof ret->description, "%s",
             ec_manifest_text(manifest, "description"));
    if (ret->description[0] == '\0')
        snprintf(ret->description, sizeof ret->description, "?");
    ret->portable = ec_entry_named(ec_manifest_text(manifest, "runtime"));
    snprintf(ret->top, sizeof ret->top, "%s", ec_manifest_text(manifest, "top"));
    snprintf(ret->build, sizeof ret->build, "%s", ec_manifest_text(manifest, "build"));
    snprintf(ret->sources, sizeof ret->sources, "%s", ec_manifest_text(manifest, "sources"));
    snprintf(ret->verilator, sizeof ret->verilator, "%s", ec_manifest_text(manifest, "verilator"));
    snprintf(ret->compiler, sizeof ret->compiler, "%s", ec_manifest_text(manifest, "compiler"));
    copy_sources(manifest, ret->rtl, sizeof ret->rtl);
    if (ec_path(path, sizeof path, NULL, "%s/%s", cache, name) == EC_OK) {
        ret->bytes = folder_bytes(path);
        ret->built = stat(path, &info) == 0 ? info.st_mtim.tv_sec : 0;
    }
    fill_state(cache, name, manifest, ret);
    json_decref(manifest);
}

/* By shape; of one shape the oldest first. */
static int compare_entries(const void *a, const void *b)
{
    const struct ec_shape_entry *x = a, *y = b;
    const int shapes = strcmp(x->description, y->description);
    if (shapes != 0)
        return shapes;
    if (x->built != y->built)
        return x->built < y->built ? -1 : 1;
    return strcmp(x->key, y->key);
}

/* The names in the cache folder; none if the folder does not exist yet. */
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
    struct ec_shape_entry *entries = calloc(count + 1, sizeof *entries);
    size_t used = 0;
    for (size_t i = 0; entries != NULL && i < count; i++) {
        if (ec_entry_named(names[i]))
            fill_entry(cache, names[i], &entries[used++]);
    }
    free(names);
    if (entries == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a list of shapes");
    qsort(entries, used, sizeof *entries, compare_entries);
    for (size_t i = 0; i < used; i++)
        entry(context, &entries[i]);
    free(entries);
    return EC_OK;
}

/* Remove an entry unless another process is building it. */
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
    if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) == 0 || has_no_locks(errno)) {
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
    static const char *const files[] = {"programs.json", "tools.json", "logs"};
    char cache[PATH_MAX], path[PATH_MAX];
    char **names;
    size_t count, removed = 0;
    enum ec_code code = cache_names(cache, sizeof cache, &names, &count, reterr);
    if (code != EC_OK)
        return code;
    ec_cache_sweep(cache);
    for (size_t i = 0; i < count && code == EC_OK; i++) {
        if (ec_entry_named(names[i]))
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
