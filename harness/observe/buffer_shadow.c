/* SPDX-License-Identifier: Apache-2.0 */
/* A shadow of one router's buffers up to one cycle. Knows credits and words (contract, sections 4.4
 * to 4.6); nothing of routes or packets. */
#include "observe/buffer_shadow.h"

#include <stdlib.h>
#include <string.h>

#include "ecube/word.h"

static void see_router(void *context, const struct ec_net_seen *seen)
{
    struct fronts *f = context;
    if (seen->node != f->node || seen->cycle >= f->cycle)
        return;
    for (uint64_t left = seen->in_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t word = seen->in_word[port];
        if (port >= f->ports)
            break;
        const size_t at = (size_t)port * f->vcs + (ec_word_vc(word) & (f->vcs - 1));
        if (f->count[at] < f->depth)
            f->words[at * f->depth + (f->first[at] + f->count[at]++) % f->depth] = word;
    }
    if (seen->cycle + 1 >= f->cycle)
        return; /* what it shows then is what is asked about */
    for (unsigned vc = 0; vc < f->vcs; vc++) {
        for (uint64_t left = seen->out_credit[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            const size_t at = (size_t)port * f->vcs + vc;
            if (port >= f->ports || f->count[at] == 0)
                continue;
            f->first[at] = (f->first[at] + 1) % f->depth;
            f->count[at]--;
        }
    }
}

static void see_reset(void *context)
{
    struct fronts *f = context;
    memset(f->count, 0, (size_t)f->ports * f->vcs * sizeof *f->count);
}

bool fronts_open(struct fronts *f, const struct ec_topology *t, const struct ec_router *r,
                 uint32_t node, uint64_t cycle)
{
    *f = (struct fronts){
        .node = node,
        .cycle = cycle,
        .ports = ec_topology_links(t) + ec_router_locals(r, t),
        .vcs = r->vcs,
        .depth = r->depth,
        .watch = {.router = see_router, .reset = see_reset, .context = f},
    };
    const size_t buffers = (size_t)f->ports * f->vcs;
    f->words = calloc(buffers * f->depth, sizeof *f->words);
    f->first = calloc(buffers, sizeof *f->first);
    f->count = calloc(buffers, sizeof *f->count);
    f->nodes = calloc(((size_t)t->nodes + 63) / 64, sizeof *f->nodes);
    if (!f->words || !f->first || !f->count || !f->nodes) {
        fronts_close(f);
        return false;
    }
    f->nodes[node >> 6] |= UINT64_C(1) << (node & 63);
    f->watch.nodes = f->nodes;
    return true;
}

uint64_t fronts_word(const struct fronts *f, unsigned port, unsigned vc)
{
    const size_t at = (size_t)port * f->vcs + vc;
    return port < f->ports && f->count[at] ? f->words[at * f->depth + f->first[at]] : 0;
}

void fronts_close(struct fronts *f)
{
    free(f->words);
    free(f->first);
    free(f->count);
    free(f->nodes);
    *f = (struct fronts){0};
}
