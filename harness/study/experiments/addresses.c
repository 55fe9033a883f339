/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of a small cube whose bits are exchanged.
 *
 * Knows bits and rows; must not know any schedule. */
#include "study/experiments/addresses.h"

#include <stdlib.h>

bool try_addresses_open(struct claims_run *run, struct try_addresses *m, const unsigned *order,
                        unsigned blocks, bool with_v)
{
    *m = (struct try_addresses){
        .blocks = blocks, .storage = blocks + with_v, .dims = blocks + with_v};
    for (unsigned b = 0; b < blocks; b++)
        m->dims += m->order[b] = order[b];
    m->at = calloc(UINT32_C(2) << m->dims, sizeof *m->at);
    if (!claims_require(run, m->at != NULL, "out of memory"))
        return false;
    m->row = m->at + (UINT32_C(1) << m->dims);
    for (uint32_t e = 0; e < UINT32_C(1) << m->dims; e++)
        m->at[e] = e;
    return true;
}

void try_addresses_close(struct try_addresses *m)
{
    free(m->at);
}

unsigned try_addresses_dim(const struct try_addresses *m, unsigned b, unsigned i)
{
    unsigned d = m->storage + i - 1;
    while (b-- > 0)
        d += m->order[b];
    return d;
}

uint32_t try_addresses_parity(const struct try_addresses *m, unsigned b, uint32_t address)
{
    const unsigned first = try_addresses_dim(m, b, 1);
    return claims_ones(address >> first & ((UINT32_C(1) << m->order[b]) - 1)) & 1;
}

uint32_t try_addresses_coordinates(const struct try_addresses *m, uint32_t address)
{
    uint32_t x = 0;
    for (unsigned b = 0; b < m->blocks; b++)
        x |= ((address >> b & 1) ^ try_addresses_parity(m, b, address)) << b;
    return x;
}

bool try_addresses_exchange(const struct try_addresses *m, unsigned w, unsigned d, bool *reterr)
{
    const uint32_t nodes = UINT32_C(1) << (m->dims - m->storage);
    uint8_t *count = calloc((size_t)nodes * m->rows * 2, 1);
    bool one_of_two = count != NULL;
    *reterr |= count == NULL;
    for (uint32_t e = 0; count && e < UINT32_C(1) << m->dims; e++) {
        uint8_t *here = &count[2 * ((m->at[e] >> m->storage) * m->rows + m->row[e])];
        here[0]++;
        if (try_addresses_cross(m->at[e], w, d)) {
            here[1]++;
            m->at[e] ^= UINT32_C(1) << w ^ UINT32_C(1) << d;
        }
    }
    for (size_t i = 0; one_of_two && i < (size_t)nodes * m->rows; i++) /* 0: no such row */
        one_of_two = count[2 * i] == 0 || (count[2 * i] == 2 && count[2 * i + 1] == 1);
    free(count);
    return one_of_two;
}

void try_addresses_pair(struct try_addresses *m)
{
    const uint32_t all = (UINT32_C(1) << m->blocks) - 1;
    for (uint32_t e = 0; e < UINT32_C(1) << m->dims; e++) {
        const uint32_t x = try_addresses_coordinates(m, e),
                       v = e >> m->blocks & (m->storage > m->blocks);
        m->row[e] = claims_min(x, x ^ all) | v << m->blocks;
    }
    m->rows = UINT32_C(2) << m->blocks;
}

bool try_addresses_placed(const struct try_addresses *m)
{
    for (uint32_t e = 0; e < UINT32_C(1) << m->dims; e++) {
        for (unsigned b = 0; b < m->blocks; b++) {
            unsigned below = b;
            for (unsigned i = 1; i <= m->order[b]; i++) {
                const unsigned d = try_addresses_dim(m, b, i);
                if ((m->at[e] >> d & 1) != (e >> below & 1))
                    return false;
                below = d;
            }
            if ((m->at[e] >> b & 1) != (e >> below & 1))
                return false;
        }
    }
    return true;
}
