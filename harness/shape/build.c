/* SPDX-License-Identifier: Apache-2.0 */
/* Building a shape: which tool runs when, on what, and what becomes of a failure.
 *
 * The C++ compiler is called directly, not through the makefile that Verilator writes: that one
 * adds its own optimisation flags after ours, and needs make. All hot code is one translation unit,
 * so that the shim's loop and the router's evaluation are optimised together; all cold code is a
 * second one, compiled at the same time. Knows the tools' arguments; must not know networks. */
#include "shape/build.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/file.h"
#include "shape/cache.h"
#include "shape/log.h"
#include "shape/making.h"
#include "shape/ports.h"

struct build {
    const struct ec_recipe *r;
    const char *cache;
    const struct ec_shape_options *options;
    const sigset_t *before;
    struct ec_making tile, runtime;
    int runtime_lock; /* held while the runtime is in the making, else -1 */
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

/* The key is part of the name: the dynamic linker takes objects of one name for the same. */
static void runtime_object(const struct ec_recipe *r, char *buffer, size_t size)
{
    snprintf(buffer, size, "libecube-verilated-%s.so", r->runtime_key);
}

/* ---- The Verilator runtime: once per version of the tools, shared by all tiles. ---- */

/* What the runtime and the tiles are compiled with. */
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
    code = ec_making_open(&b->runtime, reterr);
    if (code != EC_OK)
        return code;
    runtime_object(b->r, object, sizeof object);
    ec_args_split(&args, b->r->tools.cxx);
    ec_args_split(&args, EC_CXX_FLAGS " " EC_CXX_RUNTIME " " EC_LINK_FLAGS);
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
    return ec_making_start(&b->runtime, &args, b->runtime.stage.path, reterr);
}

static enum ec_code runtime_finish(struct build *b, struct ec_error *reterr)
{
    char object[96], description[300];
    if (b->runtime_lock < 0)
        return EC_OK;
    enum ec_code code = ec_making_expect(&b->runtime, reterr);
    if (code != EC_OK)
        return code;
    runtime_object(b->r, object, sizeof object);
    snprintf(description, sizeof description, "runtime of %.120s%s", b->r->tools.verilator_version,
             b->r->traced ? " with waves" : "");
    code = ec_making_finish(&b->runtime, description, object, json_object(), reterr);
    ec_cache_unlock(b->runtime_lock);
    b->runtime_lock = -1;
    return code;
}

/* ---- The tile. ---- */

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

/* The user's sources come first; modules that they do not define are taken from our rtl/. */
static void add_sources(struct ec_args *args, const struct ec_recipe *r)
{
    bool wrapper = false;
    for (size_t i = 0; r->rtl != NULL && r->rtl[i] != NULL; i++) {
        const char *slash = strrchr(r->rtl[i], '/');
        wrapper = wrapper || strcmp(slash != NULL ? slash + 1 : r->rtl[i],
                                    strrchr(r->kind->wrapper, '/') + 1) == 0;
        add_folder_of(args, r->rtl[i]);
        ec_args_add(args, "%s", r->rtl[i]);
    }
    ec_args_add(args, "-I%s/" EC_DATA_RTL, r->data);
    ec_args_add(args, "-y");
    ec_args_add(args, "%s/" EC_DATA_RTL, r->data);
    if (r->kind->config != NULL)
        ec_args_add(args, "%s/%s", r->data, r->kind->config);
    if (!wrapper)
        ec_args_add(args, "%s/%s", r->data, r->kind->wrapper);
}

static enum ec_code verilator_start(struct build *b, bool taps, bool quiet, struct ec_error *reterr)
{
    const struct ec_recipe *r = b->r;
    struct ec_args args = {0};
    ec_args_split(&args, r->tools.verilator);
    ec_args_split(&args, EC_VERILATOR_FLAGS);
    ec_args_split(&args, r->kind->flags);
    ec_args_split(&args, ec_recipe_variant(r));
    ec_args_split(&args, r->random_init ? EC_VERILATOR_RANDOM_INIT : EC_VERILATOR_FAST_INIT);
    ec_args_add(&args, "--Mdir");
    ec_args_add(&args, "%s/cpp", b->tile.stage.path);
    ec_args_add(&args, "--top-module");
    ec_args_add(&args, "%s", r->kind->top);
    ec_args_split(&args, r->parameters);
    if (r->top != NULL)
        ec_args_add(&args, "-DEC_ROUTER=%s", r->top);
    if (r->rtl != NULL)
        ec_args_add(&args,
                    "-Wno-fatal"); /* the style of a foreign router is its author's business */
    if (!taps)
        ec_args_add(&args, "-DEC_NO_TAPS");
    if (!quiet)
        ec_args_add(&args, "-DEC_NO_QUIET");
    add_sources(&args, r);
    return ec_making_start(&b->tile, &args, NULL, reterr);
}

/* Verilate. A foreign router may lack taps and quiet_o: Verilator's own complaint about the pins
 * tells, and the wrapper leaves them out in a second try. */
static enum ec_code verilate(struct build *b, bool *ret_taps, bool *ret_quiet,
                             struct ec_error *reterr)
{
    bool failed = false;
    enum ec_code code = verilator_start(b, true, true, reterr);
    if (code == EC_OK)
        code = ec_making_wait(&b->tile, &failed, reterr);
    *ret_taps = *ret_quiet = true;
    if (code != EC_OK || !failed)
        return code;
    if (b->r->rtl != NULL)
        ec_build_log_missing_pins(b->tile.stage.path, ret_taps, ret_quiet);
    if (*ret_taps && *ret_quiet)
        return ec_build_log_keep(b->tile.stage.path, b->cache, b->tile.name, b->r->description,
                                 reterr);
    code = verilator_start(b, *ret_taps, *ret_quiet, reterr);
    return code == EC_OK ? ec_making_expect(&b->tile, reterr) : code;
}

/* What runs once per instance or less: Verilator says so in the file's name. */
static bool is_cold(const char *name)
{
    return strstr(name, "Slow") != NULL || strstr(name, "__Syms") != NULL;
}

/* Write hot.cpp and cold.cpp, which include what Verilator generated. */
static enum ec_code write_units(const struct build *b, struct ec_error *reterr)
{
    char path[PATH_MAX];
    char **names = NULL;
    size_t count = 0;
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/cpp", b->tile.stage.path);
    if (code == EC_OK)
        code = ec_folder_names(path, &names, &count, reterr);
    for (int cold = 0; cold < 2 && code == EC_OK; cold++) {
        struct ec_args lines = {0};
        for (size_t i = 0; i < count; i++) {
            if (ec_name_ends(names[i], ".cpp") && is_cold(names[i]) == (cold != 0))
                ec_args_add(&lines, "#include \"cpp/%s\"\n", names[i]);
        }
        if (!cold)
            ec_args_add(&lines, "#include \"%s/%s\"\n", b->r->data, b->r->kind->shim);
        char *text = ec_args_join(&lines);
        ec_args_free(&lines);
        code = text == NULL ? ec_fail(reterr, EC_MEMORY, "no memory for a list of sources")
                            : ec_path(path, sizeof path, reterr, "%s/%s.cpp", b->tile.stage.path,
                                      cold ? "cold" : "hot");
        if (code == EC_OK)
            code = ec_file_write(path, text, strlen(text), reterr);
        free(text);
    }
    free(names);
    return code;
}

static enum ec_code compile_start(struct build *b, const char *unit, const char *optimisation,
                                  bool taps, bool quiet, struct ec_error *reterr)
{
    const struct ec_recipe *r = b->r;
    struct ec_args args = {0};
    ec_args_split(&args, r->tools.cxx);
    ec_args_split(&args, EC_CXX_TILE_FLAGS);
    add_variant(&args, r);
    ec_args_split(&args, optimisation);
    ec_args_add(&args, "-I.");
    ec_args_add(&args, "-Icpp");
    ec_args_add(&args, "-I%s/include", r->tools.verilator_root);
    ec_args_add(&args, "-I%s/include/vltstd", r->tools.verilator_root);
    ec_args_add(&args, "-DEC_SHAPE_DIMS=%u", r->shape.dims);
    ec_args_add(&args, "-DEC_SHAPE_LINKS_PER_DIM=%u", r->shape.links_per_dim);
    ec_args_add(&args, "-DEC_SHAPE_LOCALS=%u", r->shape.locals);
    ec_args_add(&args, "-DEC_SHAPE_VCS=%u", r->shape.vcs);
    ec_args_add(&args, "-DEC_SHAPE_DEPTH_MAX=%u", r->shape.depth_max);
    ec_args_add(&args, "-DEC_SHAPE_NODES=%u", r->nodes);
    ec_args_add(&args, "-DEC_SHAPE_HAS_TAPS=%d", taps);
    ec_args_add(&args, "-DEC_SHAPE_HAS_QUIET=%d", quiet);
    ec_args_add(&args, "-c");
    ec_args_add(&args, "%s.cpp", unit);
    ec_args_add(&args, "-o");
    ec_args_add(&args, "%s.o", unit);
    return ec_making_start(&b->tile, &args, b->tile.stage.path, reterr);
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
    ec_args_add(&args, "hot.o");
    ec_args_add(&args, "cold.o");
    ec_args_add(&args, "%s/%s/%s", b->cache, b->runtime.name, object);
    const enum ec_code code = ec_making_start(&b->tile, &args, b->tile.stage.path, reterr);
    return code == EC_OK ? ec_making_expect(&b->tile, reterr) : code;
}

/* Objects and generated sources are of no use in the finished entry. */
static void remove_intermediates(const struct build *b)
{
    static const char *const names[] = {"cpp", "hot.cpp", "cold.cpp", "hot.o", "cold.o"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PATH_MAX];
        if (ec_path(path, sizeof path, NULL, "%s/%s", b->tile.stage.path, names[i]) == EC_OK)
            ec_folder_remove(path, NULL);
    }
}

static enum ec_code tile_finish(struct build *b, struct ec_error *reterr)
{
    const struct ec_tile_shape *s = &b->r->shape;
    json_t *more = json_pack("{s:{s:i, s:i, s:i, s:i, s:i}, s:b, s:s, s:o}", "shape", "dims",
                             (int)s->dims, "links_per_dim", (int)s->links_per_dim, "locals",
                             (int)s->locals, "vcs", (int)s->vcs, "depth_max", (int)s->depth_max,
                             "random_init", b->r->random_init, "runtime", b->runtime.name,
                             "includes", ec_build_foreign_sources(b->tile.stage.path, b->r));
    remove_intermediates(b);
    return ec_making_finish(&b->tile, b->r->description, EC_TILE_OBJECT, more, reterr);
}

/* Rough, measured with 5 to 24 ports and 8 to 64 nodes on two cores; only shown to a person who
 * waits. */
static unsigned expected_seconds(const struct build *b)
{
    const struct ec_tile_shape *s = &b->r->shape;
    const unsigned buffers = (ec_tile_shape_links(s) + s->locals) * s->vcs;
    return 2 + buffers / 6 + b->r->nodes * buffers / 20 + (b->runtime_lock >= 0 ? 3 : 0);
}

static enum ec_code build_tile(struct build *b, struct ec_error *reterr)
{
    bool taps, quiet;
    enum ec_code code = ec_making_open(&b->tile, reterr);
    if (code == EC_OK)
        code = runtime_start(b, reterr);
    if (code != EC_OK)
        return code;
    ec_shape_say(b->options, "building router shape %s (Verilator), about %u s", b->r->description,
                 expected_seconds(b));
    code = verilate(b, &taps, &quiet, reterr);
    if (code == EC_OK)
        code = write_units(b, reterr);
    if (code != EC_OK)
        return code;
    ec_shape_say(b->options, "compiling router shape %s", b->r->description);
    code = compile_start(b, "hot", b->r->kind->hot, taps, quiet, reterr);
    if (code == EC_OK)
        code = compile_start(b, "cold", EC_CXX_COLD, taps, quiet, reterr);
    if (code == EC_OK)
        code = ec_making_expect(&b->tile, reterr);
    if (code == EC_OK)
        code = runtime_finish(b, reterr);
    if (code == EC_OK)
        code = link_tile(b, reterr);
    return code == EC_OK ? tile_finish(b, reterr) : code;
}

enum ec_code ec_shape_build(const struct ec_recipe *r, const char *cache,
                            const struct ec_shape_options *options, const sigset_t *before,
                            struct ec_error *reterr)
{
    struct build b = {
        .r = r, .cache = cache, .options = options, .before = before, .runtime_lock = -1};
    char runtime[64];
    ec_runtime_name(r, runtime, sizeof runtime);
    ec_making_init(&b.tile, r, cache, before, r->key);
    ec_making_init(&b.runtime, r, cache, before, runtime);
    ec_cache_sweep(cache);
    const enum ec_code code = build_tile(&b, reterr);
    ec_making_close(&b.tile);
    ec_making_close(&b.runtime);
    ec_cache_unlock(b.runtime_lock);
    if (code == EC_OK)
        ec_shape_say(options, "router shape %s done in %.1f s", r->description,
                     ec_making_seconds(&b.tile));
    return code;
}
