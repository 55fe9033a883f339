/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of a schedule in the making. Knows how they grow and in which order they end; must not
 * know what they mean. */
#include "schedule/plan/plan.h"

#include <stdlib.h>
#include <string.h>

/* So that element numbers and counts fit 32 bits, with room to spare for memory. */
#define ELEMENTS_MAX (UINT32_C(1) << 28)

/* Entries of a list: 4 GB of transfers and what they carry. A shift on a ring of a hundred thousand
 * nodes would take forty times as much; it is to be told so, not to be killed for want of memory.
 */
#define ENTRIES_MAX ((size_t)1 << 27)

/* Room for one more in a list; false once memory is short or the list is full. */
static bool reserve(struct plan *p, void **list, size_t size, size_t count, size_t *room)
{
    if (plan_full(p) || count < *room)
        return !plan_full(p);
    if (count >= ENTRIES_MAX) {
        p->too_long = true;
        return false;
    }
    const size_t more = *room ? 2 * *room : 256;
    void *grown = realloc(*list, more * size);
    if (!grown) {
        p->memory_short = true;
        return false;
    }
    *list = grown;
    *room = more;
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

enum ec_code plan_check_bits(const struct plan *p, struct ec_error *reterr)
{
    char topology[160];

    if (p->w->sdp)
        return EC_OK;
    ec_topology_format(p->t, topology, sizeof topology);
    return ec_fail(reterr, EC_USAGE,
                   "%s moves bits of a cube's addresses: gsh, shuffle, bitrev, ... on cube:D; "
                   "'%.100s' on '%.100s' is none of these",
                   p->s ? p->s->algorithm : "best", p->w->text,
                   topology); /* best has no schedule yet */
}

enum ec_code plan_elements(struct plan *p, uint32_t per_node, uint32_t words,
                           struct ec_error *reterr)
{
    struct ec_schedule *s = p->s;
    const uint64_t count = (uint64_t)p->w->holders * per_node;
    if (count > ELEMENTS_MAX)
        return ec_fail(reterr, EC_USAGE,
                       "%u elements on each of %u nodes are too many for a schedule (at most %u "
                       "in all)",
                       per_node, p->w->holders, ELEMENTS_MAX);
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

/* Who writes step by step has often sorted all, which qsort() would find out slowly. */
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

/* Ties last by their place in the list of carried elements, so the result is one of a kind. */
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

enum ec_code plan_told(const struct plan *p, struct ec_error *reterr)
{
    char topology[160];

    if (p->memory_short)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the transfers of a schedule");
    if (!p->t) /* the dual of a schedule knows of neither */
        return ec_fail(reterr, EC_USAGE, "schedule '%s' has more than %zu transfers",
                       p->s->algorithm, ENTRIES_MAX);
    ec_topology_format(p->t, topology, sizeof topology);
    return ec_fail(reterr, EC_USAGE,
                   "algorithm '%s': '%.100s' on %.100s takes more than %zu transfers, the most "
                   "that a schedule can have; take a smaller network, or --algorithm direct",
                   p->s->algorithm, p->w->text, topology, ENTRIES_MAX);
}

enum ec_code plan_finish(struct plan *p, struct ec_error *reterr)
{
    struct ec_schedule *s = p->s;
    if (plan_full(p))
        return plan_told(p, reterr);
    sort(s->transfers, s->transfer_count, sizeof *s->transfers, by_step);
    sort(s->moves, s->move_count, sizeof *s->moves, by_move);
    sort(s->exchanges, s->exchange_count, sizeof *s->exchanges, by_row);
    s->steps = s->transfer_count ? s->transfers[s->transfer_count - 1].step : 0;
    return EC_OK;
}
