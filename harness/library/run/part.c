/* SPDX-License-Identifier: Apache-2.0 */
/* One part among others: what crosses, what the parts exchange when they meet, and the network as
 * its play sees it. Must not decide how a play goes on. */
#include "run/part.h"

#include "parts/gather.h"

/* --- Collective calls ------------------------------------------------------------------------- */

uint64_t part_fold(struct part *part, uint64_t here, enum exchange_fold how)
{
    part->lost = part->lost || !exchange_fold(part->x, &here, 1, how);
    return here;
}

const uint64_t *part_gather(struct part *part, uint64_t *values, unsigned per_node)
{
    if (part)
        part->lost = part->lost || !gather_nodes(part->x, part->partition, values, per_node);
    return values;
}

void part_sum_all(struct part *part, uint64_t *values, size_t count)
{
    if (part)
        part->lost = part->lost || !exchange_fold(part->x, values, count, EXCHANGE_SUM);
}

void part_sum_interval(struct part *part, struct ec_interval *totals)
{
    if (!part)
        return;
    totals->messages_sent = part_sum(part, totals->messages_sent);
    totals->messages = part_sum(part, totals->messages);
    totals->packets = part_sum(part, totals->packets);
    totals->words = part_sum(part, totals->words);
    totals->latency_sum = part_sum(part, totals->latency_sum);
    totals->latency_max = part_fold(part, totals->latency_max, EXCHANGE_MAX);
}

/* --- Epochs ----------------------------------------------------------------------------------- */

/* A message that waits for a delivery in another part can start in the next cycle. */
void part_begin(struct part *part, const struct ec_workload *w, struct order *order)
{
    part->look_ahead = !order || order_is_local(w, part->partition);
    if (!part->look_ahead)
        order_share(order, &part->own);
}

/* --- Meetings --------------------------------------------------------------------------------- */

/* What a part sends to a neighbour: this, the crossings, the records of the packets whose heads are
 * among them. Nothing if nothing crosses. */
struct message {
    uint64_t crossings;
    uint64_t unused; /* what follows is aligned */
};

/* False: out of memory. */
static bool send_crossings(struct part *part, struct scoreboard *board, uint32_t neighbour)
{
    size_t count;
    const struct crossing *c = tiles_part_leaving(part->tiles, neighbour, &count);
    if (count == 0)
        return true;
    unsigned char *to =
        exchange_append(part->x, neighbour, sizeof(struct message) + count * sizeof *c);
    if (!to)
        return false;
    memcpy(to, &(struct message){.crossings = count}, sizeof(struct message));
    memcpy(to + sizeof(struct message), c, count * sizeof *c);
    for (size_t i = 0; i < count; i++) {
        if (!scoreboard_leave(board, c[i].word, c[i].channel / part->ports, part->x, neighbour))
            return false;
    }
    return true;
}

static bool take_crossings(struct part *part, struct scoreboard *board,
                           const struct exchange_bytes *from)
{
    if (from->size == 0)
        return true;
    const struct message *m = (const void *)from->data;
    const struct crossing *c = (const void *)(m + 1);
    if (from->size < sizeof *m || m->crossings > (from->size - sizeof *m) / sizeof *c ||
        !tiles_part_enter(part->tiles, c, m->crossings)) {
        exchange_abort(part->x, EC_INTERNAL, "what comes from another part is damaged");
        return false;
    }
    const size_t size = sizeof *m + m->crossings * sizeof *c;
    return scoreboard_enter(board, from->data + size, from->size - size);
}

static const enum exchange_fold folds[PART_VALUES] = {
    [PART_IDLE_AT] = EXCHANGE_MIN, [PART_LAST_MOVE] = EXCHANGE_MAX, [PART_LEFT] = EXCHANGE_OR,
    [PART_BROKEN] = EXCHANGE_OR,   [PART_CROWDED] = EXCHANGE_OR,    [PART_NEWS] = EXCHANGE_OR,
    [PART_CLAIMED] = EXCHANGE_OR,
    /* the others: EXCHANGE_SUM, which is 0 */
};

/* What parts must ask each other now and then. False: memory is short, or a part is gone. */
static bool learn(struct part *part, struct scoreboard *board, uint64_t now, const uint64_t *all)
{
    if (all[PART_CLAIMED] && !packets_share_claims(&board->records, part->x))
        return false;
    if (all[PART_CROWDED] && !packets_learn(&board->records, part->x))
        return false;
    return !all[PART_NEWS] || order_meet(board->order, part->x, now);
}

void part_meet(struct part *part, struct scoreboard *board, uint64_t now, uint64_t *all)
{
    struct exchange *x = part->x;
    bool room = true;
    for (uint32_t k = 0; k < x->neighbours; k++)
        room = send_crossings(part, board, k) && room;
    tiles_part_left(part->tiles);
    all[PART_CROWDED] = board->records.crowded;
    all[PART_CLAIMED] = board->records.claimed_count;
    all[PART_NEWS] = board->order && order_has_news(board->order);
    part->lost = part->lost || !exchange_swap(x, all, folds, PART_VALUES);
    for (uint32_t k = 0; k < x->neighbours && !part->lost; k++) {
        room = take_crossings(part, board, &x->from[k]) && room;
        /* A router returns a credit later than the contract allows: perhaps too late here. */
        board->records.cannot_split |= part->silent && x->from[k].size > 0;
    }
    part->silent = false;
    if (!part->lost)
        room = learn(part, board, now, all) && room;
    board->memory_short |= !room && !board->failed; /* noticed at the next meeting */
    all[PART_BROKEN] |= part->lost;
}

/* --- The network as the play sees it ---------------------------------------------------------- */

static struct part *part_of(struct ec_net *net)
{
    return (struct part *)net;
}

static void take_state(struct part *part)
{
    part->net.cycle = part->tiles->cycle;
    part->net.moved = part->tiles->moved;
    part->net.in_flight = part->tiles->in_flight;
    part->net.memory_short = part->tiles->memory_short;
}

static void net_reset(struct ec_net *net)
{
    struct part *part = part_of(net);
    part->tiles->numbered = net->numbered;
    part->tiles->ops->reset(part->tiles);
    take_state(part);
}

static void net_step(struct ec_net *net, const struct ec_port_events *in,
                     struct ec_port_events *out)
{
    struct part *part = part_of(net);
    part->tiles->cycle = net->cycle; /* the play may have skipped some */
    part->tiles->ops->step(part->tiles, in, out);
    take_state(part);
}

static void gather_counter(struct part *part, const struct ec_partition *of, const uint64_t *own,
                           unsigned per_node, uint64_t *whole)
{
    part->lost = part->lost || !gather_rows(part->x, of, own, per_node, whole);
}

const uint64_t *part_injected(struct part *part, struct ec_net *net)
{
    struct ec_net_counters c;
    if (!part) {
        net->ops->counters(net, &c);
        return c.injected;
    }
    part->tiles->ops->counters(part->tiles, &c);
    gather_counter(part, part->partition, c.injected, ec_router_locals(net->router, net->topology),
                   part->injected);
    return part->injected;
}

static void net_counters(struct ec_net *net, struct ec_net_counters *ret)
{
    struct part *part = part_of(net);
    struct ec_net_counters own;
    if (part->over) {
        *ret = part->counters;
        return;
    }
    part->tiles->ops->counters(part->tiles, &own);
    const unsigned locals = ec_router_locals(net->router, net->topology);
    const struct ec_partition *const routers = part->partition->routers;
    gather_counter(part, routers, own.flits, own.ports, part->flits);
    gather_counter(part, routers, own.contended, own.ports, part->contended);
    gather_counter(part, routers, own.starved, own.ports, part->starved);
    gather_counter(part, part->partition, own.injected, locals, part->injected);
    part->counters = (struct ec_net_counters){.flits = part->flits,
                                              .injected = part->injected,
                                              .contended = part->contended,
                                              .starved = part->starved,
                                              .ports = own.ports,
                                              .stepped = part_sum(part, own.stepped)};
    *ret = part->counters;
}

static const struct ec_net_fault *net_fault(const struct ec_net *net)
{
    const struct part *part = (const struct part *)net;
    return part->tiles->ops->fault(part->tiles);
}

static bool net_drained(const struct ec_net *net, struct ec_net_fault *ret_fault)
{
    struct part *part = part_of((struct ec_net *)net);
    if (!part->over)
        part->drained = !part_any(part, !part->tiles->ops->drained(part->tiles, ret_fault));
    *ret_fault = (struct ec_net_fault){.found = !part->drained};
    return part->drained;
}

static bool net_checked_vcs(const struct ec_net *net)
{
    return ((const struct part *)net)->checked_vcs;
}

static void net_close(struct ec_net *net)
{
    part_close(part_of(net));
}

static void net_state(struct ec_net *net, struct state *s, uint32_t router)
{
    struct part *part = part_of(net);
    part->tiles->ops->state(part->tiles, s, router);
    take_state(part);
}

static void net_track(struct ec_net *net, uint64_t word)
{
    part_of(net)->tiles->ops->track(part_of(net)->tiles, word);
}

static const struct ec_net_ops part_ops = {
    .name = "tiles",
    .reset = net_reset,
    .step = net_step,
    .counters = net_counters,
    .fault = net_fault,
    .drained = net_drained,
    .checked_vcs = net_checked_vcs,
    .close = net_close,
    .state = net_state,
    .track = net_track,
};

/* --- Beginning and end ------------------------------------------------------------------------ */

static bool open_counters(struct part *part)
{
    const struct ec_net *net = part->tiles;
    const size_t nodes = net->topology->nodes;
    const size_t channels = (size_t)net->topology->routers * part->ports;
    EC_ARRAY(&part->arrays, part->flits, channels);
    EC_ARRAY(&part->arrays, part->contended, channels);
    EC_ARRAY(&part->arrays, part->starved, channels);
    EC_ARRAY(&part->arrays, part->injected, nodes * ec_router_locals(net->router, net->topology));
    return !part->arrays.memory_short;
}

bool part_open(struct part *part, struct exchange *x, const struct ec_partition *partition,
               struct ec_net *tiles)
{
    const uint32_t first = partition->first[x->part];
    *part = (struct part){.net = {.ops = &part_ops,
                                  .topology = tiles->topology,
                                  .router = tiles->router,
                                  .has_taps = tiles->has_taps,
                                  .foreign = tiles->foreign,
                                  .rtl = tiles->rtl,
                                  .pulse = tiles->pulse},
                          .tiles = tiles,
                          .x = x,
                          .partition = partition,
                          .ports = ec_topology_links(tiles->topology) +
                                   ec_router_local_ports(tiles->router, tiles->topology)};
    if (nodes_own_open(&part->own, partition->node + first,
                       partition->first[x->part + 1] - first) &&
        (!part_first(part) || open_counters(part)))
        return true;
    part_close(part);
    return false;
}

void part_close(struct part *part)
{
    nodes_own_close(&part->own);
    ec_arrays_free(&part->arrays);
    *part = (struct part){0};
}
