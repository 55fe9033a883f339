/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the circuit that compares a router with itself under other inputs. Knows graphs only. */
#include "prove/moore.h"

#include <stdlib.h>
#include <string.h>

struct twin {
    const struct ec_aig *a;
    struct ec_aig *to;
    uint32_t *map; /* variable of the other copy -> literal in `to` */
};

static bool is_named(const struct ec_aig_bit *b, const char *const *names)
{
    for (; *names != NULL; names++) {
        if (strcmp(b->name, *names) == 0)
            return true;
    }
    return false;
}

/* An AND gate of two literals. The caller has made room. */
static uint32_t put_gate(struct ec_aig *to, uint32_t x, uint32_t y)
{
    if (x < y) {
        const uint32_t other = x;
        x = y;
        y = other;
    }
    to->gate[2 * (size_t)to->gates] = x;
    to->gate[2 * (size_t)to->gates + 1] = y;
    return 2 * (1 + to->inputs + to->registers + to->gates++);
}

static uint32_t put_or(struct ec_aig *to, uint32_t x, uint32_t y)
{
    return put_gate(to, x ^ 1, y ^ 1) ^ 1;
}

static uint32_t put_xor(struct ec_aig *to, uint32_t x, uint32_t y)
{
    return put_or(to, put_gate(to, x, y ^ 1), put_gate(to, x ^ 1, y));
}

/* Literals of the original in `to`, whose inputs are more: those behind the inputs move up. */
static uint32_t moved(const struct ec_aig *a, uint32_t literal, uint32_t more)
{
    return literal >> 1 > a->inputs ? literal + 2 * more : literal;
}

static uint32_t *copy(const struct ec_aig *a, const uint32_t *list, size_t count, uint32_t more)
{
    uint32_t *to = calloc(count + 1, sizeof *to);
    for (size_t i = 0; to != NULL && i < count; i++)
        to[i] = moved(a, list[i], more);
    return to;
}

/* Copy the gates that see one of these inputs; the others are shared. */
static void copy_cone(struct twin *t)
{
    const struct ec_aig *a = t->a;
    const uint32_t more = t->to->inputs - a->inputs, first = 1 + a->inputs + a->registers;
    for (uint32_t k = 0; k < a->gates; k++) {
        const uint32_t *g = &a->gate[2 * (size_t)k];
        const uint32_t x = t->map[g[0] >> 1] ^ (g[0] & 1), y = t->map[g[1] >> 1] ^ (g[1] & 1);
        if (x == moved(a, g[0], more) && y == moved(a, g[1], more))
            t->map[first + k] = moved(a, 2 * (first + k), more);
        else
            t->map[first + k] = put_gate(t->to, x, y);
    }
}

static enum ec_code open_twin(struct twin *t, const char *const *inputs, struct ec_error *reterr)
{
    const struct ec_aig *a = t->a;
    struct ec_aig *to = t->to;
    uint32_t more = 0;
    for (size_t i = 0; i < a->bit_count; i++)
        more += a->bits[i].input && is_named(&a->bits[i], inputs);
    const size_t room = 2 * (size_t)a->gates + 4 * (size_t)a->outputs + 1;
    *to = (struct ec_aig){.inputs = a->inputs + more,
                          .registers = a->registers,
                          .gates = a->gates,
                          .outputs = 1,
                          .assumptions = a->assumptions};
    to->next = copy(a, a->next, a->registers, more);
    to->start = malloc((size_t)a->registers + 1);
    to->assume = copy(a, a->assume, a->assumptions, more);
    to->output = calloc(1, sizeof *to->output);
    to->gate = calloc(2 * room, sizeof *to->gate);
    const uint32_t variables = 1 + a->inputs + a->registers + a->gates;
    t->map = calloc(variables, sizeof *t->map);
    if (!to->next || !to->start || !to->assume || !to->output || !to->gate || !t->map)
        return ec_fail(reterr, EC_MEMORY, "out of memory for two copies of a router");
    memcpy(to->start, a->start, a->registers);
    for (size_t i = 0; i < 2 * (size_t)a->gates; i++)
        to->gate[i] = moved(a, a->gate[i], more);
    for (uint32_t v = 0; v <= a->inputs + a->registers; v++)
        t->map[v] = moved(a, 2 * v, more);
    for (size_t i = 0; i < a->bit_count; i++) {
        if (a->bits[i].input && is_named(&a->bits[i], inputs))
            t->map[1 + a->bits[i].number] = 2 * (a->inputs + more--);
    }
    return EC_OK;
}

enum ec_code ec_prove_moore(const struct ec_aig *a, const char *const *watched,
                            const char *const *inputs, bool *ret_path, struct ec_aig *ret,
                            struct ec_error *reterr)
{
    struct twin t = {.a = a, .to = ret};
    enum ec_code code = open_twin(&t, inputs, reterr);
    *ret_path = false;
    if (code == EC_OK) {
        const uint32_t more = ret->inputs - a->inputs;
        copy_cone(&t);
        for (size_t i = 0; i < a->bit_count; i++) {
            if (a->bits[i].input || !is_named(&a->bits[i], watched))
                continue;
            const uint32_t own = a->output[a->bits[i].number];
            const uint32_t other = t.map[own >> 1] ^ (own & 1);
            if (other != moved(a, own, more)) {
                *ret_path = true;
                ret->output[0] =
                    put_or(ret, ret->output[0], put_xor(ret, moved(a, own, more), other));
            }
        }
    }
    free(t.map);
    return code;
}
