/* SPDX-License-Identifier: Apache-2.0 */
/* Generalized shuffles (GSH): grids of one mixed or real cycle, of several blocks, of sizes, and
 * the words of their workloads. */
#ifndef CLAIMS_CYCLES_H
#define CLAIMS_CYCLES_H

#include "ec_cost_jh_multi.h"
#include "study/experiment.h"

/* One cycle on cube:(order + spectators), K elements per node. alpha_i is the i-th processor
 * dimension (i = 1..order; a real one has 0..order-1 instead); alpha_0 of a mixed one is storage
 * dimension 0. Bit i of `inverted`: inverted on arrival in alpha_i. */
struct try_gsh {
    bool real;
    unsigned order;      /* sigma_r */
    unsigned spectators; /* processor dimensions that do not move */
    uint32_t per_node;   /* K */
    uint32_t inverted;
    bool timed; /* this case also runs on RTL */

    /* The rest is the iterator's. */
    bool full, even;
    unsigned first_order, last_order;
    uint32_t first, last; /* of K */
};

/* MIX and REAL, from small to large:
 *
 *     for (struct try_gsh g = try_mixed_grid(run, 2, false); try_gsh_next(&g);)
 *
 * K doubles from `first` on; or every even K, if `even`. */
struct try_gsh try_mixed_grid(const struct claims_run *run, uint32_t first, bool even);
struct try_gsh try_real_grid(const struct claims_run *run, uint32_t first);
bool try_gsh_next(struct try_gsh *g);

/* One given case. */
struct try_gsh try_mixed_one(unsigned order, uint32_t per_node);

/* "cube:3 gsh:cycle=5-4-3-0,K=8", and of "sigma_r=3, K=8". */
void try_gsh_words(const struct try_gsh *g, char *buffer, size_t size);
void try_gsh_name(const struct try_gsh *g, char *buffer, size_t size);
/* The latter in a format: TRY_GSH_CASE takes the arguments TRY_GSH(g). */
#define TRY_GSH_CASE "sigma_r=%u, K=%u"
#define TRY_GSH(g)   (g)->order, (g)->per_node

/* --- Several blocks --------------------------------------------------------------------------- */

enum { TRY_ORDERS_MAX = 6 };

/* A permutation in the words of the command line: "cube:4" and "gsh:cycle=7-6-5-0,K=16,m=2", and
 * how texts name it: "orders 3,1, K=16". */
struct try_shuffle {
    char topology[16], workload[160], name[80];
    unsigned dims; /* n */
    uint32_t per_node, words;
};

/* One cycle of `count` constituting mixed GSH of these orders; block b has storage dimension b. K a
 * multiple of 2^count. */
struct try_shuffle try_mixed(const unsigned *order, unsigned count, uint32_t per_node,
                             uint32_t words);
/* One real cycle of order r; bit i of `inverted`: the i-th dimension from below. */
struct try_shuffle try_real(unsigned r, uint32_t per_node, uint32_t words, unsigned inverted);
/* beta real cycles of two: the bit reversal of 2 beta processor dimensions. */
struct try_shuffle try_two(unsigned beta, uint32_t per_node, uint32_t words);

/* The grid MUL: orders of several blocks, and K. */
struct try_multi {
    unsigned order[TRY_ORDERS_MAX], blocks;
    unsigned sigma_r, longest;
    bool equal; /* orders */
    uint32_t per_node;
    bool audited; /* element by element; else formulas only */
    bool timed;   /* on RTL too */

    /* The rest is the iterator's. */
    bool full;
    unsigned blocks_max, order_max, sigma_max, next_K;
};
struct try_multi try_multi(const struct claims_run *run);
bool try_multi_next(struct try_multi *g);
/* One given case. */
struct try_multi try_multi_of(const struct claims_run *run, unsigned count, const unsigned *order,
                              uint32_t per_node);
struct try_shuffle try_multi_words(const struct try_multi *g, uint32_t words);
/* For texts: the name in *x, which is filled. */
static inline const char *try_multi_name(const struct try_multi *g, struct try_shuffle *x)
{
    *x = try_multi_words(g, 1);
    return x->name;
}
static inline struct ec_cost_blocks try_multi_cost(const struct try_multi *g)
{
    return (struct ec_cost_blocks){g->order, g->blocks};
}

/* Those of the grid for which the search of `pipelined`, all sizes of blocks and all cyclic orders
 * of them, does not meet the bound of all pipelining: a step more. All have K = 16; five have three
 * blocks, from 4,4,1 to 6,5,1, the others four, from 3,3,2,1 to 6,4,1,1. */
bool try_multi_is_open(const struct try_multi *g);

/* The grid REAL (cycles of r, all K) or TWO (beta cycles of two): size, then K. */
struct try_sizes {
    unsigned size; /* r, or beta */
    uint32_t per_node;
    bool audited, timed;

    unsigned size_max, dims_each; /* the iterator's */
    bool full, odd;
};
struct try_sizes try_reals(const struct claims_run *run);
struct try_sizes try_odd_reals(const struct claims_run *run); /* with odd K */
struct try_sizes try_twos(const struct claims_run *run);
bool try_sizes_next(struct try_sizes *g);

/* PKT for blocks: B, ts and words of an element. */
struct try_packet {
    uint32_t block, startup, words;

    uint32_t most; /* the iterator's */
    unsigned next;
    bool full;
};
struct try_packet try_packets(const struct claims_run *run, uint32_t most); /* B <= most */
bool try_packet_next(struct try_packet *p);

#endif
