/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnosis: what every router did, seen from outside, in a replay of a failed run.
 *
 * A shadow of each input buffer is kept from the words that enter and the credits that leave. From
 * it follow two things: the first router that broke conservation or routing (a word lost,
 * doubled, altered, sent the wrong way, a credit lost), and, when nothing moves, who waits for
 * whom. */
#ifndef EC_DIAGNOSIS_H
#define EC_DIAGNOSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"
#include "ecube/net.h"
#include "ecube/router.h"
#include "ecube/select.h"
#include "ecube/topology.h"

struct diagnosis;

/* `foreign`: a word may leave some cycles before or after its credit (contract, section 12). */
struct diagnosis *diagnosis_open(const struct ec_topology *t, const struct ec_router *r,
                                 bool foreign);
void diagnosis_close(struct diagnosis *d);
/* Hand this to the net for the whole replay. */
const struct ec_net_watch *diagnosis_watch(struct diagnosis *d);
/* Was memory too short to follow everything? Then nothing it says can be relied on. */
bool diagnosis_memory_short(const struct diagnosis *d);

/* The first violation, as one line with cycle, router and port; NULL if there was none. */
const char *diagnosis_violation(const struct diagnosis *d);

/* Where that was. */
bool diagnosis_place(const struct diagnosis *d, uint64_t *ret_cycle, uint32_t *ret_node);

/* Is that violation a word on a VC that the contract does not give it? Such a network may deadlock,
 * and who waits for whom is known. (After other violations the shadows are not to be trusted.) */
bool diagnosis_wrong_vc(const struct diagnosis *d);

/* Follow who waits for whom from every blocked packet. If a cycle of waiting exists: true, and its
 * steps, one line each, in *ret_lines (owned by the caller, as is the array). If the chains
 * end at a router that could move and does not, false, and *ret_culprit (or NULL) says which. The
 * routers of the cycle, or that one, are added to `nodes`. */
bool diagnosis_waiting(const struct diagnosis *d, char ***ret_lines, size_t *ret_count,
                       char **ret_culprit, struct ec_node_set *nodes);

#endif
