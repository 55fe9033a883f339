/* SPDX-License-Identifier: Apache-2.0 */
/* Mixed GSH against tables of steps and against the figures of Johnsson and Ho, cell by cell. */
#include <stdlib.h>
#include <string.h>

#include "gsh.h"
#include "made.h"
#include "mixed_audit.h"

static uint64_t elements_max = 1 << 14;

static void steps(const struct blocks *b, const char *algorithm, uint32_t expected)
{
    if (expected == UINT32_MAX || blocks_elements(b) > elements_max)
        return;
    const struct ec_schedule_audit a = blocks_audit(b, 0, algorithm);
    if (a.steps != expected)
        fail_msg("%s, %u blocks, first of order %u, K=%u: %u steps, expected %u", algorithm,
                 b->count, b->order[0], b->per_node, a.steps, expected);
}

static void one_row(const struct row *r)
{
    const struct blocks b = one_block(r->number[0], r->number[1]);

    steps(&b, "one-port", r->number[2]);
    steps(&b, "pipelined", r->number[3]);
    steps(&b, "align", r->number[3]);
    steps(&b, "concurrent", r->number[4]);
    steps(&b, "parity", r->number[5]);
}

static void even_row(const struct row *r)
{
    const struct blocks b = one_block(r->number[0], r->number[1]);
    steps(&b, "concurrent", r->number[2]);
}

static void one(NO_STATE)
{
    each_row("gsh/one-block", 25, one_row);
    each_row("gsh/one-block-even", 40, even_row);
}

static void aapc_row(const struct row *r)
{
    struct blocks b = {.count = r->number[0], .per_node = r->number[2]};

    for (unsigned i = 0; i < b.count; i++)
        b.order[i] = r->number[1];
    steps(&b, "aapc", r->number[3]);
    steps(&b, "aapc-concurrent", r->number[4]);
    steps(&b, "aapc-parity", r->number[5]);
}

static void aapc(NO_STATE)
{
    each_row("gsh/aapc", 32, aapc_row);
}

static void blocks_row(const struct row *r)
{
    const struct blocks b = blocks_of(r->table->cell[0], r->number[1]);
    steps(&b, "pipelined", r->number[2]);
    steps(&b, "concurrent", r->number[3]);
}

static void several(NO_STATE)
{
    each_row("gsh/blocks", 379, blocks_row);
}

static void few_row(const struct row *r)
{
    const struct blocks b = blocks_of(r->table->cell[0], r->number[1]);
    assert_true(r->number[3] >= r->number[2]);
    steps(&b, "pipelined", r->number[3]);
}

static void few(NO_STATE)
{
    each_row("gsh/blocks-few", 73, few_row);
}

static void parity_row(const struct row *r)
{
    const struct blocks b = blocks_of(r->table->cell[0], r->number[1]);

    assert_int_equal(least_steps(&b), r->number[2]);
    steps(&b, "parity", r->number[2]);
}

static void parity(NO_STATE)
{
    each_row("gsh/blocks-parity", 141, parity_row);
}

/* The figure that is being compared: its schedule, and how many of its cells have been seen. */
static struct {
    struct made m;
    struct blocks b;
    uint8_t v;
    size_t next;
} figure;

/* Dimensions as blocks_workload() lays them out: alpha_0 of block b is b; alpha_r of the first
 * block is the highest processor dimension. */
static void figure_cell(const struct row *r)
{
    const uint32_t block = r->number[3];
    const struct ec_exchange *x = &figure.m.s->exchanges[figure.next++];
    unsigned below = 0;

    for (unsigned i = block + 1; i < figure.b.count; i++)
        below += figure.b.order[i];
    assert_true(figure.next <= figure.m.s->exchange_count);
    if (x->row != r->number[0] || x->step != r->number[1] ||
        x->storage != (r->number[2] ? figure.v : block) ||
        x->processor != figure.m.w->sdp->storage + below + r->number[4] - 1)
        fail_msg("%s: cell %zu is row %u, step %u, dimensions %u and %u", figure.m.text,
                 figure.next, x->row, x->step, x->storage, x->processor);
}

/* Every cell is a transfer over every link of its dimension, and there are no others. */
static void cells_are_transfers(const struct ec_schedule *s, unsigned storage)
{
    assert_int_equal(s->transfer_count, s->exchange_count * s->nodes);
    for (size_t i = 0; i < s->exchange_count; i++) {
        const struct ec_exchange *x = &s->exchanges[i];
        uint32_t found = 0;
        for (size_t j = 0; j < s->transfer_count; j++) {
            const struct ec_transfer *t = &s->transfers[j];
            found += t->step == x->step && (t->src ^ t->dst) == 1U << (x->processor - storage);
        }
        assert_int_equal(found, s->nodes);
    }
}

static void draw(const char *orders, uint32_t per_node, uint8_t v, const char *algorithm,
                 const char *data, size_t cells, uint32_t total)
{
    char topology[16], workload[256];

    figure.b = blocks_of(orders, per_node);
    figure.v = v;
    figure.next = 0;
    blocks_topology(&figure.b, topology, sizeof topology);
    blocks_workload(&figure.b, 0, workload, sizeof workload);
    made_open(topology, workload, algorithm, &figure.m);
    assert_true(figure.m.a.valid);
    assert_int_equal(figure.m.a.steps, total);
    each_row(data, cells, figure_cell);
    assert_int_equal(figure.m.s->exchange_count, cells);
    if (figure.m.s->nodes <= 1024)
        cells_are_transfers(figure.m.s, figure.m.w->sdp->storage);
    made_close(&figure.m);
}

/* K = 8, sigma_r = 3: row j exchanges alpha_i in step j + i. */
static void figure_2(NO_STATE)
{
    struct made m;

    made_open("cube:3", "gsh:cycle=5-4-3-0,K=8", "pipelined", &m);
    assert_int_equal(m.s->exchange_count, 12);
    for (uint32_t i = 0; i < 12; i++) {
        const struct ec_exchange *x = &m.s->exchanges[i];
        assert_int_equal(x->row, i / 3);
        assert_int_equal(x->step, i / 3 + i % 3 + 1);
        assert_int_equal(x->storage, 0);
        assert_int_equal(x->processor, 3 + i % 3);
    }
    made_close(&m);
}

/* Figure 3 (K = 2, 8 nodes): a node whose bit of the step's dimension is 0 sends the element in
 * slot 1, other nodes that in slot 0; the arriving element takes its place. */
static void figure_3(NO_STATE)
{
    struct made m;
    uint32_t slot[16];

    made_open("cube:3", "gsh:cycle=3-2-1-0,K=2", "pipelined", &m);
    assert_int_equal(m.s->transfer_count, 24);
    for (uint32_t e = 0; e < 16; e++)
        slot[e] = e % 2;
    for (size_t i = 0; i < m.s->transfer_count; i++) {
        const struct ec_transfer *x = &m.s->transfers[i];
        const struct ec_carried *c = &m.s->carried[x->first];
        const uint32_t bit = x->src >> (x->step - 1) & 1;
        assert_int_equal(x->dst, x->src ^ 1U << (x->step - 1));
        assert_int_equal(slot[c->element], 1 - bit);
        assert_int_equal(c->slot, bit);
        slot[c->element] = c->slot;
    }
    made_close(&m);
}

static struct made aligned;

static void figure_4_row(const struct row *r)
{
    uint32_t nodes = 0;

    for (size_t i = 0; i < aligned.s->transfer_count; i++) {
        const struct ec_transfer *x = &aligned.s->transfers[i];
        if (x->step == r->number[0] && aligned.s->carried[x->first].slot == r->number[1])
            nodes |= 1U << x->src;
    }
    assert_int_equal(nodes, r->number[2]);
}

static void figure_4(NO_STATE)
{
    made_open("cube:3", "gsh:cycle=3-2-1-0,K=2", "align", &aligned);
    assert_int_equal(aligned.a.shifted, 0);
    each_row("gsh/figure-4", 6, figure_4_row);
    made_close(&aligned);
}

static void figure_5(NO_STATE)
{
    draw("6", 18, 1, "concurrent", "gsh/figure-5", 58, 11);
}

static void figure_8(NO_STATE)
{
    draw("5-5", 24, 0, "pipelined", "gsh/figure-8", 120, 16);
}

static void figure_9(NO_STATE)
{
    draw("6-6", 28, 2, "concurrent", "gsh/figure-9", 176, 16);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        TEST("one block takes the steps of the tables", one),
        TEST("all-to-alls take the steps of the table", aapc),
        TEST("several blocks take the steps of the table", several),
        TEST("few rows take the steps that search found", few),
        TEST("parity rows of several blocks meet the lower bound", parity),
        TEST("Figure 2, cell by cell", figure_2),
        TEST("Figure 3, location by location", figure_3),
        TEST("Figure 4, node by node", figure_4),
        TEST("Figure 5, cell by cell", figure_5),
        TEST("Figure 8, cell by cell", figure_8),
        TEST("Figure 9, cell by cell", figure_9),
    };
    if (argc > 1)
        elements_max = UINT64_C(1) << strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
