/* SPDX-License-Identifier: Apache-2.0 */
/* The collection of points: adds them up, and stores them as Verilator does.
 *
 * A data file has a line for each point: C 'KEYS' HITS, where KEYS is one or more of \1 NAME \2
 * VALUE. Knows this format; must not know what the points mean. */
#include "coverage/collect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/file.h"
#include "base/list.h"
#include "base/text.h"

#define HEADER  "# SystemC::Coverage-3\n"
#define SOURCES "# ecube sources " /* a comment for verilator_coverage */

enum { FIRST_SLOTS = 4096 };

enum ec_code ec_coverage_open(struct ec_coverage **ret, struct ec_error *reterr)
{
    struct ec_coverage *c = calloc(1, sizeof *c);
    if (c)
        c->slots = calloc(FIRST_SLOTS, sizeof *c->slots);
    if (!c || !c->slots) {
        free(c);
        return ec_fail(reterr, EC_MEMORY, "out of memory for coverage");
    }
    c->slot_count = FIRST_SLOTS;
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
    free(c->slots);
    free(c);
}

enum ec_code ec_coverage_check(const struct ec_coverage *c, struct ec_error *reterr)
{
    return c->lost ? ec_fail(reterr, EC_MEMORY, "out of memory for points of coverage") : EC_OK;
}

void ec_coverage_of(struct ec_coverage *c, const char *sources)
{
    snprintf(c->sources, sizeof c->sources, "%s", sources);
}

/* --- The table: slots hold 1 + the index of a point, or 0 ------------------------------------- */

static size_t hash_of(const char *text, size_t size)
{
    return (size_t)XXH3_64bits(text, size);
}

static size_t *find_slot(const struct ec_coverage *c, const char *text, size_t size)
{
    size_t at = hash_of(text, size) & (c->slot_count - 1);
    for (;; at = (at + 1) & (c->slot_count - 1)) {
        if (!c->slots[at])
            return &c->slots[at];
        const struct covered_point *p = &c->points[c->slots[at] - 1];
        if (p->size == size && memcmp(p->text, text, size) == 0)
            return &c->slots[at];
    }
}

/* At most half of the slots are in use. */
static bool make_room(struct ec_coverage *c)
{
    struct covered_point *grown = ec_list_grow(c->points, sizeof *grown, c->count, &c->room);
    if (!grown)
        return false;
    c->points = grown;
    if (2 * c->count < c->slot_count)
        return true;
    size_t *slots = calloc(2 * c->slot_count, sizeof *slots);
    if (!slots)
        return false;
    free(c->slots);
    c->slots = slots;
    c->slot_count *= 2;
    for (size_t i = 0; i < c->count; i++)
        *find_slot(c, c->points[i].text, c->points[i].size) = i + 1;
    return true;
}

static void add(struct ec_coverage *c, const char *text, size_t size, uint64_t hits)
{
    size_t *slot = find_slot(c, text, size);
    if (!*slot) {
        char *own = make_room(c) ? malloc(size + 1) : NULL;
        if (!own) {
            c->lost = true;
            return;
        }
        memcpy(own, text, size);
        own[size] = '\0';
        c->points[c->count++] = (struct covered_point){.text = own, .size = size};
        slot = find_slot(c, text, size);
        *slot = c->count;
    }
    c->points[*slot - 1].hits += hits;
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
    memset(c->slots, 0, c->slot_count * sizeof *c->slots);
    fputs(HEADER, out);
    if (c->sources[0])
        fprintf(out, SOURCES "%s\n", c->sources);
    for (size_t i = 0; i < c->count; i++) {
        const struct covered_point *p = &c->points[i];
        *find_slot(c, p->text, p->size) = i + 1;
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

/* The line behind the header, if it names the sources, is taken from *rest. False: they are others.
 */
static bool read_sources(const struct ec_coverage *c, char **rest)
{
    const char *name = "";
    if (strncmp(*rest, SOURCES, strlen(SOURCES)) == 0)
        name = strsep(rest, "\n") + strlen(SOURCES);
    return !c->sources[0] || strcmp(name, c->sources) == 0;
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
    const char *const first = rest;
    if (code == EC_OK && !read_sources(c, &rest))
        code = ec_fail(reterr, EC_USAGE,
                       "%.400s has the coverage of other sources or options: move it, or leave out "
                       "--resume",
                       path);
    for (line += rest > first; code == EC_OK && *rest; line++) {
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
