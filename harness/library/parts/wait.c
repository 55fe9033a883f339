/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting. Knows words of memory, the processor's pause and the kernel's futex; must not know
 * parts. */
#include "parts/wait.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    AWAKE_NS = 20000, /* about what it costs to sleep and wake up on another processor */
    PAUSES = 64,      /* between two looks at the clock */
};

static inline void pause_briefly(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("isb");
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

static uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

bool wait_awake(const wait_word *word, uint32_t old)
{
    uint64_t since = 0;
    for (;;) {
        for (unsigned i = 0; i < PAUSES; i++) {
            if (atomic_load_explicit(word, memory_order_acquire) != old)
                return true;
            pause_briefly();
        }
        const uint64_t now = clock_ns();
        if (!since)
            since = now;
        else if (now - since > AWAKE_NS)
            return false;
    }
}

bool wait_asleep(wait_word *word, uint32_t old)
{
    const struct timespec most = {.tv_nsec = WAIT_MS * 1000000L};
    return !syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, old, &most, NULL, 0) || errno != ETIMEDOUT;
}

void wait_wake(wait_word *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
