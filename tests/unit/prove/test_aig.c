/* SPDX-License-Identifier: Apache-2.0 */
/* Circuits as files and in steps: a counter of two bits, which an input enables. Yosys writes these
 * files, so a damaged one is refused, and never read beyond its end. */
#include "prove/aig.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

enum { CYCLES = 6 };

/* 1 is the input, 2 and 3 are the bits, 4 to 10 gates: the output is 1 while both bits are. The
 * property says that they never are, the assumption is true. */
#define REGISTERS "12\n18\n"
#define GATES     "\4\2\5\2\1\2\6\2\7\2\1\2\16\2"
static const char counter[] = "aig 10 1 2 1 7 1 1\n" REGISTERS "20\n20\n1\n" GATES;
static const char names[] = "input 0 0 enable\noutput 0 3 both bits\nlatch 0 0 low\noutput 1 0 x\n"
                            "input 0\n";

static char *write_file(char *path, const char *bytes, size_t size)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
    return path;
}

static char circuit_path[] = "/tmp/unit-aig-XXXXXX", map_path[] = "/tmp/unit-aig-XXXXXX";

static int make_files(void **state)
{
    (void)state;
    const int a = mkstemp(circuit_path), b = mkstemp(map_path);
    if (a < 0 || b < 0)
        return -1;
    close(a);
    close(b);
    write_file(map_path, names, strlen(names));
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    return unlink(circuit_path) | unlink(map_path);
}

static enum ec_code read_bytes(const char *bytes, size_t size, struct ec_aig *ret)
{
    struct ec_error error = {0};
    const enum ec_code code =
        ec_aig_read(write_file(circuit_path, bytes, size), map_path, ret, &error);
    if (code != EC_OK)
        assert_non_null(strstr(error.message, "not a circuit in binary AIGER"));
    return code;
}

static struct ec_aig read_good(const char *bytes, size_t size)
{
    struct ec_aig a;
    assert_int_equal(read_bytes(bytes, size, &a), EC_OK);
    return a;
}

static void a_circuit_steps_as_its_gates_say(void **state)
{
    static const char *const starts[] = {"12 0\n18 0\n", "12 1\n18 0\n", "12\n18 1\n",
                                         "12 1\n18 6\n"};
    (void)state;
    for (unsigned from = 0; from < 4; from++) {
        char bytes[80];
        const int size =
            snprintf(bytes, sizeof bytes, "aig 10 1 2 1 7 1 1\n%s20\n20\n1\n" GATES, starts[from]);
        struct ec_aig a = read_good(bytes, (size_t)size);
        for (unsigned word = 0; word < 1U << CYCLES; word++) {
            uint8_t in[CYCLES], out[CYCLES];
            struct ec_error error;
            unsigned count = from == 3 ? 1 : from; /* the register with any value has 0 */
            bool legal = false;
            for (unsigned t = 0; t < CYCLES; t++)
                in[t] = word >> t & 1;
            assert_int_equal(ec_aig_simulate(&a, in, CYCLES, out, &legal, &error), EC_OK);
            assert_true(legal);
            for (unsigned t = 0; t < CYCLES; t++) {
                assert_int_equal(out[t], count % 4 == 3);
                count += in[t];
            }
        }
        ec_aig_free(&a);
    }
}

static void names_are_those_of_the_map(void **state)
{
    struct ec_aig a = read_good(counter, sizeof counter - 1);
    (void)state;
    assert_int_equal(a.bit_count, 2);
    assert_int_equal(ec_aig_find(&a, true, "enable", 0)->number, 0);
    assert_int_equal(ec_aig_find(&a, false, "both bits", 3)->number, 0);
    assert_null(ec_aig_find(&a, false, "enable", 0));
    assert_null(ec_aig_find(&a, true, "enable", 1));
    assert_null(ec_aig_find(&a, false, "x", 0)); /* there is one output */
    ec_aig_free(&a);
}

/* A property without a name would not be checked. */
static void names_that_are_cut_off_are_refused(void **state)
{
    struct ec_aig a;
    struct ec_error error;
    (void)state;
    write_file(circuit_path, counter, sizeof counter - 1);
    for (size_t size = 0; size < sizeof names; size++) {
        /* With a line end behind the name of the output, nothing that matters is missing. */
        const bool good =
            size > strlen("input 0 0 enable\noutput 0 3 both bits") && names[size - 1] == '\n';
        write_file(map_path, names, size);
        assert_int_equal(ec_aig_read(circuit_path, map_path, &a, &error), good ? EC_OK : EC_IO);
        ec_aig_free(&a);
    }
    /* A constant has none, and one of two that are the same. */
    static const char constant[] = "aig 10 1 2 3 7 1 1\n" REGISTERS "1\n20\n20\n20\n1\n" GATES;
    write_file(circuit_path, constant, sizeof constant - 1);
    write_file(map_path, "output 1 0 x\n", strlen("output 1 0 x\n"));
    assert_int_equal(ec_aig_read(circuit_path, map_path, &a, &error), EC_OK);
    ec_aig_free(&a);
    write_file(map_path, names, strlen(names));
}

/* What was written is read as before; as one property, it is 1 if any of the outputs is. */
static void a_circuit_is_written_as_it_is(void **state)
{
    static const uint32_t both[] = {0, 1};
    struct ec_error error;
    (void)state;
    for (unsigned one = 0; one < 2; one++) {
        /* A second output: the low bit alone. */
        struct ec_aig a = read_good("aig 10 1 2 2 7 0 1\n" REGISTERS "20\n4\n1\n" GATES,
                                    sizeof "aig 10 1 2 2 7 0 1\n" REGISTERS "20\n4\n1\n" GATES - 1),
                      b;
        uint8_t in[CYCLES] = {1, 1, 0, 1, 1, 1}, out[2 * CYCLES], again[2 * CYCLES];
        bool legal;
        assert_int_equal(ec_aig_write(&a, both, 2, one, circuit_path, &error), EC_OK);
        assert_int_equal(ec_aig_read(circuit_path, map_path, &b, &error), EC_OK);
        assert_int_equal(b.outputs, 0);
        assert_int_equal(b.assertions, one ? 1 : 2);
        assert_int_equal(b.assumptions, 1);
        b.outputs = b.assertions;
        free(b.output);
        b.output = b.broken;
        b.broken = NULL;
        assert_int_equal(ec_aig_simulate(&a, in, CYCLES, out, &legal, &error), EC_OK);
        assert_int_equal(ec_aig_simulate(&b, in, CYCLES, again, &legal, &error), EC_OK);
        for (unsigned t = 0; t < CYCLES; t++) {
            if (one)
                assert_int_equal(again[t], out[2 * t] | out[2 * t + 1]);
            else
                assert_memory_equal(again + 2 * t, out + 2 * t, 2);
        }
        ec_aig_free(&a);
        ec_aig_free(&b);
    }
    struct ec_aig a = read_good(counter, sizeof counter - 1);
    assert_int_equal(ec_aig_write(&a, both, 1, false, "/no/such/folder/file", &error), EC_IO);
    ec_aig_free(&a);
}

/* The output of the counter, while the input is 1. */
static void an_output_can_be_limited(void **state)
{
    const uint8_t in[CYCLES] = {1, 1, 1, 0, 1, 0};
    uint8_t out[CYCLES];
    struct ec_error error;
    struct ec_aig a = read_good(counter, sizeof counter - 1);
    bool legal;
    (void)state;
    assert_int_equal(ec_aig_limit(&a, 0, 2, &error), EC_OK);
    assert_int_equal(ec_aig_simulate(&a, in, CYCLES, out, &legal, &error), EC_OK);
    for (unsigned t = 0; t < CYCLES; t++)
        assert_int_equal(out[t], t == 4);
    ec_aig_free(&a);
}

static void assert_literals_exist(const struct ec_aig *a)
{
    const uint32_t largest = 2 * (a->inputs + a->registers + a->gates) + 1;
    for (uint32_t i = 0; i < a->registers; i++)
        assert_true(a->next[i] <= largest && a->start[i] <= EC_AIG_ANY);
    for (uint32_t i = 0; i < a->outputs; i++)
        assert_true(a->output[i] <= largest);
    for (uint32_t i = 0; i < a->assertions; i++)
        assert_true(a->broken[i] <= largest);
    for (uint32_t i = 0; i < a->assumptions; i++)
        assert_true(a->assume[i] <= largest);
    for (uint32_t k = 0; k < a->gates; k++) {
        const uint32_t own = 2 * (1 + a->inputs + a->registers + k);
        assert_true(a->gate[2 * k] < own && a->gate[2 * k + 1] <= a->gate[2 * k]);
    }
}

static void damaged_files_are_refused(void **state)
{
    static const char *const wrong[] = {
        "aig 4294967296 1 2 1 7\n",                             /* no number of 32 bits */
        "aig 268435457 1 2 1 268435454\n",                      /* too large */
        "aig 9 1 2 1 7\n12\n18\n20\n" GATES,                    /* another sum */
        "aig 10 1 2 1 7\n12\n18 4\n20\n" GATES,                 /* starts as another register */
        "aig 10 1 2 1 7\n12\n22\n20\n" GATES,                   /* a literal that does not exist */
        "aig 10 1 2 1 7\n12\n18\n22\n" GATES,                   /* and as an output */
        "aig 10 1 2 1 7\n12\n18\n20\n\200\200\200\200\200\200", /* a number without an end */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct ec_aig a;
        assert_int_equal(read_bytes(wrong[i], strlen(wrong[i]), &a), EC_TOOL);
        ec_aig_free(&a);
    }
    for (size_t size = 0; size < sizeof counter - 1; size++) {
        struct ec_aig a;
        if (read_bytes(counter, size, &a) != EC_TOOL)
            fail_msg("the first %zu bytes are not refused", size);
        ec_aig_free(&a);
    }
}

/* Each byte as each of some others: refused, or a circuit whose literals exist. */
static void no_byte_leads_out_of_the_circuit(void **state)
{
    static const char others[] = {0, 1, 2, 3, ' ', '\n', '0', '1', '9', 'a', 0x7f, -128, -1};
    (void)state;
    for (size_t at = 0; at < sizeof counter - 1; at++) {
        for (size_t k = 0; k < sizeof others; k++) {
            char bytes[sizeof counter];
            struct ec_aig a;
            memcpy(bytes, counter, sizeof counter);
            bytes[at] = others[k];
            if (read_bytes(bytes, sizeof counter - 1, &a) == EC_OK)
                assert_literals_exist(&a);
            ec_aig_free(&a);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a circuit steps as its gates say", a_circuit_steps_as_its_gates_say),
        TEST("names are those of the map", names_are_those_of_the_map),
        TEST("names that are cut off are refused", names_that_are_cut_off_are_refused),
        TEST("a circuit is written as it is", a_circuit_is_written_as_it_is),
        TEST("an output can be limited", an_output_can_be_limited),
        TEST("damaged files are refused", damaged_files_are_refused),
        TEST("no byte leads out of the circuit", no_byte_leads_out_of_the_circuit),
    };
    return cmocka_run_group_tests_name("aig", tests, make_files, remove_files);
}
