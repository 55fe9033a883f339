/* SPDX-License-Identifier: Apache-2.0 */
/* The grid of stable dimension permutations (SDP): pseudo-random, the same in every run. */
#include <stdio.h>

#include "claims/experiments/play.h"
#include "ecube/sdp.h"

void sdp_words(const struct ec_sdp *s, char *text, size_t size)
{
    char cycles[120];
    ec_sdp_format(s, cycles, sizeof cycles);
    *text = '\0';
    if (*cycles)
        snprintf(text, size, "cube:%u gsh:cycle=%s,K=%u", s->processor, cycles, 1U << s->storage);
}

/* Moves some of `storage` + `processor` dimensions among themselves and inverts some of all. */
static struct ec_sdp draw_sdp(uint64_t *d, unsigned storage, unsigned processor)
{
    struct ec_sdp s = ec_sdp_identity(storage, processor);
    const unsigned m = storage + processor;
    for (unsigned i = 0; i < m; i++) {
        const unsigned k = draw_below(d, m);
        if (draw_below(d, 4) > 0) {
            const uint8_t kept = s.from[i];
            s.from[i] = s.from[k];
            s.from[k] = kept;
        }
    }
    if (draw_below(d, 2))
        s.complement = draw_below(d, UINT32_C(1) << m);
    return s;
}

struct sdp_grid sdp_grid(const struct claims_run *run, unsigned quick)
{
    return (struct sdp_grid){.d = 1, .count = claims_is_full(run) ? 2001 : quick};
}

bool sdp_next(struct sdp_grid *g)
{
    if (g->number == g->count)
        return false;
    const unsigned m = g->number == 0 ? 1 : 1 + draw_below(&g->d, g->number <= 50 ? 6 : 12);
    const unsigned storage = g->number == 0 ? 0 : draw_below(&g->d, m + 1);
    g->s = draw_sdp(&g->d, storage, m - storage);
    if (g->number++ == 0)
        g->s.complement = 1;
    return true;
}

void sdp_name(const struct ec_sdp *s, char *text, size_t size)
{
    char cycles[120];
    ec_sdp_format(s, cycles, sizeof cycles);
    snprintf(text, size, "SDP %s on (%u|%u)", *cycles ? cycles : "identity", s->processor,
             s->storage);
}
