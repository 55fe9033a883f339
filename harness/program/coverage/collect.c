/* SPDX-License-Identifier: Apache-2.0 */
/* The collection of points: adds them up, and stores them as Verilator does.
 *
 * A data file has a line for each point: C 'KEYS' HITS, where KEYS is one or more of \1 NAME \2
 * VALUE. Knows this format; must not know what the points mean. */
#include "program/coverage/collect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/file.h"
#include "base/list.h"
#include "base/text.h"

#define HEADER "# SystemC::Coverage-3\n"

enum ec_code ec_coverage_open(struct ec_coverage **ret, struct ec_error *reterr)
{
    struct ec_coverage *c = calloc(1, sizeof *c);
    if (!c)
        return ec_fail(reterr, EC_MEMORY, "out of memory for coverage");
    *ret = c;
    return EC_OK;
}

void ec_coverage_close(struct ec_coverage *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->count; i++)
        free(c->points[i].text);
    free(c->points);
    lookup_free(&c->known);
    free(c);
}

enum ec_code ec_coverage_check(const struct ec_coverage *c, struct ec_error *reterr)
{
    return c->lost ? ec_fail(reterr, EC_MEMORY, "out of memory for points of coverage") : EC_OK;
}

/* --- The table -------------------------------------------------------------------------------- */

/* The index of a point, or LOOKUP_NONE; *ret_key: where it is in the table, or would be. */
static uint32_t find_point(const struct ec_coverage *c, const char *text, size_t size,
                           uint64_t *ret_key)
{
    *ret_key = XXH3_64bits(text, size);
    for (;; ++*ret_key) { /* behind that of another text */
        const uint32_t i = lookup_find(&c->known, *ret_key);
        if (i == LOOKUP_NONE ||
            (c->points[i].size == size && memcmp(c->points[i].text, text, size) == 0))
            return i;
    }
}

static void add(struct ec_coverage *c, const char *text, size_t size, uint64_t hits)
{
    uint64_t key;
    uint32_t i = find_point(c, text, size, &key);
    if (i == LOOKUP_NONE) {
        struct covered_point p = {.text = strndup(text, size), .size = size};
        i = (uint32_t)c->count;
        if (!p.text || !EC_LIST_PUSH(c->points, c->count, c->room, p)) {
            free(p.text);
            c->lost = true;
            return;
        }
        c->lost |= !lookup_add(&c->known, key, i);
    }
    c->points[i].hits += hits;
}

void ec_coverage_add(void *coverage, const struct ec_point *p, uint64_t hits)
{
    struct ec_coverage *c = coverage;
    char *text = NULL;
    const int size = asprintf(
        &text, "\1f\2%s\1l\2%" PRIu32 "\1n\2%" PRIu32 "\1page\2%s\1o\2%s%s%s\1h\2%s", p->file,
        p->line, p->column, p->page, p->comment, p->lines[0] ? "\1S\2" : "", p->lines, p->hier);
    if (size < 0) {
        c->lost = true;
        return;
    }
    add(c, text, (size_t)size, hits);
    free(text);
}

/* --- Files ------------------------------------------------------------------------------------ */

static int compare_points(const void *a, const void *b)
{
    const struct covered_point *x = a, *y = b;
    return strcmp(x->text, y->text);
}

void ec_coverage_write(struct ec_coverage *c, FILE *out)
{
    if (c->count > 0) /* without points there is no list */
        qsort(c->points, c->count, sizeof *c->points, compare_points);
    lookup_clear(&c->known);
    fputs(HEADER, out);
    for (size_t i = 0; i < c->count; i++) {
        const struct covered_point *p = &c->points[i];
        uint64_t key;
        (void)find_point(c, p->text, p->size, &key);
        (void)lookup_add(&c->known, key, (uint32_t)i); /* it had room for it before */
        fprintf(out, "C '%s' %" PRIu64 "\n", p->text, p->hits);
    }
}

/* "C 'KEYS' HITS", without the end of the line. */
static bool read_line(struct ec_coverage *c, const char *line)
{
    const char *end = strrchr(line, '\'');
    uint64_t hits;
    if (strncmp(line, "C '\1", 4) != 0 || end < line + 4 || end[1] != ' ' ||
        !ec_slice_number(ec_slice_of(end + 2), UINT64_MAX, &hits))
        return false;
    add(c, line + 3, (size_t)(end - line) - 3, hits);
    return true;
}

enum ec_code ec_coverage_read(struct ec_coverage *c, const char *path, struct ec_error *reterr)
{
    char *text, *rest;
    size_t size, line = 2;
    enum ec_code code = ec_file_read(path, &text, &size, reterr);
    if (code != EC_OK)
        return code;
    if (strlen(text) != size)
        code = ec_fail(reterr, EC_USAGE, "%.400s: a NUL byte: expected coverage data", path);
    else if (strncmp(text, HEADER, strlen(HEADER)) != 0 || text[size - 1] != '\n')
        code = ec_fail(reterr, EC_USAGE,
                       "%.400s is not a file of coverage data, or its end is missing", path);
    rest = text + strlen(HEADER) * (code == EC_OK);
    for (; code == EC_OK && *rest; line++) {
        const char *own = strsep(&rest, "\n");
        if (!read_line(c, own))
            code = ec_fail(reterr, EC_USAGE, "%.400s:%zu: not a point of coverage", path, line);
    }
    free(text);
    return code == EC_OK ? ec_coverage_check(c, reterr) : code;
}

bool covered_value(const struct covered_point *p, const char *key, const char **ret,
                   size_t *ret_size)
{
    const size_t length = strlen(key);
    for (const char *at = strchr(p->text, '\1'); at; at = strchr(at + 1, '\1')) {
        if (strncmp(at + 1, key, length) != 0 || at[1 + length] != '\2')
            continue;
        *ret = at + length + 2;
        *ret_size = strcspn(*ret, "\1");
        return true;
    }
    return false;
}
