/* SPDX-License-Identifier: Apache-2.0 */
/* Why a permutation of address bits is congestion-free, or why not, in words. The library
 * finds the reason. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "program/report/report.h"

/* Appends to a text; what does not fit is cut. */
__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format,
                                                      ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* "0, 1": the bits of the set, or the places that they go to. */
static void add_bits(const struct cli_audit_result *r, bool places, char *text, size_t size)
{
    const struct ec_sdp inverse = ec_sdp_inverse(r->c->workload->sdp);
    const char *separator = "";
    for (unsigned bit = 0; bit < r->bits.dims; bit++) {
        if (!(r->bits.passing >> bit & 1))
            continue;
        const unsigned place = inverse.from[inverse.storage + bit] - inverse.storage;
        add(text, size, "%s%u", separator, places ? place : bit);
        separator = ", ";
    }
}

void cli_bits_reason(const struct cli_audit_result *r, char *text, size_t size)
{
    const uint64_t load = r->bits.load[r->bits.worst];
    *text = '\0';
    if (!r->bits.passing) {
        snprintf(text, size, "none passes a dimension that messages cross");
        return;
    }
    add_bits(r, false, text, size);
    add(text, size, " pass%s dimension %u, to ", load == 2 ? "es" : "", r->bits.worst);
    add_bits(r, true, text, size);
    add(text, size, ": %" PRIu64 " messages on each link used there", load);
}

/* A way without a shared link, one dimension per step, and what the router's other order does. */
static void put_order(const struct cli_audit_result *r, FILE *out)
{
    const bool low = r->c->router.order == EC_ORDER_LOW;
    struct ec_bit_loads other;
    fprintf(out, "  order       --algorithm ecube-steps:order=");
    for (unsigned i = 0; i < r->bits.dims; i++)
        fprintf(out, "%s%u", i ? "-" : "", r->bits.order[i]);
    fprintf(out, " shares no link, but nodes may hold two elements");
    if (ec_bit_loads_of(r->c->workload->sdp, low ? EC_ORDER_HIGH : EC_ORDER_LOW, NULL, &other))
        fprintf(out, "; --router order=%s: load %" PRIu64, low ? "high" : "low",
                other.load[other.worst]);
    fputc('\n', out);
}

void cli_text_bits(const struct cli_audit_result *r, FILE *out)
{
    char reason[400];
    if (!r->has_bits)
        return;
    cli_bits_reason(r, reason, sizeof reason);
    fprintf(out, "  bits        %s (see docs/study/BEYOND.md)\n", reason);
    if (r->bits.passing)
        put_order(r, out);
}
