/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that a compiled shape may serve, tried: all kinds of networks, switching modes and
 * orders of dimensions, shallow and deep buffers.
 *
 * Knows which networks and modes these are; what a trial is knows moore.c. */
#include <stdio.h>
#include <string.h>

#include "ecube/shape.h"
#include "shape/moore.h"

struct check {
    const struct ec_tile_api *api;
    const struct ec_topology *t; /* the network at hand, and its mode: tried first */
    const struct ec_router *r;
    struct ec_net_pulse *pulse;
    void (*lacks)(void *context, const char *mode, const char *what);
    void *context;
    struct ec_shape_checked result;
};

/* "torus:4x4 --router vcs=2,...": the words of a run. */
static void name_mode(const struct ec_topology *t, const struct ec_router *r, char *buffer,
                      size_t size)
{
    char network[160], router[160];
    ec_topology_format(t, network, sizeof network);
    ec_router_format(r, router, sizeof router);
    *strrchr(router, ',') = '\0'; /* the packet bound is an option of its own */
    snprintf(buffer, size, "%s --router %s", network, router);
}

/* One network in one mode. */
static enum ec_code try_mode(struct check *c, const struct ec_topology *t,
                             const struct ec_router *r, struct moore_seen *seen,
                             struct ec_error *reterr)
{
    char mode[400];
    struct ec_error e;
    *seen = (struct moore_seen){0};
    const enum ec_code code = moore_try(c->api, t, r, c->pulse, seen, &e);
    name_mode(t, r, mode, sizeof mode);
    if (code != EC_OK)
        return ec_fail(reterr, code, "%s: %s", mode, e.message);
    c->result.words += seen->words;
    c->result.modes++;
    return EC_OK;
}

static bool is_at_hand(const struct check *c, const struct ec_topology *t,
                       const struct ec_router *r)
{
    return t == c->t && r->switching == c->r->switching && r->depth == c->r->depth &&
           r->order == c->r->order && r->dateline == c->r->dateline;
}

/* All switching modes, in the deepest and in the shallowest buffers; what is wrong is told once. */
static enum ec_code try_switching(struct check *c, const struct ec_topology *t, struct ec_router r,
                                  struct ec_error *reterr)
{
    static const enum ec_switching modes[] = {EC_WORMHOLE, EC_CUT_THROUGH, EC_STORE_AND_FORWARD};
    const unsigned depths[] = {c->api->shape.depth_max, 1};
    struct moore_seen seen;
    char mode[400];
    bool told = c->lacks == NULL;
    for (unsigned k = 0; k < 6; k++) {
        r.switching = modes[k / 2];
        r.depth = depths[k % 2];
        if (is_at_hand(c, t, &r))
            continue;
        const enum ec_code code = try_mode(c, t, &r, &seen, reterr);
        if (code != EC_OK)
            return code;
        if (told || !seen.wrong[0])
            continue;
        name_mode(t, &r, mode, sizeof mode);
        c->lacks(c->context, mode, seen.wrong);
        told = true;
    }
    return EC_OK;
}

static enum ec_code try_network(struct check *c, const struct ec_topology *t, enum ec_ports ports,
                                struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    unsigned classes = 1; /* of virtual channels */
    for (unsigned d = 0; d < t->dims; d++)
        classes = t->wrap[d] && c->api->shape.vcs >= 2 ? 2 : classes;
    c->result.networks++;
    for (unsigned k = 0; k < 2 * classes && code == EC_OK; k++) {
        const struct ec_router r = {
            .vcs = c->api->shape.vcs,
            .order = k % 2 ? EC_ORDER_HIGH : EC_ORDER_LOW,
            .ports = ports,
            .dateline = k >= 2,
        };
        code = try_switching(c, t, r, reterr);
    }
    return code;
}

/* One that the shape serves beside the network at hand; nothing if it is that one. */
static enum ec_code try_other(struct check *c, const char *text, enum ec_ports ports,
                              struct ec_error *reterr)
{
    char at_hand[160];
    struct ec_topology t;
    const enum ec_code code = ec_topology_parse(text, &t, reterr);
    if (code != EC_OK)
        return code;
    ec_topology_format(c->t, at_hand, sizeof at_hand);
    return strcmp(text, at_hand) == 0 ? EC_OK : try_network(c, &t, ports, reterr);
}

/* "torus:5x4x5": as many radices as the shape has dimensions, and few nodes, so that the last ones
 * of many are 2. */
static void name_grid(const char *kind, const uint32_t radix[2], unsigned dims, char *text,
                      size_t size)
{
    unsigned spare = dims + 4 < EC_RTL_ADDRESS_BITS ? 4 : EC_RTL_ADDRESS_BITS - dims;
    size_t used = (size_t)snprintf(text, size, "%s:", kind);
    for (unsigned d = 0; d < dims; d++) {
        const unsigned bits = radix[d % 2] > 4 ? 2 : radix[d % 2] > 2; /* more than that of a 2 */
        const bool fits = bits <= spare;
        spare -= fits ? bits : 0;
        used +=
            (size_t)snprintf(text + used, size - used, d ? "x%u" : "%u", fits ? radix[d % 2] : 2);
    }
}

static enum ec_code try_grids(struct check *c, enum ec_ports ports, struct ec_error *reterr)
{
    static const struct {
        const char *kind;
        uint32_t radix[2];
    } grids[] = {{"mesh", {4, 3}}, {"mesh", {2, 5}}, {"torus", {5, 4}}, {"torus", {3, 2}}};
    const unsigned dims = c->api->shape.dims;
    char text[80];
    enum ec_code code = EC_OK;
    for (size_t k = 0; k < sizeof grids / sizeof *grids && code == EC_OK; k++) {
        name_grid(grids[k].kind, grids[k].radix, dims, text, sizeof text);
        code = try_other(c, text, ports, reterr);
    }
    if (code == EC_OK && dims == 2) /* rings are served by it, too: a dimension is not used */
        code = try_other(c, "ring:6", ports, reterr);
    return code;
}

static enum ec_code try_cube(struct check *c, enum ec_ports ports, struct ec_error *reterr)
{
    char text[16];
    snprintf(text, sizeof text, "cube:%u", c->api->shape.dims);
    return try_other(c, text, ports, reterr);
}

/* The network at hand must be served, and in its own mode. */
static enum ec_code try_own(struct check *c, struct ec_error *reterr)
{
    struct moore_seen seen;
    char mode[400];
    const enum ec_code code = try_mode(c, c->t, c->r, &seen, reterr);
    if (code != EC_OK)
        return code;
    if (!seen.wrong[0])
        return try_network(c, c->t, c->r->ports, reterr);
    name_mode(c->t, c->r, mode, sizeof mode);
    return ec_fail(reterr, EC_CONTRACT, "%s: this router breaks the contract: %s", mode,
                   seen.wrong);
}

enum ec_code ec_shape_check(const struct ec_shape *s, const struct ec_topology *t,
                            const struct ec_router *r, struct ec_net_pulse *pulse,
                            void (*lacks)(void *context, const char *mode, const char *what),
                            void *context, struct ec_shape_checked *ret, struct ec_error *reterr)
{
    struct check c = {
        .api = ec_shape_api(s), .t = t, .r = r, .pulse = pulse, .lacks = lacks, .context = context};
    if (!c.api->peek)
        return ec_fail(reterr, EC_USAGE, "shapes of one router without waves can be checked");
    enum ec_code code = try_own(&c, reterr);
    if (code == EC_OK)
        code = t->links_per_dim == 1 ? try_cube(&c, r->ports, reterr)
                                     : try_grids(&c, r->ports, reterr);
    if (code == EC_OK)
        *ret = c.result;
    return code;
}
