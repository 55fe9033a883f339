/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes: chooses the shape for a network, sets the pins of every router, and opens a shape: from
 * the cache if possible, else by building it.
 *
 * Knows the limits of the RTL and the order of checking, locking, building and loading. recipe.c
 * collects the inputs of a shape, cache.c stores entries, build.c runs the tools. */
#include "ecube/shape.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/file.h"
#include "ecube/word.h"
#include "shape/build.h"
#include "shape/cache.h"
#include "shape/places.h"
#include "shape/recipe.h"

/* --- Choosing --------------------------------------------------------------------------------- */

/* Dimensions of the cube shapes: few, so that one compilation serves many cubes. Unused dimensions
 * cost little, because nothing ever arrives on their links. */
static const uint32_t cube_dims[] = {3, 6, 8, 10, 12, 14, 16, 18, 20};

static uint32_t round_up_dims(const struct ec_topology *t)
{
    if (t->links_per_dim != 1)
        return t->dims < 2 ? 2 : t->dims;
    size_t i = 0;
    while (cube_dims[i] < t->dims) /* the last one serves all address bits of the RTL */
        i++;
    return cube_dims[i];
}

static uint32_t round_up_depth(unsigned depth)
{
    uint32_t rounded = 4;
    while (rounded < depth)
        rounded *= 2;
    return rounded;
}

enum ec_code ec_shape_choose(const struct ec_topology *t, const struct ec_router *r,
                             struct ec_tile_shape *ret, struct ec_error *reterr)
{
    char name[160];
    ec_topology_format(t, name, sizeof name);
    if (t->address_bits > EC_RTL_ADDRESS_BITS)
        return ec_fail(reterr, EC_USAGE,
                       "%s needs %u address bits, but a flit word of the RTL has %d: "
                       "choose a network of at most %lu nodes (an audit accepts more)",
                       name, t->address_bits, EC_RTL_ADDRESS_BITS, 1UL << EC_RTL_ADDRESS_BITS);
    if (r->depth > EC_DEPTH_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "depth=%u: expected at most %d words, the limit of the RTL", r->depth,
                       EC_DEPTH_MAX);

    const uint32_t dims = round_up_dims(t);
    const uint32_t links = dims * t->links_per_dim;
    const uint32_t locals = r->ports == EC_PORTS_ALL ? links : 1;
    if (dims > EC_TILE_DIMS_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "%s has %u dimensions: expected at most %d, the limit of the RTL", name,
                       t->dims, EC_TILE_DIMS_MAX);
    if (links + locals > EC_TILE_PORTS_MAX)
        return ec_fail(
            reterr, EC_USAGE,
            "%s with ports=%s needs routers of %u ports: expected at most %d, the limit of the RTL",
            name, r->ports == EC_PORTS_ALL ? "all" : "one", links + locals, EC_TILE_PORTS_MAX);

    *ret = (struct ec_tile_shape){
        .dims = dims,
        .links_per_dim = t->links_per_dim,
        .locals = locals,
        .vcs = r->vcs,
        .depth_max = round_up_depth(r->depth),
        .dynamic = r->va == EC_VA_DYNAMIC,
        .stages = r->stages,
        .address_bits = ec_word_address_bits(t->address_bits),
    };
    return EC_OK;
}

bool ec_shape_same(const struct ec_tile_shape *a, const struct ec_tile_shape *b)
{
    return a->dims == b->dims && a->links_per_dim == b->links_per_dim && a->locals == b->locals &&
           a->vcs == b->vcs && a->depth_max == b->depth_max && a->dynamic == b->dynamic &&
           a->stages == b->stages && a->address_bits == b->address_bits;
}

/* The pins that all routers of a network share. A dimension of radix 1 needs no address bit and
 * counts as unused. */
static struct ec_tile_place common_place(const struct ec_topology *t, const struct ec_router *r,
                                         const struct ec_tile_shape *shape)
{
    struct ec_tile_place place = {
        .dateline = r->dateline,
        .order_high = r->order == EC_ORDER_HIGH,
        .switching = r->switching == EC_WORMHOLE      ? 0
                     : r->switching == EC_CUT_THROUGH ? 1
                                                      : 2,
        .depth = r->depth,
        .packet = r->packet,
        .classes = r->classes,
    };
    for (unsigned d = 0; d < t->dims && d < shape->dims; d++) {
        if (t->bits[d] == 0)
            continue;
        place.mask[d] = ((UINT32_C(1) << t->bits[d]) - 1) << t->shift[d];
        place.radix[d] = t->radix[d] << t->shift[d];
        place.wrap |= (uint32_t)t->wrap[d] << d;
    }
    return place;
}

struct ec_tile_place ec_shape_place(const struct ec_topology *t, const struct ec_router *r,
                                    const struct ec_tile_shape *shape, uint32_t node)
{
    struct ec_tile_place place = common_place(t, r, shape);
    place.coord = ec_topology_address(t, node);
    return place;
}

void ec_shape_places(const struct ec_topology *t, const struct ec_router *r,
                     const struct ec_tile_shape *shape, struct ec_tile_place *places)
{
    for (uint32_t node = 0; node < t->nodes; node++)
        places[node] = ec_shape_place(t, r, shape, node);
}

enum ec_code ec_flat_choose(const struct ec_topology *t, const struct ec_router *r,
                            struct ec_tile_shape *ret, struct ec_error *reterr)
{
    struct ec_tile_shape shape;
    char name[160];
    ec_topology_format(t, name, sizeof name);
    if (t->nodes > EC_FLAT_NODES_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "%s has %" PRIu32 " nodes; the backend flat takes at most %d, because it "
                       "compiles the whole network: choose the backend tiles",
                       name, t->nodes, EC_FLAT_NODES_MAX);
    const enum ec_code code = ec_shape_choose(t, r, &shape, reterr);
    if (code != EC_OK)
        return code;
    /* It serves one topology only, so it needs no spare dimensions. */
    shape.dims = t->dims;
    shape.locals = ec_router_locals(r, t);
    *ret = shape;
    return EC_OK;
}

/* --- Opening ---------------------------------------------------------------------------------- */

struct ec_shape {
    void *object;
    const struct ec_tile_api *api;
    void (*points)(ec_point_take *take, void *context); /* NULL: no coverage */
    struct ec_places *places;                           /* NULL: one shape for all */
    char key[33];
};

/* Load the entry. RTLD_LOCAL: all shapes define the same C++ names. */
static enum ec_code load_tile(const struct ec_recipe *r, const char *cache, struct ec_shape *ret,
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
    memcpy(ret->key, r->key, sizeof ret->key);
    return EC_OK;
}

/* The state of a tile and its runtime: the worse of the two. */
static enum ec_entry_state check_entries(const struct ec_recipe *r, const char *cache)
{
    char runtime[64];
    ec_runtime_name(r, runtime, sizeof runtime);
    const enum ec_entry_state tile = ec_entry_check(cache, r->key);
    if (tile != EC_ENTRY_VALID)
        return tile;
    return ec_entry_check(cache, runtime) == EC_ENTRY_VALID ? EC_ENTRY_VALID : EC_ENTRY_DAMAGED;
}

/* Load the entry if it is valid. False otherwise; *ret_state has the reason. */
static bool try_cache(const struct ec_recipe *r, const char *cache, struct ec_shape *ret,
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
static enum ec_code open_cached(const struct ec_recipe *r, const char *cache, struct ec_shape *ret,
                                struct ec_error *reterr)
{
    char runtime[64];
    enum ec_entry_state state;
    ec_runtime_name(r, runtime, sizeof runtime);
    enum ec_code code = ec_entry_trust(cache, r->key, reterr);
    if (code == EC_OK)
        code = ec_entry_trust(cache, runtime, reterr);
    return code != EC_OK || try_cache(r, cache, ret, &state) ? code : EC_TOOL;
}

/* The same for a router that other tools have built: any if a tool is missing here, else those of
 * the same Verilator, because other versions generate other code. */
static enum ec_code open_other(struct ec_recipe *r, const char *cache, struct ec_shape *ret,
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

static enum ec_code open_one(const struct ec_tile_shape *shape,
                             const struct ec_shape_options *options, bool build,
                             struct ec_shape *ret, struct ec_error *reterr)
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
        if (code == EC_TOOL)
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

bool ec_shape_cached(const struct ec_tile_shape *shape, const struct ec_shape_options *options)
{
    struct ec_shape s;
    const bool cached = open_one(shape, options, false, &s, NULL) == EC_OK;
    if (cached)
        dlclose(s.object);
    return cached;
}

static enum ec_code open_places(const struct ec_tile_shape *shape,
                                const struct ec_shape_options *options, struct ec_shape *ret,
                                struct ec_error *reterr)
{
    const enum ec_code code = ec_places_open(shape, options, &ret->places, reterr);
    if (code != EC_OK)
        return code;
    ret->api = ec_places_api(ret->places);
    snprintf(ret->key, sizeof ret->key, "%s", ec_places_key(ret->places));
    return EC_OK;
}

enum ec_code ec_shape_open(const struct ec_tile_shape *shape,
                           const struct ec_shape_options *options, struct ec_shape **ret,
                           struct ec_error *reterr)
{
    struct ec_shape *s = calloc(1, sizeof *s);
    if (s == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory to open a router shape");
    const bool places =
        options != NULL && options->top != NULL && ec_shape_has_places(options->build);
    const enum ec_code code =
        places ? open_places(shape, options, s, reterr) : open_one(shape, options, true, s, reterr);
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

struct ec_tile_bank *ec_shape_bank(const struct ec_shape *s, size_t routers,
                                   const struct ec_tile_place *places, const uint32_t *numbers,
                                   uint32_t random_seed, const char *const *names,
                                   const struct ec_tile_listener *listener)
{
    if (s->places != NULL)
        return ec_places_bank(s->places, routers, places, numbers, random_seed, listener);
    return s->api->open(routers, places, numbers, random_seed, names, listener);
}

const char *ec_shape_key(const struct ec_shape *s)
{
    return s->key;
}

void ec_shape_points(const struct ec_shape *s, ec_point_take *take, void *context)
{
    if (s->places != NULL)
        ec_places_points(s->places, take, context);
    else if (s->points != NULL)
        s->points(take, context);
}

void ec_shape_close(struct ec_shape *s)
{
    if (s == NULL)
        return;
    if (s->places != NULL)
        ec_places_close(s->places);
    else
        dlclose(s->object);
    free(s);
}
