/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithms by name: NAME[:KEY=VALUE,...]. Knows the tables of the families; must not know how any
 * algorithm works. */
#include "schedule/general/general.h"

#define NAMES_MAX 64

static const struct plan_algorithm *const families[] = {
    plan_shift_algorithms, plan_gohil_algorithms,   plan_mixed_algorithms,
    plan_real_algorithms,  plan_general_algorithms, plan_extended_algorithms,
};

#define FAMILIES (sizeof families / sizeof *families)

static const struct ec_algorithm_info direct = {
    .name = "direct",
    .parameters = "",
    .applies = "any workload on any topology",
    .text = "every message goes straight to its destination, all at once",
    .source = "Grama et al., 4.6.2",
};

/* Row `index` of all tables in sequence, or NULL. */
static const struct plan_algorithm *row(size_t index)
{
    for (size_t f = 0; f < FAMILIES; f++) {
        for (const struct plan_algorithm *a = families[f]; a->info.name; a++) {
            if (index-- == 0)
                return a;
        }
    }
    return NULL;
}

const struct ec_algorithm_info *ec_algorithm_at(size_t index)
{
    if (index == 0)
        return &direct;
    const struct plan_algorithm *a = row(index - 1);
    return a ? &a->info : NULL;
}

static enum ec_code unknown(struct ec_slice name, struct ec_error *reterr)
{
    const char *names[NAMES_MAX] = {0};
    const struct ec_algorithm_info *a;

    for (size_t i = 0; i + 1 < NAMES_MAX && (a = ec_algorithm_at(i)); i++)
        names[i] = a->name;
    return ec_keyvalue_unknown("algorithm", name, names, "ecube list algorithms", reterr);
}

/* An algorithm as the user names it. */
struct request {
    const struct plan_algorithm *algorithm;
    struct ec_slice values[PLAN_KEY_COUNT];
    uint32_t block; /* elements per packet, at most those of a node */
};

static enum ec_code parse(const char *text, const struct ec_workload *w, struct request *ret,
                          struct ec_error *reterr)
{
    struct ec_slice rest = ec_slice_of(text), name = {0};
    const struct plan_algorithm *a;
    uint64_t block = 1;

    ec_slice_take(&rest, ':', &name);
    for (size_t i = 0; (a = row(i)) && !ec_slice_is(name, a->info.name);)
        i++;
    if (!a && ec_slice_is(name, direct.name))
        return ec_fail(reterr, EC_USAGE, "algorithm direct: expected no keys");
    if (!a)
        return unknown(name, reterr);
    const struct ec_grammar g = {.what = "algorithm",
                                 .name = a->info.name,
                                 .keys = plan_keys,
                                 .count = PLAN_KEY_COUNT,
                                 .taken = a->keys};
    enum ec_code code = ec_keyvalue_split(&g, rest, ret->values, reterr);
    if (code == EC_OK && ret->values[PLAN_KEY_BLOCK].at)
        code = ec_keyvalue_read(&g, &plan_keys[PLAN_KEY_BLOCK], ret->values[PLAN_KEY_BLOCK], &block,
                                reterr);
    if (code)
        return code;
    if (w->open_loop)
        return ec_fail(reterr, EC_USAGE,
                       "algorithm %s: expected a workload without rate=, since a schedule moves "
                       "known messages",
                       a->info.name);
    ret->algorithm = a;
    ret->block = block < w->per_node ? (uint32_t)block : w->per_node;
    return EC_OK;
}

enum ec_code ec_schedule_choose(const struct ec_topology *t, const struct ec_workload *w,
                                const char *algorithm, const struct ec_choice *choice,
                                struct ec_error *reterr)
{
    struct request r = {.algorithm = NULL};
    const enum ec_code code = parse(algorithm, w, &r, reterr);

    const struct plan p = {.algorithm = r.algorithm, .t = t, .w = w, .block = r.block};

    return code ? code : general_choose(&p, choice, reterr);
}

enum ec_code ec_schedule_open(const struct ec_topology *t, const struct ec_workload *w,
                              const char *algorithm, struct ec_schedule **ret,
                              struct ec_error *reterr)
{
    struct request r = {.algorithm = NULL};
    const enum ec_code code = parse(algorithm, w, &r, reterr);

    return code ? code : plan_open(t, w, r.algorithm, r.values, r.block, ret, reterr);
}
