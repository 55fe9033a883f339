/* SPDX-License-Identifier: Apache-2.0 */
/* The messages between ranks that have neighbouring parts. Knows what is in a message and how long
 * it is; must not know collectives.
 *
 * A swap needs one message to and one from each such rank. Its size is fixed in advance (a
 * persistent request); what does not fit follows in a second message. Both sides know the sizes
 * that would have been needed, and derive the next fixed size from them in the same way. */
#include <stdlib.h>
#include <string.h>

#include "parts/ranks/meeting.h"

enum {
    SIZE_FIRST = 1024, /* of a message, in bytes */
    SIZE_WINDOW = 512, /* swaps after which the size may shrink */
};

static int test_set(void *object)
{
    const struct meeting *g = object;
    return g->world->api->set_test(g->now);
}

/* A message has words, padded, and then the bytes of each stream, padded. The words are its size,
 * the values of the swap, and the size of each stream. */
static uint64_t head_size(const struct link *l, size_t count)
{
    return meeting_pad((1 + count + l->streams) * sizeof(uint64_t));
}

static void close_set(struct meeting *g)
{
    g->world->api->set_close(g->set);
    g->set = NULL;
}

/* More room moves the bytes, and the persistent requests know the old place. */
static bool make_room(struct meeting *g, struct lane *l, uint64_t size)
{
    const size_t before = l->bytes.room;
    if (size <= before)
        return true;
    if (!exchange_room(&l->bytes, size))
        return false;
    memset(l->bytes.data + before, 0, l->bytes.room - before); /* padding is sent as well */
    close_set(g);
    return true;
}

static bool pack(struct meeting *g, struct link *l, const uint64_t *values, size_t count)
{
    uint64_t at = head_size(l, count), size = at;
    for (uint32_t i = 0; i < l->streams; i++) {
        const struct stream *s = &l->out.stream[i];
        size += meeting_pad(g->member[s->member].x.to[s->index].size);
    }
    l->out.size = size;
    if (!make_room(g, &l->out, size))
        return false;
    uint64_t *word = (uint64_t *)(void *)l->out.bytes.data;
    *word++ = size;
    for (size_t i = 0; i < count; i++)
        *word++ = values[i];
    for (uint32_t i = 0; i < l->streams; i++) {
        const struct stream *s = &l->out.stream[i];
        struct exchange_bytes *to = &g->member[s->member].x.to[s->index];
        *word++ = to->size;
        if (to->size)
            memcpy(l->out.bytes.data + at, to->data, to->size);
        at += meeting_pad(to->size);
        to->size = 0;
    }
    return true;
}

/* `from` of the parts points into the message. False: the sizes of its streams are not its own. */
static bool unpack(struct meeting *g, const struct link *l, uint64_t *values,
                   const enum exchange_fold *fold, size_t count)
{
    uint64_t at = head_size(l, count);
    const uint64_t *word = (const uint64_t *)(void *)l->in.bytes.data + 1;
    if (l->in.size < at)
        return false;
    for (size_t i = 0; i < count; i++, word++) {
        if (g->adjacent)
            values[i] = exchange_fold_one(values[i], *word, fold[i]);
    }
    for (uint32_t i = 0; i < l->streams; i++, word++) {
        const struct stream *s = &l->in.stream[i];
        if (at > l->in.size || *word > l->in.size - at)
            return false;
        g->member[s->member].x.from[s->index] = (struct exchange_bytes){
            .data = l->in.bytes.data + at, .size = *word, .room = meeting_pad(*word)};
        at += meeting_pad(*word);
    }
    return true;
}

static bool start(struct meeting *g, struct messages_set *set)
{
    g->now = set;
    return set && g->world->api->set_start(set) ? true : meeting_messages_fail(g);
}

/* The requests of all links. `rest`: of what did not fit, if anything. */
static struct messages_set *open_set(struct meeting *g, bool rest, bool *ret_empty)
{
    struct messages_set *set = NULL;
    struct messages_lane *lanes = calloc(2 * (size_t)g->links + 1, sizeof *lanes);
    size_t count = 0;
    for (uint32_t i = 0; lanes && i < 2 * g->links; i++) {
        struct link *l = &g->link[i / 2];
        const bool out = i % 2 == 1; /* a receive comes first */
        const struct lane *lane = out ? &l->out : &l->in;
        const uint64_t begin = rest ? lane->fixed : 0, end = rest ? lane->size : lane->fixed;
        if (begin < end)
            lanes[count++] = (struct messages_lane){.out = out,
                                                    .rank = l->rank,
                                                    .tag = rest ? WORLD_TAG_REST : WORLD_TAG_DATA,
                                                    .bytes = lane->bytes.data + begin,
                                                    .size = end - begin};
    }
    *ret_empty = lanes && count == 0;
    if (count > 0)
        set = g->world->api->set_open(g->world->messages, lanes, count);
    free(lanes);
    return set;
}

/* What did not fit into the messages. */
static bool transfer_rest(struct meeting *g)
{
    bool empty;
    for (uint32_t i = 0; i < g->links; i++) {
        struct lane *in = &g->link[i].in;
        in->size = *(uint64_t *)(void *)in->bytes.data;
        in->bytes.size = in->fixed; /* to be kept */
        if (!make_room(g, in, in->size))
            return meeting_memory_fails(g);
    }
    struct messages_set *set = open_set(g, true, &empty);
    if (empty)
        return true;
    const bool good = start(g, set) && meeting_await(g, test_set);
    g->world->api->set_close(set);
    return good;
}

/* The size of the next message, on both sides: at least what the last one needed, and some more. */
static bool adapt(struct meeting *g, struct lane *l)
{
    const uint64_t before = l->fixed;
    l->most = l->size > l->most ? l->size : l->most;
    if (l->size > l->fixed)
        l->fixed = meeting_pad(l->size + l->size / 4);
    if (g->swaps % SIZE_WINDOW == 0) {
        if (l->most < l->fixed / 2 && l->fixed > SIZE_FIRST)
            l->fixed = meeting_pad(l->most + l->most / 4);
        l->most = 0;
    }
    l->bytes.size = 0; /* nothing to be kept */
    if (!make_room(g, l, l->fixed))
        return false;
    if (l->fixed != before)
        close_set(g);
    return true;
}

bool links_start(struct meeting *g, const uint64_t *values, size_t count)
{
    bool good = true, empty;
    for (uint32_t i = 0; good && i < g->links; i++)
        good = adapt(g, &g->link[i].out) && adapt(g, &g->link[i].in) &&
               pack(g, &g->link[i], values, count);
    if (!good)
        return meeting_memory_fails(g);
    if (g->links == 0)
        return true;
    if (!g->set)
        g->set = open_set(g, false, &empty);
    return start(g, g->set);
}

bool links_finish(struct meeting *g)
{
    return g->links == 0 || (meeting_await(g, test_set) && transfer_rest(g));
}

bool links_take(struct meeting *g, uint64_t *values, const enum exchange_fold *fold, size_t count)
{
    bool good = true;
    g->swaps++;
    for (uint32_t i = 0; good && i < g->links; i++)
        good = unpack(g, &g->link[i], values, fold, count);
    return good || meeting_bytes_fail(g);
}

/* --- Opening ---------------------------------------------------------------------------------- */

static uint32_t index_of(const struct parts_plan *plan, uint32_t part, uint32_t neighbour)
{
    uint32_t k = 0;
    while (plan->neighbour[plan->first[part] + k] != neighbour)
        k++;
    return k;
}

/* The parts of rank `from` with their neighbours in rank `to`, in order; one of them is this rank.
 * Without a list they are counted. */
static uint32_t list_streams(const struct meeting *g, uint32_t from, uint32_t to,
                             struct stream *list)
{
    const struct parts_plan *plan = g->plan;
    const uint32_t threads = g->world->threads;
    uint32_t count = 0;
    for (uint32_t p = from * threads; p < (from + 1) * threads; p++) {
        for (uint32_t i = plan->first[p]; i < plan->first[p + 1]; i++) {
            const uint32_t q = plan->neighbour[i];
            if (meeting_rank_of(g, q) != to)
                continue;
            if (list && from == g->world->rank)
                list[count] = (struct stream){.member = p - g->first, .index = i - plan->first[p]};
            else if (list)
                list[count] =
                    (struct stream){.member = q - g->first, .index = index_of(plan, q, p)};
            count++;
        }
    }
    return count;
}

static bool open_link(struct meeting *g, uint32_t rank, uint32_t streams)
{
    const uint32_t own = g->world->rank;
    struct link *l = &g->link[g->links++];
    *l = (struct link){.rank = rank, .streams = streams};
    l->out.stream = calloc(streams, sizeof *l->out.stream);
    l->in.stream = calloc(streams, sizeof *l->in.stream);
    l->out.fixed = l->in.fixed = SIZE_FIRST;
    if (!l->out.stream || !l->in.stream)
        return false;
    list_streams(g, own, rank, l->out.stream);
    list_streams(g, rank, own, l->in.stream);
    return true;
}

/* Values travel with the messages if every rank has a link to every other one. All ranks find the
 * same. */
static bool is_adjacent(const struct meeting *g)
{
    enum { MOST = 8 }; /* more ranks hardly ever are, and it would take long to see */
    const uint32_t ranks = g->world->ranks;
    bool all = g->plan->first && ranks <= MOST;
    for (uint32_t a = 0; all && a < ranks; a++) {
        for (uint32_t b = 0; all && b < a; b++)
            all = list_streams(g, a, b, NULL) > 0;
    }
    return all;
}

bool links_open(struct meeting *g)
{
    const struct world *w = g->world;
    g->adjacent = is_adjacent(g);
    g->link = calloc(w->ranks, sizeof *g->link);
    for (uint32_t r = 0; g->link && g->plan->first && r < w->ranks; r++) {
        const uint32_t streams = r == w->rank ? 0 : list_streams(g, w->rank, r, NULL);
        if (streams > 0 && !open_link(g, r, streams))
            return false;
    }
    return g->link != NULL;
}

void links_close(struct meeting *g)
{
    close_set(g);
    for (uint32_t i = 0; i < g->links; i++) {
        free(g->link[i].out.stream);
        free(g->link[i].in.stream);
        exchange_free(&g->link[i].out.bytes);
        exchange_free(&g->link[i].in.bytes);
    }
    free(g->link);
}
