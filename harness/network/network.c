/* SPDX-License-Identifier: Apache-2.0 */
/* A network from words. Knows in which order the parts are made; the work is theirs. */
#include "ecube/network.h"

#include <stdlib.h>

static enum ec_code open_parts(struct ec_network *n, const char *topology, const char *router,
                               uint32_t packet, uint32_t longest, struct ec_error *reterr)
{
    enum ec_code code = ec_topology_parse(topology, &n->topology, reterr);
    if (code == EC_OK)
        code = ec_router_parse(router, &n->topology, &n->router, reterr);
    if (code == EC_OK)
        code = ec_router_set_packet(&n->router, packet, longest, reterr);
    if (code == EC_OK)
        code = ec_shape_choose(&n->topology, &n->router, &n->tile, reterr);
    if (code == EC_OK)
        code = ec_shape_open(&n->tile, NULL, &n->shape, reterr);
    if (code == EC_OK)
        code = ec_tiles_open(&n->topology, &n->router, n->shape, NULL, &n->net, reterr);
    return code;
}

enum ec_code ec_network_open(const char *topology, const char *router, uint32_t packet,
                             uint32_t longest, struct ec_network **ret, struct ec_error *reterr)
{
    struct ec_network *n = calloc(1, sizeof *n); /* its parts are borrowed: it must not move */
    if (!n)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a network");
    const enum ec_code code = open_parts(n, topology, router, packet, longest, reterr);
    if (code == EC_OK)
        *ret = n;
    else
        ec_network_close(n);
    return code;
}

enum ec_code ec_network_wave(struct ec_network *n, const struct ec_wave_options *options,
                             struct ec_wave **ret, struct ec_error *reterr)
{
    const struct ec_shape_options traced = {.traced = true};
    enum ec_code code = n->traced ? EC_OK : ec_shape_open(&n->tile, &traced, &n->traced, reterr);
    if (code == EC_OK)
        code = ec_wave_open(&n->topology, &n->router, n->traced, options, ret, reterr);
    if (code == EC_OK)
        n->net->ops->watch(n->net, ec_wave_watch(*ret));
    return code;
}

void ec_network_close(struct ec_network *n)
{
    if (!n)
        return;
    if (n->net)
        n->net->ops->close(n->net);
    ec_shape_close(n->traced);
    ec_shape_close(n->shape);
    free(n);
}
