/* SPDX-License-Identifier: Apache-2.0 */
/* One mixed GSH: the places of its elements step by step, and the figures that show them.
 *
 * Knows the figures and the code of the paper; follows elements through schedules. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "study/experiments/play.h"

static bool trace_of(struct claims_run *run, const struct claims_seen *seen, struct trace *ret)
{
    return claims_require(run, trace_open(ret, seen->schedule), "out of memory");
}

/* Bit i of an address (alpha_r .. alpha_1 | alpha_0) of 2 elements per node. */
static unsigned bit_of(uint32_t address, unsigned i)
{
    return address >> i & 1;
}

/* --- Figures ---------------------------------------------------------------------------------- */

/* Checks the contents of each node, location by location, for (a3 a2|a1 a0) <- (a1 a2|a3 a0). */
void experiment_figure1(struct claims_run *run)
{
    static const uint8_t drawn[4][4] = {
        {0, 1, 8, 9}, {4, 5, 12, 13}, {2, 3, 10, 11}, {6, 7, 14, 15}};
    static const char *const algorithms[] = {"one-port", "pipelined", "parity"};
    struct claims_seen seen;
    for (size_t a = 0; a < 3; a++) {
        if (!play_paced(run, true, "cube:2 gsh:cycle=3-1,K=4", algorithms[a], PLAIN_PACE, &seen))
            return;
        for (uint32_t node = 0; node < 4; node++) {
            for (uint32_t slot = 0; slot < 4; slot++) {
                const struct ec_place to = seen.schedule->target[drawn[node][slot]];
                claims_case(run, to.node == node && to.slot == slot,
                            "element %u goes to node %u, location %u", drawn[node][slot], to.node,
                            to.slot);
            }
        }
    }
}

/* Writes a row of a schedule's table as the figures print it: "v5 v6 .. .. .. 01 02". */
static void row_text(const struct ec_schedule *s, struct table_row row, unsigned k, char *text,
                     size_t size)
{
    size_t used = 0, i = row.first;
    *text = '\0';
    for (uint32_t step = 1; step <= s->steps && used < size; step++) {
        const char *gap = step > 1 ? " " : "";
        const struct ec_exchange *x = &s->exchanges[i];
        if (i < row.end && x->step == step) {
            used += (size_t)snprintf(text + used, size - used, "%s%c%u", gap,
                                     x->storage ? 'v' : '0', x->processor - k + 1);
            i++;
        } else {
            used += (size_t)snprintf(text + used, size - used, "%s..", gap);
        }
    }
}

static void figure_is(struct claims_run *run, const struct ec_schedule *s, unsigned k,
                      const char *const *drawn, unsigned rows)
{
    struct table_row row;
    unsigned count = 0;
    char text[200];
    for (size_t i = 0; table_row_at(s, i, &row); i = row.end, count++) {
        row_text(s, row, k, text, sizeof text);
        if (count < rows)
            claims_case(run, strcmp(text, drawn[count]) == 0, "row %u: %s", count, text);
    }
    claims_relate(run, count, CLAIMS_EQ, rows, "rows");
}

/* Figure 2: K=8, sigma_r=3, pipelined. */
void experiment_figure2(struct claims_run *run)
{
    static const char *const drawn[] = {"01 02 03 .. .. ..", ".. 01 02 03 .. ..",
                                        ".. .. 01 02 03 ..", ".. .. .. 01 02 03"};
    const struct gsh g = mixed_one(3, 8);
    struct claims_seen seen;
    if (!play_gsh(run, &g, "pipelined", PLAIN_PACE, &seen))
        return;
    figure_is(run, seen.schedule, 3, drawn, 4);
    claims_predicted(run, "steps", 6);
    claims_relate(run, seen.steps, CLAIMS_EQ, 6, "steps");
}

/* Figure 5: K=18, sigma_r=6, without its unlabelled rows, which show the alternative. */
void experiment_figure5(struct claims_run *run)
{
    static const char *const drawn[] = {
        "v5 v6 .. .. .. 01 02 03 04 05 ..", ".. v5 v6 .. .. .. 01 02 03 04 05",
        "v3 v4 v5 v6 .. .. .. 01 02 03 ..", ".. v3 v4 v5 v6 .. .. .. 01 02 03",
        "01 02 03 04 05 06 .. .. .. .. ..", ".. 01 02 03 04 05 06 .. .. .. ..",
        ".. .. 01 02 03 04 05 06 .. .. ..", ".. .. .. 01 02 03 04 05 06 .. ..",
        ".. .. .. .. 01 02 03 04 05 06 .."};
    const struct gsh g = mixed_one(6, 18);
    struct claims_seen seen;
    struct table_row row;
    uint32_t elsewhere = 0, first = 0;
    if (!play_gsh(run, &g, "concurrent", PLAIN_PACE, &seen))
        return;
    figure_is(run, seen.schedule, 5, drawn, 9);
    for (size_t i = 0; table_row_at(seen.schedule, i, &row); i = row.end)
        *(row.elsewhere ? &elsewhere : &first) += 2;
    claims_relate(run, elsewhere, CLAIMS_EQ, 8, "locations that start elsewhere");
    claims_relate(run, first, CLAIMS_EQ, 10, "locations that start in dimension 1");
    claims_predicted(run, "steps", 11);
    claims_relate(run, seen.steps, CLAIMS_EQ, 11, "steps");
}

/* The nodes (as a bit set) that send from each location in each step, and that move elements
 * locally before and after. */
struct senders {
    uint32_t before, after; /* nodes that exchange elements locally at the start, at the end */
    uint32_t from[3][2];
};

/* For two elements per node on the 3-cube. */
static bool senders_of(struct claims_run *run, const struct claims_seen *seen, struct senders *ret)
{
    const struct ec_schedule *s = seen->schedule;
    struct trace trace;
    size_t next = 0;
    *ret = (struct senders){0};
    if (!claims_require_equal(run, s->steps, 3, "steps") || !trace_of(run, seen, &trace))
        return false;
    for (size_t i = 0; i < s->move_count; i++)
        if (s->moves[i].step == 1)
            ret->before |= 1U << s->moves[i].element / 2;
    for (uint32_t step = 0; step < 3; step++) {
        trace_move(&trace);
        for (; next < s->transfer_count && s->transfers[next].step == step + 1; next++) {
            const uint32_t element = s->carried[s->transfers[next].first].element;
            ret->from[step][trace.at[element].slot & 1] |= 1U << s->transfers[next].src;
        }
        trace_go(&trace);
    }
    for (size_t i = 0; i < s->move_count; i++)
        if (s->moves[i].step == 4)
            ret->after |= 1U << trace.at[s->moves[i].element].node;
    trace_close(&trace);
    return true;
}

/* with: 3 Figure 3, without alignment; 4 Figure 4, aligned. K=2 on eight processors. */
void experiment_figure3(struct claims_run *run)
{
    static const struct senders drawn[2] = {
        {0, 0, {{0xaa, 0x55}, {0xcc, 0x33}, {0xf0, 0x0f}}},
        {0x96, 0x96, {{0x3c, 0xc3}, {0x5a, 0xa5}, {0x66, 0x99}}},
    };
    const bool aligned = claims_with(run) == 4;
    const struct senders *want = &drawn[aligned];
    const struct gsh g = mixed_one(3, 2);
    struct claims_seen seen;
    struct senders got;
    if (!play_gsh(run, &g, aligned ? "align" : "pipelined", PLAIN_PACE, &seen) ||
        !senders_of(run, &seen, &got))
        return;
    for (unsigned step = 0; step < 3; step++)
        for (unsigned slot = 0; slot < 2; slot++)
            claims_case(run, got.from[step][slot] == want->from[step][slot],
                        "step %u, location %u: nodes %02" PRIx32 " send", step + 1, slot,
                        got.from[step][slot]);
    claims_case(run, got.before == want->before, "nodes %02" PRIx32 " reorder first", got.before);
    claims_case(run, got.after == want->after, "nodes %02" PRIx32 " reorder last", got.after);
    /* "Final allocation": 0..7 in location 0 of the nodes, 8..15 in location 1. */
    for (uint32_t e = 0; e < 16; e++)
        claims_case(
            run, seen.schedule->target[e].node == e % 8 && seen.schedule->target[e].slot == e / 8,
            "element %u ends elsewhere", e);
}

/* --- Following elements ----------------------------------------------------------------------- */

/* After the alignment and `step` exchanges, bit j <= step of the node holds old alpha_(j-1), and
 * the location holds the sum of all old bits; after the realignment it holds old alpha_r. */
static bool as_traced(struct ec_place at, uint32_t old, unsigned r, unsigned step, bool last)
{
    uint32_t node = 0;
    for (unsigned j = 1; j <= r; j++)
        node |= bit_of(old, j <= step ? j - 1 : j) << (j - 1);
    return at.node == node && at.slot == (last ? bit_of(old, r) : (uint32_t)__builtin_parity(old));
}

/* The trace of align, permute, realign. with: 1 only its last two lines: alpha_(r-1) in dimension
 * r, and alpha_r in the location after the realignment. */
void experiment_align_trace(struct claims_run *run)
{
    const unsigned most = claims_is_full(run) ? 8 : 5;
    struct claims_seen seen;
    for (unsigned r = 1; r <= most; r++) {
        const struct gsh g = mixed_one(r, 2);
        struct trace trace;
        if (!play_gsh(run, &g, "align", PLAIN_PACE, &seen) || !trace_of(run, &seen, &trace))
            return;
        for (unsigned step = 0; step <= r + 1; step++) {
            bool right = true;
            if (step > 0 && step <= r)
                trace_go(&trace);
            if (step == 0 || step == r + 1)
                trace_move(&trace);
            for (uint32_t e = 0; e < 2U << r; e++)
                right &= as_traced(trace.at[e], e, r, step, step > r);
            if (claims_with(run) == 0 || step >= r)
                claims_case(run, right, "sigma_r=%u: line %u of the trace", r, step + 1);
        }
        trace_close(&trace);
    }
}

/* Aligned: in every step half of the nodes use the lower location of the pair and half the upper.
 * With one dimension only the location decides, so all use the upper. */
void experiment_align_half(struct claims_run *run)
{
    const unsigned most = claims_is_full(run) ? 8 : 4;
    struct claims_seen seen;
    for (unsigned r = 1; r <= most; r++) {
        const struct gsh g = mixed_one(r, 2);
        struct trace trace;
        size_t next = 0;
        if (!play_gsh(run, &g, "align", PLAIN_PACE, &seen) || !trace_of(run, &seen, &trace))
            return;
        for (uint32_t step = 1; step <= seen.steps; step++) {
            const struct ec_schedule *s = seen.schedule;
            uint32_t from[2] = {0, 0};
            trace_move(&trace);
            for (; next < s->transfer_count && s->transfers[next].step == step; next++)
                from[trace.at[s->carried[s->transfers[next].first].element].slot & 1]++;
            trace_go(&trace);
            claims_case_if(run, r >= 2, from[0] == from[1] && from[0] + from[1] == 1U << r,
                           "sigma_r=%u, step %u: %u nodes send the lower element, %u the upper", r,
                           step, from[0], from[1]);
        }
        trace_close(&trace);
    }
}

/* After the first exchange, elements from even and odd locations are in different halves of the
 * cube along that dimension. */
void experiment_even_odd(struct claims_run *run)
{
    struct claims_seen seen;
    for (unsigned r = 1; r <= (claims_is_full(run) ? 8U : 4U); r++) {
        const struct gsh g = mixed_one(r, 2);
        struct trace trace;
        bool parted = true;
        if (!play_gsh(run, &g, "pipelined", PLAIN_PACE, &seen) || !trace_of(run, &seen, &trace))
            return;
        trace_move(&trace);
        trace_go(&trace);
        for (uint32_t e = 0; e < 2U << r; e++)
            parted &= (trace.at[e].node & 1) == e % 2;
        trace_close(&trace);
        claims_case(run, parted, "sigma_r=%u", r);
    }
}

/* K/2 elements of every node cross each dimension. Elements that cross dimension i have an old
 * alpha_(i-1), their control bit, that differs from the node's bit: all set or all clear, and one
 * of each pair. */
static bool lists_volume(const struct claims_seen *seen, const struct gsh *g)
{
    const struct ec_schedule *s = seen->schedule;
    const unsigned k = (unsigned)__builtin_ctz(g->per_node);
    uint32_t crossed[1U << 10][10] = {{0}};
    bool right = true;
    for (size_t t = 0; t < s->transfer_count; t++) {
        const struct ec_transfer *x = &s->transfers[t];
        const unsigned i = (unsigned)__builtin_ctz(x->src ^ x->dst) + 1;
        for (uint32_t c = x->first; c < x->first + x->count; c++) {
            const uint32_t e = s->carried[c].element, node = e >> k;
            const uint32_t control = i == 1 ? e & 1 : node >> (i - 2) & 1;
            right &= control != (x->src >> (i - 1) & 1);
        }
        crossed[x->src][i - 1] += x->count;
    }
    for (uint32_t node = 0; node < s->nodes; node++)
        for (unsigned i = 0; i < g->order; i++)
            right &= crossed[node][i] == g->per_node / 2;
    return right;
}

void experiment_pipelined_volume(struct claims_run *run)
{
    struct claims_seen seen;
    for (struct gsh g = mixed_grid(run, 2, false); gsh_next(&g);) {
        if (g.order > 8 || !play_gsh(run, &g, "pipelined", PLAIN_PACE, &seen))
            return;
        claims_case(run, lists_volume(&seen, &g), GSH_CASE, GSH_ARGS(&g));
        claims_predicted(run, "elements of a node in each dimension", g.per_node / 2);
        claims_audited(run, "elements of a node in each dimension",
                       seen.checked->max_link_elements);
    }
}

/* Counts elements of sets of four (v, alpha_0) that change their aligned place in an exchange of v
 * or of alpha_0 with any dimension, with both aligned by the parity of the node. */
static uint32_t mismatches(unsigned r)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < r; i++) {
        for (uint32_t at = 0; at < 4U << r; at++) {
            for (unsigned bit = 0; bit < 2; bit++) {
                const uint32_t to = at ^ 1U << bit ^ 1U << (2 + i);
                const uint32_t old = (at ^ (__builtin_parity(at >> 2) ? 3 : 0)) & 3;
                const uint32_t new = (to ^ (__builtin_parity(to >> 2) ? 3 : 0)) & 3;
                if ((at >> bit & 1) != (at >> (2 + i) & 1))
                    count += old != new;
            }
        }
    }
    return count;
}

/* Rows with one control dimension have equal local addresses at both ends. Rows that use v and
 * alpha_0, aligned by the same parity, do not. */
void experiment_align_same(struct claims_run *run)
{
    static const char *const two[] = {"cube:2 gsh:cycle=3-0+4-1,K=8",
                                      "cube:4 gsh:cycle=5-4-0+7-6-1,K=16",
                                      "cube:3 gsh:cycle=5-4-0+6-1,K=16"};
    struct claims_seen seen;
    for (struct gsh g = mixed_grid(run, 2, false); gsh_next(&g);) {
        if (!play_gsh(run, &g, "align", PLAIN_PACE, &seen))
            return;
        claims_relate_if(run, true, seen.checked->shifted, CLAIMS_EQ, 0,
                         GSH_CASE ": other local addresses", GSH_ARGS(&g));
    }
    for (size_t i = 0; i < sizeof two / sizeof *two; i++) {
        if (!play_paced(run, true, two[i], "align", PLAIN_PACE, &seen))
            return;
        claims_relate_if(run, true, seen.checked->shifted, CLAIMS_EQ, 0,
                         "%s: other local addresses", two[i]);
    }
    claims_without_command(run);
    for (unsigned r = 1; r <= (claims_is_full(run) ? 8U : 4U); r++)
        claims_relate_if(run, false, mismatches(r), CLAIMS_EQ, 0,
                         "sigma_r=%u, rows of v and alpha_0: other local addresses", r);
}
