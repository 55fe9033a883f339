/* SPDX-License-Identifier: Apache-2.0 */
/* Mixtures: splits the text of the parts and passes each to the parser of workloads. Must not know
 * what a pattern or a key means. */
#include "workload/mixture.h"

#include <ctype.h>
#include <string.h>

#define SHARE_MIN 1e-6 /* a node may have to drop the messages of all other parts */

/* A '+' in front of a digit belongs to two lengths, m=1+8, or to an exponent. */
bool mixture_take_part(struct ec_slice *rest, struct ec_slice *ret)
{
    size_t n = 0;

    if (!rest->at)
        return false;
    while (n < rest->length && !(rest->at[n] == '+' && n + 1 < rest->length &&
                                 !isdigit((unsigned char)rest->at[n + 1])))
        n++;
    *ret = (struct ec_slice){rest->at, n};
    *rest = n < rest->length ? (struct ec_slice){rest->at + n + 1, rest->length - n - 1}
                             : (struct ec_slice){0};
    return true;
}

static enum ec_code refuse(unsigned number, struct ec_slice part, const char *expected,
                           struct ec_error *reterr)
{
    return ec_fail(reterr, EC_USAGE, "workload mix: part %u, '%.*s': expected %s", number,
                   EC_SHOWN(part), expected);
}

bool mixture_take_weight(struct ec_slice *part, double *ret)
{
    size_t n = part->length;

    *ret = 1;
    while (n > 0 && part->at[n - 1] != '@')
        n--;
    if (n == 0)
        return true;
    const struct ec_slice weight = {part->at + n, part->length - n};
    part->length = n - 1;
    return ec_slice_fraction(weight, ret) && *ret > 0 && *ret <= 1e9;
}

/* "uniform:0.5": a number in the place of keys. */
static bool is_weight(struct ec_slice part)
{
    struct ec_slice rest = part, name;
    double number;
    ec_slice_take(&rest, ':', &name);
    return rest.at && ec_slice_fraction(rest, &number);
}

static enum ec_code parse_part(const struct ec_workload_spec *mix, const struct ec_topology *t,
                               unsigned number, struct ec_slice text, struct mixture_part *part,
                               struct ec_error *reterr)
{
    struct ec_error e;

    if (!mixture_take_weight(&text, &part->weight))
        return refuse(number, text, "a weight above 0 and at most 1e9 behind '@'", reterr);
    if (is_weight(text))
        return refuse(number, text, "'@' in front of a weight, as in uniform@0.5", reterr);
    const enum ec_code code = ec_workload_part_parse(text, mix, t, &part->spec, &e);
    if (code)
        return ec_fail(reterr, code, "workload mix: part %u: %.800s", number, e.message);
    if (part->spec.id == EC_WORKLOAD_MIX ||
        !(ec_workload_kind(part->spec.id)->keys >> EC_KEY_RATE & 1))
        return refuse(number, text, "a pattern that takes rate= and is not a mixture", reterr);
    if (part->spec.burst.cycles > 0 || part->spec.service.words > 0)
        return refuse(number, text, "burst= and reply= outside of=, for all parts together",
                      reterr);
    return EC_OK;
}

enum ec_code mixture_parse(const struct ec_workload_spec *mix, const struct ec_topology *t,
                           struct mixture_part *parts, unsigned *ret_count, struct ec_error *reterr)
{
    struct ec_slice rest = mix->of, text;
    unsigned count = 0;
    double sum = 0;

    while (mixture_take_part(&rest, &text)) {
        if (count == EC_PARTS_MAX)
            return ec_fail(reterr, EC_USAGE, "workload mix: expected at most %u parts",
                           EC_PARTS_MAX);
        const enum ec_code code = parse_part(mix, t, count + 1, text, &parts[count], reterr);
        if (code)
            return code;
        sum += parts[count++].weight;
    }
    for (unsigned k = 0; k < count; k++) {
        parts[k].share = parts[k].weight / sum;
        if (parts[k].share < SHARE_MIN)
            return ec_fail(reterr, EC_USAGE,
                           "workload mix: part %u has the share %g of the messages: expected at "
                           "least %g",
                           k + 1, parts[k].share, SHARE_MIN);
    }
    *ret_count = count;
    return EC_OK;
}

void mixture_part_format(const struct mixture_part *part, char *buffer, size_t size)
{
    struct ec_workload_spec own = part->spec;

    own.open_loop = false; /* the rate is that of the mixture */
    ec_workload_spec_format(&own, buffer, size);
    for (char *c = buffer; *c; c++) {
        if (*c == ',')
            *c = ':';
    }
}

enum ec_code mixture_format(const struct ec_workload_spec *mix, const struct mixture_part *parts,
                            unsigned count, char *buffer, size_t size, struct ec_error *reterr)
{
    char part[128];

    ec_workload_spec_format(mix, buffer, size);
    size_t used = strlen(buffer);
    for (unsigned k = 0; k < count && used < size; k++) {
        mixture_part_format(&parts[k], part, sizeof part);
        used += (size_t)snprintf(buffer + used, size - used, "%s%s@%.15g", k ? "+" : ",of=", part,
                                 parts[k].weight);
    }
    if (used < size)
        return EC_OK;
    return ec_fail(reterr, EC_USAGE,
                   "workload mix: with all keys of its parts it has more than %zu characters: "
                   "expected fewer parts",
                   size - 1);
}
