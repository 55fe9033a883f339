/* SPDX-License-Identifier: Apache-2.0 */
/* Reads words and credits out of the bits of a counterexample. Knows the layout of words and the
 * names of the circuit's ports; must not know properties. */
#include "prove/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"

/* The bits of all cycles. */
struct bits {
    const struct ec_aig *a;
    const uint8_t *inputs;
    uint8_t *outputs; /* owned */
};

static enum ec_code bits_open(const struct ec_aig *a, const uint8_t *inputs, unsigned cycles,
                              struct bits *ret, struct ec_error *reterr)
{
    bool legal;
    *ret = (struct bits){a, inputs, malloc((cycles + 1) * (size_t)a->outputs + 1)};
    return ret->outputs != NULL
               ? ec_aig_simulate(a, inputs, cycles + 1, ret->outputs, &legal, reterr)
               : ec_fail(reterr, EC_MEMORY, "out of memory for a counterexample");
}

static bool bit_of(const struct bits *b, const struct ec_aig_bit *bit, unsigned cycle)
{
    const uint8_t *row = bit->input ? b->inputs + cycle * (size_t)b->a->inputs
                                    : b->outputs + cycle * (size_t)b->a->outputs;
    return row[bit->number] != 0;
}

/* Bits that the circuit does not have are 0. */
static uint64_t field(const struct bits *b, bool input, const char *name, unsigned cycle,
                      unsigned from, unsigned width)
{
    uint64_t value = 0;
    for (size_t i = 0; i < b->a->bit_count; i++) {
        const struct ec_aig_bit *bit = &b->a->bits[i];
        if (bit->input == input && bit->bit >= from && bit->bit - from < width &&
            bit->bit - from < 64 && strcmp(bit->name, name) == 0)
            value |= (uint64_t)bit_of(b, bit, cycle) << (bit->bit - from);
    }
    return value;
}

static uint64_t inside(const struct bits *b, const char *name, unsigned cycle, unsigned from,
                       unsigned width)
{
    char full[64];
    snprintf(full, sizeof full, EC_PROVE_INSIDE "%s", name);
    return field(b, false, full, cycle, from, width);
}

/* --- Events ----------------------------------------------------------------------------------- */

struct writer {
    const struct ec_prove_case *c;
    struct bits bits;
    struct ec_prove_trace *to;
    size_t room;
    bool failed;
};

static void put(struct writer *w, unsigned cycle, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void put(struct writer *w, unsigned cycle, const char *format, ...)
{
    struct ec_prove_event *events =
        ec_list_grow(w->to->events, sizeof *events, w->to->count, &w->room);
    va_list args;
    w->failed = w->failed || events == NULL;
    if (events == NULL)
        return;
    w->to->events = events;
    events[w->to->count].cycle = cycle;
    va_start(args, format);
    vsnprintf(events[w->to->count++].text, sizeof events->text, format, args);
    va_end(args);
}

/* "+x", "dim1", "local" or "local2", as in waves; with several VCs "+x, VC 1". */
static void name_port(const struct ec_tile_shape *s, unsigned port, unsigned vc, char *buffer,
                      size_t size)
{
    static const char axes[] = "xyzw";
    const unsigned links = s->dims * s->links_per_dim;
    int used;
    if (port >= links && s->locals == 1)
        used = snprintf(buffer, size, "local");
    else if (port >= links)
        used = snprintf(buffer, size, "local%u", port - links);
    else if (s->links_per_dim == 2 && port / 2 < sizeof axes - 1)
        used = snprintf(buffer, size, "%c%c", port % 2 == 0 ? '+' : '-', axes[port / 2]);
    else if (s->links_per_dim == 2)
        used = snprintf(buffer, size, "%cdim%u", port % 2 == 0 ? '+' : '-', port / 2);
    else
        used = snprintf(buffer, size, "dim%u", port);
    if (s->vcs > 1)
        snprintf(buffer + used, size - (size_t)used, ", VC %u", vc);
}

/* A word that begins at bit `from` of a port, with fields of `address` and `data` bits. */
static void put_word(struct writer *w, bool input, const char *name, unsigned cycle, unsigned port,
                     unsigned address, unsigned data)
{
    const unsigned vc_bits = ec_prove_vc_bits(w->c), width = 3 + vc_bits + 2 * address + data;
    const unsigned from = port * width, dst = from + data + address, vc = dst + address;
    const struct bits *b = &w->bits;
    const unsigned own = w->c->shape.paths == 2 ? address / 2 : address; /* of the destination */
    char place[60], way[24] = "";
    if (!field(b, input, name, cycle, from + width - 1, 1))
        return;
    if (own < address)
        snprintf(way, sizeof way, " by way of %u",
                 (unsigned)field(b, input, name, cycle, dst + own, own));
    const bool head = field(b, input, name, cycle, from + width - 2, 1) != 0;
    const bool tail = field(b, input, name, cycle, from + width - 3, 1) != 0;
    name_port(&w->c->shape, port, (unsigned)field(b, input, name, cycle, vc, vc_bits), place,
              sizeof place);
    put(w, cycle, "%s %s: %s for %u%s, data %u", input ? "in " : "out", place,
        head   ? (tail ? "single word" : "head")
        : tail ? "tail"
               : "body",
        (unsigned)field(b, input, name, cycle, dst, own), way,
        (unsigned)field(b, input, name, cycle, from, data < 32 ? data : 32));
}

static void put_credits(struct writer *w, bool input, const char *name, unsigned cycle)
{
    const unsigned vcs = w->c->shape.vcs;
    char place[60];
    for (unsigned i = 0; i < ec_prove_ports(w->c) * vcs; i++) {
        if (!field(&w->bits, input, name, cycle, i, 1))
            continue;
        name_port(&w->c->shape, i / vcs, i % vcs, place, sizeof place);
        put(w, cycle, "%s %s: a credit", input ? "in " : "out", place);
    }
}

static void put_cycle(struct writer *w, unsigned cycle)
{
    const struct ec_prove_case *c = w->c;
    if (field(&w->bits, true, EC_PROVE_RST, cycle, 0, 1)) {
        put(w, cycle, "reset");
        return;
    }
    for (unsigned p = 0; p < ec_prove_ports(c); p++)
        put_word(w, true, EC_PROVE_WORD, cycle, p, c->address_used, c->data_used);
    put_credits(w, true, EC_PROVE_CREDIT, cycle);
    for (unsigned p = 0; p < ec_prove_ports(c); p++)
        put_word(w, false, EC_PROVE_INSIDE "link", cycle, p, c->shape.address_bits, c->data_bits);
    put_credits(w, false, EC_PROVE_INSIDE "credit", cycle);
}

/* "coord 1, radix 2, wormhole, depth 2, ..." as the solver chose them. */
static void put_pins(struct writer *w)
{
    static const char *const modes[] = {"wormhole", "cut-through", "store-and-forward", "mode 3"};
    const struct ec_prove_case *c = w->c;
    const unsigned a = c->shape.address_bits;
    const struct bits *b = &w->bits;
    char *text = w->to->pins;
    const size_t size = sizeof w->to->pins;
    size_t used = (size_t)snprintf(text, size, "coord %u", (unsigned)inside(b, "coord", 0, 0, a));
    if (c->topology != NULL)
        return;
    for (unsigned d = 0; d < c->shape.dims && used < size; d++) {
        const uint64_t mask = inside(b, "mask", 0, a * d, a);
        const uint64_t radix = inside(b, "radix", 0, (a + 1) * d, a + 1);
        used += (size_t)snprintf(text + used, size - used, ", dimension %u: %u nodes%s", d,
                                 mask != 0 ? (unsigned)(radix / (mask & (~mask + 1))) : 1,
                                 inside(b, "wrap", 0, d, 1) ? ", a ring" : "");
    }
    if (used < size)
        snprintf(text + used, size - used, ", %s, depth %u, packets of %u, order %s%s%s%s",
                 modes[inside(b, "switching", 0, 0, 2)], (unsigned)inside(b, "depth", 0, 0, 16),
                 (unsigned)inside(b, "packet", 0, 0, 16),
                 inside(b, "order_high", 0, 0, 1) ? "high" : "low",
                 inside(b, "dateline", 0, 0, 1) ? ", datelines" : "",
                 inside(b, "classes", 0, 0, 1) ? ", 2 message classes" : "",
                 inside(b, "balanced", 0, 0, 1) ? ", ties balanced" : "");
}

enum ec_code ec_prove_trace_make(const struct ec_aig *a, const struct ec_prove_case *c,
                                 const uint8_t *inputs, unsigned cycles, struct ec_prove_trace *ret,
                                 struct ec_error *reterr)
{
    struct writer w = {.c = c, .to = ret};
    *ret = (struct ec_prove_trace){.cycles = cycles};
    enum ec_code code = bits_open(a, inputs, cycles, &w.bits, reterr);
    if (code == EC_OK) {
        for (unsigned t = 0; t <= cycles; t++)
            put_cycle(&w, t);
        put_pins(&w);
        if (w.failed)
            code = ec_fail(reterr, EC_MEMORY, "out of memory for a counterexample");
    }
    free(w.bits.outputs);
    return code;
}

void ec_prove_trace_free(struct ec_prove_trace *t)
{
    free(t->events);
    *t = (struct ec_prove_trace){0};
}

/* --- Waves ------------------------------------------------------------------------------------ */

/* The first bit in the list of its signal. */
static bool is_first(const struct ec_aig *a, size_t index, uint32_t *ret_width)
{
    const struct ec_aig_bit *bit = &a->bits[index];
    *ret_width = 0;
    for (size_t i = 0; i < a->bit_count; i++) {
        if (a->bits[i].input != bit->input || strcmp(a->bits[i].name, bit->name) != 0)
            continue;
        if (i < index)
            return false;
        if (a->bits[i].bit >= *ret_width)
            *ret_width = a->bits[i].bit + 1;
    }
    return true;
}

static void declare(const struct ec_aig *a, FILE *out)
{
    uint32_t width;
    fprintf(out, "$timescale 1ns $end\n$scope module counterexample $end\n");
    for (size_t i = 0; i < a->bit_count; i++) {
        const char *name = a->bits[i].name;
        if (!is_first(a, i, &width) || strncmp(name, "clk_i", 5) == 0)
            continue;
        const size_t skip = strncmp(name, EC_PROVE_INSIDE, sizeof EC_PROVE_INSIDE - 1) == 0
                                ? sizeof EC_PROVE_INSIDE - 1
                                : 0;
        fprintf(out, "$var wire %u s%zu ", width, i);
        for (const char *c = name + skip; *c != '\0'; c++)
            fputc(*c == ' ' || *c == '$' ? '_' : *c, out);
        if (width > 1)
            fprintf(out, " [%u:0]", width - 1);
        fprintf(out, " $end\n");
    }
    fprintf(out, "$var wire 1 clk clk_i $end\n$upscope $end\n$enddefinitions $end\n");
}

/* Cycle t takes the time 2t to 2t + 2; its rising edge is at the end. */
static void dump(const struct bits *b, unsigned cycle, FILE *out)
{
    const struct ec_aig *a = b->a;
    uint32_t width;
    fprintf(out, "#%u\n1clk\n", 2 * cycle);
    for (size_t i = 0; i < a->bit_count; i++) {
        const struct ec_aig_bit *first = &a->bits[i];
        if (!is_first(a, i, &width) || strncmp(first->name, "clk_i", 5) == 0)
            continue;
        fputc('b', out);
        for (uint32_t k = width; k-- > 0;) {
            const struct ec_aig_bit *bit = ec_aig_find(a, first->input, first->name, k);
            fputc(bit != NULL && bit_of(b, bit, cycle) ? '1' : '0', out);
        }
        fprintf(out, " s%zu\n", i);
    }
    fprintf(out, "#%u\n0clk\n", 2 * cycle + 1);
}

enum ec_code ec_prove_wave(const struct ec_aig *a, const uint8_t *inputs, unsigned cycles,
                           const char *path, struct ec_error *reterr)
{
    struct bits b;
    enum ec_code code = bits_open(a, inputs, cycles, &b, reterr);
    FILE *out = code == EC_OK ? fopen(path, "we") : NULL;
    if (code == EC_OK && out == NULL)
        code = ec_fail(reterr, EC_IO, "cannot write %s", path);
    if (out != NULL) {
        declare(a, out);
        for (unsigned t = 0; t <= cycles; t++)
            dump(&b, t, out);
        fprintf(out, "#%u\n", 2 * cycles + 2);
        const bool failed = ferror(out) != 0;
        if (fclose(out) != 0 || failed)
            code = ec_fail(reterr, EC_IO, "cannot write %s", path);
    }
    free(b.outputs);
    return code;
}
