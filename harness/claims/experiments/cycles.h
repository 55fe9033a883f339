/* SPDX-License-Identifier: Apache-2.0 */
/* Generalized shuffles (GSH): the words of their workloads, and the grid of several blocks. */
#ifndef CLAIMS_CYCLES_H
#define CLAIMS_CYCLES_H

#include "claims/experiment.h"

/* One cycle on cube:(order + spectators) with K elements per node. alpha_i is the i-th processor
 * dimension (i = 1..order; for a real cycle 0..order-1); alpha_0 of a mixed cycle is storage
 * dimension 0. Bit i of `inverted`: data are inverted on arrival in alpha_i. */
struct gsh {
    bool real;
    unsigned order;      /* sigma_r */
    unsigned spectators; /* processor dimensions that do not move */
    uint32_t per_node;   /* K */
    uint32_t inverted;
};

/* "cube:3 gsh:cycle=5-4-3-0,K=8". */
void gsh_words(const struct gsh *g, char *buffer, size_t size);

/* --- Several blocks --------------------------------------------------------------------------- */

enum { ORDERS_MAX = 6 };

/* A permutation as arguments of the command line, "cube:4" and "gsh:cycle=7-6-5-0,K=16,m=2", and
 * its name in texts, "orders 3,1, K=16". */
struct shuffle {
    char topology[16], workload[160], name[80];
    unsigned dims; /* n */
    uint32_t per_node, words;
};

/* The orders that are the digits of a number; returns how many. */
unsigned orders_of(uint64_t digits, unsigned *ret_order);
/* One cycle of `count` constituting mixed GSH of these orders. Block b has storage dimension b. K
 * is a multiple of 2^count. */
struct shuffle mixed_shuffle(const unsigned *order, unsigned count, uint32_t per_node,
                             uint32_t words);
/* beta real cycles of two dimensions: the bit reversal of 2 beta processor dimensions. */
struct shuffle two_cycles_shuffle(unsigned beta, uint32_t per_node, uint32_t words);

/* The grid MUL: orders of several blocks, and K. */
struct multi {
    unsigned order[ORDERS_MAX], blocks;
    unsigned sigma_r, longest;
    bool equal; /* orders */
    uint32_t per_node;
    bool audited; /* element by element; else only formulas */
    bool timed;   /* on RTL too */

    /* The rest is the iterator's. */
    bool full;
    unsigned blocks_max, order_max, sigma_max, next_K;
};
struct multi multi_grid(const struct claims_run *run);
bool multi_next(struct multi *g);
/* One given case. */
struct multi multi_of(const struct claims_run *run, unsigned count, const unsigned *order,
                      uint32_t per_node);
struct shuffle multi_words(const struct multi *g, uint32_t words);
/* Orders (in digits) and K for which the search of `pipelined`, over all block sizes and all cyclic
 * orders of blocks, takes one step more than the lower bound of pipelining. All have K = 16; five
 * have three blocks (4,4,1 to 6,5,1), the others four (3,3,2,1 to 6,4,1,1). */
bool multi_is_open(uint64_t digits, uint64_t per_node);

/* PKT for blocks: B, t_s and the words of an element. */
struct block_packet {
    uint32_t block, startup, words;

    uint32_t most; /* the iterator's */
    unsigned next;
    bool full;
};
struct block_packet block_packets(const struct claims_run *run, uint32_t most); /* B <= most */
bool block_packet_next(struct block_packet *p);

#endif
