/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for SystemVerilog that Yosys 0.23 accepts and misreads without a word: an unpacked array of
 * structs loses its dimension, and `bind` is ignored. Knows words and brackets; must not parse.
 * Texts made by macros are not seen. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "prove/source.h"

struct scanner {
    const char *at;
    unsigned line;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
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

/* Behind "typedef struct": the name of the type, which follows the braces. */
static struct ec_slice take_type(struct scanner *s)
{
    struct ec_slice word;
    int depth = 0;
    do {
        word = take(s);
        depth += ec_slice_is(word, "{");
        depth -= ec_slice_is(word, "}");
    } while (word.length > 0 && (depth > 0 || !ec_slice_is(word, "}")));
    return take(s);
}

struct types {
    struct ec_slice *names;
    size_t count, room;
};

static bool is_type(const struct types *t, struct ec_slice word)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->names[i].length == word.length && memcmp(t->names[i].at, word.at, word.length) == 0)
            return true;
    }
    return false;
}

static enum ec_code scan(struct scanner *s, struct types *types, const char *path, char *note,
                         size_t size, struct ec_error *reterr)
{
    struct ec_slice before = {0}, last = {0}, word; /* the two words before */
    while ((word = take(s)).length > 0) {
        if (ec_slice_is(last, "typedef") &&
            (ec_slice_is(word, "struct") || ec_slice_is(word, "union"))) {
            word = take_type(s);
            struct ec_slice *names =
                ec_list_grow(types->names, sizeof *names, types->count, &types->room);
            if (names == NULL)
                return ec_fail(reterr, EC_MEMORY, "out of memory for the types of a router");
            types->names = names;
            types->names[types->count++] = word;
        } else if (ec_slice_is(word, "[") && is_type(types, before) && is_word(last.at[0])) {
            return ec_fail(reterr, EC_TOOL,
                           "%s:%u: Yosys silently misreads an unpacked array of structs, '%.*s "
                           "%.*s [...]': make it a packed vector, or an array of vectors",
                           path, s->line, EC_SHOWN(before), EC_SHOWN(last));
        } else if (ec_slice_is(last, "bind") && is_word(word.at[0]) && note[0] == '\0') {
            snprintf(note, size, "%s:%u: Yosys ignores 'bind'", path, s->line);
        }
        before = last;
        last = word;
    }
    return EC_OK;
}

enum ec_code ec_prove_scan(const char *path, const char *text, char *note, size_t size,
                           struct ec_error *reterr)
{
    struct scanner s = {text, 1};
    struct types types = {0};
    const enum ec_code code = scan(&s, &types, path, note, size, reterr);
    free(types.names);
    return code;
}
