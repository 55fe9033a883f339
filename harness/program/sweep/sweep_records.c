/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep as JSON and CSV, and a stored one as CSV. keys.def defines the keys; must not know how a
 * point is measured. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/record.h"
#include "program/report/keys.def"
#include "program/report/stored.h"
#include "program/sweep/output.h"
#include "program/sweep/search.h"

static const char *purpose_name(enum sweep_purpose purpose)
{
    static const char *const names[] = {[SWEEP_GIVEN] = "given",
                                        [SWEEP_GRID] = "grid",
                                        [SWEEP_BACKLOG] = "backlog",
                                        [SWEEP_LATENCY] = "latency"};
    return names[purpose];
}

static json_t *half_width(const struct sweep_mean *m)
{
    return record_real_if(m->known && m->half_width >= 0, m->half_width);
}

static json_t *run(const struct sweep_run *r)
{
    return RECORD(SWEEP_RUN_KEYS);
}

static json_t *runs(const struct sweep_point *p)
{
    if (p->run_count <= 1)
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; i < p->run_count; i++)
        list = record_append(list, run(&p->runs[i]));
    return list;
}

static json_t *class_of(const char *name, const struct sweep_part *k)
{
    return RECORD(SWEEP_CLASS_KEYS);
}

static json_t *classes(const struct sweep_curve *c, const struct sweep_run *r)
{
    if (c->class_count == 0)
        return json_null();
    json_t *list = json_array();
    for (size_t k = 0; k < c->class_count; k++)
        list = record_append(list, class_of(c->classes[k], &r->classes[k]));
    return list;
}

static json_t *point(const struct sweep_curve *c, const struct sweep_point *p, bool host)
{
    const struct sweep_run *r = &p->row;
    const struct sweep_part *trip = &r->round_trip;
    const bool several = p->run_count > 1 && r->latency.known;
    return RECORD(SWEEP_POINT_KEYS);
}

static json_t *points(const struct sweep_curve *c, bool host)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->point_count; i++)
        list = record_append(list, point(c, &c->points[i], host));
    return list;
}

static json_t *ratio_of(const struct sweep_curve *c, const struct sweep_bracket *b)
{
    return record_real_if(c->has_bound && sweep_bracket_is_found(c, b),
                          (b->low + b->high) / 2 / c->bound);
}

static json_t *end_of(const struct sweep_curve *c, const struct sweep_bracket *b)
{
    return record_text(!b->has_high                      ? NULL
                       : sweep_bracket_is_measured(c, b) ? "measured"
                                                         : "bound");
}

static json_t *low_load_ratio(const struct sweep_curve *c)
{
    const bool known = c->has_zero_load && c->point_count > 0 && c->points[0].row.latency.known;
    return record_real_if(known, known ? c->points[0].row.latency.mean / c->zero_load : 0);
}

static json_t *curve(const struct sweep_curve *c, bool host)
{
    const struct sweep_point *last = c->last_saturated, *most = c->most_saturated;
    return RECORD(SWEEP_CURVE_KEYS);
}

static json_t *curves(const struct sweep *s, bool host)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->curve_count; i++)
        list = record_append(list, curve(&s->curves[i], host));
    return list;
}

static json_t *whole(const struct sweep *s, enum cli_status status, bool host)
{
    return RECORD(SWEEP_KEYS);
}

bool sweep_json(const struct sweep *s, enum cli_status status, bool host, FILE *out)
{
    json_t *record = whole(s, status, host);
    const bool good = record && record_print_json(record, false, out);
    json_decref(record);
    return good;
}

bool sweep_line(const struct sweep_curve *c, const struct sweep_point *p, bool host, FILE *out)
{
    json_t *line = json_pack("{s:o}", "variant", record_text(c->label)), *keys = point(c, p, host);
    const bool good =
        line && keys && json_object_update(line, keys) == 0 && record_print_json(line, true, out);
    json_decref(keys);
    json_decref(line);
    return good;
}

/* Every row has columns for the classes of the one with most: null where it has none. */
static bool pad_classes(json_t *row, json_t *most)
{
    json_t *own = json_object_get(row, "classes"), *all = json_deep_copy(most), *part, *value;
    const char *key;
    bool good = all != NULL;
    size_t i;
    json_array_foreach(all, i, part)
    {
        json_object_foreach(part, key, value)
        {
            json_object_set_new(part, key, json_null());
        }
        if (i < json_array_size(own))
            good = good && json_array_set(all, i, json_array_get(own, i)) == 0;
    }
    return !most || (good && json_object_set_new(row, "classes", all) == 0);
}

#define CSV_KEYS(X) SWEEP_CURVE_KEYS(X) SWEEP_POINT_KEYS(X)

/* A row has the keys of its curve and of its point. */
enum ec_code sweep_rows(const json_t *sweep, FILE *out)
{
    static const struct record_key keys[] = RECORD_KEYS(CSV_KEYS);
    json_t *rows = json_array(), *of_curve, *of_point, *row, *most = NULL;
    size_t i, k;
    bool good = rows != NULL, usable = true;
    json_array_foreach(json_object_get(sweep, "curves"), i, of_curve)
    {
        json_array_foreach(json_object_get(of_curve, "points"), k, of_point)
        {
            json_t *list = json_object_get(of_point, "classes");
            most = json_array_size(list) > json_array_size(most) ? list : most;
            usable = usable && json_is_object(of_point);
            row = json_copy(of_curve);
            json_object_update(row, of_point);
            good = good && json_array_append_new(rows, row) == 0;
        }
    }
    json_array_foreach(rows, i, row) good = good && pad_classes(row, most);
    good = good && (!usable || record_print_rows(keys, NULL, rows, out));
    json_decref(rows);
    return !usable ? EC_USAGE : good ? EC_OK : EC_MEMORY;
}

bool sweep_csv(const struct sweep *s, bool host, FILE *out)
{
    json_t *record = whole(s, CLI_OK, host);
    const bool good = record && sweep_rows(record, out) == EC_OK;
    json_decref(record);
    return good;
}

/* --- Stored sweeps ---------------------------------------------------------------------------- */

static enum ec_code convert(const char *path, FILE *out, struct ec_error *reterr)
{
    struct cli_stored s;
    enum ec_code code = cli_stored_read(path, &s, reterr);
    if (code != EC_OK)
        return code;
    code = s.kind == CLI_STORED_SWEEP ? sweep_rows(s.result, out) : EC_USAGE;
    cli_stored_close(&s);
    if (code == EC_USAGE)
        ec_fail(reterr, code, "'%.300s': expected the output of 'ecube sweep'", path);
    else if (code != EC_OK)
        ec_fail(reterr, code, "out of memory for the curves of '%.300s'", path);
    else if (fflush(out) != 0)
        code = ec_fail(reterr, EC_IO, "cannot write a temporary file: %s", strerror(errno));
    rewind(out);
    return code;
}

enum ec_code sweep_stored_open(const char *path, FILE **ret, struct ec_error *reterr)
{
    static const char column[] = "variant,"; /* the first one */
    char begin[sizeof column] = "";
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return ec_fail(reterr, EC_IO, "cannot read '%.300s': expected a regular file", path);
    FILE *file = fopen(path, "re");
    if (!file)
        return ec_fail(reterr, EC_IO, "cannot read '%.300s': %s", path, strerror(errno));
    const bool csv = fgets(begin, sizeof begin, file) && strcmp(begin, column) == 0;
    rewind(file);
    *ret = file;
    if (csv)
        return EC_OK;
    fclose(file);
    *ret = tmpfile();
    if (!*ret)
        return ec_fail(reterr, EC_IO, "cannot create a temporary file: %s", strerror(errno));
    const enum ec_code code = convert(path, *ret, reterr);
    if (code != EC_OK)
        fclose(*ret);
    return code;
}
