/* SPDX-License-Identifier: Apache-2.0 */
/* Checks how options are written. argp's own messages take two lines and do not suggest the nearest
 * word. Must not know any particular option except --help, and no values. */
#include "terminal/spelling.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "terminal/table.h"

/* Names of options in these scopes that begin with the first `length` letters of `word`. */
static size_t names_of(const struct cli_parsed *parsed, const char *word, size_t length,
                       const char **ret)
{
    size_t n = 0;
    for (const struct cli_option *o = parsed->table->options; o->name && n + 1 < CLI_OPTIONS_MAX;
         o++) {
        if ((o->scope & parsed->scope) && strncmp(o->name, word, length) == 0)
            ret[n++] = o->name;
    }
    ret[n] = NULL;
    return n;
}

/* The first command that has the option `word`, which this one does not have; or NULL. */
static const char *other_command(const struct cli_parsed *parsed, const char *word, size_t length)
{
    const struct cli_parsed anywhere = {.table = parsed->table, .scope = ~0U};
    const struct cli_option *o = cli_find_name(&anywhere, word, length);
    const struct cli_command *c = parsed->table->commands;
    while (c->name && !(o && (o->scope & c->scope)))
        c++;
    return c->name;
}

/* What this command line has instead of the option `word` of others; or NULL. */
static const char *instead_of(const struct cli_parsed *parsed, const char *word, size_t length)
{
    for (const struct cli_option *o = parsed->table->options; o->name; o++) {
        if ((o->instead_scope & parsed->scope) && strlen(o->name) == length &&
            strncmp(o->name, word, length) == 0)
            return o->instead;
    }
    return NULL;
}

/* Does this command line have the place: the option, or the argument in which the grammar is? */
static bool has_place(const struct cli_parsed *parsed, const struct ec_hint_place *place)
{
    if (strncmp(place->form, "--", 2) == 0)
        return cli_find_name(parsed, place->form + 2, strcspn(place->form + 2, " ")) != NULL;
    for (const struct cli_argument *a = parsed->table->arguments; a->name; a++) {
        if ((a->scope & parsed->scope) && strcasecmp(a->name, place->grammar) == 0)
            return true;
    }
    return false;
}

/* Is the word a key of an option, such as link= of --router? Then it abbreviates no other one. */
static bool is_key_of_option(const struct cli_parsed *parsed, const char *word, size_t length)
{
    const struct ec_hint_place *place = ec_hint_find(NULL, (struct ec_slice){word, length});
    return place && strncmp(place->form, "--", 2) == 0 && has_place(parsed, place);
}

/* What `--word` or `-word` with a value was meant to be: "; did you mean ...?", or "". */
static const char *meant(const struct cli_parsed *parsed, const char *word, size_t length,
                         const char *value, char *buffer, size_t size)
{
    const char *names[CLI_OPTIONS_MAX];
    const struct ec_slice name = {word, length};
    const struct ec_hint_place *place = ec_hint_find(NULL, name);
    const struct cli_parsed own = {.table = parsed->table, .scope = parsed->narrow};
    if (place && has_place(&own, place))
        return ec_hint_place(place, value ? ec_slice_of(value) : (struct ec_slice){0}, buffer,
                             size);
    names_of(&own, "", 0, names);
    const char *nearest = ec_nearest(word, length, names);
    buffer[0] = '\0';
    if (nearest)
        snprintf(buffer, size, "; did you mean '--%s'?", nearest);
    return buffer;
}

/* The option that the first `length` letters of `word` name: in full, or as an unambiguous prefix.
 * `value` is for a hint. */
static enum ec_code find_long(const struct cli_parsed *parsed, const char *word, size_t length,
                              const char *value, const struct cli_option **ret, struct ec_error *e)
{
    const char *names[CLI_OPTIONS_MAX];
    char hint[200];
    const struct cli_option *o = cli_find_name(parsed, word, length);
    const size_t count = o ? 1 : names_of(parsed, word, length, names);
    if (!o && count == 1 && !is_key_of_option(parsed, word, length))
        o = cli_find_name(parsed, names[0], strlen(names[0]));
    *ret = o;
    if (o)
        return EC_OK;
    if (count > 1)
        return ec_fail(e, EC_USAGE, "option '--%.*s' is ambiguous: --%s or --%s%s", (int)length,
                       word, names[0], names[1],
                       ec_hint_find(NULL, (struct ec_slice){word, length})
                           ? meant(parsed, word, length, value, hint, sizeof hint)
                           : "");
    const char *other = instead_of(parsed, word, length);
    if (other)
        return ec_fail(e, EC_USAGE, "unknown option '--%.*s': %s", (int)length, word, other);
    if (!ec_hint_find(NULL, (struct ec_slice){word, length}))
        other = other_command(parsed, word, length);
    if (other)
        return ec_fail(e, EC_USAGE, "unknown option '--%.*s'; 'ecube %s' has it", (int)length, word,
                       other);
    return ec_fail(e, EC_USAGE, "unknown option '--%.*s'%s", (int)(length < 60 ? length : 60), word,
                   meant(parsed, word, length, value, hint, sizeof hint));
}

enum ec_code cli_check_keys(const struct cli_parsed *parsed, const char *keys, struct ec_error *e)
{
    const struct cli_parsed own = {.table = parsed->table, .scope = parsed->narrow};
    struct ec_slice rest = ec_slice_of(keys), key, name;
    while (ec_slice_take(&rest, ',', &key)) {
        ec_slice_take(&key, '=', &name);
        const struct ec_hint_place *place = ec_hint_find("router", name);
        if (place && !has_place(&own, place))
            return ec_fail(e, EC_USAGE, "--router: unknown key '%.*s': see 'ecube list routers'",
                           EC_SHOWN(name));
    }
    return EC_OK;
}

/* The word behind argv[at], if it may be its value. */
static const char *value_after(int argc, char **argv, int at)
{
    return at + 1 < argc && argv[at + 1][0] != '-' ? argv[at + 1] : NULL;
}

/* Check argv[*at], "--name" or "--name=value"; *at advances if the value is the next word. */
static enum ec_code check_long(const struct cli_parsed *parsed, int argc, char **argv, int *at,
                               bool *ret_help, struct ec_error *e)
{
    const char *word = argv[*at] + 2;
    const char *value = strchr(word, '=');
    const struct cli_option *o;
    char all[120];
    const enum ec_code code = find_long(parsed, word, value ? (size_t)(value - word) : strlen(word),
                                        value ? value + 1 : value_after(argc, argv, *at), &o, e);
    if (code != EC_OK)
        return code;
    if (value && cli_is_flag(o))
        return ec_fail(e, EC_USAGE, "option '--%s' takes no value; got '%.60s'", o->name,
                       value + 1);
    if (!value && !cli_is_flag(o) && ++*at == argc)
        return ec_fail(e, EC_USAGE, "option '--%s' needs a value: --%s %s", o->name, o->name,
                       cli_value_name(o, all));
    *ret_help |= o->offset == offsetof(struct cli_parsed, help);
    return EC_OK;
}

/* The same for "-x", "-xVALUE", "-xyz". */
static enum ec_code check_short(const struct cli_parsed *parsed, int argc, char **argv, int *at,
                                bool *ret_help, struct ec_error *e)
{
    char all[120], hint[200] = "";
    const char *word = argv[*at] + 1;
    for (const char *c = word; *c; c++) {
        const struct cli_option *o = cli_find_letter(parsed, *c);
        if (!o && word[1])
            meant(parsed, word, strlen(word), value_after(argc, argv, *at), hint, sizeof hint);
        if (!o)
            return ec_fail(e, EC_USAGE, "unknown option '-%c'%s%.60s%s%s", *c,
                           word[1] ? " in '-" : "", word[1] ? word : "", word[1] ? "'" : "",
                           *hint ? hint : " (see --help)");
        *ret_help |= o->offset == offsetof(struct cli_parsed, help);
        if (cli_is_flag(o))
            continue;
        if (c[1] == '\0' && ++*at == argc)
            return ec_fail(e, EC_USAGE, "option '-%c' needs a value: -%c %s", *c, *c,
                           cli_value_name(o, all));
        return EC_OK;
    }
    return EC_OK;
}

enum ec_code cli_check_words(const struct cli_parsed *parsed, int argc, char **argv, bool *ret_help,
                             struct ec_error *e)
{
    for (int at = 1; at < argc && !*ret_help; at++) {
        enum ec_code code = EC_OK;
        if (strcmp(argv[at], "--") == 0)
            break;
        if (strncmp(argv[at], "--", 2) == 0)
            code = check_long(parsed, argc, argv, &at, ret_help, e);
        else if (argv[at][0] == '-' && argv[at][1] != '\0')
            code = check_short(parsed, argc, argv, &at, ret_help, e);
        if (code != EC_OK)
            return code;
    }
    return EC_OK;
}

void cli_hint_words(const struct cli_parsed *parsed, const char *first, const char *second,
                    char *hint, size_t size)
{
    const char *name = strncmp(first, "--", 2) == 0 ? first + 2 : "";
    const struct ec_hint_place *place = ec_hint_find(NULL, ec_slice_of(name));
    if (place && has_place(parsed, place) && !cli_find_name(parsed, name, strlen(name)))
        ec_hint_place(place, ec_slice_of(second), hint, size);
    else
        ec_hint_join(first, second, hint, size);
}
