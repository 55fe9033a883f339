/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule while an algorithm writes it: its lists, its name, its place in a subcube. Must not
 * know how any algorithm works. */
#include "schedule/plan/plan.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"

/* Element numbers and counts fit 32 bits. */
#define ELEMENTS_MAX (UINT32_C(1) << 28)

/* Entries of a list: 4 GB of transfers and what they carry. A shift on a ring of 100,000 nodes
 * would need forty times as much: an error is better than being killed when memory runs out. */
#define ENTRIES_MAX ((size_t)1 << 27)

#define BLOCK_MAX (UINT32_C(1) << 20)

const struct ec_key plan_keys[PLAN_KEY_COUNT] = {
    [PLAN_KEY_ORDER] = {"order", EC_VALUE_TEXT},
    [PLAN_KEY_READING] = {"reading", EC_VALUE_TEXT},
    [PLAN_KEY_BLOCK] = {"block", EC_VALUE_NUMBER, 1, BLOCK_MAX},
};

bool plan_takes(const struct plan_algorithm *a, enum plan_key key)
{
    struct ec_slice rest = ec_slice_of(a->info.parameters), parameter, name;
    while (ec_slice_take(&rest, ',', &parameter)) {
        if (ec_slice_take(&parameter, '=', &name) && ec_slice_is(name, plan_keys[key].name))
            return true;
    }
    return false;
}

/* Room for one more in a list; false once memory is short or the list is full. */
static bool reserve(struct plan *p, void **list, size_t size, size_t count, size_t *room)
{
    if (plan_full(p) || count < *room)
        return !plan_full(p);
    if (count >= ENTRIES_MAX) {
        p->too_long = true;
        return false;
    }
    void *grown = ec_list_grow(*list, size, count, room);
    if (!grown) {
        p->memory_short = true;
        return false;
    }
    *list = grown;
    return true;
}

void plan_expect(struct plan *p, uint64_t transfers)
{
    if (transfers > ENTRIES_MAX - p->s->transfer_count)
        p->too_long = true;
}

bool plan_full(const struct plan *p)
{
    return p->memory_short || p->too_long;
}

enum ec_code plan_refuse(const struct plan *p, struct ec_error *reterr, const char *format, ...)
{
    char text[400];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return ec_fail(reterr, EC_USAGE, "algorithm %s: %s", p->algorithm->info.name, text);
}

enum ec_code plan_choice(struct plan *p, enum plan_key key, const char *const *words,
                         unsigned preset, unsigned *ret, struct ec_error *reterr)
{
    const struct ec_grammar g = {.what = "algorithm", .name = p->algorithm->info.name};
    const struct ec_key choice = {plan_keys[key].name, EC_VALUE_CHOICE, .choices = words};
    uint64_t index = preset;

    if (!p->value[key].at)
        p->value[key] = ec_slice_of(words[preset]);
    const enum ec_code code = ec_keyvalue_read(&g, &choice, p->value[key], &index, reterr);
    *ret = (unsigned)index;
    return code;
}

enum ec_code plan_check_bits(const struct plan *p, struct ec_error *reterr)
{
    char topology[160];

    if (p->w->sdp)
        return EC_OK;
    ec_topology_format(p->t, topology, sizeof topology);
    return plan_refuse(p, reterr,
                       "expected a permutation of address bits on cube:D, such as gsh, shuffle or "
                       "bitrev; got '%.100s' on %.100s",
                       p->w->text, topology);
}

enum ec_code plan_elements(struct plan *p, uint32_t per_node, uint32_t words,
                           struct ec_error *reterr)
{
    struct ec_schedule *s = p->s;
    const uint64_t count = (uint64_t)p->w->holders * per_node;
    if (count > ELEMENTS_MAX)
        return ec_fail(
            reterr, EC_USAGE,
            "%u elements on each of %u nodes: expected at most %u elements in a schedule", per_node,
            p->w->holders, ELEMENTS_MAX);
    s->nodes = p->t->nodes;
    s->per_node = per_node;
    s->holders = p->w->holders;
    s->words = words;
    s->target = malloc(count * sizeof *s->target);
    if (!s->target)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the elements of a schedule");
    for (uint32_t i = 0; i < count; i++)
        s->target[i] = (struct ec_place){i / per_node, i % per_node};
    return EC_OK;
}

void plan_target(struct plan *p, uint32_t element, uint32_t node, uint32_t slot)
{
    p->s->target[element] = (struct ec_place){node, slot};
}

enum ec_code plan_bit_elements(struct plan *p, struct ec_error *reterr)
{
    const struct ec_workload *w = p->w;
    const struct ec_sdp *sdp = w->sdp;
    const uint64_t local = (UINT64_C(1) << sdp->storage) - 1;
    const enum ec_code code = plan_elements(p, w->per_node, w->words, reterr);

    for (uint32_t e = 0; code == EC_OK && e < w->holders * w->per_node; e++) {
        const uint64_t at = (uint64_t)(e / w->per_node) << sdp->storage | e % w->per_node;
        const uint64_t to = ec_sdp_apply(sdp, at);
        plan_target(p, e, (uint32_t)(to >> sdp->storage), (uint32_t)(to & local));
    }
    return code;
}

void plan_transfer(struct plan *p, uint32_t step, uint32_t src, uint32_t dst)
{
    struct ec_schedule *s = p->s;
    if (!reserve(p, (void **)&s->transfers, sizeof *s->transfers, s->transfer_count,
                 &p->transfer_room))
        return;
    s->transfers[s->transfer_count++] =
        (struct ec_transfer){step, src, dst, (uint32_t)s->carried_count, 0};
}

void plan_carry(struct plan *p, uint32_t element, uint32_t slot)
{
    struct ec_schedule *s = p->s;
    if (!reserve(p, (void **)&s->carried, sizeof *s->carried, s->carried_count, &p->carried_room))
        return;
    s->carried[s->carried_count++] = (struct ec_carried){element, slot};
    s->transfers[s->transfer_count - 1].count++;
}

void plan_move(struct plan *p, uint32_t step, uint32_t element, uint32_t slot)
{
    struct ec_schedule *s = p->s;
    if (!reserve(p, (void **)&s->moves, sizeof *s->moves, s->move_count, &p->move_room))
        return;
    s->moves[s->move_count++] = (struct ec_local_move){step, element, slot};
}

void plan_exchange(struct plan *p, uint32_t row, uint32_t step, unsigned storage,
                   unsigned processor)
{
    struct ec_schedule *s = p->s;
    if (!reserve(p, (void **)&s->exchanges, sizeof *s->exchanges, s->exchange_count,
                 &p->exchange_room))
        return;
    s->exchanges[s->exchange_count++] =
        (struct ec_exchange){row, step, (uint8_t)storage, (uint8_t)processor};
}

static int order(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* Lists written step by step are often sorted already, which is quick to see. */
static void sort(void *list, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    const char *at = list;

    for (size_t i = 1; i < count; i++) {
        if (compare(at + (i - 1) * size, at + i * size) > 0) {
            qsort(list, count, size, compare);
            return;
        }
    }
}

/* Equal transfers keep the order of the elements they carry, so the result is unique. */
static int by_step(const void *a, const void *b)
{
    const struct ec_transfer *x = a, *y = b;
    int o = order(x->step, y->step);
    o = o ? o : order(x->src, y->src);
    o = o ? o : order(x->dst, y->dst);
    return o ? o : order(x->first, y->first);
}

static int by_move(const void *a, const void *b)
{
    const struct ec_local_move *x = a, *y = b;
    const int o = order(x->step, y->step);
    return o ? o : order(x->element, y->element);
}

static int by_row(const void *a, const void *b)
{
    const struct ec_exchange *x = a, *y = b;
    const int o = order(x->row, y->row);
    return o ? o : order(x->step, y->step);
}

enum ec_code plan_full_error(const struct plan *p, struct ec_error *reterr)
{
    char topology[160];

    if (p->memory_short)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the transfers of a schedule");
    if (!p->t) /* a reversed schedule has neither topology nor workload */
        return ec_fail(reterr, EC_USAGE, "schedule '%s' has more than %zu transfers",
                       p->s->algorithm, ENTRIES_MAX);
    ec_topology_format(p->t, topology, sizeof topology);
    return ec_fail(reterr, EC_USAGE,
                   "algorithm %s: '%.100s' on %.100s takes more than %zu transfers, the limit of "
                   "a schedule: choose a smaller network, or --algorithm direct",
                   p->s->algorithm, p->w->text, topology, ENTRIES_MAX);
}

enum ec_code plan_finish(struct plan *p, struct ec_error *reterr)
{
    struct ec_schedule *s = p->s;
    if (plan_full(p))
        return plan_full_error(p, reterr);
    sort(s->transfers, s->transfer_count, sizeof *s->transfers, by_step);
    sort(s->moves, s->move_count, sizeof *s->moves, by_move);
    sort(s->exchanges, s->exchange_count, sizeof *s->exchanges, by_row);
    s->steps = s->transfer_count ? s->transfers[s->transfer_count - 1].step : 0;
    return EC_OK;
}

/* The canonical name of the schedule. It identifies results, so it is never cut: EC_USAGE. */
static enum ec_code format_name(const struct plan *p, struct ec_error *reterr)
{
    char *buffer = p->s->algorithm;
    const size_t size = sizeof p->s->algorithm;
    size_t used = (size_t)snprintf(buffer, size, "%s", p->algorithm->info.name);
    for (int k = 0; k < PLAN_KEY_COUNT; k++) {
        const struct ec_slice value = p->value[k];
        if (value.at && used < size)
            used += (size_t)snprintf(buffer + used, size - used, "%c%s=%.*s",
                                     strchr(buffer, ':') ? ',' : ':', plan_keys[k].name,
                                     (int)value.length, value.at);
    }
    if (*p->chosen && used < size)
        used += (size_t)snprintf(buffer + used, size - used, " (%s)", p->chosen);
    if (used < size)
        return EC_OK;
    return ec_fail(reterr, EC_USAGE, "algorithm '%.60s...' has more than %zu characters", buffer,
                   size - 1);
}

/* The data of a subcube are in the first nodes and need no other links. An algorithm without
 * support for subcubes sees this one as the whole cube. */
static enum ec_code make(struct plan *p, struct ec_error *reterr)
{
    const struct plan_algorithm *a = p->algorithm;
    if (a->beyond || p->w->holders == p->w->nodes)
        return a->make(p, reterr);
    const struct ec_topology *whole = p->t;
    struct ec_topology t;
    const struct ec_workload *all = p->w;
    struct ec_workload w = *all;
    char text[16];
    snprintf(text, sizeof text, "cube:%d", __builtin_ctz(w.holders));
    enum ec_code code = ec_topology_parse(text, &t, reterr);
    if (code)
        return code;
    w.nodes = w.holders;
    p->t = &t;
    p->w = &w;
    code = a->make(p, reterr);
    p->t = whole;
    p->w = all;
    p->s->nodes = whole->nodes;
    return code;
}

enum ec_code plan_open(const struct ec_topology *t, const struct ec_workload *w,
                       const struct plan_algorithm *a, const struct ec_slice *values,
                       uint32_t block, struct ec_schedule **ret, struct ec_error *reterr)
{
    struct plan p = {.algorithm = a, .t = t, .w = w};

    p.block = block < w->per_node ? block : w->per_node;

    memcpy(p.value, values, sizeof p.value);
    p.s = calloc(1, sizeof *p.s);
    if (!p.s)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a schedule");
    p.s->all_ports = a->all_ports;
    p.s->routed = a->routed;
    enum ec_code code = format_name(&p, reterr); /* for messages */
    if (code == EC_OK)
        code = make(&p, reterr);
    if (code == EC_OK)
        code = format_name(&p, reterr); /* with the defaults that make() filled in */
    if (code == EC_OK)
        code = plan_finish(&p, reterr);
    if (code == EC_OK)
        *ret = p.s;
    else
        ec_schedule_close(p.s);
    return code;
}

enum ec_code plan_open_block(const struct ec_topology *t, const struct ec_workload *w,
                             const struct plan_algorithm *a, uint32_t block,
                             struct ec_schedule **ret, struct ec_error *reterr)
{
    struct ec_slice values[PLAN_KEY_COUNT] = {{0}};
    char number[16];

    snprintf(number, sizeof number, "%u", block);
    if (block > 1 && plan_takes(a, PLAN_KEY_BLOCK))
        values[PLAN_KEY_BLOCK] = ec_slice_of(number);
    return plan_open(t, w, a, values, values[PLAN_KEY_BLOCK].at ? block : 1, ret, reterr);
}

void ec_schedule_close(struct ec_schedule *s)
{
    if (!s)
        return;
    free(s->target);
    free(s->transfers);
    free(s->carried);
    free(s->moves);
    free(s->exchanges);
    free(s);
}
