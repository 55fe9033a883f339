/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of packets, and the choice of those that are kept. Knows the words of ec_run(); must not
 * know routes: a path is what was seen.
 *
 * Two choices share the bound. The slowest packets explain the tail of the latencies. An even
 * sample, every n-th packet delivered, shows what is usual; n doubles when the sample is full. */
#include "page/journeys.h"

struct journey_ring {
    struct journey *at;
    uint32_t size; /* 0 or a power of two; a packet is at its number modulo size */
};

/* --- Packets in the network ------------------------------------------------------------------- */

bool journeys_open(struct journeys *j, const struct ec_topology *t, const struct ec_router *r,
                   size_t packets, size_t hops)
{
    const size_t addresses = (size_t)1 << t->address_bits;
    *j = (struct journeys){.t = t,
                           .locals = ec_router_locals(r, t),
                           .vcs = r->vcs,
                           .class_mask =
                               r->va == EC_VA_DYNAMIC ? ec_router_class_mask(r) : r->vcs - 1,
                           .layout = ec_router_layout(r, t),
                           .packets = packets,
                           .hops = hops};
    EC_ARRAY(&j->arrays, j->node_of, addresses);
    EC_ARRAY(&j->arrays, j->offered, (size_t)t->nodes * j->locals * j->vcs);
    EC_ARRAY(&j->arrays, j->sources, t->nodes);
    if (j->arrays.memory_short) {
        journeys_close(j);
        return false;
    }
    for (size_t a = 0; a < addresses; a++)
        j->node_of[a] = ec_topology_node(t, (uint32_t)a);
    journeys_reset(j);
    return true;
}

static void forget(struct journey_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->at[i].hop);
    list->count = list->hops = 0;
}

static void forget_ring(struct journey_ring *ring)
{
    for (uint32_t i = 0; i < ring->size; i++)
        free(ring->at[i].hop);
    free(ring->at);
    *ring = (struct journey_ring){0};
}

void journeys_reset(struct journeys *j)
{
    for (uint32_t node = 0; node < j->t->nodes; node++)
        forget_ring(&j->sources[node]);
    memset(j->offered, 0, (size_t)j->t->nodes * j->locals * j->vcs * sizeof *j->offered);
    forget(&j->sample);
    forget(&j->slowest);
    memset(j->latency, 0, sizeof j->latency);
    j->delivered = 0;
    j->stride = j->latency_width = 1;
}

void journeys_close(struct journeys *j)
{
    for (uint32_t node = 0; j->sources && node < j->t->nodes; node++)
        forget_ring(&j->sources[node]);
    forget(&j->sample);
    forget(&j->slowest);
    free(j->sample.at);
    free(j->slowest.at);
    ec_arrays_free(&j->arrays);
    *j = (struct journeys){0};
}

/* An offer names the first VC of its class; with dynamic allocation the packet may take another.
 */
static struct ec_offer *offered_at(struct journeys *j, uint32_t node, unsigned local, unsigned vc)
{
    return &j->offered[((size_t)node * j->locals + local) * j->vcs + (vc & j->class_mask)];
}

void journeys_offer(struct journeys *j, const struct ec_offer *offer)
{
    *offered_at(j, offer->node, offer->local, offer->vc) = *offer;
}

/* NULL: a word that no source sent; the run reports it. */
static struct journey *find(struct journeys *j, uint64_t word)
{
    const uint32_t address = ec_word_src(&j->layout, word),
                   number = ec_word_number(&j->layout, word);
    const uint32_t src = address >> j->t->address_bits ? EC_NONE : j->node_of[address];
    const struct journey_ring *ring = src == EC_NONE ? NULL : &j->sources[src];
    if (!ring || !ring->size)
        return NULL;
    struct journey *p = &ring->at[number & (ring->size - 1)];
    return p->used && p->number == number ? p : NULL;
}

/* Double the ring; two packets that do not share a place keep theirs apart. */
static bool grow_ring(struct journey_ring *ring, unsigned number_bits)
{
    const uint32_t size = ring->size ? 2 * ring->size : 2;
    struct journey *at = size > UINT32_C(1) << number_bits ? NULL : calloc(size, sizeof *at);
    if (!at)
        return false;
    for (uint32_t i = 0; i < ring->size; i++) {
        if (ring->at[i].used)
            at[ring->at[i].number & (size - 1)] = ring->at[i];
        else
            free(ring->at[i].hop);
    }
    free(ring->at);
    *ring = (struct journey_ring){at, size};
    return true;
}

void journeys_inject(struct journeys *j, uint32_t node, unsigned local, uint64_t word,
                     uint64_t cycle)
{
    const struct ec_offer *offer = offered_at(j, node, local, ec_word_vc(word, j->vcs));
    struct journey_ring *ring = &j->sources[node];
    const uint32_t number = ec_word_number(&j->layout, word);
    while (!ring->size || (ring->at[number & (ring->size - 1)].used &&
                           ring->at[number & (ring->size - 1)].number != number)) {
        if (!grow_ring(ring, j->layout.number_bits)) {
            j->memory_short = true;
            return;
        }
    }
    struct journey *p = &ring->at[number & (ring->size - 1)];
    *p = (struct journey){.packet = {.src = node,
                                     .dst = offer->dst,
                                     .words = offer->words,
                                     .created = offer->created,
                                     .injected = cycle,
                                     .delivered = EC_RECORDED_NEVER},
                          .number = number,
                          .used = true,
                          .hop = p->hop,
                          .room = p->room};
}

void journeys_hop(struct journeys *j, unsigned link, uint64_t word, uint64_t cycle)
{
    struct journey *p = find(j, word);
    if (!p)
        return;
    if (p->packet.hops == p->room) {
        const size_t room = p->room ? 2 * p->room : 4;
        struct journey_hop *hop = realloc(p->hop, room * sizeof *hop);
        if (!hop) {
            j->memory_short = true;
            return;
        }
        p->hop = hop;
        p->room = room;
    }
    p->hop[p->packet.hops++] = (struct journey_hop){.cycle = cycle, .port = link};
}

/* --- The choice ------------------------------------------------------------------------------- */

/* From the beginning of the first cycle to the end of the last one. */
static uint64_t latency_of(const struct journey *p)
{
    return p->packet.delivered - p->packet.created + 1;
}

/* The histogram has a fixed size: pairs of its bars merge. */
static void count_latency(struct journeys *j, uint64_t latency)
{
    while (latency / j->latency_width >= EC_RECORDED_LATENCIES) {
        for (size_t i = 0; i < EC_RECORDED_LATENCIES; i++) {
            const uint64_t count = j->latency[i];
            j->latency[i] = 0;
            j->latency[i / 2] += count;
        }
        j->latency_width *= 2;
    }
    j->latency[latency / j->latency_width]++;
}

/* Among equals the earlier packet is kept. */
static bool is_faster(const struct journey *a, const struct journey *b)
{
    const uint64_t x = latency_of(a), y = latency_of(b);
    return x != y ? x < y : a->order > b->order;
}

static bool add_copy(struct journey_list *list, const struct journey *p)
{
    const size_t hops = p->packet.hops;
    struct journey_hop *hop = malloc((hops + 1) * sizeof *hop);
    if (!hop || !EC_LIST_PUSH(list->at, list->count, list->room, *p)) {
        free(hop);
        return false;
    }
    if (hops)
        memcpy(hop, p->hop, hops * sizeof *hop);
    list->at[list->count - 1].hop = hop;
    list->at[list->count - 1].room = hops;
    list->hops += hops;
    return true;
}

static void thin_sample(struct journeys *j)
{
    struct journey_list *list = &j->sample;
    size_t kept = 0;
    j->stride *= 2;
    for (size_t i = 0; i < list->count; i++) {
        if (list->at[i].order % j->stride == 0) {
            list->at[kept++] = list->at[i];
            continue;
        }
        list->hops -= list->at[i].packet.hops;
        free(list->at[i].hop);
    }
    list->count = kept;
}

static void swap(struct journey *a, struct journey *b)
{
    const struct journey c = *a;
    *a = *b;
    *b = c;
}

static void sift_up(struct journey_list *heap)
{
    for (size_t i = heap->count - 1; i > 0 && is_faster(&heap->at[i], &heap->at[(i - 1) / 2]);
         i = (i - 1) / 2)
        swap(&heap->at[i], &heap->at[(i - 1) / 2]);
}

static void drop_fastest(struct journey_list *heap)
{
    heap->hops -= heap->at[0].packet.hops;
    free(heap->at[0].hop);
    heap->at[0] = heap->at[--heap->count];
    for (size_t i = 0, least;; i = least) {
        least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < heap->count; child++)
            least = is_faster(&heap->at[child], &heap->at[least]) ? child : least;
        if (least == i)
            return;
        swap(&heap->at[i], &heap->at[least]);
    }
}

/* A quarter for the slowest, half for the sample, the rest for packets that never arrive. */
static void choose(struct journeys *j, const struct journey *p)
{
    struct journey_list *heap = &j->slowest;
    const size_t quarter = j->packets / 4, hops = j->hops / 4;
    if (heap->count < quarter || (heap->count && is_faster(&heap->at[0], p))) {
        if (add_copy(heap, p))
            sift_up(heap);
        else
            j->memory_short = true;
    }
    while (heap->count > quarter || heap->hops > hops)
        drop_fastest(heap);
    if (p->order % j->stride == 0 && !add_copy(&j->sample, p))
        j->memory_short = true;
    while (j->sample.count > 2 * quarter || (j->sample.hops > 2 * hops && j->sample.count > 1))
        thin_sample(j);
}

void journeys_deliver(struct journeys *j, uint64_t word, uint64_t cycle)
{
    struct journey *p = find(j, word);
    if (!p)
        return;
    p->packet.delivered = cycle;
    p->order = j->delivered++;
    count_latency(j, latency_of(p));
    choose(j, p);
    p->used = false;
}

/* --- The result ------------------------------------------------------------------------------- */

static int by_order(const void *a, const void *b)
{
    const struct journey *const *x = a, *const *y = b;
    return (*x)->order < (*y)->order ? -1 : (*x)->order > (*y)->order;
}

static int by_injection(const void *a, const void *b)
{
    const struct journey *const *x = a, *const *y = b;
    const struct ec_recorded_packet *p = &(*x)->packet, *q = &(*y)->packet;
    if (p->injected != q->injected)
        return p->injected < q->injected ? -1 : 1;
    if (p->src != q->src)
        return p->src < q->src ? -1 : 1;
    return (*x)->number < (*y)->number ? -1 : (*x)->number > (*y)->number;
}

/* Sorted, without duplicates. */
static size_t gather_delivered(struct journeys *j, const struct journey **list)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < j->sample.count; i++)
        list[count++] = &j->sample.at[i];
    for (size_t i = 0; i < j->slowest.count; i++)
        list[count++] = &j->slowest.at[i];
    qsort(list, count, sizeof *list, by_order);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || list[kept - 1]->order != list[i]->order)
            list[kept++] = list[i];
    }
    return kept;
}

/* The packets in the network, the oldest first. */
static size_t gather_stuck(struct journeys *j, const struct journey **list)
{
    size_t count = 0;
    for (uint32_t node = 0; node < j->t->nodes; node++) {
        for (uint32_t i = 0; i < j->sources[node].size; i++) {
            if (j->sources[node].at[i].used && list)
                list[count] = &j->sources[node].at[i];
            count += j->sources[node].at[i].used;
        }
    }
    if (list)
        qsort(list, count, sizeof *list, by_injection);
    return count;
}

/* As many as the rest of the bound has. */
static size_t fit_stuck(const struct journeys *j, const struct journey *const *list, size_t count)
{
    size_t fit = 0, hops = 0;
    while (fit < count && fit < j->packets / 4 && hops + list[fit]->packet.hops <= j->hops / 4)
        hops += list[fit++]->packet.hops;
    return fit;
}

static bool put_packets(struct ec_recording *r, const struct journey *const *list, size_t count)
{
    size_t hops = 0;
    for (size_t i = 0; i < count; i++)
        hops += list[i]->packet.hops;
    r->packet = malloc((count + 1) * sizeof *r->packet);
    r->hop_port = malloc((hops + 1) * sizeof *r->hop_port);
    r->hop_cycle = malloc((hops + 1) * sizeof *r->hop_cycle);
    if (!r->packet || !r->hop_port || !r->hop_cycle)
        return false;
    r->packets = count;
    hops = 0;
    for (size_t i = 0; i < count; i++) {
        r->packet[i] = list[i]->packet;
        r->packet[i].hop = hops;
        for (size_t k = 0; k < list[i]->packet.hops; k++, hops++) {
            r->hop_port[hops] = (uint8_t)list[i]->hop[k].port;
            r->hop_cycle[hops] = list[i]->hop[k].cycle;
        }
    }
    return true;
}

bool journeys_finish(struct journeys *j, struct ec_recording *r)
{
    const size_t stuck = gather_stuck(j, NULL);
    const struct journey **list =
        malloc((j->sample.count + j->slowest.count + stuck + 1) * sizeof *list);
    if (!list)
        return false;
    size_t count = gather_delivered(j, list);
    gather_stuck(j, list + count);
    count += fit_stuck(j, list + count, stuck);
    r->all_packets = j->delivered + stuck;
    r->latency_width = j->latency_width;
    memcpy(r->latency, j->latency, sizeof r->latency);
    const bool good = put_packets(r, list, count);
    free(list);
    return good && !j->memory_short;
}

void journeys_free_recording(struct ec_recording *r)
{
    free(r->packet);
    free(r->hop_port);
    free(r->hop_cycle);
}
