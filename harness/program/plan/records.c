/* SPDX-License-Identifier: Apache-2.0 */
/* A plan as JSON and CSV. keys.def defines the keys; must not compute. */
#include "program/plan/plan.h"
#include "program/report/parameters.h"

#define PUT(key, unit, column, value, definition) record_put(&into, key, value);
#define ROW(key, unit, column, value, definition) {key, column, unit, definition},

static const char *const port_names[] = {[EC_PORTS_ONE] = "one", [EC_PORTS_ALL] = "all"};

static void put_row(struct record *record, const struct advice *a, size_t i)
{
    const struct advice_row *row = &a->rows[i];
    const struct ec_candidate *k = row->k;
    const bool exact = k->basis != EC_BASIS_AT_LEAST;
    struct record into = *record;
    char algorithm[sizeof k->algorithm];
    advice_algorithm(k, algorithm, sizeof algorithm);
#define PLAN_ROW PUT
#include "program/report/keys.def"
    *record = into;
}

static json_t *rows(const struct advice *a)
{
    json_t *list = json_array();
    for (size_t i = 0; i < a->c->candidate_count; i++) {
        struct record into = {.object = json_object()};
        put_row(&into, a, i);
        list = record_append(list, record_finish(&into));
    }
    return list;
}

static json_t *bound(const struct ec_least *least, enum ec_ports ports)
{
    struct record into = {.object = json_object()};
#define PLAN_BOUND PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *bounds(const struct advice *a)
{
    json_t *list = json_array();
    if (a->one)
        list = record_append(list, bound(&a->least[EC_PORTS_ONE], EC_PORTS_ONE));
    if (a->all)
        list = record_append(list, bound(&a->least[EC_PORTS_ALL], EC_PORTS_ALL));
    return list;
}

/* A text that is null where it is empty. */
static json_t *text_if(const char *text)
{
    return record_text(*text ? text : NULL);
}

static json_t *range(const struct advice_range *r)
{
    struct record into = {.object = json_object()};
#define PLAN_RANGE PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *crossings(const struct advice *a)
{
    json_t *list = json_array();
    for (size_t i = 0; i < a->range_count; i++)
        list = record_append(list, range(&a->ranges[i]));
    return list;
}

static json_t *point(const struct ec_axis_point *p, const char *parameter)
{
    const struct ec_candidate *k = &p->best;
    struct record into = {.object = json_object()};
    char algorithm[sizeof k->algorithm];
    advice_algorithm(k, algorithm, sizeof algorithm);
#define PLAN_POINT PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *points(const struct advice *a)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < ADVICE_AXES; i++) {
        for (size_t k = 0; k < a->points[i].count; k++)
            list = record_append(list, point(&a->points[i].at[k], a->parameter[i]));
    }
    return list;
}

static void put_head(struct record *record, const struct advice *a)
{
    const struct ec_case *c = a->c;
    const struct advice_factors *f = &a->factors;
    struct record into = *record;
#define PLAN PUT
#include "program/report/keys.def"
    *record = into;
}

json_t *advice_record(const struct advice *a)
{
    struct record into = {.object = json_object()};
    put_head(&into, a);
    return record_finish(&into);
}

bool advice_csv(const struct advice *a, FILE *out)
{
    static const struct record_key keys[] = {
#define PLAN     ROW
#define PLAN_ROW ROW
#include "program/report/keys.def"
        {0}};
    bool good = true;
    for (size_t i = 0; good && i < a->c->candidate_count; i++) {
        struct record into = {.object = json_object()};
        put_head(&into, a);
        put_row(&into, a, i);
        json_t *record = record_finish(&into);
        good = record && record_print_csv(keys, record, i == 0, out);
        json_decref(record);
    }
    return good;
}
