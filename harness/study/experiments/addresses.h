/* SPDX-License-Identifier: Apache-2.0 */
/* A small cube, element by element: exchanges of address bits, done here and not read out of a
 * schedule. */
#ifndef CLAIMS_TRY_ADDRESSES_H
#define CLAIMS_TRY_ADDRESSES_H

#include "study/experiment.h"

enum { TRY_ADDRESSES_STORAGE = 4 };

/* Storage dimensions: alpha_0 of block b is b, then v; processor dimensions of block b follow each
 * other. `at[e]`: the address at which element e is; e is its first address. */
struct try_addresses {
    unsigned blocks, order[TRY_ADDRESSES_STORAGE], storage, dims;
    uint32_t *at;
    uint32_t *row; /* of an element, fixed */
    uint32_t rows;
};
/* False: out of memory, and the experiment should return. */
bool try_addresses_open(struct claims_run *run, struct try_addresses *m, const unsigned *order,
                        unsigned blocks, bool with_v);
void try_addresses_close(struct try_addresses *m);

/* alpha_i of block b, i >= 1. */
unsigned try_addresses_dim(const struct try_addresses *m, unsigned b, unsigned i);
/* Of the processor bits of block b. */
uint32_t try_addresses_parity(const struct try_addresses *m, unsigned b, uint32_t address);
/* X_b = alpha_0 of block b xor the parity of block b, as bits. */
uint32_t try_addresses_coordinates(const struct try_addresses *m, uint32_t address);

/* Does what is at this address move when w and d are exchanged? */
static inline bool try_addresses_cross(uint32_t address, unsigned w, unsigned d)
{
    return (address >> w & 1) != (address >> d & 1);
}
/* Every row exchanges w with d. False unless in every node exactly one of two elements of each row
 * crosses. Out of memory: *reterr, and false. */
bool try_addresses_exchange(const struct try_addresses *m, unsigned w, unsigned d, bool *reterr);

/* Rows: pairs of complementary coordinates; v, where there is one, tells rows apart. */
void try_addresses_pair(struct try_addresses *m);
/* Are all processor bits, and alpha_0 of every block, what the constituting GSH make of them:
 * alpha_i <- alpha_(i-1), alpha_0 <- alpha_r? */
bool try_addresses_placed(const struct try_addresses *m);

#endif
