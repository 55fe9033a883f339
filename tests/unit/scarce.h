/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations that fail: the linker gives a test program these in place of the C library's own
 * (scarce_wraps in meson.build). Include it in one file of the program. */
#ifndef EC_UNIT_SCARCE_H
#define EC_UNIT_SCARCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCARCE_NEVER UINT32_MAX

/* So many allocations succeed, and the next one fails; then no other one does, and this is
 * SCARCE_NEVER again. */
static unsigned scarce_after = SCARCE_NEVER;

static inline bool scarce_now(void)
{
    return scarce_after != SCARCE_NEVER && scarce_after-- == 0;
}

void *scarce_real_malloc(size_t size) __asm__("__real_malloc");
void *scarce_real_calloc(size_t count, size_t size) __asm__("__real_calloc");
void *scarce_real_realloc(void *old, size_t size) __asm__("__real_realloc");
char *scarce_real_strdup(const char *text) __asm__("__real_strdup");
void *scarce_malloc(size_t size) __asm__("__wrap_malloc");
void *scarce_calloc(size_t count, size_t size) __asm__("__wrap_calloc");
void *scarce_realloc(void *old, size_t size) __asm__("__wrap_realloc");
char *scarce_strdup(const char *text) __asm__("__wrap_strdup");

void *scarce_malloc(size_t size)
{
    return scarce_now() ? NULL : scarce_real_malloc(size);
}

void *scarce_calloc(size_t count, size_t size)
{
    return scarce_now() ? NULL : scarce_real_calloc(count, size);
}

void *scarce_realloc(void *old, size_t size)
{
    return scarce_now() ? NULL : scarce_real_realloc(old, size);
}

char *scarce_strdup(const char *text)
{
    return scarce_now() ? NULL : scarce_real_strdup(text);
}

#endif
