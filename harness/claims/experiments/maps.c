/* SPDX-License-Identifier: Apache-2.0 */
/* Maps of the nodes of a cube: the loads of its links, arrangements, random maps.
 *
 * Walks every message bit by bit; must not know how the library routes. */
#include <string.h>

#include "claims/experiments/values.h"

uint32_t map_busiest(const struct script_map *m, uint64_t order, uint64_t dims, uint64_t b)
{
    static const uint32_t bit = 1;
    uint16_t load[MAP_NODES_MAX][MAP_DIMS_MAX];
    uint32_t most = 0;
    memset(load, 0, sizeof *load << m->dims);
    for (uint32_t x = 0; x < bit << m->dims; x++) {
        uint32_t at = x;
        for (unsigned i = 0; i < m->dims; i++) {
            const unsigned d = (unsigned)(order >> 4 * i & 15) % MAP_DIMS_MAX;
            if (!((at ^ m->to[x] ^ b) >> d & 1))
                continue;
            load[at][d]++;
            if (dims >> d & 1)
                most = claims_max(most, load[at][d]);
            at ^= bit << d;
        }
    }
    return most;
}

unsigned arranged(unsigned count, uint64_t number, unsigned i)
{
    uint8_t things[16];
    for (unsigned k = 0; k < 16; k++)
        things[k] = (uint8_t)k;
    for (; count > 1; number /= count--) {
        const uint64_t k = number % count;
        const uint8_t last = things[count - 1];
        things[count - 1] = things[k];
        things[k] = last;
    }
    return things[i];
}

void map_shuffle(struct script_map *m)
{
    for (uint32_t i = 0; i < UINT32_C(1) << m->dims; i++) {
        const uint32_t j = draw_below(&m->drawn, i + 1);
        m->to[i] = m->to[j];
        m->to[j] = i;
    }
}
