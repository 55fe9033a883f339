/* SPDX-License-Identifier: Apache-2.0 */
/* Lists that grow by doubling. Must not know what is in them. */
#include "base/list.h"

#include <stdint.h>
#include <stdlib.h>

#define FIRST_ROOM 64

void *ec_list_grow(void *list, size_t size, size_t count, size_t *room)
{
    if (count < *room)
        return list;
    const size_t more = *room ? 2 * *room : FIRST_ROOM;
    void *grown = more <= SIZE_MAX / 2 / size ? realloc(list, more * size) : NULL;
    if (grown)
        *room = more;
    return grown;
}
