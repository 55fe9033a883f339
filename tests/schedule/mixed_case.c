/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of permutations with given blocks, and theorems about them. */
#include "mixed_case.h"

#include <stdio.h>
#include <stdlib.h>

struct blocks one_block(unsigned order, uint32_t per_node)
{
    return (struct blocks){.count = 1, .order = {order}, .per_node = per_node};
}

struct blocks blocks_of(const char *orders, uint32_t per_node)
{
    struct blocks b = {.per_node = per_node};
    char *end;

    for (const char *at = orders; b.count < BLOCKS_MAX; at = end + 1) {
        b.order[b.count++] = (unsigned)strtoul(at, &end, 10);
        if (*end != '-')
            break;
    }
    return b;
}

unsigned blocks_order(const struct blocks *b)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < b->count; i++)
        sum += b->order[i];
    return sum;
}

unsigned blocks_longest(const struct blocks *b)
{
    unsigned most = 0;

    for (unsigned i = 0; i < b->count; i++)
        most = b->order[i] > most ? b->order[i] : most;
    return most;
}

bool blocks_equal(const struct blocks *b)
{
    return blocks_order(b) == b->count * blocks_longest(b);
}

uint64_t blocks_elements(const struct blocks *b)
{
    return (uint64_t)b->per_node << blocks_order(b);
}

uint32_t drawn(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

/* 0, 1, .. count - 1, or, at random, in another order. */
static void shuffled(unsigned *list, unsigned count, uint64_t *state)
{
    for (unsigned i = 0; i < count; i++) {
        const unsigned j = state ? drawn(state, i + 1) : i;
        list[i] = list[j];
        list[j] = i;
    }
}

struct text {
    char *buffer;
    size_t size, used;
    uint64_t *state;
};

/* `before` goes first: '-' within a cycle, '+' or '=' where one begins. */
static void say_dim(struct text *x, char before, unsigned dim)
{
    const char *mark = x->state && drawn(x->state, 4) == 0 ? "~" : "";

    x->used +=
        (size_t)snprintf(x->buffer + x->used, x->size - x->used, "%c%s%u", before, mark, dim);
}

void blocks_workload(const struct blocks *b, uint32_t layout, char *buffer, size_t size)
{
    uint64_t random = layout;
    struct text x = {buffer, size, 0, layout ? &random : NULL};
    unsigned k = 0, whole = 0, storage[32], processor[32];
    unsigned s = 0, p = blocks_order(b);

    while (UINT32_C(1) << k < b->per_node)
        k++;
    /* Dimensions that the slots 0..K-1 fill. */
    while (b->per_node % (UINT32_C(2) << whole) == 0)
        whole++;
    shuffled(storage, whole, x.state);
    shuffled(processor, p, x.state);
    unsigned spare = whole - b->count;
    x.used = (size_t)snprintf(buffer, size, "gsh:cycle");
    for (unsigned i = 0; i < b->count; i++) {
        char before = i == 0 ? '=' : x.state && drawn(x.state, 2) ? '-' : '+';
        for (unsigned j = 0; j < b->order[i]; j++, before = '-')
            say_dim(&x, before, k + processor[--p]);
        say_dim(&x, '-', storage[s++]);
        /* To the right of a block's storage dimension: no part of it. */
        for (; x.state && spare && drawn(x.state, 3) == 0; spare--)
            say_dim(&x, '-', storage[s++]);
    }
    snprintf(buffer + x.used, size - x.used, ",K=%u", b->per_node);
}

void blocks_topology(const struct blocks *b, char *buffer, size_t size)
{
    snprintf(buffer, size, "cube:%u", blocks_order(b));
}

uint32_t theorem_1(unsigned r, uint32_t per_node)
{
    if (r <= 3 || per_node <= 8)
        return per_node / 2 + r - 1;
    return per_node <= 2 * (r + 1) ? r + 3 : per_node / 2 + 2;
}

/* Every dimension but the first of a block idles in the first step or in another, so nothing is
 * gained by more rows than dimensions; with as few rows as blocks none starts elsewhere. */
uint32_t parity_steps(const struct blocks *b)
{
    const unsigned order = blocks_order(b);

    if (b->per_node >= 2 * order)
        return b->per_node / 2 + (order > b->count);
    return order + (b->per_node / 2 > b->count);
}

uint32_t least_steps(const struct blocks *b)
{
    const unsigned order = blocks_order(b);
    const uint32_t moved = b->per_node / 2 + (order > b->count && b->per_node > 2);

    return moved > order ? moved : order;
}
