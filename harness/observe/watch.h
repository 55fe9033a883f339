/* SPDX-License-Identifier: Apache-2.0 */
/* Several watchers as one. */
#ifndef EC_WATCH_H
#define EC_WATCH_H

#include <stdbool.h>

#include "ecube/net.h"

struct watch_fan {
    struct ec_net_watch watch; /* hand this to the net */
    const struct ec_net_watch *const *parts;
    size_t count;
    uint64_t *nodes; /* routers that some part wants; NULL: all */
};

/* Borrows `parts`. False: out of memory. */
bool watch_fan_open(struct watch_fan *f, const struct ec_net_watch *const *parts, size_t count,
                    uint32_t nodes);
void watch_fan_close(struct watch_fan *f);

#endif
