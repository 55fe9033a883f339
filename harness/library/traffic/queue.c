/* SPDX-License-Identifier: Apache-2.0 */
/* A binary heap. Must not know what a message is. */
#include "traffic/queue.h"

#include <stdlib.h>

static bool before(const struct queued *a, const struct queued *b)
{
    return a->ready < b->ready || (a->ready == b->ready && a->number < b->number);
}

bool queue_push(struct queue *q, struct queued x)
{
    if (q->count == q->room) {
        const uint32_t room = q->room ? 2 * q->room : 4;
        struct queued *heap = room > q->room ? realloc(q->heap, room * sizeof *heap) : NULL;
        if (!heap)
            return false;
        q->heap = heap;
        q->room = room;
    }
    uint32_t i = q->count++;
    for (; i > 0 && before(&x, &q->heap[(i - 1) / 2]); i = (i - 1) / 2)
        q->heap[i] = q->heap[(i - 1) / 2];
    q->heap[i] = x;
    return true;
}

struct queued queue_pop(struct queue *q)
{
    const struct queued top = q->heap[0], x = q->heap[--q->count];
    uint32_t i = 0;
    for (uint32_t child; (child = 2 * i + 1) < q->count; i = child) {
        if (child + 1 < q->count && before(&q->heap[child + 1], &q->heap[child]))
            child++;
        if (!before(&q->heap[child], &x))
            break;
        q->heap[i] = q->heap[child];
    }
    q->heap[i] = x;
    return top;
}
