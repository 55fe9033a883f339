/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers on links. Knows which links there are; not how they are drawn. */
#include "program/report/field.h"

bool cli_field_link(const struct ec_topology *t, uint32_t node, unsigned link)
{
    /* Asked 20 million times for a large cube, where the answer is always yes. */
    return t->kind == EC_CUBE || ec_topology_neighbor(t, node, link) != EC_NONE;
}

uint64_t cli_field_max(const struct cli_field *f)
{
    const struct ec_topology *t = f->topology;
    uint64_t max = 0;
    for (uint32_t node = 0; node < t->nodes; node++) {
        for (unsigned link = 0; link < ec_topology_links(t); link++) {
            uint64_t value = cli_field_link(t, node, link) ? f->at(f->context, node, link) : 0;
            max = value > max ? value : max;
        }
    }
    return max;
}
