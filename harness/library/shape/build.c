/* SPDX-License-Identifier: Apache-2.0 */
/* Building a shape: runs the tools in order and reports their failures.
 *
 * The C++ compiler is called directly, not through the makefile that Verilator writes: the makefile
 * adds its own optimisation flags after ours and needs make. All code is one translation unit, so
 * that the shim's loop and the router's evaluation are optimised together, and the headers of
 * Verilator are parsed once: that takes as long as compiling a small router. Knows the tools'
 * arguments and messages; must not know networks. */
#include "shape/build.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "shape/cache.h"
#include "shape/engine.h"
#include "shape/foreign.h"
#include "shape/tile_io.h"

/* --- The log of the tools --------------------------------------------------------------------- */

/* The first line that contains `word`, except command lines, which begin with "$ ". */
static char *line_with(char *text, const char *word)
{
    for (char *line = text; line != NULL;) {
        char *end = strchr(line, '\n');
        const size_t length = end != NULL ? (size_t)(end - line) : strlen(line);
        if (length > 0 && strncmp(line, "$ ", 2) != 0 &&
            memmem(line, length, word, strlen(word)) != NULL) {
            line[length] = '\0';
            return line;
        }
        line = end != NULL ? end + 1 : NULL;
    }
    return NULL;
}

/* The output of the last command. A failed first try may precede it. */
static char *skip_to_last_command(char *text)
{
    char *last = text;
    for (char *at = text; (at = strstr(at, "\n$ ")) != NULL; at++)
        last = at + 1;
    return last;
}

/* The first line that reports an error, of the last command if there is one. */
static const char *first_error(char *text)
{
    static const char *const words[] = {"%Error", "error:", "Error:", "undefined reference", ""};
    const size_t count = sizeof words / sizeof *words;
    char *line = NULL;
    for (size_t w = 0; w < count - 1 && line == NULL; w++)
        line = line_with(skip_to_last_command(text), words[w]);
    for (size_t w = 0; w < count && line == NULL; w++)
        line = line_with(text, words[w]);
    return line != NULL ? line : "no message";
}

/* A tool failed: keep the log of `stage` as <cache>/logs/<name>.log and fail with its first error
 * line: EC_IO if the disk is full, else EC_TOOL. */
static enum ec_code fail_with_log(const char *stage, const char *cache, const char *name,
                                  const char *description, struct ec_error *reterr)
{
    char from[PATH_MAX], to[PATH_MAX];
    char *text = NULL;
    if (!ec_stage_text(stage, EC_BUILD_LOG, &text))
        return ec_fail(reterr, EC_TOOL,
                       "building router shape %s failed, and its log could not be kept",
                       description);
    bool kept = ec_path(to, sizeof to, NULL, "%s/logs", cache) == EC_OK &&
                ec_folder_make(to, EC_FOLDER_PRIVATE, NULL) == EC_OK &&
                ec_path(from, sizeof from, NULL, "%s/" EC_BUILD_LOG, stage) == EC_OK &&
                ec_path(to, sizeof to, NULL, "%s/logs/%s.log", cache, name) == EC_OK &&
                rename(from, to) == 0;
    const int trouble = strstr(text, strerror(ENOSPC)) != NULL ? ENOSPC : ec_disk_trouble(cache);
    enum ec_code code;
    if (strstr(text, "zlib.h: No such file") != NULL)
        code = ec_fail(reterr, EC_TOOL,
                       "building router shape %s failed: waves need the headers of zlib, "
                       "install them with \"apt-get install zlib1g-dev\"",
                       description);
    else if (trouble != 0)
        code = ec_fail(reterr, EC_IO, "cannot build router shape %s in %s: %s", description, cache,
                       strerror(trouble));
    else
        code =
            ec_fail(reterr, EC_TOOL, "building router shape %s failed: %.400s (%s%s)", description,
                    first_error(text), kept ? "log: " : "log not kept", kept ? to : "");
    free(text);
    return code;
}

/* --- A cache entry under construction --------------------------------------------------------- */

struct entry {
    const struct ec_recipe *r;
    const char *cache;
    const sigset_t *before; /* as in ec_process_wait */
    char name[64];          /* of the entry; its lock has the same name */
    struct ec_stage stage;
    int log;
    pid_t pid; /* of the tool that runs, or 0 */
    double start;
};

static void entry_init(struct entry *e, const struct ec_recipe *r, const char *cache,
                       const sigset_t *before, const char *name)
{
    *e = (struct entry){.r = r, .cache = cache, .before = before, .stage.lock = -1, .log = -1};
    snprintf(e->name, sizeof e->name, "%s", name);
    e->start = ec_clock(CLOCK_MONOTONIC);
}

static enum ec_code entry_open(struct entry *e, struct ec_error *reterr)
{
    char path[PATH_MAX];
    enum ec_code code = ec_stage_open(e->cache, &e->stage, reterr);
    if (code == EC_OK)
        code = ec_path(path, sizeof path, reterr, "%s/" EC_BUILD_LOG, e->stage.path);
    if (code != EC_OK)
        return code;
    e->log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (e->log < 0)
        return ec_fail(reterr, EC_IO, "cannot write %s: %s", path, strerror(errno));
    return EC_OK;
}

/* Start a tool in folder `cwd` (NULL: the current one); the one before has ended. Releases `args`.
 * The command line goes into the log first. */
static enum ec_code entry_run(struct entry *e, struct ec_args *args, const char *cwd,
                              struct ec_error *reterr)
{
    bool logged = true;
    for (size_t i = 0; i < args->count; i++)
        logged = logged && dprintf(e->log, "%s%s", i == 0 ? "$ " : " ", args->words[i]) > 0;
    logged = logged && dprintf(e->log, "\n") > 0;
    enum ec_code code;
    if (!logged)
        code = ec_fail(reterr, EC_IO, "cannot write %s/" EC_BUILD_LOG ": %s", e->stage.path,
                       strerror(errno));
    else
        code = ec_process_start(args, cwd, e->log, &e->pid, reterr);
    ec_args_free(args);
    return code;
}

/* Wait for the tool; *ret_failed: did it fail? */
static enum ec_code entry_wait(struct entry *e, bool *ret_failed, struct ec_error *reterr)
{
    int status = 0;
    const enum ec_code code = ec_process_wait(&e->pid, e->before, &status, reterr);
    if (code == EC_OK)
        *ret_failed = status != 0;
    return code;
}

/* Wait for the tool, which must not fail. */
static enum ec_code entry_expect(struct entry *e, struct ec_error *reterr)
{
    bool failed = false;
    const enum ec_code code = entry_wait(e, &failed, reterr);
    if (code != EC_OK || !failed)
        return code;
    return fail_with_log(e->stage.path, e->cache, e->name, e->r->description, reterr);
}

static void entry_close(struct entry *e)
{
    ec_process_kill(e->pid);
    if (e->log >= 0)
        close(e->log);
    ec_stage_close(&e->stage);
}

/* The members that tiles and runtimes have in common. */
static json_t *manifest_common(const struct entry *e, const char *description, const char *file,
                               const char *checksum, uint64_t bytes)
{
    return json_pack("{s:i, s:s, s:s, s:I, s:s, s:s, s:s, s:s, s:f}", "schema", 1, "description",
                     description, "file", file, "bytes", (json_int_t)bytes, "checksum", checksum,
                     "verilator", e->r->tools.verilator_version, "compiler",
                     e->r->tools.cxx_version, "command", e->r->tools.cxx, "seconds",
                     ec_clock(CLOCK_MONOTONIC) - e->start);
}

/* Write the manifest (with the members of `more`, which is released) and publish the entry. */
static enum ec_code entry_publish(struct entry *e, const char *description, const char *file,
                                  json_t *more, struct ec_error *reterr)
{
    char path[PATH_MAX], checksum[33];
    uint64_t bytes = 0;
    char *text = NULL;
    json_t *manifest = NULL;
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/%s", e->stage.path, file);
    if (code != EC_OK)
        goto cleanup;
    (void)!chmod(path, 0755); /* whatever the user's mask: see ec_entry_trust() */
    code = ec_file_hash(path, checksum, &bytes, reterr);
    if (code != EC_OK)
        goto cleanup;
    manifest = manifest_common(e, description, file, checksum, bytes);
    if (manifest == NULL || more == NULL || json_object_update(manifest, more) != 0 ||
        (text = json_dumps(manifest, JSON_INDENT(2))) == NULL) {
        code = ec_fail(reterr, EC_MEMORY, "out of memory for the manifest of %s", description);
        goto cleanup;
    }
    code = ec_path(path, sizeof path, reterr, "%s/" EC_MANIFEST, e->stage.path);
    if (code == EC_OK)
        code = ec_file_write(path, text, strlen(text), reterr);
    if (code == EC_OK)
        code = ec_stage_publish(&e->stage, e->cache, e->name, reterr);
cleanup:
    free(text);
    json_decref(manifest);
    json_decref(more);
    return code;
}

/* --- Common to the runtime and the tile ------------------------------------------------------- */

struct build {
    const struct ec_recipe *r;
    const char *cache;
    const struct ec_shape_options *options;
    const sigset_t *before;
    struct entry tile, runtime, headers;
    int runtime_lock, headers_lock; /* held while they are built, else -1 */
    bool sampled;                   /* the RTL has concurrent properties */
    struct timespec began;          /* before Verilator was started */
};

void ec_shape_say(const struct ec_shape_options *options, const char *format, ...)
{
    char line[640];
    va_list arguments;
    if (options == NULL || options->progress == NULL)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    options->progress(options->progress_context, line);
}

void ec_runtime_name(const struct ec_recipe *r, char *buffer, size_t size)
{
    snprintf(buffer, size, "runtime-%s", r->runtime_key);
}

/* The key is part of the name, because the dynamic linker loads objects of one name only once. */
static void runtime_object(const struct ec_recipe *r, char *buffer, size_t size)
{
    snprintf(buffer, size, "libecube-verilated-%s.so", r->runtime_key);
}

/* --- The Verilator runtime: once per version of the tools, shared by all tiles ---------------- */

static bool is_clang(const struct ec_recipe *r)
{
    return strstr(r->tools.cxx_version, "clang") != NULL;
}

/* clang++ refuses flags of g++ that it does not know; it needs none of these. */
static bool is_refused(const struct ec_recipe *r, const char *flag)
{
    static const char *const of_gnu[] = {EC_CXX_GNU_UNIQUE, EC_CXX_GNU_PRE};
    if (!is_clang(r))
        return false;
    for (size_t i = 0; i < sizeof of_gnu / sizeof *of_gnu; i++) {
        if (strcmp(flag, of_gnu[i]) == 0)
            return true;
    }
    return false;
}

static void add_flags(struct ec_args *args, const struct ec_recipe *r, const char *flags)
{
    struct ec_args words = {0};
    ec_args_split(&words, flags);
    for (size_t i = 0; i < words.count && !words.failed; i++) {
        if (!is_refused(r, words.words[i]))
            ec_args_add(args, "%s", words.words[i]);
    }
    args->failed = args->failed || words.failed;
    ec_args_free(&words);
}

/* Compiler arguments of the runtime and the tiles. */
static void add_variant(struct ec_args *args, const struct ec_recipe *r)
{
    ec_args_split(args, r->traced ? EC_CXX_TRACED : EC_CXX_FAST);
    ec_args_add(args, "-include");
    ec_args_add(args, "%s/" EC_DATA_RUNTIME_H, r->data);
    ec_args_add(args, "-I%s/" EC_DATA_INCLUDE, r->data);
}

static enum ec_code runtime_start(struct build *b, struct ec_error *reterr)
{
    const char *root = b->r->tools.verilator_root;
    char object[96];
    struct ec_args args = {0};
    enum ec_code code =
        ec_cache_lock(b->cache, b->runtime.name, NULL, NULL, b->before, &b->runtime_lock, reterr);
    if (code != EC_OK)
        return code;
    if (ec_entry_check(b->cache, b->runtime.name) == EC_ENTRY_VALID) {
        ec_cache_unlock(b->runtime_lock);
        b->runtime_lock = -1;
        return EC_OK;
    }
    code = entry_open(&b->runtime, reterr);
    if (code != EC_OK)
        return code;
    runtime_object(b->r, object, sizeof object);
    ec_args_split(&args, b->r->tools.cxx);
    add_flags(&args, b->r, EC_CXX_FLAGS " " EC_CXX_RUNTIME " " EC_LINK_FLAGS);
    add_variant(&args, b->r);
    ec_args_add(&args, "-Wl,-soname,%s", object);
    ec_args_add(&args, "-I%s/include", root);
    ec_args_add(&args, "-I%s/include/vltstd", root);
    ec_args_add(&args, "-o");
    ec_args_add(&args, "%s", object);
    ec_args_add(&args, "%s/include/verilated.cpp", root);
    ec_args_add(&args, "%s/include/verilated_threads.cpp", root);
    ec_args_add(&args, "%s/" EC_DATA_RUNTIME, b->r->data);
    ec_args_split(&args, b->r->traced ? EC_LINK_TRACED : EC_LINK_FAST);
    if (b->r->traced) {
        ec_args_add(&args, "%s/include/verilated_fst_c.cpp", root);
        ec_args_add(&args, "%s/" EC_DATA_TRACE_FILES, b->r->data);
        ec_args_add(&args, "-lz");
    }
    ec_args_add(&args, "-pthread");
    if (is_clang(b->r))
        ec_args_add(&args, "-latomic"); /* it calls functions that g++ expands */
    return entry_run(&b->runtime, &args, b->runtime.stage.path, reterr);
}

static enum ec_code runtime_finish(struct build *b, struct ec_error *reterr)
{
    char object[96], description[300];
    if (b->runtime_lock < 0)
        return EC_OK;
    enum ec_code code = entry_expect(&b->runtime, reterr);
    if (code != EC_OK)
        return code;
    runtime_object(b->r, object, sizeof object);
    snprintf(description, sizeof description, "runtime of %.120s%s", b->r->tools.verilator_version,
             b->r->traced ? " with waves" : "");
    code = entry_publish(&b->runtime, description, object, json_object(), reterr);
    ec_cache_unlock(b->runtime_lock);
    b->runtime_lock = -1;
    return code;
}

/* --- The tile --------------------------------------------------------------------------------- */

/* The folder of a file, for -I and -y. */
static void add_folder_of(struct ec_args *args, const char *path)
{
    const char *slash = strrchr(path, '/');
    const int length = slash == NULL ? 1 : slash == path ? 1 : (int)(slash - path);
    const char *folder = slash == NULL ? "." : path;
    ec_args_add(args, "-I%.*s", length, folder);
    ec_args_add(args, "-y");
    ec_args_add(args, "%.*s", length, folder);
}

/* Folders of the user's options are searched before those of the sources. */
static void add_options(struct ec_args *args, const struct ec_sources *s)
{
    struct ec_args parameters = {0};
    for (size_t i = 0; i < s->includes.count; i++)
        ec_args_add(args, "-I%s", s->includes.words[i]);
    for (size_t i = 0; i < s->defines.count; i++)
        ec_args_add(args, "-D%s", s->defines.words[i]);
    for (size_t i = 0; i < s->library.count; i++)
        ec_args_add(args, "%s", s->library.words[i]);
    for (size_t i = 0; i < s->parameters.count; i++) {
        const char *text = s->parameters.words[i], *value = strchr(text, '=') + 1;
        ec_args_add(&parameters, ".%.*s(%s),", (int)(value - text) - 1, text, value);
    }
    char *all = parameters.count > 0 ? ec_args_join(&parameters) : NULL;
    if (all)
        ec_args_add(args, "-DEC_PARAMETERS=%s", all);
    args->failed = args->failed || (parameters.count > 0 && !all);
    free(all);
    ec_args_free(&parameters);
}

/* The user's sources come first. Our rtl/ is searched for headers; foreign.c refuses modules from
 * there. */
static void add_sources(struct ec_args *args, const struct ec_recipe *r)
{
    bool wrapper = false;
    add_options(args, &r->user);
    for (size_t i = 0; r->rtl != NULL && r->rtl[i] != NULL; i++) {
        const char *slash = strrchr(r->rtl[i], '/');
        wrapper = wrapper || strcmp(slash != NULL ? slash + 1 : r->rtl[i],
                                    strrchr(r->kind->wrapper, '/') + 1) == 0;
        add_folder_of(args, r->rtl[i]);
        /* Verilator looks for a relative name in the folders of -I first: another file there. */
        char path[PATH_MAX];
        ec_args_add(args, "%s", realpath(r->rtl[i], path) != NULL ? path : r->rtl[i]);
    }
    ec_args_add(args, "-I%s/" EC_DATA_RTL, r->data);
    ec_args_add(args, "-y");
    ec_args_add(args, "%s/" EC_DATA_RTL, r->data);
    if (r->kind->config != NULL)
        ec_args_add(args, "%s/%s", r->data, r->kind->config);
    if (!wrapper)
        ec_args_add(args, "%s/%s", r->data, r->kind->wrapper);
    if (r->cover != EC_COVER_NONE && r->rtl == NULL)
        ec_args_add(args, "%s/" EC_DATA_COVER_RTL, r->data);
}

/* The time of the file system, which files have that change from now on. */
static void note_time(struct build *b)
{
    struct stat info;
    b->began = fstat(b->tile.log, &info) == 0 ? info.st_ctim : (struct timespec){0};
}

/* Verilator replaces $NAME, ${NAME} and $(NAME) in names of files by a variable of its environment,
 * and has no way to quote them: each of these variables stands for its own name. */
static void keep_dollars(struct ec_args *args)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    struct ec_args whole = {0};
    ec_args_add(&whole, "env");
    for (size_t i = 0; i < args->count; i++) {
        for (const char *at = args->words[i]; (at = strchr(at, '$')) != NULL; at++) {
            const int open = at[1] == '{' || at[1] == '(', n = (int)strspn(at + 1 + open, letters);
            if (n > 0)
                ec_args_add(&whole, "%.*s=%.*s", n, at + 1 + open, 1 + open + n + open, at);
        }
    }
    for (size_t i = 0; i < args->count; i++)
        ec_args_add(&whole, "%s", args->words[i]);
    whole.failed = whole.failed || args->failed;
    ec_args_free(args);
    *args = whole;
}

static enum ec_code verilator_start(struct build *b, const ec_features features,
                                    struct ec_error *reterr)
{
    const struct ec_recipe *r = b->r;
    struct ec_args args = {0};
    note_time(b);
    ec_args_split(&args, r->tools.verilator);
    ec_args_split(&args, EC_VERILATOR_FLAGS);
    ec_args_split(&args, r->kind->flags);
    ec_args_split(&args, ec_recipe_variant(r));
    ec_args_split(&args, ec_recipe_coverage(r));
    ec_args_split(&args, r->random_init ? EC_VERILATOR_RANDOM_INIT : EC_VERILATOR_FAST_INIT);
    if (r->saved)
        ec_args_add(&args, EC_VERILATOR_SAVED);
    ec_args_add(&args, "--Mdir");
    ec_args_add(&args, "%s/cpp", b->tile.stage.path);
    ec_args_add(&args, "--top-module");
    ec_args_add(&args, "%s", r->kind->top);
    ec_args_split(&args, r->parameters);
    if (r->top != NULL)
        ec_args_add(&args, "-DEC_ROUTER=%s", r->top);
    if (features[EC_FEATURE_TABLE])
        ec_args_add(&args, "-GTable=%u", r->shape.table);
    if (features[EC_FEATURE_TABLE])
        ec_args_add(&args, "-DEC_TABLE");
    if (r->shape.paths > 0)
        ec_args_add(&args, "-DEC_PATHS=%u", r->shape.paths);
    if (r->shape.speedup > 0)
        ec_args_add(&args, "-DEC_SPEEDUP=%u", r->shape.speedup);
    if (r->rtl != NULL)
        ec_args_split(&args, EC_VERILATOR_STYLE);
    if (b->sampled)
        ec_args_add(&args, "-DEC_SAMPLED");
    for (enum ec_feature k = 0; k < EC_FEATURES; k++) {
        if (!features[k] && ec_feature_macro(k) != NULL)
            ec_args_add(&args, "-D%s", ec_feature_macro(k));
    }
    add_sources(&args, r);
    keep_dollars(&args);
    return entry_run(&b->tile, &args, NULL, reterr);
}

/* Does the RTL have concurrent properties, which sample their signals? In doubt it has. */
static bool is_sampled(const char *folder)
{
    char **names = NULL;
    size_t count = 0;
    bool found = ec_folder_names(folder, &names, &count, NULL) != EC_OK;
    for (size_t i = 0; i < count && !found; i++) {
        char *text = NULL;
        if (ec_name_ends(names[i], ".h"))
            found = !ec_stage_text(folder, names[i], &text) || strstr(text, "__Vsampled") != NULL;
        free(text);
    }
    free(names);
    return found;
}

/* A foreign router may lack features. Verilator then complains about pins or parameters, and the
 * wrapper leaves them out in another try. */
static enum ec_code verilate_foreign(struct build *b, ec_features features, struct ec_error *reterr)
{
    const char *stage = b->tile.stage.path;
    ec_features tried;
    bool failed = false;
    enum ec_code code;
    do {
        memcpy(tried, features, sizeof tried);
        code = verilator_start(b, tried, reterr);
        if (code == EC_OK)
            code = entry_wait(&b->tile, &failed, reterr);
        if (code == EC_OK && failed)
            code = ec_foreign_explain(b->r, stage, features, reterr);
    } while (code == EC_OK && failed && memcmp(tried, features, sizeof tried) != 0);
    if (code == EC_OK && failed)
        return fail_with_log(stage, b->cache, b->tile.name, b->r->description, reterr);
    if (code == EC_OK && b->r->sets && features[EC_FEATURE_TABLE])
        return ec_fail(reterr, EC_TOOL,
                       "%s takes its routing table by the configuration port, whose entries have "
                       "one port (contract, section 5.4): expected entries of one port, or a "
                       "router without Table and table_*_i",
                       b->r->top);
    return code == EC_OK ? ec_foreign_check(b->r, stage, reterr) : code;
}

static enum ec_code verilate_once(struct build *b, ec_features features, struct ec_error *reterr)
{
    if (b->r->rtl != NULL)
        return verilate_foreign(b, features, reterr);
    const enum ec_code code = verilator_start(b, features, reterr);
    return code == EC_OK ? entry_expect(&b->tile, reterr) : code;
}

/* Between concurrent properties of a foreign router and the ports there must be vectors: they make
 * it generate the C++ again. */
static enum ec_code verilate(struct build *b, ec_features features, struct ec_error *reterr)
{
    char path[PATH_MAX];
    ec_features_of(b->r, features);
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/cpp", b->tile.stage.path);
    if (code == EC_OK)
        code = verilate_once(b, features, reterr);
    b->sampled = code == EC_OK && is_sampled(path);
    if (!b->sampled || b->r->rtl == NULL)
        return code;
    code = ec_folder_remove(path, reterr);
    return code == EC_OK ? verilate_once(b, features, reterr) : code;
}

/* The translation unit of a tile. */
#define HEADERS     "ec_headers.h"
#define UNIT        "tile.cpp"
#define UNIT_OBJECT "tile.o"

/* Code that runs at most once per instance. Verilator marks it in the file's name. */
static bool is_cold(const char *name)
{
    return strstr(name, "Slow") != NULL || strstr(name, "__Syms") != NULL;
}

/* The code from here on is not optimised. */
#define COLD_FROM_HERE                                                                             \
    "#ifdef __clang__\n"                                                                           \
    "#pragma clang optimize off\n"                                                                 \
    "#else\n"                                                                                      \
    "#pragma GCC optimize(\"" EC_CXX_COLD "\")\n"                                                  \
    "#endif\n"

/* Write tile.cpp, which includes what Verilator generated and the shim; cold code is last. */
static enum ec_code write_unit(const struct build *b, struct ec_error *reterr)
{
    char path[PATH_MAX];
    char **names = NULL;
    size_t count = 0;
    struct ec_args lines = {0};
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/cpp", b->tile.stage.path);
    if (code == EC_OK)
        code = ec_folder_names(path, &names, &count, reterr);
    if (code == EC_IO && access(path, F_OK) != 0)
        return ec_fail(reterr, EC_TOOL,
                       "building router shape %s failed: %s ended without an error and without C++",
                       b->r->description, b->r->tools.verilator);
    if (code != EC_OK)
        return code;
    for (int cold = 0; cold < 2; cold++) {
        for (size_t i = 0; i < count; i++) {
            if (ec_name_ends(names[i], ".cpp") && is_cold(names[i]) == (cold != 0))
                ec_args_add(&lines, "#include \"cpp/%s\"\n", names[i]);
        }
        if (!cold) {
            ec_args_add(&lines, "#include \"%s/%s\"\n", b->r->data,
                        b->r->cover != EC_COVER_NONE ? EC_DATA_COVER
                        : b->r->saved                ? EC_DATA_STATE
                                                     : b->r->kind->shim);
            ec_args_add(&lines, COLD_FROM_HERE);
        }
    }
    free(names);
    char *text = ec_args_join(&lines);
    ec_args_free(&lines);
    code = text == NULL ? ec_fail(reterr, EC_MEMORY, "out of memory for a list of sources")
                        : ec_path(path, sizeof path, reterr, "%s/" UNIT, b->tile.stage.path);
    if (code == EC_OK)
        code = ec_file_write(path, text, strlen(text), reterr);
    free(text);
    return code;
}

static void add_shape(struct ec_args *args, const struct ec_tile_shape *s)
{
    ec_args_add(args, "-DEC_SHAPE_DIMS=%u", s->dims);
    ec_args_add(args, "-DEC_SHAPE_LINKS_PER_DIM=%u", s->links_per_dim);
    ec_args_add(args, "-DEC_SHAPE_LOCALS=%u", s->locals);
    ec_args_add(args, "-DEC_SHAPE_VCS=%u", s->vcs);
    ec_args_add(args, "-DEC_SHAPE_DEPTH_MAX=%u", s->depth_max);
    ec_args_add(args, "-DEC_SHAPE_DYNAMIC=%u", s->dynamic);
    ec_args_add(args, "-DEC_SHAPE_STAGES=%u", s->stages);
    ec_args_add(args, "-DEC_SHAPE_ADDRESS_BITS=%u", s->address_bits);
    ec_args_add(args, "-DEC_SHAPE_TABLE=%u", s->table);
    ec_args_add(args, "-DEC_SHAPE_PATHS=%u", s->paths);
    ec_args_add(args, "-DEC_SHAPE_SPEEDUP=%u", s->speedup);
}

/* The code that saves the state of routers includes the shim. */
static void add_state(struct ec_args *args, const struct ec_recipe *r, const char *shim)
{
    if (!r->saved)
        return;
    ec_args_add(args, "-DEC_SHAPE_STATE=\"%s/" EC_DATA_STATE_H "\"", r->data);
    ec_args_add(args, "-DEC_SHAPE_SHIM=\"%s/%s\"", r->data, shim);
}

/* The start of the command that compiles a tile, or the headers. */
static void add_tile(struct ec_args *args, const struct build *b, bool headers)
{
    const struct ec_recipe *r = b->r;
    ec_args_split(args, r->tools.cxx);
    add_flags(args, r, EC_CXX_TILE_FLAGS);
    if (headers) {
        ec_args_add(args, "-Winvalid-pch"); /* the log says so if they are not taken */
        ec_args_add(args, "-include");
        ec_args_add(args, "%s/%s/" HEADERS, b->cache, b->headers.name);
    }
    add_variant(args, r);
    add_flags(args, r, ec_recipe_hot(r));
    ec_args_add(args, "-I%s/include", r->tools.verilator_root);
    ec_args_add(args, "-I%s/include/vltstd", r->tools.verilator_root);
}

/* --- The headers of tiles, compiled once --------------------------------------------------------
 *
 * To read those of Verilator and of C++ takes half of the time of a tile. Where more than two tiles
 * are kept, the next one compiles them beside its own code for all that follow. Without them
 * nothing is lost but time: no failure here is one of the build. */

static bool has_headers(const struct build *b)
{
    return ec_entry_check(b->cache, b->headers.name) == EC_ENTRY_VALID &&
           ec_entry_trust(b->cache, b->headers.name, NULL) == EC_OK;
}

static bool has_many_tiles(const struct build *b)
{
    char **names = NULL;
    size_t count = 0, tiles = 0;
    (void)ec_folder_names(b->cache, &names, &count, NULL);
    for (size_t i = 0; i < count; i++)
        tiles += ec_entry_named(names[i]) && strchr(names[i], '-') == NULL;
    free(names);
    return tiles > 2;
}

/* g++ takes them for the flags with which they were compiled only. */
static bool wants_headers(const struct build *b)
{
    return !is_clang(b->r) && b->r->nodes == 0 && b->r->cover == EC_COVER_NONE;
}

static void headers_compile(struct build *b)
{
    char path[PATH_MAX];
    char *runtime = NULL, *text = NULL;
    size_t size = 0;
    struct ec_args lines = {0}, args = {0};
    if (entry_open(&b->headers, NULL) != EC_OK ||
        ec_path(path, sizeof path, NULL, "%s/" EC_DATA_RUNTIME_H, b->r->data) != EC_OK ||
        ec_file_read(path, &runtime, &size, NULL) != EC_OK)
        return;
    ec_args_add(&lines, "%s", runtime); /* Verilator's headers look for its names */
    ec_args_add(&lines, "#include \"verilated.h\"\n#include <cstring>\n#include <memory>\n"
                        "#include <mutex>\n#include <vector>\n");
    if (b->r->traced)
        ec_args_add(&lines, "#include \"verilated_fst_c.h\"\n");
    text = ec_args_join(&lines);
    ec_args_free(&lines);
    free(runtime);
    const bool written =
        text != NULL &&
        ec_path(path, sizeof path, NULL, "%s/" HEADERS, b->headers.stage.path) == EC_OK &&
        ec_file_write(path, text, strlen(text), NULL) == EC_OK;
    free(text);
    if (!written)
        return;
    add_tile(&args, b, false);
    ec_args_split(&args, "-x c++-header " HEADERS " -o " HEADERS ".gch");
    (void)entry_run(&b->headers, &args, b->headers.stage.path, NULL);
}

static void headers_unlock(struct build *b)
{
    ec_cache_unlock(b->headers_lock);
    b->headers_lock = -1;
}

/* Unless another process is at it. */
static void headers_start(struct build *b)
{
    if (!wants_headers(b) || b->runtime_lock >= 0 || has_headers(b) || !has_many_tiles(b) ||
        ec_cache_lock(b->cache, b->headers.name, NULL, NULL, NULL, &b->headers_lock, NULL) != EC_OK)
        return;
    if (!has_headers(b))
        headers_compile(b);
    if (b->headers.pid == 0)
        headers_unlock(b);
}

static void headers_finish(struct build *b)
{
    bool failed = true;
    if (b->headers.pid == 0)
        return;
    if (entry_wait(&b->headers, &failed, NULL) == EC_OK && !failed)
        (void)entry_publish(&b->headers, "headers", HEADERS ".gch", json_object(), NULL);
    headers_unlock(b);
}

static enum ec_code start_tile(struct build *b, const ec_features features, bool headers,
                               struct ec_error *reterr)
{
    const struct ec_recipe *r = b->r;
    struct ec_args args = {0};
    add_tile(&args, b, headers);
    if (r->cover != EC_COVER_NONE) {
        ec_args_add(&args, "-include");
        ec_args_add(&args, "%s/" EC_DATA_COVER_H, r->data);
        ec_args_add(&args, "-DEC_SHAPE_POINT=\"%s/" EC_DATA_POINT_H "\"", r->data);
        ec_args_add(&args, "-DEC_SHAPE_SHIM=\"%s/%s\"", r->data, r->kind->shim);
    }
    add_state(&args, r, r->kind->shim);
    ec_args_add(&args, "-I.");
    ec_args_add(&args, "-Icpp");
    add_shape(&args, &r->shape);
    ec_args_add(&args, "-DEC_SHAPE_NODES=%u", r->nodes);
    ec_args_add(&args, "-DEC_SHAPE_SAMPLED=%d", b->sampled);
    ec_args_add(&args, "-DEC_SHAPE_HAS_TAPS=%d", features[EC_FEATURE_TAPS]);
    ec_args_add(&args, "-DEC_SHAPE_HAS_QUIET=%d", features[EC_FEATURE_QUIET]);
    if (features[EC_FEATURE_TABLE])
        ec_args_add(&args, "-DEC_TABLE");
    ec_args_add(&args, "-c");
    ec_args_add(&args, UNIT);
    ec_args_add(&args, "-o");
    ec_args_add(&args, UNIT_OBJECT);
    return entry_run(&b->tile, &args, b->tile.stage.path, reterr);
}

/* With the headers, and if that fails, without: they may be the cause. */
static enum ec_code compile_tile(struct build *b, const ec_features features,
                                 struct ec_error *reterr)
{
    bool failed = true;
    enum ec_code code = EC_OK;
    if (wants_headers(b) && has_headers(b)) {
        code = start_tile(b, features, true, reterr);
        if (code == EC_OK)
            code = entry_wait(&b->tile, &failed, reterr);
    }
    if (code != EC_OK || !failed)
        return code;
    code = start_tile(b, features, false, reterr);
    return code == EC_OK ? entry_expect(&b->tile, reterr) : code;
}

static enum ec_code link_tile(struct build *b, struct ec_error *reterr)
{
    char object[96];
    struct ec_args args = {0};
    runtime_object(b->r, object, sizeof object);
    ec_args_split(&args, b->r->tools.cxx);
    ec_args_split(&args, EC_LINK_FLAGS);
    ec_args_add(&args, "-Wl,-rpath,$ORIGIN/../%s", b->runtime.name);
    ec_args_add(&args, "-o");
    ec_args_add(&args, EC_TILE_OBJECT);
    ec_args_add(&args, UNIT_OBJECT);
    ec_args_add(&args, "%s/%s/%s", b->cache, b->runtime.name, object);
    const enum ec_code code = entry_run(&b->tile, &args, b->tile.stage.path, reterr);
    return code == EC_OK ? entry_expect(&b->tile, reterr) : code;
}

/* --- The same with another engine than Verilator ------------------------------------------------
 */

#define GENERATED "lanes.inc"

static enum ec_code compile_generated(struct build *b, struct ec_error *reterr)
{
    const struct ec_recipe *r = b->r;
    struct ec_args args = {0};
    ec_args_split(&args, r->tools.cxx);
    ec_args_split(&args, EC_CXX_LANES);
    ec_args_split(&args, r->engine->instructions());
    ec_args_add(&args, "-I%s/" EC_DATA_INCLUDE, r->data);
    add_shape(&args, &r->shape);
    ec_args_add(&args, "-DEC_SHAPE_TOOL=\"%s\"", r->tools.verilator_version);
    ec_args_add(&args, "-DEC_SHAPE_FABRIC=\"%s/" EC_DATA_FABRIC_H "\"", r->data);
    ec_args_add(&args, "-include");
    ec_args_add(&args, "%s/" EC_DATA_LANES_H, r->data);
    ec_args_add(&args, "-include");
    ec_args_add(&args, "%s/" GENERATED, b->tile.stage.path);
    ec_args_add(&args, "-o");
    ec_args_add(&args, EC_TILE_OBJECT);
    add_state(&args, r, EC_DATA_LANES);
    if (r->saved)
        ec_args_add(&args, "-DEC_SHAPE_LANES");
    ec_args_add(&args, "%s/%s", r->data, r->saved ? EC_DATA_STATE : EC_DATA_LANES);
    const enum ec_code code = entry_run(&b->tile, &args, b->tile.stage.path, reterr);
    return code == EC_OK ? entry_expect(&b->tile, reterr) : code;
}

/* The finished entry does not need objects and generated sources. */
static void remove_intermediates(const struct build *b)
{
    static const char *const names[] = {
        "cpp",       UNIT,         UNIT_OBJECT, GENERATED, "circuit.ys",     "circuit.json",
        "yosys.log", "sources.ys", "read.log",  "read.mk", "interface.json", "interface.ys",
        "defines.v"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PATH_MAX];
        if (ec_path(path, sizeof path, NULL, "%s/%s", b->tile.stage.path, names[i]) == EC_OK)
            ec_folder_remove(path, NULL);
    }
}

/* The sources of a foreign router, as given. */
static json_t *user_sources(const struct ec_recipe *r)
{
    json_t *list = json_array();
    char path[PATH_MAX];
    for (size_t i = 0; r->rtl != NULL && r->rtl[i] != NULL; i++)
        json_array_append_new(list,
                              json_string(realpath(r->rtl[i], path) != NULL ? path : r->rtl[i]));
    return list;
}

static enum ec_code tile_finish(struct build *b, struct ec_error *reterr)
{
    const struct ec_recipe *r = b->r;
    const struct ec_tile_shape *s = &r->shape;
    json_t *sources = NULL;
    char shim[33];
    enum ec_code code = ec_shim_hash(shim, reterr);
    if (code == EC_OK && (r->engine == NULL || r->rtl != NULL))
        code = ec_foreign_sources(r, b->tile.stage.path, &b->began, &sources, reterr);
    if (code != EC_OK)
        return code;
    if (sources == NULL)
        sources = json_object();
    json_t *more =
        json_pack("{s:{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}, s:b, s:b, s:i, "
                  "s:s*, s:o, s:s*, "
                  "s:s, s:s, s:o, s:s, s:s}",
                  "shape", "dims", (int)s->dims, "links_per_dim", (int)s->links_per_dim, "locals",
                  (int)s->locals, "vcs", (int)s->vcs, "depth_max", (int)s->depth_max, "dynamic",
                  (int)s->dynamic, "stages", (int)s->stages, "address_bits", (int)s->address_bits,
                  "table", (int)s->table, "paths", (int)s->paths, "speedup", (int)s->speedup,
                  "random_init", r->random_init, "traced", r->traced, "nodes", (int)r->nodes, "top",
                  r->top, "rtl", user_sources(r), "build", r->build, "sources", r->sources,
                  "runtime", r->engine != NULL ? "" : b->runtime.name, "includes", sources,
                  "design", r->design, "shim", shim);
    remove_intermediates(b);
    return entry_publish(&b->tile, r->description, EC_TILE_OBJECT, more, reterr);
}

static enum ec_code build_generated(struct build *b, struct ec_error *reterr)
{
    const struct ec_recipe *r = b->r;
    enum ec_code code = entry_open(&b->tile, reterr);
    if (code != EC_OK)
        return code;
    ec_shape_say(b->options, "building router shape %s (Yosys)", r->description);
    note_time(b);
    code = r->engine->write(r, b->tile.stage.path, GENERATED, b->before, reterr);
    if (code == EC_OK)
        code = compile_generated(b, reterr);
    return code == EC_OK ? tile_finish(b, reterr) : code;
}

static enum ec_code build_tile(struct build *b, struct ec_error *reterr)
{
    ec_features features;
    enum ec_code code = entry_open(&b->tile, reterr);
    if (code == EC_OK)
        code = runtime_start(b, reterr);
    if (code != EC_OK)
        return code;
    ec_shape_say(b->options, "building router shape %s (Verilator)", b->r->description);
    headers_start(b);
    code = verilate(b, features, reterr);
    if (code == EC_OK)
        code = write_unit(b, reterr);
    if (code != EC_OK)
        return code;
    code = compile_tile(b, features, reterr);
    if (code == EC_OK)
        code = runtime_finish(b, reterr);
    if (code == EC_OK)
        code = link_tile(b, reterr);
    if (code == EC_OK)
        headers_finish(b);
    return code == EC_OK ? tile_finish(b, reterr) : code;
}

enum ec_code ec_shape_build(const struct ec_recipe *r, const char *cache,
                            const struct ec_shape_options *options, const sigset_t *before,
                            struct ec_error *reterr)
{
    struct build b = {.r = r,
                      .cache = cache,
                      .options = options,
                      .before = before,
                      .runtime_lock = -1,
                      .headers_lock = -1};
    char runtime[64], headers[64];
    ec_runtime_name(r, runtime, sizeof runtime);
    snprintf(headers, sizeof headers, EC_HEADERS_PREFIX "%s", r->runtime_key);
    entry_init(&b.tile, r, cache, before, r->key);
    entry_init(&b.runtime, r, cache, before, runtime);
    entry_init(&b.headers, r, cache, before, headers);
    ec_cache_sweep(cache);
    const enum ec_code code =
        r->engine != NULL ? build_generated(&b, reterr) : build_tile(&b, reterr);
    entry_close(&b.tile);
    entry_close(&b.runtime);
    entry_close(&b.headers);
    ec_cache_unlock(b.runtime_lock);
    ec_cache_unlock(b.headers_lock);
    return code;
}
