/* SPDX-License-Identifier: Apache-2.0 */
/* A number that tells plays apart: the same play has the same on every run, so that what it leaves
 * overwrites what it left before, and nothing else.
 *
 * Knows all that a play is a function of; a part that is added to it belongs here, too. */
#include <string.h>
#include <xxhash.h>

#include "run/play.h"

static uint64_t mix(uint64_t key, const void *bytes, size_t size)
{
    return XXH3_64bits_withSeed(bytes, size, key);
}

/* With its end, so that what follows cannot be a part of it. */
static uint64_t mix_text(uint64_t key, const char *text)
{
    return mix(key, text, strlen(text) + 1);
}

/* Field by field: what is between them says nothing. */
static uint64_t mix_messages(uint64_t key, const struct ec_workload *w)
{
    for (size_t i = 0; i < w->message_count; i++) {
        const struct ec_message *m = &w->messages[i];
        const uint64_t fields[] = {m->cycle, m->src, m->dst, m->words};
        key = mix(key, fields, sizeof fields);
    }
    return key;
}

static uint64_t mix_order(uint64_t key, const struct ec_workload *w)
{
    const struct ec_message_order *o = w->order;
    const size_t n = w->message_count;
    key = mix(key, &o->by_step, sizeof o->by_step);
    key = mix(key, o->step, n * sizeof *o->step);
    if (o->delay)
        key = mix(key, o->delay, n * sizeof *o->delay);
    if (o->by_step)
        return key;
    key = mix(key, o->first, (n + 1) * sizeof *o->first);
    return mix(key, o->after, o->first[n] * sizeof *o->after);
}

uint64_t play_key(const struct play *p)
{
    char topology[160], router[160];
    const struct ec_run_options *o = &p->options;
    const struct ec_workload *w = p->w;
    const uint64_t numbers[] = {o->cycles, o->warmup, o->startup, o->seed, o->age_bound};
    ec_topology_format(p->net->topology, topology, sizeof topology);
    ec_router_format(p->net->router, router, sizeof router);
    uint64_t key = mix_text(0, topology);
    key = mix_text(key, router);
    key = mix_text(key, w->text);
    key = mix_messages(key, w);
    if (w->order)
        key = mix_order(key, w);
    if (w->map)
        key = mix(key, w->map, w->nodes * sizeof *w->map);
    key = mix(key, numbers, sizeof numbers);
    return mix(key, &o->eject_stall, sizeof o->eject_stall);
}
