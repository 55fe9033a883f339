/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded: the allocation that CHAOS_ALLOC names fails, with "+" after the number all later ones,
 * too.
 *
 * CHAOS_SITES names a file for the numbers of the allocations that are the first with their call
 * stack. Only in the programs whose name begins with "ecube", each process counting by itself: a
 * worker goes on from where it was forked. The first failure is noted in the file CHAOS_NOTE, with
 * its call stack if CHAOS_STACK is set, so that the caller knows when a program has fewer
 * allocations. Allocations of the dynamic linker, and of what it loads later, do not count: the
 * linker, Verilated models and Verilator's writer of waves end the process if they have no memory.
 * Knows nothing of ecube but the name. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The C library's own, which never come back to the functions below. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { KNOWN_MAX = 64, STACK_MAX = 32, SITES_MAX = 1 << 16 };

static atomic_ulong count;
static unsigned long wanted; /* 0: none */
static bool all_later;
static const char *sites; /* the file of CHAOS_SITES, or NULL */

/* Addresses of the program and its libraries. */
static struct {
    uintptr_t begin, end;
} known[KNOWN_MAX];
static size_t known_count, own_count; /* the program's come first */

static int note_object(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size, (void)context;
    if (strstr(object->dlpi_name, "/ld-") != NULL || strstr(object->dlpi_name, "libstdc++") != NULL)
        return 0;
    for (unsigned i = 0; i < object->dlpi_phnum && known_count < KNOWN_MAX; i++) {
        const uintptr_t begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        if (object->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        known[known_count].begin = begin;
        known[known_count++].end = begin + object->dlpi_phdr[i].p_memsz;
    }
    if (object->dlpi_name[0] == '\0')
        own_count = known_count;
    return 0;
}

/* Is the address in one of the first `ranges` ranges? */
static bool is_known(uintptr_t address, size_t ranges)
{
    size_t i = 0;
    while (i < ranges && (address < known[i].begin || address >= known[i].end))
        i++;
    return i < ranges;
}

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("CHAOS_ALLOC");
    char *end;
    if (text == NULL || strncmp(program_invocation_short_name, "ecube", 5) != 0)
        return;
    void *first[1]; /* backtrace() itself allocates when it is first called */
    backtrace(first, 1);
    dl_iterate_phdr(note_object, NULL);
    wanted = strtoul(text, &end, 10);
    all_later = *end == '+';
    sites = getenv("CHAOS_SITES");
    count = 0;
}

/* The allocations of the rest of the process neither count nor fail: for exit.c of tests/coverage,
 * whose counters are written at the end. */
void chaos_end(void);
void chaos_end(void)
{
    wanted = 0;
    sites = NULL;
}

static void append(const char *path, const char *text)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        return;
    (void)!write(fd, text, strlen(text));
    close(fd);
}

/* Is this the first allocation with its call stack? Only the program's own functions matter, not
 * how a library divides its work. Two stacks of one hash count as one. */
static bool is_first(void)
{
    static _Atomic uint64_t seen[SITES_MAX];
    void *frames[STACK_MAX];
    const int depth = backtrace(frames, STACK_MAX);
    uint64_t hash = 0x9e3779b97f4a7c15;
    for (int i = 0; i < depth; i++) {
        if (!is_known((uintptr_t)frames[i], own_count))
            continue;
        hash = (hash ^ (uintptr_t)frames[i]) * 0x100000001b3;
        hash ^= hash >> 29;
    }
    for (size_t i = 0, at = hash % SITES_MAX; i < SITES_MAX; i++, at = (at + 1) % SITES_MAX) {
        uint64_t old = 0;
        if (atomic_compare_exchange_strong(&seen[at], &old, hash))
            return true;
        if (old == hash)
            return false;
    }
    return false;
}

static void note_site(unsigned long number)
{
    char text[32];
    if (!is_first())
        return;
    snprintf(text, sizeof text, "%lu\n", number);
    append(sites, text);
}

static void note(void)
{
    const char *path = getenv("CHAOS_NOTE");
    const int fd = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        return;
    (void)!write(fd, "failed\n", 7);
    if (getenv("CHAOS_STACK") != NULL) {
        void *frames[16];
        backtrace_symbols_fd(frames, backtrace(frames, 16), fd);
    }
    close(fd);
}

static bool fails(void *caller)
{
    if ((wanted == 0 && sites == NULL) || !is_known((uintptr_t)caller, known_count))
        return false;
    const unsigned long now = atomic_fetch_add(&count, 1) + 1;
    if (sites != NULL)
        note_site(now);
    if (wanted == 0)
        return false;
    if (now != wanted && !(all_later && now > wanted))
        return false;
    if (now == wanted)
        note();
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

/* The C library's own would allocate for whoever calls it: also for what does not count. */
char *strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

int posix_memalign(void **ret, size_t alignment, size_t size)
{
    if (fails(__builtin_return_address(0)))
        return ENOMEM;
    *ret = __libc_memalign(alignment, size);
    return *ret == NULL ? ENOMEM : 0;
}
