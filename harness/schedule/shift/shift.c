/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the circular shifts, and what they share. Knows who may ask for which; must not know
 * how any of them goes about it. */
#include "schedule/shift/shift.h"

#include <stdlib.h>

const struct plan_algorithm plan_shift_algorithms[] = {
    {.info = {.name = "ring",
              .parameters = "",
              .applies = "shift on ring:P",
              .text = "all elements go the shorter way round, min(q, P-q) steps",
              .source = "Grama et al., 4.6.1"},
     .make = ring_make},
    {.info = {.name = "line",
              .parameters = "",
              .applies = "shift on mesh:P, mesh:Px1, mesh:1xP",
              .text = "no way round: each element goes straight, max(q, P-q) steps, all ports",
              .source = "docs/SHIFTS.md"},
     .all_ports = true,
     .make = line_make},
    {.info = {.name = "forward",
              .parameters = "",
              .applies = "shift on torus:SxS",
              .text = "rows east, one step south for what wrapped, columns south; with r = q mod S "
                      "and c = q div S: r + [r>0] + c steps",
              .source = "Grama et al., 4.6.1; Gohil, III"},
     .make = torus_forward_make},
    {.info = {.name = "plain",
              .parameters = "",
              .applies = "shift on torus:SxS",
              .text = "as forward, rows and columns each the shorter way: min(r, S-r) + [r>0] + "
                      "min(c, S-c) steps",
              .source = "Grama et al., 4.6.1; Gergel, (3.19)"},
     .make = torus_plain_make},
    {.info = {.name = "merged",
              .parameters = "",
              .applies = "shift on torus:SxS",
              .text = "as plain, the correction counted into the column phase: min(r, S-r) + "
                      "min(c+1, S-c) steps, min(c, S-c) where r = 0",
              .source = "docs/SHIFTS.md"},
     .make = torus_merged_make},
    {.info = {.name = "per-column",
              .parameters = "",
              .applies = "shift on torus:SxS",
              .text = "every column its own shorter way: min(r, S-r) + max(min(c, S-c), min(c+1, "
                      "S-c-1)) steps, the distance of the worst element",
              .source = "docs/SHIFTS.md"},
     .make = torus_per_column_make},
    {.info = {.name = "compensate-each-row",
              .parameters = "",
              .applies = "shift on torus:SxS",
              .text = "rows east, after each of their steps column 0 one step south, then columns "
                      "south: 2r + c steps",
              .source = "Gergel, circular shift"},
     .make = torus_each_row_make},
    {.info = {.name = "compensate-wrapped",
              .parameters = "",
              .applies = "shift on torus:SxS",
              .text =
                  "wrong on purpose where rows go west: as plain, but what wrapped goes one row "
                  "south (a negative control)",
              .source = "Grama et al., 4.6.1, misread"},
     .make = torus_wrapped_make},
    {.info = {.name = "gray-forward",
              .parameters = "order=A|B|C",
              .applies = "shift with labels=gray on cube:D",
              .text = "a phase for each one in q, highest first, two links each (the last bit: "
                      "one): 2 popcount(q) - (q mod 2) steps",
              .source = "Grama et al., 4.6.2; Gergel, (3.20)"},
     .keys = PLAN_ORDER,
     .make = gray_forward_make},
    {.info = {.name = "gray-signed",
              .parameters = "order=A|B|C",
              .applies = "shift with labels=gray on cube:D",
              .text = "phases forward and backward by the non-adjacent form of q: at most D steps",
              .source = "Grama et al., 4.6.2"},
     .keys = PLAN_ORDER,
     .make = gray_signed_make},
    {.info = {.name = "ecube-steps",
              .parameters = "order=low|high|mixed|D-D-D",
              .applies = "any permutation on cube:D",
              .text = "the paths of direct, one dimension a step, for all messages in the same "
                      "order; mixed: the upper half of the nodes highest first, the others lowest "
                      "first (a negative control)",
              .source = "Grama et al., 4.6.2"},
     .keys = PLAN_ORDER,
     .make = ecube_steps_make},
    {.info = {.name = NULL}},
};

enum ec_code journey_open(struct plan *p, struct journey *ret, struct ec_error *reterr)
{
    const enum ec_code code = plan_elements(p, 1, p->w->words, reterr);
    if (code)
        return code;
    *ret = (struct journey){.p = p, .step = 1, .nodes = p->t->nodes};
    ret->at = malloc(ret->nodes * sizeof *ret->at);
    if (!ret->at)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the elements of a schedule");
    for (uint32_t i = 0; i < ret->nodes; i++)
        ret->at[i] = i;
    for (size_t i = 0; i < p->w->message_count; i++)
        plan_target(p, p->w->messages[i].src, p->w->messages[i].dst, 0);
    return EC_OK;
}

void journey_close(struct journey *j)
{
    free(j->at);
    j->at = NULL;
}

void journey_cross(struct journey *j, uint32_t element, unsigned link)
{
    const uint32_t from = j->at[element];
    j->at[element] = ec_topology_neighbor(j->p->t, from, link);
    plan_transfer(j->p, j->step, from, j->at[element]);
    plan_carry(j->p, element, 0);
}

bool shift_square_torus(const struct ec_topology *t)
{
    return t->kind == EC_TORUS && t->dims == 2 && t->radix[0] == t->radix[1];
}

/* The algorithms that would do a shift on `t`. */
static const char *others(const struct ec_topology *t)
{
    if (t->kind == EC_CUBE)
        return "gray-forward, gray-signed (with labels=gray), ecube-steps or direct";
    if (shift_square_torus(t))
        return "forward, plain, merged, per-column or direct";
    if (t->dims == 1)
        return t->kind == EC_MESH ? "line or direct" : "ring or direct";
    return "direct";
}

enum ec_code shift_check(const struct plan *p, const char *wanted, bool fits,
                         struct ec_error *reterr)
{
    char topology[160];

    if (p->w->shift == 0)
        return plan_refuse(p, reterr, "expected shift:q=Q; got '%.100s': use --algorithm direct",
                           p->w->text);
    if (fits)
        return EC_OK;
    ec_topology_format(p->t, topology, sizeof topology);
    return plan_refuse(p, reterr, "expected %s; got %s, where shifts can use %s", wanted, topology,
                       others(p->t));
}
