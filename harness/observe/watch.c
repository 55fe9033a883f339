/* SPDX-License-Identifier: Apache-2.0 */
/* Several watchers as one. Knows nothing of what they do. */
#include "observe/watch.h"

#include <stdlib.h>

static void pass_router(void *context, const struct ec_net_seen *seen)
{
    const struct watch_fan *f = context;
    for (size_t i = 0; i < f->count; i++) {
        const struct ec_net_watch *w = f->parts[i];
        if (w->router && (!w->nodes || w->nodes[seen->node >> 6] >> (seen->node & 63) & 1))
            w->router(w->context, seen);
    }
}

static void pass_cycle(void *context, uint64_t cycle)
{
    const struct watch_fan *f = context;
    for (size_t i = 0; i < f->count; i++) {
        if (f->parts[i]->cycle)
            f->parts[i]->cycle(f->parts[i]->context, cycle);
    }
}

static void pass_reset(void *context)
{
    const struct watch_fan *f = context;
    for (size_t i = 0; i < f->count; i++) {
        if (f->parts[i]->reset)
            f->parts[i]->reset(f->parts[i]->context);
    }
}

bool watch_fan_open(struct watch_fan *f, const struct ec_net_watch *const *parts, size_t count,
                    uint32_t nodes)
{
    const size_t words = ((size_t)nodes + 63) / 64;
    bool all = false;
    *f = (struct watch_fan){.parts = parts, .count = count};
    for (size_t i = 0; i < count; i++)
        all = all || (parts[i]->router && !parts[i]->nodes);
    if (!all) {
        f->nodes = calloc(words ? words : 1, sizeof *f->nodes);
        if (!f->nodes)
            return false;
    }
    for (size_t i = 0; f->nodes && i < count; i++) {
        for (size_t k = 0; parts[i]->nodes && k < words; k++)
            f->nodes[k] |= parts[i]->nodes[k];
    }
    f->watch = (struct ec_net_watch){.router = pass_router,
                                     .cycle = pass_cycle,
                                     .reset = pass_reset,
                                     .nodes = f->nodes,
                                     .context = f};
    return true;
}

void watch_fan_close(struct watch_fan *f)
{
    free(f->nodes);
    *f = (struct watch_fan){0};
}
