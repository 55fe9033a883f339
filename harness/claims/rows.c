/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the records of the claims.
 *
 * A record consists of lines "KEY: VALUE". An indented line continues the value above it; a line
 * that starts with '#' is a comment. "source:" opens a file and applies to all its records, "form:"
 * defines a function for formulas, "loops:" a grid, "id:" starts a record. A key that is not part
 * of a script occurs once per record.
 *
 * Knows the keys; must not know what an experiment does. */
#include "claims/rows.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "claims/experiments.h"
#include "claims/grids.h"
#include "ecube/shape.h"

/* In the order of the rows. The last one has results beyond the papers, which no paper claims. */
static const char *const files[] = {"grama",    "gohil",    "gergel",  "jh_bounds",
                                    "jh_mixed", "jh_multi", "jh_real", "jh_machine",
                                    "ecube",    "errata",   "beyond"};
enum { FILES = sizeof files / sizeof *files, BEYOND = FILES - 1 };

/* Keys whose values are stored unchanged. */
static const struct {
    const char *key;
    size_t offset;
    bool needed;
} texts[] = {
    {"statement", offsetof(struct claims_row, statement), true},
    {"grid", offsetof(struct claims_row, grid), true},
    {"remark", offsetof(struct claims_row, remark), false},
    {"counterexample", offsetof(struct claims_row, counterexample), false},
    {"needs", offsetof(struct claims_row, needs), false},
};
enum { TEXTS = sizeof texts / sizeof *texts };

/* The relations of "check:", so that a misspelt one is not printed as if it were the paper's. */
static const char *const relations[] = {
    "==", "<=", "<", ">=", ">", "iff", "in", "exists",
    /* between what one paper states and a constant or a formula */
    "== 0", "== 1", "== 2", "<= 1", "<= 2", "-> 0", "-> as m grows", "beta >= 1", "ratio <2, <5",
    "exists none", "in {sigma_r, sigma_r+3}", "<=; == at q=p-1", "== closed forms; direct <",
    "<= K/2 + beta (max order - 1)"};
enum { RELATIONS = sizeof relations / sizeof *relations };

static const char **text_of(struct claims_row *row, size_t which)
{
    return (const char **)((char *)row + texts[which].offset);
}

/* The reader's position, for error messages, and the record that the next line belongs to. */
struct reader {
    struct claims_book *book;
    const char *file; /* "grama.txt" */
    bool beyond;      /* the papers */
    const char *source;
    struct claims_row *row; /* NULL before the first record of a file */
    struct ec_error *error;
};

__attribute__((format(printf, 3, 4))) static enum ec_code fail_at(struct reader *r, unsigned line,
                                                                  const char *format, ...)
{
    char what[300];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return ec_fail(r->error, EC_USAGE, "%s:%u: %s", r->file, line, what);
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* Splits `text` in place. Values move left so that continued values become contiguous. */
static enum ec_code cut_lines(struct reader *r, char *text)
{
    struct claims_book *book = r->book;
    unsigned number = 0;
    char *to = text; /* end of the last value */
    for (char *next, *at = text; *at; at = next) {
        char *end = at + strcspn(at, "\n");
        next = *end ? end + 1 : end;
        number++;
        while (end > at && isspace((unsigned char)end[-1]))
            end--;
        *end = '\0';
        const bool more = *at == ' ' || *at == '\t';
        if (at == end || *at == '#')
            continue;
        if (more && to == text)
            return fail_at(r, number, "expected KEY: VALUE; got an indented line");
        char *colon = at + strspn(at, "abcdefghijklmnopqrstuvwxyz");
        if (!more && (colon == at || *colon != ':' || colon[1] != ' '))
            return fail_at(r, number, "expected KEY: VALUE; got '%.60s'", at);
        if (more) {
            at += strspn(at, " \t");
            to[-1] = ' ';
        }
        memmove(to, at, (size_t)(end - at) + 1);
        if (!more) {
            to[colon - at] = '\0';
            book->lines[book->line_count++] =
                (struct claims_line){to, to + (colon - at) + 2, number};
        }
        to += end - at + 1;
    }
    return EC_OK;
}

static size_t count_lines(const char *text)
{
    size_t n = 1;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* --- Records ---------------------------------------------------------------------------------- */

static enum ec_code check_record(struct reader *r)
{
    struct claims_row *row = r->row;
    if (!row)
        return EC_OK;
    for (size_t i = 0; i < TEXTS; i++)
        if (texts[i].needed && !*text_of(row, i))
            return fail_at(r, row->line, "claim %s: missing '%s:'", row->id, texts[i].key);
    if (!row->check || row->expected == CLAIMS_VERDICT_COUNT)
        return fail_at(r, row->line, "claim %s: missing '%s:'", row->id,
                       row->check ? "verdict" : "check");
    if ((row->script != NULL) == (row->needs != NULL))
        return fail_at(r, row->line, "claim %s: expected either 'needs:' or lines of a script",
                       row->id);
    if (row->script)
        row->experiment = experiment_script;
    row->remark = row->remark ? row->remark : "";
    return EC_OK;
}

/* Splits "FIRST | SECOND", a part of the reader's own text; NULL if there is no second part. */
static const char *cut_bar(const char *value)
{
    char *bar = (char *)strstr(value, " | ");
    if (bar)
        *bar = '\0';
    return bar ? bar + strlen(" | ") : NULL;
}

/* Reads a number from 1 to INT_MAX, without sign or other text; 0 if it is not one. */
static unsigned read_number(const char *text, size_t length)
{
    uint64_t number;
    return ec_slice_number((struct ec_slice){text, length}, INT_MAX, &number) ? (unsigned)number
                                                                              : 0;
}

static enum ec_code begin_record(struct reader *r, const struct claims_line *line)
{
    const char *id = line->value + strcspn(line->value, " ");
    const unsigned number = read_number(line->value, (size_t)(id - line->value));
    const char *place = cut_bar(line->value);
    enum ec_code code = check_record(r);
    if (code != EC_OK)
        return code;
    if (number == 0 || !*id || !id[1] || !place || !r->source)
        return fail_at(r, line->number,
                       "expected id: NUMBER NAME | PLACE below a source; got '%.60s'", line->value);
    for (size_t i = 0; i < r->book->count; i++)
        if (r->book->rows[i].number == number || strcmp(r->book->rows[i].id, id + 1) == 0)
            return fail_at(r, line->number, "the number or the name of '%.60s' is already used",
                           line->value);
    r->row = &r->book->rows[r->book->count++];
    *r->row = (struct claims_row){.number = number,
                                  .id = id + 1,
                                  .source = r->source,
                                  .forms = r->book->forms,
                                  .place = place,
                                  .line = line->number,
                                  .beyond = r->beyond,
                                  .expected = CLAIMS_VERDICT_COUNT};
    return EC_OK;
}

static enum ec_code refuse_duplicate(struct reader *r, const struct claims_line *line)
{
    return fail_at(r, line->number, "duplicate key '%s:' of claim %s: expected one", line->key,
                   r->row->id);
}

static enum ec_code read_check(struct reader *r, const struct claims_line *line)
{
    size_t i = 0;
    if (r->row->check)
        return refuse_duplicate(r, line);
    r->row->check = cut_bar(line->value);
    r->row->relation = line->value;
    if (!r->row->check)
        return fail_at(r, line->number, "expected check: RELATION | HOW; got '%.60s'", line->value);
    while (i < RELATIONS && strcmp(relations[i], line->value) != 0)
        i++;
    if (i == RELATIONS)
        return fail_at(r, line->number,
                       "unknown relation '%.60s': expected ==, <=, <, >=, >, iff or another entry "
                       "of relations[] in rows.c",
                       line->value);
    return EC_OK;
}

static enum ec_code read_verdict(struct reader *r, const struct claims_line *line)
{
    if (r->row->expected != CLAIMS_VERDICT_COUNT)
        return refuse_duplicate(r, line);
    for (int v = 0; v < CLAIMS_VERDICT_COUNT; v++)
        if (strcmp(line->value, claims_verdict_text((enum claims_verdict)v)) == 0)
            r->row->expected = (enum claims_verdict)v;
    if (r->row->expected == CLAIMS_VERDICT_COUNT)
        return fail_at(r, line->number, "expected a verdict such as 'holds'; got '%.60s'",
                       line->value);
    return EC_OK;
}

/* "ID" or "ID NUMBER": the script of an earlier record, with another value of `with`. */
static enum ec_code read_as(struct reader *r, const struct claims_line *line)
{
    const size_t length = strcspn(line->value, " ");
    const char *with = line->value + length;
    for (size_t i = 0; i + 1 < r->book->count; i++) {
        const struct claims_row *row = &r->book->rows[i];
        if (strlen(row->id) != length || strncmp(row->id, line->value, length) != 0 || !row->script)
            continue;
        r->row->script = row->script;
        r->row->script_count = row->script_count;
        r->row->with = *with ? (int)read_number(with + 1, strlen(with + 1)) : 0;
        if (*with && r->row->with == 0)
            break;
        return EC_OK;
    }
    return fail_at(r, line->number,
                   "expected as: ID or ID NUMBER, an earlier claim with a script and a whole "
                   "number from 1; got '%.60s'",
                   line->value);
}

/* A function for the formulas or a grid for the scripts of all files, above the records. `head`
 * ends its name, and `part` must occur. */
static enum ec_code read_form(struct reader *r, const struct claims_line *line, const char *head,
                              const char *part, const char *expected)
{
    const size_t length = strcspn(line->value, head) + 1;
    if (!strstr(line->value, part))
        return fail_at(r, line->number, "expected %s; got '%.60s'", expected, line->value);
    for (size_t i = 0; i < r->book->form_count; i++)
        if (strncmp(r->book->forms[i], line->value, length) == 0)
            return fail_at(r, line->number, "duplicate %s '%.60s'", line->key, line->value);
    r->book->forms[r->book->form_count++] = line->value;
    return EC_OK;
}

static enum ec_code read_line(struct reader *r, const struct claims_line *line)
{
    if (strcmp(line->key, "source") == 0) {
        if (r->source)
            return fail_at(r, line->number, "duplicate key 'source:' of a file: expected one");
        r->source = line->value;
        return EC_OK;
    }
    if (strcmp(line->key, "id") == 0)
        return begin_record(r, line);
    if (strcmp(line->key, "form") == 0 && !r->row)
        return read_form(r, line, "(", ") = ", "form: NAME(A, B) = EXPRESSION");
    if (strcmp(line->key, "loops") == 0 && !r->row)
        return read_form(r, line, ":", ": ",
                         "loops: NAME: LOOPS [| NAME = EXPRESSION [| CONDITION]]");
    if (!r->row)
        return fail_at(r, line->number, "expected source: or id:; got '%.60s:'", line->key);
    for (size_t i = 0; i < TEXTS; i++) {
        const char **text = text_of(r->row, i);
        if (strcmp(line->key, texts[i].key) != 0)
            continue;
        if (*text)
            return refuse_duplicate(r, line);
        *text = line->value;
        return EC_OK;
    }
    if (strcmp(line->key, "check") == 0)
        return read_check(r, line);
    if (strcmp(line->key, "verdict") == 0)
        return read_verdict(r, line);
    if (strcmp(line->key, "as") == 0)
        return r->row->script ? refuse_duplicate(r, line) : read_as(r, line);
    if (!claims_script_key(line->key))
        return fail_at(r, line->number, "unknown key '%.60s:'", line->key);
    if (!r->row->script)
        r->row->script = line;
    if (line != r->row->script + r->row->script_count++)
        return fail_at(r, line->number, "the lines of a script must be contiguous");
    return EC_OK;
}

/* --- The book --------------------------------------------------------------------------------- */

/* The folder of the records: `folder`, or the one in the source tree or the installation. */
static enum ec_code find_folder(const char *folder, char *buffer, size_t size, struct ec_error *e)
{
    char data[4096];
    if (folder)
        return ec_path(buffer, size, e, "%s", folder);
    const enum ec_code code = ec_data_path(data, sizeof data, e);
    return code == EC_OK ? ec_path(buffer, size, e, "%s/harness/claims/rows", data) : code;
}

/* The rest of the reader takes a zero byte for the end of the file. */
static enum ec_code check_bytes(const char *file, const char *text, size_t size, struct ec_error *e)
{
    const char *zero = memchr(text, '\0', size);
    unsigned line = 1;
    if (!zero)
        return EC_OK;
    for (const char *c = text; c < zero; c++)
        line += *c == '\n';
    return ec_fail(e, EC_USAGE, "%s.txt:%u: expected text; got a zero byte", file, line);
}

static enum ec_code read_texts(struct claims_book *book, const char *folder, struct ec_error *e)
{
    char path[4200];
    size_t size;
    enum ec_code code = EC_OK;
    book->texts = calloc(FILES, sizeof *book->texts);
    if (!book->texts)
        return ec_fail(e, EC_MEMORY, "out of memory");
    for (size_t i = 0; code == EC_OK && i < FILES; i++) {
        code = ec_path(path, sizeof path, e, "%s/%s.txt", folder, files[i]);
        if (code == EC_OK)
            code = ec_file_read(path, &book->texts[i], &size, e);
        if (code == EC_OK)
            code = check_bytes(files[i], book->texts[i], size, e);
    }
    return code;
}

static enum ec_code read_file(struct claims_book *book, size_t which, struct ec_error *e)
{
    char file[40];
    struct reader r = {.book = book, .file = file, .beyond = which == BEYOND, .error = e};
    const size_t first = book->line_count;
    snprintf(file, sizeof file, "%s.txt", files[which]);
    enum ec_code code = cut_lines(&r, book->texts[which]);
    for (size_t i = first; code == EC_OK && i < book->line_count; i++)
        code = read_line(&r, &book->lines[i]);
    if (code == EC_OK && !r.row)
        return fail_at(&r, 1, "expected at least one record, which starts with 'id:'; got none");
    return code == EC_OK ? check_record(&r) : code;
}

enum ec_code claims_book_open(const char *folder, struct claims_book *ret, struct ec_error *reterr)
{
    struct claims_book book = {.rows = NULL};
    char found[4100];
    size_t lines = 0;
    enum ec_code code = find_folder(folder, found, sizeof found, reterr);
    if (code == EC_OK)
        code = read_texts(&book, found, reterr);
    for (size_t i = 0; code == EC_OK && i < FILES; i++)
        lines += count_lines(book.texts[i]);
    if (code == EC_OK) {
        book.lines = calloc(lines, sizeof *book.lines);
        book.rows = calloc(lines, sizeof *book.rows);
        book.forms = calloc(lines + 1, sizeof *book.forms);
        if (!book.lines || !book.rows || !book.forms)
            code = ec_fail(reterr, EC_MEMORY, "out of memory");
    }
    for (size_t i = 0; code == EC_OK && i < FILES; i++)
        code = read_file(&book, i, reterr);
    if (code == EC_OK)
        *ret = book;
    else
        claims_book_close(&book);
    return code;
}

void claims_book_close(struct claims_book *book)
{
    for (size_t i = 0; book->texts && i < FILES; i++)
        free(book->texts[i]);
    free(book->texts);
    free(book->lines);
    free(book->rows);
    free(book->forms);
    *book = (struct claims_book){.rows = NULL};
}

bool claims_match(const struct claims_row *row, const char *word)
{
    const size_t length = strlen(word);
    if (length > 0 && word[length - 1] == '*')
        return strncmp(row->id, word, length - 1) == 0;
    return strcmp(row->id, word) == 0;
}

/* Returns the length of "[quick|full]" at `text` and the selected alternative; 0 if there is
 * none. */
static size_t either(const char *text, bool full, const char **ret, size_t *ret_length)
{
    const size_t bar = strcspn(text, "|]"), end = strcspn(text, "]");
    if (*text != '[' || text[bar] != '|' || text[end] != ']')
        return 0;
    *ret = full ? text + bar + 1 : text + 1;
    *ret_length = full ? end - bar - 1 : bar - 1;
    return end + 1;
}

void claims_grid_text(const struct claims_row *row, bool full, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (const char *c = row->grid; *c && used < size;) {
        const char *text = c, *meaning = NULL;
        size_t length, taken = either(c, full, &text, &length);
        if (taken == 0) {
            const size_t name = strspn(c, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
            if (name > 0 && !islower((unsigned char)c[name]))
                meaning = claims_grid(c, name, full);
            taken = length = name ? name : 1;
        }
        used += (size_t)snprintf(buffer + used, size - used, "%.*s", (int)length, text);
        if (meaning && used < size)
            used += (size_t)snprintf(buffer + used, size - used, " (%s)", meaning);
        c += taken;
    }
}
