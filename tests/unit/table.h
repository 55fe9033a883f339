/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of tests/data, row by row. A line stands for several rows if a cell lists its values in
 * brackets, [2 4 4], or counts, q=1..3; a plain cell is the same in all of them. */
#ifndef EC_UNIT_TABLE_H
#define EC_UNIT_TABLE_H

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#define TABLE_CELLS_MAX 16

struct table {
    FILE *file;
    char line[512];
    char *list[TABLE_CELLS_MAX];     /* the cells of the line */
    size_t item, items;              /* rows of the line: read so far, all */
    char cell[TABLE_CELLS_MAX][128]; /* of this row */
    size_t cells, rows;              /* of this row, read so far */
};

/* Where the first number of a cell that counts begins; NULL: it does not count. */
static inline const char *table_range(const char *cell)
{
    const char *at = strstr(cell, "..");
    while (at && at > cell && isdigit((unsigned char)at[-1]))
        at--;
    return at;
}

/* For how many rows does a cell have values? 0: for any number. */
static inline size_t table_items(const char *cell)
{
    const char *range = table_range(cell);
    size_t items = *cell == '[';

    if (range)
        return strtoul(strstr(range, "..") + 2, NULL, 10) - strtoul(range, NULL, 10) + 1;
    for (; items && *cell; cell++)
        items += *cell == ' ';
    return items;
}

static inline void table_item(const char *cell, size_t item, char *ret, size_t size)
{
    const char *range = table_range(cell);

    if (range) {
        const char *behind = strstr(range, "..") + 2;
        snprintf(ret, size, "%.*s%zu%s", (int)(range - cell), cell, strtoul(range, NULL, 10) + item,
                 behind + strspn(behind, "0123456789"));
    } else if (*cell == '[') {
        for (cell++; item > 0; item--)
            cell = strchr(cell, ' ') + 1;
        snprintf(ret, size, "%.*s", (int)strcspn(cell, " ]"), cell);
    } else {
        snprintf(ret, size, "%s", cell);
    }
}

/* The next line that is no comment; false at the end. */
static inline bool table_line(struct table *t)
{
    do {
        if (!fgets(t->line, sizeof t->line, t->file))
            return false;
    } while (t->line[0] == '#');
    t->line[strcspn(t->line, "\n")] = '\0';
    char *rest = t->line;
    t->item = t->items = 0;
    for (t->cells = 0; rest && t->cells < TABLE_CELLS_MAX; t->cells++) {
        t->list[t->cells] = strsep(&rest, ",");
        const size_t items = table_items(t->list[t->cells]);
        if (items && t->items && items != t->items)
            fail_msg("'%s' does not have the %zu values of its row", t->list[t->cells], t->items);
        t->items = items ? items : t->items;
    }
    t->items = t->items ? t->items : 1;
    return true;
}

static inline struct table table_open(const char *name)
{
    struct table t = {0};
    char path[512];

    snprintf(path, sizeof path, "%s/%s.csv", TEST_DATA, name);
    t.file = fopen(path, "r");
    if (!t.file || !table_line(&t)) /* the names of the columns */
        fail_msg("no table %s", path);
    t.item = t.items;
    return t;
}

/* The next row; false at the end, and the table is closed. */
static inline bool table_next(struct table *t)
{
    if (t->item == t->items && !table_line(t)) {
        fclose(t->file);
        return false;
    }
    for (size_t i = 0; i < t->cells; i++)
        table_item(t->list[i], t->item, t->cell[i], sizeof t->cell[i]);
    t->item++;
    t->rows++;
    return true;
}

static inline bool table_has(const struct table *t, size_t cell)
{
    assert_true(cell < t->cells);
    return strcmp(t->cell[cell], "-") != 0;
}

static inline unsigned table_number(const struct table *t, size_t cell)
{
    char *end;

    assert_true(cell < t->cells);
    const unsigned long number = strtoul(t->cell[cell], &end, 10);
    if (*end || end == t->cell[cell])
        fail_msg("'%s' is not a number", t->cell[cell]);
    return (unsigned)number;
}

/* A text, in which ';' stands for ','. */
static inline const char *table_text(struct table *t, size_t cell)
{
    assert_true(cell < t->cells);
    for (char *c = t->cell[cell]; *c; c++)
        *c = *c == ';' ? ',' : *c;
    return t->cell[cell];
}

#endif
