/* SPDX-License-Identifier: Apache-2.0 */
/* Parses command lines by a table; argp splits the words and prints the help. Must not know any
 * particular option. */
#include "terminal/options.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "terminal/spelling.h"
#include "terminal/status.h"
#include "terminal/table.h"

/* The largest integer that every JSON reader keeps exactly (2^53 - 1). */
#define INTEGER_MAX 9007199254740991.0

/* How argp arranges the help. */
#define LAYOUT "ARGP_HELP_FMT"

/* argp identifies options by their letter or by this plus the row. */
enum { KEY_OF_ROW = 0x100 };

struct parse {
    const struct cli_command *command;
    unsigned place; /* 0: the command line; CLI_LINE, CLI_ROW */
    struct cli_parsed *parsed;
    struct ec_error *error;
    char joined[160]; /* "; did you mean ...?" of the first two words that look like parts of one */
};

static size_t row_of(const struct cli_parsed *parsed, const struct cli_option *o)
{
    return (size_t)(o - parsed->table->options);
}

bool cli_is_flag(const struct cli_option *o)
{
    return !o->value && !o->choices;
}

const char *cli_value_name(const struct cli_option *o, char buffer[120])
{
    snprintf(buffer, 120, "%s", o->value ? o->value : "");
    for (const struct cli_choice *c = o->choices; c && c->word; c++)
        ec_append(buffer, 120, "%s%s", *buffer ? "|" : "", c->word);
    return buffer;
}

static void *field_of(const struct cli_parsed *parsed, size_t offset)
{
    return (char *)parsed + offset;
}

/* --- Lookup -------------------------------------------------------------------------------- */

const char *cli_choice_word(const struct cli_choice *choices, unsigned value)
{
    while (choices->word && choices->value != value)
        choices++;
    return choices->word;
}

const struct cli_command *cli_command_find(const struct cli_table *table, const char *name)
{
    for (const struct cli_command *c = table->commands; c->name; c++) {
        if (strcmp(c->name, name) == 0 || (c->former && strcmp(c->former, name) == 0))
            return c;
    }
    return NULL;
}

const struct cli_option *cli_find_name(const struct cli_parsed *parsed, const char *name,
                                       size_t length)
{
    for (const struct cli_option *o = parsed->table->options; o->name; o++) {
        if ((o->scope & parsed->scope) && strlen(o->name) == length &&
            strncmp(o->name, name, length) == 0)
            return o;
    }
    return NULL;
}

const struct cli_option *cli_find_letter(const struct cli_parsed *parsed, int letter)
{
    for (const struct cli_option *o = parsed->table->options; o->name; o++) {
        if ((o->scope & parsed->scope) && o->letter && o->letter == letter)
            return o;
    }
    return NULL;
}

enum cli_given cli_given(const struct cli_parsed *parsed, const char *option)
{
    const struct cli_option *o = cli_find_name(parsed, option, strlen(option));
    return o ? parsed->given[row_of(parsed, o)] : CLI_NOT_GIVEN;
}

/* --- Messages ------------------------------------------------------------------------------ */

/* The user's text, quoted if it is empty or contains blanks or quotes. */
static const char *show(const char *text, char buffer[80])
{
    const bool plain = *text && !strpbrk(text, " \t'\"");
    snprintf(buffer, 80, plain ? "%.60s" : "'%.60s'", text);
    return buffer;
}

/* --- Values -------------------------------------------------------------------------------- */

enum ec_code cli_read_choice(const char *what, const char *text, const struct cli_choice *choices,
                             unsigned *ret, struct ec_error *reterr)
{
    const char *words[32] = {NULL};
    char all[400], hint[128], shown[80];
    for (size_t i = 0; choices[i].word; i++) {
        if (strcmp(text, choices[i].word) == 0) {
            *ret = choices[i].value;
            return EC_OK;
        }
        if (i + 1 < sizeof words / sizeof *words)
            words[i] = choices[i].word;
    }
    ec_words_or(words, all, sizeof all);
    return ec_fail(reterr, EC_USAGE, "%s %s: expected %s%s", what, show(text, shown), all,
                   ec_nearest_hint(text, strlen(text), words, hint, sizeof hint));
}

static double most_of(const struct cli_option *o)
{
    return o->most > 0 ? o->most : o->store == CLI_U32 ? UINT32_MAX : INTEGER_MAX;
}

/* "10k" and "2M"; else "". */
static const char *hint_number(const char *text, char *buffer, size_t size)
{
    static const char suffixes[] = "kKmMgG";
    const size_t length = strlen(text);
    const char *suffix = length > 1 ? strchr(suffixes, text[length - 1]) : NULL;
    uint64_t value;
    buffer[0] = '\0';
    if (!suffix || !ec_slice_number((struct ec_slice){text, length - 1}, UINT32_MAX, &value))
        return buffer;
    const char *const zeros[] = {"000", "000000", "000000000"};
    snprintf(buffer, size, "; did you mean %" PRIu64 "%s?", value, zeros[(suffix - suffixes) / 2]);
    return buffer;
}

/* "1e6", "2.5e3": a whole number up to `most`, which a double holds exactly. */
static bool read_power(const char *text, double most, uint64_t *ret)
{
    double value;
    if (!strpbrk(text, "eE") || !ec_slice_fraction(ec_slice_of(text), &value) || value > most ||
        value != (double)(uint64_t)value)
        return false;
    *ret = (uint64_t)value;
    return true;
}

/* A number, or one of the words that stand for one. */
static enum ec_code read_number(const struct cli_option *o, const char *text, void *field,
                                struct ec_error *e)
{
    uint64_t value = 0;
    char shown[80], hint[60], words[80] = "";
    for (const struct cli_choice *c = o->choices; c && c->word; c++) {
        if (strcmp(text, c->word) == 0) {
            *(uint32_t *)field = c->value;
            return EC_OK;
        }
        ec_append(words, sizeof words, " or %s", c->word);
    }
    if ((!ec_slice_number(ec_slice_of(text), (uint64_t)most_of(o), &value) &&
         !read_power(text, most_of(o), &value)) ||
        value < (uint64_t)o->least)
        return ec_fail(e, EC_USAGE, "--%s %s: expected a whole number from %.0f to %.0f%s%s",
                       o->name, show(text, shown), o->least, most_of(o), words,
                       hint_number(text, hint, sizeof hint));
    if (o->store == CLI_U32)
        *(uint32_t *)field = (uint32_t)value;
    else
        *(uint64_t *)field = value;
    return EC_OK;
}

static enum ec_code read_fraction(const struct cli_option *o, const char *text, double *ret,
                                  struct ec_error *e)
{
    char shown[80];
    double value;
    const struct ec_slice word = ec_slice_of(text);
    const bool is_part = o->most <= 1;
    if (!(is_part ? ec_slice_part(word, &value) : ec_slice_fraction(word, &value)) ||
        value < o->least || value > o->most)
        return ec_fail(e, EC_USAGE, "--%s %s: expected a number from %g to %g%s%s%s", o->name,
                       show(text, shown), o->least, o->most, o->unit ? o->unit : "",
                       is_part ? ", or in percent" : "",
                       strchr(text, ',') ? ", with a decimal point" : "");
    *ret = value;
    return EC_OK;
}

static enum ec_code read_text(const struct cli_option *o, const char *text,
                              const struct cli_parsed *parsed, const char **ret, struct ec_error *e)
{
    char shown[80];
    errno = 0;
    const bool good = fnmatch(o->pattern ? o->pattern : "?*", text, FNM_EXTMATCH) == 0;
    if (!good && errno == ENOMEM) /* for "@(...)" */
        return ec_fail(e, EC_MEMORY, "out of memory for the value of --%s", o->name);
    if (!good)
        return ec_fail(e, EC_USAGE, "--%s %s: expected %s", o->name, show(text, shown), o->value);
    *ret = text;
    return strcmp(o->name, "router") == 0 ? cli_check_keys(parsed, text, e) : EC_OK;
}

/* Add the line "--NAME VALUE" to a text, which then is another one. */
static enum ec_code gather(const struct cli_option *o, const char *text, struct cli_parsed *parsed,
                           const char **field, struct ec_error *e)
{
    char *line, shown[80];
    if (*text == '\0' || strchr(text, '\n'))
        return ec_fail(e, EC_USAGE, "--%s %s: expected %s", o->name, show(text, shown), o->value);
    if (asprintf(&line, "%s%s--%s %s", *field ? *field : "", *field ? "\n" : "", o->name, text) < 0)
        return ec_fail(e, EC_MEMORY, "out of memory");
    const bool good = cli_words_put(&parsed->gathered, line);
    free(line);
    if (good)
        *field = parsed->gathered.at[parsed->gathered.count - 1];
    return good ? EC_OK : ec_fail(e, EC_MEMORY, "out of memory");
}

static enum ec_code read_option(const struct cli_option *o, const char *text,
                                struct cli_parsed *parsed, struct ec_error *e)
{
    void *field = field_of(parsed, o->offset);
    enum ec_code code = EC_OK;
    unsigned choice = 1; /* also of a flag */
    if (o->choices && !o->value) {
        char what[60];
        snprintf(what, sizeof what, "--%s", o->name);
        code = cli_read_choice(what, text, o->choices, &choice, e);
    }
    if (code != EC_OK)
        return code;
    switch (o->store) {
    case CLI_BOOL:
        *(bool *)field = choice != 0;
        return EC_OK;
    case CLI_U32:
        if (!o->value)
            *(unsigned *)field = choice;
        return o->value ? read_number(o, text, field, e) : EC_OK;
    case CLI_U64:
        return read_number(o, text, field, e);
    case CLI_DOUBLE:
        return read_fraction(o, text, field, e);
    case CLI_STRING:
        return o->gathers ? gather(o, text, parsed, field, e)
                          : read_text(o, text, parsed, field, e);
    case CLI_LIST_OF_WORDS:
        return cli_words_put(field, text) ? EC_OK : ec_fail(e, EC_MEMORY, "out of memory");
    }
    return ec_fail(e, EC_INTERNAL, "internal error: option --%s has no type", o->name);
}

/* Keep an option for the lines of a list. */
static bool repeat(struct cli_parsed *parsed, const struct cli_option *o, const char *text)
{
    char word[60];
    snprintf(word, sizeof word, "--%s", o->name);
    return cli_words_put(&parsed->repeated, word) &&
           (!text || cli_words_put(&parsed->repeated, text));
}

static enum ec_code take_option(struct parse *p, const struct cli_option *o, const char *text)
{
    struct cli_parsed *parsed = p->parsed;
    if (p->place && !(o->scope & p->place))
        return ec_fail(p->error, EC_USAGE, "--%s cannot be used in a %s", o->name,
                       p->place == CLI_LINE
                           ? "list of runs; put it on the command line"
                           : "row of a baseline, which has TOPOLOGY WORKLOAD [OPTION...] only");
    const enum ec_code code = read_option(o, text, parsed, p->error);
    if (code != EC_OK)
        return code;
    parsed->given[row_of(parsed, o)] = CLI_GIVEN;
    if (o->given)
        *(bool *)field_of(parsed, o->given) = true;
    if (!p->place && (o->scope & (CLI_LINE | CLI_ALL_LINES)) && !repeat(parsed, o, text))
        return ec_fail(p->error, EC_MEMORY, "out of memory");
    return EC_OK;
}

/* --- Arguments ----------------------------------------------------------------------------- */

static bool has_argument(const struct cli_parsed *parsed, const struct cli_argument *a)
{
    const void *field = field_of(parsed, a->offset);
    if (a->store == CLI_LIST_OF_WORDS)
        return ((const struct cli_words *)field)->count > 0;
    if (a->store == CLI_STRING)
        return *(const char *const *)field != NULL;
    return cli_choice_word(a->choices, *(const unsigned *)field) != NULL;
}

/* "A B TOPOLOGY WORKLOAD", or examples of these. For a subcommand its name. */
static void put_arguments(const struct parse *p, bool examples, char *text, size_t size)
{
    FILE *out = fmemopen(text, size, "w");
    const char *gap = "";
    text[0] = '\0';
    for (const struct cli_argument *a = p->parsed->table->arguments; out && a->name; a++) {
        const bool known = a->narrows && has_argument(p->parsed, a);
        if (!(a->scope & p->parsed->scope) || (p->place && !(a->scope & p->place)) ||
            (examples && !a->example))
            continue;
        if (known)
            fprintf(out, "%s%s %s", gap, p->command->name,
                    cli_choice_word(a->choices, p->parsed->scope));
        else if (examples)
            fprintf(out, "%s%s", gap, a->example);
        else
            fprintf(out, "%s%s%s%s%s", gap, a->example ? "" : "[", a->name, a->many ? "..." : "",
                    a->example ? "" : "]");
        gap = " ";
    }
    if (out)
        fclose(out);
    text[size - 1] = '\0';
}

static enum ec_code take_argument(struct parse *p, const char *text)
{
    struct cli_parsed *parsed = p->parsed;
    const struct cli_argument *a = parsed->table->arguments;
    char all[200];
    while (a->name && (!(a->scope & parsed->scope) || (has_argument(parsed, a) && !a->many)))
        a++;
    if (!a->name) {
        put_arguments(p, false, all, sizeof all);
        return ec_fail(p->error, EC_USAGE, "unexpected argument '%.60s': expected %s%s", text, all,
                       p->joined);
    }
    if (a->choices)
        return cli_read_choice(a->name, text, a->choices, field_of(parsed, a->offset), p->error);
    if (*text == '\0')
        return ec_fail(p->error, EC_USAGE, "an argument is empty: expected %s", a->name);
    if (a->store == CLI_STRING)
        *(const char **)field_of(parsed, a->offset) = text;
    const bool kept = a->store == CLI_STRING || cli_words_put(field_of(parsed, a->offset), text);
    /* The command line supplies what a line leaves out. */
    if (!kept || (!(a->scope & CLI_LINE) && !cli_words_put(&parsed->repeated, text)))
        return ec_fail(p->error, EC_MEMORY, "out of memory");
    return EC_OK;
}

/* --- Conditions ---------------------------------------------------------------------------- */

/* A condition of the table: NAME, NAME=VALUE, or an argument in capitals. */
struct term {
    struct ec_slice name, value;
    const struct cli_option *option; /* NULL: an argument, or of another command */
};

static bool take_term(const struct cli_parsed *parsed, struct ec_slice *rest, struct term *ret)
{
    if (!ec_slice_take(rest, ' ', &ret->value) || ret->value.length == 0)
        return false;
    ec_slice_take(&ret->value, '=', &ret->name);
    ret->option = cli_find_name(parsed, ret->name.at, ret->name.length);
    return true;
}

/* The name of an algorithm ends at its parameters. */
static bool has_value(const struct cli_parsed *parsed, const struct term *t)
{
    const void *field = field_of(parsed, t->option->offset);
    const char *is = t->option->choices
                         ? cli_choice_word(t->option->choices, *(const unsigned *)field)
                         : *(const char *const *)field;
    return is && strcspn(is, ":") == t->value.length &&
           strncmp(is, t->value.at, t->value.length) == 0;
}

/* Does the condition hold for an option of this level? A condition on a value holds at any level,
 * one on presence only at the same level. */
static bool holds(const struct cli_parsed *parsed, const struct term *t, unsigned level)
{
    for (const struct cli_argument *a = parsed->table->arguments; !t->option && a->name; a++) {
        if ((a->scope & parsed->scope) && ec_slice_is(t->name, a->name))
            return level != CLI_GIVEN_BEFORE && has_argument(parsed, a);
    }
    if (!t->option || !parsed->given[row_of(parsed, t->option)])
        return false;
    if (t->value.at)
        return has_value(parsed, t);
    return level == CLI_NOT_GIVEN || parsed->given[row_of(parsed, t->option)] == level;
}

/* "--backend flat", "--rtl FILES", "BASELINE". */
static void put_term(const struct term *t, char *text, size_t size)
{
    char value[120];
    if (!t->option)
        snprintf(text, size, "%.*s", EC_SHOWN(t->name));
    else if (t->value.at)
        snprintf(text, size, "--%s %.*s", t->option->name, EC_SHOWN(t->value));
    else
        snprintf(text, size, "--%s%s%s", t->option->name, cli_is_flag(t->option) ? "" : " ",
                 cli_value_name(t->option, value));
}

static enum ec_code check_needs(const struct parse *p, const struct cli_option *o)
{
    struct ec_slice rest = ec_slice_of(o->needs ? o->needs : "");
    struct term t;
    char text[4][140], all[600];
    const char *words[5] = {NULL};
    size_t count = 0;
    while (count < 4 && take_term(p->parsed, &rest, &t)) {
        if (holds(p->parsed, &t, CLI_NOT_GIVEN))
            return EC_OK;
        put_term(&t, text[count], sizeof text[count]);
        words[count] = text[count];
        count++;
    }
    ec_words_or(words, all, sizeof all);
    return count ? ec_fail(p->error, EC_USAGE, "--%s needs %s", o->name, all) : EC_OK;
}

static enum ec_code check_excludes(const struct parse *p, const struct cli_option *o)
{
    struct ec_slice rest = ec_slice_of(o->excludes ? o->excludes : "");
    struct term t;
    char text[140];
    while (take_term(p->parsed, &rest, &t)) {
        if (!holds(p->parsed, &t, p->parsed->given[row_of(p->parsed, o)]))
            continue;
        if (t.option && !t.value.at)
            snprintf(text, sizeof text, "--%s", t.option->name);
        else
            put_term(&t, text, sizeof text);
        return ec_fail(p->error, EC_USAGE, "--%s cannot be combined with %s%s%s", o->name, text,
                       o->because ? ": " : "", o->because ? o->because : "");
    }
    return EC_OK;
}

/* A subcommand that has a row of its own has options that its command lacks. */
static enum ec_code check_order(const struct parse *p)
{
    const struct cli_command *c = p->parsed->table->commands;
    if (p->parsed->scope & p->command->scope)
        return EC_OK;
    while (c->scope != p->parsed->scope)
        c++;
    return ec_fail(p->error, EC_USAGE, "options follow the subcommand: expected ecube %s [WORD...]",
                   c->name);
}

static enum ec_code check_options(const struct parse *p)
{
    enum ec_code code = check_order(p);
    for (const struct cli_option *o = p->parsed->table->options; o->name && code == EC_OK; o++) {
        if (!p->parsed->given[row_of(p->parsed, o)])
            continue;
        if (!(o->scope & p->parsed->scope)) {
            char all[200];
            put_arguments(p, false, all, sizeof all);
            return ec_fail(p->error, EC_USAGE, "--%s is not an option of '%s'", o->name, all);
        }
        code = check_excludes(p, o);
        if (code == EC_OK)
            code = check_needs(p, o);
    }
    return code;
}

static bool is_replaced(const struct cli_parsed *parsed, const struct cli_argument *a)
{
    struct ec_slice rest = ec_slice_of(a->instead ? a->instead : "");
    struct term t;
    while (take_term(parsed, &rest, &t)) {
        if (holds(parsed, &t, CLI_GIVEN))
            return true;
    }
    return false;
}

static enum ec_code check_arguments(const struct parse *p)
{
    char all[300], example[300];
    for (const struct cli_argument *a = p->parsed->table->arguments; a->name; a++) {
        if (!(a->scope & p->parsed->scope) || !a->example || has_argument(p->parsed, a) ||
            is_replaced(p->parsed, a))
            continue;
        const char *words[32] = {NULL};
        for (size_t i = 0; a->choices && a->choices[i].word && i < 31; i++)
            words[i] = a->choices[i].word;
        if (a->choices) {
            ec_words_or(words, all, sizeof all);
            return ec_fail(p->error, EC_USAGE, "missing %s: expected %s", a->name, all);
        }
        put_arguments(p, false, all, sizeof all);
        put_arguments(p, true, example, sizeof example);
        return ec_fail(p->error, EC_USAGE, "missing %s: expected %s, for example %s", a->name, all,
                       example);
    }
    return EC_OK;
}

/* --- argp ---------------------------------------------------------------------------------- */

static error_t take_key(int key, char *text, struct argp_state *state)
{
    struct parse *p = state->input;
    if (key == ARGP_KEY_ARG)
        return (error_t)take_argument(p, text);
    if (key >= KEY_OF_ROW && key < KEY_OF_ROW + CLI_OPTIONS_MAX)
        return (error_t)take_option(p, &p->parsed->table->options[key - KEY_OF_ROW], text);
    const struct cli_option *o = key > 0 && key < 0x80 ? cli_find_letter(p->parsed, key) : NULL;
    return o ? (error_t)take_option(p, o, text) : ARGP_ERR_UNKNOWN;
}

/* A table as argp expects it. */
struct argp_table {
    struct argp_option options[2 * CLI_OPTIONS_MAX];
    char *texts[3 * CLI_OPTIONS_MAX];
    size_t text_count;
    bool failed;
};

__attribute__((format(printf, 2, 3))) static char *put_text(struct argp_table *t,
                                                            const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) {
        t->failed = true;
        text = NULL;
    }
    va_end(args);
    t->texts[t->text_count++] = text;
    return text;
}

/* A list of values that is too long for the left column of the help goes into its text. */
#define VALUE_WIDTH 50

static const char *text_of(struct argp_table *t, const struct cli_option *o, const char *value)
{
    char words[300] = "";
    size_t used = 0;
    if (strlen(value) > VALUE_WIDTH)
        used += (size_t)snprintf(words, sizeof words, ": ");
    for (const char *c = value; used > 0 && *c && used < sizeof words - 3; c++) {
        words[used++] = *c == '|' ? ',' : *c;
        if (*c == '|')
            words[used++] = ' ';
        words[used] = '\0';
    }
    return o->otherwise ? put_text(t, "%s%s (default: %s)", o->help, words, o->otherwise)
                        : put_text(t, "%s%s", o->help, words);
}

/* The rows of a scope, with headings. False without memory. */
static bool fill_options(struct argp_table *t, const struct cli_parsed *parsed)
{
    const struct cli_table *table = parsed->table;
    struct argp_option *to = t->options;
    char value[120];
    *t = (struct argp_table){.failed = false};
    for (unsigned group = 0; table->groups[group].heading; group++) {
        bool headed = false;
        for (const struct cli_option *o = table->options; o->name; o++) {
            if (!(o->scope & parsed->scope) || o->group != group)
                continue;
            if (!headed)
                *to++ =
                    (struct argp_option){.doc = put_text(t, "%s:", table->groups[group].heading),
                                         .group = (int)group + 1};
            headed = true;
            cli_value_name(o, value);
            *to++ = (struct argp_option){
                .name = o->name,
                .key = o->letter ? o->letter : KEY_OF_ROW + (int)row_of(parsed, o),
                .arg = cli_is_flag(o)
                           ? NULL
                           : put_text(t, "%s", strlen(value) > VALUE_WIDTH ? "WORD" : value),
                .doc = text_of(t, o, value),
                .group = (int)group + 1};
        }
    }
    return !t->failed;
}

static void release(struct argp_table *t)
{
    for (size_t i = 0; i < t->text_count; i++)
        free(t->texts[i]);
}

static enum ec_code parse(const struct cli_command *command, unsigned place, int argc, char **argv,
                          struct cli_parsed *parsed, struct ec_error *reterr)
{
    struct argp_table t;
    struct ec_error error = {.code = EC_OK};
    struct parse p = {.command = command, .place = place, .parsed = parsed, .error = &error};
    const struct argp argp = {.options = t.options, .parser = take_key};
    for (int i = 1; i + 1 < argc && !p.joined[0]; i++) /* before argp changes the order */
        cli_hint_words(parsed, argv[i], argv[i + 1], p.joined, sizeof p.joined);
    int failed = fill_options(&t, parsed) ? 0 : ENOMEM;
    if (!failed)
        failed =
            argp_parse(&argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, &p);
    release(&t);
    if (error.code == EC_OK && failed) /* argp itself ran out of memory */
        return ec_fail(reterr, EC_MEMORY, "cannot parse the command line: %s", strerror(failed));
    if (error.code == EC_OK && check_options(&p) == EC_OK)
        check_arguments(&p);
    return error.code == EC_OK ? EC_OK : ec_fail(reterr, error.code, "%s", error.message);
}

static void set_scope(struct cli_parsed *parsed, unsigned scope, int argc, char **argv)
{
    parsed->scope = parsed->narrow = scope;
    for (const struct cli_argument *a = parsed->table->arguments; a->name; a++) {
        for (int i = 1; i < argc && a->narrows && (a->scope & scope); i++)
            (void)cli_read_choice(a->name, argv[i], a->choices, &parsed->narrow, NULL);
    }
}

/* --- The interface ------------------------------------------------------------------------- */

enum ec_code cli_parse(const struct cli_table *table, const struct cli_command *command, int argc,
                       char **argv, struct cli_parsed *parsed, struct ec_error *reterr)
{
    parsed->table = table;
    set_scope(parsed, command->scope, argc, argv);
    parsed->help = false;
    const enum ec_code code = cli_check_words(parsed, argc, argv, &parsed->help, reterr);
    return code != EC_OK || parsed->help ? code : parse(command, 0, argc, argv, parsed, reterr);
}

enum ec_code cli_parse_line(const struct cli_table *table, const struct cli_command *command,
                            unsigned place, int argc, char **argv, struct cli_parsed *parsed,
                            struct ec_error *reterr)
{
    bool help = false;
    parsed->table = table;
    set_scope(parsed, command->scope, argc, argv);
    for (size_t i = 0; i < CLI_OPTIONS_MAX; i++) {
        if (parsed->given[i])
            parsed->given[i] = CLI_GIVEN_BEFORE;
    }
    const enum ec_code code = cli_check_words(parsed, argc, argv, &help, reterr);
    return code != EC_OK ? code : parse(command, place, argc, argv, parsed, reterr);
}

bool cli_begin(const struct cli_table *table, const struct cli_command *command, int argc,
               char **argv, struct cli_parsed *parsed, int *ret_status)
{
    struct ec_error e;
    if (cli_parse(table, command, argc, argv, parsed, &e) != EC_OK) {
        *ret_status = (int)cli_complain(NULL, &e);
        return false;
    }
    if (parsed->help) {
        *ret_status = cli_print_help(table, command, stdout, &e) == EC_OK
                          ? (int)cli_output_flush(stdout, "standard output")
                          : (int)cli_complain(NULL, &e);
    }
    return !parsed->help;
}

/* A descriptor that the parent has closed would be the next one that is opened: results would go
 * into that file, or to a worker. Reading from these, or writing to them, fails as if they were
 * closed. */
static void occupy_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void cli_program_begin(void)
{
    occupy_standard_descriptors();
    /* If the reader of a pipe closes it, end quietly, even if a parent ignores SIGPIPE. */
    signal(SIGPIPE, SIG_DFL);
    /* A file that exceeds the size limit is reported as a failed write, not by a signal. */
    signal(SIGXFSZ, SIG_IGN);
    setlocale(LC_CTYPE, "");
    setenv(LAYOUT, "no-dup-args-note,opt-doc-col=27,rmargin=80", 0);
}

/* Does the help end as its notes do, whose lines argp breaks? */
static bool is_whole(const char *text, const char *notes)
{
    static const char blanks[] = " \n";
    size_t end = strlen(text), length = strlen(notes), word = 0;
    while (end > 0 && strchr(blanks, text[end - 1]))
        end--;
    while (length > 0 && strchr(blanks, notes[length - 1]))
        length--;
    while (word < length && !strchr(blanks, notes[length - word - 1]))
        word++;
    return end > 0 && end >= word && memcmp(text + end - word, notes + length - word, word) == 0;
}

enum ec_code cli_print_help(const struct cli_table *table, const struct cli_command *command,
                            FILE *out, struct ec_error *reterr)
{
    const struct cli_parsed parsed = {.table = table, .scope = command->scope};
    struct argp_table t;
    const bool good = fill_options(&t, &parsed);
    char name[40], *text = NULL;
    size_t size = 0;
    const struct argp argp = {.options = t.options,
                              .args_doc = command->usage,
                              .doc = put_text(&t, "%s\v%s", command->about, command->notes)};
    snprintf(name, sizeof name, "ecube %s", command->name);
    FILE *memory = open_memstream(&text, &size);
    if (memory && good && argp.doc && getenv(LAYOUT))
        argp_help(&argp, memory,
                  ARGP_HELP_SHORT_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG | ARGP_HELP_POST_DOC,
                  name);
    release(&t);
    /* argp prints nothing, or a part, if it has no memory itself. */
    const bool whole = ec_memstream_close(memory, &text) && is_whole(text, command->notes);
    if (whole)
        fputs(text, out);
    free(text);
    return whole ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory for the help");
}
