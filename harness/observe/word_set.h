/* SPDX-License-Identifier: Apache-2.0 */
/* A set of flit words (never 0), bounded: beyond WORD_SET_MAX nothing is added. */
#ifndef EC_WORD_SET_H
#define EC_WORD_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORD_SET_MAX 100000u

struct word_set {
    uint64_t *table; /* open addressing; 0: free */
    size_t size, count;
    bool full; /* a word was left out: too many, or memory is short */
};

void word_set_add(struct word_set *s, uint64_t word);
void word_set_close(struct word_set *s);

#endif
