/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, maxima, histograms and logs of all parts. Knows how each statistic of a play adds up; must
 * not decide or judge. */
#include "run/merge.h"

#include "parts/gather.h"

/* --- Numbers ---------------------------------------------------------------------------------- */

enum { NUMBERS_MOST = 64 };

/* Numbers that are folded together. */
struct numbers {
    uint64_t *at[NUMBERS_MOST];
    size_t count;
};

static void add_number(struct numbers *n, uint64_t *at)
{
    n->at[n->count++] = at;
}

static bool fold_numbers(const struct numbers *n, struct exchange *x, enum exchange_fold how)
{
    uint64_t values[NUMBERS_MOST];
    for (size_t i = 0; i < n->count; i++)
        values[i] = *n->at[i];
    if (!exchange_fold(x, values, n->count, how))
        return false;
    for (size_t i = 0; i < n->count; i++)
        *n->at[i] = values[i];
    return true;
}

static bool fold_flag(bool *flag, struct exchange *x)
{
    uint64_t value = *flag;
    const bool done = exchange_fold(x, &value, 1, EXCHANGE_OR);
    *flag = value != 0;
    return done;
}

/* --- The scoreboard --------------------------------------------------------------------------- */

static bool merge_numbers(struct scoreboard *s, struct exchange *x)
{
    uint64_t hops = s->max_hops;
    struct numbers sums = {.at = {&s->measured, &s->latency_sum, &s->words, &s->packets,
                                  &s->messages, &s->digest, &s->accepted, &s->hop_words},
                           .count = 8};
    for (unsigned k = 0; s->classes && k < s->class_count; k++) {
        struct traffic_class *c = &s->classes[k];
        add_number(&sums, &c->messages);
        add_number(&sums, &c->packets);
        add_number(&sums, &c->words);
        add_number(&sums, &c->accepted);
    }
    const struct numbers most = {.at = {&s->recent_latency, &s->last_cycle, &hops}, .count = 3};
    const bool good = fold_numbers(&sums, x, EXCHANGE_SUM) && fold_numbers(&most, x, EXCHANGE_MAX);
    s->max_hops = (unsigned)hops;
    return good && fold_flag(&s->early.found, x) && fold_flag(&s->memory_short, x) &&
           fold_flag(&s->failed, x);
}

static bool merge_channels(struct scoreboard *s, struct exchange *x,
                           const struct ec_partition *partition)
{
    return !s->link_words ||
           (gather_nodes(x, partition->routers, s->link_words, ec_topology_links(s->t)) &&
            gather_nodes(x, partition, s->inject_words, s->locals) &&
            gather_nodes(x, partition, s->eject_words, s->locals));
}

static bool merge_histograms(struct scoreboard *s, struct exchange *x)
{
    bool good = latency_merge(&s->packet_latency, x) && latency_merge(&s->network_latency, x) &&
                latency_merge(&s->round_trip, x);
    for (unsigned k = 0; good && s->classes && k < s->class_count; k++)
        good = latency_merge(&s->classes[k].packet_latency, x) &&
               latency_merge(&s->classes[k].network_latency, x);
    return good;
}

/* Append the log of another part. All parts are of the same build, so entries need no format. */
static bool take_log(struct scoreboard *s, const struct exchange_bytes *from)
{
    struct ec_packet_log entry;
    for (size_t at = 0; at + sizeof entry <= from->size; at += sizeof entry) {
        memcpy(&entry, from->data + at, sizeof entry);
        if (!scoreboard_log(s, &entry))
            return false;
    }
    return from->size % sizeof entry == 0;
}

/* What arrived, and by the order in which the network shows it: cycle by cycle, node by node. */
struct logged {
    struct ec_packet_log log;
    size_t at;
};

static int by_delivery(const void *a, const void *b)
{
    const struct logged *x = a, *y = b;
    if (x->log.delivered != y->log.delivered)
        return x->log.delivered < y->log.delivered ? -1 : 1;
    if (x->log.dst != y->log.dst)
        return x->log.dst < y->log.dst ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* The packets of a node are of one part, and in order. */
static bool sort_log(struct scoreboard *s)
{
    struct logged *list = malloc((s->log_count ? s->log_count : 1) * sizeof *list);
    if (!list)
        return false;
    for (size_t i = 0; i < s->log_count; i++)
        list[i] = (struct logged){s->log[i], i};
    qsort(list, s->log_count, sizeof *list, by_delivery);
    for (size_t i = 0; i < s->log_count; i++)
        s->log[i] = list[i].log;
    free(list);
    return true;
}

static bool merge_log(struct scoreboard *s, struct exchange *x)
{
    const struct exchange_bytes *from = NULL;
    if (!s->keep_log)
        return true;
    const size_t size = x->part ? s->log_count * sizeof *s->log : 0;
    bool good = exchange_gather(x, s->log, size, false, &from);
    for (uint32_t k = 1; good && from && k < x->parts; k++)
        good = take_log(s, &from[k]);
    good = good && (x->part || sort_log(s));
    if (!good)
        exchange_abort(x, EC_MEMORY, "out of memory for the packets of all parts, or damaged");
    return good;
}

bool scoreboard_merge(struct scoreboard *s, struct exchange *x,
                      const struct ec_partition *partition)
{
    const size_t sources = s->t->nodes * sizeof *s->from / sizeof(uint64_t);
    return merge_numbers(s, x) && gather_sums(x, &s->from->accepted, sources) &&
           merge_channels(s, x, partition) && merge_histograms(s, x) && merge_log(s, x);
}

/* --- Ports ------------------------------------------------------------------------------------ */

bool senders_merge(struct senders *s, struct exchange *x, const struct ec_partition *partition,
                   uint64_t now)
{
    struct numbers sums = {.at = {&s->messages, &s->self_messages}, .count = 2};
    uint64_t started = s->started ? s->started : SOURCE_NEVER;
    uint64_t *blocked = calloc(s->ports, sizeof *blocked);
    if (!blocked)
        exchange_abort(x, EC_MEMORY, "out of memory for the statistics of senders");
    for (uint32_t i = 0; blocked && i < s->own.count * s->locals; i++) {
        const uint32_t port = nodes_own_at(&s->own, i / s->locals) * s->locals + i % s->locals;
        blocked[port] = senders_blocked(s, port, now);
    }
    const bool good = blocked && fold_numbers(&sums, x, EXCHANGE_SUM) &&
                      exchange_fold(x, &started, 1, EXCHANGE_MIN) &&
                      gather_nodes(x, partition, blocked, s->locals);
    s->started = started == SOURCE_NEVER ? 0 : started;
    for (uint32_t port = 0; good && x->part == 0 && port < s->ports; port++)
        senders_set_blocked(s, port, blocked[port]);
    free(blocked);
    return good;
}

bool receivers_merge(struct receivers *r, struct exchange *x)
{
    const struct numbers sums = {.at = {&r->waiting, &r->stalled, &r->held_words}, .count = 3};
    return fold_numbers(&sums, x, EXCHANGE_SUM);
}

bool service_merge(struct service *service, struct exchange *x)
{
    uint64_t most = service ? service_most(service) : 0;
    if (!service)
        return true;
    if (!exchange_fold(x, &most, 1, EXCHANGE_MAX))
        return false;
    service_note_most(service, (uint32_t)most);
    return true;
}

/* --- Messages and batches --------------------------------------------------------------------- */

/* Each message is started in one part and delivered in one. */
bool order_merge(struct order *order, struct exchange *x)
{
    const size_t count = order ? order->w->message_count : 0;
    return !order || (exchange_fold(x, order->started, count, EXCHANGE_MAX) &&
                      exchange_fold(x, order->delivered, count, EXCHANGE_MAX));
}

bool steady_merge(struct steady *s, struct exchange *x)
{
    return exchange_fold(x, &s->bin[0]->count, (size_t)2 * STEADY_SERIES * STEADY_BINS,
                         EXCHANGE_SUM);
}

/* --- The play --------------------------------------------------------------------------------- */

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
    part->clean = !faulty && !p->all[PART_BROKEN];
    net->in_flight = p->all[PART_IN_FLIGHT];
    net->moved = part_sum(part, net->moved);
    part->over = true;
}

bool play_merge(struct play *p)
{
    struct part *part = p->part;
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
