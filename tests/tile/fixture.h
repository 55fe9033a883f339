/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the builder's tests: a private cache, a private copy of the sources, a listener. */
#ifndef TEST_TILE_FIXTURE_H
#define TEST_TILE_FIXTURE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "ecube/shape.h"

struct fixture {
    char root[PATH_MAX];  /* removed at the end */
    char cache[PATH_MAX]; /* root/cache: holds the runtime of the shared cache, no tile */
    char data[PATH_MAX];  /* root/data: a copy of rtl/, shim and header */
    char said[4096];      /* all progress lines since the last open */
    unsigned builds;      /* "building" lines among them */
    char key[64];         /* of the shape opened last */
    struct ec_error error;
};

/* cmocka setup and teardown; *state is a struct fixture. ECUBE_CACHE and ECUBE_DATA point into it.
 */
int fixture_setup(void **state);
int fixture_teardown(void **state);

/* Open and close the smallest shape; f->said has the messages. `options` may be NULL (its progress
 * function is ours in any case). */
enum ec_code fixture_open(struct fixture *f, const struct ec_shape_options *options);

/* Copy the smallest shape from the shared cache, where it has the same key. */
void fixture_fill(struct fixture *f);

/* root/NAME, in a static buffer of which four are valid at a time. */
const char *fixture_path(const struct fixture *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void write_text(const char *path, const char *text);
void append_text(const char *path, const char *text);
bool exists(const char *path);
/* Replace every `from` in the file by `to`; fails the test if there is none. */
void replace_in(const char *path, const char *from, const char *to);
/* Number of names in the cache folder that begin with `prefix`. */
size_t count_names(const struct fixture *f, const char *prefix);

#endif
