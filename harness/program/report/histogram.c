/* SPDX-License-Identifier: Apache-2.0 */
/* How many links carry how much: the picture of networks too large for one of each link.
 *
 * Knows how to choose bins; of what the numbers count it knows title and unit only. */
#include "program/report/histogram.h"

#include <inttypes.h>

enum { BINS_MAX = 72, BINS_SHOWN = 12, BAR = 40 };

/* Small numbers one by one and percentages by fives or tens; other large numbers by powers of two:
 * 0, 1, 2, 3-4, 5-8, ... (loads of permutations double from dimension to dimension). */
struct bins {
    bool powers;
    uint64_t step;
};

static struct bins choose_bins(const struct cli_field *f, uint64_t max)
{
    if (max <= BINS_SHOWN)
        return (struct bins){.step = 1};
    if (*f->unit == '\0')
        return (struct bins){.powers = true};
    return (struct bins){.step = max <= 5 * BINS_SHOWN ? 5 : 10};
}

/* Bin 0 holds nothing but 0. */
static unsigned bin_of(uint64_t value, const struct bins *b)
{
    if (!b->powers) {
        uint64_t bin = (value + b->step - 1) / b->step;
        return bin < BINS_MAX ? (unsigned)bin : BINS_MAX - 1;
    }
    unsigned bin = value > 0;
    for (uint64_t bound = 1; bound < value && bin < BINS_MAX - 1; bound *= 2)
        bin++;
    return bin;
}

static void bin_name(unsigned bin, const struct bins *b, char *buffer, size_t size)
{
    uint64_t last = !b->powers ? bin * b->step : bin > 0 ? UINT64_C(1) << (bin - 1) : 0;
    uint64_t first = !b->powers ? last - b->step + 1 : last / 2 + 1;
    if (bin == 0 || first == last)
        snprintf(buffer, size, "%" PRIu64, last);
    else
        snprintf(buffer, size, "%" PRIu64 "-%" PRIu64, first, last);
}

static enum cli_paint bin_paint(const struct cli_field *f, uint64_t max, unsigned bin,
                                const struct bins *b)
{
    if (bin == 0)
        return CLI_FAINT;
    if (max < f->warm || bin < bin_of(f->warm, b))
        return CLI_PLAIN;
    return bin == bin_of(max, b) ? CLI_BAD : CLI_WARM;
}

void cli_histogram(const struct cli_field *f, const struct cli_style *s, FILE *out)
{
    const struct ec_topology *t = f->topology;
    const uint64_t max = cli_field_max(f);
    const struct bins bins = choose_bins(f, max);
    uint64_t counts[BINS_MAX] = {0}, most = 1;
    for (uint32_t node = 0; node < t->nodes; node++) {
        for (unsigned link = 0; link < ec_topology_links(t); link++) {
            if (cli_field_link(t, node, link))
                counts[bin_of(f->at(f->context, node, link), &bins)]++;
        }
    }
    for (unsigned i = 0; i < BINS_MAX; i++)
        most = counts[i] > most ? counts[i] : most;
    fprintf(out, "    %s: how many links\n", f->title);
    for (unsigned i = 0; i < BINS_MAX; i++) {
        char name[48];
        if (counts[i] == 0)
            continue;
        bin_name(i, &bins, name, sizeof name);
        fprintf(out, "    %9s%s %s", name, f->unit, cli_paint(s, bin_paint(f, max, i, &bins)));
        for (uint64_t n = 0; n < 1 + counts[i] * (BAR - 1) / most; n++)
            fputs(s->utf8 ? "█" : "#", out);
        fprintf(out, "%s %" PRIu64 "\n", cli_unpaint(s), counts[i]);
    }
}
