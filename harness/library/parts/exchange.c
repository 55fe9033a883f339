/* SPDX-License-Identifier: Apache-2.0 */
/* Shared code of the transports: buffers, and the reason of an end. Knows bytes; must not know
 * threads.
 */
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
