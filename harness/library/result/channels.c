/* SPDX-License-Identifier: Apache-2.0 */
/* Channels: names and counters.
 *
 * Knows how reports index their counters; must not know formats. */
#include "result/channels.h"

void channel_name(const struct ec_topology *t, unsigned locals, struct ec_channel c, char *buffer,
                  size_t size)
{
    char from[64], to[64], link[32];
    ec_topology_node_name(t, c.node, from, sizeof from);
    if (c.kind == EC_CHANNEL_LINK) {
        const uint32_t neighbor = ec_topology_neighbor(t, c.node, c.port);
        ec_topology_link_name(t, c.port, link, sizeof link);
        if (neighbor != EC_NONE)
            ec_topology_node_name(t, neighbor, to, sizeof to);
        else /* a wrong router sent words there */
            snprintf(to, sizeof to, "no router");
        snprintf(buffer, size, "%s %s -> %s", from, link, to);
        return;
    }
    const char *what = c.kind == EC_CHANNEL_INJECT ? "inject" : "eject";
    if (locals > 1)
        snprintf(buffer, size, "%s at %s, port %u", what, from, c.port);
    else
        snprintf(buffer, size, "%s at %s", what, from);
}

struct channel_use channel_used(const struct ec_topology *t, const struct ec_report *report,
                                const struct ec_audit *audit, struct ec_channel c)
{
    struct channel_use use = {.channel = c};
    size_t local = (size_t)c.node * report->locals + c.port;
    if (c.kind == EC_CHANNEL_INJECT) {
        use.flits = report->injected[local];
        use.starved = use.waiting = report->blocked[local];
        use.load = audit ? audit->inject_load[local] : 0;
        return use;
    }
    const unsigned links = ec_topology_links(t);
    bool link = c.kind == EC_CHANNEL_LINK;
    size_t output = link ? (size_t)c.node * report->ports + c.port
                         : ec_report_ejection(report, t, c.node, c.port);
    use.flits = report->flits[output];
    use.contended = report->contended[output];
    use.starved = report->starved[output];
    use.waiting = use.contended + use.starved;
    if (audit)
        use.load =
            link ? audit->link_load[(size_t)c.node * links + c.port] : audit->eject_load[local];
    return use;
}

/* Negative: `a` comes before `b`. */
static int by_waiting(const struct channel_use *a, const struct channel_use *b)
{
    if (a->waiting != b->waiting)
        return a->waiting > b->waiting ? -1 : 1;
    if (a->flits != b->flits)
        return a->flits > b->flits ? -1 : 1;
    return a->contended == b->contended ? 0 : a->contended > b->contended ? -1 : 1;
}

/* Insert into a list sorted by by_waiting(), or count as a tie. */
static size_t insert(struct channel_use *list, size_t count, size_t room,
                     const struct channel_use *use)
{
    size_t at = count;
    while (at > 0 && by_waiting(use, &list[at - 1]) < 0)
        at--;
    if (at > 0 && by_waiting(use, &list[at - 1]) == 0) {
        list[at - 1].ties++;
        return count;
    }
    if (at == room)
        return count;
    size_t last = count < room ? count : room - 1;
    for (size_t i = last; i > at; i--)
        list[i] = list[i - 1];
    list[at] = *use;
    return last + 1;
}

size_t channel_ranked(const struct ec_case *c, const struct ec_report *report, bool local,
                      struct channel_use *ret, size_t room)
{
    static const enum ec_channel_kind kinds[2][2] = {{EC_CHANNEL_LINK},
                                                     {EC_CHANNEL_INJECT, EC_CHANNEL_EJECT}};
    const unsigned ports = local ? report->locals : ec_topology_links(&c->topology);
    const uint32_t rows = local ? c->topology.nodes : c->topology.routers;
    size_t count = 0;
    for (size_t k = 0; k < (local ? 2 : 1); k++) {
        for (uint32_t node = 0; node < rows; node++) {
            for (unsigned port = 0; port < ports; port++) {
                const struct ec_channel channel = {
                    .kind = kinds[local][k], .node = node, .port = port};
                const struct channel_use use =
                    channel_used(&c->topology, report, c->audit, channel);
                if (use.flits > 0 || use.waiting > 0)
                    count = insert(ret, count, room, &use);
            }
        }
    }
    return count;
}

uint64_t channel_even(const struct ec_case *c, const struct ec_report *report, uint64_t *ret_links)
{
    const unsigned links = ec_topology_links(&c->topology);
    uint64_t flits = 0, used = 0;
    for (uint32_t node = 0; node < c->topology.routers; node++) {
        for (unsigned link = 0; link < links; link++) {
            uint64_t here = report->flits[(size_t)node * report->ports + link];
            if (here == 0)
                continue;
            if (used++ > 0 && here != flits)
                return 0;
            flits = here;
        }
    }
    *ret_links = used;
    return flits;
}
