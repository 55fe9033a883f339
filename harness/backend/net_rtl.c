/* SPDX-License-Identifier: Apache-2.0 */
/* Knows what networks keep of the messages of their RTL; nothing of who wrote them. */
#include "backend/net_rtl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void net_rtl_text(const struct ec_net *net, char *buffer, size_t size)
{
    const struct ec_net_rtl *rtl = net->rtl;
    char router[128];
    size_t used;
    if (rtl->cycle)
        snprintf(buffer, size, "cycle %" PRIu64 ", ", rtl->cycle);
    else
        snprintf(buffer, size, "before the end of reset, ");
    used = strlen(buffer);
    if (rtl->node != EC_NONE) {
        ec_topology_node_name(net->topology, rtl->node, router, sizeof router);
        snprintf(buffer + used, size - used, "router %s: ", router);
        used = strlen(buffer);
    }
    snprintf(buffer + used, size - used, "%s", rtl->text);
    used = strlen(buffer);
    if (rtl->count > 1)
        snprintf(buffer + used, size - used, " (the first of %" PRIu64 " messages)", rtl->count);
}
