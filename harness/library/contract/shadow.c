/* SPDX-License-Identifier: Apache-2.0 */
/* Shadows of buffers. Knows words and credits; must not know routes or packets. */
#include "contract/shadow.h"

#include <stdlib.h>

bool shadow_open(struct shadow *s, const struct ec_topology *t, const struct ec_router *r,
                 uint32_t node)
{
    *s = (struct shadow){.first = node == EC_NONE ? 0 : node,
                         .links = ec_topology_links(t),
                         .locals = ec_router_local_ports(r, t),
                         .vcs = r->vcs,
                         .layout = ec_router_layout(r, t)};
    s->ports = s->links + s->locals;
    s->count = (size_t)(node == EC_NONE ? t->routers : 1) * s->ports * s->vcs;
    s->buffers = calloc(s->count, sizeof *s->buffers);
    return s->buffers != NULL;
}

void shadow_reset(struct shadow *s)
{
    for (size_t i = 0; i < s->count; i++)
        s->buffers[i].first = s->buffers[i].count = 0;
}

void shadow_close(struct shadow *s)
{
    for (size_t i = 0; s->buffers && i < s->count; i++)
        free(s->buffers[i].ring);
    free(s->buffers);
    *s = (struct shadow){0};
}

/* Room for one more word. */
static bool make_room(struct shadow *s, struct shadow_buffer *b)
{
    if (b->count < b->size)
        return true;
    const uint32_t size = b->size ? 2 * b->size : 4;
    uint64_t *ring = malloc(size * sizeof *ring);
    if (!ring) {
        s->memory_short = true;
        return false;
    }
    for (uint32_t i = 0; i < b->count; i++)
        ring[i] = b->ring[(b->first + i) & (b->size - 1)];
    free(b->ring);
    b->ring = ring;
    b->first = 0;
    b->size = size;
    return true;
}

bool shadow_push(struct shadow *s, size_t buffer, uint64_t word)
{
    struct shadow_buffer *b = &s->buffers[buffer];
    if (!make_room(s, b))
        return false;
    b->ring[(b->first + b->count++) & (b->size - 1)] = word;
    return true;
}

void shadow_enter(struct shadow *s, const struct ec_net_seen *seen)
{
    for (uint64_t left = seen->in_valid; left; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctzll(left);
        const uint64_t word = seen->in_word[port];
        if (port >= s->ports)
            break;
        shadow_push(s, shadow_at(s, seen->node, port, ec_word_vc(word, s->vcs)), word);
    }
}

bool shadow_leave(struct shadow *s, size_t buffer)
{
    struct shadow_buffer *b = &s->buffers[buffer];
    if (b->count == 0)
        return false;
    b->first = (b->first + 1) & (b->size - 1);
    b->count--;
    return true;
}

bool shadow_return(struct shadow *s, size_t buffer, uint64_t word)
{
    struct shadow_buffer *b = &s->buffers[buffer];
    if (!make_room(s, b))
        return false;
    b->first = (b->first - 1) & (b->size - 1);
    b->ring[b->first] = word;
    b->count++;
    return true;
}

void shadow_promote(struct shadow *s, size_t buffer, uint32_t k)
{
    struct shadow_buffer *b = &s->buffers[buffer];
    const uint64_t word = shadow_word(s, buffer, k);
    for (; k > 0; k--)
        b->ring[(b->first + k) & (b->size - 1)] = shadow_word(s, buffer, k - 1);
    b->ring[b->first] = word;
}

void shadow_leave_by_credits(struct shadow *s, const struct ec_net_seen *seen)
{
    for (unsigned vc = 0; vc < s->vcs; vc++) {
        for (uint64_t left = seen->out_credit[vc]; left; left &= left - 1) {
            const unsigned port = (unsigned)__builtin_ctzll(left);
            if (port < s->ports)
                shadow_leave(s, shadow_at(s, seen->node, port, vc));
        }
    }
}
