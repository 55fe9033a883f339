/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for SystemVerilog that Yosys 0.23 accepts and misreads without a message: it loses a
 * dimension between the names of a type and a variable, and the dimensions of unpacked arrays of
 * structs; it ignores `bind`. Knows words, brackets and included files; must not parse. Texts made
 * by macros are not seen. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/list.h"
#include "base/text.h"
#include "netlist/source.h"

enum {
    INCLUDES_MAX = 16,       /* one in another */
    DIMENSIONS_WORDS = 1000, /* far more than any has; else brackets without end take for ever */
};

/* The name of a typedef, in one of the texts. */
struct type {
    struct ec_slice name;
    bool record; /* a struct or union, not an alias of one, which Yosys reads right */
};

struct file {
    char *path, *text; /* owned */
};

struct scan {
    const struct ec_sources *user;
    struct type *types;
    size_t count, room;
    struct file *files; /* that were read */
    size_t file_count, file_room;
    unsigned depth; /* of included files */
    char *note;
    size_t size; /* of the note */
    bool speaks;
    struct ec_error *error;
};

/* --- Words ------------------------------------------------------------------------------------ */

struct scanner {
    const char *at;
    unsigned line;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool is_name(struct ec_slice word)
{
    return word.length > 0 && is_word(word.at[0]) && !isdigit((unsigned char)word.at[0]);
}

/* The end of a comment or string that begins here; NULL: none does. */
static const char *skip_text(const char *at)
{
    const char *end;
    if (at[0] == '"') {
        for (end = at + 1; *end != '\0' && *end != '"' && *end != '\n'; end++)
            end += end[0] == '\\' && end[1] != '\0';
        return *end == '"' ? end + 1 : end;
    }
    if (at[0] != '/' || (at[1] != '/' && at[1] != '*'))
        return NULL;
    if (at[1] == '/')
        return at + strcspn(at, "\n");
    end = strstr(at + 2, "*/");
    return end != NULL ? end + 2 : at + strlen(at);
}

static void advance(struct scanner *s, const char *end)
{
    for (; s->at < end; s->at++)
        s->line += *s->at == '\n';
}

/* The next word or other character; length 0: the end. */
static struct ec_slice take(struct scanner *s)
{
    const char *end;
    while (*s->at != '\0') {
        if ((end = skip_text(s->at)) != NULL)
            advance(s, end);
        else if (isspace((unsigned char)*s->at))
            advance(s, s->at + 1);
        else
            break;
    }
    struct ec_slice word = {s->at, *s->at != '\0'};
    while (is_word(s->at[0]) && is_word(word.at[word.length]))
        word.length++;
    advance(s, word.at + word.length);
    return word;
}

/* 1, -1 or 0. */
static int nesting(struct ec_slice word)
{
    if (word.length != 1)
        return 0;
    return (strchr("([{", *word.at) != NULL) - (strchr(")]}", *word.at) != NULL);
}

/* What follows the dimension that has just begun, and further ones; length 0: they do not end. */
static struct ec_slice behind_dimensions(struct scanner s)
{
    int depth = 1;
    struct ec_slice word = {0};
    for (unsigned words = 0; words < DIMENSIONS_WORDS; words++) {
        word = take(&s);
        depth += nesting(word);
        if (word.length == 0 || (depth <= 0 && !ec_slice_is(word, "]") && !ec_slice_is(word, "[")))
            return word;
    }
    word.length = 0;
    return word;
}

/* --- Types ------------------------------------------------------------------------------------ */

static struct type *find_type(const struct scan *s, struct ec_slice word)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct ec_slice name = s->types[i].name;
        if (name.length == word.length && memcmp(name.at, word.at, word.length) == 0)
            return &s->types[i];
    }
    return NULL;
}

static bool is_record(const struct scan *s, struct ec_slice word)
{
    const struct type *t = find_type(s, word);
    return t != NULL && t->record;
}

/* The last one of a name counts. */
static enum ec_code add_type(struct scan *s, struct type t)
{
    struct type *known = find_type(s, t.name);
    if (known != NULL)
        *known = t;
    else if (!EC_LIST_PUSH(s->types, s->count, s->room, t))
        return ec_fail(s->error, EC_MEMORY, "out of memory for the types of a router");
    return EC_OK;
}

/* What is being declared. */
struct declaration {
    bool type;      /* a typedef */
    bool variables; /* of a record: their type and the first name have been read */
    int depth;      /* of brackets since its beginning */
    unsigned names; /* of a typedef, outside of brackets and without those of packages */
    struct type is; /* that it defines */
};

static enum ec_code follow(struct scan *s, struct declaration *d, struct ec_slice last,
                           struct ec_slice word)
{
    if (!d->type && !d->variables)
        return EC_OK;
    d->depth += nesting(word);
    if (d->type && d->depth == 0 && is_name(word)) {
        d->is.record |=
            d->names == 0 && (ec_slice_is(word, "struct") || ec_slice_is(word, "union"));
        d->names += !ec_slice_is(last, ":");
        d->is.name = word;
    }
    const bool ends = (d->depth == 0 && ec_slice_is(word, ";")) || d->depth < 0 ||
                      (d->variables && d->depth == 0 && is_name(word) && is_name(last));
    const struct declaration done = *d;
    if (!ends)
        return EC_OK;
    *d = (struct declaration){0};
    return done.type && done.names > 1 ? add_type(s, done.is) : EC_OK;
}

/* --- Texts ------------------------------------------------------------------------------------ */

/* A place in a text, with the two words before. */
struct place {
    const char *path;
    struct scanner at;
    struct ec_slice before, last;
};

/* An array begins here. `last` is a type or a variable. */
static enum ec_code judge_array(const struct scan *s, const struct place *p,
                                const struct declaration *d)
{
    const struct ec_slice behind = behind_dimensions(p->at);
    const bool base = !d->type || d->depth > 1 || d->names == 1; /* else the type that is defined */
    if (find_type(s, p->last) != NULL && base && is_name(behind) && !ec_slice_is(p->before, "."))
        return ec_fail(
            s->error, EC_TOOL,
            "%s:%u: Yosys silently misreads a packed array of a type, '%.*s [...] %.*s': "
            "make it a packed vector, or a type of its own without a dimension",
            p->path, p->at.line, EC_SHOWN(p->last), EC_SHOWN(behind));
    const bool first = is_record(s, p->before) && is_name(p->last);
    const bool later = d->variables && d->depth == 1 && ec_slice_is(p->before, ",") &&
                       is_name(p->last) && !is_name(behind);
    if (!first && !later)
        return EC_OK;
    return ec_fail(s->error, EC_TOOL,
                   "%s:%u: Yosys silently misreads an unpacked array of structs, '%.*s%s%.*s "
                   "[...]': make it a packed vector, or an array of vectors",
                   p->path, p->at.line, EC_SHOWN(p->before), first ? " " : "... ",
                   EC_SHOWN(p->last));
}

/* A task that prints or ends a simulation, an assertion, or a macro that one tool has and another
 * has not. */
static bool is_spoken(struct ec_slice word)
{
    static const char *const tasks[] = {"$display", "$write",   "$strobe", "$monitor",
                                        "$info",    "$warning", "$error",  "$fatal",
                                        "$finish",  "$stop",    "$exit"};
    static const char *const others[] = {"assert",   "assume",    "restrict",  "cover",
                                         "property", "SYNTHESIS", "VERILATOR", "YOSYS"};
    bool found = false;
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks && !found; i++)
        found = word.length >= strlen(tasks[i]) && memcmp(word.at, tasks[i], strlen(tasks[i])) == 0;
    for (size_t i = 0; i < sizeof others / sizeof *others && !found; i++)
        found = ec_slice_is(word, others[i]);
    return found;
}

static enum ec_code scan_include(struct scan *s, struct place *p);

static enum ec_code scan_text(struct scan *s, const char *path, const char *text)
{
    struct place p = {.path = path, .at = {text, 1}};
    struct declaration d = {0};
    struct ec_slice word;
    enum ec_code code = EC_OK;
    while (code == EC_OK && (word = take(&p.at)).length > 0) {
        code = follow(s, &d, p.last, word);
        s->speaks = s->speaks || is_spoken(word);
        if (code == EC_OK && ec_slice_is(word, "["))
            code = judge_array(s, &p, &d);
        else if (ec_slice_is(p.last, "`") && ec_slice_is(word, "include"))
            code = scan_include(s, &p);
        else if (ec_slice_is(p.last, "bind") && is_word(word.at[0]) && s->note[0] == '\0')
            snprintf(s->note, s->size, "%s:%u: Yosys ignores 'bind'", path, p.at.line);
        if (ec_slice_is(word, "typedef"))
            d = (struct declaration){.type = true};
        else if (!d.type && is_name(word) && is_record(s, p.last))
            d = (struct declaration){.variables = true};
        p.before = p.last;
        p.last = word;
    }
    return code;
}

/* --- Files ------------------------------------------------------------------------------------ */

/* A file that has been scanned need not be again: its types are known. */
static enum ec_code scan_file(struct scan *s, const char *path)
{
    struct file f;
    size_t size;
    for (size_t i = 0; i < s->file_count; i++) {
        if (strcmp(s->files[i].path, path) == 0)
            return EC_OK;
    }
    const enum ec_code code = ec_file_read(path, &f.text, &size, s->error);
    if (code != EC_OK)
        return code;
    f.path = strdup(path);
    if (f.path == NULL || !EC_LIST_PUSH(s->files, s->file_count, s->file_room, f)) {
        free(f.path);
        free(f.text);
        return ec_fail(s->error, EC_MEMORY, "out of memory for the sources of a router");
    }
    return scan_text(s, f.path, f.text);
}

/* Scan `name` in the folder of a file (or in a folder). False: it is not there. */
static bool scan_in(struct scan *s, const char *folder, size_t length, struct ec_slice name,
                    enum ec_code *ret)
{
    char path[PATH_MAX];
    if (ec_path(path, sizeof path, NULL, "%.*s%s%.*s", (int)length, folder, length > 0 ? "/" : "",
                (int)name.length, name.at) != EC_OK ||
        access(path, R_OK) != 0)
        return false;
    *ret = scan_file(s, path);
    return true;
}

static size_t folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) : 0;
}

/* As Yosys looks for it. A file that is not there is in a part that is left out. */
static enum ec_code find_include(struct scan *s, const char *from, struct ec_slice name)
{
    const struct ec_sources *user = s->user;
    enum ec_code code = EC_OK;
    if (scan_in(s, "", 0, name, &code) || name.at[0] == '/' ||
        scan_in(s, from, folder_of(from), name, &code))
        return code;
    for (size_t i = 0; i < user->includes.count; i++) {
        if (scan_in(s, user->includes.words[i], strlen(user->includes.words[i]), name, &code))
            return code;
    }
    for (size_t i = 0; i < user->files.count; i++) {
        if (scan_in(s, user->files.words[i], folder_of(user->files.words[i]), name, &code))
            return code;
    }
    return EC_OK;
}

/* `include "NAME": its types hold behind it. */
static enum ec_code scan_include(struct scan *s, struct place *p)
{
    const char *at = p->at.at + strspn(p->at.at, " \t");
    const struct ec_slice name = {at + 1, *at == '"' ? strcspn(at + 1, "\"\n") : 0};
    if (name.length == 0 || s->depth == INCLUDES_MAX)
        return EC_OK;
    s->depth++;
    const enum ec_code code = find_include(s, p->path, name);
    s->depth--;
    return code;
}

enum ec_code ec_netlist_scan(const struct ec_sources *user, const struct ec_args *more, char *note,
                             size_t size, bool *speaks, struct ec_error *reterr)
{
    struct scan s = {.user = user, .note = note, .size = size, .error = reterr};
    enum ec_code code = EC_OK;
    for (size_t i = 0; i < user->files.count && code == EC_OK; i++)
        code = scan_file(&s, user->files.words[i]);
    for (size_t i = 0; i + 1 < user->library.count && code == EC_OK; i++) {
        if (strcmp(user->library.words[i], "-v") == 0)
            code = scan_file(&s, user->library.words[i + 1]);
    }
    for (size_t i = 0; more != NULL && i < more->count && code == EC_OK; i++)
        code = scan_file(&s, more->words[i]);
    if (speaks != NULL)
        *speaks = s.speaks;
    for (size_t i = 0; i < s.file_count; i++) {
        free(s.files[i].path);
        free(s.files[i].text);
    }
    free(s.files);
    free(s.types);
    return code;
}
