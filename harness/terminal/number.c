/* SPDX-License-Identifier: Apache-2.0 */
/* Strict readers for option values.
 *
 * Knows the shape of a good value and how to say what is wrong with a bad one; knows no option. */
#include "terminal/number.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum ec_code cli_number(const char *option, const char *text, uint64_t least, uint64_t most,
                        uint64_t *ret, struct ec_error *reterr)
{
    uint64_t value = 0;
    bool good = *text != '\0';
    for (const char *c = text; good && *c; c++) {
        unsigned digit = (unsigned)*c - '0';
        good = digit <= 9 && value <= (UINT64_MAX - digit) / 10;
        if (good)
            value = 10 * value + digit;
    }
    if (!good || value < least || value > most)
        return ec_fail(reterr, EC_USAGE,
                       "%s '%.60s': expected a whole number from %" PRIu64 " to %" PRIu64, option,
                       text, least, most);
    *ret = value;
    return EC_OK;
}

enum ec_code cli_number32(const char *option, const char *text, uint64_t least, uint32_t *ret,
                          struct ec_error *reterr)
{
    uint64_t value = 0;
    const enum ec_code code = cli_number(option, text, least, UINT32_MAX, &value, reterr);
    if (code == EC_OK)
        *ret = (uint32_t)value;
    return code;
}

enum ec_code cli_fraction(const char *option, const char *text, double least, double most,
                          double *ret, struct ec_error *reterr)
{
    char *end = NULL;
    bool good = *text != '\0' && text[strspn(text, "0123456789.eE-")] == '\0' && *text != '-';
    double value = good ? strtod(text, &end) : 0;
    if (!good || *end != '\0' || !(value >= least && value <= most))
        return ec_fail(reterr, EC_USAGE, "%s '%.60s': expected a number from %g to %g", option,
                       text, least, most);
    *ret = value;
    return EC_OK;
}

enum ec_code cli_choice(const char *option, const char *text, const char *const *words,
                        unsigned *ret, struct ec_error *reterr)
{
    char all[256] = "", hint[128];
    for (unsigned i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0) {
            *ret = i;
            return EC_OK;
        }
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", words[i]);
    }
    return ec_fail(reterr, EC_USAGE, "%s '%.60s': expected %s%s%s", option, text,
                   words[1] ? "one of " : "", all,
                   ec_nearest_hint(text, strlen(text), words, hint, sizeof hint));
}
