/* SPDX-License-Identifier: Apache-2.0 */
/* What the RTL of a network said, in words for a report. */
#ifndef EC_NET_RTL_H
#define EC_NET_RTL_H

#include "ecube/net.h"

static inline bool net_rtl_said(const struct ec_net *net)
{
    return net->rtl && net->rtl->count > 0;
}

static inline bool net_rtl_ended(const struct ec_net *net)
{
    return net->rtl && net->rtl->ended;
}

/* "cycle 12, router 5 (101): %Error: r.sv:7: ... (3 messages)". Only where net_rtl_said(). */
void net_rtl_text(const struct ec_net *net, char *buffer, size_t size);

#endif
