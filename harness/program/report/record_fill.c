/* SPDX-License-Identifier: Apache-2.0 */
/* Values of JSON records, and the parts that records of runs and of audits share.
 *
 * Knows what is null where, and what to do when memory is short; a record's keys are in the file
 * that is named after it. */
#include "program/report/record_fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "program/case/best.h"
#include "program/report/record.h"

void record_put(struct record_filling *f, const char *key, json_t *value)
{
    if (json_object_set_new_nocheck(f->object, key, value) != 0)
        f->failed = true;
}

json_t *record_finish(struct record_filling *f)
{
    if (!f->failed)
        return f->object;
    json_decref(f->object);
    return NULL;
}

json_t *record_append(json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) == 0)
        return list;
    json_decref(list);
    return NULL;
}

/* Text from the user may hold bytes that are no UTF-8, which JSON cannot: they become '?'. */
json_t *cli_record_text(const char *s)
{
    if (!s)
        return json_null();
    json_t *value = json_string(s);
    if (value)
        return value;
    char *copy = strdup(s);
    for (char *c = copy; c && *c; c++)
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    value = copy ? json_string(copy) : NULL;
    free(copy);
    return value;
}

json_t *record_number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

json_t *record_number_if(bool known, uint64_t value)
{
    return known ? record_number(value) : json_null();
}

json_t *record_real_if(bool known, double value)
{
    return known && isfinite(value) ? json_real(value) : json_null();
}

json_t *record_boolean_if(bool known, bool value)
{
    return known ? json_boolean(value) : json_null();
}

uint64_t record_peak_rss(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

void record_put_case(struct record_filling *f, const struct cli_case *c)
{
    record_put(f, "topology", cli_record_text(c->topology_text));
    record_put(f, "nodes", record_number(c->topology.nodes));
    record_put(f, "workload", cli_record_text(c->workload->text));
    record_put(f, "algorithm", cli_record_text(cli_case_algorithm(c)));
}

json_t *record_sync(const struct cli_case *c)
{
    return cli_record_text(c->schedule ? cli_syncs[c->job->sync] : NULL);
}

void record_put_schedule(struct record_filling *f, const struct cli_case *c)
{
    const struct ec_schedule_audit *found = &c->found;
    const bool has = c->schedule != NULL;
    record_put(f, "local_cost", record_number_if(has, c->job->local_cost));
    record_put(f, "local_moves", record_number_if(has, found->local_moves));
    record_put(f, "element_hops", record_number_if(has, found->element_hops));
    record_put(f, "valid", record_boolean_if(has, found->valid));
    record_put(f, "defect", cli_record_text(found->defect[0] ? found->defect : NULL));
    record_put(f, "shifted", record_number_if(has, found->shifted));
    record_put(f, "distinct", record_boolean_if(has, found->distinct));
    record_put(f, "candidates", c->best ? cli_best_record(c->best) : json_null());
}
