/* SPDX-License-Identifier: Apache-2.0 */
/* Errors: one list gives the codes, their names and their texts.
 *
 * Every fallible function of the library returns an `enum ec_code` and takes, as its last
 * parameter, a `struct ec_error *reterr`, which is written on failure only and may be NULL. */
#ifndef ECUBE_ERROR_H
#define ECUBE_ERROR_H

#pragma GCC visibility push(default)

#define EC_ERRORS(X)                                                                               \
    X(OK, "success")                                                                               \
    X(USAGE, "bad input")                                                                          \
    X(MEMORY, "out of memory")                                                                     \
    X(IO, "input or output failed")                                                                \
    X(TOOL, "a tool is missing or a build failed")                                                 \
    X(INTERRUPTED, "interrupted")                                                                  \
    X(UNSOUND, "a schedule that cannot be played")                                                 \
    X(CONTRACT, "a router that breaks the contract")                                               \
    X(INTERNAL, "internal error")

enum ec_code {
#define EC_ERROR_ENUM(name, text) EC_##name,
    EC_ERRORS(EC_ERROR_ENUM)
#undef EC_ERROR_ENUM
};

struct ec_error {
    enum ec_code code;
    char message[1024]; /* one line: the offending value and what was expected */
};

/* The fixed text of a code, for example "bad input". Never NULL. */
const char *ec_code_text(enum ec_code code);

/* Fill *reterr (unless NULL) with a formatted one-line message; returns `code`, so that
 * failing paths can end with `return ec_fail(reterr, EC_USAGE, "...")`. */
enum ec_code ec_fail(struct ec_error *reterr, enum ec_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#pragma GCC visibility pop

#endif
