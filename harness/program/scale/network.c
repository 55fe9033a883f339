/* SPDX-License-Identifier: Apache-2.0 */
/* Times the ranks of a job by the exchange of split runs. Knows the equation of the model for
 * ranks. */
#include "program/scale/network.h"

#include <math.h>

#include "ecube/partition.h"
#include "program/scale/swap.h"

/* A latency that was measured is not 0. */
#define LATENCY_LEAST 1e-8

/* Of the time of a swap, at most half is processor time of its messages. */
static void explain(const struct scale_swap *swap, uint32_t ranks, double neighbours,
                    struct scale_network *n)
{
    const double fold = scale_fold_rounds(ranks), messages = neighbours + fold;
    n->message = fmin(n->message, swap->latency / (2 * messages));
    n->latency = fmax(LATENCY_LEAST, (swap->latency - n->message * messages) / (1 + fold));
    n->byte = fmax(swap->byte, 1e-15);
}

enum ec_code scale_time_network(const struct ec_topology *t, struct world *world, double seconds,
                                struct scale_network *network, struct ec_error *reterr)
{
    struct ec_partition *p;
    struct scale_swap swap;
    enum ec_code code = ec_partition_open(t, world->ranks * world->threads, &p, reterr);
    if (code != EC_OK)
        return code;
    code = scale_time_swaps(p, world, seconds, &swap, reterr);
    if (code == EC_OK && world->rank == 0)
        explain(&swap, world->ranks, p->first_neighbour[1], network);
    ec_partition_close(p);
    return code;
}
