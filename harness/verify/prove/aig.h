/* SPDX-License-Identifier: Apache-2.0 */
/* An and-inverter graph: a circuit of AND gates, inverters and registers, as in binary AIGER files
 * (Biere, Heljanko, Wieringa: AIGER 1.9 and beyond, 2011). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecube/error.h"

/* The first value of a register. */
enum ec_aig_start { EC_AIG_ZERO, EC_AIG_ONE, EC_AIG_ANY };

/* A bit of a port: inputs[number] or outputs[number] is bit `bit` of `name`. */
struct ec_aig_bit {
    char *name; /* owned */
    uint32_t number, bit;
    bool input;
};

/* Literals are twice the number of a variable, plus 1 if inverted; variable 0 is false. Variables
 * are numbered: inputs, registers, gates. */
struct ec_aig {
    uint32_t inputs, registers, gates, outputs, assumptions, assertions;
    uint32_t *next;   /* [registers] */
    uint8_t *start;   /* [registers] enum ec_aig_start; all are zero with -zinit */
    uint32_t *output; /* [outputs] */
    uint32_t *assume; /* [assumptions]: must be 1 in every cycle */
    uint32_t *broken; /* [assertions]: $assert of Yosys; 1 if violated */
    uint32_t *gate;   /* [2 * gates] */
    struct ec_aig_bit *bits;
    size_t bit_count, bit_room;
};

/* Read a file of Yosys (write_aiger -no-startoffset -map, usually with -zinit). EC_IO, also if
 * names are missing; EC_TOOL: another format. Release *ret with ec_aig_free, whatever happens. */
enum ec_code ec_aig_read(const char *path, const char *map, struct ec_aig *ret,
                         struct ec_error *reterr);
void ec_aig_free(struct ec_aig *a);

/* Write the circuit with these outputs alone, as properties that must never be 1; `one`: as a
 * single property, that none of them is 1. */
enum ec_code ec_aig_write(const struct ec_aig *a, const uint32_t *outputs, size_t count, bool one,
                          const char *path, struct ec_error *reterr);

/* The bit of a port; NULL: there is none. */
const struct ec_aig_bit *ec_aig_find(const struct ec_aig *a, bool input, const char *name,
                                     uint32_t bit);

/* Let an output be 1 only if the literal is, too. EC_MEMORY. */
enum ec_code ec_aig_limit(struct ec_aig *a, uint32_t output, uint32_t literal,
                          struct ec_error *reterr);

/* Step the circuit from its first cycle on. Registers that may start at any value have
 * 0. `inputs` [cycles * a->inputs] and `ret_outputs`
 * [cycles * a->outputs] have a byte, 0 or 1, for each bit. *ret_legal: all assumptions were met.
 * EC_MEMORY. */
enum ec_code ec_aig_simulate(const struct ec_aig *a, const uint8_t *inputs, size_t cycles,
                             uint8_t *ret_outputs, bool *ret_legal, struct ec_error *reterr);
