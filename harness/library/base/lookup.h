/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table from 64-bit keys to 32-bit numbers. Must not know what they are. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define LOOKUP_NONE UINT32_MAX

/* Zeroed: empty. */
struct lookup {
    struct lookup_entry *entry; /* [size] owned */
    uint32_t size, count;       /* size: a power of two, at least twice the count; or 0 */
};

/* The number of a key, or LOOKUP_NONE. */
uint32_t lookup_find(const struct lookup *l, uint64_t key);
/* The key is new, and the number is not LOOKUP_NONE. False if memory is short. */
bool lookup_add(struct lookup *l, uint64_t key, uint32_t number);
/* The key is known. */
void lookup_remove(struct lookup *l, uint64_t key);
void lookup_clear(struct lookup *l);
void lookup_free(struct lookup *l);
