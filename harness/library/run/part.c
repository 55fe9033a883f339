/* SPDX-License-Identifier: Apache-2.0 */
/* The play of one part among others: what crosses, when the parts meet, and what they tell each
 * other there. Must not decide how a play goes on. */
#include "run/part.h"

#include <stdlib.h>
#include <string.h>

#include "ecube/word.h"
#include "parts/gather.h"
#include "run/merge.h"
#include "run/play.h"

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

/* The callbacks of the play are those of `seen`, in all parts alike. */
static bool begin_to_see(struct part *part, struct play *p)
{
    struct seen *s = part->seen;
    struct ec_run_options *o = &p->options;
    if (!seen_begin(s, p->net->topology->nodes, p->net->router->vcs, &p->cycle))
        return false;
    o->delivery = s->wanted[SEEN_DELIVERY] ? seen_delivery : NULL;
    o->taken = s->wanted[SEEN_TAKEN] ? seen_taken : NULL;
    o->offer = s->wanted[SEEN_OFFER] ? seen_offer : NULL;
    o->delivery_context = o->taken_context = o->offer_context = s;
    if (s->watch.router || s->watch.cycle)
        part->tiles->ops->watch(part->tiles, &s->watch);
    return true;
}

/* A message that waits for a delivery in another part can start in the next cycle. */
bool part_begin(struct part *part, struct play *p)
{
    const bool local = !p->w->order || order_is_local(p->w, part->partition);
    part->look_ahead = local;
    if (!local)
        order_share(p->board.order, &part->own);
    return begin_to_see(part, p);
}

static void no_later_than(uint64_t *end, uint64_t cycle, uint64_t now)
{
    if (cycle > now && cycle < *end)
        *end = cycle;
}

/* What leaves a router arrives after `link` cycles, so parts need not meet more often, if all else
 * that they do depends on their own nodes. But what ends a play, or lets it skip cycles, must be
 * noticed in its cycle. All that needs more than 16 cycles without a move, hence the first
 * condition; the rest happens in cycles that are known before. */
uint64_t part_epoch(const struct part *part, const struct play *p, uint64_t until)
{
    const uint64_t now = p->cycle, link = p->net->router->link;
    if (!part->look_ahead || now >= p->last_move + link || p->mark <= now)
        return now + 1;
    uint64_t end = now + link;
    no_later_than(&end, p->mark, now);
    no_later_than(&end, p->intervals.border, now);
    no_later_than(&end, play_next_check(p), now);
    no_later_than(&end, p->w->open_loop ? 0 : p->options.cycles, now);
    no_later_than(&end, until, now);
    return end;
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

enum {
    IN_FLIGHT,
    SHOWN,
    BUSY,
    HELD_WORDS,
    MEASURED,
    LEFT,
    BROKEN,
    CROWDED,
    NEWS,
    SEEN,
    LAST_MOVE,
    IDLE_AT,
    VALUES,
};

static const enum exchange_fold folds[VALUES] = {
    [LEFT] = EXCHANGE_OR,     [BROKEN] = EXCHANGE_OR, [CROWDED] = EXCHANGE_OR,
    [NEWS] = EXCHANGE_OR,     [SEEN] = EXCHANGE_OR,   [LAST_MOVE] = EXCHANGE_MAX,
    [IDLE_AT] = EXCHANGE_MIN, /* the others: EXCHANGE_SUM, which is 0 */
};

/* What parts must ask each other now and then. False: memory is short, or a part is gone. */
static bool learn(struct part *part, struct play *p, const uint64_t *values)
{
    if (values[CROWDED] && !packets_learn(&p->board.records, part->x))
        return false;
    if (values[NEWS] && !order_meet(p->board.order, part->x, p->cycle))
        return false;
    return !values[SEEN] || seen_meet(part->seen, !values[BROKEN]);
}

void part_meet(struct part *part, struct play *p, struct play_all *all)
{
    struct exchange *x = part->x;
    bool room = true;
    for (uint32_t k = 0; k < x->neighbours; k++)
        room = send_crossings(part, &p->board, k) && room;
    tiles_part_left(part->tiles);
    uint64_t values[VALUES] = {
        [CROWDED] = p->board.records.crowded,
        [SEEN] = seen_any(part->seen),
        [NEWS] = p->board.order && order_has_news(p->board.order),
        [IN_FLIGHT] = all->in_flight,
        [SHOWN] = all->shown,
        [BUSY] = all->busy,
        [HELD_WORDS] = all->held_words,
        [MEASURED] = all->measured,
        [LEFT] = all->left,
        [BROKEN] = all->broken,
        [LAST_MOVE] = p->last_move,
        [IDLE_AT] = all->idle_at,
    };
    part->lost = part->lost || !exchange_swap(x, values, folds, VALUES);
    for (uint32_t k = 0; k < x->neighbours && !part->lost; k++)
        room = take_crossings(part, &p->board, &x->from[k]) && room;
    if (!part->lost)
        room = learn(part, p, values) && room;
    p->board.memory_short |= !room && !p->board.failed; /* noticed at the next meeting */
    *all = (struct play_all){.in_flight = values[IN_FLIGHT],
                             .shown = values[SHOWN],
                             .busy = values[BUSY],
                             .held_words = values[HELD_WORDS],
                             .measured = values[MEASURED],
                             .idle_at = values[IDLE_AT],
                             .left = values[LEFT],
                             .broken = values[BROKEN] || part->lost};
    p->last_move = values[LAST_MOVE];
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
    const struct ec_net_watch *w = part_first(part) ? part->seen->calls->watch : NULL;
    if (w && w->reset)
        w->reset(w->context);
}

static void net_step(struct ec_net *net, const struct ec_port_events *in,
                     struct ec_port_events *out)
{
    struct part *part = part_of(net);
    part->tiles->cycle = net->cycle; /* the play may have skipped some */
    part->tiles->ops->step(part->tiles, in, out);
    take_state(part);
}

static void gather_counter(struct part *part, const uint64_t *own, unsigned per_node,
                           uint64_t *whole)
{
    part->lost = part->lost || !gather_rows(part->x, part->partition, own, per_node, whole);
}

const uint64_t *part_injected(struct part *part, struct ec_net *net)
{
    struct ec_net_counters c;
    if (!part) {
        net->ops->counters(net, &c);
        return c.injected;
    }
    part->tiles->ops->counters(part->tiles, &c);
    gather_counter(part, c.injected, ec_router_locals(net->router, net->topology), part->injected);
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
    gather_counter(part, own.flits, own.ports, part->flits);
    gather_counter(part, own.contended, own.ports, part->contended);
    gather_counter(part, own.starved, own.ports, part->starved);
    gather_counter(part, own.injected, locals, part->injected);
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

static void net_watch(struct ec_net *net, const struct ec_net_watch *watch)
{
    struct part *part = part_of(net);
    if (part_first(part))
        part->seen->calls->watch = watch;
}

static void net_close(struct ec_net *net)
{
    part_close(part_of(net));
}

static const struct ec_net_ops part_ops = {
    .name = "tiles",
    .reset = net_reset,
    .step = net_step,
    .counters = net_counters,
    .fault = net_fault,
    .drained = net_drained,
    .checked_vcs = net_checked_vcs,
    .watch = net_watch,
    .close = net_close,
};

/* --- Beginning and end ------------------------------------------------------------------------ */

static bool open_counters(struct part *part)
{
    const struct ec_net *net = part->tiles;
    const size_t nodes = net->topology->nodes, channels = nodes * part->ports;
    part->flits = calloc(channels, sizeof *part->flits);
    part->contended = calloc(channels, sizeof *part->contended);
    part->starved = calloc(channels, sizeof *part->starved);
    part->injected =
        calloc(nodes * ec_router_locals(net->router, net->topology), sizeof *part->injected);
    return part->flits && part->contended && part->starved && part->injected;
}

bool part_open(struct part *part, struct exchange *x, const struct ec_partition *partition,
               struct ec_net *tiles, struct seen *seen)
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
                          .seen = seen,
                          .ports = ec_topology_links(tiles->topology) +
                                   ec_router_locals(tiles->router, tiles->topology)};
    if (nodes_own_open(&part->own, partition->node + first,
                       partition->first[x->part + 1] - first) &&
        (!part_first(part) || open_counters(part)))
        return true;
    part_close(part);
    return false;
}

void part_close(struct part *part)
{
    if (part->tiles)
        part->tiles->ops->watch(part->tiles, NULL); /* they may be kept, `seen` is not */
    nodes_own_close(&part->own);
    free(part->flits);
    free(part->contended);
    free(part->starved);
    free(part->injected);
    *part = (struct part){0};
}

/* What the checks ask the network about. */
static void merge_net(struct part *part, struct play *p)
{
    struct ec_net *net = &part->net;
    struct ec_net_fault fault;
    struct ec_net_counters c;
    /* The last meeting may have had another fault. */
    const bool faulty = part_any(part, ec_net_rtl_said(net) || net->ops->fault(net)->found);
    net->ops->drained(net, &fault);
    net->ops->counters(net, &c);
    part->checked_vcs = !part_any(part, !part->tiles->ops->checked_vcs(part->tiles));
    part->clean = !faulty && !p->all.broken;
    net->in_flight = p->all.in_flight;
    net->moved = part_sum(part, net->moved);
    part->over = true;
}

bool part_merge(struct part *part, struct play *p)
{
    struct exchange *x = part->x;
    bool merged = play_end_intervals(p);
    merge_net(part, p);
    for (unsigned k = 0; k < EC_CLASSES_MAX; k++)
        p->class_words[k] = part_sum(part, p->class_words[k]);
    merged = scoreboard_merge(&p->board, x, part->partition) && merged;
    merged = senders_merge(&p->senders, x, part->partition, p->cycle) && merged;
    merged = receivers_merge(&p->receivers, x) && merged;
    if (p->service)
        merged = service_merge(p->service, x) && merged;
    if (p->board.order)
        merged = order_merge(p->board.order, x) && merged;
    if (p->options.precision)
        merged = precision_merge(&p->precise) && merged;
    else if (p->w->open_loop)
        merged = steady_merge(&p->steady, x) && merged;
    return !part_any(part, !merged);
}
