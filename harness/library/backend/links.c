/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of what is on links. See backend/links.h. */
#include "backend/links.h"

#include "base/list.h"

enum { FIRST_SIZE = 256 };

void tiles_links_reset(struct tiles_links *l)
{
    memset(l->due, 0, sizeof l->due);
    l->first = l->count = 0;
    l->turn = 0;
    l->memory_short = false;
}

void tiles_links_close(struct tiles_links *l)
{
    free(l->ring);
    *l = (struct tiles_links){0};
}

bool tiles_links_grow(struct tiles_links *l)
{
    const bool room =
        ec_ring_room(&l->ring, sizeof *l->ring, &l->first, l->count, &l->size, FIRST_SIZE);
    l->memory_short |= !room;
    return room;
}
