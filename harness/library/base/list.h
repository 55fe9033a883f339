/* SPDX-License-Identifier: Apache-2.0 */
/* Lists that grow by doubling. Must not know what is in them. */
#ifndef EC_LIST_H
#define EC_LIST_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Room for one more entry of `size` bytes behind `count` entries of a malloc'd list, which has
 * *room. Returns the list, which may have moved; NULL: out of memory, the list is unchanged. */
static inline void *ec_list_grow(void *list, size_t size, size_t count, size_t *room)
{
    enum { FIRST_ROOM = 64 };
    if (count < *room)
        return list;
    const size_t more = *room ? 2 * *room : FIRST_ROOM;
    void *grown = more <= SIZE_MAX / 2 / size ? realloc(list, more * size) : NULL;
    if (grown)
        *room = more;
    return grown;
}

#endif
