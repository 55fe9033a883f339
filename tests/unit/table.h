/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of tests/data, row by row. */
#ifndef EC_UNIT_TABLE_H
#define EC_UNIT_TABLE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#define TABLE_CELLS_MAX 16

struct table {
    FILE *file;
    char line[512];
    char *cell[TABLE_CELLS_MAX];
    size_t cells, rows; /* of this row, read so far */
    bool headed;
};

static inline struct table table_open(const char *name)
{
    struct table t = {0};
    char path[512];

    snprintf(path, sizeof path, "%s/%s.csv", TEST_DATA, name);
    t.file = fopen(path, "r");
    if (!t.file)
        fail_msg("no table %s", path);
    return t;
}

/* The next row, without comments and the row of names; false at the end, and the table is closed.
 */
static inline bool table_next(struct table *t)
{
    while (fgets(t->line, sizeof t->line, t->file)) {
        if (t->line[0] == '#')
            continue;
        if (!t->headed) {
            t->headed = true;
            continue;
        }
        t->line[strcspn(t->line, "\n")] = '\0';
        char *rest = t->line;
        for (t->cells = 0; rest && t->cells < TABLE_CELLS_MAX; t->cells++)
            t->cell[t->cells] = strsep(&rest, ",");
        t->rows++;
        return true;
    }
    fclose(t->file);
    return false;
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

#endif
