/* SPDX-License-Identifier: Apache-2.0 */
/* Lists and rings that grow by doubling, and the arrays of a struct, which begin as zeros and are
 * cleared and freed together: each of these is listed in one place, where it is made. Must not know
 * what is in them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* The same for the list that the pointer at `list_at` points to, which may move. False: out of
 * memory. */
static inline bool ec_list_room(void *list_at, size_t size, size_t count, size_t *room)
{
    void *list;
    memcpy(&list, list_at, sizeof list); /* a pointer of any type */
    void *const grown = ec_list_grow(list, size, count, room);
    if (grown)
        memcpy(list_at, &grown, sizeof grown);
    return grown != NULL;
}

/* Append a value to `list`, which has `count` entries and room for `room`: three variables. False:
 * out of memory. */
#define EC_LIST_PUSH(list, count, room, ...)                                                       \
    (ec_list_room(&(list), sizeof *(list), (count), &(room)) &&                                    \
     ((list)[(count)++] = (__VA_ARGS__), true))

/* A ring has `count` entries from number `first` on, modulo its room, which is a power of two. If
 * it is full, it gets twice the room, at first `least`, and begins at 0 again. False: out of
 * memory. */
static inline bool ec_ring_room(void *ring_at, size_t size, size_t *first, size_t count,
                                size_t *room, size_t least)
{
    unsigned char *ring, *grown;
    if (count < *room)
        return true;
    const size_t more = *room ? 2 * *room : least, head = (*room - *first) * size;
    memcpy(&ring, ring_at, sizeof ring);
    grown = more <= SIZE_MAX / 2 / size ? malloc(more * size) : NULL;
    if (!grown)
        return false;
    if (count > 0) {
        memcpy(grown, ring + *first * size, head);
        memcpy(grown + head, ring, *first * size);
    }
    free(ring);
    memcpy(ring_at, &grown, sizeof grown);
    *first = 0;
    *room = more;
    return true;
}

/* Append a value; `room` is `least` at first. Four variables. */
#define EC_RING_PUSH(ring, first, count, room, least, ...)                                         \
    (ec_ring_room(&(ring), sizeof *(ring), &(first), (count), &(room), (least)) &&                 \
     ((ring)[((first) + (count)++) & ((room)-1)] = (__VA_ARGS__), true))

/* --- The arrays of a struct ------------------------------------------------------------------- */

enum { EC_ARRAYS_MOST = 64 };

/* Zeroed: none. */
struct ec_arrays {
    struct {
        void *at;
        size_t bytes;
    } array[EC_ARRAYS_MOST];
    size_t count;
    bool memory_short; /* an array is missing */
};

/* `p` becomes an array of `count` zeros; NULL: out of memory. Pages that are never written need no
 * memory. */
#define EC_ARRAY(arrays, p, count) ((p) = ec_arrays_add((arrays), (count), sizeof *(p)))

static inline void *ec_arrays_add(struct ec_arrays *a, size_t count, size_t size)
{
    void *at = a->count < EC_ARRAYS_MOST ? calloc(count ? count : 1, size) : NULL;
    a->memory_short |= !at;
    if (at) {
        a->array[a->count].at = at;
        a->array[a->count++].bytes = count * size;
    }
    return at;
}

/* All arrays have zeros again. */
static inline void ec_arrays_clear(struct ec_arrays *a)
{
    for (size_t i = 0; i < a->count; i++)
        memset(a->array[i].at, 0, a->array[i].bytes);
}

static inline void ec_arrays_free(struct ec_arrays *a)
{
    for (size_t i = 0; i < a->count; i++)
        free(a->array[i].at);
    a->count = 0;
}
