/* SPDX-License-Identifier: Apache-2.0 */
/* Reads rows of numbers. Knows lines, columns and their ranges; must not know the meaning of a row.
 */
#include "base/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_ 256 /* characters of a row, comments not counted; four numbers need far fewer */

enum line { LINE_TEXT, LINE_END, LINE_LONG, LINE_BINARY };

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
    return EC_OK;
}

void ec_csv_close(struct ec_csv *csv)
{
    if (csv->file)
        fclose(csv->file);
    free(csv->path);
    *csv = (struct ec_csv){0};
}

/* One line without its comment and its end. */
static enum line read_csv_line(struct ec_csv *csv, char *buffer, size_t *ret_length)
{
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
        if (length == LINE_MAX_)
            return LINE_LONG;
        buffer[length++] = (char)c;
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

/* Is this line the names of the columns? */
static bool is_header(const struct ec_csv *csv, struct ec_slice line)
{
    struct ec_slice field;
    unsigned i = 0;

    for (; ec_slice_take(&line, ',', &field); i++) {
        if (i == csv->column_count)
            return false;
        const struct ec_csv_column *column = &csv->columns[i];
        field = trim(field);
        if (!ec_slice_is(field, column->name) &&
            !(column->other_name && ec_slice_is(field, column->other_name)))
            return false;
    }
    return i == csv->column_count;
}

static enum ec_code bad_shape(const struct ec_csv *csv, struct ec_slice line,
                              struct ec_error *reterr)
{
    char form[80];
    size_t used = 0;

    for (unsigned i = 0; i < csv->column_count; i++)
        used += (size_t)snprintf(form + used, sizeof form - used, "%s%s", i ? "," : "",
                                 csv->columns[i].name);
    return ec_fail(reterr, EC_USAGE, "%s:%llu: '%.*s' is not a row of %u numbers (%s)", csv->path,
                   (unsigned long long)csv->line, EC_SHOWN(line), csv->column_count, form);
}

static enum ec_code parse_row(const struct ec_csv *csv, struct ec_slice line, uint64_t *values,
                              struct ec_error *reterr)
{
    struct ec_slice rest = line, field;
    uint64_t row[EC_CSV_COLUMNS_MAX];
    unsigned i = 0;

    for (; ec_slice_take(&rest, ',', &field); i++) {
        if (i == csv->column_count)
            return bad_shape(csv, line, reterr);
        const struct ec_csv_column *column = &csv->columns[i];
        field = trim(field);
        if (!ec_slice_number(field, column->most, &row[i]) || row[i] < column->least) {
            if (field.length == 0)
                return bad_shape(csv, line, reterr);
            return ec_fail(reterr, EC_USAGE, "%s:%llu: %s '%.*s' is not %s", csv->path,
                           (unsigned long long)csv->line, column->name, EC_SHOWN(field),
                           column->what);
        }
    }
    if (i < csv->column_count)
        return bad_shape(csv, line, reterr);
    memcpy(values, row, csv->column_count * sizeof *row);
    return EC_OK;
}

enum ec_code ec_csv_row(struct ec_csv *csv, uint64_t *values, bool *ret_end,
                        struct ec_error *reterr)
{
    char buffer[LINE_MAX_];
    size_t length = 0;

    for (;;) {
        errno = 0;
        enum line kind = read_csv_line(csv, buffer, &length);
        if (ferror(csv->file))
            return ec_fail(reterr, EC_IO, "cannot read '%s': %s", csv->path, strerror(errno));
        *ret_end = kind == LINE_END;
        if (*ret_end)
            return EC_OK;
        csv->line++;
        if (kind != LINE_TEXT)
            return ec_fail(reterr, EC_USAGE, "%s:%llu: %s", csv->path,
                           (unsigned long long)csv->line,
                           kind == LINE_LONG ? "line too long for a row of numbers"
                                             : "a NUL byte: expected a text file");
        struct ec_slice line = {buffer, length};
        if (csv->line == 1 && length >= 3 && memcmp(buffer, "\xef\xbb\xbf", 3) == 0)
            line = (struct ec_slice){buffer + 3, length - 3};
        line = trim(line);
        bool header = !csv->begun && is_header(csv, line);
        csv->begun = csv->begun || line.length > 0;
        if (line.length > 0 && !header)
            return parse_row(csv, line, values, reterr);
    }
}
