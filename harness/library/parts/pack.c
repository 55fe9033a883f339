/* SPDX-License-Identifier: Apache-2.0 */
/* Packed numbers. Reads no byte beyond the end of what it was given. */
#include "parts/pack.h"

#include <stdlib.h>

enum { FIRST_ROOM = 4096 };

static bool grow(struct pack *p)
{
    const size_t room = p->room ? 2 * p->room : FIRST_ROOM;
    unsigned char *data = realloc(p->data, room);
    if (!data)
        return false;
    p->data = data;
    p->room = room;
    return true;
}

void pack_number(struct pack *p, uint64_t number)
{
    if (p->room - p->size < PACK_MOST && !grow(p)) {
        p->memory_short = true;
        return;
    }
    p->size = (size_t)(pack_put(p->data + p->size, number) - p->data);
}

uint64_t unpack_number(struct unpack *u)
{
    uint64_t number = 0;
    for (unsigned shift = 0; u->at < u->end && shift < 7 * PACK_MOST; shift += 7) {
        const unsigned char byte = *u->at++;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    u->damaged = true;
    u->at = u->end;
    return 0;
}
