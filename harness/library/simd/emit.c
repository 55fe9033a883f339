/* SPDX-License-Identifier: Apache-2.0 */
/* The generator: straight-line code for a circuit.
 *
 * A signal of several bits is a vector V with a number of 32 bits for each router of the group, or
 * several if it is wider; the bits above its width are 0. A signal of one bit is a *mask*: all 32
 * bits of a lane are that bit. By the Moore rule the outputs are functions of registers only, so
 * there are two parts: `next_part` computes the registers from inputs, and `show_part` the outputs
 * from registers. What depends on registers alone and is needed for the next ones is computed by
 * show_part, too, and kept in the state.
 *
 * Code comes in the order of use: a value is computed where its first user is, and a register is
 * stored as soon as its value is known. Must not know routers beyond the names of their ports. */
#include "simd/emit.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

enum { LIMB = 32 }; /* bits of a number in a lane */

/* Outputs may depend on the reset, but what is kept from them for the next part has seen none. */
enum from { FROM_RESET = 1, FROM_INPUT = 2 };

struct emitter {
    const struct simd_circuit *c;
    const struct ec_tile_shape *shape;
    FILE *out;
    uint8_t *mark; /* [signals] enum mark */
    uint8_t *from; /* [signals] enum from: what of this cycle it depends on */
    bool *kept;    /* [signals] needed by next_part, and not from inputs */
    bool *done;    /* [signals] has been written in this part */
    bool next;     /* next_part is being written */
    enum ec_code code;
    struct ec_error *reterr;
};

static uint32_t limbs(uint32_t width)
{
    return (width + LIMB - 1) / LIMB;
}

static const struct simd_cell *cell_of(const struct emitter *e, uint32_t signal)
{
    return &e->c->cell[e->c->signal[signal].from];
}

static void refuse(struct emitter *e, const struct simd_cell *cell, const char *why)
{
    if (e->code == EC_OK)
        e->code = ec_fail(e->reterr, EC_TOOL,
                          "the router has %s (%.80s %.200s): the engine simd does not know it; use "
                          "--engine verilator",
                          why, cell->type, cell->name);
}

/* --- Numbers and masks ------------------------------------------------------------------------ */

static bool is_mask(const struct emitter *e, struct simd_bit b)
{
    return b.signal != SIMD_CONSTANT && e->c->signal[b.signal].width == 1;
}

/* How many bits from `i` on are consecutive bits of one limb of one signal. */
static uint32_t run_length(const struct simd_bit *bit, uint32_t i, uint32_t end)
{
    uint32_t n = 1;
    while (i + n < end && bit[i + n].signal == bit[i].signal &&
           bit[i + n].offset == bit[i].offset + n && (bit[i].offset + n) % LIMB != 0)
        n++;
    return n;
}

static uint32_t ones(uint32_t n)
{
    return n >= LIMB ? UINT32_MAX : (UINT32_C(1) << n) - 1;
}

/* `n` bits of a limb, moved to bit `to`. */
static void put_slice(const struct emitter *e, struct simd_bit from, uint32_t n, uint32_t to)
{
    const uint32_t at = from.offset % LIMB, limb = from.offset / LIMB;
    const uint32_t width = e->c->signal[from.signal].width - limb * LIMB;
    const uint32_t have = width < LIMB ? width : LIMB;
    if (is_mask(e, from)) {
        fprintf(e->out, "(s%u_0 & 0x%xu)", from.signal, UINT32_C(1) << to);
    } else if (at + n < have || at == to) {
        /* Masked in place, then moved. */
        fputc('(', e->out);
        if (at + n < have || at > 0)
            fprintf(e->out, "(s%u_%u & 0x%xu)", from.signal, limb, ones(n) << at);
        else
            fprintf(e->out, "s%u_%u", from.signal, limb);
        if (at > to)
            fprintf(e->out, " >> %u", at - to);
        else if (to > at)
            fprintf(e->out, " << %u", to - at);
        fputc(')', e->out);
    } else {
        /* These are the highest bits that the limb has. */
        fprintf(e->out, "((s%u_%u >> %u) << %u)", from.signal, limb, at, to);
    }
}

/* Limb `k` of bits as a number; those beyond `limit` bits are 0. */
static void put_number(const struct emitter *e, struct simd_bits bits, uint32_t k, uint32_t limit)
{
    const uint32_t first = k * LIMB, all = bits.count < limit ? bits.count : limit;
    const uint32_t end = all < first + LIMB ? all : first + LIMB;
    uint32_t constant = 0;
    bool some = false;
    fputc('(', e->out);
    for (uint32_t i = first; i < end;) {
        const struct simd_bit b = bits.bit[i];
        if (b.signal == SIMD_CONSTANT) {
            constant |= b.offset << (i - first);
            i++;
            continue;
        }
        const uint32_t n = run_length(bits.bit, i, end);
        fputs(some ? " | " : "", e->out);
        put_slice(e, b, n, i - first);
        some = true;
        i += n;
    }
    if (constant != 0 || !some)
        fprintf(e->out, "%sfill(0x%xu)", some ? " | " : "", constant);
    fputc(')', e->out);
}

/* A bit as a mask. */
static void put_mask(const struct emitter *e, struct simd_bit b)
{
    if (b.signal == SIMD_CONSTANT)
        fprintf(e->out, "fill(%s)", b.offset ? "~0u" : "0");
    else if (is_mask(e, b))
        fprintf(e->out, "s%u_0", b.signal);
    else
        fprintf(e->out, "bit_mask(s%u_%u, %u)", b.signal, b.offset / LIMB, b.offset % LIMB);
}

/* Some bit is 1, as a mask. */
static void put_any(const struct emitter *e, struct simd_bits bits)
{
    if (bits.count == 1) {
        put_mask(e, bits.bit[0]);
        return;
    }
    fputs("nonzero(", e->out);
    for (uint32_t k = 0; k < limbs(bits.count); k++) {
        fputs(k > 0 ? " | " : "", e->out);
        put_number(e, bits, k, bits.count);
    }
    fputc(')', e->out);
}

/* All are 1. */
static void put_all(const struct emitter *e, struct simd_bits bits)
{
    if (bits.count == 1) {
        put_mask(e, bits.bit[0]);
        return;
    }
    for (uint32_t k = 0; k < limbs(bits.count); k++) {
        fputs(k > 0 ? " & equal(" : "equal(", e->out);
        put_number(e, bits, k, bits.count);
        fprintf(e->out, ", fill(0x%xu))", ones(bits.count - k * LIMB));
    }
}

/* --- Cells ------------------------------------------------------------------------------------ */

/* The number that the result is a part of: a mask for one bit, else limb `k` of bits. */
static void put_value(const struct emitter *e, struct simd_bits bits, uint32_t k, uint32_t width)
{
    if (width > 1)
        put_number(e, bits, k, width);
    else if (bits.count > 0)
        put_mask(e, bits.bit[0]);
    else
        fputs("fill(0)", e->out);
}

static void put_bitwise(const struct emitter *e, const struct simd_cell *cell, uint32_t k,
                        uint32_t width)
{
    const char op = cell->type[1] == 'a' ? '&' : cell->type[1] == 'o' ? '|' : '^';
    put_value(e, cell->in[SIMD_A], k, width);
    fprintf(e->out, " %c ", op);
    put_value(e, cell->in[SIMD_B], k, width);
}

static void put_not(const struct emitter *e, const struct simd_cell *cell, uint32_t k,
                    uint32_t width)
{
    fputc('~', e->out);
    put_value(e, cell->in[SIMD_A], k, width);
    if (width > 1)
        fprintf(e->out, " & 0x%xu", ones(width - k * LIMB));
}

/* Of equal selections at most one is 1. */
static void put_select(const struct emitter *e, const struct simd_cell *cell, uint32_t k,
                       uint32_t width)
{
    const struct simd_bits *s = &cell->in[SIMD_S];
    for (uint32_t i = 0; i < s->count; i++) {
        const struct simd_bits b = {cell->in[SIMD_B].bit + (size_t)i * width, width};
        fputs("pick(", e->out);
        put_mask(e, s->bit[i]);
        fputs(", ", e->out);
        put_value(e, b, k, width);
        fputs(", ", e->out);
    }
    put_value(e, cell->in[SIMD_A], k, width);
    for (uint32_t i = 0; i < s->count; i++)
        fputc(')', e->out);
}

static void put_arithmetic(struct emitter *e, const struct simd_cell *cell, uint32_t width)
{
    const bool negative = strcmp(cell->type, "$neg") == 0;
    if (width > LIMB)
        refuse(e, cell, "arithmetic of more than 32 bits");
    fputs(width == 1 ? "bit_mask(" : "(", e->out);
    if (!negative)
        put_number(e, cell->in[SIMD_A], 0, width > 1 ? width : 1);
    fputs(cell->type[1] == 'a' ? " + " : cell->type[1] == 'm' ? " * " : " - ", e->out);
    put_number(e, cell->in[negative ? SIMD_A : SIMD_B], 0, width);
    if (width == 1)
        fputs(", 0)", e->out);
    else
        fprintf(e->out, ") & 0x%xu", ones(width));
}

static void put_equal(const struct emitter *e, const struct simd_cell *cell)
{
    const struct simd_bits a = cell->in[SIMD_A], b = cell->in[SIMD_B];
    const uint32_t width = a.count > b.count ? a.count : b.count;
    if (cell->type[1] == 'n')
        fputc('~', e->out);
    if (width == 1) {
        fputs("~(", e->out);
        put_mask(e, a.bit[0]);
        fputs(" ^ ", e->out);
        put_mask(e, b.bit[0]);
        fputc(')', e->out);
        return;
    }
    fputs("equal(", e->out);
    for (uint32_t k = 0; k < limbs(width); k++) {
        fputs(k > 0 ? " | (" : "(", e->out);
        put_number(e, a, k, width);
        fputs(width > LIMB ? " ^ " : "), (", e->out);
        put_number(e, b, k, width);
        fputc(')', e->out);
    }
    fputs(width > LIMB ? ", fill(0))" : ")", e->out);
}

static void put_order(struct emitter *e, const struct simd_cell *cell)
{
    const struct simd_bits a = cell->in[SIMD_A], b = cell->in[SIMD_B];
    const bool less = cell->type[1] == 'l', also_equal = cell->type[2] == 'e';
    /* a <= b is !(b < a). */
    const bool swap = less == also_equal;
    if (a.count >= LIMB || b.count >= LIMB)
        refuse(e, cell, "a comparison of more than 31 bits");
    fputs(also_equal ? "~less(" : "less(", e->out);
    put_number(e, swap ? b : a, 0, LIMB);
    fputs(", ", e->out);
    put_number(e, swap ? a : b, 0, LIMB);
    fputc(')', e->out);
}

/* A distance with a sign would shift to the other side. */
static void check_distance(struct emitter *e, const struct simd_cell *cell)
{
    const struct simd_bits distance = cell->in[SIMD_B];
    const struct simd_bit top = distance.bit[distance.count - 1];
    if (simd_parameter(cell, "B_SIGNED") != 0 && (top.signal != SIMD_CONSTANT || top.offset != 0))
        refuse(e, cell, "a shift to both sides");
}

static bool is_wide_shift(const struct simd_cell *cell, uint32_t width)
{
    enum { STEPS = 5 }; /* bits of a distance that is less than LIMB */
    return cell->in[SIMD_A].count > LIMB || cell->in[SIMD_B].count > STEPS || width > LIMB;
}

/* In steps of powers of two, one for each bit of the distance. */
static void put_wide_shift(struct emitter *e, const struct simd_cell *cell, uint32_t width)
{
    const struct simd_bits a = cell->in[SIMD_A], distance = cell->in[SIMD_B];
    const uint32_t count = limbs(a.count > width ? a.count : width);
    check_distance(e, cell);
    fprintf(e->out, "V w%u[%u] = {", cell->signal, count);
    for (uint32_t k = 0; k < count; k++) {
        fputs(k > 0 ? ", " : "", e->out);
        put_number(e, a, k, count * LIMB);
    }
    fputs("};\n", e->out);
    for (uint32_t i = 0; i < distance.count; i++) {
        const bool beyond = i >= LIMB || UINT32_C(1) << i > count * LIMB;
        fprintf(e->out, "shift_%s<%u>(w%u, ", strcmp(cell->type, "$shl") == 0 ? "left" : "right",
                beyond ? count * LIMB : UINT32_C(1) << i, cell->signal);
        put_mask(e, distance.bit[i]);
        fputs(");\n", e->out);
    }
    for (uint32_t k = 0; k < limbs(width); k++)
        fprintf(e->out,
                width == 1 ? "const V s%u_%u = bit_mask(w%u[%u], 0);\n"
                           : "const V s%u_%u = w%u[%u] & 0x%xu;\n",
                cell->signal, k, cell->signal, k, ones(width - k * LIMB));
}

static void put_shift(struct emitter *e, const struct simd_cell *cell, uint32_t width)
{
    check_distance(e, cell);
    fputs(width == 1 ? "bit_mask(" : "(", e->out);
    put_number(e, cell->in[SIMD_A], 0, LIMB);
    fputs(strcmp(cell->type, "$shl") == 0 ? " << " : " >> ", e->out);
    put_number(e, cell->in[SIMD_B], 0, LIMB);
    if (width == 1)
        fputs(", 0)", e->out);
    else
        fprintf(e->out, ") & 0x%xu", ones(width));
}

static void put_logic(struct emitter *e, const struct simd_cell *cell)
{
    if (strcmp(cell->type, "$logic_not") == 0) {
        fputc('~', e->out);
        put_any(e, cell->in[SIMD_A]);
        return;
    }
    put_any(e, cell->in[SIMD_A]);
    fputs(strcmp(cell->type, "$logic_and") == 0 ? " & " : " | ", e->out);
    put_any(e, cell->in[SIMD_B]);
}

static void put_parity(const struct emitter *e, const struct simd_cell *cell)
{
    fputs(strcmp(cell->type, "$reduce_xnor") == 0 ? "~parity(" : "parity(", e->out);
    for (uint32_t k = 0; k < limbs(cell->in[SIMD_A].count); k++) {
        fputs(k > 0 ? " ^ " : "", e->out);
        put_number(e, cell->in[SIMD_A], k, cell->in[SIMD_A].count);
    }
    fputc(')', e->out);
}

enum family {
    BITWISE,
    NOT,
    SELECT,
    ARITHMETIC,
    EQUAL,
    ORDER,
    SHIFT,
    LOGIC,
    ANY,
    ALL,
    PARITY,
    UNKNOWN
};

static enum family family_of(const struct simd_cell *cell)
{
    static const struct {
        const char *type;
        enum family family;
    } families[] = {
        {"$and", BITWISE},       {"$or", BITWISE},         {"$xor", BITWISE},
        {"$not", NOT},           {"$mux", SELECT},         {"$pmux", SELECT},
        {"$add", ARITHMETIC},    {"$sub", ARITHMETIC},     {"$mul", ARITHMETIC},
        {"$neg", ARITHMETIC},    {"$eq", EQUAL},           {"$ne", EQUAL},
        {"$eqx", EQUAL},         {"$nex", EQUAL},          {"$lt", ORDER},
        {"$le", ORDER},          {"$gt", ORDER},           {"$ge", ORDER},
        {"$shl", SHIFT},         {"$shr", SHIFT},          {"$shiftx", SHIFT},
        {"$logic_not", LOGIC},   {"$logic_and", LOGIC},    {"$logic_or", LOGIC},
        {"$reduce_or", ANY},     {"$reduce_bool", ANY},    {"$reduce_and", ALL},
        {"$reduce_xor", PARITY}, {"$reduce_xnor", PARITY},
    };
    size_t i = 0;
    while (i < sizeof families / sizeof *families && strcmp(families[i].type, cell->type) != 0)
        i++;
    return i < sizeof families / sizeof *families ? families[i].family : UNKNOWN;
}

static void put_cell_limb(struct emitter *e, const struct simd_cell *cell, uint32_t k,
                          uint32_t width)
{
    switch (family_of(cell)) {
    case BITWISE:
        put_bitwise(e, cell, k, width);
        break;
    case NOT:
        put_not(e, cell, k, width);
        break;
    case SELECT:
        put_select(e, cell, k, width);
        break;
    case ARITHMETIC:
        put_arithmetic(e, cell, width);
        break;
    case EQUAL:
        put_equal(e, cell);
        break;
    case ORDER:
        put_order(e, cell);
        break;
    case SHIFT:
        put_shift(e, cell, width);
        break;
    case LOGIC:
        put_logic(e, cell);
        break;
    case ANY:
        put_any(e, cell->in[SIMD_A]);
        break;
    case ALL:
        put_all(e, cell->in[SIMD_A]);
        break;
    case PARITY:
        put_parity(e, cell);
        break;
    case UNKNOWN:
        refuse(e, cell, "a cell of another kind");
        break;
    }
}

static bool is_truth(const struct simd_cell *cell)
{
    const enum family f = family_of(cell);
    return f == EQUAL || f == ORDER || f >= LOGIC;
}

/* Does the sign of an operand matter? Not if there are no bits to extend. */
static bool is_signed(const struct simd_cell *cell, uint32_t width)
{
    const uint32_t a = cell->in[SIMD_A].count, b = cell->in[SIMD_B].count;
    const enum family f = family_of(cell);
    if (simd_parameter(cell, "A_SIGNED") == 0 &&
        (simd_parameter(cell, "B_SIGNED") == 0 || f == SHIFT))
        return false;
    if (f == EQUAL)
        return a != b;
    if (f == BITWISE || f == ARITHMETIC || f == NOT)
        return a < width || (b < width && b > 0);
    return f != LOGIC && f != ANY && f != ALL && f != PARITY;
}

static void put_cell(struct emitter *e, const struct simd_cell *cell)
{
    const uint32_t width = e->c->signal[cell->signal].width;
    if (is_signed(cell, width))
        refuse(e, cell, "signed arithmetic");
    if (family_of(cell) == SHIFT && is_wide_shift(cell, width)) {
        put_wide_shift(e, cell, width);
        return;
    }
    for (uint32_t k = 0; k < limbs(width) && e->code == EC_OK; k++) {
        const bool number = width > 1 && is_truth(cell);
        fprintf(e->out, "const V s%u_%u = %s", cell->signal, k,
                !number  ? "("
                : k == 0 ? "fill(1) & ("
                         : "fill(0) & (");
        put_cell_limb(e, cell, k, width);
        fputs(");\n", e->out);
    }
}

/* --- Memories --------------------------------------------------------------------------------- */

static struct simd_bits part_of(struct simd_bits bits, uint32_t which, uint32_t width)
{
    return (struct simd_bits){bits.bit + (size_t)which * width, width};
}

static void put_read(const struct emitter *e, uint32_t signal)
{
    const struct simd_cell *cell = cell_of(e, signal);
    const struct simd_signal *s = &e->c->signal[signal];
    const uint32_t n = limbs(s->width);
    fprintf(e->out, "V s%u[%u];\nread_memory<%u, %u>(s.m%u, ", signal, n, cell->size, n,
            cell->signal);
    put_number(e, part_of(cell->in[SIMD_RD_ADDR], s->read, cell->address), 0, cell->address);
    fprintf(e->out, ", s%u);\n", signal);
    for (uint32_t k = 0; k < n; k++)
        fprintf(e->out, "const V s%u_%u = %ss%u[%u]%s;\n", signal, k,
                s->width == 1 ? "bit_mask(" : "", signal, k, s->width == 1 ? ", 0)" : "");
}

static void put_write(const struct emitter *e, const struct simd_cell *cell)
{
    const uint32_t width = cell->in[SIMD_WR_DATA].count;
    fprintf(e->out, "{\nconst V d[] = {");
    for (uint32_t k = 0; k < limbs(width); k++) {
        put_number(e, cell->in[SIMD_WR_DATA], k, width);
        fputs(", ", e->out);
    }
    fprintf(e->out, "};\nwrite_memory<%u, %u>(s.m%u, ", cell->size, limbs(width), cell->signal);
    put_mask(e, cell->in[SIMD_WR_EN].bit[0]);
    fputs(", ", e->out);
    put_number(e, part_of(cell->in[SIMD_WR_ADDR], 0, cell->address), 0, cell->address);
    fputs(", d);\n}\n", e->out);
}

/* --- The order of the code -------------------------------------------------------------------- */

/* The pins through which a cell sees other signals in a cycle: all, or of a memory its addresses
 * for reading. */
static bool is_seen(const struct simd_cell *cell, enum simd_pin p)
{
    return cell->role != SIMD_MEMORY || p == SIMD_RD_ADDR;
}

static bool is_place_pin(const struct simd_port *p)
{
    return strcmp(p->name, "link_i") != 0 && strcmp(p->name, "credit_i") != 0;
}

static uint8_t from_port(const struct simd_port *p)
{
    if (strcmp(p->name, "rst_i") == 0)
        return FROM_RESET;
    return is_place_pin(p) ? 0 : FROM_INPUT;
}

/* Which signals depend on inputs, and whether there are loops of logic. Pins of the place do not
 * change. */
static void classify(struct emitter *e, uint32_t signal)
{
    enum { UNSEEN, ACTIVE, FINISHED };
    const struct simd_signal *s = &e->c->signal[signal];
    if (e->mark[signal] == FINISHED || s->kind == SIMD_STATE)
        return;
    if (s->kind != SIMD_VALUE) {
        e->from[signal] = s->kind == SIMD_INPUT ? from_port(&e->c->port[s->from]) : 0;
        return;
    }
    const struct simd_cell *cell = cell_of(e, signal);
    if (e->mark[signal] == ACTIVE) {
        refuse(e, cell, "a loop of logic");
        return;
    }
    e->mark[signal] = ACTIVE;
    for (enum simd_pin p = 0; p < SIMD_PINS; p++) {
        for (uint32_t i = 0; is_seen(cell, p) && i < cell->in[p].count; i++) {
            const uint32_t from = cell->in[p].bit[i].signal;
            if (from == SIMD_CONSTANT)
                continue;
            classify(e, from);
            e->from[signal] |= e->from[from];
        }
    }
    e->mark[signal] = FINISHED;
}

static void write_signal(struct emitter *e, uint32_t signal);

static void write_needed(struct emitter *e, struct simd_bits bits)
{
    for (uint32_t i = 0; i < bits.count; i++) {
        if (bits.bit[i].signal != SIMD_CONSTANT)
            write_signal(e, bits.bit[i].signal);
    }
}

static void write_input(struct emitter *e, uint32_t signal)
{
    const struct simd_signal *s = &e->c->signal[signal];
    const struct simd_port *p = &e->c->port[s->from];
    if (strcmp(p->name, "rst_i") == 0) {
        fprintf(e->out, "const V s%u_0 = fill(Reset ? ~0u : 0);\n", signal);
        return;
    }
    for (uint32_t k = 0; k < limbs(s->width); k++)
        fprintf(e->out, "const V s%u_%u = %s%s.%s[%u]%s;\n", signal, k,
                s->width == 1 ? "bit_mask(" : "", is_place_pin(p) ? "pins" : "in", p->name, k,
                s->width == 1 ? ", 0)" : "");
}

static void write_signal(struct emitter *e, uint32_t signal)
{
    const struct simd_signal *s = &e->c->signal[signal];
    if (e->done[signal] || e->code != EC_OK)
        return;
    e->done[signal] = true;
    if (s->kind == SIMD_CLOCK) {
        e->code = ec_fail(e->reterr, EC_TOOL,
                          "the router uses its clock as data: the engine simd "
                          "does not know that; use --engine verilator");
    } else if (s->kind == SIMD_INPUT) {
        write_input(e, signal);
    } else if (s->kind == SIMD_STATE || (e->next && !e->from[signal])) {
        for (uint32_t k = 0; k < limbs(s->width); k++)
            fprintf(e->out, "const V s%u_%u = s.s%u[%u];\n", signal, k, signal, k);
        e->kept[signal] |= s->kind == SIMD_VALUE;
    } else {
        const struct simd_cell *cell = cell_of(e, signal);
        for (enum simd_pin p = 0; p < SIMD_PINS; p++) {
            if (is_seen(cell, p))
                write_needed(e, cell->in[p]);
        }
        if (cell->role == SIMD_MEMORY)
            put_read(e, signal);
        else
            put_cell(e, cell);
    }
}

/* --- The next registers ----------------------------------------------------------------------- */

/* The reset or enable of a register, up to the value where it is 1. */
static void put_control(const struct emitter *e, const struct simd_cell *cell, enum simd_pin p,
                        const char *polarity)
{
    fprintf(e->out, "pick(%s", simd_parameter(cell, polarity) != 0 ? "" : "~");
    put_mask(e, cell->in[p].bit[0]);
    fputs(", ", e->out);
}

static void put_reset(const struct emitter *e, const struct simd_cell *cell, uint32_t k,
                      uint32_t width)
{
    const char *value =
        json_string_value(json_object_get(json_object_get(cell->json, "parameters"), "SRST_VALUE"));
    const size_t length = value != NULL ? strlen(value) : 0;
    uint32_t number = 0;
    for (size_t i = 0; i < LIMB && k * LIMB + i < length; i++)
        number |= (uint32_t)(value[length - 1 - k * LIMB - i] == '1') << i;
    put_control(e, cell, SIMD_SRST, "SRST_POLARITY");
    fprintf(e->out, "fill(0x%xu), ", width == 1 ? -number : number);
}

static void put_next(const struct emitter *e, const struct simd_cell *cell, uint32_t k,
                     uint32_t width)
{
    const bool enabled = cell->in[SIMD_EN].count > 0, resets = cell->in[SIMD_SRST].count > 0;
    const bool outside = strcmp(cell->type, "$sdffce") == 0; /* no reset without the enable */
    if (enabled && outside)
        put_control(e, cell, SIMD_EN, "EN_POLARITY");
    if (resets)
        put_reset(e, cell, k, width);
    if (enabled && !outside)
        put_control(e, cell, SIMD_EN, "EN_POLARITY");
    put_value(e, cell->in[SIMD_D], k, width);
    if (enabled && !outside)
        fprintf(e->out, ", s%u_%u)", cell->signal, k);
    fputs(resets ? ")" : "", e->out);
    if (enabled && outside)
        fprintf(e->out, ", s%u_%u)", cell->signal, k);
}

/* A register that has been stored can no longer be read: all have been loaded before. */
static void write_register(struct emitter *e, const struct simd_cell *cell)
{
    const uint32_t width = e->c->signal[cell->signal].width;
    for (enum simd_pin p = SIMD_D; p <= SIMD_SRST; p++)
        write_needed(e, cell->in[p]);
    write_signal(e, cell->signal);
    for (uint32_t k = 0; k < limbs(width) && e->code == EC_OK; k++) {
        fprintf(e->out, "s.s%u[%u] = ", cell->signal, k);
        put_next(e, cell, k, width);
        fputs(";\n", e->out);
    }
}

/* Reads whose addresses come from inputs see the words before this cycle. */
static void write_reads(struct emitter *e)
{
    for (uint32_t n = 0; n < e->c->signals; n++) {
        if (e->c->signal[n].kind == SIMD_VALUE && cell_of(e, n)->role == SIMD_MEMORY && e->from[n])
            write_signal(e, n);
    }
}

static void write_next(struct emitter *e)
{
    e->next = true;
    fputs("template <bool Reset>\nstatic inline __attribute__((always_inline)) void\n"
          "next_part(State &s, const Pins &pins, const Inputs &in)\n{\n(void)pins, (void)in;\n",
          e->out);
    write_reads(e);
    for (size_t i = 0; i < e->c->cells; i++) {
        const struct simd_cell *cell = &e->c->cell[i];
        if (cell->role == SIMD_REGISTER) {
            write_register(e, cell);
        } else if (cell->role == SIMD_MEMORY) {
            for (enum simd_pin p = SIMD_WR_ADDR; p <= SIMD_WR_EN; p++)
                write_needed(e, cell->in[p]);
            put_write(e, cell);
        }
    }
    fputs("}\n", e->out);
}

/* --- Outputs ---------------------------------------------------------------------------------- */

static void write_output(struct emitter *e, const struct simd_port *p)
{
    for (uint32_t i = 0; i < p->bits.count; i++) {
        const uint32_t signal = p->bits.bit[i].signal;
        if (signal != SIMD_CONSTANT && (e->from[signal] & FROM_INPUT) && e->code == EC_OK)
            e->code = ec_fail(
                e->reterr, EC_TOOL,
                "output %s, bit %u depends on an input of the same cycle (Moore rule)", p->name, i);
    }
    write_needed(e, p->bits);
    for (uint32_t k = 0; k < limbs(p->width); k++) {
        fprintf(e->out, "out.%s[%u] = ", p->name, k);
        put_number(e, p->bits, k, p->width);
        fputs(";\n", e->out);
    }
}

static bool has_port(const struct emitter *e, const char *name)
{
    size_t k = 0;
    while (k < e->c->ports && strcmp(e->c->port[k].name, name) != 0)
        k++;
    return k < e->c->ports;
}

/* A router has all taps or none (contract, section 12). */
static bool has_taps(const struct emitter *e)
{
    return has_port(e, "contended_o") && has_port(e, "starved_o") && has_port(e, "want_o");
}

static bool is_shown(const struct emitter *e, const struct simd_port *p)
{
    const bool needed = strcmp(p->name, "link_o") == 0 || strcmp(p->name, "credit_o") == 0 ||
                        strcmp(p->name, "quiet_o") == 0;
    return !p->input && (needed || has_taps(e));
}

static void write_show(struct emitter *e)
{
    e->next = false;
    memset(e->done, 0, e->c->signals * sizeof *e->done);
    fputs("static inline __attribute__((always_inline)) void\n"
          "show_part(State &s, const Pins &pins, Outputs &out)\n{\n"
          "constexpr bool Reset = false;\n(void)pins, (void)Reset;\n",
          e->out);
    for (uint32_t n = 0; n < e->c->signals; n++) {
        if (!e->kept[n])
            continue;
        write_signal(e, n);
        for (uint32_t k = 0; k < limbs(e->c->signal[n].width); k++)
            fprintf(e->out, "s.s%u[%u] = s%u_%u;\n", n, k, n, k);
    }
    for (size_t i = 0; i < e->c->ports; i++) {
        if (is_shown(e, &e->c->port[i]))
            write_output(e, &e->c->port[i]);
    }
    fputs("}\n", e->out);
}

/* --- Declarations ----------------------------------------------------------------------------- */

static void declare(const struct emitter *e, char kind, const struct simd_cell *cell,
                    uint32_t width, FILE *bits)
{
    const uint32_t words = kind == 'm' ? cell->size : 1;
    fprintf(e->out, "V %c%u[%u];\n", kind, cell->signal, words * limbs(width));
    for (uint32_t i = 0; i < words * limbs(width); i++)
        fprintf(bits, "0x%xu,\n",
                kind == 's' && width == 1 ? 0 : ones(width - i % limbs(width) * LIMB));
}

/* The state, and which bits each of its numbers has, as far as it may start at random: 0: a mask.
 */
static void declare_state(const struct emitter *e, FILE *bits)
{
    fputs("struct State {\n", e->out);
    fputs("static const uint32_t state_bits[] = {\n", bits);
    for (size_t i = 0; i < e->c->cells; i++) {
        const struct simd_cell *cell = &e->c->cell[i];
        if (cell->role == SIMD_REGISTER && !cell->starts)
            declare(e, 's', cell, e->c->signal[cell->signal].width, bits);
        else if (cell->role == SIMD_MEMORY)
            declare(e, 'm', cell, cell->in[SIMD_WR_DATA].count, bits);
    }
    for (uint32_t n = 0; n < e->c->signals; n++) {
        if (e->kept[n] || (e->c->signal[n].kind == SIMD_STATE && cell_of(e, n)->starts))
            fprintf(e->out, "V s%u[%u];\n", n, limbs(e->c->signal[n].width));
    }
    fputs("};\n", e->out);
    fputs("};\n", bits);
}

/* NULL: the port is as in the contract. */
static const char *judge_port(const struct simd_port *p, bool input, uint32_t width)
{
    if (p->input != input)
        return input ? "expected an input" : "expected an output";
    return p->width != width ? "its width is not that of the contract" : NULL;
}

/* The ports of the contract (docs/ROUTER-CONTRACT.md, sections 3, 4 and 8), declared as vectors.
 * Those that a user's router lacks stay 0. */
static enum ec_code declare_ports(const struct emitter *e, FILE *out)
{
    const struct ec_tile_shape *s = e->shape;
    const uint32_t ports = s->dims * s->links_per_dim + s->locals, a = s->address_bits;
    const uint32_t bufs = ports * s->vcs;
    static const char outputs[] = "Outputs";
    const struct {
        const char *name, *group; /* NULL: not declared */
        uint32_t width;
        bool optional;
    } contract[] = {
        {"clk_i", NULL, 1, false},
        {"rst_i", NULL, 1, false},
        {"coord_i", "Pins", a, false},
        {"mask_i", "Pins", a * s->dims, false},
        {"radix_i", "Pins", (a + 1) * s->dims, false},
        {"wrap_i", "Pins", s->dims, false},
        {"dateline_i", "Pins", 1, false},
        {"classes_i", "Pins", 1, true},
        {"balanced_i", "Pins", 1, true},
        {"order_high_i", "Pins", 1, false},
        {"switching_i", "Pins", 2, false},
        {"depth_i", "Pins", 16, false},
        {"packet_i", "Pins", 16, false},
        {"link_i", "Inputs", 64 * ports, false},
        {"credit_i", "Inputs", bufs, false},
        {"link_o", outputs, 64 * ports, false},
        {"credit_o", outputs, bufs, false},
        {"contended_o", outputs, bufs, true},
        {"starved_o", outputs, bufs, true},
        {"want_o", outputs, 8 * bufs, true},
        {"quiet_o", outputs, 1, true},
    };
    const char *group = NULL;
    size_t known = 0;
    for (size_t i = 0; i < sizeof contract / sizeof *contract; i++) {
        size_t k = 0;
        while (k < e->c->ports && strcmp(e->c->port[k].name, contract[i].name) != 0)
            k++;
        const bool there = k < e->c->ports;
        const char *wrong =
            there ? judge_port(&e->c->port[k], contract[i].group != outputs, contract[i].width)
            : contract[i].optional ? NULL
                                   : "the router lacks it";
        known += there;
        if (wrong != NULL)
            return ec_fail(e->reterr, EC_TOOL, "port %s, %u bits: %s", contract[i].name,
                           contract[i].width, wrong);
        if (contract[i].group == NULL)
            continue;
        if (group != contract[i].group)
            fprintf(out, "%sstruct %s {\n", group != NULL ? "};\n" : "", contract[i].group);
        group = contract[i].group;
        fprintf(out, "V %s[%u];\n", contract[i].name, limbs(contract[i].width));
    }
    fprintf(out, "};\n#define EC_SHAPE_HAS_TAPS %d\n#define EC_SHAPE_HAS_QUIET %d\n", has_taps(e),
            has_port(e, "quiet_o"));
    return known == e->c->ports ? EC_OK
                                : ec_fail(e->reterr, EC_TOOL,
                                          "the router has ports that are not in the contract: the "
                                          "engine simd does not know them; use --engine verilator");
}

/* The parts are written first: they find out what has to be kept in the state. */
static enum ec_code emit_parts(struct emitter *e, FILE *to)
{
    enum { STATE, BITS, PARTS, TEXTS };
    char *text[TEXTS] = {NULL};
    size_t size;
    FILE *file[TEXTS];
    bool room = true;
    for (unsigned i = 0; i < TEXTS; i++) {
        file[i] = open_memstream(&text[i], &size);
        room = room && file[i] != NULL;
    }
    if (room) {
        e->out = file[PARTS];
        write_next(e);
        write_show(e);
        e->out = file[STATE];
        declare_state(e, file[BITS]);
    }
    for (unsigned i = 0; i < TEXTS; i++)
        room = (file[i] == NULL || fclose(file[i]) == 0) && room;
    for (unsigned i = 0; i < TEXTS; i++) {
        if (room && e->code == EC_OK)
            fputs(text[i], to);
        free(text[i]);
    }
    return room ? e->code : ec_fail(e->reterr, EC_MEMORY, "out of memory for the code of a router");
}

static enum ec_code emit_checked(struct emitter *e, FILE *to)
{
    e->code = declare_ports(e, to);
    for (uint32_t n = 0; n < e->c->signals && e->code == EC_OK; n++)
        classify(e, n);
    return e->code == EC_OK ? emit_parts(e, to) : e->code;
}

enum ec_code simd_emit(const struct simd_circuit *c, const struct ec_tile_shape *shape, FILE *out,
                       struct ec_error *reterr)
{
    struct emitter e = {.c = c, .shape = shape, .reterr = reterr};
    struct ec_arrays arrays = {0};
    EC_ARRAY(&arrays, e.mark, c->signals);
    EC_ARRAY(&arrays, e.from, c->signals);
    EC_ARRAY(&arrays, e.kept, c->signals);
    EC_ARRAY(&arrays, e.done, c->signals);
    const enum ec_code code =
        arrays.memory_short ? ec_fail(reterr, EC_MEMORY, "out of memory for the code of a router")
                            : emit_checked(&e, out);
    ec_arrays_free(&arrays);
    return code;
}
