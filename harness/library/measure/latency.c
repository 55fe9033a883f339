/* SPDX-License-Identifier: Apache-2.0 */
/* Exact histograms of latencies. Knows cycles; must not know packets. */
#include "measure/latency.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 1024, FIRST_ROOM = 256 };

static bool grow_counters(struct latency *l, uint64_t cycles)
{
    size_t size = l->size ? l->size : FIRST_SIZE;
    while (size <= cycles && size <= SIZE_MAX / sizeof(uint64_t) / 2)
        size *= 2;
    uint64_t *count = size <= cycles ? NULL : realloc(l->count, size * sizeof *count);
    if (!count)
        return false;
    memset(count + l->size, 0, (size - l->size) * sizeof *count);
    l->count = count;
    l->size = size;
    return true;
}

static int by_cycles(const void *a, const void *b)
{
    const struct latency_far *x = a, *y = b;
    return (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

/* Sort the list, join equal values, and drop those that have a counter now. */
static void merge_far(struct latency *l)
{
    size_t kept = 0;
    if (l->far_count > 1)
        qsort(l->far, l->far_count, sizeof *l->far, by_cycles);
    for (size_t i = 0; i < l->far_count; i++) {
        const struct latency_far x = l->far[i];
        if (x.cycles < l->size)
            l->count[x.cycles] += x.count;
        else if (kept > 0 && l->far[kept - 1].cycles == x.cycles)
            l->far[kept - 1].count += x.count;
        else
            l->far[kept++] = x;
    }
    l->far_count = kept;
}

/* Room for one more in the list. It doubles unless merging frees half of it, which spreads the cost
 * of sorting over as many additions. */
static bool make_room(struct latency *l)
{
    if (l->far_count < l->far_room)
        return true;
    merge_far(l);
    if (l->far_count < l->far_room / 2)
        return true;
    const size_t room = l->far_room ? 2 * l->far_room : FIRST_ROOM;
    struct latency_far *far = realloc(l->far, room * sizeof *far);
    if (!far)
        return false;
    l->far = far;
    l->far_room = room;
    return true;
}

static bool add_far(struct latency *l, uint64_t cycles, uint64_t count)
{
    if (!make_room(l))
        return false;
    l->far[l->far_count++] = (struct latency_far){cycles, count};
    return true;
}

bool latency_add_large(struct latency *l, uint64_t cycles, uint64_t count)
{
    if (cycles >= LATENCY_NEAR_MAX && cycles / 4 >= l->samples)
        return add_far(l, cycles, count);
    if (!grow_counters(l, cycles))
        return false;
    l->count[cycles] += count;
    return true;
}

/* The smallest value with at least `percent` percent of the samples at or below it. */
static uint64_t nearest_rank(const struct latency *l, uint64_t percent)
{
    const uint64_t rank = l->samples / 100 * percent + (l->samples % 100 * percent + 99) / 100;
    uint64_t seen = 0;
    for (size_t cycles = 0; cycles < l->size; cycles++) {
        seen += l->count[cycles];
        if (seen >= rank)
            return cycles;
    }
    for (size_t i = 0; i < l->far_count; i++) {
        seen += l->far[i].count;
        if (seen >= rank)
            return l->far[i].cycles;
    }
    return l->max;
}

struct ec_latency latency_summary(struct latency *l)
{
    if (l->samples == 0)
        return (struct ec_latency){0};
    merge_far(l);
    return (struct ec_latency){.mean = (double)l->sum / (double)l->samples,
                               .p50 = nearest_rank(l, 50),
                               .p95 = nearest_rank(l, 95),
                               .p99 = nearest_rank(l, 99),
                               .max = l->max};
}

void latency_forget(struct latency *l)
{
    if (l->count)
        memset(l->count, 0, l->size * sizeof *l->count);
    l->far_count = 0;
    l->samples = l->max = 0;
    l->sum = 0;
}

void latency_free(struct latency *l)
{
    free(l->count);
    free(l->far);
    *l = (struct latency){0};
}

/* --- Between parts ---------------------------------------------------------------------------- */

/* All values with their counts. NULL: out of memory. */
static struct latency_far *list_values(const struct latency *l, size_t *ret_count)
{
    size_t values = l->far_count;
    for (size_t cycles = 0; cycles < l->size; cycles++)
        values += l->count[cycles] > 0;
    struct latency_far *list = malloc((values + 1) * sizeof *list), *to = list;
    for (size_t cycles = 0; list && cycles < l->size; cycles++) {
        if (l->count[cycles])
            *to++ = (struct latency_far){cycles, l->count[cycles]};
    }
    if (list && l->far_count)
        memcpy(to, l->far, l->far_count * sizeof *to);
    *ret_count = values;
    return list;
}

static bool add_values(struct latency *l, const struct latency_far *x, size_t size)
{
    bool good = size % sizeof *x == 0;
    for (size_t left = size / sizeof *x; good && left > 0; left--, x++) {
        if (x->count > UINT64_MAX - l->samples)
            return false;
        if (x->cycles < l->size)
            l->count[x->cycles] += x->count;
        else if (x->cycles < LATENCY_NEAR_MAX)
            good = latency_add_large(l, x->cycles, x->count);
        else /* no more memory than these bytes are worth, whatever they say */
            good = add_far(l, x->cycles, x->count);
        l->samples += x->count;
        l->sum += (unsigned __int128)x->cycles * x->count;
        l->max = x->cycles > l->max ? x->cycles : l->max;
    }
    return good;
}

bool latency_merge(struct latency *l, struct exchange *x)
{
    const struct exchange_bytes *from = NULL;
    size_t count = 0;
    struct latency_far *own = x->part ? list_values(l, &count) : NULL;
    bool good = (own || x->part == 0) && exchange_gather(x, own, count * sizeof *own, false, &from);
    for (uint32_t k = 1; good && from && k < x->parts; k++)
        good = add_values(l, (const void *)from[k].data, from[k].size);
    free(own);
    if (!good)
        exchange_abort(x, EC_MEMORY, "out of memory for the latencies of all parts, or damaged");
    return good;
}

void latency_state(struct latency *l, struct state *state)
{
    size_t count = 0;
    struct latency_far *own = state->file ? NULL : list_values(l, &count);
    state->failed = state->failed || (!state->file && !own);
    if (own)
        state_save_list(state, own, count * sizeof *own);
    free(own);
    for (size_t part = 0; state->file && part < state->file->parts; part++) {
        const struct latency_far *from = state_load_list(state, part, &count);
        if (state->first && !state->failed)
            state->failed = !add_values(l, from, count);
    }
}
