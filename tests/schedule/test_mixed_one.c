/* SPDX-License-Identifier: Apache-2.0 */
/* One mixed GSH, every order up to 8 and every even K up to 128, as far as the number of elements
 * (2^argument at most) allows: steps by the theorems, every element where it belongs. */
#include <stdlib.h>

#include "gsh.h"
#include "mixed_audit.h"

static uint64_t elements_max = 1 << 13;

/* Calls back for all orders and all K >= from. */
static void each_case(uint32_t from, void (*check)(const struct blocks *b, uint32_t layout))
{
    for (unsigned r = 1; r <= 8; r++) {
        for (uint32_t k = from; k <= 128; k += 2) {
            const struct blocks b = one_block(r, k);
            if (blocks_elements(&b) > elements_max)
                continue;
            check(&b, 0);
            check(&b, 1000 * r + k);
        }
    }
}

static void right(const struct blocks *b, uint32_t layout, const char *algorithm, uint32_t steps)
{
    const struct ec_schedule_audit a = blocks_audit(b, layout, algorithm);

    if (a.steps != steps)
        fail_msg("%s, sigma_r=%u, K=%u, layout %u: %u steps, expected %u", algorithm, b->order[0],
                 b->per_node, layout, a.steps, steps);
    assert_true(a.steps >= least_steps(b));
}

static void one_port_case(const struct blocks *b, uint32_t layout)
{
    right(b, layout, "one-port", b->order[0] * b->per_node / 2);
    assert_true(blocks_audit(b, layout, "one-port").one_port);
}

static void one_port(NO_STATE)
{
    each_case(2, one_port_case);
}

static void pipelined_case(const struct blocks *b, uint32_t layout)
{
    right(b, layout, "pipelined", b->per_node / 2 + b->order[0] - 1);
    const struct ec_schedule_audit a = blocks_audit(b, layout, "pipelined");
    assert_int_equal(a.max_link_elements, b->per_node / 2);
    assert_int_equal(a.element_hops, blocks_elements(b) / 2 * b->order[0]);
}

static void pipelined(NO_STATE)
{
    each_case(2, pipelined_case);
}

static void align_case(const struct blocks *b, uint32_t layout)
{
    right(b, layout, "align", b->per_node / 2 + b->order[0] - 1);
    assert_int_equal(blocks_audit(b, layout, "align").shifted, 0);
    assert_int_not_equal(blocks_audit(b, layout, "pipelined").shifted, 0);
}

static void align(NO_STATE)
{
    each_case(2, align_case);
}

static void concurrent_case(const struct blocks *b, uint32_t layout)
{
    right(b, layout, "concurrent", theorem_1(b->order[0], b->per_node));
}

static void concurrent(NO_STATE)
{
    each_case(2, concurrent_case);
}

static void parity_case(const struct blocks *b, uint32_t layout)
{
    right(b, layout, "parity", parity_steps(b));
    if (b->per_node >= 2 * b->order[0])
        assert_int_equal(parity_steps(b), least_steps(b));
}

static void parity(NO_STATE)
{
    each_case(2, parity_case);
}

/* `per_block` pairs of elements go together. */
static void lockstep_case(unsigned r, uint32_t rows, uint32_t per_block)
{
    const struct blocks b = one_block(r, 2 * rows * per_block);
    char topology[16], workload[256], algorithm[32];

    if (blocks_elements(&b) > elements_max)
        return;
    blocks_topology(&b, topology, sizeof topology);
    snprintf(algorithm, sizeof algorithm, "lockstep:block=%u", per_block);
    for (uint32_t layout = 0; layout < 3; layout++) {
        blocks_workload(&b, layout, workload, sizeof workload);
        const struct ec_schedule_audit a = audited(topology, workload, algorithm);
        assert_int_equal(a.steps, r);
        assert_true(a.max_link_elements <= r * per_block);
        assert_true(a.peak_memory <= 2 * (b.per_node - per_block));
    }
}

static void lockstep(NO_STATE)
{
    for (unsigned r = 1; r <= 8; r++) {
        for (uint32_t rows = 1; 2 * rows <= r + 1; rows++) {
            lockstep_case(r, rows, 1);
            lockstep_case(r, rows, 3);
            lockstep_case(r, rows, 4);
        }
    }
}

/* The cycle of r processor dimensions and dimension 0 of 4, inverted as the bits of `pattern` say.
 */
static void inverted_cycle(unsigned r, unsigned pattern, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "gsh:cycle");

    for (unsigned d = r + 1; d-- > 0;)
        used += (size_t)snprintf(text + used, size - used, "%c%s%u", d == r ? '=' : '-',
                                 pattern >> d & 1 ? "~" : "", d ? d + 3 : 0);
    snprintf(text + used, size - used, ",K=16");
}

static void inverted(NO_STATE)
{
    static const char *const algorithms[] = {"one-port",   "pipelined", "align",
                                             "concurrent", "parity",    "aapc"};
    for (unsigned r = 1; r <= 4; r++) {
        const struct blocks b = one_block(r, 16);
        char text[64], topology[16];
        blocks_topology(&b, topology, sizeof topology);
        for (size_t i = 0; i < COUNT(algorithms); i++) {
            const uint32_t steps = blocks_audit(&b, 0, algorithms[i]).steps;
            for (unsigned pattern = 0; pattern < 2U << r; pattern++) {
                inverted_cycle(r, pattern, text, sizeof text);
                assert_int_equal(audited(topology, text, algorithms[i]).steps, steps);
            }
        }
    }
}

static uint32_t packets(uint32_t per_node, uint32_t block)
{
    return (per_node / 2 + block - 1) / block;
}

/* Tables 1 and 2: start-ups are steps; no message is longer than a packet. */
static void packet_case(unsigned r, uint32_t k, uint32_t block)
{
    const struct blocks b = one_block(r, k);
    const uint32_t rows = packets(k, block);
    char algorithm[32];

    snprintf(algorithm, sizeof algorithm, "one-port:block=%u", block);
    assert_int_equal(blocks_audit(&b, 0, algorithm).steps, r * rows);
    snprintf(algorithm, sizeof algorithm, "pipelined:block=%u", block);
    assert_int_equal(blocks_audit(&b, 0, algorithm).steps, rows + r - 1);
    /* A schedule of packets is one of elements with fewer of them. */
    snprintf(algorithm, sizeof algorithm, "concurrent:block=%u", block);
    assert_int_equal(blocks_audit(&b, 7, algorithm).steps, theorem_1(r, 2 * rows));
    snprintf(algorithm, sizeof algorithm, "parity:block=%u", block);
    const struct blocks fewer = one_block(r, 2 * rows);
    assert_int_equal(blocks_audit(&b, 7, algorithm).steps, parity_steps(&fewer));
}

static void in_packets(NO_STATE)
{
    for (unsigned r = 1; r <= 6; r++) {
        for (uint32_t k = 4; k <= 64; k += k < 32 ? 4 : 16) {
            for (uint32_t block = 1; block <= k / 2; block++) {
                const struct blocks b = one_block(r, k);
                if (blocks_elements(&b) <= elements_max / 4)
                    packet_case(r, k, block);
            }
        }
    }
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        TEST("one port takes sigma_r K/2 steps", one_port),
        TEST("pipelined takes K/2 + sigma_r - 1 steps and loads all links alike", pipelined),
        TEST("aligned elements have equal local addresses at both ends of every transfer", align),
        TEST("concurrent takes the steps of Theorem 1 for every even K", concurrent),
        TEST("parity takes K/2 + 1 steps for K >= 2 sigma_r, sigma_r + 1 below", parity),
        TEST("lockstep takes sigma_r steps for few elements, the least possible", lockstep),
        TEST("complements change no number of steps, whatever the pattern", inverted),
        TEST("packets of B elements take the steps of K/B elements, rounded up", in_packets),
    };
    if (argc > 1)
        elements_max = UINT64_C(1) << strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
