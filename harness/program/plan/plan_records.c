/* SPDX-License-Identifier: Apache-2.0 */
/* A plan as JSON and CSV. keys.def defines the keys; must not compute. */
#include "paths.h"
#include "program/plan/plan.h"
#include "program/report/keys.def"
#include "result/parameters.h"
#include "result/records.h"

static json_t *row_of(const struct advice *a, size_t i)
{
    const struct advice_row *row = &a->rows[i];
    const struct ec_candidate *k = row->k;
    const struct ec_case *c = a->c;
    const bool exact = k->basis != EC_BASIS_AT_LEAST;
    char algorithm[sizeof k->algorithm];
    advice_algorithm(k, algorithm, sizeof algorithm);
    return RECORD(PLAN_ROW_KEYS);
}

static json_t *rows(const struct advice *a)
{
    json_t *list = json_array();
    for (size_t i = 0; i < a->c->candidate_count; i++)
        list = record_append(list, row_of(a, i));
    return list;
}

static json_t *bound(const struct ec_least *least, enum ec_ports ports)
{
    return RECORD(PLAN_BOUND_KEYS);
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
    return RECORD(PLAN_RANGE_KEYS);
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
    char algorithm[sizeof k->algorithm];
    advice_algorithm(k, algorithm, sizeof algorithm);
    return RECORD(PLAN_POINT_KEYS);
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

json_t *advice_record(const struct advice *a)
{
    const struct ec_case *c = a->c;
    const struct advice_factors *f = &a->factors;
    return RECORD(PLAN_KEYS);
}

#define CSV_KEYS(X) PLAN_KEYS(X) PLAN_ROW_KEYS(X)
const struct record_key advice_keys[] = RECORD_KEYS(CSV_KEYS);
