/* SPDX-License-Identifier: Apache-2.0 */
/* A router as Yosys writes it (write_json): signals of up to any width, and the cells that make
 * them of others. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "ecube/error.h"

/* A bit of a signal; or a constant, whose `offset` is its value. An x is a 0, as in Verilator. */
#define SIMD_CONSTANT UINT32_MAX
struct simd_bit {
    uint32_t signal, offset;
};

struct simd_bits {
    struct simd_bit *bit; /* owned by the circuit */
    uint32_t count;
};

/* The inputs of cells that the generator knows. */
enum simd_pin {
    SIMD_A,
    SIMD_B,
    SIMD_S,
    SIMD_D,
    SIMD_EN,
    SIMD_SRST,
    SIMD_RD_ADDR,
    SIMD_WR_ADDR,
    SIMD_WR_DATA,
    SIMD_WR_EN,
    SIMD_PINS
};

enum simd_role { SIMD_LOGIC, SIMD_REGISTER, SIMD_MEMORY };

struct simd_cell {
    enum simd_role role;
    const char *name, *type; /* of the file of Yosys */
    const json_t *json;
    struct simd_bits in[SIMD_PINS];
    uint32_t signal;        /* the first one that it makes */
    bool starts;            /* a register that is 0 at first, also where others start at random */
    uint32_t reads;         /* of a memory: its read ports, each a signal */
    uint32_t size, address; /* of a memory: words, and bits of an address */
};

enum simd_kind { SIMD_INPUT, SIMD_CLOCK, SIMD_STATE, SIMD_VALUE };

struct simd_signal {
    enum simd_kind kind;
    uint32_t width;
    uint32_t from; /* cell, or port */
    uint32_t read; /* of a memory: which read port */
};

struct simd_port {
    const char *name;
    bool input;
    struct simd_bits bits; /* of an output: what drives it */
    uint32_t width;
};

struct simd_circuit {
    json_t *file;
    struct simd_port *port;
    struct simd_cell *cell;
    struct simd_signal *signal;
    size_t ports, cells, signals, signal_room;
    struct simd_bit *driver, *bit; /* by the numbers of Yosys; all bits of the pins */
    size_t drivers, bits, bit_room;
};

/* Read the only module of a file. EC_TOOL: it has what the generator does not know, such as a
 * latch or a second clock: the message names it. Release *ret with simd_circuit_free, whatever
 * happens. */
enum ec_code simd_circuit_read(const char *path, struct simd_circuit *ret, struct ec_error *reterr);
void simd_circuit_free(struct simd_circuit *c);

/* A parameter of a cell as a number; its low 32 bits. */
uint32_t simd_parameter(const struct simd_cell *cell, const char *name);
