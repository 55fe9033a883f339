/* SPDX-License-Identifier: Apache-2.0 */
/* Open addressing with linear probing. A removed entry leaves no mark: the following entries move
 * up, so the time of a search depends on the present entries only. */
#include "base/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

struct lookup_entry {
    uint64_t key;
    uint32_t number; /* 1 + the number; 0: empty */
};

enum { FIRST_SIZE = 64 };

static uint32_t home_of(const struct lookup *l, uint64_t key)
{
    return (uint32_t)ec_rng_mix(key) & (l->size - 1);
}

static uint32_t next_of(const struct lookup *l, uint32_t i)
{
    return (i + 1) & (l->size - 1);
}

/* The entry of a key, or the empty one where it would be. */
static uint32_t place_of(const struct lookup *l, uint64_t key)
{
    uint32_t i = home_of(l, key);
    while (l->entry[i].number && l->entry[i].key != key)
        i = next_of(l, i);
    return i;
}

uint32_t lookup_find(const struct lookup *l, uint64_t key)
{
    return l->count ? l->entry[place_of(l, key)].number - 1 : LOOKUP_NONE;
}

static bool grow(struct lookup *l)
{
    struct lookup more = {.size = l->size ? 2 * l->size : FIRST_SIZE, .count = l->count};
    more.entry = more.size ? calloc(more.size, sizeof *more.entry) : NULL;
    if (!more.entry)
        return false;
    for (uint32_t i = 0; i < l->size; i++) {
        if (l->entry[i].number)
            more.entry[place_of(&more, l->entry[i].key)] = l->entry[i];
    }
    free(l->entry);
    *l = more;
    return true;
}

bool lookup_add(struct lookup *l, uint64_t key, uint32_t number)
{
    if (l->count >= l->size / 2 && !grow(l))
        return false;
    l->entry[place_of(l, key)] = (struct lookup_entry){key, number + 1};
    l->count++;
    return true;
}

/* Fill the gap with the first entry behind it that may be there, which leaves the next gap. */
void lookup_remove(struct lookup *l, uint64_t key)
{
    uint32_t gap = place_of(l, key);
    for (uint32_t i = next_of(l, gap); l->entry[i].number; i = next_of(l, i)) {
        const uint32_t home = home_of(l, l->entry[i].key);
        if (((i - home) & (l->size - 1)) < ((i - gap) & (l->size - 1)))
            continue;
        l->entry[gap] = l->entry[i];
        gap = i;
    }
    l->entry[gap].number = 0;
    l->count--;
}

void lookup_clear(struct lookup *l)
{
    if (l->count)
        memset(l->entry, 0, l->size * sizeof *l->entry);
    l->count = 0;
}

void lookup_free(struct lookup *l)
{
    free(l->entry);
    *l = (struct lookup){0};
}
