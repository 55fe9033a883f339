/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of a table of rows. Knows how they grow; must not know what makes a good schedule. */
#include <stdlib.h>

#include "schedule/mixed/mixed.h"

/* Room for one more in a list; false once memory is short. */
static bool reserve(struct mixed_table *t, void **list, size_t size, size_t count, size_t *room)
{
    if (t->memory_short || count < *room)
        return !t->memory_short;
    const size_t more = *room ? 2 * *room : 64;
    void *grown = more < SIZE_MAX / size ? realloc(*list, more * size) : NULL;
    if (!grown) {
        t->memory_short = true;
        return false;
    }
    *list = grown;
    *room = more;
    return true;
}

void mixed_table_open(struct mixed_table *t, const struct mixed_gsh *g)
{
    *t = (struct mixed_table){.g = g};
}

void mixed_table_close(struct mixed_table *t)
{
    free(t->seat);
    free(t->first);
    free(t->cell);
    free(t->sync);
}

unsigned mixed_frame_add(struct mixed_table *t, struct mixed_frame f)
{
    t->frame[t->frames] = f;
    return t->frames++;
}

struct mixed_frame mixed_plain_frame(const struct mixed_gsh *g)
{
    struct mixed_frame f = {0};

    for (unsigned b = 0; b < g->blocks; b++) {
        f.odd[b] = UINT32_C(1) << g->block[b].dim[0];
        f.across |= f.odd[b];
    }
    return f;
}

uint32_t mixed_row_add(struct mixed_table *t)
{
    /* One more than there are rows: where the last one ends. */
    if (reserve(t, (void **)&t->first, sizeof *t->first, (size_t)t->rows + 1, &t->first_room)) {
        t->first[t->rows] = t->seats;
        t->first[t->rows + 1] = t->seats;
    }
    return t->rows++;
}

void mixed_seat_add(struct mixed_table *t, struct mixed_seat s)
{
    if (!reserve(t, (void **)&t->seat, sizeof *t->seat, t->seats, &t->seat_room))
        return;
    t->seat[t->seats++] = s;
    t->first[t->rows] = t->seats;
}

uint32_t mixed_visit(struct mixed_table *t, uint32_t row, uint32_t step, unsigned storage,
                     unsigned b, unsigned from, unsigned to)
{
    for (unsigned i = from; i <= to; i++, step++) {
        if (reserve(t, (void **)&t->cell, sizeof *t->cell, t->cells, &t->cell_room))
            t->cell[t->cells++] =
                (struct mixed_cell){row, step, (uint8_t)storage, t->g->block[b].dim[i]};
    }
    return step;
}

void mixed_sync_add(struct mixed_table *t, uint32_t step, uint32_t even, uint64_t mask)
{
    if (reserve(t, (void **)&t->sync, sizeof *t->sync, t->syncs, &t->sync_room))
        t->sync[t->syncs++] = (struct mixed_sync){step, even, mask};
}
