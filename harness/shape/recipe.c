/* SPDX-License-Identifier: Apache-2.0 */
/* The hash of all that goes into a shape.
 *
 * Two recipes with the same key give the same tile; whatever could change it must be hashed here:
 * sources, parameters, flags, versions of the tools. Must not know how the cache is organised. */
#include "shape/recipe.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/file.h"
#include "shape/flat.h"

/* Partial redundancy elimination keeps more values alive in the one long function of a model than
 * there are registers: 3 to 5 % slower with it (g++ 12). */
static const struct ec_recipe_kind router_kind = {
    .top = "ec_tile",
    .wrapper = EC_DATA_WRAPPER,
    .flags = "",
    .shim = "harness/shape/shim/ec_shim.cpp",
    .hot = "-O2 -fno-tree-pre",
};

/* Compiled anew for every topology, and made to be compared: a short build counts more than speed.
 * Without -fno-gate (and ec_tile_network.vlt) every router would get a copy of the code of its own,
 * in which the wires of its ports are resolved: ten times the C++ for 16 nodes. */
static const struct ec_recipe_kind network_kind = {
    .top = "ec_tile_network",
    .wrapper = EC_DATA_RTL "/ec_tile_network.sv",
    .config = EC_DATA_RTL "/ec_tile_network.vlt",
    .flags = "-fno-gate",
    .shim = "harness/shape/shim/ec_flat_shim.cpp",
    .hot = "-O1",
};

enum { TOP_MAX = 200 }; /* characters of a module's name: a description has room for them */

/* Every piece goes in with a tag and its length, so that no two lists of pieces look alike. */
static void add_bytes(XXH3_state_t *state, const char *tag, const void *bytes, size_t size)
{
    const uint64_t length = size;
    XXH3_128bits_update(state, tag, strlen(tag) + 1);
    XXH3_128bits_update(state, &length, sizeof length);
    XXH3_128bits_update(state, bytes, size);
}

static void add_text(XXH3_state_t *state, const char *tag, const char *text)
{
    add_bytes(state, tag, text, strlen(text));
}

static enum ec_code add_file(XXH3_state_t *state, const char *tag, const char *path,
                             struct ec_error *reterr)
{
    char *text = NULL;
    size_t size = 0;
    const enum ec_code code = ec_file_read(path, &text, &size, reterr);
    if (code == EC_OK)
        add_bytes(state, tag, text, size);
    free(text);
    return code;
}

static enum ec_code add_rtl_folder(XXH3_state_t *state, const char *data, struct ec_error *reterr)
{
    char path[PATH_MAX];
    char **names = NULL;
    size_t count = 0;
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/" EC_DATA_RTL, data);
    if (code == EC_OK)
        code = ec_folder_names(path, &names, &count, reterr);
    for (size_t i = 0; i < count && code == EC_OK; i++) {
        if (!ec_name_ends(names[i], ".sv") && !ec_name_ends(names[i], ".svh") &&
            !ec_name_ends(names[i], ".vlt"))
            continue;
        code = ec_path(path, sizeof path, reterr, "%s/" EC_DATA_RTL "/%s", data, names[i]);
        if (code == EC_OK)
            code = add_file(state, names[i], path, reterr);
    }
    free(names);
    return code;
}

static enum ec_code add_data_file(XXH3_state_t *state, const char *data, const char *name,
                                  struct ec_error *reterr)
{
    char path[PATH_MAX];
    const enum ec_code code = ec_path(path, sizeof path, reterr, "%s/%s", data, name);
    return code == EC_OK ? add_file(state, name, path, reterr) : code;
}

/* The user's sources count with their place too: it decides which files they include. */
static enum ec_code add_user_rtl(XXH3_state_t *state, const struct ec_recipe *r,
                                 struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    for (size_t i = 0; r->rtl != NULL && r->rtl[i] != NULL && code == EC_OK; i++) {
        char path[PATH_MAX];
        code = add_file(state, "user-rtl", r->rtl[i], reterr);
        if (code == EC_OK)
            add_text(state, "user-path", realpath(r->rtl[i], path) != NULL ? path : r->rtl[i]);
    }
    if (r->top != NULL)
        add_text(state, "user-top", r->top);
    return code;
}

static void add_tools(XXH3_state_t *state, const struct ec_toolchain *tools)
{
    add_text(state, "verilator", tools->verilator_version);
    add_text(state, "root", tools->verilator_root);
    add_text(state, "c++", tools->cxx_version);
    add_text(state, "c++ command", tools->cxx);
}

const char *ec_recipe_variant(const struct ec_recipe *r)
{
    if (r->traced)
        return EC_VERILATOR_TRACED;
    return r->rtl != NULL ? EC_VERILATOR_FOREIGN : EC_VERILATOR_FAST;
}

static void add_parameters(XXH3_state_t *state, const struct ec_recipe *r)
{
    add_bytes(state, "shape", &r->shape, sizeof r->shape);
    add_text(state, "top", r->kind->top);
    add_text(state, "parameters", r->parameters);
    add_text(state, "flags", EC_VERILATOR_FLAGS);
    add_text(state, "more flags", r->kind->flags);
    add_text(state, "variant", ec_recipe_variant(r));
    add_text(state, "init", r->random_init ? EC_VERILATOR_RANDOM_INIT : EC_VERILATOR_FAST_INIT);
    add_text(state, "c++ flags", EC_CXX_TILE_FLAGS " " EC_CXX_COLD " " EC_LINK_FLAGS);
    add_text(state, "hot", r->kind->hot);
    add_text(state, "c++ variant", r->traced ? EC_CXX_TRACED : EC_CXX_FAST);
}

static enum ec_code add_data_files(XXH3_state_t *state, const char *data, const char *const *names,
                                   struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    for (; *names != NULL && code == EC_OK; names++)
        code = add_data_file(state, data, *names, reterr);
    return code;
}

/* What the runtime is made of, and what besides the shim and the RTL makes a tile. */
static enum ec_code add_runtime_files(XXH3_state_t *state, const struct ec_recipe *r,
                                      struct ec_error *reterr)
{
    static const char *const fast[] = {EC_DATA_RUNTIME, EC_DATA_RUNTIME_H, EC_DATA_TILE_H, NULL};
    static const char *const traced[] = {EC_DATA_TRACE_FILES, NULL};
    const enum ec_code code = add_data_files(state, r->data, fast, reterr);
    return code == EC_OK && r->traced ? add_data_files(state, r->data, traced, reterr) : code;
}

static enum ec_code add_tile_files(XXH3_state_t *state, const struct ec_recipe *r,
                                   struct ec_error *reterr)
{
    static const char *const fast[] = {EC_DATA_GUARD, EC_DATA_RUNTIME_H, EC_DATA_TILE_H, NULL};
    static const char *const traced[] = {EC_DATA_TRACE, NULL};
    enum ec_code code = add_data_files(state, r->data, fast, reterr);
    if (code == EC_OK && r->traced)
        code = add_data_files(state, r->data, traced, reterr);
    return code == EC_OK ? add_data_file(state, r->data, r->kind->shim, reterr) : code;
}

static void digest(const XXH3_state_t *state, char key[33])
{
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    snprintf(key, 33, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
}

static enum ec_code make_keys(struct ec_recipe *r, struct ec_error *reterr)
{
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL)
        return ec_fail(reterr, EC_MEMORY, "no memory to hash the sources of a router shape");
    XXH3_128bits_reset(state);
    add_text(state, "runtime", EC_CXX_FLAGS " " EC_CXX_RUNTIME " " EC_LINK_FLAGS);
    add_text(state, "runtime variant",
             r->traced ? EC_CXX_TRACED " " EC_LINK_TRACED : EC_CXX_FAST " " EC_LINK_FAST);
    add_tools(state, &r->tools);
    enum ec_code code = add_runtime_files(state, r, reterr);
    if (code == EC_OK)
        digest(state, r->runtime_key);

    add_parameters(state, r);
    if (code == EC_OK)
        code = add_tile_files(state, r, reterr);
    if (code == EC_OK)
        code = add_rtl_folder(state, r->data, reterr);
    if (code == EC_OK)
        code = add_user_rtl(state, r, reterr);
    if (code == EC_OK)
        digest(state, r->key);
    XXH3_freeState(state);
    return code;
}

static bool is_identifier(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    for (; *name != '\0'; name++) {
        if (!isalnum((unsigned char)*name) && *name != '_')
            return false;
    }
    return true;
}

static enum ec_code take_options(struct ec_recipe *r, const struct ec_shape_options *options,
                                 struct ec_error *reterr)
{
    const bool sources = options->rtl != NULL && options->rtl[0] != NULL;
    if (sources && options->top == NULL)
        return ec_fail(reterr, EC_USAGE,
                       "the user's RTL (%.200s) needs the name of its router module",
                       options->rtl[0]);
    if (options->top != NULL && !is_identifier(options->top))
        return ec_fail(reterr, EC_USAGE, "\"%.200s\" is no name of a Verilog module", options->top);
    if (options->top != NULL && strlen(options->top) > TOP_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "module \"%.60s...\": choose a name of at most %d characters", options->top,
                       TOP_MAX);
    if (options->network != NULL && (sources || options->traced))
        return ec_fail(reterr, EC_USAGE,
                       "a network wired in RTL has no %s: that needs single routers (the backend "
                       "tiles)",
                       sources ? "routers of your own" : "waves");
    r->random_init = options->random_init && !options->traced;
    r->traced = options->traced;
    r->rtl = sources ? options->rtl : NULL;
    r->top = options->top;
    return EC_OK;
}

/* What is compiled, for Verilator and for a person. */
static void take_shape(struct ec_recipe *r, const struct ec_tile_shape *shape,
                       const struct ec_topology *network)
{
    int used;
    r->shape = *shape;
    r->nodes = network != NULL ? network->nodes : 0;
    r->kind = network != NULL ? &network_kind : &router_kind;
    used = snprintf(r->parameters, sizeof r->parameters,
                    "-GDims=%u -GLinksPerDim=%u -GLocals=%u -GVcs=%u -GDepthMax=%u", shape->dims,
                    shape->links_per_dim, shape->locals, shape->vcs, shape->depth_max);
    if (network != NULL)
        flat_parameters(network, r->parameters + used, sizeof r->parameters - (size_t)used);
}

static void describe(struct ec_recipe *r, const struct ec_topology *network)
{
    char shape[80], topology[160] = "";
    ec_shape_format(&r->shape, shape, sizeof shape);
    if (network != NULL)
        ec_topology_format(network, topology, sizeof topology);
    snprintf(r->description, sizeof r->description, "%s%s%s%s%s%s%s%s",
             network != NULL ? "flat " : "", topology, network != NULL ? ", " : "", shape,
             r->traced ? " traced" : "", r->random_init ? " random-init" : "",
             r->top != NULL ? " top=" : "", r->top != NULL ? r->top : "");
}

enum ec_code ec_recipe_make(const struct ec_tile_shape *shape,
                            const struct ec_shape_options *options, const char *cache,
                            struct ec_recipe *ret, struct ec_error *reterr)
{
    const struct ec_topology *network = options != NULL ? options->network : NULL;
    take_shape(ret, shape, network);
    ret->random_init = ret->traced = false;
    ret->rtl = NULL;
    ret->top = NULL;
    enum ec_code code = options != NULL ? take_options(ret, options, reterr) : EC_OK;
    if (code == EC_OK)
        code = ec_data_path(ret->data, sizeof ret->data, reterr);
    if (code == EC_OK)
        code = ec_toolchain_find(cache, &ret->tools, reterr);
    if (code == EC_OK)
        code = make_keys(ret, reterr);
    if (code == EC_OK)
        describe(ret, network);
    return code;
}
