/* SPDX-License-Identifier: Apache-2.0 */
/* All rows, source by source. Knows the order of the sources and how rows are named. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "study/grids.h"
#include "study/rows/sources.h"

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

/* The length of "[quick|full]" at `text`, and the one of the two that is asked for; 0: none. */
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
