/* SPDX-License-Identifier: Apache-2.0 */
/* Routing tables for tests: any paths to every node, most of them not minimal. */
#ifndef TEST_TABLES_H
#define TEST_TABLES_H

#include "base/rng.h"
#include "ecube/route.h"
#include "unit.h"

static inline struct ec_table *empty_table(const struct ec_topology *t, bool classes)
{
    struct ec_table *table;
    assert_int_equal(
        ec_table_open(t->nodes, t->nodes, ec_topology_links(t) + 1, classes, &table, NULL), EC_OK);
    return table;
}

/* A random tree of links to every node, grown from it. */
static inline struct ec_table *random_table(const struct ec_topology *t, bool classes,
                                            uint64_t seed)
{
    struct ec_table *table = empty_table(t, classes);
    const uint64_t key = ec_rng_key(seed, t->nodes);
    const unsigned links = ec_topology_links(t);
    uint64_t draws = 0;
    for (uint32_t dst = 0; dst < t->nodes; dst++) {
        table->port[(size_t)dst * t->nodes + dst] = (uint8_t)links;
        for (uint32_t reached = 1; reached < t->nodes;) {
            const uint32_t node = (uint32_t)ec_rng_below(ec_rng_draw(key, draws++), t->nodes);
            const unsigned link = (unsigned)ec_rng_below(ec_rng_draw(key, draws++), links);
            const uint32_t next = ec_topology_neighbor(t, node, link);
            const size_t at = (size_t)node * t->nodes + dst;
            if (table->port[at] != EC_TABLE_NONE || next == EC_NONE ||
                table->port[(size_t)next * t->nodes + dst] == EC_TABLE_NONE)
                continue;
            table->port[at] = (uint8_t)link;
            if (classes)
                table->class_[at] = ec_rng_draw(key, draws++) & 1;
            reached++;
        }
    }
    return table;
}

#endif
