/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: read from a file, or made as a fat tree or a dragonfly. */
#pragma once

#include "base/text.h"
#include "ecube/topology.h"

#define GRAPH_ROUTERS_MAX 8192
#define GRAPH_NODES_MAX   65536

/* A graph while it is made: routers with up to EC_DIMS_MAX link ports. */
struct graph_maker {
    uint32_t routers;
    uint32_t *far;   /* [router * EC_DIMS_MAX + port] the router at the other end; EC_NONE */
    uint8_t *back;   /* [router * EC_DIMS_MAX + port] the port there */
    uint8_t *delay;  /* [router * EC_DIMS_MAX + port] cycles */
    uint32_t *nodes; /* [routers] number of nodes */
};

/* Free what graph_maker_open() made with graph_maker_close(), even if it fails. */
enum ec_code graph_maker_open(struct graph_maker *m, uint32_t routers, struct ec_error *reterr);
void graph_maker_close(struct graph_maker *m);

struct graph_end {
    uint32_t router;
    unsigned port;
};
/* Connect two free ports of different routers. */
void graph_connect(struct graph_maker *m, struct graph_end a, struct graph_end b, unsigned delay);

/* graph_file.c: read a file. EC_USAGE: the message names file and line. EC_IO, EC_MEMORY. */
enum ec_code graph_read(const char *path, struct graph_maker *m, struct ec_error *reterr);

/* Open the graph of a topology `text` of this kind; `size` is what follows the kind. EC_USAGE,
 * EC_IO, EC_MEMORY. */
enum ec_code graph_open(enum ec_topology_kind kind, const char *text, struct ec_slice size,
                        struct ec_graph **ret, struct ec_error *reterr);
void graph_close(struct ec_graph *g); /* NULL is fine */
