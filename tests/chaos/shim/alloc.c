/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded: the allocation that CHAOS_ALLOC names fails, with "+" after the number all later ones,
 * too.
 *
 * Only in the programs whose name begins with "ecube", each process counting by itself: a worker
 * goes on from where it was forked. The first failure is noted in the file CHAOS_NOTE, with its
 * call stack if CHAOS_STACK is set, so that the caller knows when a program has fewer allocations.
 * Allocations of the dynamic linker, and of what it loads later, do not count: the linker,
 * Verilated models and Verilator's writer of waves end the process if they have no memory. Knows
 * nothing of ecube but the name. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The C library's own, which never come back to the functions below. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { KNOWN_MAX = 64 };

static atomic_ulong count;
static unsigned long wanted; /* 0: none */
static bool all_later;

/* Addresses of the program and its libraries. */
static struct {
    uintptr_t begin, end;
} known[KNOWN_MAX];
static size_t known_count;

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
    return 0;
}

static bool is_known(uintptr_t address)
{
    size_t i = 0;
    while (i < known_count && (address < known[i].begin || address >= known[i].end))
        i++;
    return i < known_count;
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
    count = 0;
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
    if (wanted == 0 || !is_known((uintptr_t)caller))
        return false;
    const unsigned long now = atomic_fetch_add(&count, 1) + 1;
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

int posix_memalign(void **ret, size_t alignment, size_t size)
{
    if (fails(__builtin_return_address(0)))
        return ENOMEM;
    *ret = __libc_memalign(alignment, size);
    return *ret == NULL ? ENOMEM : 0;
}
