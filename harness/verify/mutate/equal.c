/* SPDX-License-Identifier: Apache-2.0 */
/* Is a mutant equivalent to the router, or is there traffic that tells them apart? Knows the ports
 * of the circuit and what is always true in the router; must not know what its signals mean. */
#include "mutate/equal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "mutate/copies.h"
#include "mutate/miter.h"
#include "prove/induct.h"

enum { FREE = 2 };

/* --- The circuit ------------------------------------------------------------------------------ */

static bool is_output(const struct ec_aig_bit *b)
{
    static const char inside[] = MITER_INSIDE;
    if (b->input || strncmp(b->name, inside, sizeof inside - 1) != 0)
        return false;
    for (size_t i = 0; i < MITER_OUTPUTS; i++) {
        if (strcmp(b->name + sizeof inside - 1, miter_outputs[i]) == 0)
            return true;
    }
    return false;
}

static bool add_view(struct ec_equal *e, const struct ec_aig_bit *b, size_t *room)
{
    char care[300];
    snprintf(care, sizeof care, MITER_CARE "%s", b->name + strlen(MITER_VIEW));
    const struct ec_aig_bit *guard = ec_aig_find(&e->aig, false, care, b->bit);
    return EC_LIST_PUSH(e->views, e->view_count, *room,
                        (struct copies_view){e->aig.output[b->number],
                                             guard != NULL ? e->aig.output[guard->number] : 1});
}

/* Find the ports by their names. */
static enum ec_code read_ports(struct ec_equal *e, struct ec_error *reterr)
{
    const struct ec_aig *a = &e->aig;
    size_t room = 0;
    bool live = false;
    EC_ARRAY(&e->arrays, e->fixed, a->inputs);
    EC_ARRAY(&e->arrays, e->outputs, a->bit_count);
    if (e->arrays.memory_short)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    memset(e->fixed, FREE, a->inputs);
    memset(e->select, 0xff, sizeof e->select);
    for (size_t i = 0; i < a->bit_count; i++) {
        const struct ec_aig_bit *b = &a->bits[i];
        if (b->input && strcmp(b->name, MITER_SELECT) == 0 && b->bit < COPIES_SELECT_BITS) {
            e->select[b->bit] = b->number;
            e->fixed[b->number] = 0;
        }
        if (!b->input && strcmp(b->name, MITER_LIVE) == 0) {
            e->live = (a->output[b->number] >> 1) - 1 - a->inputs;
            live = e->live < a->registers && a->output[b->number] % 2 == 0 &&
                   a->start[e->live] == EC_AIG_ZERO && a->next[e->live] == 1;
        }
        if (is_output(b))
            e->outputs[e->output_count++] = (uint32_t)i;
        if (!b->input && strncmp(b->name, MITER_VIEW, strlen(MITER_VIEW)) == 0 &&
            !add_view(e, b, &room))
            return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    }
    return live && e->output_count > 0
               ? EC_OK
               : ec_fail(reterr, EC_INTERNAL, "the circuit of a comparison lacks ports");
}

/* All that a marked gate is made of. */
static void mark_gates(const struct ec_aig *a, bool *marked)
{
    const uint32_t gates = 1 + a->inputs + a->registers;
    for (uint32_t i = a->gates; i-- > 0;) {
        if (marked[gates + i]) {
            marked[a->gate[2 * (size_t)i] >> 1] = true;
            marked[a->gate[2 * (size_t)i + 1] >> 1] = true;
        }
    }
}

/* And all that marked registers were made of in any cycle before. */
static void mark_registers(const struct ec_aig *a, bool *marked)
{
    for (bool again = true; again;) {
        again = false;
        mark_gates(a, marked);
        for (uint32_t i = 0; i < a->registers; i++) {
            if (marked[1 + a->inputs + i] && !marked[a->next[i] >> 1])
                again = marked[a->next[i] >> 1] = true;
        }
    }
}

/* Which variables can reach an output, in this cycle or a later one? The environment of the mutant
 * cannot: its inputs are those of the router. Views of such registers matter, too. */
static enum ec_code find_what_matters(struct ec_equal *e, struct ec_error *reterr)
{
    const struct ec_aig *a = &e->aig;
    bool *known;
    size_t views = 0;
    EC_ARRAY(&e->arrays, known, copies_variables(a));
    EC_ARRAY(&e->arrays, e->matters, copies_variables(a));
    if (e->arrays.memory_short)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    for (size_t i = 0; i < e->output_count; i++)
        e->matters[copies_output(e, i) >> 1] = true;
    mark_registers(a, e->matters);
    /* Known in both copies: what is made of inputs and of these registers. */
    memset(known, true, (size_t)1 + a->inputs);
    for (size_t i = (size_t)1 + a->inputs; i < copies_variables(a); i++)
        known[i] = e->matters[i];
    for (uint32_t i = 0; i < a->gates; i++) {
        const uint32_t *g = &a->gate[2 * (size_t)i];
        known[1 + a->inputs + a->registers + i] = known[g[0] >> 1] && known[g[1] >> 1];
    }
    for (size_t i = 0; i < e->view_count; i++) {
        if (!known[e->views[i].of >> 1])
            continue;
        e->matters[e->views[i].of >> 1] = true;
        e->views[views++] = e->views[i];
    }
    e->view_count = views;
    mark_gates(a, e->matters);
    return EC_OK;
}

/* --- The router ------------------------------------------------------------------------------- */

/* The first two cycles of the router. An assumption about a single input, like that of the reset,
 * makes it a constant, so most of the second cycle is constant. */
static void add_first(struct ec_equal *e)
{
    const struct ec_aig *a = &e->aig;
    struct ec_frames *f = e->frames;
    ec_frames_inputs(f, a, e->fixed, e->guess, e->zero);
    ec_frames_inputs(f, a, e->fixed, e->guess, e->one);
    ec_frames_first(f, a, e->zero);
    ec_frames_cycle(f, a, e->zero);
    for (uint32_t i = 0; i < a->assumptions; i++) {
        const uint32_t met = ec_frames_at(e->zero, a->assume[i]);
        for (uint32_t k = 1; k <= a->inputs && met > 1; k++) {
            if (e->zero[k] == (met & ~1U))
                e->zero[k] = (met & 1) ^ 1;
        }
    }
    ec_frames_cycle(f, a, e->zero);
    ec_frames_assume(f, a, e->zero);
    ec_frames_next(a, e->zero, e->one);
    ec_frames_cycle(f, a, e->one);
    ec_frames_assume(f, a, e->one);
}

/* Which invariants hold, and two cycles of the router in any state in which they do. */
static enum ec_code begin(struct ec_equal *e, double seconds, struct ec_error *reterr)
{
    const struct ec_aig *a = &e->aig;
    uint32_t **const maps[] = {&e->zero, &e->one, &e->now, &e->next, &e->other, &e->then};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        EC_ARRAY(&e->arrays, *maps[i], copies_variables(a));
    for (unsigned k = 0; k < 4; k++) {
        EC_ARRAY(&e->arrays, e->seen[k], copies_variables(a));
        EC_ARRAY(&e->arrays, e->lanes[k], copies_variables(a));
    }
    EC_ARRAY(&e->arrays, e->kept, a->assertions);
    EC_ARRAY(&e->arrays, e->loose, a->registers);
    EC_ARRAY(&e->arrays, e->guess, (size_t)1 + a->inputs + a->registers);
    if (e->arrays.memory_short)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    memset(e->kept, true, a->assertions);
    enum ec_code code = ec_induct_guess(a, e->fixed, seconds, e->guess, reterr);
    const struct ec_induct q = {.aig = a,
                                .fixed = e->fixed,
                                .bad = a->broken,
                                .count = a->assertions,
                                .guess = e->guess,
                                .each = seconds / 4,
                                .seconds = seconds,
                                .stop = e->stop,
                                .context = e->context};
    if (code == EC_OK)
        code = ec_induct(&q, e->kept, reterr);
    if (code == EC_OK)
        code = ec_frames_open(e->stop, e->context, &e->frames, reterr);
    if (code != EC_OK)
        return code;
    struct ec_frames *f = e->frames;
    add_first(e);
    ec_frames_inputs(f, a, e->fixed, e->guess, e->now);
    ec_frames_inputs(f, a, e->fixed, e->guess, e->next);
    ec_frames_any(f, a, e->guess, e->now);
    e->now[1 + a->inputs + e->live] = 1;
    ec_frames_cycle(f, a, e->now);
    ec_frames_next(a, e->now, e->next);
    ec_frames_cycle(f, a, e->next);
    ec_frames_assume(f, a, e->now);
    ec_frames_assume(f, a, e->next);
    for (uint32_t i = 0; i < a->assertions; i++) {
        if (!e->kept[i])
            continue;
        ec_frames_fact(f, 1, ec_frames_at(e->now, a->broken[i]) ^ 1);
        ec_frames_fact(f, 1, ec_frames_at(e->next, a->broken[i]) ^ 1);
    }
    e->fact_count = ec_frames_facts(f);
    return ec_frames_failed(f) ? ec_fail(reterr, EC_MEMORY, "out of memory for a proof") : EC_OK;
}

enum ec_code ec_equal_circuit(const struct ec_equal_request *q, struct ec_aig *aig,
                              struct ec_equal **ret, struct ec_error *reterr)
{
    struct ec_equal *e = calloc(1, sizeof *e);
    if (e == NULL) {
        ec_aig_free(aig);
        return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    }
    e->aig = *aig;
    e->stop = q->stop;
    e->context = q->context;
    enum ec_code code = EC_ARRAY(&e->arrays, e->numbers, q->count) != NULL
                            ? read_ports(e, reterr)
                            : ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    for (size_t i = 0; i < q->count && code == EC_OK; i++)
        e->numbers[e->number_count++] = q->numbers[i];
    if (code == EC_OK)
        code = find_what_matters(e, reterr);
    if (code == EC_OK)
        code = begin(e, q->seconds, reterr);
    if (code == EC_OK)
        *ret = e;
    else
        ec_equal_close(e);
    return code;
}

enum ec_code ec_equal_open(const struct ec_equal_request *q, struct ec_equal **ret,
                           struct ec_error *reterr)
{
    char folder[PATH_MAX];
    struct ec_aig aig = {0};
    enum ec_code code = ec_path(folder, sizeof folder, reterr, "%s/equal", q->mutants->folder);
    if (code == EC_OK)
        code = ec_folder_make(folder, EC_FOLDER_USUAL, reterr);
    if (code == EC_OK)
        code = miter_make(q, folder, &aig, reterr);
    if (code == EC_OK)
        return ec_equal_circuit(q, &aig, ret, reterr);
    ec_aig_free(&aig);
    return code;
}

void ec_equal_close(struct ec_equal *e)
{
    if (e == NULL)
        return;
    ec_frames_close(e->frames);
    ec_aig_free(&e->aig);
    ec_arrays_free(&e->arrays);
    free(e->views);
    free(e);
}

/* --- One mutant ------------------------------------------------------------------------------- */

/* A number that selects nothing would be equivalent. */
static bool has_number(const struct ec_equal *e, uint32_t number)
{
    bool found = number == 0;
    for (size_t i = 0; i < e->number_count; i++)
        found = found || e->numbers[i] == number;
    return found;
}

enum ec_code ec_equal_judge(struct ec_equal *e, uint32_t number, double seconds,
                            struct ec_equal_result *ret, struct ec_error *reterr)
{
    const double begin = ec_frames_clock();
    *ret = (struct ec_equal_result){.verdict = EC_EQUAL_UNKNOWN};
    if (!has_number(e, number))
        return ec_fail(reterr, EC_INTERNAL, "mutant %u is not in the circuit", number);
    enum ec_code code = copies_prove(e, number, begin + seconds, ret, reterr);
    if (code == EC_OK && ret->verdict == EC_EQUAL_UNKNOWN && ec_frames_clock() < begin + seconds)
        code = copies_differ(e, number, begin + seconds, ret, reterr);
    if (code == EC_OK && e->stop != NULL && e->stop(e->context))
        code = ec_fail(reterr, EC_INTERRUPTED, "interrupted");
    ret->seconds = ec_frames_clock() - begin;
    return code;
}
