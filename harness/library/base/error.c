/* SPDX-License-Identifier: Apache-2.0 */
/* Errors: fills struct ec_error. Knows the list of codes; must not know who fails, and must not
 * print. */
#include "ecube/error.h"

#include <stdarg.h>
#include <stdio.h>

const char *ec_code_text(enum ec_code code)
{
    switch (code) {
#define EC_ERROR_CASE(name, text)                                                                  \
    case EC_##name:                                                                                \
        return text;
        EC_ERRORS(EC_ERROR_CASE)
#undef EC_ERROR_CASE
    }
    return "unknown error";
}

enum ec_code ec_fail(struct ec_error *reterr, enum ec_code code, const char *format, ...)
{
    if (!reterr)
        return code;

    va_list args;
    va_start(args, format);
    int length = vsnprintf(reterr->message, sizeof reterr->message, format, args);
    va_end(args);
    if (length < 0)
        reterr->message[0] = '\0';
    reterr->code = code;

    /* A message quotes the user's words, but it must stay one line on a terminal. */
    for (char *c = reterr->message; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    }
    return code;
}
