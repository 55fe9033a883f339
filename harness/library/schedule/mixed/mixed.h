/* SPDX-License-Identifier: Apache-2.0 */
/* Mixed GSH: the blocks (constituting mixed GSH) of a permutation; the seats of elements, two in
 * every node, which an exchange distinguishes; and tables of which row of seats exchanges which
 * dimensions in which step. docs/study/GSH-MIXED.md has the proofs. */
#pragma once

#include "schedule/plan/plan.h"

#define MIXED_BLOCKS_MAX (EC_SDP_DIMS_MAX / 2)

/* A constituting mixed GSH (alpha_r .. alpha_1 | alpha_0). */
struct mixed_block {
    unsigned order;               /* r */
    uint8_t dim[EC_SDP_DIMS_MAX]; /* dim[i] = alpha_i, a bit of machine addresses; i = 0..r */
    uint32_t nodes;               /* alpha_1..alpha_r as bits of node numbers */
};

/* The blocks of all cycles. Complements cost nothing: the schedule is that of the permutation
 * without them, with node p renamed p ^ relabel. */
struct mixed_gsh {
    const char *name;  /* of the algorithm, for messages */
    unsigned storage;  /* k */
    uint32_t nodes;    /* 2^n */
    uint32_t per_node; /* K, even */
    uint32_t rows;     /* K/2 pairs of elements in packets: ceil(K/2B) */
    uint32_t packet;   /* B, at most K/2 */
    uint32_t relabel;
    unsigned blocks;  /* beta */
    unsigned order;   /* sigma_r, of all blocks */
    unsigned longest; /* the largest r_b */
    struct mixed_block block[MIXED_BLOCKS_MAX];
};

/* EC_USAGE: the workload is not a permutation of address bits, or not all of its cycles that leave
 * the node are mixed. */
enum ec_code mixed_gsh_of(const struct plan *p, struct mixed_gsh *ret, struct ec_error *reterr);

/* How the two slots of a seat depend on the number of the node: they differ in the bits `across`;
 * in a node whose bits in block b have an odd number of 1s, the bits odd[b] of both are inverted.
 * EC_EXCHANGE_PARITY is the parity of an element's machine address under `summed`. */
struct mixed_frame {
    uint32_t across, summed;
    uint32_t odd[MIXED_BLOCKS_MAX];
};

/* Two slots in every node: base and base ^ across in nodes where all blocks are even. */
struct mixed_seat {
    uint32_t base;
    uint8_t frame; /* of the table */
};

/* Row `row` exchanges `storage` with `processor` (dimensions) in `step`. */
struct mixed_cell {
    uint32_t row, step;
    uint8_t storage, processor;
};

/* Before `step`: of the elements of two rows in a node, those whose machine address has an even
 * number of 1s under `mask` go on in row `even`, the others in row `even` + 1. */
struct mixed_sync {
    uint32_t step, even;
    uint64_t mask;
};

/* A schedule of rows while it is made. Row i has the seats seat[first[i]] .. seat[first[i + 1] -
 * 1]; a row of a packet schedule has as many as a packet has elements. */
struct mixed_table {
    const struct mixed_gsh *g;
    struct mixed_frame frame[MIXED_BLOCKS_MAX + 3];
    unsigned frames;
    struct mixed_seat *seat;
    uint32_t *first;
    struct mixed_cell *cell;
    struct mixed_sync *sync;
    uint32_t rows, seats;
    size_t cells, syncs;
    size_t seat_room, first_room, cell_room, sync_room;
    bool aligned; /* elements change to their seat's slot in an even node before step 1, so that
                     plain seats keep one slot all the way */
    bool printed; /* negative control: as the paper's text says, although it is wrong */
    bool memory_short;
};

void mixed_table_close(struct mixed_table *t);
/* A lack of memory is remembered and reported by mixed_play(). */
unsigned mixed_frame_add(struct mixed_table *t, struct mixed_frame f);
/* The frame of seats that exchange only alpha_0s. */
struct mixed_frame mixed_plain_frame(const struct mixed_gsh *g);
/* A new row, without seats; seats go to the last row. */
uint32_t mixed_row_add(struct mixed_table *t);
void mixed_seat_add(struct mixed_table *t, struct mixed_seat s);
/* Row `row` exchanges `storage` with alpha_i of block b, i = from..to, from `step` on. Returns the
 * first step after that. */
uint32_t mixed_visit(struct mixed_table *t, uint32_t row, uint32_t step, unsigned storage,
                     unsigned b, unsigned from, unsigned to);
void mixed_sync_add(struct mixed_table *t, uint32_t step, uint32_t even, uint64_t mask);

/* The seats of all elements. The edges of a block are pairs of seats whose rows can start in it by
 * exchanging v instead of alpha_0. */
struct mixed_seating {
    uint8_t v; /* a free storage dimension, or EC_EXCHANGE_PARITY, if any block has edges */
    struct mixed_seat *edge;          /* two seats each, by block */
    uint32_t first[MIXED_BLOCKS_MAX]; /* of the block's edges, in pairs */
    uint32_t edges;
    struct mixed_seat *plain; /* the others */
    uint32_t plains;
};

/* Seats for all elements, edges[b] pairs of them for block b (NULL: none). `parity`: v is no
 * storage dimension; several blocks only. EC_USAGE: K has no room for the edges. Release with
 * mixed_seating_close(). */
enum ec_code mixed_seating_open(struct mixed_table *t, const uint32_t *edges, bool parity,
                                struct mixed_seating *ret, struct ec_error *reterr);
void mixed_seating_close(struct mixed_seating *s);
/* Turn the table into transfers of every element. EC_INTERNAL if it is not a schedule: not exactly
 * one of the two elements of a seat crosses. */
enum ec_code mixed_play(struct plan *p, const struct mixed_gsh *g, struct mixed_table *t,
                        struct ec_error *reterr);

/* All rows of the table, of plain seats, a packet each; the last one may be shorter. */
enum ec_code mixed_plain_rows(struct mixed_table *t, struct ec_error *reterr);
/* The steps of mixed_pipelined(). */
uint32_t mixed_pipelined_steps(struct mixed_table *t);

/* An algorithm without seats: sigma_r steps. EC_USAGE: several blocks, or too many rows. */
enum ec_code mixed_lockstep(struct plan *p, const struct mixed_gsh *g, struct ec_error *reterr);

/* Five steps, from a list of blocks and K. EC_USAGE: they are not in it. */
enum ec_code mixed_stored(struct plan *p, const struct mixed_gsh *g, struct ec_error *reterr);

/* The other algorithms, as their tables. */
enum ec_code mixed_one_port(struct mixed_table *t, struct ec_error *reterr);
enum ec_code mixed_pipelined(struct mixed_table *t, struct ec_error *reterr);
enum ec_code mixed_concurrent(struct mixed_table *t, struct ec_error *reterr);
enum ec_code mixed_parity(struct mixed_table *t, struct ec_error *reterr);
enum ec_code mixed_aapc(struct mixed_table *t, struct ec_error *reterr);
enum ec_code mixed_aapc_concurrent(struct mixed_table *t, struct ec_error *reterr);
enum ec_code mixed_aapc_parity(struct mixed_table *t, struct ec_error *reterr);
