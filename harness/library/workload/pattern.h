/* SPDX-License-Identifier: Apache-2.0 */
/* The table of workloads, and their maps from a source label to a destination label. */
#pragma once

#include "base/text.h"
#include "ecube/workload.h"

enum ec_workload_id {
    EC_WORKLOAD_SHIFT,
    EC_WORKLOAD_BITCOMP,
    EC_WORKLOAD_BITREV,
    EC_WORKLOAD_SHUFFLE,
    EC_WORKLOAD_UNSHUFFLE,
    EC_WORKLOAD_KSHUFFLE,
    EC_WORKLOAD_TRANSPOSE,
    EC_WORKLOAD_TOCYCLIC,
    EC_WORKLOAD_TOCONSECUTIVE,
    EC_WORKLOAD_GSH,
    EC_WORKLOAD_TORNADO,
    EC_WORKLOAD_NEIGHBOR,
    EC_WORKLOAD_RANDPERM,
    EC_WORKLOAD_HOTSPOT,
    EC_WORKLOAD_PERM,
    EC_WORKLOAD_PPERMUTE,
    EC_WORKLOAD_RESHARD,
    EC_WORKLOAD_TRACE,
    EC_WORKLOAD_ALLREDUCE,
    EC_WORKLOAD_REDUCESCATTER,
    EC_WORKLOAD_ALLGATHER,
    EC_WORKLOAD_ALLTOALL,
    EC_WORKLOAD_BROADCAST,
    EC_WORKLOAD_REDUCE,
    EC_WORKLOAD_SCATTER,
    EC_WORKLOAD_GATHER,
    EC_WORKLOAD_UNIFORM,
    EC_WORKLOAD_MIX,
    EC_WORKLOAD_COUNT
};

enum ec_workload_key {
    EC_KEY_Q,
    EC_KEY_LABELS,
    EC_KEY_K,
    EC_KEY_CYCLE,
    EC_KEY_ELEMENTS, /* K */
    EC_KEY_SUB,
    EC_KEY_NODE,
    EC_KEY_SHARE,
    EC_KEY_FILE,
    EC_KEY_PAIRS,
    EC_KEY_MESH,
    EC_KEY_FROM,
    EC_KEY_TO,
    EC_KEY_RATE,
    EC_KEY_M,
    EC_KEY_OF,
    EC_KEY_BURST,
    EC_KEY_ON,
    EC_KEY_REPLY,
    EC_KEY_THINK,
    EC_KEY_QUEUE,
    EC_KEY_OUTSTANDING,
    EC_KEY_CLASSES,
    EC_KEY_BY,
    EC_KEY_WAYS,
    EC_KEY_COUNT
};

/* A mesh of devices, of which axis 0 counts fastest, and two orders of all its axes, the most
 * significant first. The shard of a device is the number whose digits are its coordinates in such
 * an order. */
enum { EC_RESHARD_AXES = 8 };
struct ec_reshard {
    unsigned axes;
    uint32_t size[EC_RESHARD_AXES];
    uint8_t from[EC_RESHARD_AXES], to[EC_RESHARD_AXES];
    unsigned from_named, to_named; /* the first ones, which the workload names */
};
#define EC_RESHARD_NAMES "XYZWVUTS" /* of the axes */

/* Parameters of a map besides the label. */
struct ec_pattern {
    const struct ec_topology *t;
    unsigned bits; /* n, for 2^n nodes; 0 if the number of nodes is not a power of two */
    uint32_t q;    /* distance of a shift, 0 < q < nodes */
    bool gray;     /* shift on a ring whose labels are the cube's in Gray code */
    unsigned k;    /* bits of a rotation, k < bits (0 for bits = 0 or 1) */
    struct ec_reshard reshard;
};

typedef uint32_t ec_pattern_map(const struct ec_pattern *p, uint32_t src);

struct ec_workload_kind {
    struct ec_workload_info info;
    unsigned keys;       /* bit k: takes key k */
    unsigned needed;     /* bit k: needs key k */
    ec_pattern_map *map; /* NULL: not a map of labels */
    /* any topology, one with coordinates, 2^n nodes, a cube */
    enum { EC_ON_ANY, EC_ON_GRID, EC_ON_BITS, EC_ON_CUBE } on;
};
const struct ec_workload_kind *ec_workload_kind(enum ec_workload_id id);

/* The workload of that name or alias; case does not matter. EC_USAGE: unknown. */
enum ec_code ec_workload_find(struct ec_slice name, enum ec_workload_id *ret,
                              struct ec_error *reterr);

/* True if transpose exchanges coordinates: on a square mesh or torus of two dimensions. */
bool ec_pattern_square(const struct ec_topology *t);

/* A random permutation of 0..count-1, a pure function of the seed. */
void ec_pattern_permutation(uint64_t seed, uint32_t count, uint32_t *ret_map);
