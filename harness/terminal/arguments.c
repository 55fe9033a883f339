/* SPDX-License-Identifier: Apache-2.0 */
/* Command line parsing on top of argp.
 *
 * argp's own complaints are two lines and know no nearest word, so the words that look like
 * options are checked here first, against the same table; what argp sees afterwards cannot fail
 * but in a command's own parser. Knows no particular option. */
#include "terminal/arguments.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "terminal/output.h"
#include "terminal/status.h"

enum { OPTIONS_MAX = 64 };

static size_t option_count(const struct argp *argp)
{
    size_t n = 0;
    while (argp->options[n].name || argp->options[n].key || argp->options[n].doc)
        n++;
    return n;
}

/* The option meant by the first `length` characters of `word`: exact, or a unique beginning. */
static const struct argp_option *find_long(const struct argp *argp, const char *word, size_t length,
                                           bool *ret_ambiguous)
{
    const struct argp_option *found = NULL;
    *ret_ambiguous = false;
    for (size_t i = 0; i < option_count(argp); i++) {
        const struct argp_option *o = &argp->options[i];
        if (!o->name || strncmp(o->name, word, length) != 0)
            continue;
        if (o->name[length] == '\0') {
            *ret_ambiguous = false;
            return o;
        }
        *ret_ambiguous = found != NULL;
        found = o;
    }
    return *ret_ambiguous ? NULL : found;
}

static enum ec_code unknown_long(const struct argp *argp, const char *word, size_t length,
                                 bool ambiguous, struct ec_error *reterr)
{
    const char *names[OPTIONS_MAX] = {NULL};
    size_t n = 0;
    for (size_t i = 0; i < option_count(argp) && n + 1 < OPTIONS_MAX; i++) {
        const char *name = argp->options[i].name;
        if (name && (!ambiguous || strncmp(name, word, length) == 0))
            names[n++] = name;
    }
    if (ambiguous)
        return ec_fail(reterr, EC_USAGE, "option '--%.*s' is ambiguous: --%s or --%s", (int)length,
                       word, names[0], names[1]);
    const char *nearest = ec_nearest(word, length, names);
    return ec_fail(reterr, EC_USAGE, "unknown option '--%.*s'%s%s%s",
                   (int)(length < 60 ? length : 60), word, nearest ? "; did you mean '--" : "",
                   nearest ? nearest : "", nearest ? "'?" : "");
}

/* Check argv[*at], "--name" or "--name=value"; *at moves on to its value if that is a word. */
static enum ec_code check_long(const struct argp *argp, int argc, char **argv, int *at,
                               bool *ret_help, struct ec_error *reterr)
{
    const char *word = argv[*at] + 2;
    const char *value = strchr(word, '=');
    size_t length = value ? (size_t)(value - word) : strlen(word);
    bool ambiguous;
    const struct argp_option *o = find_long(argp, word, length, &ambiguous);
    if (!o)
        return unknown_long(argp, word, length, ambiguous, reterr);
    if (value && !o->arg)
        return ec_fail(reterr, EC_USAGE, "option '--%s' takes no value, got '%.60s'", o->name,
                       value + 1);
    if (!value && o->arg && ++*at == argc)
        return ec_fail(reterr, EC_USAGE, "option '--%s' needs a value: --%s %s", o->name, o->name,
                       o->arg);
    *ret_help |= o->key == 'h';
    return EC_OK;
}

/* The same for "-x", "-xVALUE", "-xyz". */
static enum ec_code check_short(const struct argp *argp, int argc, char **argv, int *at,
                                bool *ret_help, struct ec_error *reterr)
{
    for (const char *c = argv[*at] + 1; *c; c++) {
        const struct argp_option *o = argp->options, *end = o + option_count(argp);
        while (o < end && o->key != *c)
            o++;
        if (o == end)
            return ec_fail(reterr, EC_USAGE, "unknown option '-%c' in '%.60s' (see --help)", *c,
                           argv[*at]);
        *ret_help |= o->key == 'h';
        if (o->arg) {
            if (c[1] == '\0' && ++*at == argc)
                return ec_fail(reterr, EC_USAGE, "option '-%c' needs a value: -%c %s", o->key,
                               o->key, o->arg);
            return EC_OK;
        }
    }
    return EC_OK;
}

static enum ec_code check_options(const struct argp *argp, int argc, char **argv, bool *ret_help,
                                  struct ec_error *reterr)
{
    for (int at = 1; at < argc && !*ret_help; at++) {
        enum ec_code code = EC_OK;
        if (strcmp(argv[at], "--") == 0)
            break;
        if (strncmp(argv[at], "--", 2) == 0)
            code = check_long(argp, argc, argv, &at, ret_help, reterr);
        else if (argv[at][0] == '-' && argv[at][1] != '\0')
            code = check_short(argp, argc, argv, &at, ret_help, reterr);
        if (code != EC_OK)
            return code;
    }
    return EC_OK;
}

enum ec_code cli_arguments(const struct argp *argp, int argc, char **argv, void *target,
                           bool *ret_help, struct ec_error *reterr)
{
    *ret_help = false;
    enum ec_code code = check_options(argp, argc, argv, ret_help, reterr);
    if (code != EC_OK || *ret_help)
        return code;
    struct ec_error error = {.code = EC_OK};
    struct cli_parse parse = {.target = target, .error = &error};
    int failed =
        argp_parse(argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, &parse);
    if (error.code != EC_OK)
        return ec_fail(reterr, error.code, "%s", error.message);
    if (failed != 0) /* argp itself: its tables could not be allocated */
        return ec_fail(reterr, EC_MEMORY, "cannot parse the command line: %s", strerror(failed));
    return EC_OK;
}

void cli_arguments_help(const struct cli_command *command)
{
    char name[40];
    snprintf(name, sizeof name, "ecube %s", command->name);
    argp_help(command->argp, stdout,
              ARGP_HELP_SHORT_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG | ARGP_HELP_POST_DOC,
              name);
}

bool cli_arguments_begin(const struct cli_command *self, int argc, char **argv, void *target,
                         int *ret_status)
{
    struct ec_error error;
    bool help;
    if (cli_arguments(self->argp, argc, argv, target, &help, &error) != EC_OK) {
        *ret_status = cli_complain(NULL, &error);
        return false;
    }
    if (help) {
        cli_arguments_help(self);
        *ret_status = cli_output_flush(stdout, "standard output");
        return false;
    }
    return true;
}

void cli_program_begin(void)
{
    /* Whoever reads our results may stop reading: end quietly then, even if a parent ignores this.
     */
    signal(SIGPIPE, SIG_DFL);
    /* A file beyond its limit is an output that cannot be written, and is reported as such. */
    signal(SIGXFSZ, SIG_IGN);
    setlocale(LC_CTYPE, "");
    setenv("ARGP_HELP_FMT", "no-dup-args-note,opt-doc-col=27,rmargin=80", 0);
}

enum ec_code cli_check_own_router(const char *rtl, const char *top, struct ec_error *reterr)
{
    if (top && !rtl)
        return ec_fail(reterr, EC_USAGE,
                       "--top %.60s needs --rtl FILES, the sources of that module", top);
    if (rtl && !top)
        return ec_fail(reterr, EC_USAGE, "--rtl %.60s needs --top NAME, the router module in there",
                       rtl);
    return EC_OK;
}
