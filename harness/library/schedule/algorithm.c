/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithms by name, NAME[:KEY=VALUE,...], and the offers to a choice among them. Knows the tables
 * of the families; must not know how any algorithm works. */
#include "schedule/general/general.h"

#include <stdio.h>
#include <string.h>

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
    struct ec_grammar g = {
        .what = "algorithm", .name = a->info.name, .keys = plan_keys, .count = PLAN_KEY_COUNT};
    for (unsigned k = 0; k < PLAN_KEY_COUNT; k++)
        g.taken |= (unsigned)plan_takes(a, k) << k;
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

enum ec_code ec_schedule_open(const struct ec_topology *t, const struct ec_workload *w,
                              const char *algorithm, struct ec_schedule **ret,
                              struct ec_error *reterr)
{
    struct request r = {.algorithm = NULL};
    const enum ec_code code = parse(algorithm, w, &r, reterr);

    return code ? code : plan_open(t, w, r.algorithm, r.values, r.block, ret, reterr);
}

/* --- A choice --------------------------------------------------------------------------------- */

/* In the order in which equals win. */
static const struct plan_algorithm *const chosen_from[] = {
    plan_mixed_algorithms,    plan_real_algorithms,  plan_general_algorithms,
    plan_extended_algorithms, plan_shift_algorithms, plan_gohil_algorithms,
};

struct choosing {
    const struct ec_topology *t;
    const struct ec_workload *w;
    const struct ec_choice *choice;
    /* The last schedule, until it is known that the next one differs. */
    struct ec_choice_offer offer;
    struct ec_schedule *waiting; /* NULL: none; owned */
};

enum { BLOCKS_MAX = 40 };

static void add_block(uint32_t block, uint32_t *list, size_t *count)
{
    size_t at = 0;

    while (at < *count && list[at] > block)
        at++;
    if (block == 0 || (at < *count && list[at] == block))
        return;
    memmove(list + at + 1, list + at, (*count - at) * sizeof *list);
    list[at] = block;
    ++*count;
}

/* The sizes of packets to try, the largest first: powers of two, all elements, and those that are
 * best for some machine: K/2 sigma_r and K/sigma_r (Johnsson and Ho, Table 3), K/2(sigma_r + 1)
 * (Theorem 1). */
static size_t list_blocks(const struct ec_workload *w, uint32_t *ret)
{
    const uint64_t K = w->per_node;
    size_t count = 0;

    for (uint64_t block = 1; block < K; block *= 2)
        add_block((uint32_t)block, ret, &count);
    add_block(w->per_node, ret, &count);
    if (w->sdp) {
        const uint64_t order = ec_sdp_classify(w->sdp).real_order;
        const uint64_t parts[] = {order, 2 * order, 2 * (order + 1)};
        for (size_t i = 0; order > 0 && i < sizeof parts / sizeof *parts; i++)
            add_block((uint32_t)((K + parts[i] - 1) / parts[i]), ret, &count);
    }
    return count;
}

/* Lists without items may be NULL, which memcmp() does not take. */
static bool same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

/* Two sizes of packets can give one schedule under two names. */
static bool same_schedule(const struct ec_schedule *a, const struct ec_schedule *b)
{
    return a->transfer_count == b->transfer_count && a->carried_count == b->carried_count &&
           a->move_count == b->move_count &&
           same_bytes(a->transfers, b->transfers, a->transfer_count * sizeof *a->transfers) &&
           same_bytes(a->carried, b->carried, a->carried_count * sizeof *a->carried);
}

static enum ec_code hand_over(struct choosing *x, struct ec_error *reterr)
{
    struct ec_schedule *s = x->waiting;

    x->waiting = NULL;
    const enum ec_code code = s ? x->choice->take(x->choice->context, &x->offer, s, reterr) : EC_OK;
    return code == EC_USAGE ? EC_OK : code;
}

/* One schedule. Of two equal ones the later is kept: smaller packets, the plain name. */
static enum ec_code offer_one(struct choosing *x, const struct plan_algorithm *a, uint32_t block,
                              struct ec_slice value, struct ec_error *reterr)
{
    const bool packets = plan_takes(a, PLAN_KEY_BLOCK);
    const struct ec_choice_offer offer = {.name = a->info.name,
                                          .all_ports = a->all_ports,
                                          .block = packets ? block : 0,
                                          .least = a->least ? a->least(x->w, block) : 0};
    struct ec_slice values[PLAN_KEY_COUNT] = {{0}};
    struct ec_schedule *s;
    char number[16];

    if (!x->choice->wants(x->choice->context, &offer))
        return EC_OK;
    snprintf(number, sizeof number, "%u", block);
    if (packets && block > 1)
        values[PLAN_KEY_BLOCK] = ec_slice_of(number);
    values[plan_takes(a, PLAN_KEY_ORDER) ? PLAN_KEY_ORDER : PLAN_KEY_READING] = value;
    enum ec_code code = plan_open(x->t, x->w, a, values, packets ? block : 1, &s, reterr);
    if (code != EC_OK)
        return code;
    if (x->waiting && same_schedule(x->waiting, s)) {
        ec_schedule_close(x->waiting);
        x->waiting = NULL;
    }
    code = hand_over(x, reterr);
    x->offer = offer;
    x->waiting = s;
    return code;
}

/* All schedules of an algorithm that it does not refuse to make. */
static enum ec_code offer_algorithm(struct choosing *x, const struct plan_algorithm *a,
                                    const uint32_t *blocks, size_t block_count,
                                    struct ec_error *reterr)
{
    struct ec_slice rest = ec_slice_of(a->tries ? a->tries : ""), value = {0};
    const size_t sizes = plan_takes(a, PLAN_KEY_BLOCK) ? block_count : 1;
    enum ec_code code = EC_OK;

    ec_slice_take(&rest, '|', &value);
    do {
        value = a->tries ? value : (struct ec_slice){0};
        for (size_t i = 0; code == EC_OK && i < sizes; i++) {
            code = offer_one(x, a, blocks[i], value, reterr);
            code = code == EC_USAGE ? EC_OK : code;
        }
    } while (code == EC_OK && ec_slice_take(&rest, '|', &value));
    if (code == EC_OK)
        code = hand_over(x, reterr);
    ec_schedule_close(x->waiting);
    x->waiting = NULL;
    return code;
}

enum ec_code ec_schedule_choose(const struct ec_topology *t, const struct ec_workload *w,
                                const char *algorithm, const struct ec_choice *choice,
                                struct ec_error *reterr)
{
    struct request r = {.algorithm = NULL};
    struct choosing x = {.t = t, .w = w, .choice = choice};
    uint32_t blocks[BLOCKS_MAX] = {1};
    size_t count = 0;
    enum ec_code code = parse(algorithm, w, &r, reterr);

    if (code != EC_OK)
        return code;
    if (r.values[PLAN_KEY_BLOCK].at)
        add_block(r.block, blocks, &count);
    else
        count = list_blocks(w, blocks);
    for (size_t f = 0; f < sizeof chosen_from / sizeof *chosen_from; f++) {
        for (const struct plan_algorithm *a = chosen_from[f]; a->info.name && code == EC_OK; a++)
            code = a->aside ? EC_OK : offer_algorithm(&x, a, blocks, count, reterr);
    }
    return code;
}
