/* SPDX-License-Identifier: Apache-2.0 */
/* What the engine simd must refuse, as Yosys writes it: a router of one dimension whose inputs are
 * bits of known numbers, and whose output credit_o[0] is bit 9000. Everything else shows 0. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "simd/emit.h"
#include "unit.h"

enum { SHOWN = 9000 };

static const struct ec_tile_shape shape = {
    .dims = 1, .links_per_dim = 1, .locals = 1, .vcs = 1, .depth_max = 4, .address_bits = 1};

/* Input `k` has bits from 100 * (k + 1) on; link_i has more than 100. */
static const struct {
    const char *name;
    unsigned width;
    bool input;
} ports[] = {
    {"clk_i", 1, true},       {"rst_i", 1, true},        {"coord_i", 1, true},
    {"mask_i", 1, true},      {"radix_i", 2, true},      {"wrap_i", 1, true},
    {"dateline_i", 1, true},  {"classes_i", 1, true},    {"order_high_i", 1, true},
    {"switching_i", 2, true}, {"depth_i", 16, true},     {"packet_i", 16, true},
    {"credit_i", 2, true},    {"link_i", 128, true},     {"link_o", 128, false},
    {"credit_o", 2, false},   {"contended_o", 2, false}, {"starved_o", 2, false},
    {"want_o", 16, false},    {"quiet_o", 1, false},     {"balanced_i", 1, true},
};

static void write_circuit(const char *path, const char *cells, const char *nets)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("{\"modules\": {\"router\": {\"ports\": {", out);
    for (unsigned k = 0; k < COUNT(ports); k++) {
        fprintf(out, "%s\"%s\": {\"direction\": \"%s\", \"bits\": [", k ? ", " : "", ports[k].name,
                ports[k].input ? "input" : "output");
        for (unsigned i = 0; i < ports[k].width; i++) {
            if (ports[k].input)
                fprintf(out, "%s%u", i ? ", " : "", 100 * (k + 1) + i);
            else if (i == 0 && strcmp(ports[k].name, "credit_o") == 0)
                fprintf(out, "%d", SHOWN);
            else
                fprintf(out, "%s\"0\"", i ? ", " : "");
        }
        fputs("]}", out);
    }
    fprintf(out, "}, \"cells\": {%s}, \"netnames\": {%s}}}}\n", cells, nets);
    assert_int_equal(fclose(out), 0);
}

static enum ec_code generate(const char *cells, const char *nets, struct ec_error *e)
{
    char path[] = "/tmp/unit-simd-XXXXXX", *text = NULL;
    size_t size;
    struct simd_circuit c;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    write_circuit(path, cells, nets);
    FILE *out = open_memstream(&text, &size);
    enum ec_code code = simd_circuit_read(path, &c, e);
    if (code == EC_OK)
        code = simd_emit(&c, &shape, out, e);
    simd_circuit_free(&c);
    assert_int_equal(fclose(out), 0);
    free(text);
    unlink(path);
    return code;
}

#define CELL(type, parameters, connections)                                                        \
    "\"c\": {\"type\": \"" type "\", \"parameters\": {" parameters                                 \
    "}, \"connections\": {" connections "}}"
#define RISING "\"CLK_POLARITY\": \"1\""
#define STATE  CELL("$dff", RISING, "\"CLK\": [100], \"D\": [1300], \"Q\": [9000]")

static const struct {
    const char *cells, *nets, *says; /* NULL: fine */
} rows[] = {
    {STATE, "", NULL},
    {CELL("$dff", "\"CLK_POLARITY\": \"0\"", "\"CLK\": [100], \"D\": [1300], \"Q\": [9000]"), "",
     "a falling clock"},
    {CELL("$dff", RISING, "\"CLK\": [1300], \"D\": [1301], \"Q\": [9000]"), "",
     "another clock than clk_i"},
    {CELL("$dlatch", "", "\"EN\": [200], \"D\": [1300], \"Q\": [9000]"), "", "of another kind"},
    {CELL("$adff", RISING, "\"CLK\": [100], \"ARST\": [200], \"D\": [1300], \"Q\": [9000]"), "",
     "of another kind"},
    {CELL("$div", "", "\"A\": [300], \"B\": [400], \"Y\": [9000]"), "", "of another kind"},
    {CELL("$not", "", "\"A\": [1300], \"Y\": [9000]"), "", "output credit_o, bit 0 depends on"},
    {CELL("$not", "", "\"A\": [9000], \"Y\": [9000]"), "", "a loop of logic"},
    {CELL("$not", "", "\"A\": [100], \"Y\": [9000]"), "", "its clock as data"},
    {CELL("$lt", "\"A_SIGNED\": \"1\", \"B_SIGNED\": \"1\"",
          "\"A\": [300], \"B\": [400], \"Y\": [9000]"),
     "", "signed arithmetic"},
    {STATE, "\"n\": {\"bits\": [9000], \"attributes\": {\"init\": \"1\"}}", "a first value"},
    {STATE, "\"n\": {\"bits\": [9000], \"attributes\": {\"init\": \"0\"}}", NULL},
};

static void what_would_be_another_circuit_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ec_error e = {.message = ""};
        const enum ec_code code = generate(rows[i].cells, rows[i].nets, &e);
        if (code != (rows[i].says ? EC_TOOL : EC_OK) ||
            (rows[i].says && !strstr(e.message, rows[i].says)))
            fail_msg("row %zu: %d, \"%s\": expected \"%s\"", i, code, e.message,
                     rows[i].says ? rows[i].says : "");
    }
}

static void damaged_files_are_refused(void **state)
{
    static const char *const texts[] = {"", "{", "[]", "{\"modules\": {}}",
                                        "{\"modules\": {\"a\": {}, \"b\": {}}}"};
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        char path[] = "/tmp/unit-simd-XXXXXX";
        struct simd_circuit c;
        struct ec_error e;
        const int file = mkstemp(path);
        assert_int_equal(write(file, texts[i], strlen(texts[i])), (ssize_t)strlen(texts[i]));
        close(file);
        assert_int_equal(simd_circuit_read(path, &c, &e), EC_TOOL);
        assert_non_null(strstr(e.message, "cannot read the circuit"));
        simd_circuit_free(&c);
        unlink(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("what would be another circuit is refused", what_would_be_another_circuit_is_refused),
        TEST("damaged files are refused", damaged_files_are_refused),
    };
    return cmocka_run_group_tests_name("circuit", tests, NULL, NULL);
}
