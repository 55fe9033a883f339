/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of counters with a list of free entries. Must not know packets. */
#include "traffic/assembly.h"

#include <stdlib.h>

#include "base/list.h"
#include "ecube/topology.h"

void assembly_reset(struct assembly *a)
{
    a->count = a->free = 0;
    lookup_clear(&a->entry);
}

void assembly_free(struct assembly *a)
{
    free(a->at);
    lookup_free(&a->entry);
    *a = (struct assembly){0};
}

static uint32_t take_entry(struct assembly *a)
{
    if (a->free) {
        const uint32_t entry = a->free - 1;
        a->free = (uint32_t)a->at[entry].key;
        return entry;
    }
    if (!ec_list_room(&a->at, sizeof *a->at, a->count, &a->room))
        return EC_NONE;
    return a->count++;
}

uint32_t assembly_begin(struct assembly *a, uint32_t node, uint32_t src, uint32_t message,
                        uint32_t words, bool request)
{
    const uint64_t key = (uint64_t)src << 32 | message;
    const uint32_t known = lookup_find(&a->entry, key);
    if (known != LOOKUP_NONE)
        return known;
    const uint32_t entry = take_entry(a);
    if (entry == EC_NONE || !lookup_add(&a->entry, key, entry))
        return EC_NONE;
    a->at[entry] = (struct assembled){key, words, request ? words : 0, node};
    return entry;
}

static void release(struct assembly *a, uint32_t entry)
{
    a->at[entry] = (struct assembled){.key = a->free};
    a->free = entry + 1;
}

static void release_if_done(struct assembly *a, uint32_t entry)
{
    if (a->at[entry].arriving > 0 || a->at[entry].accepting > 0)
        return;
    lookup_remove(&a->entry, a->at[entry].key);
    release(a, entry);
}

bool assembly_arrived(struct assembly *a, uint32_t entry, uint32_t words, uint32_t *ret_message)
{
    *ret_message = (uint32_t)a->at[entry].key;
    a->at[entry].arriving -= words;
    const bool complete = a->at[entry].arriving == 0;
    release_if_done(a, entry);
    return complete;
}

bool assembly_accepted(struct assembly *a, uint32_t entry, uint32_t words)
{
    a->at[entry].accepting -= words;
    const bool complete = a->at[entry].accepting == 0;
    release_if_done(a, entry);
    return complete;
}

/* Entries keep their order, and thus their distances. */
void assembly_state(struct assembly *a, struct state *state, const struct nodes_own *own)
{
    if (!state->file)
        state_save_list(state, a->at, a->count * sizeof *a->at);
    for (size_t part = 0; state->file && part < state->file->parts; part++) {
        size_t size;
        const struct assembled *from = state_load_list(state, part, &size);
        state->moved[part] = a->count;
        for (size_t i = 0; !state->failed && i < size / sizeof *from; i++) {
            const bool taken = from[i].arriving > 0 || from[i].accepting > 0;
            size_t count = a->count;
            state->failed = !EC_LIST_PUSH(a->at, count, a->room, from[i]);
            if (state->failed)
                return;
            a->count = (uint32_t)count;
            if (!taken || !nodes_own_has(own, from[i].node))
                release(a, a->count - 1);
            else
                state->failed = !lookup_add(&a->entry, from[i].key, a->count - 1);
        }
    }
}
