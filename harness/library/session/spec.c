/* SPDX-License-Identifier: Apache-2.0 */
/* Case specifications and their options. Knows options and their bounds; must not know the meaning
 * of texts such as "cube:3", which other parsers handle. */
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "session/session.h"

#define INTEGER_MAX UINT64_C(9007199254740991) /* 2^53 - 1: every JSON reader keeps it */
#define STALL_MAX   0.99

struct ec_case_spec ec_case_spec_default(void)
{
    return (struct ec_case_spec){.seed = 1};
}

bool ec_case_spec_chooses(const struct ec_case_spec *spec)
{
    const size_t name = spec->algorithm ? strcspn(spec->algorithm, ":") : 0;
    return name == strlen("best") && strncmp(spec->algorithm, "best", name) == 0;
}

bool spec_has_ports(const struct ec_case_spec *spec)
{
    for (const char *at = spec->router; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, "ports=", strlen("ports=")) == 0)
            return true;
    }
    return false;
}

/* --- Words ------------------------------------------------------------------------------------ */

struct option {
    const char *name;
    enum { TEXT, U32, U64, FRACTION, PRECISION, SYNC } type;
    size_t value,
        given; /* offsets of the value and of the bool that is set with it; 0: no such bool */
    uint64_t least;
};

#define AT(field) offsetof(struct ec_case_spec, field)

static const struct option options[] = {
    {"--router", TEXT, AT(router), 0, 0},
    {"--algorithm", TEXT, AT(algorithm), 0, 0},
    {"--sync", SYNC, AT(sync), AT(has_sync), 0},
    {"--local-cost", U32, AT(local_cost), 0, 0},
    {"--packet", U32, AT(packet), 0, 1},
    {"--startup", U32, AT(startup), 0, 0},
    {"--combine", U32, AT(combine), 0, 0},
    {"--seed", U64, AT(seed), 0, 0},
    {"--cycles", U64, AT(cycles), AT(has_cycles), 1},
    {"--warmup", U64, AT(warmup), AT(has_warmup), 0},
    {"--precision", PRECISION, AT(precision), 0, 0},
    {"--eject-stall", FRACTION, AT(eject_stall), 0, 0},
};

static bool set_number(const struct option *o, const char *text, void *field)
{
    uint64_t number;
    if (!ec_slice_number(ec_slice_of(text), o->type == U32 ? UINT32_MAX : INTEGER_MAX, &number) ||
        number < o->least)
        return false;
    if (o->type == U32)
        *(uint32_t *)field = (uint32_t)number;
    else
        *(uint64_t *)field = number;
    return true;
}

static bool set_fraction(const char *text, double least, double most, double *field)
{
    double fraction;
    if (!ec_slice_part(ec_slice_of(text), &fraction) || fraction < least || fraction > most)
        return false;
    *field = fraction;
    return true;
}

static bool set_sync(const char *text, enum ec_sync *field)
{
    const bool data = strcmp(text, "data") == 0;
    *field = data ? EC_SYNC_DATA : EC_SYNC_STEP;
    return data || strcmp(text, "step") == 0;
}

static bool set(const struct option *o, const char *text, struct ec_case_spec *spec)
{
    void *field = (char *)spec + o->value;
    if (o->given)
        *((bool *)spec + o->given) = true;
    switch (o->type) {
    case TEXT:
        *(const char **)field = text;
        return *text != '\0';
    case FRACTION:
        return set_fraction(text, 0, STALL_MAX, field);
    case PRECISION:
        return set_fraction(text, EC_PRECISION_LEAST, EC_PRECISION_MOST, field);
    case SYNC:
        return set_sync(text, field);
    default:
        return set_number(o, text, field);
    }
}

/* The next word, without leading blanks; NULL: none. */
static char *next_word(char **rest)
{
    char *word = NULL;
    while (*rest && (!word || !*word))
        word = strsep(rest, " \t");
    return word && *word ? word : NULL;
}

static enum ec_code read_option(const char *name, const char *value, struct ec_case_spec *spec,
                                struct ec_error *reterr)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (strcmp(options[i].name, name) != 0)
            continue;
        if (!value)
            return ec_fail(reterr, EC_USAGE, "option %s needs a value", name);
        if (!set(&options[i], value, spec))
            return ec_fail(reterr, EC_USAGE, "invalid value '%.60s' of option %s", value, name);
        return EC_OK;
    }
    return ec_fail(reterr, EC_USAGE,
                   "unknown option '%.60s': expected an option of `ecube run` for the network, the "
                   "traffic or the window",
                   name);
}

enum ec_code ec_case_spec_read(char *words, struct ec_case_spec *spec, struct ec_error *reterr)
{
    char *rest = words, *word;
    spec->topology = spec->workload = NULL;
    while ((word = next_word(&rest))) {
        enum ec_code code = EC_OK;
        if (strncmp(word, "--", 2) == 0)
            code = read_option(word, next_word(&rest), spec, reterr);
        else if (!spec->topology)
            spec->topology = word;
        else if (!spec->workload)
            spec->workload = word;
        else
            code = ec_fail(reterr, EC_USAGE,
                           "unexpected word '%.60s': expected TOPOLOGY WORKLOAD [OPTION...]", word);
        if (code != EC_OK)
            return code;
    }
    if (!spec->workload)
        return ec_fail(reterr, EC_USAGE, "missing %s: expected TOPOLOGY WORKLOAD [OPTION...]",
                       spec->topology ? "workload" : "topology and workload");
    return EC_OK;
}
