/* SPDX-License-Identifier: Apache-2.0 */
/* The network between the ranks of a job, as far as this job uses it. */
#ifndef CLI_SCALE_NETWORK_H
#define CLI_SCALE_NETWORK_H

#include "ecube/topology.h"
#include "parts/ranks/world.h"
#include "program/scale/model.h"

/* Collective: time swaps between all ranks of the world. Latency and bandwidth of `network` become
 * those that explain them; the processor time of a message is taken from it. Only rank 0 knows the
 * result. */
enum ec_code scale_time_network(const struct ec_topology *t, struct world *world, double seconds,
                                struct scale_network *network, struct ec_error *reterr);

#endif
