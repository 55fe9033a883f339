/* SPDX-License-Identifier: Apache-2.0 */
/* The records of the packets in flight. A record is found by the packet's source and number, which
 * every word carries.
 *
 * In a split run a record is in the part where the head of its packet is, or where it comes next:
 * it leaves and enters with the head. Packets of own sources are in rings, packets that entered are
 * in a hash table, so memory grows with the packets that are here. */
#pragma once

#include "base/lookup.h"
#include "parts/own_nodes.h"

struct exchange;

/* The most that the fields of a record hold. */
#define PACKETS_WHOLE_MOST 0x1ffffffu
#define PACKETS_CLASS_MOST 0x3fu

struct packet {
    uint64_t created, injected; /* cycles */
    uint64_t next;              /* the word that must arrive next, as its node sees it */
    uint64_t asked;             /* a reply: creation of its request; else 0 */
    uint32_t message;           /* index of its message, if anyone asks for it */
    uint32_t left, words;       /* left: words to arrive; 0: delivered, or not here */
    uint32_t whole : 25;        /* words of its message, if that is assembled; else 0 */
    uint32_t last : 1;          /* of its message; if that is assembled, only once it is complete */
    uint32_t class_ : 6;        /* its traffic class, if classes are kept */
};

/* One source: a ring of its packets, indexed by packet number, which grows. Stays zero for sources
 * of other parts. */
struct outstanding {
    struct packet *ring;
    uint32_t size;     /* a power of two, or 0 */
    uint32_t messages; /* counted by packets_message() */
    uint64_t first;    /* number of the oldest that may be in flight here */
    uint64_t next;     /* number of the next packet */
    uint64_t away;     /* 1 + the number of the oldest that left and may be in flight; 0: none */
};

/* A packet that entered. */
struct guest {
    struct packet packet;
    uint64_t key;  /* source and number */
    uint32_t hops; /* of its path, before it entered; 0 if they are not counted */
    uint32_t next; /* of a free entry: as `free` */
};

struct guests {
    struct lookup at;    /* by key: index into guest[] */
    struct guest *guest; /* [used] owned */
    uint32_t used, free; /* entries ever used; 1 + the first free one, 0: none */
    size_t room;
};

struct packets {
    struct nodes_own own;
    uint32_t number_mask;
    struct outstanding *source; /* [nodes] */
    struct guests guests;
    /* After loading a state into several parts: the packets of which nobody knows in which part
     * their head is. All parts have them, until one `claimed` them since the last meeting. */
    struct guests limbo;
    uint64_t *claimed; /* their keys; owned */
    size_t claimed_count, claimed_room;
    uint64_t window;   /* of numbers of a source with packets away, above which to ask for them */
    bool crowded;      /* a source has exceeded it: packets_learn() is due */
    bool cannot_split; /* a part did not know in time what had happened in another one */
    bool memory_short;
};

/* `own` NULL: all nodes. False if memory is short. */
bool packets_open(struct packets *k, uint32_t nodes, unsigned number_bits,
                  const struct nodes_own *own);
void packets_close(struct packets *k);
void packets_reset(struct packets *k);

/* Is a further number of this source free, and has its ring room for it? */
bool packets_make_room(struct packets *k, struct outstanding *o);

/* A new record, and the number of its packet. NULL: memory is short, or too many packets of this
 * source are in flight. */
static inline struct packet *packets_add(struct packets *k, uint32_t src, uint32_t *ret_number)
{
    struct outstanding *o = &k->source[src];
    const bool far = o->away && o->next - o->away >= k->window; /* packets_learn() may be due */
    if ((o->next - o->first == o->size || far) && !packets_make_room(k, o))
        return NULL;
    *ret_number = (uint32_t)(o->next & k->number_mask);
    return &o->ring[o->next++ & (o->size - 1)];
}

/* A record of a guest is found without a search by its number: 1 + its index. 0: it is of an own
 * source. */
static inline uint32_t packets_guest(const struct packets *k, const struct packet *p)
{
    const struct guests *g = &k->guests;
    const size_t at = (size_t)((uintptr_t)p - (uintptr_t)g->guest) / sizeof *g->guest;
    return at < g->used ? (uint32_t)at + 1 : 0;
}

struct packet *packets_find_guest(const struct packets *k, uint32_t src, uint32_t number);

/* The record of the packet with the low bits `number` of its number, if it is in flight. */
static inline struct packet *packets_find(const struct packets *k, uint32_t src, uint32_t number)
{
    const struct outstanding *o = &k->source[src];
    const uint64_t back = (o->next - 1 - number) & k->number_mask;
    if (o->next != o->first && back < o->next - o->first) {
        struct packet *p = &o->ring[(o->next - 1 - back) & (o->size - 1)];
        if (p->left)
            return p;
    }
    return k->guests.at.count ? packets_find_guest(k, src, number) : NULL;
}

/* The same, with what packets_guest() said of it. */
static inline struct packet *packets_find_again(const struct packets *k, uint32_t src,
                                                uint32_t number, uint32_t guest)
{
    if (!guest)
        return packets_find(k, src, number);
    struct packet *p = &k->guests.guest[guest - 1].packet;
    return p->left ? p : NULL;
}

/* From so many nodes on, what is known of them is too large for the caches near the processor, and
 * it pays to ask for it in time. */
#define PACKETS_FAR_NODES 512

/* The record of a packet whose head is in this part: found, or else claimed. */
struct packet *packets_claim(struct packets *k, uint32_t src, uint32_t number);
/* Collective, if any part has claimed packets: the others forget them. False: memory is short, or
 * another part is gone. */
bool packets_share_claims(struct packets *k, struct exchange *x);

/* The record will be asked for soon: bring first its source into the cache, then the record. */
static inline __attribute__((always_inline)) void packets_fetch_source(const struct packets *k,
                                                                       uint32_t src)
{
    __builtin_prefetch(&k->source[src]);
    __builtin_prefetch(&k->source[src].next); /* another cache line, perhaps */
}
static inline __attribute__((always_inline)) void packets_fetch(const struct packets *k,
                                                                uint32_t src, uint32_t number)
{
    const struct outstanding *o = &k->source[src];
    if (o->size == 0)
        return;
    const struct packet *p = &o->ring[number & (o->size - 1)];
    __builtin_prefetch(p);
    __builtin_prefetch((const char *)(p + 1) - 1); /* another cache line, perhaps */
}

void packets_remove_guest(struct packets *k, uint32_t guest);

/* The record of a packet is not needed any more; its `left` is 0. */
static inline void packets_remove(struct packets *k, uint32_t src, uint32_t guest)
{
    struct outstanding *o = &k->source[src];
    if (guest)
        packets_remove_guest(k, guest);
    while (o->first < o->next && o->ring[o->first & (o->size - 1)].left == 0)
        o->first++;
}

/* The next record: own sources in turn, oldest first, then guests, then those in limbo. Start with
 * a zeroed one. */
struct packets_at {
    uint32_t i; /* of an own source, then of a guest */
    bool guests, limbo;
    uint64_t number;
    uint32_t src; /* of the record */
};
const struct packet *packets_next(const struct packets *k, struct packets_at *at);

/* A number for a message of a source, which no other one under way has. */
static inline uint32_t packets_message(struct packets *k, uint32_t src)
{
    return k->source[src].messages++;
}

/* --- Between parts ---------------------------------------------------------------------------- */

/* A record on its way: as it is, because a copy takes fewer instructions than any packing. */
struct packets_record {
    struct packet packet; /* of which no word has arrived; `next`: its head word */
    uint64_t hops;        /* of its path so far; 0 if they are not counted */
};

/* A packet of which no word has arrived goes to another part: forget its record. */
void packets_leave(struct packets *k, uint32_t src, uint32_t number, struct packet *p);
/* A packet comes from another part, which is not in flight here. False if memory is short. */
bool packets_enter(struct packets *k, uint32_t src, uint32_t number, const struct packet *p,
                   unsigned hops);

/* Loading a state: this packet is in flight, its source is of this part and knows the number of its
 * next packet. It is at its source; or `away`, and this part must not use its number. False if
 * memory is short, or no source could have sent it. */
bool packets_restore(struct packets *k, uint32_t src, uint32_t number, const struct packet *p);
void packets_restore_away(struct packets *k, uint32_t src, uint32_t number);
/* Its head is in an unknown part. False if memory is short. */
bool packets_restore_limbo(struct packets *k, uint32_t src, uint32_t number, const struct packet *p,
                           unsigned hops);
/* The guest or the packet in limbo that packets_next() has returned; NULL: an own one. */
const struct guest *packets_guest_at(const struct packets *k, const struct packets_at *at);

/* Collective, while no record is between parts, if any part is crowded: learn which numbers of own
 * sources are free again. False: memory is short, or the exchange has ended. */
bool packets_learn(struct packets *k, struct exchange *x);
