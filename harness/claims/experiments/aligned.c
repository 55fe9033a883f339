/* SPDX-License-Identifier: Apache-2.0 */
/* Several constituting GSH, element by element: aligned addresses.
 *
 * Moves elements by exchanging address bits and compares schedules with the result. */
#include <stdlib.h>
#include <string.h>

#include "claims/experiments/values.h"
#include "ecube/sdp.h"

/* Does the element at this address move when w and d are exchanged? */
static inline bool addresses_cross(uint32_t address, unsigned w, unsigned d)
{
    return (address >> w & 1) != (address >> d & 1);
}

/* Follows the machine addresses of all elements through a schedule: an element that crosses
 * dimension d has d exchanged with the storage dimension that the table names for this step. */
struct followed {
    unsigned order[ORDERS_MAX], blocks;
    unsigned storage_dims; /* alpha_0 of block b is b; the processor dimensions follow */
    uint32_t *at;          /* machine address of each element */
    uint8_t *storage;      /* of step and dimension; UINT8_MAX: none */
};

static void followed_close(struct followed *f)
{
    free(f->at);
    free(f->storage);
}

/* False: out of memory. */
static bool followed_open(const struct ec_schedule *s, uint64_t orders, struct followed *f)
{
    const size_t cells = ((size_t)s->steps + 1) * EC_SDP_DIMS_MAX;
    *f = (struct followed){.storage_dims = claims_storage(s->per_node),
                           .at = calloc((size_t)s->nodes * s->per_node, sizeof *f->at),
                           .storage = malloc(cells)};
    f->blocks = orders_of(orders, f->order);
    if (!f->at || !f->storage)
        return false;
    for (uint32_t e = 0; e < s->nodes * s->per_node; e++)
        f->at[e] = e / s->per_node << f->storage_dims | e % s->per_node;
    memset(f->storage, UINT8_MAX, cells);
    for (size_t i = 0; i < s->exchange_count; i++) {
        const struct ec_exchange *x = &s->exchanges[i];
        f->storage[(size_t)x->step * EC_SDP_DIMS_MAX + x->processor] = x->storage;
    }
    return true;
}

/* The local address with each alpha_0 xor the parity of the processor bits of its own block. */
static uint32_t own_parity(const struct followed *f, uint32_t address)
{
    uint32_t local = address & ((UINT32_C(1) << f->storage_dims) - 1);
    unsigned first = f->storage_dims;
    for (unsigned b = 0; b < f->blocks; first += f->order[b++])
        local ^= (claims_ones(address >> first & ((UINT32_C(1) << f->order[b]) - 1)) & 1) << b;
    return local;
}

/* Does every transfer of the schedule keep the aligned local address of its elements? `slots`: it
 * is the slot at both ends, too, from the first local moves to the last. */
static bool keeps_aligned(const struct ec_schedule *s, struct followed *f, struct trace *t,
                          bool slots)
{
    bool right = true;
    for (size_t i = 0; i < s->transfer_count; i++) {
        const struct ec_transfer *x = &s->transfers[i];
        const unsigned d = f->storage_dims + (unsigned)__builtin_ctz(x->src ^ x->dst);
        const uint8_t w = f->storage[(size_t)x->step * EC_SDP_DIMS_MAX + d];
        while (t->step < x->step - 1)
            trace_go(t);
        trace_move(t);
        for (uint32_t k = x->first; k < x->first + x->count && w != UINT8_MAX; k++) {
            const struct ec_carried *c = &s->carried[k];
            uint32_t *at = &f->at[c->element];
            const uint32_t before = own_parity(f, *at);
            right &= addresses_cross(*at, w, d) && *at >> f->storage_dims == x->src;
            right &= !slots || t->at[c->element].slot == before;
            *at ^= UINT32_C(1) << w | UINT32_C(1) << d;
            right &= own_parity(f, *at) == before && (!slots || c->slot == before);
        }
        right &= w != UINT8_MAX;
    }
    return right;
}

/* Realigning is the same operation, after which only the virtual GSH is left. */
static bool realigns(const struct ec_schedule *s, const struct ec_sdp *of, const struct followed *f,
                     struct trace *t, bool slots)
{
    struct ec_sdp_cycle cycle[EC_SDP_DIMS_MAX / 2], part[EC_SDP_DIMS_MAX / 2], rest;
    bool right = ec_sdp_cycles(of, cycle) == 1 &&
                 ec_sdp_factor(cycle, of->storage, part, &rest) == f->blocks;
    struct ec_sdp last = ec_sdp_identity(of->storage, of->processor);
    for (unsigned k = 0; k < rest.length; k++) {
        last.from[rest.dim[k]] = rest.dim[(k + rest.length - 1) % rest.length];
        last.complement |= (rest.complement >> k & 1) << rest.dim[k];
    }
    trace_go(t);
    for (uint32_t e = 0; right && e < s->nodes * s->per_node; e++) {
        const uint32_t local = UINT32_C(1) << f->storage_dims, aligned = own_parity(f, f->at[e]),
                       again = own_parity(f, (f->at[e] & ~(local - 1)) | aligned);
        const uint64_t to = ec_sdp_apply(&last, (f->at[e] & ~(local - 1)) | again);
        right = again == (f->at[e] & (local - 1)) && to >> f->storage_dims == s->target[e].node &&
                (to & (local - 1)) == s->target[e].slot && (!slots || t->at[e].slot == aligned);
    }
    return right;
}

bool is_aligned(const struct claims_seen *seen, uint64_t orders, bool slots, bool again)
{
    struct followed f;
    struct trace t;
    bool right = followed_open(seen->schedule, orders, &f);
    right = trace_open(&t, seen->schedule) && right;
    const bool aligned = right && keeps_aligned(seen->schedule, &f, &t, slots);
    right = again ? right && realigns(seen->schedule, seen->workload->sdp, &f, &t, slots) : aligned;
    trace_close(&t);
    followed_close(&f);
    return right;
}
