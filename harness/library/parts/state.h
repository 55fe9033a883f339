/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a run, as bytes. One function of each module visits what the module must not forget,
 * and serves both directions: saving writes what it visits, loading reads it in the same order.
 *
 * There are two kinds of bytes. *Units* belong to one node or router, whichever part has it. The
 * *common* bytes of a part are what else it knows. So another number of parts can load them: each
 * part finds its units, and sees the common bytes of all parts that saved. Must not know what the
 * bytes mean. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct state_bytes {
    unsigned char *data;
    size_t size, room;
};

/* What a file has; read only. */
struct state_file {
    size_t parts;               /* that saved */
    struct state_bytes *common; /* [parts] */
    struct state_unit {
        const unsigned char *data;
        size_t size;
        size_t part; /* that saved it */
    } * unit;        /* [units] by number: nodes, then routers; data NULL: missing */
    size_t units;
};

struct state {
    const struct state_file *file;    /* NULL: save */
    bool first;                       /* load what only one part may have */
    bool failed;                      /* memory is short, or the bytes are damaged */
    struct state_bytes common, units; /* saved so far; owned */
    size_t *at;                       /* [file->parts] bytes of `common` that were read; owned */
    const unsigned char *next;        /* in the unit */
    size_t left;                      /* bytes of it */
    size_t part;                      /* loading: the part that saved this unit */
    uint32_t *moved; /* [file->parts] loading: by how much its indices into a list moved; owned */
    size_t begin;    /* saving: where its header is */
};

/* `file` NULL: save. False: out of memory. */
bool state_open(struct state *s, const struct state_file *file, bool first);
void state_close(struct state *s);

/* --- Common bytes ----------------------------------------------------------------------------- */

enum state_fold {
    STATE_SAME,  /* all parts have the same */
    STATE_FIRST, /* only part 0 has it, in another size than the others */
    STATE_SUM,   /* numbers of 64 bits: the first part gets the sums, the others 0 */
    STATE_MAX,   /* likewise: all get the largest */
    STATE_MIN,   /* all get the least; 64 bits, */
    STATE_MIN_32,
    STATE_MIN_8,
};

/* `size` bytes. */
void state_common(struct state *s, enum state_fold fold, void *at, size_t size);
#define STATE_COMMON(s, fold, x) state_common((s), (fold), &(x), sizeof(x))

/* A list: save it, or load that of a part that saved; it is aligned for any type. NULL and 0 if
 * loading failed. */
void state_save_list(struct state *s, const void *list, size_t size);
const void *state_load_list(struct state *s, size_t part, size_t *ret_size);

/* --- Units ------------------------------------------------------------------------------------ */

/* Begin and end the unit of a node, or with `routers` added that of a router. */
void state_unit(struct state *s, size_t number);
void state_unit_end(struct state *s);
/* Bytes of the unit. */
void state_visit(struct state *s, void *at, size_t size);
#define STATE_VISIT(s, x) state_visit((s), &(x), sizeof(x))
/* A ring, as in base/list.h. */
void state_ring(struct state *s, void *ring_at, size_t size, size_t *first, size_t *count,
                size_t *room);
