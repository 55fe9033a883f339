/* SPDX-License-Identifier: Apache-2.0 */
/* What the targets share: the bytes of an input as choices, as text and as files, and how a target
 * reports a finding. A target is one function; libFuzzer or driver.c calls it. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"

/* The target. Returns 0, or -1 for an input that need not be kept. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A finding: print why and abort. */
_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A function has returned `code`: a failure has a message of one line of printable text. */
void fuzz_check_error(enum ec_code code, const struct ec_error *e);

/* Would it take long to make the messages of this workload, or a schedule for them? */
bool fuzz_is_large(const char *topology, const char *workload, bool schedule);

/* --- Choices ---------------------------------------------------------------------------------- */

struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
};

uint8_t fuzz_byte(struct fuzz_bytes *b);                   /* 0 behind the end */
unsigned fuzz_below(struct fuzz_bytes *b, unsigned limit); /* 0..limit-1; limit at most 256 */

/* --- Text ------------------------------------------------------------------------------------- */

/* An input cut at line ends. `at` has `room` entries, each a text of its own or NULL behind the
 * last line; the last entry is the whole rest. Free with fuzz_lines_free(). */
struct fuzz_lines {
    char *text;
    char *at[8];
};
void fuzz_lines_cut(const uint8_t *data, size_t size, unsigned room, struct fuzz_lines *ret);
void fuzz_lines_free(struct fuzz_lines *l);

/* --- Files ------------------------------------------------------------------------------------ */

/* The current folder becomes an empty folder of this process, which is removed when it ends. So
 * relative paths of an input lead nowhere else. Called by every target that reads files. */
void fuzz_enter_folder(void);

/* Does the input name files outside that folder? */
bool fuzz_leaves_folder(const uint8_t *data, size_t size);

/* Create or replace a file in that folder. */
void fuzz_write(const char *name, const void *data, size_t size);

/* Cut the input into files at lines "=== NAME", and write them; NAME is reduced to letters, digits,
 * '.' and '_'. Text before the first such line is the caller's: malloc'd, with a zero byte. */
char *fuzz_write_files(const uint8_t *data, size_t size, size_t *ret_size);
/* Remove what it wrote. */
void fuzz_remove_files(void);

#endif
