/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals of a run. Knows totals and counters; must not know plays, messages or routers.
 *
 * If the length is chosen here, it doubles whenever there are LENGTHS_DOUBLE rows, and pairs of
 * rows are merged: the length of a run is not known before its end. For that, the counters of the
 * links are kept for every row. */
#include "run/intervals.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

#define FIRST_LENGTH   16
#define LENGTHS_DOUBLE 17
#define LINKS_MAX      65536 /* with a chosen length: 17 MiB */

struct link_count {
    uint64_t waiting, flits;
};

static size_t link_count(const struct intervals *s)
{
    return (size_t)s->nodes * s->links;
}

/* The counters at the beginning of row `row`; row + 1: at its end. */
static struct link_count *links_at(const struct intervals *s, size_t row)
{
    return s->links_at + (s->most ? row : 0) * link_count(s);
}

bool intervals_open(struct intervals *s, const struct ec_topology *t, uint64_t length, bool choose)
{
    *s = (struct intervals){.nodes = t->nodes, .links = ec_topology_links(t), .border = UINT64_MAX};
    if (length == 0 && choose && link_count(s) <= LINKS_MAX) {
        length = FIRST_LENGTH;
        s->most = LENGTHS_DOUBLE;
    }
    if (length == 0)
        return true;
    s->first_length = length;
    s->links_at = calloc(link_count(s) * (s->most + 1) + 1, sizeof *s->links_at);
    return s->links_at != NULL;
}

void intervals_close(struct intervals *s)
{
    free(s->rows);
    free(s->links_at);
    *s = (struct intervals){.border = UINT64_MAX};
}

void intervals_reset(struct intervals *s)
{
    if (s->first_length == 0)
        return;
    s->length = s->border = s->first_length;
    s->count = 0;
    s->before = (struct ec_interval){0};
    memset(s->links_at, 0, link_count(s) * sizeof *s->links_at);
}

/* --- One interval ----------------------------------------------------------------------------- */

static void count_channels(const struct intervals *s, const struct ec_net_counters *c,
                           struct ec_interval *totals)
{
    const size_t locals = (size_t)s->nodes * (c->ports - s->links);
    for (size_t i = 0; i < locals; i++)
        totals->words_sent += c->injected[i];
    for (uint32_t node = 0; node < s->nodes; node++) {
        for (unsigned port = 0; port < c->ports; port++) {
            const size_t i = (size_t)node * c->ports + port;
            totals->contended += c->contended[i];
            totals->starved += c->starved[i];
            totals->flit_hops += port < s->links ? c->flits[i] : 0;
        }
    }
}

static struct ec_interval difference(const struct ec_interval *a, const struct ec_interval *b)
{
    return (struct ec_interval){
        .messages_sent = a->messages_sent - b->messages_sent,
        .words_sent = a->words_sent - b->words_sent,
        .messages = a->messages - b->messages,
        .packets = a->packets - b->packets,
        .words = a->words - b->words,
        .latency_sum = a->latency_sum - b->latency_sum,
        .latency_max = a->latency_max,
        .flit_hops = a->flit_hops - b->flit_hops,
        .contended = a->contended - b->contended,
        .starved = a->starved - b->starved,
    };
}

static bool is_empty(const struct ec_interval *x)
{
    return !x->messages_sent && !x->words_sent && !x->messages && !x->packets && !x->flit_hops &&
           !x->contended && !x->starved && !x->words;
}

/* Consider one more link for the place of a row. */
static void consider(struct ec_interval *row, uint32_t node, unsigned link, struct link_count x)
{
    if (x.waiting == 0 && x.flits == 0)
        return;
    if (x.waiting == row->link_waiting && x.flits == row->link_flits) {
        row->ties++;
    } else if (x.waiting > row->link_waiting ||
               (x.waiting == row->link_waiting && x.flits > row->link_flits)) {
        row->node = node;
        row->link = link;
        row->link_waiting = x.waiting;
        row->link_flits = x.flits;
        row->ties = 0;
    }
}

static void find_link(const struct intervals *s, struct ec_interval *row,
                      const struct link_count *from, const struct link_count *to)
{
    row->link_waiting = row->link_flits = row->ties = 0;
    for (uint32_t node = 0; node < s->nodes; node++) {
        for (unsigned link = 0; link < s->links; link++) {
            const size_t i = (size_t)node * s->links + link;
            const struct link_count x = {to[i].waiting - from[i].waiting,
                                         to[i].flits - from[i].flits};
            consider(row, node, link, x);
        }
    }
}

/* The same with the counters of the network, which are then the last ones kept. */
static void find_link_now(struct intervals *s, struct ec_interval *row,
                          const struct ec_net_counters *c)
{
    const struct link_count *from = links_at(s, s->count);
    struct link_count *to = links_at(s, s->count + 1);
    for (uint32_t node = 0; node < s->nodes; node++) {
        for (unsigned link = 0; link < s->links; link++) {
            const size_t i = (size_t)node * s->links + link;
            const size_t at = (size_t)node * c->ports + link;
            const struct link_count now = {c->contended[at] + c->starved[at], c->flits[at]};
            consider(row, node, link,
                     (struct link_count){now.waiting - from[i].waiting, now.flits - from[i].flits});
            to[i] = now;
        }
    }
}

/* --- Merging ---------------------------------------------------------------------------------- */

static uint64_t index_of(const struct intervals *s, const struct ec_interval *row)
{
    return (row->from - 1) / s->length;
}

static void add(struct ec_interval *to, const struct ec_interval *x)
{
    to->to = x->to;
    to->messages_sent += x->messages_sent;
    to->words_sent += x->words_sent;
    to->messages += x->messages;
    to->packets += x->packets;
    to->words += x->words;
    to->latency_sum += x->latency_sum;
    if (x->latency_max > to->latency_max)
        to->latency_max = x->latency_max;
    to->flit_hops += x->flit_hops;
    to->contended += x->contended;
    to->starved += x->starved;
}

/* Merge the rows that the present length puts into one interval. */
static void merge(struct intervals *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const bool joins = count && index_of(s, &s->rows[count - 1]) == index_of(s, &s->rows[i]);
        if (joins)
            add(&s->rows[count - 1], &s->rows[i]);
        else
            s->rows[count++] = s->rows[i];
        struct ec_interval *row = &s->rows[count - 1];
        const uint64_t index = index_of(s, row);
        row->from = index * s->length + 1;
        row->to = (index + 1) * s->length;
        if (i + 1 != count)
            memcpy(links_at(s, count), links_at(s, i + 1), link_count(s) * sizeof *s->links_at);
        if (joins)
            find_link(s, row, links_at(s, count - 1), links_at(s, count));
    }
    s->count = count;
}

bool intervals_take(struct intervals *s, uint64_t cycle, bool last, struct ec_interval totals,
                    const struct ec_net_counters *c)
{
    count_channels(s, c, &totals);
    struct ec_interval row = difference(&totals, &s->before);
    s->before = totals;
    if (!is_empty(&row)) {
        struct ec_interval *rows = ec_list_grow(s->rows, sizeof *rows, s->count, &s->room);
        if (!rows)
            return false;
        s->rows = rows;
        row.from = s->border - s->length + 1;
        row.to = s->border;
        find_link_now(s, &row, c);
        s->rows[s->count++] = row;
        if (s->most)
            merge(s); /* with the row before it, if lengths doubled within this interval */
        while (s->most && s->count >= s->most) {
            s->length *= 2;
            merge(s);
        }
    }
    if (last && s->count > 0 && s->rows[s->count - 1].to > cycle)
        s->rows[s->count - 1].to = cycle;
    s->border = (cycle / s->length + 1) * s->length;
    return true;
}
