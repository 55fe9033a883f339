/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals of a run. Knows totals and counters; must not know plays, messages or routers.
 *
 * If the length is chosen here, it doubles whenever there are LENGTHS_DOUBLE rows, and pairs of
 * rows are merged: the length of a run is not known before its end. For that, the counters of the
 * channels are kept for every row. */
#include "measure/intervals.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

#define FIRST_LENGTH   16
#define LENGTHS_DOUBLE 17
#define LINKS_MAX      65536 /* with a chosen length: 40 MiB for a grid of two dimensions */

struct channel_count {
    uint64_t flits, contended, starved;
};

/* Per router: the links, the ejection ports, the injection ports. */
static size_t channels_per_router(const struct intervals *s)
{
    return s->links + 2 * (size_t)s->locals;
}

static size_t channel_count(const struct intervals *s)
{
    return s->routers * channels_per_router(s);
}

/* The counters at the beginning of row `row`; row + 1: at its end. */
static struct channel_count *channels_at(const struct intervals *s, size_t row)
{
    return s->channels_at + (s->most ? row : row % 2) * channel_count(s);
}

bool intervals_open(struct intervals *s, const struct ec_topology *t, unsigned locals,
                    uint64_t length, bool choose)
{
    *s = (struct intervals){.t = t,
                            .routers = t->routers,
                            .links = ec_topology_links(t),
                            .locals = t->graph ? t->graph->locals : locals,
                            .ports = t->nodes * locals,
                            .border = UINT64_MAX};
    if (length == 0 && choose && (size_t)s->routers * s->links <= LINKS_MAX) {
        length = FIRST_LENGTH;
        s->most = LENGTHS_DOUBLE;
    }
    if (length == 0)
        return true;
    s->first_length = length;
    s->channels_at = calloc(channel_count(s) * (s->most ? s->most + 1 : 2), sizeof *s->channels_at);
    return s->channels_at != NULL;
}

void intervals_close(struct intervals *s)
{
    free(s->rows);
    free(s->channels_at);
    *s = (struct intervals){.border = UINT64_MAX};
}

void intervals_reset(struct intervals *s)
{
    if (s->first_length == 0)
        return;
    s->length = s->border = s->first_length;
    s->count = 0;
    s->before = (struct ec_interval){0};
    memset(s->channels_at, 0, channel_count(s) * sizeof *s->channels_at);
}

/* --- One interval ----------------------------------------------------------------------------- */

static void count_channels(const struct intervals *s, const struct ec_net_counters *c,
                           struct ec_interval *totals)
{
    for (size_t i = 0; i < s->ports; i++)
        totals->words_sent += c->injected[i];
    for (uint32_t router = 0; router < s->routers; router++) {
        for (unsigned port = 0; port < c->ports; port++) {
            const size_t i = (size_t)router * c->ports + port;
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

/* Consider one more link for the one with the most waiting. */
static void consider_waiting(struct ec_interval *row, struct ec_channel c, struct channel_count x)
{
    const uint64_t waiting = x.contended + x.starved;
    if (waiting == row->link_waiting && x.flits == row->link_flits) {
        row->ties++;
    } else if (waiting > row->link_waiting ||
               (waiting == row->link_waiting && x.flits > row->link_flits)) {
        row->node = c.node;
        row->link = c.port;
        row->link_waiting = waiting;
        row->link_starved = x.starved;
        row->link_flits = x.flits;
        row->ties = 0;
    }
}

/* Consider one more channel for the busiest. Of channels that carry the same words one after the
 * other, the cause is the one at which packets meet. */
static void consider_use(struct ec_interval *row, struct ec_channel c, struct channel_count x)
{
    if (x.flits == row->busiest_flits && x.contended == row->busiest_contended) {
        row->busiest_ties++;
    } else if (x.flits > row->busiest_flits ||
               (x.flits == row->busiest_flits && x.contended > row->busiest_contended)) {
        row->busiest = c;
        row->busiest_flits = x.flits;
        row->busiest_contended = x.contended;
        row->busiest_ties = 0;
    }
}

static struct ec_channel channel_of(const struct intervals *s, uint32_t router, unsigned k)
{
    if (k < s->links)
        return (struct ec_channel){EC_CHANNEL_LINK, router, k};
    k -= s->links;
    const bool out = k < s->locals;
    k -= out ? 0 : s->locals;
    struct ec_channel c = {out ? EC_CHANNEL_EJECT : EC_CHANNEL_INJECT, router, k};
    if (s->t->graph) {
        c.node = ec_topology_first_node(s->t, router) + k;
        c.port = 0;
    }
    return c;
}

/* The link with the most waiting, and the busiest channel, of row `at`. */
static void find_channels(const struct intervals *s, size_t at)
{
    struct ec_interval *row = &s->rows[at];
    const struct channel_count *from = channels_at(s, at), *to = channels_at(s, at + 1);
    row->link_waiting = row->link_starved = row->link_flits = row->ties = 0;
    row->busiest_flits = row->busiest_contended = row->busiest_ties = 0;
    for (uint32_t router = 0; router < s->routers; router++) {
        for (unsigned k = 0; k < channels_per_router(s); k++, from++, to++) {
            const struct channel_count x = {.flits = to->flits - from->flits,
                                            .contended = to->contended - from->contended,
                                            .starved = to->starved - from->starved};
            const struct ec_channel c = channel_of(s, router, k);
            if (c.kind == EC_CHANNEL_LINK && (x.flits || x.contended || x.starved))
                consider_waiting(row, c, x);
            if (x.flits)
                consider_use(row, c, x);
        }
    }
}

/* Keep the counters of the network as those at the end of the last row. */
static void keep_counters(const struct intervals *s, const struct ec_net_counters *c)
{
    struct channel_count *to = channels_at(s, s->count);
    for (uint32_t router = 0; router < s->routers; router++) {
        const size_t outputs = (size_t)router * c->ports;
        const size_t first =
            s->t->graph ? s->t->graph->first_node[router] : (size_t)router * s->locals;
        const size_t end = s->t->graph ? s->t->graph->first_node[router + 1] : first + s->locals;
        for (unsigned port = 0; port < c->ports; port++)
            *to++ = (struct channel_count){c->flits[outputs + port], c->contended[outputs + port],
                                           c->starved[outputs + port]};
        for (size_t port = first; port < first + s->locals; port++)
            *to++ = (struct channel_count){.flits = port < end ? c->injected[port] : 0};
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
            memcpy(channels_at(s, count), channels_at(s, i + 1),
                   channel_count(s) * sizeof *s->channels_at);
        if (joins)
            find_channels(s, count - 1);
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
        row.from = s->border - s->length + 1;
        row.to = s->border;
        if (!EC_LIST_PUSH(s->rows, s->count, s->room, row))
            return false;
        keep_counters(s, c);
        find_channels(s, s->count - 1);
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

/* Counters are kept at the beginning of each row, or only of the last one and at its end. */
void intervals_state(struct intervals *s, struct state *state)
{
    const struct ec_interval *rows = s->rows;
    size_t size = s->count * sizeof *rows;
    STATE_COMMON(state, STATE_SAME, s->border);
    STATE_COMMON(state, STATE_FIRST, s->length);
    STATE_COMMON(state, STATE_FIRST, s->before);
    if (!state->file)
        state_save_list(state, rows, size);
    for (size_t part = 0; state->file && part < state->file->parts; part++) {
        rows = state_load_list(state, part, &size);
        for (size_t i = 0; s->first_length && !state->failed && i < size / sizeof *rows; i++)
            state->failed = !EC_LIST_PUSH(s->rows, s->count, s->room, rows[i]);
    }
    const size_t kept = s->most ? s->most + 1 : s->first_length ? 2 : 0;
    state_common(state, STATE_FIRST, s->channels_at,
                 kept * channel_count(s) * sizeof *s->channels_at);
}
