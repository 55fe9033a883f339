/* SPDX-License-Identifier: Apache-2.0 */
/* Receivers. Know ejection ports and their credits; nothing of packets. */
#include "run/receiver.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ecube/word.h"

/* A stream of its own, apart from those of the traffic (which are numbered by node). */
#define STALL_STREAM (UINT64_C(1) << 40)

bool receivers_open(struct receivers *r, uint32_t ports, unsigned vcs, double stall, uint64_t seed)
{
    *r = (struct receivers){.ports = ports, .vcs = vcs, .key = ec_rng_key(seed, STALL_STREAM)};
    if (stall <= 0)
        return true;
    r->stall = (uint64_t)(stall * 0x1p64);
    r->held = calloc((size_t)ports * vcs, sizeof *r->held);
    r->holds = calloc(ports, sizeof *r->holds);
    if (r->held && r->holds)
        return true;
    receivers_close(r);
    return false;
}

void receivers_close(struct receivers *r)
{
    free(r->held);
    free(r->holds);
    *r = (struct receivers){0};
}

void receivers_reset(struct receivers *r)
{
    r->waiting = r->stalled = r->held_words = 0;
    if (!r->held)
        return;
    memset(r->held, 0, (size_t)r->ports * r->vcs * sizeof *r->held);
    memset(r->holds, 0, r->ports * sizeof *r->holds);
}

static void give_credit(struct ec_port_events *in, uint32_t port, unsigned vc)
{
    in->credits[in->credit_count++] = (struct ec_port_credit){.port = port, .vc = vc};
}

/* One port that holds something: accept one word of each VC, or nothing. */
static void serve(struct receivers *r, uint32_t port, uint64_t now, struct ec_port_events *in)
{
    r->waiting++;
    if (ec_rng_draw(r->key, now * r->ports + port) < r->stall) {
        r->stalled++;
        return;
    }
    for (unsigned vc = 0; vc < r->vcs; vc++) {
        uint16_t *held = &r->held[(size_t)port * r->vcs + vc];
        if (*held == 0)
            continue;
        --*held;
        r->holds[port]--;
        r->held_words--;
        give_credit(in, port, vc);
    }
}

void receivers_accept(struct receivers *r, uint64_t now, const struct ec_port_events *seen,
                      struct ec_port_events *in)
{
    in->credit_count = 0;
    for (size_t i = 0; i < seen->word_count; i++) {
        const uint32_t port = seen->words[i].port;
        const unsigned vc = ec_word_vc(seen->words[i].word) & (r->vcs - 1);
        if (!r->held) {
            give_credit(in, port, vc);
            continue;
        }
        r->held[(size_t)port * r->vcs + vc]++;
        r->holds[port]++;
        r->held_words++;
    }
    if (!r->held_words)
        return;
    for (uint32_t port = 0; port < r->ports; port++) {
        if (r->holds[port])
            serve(r, port, now, in);
    }
}
