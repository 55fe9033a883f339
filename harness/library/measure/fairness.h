/* SPDX-License-Identifier: Apache-2.0 */
/* How evenly a run served its sources (ecube/statistics.h has the definition). */
#pragma once

#include "ecube/statistics.h"

/* Mean packet latency, over the sources with a measured packet. */
struct ec_fairness fairness_of_latency(const struct ec_source_use *sources, uint32_t nodes);
/* Words that arrived / words offered, over the sources that offered some. */
struct ec_fairness fairness_of_shares(const struct ec_source_use *sources, uint32_t nodes);
