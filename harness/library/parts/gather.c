/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of own nodes, in the order of the partition, are what parts send. */
#include "parts/gather.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t *nodes_of(const struct ec_partition *partition, uint32_t part, size_t *count)
{
    *count = partition->first[part + 1] - partition->first[part];
    return partition->node + partition->first[part];
}

/* No bytes are zeros. Values that are equal are not written: zeros touch no page of an array that
 * is zero. False: the bytes are not those of its nodes. */
static bool place(const struct ec_partition *partition, uint32_t part,
                  const struct exchange_bytes *bytes, unsigned per_node, uint64_t *whole)
{
    const uint64_t *from = bytes->size ? (const void *)bytes->data : NULL;
    size_t count;
    const uint32_t *node = nodes_of(partition, part, &count);
    if (from && bytes->size != count * per_node * sizeof *from)
        return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t *to = whole + (size_t)node[i] * per_node;
        for (unsigned k = 0; k < per_node; k++) {
            const uint64_t value = from ? from[i * per_node + k] : 0;
            if (value != to[k])
                to[k] = value;
        }
    }
    return true;
}

static bool all_zero(const uint64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (values[i])
            return false;
    }
    return true;
}

/* Of a network without congestion, most counters are zero: those of a part are sent as nothing. */
bool gather_rows(struct exchange *x, const struct ec_partition *partition, const uint64_t *own,
                 unsigned per_node, uint64_t *whole)
{
    const struct exchange_bytes *bytes;
    size_t nodes;
    nodes_of(partition, x->part, &nodes);
    const size_t count = nodes * per_node;
    if (!exchange_gather(x, own, all_zero(own, count) ? 0 : count * sizeof *own, false, &bytes))
        return false;
    bool good = true;
    for (uint32_t k = 0; bytes && good && k < x->parts; k++)
        good = place(partition, k, &bytes[k], per_node, whole);
    if (!good)
        exchange_abort(x, EC_INTERNAL, "the statistics of another part are damaged");
    return good;
}

bool gather_nodes(struct exchange *x, const struct ec_partition *partition, uint64_t *values,
                  unsigned per_node)
{
    size_t nodes;
    const uint32_t *node = nodes_of(partition, x->part, &nodes);
    uint64_t *own = malloc((nodes * per_node > 0 ? nodes * per_node : 1) * sizeof *own);
    if (!own) {
        exchange_abort(x, EC_MEMORY, "out of memory for the statistics of a part");
        return false;
    }
    for (size_t i = 0; i < nodes; i++)
        memcpy(own + i * per_node, values + (size_t)node[i] * per_node, per_node * sizeof *own);
    const bool done = gather_rows(x, partition, own, per_node, x->part == 0 ? values : NULL);
    free(own);
    return done;
}

/* Some at a time: a transport needs memory for all values of a fold. */
bool gather_sums(struct exchange *x, uint64_t *values, size_t count)
{
    enum { MOST = 1 << 13 };
    uint64_t sums[MOST];
    for (size_t at = 0; at < count; at += MOST) {
        const size_t some = count - at < MOST ? count - at : MOST;
        memcpy(sums, values + at, some * sizeof *sums);
        if (!exchange_fold(x, sums, some, EXCHANGE_SUM))
            return false;
        if (x->part == 0)
            memcpy(values + at, sums, some * sizeof *sums);
    }
    return true;
}
