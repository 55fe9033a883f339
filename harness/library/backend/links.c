/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of what is on links. See backend/links.h. */
#include "backend/links.h"

#include <stdlib.h>
#include <string.h>

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
    const size_t size = l->size ? 2 * l->size : FIRST_SIZE, head = l->size - l->first;
    struct on_link *ring = malloc(size * sizeof *ring);
    if (!ring) {
        l->memory_short = true;
        return false;
    }
    if (l->count) { /* it is full */
        memcpy(ring, l->ring + l->first, head * sizeof *ring);
        memcpy(ring + head, l->ring, l->first * sizeof *ring);
    }
    free(l->ring);
    l->ring = ring;
    l->first = 0;
    l->size = size;
    return true;
}
