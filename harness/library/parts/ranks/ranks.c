/* SPDX-License-Identifier: Apache-2.0 */
/* Parts in several ranks. Knows which parts are where, and how a meeting begins and ends; must not
 * know MPI (messages.h), nor what parts exchange.
 *
 * Each rank has the same number of parts. The parts of a rank meet by an exchange of their own, the
 * inner one (team.c, or none for one part). In a collective all parts of a rank first meet inside.
 * Then the first part, the leader, exchanges messages with other ranks, while the others wait for
 * it in a second inner collective. So buffers of a part can be used by the leader between the two.
 *
 * In a swap a rank sends one message to each rank that has neighbours of its parts, and gets one.
 * If all ranks are neighbours, these messages carry the values of the swap as well.
 *
 * A rank leaves the meeting with a letter to all others, either after its last collective or
 * because it cannot go on. Whoever waits looks for these letters. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts/ranks/world.h"
#include "parts/transport.h"

#define SILENT_NS (UINT64_C(30) * 1000000000)
#define ANSWER_NS (UINT64_C(1) * 1000000000)

/* The bytes of a part for a neighbour in another rank, or from it. */
struct stream {
    uint32_t member; /* of this rank */
    uint32_t index;  /* of the neighbour there */
};

/* A rank with parts that are neighbours of parts of this rank. */
struct link {
    uint32_t rank;
    uint32_t streams;
    struct stream *out, *in; /* [streams] in the order (sending part, receiving part) */
    struct exchange_bytes sent, got;
};

/* A part of this rank. */
struct member {
    struct exchange x;
    struct meeting *meeting;
    struct exchange *inner;
    uint32_t first_inner; /* index of the first neighbour in this rank; they are contiguous */
};

struct meeting {
    struct world *world;
    const struct parts_plan *plan;
    parts_body *body;
    void *context;
    uint32_t first;        /* part of this rank */
    struct member *member; /* [world->threads] */
    struct link *link;
    uint32_t links;
    bool adjacent;              /* all other ranks are linked */
    const struct link *awaited; /* whose message comes next, */
    size_t found;               /* and its size */
    uint64_t number;            /* of the last complete collective between ranks */
    uint64_t ask_at;            /* rank 0: of the wait, in nanoseconds */
    struct exchange_bytes gathered_here, gathered_all;
    struct exchange_bytes *gathered; /* [parts] */
    int *units;                      /* [2 * ranks + 1] */
    struct messages_value *values;   /* [value_room] */
    size_t value_room;
    struct exchange_end end; /* why this rank broke off */
};

/* Sizes in messages are multiples of MESSAGES_UNIT, so that all bytes are aligned. */
static uint64_t pad(uint64_t size)
{
    return (size + MESSAGES_UNIT - 1) / MESSAGES_UNIT * MESSAGES_UNIT;
}

static uint32_t rank_of(const struct meeting *g, uint32_t part)
{
    return part / g->world->threads;
}

/* --- Aborts ----------------------------------------------------------------------------------- */

/* Tell the other ranks that this one leaves. Only the first time counts. */
static void leave(struct meeting *g, const struct exchange_end *end)
{
    struct world *w = g->world;
    const struct world_leave l = {.meeting = w->meeting, .number = g->number, .end = *end};
    struct world_leave *own = &w->leave[w->meeting % 2 * w->ranks + w->rank];
    if (own->meeting == w->meeting)
        return;
    *own = l;
    for (uint32_t r = 0; r < w->ranks; r++) {
        if (r != w->rank && !w->api->send(w->messages, r, WORLD_TAG_LEAVE, &l, sizeof l))
            w->broken = true;
    }
}

/* By the leader, between ranks. Returns false. */
static bool break_off(struct meeting *g, enum ec_code code, const char *why)
{
    exchange_end_set(&g->end, code, why);
    g->world->broken = true;
    leave(g, &g->end);
    exchange_abort(g->member[0].inner, g->end.code, g->end.why);
    return false;
}

/* Take the letters of those who have left. */
static bool read_leaves(struct world *w)
{
    for (;;) {
        struct world_leave l;
        uint32_t rank = EC_NONE;
        size_t size;
        const int found = w->api->find(w->messages, WORLD_TAG_LEAVE, &rank, &size);
        if (found <= 0)
            return found == 0;
        if (size != sizeof l || !w->api->take(w->messages, &l))
            return false;
        w->leave[l.meeting % 2 * w->ranks + rank] = l;
    }
}

/* Why another rank has left this meeting so that the collective after `number` cannot be completed;
 * false: none has. */
static bool has_lost_rank(const struct world *w, uint64_t number, struct exchange_end *ret)
{
    for (uint32_t r = 0; r < w->ranks; r++) {
        const struct world_leave *l = &w->leave[w->meeting % 2 * w->ranks + r];
        const bool broken = l->end.code != EC_OK;
        if (r == w->rank || l->meeting != w->meeting || (!broken && l->number > number))
            continue;
        *ret = l->end;
        if (!broken) {
            ret->code = EC_INTERNAL;
            snprintf(ret->why, sizeof ret->why,
                     "rank %" PRIu32 " waits for rank %" PRIu32 ", which has ended", w->rank, r);
        }
        return true;
    }
    return false;
}

/* MPI may fail because another rank has left, which says more. */
static bool messages_fail(struct meeting *g)
{
    struct exchange_end end = {.code = EC_OK};
    const struct world *w = g->world;
    exchange_end_set(&end, EC_INTERNAL, w->api->why(w->messages));
    (void)read_leaves(g->world);
    (void)has_lost_rank(w, g->number, &end);
    return break_off(g, end.code, end.why);
}

static bool bytes_fail(struct meeting *g)
{
    return break_off(g, EC_INTERNAL, "a message between ranks is damaged");
}

/* A part of this rank has aborted. Where memory is short, it may be so in no other rank. */
static bool part_fails(struct meeting *g, enum ec_code code, const char *what)
{
    const struct world *w = g->world;
    char why[EXCHANGE_WHY];
    if (code != EC_MEMORY)
        return break_off(g, code, what);
    snprintf(why, sizeof why, "rank %" PRIu32 " on %.60s: %.150s", w->rank, w->host[w->rank], what);
    return break_off(g, code, why);
}

static bool memory_fails(struct meeting *g)
{
    return part_fails(g, EC_MEMORY, "out of memory for messages between ranks");
}

/* Answer rank 0, which takes the answers. */
static bool read_questions(const struct world *w)
{
    for (;;) {
        uint32_t rank = EC_NONE;
        size_t size;
        const int found = w->api->find(w->messages, WORLD_TAG_ASK, &rank, &size);
        if (found <= 0)
            return found == 0;
        if (!w->api->take(w->messages, NULL))
            return false;
        w->answered[rank] = true;
        if (w->rank > 0 && !w->api->send(w->messages, 0, WORLD_TAG_ASK, NULL, 0))
            return false;
    }
}

/* Rank 0 has waited for long, perhaps for a rank that itself waits for another one: ask all. Ranks
 * that wait answer within milliseconds; name the others. */
static bool find_silent(struct meeting *g, uint64_t passed)
{
    const struct world *w = g->world;
    const struct exchange *x = &g->member[0].x;
    if (w->rank > 0 || !x->silent || passed < g->ask_at)
        return true;
    for (uint32_t r = 1; r < w->ranks; r++) {
        if (g->ask_at > SILENT_NS && !w->answered[r])
            x->silent(x->waiting_context, r, w->host[r]);
        w->answered[r] = false;
        if (g->ask_at == SILENT_NS && !w->api->send(w->messages, r, WORLD_TAG_ASK, NULL, 0))
            return false;
    }
    g->ask_at = g->ask_at == SILENT_NS ? passed + ANSWER_NS : UINT64_MAX;
    return true;
}

/* While the leader waits: has another rank left? Has a part of this rank aborted? */
static bool look(void *context, uint64_t passed)
{
    struct meeting *g = context;
    if (!read_leaves(g->world) || !read_questions(g->world) || !find_silent(g, passed))
        return messages_fail(g);
    const struct exchange_end *here = exchange_ended(g->member[0].inner);
    struct exchange_end lost;
    if (here->code != EC_OK)
        return part_fails(g, here->code, here->why);
    return !has_lost_rank(g->world, g->number, &lost) || break_off(g, lost.code, lost.why);
}

static bool await(struct meeting *g, int (*test)(void *))
{
    const struct world_wait wait = {.test = test, .object = g, .look = look, .context = g};
    g->ask_at = SILENT_NS;
    const int done = world_await(g->world, &wait);
    return done == 1 || (done < 0 && messages_fail(g));
}

static int test_all(void *object)
{
    const struct meeting *g = object;
    return g->world->api->test(g->world->messages);
}

/* --- Messages to the ranks of neighbours ------------------------------------------------------ */

/* A message has words, padded, and then the bytes of each stream, padded. The words are the values
 * of the swap and the size of each stream. */
static uint64_t head_size(const struct link *l, size_t count)
{
    return pad((count + l->streams) * sizeof(uint64_t));
}

static bool pack(struct meeting *g, struct link *l, const uint64_t *values, size_t count)
{
    uint64_t at = head_size(l, count), size = at;
    for (uint32_t i = 0; i < l->streams; i++)
        size += pad(g->member[l->out[i].member].x.to[l->out[i].index].size);
    l->sent.size = 0; /* nothing to be kept */
    if (!exchange_room(&l->sent, size))
        return false;
    l->sent.size = size;
    memset(l->sent.data, 0, size); /* padding is sent as well */
    uint64_t *word = (uint64_t *)(void *)l->sent.data;
    for (size_t i = 0; i < count; i++)
        *word++ = values[i];
    for (uint32_t i = 0; i < l->streams; i++) {
        struct exchange_bytes *to = &g->member[l->out[i].member].x.to[l->out[i].index];
        *word++ = to->size;
        if (to->size)
            memcpy(l->sent.data + at, to->data, to->size);
        at += pad(to->size);
        to->size = 0;
    }
    return true;
}

/* `from` of the parts points into the message. False: the sizes of its streams are not its own. */
static bool unpack(struct meeting *g, const struct link *l, uint64_t *values,
                   const enum exchange_fold *fold, size_t count)
{
    uint64_t at = head_size(l, count);
    const uint64_t *word = (const uint64_t *)(void *)l->got.data;
    if (l->got.size < at)
        return false;
    for (size_t i = 0; i < count; i++, word++)
        values[i] = exchange_fold_one(values[i], *word, fold[i]);
    for (uint32_t i = 0; i < l->streams; i++, word++) {
        if (at > l->got.size || *word > l->got.size - at)
            return false;
        g->member[l->in[i].member].x.from[l->in[i].index] =
            (struct exchange_bytes){.data = l->got.data + at, .size = *word, .room = pad(*word)};
        at += pad(*word);
    }
    return true;
}

/* Begin to send what the parts of this rank have for others, with these values. */
static bool links_send(struct meeting *g, const uint64_t *values, size_t count)
{
    const struct world *w = g->world;
    for (uint32_t i = 0; i < g->links; i++) {
        struct link *l = &g->link[i];
        if (!pack(g, l, values, count))
            return memory_fails(g);
        if (!w->api->send(w->messages, l->rank, WORLD_TAG_DATA, l->sent.data, l->sent.size))
            return messages_fail(g);
    }
    return true;
}

static int find_data(void *object)
{
    struct meeting *g = object;
    uint32_t rank = g->awaited->rank;
    return g->world->api->find(g->world->messages, WORLD_TAG_DATA, &rank, &g->found);
}

static int test_sent(void *object)
{
    const struct meeting *g = object;
    return g->world->api->sent(g->world->messages);
}

/* Wait for what others send, and until all has left: `from` of the parts points to it, and the
 * values of the others are folded into these. */
static bool links_receive(struct meeting *g, uint64_t *values, const enum exchange_fold *fold,
                          size_t count)
{
    const struct world *w = g->world;
    for (uint32_t i = 0; i < g->links; i++) {
        struct link *l = &g->link[i];
        g->awaited = l;
        if (!await(g, find_data))
            return false;
        l->got.size = 0;
        if (!exchange_room(&l->got, g->found))
            return memory_fails(g);
        l->got.size = g->found;
        if (!w->api->take(w->messages, l->got.data))
            return messages_fail(g);
        if (!unpack(g, l, values, fold, count))
            return bytes_fail(g);
    }
    return g->links == 0 || await(g, test_sent);
}

/* --- Collectives of the leader ---------------------------------------------------------------- */

/* Room for the values that ranks fold. */
static bool value_room(struct meeting *g, size_t count)
{
    if (count <= g->value_room)
        return true;
    struct messages_value *v = realloc(g->values, count * sizeof *v);
    if (!v)
        return memory_fails(g);
    g->values = v;
    g->value_room = count;
    return true;
}

static bool start_fold(struct meeting *g, size_t count)
{
    const struct world *w = g->world;
    return w->api->fold_start(w->messages, g->values, count) || messages_fail(g);
}

static bool finish(struct meeting *g)
{
    g->number++;
    return true;
}

/* Values that do not travel with messages. */
static bool start_values(struct meeting *g, const uint64_t *values, const enum exchange_fold *fold,
                         size_t count)
{
    for (size_t i = 0; i < count; i++)
        g->values[i] = (struct messages_value){.value = values[i], .fold = fold[i]};
    return count == 0 || start_fold(g, count);
}

static bool await_values(struct meeting *g, uint64_t *values, size_t count)
{
    if (count > 0 && !await(g, test_all))
        return false;
    for (size_t i = 0; i < count; i++)
        values[i] = g->values[i].value;
    return true;
}

static bool swap_ranks(struct meeting *g, uint64_t *values, const enum exchange_fold *fold,
                       size_t count)
{
    const size_t carried = g->adjacent ? count : 0, others = count - carried;
    return links_send(g, values, carried) && start_values(g, values, fold, others) &&
           links_receive(g, values, fold, carried) && await_values(g, values, others) && finish(g);
}

static bool fold_ranks(struct meeting *g, uint64_t *values, size_t count, enum exchange_fold fold)
{
    if (!value_room(g, count ? count : 1))
        return false;
    g->values[0].value = 0; /* a barrier */
    for (size_t i = 0; i < count; i++)
        g->values[i].value = values[i];
    for (size_t i = 0; i < (count ? count : 1); i++)
        g->values[i].fold = fold;
    if (!start_fold(g, count ? count : 1) || !await_values(g, values, count))
        return false;
    return (count > 0 || await(g, test_all)) && finish(g);
}

/* What this rank contributes to a gather: the sizes of its parts, padded, and the bytes of each,
 * padded. */
static bool pack_gather(struct meeting *g, const struct exchange_bytes *from)
{
    const uint32_t threads = g->world->threads;
    uint64_t at = pad(threads * sizeof(uint64_t)), size = at;
    for (uint32_t t = 0; t < threads; t++)
        size += pad(from[t].size);
    g->gathered_here.size = 0;
    if (!exchange_room(&g->gathered_here, size))
        return memory_fails(g);
    g->gathered_here.size = size;
    memset(g->gathered_here.data, 0, size);
    uint64_t *sizes = (uint64_t *)(void *)g->gathered_here.data;
    for (uint32_t t = 0; t < threads; t++) {
        sizes[t] = from[t].size;
        if (from[t].size)
            memcpy(g->gathered_here.data + at, from[t].data, from[t].size);
        at += pad(from[t].size);
    }
    return true;
}

/* The sizes of all ranks, in units, and where they begin: g->units[ranks] and then [ranks + 1]. */
static bool share_units(struct meeting *g)
{
    const uint32_t ranks = g->world->ranks;
    uint64_t at = 0;
    for (uint32_t r = 0; r < ranks; r++)
        g->values[r] = (struct messages_value){.fold = EXCHANGE_SUM};
    g->values[g->world->rank].value = g->gathered_here.size / MESSAGES_UNIT;
    if (!start_fold(g, ranks) || !await(g, test_all))
        return false;
    for (uint32_t r = 0; r <= ranks; r++) {
        const uint64_t units = r < ranks ? g->values[r].value : 0;
        if (units > INT_MAX || at > INT_MAX)
            return break_off(g, EC_MEMORY, "too many bytes to be gathered from all ranks");
        if (r < ranks)
            g->units[r] = (int)units;
        g->units[ranks + r] = (int)at;
        at += units;
    }
    return true;
}

/* False: the sizes of a rank are not its own. */
static bool unpack_gather(struct meeting *g)
{
    const uint32_t threads = g->world->threads;
    for (uint32_t r = 0; r < g->world->ranks; r++) {
        const uint64_t whole = (uint64_t)g->units[r] * MESSAGES_UNIT;
        unsigned char *begin =
            g->gathered_all.data + (size_t)g->units[g->world->ranks + r] * MESSAGES_UNIT;
        const uint64_t *sizes = (const uint64_t *)(const void *)begin;
        uint64_t at = pad(threads * sizeof(uint64_t));
        for (uint32_t t = 0; t < threads; t++) {
            if (at > whole || sizes[t] > whole - at)
                return false;
            g->gathered[r * threads + t] = (struct exchange_bytes){
                .data = begin + at, .size = sizes[t], .room = pad(sizes[t])};
            at += pad(sizes[t]);
        }
    }
    return true;
}

static bool gather_ranks(struct meeting *g, const struct exchange_bytes *from, bool everyone)
{
    const struct world *w = g->world;
    const bool receives = everyone || w->rank == 0;
    if (!value_room(g, w->ranks) || !pack_gather(g, from) || !share_units(g))
        return false;
    g->gathered_all.size = 0;
    if (receives &&
        !exchange_room(&g->gathered_all, (size_t)g->units[2 * w->ranks] * MESSAGES_UNIT))
        return memory_fails(g);
    if (!w->api->collect_start(w->messages, g->gathered_here.data,
                               receives ? g->gathered_all.data : NULL, g->units,
                               g->units + w->ranks, everyone))
        return messages_fail(g);
    if (!await(g, test_all))
        return false;
    if (receives && !unpack_gather(g))
        return bytes_fail(g);
    return finish(g);
}

/* --- Collectives of a part -------------------------------------------------------------------- */

static bool is_leader(const struct member *m)
{
    return m->inner->part == 0;
}

/* An inner collective has failed. The leader tells the other ranks. */
static bool inner_fails(struct member *m)
{
    const struct exchange_end *end = exchange_ended(m->inner);
    return is_leader(m) ? part_fails(m->meeting, end->code, end->why) : false;
}

/* All parts of the rank wait until the leader is here, and get its values. */
static bool await_leader(struct member *m, uint64_t *values, size_t count)
{
    if (m->inner->parts == 1)
        return true;
    if (!is_leader(m) && count > 0) /* else there may be no values */
        memset(values, 0, count * sizeof *values);
    return exchange_fold(m->inner, values, count, EXCHANGE_OR) || inner_fails(m);
}

/* Buffers for neighbours in the rank belong to the inner exchange, but are reached by the outer one
 * between swaps. */
static void lend(struct member *m)
{
    for (uint32_t k = 0; k < m->inner->neighbours; k++)
        m->inner->to[k] = m->x.to[m->first_inner + k];
}

static void borrow(struct member *m)
{
    for (uint32_t k = 0; k < m->inner->neighbours; k++) {
        m->x.to[m->first_inner + k] = m->inner->to[k];
        m->x.from[m->first_inner + k] = m->inner->from[k];
    }
}

static bool ranks_swap(struct exchange *x, uint64_t *values, const enum exchange_fold *fold,
                       size_t count)
{
    struct member *m = (struct member *)x;
    lend(m);
    const bool good = exchange_swap(m->inner, values, fold, count);
    borrow(m);
    if (!good)
        return inner_fails(m);
    if (is_leader(m) && !swap_ranks(m->meeting, values, fold, count))
        return false;
    return await_leader(m, values, count);
}

static bool ranks_fold(struct exchange *x, uint64_t *values, size_t count, enum exchange_fold fold)
{
    struct member *m = (struct member *)x;
    if (!exchange_fold(m->inner, values, count, fold))
        return inner_fails(m);
    if (is_leader(m) && !fold_ranks(m->meeting, values, count, fold))
        return false;
    return await_leader(m, values, count);
}

static bool ranks_gather(struct exchange *x, const void *bytes, size_t size, bool everyone,
                         const struct exchange_bytes **ret)
{
    struct member *m = (struct member *)x;
    const struct exchange_bytes *here;
    *ret = NULL;
    if (!exchange_gather(m->inner, bytes, size, false, &here))
        return inner_fails(m);
    if (is_leader(m) && !gather_ranks(m->meeting, here, everyone))
        return false;
    if (!await_leader(m, NULL, 0))
        return false;
    if (everyone || x->part == 0)
        *ret = m->meeting->gathered;
    return true;
}

static void ranks_abort(struct exchange *x, enum ec_code code, const char *why)
{
    struct member *m = (struct member *)x;
    exchange_abort(m->inner, code, why);
    if (is_leader(m))
        (void)inner_fails(m);
}

static const struct exchange_end *ranks_end(const struct exchange *x)
{
    const struct member *m = (const struct member *)x;
    const bool broken = is_leader(m) && m->meeting->end.code != EC_OK;
    return broken ? &m->meeting->end : exchange_ended(m->inner);
}

static const struct exchange_ops ranks_ops = {
    .swap = ranks_swap,
    .fold = ranks_fold,
    .gather = ranks_gather,
    .abort = ranks_abort,
    .end = ranks_end,
};

/* --- A meeting -------------------------------------------------------------------------------- */

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
            if (rank_of(g, q) != to)
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
    l->out = calloc(streams, sizeof *l->out);
    l->in = calloc(streams, sizeof *l->in);
    if (!l->out || !l->in)
        return false;
    list_streams(g, own, rank, l->out);
    list_streams(g, rank, own, l->in);
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

static bool links_open(struct meeting *g)
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

static void links_close(struct meeting *g)
{
    for (uint32_t i = 0; i < g->links; i++) {
        free(g->link[i].out);
        free(g->link[i].in);
        exchange_free(&g->link[i].sent);
        exchange_free(&g->link[i].got);
    }
    free(g->link);
}

static bool open_member(struct meeting *g, uint32_t t)
{
    const struct parts_plan *plan = g->plan;
    struct member *m = &g->member[t];
    const uint32_t part = g->first + t;
    m->meeting = g;
    m->x = (struct exchange){.ops = &ranks_ops, .part = part, .parts = plan->parts};
    if (plan->first) {
        m->x.neighbours = plan->first[part + 1] - plan->first[part];
        m->x.neighbour = plan->neighbour + plan->first[part];
    }
    while (m->first_inner < m->x.neighbours && m->x.neighbour[m->first_inner] < g->first)
        m->first_inner++;
    m->x.to = calloc((size_t)m->x.neighbours + 1, sizeof *m->x.to);
    m->x.from = calloc((size_t)m->x.neighbours + 1, sizeof *m->x.from);
    return m->x.to && m->x.from;
}

static bool open_meeting(struct meeting *g)
{
    const struct world *w = g->world;
    const size_t values = w->ranks > EXCHANGE_VALUES ? w->ranks : EXCHANGE_VALUES;
    bool good = true;
    g->first = w->rank * w->threads;
    g->member = calloc(w->threads, sizeof *g->member);
    g->gathered = calloc(g->plan->parts, sizeof *g->gathered);
    g->units = calloc(2 * (size_t)w->ranks + 1, sizeof *g->units);
    g->values = calloc(values, sizeof *g->values);
    g->value_room = values;
    if (!g->member || !g->gathered || !g->units || !g->values)
        return false;
    for (uint32_t t = 0; good && t < w->threads; t++)
        good = open_member(g, t);
    return good && links_open(g);
}

static void close_meeting(struct meeting *g)
{
    links_close(g);
    for (uint32_t t = 0; g->member && t < g->world->threads; t++) {
        struct member *m = &g->member[t];
        for (uint32_t k = 0; m->x.to && k < m->x.neighbours; k++) {
            if (rank_of(g, m->x.neighbour[k]) != g->world->rank)
                exchange_free(&m->x.to[k]);
        }
        free(m->x.to);
        free(m->x.from);
    }
    exchange_free(&g->gathered_here);
    exchange_free(&g->gathered_all);
    free(g->member);
    free(g->gathered);
    free(g->units);
    free(g->values);
}

/* The inner exchange numbers the parts of this rank only. */
static void tell_waiting(void *context, uint32_t part)
{
    const struct member *m = context;
    if (m->x.waiting)
        m->x.waiting(m->x.waiting_context, m->meeting->first + part);
}

static void run_part(void *context, struct exchange *inner)
{
    struct meeting *g = context;
    struct member *m = &g->member[inner->part];
    m->inner = inner;
    inner->waiting = tell_waiting;
    inner->waiting_context = m;
    borrow(m);
    g->body(g->context, &m->x);
    lend(m);
    if (is_leader(m))
        leave(g, exchange_ended(inner));
}

/* The neighbours of the parts of this rank that are in it, too. */
static void plan_inside(const struct meeting *g, uint32_t *first, uint32_t *neighbour)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < g->world->threads; t++) {
        const struct exchange *x = &g->member[t].x;
        first[t] = count;
        for (uint32_t k = 0; k < x->neighbours; k++) {
            if (rank_of(g, x->neighbour[k]) == g->world->rank)
                neighbour[count++] = x->neighbour[k] - g->first;
        }
    }
    first[g->world->threads] = count;
}

static enum ec_code run_inside(struct meeting *g, struct ec_error *reterr)
{
    const uint32_t threads = g->world->threads;
    const size_t most =
        g->plan->first ? g->plan->first[g->first + threads] - g->plan->first[g->first] : 0;
    uint32_t *first = calloc((size_t)threads + 1, sizeof *first);
    uint32_t *neighbour = calloc(most + 1, sizeof *neighbour);
    enum ec_code code = EC_OK;
    if (first && neighbour) {
        plan_inside(g, first, neighbour);
        const struct parts_plan inside = {
            .parts = threads, .first = first, .neighbour = neighbour, .pin = g->plan->pin};
        code = team_run(&inside, run_part, g, reterr);
    } else {
        code = ec_fail(reterr, EC_MEMORY, "out of memory for the parts of a rank");
    }
    free(first);
    free(neighbour);
    return code;
}

/* 1: all ranks have left; 2: one of them has broken off. */
static int test_left(void *object)
{
    const struct meeting *g = object;
    struct world *w = g->world;
    int left = 1;
    if (!read_leaves(w))
        return -1;
    for (uint32_t r = 0; r < w->ranks; r++) {
        const struct world_leave *l = &w->leave[w->meeting % 2 * w->ranks + r];
        if (l->meeting != w->meeting)
            left = 0;
        else if (l->end.code != EC_OK)
            return 2;
    }
    return left;
}

static bool stop_at_once(void *context, uint64_t passed)
{
    (void)context;
    (void)passed;
    return false;
}

/* A rank that is late may still need the letters of this one, and the next meeting must not begin
 * before this one has ended everywhere. */
static void end_meeting(struct meeting *g)
{
    struct world *w = g->world;
    const struct world_wait left = {.test = test_left, .object = g, .idle = true};
    const struct world_wait gone = {.test = test_sent, .object = g, .look = stop_at_once};
    if (!w->broken && world_await(w, &left) != 1)
        w->broken = true;
    if (w->broken)
        (void)world_await(w, &gone);
}

enum ec_code ranks_run(const struct parts_plan *plan, parts_body *body, void *context,
                       struct ec_error *reterr)
{
    struct world *w = plan->world;
    struct meeting g = {.world = w, .plan = plan, .body = body, .context = context};
    if (plan->parts != w->ranks * w->threads)
        return ec_fail(reterr, EC_INTERNAL, "%u parts for %u ranks of %u threads", plan->parts,
                       w->ranks, w->threads);
    w->meeting++;
    struct ec_error e = plan->refused ? *plan->refused : (struct ec_error){.code = EC_OK};
    if (e.code == EC_OK && !open_meeting(&g))
        ec_fail(&e, EC_MEMORY, "out of memory for messages");
    const enum ec_code code = e.code == EC_OK ? run_inside(&g, &e) : e.code;
    if (code != EC_OK) { /* no body has run here */
        exchange_end_set(&g.end, code, e.message);
        leave(&g, &g.end);
        w->broken = true;
        if (reterr)
            *reterr = e;
    }
    end_meeting(&g);
    close_meeting(&g);
    return code;
}
