/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for legal traffic that makes an output of a mutant differ from the router's. Knows the
 * cycles from power-up on; must not know what signals mean.
 *
 * Cycle by cycle: can an output differ in cycle 1, 2, 3 and so on? What the solver finds is
 * simulated before it is believed. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "mutate/copies.h"

/* Cycles from power-up on, of both copies. */
struct search {
    struct ec_frames *f;
    uint32_t *at[2], *after[2]; /* maps of this cycle and the next one */
    uint32_t *start;            /* [registers] literals of the first cycle */
    uint32_t *inputs;           /* [cycles * inputs] literals; owned */
    size_t cycles, room;
};

static bool add_inputs(struct ec_equal *e, struct search *s)
{
    const size_t n = e->aig.inputs;
    uint32_t *inputs = ec_list_grow(s->inputs, (n + 1) * sizeof *inputs, s->cycles, &s->room);
    if (inputs == NULL)
        return false;
    s->inputs = inputs;
    memcpy(s->inputs + s->cycles++ * n, s->at[0] + 1, n * sizeof *inputs);
    return true;
}

/* Step both copies with what was found; believe only what is seen there. */
static enum ec_code confirm(struct ec_equal *e, uint32_t number, const struct search *s,
                            struct ec_equal_result *ret, struct ec_error *reterr)
{
    const struct ec_aig *a = &e->aig;
    const size_t bits = s->cycles * a->inputs, shown = s->cycles * a->outputs;
    struct ec_arrays arrays = {0};
    uint8_t *start, *inputs, *outputs[2];
    bool legal[2] = {false, false};
    enum ec_code code = EC_OK;
    EC_ARRAY(&arrays, start, a->registers);
    EC_ARRAY(&arrays, inputs, bits);
    EC_ARRAY(&arrays, outputs[0], shown);
    EC_ARRAY(&arrays, outputs[1], shown);
    if (arrays.memory_short)
        code = ec_fail(reterr, EC_MEMORY, "out of memory to step a circuit");
    for (uint32_t i = 0; i < a->registers && code == EC_OK; i++)
        start[i] = ec_frames_value(s->f, s->start[i]);
    for (size_t i = 0; i < bits && code == EC_OK; i++)
        inputs[i] = ec_frames_value(s->f, s->inputs[i]);
    for (unsigned k = 0; k < 2 && code == EC_OK; k++) {
        for (size_t c = 0; c < s->cycles; c++) {
            for (unsigned b = 0; b < COPIES_SELECT_BITS; b++) {
                if (e->select[b] != UINT32_MAX)
                    inputs[c * a->inputs + e->select[b]] = k == 0 ? 0 : number >> b & 1;
            }
        }
        code = ec_aig_simulate(a, start, inputs, s->cycles, outputs[k], &legal[k], reterr);
    }
    for (size_t c = 1; c < s->cycles && code == EC_OK && legal[0]; c++) {
        for (size_t i = 0; i < e->output_count && ret->verdict != EC_EQUAL_DIFFERS; i++) {
            const size_t at = c * a->outputs + a->bits[e->outputs[i]].number;
            if (outputs[0][at] == outputs[1][at])
                continue;
            ret->verdict = EC_EQUAL_DIFFERS;
            ret->cycle = (unsigned)c;
            copies_name_output(e, i, ret->output, sizeof ret->output);
        }
    }
    if (code == EC_OK && ret->verdict != EC_EQUAL_DIFFERS)
        code = ec_fail(reterr, EC_INTERNAL, "mutant %u: a difference cannot be simulated", number);
    ec_arrays_free(&arrays);
    return code;
}

/* Can the outputs differ in this cycle? */
static enum ec_frames_answer ask_outputs(struct ec_equal *e, struct search *s, double seconds)
{
    uint32_t none = 1; /* no output differs */
    for (size_t i = 0; i < e->output_count; i++) {
        const uint32_t o = copies_output(e, i);
        none = ec_frames_and(
            s->f, none,
            ec_frames_xor(s->f, ec_frames_at(s->at[0], o), ec_frames_at(s->at[1], o)) ^ 1);
    }
    const uint32_t differs = none ^ 1;
    return differs == 0 ? EC_FRAMES_NO : ec_frames_ask(s->f, &differs, 1, seconds);
}

static enum ec_code step_search(struct ec_equal *e, uint32_t number, double deadline,
                                struct search *s, struct ec_equal_result *ret,
                                struct ec_error *reterr)
{
    const struct ec_aig *a = &e->aig;
    const uint32_t first = 1 + a->inputs;
    ec_frames_first(s->f, a, s->at[0]);
    memcpy(s->start, s->at[0] + first, a->registers * sizeof *s->start);
    memcpy(s->at[1] + first, s->start, a->registers * sizeof *s->start);
    for (;;) {
        ec_frames_inputs(s->f, a, e->fixed, e->guess, s->at[0]);
        copies_inputs(e, number, s->at[0], s->at[1]);
        if (!add_inputs(e, s))
            return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
        ec_frames_cycle(s->f, a, s->at[0]);
        ec_frames_cycle(s->f, a, s->at[1]);
        ec_frames_assume(s->f, a, s->at[0]);
        if (s->cycles > 1) {
            const enum ec_frames_answer answer = ask_outputs(e, s, deadline - ec_frames_clock());
            if (ec_frames_failed(s->f))
                return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
            if (answer == EC_FRAMES_YES)
                return confirm(e, number, s, ret, reterr);
            if (answer == EC_FRAMES_TIME)
                return EC_OK;
            ret->cycles = (unsigned)s->cycles;
            if (ec_frames_clock() > deadline)
                return EC_OK;
        }
        for (unsigned k = 0; k < 2; k++) {
            ec_frames_next(a, s->at[k], s->after[k]);
            uint32_t *map = s->at[k];
            s->at[k] = s->after[k];
            s->after[k] = map;
        }
    }
}

enum ec_code copies_differ(struct ec_equal *e, uint32_t number, double deadline,
                           struct ec_equal_result *ret, struct ec_error *reterr)
{
    const struct ec_aig *a = &e->aig;
    struct search s = {0};
    struct ec_arrays arrays = {0};
    enum ec_code code = EC_OK;
    for (unsigned k = 0; k < 2; k++) {
        EC_ARRAY(&arrays, s.at[k], copies_variables(a));
        EC_ARRAY(&arrays, s.after[k], copies_variables(a));
    }
    if (!EC_ARRAY(&arrays, s.start, a->registers) || arrays.memory_short)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    if (code == EC_OK)
        code = ec_frames_open(e->stop, e->context, &s.f, reterr);
    if (code == EC_OK)
        code = step_search(e, number, deadline, &s, ret, reterr);
    ec_frames_close(s.f);
    ec_arrays_free(&arrays);
    free(s.inputs);
    return code;
}
