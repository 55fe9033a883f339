/* SPDX-License-Identifier: Apache-2.0 */
/* The routers of one part of a network, as a net. Its events, faults and watchers have the nodes
 * and ports of the whole network, and concern own nodes only; its counters are arrays over own
 * nodes in ascending order. Words and credits for routers of other parts leave as *crossings*,
 * which the caller carries to the net of that part.
 *
 * Must not know how they are carried. */
#pragma once

#include "base/list.h"
#include "ecube/net.h"
#include "ecube/partition.h"

struct crossing {
    uint64_t word;    /* without EC_WORD_VALID: a credit, for this VC */
    uint32_t channel; /* where it arrives: node * (links + locals) + port, of the whole network; an
                         input port for a word, an output port for a credit */
    uint32_t at;      /* the cycle in which it arrives, its low 32 bits */
};

/* The routers of part `part`. The last four arguments and the rest are as in ec_tiles_open(). The
 * shape must be one of a router ("tiles"). Borrows the partition until it returns. */
enum ec_code tiles_open_part(const struct ec_topology *t, const struct ec_router *r,
                             struct ec_shape *shape, const struct ec_tiles_options *options,
                             const struct ec_partition *partition, uint32_t part,
                             struct ec_net **ret, struct ec_error *reterr);

/* What has left for neighbour `k` since the last call of tiles_part_left(), in order of `at`.
 * Neighbours are numbered as in the partition. */
const struct crossing *tiles_part_leaving(const struct ec_net *net, size_t k, size_t *ret_count);
void tiles_part_left(struct ec_net *net);

/* Crossings for routers of this part. Call it before the step of the first cycle in which any of
 * them arrives; then they take effect as if they came from routers of this part. False: they are
 * damaged, because one of them does not come from another part. */
bool tiles_part_enter(struct ec_net *net, const struct crossing *x, size_t count);

/* --- For the backend itself ------------------------------------------------------------------- */

struct on_link;

struct border_end {
    uint32_t channel;   /* as in struct crossing */
    uint32_t neighbour; /* index */
    unsigned delay;     /* cycles of the link */
};

struct border_leaving {
    struct crossing *x;
    size_t count, size;
};

struct border_due {
    struct on_link *x;
    size_t count, size;
};

/* Where a part ends. Without other parts all is 0, but for what is on links of different delays. */
struct border {
    uint32_t ends, neighbours;
    size_t room;                    /* for ends */
    bool memory_short;              /* an end is missing */
    struct border_end *end;         /* [ends] in order of the own channel */
    uint32_t *neighbour;            /* [neighbours] part numbers, ascending */
    struct border_leaving *leaving; /* [neighbours] */
    /* On links of several cycles: what has entered, [arrival % delay]; if delays differ, all. */
    struct border_due *due;
    unsigned delay;
    size_t waiting; /* of all due */
    struct ec_arrays arrays;
};
