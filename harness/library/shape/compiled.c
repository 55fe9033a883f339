/* SPDX-License-Identifier: Apache-2.0 */
/* Opens one compiled shape: from the cache if possible, else by building it.
 *
 * Knows the order of checking, locking, building and loading. recipe.c collects the inputs of a
 * shape, cache.c stores entries, build.c runs the tools. */
#include "shape/compiled.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/file.h"
#include "shape/build.h"
#include "shape/cache.h"
#include "shape/engine.h"
#include "shape/recipe.h"

bool ec_shape_same(const struct ec_tile_shape *a, const struct ec_tile_shape *b)
{
    return a->dims == b->dims && a->links_per_dim == b->links_per_dim && a->locals == b->locals &&
           a->vcs == b->vcs && a->depth_max == b->depth_max && a->dynamic == b->dynamic &&
           a->stages == b->stages && a->address_bits == b->address_bits && a->table == b->table &&
           a->paths == b->paths && a->speedup == b->speedup;
}

/* Load the entry. RTLD_LOCAL: all shapes define the same C++ names. */
static enum ec_code load_tile(const struct ec_recipe *r, const char *cache, struct compiled *ret,
                              struct ec_error *reterr)
{
    char path[PATH_MAX];
    const enum ec_code code =
        ec_path(path, sizeof path, reterr, "%s/%s/" EC_TILE_OBJECT, cache, r->key);
    if (code != EC_OK)
        return code;
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL)
        return ec_fail(reterr, EC_TOOL, "cannot load router shape %s: %s", r->description,
                       dlerror());
    const struct ec_tile_api *(*entry)(void) = NULL;
    *(void **)&entry = dlsym(object, "ec_tile_api"); /* the POSIX idiom for functions */
    const struct ec_tile_api *api = entry != NULL ? entry() : NULL;
    if (api == NULL || api->abi != EC_TILE_ABI || !ec_shape_same(&api->shape, &r->shape)) {
        dlclose(object);
        return ec_fail(reterr, EC_TOOL, "%s is not the tile of router shape %s", path,
                       r->description);
    }
    ret->object = object;
    ret->api = api;
    *(void **)&ret->points = dlsym(object, "ec_tile_points");
    ret->mute = dlsym(object, EC_TILE_MUTE) != NULL;
    const struct ec_fabric_api *(*fabric)(void) = NULL;
    *(void **)&fabric = dlsym(object, "ec_tile_fabric");
    ret->fabric = fabric != NULL ? fabric() : NULL;
    const struct ec_bank_state_api *(*state)(void) = NULL;
    *(void **)&state = dlsym(object, "ec_tile_state");
    ret->state = state != NULL ? state() : NULL;
    memcpy(ret->key, r->key, sizeof ret->key);
    return EC_OK;
}

/* The state of a tile and its runtime: the worse of the two. */
static enum ec_entry_state check_entries(const struct ec_recipe *r, const char *cache)
{
    char runtime[64];
    ec_runtime_name(r, runtime, sizeof runtime);
    const enum ec_entry_state tile = ec_entry_check(cache, r->key);
    if (tile != EC_ENTRY_VALID || r->engine != NULL)
        return tile;
    return ec_entry_check(cache, runtime) == EC_ENTRY_VALID ? EC_ENTRY_VALID : EC_ENTRY_DAMAGED;
}

/* Load the entry if it is valid. False otherwise; *ret_state has the reason. */
static bool try_cache(const struct ec_recipe *r, const char *cache, struct compiled *ret,
                      enum ec_entry_state *ret_state)
{
    *ret_state = check_entries(r, cache);
    if (*ret_state != EC_ENTRY_VALID)
        return false;
    if (load_tile(r, cache, ret, NULL) == EC_OK)
        return true;
    *ret_state = EC_ENTRY_DAMAGED;
    return false;
}

/* Load the router from the cache. EC_TOOL: it is not there. EC_IO: others could have written it. */
static enum ec_code open_cached(const struct ec_recipe *r, const char *cache, struct compiled *ret,
                                struct ec_error *reterr)
{
    char runtime[64];
    enum ec_entry_state state;
    ec_runtime_name(r, runtime, sizeof runtime);
    enum ec_code code = ec_entry_trust(cache, r->key, reterr);
    if (code == EC_OK && r->engine == NULL)
        code = ec_entry_trust(cache, runtime, reterr);
    return code != EC_OK || try_cache(r, cache, ret, &state) ? code : EC_TOOL;
}

/* The same for a router that other tools have built: any if a tool is missing here, else those of
 * the same Verilator, because other versions generate other code. */
static enum ec_code open_other(struct ec_recipe *r, const char *cache, struct compiled *ret,
                               struct ec_error *reterr)
{
    const bool any = r->missing.code != EC_OK;
    char key[sizeof r->key], runtime_key[sizeof r->runtime_key];
    memcpy(key, r->key, sizeof key);
    memcpy(runtime_key, r->runtime_key, sizeof runtime_key);
    enum ec_code code = EC_TOOL;
    if (ec_entry_find(cache, r->design, any ? NULL : r->tools.verilator_version,
                      any ? NULL : r->tools.cxx, r->key, r->runtime_key))
        code = open_cached(r, cache, ret, reterr);
    if (code == EC_TOOL) {
        memcpy(r->key, key, sizeof key);
        memcpy(r->runtime_key, runtime_key, sizeof runtime_key);
    }
    return code;
}

struct waiter {
    const struct ec_recipe *r;
    const struct ec_shape_options *options;
};

static void say_waiting(void *context)
{
    const struct waiter *w = context;
    ec_shape_say(w->options, "waiting for another process that builds router shape %s",
                 w->r->description);
}

static enum ec_code build_and_load(const struct ec_recipe *r, const char *cache,
                                   const struct ec_shape_options *options, struct compiled *ret,
                                   struct ec_error *reterr)
{
    struct waiter waiter = {r, options};
    enum ec_entry_state state;
    int lock = -1;
    sigset_t before;
    ec_signals_hold(&before);
    enum ec_code code = ec_cache_lock(cache, r->key, say_waiting, &waiter, &before, &lock, reterr);
    if (code != EC_OK)
        goto cleanup;
    if (try_cache(r, cache, ret, &state)) /* another process has built it */
        goto cleanup;
    if (state == EC_ENTRY_DAMAGED)
        ec_shape_say(options, "the cached router shape %s is damaged; building it again",
                     r->description);
    else if (state == EC_ENTRY_STALE)
        ec_shape_say(options, "files included by router shape %s have changed", r->description);
    code = ec_shape_build(r, cache, options, &before, reterr);
    if (code == EC_OK)
        code = load_tile(r, cache, ret, reterr);
cleanup:
    ec_cache_unlock(lock);
    ec_signals_release(&before);
    return code;
}

enum ec_code compiled_open(const struct ec_tile_shape *shape,
                           const struct ec_shape_options *options, bool build, struct compiled *ret,
                           struct ec_error *reterr)
{
    char cache[PATH_MAX];
    struct ec_recipe *r = calloc(1, sizeof *r); /* too large for a stack of unknown size */
    enum ec_code code = r != NULL
                            ? ec_cache_open(cache, sizeof cache, reterr)
                            : ec_fail(reterr, EC_MEMORY, "out of memory to open a router shape");
    if (code == EC_OK)
        code = ec_recipe_make(shape, options, cache, r, reterr);
    if (code == EC_OK) {
        code = open_cached(r, cache, ret, reterr);
        if (code == EC_TOOL && r->engine == NULL)
            code = open_other(r, cache, ret, reterr);
        if (code == EC_TOOL && build)
            code = r->missing.code != EC_OK ? ec_fail(reterr, EC_TOOL, "%s", r->missing.message)
                                            : build_and_load(r, cache, options, ret, reterr);
    }
    if (r != NULL)
        ec_recipe_free(r);
    free(r);
    return code;
}

void compiled_close(struct compiled *c)
{
    if (c->object)
        dlclose(c->object);
    *c = (struct compiled){0};
}
