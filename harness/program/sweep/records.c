/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep as JSON and CSV. keys.def defines the keys; must not know how a point is measured. */
#include "base/record.h"
#include "program/sweep/output.h"

#define PUT(key, unit, column, value, definition) record_put(&into, key, value);
#define ROW(key, unit, column, value, definition) {key, column, unit, definition},

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
    struct record into = {.object = json_object()};
#define SWEEP_RUN PUT
#include "program/report/keys.def"
    return record_finish(&into);
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

/* Without a name: a row of CSV has the columns of a class that its curve does not have. */
static json_t *class_of(const char *name, const struct sweep_part *k)
{
    struct record into = {.object = json_object()};
#define SWEEP_CLASS PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

/* `count` of them, or more than the curve has. */
static json_t *classes(const struct sweep_curve *c, const struct sweep_run *r, size_t count)
{
    if (count == 0)
        return json_null();
    json_t *list = json_array();
    for (size_t k = 0; k < count; k++)
        list = record_append(list, class_of(c->classes[k], &r->classes[k]));
    return list;
}

static size_t most_classes(const struct sweep *s)
{
    size_t most = 0;
    for (size_t i = 0; i < s->curve_count; i++)
        most = s->curves[i].class_count > most ? s->curves[i].class_count : most;
    return most;
}

static void put_point(struct record *record, const struct sweep_curve *c,
                      const struct sweep_point *p, size_t class_count, bool host)
{
    const struct sweep_run *r = &p->row;
    const struct sweep_part *trip = &r->round_trip;
    const bool several = p->run_count > 1 && r->latency.known;
    struct record into = *record;
#define SWEEP_POINT PUT
#include "program/report/keys.def"
    *record = into;
}

static json_t *points(const struct sweep_curve *c, bool host)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->point_count; i++) {
        struct record into = {.object = json_object()};
        put_point(&into, c, &c->points[i], c->class_count, host);
        list = record_append(list, record_finish(&into));
    }
    return list;
}

/* A number where the text is one. */
static json_t *parameter(const char *text)
{
    json_t *value = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    if (json_is_number(value))
        return value;
    json_decref(value);
    return record_text(text);
}

static json_t *parameters(const struct sweep_curve *c)
{
    struct record into = {.object = json_object()};
    for (size_t i = 0; i < c->parameter_count; i++)
        record_put(&into, c->parameters[i].name, parameter(c->parameters[i].value));
    return record_finish(&into);
}

static json_t *ratio_of(const struct sweep_curve *c, const struct sweep_bracket *b)
{
    return record_real_if(c->has_bound && b->has_low && b->has_high,
                          (b->low + b->high) / 2 / c->bound);
}

static json_t *low_load_ratio(const struct sweep_curve *c)
{
    const bool known = c->has_zero_load && c->point_count > 0 && c->points[0].row.latency.known;
    return record_real_if(known, known ? c->points[0].row.latency.mean / c->zero_load : 0);
}

static void put_curve(struct record *record, const struct sweep_curve *c, bool host)
{
    struct record into = *record;
#define SWEEP_CURVE PUT
#include "program/report/keys.def"
    *record = into;
}

static json_t *curves(const struct sweep *s, bool host)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->curve_count; i++) {
        struct record into = {.object = json_object()};
        put_curve(&into, &s->curves[i], host);
        list = record_append(list, record_finish(&into));
    }
    return list;
}

bool sweep_json(const struct sweep *s, enum cli_status status, bool host, FILE *out)
{
    struct record into = {.object = json_object()};
#define SWEEP PUT
#include "program/report/keys.def"
    json_t *record = record_finish(&into);
    const bool good = record && record_print_json(record, false, out);
    json_decref(record);
    return good;
}

/* A row has the keys of its curve and of its point. */
bool sweep_csv(const struct sweep *s, bool host, FILE *out)
{
    static const struct record_key keys[] = {
#define SWEEP_CURVE ROW
#define SWEEP_POINT ROW
#include "program/report/keys.def"
        {0}};
    bool good = true, first = true;
    for (size_t i = 0; i < s->curve_count; i++) {
        const struct sweep_curve *c = &s->curves[i];
        for (size_t k = 0; good && k < c->point_count; k++) {
            struct record into = {.object = json_object()};
            put_curve(&into, c, host);
            put_point(&into, c, &c->points[k], most_classes(s), host);
            json_t *record = record_finish(&into);
            good = record && record_print_csv(keys, record, first, out);
            json_decref(record);
            first = false;
        }
    }
    return good;
}
