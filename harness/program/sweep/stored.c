/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the CSV of sweeps, and their JSON as CSV. Knows their columns (keys.def) and quotes (RFC
 * 4180); must not know how a curve was measured. */
#include "program/sweep/stored.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "base/output.h"
#include "base/record.h"
#include "ecube/router.h"
#include "ecube/topology.h"
#include "program/report/stored.h"
#include "program/sweep/output.h"

#define PARAMETERS "parameters_"
/* A sweep writes far fewer columns, and at most as many curves. */
enum { COLUMNS_MAX = 1000, CURVES_MAX = 1000 };

/* A file, cut into cells. */
struct table {
    const char *path;
    char *text;   /* owned; the cells point into it */
    char **names; /* [columns] the header; owned */
    char **cell;  /* [columns] of the row; owned */
    size_t columns;
    char *rest; /* behind the row */
    size_t line;
};

static enum ec_code no_memory(const char *path, struct ec_error *reterr)
{
    return ec_fail(reterr, EC_MEMORY, "out of memory for the curves of %s", path);
}

/* --- Cells ---------------------------------------------------------------------------------- */

/* Take a cell from *rest and undo its quotes, in place. Returns what ended it: ',', '\n', 0, or '"'
 * for quotes that are not closed. */
static char take_cell(char **rest, size_t *line, char **ret)
{
    char *from = *rest, *to = from;
    bool quoted = false;

    *ret = to;
    for (; *from && (quoted || (*from != ',' && *from != '\n')); from++) {
        *line += *from == '\n';
        if (*from != '"')
            *to++ = *from;
        else if (quoted && from[1] == '"')
            *to++ = *from++;
        else
            quoted = !quoted;
    }
    const char end = *from;
    *rest = from + (end != '\0');
    if (end != ',' && to > *ret && to[-1] == '\r')
        to--;
    *to = '\0';
    return quoted ? '"' : end;
}

/* Take a row of at most `room` cells; *ret_count is how many it has. */
static enum ec_code take_row(struct table *t, char **cells, size_t room, size_t *ret_count,
                             struct ec_error *reterr)
{
    char end = ',';
    size_t count = 0;
    const size_t line = ++t->line;

    while (end == ',') {
        char *cell;
        end = take_cell(&t->rest, &t->line, &cell);
        if (count < room)
            cells[count] = cell;
        count++;
    }
    *ret_count = count;
    return end != '"' ? EC_OK
                      : ec_fail(reterr, EC_USAGE, "%s:%zu: a quote is not closed", t->path, line);
}

static void table_close(struct table *t)
{
    free(t->text);
    free(t->names);
    free(t->cell);
}

/* From JSON in a file to the same rows as CSV, in place of its text. */
static enum ec_code convert(const char *path, char **text, struct ec_error *reterr)
{
    struct cli_stored s;
    char *rows = NULL;
    size_t size;
    enum ec_code code = cli_stored_read(path, &s, reterr);
    if (code != EC_OK)
        return code;
    if (s.kind == CLI_STORED_SWEEP) {
        FILE *out = open_memstream(&rows, &size);
        code = out ? sweep_rows(s.result, out) : EC_MEMORY;
        code = ec_memstream_close(out, &rows) || code != EC_OK ? code : EC_MEMORY;
    } else {
        code = EC_USAGE;
    }
    cli_stored_close(&s);
    free(*text);
    *text = rows;
    if (code == EC_USAGE)
        return ec_fail(reterr, code, "%s: expected the output of 'ecube sweep --format json'",
                       path);
    return code == EC_OK ? code : no_memory(path, reterr);
}

static enum ec_code table_open(const char *path, struct table *t, FILE *csv,
                               struct ec_error *reterr)
{
    size_t size, commas = 1;
    *t = (struct table){.path = path};
    enum ec_code code = ec_file_read(path, &t->text, &size, reterr);
    if (code == EC_OK && strlen(t->text) != size)
        code = ec_fail(reterr, EC_USAGE, "%s: a NUL byte: expected a text file", path);
    if (code == EC_OK && t->text[strspn(t->text, " \t\r\n")] == '{')
        code = convert(path, &t->text, reterr);
    if (code == EC_OK && csv)
        fputs(t->text, csv);
    if (code != EC_OK) {
        table_close(t);
        return code;
    }
    t->rest = t->text;
    for (const char *c = t->text; *c && *c != '\n'; c++)
        commas += *c == ',';
    if (commas > COLUMNS_MAX) {
        table_close(t);
        return ec_fail(reterr, EC_USAGE, "%s: more than %d columns", path, COLUMNS_MAX);
    }
    t->names = calloc(commas, sizeof *t->names);
    t->cell = calloc(commas, sizeof *t->cell);
    if (!t->names || !t->cell) {
        table_close(t);
        return no_memory(path, reterr);
    }
    code = take_row(t, t->names, commas, &t->columns, reterr);
    if (code == EC_OK && t->columns > commas)
        code = ec_fail(reterr, EC_USAGE, "%s:1: the header has a line break in quotes", path);
    for (size_t i = 0; code == EC_OK && i < t->columns; i++) {
        for (size_t k = 0; code == EC_OK && k < i; k++) {
            if (strcmp(t->names[i], t->names[k]) == 0)
                code = ec_fail(reterr, EC_USAGE, "%s: column '%.100s' is there twice", path,
                               t->names[i]);
        }
    }
    if (code != EC_OK)
        table_close(t);
    return code;
}

/* The next row; *ret_end at the end of the file. Empty lines are skipped. */
static enum ec_code table_next(struct table *t, bool *ret_end, struct ec_error *reterr)
{
    size_t count;
    do {
        *ret_end = *t->rest == '\0';
        if (*ret_end)
            return EC_OK;
        const enum ec_code code = take_row(t, t->cell, t->columns, &count, reterr);
        if (code != EC_OK)
            return code;
    } while (count == 1 && *t->cell[0] == '\0');
    return count == t->columns ? EC_OK
                               : ec_fail(reterr, EC_USAGE,
                                         "%s:%zu: the row has %zu columns: expected the %zu of the "
                                         "header",
                                         t->path, t->line, count, t->columns);
}

/* The cell of a column, or NULL if there is none or it is empty. */
static const char *cell_of(const struct table *t, const char *name)
{
    for (size_t i = 0; i < t->columns; i++) {
        if (strcmp(t->names[i], name) == 0)
            return *t->cell[i] ? t->cell[i] : NULL;
    }
    return NULL;
}

static enum ec_code number_of(const struct table *t, const char *name, bool *ret_known, double *ret,
                              struct ec_error *reterr)
{
    const char *cell = cell_of(t, name);
    char *end;
    *ret_known = cell != NULL;
    *ret = 0;
    if (!cell)
        return EC_OK;
    *ret = strtod(cell, &end);
    if (*end || !isfinite(*ret) || *ret < 0)
        return ec_fail(reterr, EC_USAGE, "%s:%zu: %s: expected a number of at least 0; got '%.40s'",
                       t->path, t->line, name, cell);
    return EC_OK;
}

/* --- Curves --------------------------------------------------------------------------------- */

static bool is_parameter(const char *name)
{
    return strncmp(name, PARAMETERS, strlen(PARAMETERS)) == 0;
}

/* Where the numbers of a curve or point go. */
struct field {
    const char *name;
    bool *known;
    double *value;
};

static enum ec_code read_fields(const struct table *t, const struct field *f, size_t count,
                                struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    for (size_t i = 0; code == EC_OK && i < count; i++) {
        bool known;
        code = number_of(t, f[i].name, &known, f[i].value, reterr);
        if (f[i].known)
            *f[i].known = known;
    }
    return code;
}

static enum ec_code read_curve(const struct table *t, struct sweep_curve *c,
                               struct ec_error *reterr)
{
    bool has_sends = false;
    const struct field fields[] = {
        {"bound", &c->has_bound, &c->bound},
        {"sends", &has_sends, &c->sends},
        {"zero_load", &c->has_zero_load, &c->zero_load},
        {"backlog_low", &c->backlog.has_low, &c->backlog.low},
        {"backlog_high", &c->backlog.has_high, &c->backlog.high},
        {"latency_low", &c->latency.has_low, &c->latency.low},
        {"latency_high", &c->latency.has_high, &c->latency.high},
    };
    const char *label = cell_of(t, "variant");
    size_t room = 0;
    bool good = (c->label = strdup(label ? label : "")) && (c->title = strdup(t->path));

    for (size_t i = 0; good && i < t->columns; i++) {
        if (!is_parameter(t->names[i]) || !*t->cell[i])
            continue;
        struct sweep_parameter *grown =
            ec_list_grow(c->parameters, sizeof *grown, c->parameter_count, &room);
        good = grown != NULL;
        if (!good)
            break;
        c->parameters = grown;
        grown += c->parameter_count++;
        *grown =
            (struct sweep_parameter){strdup(t->names[i] + strlen(PARAMETERS)), strdup(t->cell[i])};
        good = grown->name && grown->value;
    }
    if (!good)
        return no_memory(t->path, reterr);
    const enum ec_code code = read_fields(t, fields, sizeof fields / sizeof *fields, reterr);
    c->sends = has_sends ? c->sends : 1;
    return code;
}

static enum ec_code read_state(const struct table *t, enum sweep_state *ret,
                               struct ec_error *reterr)
{
    const char *cell = cell_of(t, "state");
    if (cell && strcmp(cell, "not steady") == 0) /* before ecube-sweep-2 */
        cell = sweep_state_name(SWEEP_TOO_SHORT);
    for (enum sweep_state state = SWEEP_STEADY; cell && state <= SWEEP_FAILED; state++) {
        if (strcmp(cell, sweep_state_name(state)) == 0) {
            *ret = state;
            return EC_OK;
        }
    }
    return ec_fail(reterr, EC_USAGE, "%s:%zu: state '%.40s': expected one of ecube sweep", t->path,
                   t->line, cell ? cell : "");
}

static enum ec_code read_point(const struct table *t, struct sweep_point *p,
                               struct ec_error *reterr)
{
    bool rate, has_width[2];
    struct sweep_run *r = &p->row;
    const struct field fields[] = {
        {"rate", &rate, &p->rate},
        {"latency", &r->latency.known, &r->latency.mean},
        {"latency_half_width", &has_width[0], &r->latency.half_width},
        {"accepted", &r->accepted.known, &r->accepted.mean},
        {"accepted_half_width", &has_width[1], &r->accepted.half_width},
    };
    enum ec_code code = read_fields(t, fields, sizeof fields / sizeof *fields, reterr);
    if (code == EC_OK && !rate)
        code = ec_fail(reterr, EC_USAGE, "%s:%zu: a row without a rate", t->path, t->line);
    if (code != EC_OK)
        return code;
    r->latency.half_width = has_width[0] ? r->latency.half_width : -1;
    r->accepted.half_width = has_width[1] ? r->accepted.half_width : -1;
    return read_state(t, &r->state, reterr);
}

static bool same_parameters(const struct sweep_curve *a, const struct sweep_curve *b)
{
    if (a->parameter_count != b->parameter_count || strcmp(a->label, b->label) != 0)
        return false;
    for (size_t i = 0; i < a->parameter_count; i++) {
        if (strcmp(a->parameters[i].name, b->parameters[i].name) != 0 ||
            strcmp(a->parameters[i].value, b->parameters[i].value) != 0)
            return false;
    }
    return true;
}

/* The curve of a row, among those from number `first` on; a new one if it is not there. */
static enum ec_code find_curve(struct sweep *s, size_t first, const struct table *t,
                               struct sweep_curve **ret, struct ec_error *reterr)
{
    if (s->curve_count > CURVES_MAX)
        return ec_fail(reterr, EC_USAGE, "%s:%zu: more than %d curves", t->path, t->line,
                       CURVES_MAX);
    struct sweep_curve *grown = realloc(s->curves, (s->curve_count + 1) * sizeof *grown);
    if (!grown)
        return no_memory(t->path, reterr);
    s->curves = grown;
    struct sweep_curve *c = &grown[s->curve_count];
    *c = (struct sweep_curve){0};
    const enum ec_code code = read_curve(t, c, reterr);
    *ret = c;
    for (size_t i = first; code == EC_OK && i < s->curve_count && *ret == c; i++) {
        if (same_parameters(&grown[i], c))
            *ret = &grown[i];
    }
    if (code != EC_OK || *ret != c)
        sweep_curve_free(c);
    else
        s->curve_count++;
    return code;
}

static enum ec_code read_rows(struct table *t, struct sweep *s, struct ec_error *reterr)
{
    const size_t first = s->curve_count;
    for (;;) {
        struct sweep_curve *c = NULL;
        bool end;
        enum ec_code code = table_next(t, &end, reterr);
        if (code == EC_OK && end)
            break;
        if (code == EC_OK)
            code = find_curve(s, first, t, &c, reterr);
        if (code != EC_OK)
            return code;
        struct sweep_point *grown = realloc(c->points, (c->point_count + 1) * sizeof *grown);
        if (!grown)
            return no_memory(t->path, reterr);
        c->points = grown;
        c->points[c->point_count] = (struct sweep_point){0};
        code = read_point(t, &c->points[c->point_count], reterr);
        if (code != EC_OK)
            return code;
        c->point_count++;
    }
    return s->curve_count > first ? EC_OK
                                  : ec_fail(reterr, EC_USAGE, "%s: there are no points", t->path);
}

enum ec_code sweep_stored_read(const char *path, struct sweep *s, FILE *csv,
                               struct ec_error *reterr)
{
    static const char *const needed[] = {"rate", "state", "accepted", "latency"};
    struct table t;
    enum ec_code code = table_open(path, &t, csv, reterr);
    if (code != EC_OK)
        return code;
    for (size_t i = 0; code == EC_OK && i < sizeof needed / sizeof *needed; i++) {
        size_t k = 0;
        while (k < t.columns && strcmp(t.names[k], needed[i]) != 0)
            k++;
        if (k == t.columns)
            code = ec_fail(reterr, EC_USAGE,
                           "%s: there is no column '%s': expected the output of 'ecube sweep "
                           "--format csv'",
                           path, needed[i]);
    }
    if (code == EC_OK)
        code = read_rows(&t, s, reterr);
    table_close(&t);
    return code;
}

/* --- Labels --------------------------------------------------------------------------------- */

static const char *parameter_of(const struct sweep_curve *c, const char *name)
{
    for (size_t i = 0; i < c->parameter_count; i++) {
        if (strcmp(c->parameters[i].name, name) == 0)
            return c->parameters[i].value;
    }
    /* Files without such a column, as of versions that had no such option. */
    static const char *const later[][2] = {{"router_switching", "wormhole"},
                                           {"router_va", "static"},
                                           {"router_stages", "1"},
                                           {"router_link", "1"},
                                           {"router_classes", "1"}};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        if (strcmp(later[i][0], name) == 0)
            return later[i][1];
    }
    return "";
}

/* The router of a curve, with the default of the options that follow from others. */
static bool default_router(const struct sweep_curve *c, struct ec_router *ret)
{
    struct ec_topology topology;
    struct ec_error e;
    char text[200];
    snprintf(text, sizeof text, "vcs=%.20s,switching=%.30s,stages=%.20s,link=%.20s",
             parameter_of(c, "router_vcs"), parameter_of(c, "router_switching"),
             parameter_of(c, "router_stages"), parameter_of(c, "router_link"));
    return ec_topology_parse(parameter_of(c, "topology"), &topology, &e) == EC_OK &&
           ec_router_parse(text, &topology, ret, &e) == EC_OK;
}

/* Is the parameter, where it follows from others, that of every curve by default? */
static bool has_defaults(const struct sweep *s, const char *name)
{
    for (size_t i = 0; i < s->curve_count; i++) {
        const struct sweep_curve *c = &s->curves[i];
        struct ec_router router;
        char depth[20];
        if (!default_router(c, &router))
            return false;
        snprintf(depth, sizeof depth, "%u", router.depth);
        const char *usual = strcmp(name, "router_depth") == 0      ? depth
                            : strcmp(name, "router_dateline") != 0 ? ""
                            : router.dateline                      ? "on"
                                                                   : "off";
        if (strcmp(parameter_of(c, name), usual) != 0)
            return false;
    }
    return true;
}

/* Do the curves differ in it? Canonical texts repeat what parameters of their own say. */
static bool differs(const struct sweep *s, const char *name)
{
    static const char *const texts[] = {"workload", "router", "dimensions", "family", "radices"};
    const char *first = parameter_of(&s->curves[0], name);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(name, texts[i]) == 0)
            return false;
    }
    for (size_t i = 1; i < s->curve_count; i++) {
        if (strcmp(parameter_of(&s->curves[i], name), first) != 0)
            return !has_defaults(s, name);
    }
    return false;
}

/* "router_vcs" is known as vcs. */
static const char *short_name(const char *name)
{
    static const char *const prefixes[] = {"router_", "workload_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const size_t length = strlen(prefixes[i]);
        if (strncmp(name, prefixes[i], length) == 0)
            return name + length;
    }
    return name;
}

static void put_label(const struct sweep *s, const struct sweep_curve *c, FILE *out)
{
    const char *comma = "";
    for (size_t i = 0; i < c->parameter_count; i++) {
        const char *name = c->parameters[i].name, *value = c->parameters[i].value;
        if (!differs(s, name))
            continue;
        fputs(comma, out);
        comma = ", ";
        if (strcmp(name, "pattern") == 0 || strcmp(name, "topology") == 0)
            fputs(value, out);
        else
            fprintf(out, "%s=%s", short_name(name), value);
    }
    if (*comma)
        return;
    const char *slash = strrchr(c->title, '/'), *file = slash ? slash + 1 : c->title;
    const char *dot = strrchr(file, '.');
    fprintf(out, "%s%s%.*s", c->label, *c->label ? ", " : "",
            (int)(dot && dot > file ? (size_t)(dot - file) : strlen(file)), file);
}

enum ec_code sweep_stored_label(struct sweep *s, struct ec_error *reterr)
{
    char **labels = calloc(s->curve_count, sizeof *labels);
    bool good = labels != NULL;
    for (size_t i = 0; good && i < s->curve_count; i++) {
        size_t size;
        FILE *out = open_memstream(&labels[i], &size);
        good = out != NULL;
        if (good)
            put_label(s, &s->curves[i], out);
        good = ec_memstream_close(out, &labels[i]);
    }
    for (size_t i = 0; labels && i < s->curve_count; i++) {
        char **target = &s->curves[i].label;
        if (good) {
            free(*target);
            *target = labels[i];
        } else {
            free(labels[i]);
        }
    }
    free(labels);
    return good ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory for the labels of curves");
}
