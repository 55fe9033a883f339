/* SPDX-License-Identifier: Apache-2.0 */
/* A prediction as JSON and CSV. keys.def defines the keys; must not compute. */
#include "program/scale/scale.h"

#define PUT(key, unit, column, value, definition) record_put(&into, key, value);
#define ROW(key, unit, column, value, definition) {key, column, unit, definition},

static json_t *size(const struct scale_size *s)
{
    struct record into = {.object = json_object()};
#define SCALE_SIZE PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *sizes(const struct scale_result *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->measured.machine.size_count; i++)
        list = record_append(list, size(&r->measured.machine.size[i]));
    return list;
}

static json_t *exchange(const struct scale_threads *t)
{
    struct record into = {.object = json_object()};
#define SCALE_THREADS PUT
#include "program/report/keys.def"
    return record_finish(&into);
}

static json_t *exchanges(const struct scale_result *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->measured.machine.threads_count; i++)
        list = record_append(list, exchange(&r->measured.machine.threads[i]));
    return list;
}

static json_t *delay(const struct scale_row *row, size_t network)
{
    return record_number_if(row->delay[network] > 0, row->delay[network]);
}

static void put_row(struct record *record, const struct scale_row *row)
{
    struct record into = *record;
    const struct scale_point *p = &row->point;
    const struct scale_cut *cut = &row->cut;
#define SCALE_ROW PUT
#include "program/report/keys.def"
    *record = into;
}

static json_t *rows(const struct scale_result *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->count; i++) {
        struct record into = {.object = json_object()};
        put_row(&into, &r->rows[i]);
        list = record_append(list, record_finish(&into));
    }
    return list;
}

static void put_head(struct record *record, const struct scale_result *r)
{
    const struct ec_case *c = r->c;
    const struct scale_load *load = &r->measured.load;
    const struct scale_network *n = &r->kinds[0].network;
    const struct scale_cut *best = &r->rows[r->best].cut;
    struct record into = *record;
#define SCALE PUT
#include "program/report/keys.def"
    *record = into;
}

json_t *scale_record(const struct scale_result *r)
{
    struct record into = {.object = json_object()};
    put_head(&into, r);
    return record_finish(&into);
}

bool scale_csv(const struct scale_result *r, FILE *out)
{
    static const struct record_key keys[] = {
#define SCALE     ROW
#define SCALE_ROW ROW
#include "program/report/keys.def"
        {0}};
    bool good = true;
    for (size_t i = 0; good && i < r->count; i++) {
        struct record into = {.object = json_object()};
        put_head(&into, r);
        put_row(&into, &r->rows[i]);
        json_t *record = record_finish(&into);
        good = record && record_print_csv(keys, record, i == 0, out);
        json_decref(record);
    }
    return good;
}
