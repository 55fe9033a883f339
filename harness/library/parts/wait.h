/* SPDX-License-Identifier: Apache-2.0 */
/* How a thread waits until another one changes a word of memory: first awake, then asleep (Linux
 * futex). */
#ifndef EC_PARTS_WAIT_H
#define EC_PARTS_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef _Atomic uint32_t wait_word;

/* Watch `word` until it is not `old`, for a few microseconds. True: it changed. */
bool wait_awake(const wait_word *word, uint32_t old);

/* Sleep until wait_wake(word), if it is still `old`; sometimes ends without a reason. False: it
 * took WAIT_MS. */
enum { WAIT_MS = 20 };
bool wait_asleep(wait_word *word, uint32_t old);

/* Wake all threads that sleep on `word`. */
void wait_wake(wait_word *word);

#endif
