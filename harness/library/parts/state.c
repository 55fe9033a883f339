/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of the state of a run, written and read. See parts/state.h. */
#include "parts/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

/* Before the bytes of a unit. */
struct unit_header {
    uint64_t number, size;
};

bool state_open(struct state *s, const struct state_file *file, bool first)
{
    *s = (struct state){.file = file, .first = first};
    if (!file)
        return true;
    s->at = calloc(file->parts, sizeof *s->at);
    s->moved = calloc(file->parts, sizeof *s->moved);
    return s->at && s->moved;
}

void state_close(struct state *s)
{
    free(s->common.data);
    free(s->units.data);
    free(s->at);
    free(s->moved);
    *s = (struct state){0};
}

/* --- Bytes ------------------------------------------------------------------------------------ */

static void append(struct state *s, struct state_bytes *b, const void *at, size_t size)
{
    while (!s->failed && b->room - b->size < size)
        s->failed = !ec_list_room(&b->data, 1, b->room, &b->room);
    if (s->failed)
        return;
    if (size > 0)
        memcpy(b->data + b->size, at, size);
    b->size += size;
}

static size_t aligned(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

void state_save_list(struct state *s, const void *list, size_t size)
{
    static const unsigned char zeros[8];
    const uint64_t length = size;
    append(s, &s->common, &length, sizeof length);
    append(s, &s->common, list, size);
    append(s, &s->common, zeros, aligned(size) - size);
}

const void *state_load_list(struct state *s, size_t part, size_t *ret_size)
{
    const struct state_bytes *from = &s->file->common[part];
    const size_t left = from->size - s->at[part];
    uint64_t size = 0;
    *ret_size = 0;
    s->failed = s->failed || left < sizeof size;
    if (!s->failed)
        memcpy(&size, from->data + s->at[part], sizeof size);
    s->failed = s->failed || size > left - sizeof size || aligned(size) > left - sizeof size;
    if (s->failed)
        return NULL;
    const void *list = from->data + s->at[part] + sizeof size;
    s->at[part] += sizeof size + aligned(size);
    *ret_size = size;
    return list;
}

/* --- Common bytes ----------------------------------------------------------------------------- */

#define FOLD_LEAST(type)                                                                           \
    for (size_t i = 0; i < size / sizeof(type); i++) {                                             \
        if (((const type *)from)[i] < ((type *)to)[i])                                             \
            ((type *)to)[i] = ((const type *)from)[i];                                             \
    }

/* Fold what another part has into what the first one had. */
static void fold_bytes(enum state_fold fold, void *to, const void *from, size_t size)
{
    const uint64_t *const more = from;
    uint64_t *const all = to;
    for (size_t i = 0; (fold == STATE_SUM || fold == STATE_MAX) && i < size / sizeof *all; i++)
        all[i] = fold == STATE_SUM ? all[i] + more[i] : all[i] > more[i] ? all[i] : more[i];
    if (fold == STATE_MIN)
        FOLD_LEAST(uint64_t)
    if (fold == STATE_MIN_32)
        FOLD_LEAST(uint32_t)
    if (fold == STATE_MIN_8)
        FOLD_LEAST(uint8_t)
}

void state_common(struct state *s, enum state_fold fold, void *at, size_t size)
{
    if (!s->file) {
        state_save_list(s, at, size);
        return;
    }
    const bool first_only = fold == STATE_FIRST || fold == STATE_SUM;
    for (size_t part = 0; part < s->file->parts; part++) {
        size_t there;
        const void *from = state_load_list(s, part, &there);
        const bool ignored = first_only && (!s->first || (fold == STATE_FIRST && part > 0));
        s->failed = s->failed || (there != size && !ignored);
        if (s->failed)
            return;
        if (ignored && fold == STATE_SUM)
            memset(at, 0, size);
        else if (!ignored && part == 0 && size > 0)
            memcpy(at, from, size);
        else if (!ignored)
            fold_bytes(fold, at, from, size);
    }
}

/* --- Units ------------------------------------------------------------------------------------ */

void state_unit(struct state *s, size_t number)
{
    const struct unit_header header = {.number = number};
    if (!s->file) {
        s->begin = s->units.size;
        append(s, &s->units, &header, sizeof header);
        return;
    }
    s->failed = s->failed || number >= s->file->units || !s->file->unit[number].data;
    if (s->failed)
        return;
    s->next = s->file->unit[number].data;
    s->left = s->file->unit[number].size;
    s->part = s->file->unit[number].part;
}

void state_unit_end(struct state *s)
{
    if (s->file) {
        s->failed = s->failed || s->left != 0;
    } else if (!s->failed) {
        const uint64_t size = s->units.size - s->begin - sizeof(struct unit_header);
        memcpy(s->units.data + s->begin + offsetof(struct unit_header, size), &size, sizeof size);
    }
}

void state_visit(struct state *s, void *at, size_t size)
{
    if (!s->file) {
        append(s, &s->units, at, size);
        return;
    }
    s->failed = s->failed || size > s->left;
    if (s->failed)
        return;
    if (size > 0)
        memcpy(at, s->next, size);
    s->next += size;
    s->left -= size;
}

void state_ring(struct state *s, void *ring_at, size_t size, size_t *first, size_t *count,
                size_t *room)
{
    uint64_t entries = *count;
    unsigned char *ring;
    STATE_VISIT(s, entries);
    if (s->file) {
        s->failed = s->failed || entries > s->left / size;
        *first = *count = 0;
        while (!s->failed && *room < entries) {
            *first = 0;
            s->failed = !ec_ring_room(ring_at, size, first, *room, room, 4);
        }
        if (!s->failed)
            *count = entries;
    }
    memcpy(&ring, ring_at, sizeof ring);
    for (size_t i = 0; !s->failed && i < entries; i++)
        state_visit(s, ring + ((*first + i) & (*room - 1)) * size, size);
}
