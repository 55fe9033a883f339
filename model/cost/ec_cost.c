/* SPDX-License-Identifier: Apache-2.0 */
/* Closed forms for one message on an idle network. Knows numbers only; must not know ecube, because
 * it checks ecube independently. In the symbols of docs/TIMING.md: n packets, the last of s words;
 * a word crosses channels 0 (injection), 1..h (links), h + 1 (ejection). */
#include "ec_cost.h"

#include "ec_cost_exact.h"

#define max ec_cost_max

static uint64_t packets(uint64_t m, uint64_t B)
{
    return (m + B - 1) / B;
}

/* Cycles between the tail of a packet and the head of the next at the injection channel. A node
 * that needs the credit of the tail waits a cycle longer than others. */
static uint64_t pipelined(uint64_t h, uint64_t m, uint64_t n, uint64_t ts, uint64_t word_gap,
                          uint64_t head_gap)
{
    return ts + 1 + (m - n) * word_gap + (n - 1) * head_gap + h + 1;
}

uint64_t ec_cost_wormhole(uint64_t h, uint64_t m, uint64_t B, uint64_t ts, uint64_t depth)
{
    uint64_t n = packets(m, B);

    if (depth == 1)
        return pipelined(h, m, n, ts, 2, max(ts, 1) + 1);
    return pipelined(h, m, n, ts, 1, ts + 1);
}

uint64_t ec_cost_cut_through(uint64_t h, uint64_t m, uint64_t B, uint64_t ts, uint64_t depth)
{
    uint64_t n = packets(m, B);

    return pipelined(h, m, n, ts, 1, depth == B ? max(ts, 1) + 1 : ts + 1);
}

uint64_t ec_cost_store_and_forward(uint64_t h, uint64_t m, uint64_t B, uint64_t ts, uint64_t depth)
{
    uint64_t n = packets(m, B);

    if (n == 1)
        return ts + (h + 2) * m;

    uint64_t s = m - (n - 1) * B;
    uint64_t R = max(B, 3 * B > depth ? 3 * B - depth : 0); /* head to head, bound by buffers */
    uint64_t P = max(B + ts, R);                            /* head to head, as sent */
    return ts + (n - 2) * P + s + max(max(P + (h + 1) * s, h * B + R + s), (h + 2) * B);
}

unsigned ec_cost_shift_hops(unsigned d, uint32_t q)
{
    unsigned gamma = 0;

    while (gamma < d && !(q >> gamma & 1))
        gamma++;
    return d - gamma;
}
