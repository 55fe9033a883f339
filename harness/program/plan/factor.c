/* SPDX-License-Identifier: Apache-2.0 */
/* What a permutation is made of: the cycles of its address bits, or the digits of a shift. Knows
 * what the library factors; must not know algorithms. */
#include <string.h>

#include "base/text.h"
#include "program/plan/plan.h"

static const char *const kinds[] = {[EC_SDP_IDENTITY] = "identity",
                                    [EC_SDP_VIRTUAL] = "virtual",
                                    [EC_SDP_REAL] = "real",
                                    [EC_SDP_MIXED] = "mixed"};

static void factor_bits(const struct ec_sdp *s, struct advice_factors *f)
{
    struct ec_sdp_cycle cycle[EC_SDP_DIMS_MAX / 2], part[EC_SDP_DIMS_MAX / 2], virtual;
    const struct ec_sdp_class class_ = ec_sdp_classify(s);
    f->cycle_count = ec_sdp_cycles(s, cycle);
    f->kind = s->complement && class_.order == 0 ? "complement" : kinds[class_.kind];
    f->order = class_.order;
    f->real_order = class_.real_order;
    f->storage_order = class_.storage_order;
    f->complements = (unsigned)__builtin_popcountll(s->complement);
    ec_sdp_format(s, f->cycles, sizeof f->cycles);
    for (unsigned i = 0; i < f->cycle_count; i++) {
        if (cycle[i].dim[0] >= s->storage) {
            ec_append(f->real_orders, sizeof f->real_orders, "%s%u", *f->real_orders ? "," : "",
                      cycle[i].length);
            continue;
        }
        const unsigned parts = ec_sdp_factor(&cycle[i], s->storage, part, &virtual);
        f->blocks += parts;
        for (unsigned k = 0; k < parts; k++)
            ec_append(f->orders, sizeof f->orders, "%s%u", *f->orders ? "," : "",
                      part[k].length - 1);
    }
}

/* The non-adjacent form of `value`, the highest digit first, and its terms. */
static unsigned signed_binary(int64_t value, char *buffer, size_t size)
{
    unsigned terms = 0;
    *buffer = '\0';
    for (int bit = 40; bit >= 0; bit--) {
        /* Digit i of the non-adjacent form of x: bit i + 1 of 3x less that of x. */
        const uint64_t x = (uint64_t)(value < 0 ? -value : value), thrice = 3 * x;
        const int digit = (int)(thrice >> (bit + 1) & 1) - (int)(x >> (bit + 1) & 1);
        if (digit == 0)
            continue;
        terms++;
        ec_append(buffer, size, "%s%c%llu", *buffer ? " " : "",
                  (digit > 0) == (value > 0) ? '+' : '-', 1ULL << bit);
    }
    return terms;
}

/* On a cube binary digits, and the fewest signed ones modulo its nodes; else coordinates, and the
 * shorter way in each dimension. */
static void factor_shift(const struct ec_topology *t, uint32_t q, struct advice_factors *f)
{
    char other[sizeof f->signed_digits];
    uint32_t rest = q;
    f->shift = q;
    for (unsigned d = 0; d < t->dims; d++, rest /= t->radix[d - 1]) {
        const uint32_t digit = rest % t->radix[d];
        ec_append(f->digits, sizeof f->digits, "%s%u", d ? "," : "", digit);
        if (t->kind == EC_CUBE)
            continue;
        const bool back = t->wrap[d] && 2 * digit > t->radix[d];
        ec_append(f->signed_digits, sizeof f->signed_digits, "%s%c%u", d ? " " : "",
                  back ? '-' : '+', back ? t->radix[d] - digit : digit);
    }
    if (t->kind != EC_CUBE)
        return;
    const unsigned terms = signed_binary(q, f->signed_digits, sizeof f->signed_digits);
    if (signed_binary((int64_t)q - t->nodes, other, sizeof other) < terms)
        memcpy(f->signed_digits, other, sizeof other);
}

void advice_factor(const struct ec_case *c, struct advice_factors *ret)
{
    *ret = (struct advice_factors){.shift = 0};
    if (c->pattern->sdp)
        factor_bits(c->pattern->sdp, ret);
    else if (c->pattern->shift)
        factor_shift(&c->topology, c->pattern->shift, ret);
}
