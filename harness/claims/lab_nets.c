/* SPDX-License-Identifier: Apache-2.0 */
/* The networks of the laboratory: each router shape is opened once, a network as often as the case
 * changes.
 *
 * Knows tiles and router shapes, those of the user too; must not know cases or claims. */
#include "lab_nets.h"

#include <stdio.h>
#include <string.h>

enum { FILES_MAX = 64 };

static enum ec_code open_shape(const struct claims_nets *nets, const struct ec_tile_shape *shape,
                               struct ec_shape **ret, struct ec_error *e)
{
    const struct claims_options *o = nets->options;
    const char *files[FILES_MAX + 1] = {NULL};
    char text[4096], *rest = text;
    if (o->rtl) {
        snprintf(text, sizeof text, "%s", o->rtl);
        for (size_t i = 0; rest && i < FILES_MAX; i++)
            files[i] = strsep(&rest, ",");
    }
    const struct ec_shape_options options = {
        .rtl = o->rtl ? files : NULL,
        .top = o->top,
        .progress = o->progress,
        .progress_context = o->progress_context,
    };
    return ec_shape_open(shape, &options, ret, e);
}

static enum ec_code find_shape(struct claims_nets *nets, const struct ec_topology *topology,
                               const struct ec_router *router, struct ec_shape **ret,
                               struct ec_error *e)
{
    struct ec_tile_shape shape;
    enum ec_code code = ec_shape_choose(topology, router, &shape, e);
    if (code != EC_OK)
        return code;
    for (size_t i = 0; i < nets->shape_count; i++) {
        if (ec_shape_same(&nets->shapes[i].shape, &shape)) {
            *ret = nets->shapes[i].open;
            return EC_OK;
        }
    }
    if (nets->shape_count == CLAIMS_SHAPES_MAX)
        return ec_fail(e, EC_INTERNAL, "an experiment needs more than %d router shapes",
                       CLAIMS_SHAPES_MAX);
    code = open_shape(nets, &shape, ret, e);
    if (code == EC_OK && nets->options->rtl) {
        code = ec_shape_moore(*ret, topology, router, e);
        if (code != EC_OK)
            ec_shape_close(*ret);
    }
    if (code == EC_OK) {
        nets->shapes[nets->shape_count].shape = shape;
        nets->shapes[nets->shape_count++].open = *ret;
    }
    return code;
}

static void drop_net(struct claims_nets *nets)
{
    if (nets->net)
        nets->net->ops->close(nets->net);
    nets->net = NULL;
}

enum ec_code claims_net(struct claims_nets *nets, const struct ec_topology *topology,
                        const struct ec_router *router, struct ec_net **ret, struct ec_error *e)
{
    char text[360], first[160], second[180];
    struct ec_shape *shape;
    ec_topology_format(topology, first, sizeof first);
    ec_router_format(router, second, sizeof second);
    snprintf(text, sizeof text, "%s %s", first, second);
    *ret = nets->net;
    if (nets->net && strcmp(text, nets->text) == 0)
        return EC_OK;
    enum ec_code code = find_shape(nets, topology, router, &shape, e);
    if (code != EC_OK)
        return code;
    drop_net(nets);
    memcpy(nets->text, text, sizeof text);
    nets->topology = *topology;
    nets->router = *router;
    const struct ec_tiles_options options = {.foreign = nets->options->rtl != NULL};
    code = ec_tiles_open(&nets->topology, &nets->router, shape, &options, &nets->net, e);
    *ret = nets->net;
    return code;
}

void claims_nets_close(struct claims_nets *nets)
{
    drop_net(nets);
    for (size_t i = 0; i < nets->shape_count; i++)
        ec_shape_close(nets->shapes[i].open);
}
