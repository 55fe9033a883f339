/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a shape: from the cache if possible, else by building it.
 *
 * Knows the order of checking, locking, building and loading; the parts themselves are in
 * shape/recipe.c, shape/cache.c and shape/build.c. */
#include "ecube/shape.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/held_signals.h"
#include "shape/build.h"
#include "shape/cache.h"
#include "shape/recipe.h"

struct ec_shape {
    void *object;
    const struct ec_tile_api *api;
    char key[33];
};

/* Load the entry. RTLD_LOCAL: all shapes define the same C++ names. */
static enum ec_code load(const struct ec_recipe *r, const char *cache, struct ec_shape *ret,
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
    memcpy(ret->key, r->key, sizeof ret->key);
    return EC_OK;
}

/* The state of a tile with its runtime: the worse of the two. */
static enum ec_entry_state check(const struct ec_recipe *r, const char *cache)
{
    char runtime[64];
    ec_runtime_name(r, runtime, sizeof runtime);
    const enum ec_entry_state tile = ec_entry_check(cache, r->key);
    if (tile != EC_ENTRY_VALID)
        return tile;
    return ec_entry_check(cache, runtime) == EC_ENTRY_VALID ? EC_ENTRY_VALID : EC_ENTRY_DAMAGED;
}

/* Load if the entry is in order. False otherwise; *ret_state tells why. */
static bool try_cache(const struct ec_recipe *r, const char *cache, struct ec_shape *ret,
                      enum ec_entry_state *ret_state)
{
    *ret_state = check(r, cache);
    if (*ret_state != EC_ENTRY_VALID)
        return false;
    if (load(r, cache, ret, NULL) == EC_OK)
        return true;
    *ret_state = EC_ENTRY_DAMAGED;
    return false;
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
                                   const struct ec_shape_options *options, struct ec_shape *ret,
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
    if (try_cache(r, cache, ret, &state)) /* somebody else has built it meanwhile */
        goto cleanup;
    if (state == EC_ENTRY_DAMAGED)
        ec_shape_say(options, "the cached router shape %s is damaged; it is built anew",
                     r->description);
    else if (state == EC_ENTRY_STALE)
        ec_shape_say(options, "files included by router shape %s have changed", r->description);
    code = ec_shape_build(r, cache, options, &before, reterr);
    if (code == EC_OK)
        code = load(r, cache, ret, reterr);
cleanup:
    ec_cache_unlock(lock);
    ec_signals_release(&before);
    return code;
}

enum ec_code ec_shape_open(const struct ec_tile_shape *shape,
                           const struct ec_shape_options *options, struct ec_shape **ret,
                           struct ec_error *reterr)
{
    char cache[PATH_MAX];
    enum ec_entry_state state;
    struct ec_shape *s = calloc(1, sizeof *s);
    struct ec_recipe *r = malloc(sizeof *r); /* too large for a stack of unknown size */
    enum ec_code code = EC_OK;
    if (s == NULL || r == NULL)
        code = ec_fail(reterr, EC_MEMORY, "no memory to open a router shape");
    if (code == EC_OK)
        code = ec_cache_open(cache, sizeof cache, reterr);
    if (code == EC_OK)
        code = ec_recipe_make(shape, options, cache, r, reterr);
    if (code == EC_OK && !try_cache(r, cache, s, &state))
        code = build_and_load(r, cache, options, s, reterr);
    free(r);
    if (code != EC_OK) {
        free(s);
        return code;
    }
    *ret = s;
    return EC_OK;
}

const struct ec_tile_api *ec_shape_api(const struct ec_shape *s)
{
    return s->api;
}

const char *ec_shape_key(const struct ec_shape *s)
{
    return s->key;
}

void ec_shape_close(struct ec_shape *s)
{
    if (s == NULL)
        return;
    dlclose(s->object);
    free(s);
}
