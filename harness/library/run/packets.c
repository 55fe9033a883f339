/* SPDX-License-Identifier: Apache-2.0 */
/* Records of packets, and the numbers that packets may have. Knows sources and numbers; must not
 * know words, except that a record has one. */
#include "run/packets.h"

#include <stdlib.h>

#include "base/list.h"
#include "parts/exchange.h"

bool packets_open(struct packets *k, uint32_t nodes, unsigned number_bits,
                  const struct nodes_own *own)
{
    *k = (struct packets){.own = own ? *own : nodes_all(nodes),
                          .number_mask = (UINT32_C(1) << number_bits) - 1};
    k->source = calloc(nodes, sizeof *k->source);
    return k->source != NULL;
}

static void guests_free(struct guests *g)
{
    free(g->guest);
    lookup_free(&g->at);
}

static void guests_forget(struct guests *g)
{
    lookup_clear(&g->at);
    g->used = g->free = 0;
}

void packets_close(struct packets *k)
{
    for (uint32_t i = 0; k->source && i < k->own.count; i++)
        free(k->source[nodes_own_at(&k->own, i)].ring);
    free(k->source);
    guests_free(&k->guests);
    guests_free(&k->limbo);
    free(k->claimed);
    *k = (struct packets){0};
}

/* A quarter of the numbers is few enough to be rare and many enough to be exceeded in time. */
static uint64_t least_window(const struct packets *k)
{
    return (uint64_t)k->number_mask / 4;
}

void packets_reset(struct packets *k)
{
    for (uint32_t i = 0; i < k->own.count; i++) {
        struct outstanding *o = &k->source[nodes_own_at(&k->own, i)];
        *o = (struct outstanding){.ring = o->ring, .size = o->size};
    }
    guests_forget(&k->guests);
    guests_forget(&k->limbo);
    k->claimed_count = 0;
    k->window = least_window(k);
    k->crowded = k->cannot_split = k->memory_short = false;
}

static bool grow_ring(struct outstanding *o)
{
    const uint32_t size = o->size ? 2 * o->size : 1;
    struct packet *ring = malloc(size * sizeof *ring);
    if (!ring)
        return false;
    for (uint64_t n = o->first; n < o->next; n++)
        ring[n & (size - 1)] = o->ring[n & (o->size - 1)];
    free(o->ring);
    o->ring = ring;
    o->size = size;
    return true;
}

/* The numbers from that of the oldest packet that may be in flight in another part. */
static uint64_t window_of(const struct outstanding *o)
{
    return o->away ? o->next - (o->away - 1) : 0;
}

/* A source with packets away. A send that is refused here although no packet with this number is in
 * flight would be late. */
static bool may_send(struct packets *k, const struct outstanding *o)
{
    const uint64_t window = window_of(o);
    k->crowded |= window > k->window;
    k->cannot_split |= window > k->number_mask;
    return window <= k->number_mask;
}

bool packets_make_room(struct packets *k, struct outstanding *o)
{
    if (o->next - o->first > k->number_mask || (o->away && !may_send(k, o)))
        return false;
    if (o->next - o->first < o->size || grow_ring(o))
        return true;
    k->memory_short = true;
    return false;
}

const struct packet *packets_next(const struct packets *k, struct packets_at *at)
{
    for (; !at->guests && at->i < k->own.count; at->i++, at->number = 0) {
        at->src = nodes_own_at(&k->own, at->i);
        const struct outstanding *o = &k->source[at->src];
        uint64_t n = at->number > o->first ? at->number : o->first;
        while (n < o->next && o->ring[n & (o->size - 1)].left == 0)
            n++;
        at->number = n + 1;
        if (n < o->next)
            return &o->ring[n & (o->size - 1)];
    }
    at->i = at->guests ? at->i : 0;
    at->guests = true;
    for (const struct guests *g = at->limbo ? &k->limbo : &k->guests;; g = &k->limbo) {
        while (at->i < g->used) {
            const struct guest *x = &g->guest[at->i++];
            at->src = (uint32_t)(x->key >> 32);
            if (x->packet.left)
                return &x->packet;
        }
        if (at->limbo)
            return NULL;
        at->limbo = true;
        at->i = 0;
    }
}

const struct guest *packets_guest_at(const struct packets *k, const struct packets_at *at)
{
    return at->guests ? &(at->limbo ? &k->limbo : &k->guests)->guest[at->i - 1] : NULL;
}

/* --- Packets from elsewhere ------------------------------------------------------------------- */

static uint64_t key_of(uint32_t src, uint32_t number)
{
    return (uint64_t)src << 32 | number;
}

struct packet *packets_find_guest(const struct packets *k, uint32_t src, uint32_t number)
{
    const uint32_t at = lookup_find(&k->guests.at, key_of(src, number));
    return at == LOOKUP_NONE ? NULL : &k->guests.guest[at].packet;
}

static void remove_guest(struct guests *g, uint32_t guest)
{
    struct guest *x = &g->guest[guest - 1];
    lookup_remove(&g->at, x->key);
    x->packet.left = 0;
    x->next = g->free;
    g->free = guest;
}

void packets_remove_guest(struct packets *k, uint32_t guest)
{
    remove_guest(&k->guests, guest);
}

static bool add_guest(struct guests *g, uint32_t src, uint32_t number, const struct packet *p,
                      unsigned hops)
{
    const uint64_t key = key_of(src, number);
    uint32_t at = g->free - 1;
    if (g->free) {
        g->free = g->guest[at].next;
    } else {
        if (!ec_list_room(&g->guest, sizeof *g->guest, g->used, &g->room))
            return false;
        at = g->used++;
    }
    g->guest[at] = (struct guest){.packet = *p, .key = key, .hops = hops};
    return lookup_add(&g->at, key, at);
}

bool packets_enter(struct packets *k, uint32_t src, uint32_t number, const struct packet *p,
                   unsigned hops)
{
    return add_guest(&k->guests, src, number, p, hops);
}

void packets_leave(struct packets *k, uint32_t src, uint32_t number, struct packet *p)
{
    struct outstanding *o = &k->source[src];
    const uint32_t guest = packets_guest(k, p);
    const uint64_t n = o->next - 1 - ((o->next - 1 - number) & k->number_mask);
    if (!guest && (!o->away || n < o->away - 1))
        o->away = n + 1;
    p->left = 0;
    packets_remove(k, src, guest);
}

/* --- Numbers that are free again -------------------------------------------------------------- */

/* A source that asks for the oldest of its packets elsewhere. */
struct asker {
    uint64_t src, next;
};

static bool asks(const struct packets *k, const struct outstanding *o)
{
    return window_of(o) > least_window(k) / 2;
}

/* The sources of this part that ask; NULL: memory is short. */
static struct asker *find_askers(const struct packets *k, size_t *ret_count)
{
    size_t count = 0;
    for (uint32_t i = 0; i < k->own.count; i++)
        count += asks(k, &k->source[nodes_own_at(&k->own, i)]);
    struct asker *list = malloc((count ? count : 1) * sizeof *list);
    *ret_count = 0;
    for (uint32_t i = 0; list && i < k->own.count; i++) {
        const uint32_t src = nodes_own_at(&k->own, i);
        if (asks(k, &k->source[src]))
            list[(*ret_count)++] = (struct asker){src, k->source[src].next};
    }
    return list;
}

/* The askers of all parts. */
struct askers {
    struct asker *all;
    uint64_t *answer;    /* numbers from that of the oldest packet in flight; 0: none is */
    size_t count, first; /* first: of this part */
    struct lookup at;    /* by source */
};

static bool take_askers(struct askers *a, const struct exchange *x,
                        const struct exchange_bytes *from)
{
    size_t size = 0;
    for (uint32_t part = 0; part < x->parts; part++) {
        a->first = part == x->part ? size / sizeof *a->all : a->first;
        size += from[part].size;
    }
    a->all = malloc(size ? size : 1);
    a->answer = calloc(size / sizeof *a->all + 1, sizeof *a->answer);
    if (!a->all || !a->answer)
        return false;
    for (uint32_t part = 0; part < x->parts; part++) {
        if (from[part].size)
            memcpy(a->all + a->count, from[part].data, from[part].size);
        a->count += from[part].size / sizeof *a->all;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (!lookup_add(&a->at, a->all[i].src, (uint32_t)i))
            return false;
    }
    return true;
}

/* Packets that are here and came from elsewhere. */
static void answer_askers(struct askers *a, const struct packets *k)
{
    struct packets_at at = {.guests = true};
    while (packets_next(k, &at)) {
        const uint32_t i = lookup_find(&a->at, at.src);
        if (i == LOOKUP_NONE)
            continue;
        const uint64_t number = packets_guest_at(k, &at)->key & k->number_mask;
        const uint64_t back = (a->all[i].next - 1 - number) & k->number_mask;
        if (back + 1 > a->answer[i])
            a->answer[i] = back + 1;
    }
}

/* The next time to ask is half way to the limit. */
static void learn_answers(struct packets *k, const struct askers *a, size_t own)
{
    uint64_t worst = 0;
    for (size_t i = a->first; i < a->first + own; i++) {
        const uint64_t answer = a->answer[i];
        k->source[a->all[i].src].away = answer ? a->all[i].next - answer + 1 : 0;
        worst = answer > worst ? answer : worst;
    }
    k->window = worst + (k->number_mask - worst + 1) / 2;
    if (worst < least_window(k))
        k->window = least_window(k);
    if (k->window > k->number_mask)
        k->window = k->number_mask; /* beyond that nothing may be sent */
    k->crowded = false;
}

bool packets_learn(struct packets *k, struct exchange *x)
{
    const struct exchange_bytes *from;
    struct askers a = {0};
    size_t own;
    struct asker *const list = find_askers(k, &own);
    bool good = list && exchange_gather(x, list, own * sizeof *list, true, &from) &&
                take_askers(&a, x, from);
    if (good)
        answer_askers(&a, k);
    else
        exchange_abort(x, EC_MEMORY, "out of memory for the numbers of packets");
    good = good && exchange_fold(x, a.answer, a.count, EXCHANGE_MAX);
    if (good)
        learn_answers(k, &a, own);
    lookup_free(&a.at);
    free(a.all);
    free(a.answer);
    free(list);
    return good;
}

/* --- After loading a state -------------------------------------------------------------------- */

struct packet *packets_claim(struct packets *k, uint32_t src, uint32_t number)
{
    struct guests *g = &k->limbo;
    struct packet *found = packets_find(k, src, number);
    const uint32_t at =
        found || !g->at.count ? LOOKUP_NONE : lookup_find(&g->at, key_of(src, number));
    if (at == LOOKUP_NONE)
        return found;
    const struct guest x = g->guest[at];
    remove_guest(g, at + 1);
    if (packets_enter(k, src, number, &x.packet, x.hops) &&
        EC_LIST_PUSH(k->claimed, k->claimed_count, k->claimed_room, x.key))
        return packets_find(k, src, number);
    k->memory_short = true;
    return NULL;
}

bool packets_share_claims(struct packets *k, struct exchange *x)
{
    const struct exchange_bytes *from;
    struct guests *g = &k->limbo;
    if (!exchange_gather(x, k->claimed, k->claimed_count * sizeof *k->claimed, true, &from))
        return false;
    for (uint32_t part = 0; part < x->parts; part++) {
        const uint64_t *keys = (const void *)from[part].data;
        for (size_t i = 0; part != x->part && i < from[part].size / sizeof *keys; i++) {
            const uint32_t at = lookup_find(&g->at, keys[i]);
            if (at != LOOKUP_NONE)
                remove_guest(g, at + 1);
        }
    }
    k->claimed_count = 0;
    return true;
}

/* The full number of a packet in flight. */
static uint64_t full_number(const struct packets *k, uint32_t src, uint32_t number)
{
    const uint64_t next = k->source[src].next;
    return next - 1 - ((next - 1 - number) & k->number_mask);
}

bool packets_restore(struct packets *k, uint32_t src, uint32_t number, const struct packet *p)
{
    struct outstanding *o = &k->source[src];
    const uint64_t n = full_number(k, src, number);
    if (n >= o->next)
        return false;
    while (o->size < o->next - n) {
        if (!grow_ring(o))
            return false;
    }
    for (; o->first > n; o->first--)
        o->ring[(o->first - 1) & (o->size - 1)].left = 0;
    o->ring[n & (o->size - 1)] = *p;
    return true;
}

void packets_restore_away(struct packets *k, uint32_t src, uint32_t number)
{
    struct outstanding *o = &k->source[src];
    const uint64_t n = full_number(k, src, number);
    if (n < o->next && (!o->away || n < o->away - 1))
        o->away = n + 1;
}

bool packets_restore_limbo(struct packets *k, uint32_t src, uint32_t number, const struct packet *p,
                           unsigned hops)
{
    return add_guest(&k->limbo, src, number, p, hops);
}
