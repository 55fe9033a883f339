/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table with linear probing. See backend/lanes.h. */
#include "backend/lanes.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BITS = 8, MOST_BITS = 31 };

bool lanes_open(struct lanes *l)
{
    *l = (struct lanes){.bits = FIRST_BITS};
    l->of = calloc((size_t)1 << l->bits, sizeof *l->of);
    return l->of != NULL;
}

void lanes_close(struct lanes *l)
{
    free(l->of);
    *l = (struct lanes){0};
}

void lanes_reset(struct lanes *l)
{
    if (l->count > 0)
        memset(l->of, 0, ((size_t)1 << l->bits) * sizeof *l->of);
    l->count = 0;
}

/* Where the packet is, or would be. */
static size_t find(const struct lanes *l, uint32_t packet)
{
    const size_t mask = ((size_t)1 << l->bits) - 1;
    size_t i = lanes_place(l, packet);
    while (l->of[i].packet && l->of[i].packet != packet)
        i = (i + 1) & mask;
    return i;
}

static bool grow(struct lanes *l)
{
    struct lanes wide = {.bits = l->bits + 1, .count = l->count};
    if (wide.bits > MOST_BITS)
        return false;
    wide.of = calloc((size_t)1 << wide.bits, sizeof *wide.of);
    if (!wide.of)
        return false;
    for (size_t i = 0; i < (size_t)1 << l->bits; i++) {
        if (l->of[i].packet)
            wide.of[find(&wide, l->of[i].packet)] = l->of[i];
    }
    free(l->of);
    *l = wide;
    return true;
}

void lanes_keep(struct lanes *l, uint32_t packet, uint32_t kept)
{
    const bool full = l->count >= (uint32_t)1 << (l->bits - 1);
    if (full && !grow(l))
        return;
    struct lane *x = &l->of[find(l, packet)];
    l->count += x->packet == 0;
    *x = (struct lane){packet, kept};
}

/* Those behind it that would not be found beyond a free place move up. */
void lanes_forget(struct lanes *l, uint32_t packet)
{
    const size_t mask = ((size_t)1 << l->bits) - 1;
    size_t hole = find(l, packet);
    if (l->of[hole].packet == 0)
        return;
    for (size_t i = (hole + 1) & mask; l->of[i].packet; i = (i + 1) & mask) {
        const size_t from_home = (i - lanes_place(l, l->of[i].packet)) & mask;
        if (from_home >= ((i - hole) & mask)) {
            l->of[hole] = l->of[i];
            hole = i;
        }
    }
    l->of[hole].packet = 0;
    l->count--;
}
