/* SPDX-License-Identifier: Apache-2.0 */
/* Several constituting mixed GSH: random orders, layouts, joined cycles and inverted dimensions.
 * Steps by the theorems; refused only where they leave no room. */
#include <stdlib.h>
#include <string.h>

#include "gsh.h"
#include "mixed_audit.h"

#define CASES 400

static uint64_t elements_max = 1 << 12;

/* A case of at least two blocks that is not too large. K is a power of two, or such a multiple of
 * 2^beta that slots fill no further dimension. */
static struct blocks draw(uint64_t *state)
{
    struct blocks b;

    do {
        b.count = 2 + drawn(state, 3);
        for (unsigned i = 0; i < b.count; i++)
            b.order[i] = 1 + drawn(state, 6);
        if (drawn(state, 3) == 0)
            b.order[1] = b.order[0], b.count = 2;
        if (drawn(state, 3))
            b.per_node = UINT32_C(1) << (b.count + drawn(state, 5));
        else
            b.per_node = (3 + 2 * drawn(state, 4)) << b.count;
    } while (blocks_elements(&b) > elements_max);
    return b;
}

static void each_case(uint64_t seed, void (*check)(const struct blocks *b, uint32_t layout))
{
    uint64_t state = seed;

    for (unsigned i = 0; i < CASES; i++) {
        const struct blocks b = draw(&state);
        check(&b, i % 4 ? 1 + drawn(&state, UINT32_MAX / 2) : 0);
    }
}

static void expect(const struct blocks *b, uint32_t layout, const char *algorithm, uint32_t found,
                   uint32_t expected)
{
    char text[256];

    blocks_workload(b, layout, text, sizeof text);
    if (found != expected)
        fail_msg("cube:%u %s %s: %u steps, expected %u", blocks_order(b), text, algorithm, found,
                 expected);
}

static uint32_t rows(const struct blocks *b)
{
    return b->per_node / 2;
}

static void one_port_case(const struct blocks *b, uint32_t layout)
{
    const struct ec_schedule_audit a = blocks_audit(b, layout, "one-port");
    expect(b, layout, "one-port", a.steps, blocks_order(b) * rows(b));
    assert_true(a.one_port);
}

static void one_port(NO_STATE)
{
    each_case(1, one_port_case);
}

/* The least of any pipelining: K/2 rows through a block of the largest order; rows of a block that
 * begins with the most of them through all. */
static uint32_t pipelining_bound(const struct blocks *b)
{
    const uint32_t filled = rows(b) + blocks_longest(b) - 1;
    const uint32_t passed = (rows(b) + b->count - 1) / b->count + blocks_order(b) - 1;
    return filled > passed ? filled : passed;
}

static void pipelined_case(const struct blocks *b, uint32_t layout)
{
    const struct ec_schedule_audit a = blocks_audit(b, layout, "pipelined");
    const struct ec_schedule_audit aligned = blocks_audit(b, layout, "align");

    assert_int_equal(aligned.steps, a.steps);
    assert_int_equal(aligned.shifted, 0);
    assert_int_equal(a.max_link_elements, rows(b));
    assert_true(a.steps >= pipelining_bound(b));
    if (rows(b) >= blocks_order(b))
        expect(b, layout, "pipelined", a.steps, rows(b) + blocks_longest(b) - 1);
    else if (blocks_equal(b))
        expect(b, layout, "pipelined", a.steps, pipelining_bound(b));
}

static void pipelined(NO_STATE)
{
    each_case(2, pipelined_case);
}

/* How many groups of 2^(beta + 1) slots there are, and how many are needed if no two blocks share
 * one: `rows` of each block in groups of 2^beta. */
static bool surely_room(const struct blocks *b, const uint32_t *wanted)
{
    uint32_t groups = 0;

    for (unsigned i = 0; i < b->count; i++)
        groups += (wanted[i] + (1U << b->count) - 1) >> b->count;
    return groups <= b->per_node >> (b->count + 1);
}

static void concurrent_case(const struct blocks *b, uint32_t layout)
{
    const unsigned order = blocks_order(b);
    const uint32_t paired = rows(b) > order ? rows(b) + 2 : order + 3;
    const bool must = rows(b) > order || rows(b) > 4 * b->count;
    uint32_t wanted[BLOCKS_MAX];
    struct ec_schedule_audit a;
    struct ec_error error;

    for (unsigned i = 0; i < b->count; i++)
        wanted[i] = b->order[i] <= 3 ? 0 : (b->order[i] - 1) / 2 * 2;
    if (blocks_try(b, layout, "concurrent", &a, &error)) {
        assert_true(blocks_longest(b) >= 4 && must && !surely_room(b, wanted));
        assert_non_null(strstr(error.message, "room for"));
        return;
    }
    a = blocks_audit(b, layout, "concurrent");
    const uint32_t pipelined = blocks_audit(b, layout, "pipelined").steps;
    if (blocks_longest(b) >= 4 && (must || (paired < pipelined && surely_room(b, wanted))))
        expect(b, layout, "concurrent", a.steps, paired);
    else if (a.steps != paired || paired > pipelined)
        expect(b, layout, "concurrent", a.steps, pipelined);
}

/* Fewer rows than dimensions, and not more than four in a block: rows left out of the schedule for
 * K = 2(sigma_r + 1) leave sigma_r + 3 steps. */
static void concurrent_few(void)
{
    static const struct {
        struct blocks b;
        uint32_t steps;
    } known[] = {{{2, {6, 2}, 16}, 11},    {{2, {6, 3}, 16}, 12},    {{2, {5, 3}, 16}, 11},
                 {{3, {6, 2, 1}, 16}, 12}, {{3, {6, 1, 1}, 16}, 11}, {{3, {5, 2, 1}, 16}, 11}};

    for (uint32_t i = 0; i < COUNT(known); i++)
        expect(&known[i].b, i, "concurrent", blocks_audit(&known[i].b, i, "concurrent").steps,
               known[i].steps);
}

static void concurrent(NO_STATE)
{
    each_case(3, concurrent_case);
    concurrent_few();
}

static void parity_case(const struct blocks *b, uint32_t layout)
{
    const struct ec_schedule_audit a = blocks_audit(b, layout, "parity");

    expect(b, layout, "parity", a.steps, parity_steps(b));
    if (rows(b) >= blocks_order(b))
        expect(b, layout, "parity (bound)", a.steps, least_steps(b));
}

/* All orders of two to four blocks, all powers of two from 2^beta on. */
static void parity(NO_STATE)
{
    struct blocks b = {0};

    each_case(4, parity_case);
    for (b.count = 2; b.count <= 4; b.count++) {
        for (uint32_t code = 0; code < 1U << 3 * b.count; code++) {
            for (unsigned i = 0; i < b.count; i++)
                b.order[i] = 1 + (code >> 3 * i & 7);
            for (b.per_node = 1U << b.count; blocks_elements(&b) <= elements_max; b.per_node *= 2)
                parity_case(&b, code);
        }
    }
}

static void aapc_case(const struct blocks *b, uint32_t layout)
{
    const uint32_t groups = (rows(b) + b->count - 1) / b->count;
    const struct ec_schedule_audit a = blocks_audit(b, layout, "aapc");

    if (blocks_equal(b) && rows(b) % b->count == 0)
        expect(b, layout, "aapc", a.steps, rows(b) + blocks_order(b) - b->count);
    /* A group every beta steps, a stage every beta steps. */
    assert_true(a.steps <= (groups + blocks_longest(b) - 1) * b->count);
}

static void aapc(NO_STATE)
{
    each_case(5, aapc_case);
}

/* With a free storage dimension for each of two blocks: as the schedules of one block of half the
 * order, half the rows, with steps twice as long. */
static void aapc_two(NO_STATE)
{
    for (unsigned r = 1; r <= 6; r++) {
        for (uint32_t k = 16; k <= 128; k *= 2) {
            const struct blocks b = {.count = 2, .order = {r, r}, .per_node = k};
            const struct blocks half = one_block(r, k / 2);
            if (blocks_elements(&b) > elements_max * 8)
                continue;
            expect(&b, 0, "aapc-concurrent", blocks_audit(&b, r + k, "aapc-concurrent").steps,
                   2 * theorem_1(r, k / 2));
            expect(&b, 0, "aapc-parity", blocks_audit(&b, r + k, "aapc-parity").steps,
                   2 * parity_steps(&half));
        }
    }
}

/* Table 2, equal orders: rows of packets, as long as they fill the blocks. */
static void in_packets(NO_STATE)
{
    for (uint32_t block = 1; block <= 16; block++) {
        const struct blocks b = {.count = 2, .order = {3, 3}, .per_node = 32};
        const struct blocks fewer = {
            .count = 2, .order = {3, 3}, .per_node = 2 * ((16 + block - 1) / block)};
        char name[32];
        snprintf(name, sizeof name, "one-port:block=%u", block);
        expect(&b, 0, name, blocks_audit(&b, 0, name).steps, 6 * rows(&fewer));
        snprintf(name, sizeof name, "pipelined:block=%u", block);
        expect(&b, 0, name, blocks_audit(&b, 5, name).steps,
               rows(&fewer) >= 6 ? rows(&fewer) + 2 : pipelining_bound(&fewer));
        snprintf(name, sizeof name, "parity:block=%u", block);
        expect(&b, 0, name, blocks_audit(&b, 6, name).steps, parity_steps(&fewer));
        /* No room for rows that start with a storage dimension. */
        const struct blocks three = {.count = 3, .order = {4, 2, 2}, .per_node = 16};
        const struct blocks less = {
            .count = 3, .order = {4, 2, 2}, .per_node = 2 * ((8 + block - 1) / block)};
        expect(&three, 0, name, blocks_audit(&three, 7, name).steps, parity_steps(&less));
    }
}

/* --- Fewer rows than dimensions, in blocks of several orders ---------------------------------- */

/* The last step of rows that visit all blocks in the cyclic order `turn`; size[k] of them begin in
 * turn[k], and each block serves its own rows first, then those of the block before it. */
static uint32_t last_step(const struct blocks *b, const unsigned *turn, const uint32_t *size)
{
    uint32_t busy[BLOCKS_MAX] = {0}, free_at[64] = {0}, last = 0;
    for (unsigned h = 0; h < b->count; h++) {
        uint32_t row = 0;
        for (unsigned k = 0; k < b->count; k++) {
            const unsigned place = (k + h) % b->count;
            for (uint32_t u = 0; u < size[k]; u++, row++) {
                const uint32_t step = (free_at[row] > busy[place] ? free_at[row] : busy[place]) + 1;
                busy[place] = step;
                free_at[row] = step + b->order[turn[place]] - 1;
                last = free_at[row] > last ? free_at[row] : last;
            }
        }
    }
    return last;
}

/* All ways of giving `left` rows to the blocks from `k` on. */
static uint32_t least_of_sizes(const struct blocks *b, const unsigned *turn, uint32_t *size,
                               unsigned k, uint32_t left)
{
    uint32_t least = UINT32_MAX;
    if (k + 1 == b->count) {
        size[k] = left;
        return last_step(b, turn, size);
    }
    for (size[k] = 0; size[k] <= left; size[k]++) {
        const uint32_t mine = size[k], found = least_of_sizes(b, turn, size, k + 1, left - mine);
        size[k] = mine;
        least = found < least ? found : least;
    }
    return least;
}

/* And all cyclic orders. */
static uint32_t least_of_turns(const struct blocks *b, unsigned *turn, unsigned k, uint32_t left)
{
    uint32_t size[BLOCKS_MAX], least = UINT32_MAX;
    if (k == BLOCKS_MAX || k == b->count)
        return least_of_sizes(b, turn, size, 0, left);
    for (unsigned i = k; i < b->count; i++) {
        const unsigned mine = turn[k];
        turn[k] = turn[i];
        turn[i] = mine;
        const uint32_t found = least_of_turns(b, turn, k + 1, left);
        turn[i] = turn[k];
        turn[k] = mine;
        least = found < least ? found : least;
    }
    return least;
}

static void few_rows_take_the_fastest_way(NO_STATE)
{
    static const struct {
        const char *orders;
        uint32_t per_node, rows, block; /* rows: ceil(K/2B) */
    } cases[] = {{"3-3-1", 32, 6, 3}, {"3-2-1", 40, 5, 4},   {"1-2-3", 40, 5, 4},
                 {"4-3-1", 32, 6, 3}, {"3-2-2-1", 32, 6, 3}, {"4-1", 16, 3, 3},
                 {"5-2", 16, 4, 2}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct blocks b = blocks_of(cases[i].orders, cases[i].per_node);
        unsigned turn[BLOCKS_MAX];
        char algorithm[40];
        for (unsigned k = 0; k < b.count; k++)
            turn[k] = k;
        assert_true(cases[i].rows < blocks_order(&b));
        snprintf(algorithm, sizeof algorithm, "pipelined:block=%u", cases[i].block);
        const struct ec_schedule_audit a = blocks_audit(&b, 0, algorithm);
        expect(&b, 0, algorithm, a.steps, least_of_turns(&b, turn, 1, cases[i].rows));
    }
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        TEST("one port takes sigma_r K/2 steps", one_port),
        TEST("pipelined takes K/2 + max sigma_r - 1 steps, aligned or not", pipelined),
        TEST("concurrent takes the steps of Theorem 2, or sigma_r + 3 if that is less", concurrent),
        TEST("parity takes K/2 + 1 steps, the least possible, or sigma_r + 1", parity),
        TEST("all-to-alls take K/2 + sigma_r - beta steps", aapc),
        TEST("all-to-alls of two blocks may start elsewhere", aapc_two),
        TEST("packets of B elements take the steps of K/B elements, rounded up", in_packets),
        TEST("few rows take the fastest of all ways", few_rows_take_the_fastest_way),
    };
    if (argc > 1)
        elements_max = UINT64_C(1) << strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
