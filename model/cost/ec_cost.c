/* SPDX-License-Identifier: Apache-2.0 */
/* Closed forms for one message on an idle network. Knows numbers only; must not know ecube, because
 * it checks ecube independently. In the symbols of docs/TIMING.md: n packets, the last of b words;
 * a word crosses channels 0 (injection), 1..h (links), h + 1 (ejection). */
#include "ec_cost.h"

#include "ec_cost_exact.h"

#define max ec_cost_max
#define min ec_cost_min

enum { TRAIN = 2 * 64 + 2 }; /* words that a link of 64 cycles and its credits hold, and more */

/* R: a word on a link in cycle t + R can use the buffer entry of a word there in cycle t. */
static uint64_t round_trip(const struct ec_cost_machine *x)
{
    return 2 * x->link + x->stages - 1;
}

/* The same on the injection channel, where no link and no traversal stage is in the way. */
static uint64_t injection_round_trip(const struct ec_cost_machine *x)
{
    return x->stages < 2 ? 2 : x->stages;
}

uint64_t ec_cost_full_rate(const struct ec_cost_machine *x)
{
    const uint64_t R = round_trip(x), B = x->packet;

    switch (x->switching) {
    case EC_COST_CUT_THROUGH:
        return B + R - 1;
    case EC_COST_STORE_AND_FORWARD:
        return 2 * B + R - 2;
    case EC_COST_WORMHOLE:
        break;
    }
    return R;
}

static uint64_t head_latency(const struct ec_cost_machine *x, uint64_t h)
{
    return (h + 1) * x->stages + h * (x->link - 1);
}

/* At full rate; with start-ups also at depth 1 if all round trips are 2; one packet, or no
 * start-ups, at every depth. */
bool ec_cost_is_closed(const struct ec_cost_machine *x, uint64_t m)
{
    return x->switching != EC_COST_WORMHOLE || x->depth >= round_trip(x) || m <= x->packet ||
           x->startup == 0 || round_trip(x) == 2;
}

/* A head may leave when the tail of the packet c heads before it, or an earlier word of that
 * packet, has left the buffer ahead: heads c packets apart are at least G cycles apart there. The
 * heads leave the sender E cycles apart. */
struct heads {
    uint64_t E, c, G, C;
};

static struct heads heads_of(const struct ec_cost_machine *x)
{
    const uint64_t B = x->packet, words = x->depth - B + 1;
    struct heads y = {.E = B + x->startup, .c = ec_cost_ceil(words, B)};

    y.G = y.c * B - words + round_trip(x);
    if (x->switching == EC_COST_STORE_AND_FORWARD)
        y.G += B - 1;
    y.C = max(y.G, y.c * y.E);
    return y;
}

/* V(i): cycles from the first head to head i + 1 on the first link. */
static uint64_t distance(const struct heads *y, uint64_t i)
{
    return i / y->c * y->C + i % y->c * y->E;
}

bool ec_cost_is_affine(const struct ec_cost_machine *x)
{
    if (x->switching == EC_COST_WORMHOLE) {
        if (x->depth >= round_trip(x))
            return true;
        return round_trip(x) == 2 || (x->startup == 0 && x->packet % x->depth == 0);
    }
    const struct heads y = heads_of(x);
    if (x->switching == EC_COST_CUT_THROUGH)
        return y.c == 1 || y.C == y.c * y.E;
    return y.c == 1 || y.G <= y.c * x->packet; /* else the wait of the last packet begins later */
}

/* Rules 2, 3 and 6 for the injection channel and the first link, word by word; behind it words
 * never wait. u: a word is offered; v: it is on the first link, less s cycles. Returns v of word m.
 */
static uint64_t least_solution(const struct ec_cost_machine *x, uint64_t m)
{
    const uint64_t D = x->depth, R = round_trip(x), R0 = injection_round_trip(x);
    uint64_t last[TRAIN] = {0}; /* v of the last D words; D < R */
    uint64_t u = 0, v = 0, in_packet = 0, place = 0;

    for (uint64_t k = 0; k < m; k++) {
        const bool full = k >= D;
        u += 1 + (in_packet == 0 ? x->startup : 0);
        u = max(u, full ? last[place] + R0 : 0);
        v = max(max(u, v + 1), full ? last[place] + R : 0);
        last[place] = v;
        place = place + 1 == D ? 0 : place + 1;
        in_packet = in_packet + 1 == x->packet ? 0 : in_packet + 1;
    }
    return v;
}

static uint64_t wormhole(const struct ec_cost_machine *x, uint64_t h, uint64_t m)
{
    const uint64_t n = ec_cost_ceil(m, x->packet), ts = x->startup, A = head_latency(x, h);

    if (x->depth >= round_trip(x))
        return n * ts + m + A;
    if (n == 1 || ts == 0)
        return ts + 1 + (m - 1) / x->depth * round_trip(x) + (m - 1) % x->depth + A;
    if (ec_cost_is_closed(x, m)) /* depth 1, and a word every 2 cycles */
        return ts + 1 + 2 * (m - n) + (n - 1) * (ts + 1) + A;
    return least_solution(x, m) + A;
}

static uint64_t cut_through(const struct ec_cost_machine *x, uint64_t h, uint64_t m)
{
    const uint64_t n = ec_cost_ceil(m, x->packet), b = m - (n - 1) * x->packet;
    const struct heads y = heads_of(x);

    return x->startup + b + head_latency(x, h) + distance(&y, n - 1);
}

/* The last packet: as sent, behind the one before it, or held back by the buffer behind the last
 * link. */
static uint64_t store_and_forward(const struct ec_cost_machine *x, uint64_t h, uint64_t m)
{
    const uint64_t B = x->packet, n = ec_cost_ceil(m, B), b = m - (n - 1) * B;
    const struct heads y = heads_of(x);
    uint64_t wait = (n - 1) * y.E + (h + 1) * (b - 1);

    if (n > 1)
        wait = max(wait, distance(&y, n - 2) + (h + 1) * (B - 1) + B);
    if (n > y.c)
        wait = max(wait, distance(&y, n - 1 - y.c) + h * (B - 1) + (b - 1) + y.G);
    return x->startup + b + head_latency(x, h) + wait;
}

uint64_t ec_cost_message(const struct ec_cost_machine *x, uint64_t h, uint64_t m)
{
    switch (x->switching) {
    case EC_COST_CUT_THROUGH:
        return cut_through(x, h, m);
    case EC_COST_STORE_AND_FORWARD:
        return store_and_forward(x, h, m);
    case EC_COST_WORMHOLE:
        break;
    }
    return wormhole(x, h, m);
}

static uint64_t plain(enum ec_cost_switching switching, uint64_t h, uint64_t m, uint64_t B,
                      uint64_t ts, uint64_t depth)
{
    const struct ec_cost_machine x = {
        .switching = switching, .startup = ts, .packet = B, .depth = depth, .stages = 1, .link = 1};
    return ec_cost_message(&x, h, m);
}

uint64_t ec_cost_wormhole(uint64_t h, uint64_t m, uint64_t B, uint64_t ts, uint64_t depth)
{
    return plain(EC_COST_WORMHOLE, h, m, B, ts, depth);
}

uint64_t ec_cost_cut_through(uint64_t h, uint64_t m, uint64_t B, uint64_t ts, uint64_t depth)
{
    return plain(EC_COST_CUT_THROUGH, h, m, B, ts, depth);
}
