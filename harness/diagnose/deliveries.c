/* SPDX-License-Identifier: Apache-2.0 */
/* What two runs delivered, without the cycles. Knows packet logs; nothing of networks. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/compare.h"

/* The packets of a pair of nodes in the order in which the source sent them. */
static int by_pair(const void *x, const void *y)
{
    const struct ec_packet_log *a = x, *b = y;
    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    if (a->dst != b->dst)
        return a->dst < b->dst ? -1 : 1;
    if (a->created != b->created)
        return a->created < b->created ? -1 : 1;
    return a->injected < b->injected ? -1 : a->injected > b->injected;
}

static struct ec_packet_log *sorted(const struct ec_report *r)
{
    const size_t count = (size_t)r->packets;
    struct ec_packet_log *log = calloc(count ? count : 1, sizeof *log);
    if (log && count) {
        memcpy(log, r->packets_log, count * sizeof *log);
        qsort(log, count, sizeof *log, by_pair);
    }
    return log;
}

static int pair_order(const struct ec_packet_log *a, const struct ec_packet_log *b)
{
    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    return a->dst < b->dst ? -1 : a->dst > b->dst;
}

struct list {
    const struct ec_packet_log *log;
    size_t count, at;
};

static const struct ec_packet_log *front(const struct list *l)
{
    return l->at < l->count ? &l->log[l->at] : NULL;
}

static const struct ec_packet_log *take(struct list *l, const struct ec_packet_log *pair)
{
    const struct ec_packet_log *p = front(l);
    if (!p || pair_order(p, pair) != 0)
        return NULL;
    l->at++;
    return p;
}

static void differ(const struct ec_packet_log *pair, size_t index, const struct ec_packet_log *x,
                   const struct ec_packet_log *y, struct ec_delivery_comparison *c)
{
    if (c->found)
        return;
    c->found = true;
    c->src = pair->src;
    c->dst = pair->dst;
    c->index = index;
    c->words[0] = x ? x->words : 0;
    c->words[1] = y ? y->words : 0;
    c->created[0] = x ? x->created : 0;
    c->created[1] = y ? y->created : 0;
}

/* The packets of the lowest pair of nodes that is left in either list. */
static void compare_pair(struct list *a, struct list *b, bool open_loop,
                         struct ec_delivery_comparison *c)
{
    const struct ec_packet_log *x = front(a), *y = front(b);
    const struct ec_packet_log pair = !y || (x && pair_order(x, y) <= 0) ? *x : *y;
    for (size_t index = 0;; index++) {
        x = take(a, &pair);
        y = take(b, &pair);
        if (!x && !y)
            return;
        if (x && y && x->words == y->words && (!open_loop || x->created == y->created)) {
            c->common++;
            continue;
        }
        c->only[0] += x != NULL;
        c->only[1] += y != NULL;
        if ((x && y) || !open_loop)
            differ(&pair, index, x, y, c);
    }
}

enum ec_code ec_compare_deliveries(const struct ec_report *a, const struct ec_report *b,
                                   bool open_loop, struct ec_delivery_comparison *ret,
                                   struct ec_error *reterr)
{
    struct ec_packet_log *log[2] = {sorted(a), sorted(b)};
    enum ec_code code = EC_OK;
    if ((a->packets && !a->packets_log) || (b->packets && !b->packets_log)) {
        code = ec_fail(reterr, EC_USAGE,
                       "the deliveries of a run are compared by its packets: "
                       "keep_packets");
    } else if (!log[0] || !log[1]) {
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a comparison");
    } else {
        struct list x = {log[0], (size_t)a->packets, 0}, y = {log[1], (size_t)b->packets, 0};
        struct ec_delivery_comparison c = {0};
        while (front(&x) || front(&y))
            compare_pair(&x, &y, open_loop, &c);
        *ret = c;
    }
    free(log[0]);
    free(log[1]);
    return code;
}

uint64_t ec_report_deliveries(const struct ec_report *r)
{
    uint64_t sum = 0;
    for (size_t i = 0; r->packets_log && i < (size_t)r->packets; i++) {
        const struct ec_packet_log *p = &r->packets_log[i];
        sum += ec_rng_mix(ec_rng_mix((uint64_t)p->src << 32 | p->dst) + p->words);
    }
    return sum;
}
