/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments written in their records: grids, runs, formulas. CONTRIBUTING.md lists the lines.
 *
 * Knows the lines, the grids by name, and which names formulas have; must not know any claim. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ec_cost.h"
#include "ec_cost_ecube.h"
#include "ec_cost_gergel.h"
#include "ec_cost_gohil.h"
#include "ec_cost_grama.h"
#include "ec_cost_jh_bounds.h"
#include "ec_cost_jh_mixed.h"
#include "ec_cost_jh_multi.h"
#include "ec_cost_jh_real.h"
#include "ec_cost_shift.h"
#include "study/experiments/play.h"
#include "study/expression.h"
#include "study/run.h"

enum { VARIABLES_MAX = 24, LOOPS_MAX = 4, TEXT_MAX = 300 };

/* A variable. Loops set the variables that name a case, with the label to show. */
struct variable {
    char name[16];
    const char *label;
    int64_t value;
    char text[40]; /* text of a word; "": a number */
};

enum loop_kind { SHIFTS, PACKETS, CYCLES, SIZES, BLOCKS, RANGE, WORDS };

struct loop {
    enum loop_kind kind;
    const char *size, *label; /* the name of the size of a grid */
    char name[16];            /* of the variable of a range or list */
    union {
        struct claims_shift shift;
        struct claims_packet packet;
        struct gsh cycle;
        struct sizes sizes;
        struct multi blocks;
        struct {
            int64_t next, last, step;
        } range;
        struct {
            const char *next;
            int64_t index;
        } words;
    } at;
};

struct script {
    struct claims_run *run;
    const struct claims_line *line, *end; /* the current line; the end of the lines */
    struct variable variables[VARIABLES_MAX];
    size_t count;
    struct loop loops[LOOPS_MAX];
    size_t depth;
    struct claims_seen seen;
    bool has_seen;
    bool stop; /* an audit or a run failed, or a line is wrong */
};

/* --- Names ------------------------------------------------------------------------------------ */

CLAIMS_FORMAT(2, 3)
static void wrong(struct script *s, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    claims_require(s->run, false, "%s, line %u: %s", s->run->row->id, s->line->number, text);
    s->stop = true;
}

static struct variable *variable_of(struct script *s, const char *name, size_t length)
{
    for (size_t i = 0; i < s->count; i++)
        if (strlen(s->variables[i].name) == length &&
            strncmp(s->variables[i].name, name, length) == 0)
            return &s->variables[i];
    return NULL;
}

static struct variable *set(struct script *s, const char *name, size_t length, const char *label,
                            int64_t value)
{
    struct variable *v = variable_of(s, name, length);
    if (!v && (s->count == VARIABLES_MAX || length >= sizeof v->name)) {
        wrong(s, "too many variables, or a name too long: %.*s", (int)length, name);
        return &s->variables[0];
    }
    v = v ? v : &s->variables[s->count++];
    *v = (struct variable){.label = label, .value = value};
    memcpy(v->name, name, length);
    return v;
}

static void set_number(struct script *s, const char *name, const char *label, int64_t value)
{
    set(s, name, strlen(name), label, value);
}

/* Moves within nodes before the last step. */
static uint64_t early_moves(const struct ec_schedule *s)
{
    uint64_t count = 0;
    for (size_t i = 0; i < s->move_count; i++)
        count += s->moves[i].step <= s->steps;
    return count;
}

/* Quantities of the last audit or run. */
static bool quantity(const struct claims_seen *seen, const char *name, size_t length, int64_t *ret)
{
    const struct ec_schedule_audit *a = seen->checked;
    const struct {
        const char *name;
        bool known;
        uint64_t value;
    } all[] = {
        {"steps", true, seen->steps},
        {"load", true, seen->load},
        {"hops", true, seen->hops},
        {"cycles", seen->report, seen->cycles},
        {"contended", seen->report, seen->contended},
        {"flits", seen->report, seen->report ? seen->report->max_link_flits : 0},
        {"run_hops", seen->report, seen->report ? seen->report->max_hops : 0},
        {"valid", a, a && a->valid},
        {"placed", a, a && a->placed},
        {"adjacent", a, a && a->adjacent},
        {"one_port", a, a && a->one_port},
        {"memory", a, a ? a->peak_memory : 0},
        {"early_moves", a, a ? early_moves(seen->schedule) : 0},
        {"shifted", a, a ? a->shifted : 0},
        {"elements", a, a ? a->max_link_elements : 0},
        {"transfers", a, a ? count_transfers(seen->schedule) : 0},
        {"total_hops", seen->audit, seen->audit ? seen->audit->total_hops : 0},
        {"channels", seen->audit, seen->audit ? seen->audit->channels : 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!all[i].known || strlen(all[i].name) != length ||
            strncmp(all[i].name, name, length) != 0)
            continue;
        *ret = (int64_t)all[i].value;
        return true;
    }
    return false;
}

static bool value_of(void *context, const char *name, size_t length, int64_t *ret)
{
    struct script *s = context;
    const struct variable *v = variable_of(s, name, length);
    if (v)
        *ret = v->value;
    return v || (s->has_seen && quantity(&s->seen, name, length, ret));
}

/* Closed forms of model/cost: name, number of arguments, value for arguments a[]. */
#define FORMS(X)                                                                                   \
    X(step_time, 2, steps_time(1, (uint32_t)a[0], (uint32_t)a[1]))                                 \
    X(step_startup, 2, step_startup((uint32_t)a[0], (uint32_t)a[1]))                               \
    X(shift_ring, 2, ec_cost_shift_ring(a[0], a[1]))                                               \
    X(shift_line, 2, ec_cost_shift_line(a[0], a[1]))                                               \
    X(shift_line_printed, 2, ec_cost_shift_line_printed(a[0], a[1]))                               \
    X(shift_forward, 2, ec_cost_shift_forward(a[0], a[1]))                                         \
    X(shift_plain, 2, ec_cost_shift_plain(a[0], a[1]))                                             \
    X(shift_merged, 2, ec_cost_shift_merged(a[0], a[1]))                                           \
    X(shift_per_column, 2, ec_cost_shift_per_column(a[0], a[1]))                                   \
    X(shift_gray_load, 2, ec_cost_shift_gray_direct_load((unsigned)a[0], a[1]))                    \
    X(shift_each_row, 2, ec_cost_shift_compensate_each_row(a[0], a[1]))                            \
    X(shift_torus_load, 2, ec_cost_shift_torus_load(a[0], a[1]))                                   \
    X(shift_hops, 2, ec_cost_shift_hops((unsigned)a[0], (uint32_t)a[1]))                           \
    X(grama_4_11, 4, ec_cost_grama_4_11((unsigned)a[0], a[1], a[2], a[3]))                         \
    X(grama_4_11_signed, 4, ec_cost_grama_4_11_signed((unsigned)a[0], a[1], a[2], a[3]))           \
    X(grama_mesh_printed, 4, ec_cost_grama_mesh_printed(a[0], a[1], a[2], a[3]))                   \
    X(gergel_3_20, 4, ec_cost_gergel_3_20((unsigned)a[0], a[1], a[2], a[3]))                       \
    X(gergel_3_19, 4, ec_cost_gergel_3_19(a[0], a[1], a[2], a[3]))                                 \
    X(gohil_mesh, 2, ec_cost_gohil_mesh_corrected(a[0], a[1]))                                     \
    X(gohil_mesh_printed, 2, ec_cost_gohil_mesh_printed(a[0], a[1]))                               \
    X(gohil_cube, 2, ec_cost_gohil_cube_corrected((unsigned)a[0], a[1]))                           \
    X(cut_through, 5, ec_cost_cut_through(a[0], a[1], a[2], a[3], a[4]))                           \
    X(kshuffle_load, 3, ec_cost_ecube_k_shuffle((unsigned)a[0], (unsigned)a[1], a[2] != 0))        \
    X(transpose_load, 1, ec_cost_ecube_transpose((unsigned)a[0]))                                  \
    X(bitrev_load, 1, ec_cost_ecube_bit_reversal((unsigned)a[0]))                                  \
    X(parity, 2, ec_cost_jh_parity(a[0], a[1]))                                                    \
    X(bound_mixed, 3, ec_cost_jh_bound_mixed(a[0], a[1], a[2]))                                    \
    X(startups_real, 1, ec_cost_jh_startups(a[0], true, 0))                                        \
    X(pipelined, 2, ec_cost_jh_pipelined(a[0], a[1]))                                              \
    X(theorem1, 2, ec_cost_jh_theorem1(a[0], a[1]))                                                \
    X(a1_pipelined, 2, ec_cost_jh_a1_pipelined(a[0], a[1]))                                        \
    X(a1_packed, 2, ec_cost_jh_a1_packed(a[0], a[1]))                                              \
    X(a1_concurrent, 2, ec_cost_jh_a1_concurrent(a[0], a[1]))                                      \
    X(a2, 2, ec_cost_jh_a2_n_port(a[0], a[1]))                                                     \
    X(a22, 2, ec_cost_jh_a22(a[0], a[1]))                                                          \
    X(a22_memory, 2, ec_cost_jh_table3_memory(EC_COST_A22, a[0], a[1], 1))

static bool call_form(const char *name, size_t length, const uint64_t *a, size_t count,
                      int64_t *ret)
{
#define FORM(form, arguments, result)                                                              \
    if (count == (arguments) && length == strlen(#form) && strncmp(name, #form, length) == 0) {    \
        *ret = (int64_t)(result);                                                                  \
        return true;                                                                               \
    }
    FORMS(FORM)
#undef FORM
    return false;
}

/* The longest path of a shift. */
static uint32_t farthest(const struct ec_topology *t, uint32_t q)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < t->nodes; i++)
        most = claims_max(most, ec_topology_distance(t, i, (i + q) % t->nodes));
    return most;
}

/* Does every element of the schedule end `q` nodes after its own? */
static bool lands(struct script *s, uint32_t q)
{
    const struct ec_schedule *x = s->seen.schedule;
    const uint32_t elements = x->holders * x->per_node;
    uint32_t *at = calloc(elements, sizeof *at);
    bool good = claims_require(s->run, at != NULL, "out of memory");
    if (good)
        claims_places(x, x->steps, at);
    for (uint32_t e = 0; good && e < elements; e++)
        good = at[e] == (e / x->per_node + q) % x->nodes;
    free(at);
    return good;
}

/* Functions: closed forms, and functions of the current schedule. */
static bool call_of(void *context, const char *name, size_t length, const int64_t *arguments,
                    size_t count, int64_t *ret)
{
    struct script *s = context;
    uint64_t a[6] = {0};
    for (size_t i = 0; i < count && i < 6; i++) {
        if (arguments[i] < 0)
            return false;
        a[i] = (uint64_t)arguments[i];
    }
    const bool whole = length == 11 && strncmp(name, "whole_steps", length) == 0; /* by all nodes */
    if (count == 1 && (whole || (length == 10 && strncmp(name, "link_steps", length) == 0)) &&
        s->has_seen && s->seen.schedule) {
        *ret = claims_link_steps(s->seen.topology, s->seen.schedule, (unsigned)a[0],
                                 whole ? s->seen.topology->nodes : 1);
        return true;
    }
    if (count == 1 && length == 5 && strncmp(name, "lands", length) == 0 && s->has_seen &&
        s->seen.schedule) {
        *ret = lands(s, (uint32_t)a[0]);
        return true;
    }
    if (count == 1 && length == 8 && strncmp(name, "farthest", length) == 0 && s->has_seen) {
        *ret = farthest(s->seen.topology, (uint32_t)a[0]);
        return true;
    }
    return call_form(name, length, a, count, ret);
}

static struct claims_expression expression_at(struct script *s, const char *text)
{
    return (struct claims_expression){.at = text,
                                      .full = claims_is_full(s->run),
                                      .value = value_of,
                                      .call = call_of,
                                      .context = s};
}

/* Evaluates the expression at *text and advances *text. */
static int64_t evaluate(struct script *s, const char **text)
{
    struct claims_expression e = expression_at(s, *text);
    int64_t value = 0;
    if (!claims_evaluate(&e, &value))
        wrong(s, "%s", e.error);
    *text = e.at + strspn(e.at, " ");
    return value;
}

/* --- Texts ------------------------------------------------------------------------------------ */

/* The network and the workload of the current case of a grid of cycles. */
static void write_cycle(const struct loop *l, char *words, size_t size)
{
    if (l->kind == CYCLES) {
        gsh_words(&l->at.cycle, words, size);
        return;
    }
    const struct sizes *g = &l->at.sizes;
    const struct shuffle x = l->kind == BLOCKS   ? multi_words(&l->at.blocks, 1)
                             : g->dims_each == 2 ? two_cycles_shuffle(g->size, g->per_node, 1)
                                                 : real_shuffle(g->size, g->per_node, 1, 0);
    snprintf(words, size, "%s %s", x.topology, x.workload);
}

/* {EXPRESSION}, {WORD}; {,m}, {,ts} and {:B} are ",m=8", " --startup 7" and ":block=2", or empty
 * for the defaults; {gsh} is the current cycle, {defect} the defect of the schedule. */
static void put_braces(struct script *s, const char *inside, size_t length, char *text, size_t size)
{
    const struct variable *v = variable_of(s, inside, length), *m, *ts;
    char words[200];
    if (length == 2 && strncmp(inside, ",m", 2) == 0) {
        m = variable_of(s, "m", 1);
        if (m && m->value != 1)
            claims_add(text, size, ",m=%lld", (long long)m->value);
    } else if (length == 3 && strncmp(inside, ",ts", 3) == 0) {
        ts = variable_of(s, "ts", 2);
        if (ts && ts->value != 0)
            claims_add(text, size, " --startup %lld", (long long)ts->value);
    } else if (length == 2 && strncmp(inside, ":B", 2) == 0) {
        v = variable_of(s, "B", 1);
        if (v && v->value != 1)
            claims_add(text, size, ":block=%lld", (long long)v->value);
    } else if (length == 3 && strncmp(inside, "gsh", 3) == 0 && s->depth > 0) {
        write_cycle(&s->loops[0], words, sizeof words);
        claims_add(text, size, "%s", words);
    } else if (length == 6 && strncmp(inside, "defect", 6) == 0) {
        claims_add(text, size, "%s", s->has_seen && s->seen.checked ? s->seen.checked->defect : "");
    } else if (v && *v->text) {
        claims_add(text, size, "%s", v->text);
    } else {
        claims_add(text, size, "%lld", (long long)evaluate(s, &inside));
    }
}

static void fill(struct script *s, const char *template, char *text, size_t size)
{
    *text = '\0';
    while (*template) {
        const size_t plain = strcspn(template, "{");
        claims_add(text, size, "%.*s", (int)plain, template);
        template += plain;
        if (*template == '{') {
            const size_t length = strcspn(template, "}");
            put_braces(s, template + 1, length - 1, text, size);
            template += length + (template[length] == '}');
        }
    }
}

/* "p=3, q=1": the variables of the loops. */
static void name_case(const struct script *s, char *text, size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < s->count; i++) {
        const struct variable *v = &s->variables[i];
        if (!v->label)
            continue;
        claims_add(text, size, "%s", *text ? ", " : "");
        if (*v->text)
            claims_add(text, size, "%s", v->text);
        else
            claims_add(text, size, "%s=%lld", v->label, (long long)v->value);
    }
}

/* --- Loops ------------------------------------------------------------------------------------ */

static bool open_grid(struct script *s, const char *name, size_t length, struct loop *ret)
{
    const struct claims_run *run = s->run;
#define GRID(word, loop_kind, size_name, shown, member, iterator)                                  \
    if (strlen(word) == length && strncmp(name, word, length) == 0) {                              \
        *ret = (struct loop){.kind = loop_kind, .size = size_name, .label = shown};                \
        ret->at.member = iterator;                                                                 \
        return true;                                                                               \
    }
    GRID("ring", SHIFTS, "p", "p", shift, claims_ring(run))
    GRID("line", SHIFTS, "p", "p", shift, claims_line(run))
    GRID("torus", SHIFTS, "s", "s", shift, claims_torus(run))
    GRID("cube", SHIFTS, "d", "d", shift, claims_cube(run))
    GRID("cube steps", SHIFTS, "d", "d", shift, claims_cube_steps(run))
    GRID("packets", PACKETS, NULL, NULL, packet, claims_packets(run))
    GRID("mixed", CYCLES, "r", "sigma_r", cycle, mixed_grid(run, 2, false))
    GRID("mixed even", CYCLES, "r", "sigma_r", cycle, mixed_grid(run, 2, true))
    GRID("mixed from 4", CYCLES, "r", "sigma_r", cycle, mixed_grid(run, 4, false))
    GRID("real", CYCLES, "r", "sigma_r", cycle, real_grid(run, 2))
    GRID("reals", SIZES, "r", "sigma_r", sizes, reals_grid(run))
    GRID("odd reals", SIZES, "r", "sigma_r", sizes, odd_reals_grid(run))
    GRID("multi", BLOCKS, NULL, NULL, blocks, multi_grid(run))
    GRID("twos", SIZES, "beta", "beta", sizes, twos_grid(run))
#undef GRID
    return false;
}

/* GRID, or NAME = FIRST .. LAST [step STEP], or NAME in WORD, WORD, ... */
static void open_loop(struct script *s, const char *text, struct loop *ret)
{
    const size_t length = strcspn(text, ";"), name = strcspn(text, " =;");
    if (open_grid(s, text, length, ret))
        return;
    *ret = (struct loop){.kind = WORDS};
    struct claims_expression e = expression_at(s, text + name);
    if (name == 0 || name >= sizeof ret->name) {
        wrong(s, "no grid or variable: '%.40s'", text);
        return;
    }
    memcpy(ret->name, text, name);
    if (claims_take(&e, "in")) {
        ret->at.words.next = e.at + strspn(e.at, " ");
        ret->at.words.index = 0;
        return;
    }
    ret->kind = RANGE;
    ret->at.range.step = 1;
    if (!claims_take(&e, "=") || !claims_evaluate_sum(&e, &ret->at.range.next) ||
        !claims_take(&e, "..") || !claims_evaluate_sum(&e, &ret->at.range.last) ||
        (claims_take(&e, "step") && !claims_evaluate_sum(&e, &ret->at.range.step)))
        wrong(s, "expected GRID, NAME = FIRST .. LAST or NAME in WORDS; got '%.40s' %s", text,
              e.error);
}

/* A word that is not a number has its index in the list as its value. */
static bool next_word(struct script *s, struct loop *l)
{
    const char *word = l->at.words.next;
    const size_t length = strcspn(word, ",;");
    if (length == 0)
        return false;
    const int64_t place = l->at.words.index++;
    const bool number = strspn(word, "0123456789") == length;
    struct variable *v = set(s, l->name, strlen(l->name), l->name, number ? atoi(word) : place);
    if (!number)
        snprintf(v->text, sizeof v->text, "%.*s", (int)length, word);
    word += length + (word[length] == ',');
    l->at.words.next = word + strspn(word, " ");
    return true;
}

static void set_blocks(struct script *s, const struct multi *g)
{
    const struct shuffle x = multi_words(g, 1);
    struct variable *v = set(s, "orders", strlen("orders"), "orders", 0);
    snprintf(v->text, sizeof v->text, "%.39s", x.name); /* "orders 3,1, K=16" */
    set_number(s, "K", NULL, g->per_node);
    set_number(s, "beta", NULL, g->blocks);
    set_number(s, "r", NULL, g->sigma_r);
    set_number(s, "longest", NULL, g->longest);
    set_number(s, "equal", NULL, g->equal);
    set_number(s, "audited", NULL, g->audited);
    set_number(s, "timed", NULL, g->timed);
}

/* Advances a loop to its next case and sets its variables. */
static bool next(struct script *s, struct loop *l)
{
    switch (l->kind) {
    case SHIFTS:
        if (!claims_next(&l->at.shift))
            return false;
        set_number(s, l->size, l->label, l->at.shift.size);
        set_number(s, "q", "q", l->at.shift.q);
        set_number(s, "nodes", NULL, l->at.shift.nodes);
        set_number(s, "timed", NULL, l->at.shift.timed);
        set_number(s, "last", NULL, l->at.shift.last);
        return true;
    case PACKETS:
        if (!claims_next_packet(&l->at.packet))
            return false;
        set_number(s, "m", "m", l->at.packet.m);
        set_number(s, "ts", "ts", l->at.packet.ts);
        return true;
    case CYCLES:
        if (!gsh_next(&l->at.cycle))
            return false;
        set_number(s, l->size, l->label, l->at.cycle.order);
        set_number(s, "K", "K", l->at.cycle.per_node);
        set_number(s, "timed", NULL, l->at.cycle.timed);
        return true;
    case SIZES:
        if (!sizes_next(&l->at.sizes))
            return false;
        set_number(s, l->size, l->label, l->at.sizes.size);
        set_number(s, "K", "K", l->at.sizes.per_node);
        set_number(s, "audited", NULL, l->at.sizes.audited);
        set_number(s, "timed", NULL, l->at.sizes.timed);
        return true;
    case BLOCKS:
        if (!multi_next(&l->at.blocks))
            return false;
        set_blocks(s, &l->at.blocks);
        return true;
    case RANGE:
        if (l->at.range.next > l->at.range.last)
            return false;
        set_number(s, l->name, l->name, l->at.range.next);
        l->at.range.next += l->at.range.step;
        return true;
    case WORDS:
        break;
    }
    return next_word(s, l);
}

/* --- Lines ------------------------------------------------------------------------------------ */

static void do_let(struct script *s)
{
    const char *text = s->line->value;
    while (!s->stop && *text) {
        const char *name = text;
        const size_t length = strcspn(text, " =");
        text += length + strspn(text + length, " ");
        if (length == 0 || *text != '=') {
            wrong(s, "expected NAME = EXPRESSION; got '%.40s'", name);
            return;
        }
        text++;
        const int64_t value = evaluate(s, &text);
        set(s, name, length, NULL, value);
        text += *text == ',';
        text += strspn(text, " ");
    }
}

/* WHAT: EXPRESSION */
static void do_column(struct script *s, bool predicted)
{
    const char *colon = strstr(s->line->value, ": "), *text = colon ? colon + 2 : "";
    char what[60] = "";
    if (!colon || (size_t)(colon - s->line->value) >= sizeof what) {
        wrong(s, "expected WHAT: EXPRESSION");
        return;
    }
    memcpy(what, s->line->value, (size_t)(colon - s->line->value));
    const int64_t value = evaluate(s, &text);
    if (!s->stop && predicted)
        claims_predicted(s->run, what, (uint64_t)value);
    else if (!s->stop)
        claims_audited(s->run, what, (uint64_t)value);
}

/* A case or a requirement: STATEMENT [if CONDITION] [when GUARD] [| TEXT]. */
struct statement {
    bool related, conditional, guard, condition, truth;
    enum claims_relation relation;
    int64_t left, right;
    char text[TEXT_MAX]; /* which case, and what is compared */
};

static bool read_statement(struct script *s, struct statement *ret)
{
    struct claims_expression e = expression_at(s, s->line->value);
    const char *bar = strstr(e.at, " | "), *guard = strstr(e.at, " when "), *condition;
    int64_t value = 1;
    *ret = (struct statement){.guard = true};
    if (guard && (!bar || guard < bar)) {
        guard += strlen(" when ");
        ret->guard = evaluate(s, &guard) != 0;
    }
    if (!ret->guard || s->stop)
        return false;
    /* Without a run or taps, contention is unknown. */
    if (strstr(e.at, "contended") && s->has_seen &&
        (!s->seen.report || !claims_sees_contention(s->run, &s->seen)))
        return false;
    condition = strstr(e.at, " if ");
    if (condition && (!bar || condition < bar)) {
        condition += strlen(" if ");
        ret->conditional = true;
        ret->condition = evaluate(s, &condition) != 0;
    }
    const char *begin = e.at;
    ret->related = claims_evaluate_sum(&e, &ret->left);
    const char *middle = e.at;
    ret->related = ret->related && claims_take_relation(&e, &ret->relation) &&
                   claims_evaluate_sum(&e, &ret->right);
    e.at += strspn(e.at, " ");
    ret->related = ret->related && (!*e.at || *e.at == '|' || strncmp(e.at, "if ", 3) == 0 ||
                                    strncmp(e.at, "when ", 5) == 0);
    if (!ret->related) {
        e = expression_at(s, begin);
        if (!claims_evaluate(&e, &value))
            wrong(s, "%s", e.error);
        middle = e.at;
    }
    ret->truth = value != 0;
    if (bar) {
        fill(s, bar + 3, ret->text, sizeof ret->text);
    } else {
        name_case(s, ret->text, sizeof ret->text);
        while (middle > begin && middle[-1] == ' ')
            middle--;
        claims_add(ret->text, sizeof ret->text, "%s%.*s", *ret->text ? ": " : "",
                   (int)(middle - begin), begin);
    }
    return !s->stop;
}

static void do_claim(struct script *s)
{
    struct statement x;
    if (!read_statement(s, &x))
        return;
    if (x.related && x.conditional)
        claims_relate_if(s->run, x.condition, (uint64_t)x.left, x.relation, (uint64_t)x.right, "%s",
                         x.text);
    else if (x.related)
        claims_relate(s->run, (uint64_t)x.left, x.relation, (uint64_t)x.right, "%s", x.text);
    else if (x.conditional)
        claims_case_if(s->run, x.condition, x.truth, "%s", x.text);
    else
        claims_case(s->run, x.truth, "%s", x.text);
}

static void do_must(struct script *s)
{
    struct statement x;
    if (!read_statement(s, &x))
        return;
    if (x.related && x.relation == CLAIMS_EQ)
        claims_require_equal(s->run, (uint64_t)x.left, (uint64_t)x.right, "%s", x.text);
    else
        claims_require(s->run,
                       x.related ? (x.relation == CLAIMS_LE   ? x.left <= x.right
                                    : x.relation == CLAIMS_LT ? x.left < x.right
                                    : x.relation == CLAIMS_GE ? x.left >= x.right
                                                              : x.left > x.right)
                                 : x.truth,
                       "%s", x.text);
}

/* Does ecube reject "TOPOLOGY WORKLOAD --algorithm ALGORITHM"? */
static bool is_refused(const char *words)
{
    char topology[40] = "", workload[160] = "", algorithm[60] = "";
    return sscanf(words, "%39s %159s --algorithm %59s", topology, workload, algorithm) != 3 ||
           claims_refused(topology, workload, algorithm);
}

/* audit, run, measure; steps, play, schedule, with the checks of such schedules; offer: a schedule
 * unless the algorithm refuses the case. */
static void do_measurement(struct script *s)
{
    const struct variable *v = variable_of(s, "timed", 5);
    const bool timed = !v || v->value != 0;
    const char *key = s->line->key;
    struct claims_seen seen;
    char words[TEXT_MAX];
    bool good;
    fill(s, s->line->value, words, sizeof words);
    if (s->stop)
        return;
    s->has_seen = false;
    if (strcmp(key, "offer") == 0) {
        const bool refused = is_refused(words);
        set_number(s, "refused", NULL, refused);
        if (refused)
            return;
    }
    if (strcmp(key, "audit") == 0)
        good = claims_audit(s->run, &seen, "%s", words);
    else if (strcmp(key, "measure") == 0)
        good = claims_measure(s->run, &seen, "%s", words);
    else if (strcmp(key, "run") == 0)
        good = claims_measure_if(s->run, timed, &seen, "%s", words);
    else if (strcmp(key, "steps") == 0)
        good = play_steps(s->run, timed, &seen, "%s", words);
    else if (strcmp(key, "play") == 0)
        good = play_words(s->run, timed, words, &seen);
    else
        good = play_blocks_words(s->run, timed, words, words, &seen);
    s->has_seen = good;
    s->stop |= !good;
    if (good)
        s->seen = seen;
}

/* Repeats the case with --sync data, which must not be slower than step by step. Invalidates what
 * the last run showed. */
static void do_data(struct script *s)
{
    const struct variable *v = variable_of(s, "timed", 5);
    char words[TEXT_MAX];
    if (v && v->value == 0)
        return;
    fill(s, s->line->value, words, sizeof words);
    s->stop |= !s->has_seen || !play_data(s->run, s->seen.cycles, "%s", words);
    s->has_seen = false;
}

/* "WHAT WORDS && WHAT WORDS": the commands that show the next cases. */
static void do_command(struct script *s)
{
    char words[TEXT_MAX], *rest = words, *command;
    fill(s, s->line->value, words, sizeof words);
    claims_without_command(s->run);
    while (!s->stop && rest) {
        char *end = strstr(rest, " && ");
        command = rest;
        rest = end ? end + strlen(" && ") : NULL;
        if (end)
            *end = '\0';
        const char *what = strsep(&command, " ");
        if (command)
            claims_shown_by(s->run, what, "%s", command);
        else
            wrong(s, "'%s': expected WHAT WORDS", what);
    }
}

static const char *const keys[] = {"for",     "end",   "let",     "skip",    "audit",    "run",
                                   "measure", "steps", "play",    "data",    "schedule", "offer",
                                   "claim",   "must",  "predict", "audited", "note",     "command"};

bool claims_script_key(const char *key)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

/* Executes the lines from `first` on once. */
static void do_lines(struct script *s, const struct claims_line *first)
{
    for (s->line = first; !s->stop && s->line < s->end; s->line++) {
        const char *key = s->line->key, *text = s->line->value;
        if (strcmp(key, "for") == 0 || strcmp(key, "end") == 0)
            break;
        if (strcmp(key, "skip") == 0) {
            if (evaluate(s, &text) != 0)
                break;
        } else if (strcmp(key, "let") == 0) {
            do_let(s);
        } else if (strcmp(key, "predict") == 0 || strcmp(key, "audited") == 0) {
            do_column(s, *key == 'p');
        } else if (strcmp(key, "claim") == 0) {
            do_claim(s);
        } else if (strcmp(key, "must") == 0) {
            do_must(s);
        } else if (strcmp(key, "data") == 0) {
            do_data(s);
        } else if (strcmp(key, "command") == 0) {
            do_command(s);
        } else if (strcmp(key, "note") == 0) {
            char words[TEXT_MAX];
            fill(s, text, words, sizeof words);
            claims_remark(s->run, "%s", words);
        } else {
            do_measurement(s);
        }
    }
}

/* Executes the loops of a "for" line from `text` on, nested, with the lines behind it. */
static void do_loops(struct script *s, const struct claims_line *line, const char *text)
{
    const size_t length = strcspn(text, ";");
    const char *inner = text + length + (text[length] == ';');
    struct loop *l = &s->loops[s->depth];
    s->line = line;
    if (s->depth == LOOPS_MAX) {
        wrong(s, "more than %d loops", LOOPS_MAX);
        return;
    }
    open_loop(s, text, l);
    s->depth++;
    while (!s->stop && next(s, l)) {
        if (*inner)
            do_loops(s, line, inner + strspn(inner, " "));
        else
            do_lines(s, line + 1);
        s->line = line;
    }
    s->depth--;
    for (size_t i = 0; s->depth == 0 && i < s->count; i++)
        s->variables[i].label = NULL;
}

void experiment_script(struct claims_run *run)
{
    const struct claims_row *row = run->row;
    struct script s = {.run = run, .end = row->script + row->script_count};
    do_lines(&s, row->script);
    for (const struct claims_line *line = row->script; !s.stop && line < s.end; line++) {
        if (strcmp(line->key, "for") == 0)
            do_loops(&s, line, line->value);
        else if (strcmp(line->key, "end") == 0)
            do_lines(&s, line + 1);
    }
}
