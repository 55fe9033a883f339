/* SPDX-License-Identifier: Apache-2.0 */
/* A router, its place and its mode from the bytes of an input. Must not know traffic. */
#include "network.h"

#include <stdlib.h>

const struct fuzz_network fuzz_networks[] = {
    {"cube:3", "vcs=1"},
    {"torus:4x4", "vcs=2"},
    {"torus:4x4", "vcs=2,va=dynamic"},
    {"torus:4x4", "vcs=4,va=dynamic"},
    {"cube:3", "vcs=1,stages=3"},
    {"ring:8", "vcs=2,va=dynamic,stages=3"},
    {"torus:4x4", "vcs=2,ports=all"},
    {"mesh:6", "vcs=2,va=dynamic,stages=2"},
    {"mesh:8x8", "vcs=1"},
};
enum { NETWORKS = sizeof fuzz_networks / sizeof *fuzz_networks };
const unsigned fuzz_network_count = NETWORKS;

/* The shape of a network, opened once. */
static const struct ec_shape *shape_of(unsigned network, const struct ec_topology *t,
                                       const struct ec_router *r)
{
    static struct ec_shape *open[NETWORKS];
    struct ec_tile_shape shape;
    struct ec_error e;
    if (open[network])
        return open[network];
    if (ec_shape_choose(t, r, &shape, &e) != EC_OK ||
        ec_shape_open(&shape, NULL, &open[network], &e) != EC_OK)
        fuzz_fail("%s %s: %s", fuzz_networks[network].topology, fuzz_networks[network].router,
                  e.message);
    return open[network];
}

void fuzz_place_choose(struct fuzz_bytes *b, struct fuzz_place *ret)
{
    struct ec_error e;
    const unsigned network = fuzz_below(b, NETWORKS);
    if (ec_topology_parse(fuzz_networks[network].topology, &ret->t, &e) != EC_OK ||
        ec_router_parse(fuzz_networks[network].router, &ret->t, &ret->r, &e) != EC_OK)
        fuzz_fail("%s", e.message);
    ret->r.depth = FUZZ_DEPTH_MAX;
    ret->shape = shape_of(network, &ret->t, &ret->r);
    ret->r.depth = 1 + fuzz_below(b, FUZZ_DEPTH_MAX);
    ret->r.packet = 1 + fuzz_below(b, ret->r.depth);
    ret->r.switching = (enum ec_switching)fuzz_below(b, 3);
    ret->r.order = (enum ec_order)fuzz_below(b, 2);
    /* Without datelines a torus is another mode of the same router; alone it cannot deadlock. */
    ret->r.dateline = ret->r.dateline && fuzz_below(b, 4) != 3;
    const bool two = fuzz_below(b, 2) && ec_router_lanes(&ret->r) >= 2;
    ret->r.classes = ret->r.va == EC_VA_DYNAMIC && two ? 2 : 1;
    ret->node = fuzz_below(b, ret->t.nodes);
    ret->places = calloc(ret->t.nodes, sizeof *ret->places);
    if (!ret->places)
        exit(1);
    ec_shape_places(&ret->t, &ret->r, &ec_shape_api(ret->shape)->shape, ret->places);
}

void fuzz_place_free(struct fuzz_place *p)
{
    free(p->places);
}
