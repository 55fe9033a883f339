/* SPDX-License-Identifier: Apache-2.0 */
/* Sides of a comparison. Knows their grammar; what a backend is, the session knows. */
#include "program/options/backend_spec.h"

#include <stdlib.h>
#include <string.h>

#include "program/options/job.h"
#include "terminal/number.h"

/* One KEY=VALUE. Commas part keys, so files are joined by '+' here. */
static enum ec_code set_key(struct cli_side *s, const char *key, size_t length,
                            struct ec_error *reterr)
{
    const char *value = memchr(key, '=', length);
    const size_t name = value ? (size_t)(value - key) : length;
    char **target = NULL;
    if (name == 3 && strncmp(key, "rtl", 3) == 0)
        target = &s->rtl;
    if (name == 3 && strncmp(key, "top", 3) == 0)
        target = &s->top;
    if (!target)
        return ec_fail(reterr, EC_USAGE, "unknown key '%.*s' in side '%.60s'; expected rtl or top",
                       (int)(name < 40 ? name : 40), key, s->text);
    if (!value || name + 1 == length)
        return ec_fail(reterr, EC_USAGE, "key '%.*s' of side '%.60s' needs a value", (int)name, key,
                       s->text);
    if (*target)
        return ec_fail(reterr, EC_USAGE, "key '%.*s' is twice in side '%.60s'", (int)name, key,
                       s->text);
    *target = strndup(value + 1, length - name - 1);
    if (!*target)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    for (char *c = target == &s->rtl ? *target : NULL; c && *c; c++)
        *c = *c == '+' ? ',' : *c;
    return EC_OK;
}

static enum ec_code set_backend(struct cli_side *s, size_t length, struct ec_error *reterr)
{
    const char *words[16] = {NULL};
    size_t count = 0;
    unsigned choice = 0;
    char *name = strndup(s->text, length);
    while (cli_backends[count] && count + 2 < sizeof words / sizeof *words) {
        words[count] = cli_backends[count];
        count++;
    }
    words[count] = "rtl";
    const enum ec_code code = name ? cli_choice("a side", name, words, &choice, reterr)
                                   : ec_fail(reterr, EC_MEMORY, "out of memory");
    free(name);
    if (code != EC_OK)
        return code;
    if (choice < count) {
        s->spec.backend = (enum ec_backend)choice;
        s->spec.rtl = s->spec.top = NULL;
        return EC_OK;
    }
    s->spec.backend = EC_BACKEND_TILES;
    if (!s->spec.rtl)
        return ec_fail(reterr, EC_USAGE,
                       "side 'rtl' is the router of --rtl FILES --top NAME; give "
                       "both");
    return EC_OK;
}

enum ec_code cli_side_open(const char *text, const struct ec_case_spec *spec, struct cli_side *ret,
                           struct ec_error *reterr)
{
    struct cli_side s = {.text = text, .spec = *spec};
    const size_t name = strcspn(text, ":");
    enum ec_code code = set_backend(&s, name, reterr);
    const char *key = text + name + (text[name] == ':');
    while (code == EC_OK && *key) {
        const size_t length = strcspn(key, ",");
        code = set_key(&s, key, length, reterr);
        key += length + (key[length] == ',');
    }
    if (code == EC_OK && !s.rtl != !s.top)
        code = ec_fail(reterr, EC_USAGE, "side '%.100s' needs both rtl=FILE+FILE... and top=NAME",
                       text);
    if (code == EC_OK && s.rtl && strncmp(text, "tiles:", 6) != 0)
        code = ec_fail(
            reterr, EC_USAGE,
            "side '%.100s': a router of your own is stepped by tiles: write tiles:rtl=...", text);
    if (code != EC_OK) {
        cli_side_close(&s);
        return code;
    }
    if (s.rtl) {
        s.spec.rtl = s.rtl;
        s.spec.top = s.top;
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
