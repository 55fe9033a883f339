/* SPDX-License-Identifier: Apache-2.0 */
/* Two banks of routers with one set of inputs. Knows the arrays of tile.h; nothing of wiring, and
 * not what it is that differs: whoever wants to know plays again and compares with care (pair.c).
 *
 * Traffic is random: what can be compared without a branch is. */
#include "backend/shadow.h"

#include "ecube/word.h"

struct both {
    const struct ec_tile_io *in, *a, *b; /* what they get, what each shows */
    unsigned ports, vcs;
};

/* Words that are valid on either side. */
static inline uint64_t words_differ(const uint64_t *a, const uint64_t *b, unsigned ports)
{
    uint64_t differ = 0;
    for (unsigned port = 0; port < ports; port++)
        differ |= (a[port] ^ b[port]) & -((a[port] | b[port]) / EC_WORD_VALID);
    return differ;
}

/* Where a front flit waits: the two agree on that already. */
static uint64_t want_differs(const struct both *x, uint32_t node)
{
    const unsigned vcs = x->vcs;
    uint64_t differ = 0;
    for (unsigned vc = 0; vc < vcs; vc++) {
        const size_t mask = (size_t)node * vcs + vc;
        uint64_t left = x->a->contended[mask] | x->a->starved[mask];
        for (; left; left &= left - 1) {
            const size_t port = (size_t)node * x->ports + (unsigned)__builtin_ctzll(left);
            differ |= x->a->want[port * vcs + vc] ^ x->b->want[port * vcs + vc];
        }
    }
    return differ;
}

/* Not 0 if router `node` differs. `vcs` is a constant where this is inlined. */
static inline __attribute__((always_inline)) uint64_t
router_differs(const struct both *x, uint32_t node, unsigned vcs, uint64_t *shown)
{
    const struct ec_tile_io *a = x->a, *b = x->b;
    uint64_t any = x->in->in_valid[node] | a->out_valid[node], blocked = 0;
    uint64_t differ = (a->out_valid[node] ^ b->out_valid[node]) | (a->quiet[node] ^ b->quiet[node]);
    for (unsigned vc = 0; vc < vcs; vc++) {
        const size_t at = (size_t)node * vcs + vc;
        any |= x->in->in_credit[at] | a->out_credit[at];
        blocked |= a->contended[at] | a->starved[at];
        differ |= (a->out_credit[at] ^ b->out_credit[at]) | (a->contended[at] ^ b->contended[at]) |
                  (a->starved[at] ^ b->starved[at]);
    }
    *shown += (any | blocked) != 0;
    const size_t word = (size_t)node * x->ports;
    differ |= words_differ(a->out_word + word, b->out_word + word, x->ports);
    if (blocked)
        differ |= want_differs(x, node);
    return differ;
}

void tiles_shadow_step(struct tiles_shadow *s, const struct ec_tile_api *api,
                       struct ec_tile_bank *bank, const struct ec_tile_io *io, uint64_t cycle,
                       const uint32_t *ids, size_t count)
{
    struct ec_tile_io second = s->out;
    second.in_word = io->in_word;
    second.in_valid = io->in_valid;
    second.in_credit = io->in_credit;
    const struct both x = {io, io, &second,
                           api->shape.dims * api->shape.links_per_dim + api->shape.locals,
                           api->shape.vcs};
    uint64_t differ = 0;
    api->step(bank, io, ids, count);
    ec_net_pulse_begin(s->pulse, cycle);
    s->api->step(s->bank, &second, ids, count);
    ec_net_pulse_end(s->pulse);
    if (x.vcs == 1) {
        for (size_t i = 0; i < count; i++)
            differ |= router_differs(&x, ids[i], 1, &s->shown);
    } else {
        for (size_t i = 0; i < count; i++)
            differ |= router_differs(&x, ids[i], x.vcs, &s->shown);
    }
    s->differs = s->differs || differ;
}
