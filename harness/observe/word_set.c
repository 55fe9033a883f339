/* SPDX-License-Identifier: Apache-2.0 */
/* A hash set of words. Knows nothing of what they mean. */
#include "observe/word_set.h"

#include <stdlib.h>

#include "base/rng.h"

static uint64_t *place(uint64_t *table, size_t size, uint64_t word)
{
    size_t at = ec_rng_draw(word, 0) & (size - 1);
    while (table[at] && table[at] != word)
        at = (at + 1) & (size - 1);
    return &table[at];
}

static bool grow(struct word_set *s)
{
    const size_t size = s->size ? 2 * s->size : 1024;
    uint64_t *table = calloc(size, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < s->size; i++) {
        if (s->table[i])
            *place(table, size, s->table[i]) = s->table[i];
    }
    free(s->table);
    s->table = table;
    s->size = size;
    return true;
}

void word_set_add(struct word_set *s, uint64_t word)
{
    if (word == 0 || s->full)
        return;
    if (2 * s->count >= s->size && !grow(s)) {
        s->full = true;
        return;
    }
    uint64_t *at = place(s->table, s->size, word);
    if (*at)
        return;
    if (s->count == WORD_SET_MAX) {
        s->full = true;
        return;
    }
    *at = word;
    s->count++;
}

void word_set_close(struct word_set *s)
{
    free(s->table);
    *s = (struct word_set){0};
}
