/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of channels within the steps of a schedule. Knows routing and which messages are of one
 * step; must not know the RTL, switching or time. Links are counted hop by hop, for the messages of
 * schedules mostly have one. */
#include "audit/steps.h"

#include <stdlib.h>

#include "network/walk.h"

/* `load` messages of step number `step` use this channel; another step begins at 0. */
struct use {
    size_t step;
    uint32_t load;
};

struct steps {
    struct ec_audit *a;
    struct use *use; /* [links], [injection ports], [ejection ports] of all nodes */
    size_t links, locals;
    struct audit_step now;
    struct audit_step *worst;
};

static void count(struct steps *s, enum ec_channel_kind kind, uint32_t node, unsigned port)
{
    const size_t base[] = {0, s->links, s->links + s->locals};
    const size_t per_node = kind == EC_CHANNEL_LINK ? s->a->links : s->a->locals;
    struct use *u = &s->use[base[kind] + node * per_node + port];
    if (u->step != s->now.first + 1)
        *u = (struct use){.step = s->now.first + 1, .load = 0};
    if (++u->load <= s->a->max_step_load)
        return;
    s->a->max_step_load = u->load;
    s->a->busiest = (struct ec_channel){kind, node, port};
    *s->worst = s->now;
}

static void count_message(struct steps *s, const struct ec_topology *t, const struct ec_router *r,
                          const struct ec_message *m)
{
    struct ec_walk walk = ec_walk_begin(t, r->order, r->dateline, m->src, m->dst);
    struct ec_hop hop;
    unsigned last = EC_NONE;
    const bool all = s->a->locals > 1;
    while (ec_walk_next(&walk, &hop)) {
        if (last == EC_NONE)
            count(s, EC_CHANNEL_INJECT, m->src, all ? hop.link : 0);
        last = hop.link;
        count(s, EC_CHANNEL_LINK, hop.node, hop.link);
    }
    if (last != EC_NONE)
        count(s, EC_CHANNEL_EJECT, m->dst, all ? ec_topology_reverse(t, last) : 0);
}

enum ec_code audit_steps(struct ec_audit *a, const struct ec_topology *t, const struct ec_router *r,
                         const struct ec_workload *w, struct audit_step *ret,
                         struct ec_error *reterr)
{
    struct steps s = {.a = a,
                      .links = (size_t)t->nodes * a->links,
                      .locals = (size_t)t->nodes * a->locals,
                      .worst = ret};
    s.use = calloc(s.links + 2 * s.locals, sizeof *s.use);
    if (!s.use)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the loads of the steps of %u nodes",
                       t->nodes);
    for (size_t i = 0; i < w->message_count; i++) {
        if (i == s.now.last) {
            s.now.first = i;
            while (s.now.last < w->message_count && w->order->step[s.now.last] == w->order->step[i])
                s.now.last++;
        }
        count_message(&s, t, r, &w->messages[i]);
    }
    free(s.use);
    return EC_OK;
}
