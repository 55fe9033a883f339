/* SPDX-License-Identifier: Apache-2.0 */
/* The algorithms for mixed GSH, by name. Knows which there are; must not know how they work. */
#include "schedule/mixed/mixed.h"

static enum ec_code make(struct plan *p, bool aligned,
                         enum ec_code (*fill)(struct mixed_table *t, struct ec_error *reterr),
                         struct ec_error *reterr)
{
    static const char *const readings[] = {"corrected", "printed", NULL};
    struct mixed_gsh g;
    struct mixed_table t;
    unsigned reading = 0;
    enum ec_code code = EC_OK;

    if (p->value[PLAN_KEY_READING].at)
        code = plan_choice(p, PLAN_KEY_READING, readings, 0, &reading, reterr);
    if (code == EC_OK)
        code = mixed_gsh_of(p, &g, reterr);
    if (code)
        return code;
    mixed_table_open(&t, &g);
    t.aligned = aligned;
    t.printed = reading == 1;
    code = fill(&t, reterr);
    if (code == EC_OK)
        code = mixed_play(p, &g, &t, reterr);
    mixed_table_close(&t);
    return code;
}

static enum ec_code one_port(struct plan *p, struct ec_error *reterr)
{
    return make(p, false, mixed_one_port, reterr);
}

static enum ec_code pipelined(struct plan *p, struct ec_error *reterr)
{
    return make(p, false, mixed_pipelined, reterr);
}

static enum ec_code align(struct plan *p, struct ec_error *reterr)
{
    return make(p, true, mixed_pipelined, reterr);
}

static enum ec_code concurrent(struct plan *p, struct ec_error *reterr)
{
    return make(p, false, mixed_concurrent, reterr);
}

static enum ec_code parity(struct plan *p, struct ec_error *reterr)
{
    return make(p, false, mixed_parity, reterr);
}

static enum ec_code aapc(struct plan *p, struct ec_error *reterr)
{
    return make(p, false, mixed_aapc, reterr);
}

static enum ec_code aapc_concurrent(struct plan *p, struct ec_error *reterr)
{
    return make(p, false, mixed_aapc_concurrent, reterr);
}

static enum ec_code aapc_parity(struct plan *p, struct ec_error *reterr)
{
    return make(p, false, mixed_aapc_parity, reterr);
}

#define MIXED "mixed gsh on cube:N, K even"

const struct plan_algorithm plan_mixed_algorithms[] = {
    {
        .info = {.name = "one-port",
                 .parameters = "block=B",
                 .applies = MIXED,
                 .text = "every pair of elements, dimension by dimension; sigma_r ceil(K/2B) steps",
                 .source = "Johnsson and Ho, TR-04-91, 4.1.1"},
        .keys = PLAN_BLOCK,
        .make = one_port,
    },
    {
        .info = {.name = "pipelined",
                 .parameters = "block=B,reading=corrected|printed",
                 .applies = MIXED,
                 .text = "rows of two elements follow one another through the dimensions; K/2 + "
                         "max sigma_r - 1 steps for K >= 2 sigma_r; printed: blocks begin with "
                         "equally many rows, though their orders differ (a negative control)",
                 .source = "Johnsson and Ho, TR-04-91, Figures 2 and 8"},
        .keys = PLAN_BLOCK | PLAN_READING,
        .all_ports = true,
        .make = pipelined,
    },
    {
        .info = {.name = "align",
                 .parameters = "block=B",
                 .applies = MIXED,
                 .text = "align, permute as pipelined with equal local addresses at both ends, "
                         "realign",
                 .source = "Johnsson and Ho, TR-04-91, Figure 4"},
        .keys = PLAN_BLOCK,
        .all_ports = true,
        .make = align,
    },
    {
        .info = {.name = "concurrent",
                 .parameters = "block=B,reading=corrected|printed",
                 .applies = MIXED,
                 .text = "some pairs of rows start in other dimensions and synchronise; K/2 + 2 "
                         "steps for K >= 2 (sigma_r + 1); printed: set j starts in dimension "
                         "sigma_r - j (a negative control)",
                 .source = "Johnsson and Ho, TR-04-91, Figures 5 and 9"},
        .keys = PLAN_BLOCK | PLAN_READING,
        .all_ports = true,
        .make = concurrent,
    },
    {
        .info = {.name = "parity",
                 .parameters = "block=B",
                 .applies = MIXED,
                 .text = "a row starts in every dimension, without synchronisation; K/2 + 1 steps "
                         "for K >= 2 sigma_r, the least possible",
                 .source = "ecube, docs/GSH-MIXED.md"},
        .keys = PLAN_BLOCK,
        .all_ports = true,
        .make = parity,
    },
    {
        .info = {.name = "aapc",
                 .parameters = "block=B",
                 .applies = MIXED,
                 .text = "the i-th exchange of all blocks as one all-to-all; K/2 + sigma_r - beta "
                         "steps for beta blocks of equal orders",
                 .source = "Johnsson and Ho, TR-04-91, 4.1.2"},
        .keys = PLAN_BLOCK,
        .all_ports = true,
        .make = aapc,
    },
    {
        .info = {.name = "aapc-concurrent",
                 .parameters = "block=B",
                 .applies = MIXED ", one or two blocks of equal orders",
                 .text = "all-to-alls with the starts of concurrent; K/2 + 2 beta steps for "
                         "K >= 2 (sigma_r + beta)",
                 .source = "Johnsson and Ho, TR-04-91, 4.1.2"},
        .keys = PLAN_BLOCK,
        .all_ports = true,
        .make = aapc_concurrent,
    },
    {
        .info = {.name = "aapc-parity",
                 .parameters = "block=B",
                 .applies = MIXED ", one or two blocks of equal orders",
                 .text = "all-to-alls with the starts of parity; K/2 + beta steps for "
                         "K >= 2 sigma_r",
                 .source = "ecube, docs/GSH-MIXED.md"},
        .keys = PLAN_BLOCK,
        .all_ports = true,
        .make = aapc_parity,
    },
    {.info = {.name = NULL}},
};
