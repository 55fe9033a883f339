/* SPDX-License-Identifier: Apache-2.0 */
/* Copies compiled shapes from one cache to another through a tar archive.
 *
 * An archive is unpacked into a stage, which is checked as if it was a cache: nothing of it is used
 * unless all of it is right. Must not know how shapes are built. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/child.h"
#include "base/file.h"
#include "base/output.h"
#include "ecube/shape.h"
#include "shape/cache.h"
#include "shape/recipe.h"

/* A name with a colon would be one on another machine, unless a slash precedes it. */
static void add_path(struct ec_args *args, const char *path)
{
    ec_args_add(args, "%s%s", *path == '/' ? "" : "./", path);
}

/* Run tar, and release `args`. Whatever it prints is a message. */
static enum ec_code run_tar(struct ec_args *args, const char *what, const char *path,
                            struct ec_error *reterr)
{
    char text[800] = "";
    int status = 0;
    const enum ec_code code = ec_process_capture(args, text, sizeof text, &status, reterr);
    ec_args_free(args);
    if (code == EC_OK && status != 0)
        return ec_fail(reterr, EC_IO, "cannot %s %s: %.*s", what, path, (int)strcspn(text, "\n"),
                       text);
    return code;
}

/* Why the router cannot be loaded: it needs a newer libstdc++, for example. NULL: it can. */
static const char *load_once(const char *path)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct ec_tile_api *(*entry)(void) = NULL;
    if (object == NULL)
        return dlerror();
    *(void **)&entry = dlsym(object, "ec_tile_api"); /* the POSIX idiom for functions */
    const bool ours = entry != NULL && entry()->abi == EC_TILE_ABI;
    dlclose(object);
    return ours ? NULL : "it is of another version of ecube";
}

/* Does ecube here add the same to a router? An earlier ecube did not store what it added. */
static bool is_of_shim(const json_t *manifest, const char *shim)
{
    const char *theirs = ec_manifest_text(manifest, "shim");
    return *theirs == '\0' || strcmp(theirs, shim) == 0;
}

/* --- Export ----------------------------------------------------------------------------------- */

static void add_once(struct ec_args *args, const char *name)
{
    for (size_t i = 0; i < args->count; i++) {
        if (strcmp(args->words[i], name) == 0)
            return;
    }
    ec_args_add(args, "%s", name);
}

/* The router's entry, and that of its runtime; neither if it is of a version of ecube with other
 * calls or another shim. */
static enum ec_code add_router(struct ec_args *args, const char *cache, const char *key,
                               const char *shim, size_t *count, struct ec_error *reterr)
{
    char path[PATH_MAX];
    json_t *manifest = ec_entry_manifest(cache, key);
    const char *runtime = ec_manifest_text(manifest, "runtime");
    enum ec_code code = EC_OK;
    if (!ec_entry_named(runtime) || ec_entry_check(cache, key) != EC_ENTRY_VALID ||
        ec_entry_check(cache, runtime) != EC_ENTRY_VALID)
        code = ec_fail(reterr, EC_IO, "cannot export router %.64s: it is damaged, or not portable",
                       key);
    else
        code = ec_path(path, sizeof path, reterr, "%s/%s/%s", cache, key,
                       ec_manifest_text(manifest, "file"));
    if (code == EC_OK && is_of_shim(manifest, shim) && load_once(path) == NULL) {
        add_once(args, key);
        add_once(args, runtime);
        ++*count;
    }
    json_decref(manifest);
    return code;
}

enum ec_code ec_shape_export(const char *path, char *const *keys, size_t count, size_t *ret_count,
                             struct ec_error *reterr)
{
    char cache[PATH_MAX], shim[33];
    struct ec_args args = {0};
    struct ec_output out = {0};
    enum ec_code code = ec_cache_open(cache, sizeof cache, reterr);
    if (code == EC_OK)
        code = ec_shim_hash(shim, reterr);
    if (code == EC_OK)
        code = ec_output_open(&out, NULL, path, NULL, reterr);
    if (code != EC_OK)
        return code;
    ec_args_split(&args, "tar -c -f");
    add_path(&args, out.temporary != NULL ? out.temporary : path);
    ec_args_add(&args, "-C");
    ec_args_add(&args, "%s", cache);
    *ret_count = 0;
    for (size_t i = 0; i < count && code == EC_OK; i++)
        code = add_router(&args, cache, keys[i], shim, ret_count, reterr);
    if (code == EC_OK && *ret_count == 0)
        code = ec_fail(reterr, EC_IO,
                       "%.400s has no router to export: \"ecube tile build\" makes one", cache);
    if (code == EC_OK)
        code = run_tar(&args, "export routers to", path, reterr);
    if (code == EC_OK)
        return ec_output_commit(&out, reterr);
    ec_args_free(&args);
    ec_output_discard(&out);
    return code;
}

/* --- Checks of an import ---------------------------------------------------------------------- */

/* Are the files of the entry plain ones, with the usual names? They get the usual modes. */
static bool has_usual_files(const char *stage, const char *name)
{
    char path[PATH_MAX];
    char **files = NULL;
    size_t count = 0;
    struct stat info;
    bool good = ec_entry_named(name) &&
                ec_path(path, sizeof path, NULL, "%s/%s", stage, name) == EC_OK &&
                lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && chmod(path, 0700) == 0 &&
                ec_folder_names(path, &files, &count, NULL) == EC_OK;
    for (size_t i = 0; i < count && good; i++) {
        const bool object = ec_name_ends(files[i], ".so");
        good =
            (object || strcmp(files[i], EC_MANIFEST) == 0 || strcmp(files[i], EC_BUILD_LOG) == 0) &&
            ec_path(path, sizeof path, NULL, "%s/%s/%s", stage, name, files[i]) == EC_OK &&
            lstat(path, &info) == 0 && S_ISREG(info.st_mode) &&
            chmod(path, object ? 0755 : 0600) == 0;
    }
    free(files);
    return good;
}

/* A header that cannot be read belongs to a damaged file. */
static bool is_of_other_machine(const char *path)
{
    ElfW(Ehdr) theirs;
    Dl_info object;
    FILE *file = fopen(path, "rbe");
    const bool known = file != NULL && fread(&theirs, sizeof theirs, 1, file) == 1 &&
                       dladdr((void *)(uintptr_t)ec_shape_import, &object) != 0;
    if (file != NULL)
        fclose(file);
    if (!known)
        return false;
    const ElfW(Ehdr) *ours = object.dli_fbase;
    return theirs.e_machine != ours->e_machine ||
           theirs.e_ident[EI_CLASS] != ours->e_ident[EI_CLASS];
}

/* Why no run here could use this entry of the stage; NULL: one could. `sources` and `shim`: of
 * ecube here; the sources of a user's router are in its manifest. */
static const char *refusal(const char *stage, const char *name, json_t *manifest,
                           const char *sources, const char *shim)
{
    char path[PATH_MAX];
    if (!has_usual_files(stage, name))
        return "expected the files that \"ecube tile export\" writes";
    if (ec_path(path, sizeof path, NULL, "%s/%s/%s", stage, name,
                ec_manifest_text(manifest, "file")) == EC_OK &&
        is_of_other_machine(path))
        return "it was compiled for another kind of processor";
    if (ec_entry_check(stage, name) == EC_ENTRY_DAMAGED)
        return "it is damaged: copy the file again";
    if (strchr(name, '-') != NULL) /* a runtime */
        return NULL;
    if (ec_manifest_text(manifest, "runtime")[0] == '\0')
        return "the engine simd compiles for one kind of processor only";
    if (!is_of_shim(manifest, shim) ||
        (ec_manifest_text(manifest, "top")[0] == '\0' &&
         strcmp(ec_manifest_text(manifest, "sources"), sources) != 0))
        return "it is of another version of ecube";
    return load_once(path);
}

/* --- Import ----------------------------------------------------------------------------------- */

static enum ec_code unpack(const char *path, const char *stage, struct ec_error *reterr)
{
    struct stat info;
    struct ec_args args = {0};
    if (stat(path, &info) != 0)
        return ec_fail(reterr, EC_IO, "cannot read %s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return ec_fail(reterr, EC_IO, "cannot read %s: not a regular file", path);
    ec_args_split(&args, "tar -x -o -f");
    add_path(&args, path);
    ec_args_add(&args, "-C");
    ec_args_add(&args, "%s", stage);
    return run_tar(&args, "import", path, reterr);
}

/* Move an entry into the cache, unless there is a valid one. */
static enum ec_code move_entry(const char *stage, const char *cache, const char *name,
                               struct ec_error *reterr)
{
    struct ec_stage entry = {.lock = -1};
    int lock = -1;
    sigset_t before;
    enum ec_code code = ec_path(entry.path, sizeof entry.path, reterr, "%s/%s", stage, name);
    ec_signals_hold(&before);
    if (code == EC_OK)
        code = ec_cache_lock(cache, name, NULL, NULL, &before, &lock, reterr);
    if (code == EC_OK && ec_entry_check(cache, name) != EC_ENTRY_VALID)
        code = ec_stage_publish(&entry, cache, name, reterr);
    ec_cache_unlock(lock);
    ec_signals_release(&before);
    return code;
}

/* From the last to the first name: a runtime comes before its routers. */
static enum ec_code import_stage(const char *path, const char *stage, const char *cache,
                                 size_t *ret_count, struct ec_error *reterr)
{
    char sources[33], shim[33];
    char **names = NULL;
    size_t count = 0;
    enum ec_code code = ec_shape_sources(sources, reterr);
    if (code == EC_OK)
        code = ec_shim_hash(shim, reterr);
    if (code == EC_OK)
        code = ec_folder_names(stage, &names, &count, reterr);
    for (size_t i = count; i-- > 0 && code == EC_OK;) {
        json_t *manifest = ec_entry_manifest(stage, names[i]);
        const char *why = refusal(stage, names[i], manifest, sources, shim);
        if (why != NULL)
            code =
                ec_fail(reterr, EC_IO, "cannot import %.300s: %.64s: %.500s", path, names[i], why);
        json_decref(manifest);
    }
    *ret_count = 0;
    for (size_t i = count; i-- > 0 && code == EC_OK;) {
        code = move_entry(stage, cache, names[i], reterr);
        *ret_count += strchr(names[i], '-') == NULL;
    }
    free(names);
    return code;
}

enum ec_code ec_shape_import(const char *path, size_t *ret_count, struct ec_error *reterr)
{
    char cache[PATH_MAX];
    struct ec_stage stage;
    enum ec_code code = ec_cache_open(cache, sizeof cache, reterr);
    if (code == EC_OK)
        code = ec_stage_open(cache, &stage, reterr);
    if (code != EC_OK)
        return code;
    code = unpack(path, stage.path, reterr);
    if (code == EC_OK)
        code = import_stage(path, stage.path, cache, ret_count, reterr);
    ec_stage_close(&stage);
    return code;
}
