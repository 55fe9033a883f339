/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the build options of a user's router, and file lists as Verilator and other simulators do.
 *
 * Knows options and the words of file lists. Must not know the router contract or how Verilator is
 * run. */
#include "shape/sources.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/output.h"
#include "base/text.h"
#include "ecube/shape.h"

enum {
    DEPTH_MAX = 16, /* of lists in lists */
    LISTS_MAX =
        1000, /* far more than a router has; else lists could name the next one many times */
};

/* Where a word comes from, for messages. */
struct origin {
    const char *list; /* NULL: an option of the command line */
    unsigned line;
    const char *folder; /* relative names begin here; NULL: in the current folder */
    unsigned depth;
};

struct reader {
    struct ec_sources *to;
    struct ec_error *error;
};

static enum ec_code read_list(struct reader *r, const struct origin *from, const char *name,
                              bool relative);

__attribute__((format(printf, 3, 4))) static enum ec_code
fail_at(const struct reader *r, const struct origin *at, const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return at->list ? ec_fail(r->error, EC_USAGE, "%.300s:%u: %s", at->list, at->line, text)
                    : ec_fail(r->error, EC_USAGE, "%s", text);
}

/* --- Names ------------------------------------------------------------------------------------ */

static enum ec_code resolve(const struct reader *r, const struct origin *at, const char *name,
                            char path[PATH_MAX])
{
    const bool moved = at->folder && name[0] != '/';
    return ec_path(path, PATH_MAX, r->error, "%s%s%s", moved ? at->folder : "", moved ? "/" : "",
                   name);
}

/* Lists are written for one folder and used in another: the usual mistake. */
static const char *remedy(const struct origin *at, const char *name, char *buffer, size_t size)
{
    char path[PATH_MAX];
    buffer[0] = '\0';
    if (!at->list || at->folder || name[0] == '/')
        return buffer;
    const char *slash = strrchr(at->list, '/');
    if (slash &&
        ec_path(path, sizeof path, NULL, "%.*s%s", (int)(slash - at->list) + 1, at->list, name) ==
            EC_OK &&
        access(path, R_OK) == 0)
        snprintf(buffer, size, "; -F %.300s takes names relative to the list", at->list);
    return buffer;
}

static enum ec_code add_path(const struct reader *r, const struct origin *at, const char *what,
                             const char *name, bool folder, struct ec_args *to)
{
    char path[PATH_MAX], hint[400];
    struct stat info;
    if (*name == '\0')
        return fail_at(r, at, "%s: a name is empty", what);
    const enum ec_code code = resolve(r, at, name, path);
    if (code != EC_OK)
        return code;
    const int error = access(path, R_OK) != 0 ? errno : 0;
    if (error != 0)
        return fail_at(r, at, "%s: cannot read %.300s: %s%s", what, path, strerror(error),
                       remedy(at, name, hint, sizeof hint));
    if (stat(path, &info) != 0)
        return fail_at(r, at, "%s: %.300s: %s", what, path, strerror(errno));
    if (S_ISDIR(info.st_mode) != folder)
        return fail_at(r, at, "%s: %.300s is %s folder", what, path, folder ? "not a" : "a");
    /* Tools read a source several times, and would wait for a pipe. */
    if (!folder && !S_ISREG(info.st_mode))
        return fail_at(r, at, "%s: %.300s is not a regular file", what, path);
    ec_args_add(to, "%s", path);
    return EC_OK;
}

/* --- Macros and parameters -------------------------------------------------------------------- */

static size_t identifier(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_' || (n > 0 && text[n] == '$'))
        n++;
    return isdigit((unsigned char)text[0]) ? 0 : n;
}

/* Names that the wrapper of the router (rtl/ec_tile.sv) gives a meaning to. */
static bool is_reserved(const char *name, size_t length)
{
    static const char *const names[] = {"EC_ROUTER", "EC_PARAMETERS", "EC_TRACE"};
    bool found = strncmp(name, "EC_NO_", strlen("EC_NO_")) == 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found = found || ec_slice_is((struct ec_slice){name, length}, names[i]);
    return found;
}

static enum ec_code add_define(const struct reader *r, const struct origin *at, const char *text)
{
    const size_t length = identifier(text);
    if (length == 0 || (text[length] != '\0' && text[length] != '='))
        return fail_at(r, at, "--define '%.100s': expected NAME or NAME=VALUE", text);
    if (is_reserved(text, length))
        return fail_at(r, at, "--define %.*s: ecube's wrapper uses this name: expected another",
                       (int)length, text);
    ec_args_add(&r->to->defines, "%s", text);
    return EC_OK;
}

/* Parameters that follow from the network, and the option that chooses them. */
static const struct {
    const char *name, *option;
} chosen[] = {
    {"Dims", "TOPOLOGY"},
    {"LinksPerDim", "TOPOLOGY"},
    {"Locals", "--router ports=..."},
    {"Vcs", "--router vcs=..."},
    {"DepthMax", "--router depth=..."},
};

/* Can this be a whole expression? Else the compiler would complain about ecube's wrapper, which
 * passes it on. A string ends, every bracket is closed, and nothing begins with %, the modulo, but
 * a placeholder. */
static bool is_expression(const char *text)
{
    static const char *const placeholders[] = {"%x", "%r", "%coord", "%node"};
    long depth = 0;
    bool string = false, known = *text != '%';
    for (size_t i = 0; i < sizeof placeholders / sizeof *placeholders; i++)
        known = known || strncmp(text, placeholders[i], strlen(placeholders[i])) == 0;
    for (const char *c = text; *c && known && depth >= 0; c++) {
        if (*c == '"')
            string = !string;
        else if (string)
            c += *c == '\\' && c[1];
        else
            depth += strchr("([{", *c) ? 1 : strchr(")]}", *c) ? -1 : 0;
        known = string || (*c != ';' && strncmp(c, "//", 2) != 0);
    }
    return known && !string && depth == 0;
}

static enum ec_code add_parameter(const struct reader *r, const struct origin *at, const char *text)
{
    const size_t length = identifier(text);
    if (length == 0 || text[length] != '=' || text[length + 1] == '\0')
        return fail_at(r, at, "--parameter '%.100s': expected NAME=VALUE", text);
    if (!is_expression(text + length + 1))
        return fail_at(r, at,
                       "--parameter '%.100s': expected a SystemVerilog expression, or %%x0, %%r0, "
                       "%%coord or %%node",
                       text);
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        if (ec_slice_is((struct ec_slice){text, length}, chosen[i].name))
            return fail_at(r, at, "--parameter %s is chosen by ecube: expected %s", chosen[i].name,
                           chosen[i].option);
    }
    struct ec_args *const all = &r->to->parameters;
    for (size_t i = 0; i < all->count; i++) {
        char *const old = all->words[i];
        if (strncmp(old, text, length + 1) != 0)
            continue;
        all->words[i] = strdup(text); /* the last one counts */
        all->failed |= all->words[i] == NULL;
        free(old);
        return EC_OK;
    }
    ec_args_add(all, "%s", text);
    return EC_OK;
}

/* --- The words of a list ---------------------------------------------------------------------- */

/* +incdir+DIR+DIR, +define+NAME=VALUE+NAME */
static enum ec_code add_plus(struct reader *r, const struct origin *at, const char *word)
{
    struct ec_slice rest = ec_slice_of(word + 1), kind, part;
    enum ec_code code = EC_OK;
    ec_slice_take(&rest, '+', &kind);
    const bool folders = ec_slice_is(kind, "incdir");
    if (ec_slice_is(kind, "libext")) {
        ec_args_add(&r->to->library, "%s", word);
        return EC_OK;
    }
    if (strstr(word, "ext+") != NULL)
        return EC_OK; /* which files are SystemVerilog: all of them */
    if (!folders && !ec_slice_is(kind, "define"))
        return fail_at(r, at, "'%.100s' is not supported: expected +incdir+, +define+ or +libext+",
                       word);
    while (code == EC_OK && ec_slice_take(&rest, '+', &part)) {
        char *text = part.length > 0 ? strndup(part.at, part.length) : NULL;
        if (text)
            code = folders ? add_path(r, at, "+incdir", text, true, &r->to->includes)
                           : add_define(r, at, text);
        free(text);
    }
    return code;
}

/* Options that change nothing here. */
static bool is_ignored(const char *word)
{
    static const char *const words[] = {"-sv", "--sv", "-sverilog", "--timing", "--no-timing"};
    bool found = strncmp(word, "-W", 2) == 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        found = found || strcmp(word, words[i]) == 0;
    return found;
}

static enum ec_code add_library(struct reader *r, const struct origin *at, const char *option,
                                const char *name)
{
    ec_args_add(&r->to->library, "%s", option);
    return add_path(r, at, option, name, option[1] == 'y', &r->to->library);
}

/* An option with its value in the same word, or in the next one (`next`, which is then used). */
static enum ec_code add_option(struct reader *r, const struct origin *at, const char *word,
                               const char *next, bool *ret_used)
{
    static const char separate[] = "fFyvIDG";
    const char letter = word[1];
    const bool alone = word[1] != '\0' && word[2] == '\0';
    if (is_ignored(word))
        return EC_OK;
    if (letter == '\0' || !strchr(separate, letter) || (!alone && strchr("fFyv", letter)))
        return fail_at(r, at,
                       "option '%.100s' is not supported in a file list: expected files, -f, -F, "
                       "-y, -v, -I, -D, -G, +incdir+, +define+ or +libext+",
                       word);
    if (alone && !next)
        return fail_at(r, at, "option '%s' needs a value", word);
    const char *value = alone ? next : word + 2;
    *ret_used = alone;
    switch (letter) {
    case 'f':
    case 'F':
        return read_list(r, at, value, letter == 'F');
    case 'I':
        return add_path(r, at, "-I", value, true, &r->to->includes);
    case 'D':
        return add_define(r, at, value);
    case 'G':
        return add_parameter(r, at, value);
    default:
        return add_library(r, at, word, value);
    }
}

/* --- The text of a list ----------------------------------------------------------------------- */

static const char *skip_line(const char *at)
{
    return at + strcspn(at, "\n");
}

/* Past blanks and comments, to the next word or the end. */
static const char *skip_to_word(const char *at, unsigned *line)
{
    for (;;) {
        const char *start = at;
        for (; isspace((unsigned char)*at); at++)
            *line += *at == '\n';
        if (*at == '#' || strncmp(at, "//", 2) == 0)
            at = skip_line(at);
        if (strncmp(at, "/*", 2) == 0) {
            const char *end = strstr(at + 2, "*/");
            end = end ? end + 2 : at + strlen(at);
            for (; at < end; at++)
                *line += *at == '\n';
        }
        if (at == start)
            return at;
    }
}

/* $NAME, ${NAME} or $(NAME) at *at, which moves behind it. ECUBE_RTL, the folder of our RTL, needs
 * no environment. */
static enum ec_code put_variable(const struct reader *r, const struct origin *origin,
                                 const char **at, FILE *out)
{
    const char close = (*at)[1] == '{' ? '}' : (*at)[1] == '(' ? ')' : '\0';
    const char *name = *at + (close ? 2 : 1);
    const size_t length = identifier(name);
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    const char *value = getenv(text);
    char rtl[PATH_MAX];
    if (!value && strcmp(text, "ECUBE_RTL") == 0) {
        const enum ec_code code = ec_data_path(rtl, sizeof rtl - strlen("/rtl"), r->error);
        if (code != EC_OK)
            return code;
        strcat(rtl, "/rtl");
        value = rtl;
    }
    if (length == 0 || length >= sizeof text || (close && name[length] != close))
        return fail_at(r, origin, "'%.60s': expected $NAME, ${NAME} or $(NAME)", *at);
    if (!value)
        return fail_at(r, origin, "the environment variable %s is not set", text);
    fputs(value, out);
    *at = name + length + (close != '\0');
    return EC_OK;
}

/* The word at *at, without its quotes and with variables replaced; malloc'd. *ret NULL: none. */
static enum ec_code take_word(const struct reader *r, struct origin *origin, const char **at,
                              char **ret)
{
    size_t size = 0;
    char quote = '\0';
    enum ec_code code = EC_OK;
    *ret = NULL;
    *at = skip_to_word(*at, &origin->line);
    if (**at == '\0')
        return EC_OK;
    FILE *out = open_memstream(ret, &size);
    if (!out)
        return ec_fail(r->error, EC_MEMORY, "out of memory for a file list");
    while (code == EC_OK && **at && (quote || !isspace((unsigned char)**at))) {
        if (**at == '\n') {
            code = fail_at(r, origin, "a quote is not closed");
        } else if (**at == '$') {
            code = put_variable(r, origin, at, out);
        } else if (quote ? **at == quote : **at == '"' || **at == '\'') {
            quote = quote ? '\0' : **at;
            ++*at;
        } else {
            *at += **at == '\\' && (*at)[1] && (*at)[1] != '\n';
            fputc(*(*at)++, out);
        }
    }
    if (code == EC_OK && quote)
        code = fail_at(r, origin, "a quote is not closed");
    if (!ec_memstream_close(out, ret) && code == EC_OK)
        code = ec_fail(r->error, EC_MEMORY, "out of memory for a file list");
    return code;
}

static enum ec_code add_word(struct reader *r, struct origin *at, const char *word,
                             const char **rest)
{
    struct origin ahead = *at;
    const char *behind = *rest;
    char *next = NULL;
    bool used = false;
    if (word[0] == '+')
        return add_plus(r, at, word);
    if (word[0] != '-')
        return add_path(r, at, "source", word, false, &r->to->files);
    enum ec_code code =
        word[1] != '\0' && word[2] == '\0' ? take_word(r, &ahead, &behind, &next) : EC_OK;
    if (code == EC_OK)
        code = add_option(r, at, word, next, &used);
    free(next);
    if (used) {
        *rest = behind;
        at->line = ahead.line;
    }
    return code;
}

static enum ec_code read_words(struct reader *r, struct origin *at, const char *text)
{
    enum ec_code code = EC_OK;
    char *word = NULL;
    while (code == EC_OK) {
        code = take_word(r, at, &text, &word);
        if (code == EC_OK && !word)
            break;
        if (code == EC_OK)
            code = add_word(r, at, word, &text);
        free(word);
        word = NULL;
    }
    free(word);
    return code;
}

/* `relative`: the names in the list are relative to its own folder. */
static enum ec_code read_list(struct reader *r, const struct origin *from, const char *name,
                              bool relative)
{
    char path[PATH_MAX], folder[PATH_MAX];
    char *text = NULL;
    size_t size;
    if (from->depth == DEPTH_MAX)
        return fail_at(r, from, "%.300s: more than %d lists in lists: does it name itself?", name,
                       DEPTH_MAX);
    if (r->to->lists.count >= LISTS_MAX)
        return fail_at(r, from, "%.300s: more than %d file lists: name each of them once", name,
                       LISTS_MAX);
    enum ec_code code = add_path(r, from, relative ? "-F" : "-f", name, false, &r->to->lists);
    if (code == EC_OK)
        code = resolve(r, from, name, path);
    if (code == EC_OK)
        code = ec_file_read(path, &text, &size, r->error);
    if (code != EC_OK)
        return code;
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    struct origin at = {
        .list = path, .line = 1, .folder = relative ? folder : NULL, .depth = from->depth + 1};
    code = strlen(text) == size ? read_words(r, &at, text)
                                : fail_at(r, &at, "a zero byte: expected a text file");
    free(text);
    return code;
}

/* --- Options ---------------------------------------------------------------------------------- */

static enum ec_code add_line(struct reader *r, const char *line)
{
    static const struct origin here = {0};
    const size_t name = strcspn(line, " ");
    const char *value = line + name + (line[name] == ' ');
    const struct ec_slice option = {line, name};
    if (ec_slice_is(option, "--define"))
        return add_define(r, &here, value);
    if (ec_slice_is(option, "--parameter"))
        return add_parameter(r, &here, value);
    if (ec_slice_is(option, "--include"))
        return add_path(r, &here, "--include", value, true, &r->to->includes);
    if (ec_slice_is(option, "--file-list"))
        return read_list(r, &here, value, false);
    if (ec_slice_is(option, "--file-list-here"))
        return read_list(r, &here, value, true);
    return fail_at(r, &here,
                   "'%.100s': expected --define NAME=VALUE, --parameter NAME=VALUE, --include "
                   "FOLDER, --file-list FILE or --file-list-here FILE",
                   line);
}

const char **ec_sources_split(const char *text)
{
    size_t count = 1;
    for (const char *c = text; *c; c++)
        count += *c == ',';
    const size_t pointers = (count + 1) * sizeof(char *), bytes = strlen(text) + 1;
    const char **list = calloc(1, pointers + bytes);
    char *rest = list ? (char *)list + pointers : NULL;
    if (list)
        memcpy(rest, text, bytes);
    for (size_t i = 0; list && i < count; i++)
        list[i] = strsep(&rest, ",");
    return list;
}

enum ec_code ec_sources_read(const char *const *rtl, const char *build, struct ec_sources *ret,
                             struct ec_error *reterr)
{
    *ret = (struct ec_sources){0};
    struct reader r = {.to = ret, .error = reterr};
    struct ec_slice rest = ec_slice_of(build ? build : ""), line;
    enum ec_code code = EC_OK;
    while (build && code == EC_OK && ec_slice_take(&rest, '\n', &line)) {
        char *text = strndup(line.at, line.length);
        if (!text)
            return ec_fail(reterr, EC_MEMORY, "out of memory for the options of a router");
        if (line.length > 0)
            code = add_line(&r, text);
        free(text);
    }
    for (; rtl && *rtl && code == EC_OK; rtl++)
        ec_args_add(&ret->files, "%s", *rtl);
    if (code == EC_OK && (ret->files.failed || ret->includes.failed || ret->defines.failed ||
                          ret->parameters.failed || ret->lists.failed || ret->library.failed))
        code = ec_fail(reterr, EC_MEMORY, "out of memory for the sources of a router");
    return code;
}

void ec_sources_free(struct ec_sources *s)
{
    ec_args_free(&s->files);
    ec_args_free(&s->includes);
    ec_args_free(&s->defines);
    ec_args_free(&s->parameters);
    ec_args_free(&s->lists);
    ec_args_free(&s->library);
}

enum ec_code ec_shape_build_files(const char *build, void (*file)(void *context, const char *path),
                                  void *context, struct ec_error *reterr)
{
    struct ec_sources s;
    const enum ec_code code = ec_sources_read(NULL, build, &s, reterr);
    const struct ec_args *const named[] = {&s.lists, &s.files, &s.includes, &s.library};
    for (size_t k = 0; file && code == EC_OK && k < sizeof named / sizeof *named; k++) {
        for (size_t i = 0; i < named[k]->count; i++) {
            const bool option = strchr("-+", named[k]->words[i][0]) != NULL; /* of a library */
            if (named[k] != &s.library || !option)
                file(context, named[k]->words[i]);
        }
    }
    ec_sources_free(&s);
    return code;
}
