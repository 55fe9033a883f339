/* SPDX-License-Identifier: Apache-2.0 */
/* What distinguishes one workload from another, as a table. */
#ifndef EC_WORKLOAD_TABLE_H
#define EC_WORKLOAD_TABLE_H

#include "base/text.h"
#include "ecube/workload.h"
#include "workload/pattern.h"

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
    EC_WORKLOAD_TRACE,
    EC_WORKLOAD_UNIFORM,
    EC_WORKLOAD_COUNT
};

/* Keys of the grammar. */
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
    EC_KEY_RATE,
    EC_KEY_M,
    EC_KEY_COUNT
};
extern const char *const ec_workload_keys[EC_KEY_COUNT + 1]; /* their names; ends with NULL */

struct ec_workload_traits {
    unsigned keys;       /* bit k: takes key k */
    unsigned needed;     /* bit k: does not work without */
    ec_pattern_map *map; /* NULL: not a map of labels */
    bool on_bits;        /* needs 2^n nodes */
    bool on_cube;        /* needs a cube */
};
const struct ec_workload_traits *ec_workload_traits(enum ec_workload_id id);

/* The workload of that name or alias (case does not matter), or EC_WORKLOAD_COUNT. */
enum ec_workload_id ec_workload_find(struct ec_slice name);

/* "; did you mean 'shift'?" or "". */
const char *ec_workload_hint(struct ec_slice name, char *buffer, size_t size);

#endif
