/* SPDX-License-Identifier: Apache-2.0 */
/* The networks of the laboratory: each router shape is opened once, a network as often as the case
 * changes.
 *
 * Knows tiles and router shapes, those of the user too; must not know cases or claims. */
#include "study/networks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "a.sv,b.sv" as a list with a NULL at its end, and the text that it points into; both the
 * caller's. */
static bool split_files(const char *files, const char ***ret_list, char **ret_text)
{
    size_t count = 1;
    for (const char *c = files; *c; c++)
        count += *c == ',';
    const char **list = calloc(count + 1, sizeof *list);
    char *text = strdup(files), *rest = text;
    for (size_t i = 0; list && text && i < count; i++)
        list[i] = strsep(&rest, ",");
    *ret_list = list;
    *ret_text = text;
    return list && text;
}

static enum ec_code open_shape(const struct claims_nets *nets, const struct ec_tile_shape *shape,
                               struct ec_shape **ret, struct ec_error *e)
{
    const struct claims_options *o = nets->options;
    const char **files = NULL;
    char *text = NULL;
    const struct ec_shape_options ours = {.progress = o->progress,
                                          .progress_context = o->progress_context};
    if (!o->rtl)
        return ec_shape_open(shape, &ours, ret, e);
    enum ec_code code = EC_OK;
    if (!split_files(o->rtl, &files, &text))
        code = ec_fail(e, EC_MEMORY, "out of memory");
    const struct ec_shape_options options = {
        .rtl = files,
        .top = o->top,
        .progress = o->progress,
        .progress_context = o->progress_context,
    };
    if (code == EC_OK)
        code = ec_shape_open(shape, &options, ret, e);
    free(files);
    free(text);
    return code;
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
    if (code == EC_OK && nets->options->rtl)
        code = ec_shape_moore(shape, topology, router, nets->options->pulse, e);
    if (code != EC_OK)
        return code;
    drop_net(nets);
    memcpy(nets->text, text, sizeof text);
    nets->topology = *topology;
    nets->router = *router;
    const struct ec_tiles_options options = {.foreign = nets->options->rtl != NULL,
                                             .pulse = nets->options->pulse};
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
