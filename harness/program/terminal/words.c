/* SPDX-License-Identifier: Apache-2.0 */
/* Word lists: growing, splitting, quoting. Knows the quoting rules of a shell; must not know what
 * the words mean. */
#include "terminal/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/text.h"

bool cli_words_add(struct cli_words *w, const char *text, size_t length)
{
    if (w->count + 1 >= w->room) {
        size_t room = w->room ? 2 * w->room : 16;
        char **grown = realloc(w->at, room * sizeof *grown);
        if (!grown)
            return false;
        w->at = grown;
        w->room = room;
    }
    char *copy = strndup(text, length);
    if (!copy)
        return false;
    w->at[w->count++] = copy;
    w->at[w->count] = NULL;
    return true;
}

bool cli_words_put(struct cli_words *w, const char *word)
{
    return cli_words_add(w, word, strlen(word));
}

void cli_words_free(struct cli_words *w)
{
    for (size_t i = 0; i < w->count; i++)
        free(w->at[i]);
    free(w->at);
    *w = (struct cli_words){0};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Copy the word at *at to `word` without its quotes; *at moves past it. False: a quote is open. */
static bool take_word(const char **at, const char *end, char *word, size_t *ret_length)
{
    char quote = 0;
    size_t n = 0;
    const char *c = *at;
    for (; c < end && (quote || !is_blank(*c)); c++) {
        if (quote ? *c == quote : *c == '\'' || *c == '"') {
            quote = quote ? 0 : *c;
        } else {
            if (*c == '\\' && quote != '\'' && c + 1 < end)
                c++;
            word[n++] = *c;
        }
    }
    *at = c;
    *ret_length = n;
    return !quote;
}

enum ec_code cli_words_split(const char *line, size_t length, struct cli_words *w,
                             struct ec_error *reterr)
{
    const char *at = line, *end = line + length;
    char *word = malloc(length + 1);
    if (!word)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    enum ec_code code = EC_OK;
    while (code == EC_OK) {
        while (at < end && is_blank(*at))
            at++;
        if (at == end || *at == '#')
            break;
        size_t n;
        if (!take_word(&at, end, word, &n))
            code = ec_fail(reterr, EC_USAGE, "a quote is not closed");
        else if (!cli_words_add(w, word, n))
            code = ec_fail(reterr, EC_MEMORY, "out of memory");
    }
    free(word);
    return code;
}

char *cli_words_quote(char *const *words, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputc(' ', out);
        ec_word_quote(ec_slice_of(words[i]), out);
    }
    (void)ec_memstream_close(out, &text);
    return text;
}
