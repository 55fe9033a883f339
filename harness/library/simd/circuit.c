/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a circuit that Yosys has written. Knows the format and which registers and memories behave
 * as the generated code assumes; must not know that code. */
#include "simd/circuit.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

static enum ec_code no_room(struct ec_error *reterr)
{
    return ec_fail(reterr, EC_MEMORY, "out of memory for the circuit of a router");
}

static enum ec_code refuse(const struct simd_cell *cell, const char *why, struct ec_error *reterr)
{
    const char *source =
        json_string_value(json_object_get(json_object_get(cell->json, "attributes"), "src"));
    return ec_fail(reterr, EC_TOOL,
                   "the router has %s (%.80s, %.200s): the engine simd does not know it; use "
                   "--engine verilator",
                   why, cell->type, source != NULL ? source : cell->name);
}

uint32_t simd_parameter(const struct simd_cell *cell, const char *name)
{
    const json_t *value = json_object_get(json_object_get(cell->json, "parameters"), name);
    const char *text = json_string_value(value);
    uint32_t number = 0;
    for (; text != NULL && *text != '\0'; text++)
        number = number << 1 | (*text == '1');
    return text != NULL ? number : (uint32_t)json_integer_value(value);
}

/* --- Signals and their bits ------------------------------------------------------------------- */

static enum ec_code add_signal(struct simd_circuit *c, struct simd_signal s,
                               struct ec_error *reterr)
{
    return EC_LIST_PUSH(c->signal, c->signals, c->signal_room, s) ? EC_OK : no_room(reterr);
}

/* Bits [first, first + width) of a connection are made by the last signal. */
static enum ec_code drive(struct simd_circuit *c, const json_t *bits, uint32_t first,
                          uint32_t width, struct ec_error *reterr)
{
    for (uint32_t i = 0; i < width; i++) {
        const json_t *bit = json_array_get(bits, first + i);
        const json_int_t number = json_integer_value(bit);
        if (!json_is_integer(bit))
            continue;
        if (number < 0 || number > UINT32_MAX / 2)
            return ec_fail(reterr, EC_TOOL, "Yosys numbers a bit %lld", (long long)number);
        if ((size_t)number >= c->drivers) {
            const size_t room = 2 * (size_t)number + 64;
            struct simd_bit *grown = realloc(c->driver, room * sizeof *grown);
            if (grown == NULL)
                return no_room(reterr);
            c->driver = grown;
            for (; c->drivers < room; c->drivers++)
                c->driver[c->drivers] = (struct simd_bit){SIMD_CONSTANT, 0};
        }
        c->driver[number] = (struct simd_bit){(uint32_t)c->signals - 1, i};
    }
    return EC_OK;
}

static size_t count_bits(const json_t *connections)
{
    const char *name;
    json_t *bits;
    size_t count = 0;
    json_object_foreach((json_t *)(uintptr_t)connections, name, bits) count +=
        json_array_size(bits);
    return count;
}

/* What drives each bit. `room` for all of them was made before: other bits point to these. */
static struct simd_bits take_bits(struct simd_circuit *c, const json_t *bits)
{
    const struct simd_bits taken = {c->bit + c->bits, (uint32_t)json_array_size(bits)};
    for (uint32_t i = 0; i < taken.count; i++) {
        const json_t *bit = json_array_get(bits, i);
        const char *text = json_string_value(bit);
        const size_t number = (size_t)json_integer_value(bit);
        if (text == NULL && number < c->drivers)
            taken.bit[i] = c->driver[number];
        else
            taken.bit[i] = (struct simd_bit){SIMD_CONSTANT, text != NULL && text[0] == '1'};
    }
    c->bits += taken.count;
    return taken;
}

/* --- Ports ------------------------------------------------------------------------------------ */

static enum ec_code read_ports(struct simd_circuit *c, const json_t *module,
                               struct ec_error *reterr)
{
    const json_t *ports = json_object_get(module, "ports");
    const char *name;
    json_t *port;
    enum ec_code code = EC_OK;
    c->port = calloc(json_object_size(ports) + 1, sizeof *c->port);
    if (c->port == NULL)
        return no_room(reterr);
    json_object_foreach((json_t *)(uintptr_t)ports, name, port)
    {
        const json_t *bits = json_object_get(port, "bits");
        const char *direction = json_string_value(json_object_get(port, "direction"));
        struct simd_port *p = &c->port[c->ports];
        *p = (struct simd_port){.name = name,
                                .input = direction != NULL && strcmp(direction, "input") == 0,
                                .width = (uint32_t)json_array_size(bits)};
        c->bit_room += p->width;
        if (p->input && code == EC_OK)
            code = add_signal(
                c,
                (struct simd_signal){.kind = strcmp(name, "clk_i") == 0 ? SIMD_CLOCK : SIMD_INPUT,
                                     .width = p->width,
                                     .from = (uint32_t)c->ports},
                reterr);
        if (p->input && code == EC_OK)
            code = drive(c, bits, 0, p->width, reterr);
        c->ports++;
    }
    return code;
}

/* --- Cells ------------------------------------------------------------------------------------ */

static bool is_one_of(const char *type, const char *const *names)
{
    while (*names != NULL && strcmp(type, *names) != 0)
        names++;
    return *names != NULL;
}

/* Names of modules, and $display, which newer versions of Yosys keep. */
static const char *const silent[] = {"$scopeinfo", "$print", NULL};
static const char *const registers[] = {"$dff", "$dffe", "$sdff", "$sdffe", "$sdffce", NULL};

static enum ec_code read_memory(struct simd_circuit *c, struct simd_cell *cell,
                                const json_t *connections, struct ec_error *reterr)
{
    const uint32_t width = simd_parameter(cell, "WIDTH");
    const char *init =
        json_string_value(json_object_get(json_object_get(cell->json, "parameters"), "INIT"));
    cell->reads = simd_parameter(cell, "RD_PORTS");
    cell->size = simd_parameter(cell, "SIZE");
    cell->address = simd_parameter(cell, "ABITS");
    if (simd_parameter(cell, "RD_CLK_ENABLE") != 0 || simd_parameter(cell, "WR_PORTS") != 1 ||
        simd_parameter(cell, "WR_CLK_ENABLE") != 1 || simd_parameter(cell, "OFFSET") != 0 ||
        simd_parameter(cell, "WR_CLK_POLARITY") != 1 || width == 0 ||
        (init != NULL && strpbrk(init, "01") != NULL))
        return refuse(cell, "a memory with several write ports, registered reads or contents",
                      reterr);
    enum ec_code code = EC_OK;
    for (uint32_t i = 0; i < cell->reads && code == EC_OK; i++) {
        code = add_signal(
            c,
            (struct simd_signal){
                .kind = SIMD_VALUE, .width = width, .from = (uint32_t)(cell - c->cell), .read = i},
            reterr);
        if (code == EC_OK)
            code = drive(c, json_object_get(connections, "RD_DATA"), i * width, width, reterr);
    }
    return code;
}

static enum ec_code read_cell(struct simd_circuit *c, struct simd_cell *cell,
                              struct ec_error *reterr)
{
    const json_t *connections = json_object_get(cell->json, "connections");
    const bool state = is_one_of(cell->type, registers);
    const json_t *made = json_object_get(connections, state ? "Q" : "Y");
    cell->signal = (uint32_t)c->signals;
    cell->role = state                                ? SIMD_REGISTER
                 : strcmp(cell->type, "$mem_v2") == 0 ? SIMD_MEMORY
                                                      : SIMD_LOGIC;
    if (cell->role == SIMD_MEMORY)
        return read_memory(c, cell, connections, reterr);
    if (made == NULL)
        return refuse(cell, "a cell of another kind", reterr);
    if (state && simd_parameter(cell, "CLK_POLARITY") != 1)
        return refuse(cell, "a register with a falling clock", reterr);
    const uint32_t width = (uint32_t)json_array_size(made);
    const enum ec_code code =
        add_signal(c,
                   (struct simd_signal){.kind = state ? SIMD_STATE : SIMD_VALUE,
                                        .width = width,
                                        .from = (uint32_t)(cell - c->cell)},
                   reterr);
    return code == EC_OK ? drive(c, made, 0, width, reterr) : code;
}

static enum ec_code read_cells(struct simd_circuit *c, const json_t *module,
                               struct ec_error *reterr)
{
    const json_t *cells = json_object_get(module, "cells");
    const char *name;
    json_t *json;
    enum ec_code code = EC_OK;
    c->cell = calloc(json_object_size(cells) + 1, sizeof *c->cell);
    if (c->cell == NULL)
        return no_room(reterr);
    json_object_foreach((json_t *)(uintptr_t)cells, name, json)
    {
        const char *type = json_string_value(json_object_get(json, "type"));
        if (type != NULL && is_one_of(type, silent))
            continue;
        struct simd_cell *cell = &c->cell[c->cells++];
        *cell = (struct simd_cell){.name = name, .type = type != NULL ? type : "", .json = json};
        c->bit_room += count_bits(json_object_get(json, "connections"));
        if (code == EC_OK)
            code = read_cell(c, cell, reterr);
    }
    return code;
}

/* The clock of a register or a memory is clk_i. */
static enum ec_code check_clock(struct simd_circuit *c, const struct simd_cell *cell,
                                struct ec_error *reterr)
{
    const json_t *connections = json_object_get(cell->json, "connections");
    const struct simd_bits clock =
        take_bits(c, json_object_get(connections, cell->role == SIMD_MEMORY ? "WR_CLK" : "CLK"));
    if (clock.count == 1 && clock.bit->signal != SIMD_CONSTANT &&
        c->signal[clock.bit->signal].kind == SIMD_CLOCK)
        return EC_OK;
    return refuse(cell, "a register with another clock than clk_i", reterr);
}

static enum ec_code connect_cells(struct simd_circuit *c, struct ec_error *reterr)
{
    static const char *const pins[SIMD_PINS] = {
        [SIMD_A] = "A",
        [SIMD_B] = "B",
        [SIMD_S] = "S",
        [SIMD_D] = "D",
        [SIMD_EN] = "EN",
        [SIMD_SRST] = "SRST",
        [SIMD_RD_ADDR] = "RD_ADDR",
        [SIMD_WR_ADDR] = "WR_ADDR",
        [SIMD_WR_DATA] = "WR_DATA",
        [SIMD_WR_EN] = "WR_EN",
    };
    enum ec_code code = EC_OK;
    for (size_t i = 0; i < c->cells && code == EC_OK; i++) {
        struct simd_cell *cell = &c->cell[i];
        const json_t *connections = json_object_get(cell->json, "connections");
        for (enum simd_pin p = 0; p < SIMD_PINS; p++)
            cell->in[p] = take_bits(c, json_object_get(connections, pins[p]));
        if (cell->role != SIMD_LOGIC)
            code = check_clock(c, cell, reterr);
        const struct simd_bits *enable = &cell->in[SIMD_WR_EN];
        for (uint32_t k = 1; k < enable->count && code == EC_OK; k++) {
            if (memcmp(&enable->bit[k], enable->bit, sizeof *enable->bit) != 0)
                code = refuse(cell, "a memory that writes parts of a word", reterr);
        }
    }
    return code;
}

/* The register that makes a bit starts at 0. */
static void note_start(struct simd_circuit *c, const json_t *bit)
{
    const size_t number = (size_t)json_integer_value(bit);
    const uint32_t signal =
        json_is_integer(bit) && number < c->drivers ? c->driver[number].signal : SIMD_CONSTANT;
    if (signal != SIMD_CONSTANT && c->signal[signal].kind == SIMD_STATE)
        c->cell[c->signal[signal].from].starts = true;
}

/* Registers that start at 1 where there is no reset would differ from those of zeros. */
static enum ec_code check_starts(struct simd_circuit *c, const json_t *module,
                                 struct ec_error *reterr)
{
    const char *name;
    json_t *net;
    json_object_foreach(json_object_get(module, "netnames"), name, net)
    {
        const char *init =
            json_string_value(json_object_get(json_object_get(net, "attributes"), "init"));
        if (init != NULL && strchr(init, '1') != NULL)
            return ec_fail(reterr, EC_TOOL,
                           "register %.200s has a first value before the reset: the engine simd "
                           "does not know it; use --engine verilator",
                           name);
        const size_t length = init != NULL ? strlen(init) : 0;
        for (size_t i = 0; i < length; i++) {
            if (init[length - 1 - i] == '0')
                note_start(c, json_array_get(json_object_get(net, "bits"), i));
        }
    }
    return EC_OK;
}

enum ec_code simd_circuit_read(const char *path, struct simd_circuit *ret, struct ec_error *reterr)
{
    json_error_t error;
    *ret = (struct simd_circuit){.file = json_load_file(path, 0, &error)};
    json_t *modules = json_object_get(ret->file, "modules");
    const json_t *module = json_object_iter_value(json_object_iter(modules));
    if (module == NULL || json_object_size(modules) != 1)
        return ec_fail(reterr, EC_TOOL, "cannot read the circuit that Yosys wrote: %s",
                       ret->file == NULL ? error.text : "it is not one module");
    enum ec_code code = read_ports(ret, module, reterr);
    if (code == EC_OK)
        code = read_cells(ret, module, reterr);
    if (code == EC_OK)
        code = check_starts(ret, module, reterr);
    if (code == EC_OK && (ret->bit = calloc(ret->bit_room + 1, sizeof *ret->bit)) == NULL)
        code = no_room(reterr);
    if (code == EC_OK)
        code = connect_cells(ret, reterr);
    for (size_t i = 0; i < ret->ports && code == EC_OK; i++)
        ret->port[i].bits = take_bits(
            ret, json_object_get(
                     json_object_get(json_object_get(module, "ports"), ret->port[i].name), "bits"));
    return code;
}

void simd_circuit_free(struct simd_circuit *c)
{
    json_decref(c->file);
    free(c->port);
    free(c->cell);
    free(c->signal);
    free(c->driver);
    free(c->bit);
}
