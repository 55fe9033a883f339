/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the canonical words of a case apart, so that no reader of the output has to. Knows the form
 * NAME:KEY=VALUE,...; must not know which keys there are: they are rows of keys.def. */
#include "result/parameters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/record.h"
#include "base/text.h"
#include "result/keys.def"

json_t *result_parameters(const struct ec_case *c)
{
    return RECORD(PARAMETER_KEYS);
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

/* The value of a key in "KEY=VALUE,...". A list contains commas: what follows them has no key. */
static json_t *find(struct ec_slice rest, const char *key)
{
    struct ec_slice item, name, more;
    while (rest.at && ec_slice_take(&rest, ',', &item)) {
        if (!ec_slice_take(&item, '=', &name) || !item.at || !ec_slice_is(name, key))
            continue;
        while (rest.at && ec_slice_take(&rest, ',', &more) && !memchr(more.at, '=', more.length))
            item.length += 1 + more.length;
        return value_of(item);
    }
    return json_null();
}

json_t *parameter_router(const struct ec_case *c, const char *key)
{
    return find(ec_slice_of(c->router_text), key);
}

json_t *parameter_router_or(const struct ec_case *c, const char *key, const char *otherwise)
{
    json_t *found = parameter_router(c, key);
    return json_is_null(found) ? record_text(otherwise) : found;
}

json_t *parameter_workload(const struct ec_case *c, const char *key)
{
    struct ec_slice rest = ec_slice_of(c->pattern->text), name;
    ec_slice_take(&rest, ':', &name);
    return find(rest, key);
}

json_t *parameter_pattern(const struct ec_case *c)
{
    return record_text(c->pattern->name);
}

json_t *parameter_sync(const struct ec_case *c)
{
    return record_text(!c->schedule ? NULL : c->spec.sync == EC_SYNC_DATA ? "data" : "step");
}

json_t *parameter_backend(const struct ec_case *c)
{
    static const char *const names[] = {
        [EC_BACKEND_TILES] = "tiles", [EC_BACKEND_FLAT] = "flat", [EC_BACKEND_SYSTEMC] = "systemc"};
    return record_text(names[c->spec.backend]);
}

/* Lines "--NAME VALUE", as words of a shell. */
json_t *parameter_build(const struct ec_case *c)
{
    struct ec_slice rest = ec_slice_of(c->spec.build ? c->spec.build : ""), line, name;
    const char *separator = "";
    char *text = NULL;
    size_t size;
    FILE *out = c->spec.build ? open_memstream(&text, &size) : NULL;
    if (!out)
        return c->spec.build ? NULL : json_null();
    while (ec_slice_take(&rest, '\n', &line)) {
        ec_slice_take(&line, ' ', &name);
        fprintf(out, "%s%.*s ", separator, (int)name.length, name.at);
        ec_word_quote(line, out);
        separator = " ";
    }
    json_t *value = ec_memstream_close(out, &text) ? json_string(text) : NULL;
    free(text);
    return value;
}

bool parameter_window(const struct ec_case *c)
{
    return c->workload->open_loop && c->spec.precision <= 0;
}

json_t *parameter_family(const struct ec_case *c)
{
    struct ec_slice rest = ec_slice_of(c->topology_text), name;
    ec_slice_take(&rest, ':', &name);
    return value_of(name);
}

json_t *parameter_radices(const struct ec_case *c)
{
    char text[12 * EC_DIMS_MAX] = "";
    for (unsigned d = 0; d < c->topology.dims; d++)
        ec_append(text, sizeof text, "%s%" PRIu32, d ? "x" : "", c->topology.radix[d]);
    return record_text(text);
}

/* --- Units of the machine ------------------------------------------------------------------- */

double result_microseconds(const struct ec_case *c, double cycles)
{
    return c->spec.clock > 0 ? cycles / c->spec.clock : 0;
}

double result_gigabytes(const struct ec_case *c, double words_per_cycle)
{
    return words_per_cycle * c->spec.link_bits / 8 * c->spec.clock / 1000;
}

double result_payload(const struct ec_workload *w)
{
    double words = 0;

    for (size_t i = 0; i < w->message_count; i++)
        words += w->messages[i].src == w->messages[i].dst ? 0 : w->messages[i].words;
    return words;
}

double result_accepted(const struct ec_case *c, const struct ec_report *report)
{
    const double node_cycles = (double)report->cycles * c->topology.nodes;

    if (report->offered > 0)
        return report->accepted;
    if (node_cycles <= 0 || (c->schedule && report->outcome != EC_RUN_FINISHED))
        return 0;
    return (c->schedule ? result_payload(c->pattern) : (double)report->words) / node_cycles;
}
