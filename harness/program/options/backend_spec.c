/* SPDX-License-Identifier: Apache-2.0 */
/* Sides of a comparison. Knows their grammar; what a backend is, the session knows. */
#include "program/options/backend_spec.h"

#include <stdlib.h>
#include <string.h>

#include "base/keyvalue.h"
#include "program/options/job.h"

enum { RTL, TOP, KEY_COUNT };

static const struct ec_key keys[KEY_COUNT] = {
    [RTL] = {"rtl", EC_VALUE_TEXT, .expected = "rtl=FILE+FILE..."},
    [TOP] = {"top", EC_VALUE_TEXT, .expected = "top=NAME"},
};

static enum ec_code set_backend(struct cli_side *s, struct ec_slice name, struct ec_error *reterr)
{
    const char *words[16] = {NULL};
    size_t count = 0, choice = 0;

    for (; cli_backends[count] && count + 2 < sizeof words / sizeof *words; count++)
        words[count] = cli_backends[count];
    words[count] = "rtl";
    while (words[choice] && !ec_slice_is(name, words[choice]))
        choice++;
    if (!words[choice])
        return ec_keyvalue_unknown("side", name, words, NULL, reterr);
    if (choice < count) {
        s->spec.backend = (enum ec_backend)choice;
        s->spec.rtl = s->spec.top = NULL;
        return EC_OK;
    }
    s->spec.backend = EC_BACKEND_TILES;
    if (!s->spec.rtl)
        return ec_fail(reterr, EC_USAGE,
                       "side rtl: expected --rtl FILES --top NAME, the router to compare");
    return EC_OK;
}

/* The router of rtl= and top=, if they are given. Commas separate keys, so '+' separates files. */
static enum ec_code set_router(struct cli_side *s, const struct ec_slice *values,
                               struct ec_error *reterr)
{
    if (!values[RTL].at && !values[TOP].at)
        return EC_OK;
    s->rtl = strndup(values[RTL].at, values[RTL].length);
    s->top = strndup(values[TOP].at, values[TOP].length);
    if (!s->rtl || !s->top)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    for (char *c = s->rtl; *c; c++)
        *c = *c == '+' ? ',' : *c;
    s->spec.rtl = s->rtl;
    s->spec.top = s->top;
    return EC_OK;
}

enum ec_code cli_side_open(const char *text, const struct ec_case_spec *spec, struct cli_side *ret,
                           struct ec_error *reterr)
{
    struct cli_side s = {.text = text, .spec = *spec};
    struct ec_slice rest = ec_slice_of(text), name, values[KEY_COUNT] = {{0}};

    ec_slice_take(&rest, ':', &name);
    if (rest.length > 1 && rest.at[rest.length - 1] == ',')
        rest.length--; /* a comma may end the list */
    enum ec_code code = set_backend(&s, name, reterr);
    const struct ec_grammar tiles = {.what = "side",
                                     .name = "tiles",
                                     .keys = keys,
                                     .count = KEY_COUNT,
                                     .taken = (1U << KEY_COUNT) - 1};
    if (code == EC_OK && rest.length)
        code = ec_keyvalue_split(&tiles, rest, values, reterr);
    if (code == EC_OK && !values[RTL].at != !values[TOP].at)
        code = ec_fail(reterr, EC_USAGE,
                       "side '%.100s': expected both rtl=FILE+FILE... and top=NAME", text);
    if (code == EC_OK && values[RTL].at && !ec_slice_is(name, "tiles"))
        code = ec_fail(reterr, EC_USAGE,
                       "side '%.100s': expected tiles:rtl=..., since only tiles use "
                       "routers of other RTL",
                       text);
    if (code == EC_OK)
        code = set_router(&s, values, reterr);
    if (code != EC_OK) {
        cli_side_close(&s);
        return code;
    }
    *ret = s;
    return EC_OK;
}

void cli_side_close(struct cli_side *s)
{
    free(s->rtl);
    free(s->top);
    *s = (struct cli_side){0};
}
