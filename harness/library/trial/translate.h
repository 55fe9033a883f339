/* SPDX-License-Identifier: Apache-2.0 */
/* The same traffic at another place of the network. */
#pragma once

#include "ecube/topology.h"

/* Where a node is after the step from `from` to `to`; EC_NONE: outside the network. */
uint32_t translate_node(const struct ec_topology *t, uint32_t from, uint32_t to, uint32_t node);

/* The nearest other node whose router has the same links; EC_NONE: there is none. */
uint32_t translate_partner(const struct ec_topology *t, uint32_t node);

/* The word with its source and destination translated; the same word if they are no nodes then. */
uint64_t translate_word(const struct ec_topology *t, unsigned vcs, uint32_t from, uint32_t to,
                        uint64_t word);
