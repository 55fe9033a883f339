/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the canonical words of a case apart, so that no reader of the output has to. Knows the form
 * NAME:KEY=VALUE,...; must not know which keys there are: they are rows of keys.def. */
#include "program/report/parameters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"
#include "program/options/job.h"

json_t *cli_parameters(const struct ec_case *c)
{
    struct record into = {.object = json_object()};
#define PARAMETER(key, unit, column, value, definition) record_put(&into, key, value);
#include "program/report/keys.def"
    return record_finish(&into);
}

char *cli_parameter_text(const json_t *value)
{
    if (json_is_string(value))
        return strdup(json_string_value(value));
    return json_is_null(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY | RECORD_REAL_FORMAT);
}

static json_t *value_of(struct ec_slice s)
{
    char text[300];
    uint64_t number;
    double real;
    if (ec_slice_number(s, INT64_MAX, &number))
        return record_number(number);
    if (ec_slice_fraction(s, &real))
        return json_real(real);
    snprintf(text, sizeof text, "%.*s", (int)s.length, s.at);
    return record_text(text);
}

/* The value of a key in "KEY=VALUE,...". */
static json_t *find(struct ec_slice rest, const char *key)
{
    struct ec_slice item, name;
    while (rest.at && ec_slice_take(&rest, ',', &item)) {
        if (ec_slice_take(&item, '=', &name) && item.at && ec_slice_is(name, key))
            return value_of(item);
    }
    return json_null();
}

json_t *cli_parameter_router(const struct ec_case *c, const char *key)
{
    return find(ec_slice_of(c->router_text), key);
}

json_t *cli_parameter_workload(const struct ec_case *c, const char *key)
{
    struct ec_slice rest = ec_slice_of(c->pattern->text), name;
    ec_slice_take(&rest, ':', &name);
    return find(rest, key);
}

json_t *cli_parameter_pattern(const struct ec_case *c)
{
    return record_text(c->pattern->name);
}

json_t *cli_parameter_sync(const struct ec_case *c)
{
    return record_text(c->schedule ? cli_syncs[c->spec.sync].word : NULL);
}

json_t *cli_parameter_build(const struct ec_case *c)
{
    const struct ec_case_spec build = {.build = c->spec.build};
    struct cli_words words = {0};
    char *text = cli_job_put_router(&build, &words) ? cli_words_quote(words.at, words.count) : NULL;
    json_t *value = c->spec.build ? json_string(text) : json_null();
    free(text);
    cli_words_free(&words);
    return value;
}

bool cli_parameter_window(const struct ec_case *c)
{
    return c->workload->open_loop && c->spec.precision <= 0;
}

json_t *cli_parameter_family(const struct ec_case *c)
{
    struct ec_slice rest = ec_slice_of(c->topology_text), name;
    ec_slice_take(&rest, ':', &name);
    return value_of(name);
}

json_t *cli_parameter_radices(const struct ec_case *c)
{
    char text[12 * EC_DIMS_MAX] = "";
    size_t used = 0;
    for (unsigned d = 0; d < c->topology.dims; d++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRIu32, d ? "x" : "",
                                 c->topology.radix[d]);
    return record_text(text);
}
