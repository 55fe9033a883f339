/* SPDX-License-Identifier: Apache-2.0 */
/* Each rule of the contract is a lower bound on the cycle in which a word crosses a channel; the
 * answer is the least solution, found by raising every time until all rules hold. Knows words and
 * channels of one line, and of the library only the description of a router. */
#include "line.h"

struct line {
    unsigned hops, words, startup, depth, packet;
    bool whole, reserve; /* store-and-forward; a head needs credits for a whole packet */
    uint64_t at[LINE_HOPS_MAX + 2][LINE_WORDS_MAX]; /* channel 0: injection, hops + 1: ejection */
    bool changed;
};

static void raise_to(struct line *l, unsigned channel, unsigned word, uint64_t least)
{
    if (l->at[channel][word] >= least)
        return;
    l->at[channel][word] = least;
    l->changed = true;
}

/* A place in the buffer behind `channel` was taken by word `by`; it is free for `word` when that
 * has gone on, and the credit has come back: one cycle after it was shown. A node at the end of the
 * line returns the credit in the cycle in which it sees the word. */
static void wait_for_place(struct line *l, unsigned channel, unsigned word, unsigned by)
{
    const bool last = channel == l->hops + 1;
    raise_to(l, channel, word, (last ? l->at[channel][by] : l->at[channel + 1][by]) + 1);
}

static void apply(struct line *l, unsigned channel, unsigned word)
{
    const unsigned first = word / l->packet * l->packet;
    const unsigned end = first + l->packet < l->words ? first + l->packet : l->words;
    raise_to(l, channel, word, 1);
    if (word > 0) /* one word a cycle, in order */
        raise_to(l, channel, word, l->at[channel][word - 1] + 1);
    if (channel > 0) /* it arrived in an earlier cycle */
        raise_to(l, channel, word, l->at[channel - 1][word] + 1);
    if (word >= l->depth)
        wait_for_place(l, channel, word, word - l->depth);
    if (word != first)
        return;
    if (channel == 0)
        raise_to(l, channel, word, (word ? l->at[0][word - 1] : 0) + l->startup + 1);
    if (channel > 0 && l->whole)
        raise_to(l, channel, word, l->at[channel - 1][end - 1] + 1);
    if (l->reserve && word + l->packet > l->depth)
        wait_for_place(l, channel, word, word + l->packet - l->depth - 1);
}

uint64_t line_time(const struct ec_router *r, unsigned hops, unsigned words, unsigned startup)
{
    struct line l = {.hops = hops,
                     .words = words,
                     .startup = startup,
                     .depth = r->depth,
                     .packet = r->packet,
                     .whole = r->switching == EC_STORE_AND_FORWARD,
                     .reserve = r->switching != EC_WORMHOLE};
    if (words < 1 || words > LINE_WORDS_MAX || hops < 1 || hops > LINE_HOPS_MAX)
        return 0; /* no real time is 0, so the comparison fails */
    do {
        l.changed = false;
        for (unsigned word = 0; word < words; word++) {
            for (unsigned channel = 0; channel <= hops + 1; channel++)
                apply(&l, channel, word);
        }
    } while (l.changed);
    return l.at[hops + 1][words - 1];
}
