/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that a mutant is equivalent to the router. Knows two cycles of both copies; must not know
 * what signals mean.
 *
 * It looks for the largest relation between the states of both copies that every step keeps (van
 * Eijk: Sequential Equivalence Checking Based on Structural Similarities, 2000). It begins with all
 * registers and gates equal that can reach an output, and drops those that a step can make
 * different. Registers that matter only sometimes come back as views, which are equal while the
 * router cares for them. In each state of the relation the outputs must be equal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate/copies.h"

/* For a question, at first. */
static const double BRIEF_SECONDS = 0.5;

/* What may differ in the question at hand. */
enum kind { OUTPUT, REGISTER, GATE, VIEW };
struct difference {
    uint32_t literal; /* 1 if it differs */
    uint32_t index;
    enum kind kind;
    bool done; /* there is an answer */
};

struct relation {
    struct ec_equal *e;
    uint32_t number;
    struct copies_same same;
    uint32_t *own; /* [registers] the mutant's literal of one that differs; 0: none yet */
    struct difference *differences; /* [count] */
    uint32_t *any;                  /* [count] of one question */
    size_t count;
    uint64_t answers;     /* so far */
    size_t dropped, late; /* in this round; late: differences without an answer in time */
    double seconds;       /* for a question about one of them */
    double deadline;      /* of this try */
    bool idle;            /* an answer showed nothing, which must not be */
    bool differs;         /* an output, in a state of the relation: */
    char output[64];
};

/* --- Differences ------------------------------------------------------------------------------ */

/* In the present cycle: `when` implies that they are equal while `care` is 1. */
static void require_equal(struct ec_equal *e, uint32_t when, uint32_t care, uint32_t a, uint32_t b)
{
    const uint32_t differ = a != b ? ec_frames_xor(e->frames, a, b) : 0;
    ec_frames_fact(e->frames, when, ec_frames_and(e->frames, care, differ) ^ 1);
}

/* One more way in which the copies may differ. */
static void add_difference(struct relation *r, enum kind kind, size_t index, uint32_t care,
                           uint32_t a, uint32_t b)
{
    struct ec_frames *f = r->e->frames;
    const uint32_t differs = a != b ? ec_frames_and(f, care, ec_frames_xor(f, a, b)) : 0;
    if (differs != 0)
        r->differences[r->count++] = (struct difference){differs, (uint32_t)index, kind, false};
}

/* The gates of the mutant in a cycle. Those that are to be equal are taken from the router. Where
 * this is not so by itself, it is assumed (`when`), or asked (0): if none of these can differ, no
 * gate does, from the inputs on. So gates behind an equal one need no question. */
static void add_gates(struct relation *r, const uint32_t *map, uint32_t *other, uint32_t when)
{
    struct ec_equal *e = r->e;
    const struct ec_aig *a = &e->aig;
    const uint32_t gate = 1 + a->inputs + a->registers;
    other[0] = 0;
    for (uint32_t i = 0; i < a->gates; i++) {
        if (!e->matters[gate + i])
            continue;
        const uint32_t *g = &a->gate[2 * (size_t)i];
        const uint32_t is =
            ec_frames_and(e->frames, ec_frames_at(other, g[0]), ec_frames_at(other, g[1]));
        other[gate + i] = r->same.gates[i] ? map[gate + i] : is;
        if (!r->same.gates[i] || is == map[gate + i])
            continue;
        if (when != 0)
            require_equal(e, when, 1, map[gate + i], is);
        else
            add_difference(r, GATE, i, 1, map[gate + i], is);
    }
}

/* All that must be equal in a cycle of the router and the same one of the mutant, whose inputs and
 * registers are there. */
static void add_differences(struct relation *r, const uint32_t *map, uint32_t *other)
{
    struct ec_equal *e = r->e;
    const struct ec_aig *a = &e->aig;
    const uint32_t first = 1 + a->inputs;
    /* If one of these registers differs, that is an answer. Else they are those of the router. */
    for (uint32_t i = 0; i < a->registers; i++) {
        if (!r->same.registers[i])
            continue;
        add_difference(r, REGISTER, i, 1, map[first + i], other[first + i]);
        other[first + i] = map[first + i];
    }
    add_gates(r, map, other, 0);
    for (size_t i = 0; i < e->view_count; i++) {
        const struct copies_view *v = &e->views[i];
        if (r->same.views[i])
            add_difference(r, VIEW, i, ec_frames_at(map, v->care), ec_frames_at(map, v->of),
                           ec_frames_at(other, v->of));
    }
}

/* --- Answers ---------------------------------------------------------------------------------- */

static uint64_t spread(bool bit)
{
    return 0 - (uint64_t)bit;
}

/* What both copies do in the two cycles of the answer. */
static void see(const struct relation *r, bool first)
{
    struct ec_equal *e = r->e;
    const struct ec_aig *a = &e->aig;
    const uint32_t *cycles[] = {first ? e->zero : e->now, first ? e->one : e->next};
    const uint32_t registers = 1 + a->inputs;
    for (unsigned k = 0; k < 4; k++) {
        /* The inputs of the mutant are in the maps of the question. */
        const uint32_t *inputs = k < 2 ? cycles[k] : k == 2 ? e->other : e->then;
        for (uint32_t i = 1; i < registers; i++)
            e->seen[k][i] = spread(ec_frames_value(e->frames, inputs[i]));
        for (uint32_t i = 0; i < a->registers; i++) {
            /* What was dropped since the question was made is equal in it. */
            const bool own = k == 2 && !first && r->own[i] != 0;
            e->seen[k][registers + i] =
                k % 2 == 1 ? copies_lanes(e->seen[k - 1], a->next[i])
                           : spread(ec_frames_value(e->frames,
                                                    own ? r->own[i] : cycles[0][registers + i]));
        }
        copies_gates(a, e->seen[k]);
    }
}

/* Drop what differs in the answer. */
static size_t drop_seen(struct relation *r, bool first)
{
    see(r, first);
    return copies_drop(r->e, &r->same, UINT64_MAX, r->e->seen);
}

/* --- The first cycle -------------------------------------------------------------------------- */

/* Can the cycle behind the first reset be outside of the relation? Power-up is the same. */
static enum ec_frames_answer ask_first(struct relation *r)
{
    struct ec_equal *e = r->e;
    const struct ec_aig *a = &e->aig;
    copies_inputs(e, r->number, e->zero, e->other);
    memcpy(e->other + 1 + a->inputs, e->zero + 1 + a->inputs, a->registers * sizeof *e->other);
    ec_frames_cycle(e->frames, a, e->other);
    copies_inputs(e, r->number, e->one, e->then);
    ec_frames_next(a, e->other, e->then);
    r->count = 0;
    add_differences(r, e->one, e->then);
    if (r->count == 0)
        return EC_FRAMES_NO;
    const uint32_t when = ec_frames_bit(e->frames);
    for (size_t i = 0; i < r->count; i++)
        r->any[i] = r->differences[i].literal;
    ec_frames_require(e->frames, when, r->any, r->count);
    return ec_frames_ask(e->frames, &when, 1, r->deadline - ec_frames_clock());
}

/* Drop all that is not equal by itself in the cycle behind the reset: where the state before it
 * shows up, as in buffers, the solver would find one difference at a time. */
static void drop_unlike(struct relation *r)
{
    struct ec_equal *e = r->e;
    const struct ec_aig *a = &e->aig;
    const uint32_t registers = 1 + a->inputs, gate = registers + a->registers;
    ec_frames_next(a, e->other, e->then);
    ec_frames_cycle(e->frames, a, e->then);
    for (uint32_t i = 0; i < a->registers; i++)
        r->same.registers[i] =
            r->same.registers[i] && e->one[registers + i] == e->then[registers + i];
    for (uint32_t i = 0; i < a->gates; i++)
        r->same.gates[i] = r->same.gates[i] && e->one[gate + i] == e->then[gate + i];
    for (size_t i = 0; i < e->view_count; i++) {
        const struct copies_view *v = &e->views[i];
        const uint32_t differ =
            ec_frames_xor(e->frames, ec_frames_at(e->one, v->of), ec_frames_at(e->then, v->of));
        r->same.views[i] = r->same.views[i] &&
                           ec_frames_and(e->frames, ec_frames_at(e->one, v->care), differ) == 0;
    }
}

/* The relation holds in the cycle behind the first reset; false: the time is up. */
static bool begin_relation(struct relation *r)
{
    enum { FIRST_ROUNDS = 12 };
    for (unsigned round = 1;; round++) {
        const enum ec_frames_answer answer = ask_first(r);
        if (answer != EC_FRAMES_YES)
            return answer == EC_FRAMES_NO;
        if (round == FIRST_ROUNDS)
            drop_unlike(r);
        else
            drop_seen(r, true);
    }
}

/* --- The step --------------------------------------------------------------------------------- */

/* Any cycle in which the relation holds if `when` is 1, and the next one. */
static void make_step(struct relation *r, uint32_t when)
{
    struct ec_equal *e = r->e;
    const struct ec_aig *a = &e->aig;
    struct ec_frames *f = e->frames;
    const uint32_t first = 1 + a->inputs;
    ec_frames_forget(f, e->fact_count);
    copies_inputs(e, r->number, e->now, e->other);
    for (uint32_t i = 0; i < a->registers; i++) {
        if (!r->same.registers[i] && r->own[i] == 0 && e->matters[first + i])
            r->own[i] = ec_frames_guess(f, e->guess[first + i] != 0);
        e->other[first + i] = r->same.registers[i] ? e->now[first + i] : r->own[i];
    }
    add_gates(r, e->now, e->other, when);
    for (size_t i = 0; i < e->view_count; i++) {
        const struct copies_view *v = &e->views[i];
        if (r->same.views[i])
            require_equal(e, when, ec_frames_at(e->now, v->care), ec_frames_at(e->now, v->of),
                          ec_frames_at(e->other, v->of));
    }
    copies_inputs(e, r->number, e->next, e->then);
    ec_frames_next(a, e->other, e->then);
    r->count = 0;
    add_differences(r, e->next, e->then);
    for (size_t i = 0; i < e->output_count; i++) {
        const uint32_t o = copies_output(e, i);
        add_difference(r, OUTPUT, i, 1, ec_frames_at(e->now, o), ec_frames_at(e->other, o));
    }
}

/* No answer can help any more. */
static bool is_over(const struct relation *r)
{
    const struct ec_equal *e = r->e;
    return r->differs || r->idle || ec_frames_failed(e->frames) ||
           ec_frames_clock() > r->deadline || (e->stop != NULL && e->stop(e->context));
}

static bool is_open(const struct relation *r, const struct difference *d)
{
    const bool *of = d->kind == REGISTER ? r->same.registers
                     : d->kind == GATE   ? r->same.gates
                                         : r->same.views;
    /* Outputs come last: only of a relation that holds. */
    return !d->done && (d->kind == OUTPUT ? r->dropped == 0 && r->late == 0 : of[d->index]);
}

static double time_for(const struct relation *r, size_t count)
{
    return fmin(count > 1 ? BRIEF_SECONDS : r->seconds, r->deadline - ec_frames_clock());
}

/* A state of the relation has been found, and the cycle behind it. */
static void take_answer(struct relation *r, size_t begin, size_t end)
{
    struct ec_equal *e = r->e;
    /* Behind another difference that is open, the answer may show none of these. */
    for (size_t i = begin; i < end; i++) {
        struct difference *d = &r->differences[i];
        d->done = d->done || (is_open(r, d) && ec_frames_value(e->frames, d->literal));
    }
    r->dropped += drop_seen(r, false);
    r->dropped += copies_vary(e, &r->same, r->answers++);
    for (size_t i = 0; i < e->output_count && !r->differs; i++) {
        const uint32_t o = copies_output(e, i);
        if (copies_lanes(e->seen[0], o) != copies_lanes(e->seen[2], o)) {
            r->differs = true;
            copies_name_output(e, i, r->output, sizeof r->output);
        }
    }
    r->idle = r->dropped == 0 && !r->differs;
}

/* It was not found in time. A gate is dropped: the proof may succeed without it. */
static void leave(struct relation *r, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const struct difference *d = &r->differences[i];
        if (!is_open(r, d))
            continue;
        if (d->kind == GATE) {
            r->same.gates[d->index] = false;
            r->dropped++;
        } else {
            r->late++;
        }
    }
}

/* In the relation of `when` they do not differ: a fact for the questions behind. */
static void prove(struct relation *r, uint32_t when, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        struct difference *d = &r->differences[i];
        const uint32_t same = d->literal ^ 1;
        if (!is_open(r, d))
            continue;
        ec_frames_require(r->e->frames, when, &same, 1);
        d->done = true;
    }
}

/* The differences from `begin` to `end`: which of them are there? What an answer shows is dropped;
 * what cannot be is a fact from now on. Several are asked at once, and if that takes long, the
 * halves of them. */
static void ask_differences(struct relation *r, uint32_t when, size_t begin, size_t end)
{
    struct ec_frames *f = r->e->frames;
    while (!is_over(r)) {
        size_t count = 0;
        for (size_t i = begin; i < end; i++) {
            if (is_open(r, &r->differences[i]))
                r->any[count++] = r->differences[i].literal;
        }
        if (count == 0)
            return;
        uint32_t any = r->any[0];
        if (count > 1) {
            any = ec_frames_bit(f);
            ec_frames_require(f, any, r->any, count);
        }
        const uint32_t all[] = {when, any};
        const enum ec_frames_answer answer = ec_frames_ask(f, all, 2, time_for(r, count));
        if (answer == EC_FRAMES_YES) {
            take_answer(r, begin, end);
        } else if (answer == EC_FRAMES_NO) {
            prove(r, when, begin, end);
            return;
        } else if (count > 1 && end - begin > 1) {
            const size_t middle = begin + (end - begin) / 2;
            ask_differences(r, when, begin, middle);
            ask_differences(r, when, middle, end);
            return;
        } else {
            leave(r, begin, end);
            return;
        }
    }
}

/* Ask about all differences until the relation holds, or has become smaller. */
static void ask_step(struct relation *r, uint32_t when)
{
    enum { AT_ONCE = 64, MORE = 4 };
    r->seconds = BRIEF_SECONDS;
    do {
        r->late = 0;
        for (size_t i = 0; i < r->count && !is_over(r); i += AT_ONCE)
            ask_differences(r, when, i, i + AT_ONCE < r->count ? i + AT_ONCE : r->count);
        r->seconds *= MORE;
    } while (r->late > 0 && r->dropped == 0 && !is_over(r));
}

/* Drop what a step can make different until none can; false: an output differs, or the time is
 * up. */
static bool shrink_relation(struct relation *r)
{
    do {
        const uint32_t when = ec_frames_bit(r->e->frames);
        r->dropped = 0;
        make_step(r, when);
        ask_step(r, when);
    } while (r->dropped > 0 && !is_over(r));
    size_t open = r->dropped + r->late;
    for (size_t i = 0; i < r->count; i++)
        open += !r->differences[i].done;
    return open == 0 && !r->differs && !r->idle && !ec_frames_failed(r->e->frames);
}

/* --- The proof -------------------------------------------------------------------------------- */

/* `gates`: they are part of the relation. */
static void try_relation(struct relation *r, bool gates, struct ec_equal_result *ret)
{
    const struct ec_equal *e = r->e;
    const struct ec_aig *a = &e->aig;
    const bool *registers = e->matters + 1 + a->inputs;
    for (uint32_t i = 0; i < a->registers; i++)
        r->same.registers[i] = registers[i];
    for (uint32_t i = 0; i < a->gates; i++)
        r->same.gates[i] = gates && registers[a->registers + i];
    memset(r->same.views, true, e->view_count);
    r->differs = r->idle = false;
    memset(r->own, 0, a->registers * sizeof *r->own);
    if (begin_relation(r) && shrink_relation(r))
        ret->verdict = EC_EQUAL_PROVED;
    else if (r->differs)
        snprintf(ret->why, sizeof ret->why, "%s differs in a state that may be unreachable",
                 r->output);
    else
        snprintf(ret->why, sizeof ret->why, "no proof in time");
}

enum ec_code copies_prove(struct ec_equal *e, uint32_t number, double deadline,
                          struct ec_equal_result *ret, struct ec_error *reterr)
{
    const size_t all = e->output_count + e->aig.registers + e->view_count + e->aig.gates;
    struct relation r = {.e = e, .number = number};
    struct ec_arrays arrays = {0};
    enum ec_code code = EC_OK;
    EC_ARRAY(&arrays, r.same.registers, e->aig.registers);
    EC_ARRAY(&arrays, r.same.views, e->view_count);
    EC_ARRAY(&arrays, r.same.gates, e->aig.gates);
    EC_ARRAY(&arrays, r.own, e->aig.registers);
    EC_ARRAY(&arrays, r.differences, all);
    EC_ARRAY(&arrays, r.any, all);
    if (arrays.memory_short) {
        code = ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    } else {
        /* Most defects show nowhere, so that gates are equal, too, or in no register. What is left
         * of the time is for the search for a difference. */
        static const struct {
            bool gates;
            double share; /* of the time that is left */
        } tries[] = {{true, 0.5}, {false, 0.5}};
        for (size_t i = 0; i < 2 && ret->verdict == EC_EQUAL_UNKNOWN; i++) {
            const double now = ec_frames_clock();
            r.deadline = now + tries[i].share * (deadline - now);
            try_relation(&r, tries[i].gates, ret);
        }
        if (ec_frames_failed(e->frames))
            code = ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    }
    if (code == EC_OK && ret->verdict == EC_EQUAL_PROVED)
        ret->why[0] = '\0';
    ec_arrays_free(&arrays);
    return code;
}
