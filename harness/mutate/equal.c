/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that a mutant is equivalent to the router, or finds traffic that tells them apart. Knows
 * two copies of one circuit, cycle by cycle; must not know what its signals mean.
 *
 * The proof looks for the largest relation between the states of both copies that every step keeps
 * (van Eijk: Sequential Equivalence Checking Based on Structural Similarities, 2000). It begins
 * with all registers equal, and drops those that a step can make different. Registers that matter
 * only sometimes come back as views, which are equal while the router cares for them. In each state
 * of the relation the outputs must be equal. */
#include "mutate/equal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "mutate/miter.h"
#include "prove/frame.h"
#include "prove/induct.h"

enum { SELECT_BITS = 16, FREE = 2 };

/* What must be equal: literals of the circuit. Equal only while `care` is 1 in the router. */
struct pair {
    uint32_t of, care;
};

struct ec_equal {
    struct ec_aig aig;
    uint8_t *guess;               /* by variable: a state in which all facts hold */
    uint8_t *fixed;               /* [inputs] the number 0 in mutsel, all else is FREE */
    uint32_t select[SELECT_BITS]; /* inputs; UINT32_MAX: there is no such bit */
    uint32_t *outputs;            /* [output_count] of the router: positions in aig.bits; owned */
    size_t output_count;
    struct pair *views; /* [view_count]; owned */
    size_t view_count;
    uint32_t live; /* register: the first cycle is over */
    bool *kept;    /* [aig.assertions] invariants that hold in every cycle of the router */
    struct ec_frames *frames;
    size_t fact_count;      /* of the router */
    uint32_t *zero, *one;   /* the first two cycles of the router */
    uint32_t *now, *next;   /* two cycles of the router, from any state on */
    uint32_t *other, *then; /* the same cycles of the mutant */
    uint8_t *seen[4];       /* values of all variables: router and mutant, in two cycles */
    uint32_t *numbers;      /* [number_count] of the mutants in the circuit; owned */
    size_t number_count;
    bool (*stop)(void *context);
    void *context;
};

/* What is known of one mutant. */
struct relation {
    bool *registers, *views, *gates; /* are they equal in every cycle? */
    uint32_t *own; /* [registers] the mutant's literal of one that differs; 0: none yet */
    uint32_t *any; /* [count] of a question: differences */
    size_t count;
};

bool ec_equal_available(void)
{
    return ec_frames_available();
}

void ec_equal_invariants(const struct ec_equal *e, size_t *ret_kept, size_t *ret_tried)
{
    *ret_tried = e->aig.assertions;
    *ret_kept = 0;
    for (size_t i = 0; i < e->aig.assertions; i++)
        *ret_kept += e->kept[i];
}

/* --- The circuit ------------------------------------------------------------------------------ */

static uint32_t *make_map(const struct ec_aig *a)
{
    return calloc((size_t)1 + a->inputs + a->registers + a->gates, sizeof(uint32_t));
}

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
    struct pair *views = ec_list_grow(e->views, sizeof *views, e->view_count, room);
    if (views == NULL)
        return false;
    e->views = views;
    e->views[e->view_count++] =
        (struct pair){e->aig.output[b->number], guard != NULL ? e->aig.output[guard->number] : 1};
    return true;
}

/* Find the ports by their names. */
static enum ec_code read_ports(struct ec_equal *e, struct ec_error *reterr)
{
    const struct ec_aig *a = &e->aig;
    size_t room = 0;
    bool live = false;
    e->fixed = malloc((size_t)a->inputs + 1);
    e->outputs = calloc(a->bit_count + 1, sizeof *e->outputs);
    if (e->fixed == NULL || e->outputs == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    memset(e->fixed, FREE, a->inputs);
    memset(e->select, 0xff, sizeof e->select);
    for (size_t i = 0; i < a->bit_count; i++) {
        const struct ec_aig_bit *b = &a->bits[i];
        if (b->input && strcmp(b->name, MITER_SELECT) == 0 && b->bit < SELECT_BITS) {
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

/* --- The router ------------------------------------------------------------------------------- */

static void assume(struct ec_frames *f, const struct ec_aig *a, const uint32_t *map)
{
    for (uint32_t i = 0; i < a->assumptions; i++)
        ec_frames_fact(f, 1, ec_frames_at(map, a->assume[i]));
}

/* The cycle behind another one, whose inputs are there. */
static void add_next(struct ec_equal *e, const uint32_t *map, uint32_t *ret)
{
    const struct ec_aig *a = &e->aig;
    for (uint32_t i = 0; i < a->registers; i++)
        ret[1 + a->inputs + i] = ec_frames_at(map, a->next[i]);
    ec_frames_cycle(e->frames, a, ret);
}

/* The first two cycles of the router. An assumption about a single input, like that of the reset,
 * makes it a constant, so most of the second cycle is constant. */
static void add_first(struct ec_equal *e)
{
    const struct ec_aig *a = &e->aig;
    struct ec_frames *f = e->frames;
    ec_induct_inputs(f, a, e->fixed, e->guess, e->zero);
    ec_induct_inputs(f, a, e->fixed, e->guess, e->one);
    for (uint32_t i = 0; i < a->registers; i++)
        e->zero[1 + a->inputs + i] =
            a->start[i] == EC_AIG_ANY ? ec_frames_bit(f) : a->start[i] == EC_AIG_ONE;
    ec_frames_cycle(f, a, e->zero);
    for (uint32_t i = 0; i < a->assumptions; i++) {
        const uint32_t met = ec_frames_at(e->zero, a->assume[i]);
        for (uint32_t k = 1; k <= a->inputs && met > 1; k++) {
            if (e->zero[k] == (met & ~1U))
                e->zero[k] = (met & 1) ^ 1;
        }
    }
    ec_frames_cycle(f, a, e->zero);
    assume(f, a, e->zero);
    add_next(e, e->zero, e->one);
    assume(f, a, e->one);
}

/* Which invariants hold, and two cycles of the router in any state in which they do. */
static enum ec_code begin(struct ec_equal *e, double seconds, struct ec_error *reterr)
{
    const struct ec_aig *a = &e->aig;
    e->kept = malloc(a->assertions + 1);
    e->zero = make_map(a);
    e->one = make_map(a);
    e->now = make_map(a);
    e->next = make_map(a);
    e->other = make_map(a);
    e->then = make_map(a);
    if (!e->kept || !e->zero || !e->one || !e->now || !e->next || !e->other || !e->then)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    for (unsigned k = 0; k < 4; k++) {
        e->seen[k] = calloc((size_t)1 + a->inputs + a->registers + a->gates, 1);
        if (!e->seen[k])
            return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    }
    memset(e->kept, true, a->assertions);
    e->guess = malloc((size_t)1 + a->inputs + a->registers);
    if (e->guess == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    bool all = false;
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
        code = ec_inductive(&q, &all, reterr);
    if (code == EC_OK && !all)
        code = ec_induct(&q, e->kept, reterr);
    if (code == EC_OK)
        code = ec_frames_open(e->stop, e->context, &e->frames, reterr);
    if (code != EC_OK)
        return code;
    struct ec_frames *f = e->frames;
    add_first(e);
    ec_induct_inputs(f, a, e->fixed, e->guess, e->now);
    ec_induct_inputs(f, a, e->fixed, e->guess, e->next);
    for (uint32_t i = 0; i < a->registers; i++)
        e->now[1 + a->inputs + i] =
            i == e->live ? 1 : ec_frames_guess(f, e->guess[1 + a->inputs + i] != 0);
    ec_frames_cycle(f, a, e->now);
    add_next(e, e->now, e->next);
    assume(f, a, e->now);
    assume(f, a, e->next);
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
    e->numbers = malloc((q->count + 1) * sizeof *e->numbers);
    enum ec_code code = e->numbers != NULL
                            ? read_ports(e, reterr)
                            : ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    for (size_t i = 0; i < q->count && code == EC_OK; i++)
        e->numbers[e->number_count++] = q->numbers[i];
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
    struct ec_frames *probe = NULL;
    struct ec_aig aig = {0};
    enum ec_code code = ec_frames_open(NULL, NULL, &probe, reterr);
    ec_frames_close(probe);
    if (code == EC_OK)
        code = ec_path(folder, sizeof folder, reterr, "%s/equal", q->mutants->folder);
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
    free(e->guess);
    free(e->fixed);
    free(e->outputs);
    free(e->views);
    free(e->kept);
    free(e->numbers);
    for (unsigned k = 0; k < 4; k++)
        free(e->seen[k]);
    free(e->zero);
    free(e->one);
    free(e->now);
    free(e->next);
    free(e->other);
    free(e->then);
    free(e);
}

/* --- The proof -------------------------------------------------------------------------------- */

/* The inputs of the router, but the number of the mutant. */
static void copy_inputs(const struct ec_equal *e, uint32_t number, const uint32_t *from,
                        uint32_t *map)
{
    memcpy(map + 1, from + 1, e->aig.inputs * sizeof *map);
    for (unsigned b = 0; b < SELECT_BITS; b++) {
        if (e->select[b] != UINT32_MAX)
            map[1 + e->select[b]] = number >> b & 1;
    }
}

/* In the present cycle: `when` implies that they are equal while `care` is 1. */
static void require_equal(struct ec_equal *e, uint32_t when, uint32_t care, uint32_t a, uint32_t b)
{
    const uint32_t differ = a != b ? ec_frames_xor(e->frames, a, b) : 0;
    ec_frames_fact(e->frames, when, ec_frames_and(e->frames, care, differ) ^ 1);
}

/* One more way in which the copies may differ. */
static void add_difference(struct ec_equal *e, struct relation *r, uint32_t when, uint32_t a,
                           uint32_t b)
{
    const uint32_t differs =
        a != b ? ec_frames_and(e->frames, when, ec_frames_xor(e->frames, a, b)) : 0;
    if (differs == 0)
        return;
    r->any[r->count++] = differs;
}

/* The gates of the mutant in a cycle. Those that are to be equal are taken from the router. Where
 * this is not so by itself, it is assumed (`when`), or asked (0): if none of these can differ, no
 * gate does, from the inputs on. So gates behind an equal one need no question. */
static void add_gates(struct ec_equal *e, struct relation *r, const uint32_t *map, uint32_t *other,
                      uint32_t when)
{
    const struct ec_aig *a = &e->aig;
    const uint32_t gate = 1 + a->inputs + a->registers;
    other[0] = 0;
    for (uint32_t i = 0; i < a->gates; i++) {
        const uint32_t *g = &a->gate[2 * (size_t)i];
        const uint32_t is =
            ec_frames_and(e->frames, ec_frames_at(other, g[0]), ec_frames_at(other, g[1]));
        other[gate + i] = r->gates[i] ? map[gate + i] : is;
        if (!r->gates[i] || is == map[gate + i])
            continue;
        if (when != 0)
            require_equal(e, when, 1, map[gate + i], is);
        else
            add_difference(e, r, 1, map[gate + i], is);
    }
}

/* All that must be equal in a cycle of the router and the same one of the mutant, whose inputs and
 * registers are there. */
static void add_differences(struct ec_equal *e, struct relation *r, const uint32_t *map,
                            uint32_t *other)
{
    const struct ec_aig *a = &e->aig;
    const uint32_t first = 1 + a->inputs;
    /* If one of these registers differs, that is an answer. Else they are those of the router. */
    for (uint32_t i = 0; i < a->registers; i++) {
        if (!r->registers[i])
            continue;
        add_difference(e, r, 1, map[first + i], other[first + i]);
        other[first + i] = map[first + i];
    }
    add_gates(e, r, map, other, 0);
    for (size_t i = 0; i < e->view_count; i++) {
        const struct pair *v = &e->views[i];
        if (r->views[i])
            add_difference(e, r, ec_frames_at(map, v->care), ec_frames_at(map, v->of),
                           ec_frames_at(other, v->of));
    }
}

static enum ec_frames_answer ask_differences(struct ec_equal *e, const struct relation *r,
                                             uint32_t when, double seconds)
{
    if (r->count == 0)
        return EC_FRAMES_NO;
    ec_frames_require(e->frames, when, r->any, r->count);
    return ec_frames_ask(e->frames, &when, 1, seconds);
}

/* The registers of the mutant in the cycle behind `map`. */
static void step_registers(const struct ec_equal *e, const uint32_t *map, uint32_t *ret)
{
    for (uint32_t i = 0; i < e->aig.registers; i++)
        ret[1 + e->aig.inputs + i] = ec_frames_at(map, e->aig.next[i]);
}

/* Can the cycle behind the first reset be outside of the relation? Power-up is the same. */
static enum ec_frames_answer ask_first(struct ec_equal *e, uint32_t number, struct relation *r,
                                       double seconds)
{
    const struct ec_aig *a = &e->aig;
    copy_inputs(e, number, e->zero, e->other);
    memcpy(e->other + 1 + a->inputs, e->zero + 1 + a->inputs, a->registers * sizeof *e->other);
    ec_frames_cycle(e->frames, a, e->other);
    copy_inputs(e, number, e->one, e->then);
    step_registers(e, e->other, e->then);
    r->count = 0;
    add_differences(e, r, e->one, e->then);
    return ask_differences(e, r, ec_frames_bit(e->frames), seconds);
}

/* Can a step from the relation lead out of it, or outputs differ in it? */
static enum ec_frames_answer ask_step(struct ec_equal *e, uint32_t number, struct relation *r,
                                      double seconds)
{
    const struct ec_aig *a = &e->aig;
    struct ec_frames *f = e->frames;
    const uint32_t first = 1 + a->inputs;
    ec_frames_forget(f, e->fact_count);
    copy_inputs(e, number, e->now, e->other);
    for (uint32_t i = 0; i < a->registers; i++) {
        if (!r->registers[i] && r->own[i] == 0)
            r->own[i] = ec_frames_guess(f, e->guess[first + i] != 0);
        e->other[first + i] = r->registers[i] ? e->now[first + i] : r->own[i];
    }
    const uint32_t when = ec_frames_bit(f);
    add_gates(e, r, e->now, e->other, when);
    for (size_t i = 0; i < e->view_count; i++) {
        const struct pair *v = &e->views[i];
        if (r->views[i])
            require_equal(e, when, ec_frames_at(e->now, v->care), ec_frames_at(e->now, v->of),
                          ec_frames_at(e->other, v->of));
    }
    copy_inputs(e, number, e->next, e->then);
    step_registers(e, e->other, e->then);
    r->count = 0;
    for (size_t i = 0; i < e->output_count; i++) {
        const uint32_t o = a->output[a->bits[e->outputs[i]].number];
        add_difference(e, r, 1, ec_frames_at(e->now, o), ec_frames_at(e->other, o));
    }
    add_differences(e, r, e->next, e->then);
    return ask_differences(e, r, when, seconds);
}

static uint8_t seen_at(const uint8_t *values, uint32_t literal)
{
    return values[literal >> 1] ^ (literal & 1);
}

static void see_gates(const struct ec_aig *a, uint8_t *values)
{
    const uint32_t first = 1 + a->inputs + a->registers;
    for (uint32_t i = 0; i < a->gates; i++)
        values[first + i] =
            seen_at(values, a->gate[2 * (size_t)i]) & seen_at(values, a->gate[2 * (size_t)i + 1]);
}

/* What both copies do in the two cycles of the answer. */
static void see(struct ec_equal *e, const struct relation *r, bool first)
{
    const struct ec_aig *a = &e->aig;
    const uint32_t *cycles[] = {first ? e->zero : e->now, first ? e->one : e->next};
    const uint32_t registers = 1 + a->inputs;
    for (unsigned k = 0; k < 4; k++) {
        /* The inputs of the mutant are in the maps of the question. */
        const uint32_t *inputs = k < 2 ? cycles[k] : k == 2 ? e->other : e->then;
        for (uint32_t i = 1; i < registers; i++)
            e->seen[k][i] = ec_frames_value(e->frames, inputs[i]);
        for (uint32_t i = 0; i < a->registers; i++) {
            const bool own = k == 2 && !first && !r->registers[i];
            e->seen[k][registers + i] =
                k % 2 == 1 ? seen_at(e->seen[k - 1], a->next[i])
                           : ec_frames_value(e->frames, own ? r->own[i] : cycles[0][registers + i]);
        }
        see_gates(a, e->seen[k]);
    }
}

/* Drop what differs; false: an output does, and *ret says which. */
static bool refine(struct ec_equal *e, struct relation *r, bool first, size_t *ret)
{
    const struct ec_aig *a = &e->aig;
    const uint32_t registers = 1 + a->inputs, gate = registers + a->registers;
    see(e, r, first);
    const uint8_t *router = e->seen[1], *mutant = e->seen[3];
    for (size_t i = 0; i < e->output_count && !first; i++) {
        const uint32_t o = a->output[a->bits[e->outputs[i]].number];
        *ret = i;
        if (seen_at(e->seen[0], o) != seen_at(e->seen[2], o))
            return false;
    }
    for (uint32_t i = 0; i < a->registers; i++)
        r->registers[i] = r->registers[i] && router[registers + i] == mutant[registers + i];
    for (uint32_t i = 0; i < a->gates; i++)
        r->gates[i] = r->gates[i] && router[gate + i] == mutant[gate + i];
    for (size_t i = 0; i < e->view_count; i++) {
        const struct pair *v = &e->views[i];
        r->views[i] = r->views[i] && (!seen_at(router, v->care) ||
                                      seen_at(router, v->of) == seen_at(mutant, v->of));
    }
    return true;
}

/* Drop all that is not equal by itself in the cycle behind the reset: where the state before it
 * shows up, as in buffers, the solver would find one difference at a time. */
static void drop_unlike(struct ec_equal *e, struct relation *r)
{
    const struct ec_aig *a = &e->aig;
    const uint32_t registers = 1 + a->inputs, gate = registers + a->registers;
    step_registers(e, e->other, e->then);
    ec_frames_cycle(e->frames, a, e->then);
    for (uint32_t i = 0; i < a->registers; i++)
        r->registers[i] = r->registers[i] && e->one[registers + i] == e->then[registers + i];
    for (uint32_t i = 0; i < a->gates; i++)
        r->gates[i] = r->gates[i] && e->one[gate + i] == e->then[gate + i];
    for (size_t i = 0; i < e->view_count; i++) {
        const struct pair *v = &e->views[i];
        const uint32_t differ =
            ec_frames_xor(e->frames, ec_frames_at(e->one, v->of), ec_frames_at(e->then, v->of));
        r->views[i] =
            r->views[i] && ec_frames_and(e->frames, ec_frames_at(e->one, v->care), differ) == 0;
    }
}

static void name_output(const struct ec_equal *e, size_t number, char *text, size_t size)
{
    const struct ec_aig_bit *b = &e->aig.bits[e->outputs[number]];
    snprintf(text, size, "%s_o[%u]", b->name + strlen(MITER_INSIDE), b->bit);
}

/* `rounds`: at most so many steps. */
static void search_relation(struct ec_equal *e, uint32_t number, double deadline, unsigned rounds,
                            struct relation *r, struct ec_equal_result *ret)
{
    enum { FIRST_ROUNDS = 12 };
    bool first = true;
    for (unsigned round = 1, steps = 0; steps < rounds; round++, steps += !first) {
        size_t what = 0;
        const double seconds = deadline - ec_frames_clock();
        const enum ec_frames_answer answer =
            first ? ask_first(e, number, r, seconds) : ask_step(e, number, r, seconds);
        if (answer == EC_FRAMES_NO && !first) {
            ret->verdict = EC_EQUAL_PROVED;
            ret->why[0] = '\0';
            return;
        }
        if (answer == EC_FRAMES_TIME) {
            snprintf(ret->why, sizeof ret->why, "no proof in time");
            return;
        }
        if (answer == EC_FRAMES_NO) {
            first = false;
        } else if (first && round == FIRST_ROUNDS) {
            drop_unlike(e, r);
        } else if (!refine(e, r, first, &what)) {
            char output[64];
            name_output(e, what, output, sizeof output);
            snprintf(ret->why, sizeof ret->why, "%s differs in a state that may be unreachable",
                     output);
            return;
        }
    }
}

static enum ec_code try_proof(struct ec_equal *e, uint32_t number, double deadline,
                              struct ec_equal_result *ret, struct ec_error *reterr)
{
    const size_t all = e->output_count + e->aig.registers + e->view_count + e->aig.gates;
    struct relation r = {.registers = malloc(e->aig.registers + 1),
                         .views = malloc(e->view_count + 1),
                         .gates = malloc((size_t)e->aig.gates + 1),
                         .own = calloc((size_t)e->aig.registers + 1, sizeof *r.own),
                         .any = calloc(all + 1, sizeof *r.any)};
    enum ec_code code = EC_OK;
    if (!r.registers || !r.views || !r.gates || !r.own || !r.any) {
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    } else {
        /* Most defects show nowhere, so that gates are equal, too, or in no register. */
        static const struct {
            bool gates;
            unsigned rounds;
            double share; /* of the time that is left */
        } tries[] = {{true, 4, 0.3}, {false, UINT_MAX, 0.5}, {true, UINT_MAX, 1}};
        for (size_t i = 0; i < 3 && ret->verdict == EC_EQUAL_UNKNOWN; i++) {
            const double now = ec_frames_clock();
            memset(r.registers, true, e->aig.registers);
            memset(r.views, true, e->view_count);
            memset(r.gates, tries[i].gates, e->aig.gates);
            memset(r.own, 0, e->aig.registers * sizeof *r.own);
            search_relation(e, number, now + tries[i].share * (deadline - now), tries[i].rounds, &r,
                            ret);
        }
        if (ec_frames_failed(e->frames))
            code = ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    }
    free(r.registers);
    free(r.views);
    free(r.gates);
    free(r.own);
    free(r.any);
    return code;
}

/* --- The search for a difference -------------------------------------------------------------- */

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
    uint8_t *start = calloc((size_t)a->registers + 1, 1), *inputs = calloc(bits + 1, 1);
    uint8_t *outputs[2] = {calloc(shown + 1, 1), calloc(shown + 1, 1)};
    bool legal[2] = {false, false};
    enum ec_code code = EC_OK;
    if (!start || !inputs || !outputs[0] || !outputs[1])
        code = ec_fail(reterr, EC_MEMORY, "out of memory to step a circuit");
    for (uint32_t i = 0; i < a->registers && code == EC_OK; i++)
        start[i] = ec_frames_value(s->f, s->start[i]);
    for (size_t i = 0; i < bits && code == EC_OK; i++)
        inputs[i] = ec_frames_value(s->f, s->inputs[i]);
    for (unsigned k = 0; k < 2 && code == EC_OK; k++) {
        for (size_t c = 0; c < s->cycles; c++) {
            for (unsigned b = 0; b < SELECT_BITS; b++) {
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
            name_output(e, i, ret->output, sizeof ret->output);
        }
    }
    if (code == EC_OK && ret->verdict != EC_EQUAL_DIFFERS)
        code = ec_fail(reterr, EC_INTERNAL, "mutant %u: a difference cannot be simulated", number);
    free(start);
    free(inputs);
    free(outputs[0]);
    free(outputs[1]);
    return code;
}

/* Can the outputs differ in this cycle? */
static enum ec_frames_answer ask_outputs(struct ec_equal *e, struct search *s, double seconds)
{
    const struct ec_aig *a = &e->aig;
    uint32_t none = 1; /* no output differs */
    for (size_t i = 0; i < e->output_count; i++) {
        const uint32_t o = a->output[a->bits[e->outputs[i]].number];
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
    for (uint32_t i = 0; i < a->registers; i++) {
        s->start[i] = a->start[i] == EC_AIG_ANY ? ec_frames_bit(s->f) : a->start[i] == EC_AIG_ONE;
        s->at[0][first + i] = s->at[1][first + i] = s->start[i];
    }
    for (;;) {
        ec_induct_inputs(s->f, a, e->fixed, e->guess, s->at[0]);
        copy_inputs(e, number, s->at[0], s->at[1]);
        if (!add_inputs(e, s))
            return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
        ec_frames_cycle(s->f, a, s->at[0]);
        ec_frames_cycle(s->f, a, s->at[1]);
        assume(s->f, a, s->at[0]);
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
            for (uint32_t i = 0; i < a->registers; i++)
                s->after[k][first + i] = ec_frames_at(s->at[k], a->next[i]);
            uint32_t *map = s->at[k];
            s->at[k] = s->after[k];
            s->after[k] = map;
        }
    }
}

static enum ec_code try_difference(struct ec_equal *e, uint32_t number, double deadline,
                                   struct ec_equal_result *ret, struct ec_error *reterr)
{
    const struct ec_aig *a = &e->aig;
    struct search s = {.at = {make_map(a), make_map(a)},
                       .after = {make_map(a), make_map(a)},
                       .start = calloc((size_t)a->registers + 1, sizeof *s.start)};
    enum ec_code code = EC_OK;
    if (!s.at[0] || !s.at[1] || !s.after[0] || !s.after[1] || !s.start)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    if (code == EC_OK)
        code = ec_frames_open(e->stop, e->context, &s.f, reterr);
    if (code == EC_OK)
        code = step_search(e, number, deadline, &s, ret, reterr);
    ec_frames_close(s.f);
    for (unsigned k = 0; k < 2; k++) {
        free(s.at[k]);
        free(s.after[k]);
    }
    free(s.start);
    free(s.inputs);
    return code;
}

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
    enum ec_code code = try_proof(e, number, begin + seconds, ret, reterr);
    if (code == EC_OK && ret->verdict == EC_EQUAL_UNKNOWN && ec_frames_clock() < begin + seconds)
        code = try_difference(e, number, begin + seconds, ret, reterr);
    if (code == EC_OK && e->stop != NULL && e->stop(e->context))
        code = ec_fail(reterr, EC_INTERRUPTED, "interrupted");
    ret->seconds = ec_frames_clock() - begin;
    return code;
}
