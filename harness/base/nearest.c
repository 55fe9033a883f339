/* SPDX-License-Identifier: Apache-2.0 */
/* Edit distance between short words. Knows nothing of what the words mean. */
#include "base/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define WORD_MAX 40 /* longer words are not misspelt names */

static unsigned least(unsigned a, unsigned b)
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
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]))
                row[j] = least(row[j], before[j - 2] + 1);
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
