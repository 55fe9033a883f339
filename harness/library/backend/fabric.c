/* SPDX-License-Identifier: Apache-2.0 */
/* A tile network whose bank moves words and credits itself (shape/fabric.h). Its rows are brought
 * up to date only if somebody reads them; after that, or when a rule may be broken, the network can
 * go on router by router.
 *
 * Knows when that gives the same result. Must not know how words move. */
#include <string.h>

#include "backend/tiles.h"

/* Watchers, stories of routers, and links of several cycles need each router's rows. */
static bool suits(const struct tiles *s)
{
    return s->on_links.delay == 1 && !s->backs && s->border.ends == 0 && !s->options.no_sleep &&
           !s->options.shuffle_seed && !s->vc_rule.kept.of && !s->vc_rule.table &&
           !ec_router_has_sets(s->net.router);
}

bool fabric_open(struct tiles *s, const struct ec_shape *shape)
{
    s->fabric_api = ec_shape_fabric(shape);
    if (!s->fabric_api || !suits(s))
        return true;
    const struct ec_fabric_wires wires = {.peers = s->peers,
                                          .back = s->back,
                                          .locals = s->locals,
                                          .depth = s->depth,
                                          .rules = s->vc_rule.rules,
                                          .layout = s->vc_rule.layout};
    s->fabric = s->fabric_api->open(s->bank, &wires);
    return s->fabric != NULL;
}

static struct ec_fabric_rows rows_of(const struct tiles *s)
{
    return (struct ec_fabric_rows){.flits = s->flits,
                                   .contended = s->contended,
                                   .starved = s->starved,
                                   .ledger = s->ledger,
                                   .open = s->vc_rule.open};
}

void fabric_reset(struct tiles *s)
{
    s->in_fabric = s->fabric && !s->watch;
    if (s->in_fabric)
        s->fabric_api->reset(s->fabric, s->vc_rule.follows);
}

void fabric_count(struct tiles *s)
{
    const struct ec_fabric_rows rows = rows_of(s);
    if (s->in_fabric)
        s->fabric_api->count(s->fabric, &rows);
    s->uncounted = 0;
}

void fabric_show(const struct tiles *s, unsigned turn)
{
    const struct ec_fabric_rows rows = rows_of(s);
    s->fabric_api->show(s->fabric, &rows, &s->io[turn], s->awake[turn]);
}

static void forget_inputs(struct tiles *s, unsigned turn)
{
    memset(s->io[turn].in_valid, 0, s->nodes * sizeof *s->io[turn].in_valid);
    memset(s->io[turn].in_credit, 0, (size_t)s->nodes * s->vcs * sizeof *s->io[turn].in_credit);
}

/* Leave rows in order: nothing but the bank moved words, and these are from the last look. */
static void begin_rows(struct tiles *s, unsigned turn, const struct ec_tile_io *outputs)
{
    fabric_count(s);
    fabric_show(s, turn);
    s->fabric_api->leave(s->fabric, outputs);
    forget_inputs(s, !turn);
    memset(s->awake[!turn], 0, s->nodes * sizeof *s->awake[!turn]);
}

void fabric_leave(struct tiles *s)
{
    if (s->in_fabric)
        begin_rows(s, !s->turn, NULL);
    s->in_fabric = false;
}

void fabric_enter(struct tiles *s)
{
    const struct ec_fabric_rows rows = rows_of(s);
    const unsigned turn = !s->turn;
    s->loaded = false;
    fabric_reset(s);
    if (!s->in_fabric)
        return;
    s->fabric_api->take(s->fabric, &rows, &s->io[turn], s->awake[turn]);
    forget_inputs(s, turn);
    memset(s->awake[turn], 0, s->nodes * sizeof *s->awake[turn]);
    s->id_count = 0;
}

static void take_credits_of_nodes(struct tiles *s, const struct ec_port_events *in)
{
    for (size_t i = 0; i < in->credit_count; i++) {
        const uint32_t at = in->credits[i].port, node = s->router_of[at];
        const unsigned port = s->links + (at - s->first_port[node]), vc = in->credits[i].vc;
        if (s->ledger[((size_t)node * s->ports + port) * s->vcs + vc]-- == 0)
            tiles_note_fault(s, s->net.cycle, node, port, vc, "a node returned a credit too many");
    }
}

static void take_credits_for_nodes(struct tiles *s, const struct ec_port_events *out)
{
    for (size_t i = 0; i < out->credit_count; i++) {
        const uint32_t at = out->credits[i].port;
        const unsigned vc = out->credits[i].vc;
        if (s->injected_ledger[(size_t)at * s->vcs + vc]-- == 0)
            tiles_note_fault(s, s->net.cycle + 1, at / s->locals, s->links + at % s->locals, vc,
                             "a credit too many was returned");
    }
}

bool fabric_step(struct tiles *s, const struct ec_port_events *in, struct ec_port_events *out)
{
    uint64_t stepped = 0, moved = 0;
    tiles_count_entering(s, in);
    ec_net_pulse_begin(s->options.pulse, s->net.cycle);
    const bool plain = s->fabric_api->step(s->fabric, in, out, &stepped, &moved);
    ec_net_pulse_end(s->options.pulse);
    if (!plain) {
        begin_rows(s, s->turn, &s->io[s->turn]);
        forget_inputs(s, s->turn);
        take_credits_of_nodes(s, in);
        return false;
    }
    take_credits_for_nodes(s, out);
    s->stepped += stepped;
    s->net.moved += moved;
    s->net.in_flight -= out->word_count;
    if (++s->uncounted == EC_FABRIC_COUNTS)
        fabric_count(s);
    return true;
}
