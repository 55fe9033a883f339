/* SPDX-License-Identifier: Apache-2.0 */
/* The networks on which cases are played: router shapes stay open, and so does the last network. */
#ifndef CLAIMS_LAB_NETS_H
#define CLAIMS_LAB_NETS_H

#include "ecube/net.h"
#include "ecube/shape.h"
#include "study/claims.h"

enum { CLAIMS_SHAPES_MAX = 16 };

struct claims_nets {
    const struct claims_options *options;
    struct {
        struct ec_tile_shape shape;
        struct ec_shape *open;
    } shapes[CLAIMS_SHAPES_MAX];
    size_t shape_count;

    /* The last network and what it was made of; it borrows these copies. */
    struct ec_net *net;
    struct ec_topology topology;
    struct ec_router router;
    char text[360];
};

/* The network of these: the last one where nothing differs. It lives until the next call. */
enum ec_code claims_net(struct claims_nets *nets, const struct ec_topology *topology,
                        const struct ec_router *router, struct ec_net **ret, struct ec_error *e);
void claims_nets_close(struct claims_nets *nets);

#endif
