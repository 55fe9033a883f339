/* SPDX-License-Identifier: Apache-2.0 */
/* Reads rows of numbers. Knows lines, columns and their ranges; must not know the meaning of a row.
 */
#include "base/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"

/* Characters of a row, comments not counted. A row of numbers needs far fewer; a list may have
 * millions of entries. The limits end the reading of a file that has no lines. */
#define ROW_MAX      256
#define LIST_ROW_MAX ((size_t)1 << 26)

enum line { LINE_TEXT, LINE_END, LINE_LONG, LINE_BINARY, LINE_MEMORY };

enum ec_code ec_csv_open(struct ec_slice path, const struct ec_csv_column *columns, unsigned count,
                         struct ec_csv *ret, struct ec_error *reterr)
{
    char *name = strndup(path.at, path.length);
    if (!name)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a file name");
    FILE *file = fopen(name, "re");
    if (!file) {
        enum ec_code code = ec_fail(reterr, EC_IO, "cannot open '%s': %s", name, strerror(errno));
        free(name);
        return code;
    }
    *ret = (struct ec_csv){.file = file, .path = name, .columns = columns, .column_count = count};
    for (unsigned i = 0; i < count; i++) { /* unless there is a header */
        if (columns[i].named)
            continue;
        ret->present |= 1u << i;
        ret->column_of[ret->field_count++] = i;
    }
    return EC_OK;
}

void ec_csv_close(struct ec_csv *csv)
{
    if (csv->file)
        fclose(csv->file);
    free(csv->path);
    free(csv->list);
    free(csv->text);
    *csv = (struct ec_csv){0};
}

static size_t longest_row(const struct ec_csv *csv)
{
    for (unsigned i = 0; i < csv->field_count; i++) {
        if (csv->columns[csv->column_of[i]].list)
            return LIST_ROW_MAX;
    }
    return ROW_MAX;
}

/* One line without its comment and its end. */
static enum line read_csv_line(struct ec_csv *csv, size_t *ret_length)
{
    const size_t most = longest_row(csv);
    size_t length = 0;
    bool comment = false, any = false;
    int c;

    while ((c = getc_unlocked(csv->file)) != EOF && c != '\n') {
        any = true;
        if (c == '\0')
            return LINE_BINARY; /* /dev/zero has no lines */
        comment = comment || c == '#';
        if (comment)
            continue;
        if (length == most)
            return LINE_LONG;
        if (!EC_LIST_PUSH(csv->text, length, csv->room, (char)c))
            return LINE_MEMORY;
    }
    if (c == EOF && !any)
        return LINE_END;
    *ret_length = length;
    return LINE_TEXT;
}

static struct ec_slice trim(struct ec_slice s)
{
    while (s.length && strchr(" \t\r", s.at[s.length - 1]))
        s.length--;
    while (s.length && strchr(" \t", *s.at))
        s = (struct ec_slice){s.at + 1, s.length - 1};
    return s;
}

/* --- The header ------------------------------------------------------------------------------- */

/* The column with this name; column_count: none. */
static unsigned find_column(const struct ec_csv *csv, struct ec_slice name)
{
    unsigned i = 0;

    while (i < csv->column_count && !ec_slice_is(name, csv->columns[i].name) &&
           !(csv->columns[i].other_name && ec_slice_is(name, csv->columns[i].other_name)))
        i++;
    return i;
}

/* Is this line the names of columns? One that is known is enough. */
static bool is_header(const struct ec_csv *csv, struct ec_slice line)
{
    struct ec_slice field;

    while (ec_slice_take(&line, ',', &field)) {
        if (find_column(csv, trim(field)) < csv->column_count)
            return true;
    }
    return false;
}

/* "cycle,source,destination,words" of a file without a header; of one with a header all columns and
 * their other names: "cycle,source or src,destination or dst". */
static const char *name_columns(const struct ec_csv *csv, bool all, char *buffer, size_t size)
{
    *buffer = '\0';
    for (unsigned i = 0; i < csv->column_count; i++) {
        const struct ec_csv_column *column = &csv->columns[i];
        const char *other = all ? column->other_name : NULL;
        if (all || !column->named)
            ec_append(buffer, size, "%s%s%s%s", *buffer ? "," : "", column->name,
                      other ? " or " : "", other ? other : "");
    }
    return buffer;
}

static enum ec_code read_header(struct ec_csv *csv, struct ec_slice line, struct ec_error *reterr)
{
    const unsigned long long number = csv->line;
    struct ec_slice field;
    char names[160];

    csv->present = csv->field_count = 0;
    while (ec_slice_take(&line, ',', &field)) {
        field = trim(field);
        const unsigned i = find_column(csv, field);
        if (i == csv->column_count)
            return ec_fail(reterr, EC_USAGE, "%s:%llu: unknown column '%.*s': expected some of %s",
                           csv->path, number, EC_SHOWN(field),
                           name_columns(csv, true, names, sizeof names));
        if (csv->present >> i & 1)
            return ec_fail(reterr, EC_USAGE, "%s:%llu: column '%s' is there twice", csv->path,
                           number, csv->columns[i].name);
        csv->present |= 1u << i;
        csv->column_of[csv->field_count++] = i;
    }
    for (unsigned i = 0; i < csv->column_count; i++) {
        const struct ec_csv_column *column = &csv->columns[i];
        if (!column->optional && !column->named && !(csv->present >> i & 1))
            return ec_fail(reterr, EC_USAGE, "%s:%llu: the header has no column '%s'", csv->path,
                           number, column->name);
    }
    return EC_OK;
}

/* --- Rows ------------------------------------------------------------------------------------- */

static enum ec_code bad_shape(const struct ec_csv *csv, struct ec_slice line,
                              struct ec_error *reterr)
{
    char form[160] = "";

    for (unsigned i = 0; i < csv->field_count; i++)
        ec_append(form, sizeof form, "%s%s", i ? "," : "", csv->columns[csv->column_of[i]].name);
    return ec_fail(reterr, EC_USAGE, "%s:%llu: '%.*s' is not a row of %u numbers (%s)", csv->path,
                   (unsigned long long)csv->line, EC_SHOWN(line), csv->field_count, form);
}

static bool parse_number(const struct ec_csv_column *column, struct ec_slice field, uint64_t *ret)
{
    return ec_slice_number(field, column->most, ret) && *ret >= column->least;
}

static enum ec_code bad_number(const struct ec_csv *csv, const struct ec_csv_column *column,
                               struct ec_slice field, struct ec_error *reterr)
{
    return ec_fail(reterr, EC_USAGE, "%s:%llu: %s '%.*s' is not %s", csv->path,
                   (unsigned long long)csv->line, column->name, EC_SHOWN(field), column->what);
}

static bool separates(char c)
{
    return c == ' ' || c == '\t' || c == ';';
}

static enum ec_code parse_list(struct ec_csv *csv, const struct ec_csv_column *column,
                               struct ec_slice field, struct ec_error *reterr)
{
    csv->list_count = 0;
    for (size_t end, at = 0; at < field.length; at = end) {
        for (end = at; end < field.length && !separates(field.at[end]); end++)
            ;
        const struct ec_slice item = {field.at + at, end - at};
        end += end < field.length;
        if (item.length == 0)
            continue;
        uint64_t number;
        if (!parse_number(column, item, &number))
            return bad_number(csv, column, item, reterr);
        if (!EC_LIST_PUSH(csv->list, csv->list_count, csv->list_room, number))
            return ec_fail(reterr, EC_MEMORY, "%s:%llu: out of memory for a list of numbers",
                           csv->path, (unsigned long long)csv->line);
    }
    return EC_OK;
}

static enum ec_code parse_row(struct ec_csv *csv, struct ec_slice line, uint64_t *values,
                              struct ec_error *reterr)
{
    struct ec_slice rest = line, field;
    unsigned i = 0;

    csv->list_count = 0;
    for (unsigned k = 0; k < csv->column_count; k++)
        values[k] = csv->columns[k].otherwise;
    for (; ec_slice_take(&rest, ',', &field); i++) {
        if (i == csv->field_count)
            return bad_shape(csv, line, reterr);
        const struct ec_csv_column *column = &csv->columns[csv->column_of[i]];
        uint64_t *value = &values[csv->column_of[i]];
        field = trim(field);
        if (column->list) {
            const enum ec_code code = parse_list(csv, column, field, reterr);
            if (code != EC_OK)
                return code;
            *value = csv->list_count;
        } else if (field.length == 0 && !column->named) {
            return bad_shape(csv, line, reterr);
        } else if (field.length > 0 && !parse_number(column, field, value)) {
            return bad_number(csv, column, field, reterr);
        }
    }
    return i < csv->field_count ? bad_shape(csv, line, reterr) : EC_OK;
}

static enum ec_code bad_line(const struct ec_csv *csv, enum line kind, struct ec_error *reterr)
{
    const unsigned long long number = csv->line;

    if (kind == LINE_MEMORY)
        return ec_fail(reterr, EC_MEMORY, "%s:%llu: out of memory for a row", csv->path, number);
    return ec_fail(reterr, EC_USAGE, "%s:%llu: %s", csv->path, number,
                   kind == LINE_LONG ? "line too long for a row of numbers"
                                     : "a NUL byte: expected a text file");
}

enum ec_code ec_csv_row(struct ec_csv *csv, uint64_t *values, bool *ret_end,
                        struct ec_error *reterr)
{
    size_t length = 0;

    for (;;) {
        errno = 0;
        enum line kind = read_csv_line(csv, &length);
        if (ferror(csv->file))
            return ec_fail(reterr, EC_IO, "cannot read '%s': %s", csv->path, strerror(errno));
        *ret_end = kind == LINE_END;
        if (*ret_end)
            return EC_OK;
        csv->line++;
        if (kind != LINE_TEXT)
            return bad_line(csv, kind, reterr);
        struct ec_slice line = {csv->text ? csv->text : "", length};
        if (csv->line == 1 && length >= 3 && memcmp(line.at, "\xef\xbb\xbf", 3) == 0)
            line = (struct ec_slice){line.at + 3, length - 3};
        line = trim(line);
        if (line.length == 0)
            continue;
        const bool header = !csv->begun && is_header(csv, line);
        csv->begun = true;
        if (!header)
            return parse_row(csv, line, values, reterr);
        const enum ec_code code = read_header(csv, line, reterr);
        if (code != EC_OK)
            return code;
    }
}
