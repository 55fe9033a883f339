/* SPDX-License-Identifier: Apache-2.0 */
/* What proofs and mutants read: a user's SystemVerilog, searched for what Yosys misreads; circuits
 * and their names, which Yosys writes; its list of mutations.
 *
 * The first byte of an input chooses: S, a source, with included files at lines "=== NAME"; A, a
 * circuit, with its names at "=== map"; M, a line of the list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "mutate/mutants.h"
#include "netlist/source.h"
#include "prove/aig.h"

enum { CYCLES = 3, INPUTS_MAX = 4096 };

/* --- Sources ---------------------------------------------------------------------------------- */

static void try_scan(const uint8_t *data, size_t size)
{
    static const char *const rtl[] = {"a.sv", NULL};
    struct ec_sources s;
    struct ec_error e;
    char note[300] = "";
    size_t own;
    if (fuzz_leaves_folder(data, size))
        return;
    char *text = fuzz_write_files(data, size, &own);
    fuzz_write("a.sv", text, own);
    enum ec_code code = ec_sources_read(rtl, "", &s, &e);
    fuzz_check_error(code, &e);
    if (code == EC_OK) {
        code = ec_netlist_scan(&s, NULL, note, sizeof note, NULL, &e);
        fuzz_check_error(code, &e);
    }
    ec_sources_free(&s);
    unlink("a.sv");
    fuzz_remove_files();
    free(text);
}

/* --- Circuits --------------------------------------------------------------------------------- */

static void simulate(const struct ec_aig *a)
{
    const struct ec_error none = {0};
    struct ec_error e = none;
    uint8_t *inputs = calloc(CYCLES * (size_t)a->inputs + 1, 1);
    uint8_t *outputs = calloc(CYCLES * (size_t)a->outputs + 1, 1);
    bool legal;
    if (!inputs || !outputs)
        exit(1);
    const enum ec_code code = ec_aig_simulate(a, inputs, CYCLES, outputs, &legal, &e);
    fuzz_check_error(code, &e);
    for (size_t i = 0; i < CYCLES * (size_t)a->outputs; i++) {
        if (outputs[i] > 1)
            fuzz_fail("output %zu is %d", i, outputs[i]);
    }
    free(inputs);
    free(outputs);
}

static bool same(const uint32_t *x, const uint32_t *y, size_t count)
{
    return count == 0 || memcmp(x, y, count * sizeof *x) == 0;
}

/* What is written is read as the same circuit, whose outputs are properties. */
static void write_again(const struct ec_aig *a)
{
    struct ec_aig again;
    struct ec_error e;
    uint32_t *all = calloc((size_t)a->outputs + 1, sizeof *all);
    if (!all)
        exit(1);
    for (uint32_t i = 0; i < a->outputs; i++)
        all[i] = i;
    enum ec_code code = ec_aig_write(a, all, a->outputs, false, "again.aig", &e);
    fuzz_write("none.map", "", 0);
    if (code == EC_OK)
        code = ec_aig_read("again.aig", "none.map", &again, &e);
    if (code != EC_OK)
        fuzz_fail("a circuit that was written cannot be read: %s", e.message);
    if (again.inputs != a->inputs || again.registers != a->registers || again.gates != a->gates ||
        again.assertions != a->outputs || again.assumptions != a->assumptions ||
        !same(again.next, a->next, a->registers) || !same(again.broken, a->output, a->outputs) ||
        !same(again.assume, a->assume, a->assumptions) ||
        !same(again.gate, a->gate, 2 * (size_t)a->gates))
        fuzz_fail("a circuit is read as another one");
    ec_aig_free(&again);
    free(all);
    unlink("again.aig");
    unlink("none.map");
}

/* Instead of a map without the names of all outputs, which is refused. */
static void write_names(void)
{
    enum { OUTPUTS = 100, LINE = 20 };
    char text[OUTPUTS * LINE];
    size_t used = 0;
    for (unsigned i = 0; i < OUTPUTS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "output %u 0 o\n", i);
    fuzz_write("map", text, used);
}

static void try_circuit(const uint8_t *data, size_t size)
{
    struct ec_aig a;
    struct ec_error e;
    size_t own;
    fuzz_write("map", "", 0);
    char *bytes = fuzz_write_files(data, size, &own);
    fuzz_write("a.aig", bytes, own);
    enum ec_code code = ec_aig_read("a.aig", "map", &a, &e);
    fuzz_check_error(code, &e);
    if (code == EC_IO) {
        ec_aig_free(&a);
        write_names();
        code = ec_aig_read("a.aig", "map", &a, &e);
        fuzz_check_error(code, &e);
    }
    if (code == EC_OK && a.inputs <= INPUTS_MAX) {
        for (size_t i = 0; i < a.bit_count; i++) {
            const struct ec_aig_bit *b = &a.bits[i];
            if (b->number >= (b->input ? a.inputs : a.outputs) ||
                !ec_aig_find(&a, b->input, b->name, b->bit))
                fuzz_fail("bit %zu of the names is of no port", i);
        }
        simulate(&a);
        write_again(&a);
        if (a.outputs > 0 && ec_aig_limit(&a, 0, 1, &e) == EC_OK)
            simulate(&a);
    }
    ec_aig_free(&a);
    unlink("a.aig");
    unlink("map");
    fuzz_remove_files();
    free(bytes);
}

/* --- Mutations -------------------------------------------------------------------------------- */

static void try_mutation(const uint8_t *data, size_t size)
{
    struct ec_mutant m;
    char *line = malloc(size + 1);
    if (!line)
        exit(1);
    memcpy(line, data, size);
    line[size] = '\0';
    if (ec_mutant_judged(line)) {
        ec_mutant_read(line, 7, &m);
        if (m.number != 7 || !m.kind[0] || strlen(m.place) >= sizeof m.place)
            fuzz_fail("mutation '%s' at '%s'", m.kind, m.place);
    }
    free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_enter_folder();
    if (size == 0)
        return -1;
    switch (data[0]) {
    case 'S':
        try_scan(data + 1, size - 1);
        return 0;
    case 'A':
        try_circuit(data + 1, size - 1);
        return 0;
    case 'M':
        try_mutation(data + 1, size - 1);
        return 0;
    default:
        return -1;
    }
}
