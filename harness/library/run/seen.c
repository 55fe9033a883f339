/* SPDX-License-Identifier: Apache-2.0 */
/* Events as bytes: a head, then the struct that the callback gets, or the outputs of a router
 * without what has no meaning. All parts are of the same build, so structs need no format. */
#include "run/seen.h"

#include <stdlib.h>
#include <string.h>

#include "parts/pack.h"

struct head {
    uint64_t cycle;
    uint32_t node;
    uint16_t kind, size; /* size: bytes that follow */
};

enum {
    PORTS_MOST = 64, /* a mask has a bit for each */
    TEXT_MOST = 500,
    ROUTER_MOST = PACK_MOST * (2 + 2 * PORTS_MOST + 4 * EC_VCS_MAX) + 2 * PORTS_MOST * EC_VCS_MAX,
};

/* --- Writing ---------------------------------------------------------------------------------- */

/* Room for an event of at most `most` bytes behind its head. NULL: out of memory. */
static unsigned char *begin_event(struct seen *s, size_t most)
{
    const size_t needed = s->size + sizeof(struct head) + most;
    if (needed > s->room) {
        const size_t room = needed > 2 * s->room ? needed : 2 * s->room;
        unsigned char *data = realloc(s->data, room);
        s->memory_short |= !data;
        if (!data)
            return NULL;
        s->data = data;
        s->room = room;
    }
    return s->data + s->size + sizeof(struct head);
}

static void end_event(struct seen *s, struct head head, const unsigned char *end)
{
    unsigned char *const at = s->data + s->size;
    head.size = (uint16_t)(end - (at + sizeof head));
    memcpy(at, &head, sizeof head);
    s->size += sizeof head + head.size;
}

static void write_event(struct seen *s, struct head head, const void *bytes, size_t size)
{
    unsigned char *to = begin_event(s, size);
    if (!to)
        return;
    if (size > 0)
        memcpy(to, bytes, size);
    end_event(s, head, to + size);
}

void seen_delivery(void *seen, const struct ec_delivery *d)
{
    struct seen *s = seen;
    write_event(s, (struct head){.cycle = *s->cycle, .node = d->dst, .kind = SEEN_DELIVERY}, d,
                sizeof *d);
}

void seen_taken(void *seen, const struct ec_message *m)
{
    struct seen *s = seen;
    write_event(s, (struct head){.cycle = *s->cycle, .node = m->src, .kind = SEEN_TAKEN}, m,
                sizeof *m);
}

void seen_offer(void *seen, const struct ec_offer *o)
{
    struct seen *s = seen;
    write_event(s, (struct head){.cycle = *s->cycle, .node = o->node, .kind = SEEN_OFFER}, o,
                sizeof *o);
}

void seen_text(void *seen, uint64_t cycle, uint32_t node, const char *text)
{
    struct seen *s = seen;
    const size_t length = strnlen(text, TEXT_MOST);
    if (s->wanted[SEEN_TEXT] && s->texts++ < SEEN_TEXTS_MOST)
        write_event(s, (struct head){.cycle = cycle, .node = node, .kind = SEEN_TEXT}, text,
                    length);
}

static unsigned char *write_words(unsigned char *to, const uint64_t *words, uint64_t valid)
{
    for (; valid; valid &= valid - 1)
        to = pack_put(to, words[__builtin_ctzll(valid)]);
    return to;
}

static unsigned char *write_masks(unsigned char *to, const uint64_t *masks, unsigned vcs)
{
    for (unsigned vc = 0; vc < vcs; vc++)
        to = pack_put(to, masks[vc]);
    return to;
}

static void write_router(void *context, const struct ec_net_seen *seen)
{
    struct seen *s = context;
    unsigned char *to = begin_event(s, ROUTER_MOST);
    if (!to)
        return;
    to = pack_put(to, seen->in_valid);
    to = pack_put(to, seen->out_valid);
    to = write_words(to, seen->in_word, seen->in_valid);
    to = write_words(to, seen->out_word, seen->out_valid);
    to = write_masks(to, seen->in_credit, s->vcs);
    to = write_masks(to, seen->out_credit, s->vcs);
    to = write_masks(to, seen->contended, s->vcs);
    to = write_masks(to, seen->starved, s->vcs);
    for (unsigned vc = 0; vc < s->vcs; vc++) {
        for (uint64_t left = seen->contended[vc] | seen->starved[vc]; left; left &= left - 1)
            *to++ = seen->want[(unsigned)__builtin_ctzll(left) * s->vcs + vc];
    }
    end_event(s, (struct head){.cycle = seen->cycle, .node = seen->node, .kind = SEEN_ROUTER}, to);
}

static void write_cycle(void *context, uint64_t cycle)
{
    write_event(context, (struct head){.cycle = cycle, .kind = SEEN_CYCLE}, NULL, 0);
}

/* --- Calling ---------------------------------------------------------------------------------- */

/* What a router shows, in arrays. */
struct shown {
    uint64_t in_word[PORTS_MOST], out_word[PORTS_MOST];
    uint64_t in_credit[EC_VCS_MAX], out_credit[EC_VCS_MAX];
    uint64_t contended[EC_VCS_MAX], starved[EC_VCS_MAX];
    uint8_t want[PORTS_MOST * EC_VCS_MAX];
};

static void read_words(struct unpack *from, uint64_t *words, uint64_t valid)
{
    for (; valid; valid &= valid - 1)
        words[__builtin_ctzll(valid)] = unpack_number(from);
}

static void read_masks(struct unpack *from, uint64_t *masks, unsigned vcs)
{
    for (unsigned vc = 0; vc < vcs; vc++)
        masks[vc] = unpack_number(from);
}

static bool call_router(const struct seen *s, const struct head *h, const unsigned char *bytes)
{
    const struct ec_net_watch *w = s->calls->watch;
    struct unpack from = {.at = bytes, .end = bytes + h->size};
    struct shown a = {0};
    struct ec_net_seen seen = {.cycle = h->cycle,
                               .node = h->node,
                               .in_word = a.in_word,
                               .in_credit = a.in_credit,
                               .out_word = a.out_word,
                               .out_credit = a.out_credit,
                               .contended = a.contended,
                               .starved = a.starved,
                               .want = a.want};
    seen.in_valid = unpack_number(&from);
    seen.out_valid = unpack_number(&from);
    read_words(&from, a.in_word, seen.in_valid);
    read_words(&from, a.out_word, seen.out_valid);
    read_masks(&from, a.in_credit, s->vcs);
    read_masks(&from, a.out_credit, s->vcs);
    read_masks(&from, a.contended, s->vcs);
    read_masks(&from, a.starved, s->vcs);
    for (unsigned vc = 0; vc < s->vcs; vc++) {
        for (uint64_t left = a.contended[vc] | a.starved[vc]; left; left &= left - 1)
            a.want[(unsigned)__builtin_ctzll(left) * s->vcs + vc] = unpack_byte(&from);
    }
    if (!from.damaged)
        w->router(w->context, &seen);
    return !from.damaged;
}

static void call_text(const struct seen *s, const struct head *h, const unsigned char *bytes)
{
    char text[TEXT_MOST + 1];
    memcpy(text, bytes, h->size);
    text[h->size] = '\0';
    s->calls->text(s->calls->text_context, h->cycle, h->node, text);
}

/* False: the bytes are damaged. */
static bool call(const struct seen *s, const struct head *h, const unsigned char *bytes)
{
    struct seen_calls *c = s->calls;
    struct ec_delivery delivery;
    struct ec_message message;
    struct ec_offer offer;
    c->count[h->kind]++;
    switch ((enum seen_kind)h->kind) {
    case SEEN_DELIVERY:
        memcpy(&delivery, bytes, sizeof delivery);
        c->delivery(c->delivery_context, &delivery);
        break;
    case SEEN_TAKEN:
        memcpy(&message, bytes, sizeof message);
        c->taken(c->taken_context, &message);
        break;
    case SEEN_OFFER:
        memcpy(&offer, bytes, sizeof offer);
        c->offer(c->offer_context, &offer);
        break;
    case SEEN_TEXT:
        call_text(s, h, bytes);
        break;
    case SEEN_ROUTER:
        return call_router(s, h, bytes);
    case SEEN_CYCLE:
        c->watch->cycle(c->watch->context, h->cycle);
        break;
    case SEEN_KINDS:
        break;
    }
    return true;
}

/* An event of a part, in its bytes. */
struct event {
    struct head head;
    uint32_t part;
    const unsigned char *at;
};

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* A node takes a message and offers its first packet in no fixed order. */
static unsigned place_of(const struct head *h)
{
    return h->kind == SEEN_OFFER ? SEEN_TAKEN : h->kind;
}

static int in_order(const void *x, const void *y)
{
    const struct event *a = x, *b = y;
    int order = compare(a->head.cycle, b->head.cycle);
    order = order ? order : compare(place_of(&a->head), place_of(&b->head));
    order = order ? order : compare(a->head.node, b->head.node);
    order = order ? order : compare(a->part, b->part);
    return order ? order : compare((uintptr_t)a->at, (uintptr_t)b->at);
}

/* Does the caller want such events, and have they the size that they must have? */
static bool is_event(const struct seen *s, const struct head *h)
{
    const struct seen_calls *c = s->calls;
    switch ((enum seen_kind)h->kind) {
    case SEEN_DELIVERY:
        return c->delivery && h->size == sizeof(struct ec_delivery);
    case SEEN_TAKEN:
        return c->taken && h->size == sizeof(struct ec_message);
    case SEEN_OFFER:
        return c->offer && h->size == sizeof(struct ec_offer);
    case SEEN_TEXT:
        return c->text && h->size <= TEXT_MOST;
    case SEEN_ROUTER:
        return c->watch && c->watch->router;
    case SEEN_CYCLE:
        return c->watch && c->watch->cycle && h->size == 0;
    case SEEN_KINDS:
        break;
    }
    return false;
}

/* The events in `bytes`, into list[] unless it is NULL. False: the bytes are damaged. */
static bool read_events(const struct seen *s, const struct exchange_bytes *bytes, uint32_t part,
                        struct event *list, size_t *count)
{
    for (size_t at = 0; at < bytes->size; ++*count) {
        struct event e = {.part = part};
        if (bytes->size - at < sizeof e.head)
            return false;
        memcpy(&e.head, bytes->data + at, sizeof e.head);
        at += sizeof e.head;
        e.at = bytes->data + at;
        if (e.head.size > bytes->size - at || !is_event(s, &e.head))
            return false;
        at += e.head.size;
        if (list)
            list[*count] = e;
    }
    return true;
}

static bool call_all(const struct seen *s, const struct exchange_bytes *all)
{
    size_t count = 0;
    bool good = true;
    for (uint32_t k = 0; good && k < s->x->parts; k++)
        good = read_events(s, &all[k], k, NULL, &count);
    struct event *list = good ? malloc((count + 1) * sizeof *list) : NULL;
    if (good && !list)
        return false;
    count = 0;
    for (uint32_t k = 0; good && k < s->x->parts; k++)
        (void)read_events(s, &all[k], k, list, &count);
    if (good)
        qsort(list, count, sizeof *list, in_order);
    for (size_t i = 0; good && i < count; i++)
        good = call(s, &list[i].head, list[i].at);
    free(list);
    if (!good)
        exchange_abort(s->x, EC_INTERNAL, "what another part has seen is damaged");
    return good;
}

bool seen_meet(struct seen *s, bool show)
{
    const struct exchange_bytes *all;
    bool good = exchange_gather(s->x, s->data, s->size, false, &all) && !s->memory_short;
    if (good && all && show)
        good = call_all(s, all);
    s->size = 0;
    return good;
}

/* --- Beginning -------------------------------------------------------------------------------- */

/* What the first part has. */
static bool is_told(struct exchange *x, bool here)
{
    uint64_t value = x->part == 0 && here;
    return exchange_fold(x, &value, 1, EXCHANGE_OR) && value;
}

void seen_open(struct seen *s, struct exchange *x, struct seen_calls *calls)
{
    *s = (struct seen){.x = x, .calls = calls};
    s->wanted[SEEN_TEXT] = is_told(x, calls->text);
}

void seen_close(struct seen *s)
{
    free(s->nodes);
    free(s->data);
    *s = (struct seen){0};
}

/* The caller's, in the first part. */
static const struct ec_net_watch *watch_of(const struct seen *s)
{
    return s->x->part == 0 ? s->calls->watch : NULL;
}

/* The routers that the watcher of the first part wants to see. */
static bool learn_nodes(struct seen *s, uint32_t nodes)
{
    const struct ec_net_watch *w = watch_of(s);
    const bool here = w && w->nodes;
    const size_t size = ((size_t)nodes + 63) / 64 * sizeof *s->nodes;
    const struct exchange_bytes *all;
    if (!exchange_gather(s->x, here ? w->nodes : NULL, here ? size : 0, true, &all))
        return false;
    if (all[0].size == 0)
        return true;
    s->nodes = malloc(size);
    if (s->nodes)
        memcpy(s->nodes, all[0].data, size);
    return s->nodes != NULL;
}

bool seen_begin(struct seen *s, uint32_t nodes, unsigned vcs, const uint64_t *cycle)
{
    const struct seen_calls *c = s->calls;
    const struct ec_net_watch *w = watch_of(s);
    s->vcs = vcs;
    s->cycle = cycle;
    s->wanted[SEEN_DELIVERY] = is_told(s->x, c->delivery);
    s->wanted[SEEN_TAKEN] = is_told(s->x, c->taken);
    s->wanted[SEEN_OFFER] = is_told(s->x, c->offer);
    s->wanted[SEEN_ROUTER] = is_told(s->x, w && w->router);
    s->wanted[SEEN_CYCLE] = w && w->cycle;
    const bool learned = learn_nodes(s, nodes);
    s->watch = (struct ec_net_watch){.router = s->wanted[SEEN_ROUTER] ? write_router : NULL,
                                     .cycle = s->wanted[SEEN_CYCLE] ? write_cycle : NULL,
                                     .nodes = s->nodes,
                                     .context = s};
    return learned;
}
