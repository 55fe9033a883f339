/* SPDX-License-Identifier: Apache-2.0 */
/* Values of options: read strictly, refused with the bounds named. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdint.h>

#include "ecube/error.h"

/* The largest integer that every JSON reader keeps exactly (2^53 - 1). */
#define CLI_INTEGER_MAX UINT64_C(9007199254740991)

/* A whole decimal number between `least` and `most`; `option` ("--cycles") names the culprit. */
enum ec_code cli_number(const char *option, const char *text, uint64_t least, uint64_t most,
                        uint64_t *ret, struct ec_error *reterr);

/* The same, at most UINT32_MAX. */
enum ec_code cli_number32(const char *option, const char *text, uint64_t least, uint32_t *ret,
                          struct ec_error *reterr);

/* A decimal fraction between `least` and `most`. */
enum ec_code cli_fraction(const char *option, const char *text, double least, double most,
                          double *ret, struct ec_error *reterr);

/* The index of `text` in the NULL-terminated list; EC_USAGE lists the words and the nearest. */
enum ec_code cli_choice(const char *option, const char *text, const char *const *words,
                        unsigned *ret, struct ec_error *reterr);

#endif
