/* SPDX-License-Identifier: Apache-2.0 */
/* Reads, writes and steps and-inverter graphs. Knows the binary AIGER format and the map of names
 * that Yosys writes beside it; must not know what the circuit means. */
#include "prove/aig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"

/* --- Reading ---------------------------------------------------------------------------------- */

struct text {
    const char *at, *end;
};

/* The next number of an ASCII line; false: none. */
static bool take_number(struct text *t, uint32_t *ret)
{
    uint64_t value = 0;
    const char *start;
    while (t->at < t->end && *t->at == ' ')
        t->at++;
    for (start = t->at; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++) {
        value = 10 * value + (uint64_t)(*t->at - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *ret = (uint32_t)value;
    return t->at > start;
}

static bool end_line(struct text *t)
{
    if (t->at == t->end || *t->at != '\n')
        return false;
    t->at++;
    return true;
}

/* A difference between literals: seven bits a byte, lowest first. */
static bool take_delta(struct text *t, uint32_t *ret)
{
    uint32_t value = 0;
    for (unsigned shift = 0; t->at < t->end && shift < 32; shift += 7) {
        const unsigned char byte = (unsigned char)*t->at++;
        value |= (uint32_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *ret = value;
            return true;
        }
    }
    return false;
}

/* A list of `count` literals, one a line; NULL: memory ran out, or the text ended. */
static uint32_t *take_lines(struct text *t, uint32_t count, uint32_t largest)
{
    uint32_t *list = calloc((size_t)count + 1, sizeof *list);
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        if (!take_number(t, &list[i]) || list[i] > largest || !end_line(t)) {
            free(list);
            return NULL;
        }
    }
    return list;
}

/* The next values of registers, and their first ones: 0 if there is none in the line, else 0, 1 or
 * the register itself, which stands for any. */
static bool take_registers(struct text *t, struct ec_aig *a, uint32_t largest)
{
    a->next = calloc((size_t)a->registers + 1, sizeof *a->next);
    a->start = calloc((size_t)a->registers + 1, sizeof *a->start);
    if (a->next == NULL || a->start == NULL)
        return false;
    for (uint32_t i = 0; i < a->registers; i++) {
        uint32_t start = 0;
        if (!take_number(t, &a->next[i]) || a->next[i] > largest)
            return false;
        if (take_number(t, &start) && start > 1 && start != 2 * (1 + a->inputs + i))
            return false;
        a->start[i] = (uint8_t)(start > 1 ? EC_AIG_ANY : start == 1 ? EC_AIG_ONE : EC_AIG_ZERO);
        if (!end_line(t))
            return false;
    }
    return true;
}

static bool take_gates(struct text *t, struct ec_aig *a)
{
    a->gate = calloc(2 * (size_t)a->gates + 1, sizeof *a->gate);
    if (a->gate == NULL)
        return false;
    for (uint32_t k = 0; k < a->gates; k++) {
        const uint32_t own = 2 * (1 + a->inputs + a->registers + k);
        uint32_t first, second;
        if (!take_delta(t, &first) || first > own || first == 0 || !take_delta(t, &second) ||
            second > own - first)
            return false;
        a->gate[2 * (size_t)k] = own - first;
        a->gate[2 * (size_t)k + 1] = own - first - second;
    }
    return true;
}

/* "aig M I L O A B C ...". */
static bool take_circuit(struct text *t, struct ec_aig *a)
{
    static const char magic[] = "aig";
    uint32_t most, other;
    if ((size_t)(t->end - t->at) < sizeof magic || memcmp(t->at, magic, sizeof magic - 1) != 0)
        return false;
    t->at += sizeof magic - 1;
    if (!take_number(t, &most) || !take_number(t, &a->inputs) || !take_number(t, &a->registers) ||
        !take_number(t, &a->outputs) || !take_number(t, &a->gates))
        return false;
    if (take_number(t, &a->assertions))
        (void)take_number(t, &a->assumptions);
    while (take_number(t, &other) && other == 0) { /* J, F */
    }
    /* All but inputs take two bytes or more. Larger numbers would only take memory. */
    const uint64_t rest = (uint64_t)a->registers + a->outputs + a->assertions + a->assumptions;
    if (!end_line(t) || most > (1U << 28) ||
        (uint64_t)a->inputs + a->registers + a->gates != most ||
        rest + a->gates > (uint64_t)(t->end - t->at) / 2)
        return false;
    const uint32_t largest = 2 * most + 1;
    return take_registers(t, a, largest) &&
           (a->output = take_lines(t, a->outputs, largest)) != NULL &&
           (a->broken = take_lines(t, a->assertions, largest)) != NULL &&
           (a->assume = take_lines(t, a->assumptions, largest)) != NULL && take_gates(t, a);
}

/* "output 3 0 NAME": outputs[3] is bit 0 of NAME, which may contain blanks. */
static bool add_name(struct ec_aig *a, char *line)
{
    char *word = line, *end;
    const bool input = strncmp(word, "input ", 6) == 0;
    if (!input && strncmp(word, "output ", 7) != 0)
        return true; /* registers */
    const unsigned long number = strtoul(strchr(word, ' '), &end, 10);
    const unsigned long bit = strtoul(end, &end, 10);
    if (*end != ' ' || number >= (input ? a->inputs : a->outputs) || bit > UINT32_MAX)
        return true;
    const struct ec_aig_bit named = {strdup(end + 1), (uint32_t)number, (uint32_t)bit, input};
    if (named.name != NULL && EC_LIST_PUSH(a->bits, a->bit_count, a->bit_room, named))
        return true;
    free(named.name);
    return false;
}

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A property without its name would not be checked. Constant outputs have none; of two that are the
 * same, one has both names. */
static enum ec_code check_names(const struct ec_aig *a, const char *map, struct ec_error *reterr)
{
    uint32_t *named = calloc(a->bit_count + 1, sizeof *named);
    size_t count = 0;
    enum ec_code code = EC_OK;
    if (named == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the names of a circuit");
    for (size_t i = 0; i < a->bit_count; i++) {
        if (!a->bits[i].input)
            named[count++] = a->output[a->bits[i].number];
    }
    qsort(named, count, sizeof *named, by_value);
    for (uint32_t i = 0; i < a->outputs && code == EC_OK; i++) {
        if (a->output[i] > 1 && !bsearch(&a->output[i], named, count, sizeof *named, by_value))
            code = ec_fail(reterr, EC_IO, "%s is cut off: output %u has no name", map, i);
    }
    free(named);
    return code;
}

static enum ec_code read_names(const char *map, struct ec_aig *a, struct ec_error *reterr)
{
    char *text = NULL, *save = NULL;
    size_t size;
    const enum ec_code code = ec_file_read(map, &text, &size, reterr);
    if (code != EC_OK)
        return code;
    const bool ended = size == 0 || text[size - 1] == '\n';
    bool good = true;
    for (char *line = strtok_r(text, "\n", &save); line != NULL && good;
         line = strtok_r(NULL, "\n", &save))
        good = add_name(a, line);
    free(text);
    if (!good)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the names of a circuit");
    if (!ended)
        return ec_fail(reterr, EC_IO, "%s is cut off: its last line has no end", map);
    return check_names(a, map, reterr);
}

enum ec_code ec_aig_read(const char *path, const char *map, struct ec_aig *ret,
                         struct ec_error *reterr)
{
    char *text = NULL;
    size_t size;
    *ret = (struct ec_aig){0};
    enum ec_code code = ec_file_read(path, &text, &size, reterr);
    if (code != EC_OK)
        return code;
    struct text t = {text, text + size};
    if (!take_circuit(&t, ret))
        code = ec_fail(reterr, EC_TOOL, "%s: not a circuit in binary AIGER", path);
    free(text);
    return code == EC_OK ? read_names(map, ret, reterr) : code;
}

void ec_aig_free(struct ec_aig *a)
{
    for (size_t i = 0; i < a->bit_count; i++)
        free(a->bits[i].name);
    free(a->bits);
    free(a->next);
    free(a->start);
    free(a->broken);
    free(a->output);
    free(a->assume);
    free(a->gate);
    *a = (struct ec_aig){0};
}

const struct ec_aig_bit *ec_aig_find(const struct ec_aig *a, bool input, const char *name,
                                     uint32_t bit)
{
    for (size_t i = 0; i < a->bit_count; i++) {
        const struct ec_aig_bit *b = &a->bits[i];
        if (b->input == input && b->bit == bit && strcmp(b->name, name) == 0)
            return b;
    }
    return NULL;
}

enum ec_code ec_aig_limit(struct ec_aig *a, uint32_t output, uint32_t literal,
                          struct ec_error *reterr)
{
    uint32_t *gate = realloc(a->gate, 2 * ((size_t)a->gates + 1) * sizeof *gate);
    if (gate == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a circuit");
    a->gate = gate;
    gate[2 * (size_t)a->gates] = a->output[output];
    gate[2 * (size_t)a->gates + 1] = literal;
    a->output[output] = 2 * (1 + a->inputs + a->registers + a->gates++);
    return EC_OK;
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void put_delta(uint32_t value, FILE *out)
{
    for (; value >= 0x80; value >>= 7)
        fputc((int)(value & 0x7f) | 0x80, out);
    fputc((int)value, out);
}

/* A gate as differences to its own literal. */
static void put_gate(uint32_t own, uint32_t x, uint32_t y, FILE *out)
{
    put_delta(own - (x > y ? x : y), out);
    put_delta(x > y ? x - y : y - x, out);
}

enum ec_code ec_aig_write(const struct ec_aig *a, const uint32_t *outputs, size_t count, bool one,
                          const char *path, struct ec_error *reterr)
{
    FILE *out = fopen(path, "we");
    if (out == NULL)
        return ec_fail(reterr, EC_IO, "cannot write %s", path);
    const uint32_t first = 1 + a->inputs + a->registers;
    /* One property: a chain of gates, all of them 0. */
    const uint32_t more = one ? (uint32_t)count : 0, gates = a->gates + more;
    fprintf(out, "aig %u %u %u 0 %u %zu %u\n", first - 1 + gates, a->inputs, a->registers, gates,
            one ? 1 : count, a->assumptions);
    for (uint32_t i = 0; i < a->registers; i++)
        fprintf(out, "%u\n", a->next[i]);
    for (size_t i = 0; i < count && !one; i++)
        fprintf(out, "%u\n", a->output[outputs[i]]);
    if (one)
        fprintf(out, "%u\n", 2 * (first + gates - 1) + 1);
    for (uint32_t i = 0; i < a->assumptions; i++)
        fprintf(out, "%u\n", a->assume[i]);
    for (uint32_t k = 0; k < a->gates; k++) {
        const uint32_t *gate = &a->gate[2 * (size_t)k];
        put_gate(2 * (first + k), gate[0], gate[1], out);
    }
    uint32_t all = 1;
    for (uint32_t k = 0; k < more; k++) {
        const uint32_t own = 2 * (first + a->gates + k);
        put_gate(own, all, a->output[outputs[k]] ^ 1, out);
        all = own;
    }
    const bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed)
        return ec_fail(reterr, EC_IO, "cannot write %s", path);
    return EC_OK;
}

/* --- Simulation ------------------------------------------------------------------------------- */

static uint8_t value_of(const uint8_t *values, uint32_t literal)
{
    return (uint8_t)(values[literal >> 1] ^ (literal & 1));
}

enum ec_code ec_aig_simulate(const struct ec_aig *a, const uint8_t *inputs, size_t cycles,
                             uint8_t *ret_outputs, bool *ret_legal, struct ec_error *reterr)
{
    const uint32_t first = 1 + a->inputs + a->registers;
    uint8_t *values = calloc((size_t)first + a->gates, 1);
    uint8_t *next = calloc((size_t)a->registers + 1, 1);
    if (values == NULL || next == NULL) {
        free(values);
        free(next);
        return ec_fail(reterr, EC_MEMORY, "out of memory to step a circuit");
    }
    for (uint32_t i = 0; i < a->registers; i++)
        next[i] = a->start[i] == EC_AIG_ONE;
    *ret_legal = true;
    for (size_t t = 0; t < cycles; t++) {
        memcpy(values + 1, inputs + t * a->inputs, a->inputs);
        memcpy(values + 1 + a->inputs, next, a->registers);
        for (uint32_t k = 0; k < a->gates; k++)
            values[first + k] = value_of(values, a->gate[2 * (size_t)k]) &
                                value_of(values, a->gate[2 * (size_t)k + 1]);
        for (uint32_t i = 0; i < a->outputs; i++)
            ret_outputs[t * a->outputs + i] = value_of(values, a->output[i]);
        for (uint32_t i = 0; i < a->assumptions; i++)
            *ret_legal = *ret_legal && value_of(values, a->assume[i]) != 0;
        for (uint32_t i = 0; i < a->registers; i++)
            next[i] = value_of(values, a->next[i]);
    }
    free(values);
    free(next);
    return EC_OK;
}
