/* SPDX-License-Identifier: Apache-2.0 */
/* The topology as parameters of rtl/ec_network.sv. */
#ifndef EC_FLAT_H
#define EC_FLAT_H

#include <stddef.h>

#include "ecube/topology.h"

/* " -GRadices=... -GWraps=... -GNodes=...": Verilator arguments, separated by blanks. 280 bytes
 * suffice. */
void flat_parameters(const struct ec_topology *t, char *buffer, size_t size);

#endif
