/* SPDX-License-Identifier: Apache-2.0 */
/* Names as text. Knows topologies, the flit word and the messages of RTL. */
#include "network/names.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "ecube/net.h"

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
    snprintf(buffer, size, "n%u", node);
    if (t->kind == EC_CUBE) {
        ec_append(buffer, size, "_");
        for (unsigned d = t->dims; d-- > 0;)
            ec_append(buffer, size, "%u", node >> d & 1);
        return;
    }
    for (unsigned d = 0; !t->graph && t->dims > 1 && d < t->dims; d++) {
        const uint32_t at = ec_topology_coord(t, node, d);
        if (t->dims <= 3)
            ec_append(buffer, size, "_%c%u", "xyz"[d], at);
        else
            ec_append(buffer, size, "_%u", at);
    }
}

static int put_node(const struct ec_topology *t, uint32_t address, char *buffer, size_t size)
{
    const uint32_t node = ec_topology_node(t, address);
    return node == EC_NONE ? snprintf(buffer, size, "?%x", address)
                           : snprintf(buffer, size, "%u", node);
}

void ec_word_name(const struct ec_topology *t, const struct ec_word_layout *l, uint64_t word,
                  char *buffer, size_t size)
{
    char src[16], dst[16];
    put_node(t, ec_word_src(l, word), src, sizeof src);
    put_node(t, ec_word_dst(l, word), dst, sizeof dst);
    snprintf(buffer, size, "%s->%s #%u.%u", src, dst, ec_word_number(l, word),
             ec_word_index(l, word));
}

void ec_net_rtl_text(const struct ec_net *net, char *buffer, size_t size)
{
    const struct ec_net_rtl *rtl = net->rtl;
    char router[128];
    if (rtl->cycle)
        snprintf(buffer, size, "cycle %" PRIu64 ", ", rtl->cycle);
    else
        snprintf(buffer, size, "before the end of reset, ");
    if (rtl->node != EC_NONE) {
        ec_topology_node_name(net->topology, rtl->node, router, sizeof router);
        ec_append(buffer, size, "router %s: ", router);
    }
    ec_append(buffer, size, "%s", rtl->text);
    if (rtl->count > 1)
        ec_append(buffer, size, " (the first of %" PRIu64 " messages)", rtl->count);
}
