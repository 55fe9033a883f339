/* SPDX-License-Identifier: Apache-2.0 */
/* Slices and numbers. Knows characters only; must not know any grammar, nor make messages. */
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ec_slice ec_slice_of(const char *text)
{
    return (struct ec_slice){text, strlen(text)};
}

bool ec_slice_is(struct ec_slice s, const char *word)
{
    return strlen(word) == s.length && memcmp(s.at, word, s.length) == 0;
}

bool ec_slice_take(struct ec_slice *rest, char separator, struct ec_slice *ret)
{
    if (!rest->at)
        return false;
    const char *end = memchr(rest->at, separator, rest->length);
    if (!end) {
        *ret = *rest;
        *rest = (struct ec_slice){NULL, 0};
        return true;
    }
    size_t length = (size_t)(end - rest->at);
    *ret = (struct ec_slice){rest->at, length};
    *rest = (struct ec_slice){end + 1, rest->length - length - 1};
    return true;
}

bool ec_slice_number(struct ec_slice s, uint64_t max, uint64_t *ret)
{
    uint64_t value = 0;

    if (s.length == 0)
        return false;
    for (size_t i = 0; i < s.length; i++) {
        if (s.at[i] < '0' || s.at[i] > '9')
            return false;
        unsigned digit = (unsigned)(s.at[i] - '0');
        if (digit > max || value > (max - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *ret = value;
    return true;
}

bool ec_slice_fraction(struct ec_slice s, double *ret)
{
    char copy[64];

    /* strtod() takes more than we do (signs, spaces, "nan", "0x1p3"); the first character and the
     * alphabet keep that out. */
    if (s.length == 0 || s.length >= sizeof copy || s.at[0] == '+' || s.at[0] == '-')
        return false;
    for (size_t i = 0; i < s.length; i++) {
        if (!strchr("0123456789.eE+-", s.at[i]) || s.at[i] == '\0')
            return false;
    }
    memcpy(copy, s.at, s.length);
    copy[s.length] = '\0';
    char *end;
    double value = strtod(copy, &end);
    if (*end || !isfinite(value))
        return false;
    *ret = value;
    return true;
}
