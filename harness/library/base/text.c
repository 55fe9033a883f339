/* SPDX-License-Identifier: Apache-2.0 */
/* Slices, numbers, misspelt and misplaced words. Knows names only; must not know any grammar. */
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --- Slices and numbers ----------------------------------------------------------------------- */

struct ec_slice ec_slice_of(const char *text)
{
    return (struct ec_slice){text, strlen(text)};
}

bool ec_slice_is(struct ec_slice s, const char *word)
{
    return strlen(word) == s.length && memcmp(s.at, word, s.length) == 0;
}

bool ec_slice_take(struct ec_slice *rest, char separator, struct ec_slice *ret)
{
    if (!rest->at)
        return false;
    const char *end = memchr(rest->at, separator, rest->length);
    if (!end) {
        *ret = *rest;
        *rest = (struct ec_slice){NULL, 0};
        return true;
    }
    size_t length = (size_t)(end - rest->at);
    *ret = (struct ec_slice){rest->at, length};
    *rest = (struct ec_slice){end + 1, rest->length - length - 1};
    return true;
}

bool ec_slice_number(struct ec_slice s, uint64_t max, uint64_t *ret)
{
    uint64_t value = 0;

    if (s.length == 0)
        return false;
    for (size_t i = 0; i < s.length; i++) {
        if (s.at[i] < '0' || s.at[i] > '9')
            return false;
        unsigned digit = (unsigned)(s.at[i] - '0');
        if (digit > max || value > (max - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *ret = value;
    return true;
}

bool ec_slice_fraction(struct ec_slice s, double *ret)
{
    char copy[64];

    /* strtod() also accepts signs, spaces, "nan" and "0x1p3"; checking the first character and the
     * alphabet excludes them. */
    if (s.length == 0 || s.length >= sizeof copy || s.at[0] == '+' || s.at[0] == '-')
        return false;
    for (size_t i = 0; i < s.length; i++) {
        if (!strchr("0123456789.eE+-", s.at[i]) || s.at[i] == '\0')
            return false;
    }
    memcpy(copy, s.at, s.length);
    copy[s.length] = '\0';
    char *end;
    double value = strtod(copy, &end);
    if (*end || !isfinite(value))
        return false;
    *ret = value;
    return true;
}

bool ec_slice_part(struct ec_slice s, double *ret)
{
    const bool percent = s.length > 0 && s.at[s.length - 1] == '%';
    s.length -= percent;
    if (!ec_slice_fraction(s, ret))
        return false;
    *ret /= percent ? 100 : 1;
    return true;
}

/* --- Misspelt words --------------------------------------------------------------------------- */

#define WORD_MAX 40 /* longer words are not compared with names */

static unsigned smaller_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance, three rows of the table at a time. */
static unsigned edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][WORD_MAX + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];

    for (size_t j = 0; j <= b_length; j++)
        last[j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            row[j] = smaller_of(smaller_of(last[j], row[j - 1]) + 1, last[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]))
                row[j] = smaller_of(row[j], before[j - 2] + 1);
        }
        unsigned *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[b_length];
}

const char *ec_nearest(const char *word, size_t length, const char *const *names)
{
    const char *best = NULL;
    unsigned best_distance = 0;

    if (length == 0 || length > WORD_MAX)
        return NULL;
    for (; *names; names++) {
        size_t name_length = strlen(*names);
        if (name_length > WORD_MAX)
            continue;
        unsigned distance = edit_distance(word, length, *names, name_length);
        /* More than a third of the letters wrong (two in a short word) is another word. */
        size_t longer = length > name_length ? length : name_length;
        size_t bound = longer <= 1 ? 0 : longer <= 3 ? 1 : longer <= 8 ? 2 : longer / 3;
        if (distance <= bound && (!best || distance < best_distance)) {
            best = *names;
            best_distance = distance;
        }
    }
    return best;
}

const char *ec_nearest_hint(const char *word, size_t length, const char *const *names, char *buffer,
                            size_t size)
{
    const char *best = ec_nearest(word, length, names);

    if (best)
        snprintf(buffer, size, "; did you mean '%s'?", best);
    else if (size)
        buffer[0] = '\0';
    return buffer;
}

const char *ec_words_or(const char *const *words, char *buffer, size_t size)
{
    buffer[0] = '\0';
    for (size_t i = 0; words[i]; i++)
        ec_append(buffer, size, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
    return buffer;
}

void ec_word_quote(struct ec_slice word, FILE *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=:,./@%~^";
    size_t length = 0;
    while (length < word.length && strchr(plain, word.at[length]))
        length++;
    /* A shell expands ~ at the start of a word only. */
    if (length > 0 && length == word.length && *word.at != '~') {
        fwrite(word.at, 1, length, out);
        return;
    }
    fputc('\'', out);
    for (size_t i = 0; i < word.length; i++)
        fputs(word.at[i] == '\'' ? "'\\''" : (char[]){word.at[i], '\0'}, out);
    fputc('\'', out);
}

void ec_append(char *buffer, size_t size, const char *format, ...)
{
    const size_t used = strlen(buffer);
    va_list args;
    va_start(args, format);
    vsnprintf(buffer + used, size - used, format, args);
    va_end(args);
}

void ec_put_markup(const char *text, bool ascii, FILE *out)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        const char *const name = *c == '&'   ? "&amp;"
                                 : *c == '<' ? "&lt;"
                                 : *c == '>' ? "&gt;"
                                 : *c == '"' ? "&quot;"
                                             : NULL;
        if (name)
            fputs(name, out);
        else
            fputc(ascii && (*c < 0x20 || *c >= 0x7f) ? '?' : *c, out);
    }
}

/* --- Words in a wrong place ------------------------------------------------------------------- */

/* Where words belong that users look for elsewhere. A test tries every row
 * (tests/cli/test_hints.sh). */
const struct ec_hint_place ec_hint_places[] = {
    {"vcs", "router", "--router vcs=@"},
    {"vc", "router", "--router vcs=@"},
    {"virtual-channels", "router", "--router vcs=@"},
    {"depth", "router", "--router depth=@"},
    {"buffer", "router", "--router depth=@"},
    {"buffers", "router", "--router depth=@"},
    {"buffer-depth", "router", "--router depth=@"},
    {"switching", "router", "--router switching=@"},
    {"order", "router", "--router order=@"},
    {"ports", "router", "--router ports=@"},
    {"dateline", "router", "--router dateline=@"},
    {"datelines", "router", "--router dateline=@"},
    {"va", "router", "--router va=@"},
    {"allocation", "router", "--router va=@"},
    {"stages", "router", "--router stages=@"},
    {"pipeline", "router", "--router stages=@"},
    {"link", "router", "--router link=@"},
    {"link-delay", "router", "--router link=@"},
    {"ties", "router", "--router ties=@"},
    {"speedup", "router", "--router speedup=@"},
    {"routing", "router", "--router routing=@"},
    {"rate", "workload", "uniform:rate=@,m=8"},
    {"load", "workload", "uniform:rate=@,m=8"},
    {"injection-rate", "workload", "uniform:rate=@,m=8"},
    {"m", "workload", "shift:q=1,m=@"},
    {"length", "workload", "shift:q=1,m=@"},
    {"message", "workload", "shift:q=1,m=@"},
    {"words", "workload", "shift:q=1,m=@"},
    {"q", "workload", "shift:q=@"},
    {"distance", "workload", "shift:q=@"},
    {"labels", "workload", "shift:q=1,labels=@"},
    {"k", "workload", "kshuffle:k=@"},
    {"K", "workload", "bitrev:K=@"},
    {"elements", "workload", "bitrev:K=@"},
    {"sub", "workload", "bitrev:sub=@"},
    {"node", "workload", "hotspot:node=@"},
    {"share", "workload", "hotspot:rate=0.1,share=@"},
    {"file", "workload", "trace:file=@"},
    {"trace", "workload", "trace:file=@"},
    {"packet", NULL, "--packet @"},
    {"packet-size", NULL, "--packet @"},
    {"seed", NULL, "--seed @"},
    {"startup", NULL, "--startup @"},
    {"cycles", NULL, "--cycles @"},
    {"window", NULL, "--cycles @"},
    {"warmup", NULL, "--warmup @"},
    {"algorithm", NULL, "--algorithm @"},
    {"schedule", NULL, "--algorithm @"},
    {"sync", NULL, "--sync @"},
    {"stall", NULL, "--eject-stall @"},
    {"eject-stall", NULL, "--eject-stall @"},
    {"backend", NULL, "--backend @"},
    {"cores", NULL, "--threads @"},
    {"cpus", NULL, "--threads @"},
    {"nthreads", NULL, "--threads @"},
    {"json", NULL, "--format json"},
    {"csv", NULL, "--format csv"},
    {NULL, NULL, NULL},
};

const struct ec_hint_place *ec_hint_find(const char *here, struct ec_slice word)
{
    for (const struct ec_hint_place *p = ec_hint_places; p->word; p++) {
        const bool own = here && p->grammar && strcmp(here, p->grammar) == 0;
        if (!own && ec_slice_is(word, p->word))
            return p;
    }
    return NULL;
}

const char *ec_hint_place(const struct ec_hint_place *place, struct ec_slice value, char *buffer,
                          size_t size)
{
    const char *gap = place ? strchr(place->form, '@') : NULL;
    if (!value.at || !value.length)
        value = ec_slice_of("...");
    if (!place)
        buffer[0] = '\0';
    else
        snprintf(buffer, size, "; did you mean %s'%.*s%.*s%s'?",
                 strncmp(place->form, "--", 2) == 0 ? "" : "a key of the workload, as in ",
                 (int)(gap ? gap - place->form : (ptrdiff_t)strlen(place->form)), place->form,
                 gap ? (int)(value.length < 100 ? value.length : 100) : 0, value.at,
                 gap ? gap + 1 : "");
    return buffer;
}

const char *ec_hint_join(const char *first, const char *second, char *buffer, size_t size)
{
    const bool pair =
        isalpha((unsigned char)*second) && strchr(second, '=') && !strchr(second, ':');
    const bool name = isalpha((unsigned char)*first) && !strpbrk(first, ":=");
    char separator = '\0';
    if (name && (pair || isdigit((unsigned char)*second)))
        separator = ':';
    else if (pair && strchr(first, '='))
        separator = ',';
    if (separator)
        snprintf(buffer, size, "; did you mean '%.60s%c%.60s'?", first, separator, second);
    else
        buffer[0] = '\0';
    return buffer;
}
