/* SPDX-License-Identifier: Apache-2.0 */
/* Lists that grow by doubling. */
#ifndef EC_LIST_H
#define EC_LIST_H

#include <stddef.h>

/* Room for one more entry of `size` bytes behind `count` entries of a malloc'd list, which has
 * *room. Returns the list, which may have moved; NULL: out of memory, the list is unchanged. */
void *ec_list_grow(void *list, size_t size, size_t count, size_t *room);

#endif
