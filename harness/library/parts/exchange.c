/* SPDX-License-Identifier: Apache-2.0 */
/* What all transports share, and the transport of a single part. Knows bytes and numbers; must not
 * know threads. */
#include "parts/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts/transport.h"

bool exchange_room(struct exchange_bytes *b, size_t size)
{
    if (size <= b->room)
        return true;
    size_t room = b->room ? b->room : 1024;
    while (room < size && room <= SIZE_MAX / 4)
        room *= 2;
    void *data;
    if (room < size || posix_memalign(&data, EXCHANGE_ALIGN, room))
        return false;
    if (b->size)
        memcpy(data, b->data, b->size);
    if (b->room)
        free(b->data);
    b->data = data;
    b->room = room;
    return true;
}

bool exchange_keep(struct exchange_bytes *b, const void *bytes, size_t size)
{
    b->size = 0; /* nothing to be moved */
    if (!exchange_room(b, size))
        return false;
    if (size)
        memcpy(b->data, bytes, size);
    b->size = size;
    return true;
}

void exchange_free(struct exchange_bytes *b)
{
    if (b->room)
        free(b->data);
    *b = (struct exchange_bytes){0};
}

void exchange_end_set(struct exchange_end *end, enum ec_code code, const char *why)
{
    if (end->code != EC_OK)
        return;
    snprintf(end->why, sizeof end->why, "%s", *why ? why : "aborted");
    end->code = code;
}

struct alone {
    struct exchange x;
    struct exchange_bytes gathered;
    struct exchange_end end;
};

static bool alone_swap(struct exchange *x, uint64_t *values, const enum exchange_fold *fold,
                       size_t count)
{
    (void)values, (void)fold, (void)count;
    return ((struct alone *)x)->end.code == EC_OK;
}

static bool alone_fold(struct exchange *x, uint64_t *values, size_t count, enum exchange_fold fold)
{
    (void)values, (void)fold, (void)count;
    return ((struct alone *)x)->end.code == EC_OK;
}

static void alone_abort(struct exchange *x, enum ec_code code, const char *why)
{
    exchange_end_set(&((struct alone *)x)->end, code, why);
}

static bool alone_gather(struct exchange *x, const void *bytes, size_t size, bool everyone,
                         const struct exchange_bytes **ret)
{
    struct alone *a = (struct alone *)x;
    (void)everyone;
    *ret = NULL;
    if (a->end.code != EC_OK)
        return false;
    if (!exchange_keep(&a->gathered, bytes, size)) {
        alone_abort(x, EC_MEMORY, "out of memory for what a part gathers");
        return false;
    }
    *ret = &a->gathered;
    return true;
}

static const struct exchange_end *alone_end(const struct exchange *x)
{
    return &((const struct alone *)x)->end;
}

static const struct exchange_ops alone_ops = {
    .swap = alone_swap,
    .fold = alone_fold,
    .gather = alone_gather,
    .abort = alone_abort,
    .end = alone_end,
};

void alone_run(parts_body *body, void *context)
{
    struct alone a = {.x = {.ops = &alone_ops, .parts = 1}};
    body(context, &a.x);
    exchange_free(&a.gathered);
}
