/* SPDX-License-Identifier: Apache-2.0 */
/* Mixed GSH under test: texts of permutations with given blocks, and the theorems about them, taken
 * from the paper and the proofs, not from the library. */
#ifndef EC_MIXED_CASE_H
#define EC_MIXED_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCKS_MAX 5

/* Constituting mixed GSH of these orders, K elements per node. */
struct blocks {
    unsigned count, order[BLOCKS_MAX];
    uint32_t per_node;
};

struct blocks one_block(unsigned order, uint32_t per_node);
struct blocks blocks_of(const char *orders, uint32_t per_node); /* "6-6-1" */
unsigned blocks_order(const struct blocks *b);                  /* sigma_r */
unsigned blocks_longest(const struct blocks *b);
bool blocks_equal(const struct blocks *b);
/* Elements in all nodes. */
uint64_t blocks_elements(const struct blocks *b);

/* A permutation with these blocks. Layout 0: block b has storage dimension b and the next processor
 * dimensions, in its own cycle, nothing inverted. Others are drawn at random: dimensions in any
 * order, blocks joined in one cycle, further storage dimensions, any inverted. */
void blocks_workload(const struct blocks *b, uint32_t layout, char *buffer, size_t size);
void blocks_topology(const struct blocks *b, char *buffer, size_t size);

/* Johnsson and Ho, Theorem 1, read as the errata have it. */
uint32_t theorem_1(unsigned r, uint32_t per_node);
/* The parity schedules: docs/study/GSH-MIXED.md. */
uint32_t parity_steps(const struct blocks *b);
/* No schedule takes fewer steps: K/2, or one more where dimensions beyond the first of a block
 * idle at first; and sigma_r. */
uint32_t least_steps(const struct blocks *b);

/* The next number of a sequence. */
uint32_t drawn(uint64_t *state, uint32_t below);

#endif
