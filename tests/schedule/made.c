/* SPDX-License-Identifier: Apache-2.0 */
/* Moving elements by hand, and reading tables. Uses only the data of a schedule from the library.
 */
#include "made.h"

#include <stdlib.h>
#include <string.h>

void made_open(const char *topology, const char *workload, const char *algorithm, struct made *ret)
{
    struct ec_error error;

    memset(ret, 0, sizeof *ret);
    snprintf(ret->text, sizeof ret->text, "%s %s %s", topology, workload, algorithm);
    ret->t = topology_of(topology);
    ret->w = workload_of(workload, &ret->t);
    if (ec_schedule_open(&ret->t, ret->w, algorithm, &ret->s, &error) ||
        ec_schedule_audit(&ret->t, &low_first, ret->s, &ret->a, &error))
        fail_msg("%s: %s", ret->text, error.message);
}

void made_close(struct made *m)
{
    ec_schedule_close(m->s);
    ec_workload_close(m->w);
}

/* Neighbours differ by one in one coordinate, by the wrap link only where it is one. */
static bool neighbours(const struct ec_topology *t, uint32_t a, uint32_t b)
{
    unsigned apart = 0;
    const bool wraps = t->kind == EC_RING || t->kind == EC_TORUS;

    for (unsigned d = 0; d < t->dims; d++) {
        const uint32_t r = t->radix[d], x = a % r, y = b % r;
        a /= r;
        b /= r;
        if (x == y)
            continue;
        const bool next = x + 1 == y || y + 1 == x;
        apart += next || (wraps && (x + y == r - 1) && (x == 0 || y == 0)) ? 1 : 2;
    }
    return apart == 1;
}

void made_follow(const struct made *m, struct found *ret)
{
    const struct ec_schedule *s = m->s;
    static uint32_t carried[1 << 12], received[1 << 12];

    assert_int_equal(s->per_node, 1);
    assert_true(s->nodes <= COUNT(carried));
    *ret = (struct found){.sound = true, .adjacent = true, .free = true, .one_port = true};
    for (uint32_t i = 0; i < s->nodes; i++) {
        ret->at[i] = i;
        carried[i] = received[i] = 0;
    }
    for (size_t i = 0; i < s->transfer_count; i++) {
        const struct ec_transfer *x = &s->transfers[i], *before = i ? x - 1 : NULL;
        const bool same_step = before && before->step == x->step;
        const uint32_t e = s->carried[x->first].element;
        assert_int_equal(x->count, 1);
        assert_true(!before || before->step <= x->step);
        ret->steps += !same_step;
        /* Sorted, so twice the same link is twice in a row; two nodes have one link between them.
         */
        if (same_step && before->src == x->src) {
            ret->one_port = false;
            if (before->dst == x->dst)
                ret->free = false;
        }
        if (received[x->dst] == x->step)
            ret->one_port = false;
        received[x->dst] = x->step;
        if (!neighbours(&m->t, x->src, x->dst))
            ret->adjacent = false;
        if (ret->at[e] != x->src || carried[e] == x->step) {
            ret->sound = false;
            continue;
        }
        carried[e] = x->step;
        ret->at[e] = x->dst;
        ret->slot[e] = s->carried[x->first].slot;
    }
}

void made_agree(const struct made *m, const struct found *f)
{
    bool placed = true;

    for (uint32_t i = 0; i < m->s->nodes; i++)
        placed = placed && f->at[i] == m->s->target[i].node && f->slot[i] == m->s->target[i].slot;
    if (m->a.sound != f->sound || m->a.adjacent != f->adjacent || m->a.one_port != f->one_port ||
        m->a.placed != placed || m->a.steps != f->steps ||
        (f->adjacent && m->a.congestion_free != f->free))
        fail_msg("%s: audit and test disagree: sound %d %d, adjacent %d %d, one port %d %d, placed "
                 "%d %d, steps %u %u, free %d %d; '%s'",
                 m->text, m->a.sound, f->sound, m->a.adjacent, f->adjacent, m->a.one_port,
                 f->one_port, m->a.placed, placed, m->a.steps, f->steps, m->a.congestion_free,
                 f->free, m->a.defect);
}

uint32_t gray_of(uint32_t i)
{
    return i ^ i / 2;
}

uint32_t ring_of(uint32_t node)
{
    uint32_t i = 0;
    for (uint32_t bit = UINT32_C(1) << 31; bit; bit /= 2) /* each bit is the one above, changed */
        i |= ((i >> 1 ^ node) & bit);
    return i;
}

void made_right(const struct made *m, uint32_t q, uint32_t steps)
{
    static struct found f;
    const uint32_t nodes = m->s->nodes;

    made_follow(m, &f);
    made_agree(m, &f);
    for (uint32_t i = 0; i < nodes; i++) {
        const uint32_t from = m->w->gray ? gray_of(i) : i, to = (i + q) % nodes;
        if (f.at[from] != (m->w->gray ? gray_of(to) : to))
            fail_msg("%s: the element of node %u is in node %u", m->text, from, f.at[from]);
    }
    if (!m->a.valid || *m->a.defect)
        fail_msg("%s: '%s'", m->text, m->a.defect);
    if (m->a.steps != steps || m->s->steps != steps)
        fail_msg("%s: %u steps (schedule: %u), expected %u", m->text, m->a.steps, m->s->steps,
                 steps);
    if (!m->s->all_ports && (m->a.peak_memory != 1 || !m->a.one_port || m->a.shifted != 0))
        fail_msg("%s: %u elements in a node, one port %d, %llu shifted", m->text, m->a.peak_memory,
                 m->a.one_port, (unsigned long long)m->a.shifted);
    assert_int_equal(m->a.max_step_load, 1);
    assert_int_equal(m->a.local_moves, 0);
    assert_int_equal(m->a.element_hops, m->s->transfer_count);
}

void each_row(const char *name, size_t rows, void (*check)(const struct row *r))
{
    struct table t = table_open(name);

    while (table_next(&t)) {
        struct row r = {.table = &t};
        for (size_t i = 0; i < t.cells; i++)
            r.number[i] = table_has(&t, i) ? (uint32_t)strtoul(t.cell[i], NULL, 10) : UINT32_MAX;
        check(&r);
    }
    assert_int_equal(t.rows, rows);
}
