/* SPDX-License-Identifier: Apache-2.0 */
/* All rows, source by source. Knows the order of the sources and how rows are named. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "grids.h"
#include "sources.h"

static const struct claims_table *const tables[] = {
    &claims_grama,    &claims_gohil,   &claims_gergel,     &claims_jh_bounds, &claims_jh_mixed,
    &claims_jh_multi, &claims_jh_real, &claims_jh_machine, &claims_ours,      &claims_errata,
};
#define TABLES (sizeof tables / sizeof *tables)

const char *claims_verdict_text(enum claims_verdict v)
{
    static const char *const texts[] = {
#define CLAIMS_TEXT(name, text) [CLAIMS_##name] = text,
        CLAIMS_VERDICTS(CLAIMS_TEXT)
#undef CLAIMS_TEXT
    };
    return texts[v];
}

size_t claims_count(void)
{
    size_t n = 0;
    for (size_t t = 0; t < TABLES; t++)
        n += tables[t]->count;
    return n;
}

const struct claims_row *claims_at(size_t index)
{
    for (size_t t = 0; t < TABLES; t++) {
        if (index < tables[t]->count)
            return &tables[t]->rows[index];
        index -= tables[t]->count;
    }
    return NULL;
}

const char *claims_source(const struct claims_row *row)
{
    for (size_t t = 0; t < TABLES; t++) {
        for (size_t i = 0; i < tables[t]->count; i++) {
            if (strcmp(tables[t]->rows[i].id, row->id) == 0)
                return tables[t]->source;
        }
    }
    return "";
}

bool claims_match(const struct claims_row *row, const char *word)
{
    const size_t length = strlen(word);
    if (length > 0 && word[length - 1] == '*')
        return strncmp(row->id, word, length - 1) == 0;
    return strcmp(row->id, word) == 0;
}

void claims_grid_text(const struct claims_row *row, bool full, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (const char *c = row->grid; *c && used < size;) {
        const size_t length = strspn(c, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        const char *meaning =
            length > 0 && !islower((unsigned char)c[length]) ? claims_grid(c, length, full) : NULL;
        if (meaning)
            used +=
                (size_t)snprintf(buffer + used, size - used, "%.*s (%s)", (int)length, c, meaning);
        else
            used +=
                (size_t)snprintf(buffer + used, size - used, "%.*s", length ? (int)length : 1, c);
        c += length ? length : 1;
    }
}
