/* SPDX-License-Identifier: Apache-2.0 */
/* Names. Pure text; knows topologies and the flit word. */
#include "network/names.h"

#include <stdio.h>

#include "ecube/word.h"
#include "network/payload.h"

void ec_port_name(const struct ec_topology *t, unsigned locals, unsigned port, char *buffer,
                  size_t size)
{
    const unsigned links = ec_topology_links(t);
    if (port < links)
        ec_topology_link_name(t, port, buffer, size);
    else if (port - links >= locals)
        snprintf(buffer, size, "unused");
    else if (locals == 1)
        snprintf(buffer, size, "local");
    else
        snprintf(buffer, size, "local%u", port - links);
}

void ec_scope_name(const struct ec_topology *t, uint32_t node, char *buffer, size_t size)
{
    size_t used = (size_t)snprintf(buffer, size, "n%u", node);
    if (t->kind == EC_CUBE) {
        if (used < size)
            used += (size_t)snprintf(buffer + used, size - used, "_");
        for (unsigned d = t->dims; d-- > 0 && used < size;)
            used += (size_t)snprintf(buffer + used, size - used, "%u", node >> d & 1);
        return;
    }
    for (unsigned d = 0; t->dims > 1 && d < t->dims && used < size; d++) {
        const uint32_t at = ec_topology_coord(t, node, d);
        if (t->dims <= 3)
            used += (size_t)snprintf(buffer + used, size - used, "_%c%u", "xyz"[d], at);
        else
            used += (size_t)snprintf(buffer + used, size - used, "_%u", at);
    }
}

static int put_node(const struct ec_topology *t, uint32_t address, char *buffer, size_t size)
{
    const uint32_t node = ec_topology_node(t, address);
    return node == EC_NONE ? snprintf(buffer, size, "?%x", address)
                           : snprintf(buffer, size, "%u", node);
}

void ec_word_name(const struct ec_topology *t, uint64_t word, char *buffer, size_t size)
{
    char src[16], dst[16];
    put_node(t, ec_word_src(word), src, sizeof src);
    put_node(t, ec_word_dst(word), dst, sizeof dst);
    const uint32_t data = ec_word_data(word);
    snprintf(buffer, size, "%s->%s #%u.%u", src, dst, data >> PACKET_WORD_BITS,
             data & ((1u << PACKET_WORD_BITS) - 1));
}
