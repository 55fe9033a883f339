/* SPDX-License-Identifier: Apache-2.0 */
/* Why a permutation of address bits congests a cube, or why it does not. Knows bits and the order
 * of dimensions; must not know paths, which the audit walks. */
#include "ec_cost_ecube.h"
#include "ecube/audit.h"

/* The node that a message from `src` has reached when dimensions order[0..count-1] are corrected.
 */
static uint32_t reached(const uint8_t *from, uint64_t complement, const uint8_t *order,
                        unsigned count, uint32_t src)
{
    uint32_t node = src;

    for (unsigned i = 0; i < count; i++) {
        const unsigned d = order[i];
        const uint32_t bit = (src >> from[d] ^ (uint32_t)(complement >> d)) & 1;
        node = (node & ~(UINT32_C(1) << d)) | bit << d;
    }
    return node;
}

/* Two messages that cross ret->worst and differ in one bit that passes it: they have met there. */
static void find_conflict(const uint8_t *from, uint64_t complement, const uint8_t *order,
                          struct ec_bit_loads *ret)
{
    uint64_t arrived = 0;
    unsigned i = 0;

    for (; order[i] != ret->worst; i++) {
        ret->passing |= UINT64_C(1) << order[i];
        arrived |= UINT64_C(1) << from[order[i]];
    }
    arrived |= UINT64_C(1) << from[ret->worst];
    ret->passing &= ~arrived;
    if (!ret->passing)
        return;
    /* Node 0 crosses the dimension if its bit is inverted there; else the bit that goes there is 1.
     */
    const bool inverted = complement >> ret->worst & 1;
    ret->src[0] = inverted ? 0 : UINT32_C(1) << from[ret->worst];
    ret->src[1] = ret->src[0] ^ (uint32_t)(ret->passing & -ret->passing);
    ret->at = reached(from, complement, order, i, ret->src[0]);
}

bool ec_bit_loads_of(const struct ec_sdp *s, enum ec_order order, const struct ec_channel *busiest,
                     struct ec_bit_loads *ret)
{
    struct ec_bit_loads loads = {.dims = s->processor};
    uint8_t from[EC_SDP_DIMS_MAX], routed[EC_SDP_DIMS_MAX];
    const uint64_t complement = s->complement >> s->storage;

    if (s->processor < 1 || s->processor > EC_DIMS_MAX)
        return false;
    for (unsigned d = 0; d < s->processor; d++) {
        if (s->from[s->storage + d] < s->storage)
            return false;
        from[d] = (uint8_t)(s->from[s->storage + d] - s->storage);
        routed[d] = (uint8_t)(order == EC_ORDER_HIGH ? s->processor - 1 - d : d);
    }
    ec_cost_ecube_bits(s->processor, from, complement, routed, loads.load);
    ec_cost_ecube_order(s->processor, from, loads.order);
    loads.worst = routed[0];
    for (unsigned i = 0; i < s->processor; i++) {
        if (loads.load[routed[i]] > loads.load[loads.worst])
            loads.worst = routed[i];
    }
    if (busiest && busiest->kind == EC_CHANNEL_LINK && busiest->port < s->processor &&
        loads.load[busiest->port] == loads.load[loads.worst])
        loads.worst = busiest->port;
    find_conflict(from, complement, routed, &loads);
    *ret = loads;
    return true;
}
