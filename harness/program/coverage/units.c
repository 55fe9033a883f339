/* SPDX-License-Identifier: Apache-2.0 */
/* From points to units: what an author wants to see covered.
 *
 * Knows what Verilator calls points and instances; must not know how points are stored. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "program/coverage/collect.h"

/* The instance in ecube's wrappers that is the router: what is above it does not count. */
#define ROUTER ".u_router"

const char *ec_kind_name(enum ec_kind kind)
{
    static const char *const names[EC_KINDS] = {
        [EC_KIND_LINE] = "line",
        [EC_KIND_BRANCH] = "branch",
        [EC_KIND_TOGGLE] = "toggle",
        [EC_KIND_USER] = "user",
    };
    return names[kind];
}

struct maker {
    struct ec_units *to;
    size_t room;
    char *next;   /* free space in to->names */
    bool failed;  /* out of memory */
    bool damaged; /* the lines of a point are no numbers, or too many */
};

enum { LINES_MAX = 1 << 20 }; /* of a point: far more than a source has */

/* The texts of a point that its units share. */
struct origin {
    const char *file, *name;
    uint32_t line, column;
    enum ec_kind kind;
    uint64_t hits;
};

static void put(struct maker *m, const struct origin *o, uint32_t line)
{
    const struct ec_unit unit = {.file = o->file,
                                 .line = line,
                                 .column = o->column,
                                 .kind = o->kind,
                                 .name = o->name,
                                 .hits = o->hits};
    m->failed |= !EC_LIST_PUSH(m->to->at, m->to->count, m->room, unit);
}

/* "12-14" or "12" */
static bool read_range(struct ec_slice text, uint64_t *ret_first, uint64_t *ret_last)
{
    struct ec_slice first;
    ec_slice_take(&text, '-', &first);
    return ec_slice_number(first, UINT32_MAX, ret_first) &&
           ec_slice_number(text.at ? text : first, UINT32_MAX, ret_last) && *ret_first <= *ret_last;
}

/* The lines of "12-14,20". */
static void put_lines(struct maker *m, const struct origin *o, struct ec_slice lines)
{
    struct origin own = *o;
    struct ec_slice rest = lines, part;
    uint64_t first = 0, last = 0, count = 0;
    own.kind = EC_KIND_LINE;
    own.column = 0;
    own.name = "";
    while (lines.length > 0 && ec_slice_take(&rest, ',', &part)) {
        m->damaged = m->damaged || !read_range(part, &first, &last);
        count += last - first + 1;
        m->damaged = m->damaged || count > LINES_MAX;
        for (uint64_t line = first; !m->damaged && !m->failed && line <= last; line++)
            put(m, &own, (uint32_t)line);
    }
}

/* --- Names ------------------------------------------------------------------------------------ */

/* A copy of a text in the memory for names. */
static const char *keep(struct maker *m, const char *text, size_t size)
{
    char *own = m->next;
    memcpy(own, text, size);
    own[size] = '\0';
    m->next += size + 1;
    return own;
}

/* "__BRA__3__KET__" is "[3]". */
static void spell_indices(char *text)
{
    static const struct {
        const char *from;
        char to;
    } marks[] = {{"__BRA__", '['}, {"__KET__", ']'}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t length = strlen(marks[i].from);
        for (char *at = text; (at = strstr(at, marks[i].from)); at++) {
            *at = marks[i].to;
            memmove(at + 1, at + length, strlen(at + length) + 1);
        }
    }
}

/* A cover property is called by its instance below the router and its label, which an unnamed one
 * does not have. */
static const char *user_name(struct maker *m, const char *hier, size_t size)
{
    char *own = (char *)(uintptr_t)keep(m, hier, size);
    spell_indices(own);
    char *below = strstr(own, ROUTER);
    below = below ? below + strlen(ROUTER) : own;
    return below + (*below == '.');
}

/* --- Points ----------------------------------------------------------------------------------- */

static bool read_number(const struct covered_point *p, const char *key, uint32_t *ret)
{
    const char *value;
    size_t size;
    if (!covered_value(p, key, &value, &size))
        return false;
    *ret = (uint32_t)strtoul(value, NULL, 10);
    return true;
}

/* "v_branch/module" */
static bool read_kind(const char *page, enum ec_kind *ret)
{
    if (strncmp(page, "v_", 2) != 0)
        return false;
    for (enum ec_kind k = 0; k < EC_KINDS; k++) {
        const size_t length = strlen(ec_kind_name(k));
        if (strncmp(page + 2, ec_kind_name(k), length) == 0 && page[2 + length] == '/') {
            *ret = k;
            return true;
        }
    }
    return false;
}

static void take_point(struct maker *m, const struct covered_point *p)
{
    const char *file, *page, *comment, *hier, *lines;
    size_t file_size, page_size, comment_size, hier_size, lines_size;
    struct origin o = {.hits = p->hits};
    if (!covered_value(p, "f", &file, &file_size) || !covered_value(p, "page", &page, &page_size) ||
        !read_kind(page, &o.kind) || !read_number(p, "l", &o.line) ||
        !read_number(p, "n", &o.column))
        return;
    o.file = keep(m, file, file_size);
    o.name = covered_value(p, "o", &comment, &comment_size) ? keep(m, comment, comment_size) : "";
    if (o.kind == EC_KIND_USER && covered_value(p, "h", &hier, &hier_size))
        o.name = user_name(m, hier, hier_size);
    if (o.kind != EC_KIND_LINE)
        put(m, &o, o.line);
    if (o.kind <= EC_KIND_BRANCH && covered_value(p, "S", &lines, &lines_size))
        put_lines(m, &o, (struct ec_slice){lines, lines_size});
}

static int compare_units(const void *a, const void *b)
{
    const struct ec_unit *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (!order)
        order = (x->line > y->line) - (x->line < y->line);
    if (!order)
        order = (x->kind > y->kind) - (x->kind < y->kind);
    if (!order)
        order = (x->column > y->column) - (x->column < y->column);
    return order ? order : strcmp(x->name, y->name);
}

/* One unit for all instances. Several points may be on a line: it has the most hits of them. */
static void merge(struct ec_units *u)
{
    size_t kept = 0;
    if (u->count > 0)
        qsort(u->at, u->count, sizeof *u->at, compare_units);
    for (size_t i = 0; i < u->count; i++) {
        struct ec_unit *last = kept > 0 ? &u->at[kept - 1] : NULL;
        if (!last || compare_units(last, &u->at[i]) != 0)
            u->at[kept++] = u->at[i];
        else if (last->kind != EC_KIND_LINE)
            last->hits += u->at[i].hits;
        else if (u->at[i].hits > last->hits)
            last->hits = u->at[i].hits;
    }
    u->count = kept;
}

enum ec_code ec_units_open(struct ec_coverage *c, struct ec_units *ret, struct ec_error *reterr)
{
    struct ec_units units = {0};
    struct maker m = {.to = &units};
    size_t bytes = 1;
    for (size_t i = 0; i < c->count; i++)
        bytes += c->points[i].size + 1; /* its values are shorter than its text */
    units.names = m.next = malloc(bytes);
    m.failed = !units.names;
    for (size_t i = 0; i < c->count && !m.failed && !m.damaged; i++)
        take_point(&m, &c->points[i]);
    if (m.failed || m.damaged) {
        ec_units_close(&units);
        if (m.damaged)
            return ec_fail(reterr, EC_USAGE,
                           "the coverage data are damaged: the lines of a point are not numbers, "
                           "or too many");
        return ec_fail(reterr, EC_MEMORY, "out of memory for the coverage of %zu points", c->count);
    }
    merge(&units);
    *ret = units;
    return EC_OK;
}

void ec_units_close(struct ec_units *u)
{
    free(u->at);
    free(u->names);
    *u = (struct ec_units){0};
}

size_t ec_units_of_file(const struct ec_units *u, size_t first, struct ec_covered ret[EC_KINDS])
{
    size_t i = first;
    memset(ret, 0, EC_KINDS * sizeof *ret);
    for (; i < u->count && strcmp(u->at[i].file, u->at[first].file) == 0; i++) {
        ret[u->at[i].kind].all++;
        ret[u->at[i].kind].hit += u->at[i].hits > 0;
    }
    return i;
}

/* --- The tracefile format of lcov (geninfo(1)), which has lines and branches only ------------- */

/* The branches of a line are one block: which of them belong together, Verilator does not say. */
static void put_branch(const struct ec_units *u, size_t i, FILE *out)
{
    size_t number = 0;
    while (number < i && u->at[i - number - 1].line == u->at[i].line &&
           u->at[i - number - 1].kind == EC_KIND_BRANCH)
        number++;
    fprintf(out, "BRDA:%" PRIu32 ",0,%zu,%" PRIu64 "\n", u->at[i].line, number, u->at[i].hits);
}

void ec_units_lcov(const struct ec_units *u, FILE *out)
{
    for (size_t i = 0, next; i < u->count; i = next) {
        struct ec_covered covered[EC_KINDS];
        next = ec_units_of_file(u, i, covered);
        fprintf(out, "TN:ecube\nSF:%s\n", u->at[i].file);
        for (size_t k = i; k < next; k++) {
            if (u->at[k].kind == EC_KIND_BRANCH)
                put_branch(u, k, out);
        }
        fprintf(out, "BRF:%zu\nBRH:%zu\n", covered[EC_KIND_BRANCH].all,
                covered[EC_KIND_BRANCH].hit);
        for (size_t k = i; k < next; k++) {
            if (u->at[k].kind == EC_KIND_LINE)
                fprintf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", u->at[k].line, u->at[k].hits);
        }
        fprintf(out, "LF:%zu\nLH:%zu\nend_of_record\n", covered[EC_KIND_LINE].all,
                covered[EC_KIND_LINE].hit);
    }
}
