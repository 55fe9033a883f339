/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps gates and translates them for the solver. Knows and-inverter graphs and CaDiCaL; must not
 * know what is proved. */
#include "prove/frame.h"

#include <ccadical.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A gate; both inputs are 0 for a free bit. */
struct gate {
    uint32_t a, b;
    uint32_t same; /* the next gate with the same hash; 0: none */
    bool told;     /* the solver knows it */
    bool asserted; /* the present question says that it is 1 */
    bool guess;    /* its value if all free bits have the guessed ones */
    bool value;    /* of the last answer */
};

struct ec_frames {
    CCaDiCaL *solver;
    struct gate *gates; /* [count]; the first one is the constant */
    uint32_t count, room;
    uint32_t *first; /* [buckets] of the table of gates */
    uint32_t buckets;
    uint32_t *stack; /* [stack_room] */
    size_t stack_room;
    double deadline;
    bool (*stop)(void *context);
    void *context;
    bool failed;
};

double ec_frames_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool ec_frames_failed(const struct ec_frames *f)
{
    return f->failed;
}

/* --- Gates ------------------------------------------------------------------------------------ */

static uint32_t bucket_of(const struct ec_frames *f, uint32_t a, uint32_t b)
{
    const uint64_t mixed = (((uint64_t)a << 32) | b) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(mixed >> 32) & (f->buckets - 1);
}

/* Twice the room for gates, and a table of as many buckets. */
static bool grow(struct ec_frames *f)
{
    const uint32_t room = f->room > 0 ? 2 * f->room : 1U << 16;
    struct gate *gates = room <= INT_MAX / 4 ? realloc(f->gates, room * sizeof *gates) : NULL;
    if (gates != NULL)
        f->gates = gates;
    uint32_t *first = gates != NULL ? calloc(room, sizeof *first) : NULL;
    if (first == NULL)
        return false;
    free(f->first);
    f->first = first;
    f->room = f->buckets = room;
    for (uint32_t k = 1; k < f->count; k++) {
        struct gate *g = &f->gates[k];
        if (g->a == 0)
            continue;
        uint32_t *bucket = &f->first[bucket_of(f, g->a, g->b)];
        g->same = *bucket;
        *bucket = k;
    }
    return true;
}

static bool guess_at(const struct ec_frames *f, uint32_t literal)
{
    return f->gates[literal >> 1].guess != ((literal & 1) != 0);
}

static bool value_at(const struct ec_frames *f, uint32_t literal)
{
    return f->gates[literal >> 1].value != ((literal & 1) != 0);
}

static uint32_t add_gate(struct ec_frames *f, uint32_t a, uint32_t b, bool guess)
{
    if (f->failed || (f->count == f->room && !grow(f))) {
        f->failed = true;
        return 0;
    }
    f->gates[f->count] = (struct gate){.a = a, .b = b, .guess = guess};
    return 2 * f->count++;
}

uint32_t ec_frames_bit(struct ec_frames *f)
{
    return add_gate(f, 0, 0, false);
}

/* Is `part` one of the inputs of the gate of `literal`, which is not inverted? */
static bool implies(const struct ec_frames *f, uint32_t literal, uint32_t part)
{
    const struct gate *g = &f->gates[literal >> 1];
    return (literal & 1) == 0 && g->a != 0 && (g->a == part || g->b == part);
}

uint32_t ec_frames_and(struct ec_frames *f, uint32_t a, uint32_t b)
{
    if (a > b) {
        const uint32_t other = a;
        a = b;
        b = other;
    }
    if (a == 0 || a == (b ^ 1))
        return 0;
    if (a == 1 || a == b || implies(f, b, a))
        return b;
    if (implies(f, a, b))
        return a;
    if (implies(f, b, a ^ 1) || implies(f, a, b ^ 1))
        return 0;
    const uint32_t bucket = f->buckets > 0 ? bucket_of(f, a, b) : 0;
    for (uint32_t k = f->buckets > 0 ? f->first[bucket] : 0; k != 0; k = f->gates[k].same) {
        if (f->gates[k].a == a && f->gates[k].b == b)
            return 2 * k;
    }
    const uint32_t made = add_gate(f, a, b, guess_at(f, a) && guess_at(f, b));
    if (made != 0) {
        uint32_t *first = &f->first[bucket_of(f, a, b)];
        f->gates[made >> 1].same = *first;
        *first = made >> 1;
    }
    return made;
}

void ec_frames_cycle(struct ec_frames *f, const struct ec_aig *a, uint32_t *map)
{
    const uint32_t first = 1 + a->inputs + a->registers;
    map[0] = 0;
    for (uint32_t k = 0; k < a->gates; k++) {
        const uint32_t *gate = &a->gate[2 * (size_t)k];
        map[first + k] = ec_frames_and(f, ec_frames_at(map, gate[0]), ec_frames_at(map, gate[1]));
    }
}

/* --- Cycles ----------------------------------------------------------------------------------- */

uint32_t *ec_frames_map(const struct ec_aig *a)
{
    return calloc((size_t)1 + a->inputs + a->registers + a->gates, sizeof(uint32_t));
}

void ec_frames_inputs(struct ec_frames *f, const struct ec_aig *a, uint32_t *map)
{
    for (uint32_t i = 1; i <= a->inputs; i++)
        map[i] = ec_frames_bit(f);
}

void ec_frames_first(struct ec_frames *f, const struct ec_aig *a, uint32_t *map)
{
    for (uint32_t i = 0; i < a->registers; i++)
        map[1 + a->inputs + i] =
            a->start[i] == EC_AIG_ANY ? ec_frames_bit(f) : a->start[i] == EC_AIG_ONE;
}

void ec_frames_any(struct ec_frames *f, const struct ec_aig *a, uint32_t *map)
{
    for (uint32_t i = 1 + a->inputs; i <= a->inputs + a->registers; i++)
        map[i] = ec_frames_bit(f);
}

void ec_frames_next(const struct ec_aig *a, const uint32_t *map, uint32_t *ret)
{
    for (uint32_t i = 0; i < a->registers; i++)
        ret[1 + a->inputs + i] = ec_frames_at(map, a->next[i]);
}

/* --- The solver ------------------------------------------------------------------------------- */

/* The solver tries true first: variables are true if the guesses are, so that it changes them only
 * where the question needs it. */
static int number_of(const struct ec_frames *f, uint32_t literal)
{
    const int variable = (int)(literal >> 1) + 1;
    return guess_at(f, literal) ? variable : -variable;
}

static int time_is_up(void *context)
{
    const struct ec_frames *f = context;
    return ec_frames_clock() > f->deadline || (f->stop != NULL && f->stop(f->context));
}

static void open_solver(struct ec_frames *f)
{
    f->solver = ccadical_init();
    ccadical_set_terminate(f->solver, f, time_is_up);
    ccadical_add(f->solver, number_of(f, 1));
    ccadical_add(f->solver, 0);
}

enum ec_code ec_frames_open(bool (*stop)(void *context), void *context, struct ec_frames **ret,
                            struct ec_error *reterr)
{
    struct ec_frames *f = calloc(1, sizeof *f);
    if (f == NULL || !grow(f)) {
        free(f);
        return ec_fail(reterr, EC_MEMORY, "out of memory for a proof");
    }
    f->stop = stop;
    f->context = context;
    add_gate(f, 0, 0, false);
    f->gates[0].told = true;
    open_solver(f);
    *ret = f;
    return EC_OK;
}

void ec_frames_close(struct ec_frames *f)
{
    if (f == NULL)
        return;
    ccadical_release(f->solver);
    free(f->gates);
    free(f->first);
    free(f->stack);
    free(f);
}

static void add_clause(struct ec_frames *f, const int *literals, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ccadical_add(f->solver, literals[i]);
    ccadical_add(f->solver, 0);
}

static bool push(struct ec_frames *f, size_t count, uint32_t k)
{
    if (count == f->stack_room) {
        const size_t room = count > 0 ? 2 * count : 4096;
        uint32_t *stack = realloc(f->stack, room * sizeof *stack);
        if (stack == NULL) {
            f->failed = true;
            return false;
        }
        f->stack = stack;
        f->stack_room = room;
    }
    f->stack[count] = k;
    return true;
}

/* The solver's literal. It is told all gates behind it. */
static int tell(struct ec_frames *f, uint32_t literal)
{
    size_t count = 0;
    if (!f->gates[literal >> 1].told && push(f, count, literal >> 1))
        count++;
    while (count > 0) {
        struct gate *g = &f->gates[f->stack[--count]];
        if (g->told)
            continue;
        g->told = true;
        if (g->a == 0)
            continue;
        const int own = number_of(f, 2 * (uint32_t)(g - f->gates));
        const int a = number_of(f, g->a), b = number_of(f, g->b);
        add_clause(f, (const int[]){-own, a}, 2);
        add_clause(f, (const int[]){-own, b}, 2);
        add_clause(f, (const int[]){own, -a, -b}, 3);
        if (push(f, count, g->a >> 1))
            count++;
        if (push(f, count, g->b >> 1))
            count++;
    }
    return number_of(f, literal);
}

void ec_frames_require(struct ec_frames *f, uint32_t when, const uint32_t *any, size_t count)
{
    /* No clause may be open while the solver is told gates. */
    tell(f, when);
    for (size_t i = 0; i < count; i++)
        tell(f, any[i]);
    ccadical_add(f->solver, number_of(f, when ^ 1));
    for (size_t i = 0; i < count; i++)
        ccadical_add(f->solver, number_of(f, any[i]));
    ccadical_add(f->solver, 0);
}

/* The values of all gates. What the solver does not know is as guessed. */
static void evaluate(struct ec_frames *f)
{
    for (uint32_t k = 1; k < f->count; k++) {
        struct gate *g = &f->gates[k];
        if (g->a != 0)
            g->value = value_at(f, g->a) && value_at(f, g->b);
        else if (g->told)
            g->value = (ccadical_val(f->solver, (int)k + 1) > 0) == g->guess;
        else
            g->value = g->asserted || g->guess;
    }
}

/* --- Questions -------------------------------------------------------------------------------- */

/* A free bit that the solver does not know can be 1: it is left out. */
static void assume_all(struct ec_frames *f, const uint32_t *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct gate *g = &f->gates[all[i] >> 1];
        if (g->told || g->a != 0 || (all[i] & 1) != 0)
            tell(f, all[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (f->gates[all[i] >> 1].told)
            ccadical_assume(f->solver, number_of(f, all[i]));
    }
}

static void assert_all(struct ec_frames *f, const uint32_t *all, size_t count, bool value)
{
    for (size_t i = 0; i < count; i++)
        f->gates[all[i] >> 1].asserted = value && (all[i] & 1) == 0;
}

enum ec_frames_answer ec_frames_ask(struct ec_frames *f, const uint32_t *all, size_t count,
                                    double seconds)
{
    f->deadline = ec_frames_clock() + seconds;
    assert_all(f, all, count, true);
    assume_all(f, all, count);
    const int answer = f->failed ? 0 : ccadical_solve(f->solver);
    if (answer == 10)
        evaluate(f);
    assert_all(f, all, count, false);
    if (f->failed)
        return EC_FRAMES_TIME;
    return answer == 10 ? EC_FRAMES_YES : answer == 20 ? EC_FRAMES_NO : EC_FRAMES_TIME;
}

bool ec_frames_value(const struct ec_frames *f, uint32_t literal)
{
    return value_at(f, literal);
}
