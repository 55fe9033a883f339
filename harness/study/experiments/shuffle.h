/* SPDX-License-Identifier: Apache-2.0 */
/* Generalized shuffles with given orders, and their schedules: what experiments on several blocks
 * and on real cycles share. */
#ifndef CLAIMS_TRY_SHUFFLE_H
#define CLAIMS_TRY_SHUFFLE_H

#include "ec_cost_exact.h"
#include "ec_cost_jh_multi.h"
#include "study/experiments/try.h"

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

/* The schedule of `algorithm` with packets of B elements: audited, and, if `timed`, run on RTL in
 * both disciplines. It must be valid, no link may serve two transfers of a step, and with --sync
 * step cycles must be the sum of the times of its steps, without contention. `ret` is that of
 * --sync step. False: go no further. */
bool try_schedule(struct claims_run *run, const struct try_shuffle *g, const char *algorithm,
                  uint32_t block, uint32_t startup, bool timed, struct claims_seen *ret);
/* The same for all words of a case. */
bool try_schedule_words(struct claims_run *run, bool timed, const char *name, const char *words,
                        struct claims_seen *ret);
/* The same, but it may be refused: *ret_refused, and true. */
bool try_schedule_or_not(struct claims_run *run, const struct try_shuffle *g, const char *algorithm,
                         uint32_t block, bool timed, struct claims_seen *ret, bool *ret_refused);

/* What the steps of a schedule cost: start-ups, and, for each step, the elements of its longest
 * transfer. */
struct ec_cost_terms try_terms(const struct ec_schedule *s);

/* Are these the terms of the schedule, `expected` by a formula? A case, with a condition. */
void try_terms_if(struct claims_run *run, bool condition, const struct ec_schedule *s,
                  struct ec_cost_terms expected, const char *format, ...) CLAIMS_FORMAT(5, 6);

/* Cycles of so many transfers of elements of `words` words, in so many steps one after the other:
 * t_c is a word's time, tau what a step over one link takes beside its words. */
uint64_t try_terms_time(struct ec_cost_terms terms, uint32_t words, uint32_t startup);

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
/* try_schedule() of it: one word an element, one element a packet. */
bool try_multi_look(struct claims_run *run, const struct try_multi *g, const char *algorithm,
                    struct claims_seen *ret);
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
