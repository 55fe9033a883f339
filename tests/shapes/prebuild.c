/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the router shapes of one line of the table in meson.build, so that no test has to wait
 * for a compiler: prebuild STAMP [random|traced|flat] TOPOLOGY ROUTER. The cache is $ECUBE_CACHE.
 */
#include <stdio.h>
#include <string.h>

#include "ecube/router.h"
#include "ecube/shape.h"
#include "ecube/topology.h"

static void show(void *context, const char *line)
{
    (void)context;
    puts(line);
    fflush(stdout);
}

static enum ec_code build(const char *topology, const char *router, const char *variant,
                          struct ec_error *error)
{
    const bool flat = strcmp(variant, "flat") == 0;
    struct ec_topology t;
    struct ec_shape_options options = {.random_init = strcmp(variant, "random") == 0,
                                       .traced = strcmp(variant, "traced") == 0,
                                       .network = flat ? &t : NULL,
                                       .progress = show};
    struct ec_router r;
    struct ec_tile_shape tile_shape;
    struct ec_shape *shape = NULL;
    enum ec_code code = ec_topology_open(topology, &t, error);
    if (code == EC_OK)
        code = ec_router_parse(router, &t, &r, error);
    const struct ec_table any = {.routers = 1}; /* the shape depends on whether there is one */
    if (code == EC_OK && r.routing == EC_ROUTING_TABLE)
        r.table = &any;
    options.link = code == EC_OK ? r.link : 0;
    if (code == EC_OK)
        code = (flat ? ec_flat_choose : ec_shape_choose)(&t, &r, &tile_shape, error);
    if (code == EC_OK)
        code = ec_shape_open(&tile_shape, &options, &shape, error);
    if (code == EC_OK)
        ec_shape_close(shape);
    return code;
}

int main(int argc, char **argv)
{
    struct ec_error error;
    const char *variant = argc == 5 ? argv[2] : "";
    if (argc != 4 && strcmp(variant, "random") != 0 && strcmp(variant, "traced") != 0 &&
        strcmp(variant, "flat") != 0) {
        fprintf(stderr, "usage: %s STAMP [random|traced|flat] TOPOLOGY ROUTER\n", argv[0]);
        return 2;
    }
    if (build(argv[argc - 2], argv[argc - 1], variant, &error) != EC_OK) {
        fprintf(stderr, "%s: %s\n", argv[0], error.message);
        return 1;
    }
    FILE *stamp = fopen(argv[1], "w");
    return stamp == NULL || fclose(stamp) != 0;
}
