/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments written in their records: grids, runs, formulas. CONTRIBUTING.md lists the lines.
 *
 * Knows the lines, the grids by name, and which names formulas have; must not know any claim. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims/experiments/play.h"
#include "claims/experiments/values.h"
#include "claims/expression.h"
#include "claims/run.h"

enum { VARIABLES_MAX = 40, LOOPS_MAX = 6, TEXT_MAX = 300, CALLS_MAX = 20 };

/* A variable. Loops set the variables that name a case, with the label to show. */
struct variable {
    char name[16];
    const char *label;
    int64_t value;
    char text[200]; /* "": a number */
};

enum loop_kind { BLOCKS, BLOCK_PACKETS, SDPS, RANGE, WORDS };

struct loop {
    enum loop_kind kind;
    const char *then;         /* further blocks of the quick grid: "441 16, 62 16", or NULL */
    char name[16], label[16]; /* of the variable of a range or list */
    union {
        struct multi blocks;
        struct block_packet block_packet;
        struct sdp_grid sdp;
        struct {
            int64_t next, last, step;
            bool times; /* from each value to the next by `step` times, not plus */
        } range;
        struct {
            const char *next;
            int64_t index;
            char names[SCHEDULES_SIZE];
        } words;
    } at;
};

/* What follows the loops of a grid that a record of the book defines: variables, a condition, and
 * the loops after the grid. */
struct grid_end {
    const char *lets, *condition; /* NULL: none */
    const char *inner;            /* "": no more loops */
    const struct grid_end *outer; /* of the grid around, or NULL */
};

struct script {
    struct claims_run *run;
    const struct claims_line *line, *end; /* the current line; the end of the lines */
    struct variable variables[VARIABLES_MAX];
    size_t count;
    struct loop loops[LOOPS_MAX];
    size_t depth;
    struct claims_seen seen;
    struct script_values values; /* ->seen: NULL or the last audit or run */
    struct script_map map;
    unsigned calls; /* of forms, in each other */
    bool idle;      /* the condition of the last "when" is false */
    bool stop;      /* an audit or a run failed, or a line is wrong */
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
        if (strncmp(s->variables[i].name, name, length) == 0 && !s->variables[i].name[length])
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

static bool value_of(void *context, const char *name, size_t length, int64_t *ret)
{
    struct script *s = context;
    const struct variable *v = variable_of(s, name, length);
    if (v)
        *ret = v->value;
    return v || values_quantity(&s->values, name, length, ret);
}

static bool call_of(void *context, const char *name, size_t length, const int64_t *arguments,
                    size_t count, int64_t *ret);

static struct claims_expression expression_at(struct script *s, const char *text)
{
    return (struct claims_expression){.at = text,
                                      .full = claims_is_full(s->run),
                                      .value = value_of,
                                      .call = call_of,
                                      .context = s};
}

static bool call_of(void *context, const char *name, size_t length, const int64_t *arguments,
                    size_t count, int64_t *ret)
{
    struct script *s = context;
    struct claims_expression e = expression_at(s, "");
    if (values_call(&s->values, name, length, arguments, count, ret))
        return true;
    if (s->calls == CALLS_MAX)
        return false;
    s->calls++;
    const bool good = claims_call_form(&e, s->run->row->forms, name, length, arguments, count, ret);
    s->calls--;
    if (*e.error)
        wrong(s, "%.*s: %s", (int)length, name, e.error);
    return good;
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

/* At most four numbers. */
static void read_numbers(struct script *s, const char *numbers, int64_t *n)
{
    for (size_t i = 0; i < 4 && *numbers && !strchr("}|", *numbers); i++) {
        n[i] = evaluate(s, &numbers);
        numbers += *numbers == ',';
    }
}

/* The numbers behind {blocks:. */
static struct shuffle blocks_of(struct script *s, const char *numbers)
{
    int64_t n[4] = {0};
    unsigned order[ORDERS_MAX];
    read_numbers(s, numbers, n);
    const unsigned count = orders_of((uint64_t)n[0], order);
    return mixed_shuffle(order, count, (uint32_t)n[1], n[2] ? (uint32_t)n[2] : 1);
}

/* The numbers behind {twos:. */
static struct shuffle two_cycles_of(struct script *s, const char *numbers)
{
    int64_t n[4] = {0};
    read_numbers(s, numbers, n);
    return two_cycles_shuffle((unsigned)n[0], (uint32_t)n[1], 1);
}

/* The numbers behind {mixed: and {real:. */
static struct gsh cycle_of(struct script *s, const char *numbers, bool real)
{
    int64_t n[4] = {0};
    read_numbers(s, numbers, n);
    return (struct gsh){.real = real,
                        .order = (unsigned)n[0],
                        .per_node = (uint32_t)n[1],
                        .inverted = (uint32_t)n[2],
                        .spectators = (unsigned)n[3]};
}

/* Permutation NUMBER of COUNT dimensions, as in "2-0-1"; the numbers are those behind {order:. */
static void put_order(struct script *s, const char *numbers, char *text, size_t size)
{
    int64_t n[4] = {0};
    read_numbers(s, numbers, n);
    const unsigned count = (unsigned)n[0] % 17;
    for (unsigned i = 0; i < count; i++)
        claims_add(text, size, "%s%u", i ? "-" : "", arranged(count, (uint64_t)n[1], i));
}

/* The cycles of the permutation of address bits in which bit i gets thing i of an arrangement; the
 * numbers behind {bits: are those of {order: and the inverted bits. */
static void put_bits(struct script *s, const char *numbers, char *text, size_t size)
{
    int64_t n[4] = {0};
    char cycles[120];
    read_numbers(s, numbers, n);
    struct ec_sdp sdp = ec_sdp_identity(0, (unsigned)n[0] % 17);
    for (unsigned i = 0; i < sdp.processor; i++)
        sdp.from[i] = (uint8_t)arranged(sdp.processor, (uint64_t)n[1], i);
    sdp.complement = (uint64_t)n[2];
    ec_sdp_format(&sdp, cycles, sizeof cycles);
    claims_add(text, size, "%s", cycles);
}

static void fill_part(struct script *s, const char *template, size_t length, char *text,
                      size_t size);

/* {? CONDITION: TEXT | TEXT} */
static void put_choice(struct script *s, const char *inside, const char *end, char *text,
                       size_t size)
{
    const bool first = evaluate(s, &inside) != 0;
    inside += *inside == ':';
    inside += *inside == ' ';
    const char *bar = strstr(inside, " | ");
    bar = bar && bar < end ? bar : NULL;
    if (first)
        fill_part(s, inside, (size_t)((bar ? bar : end) - inside), text, size);
    else if (bar)
        fill_part(s, bar + 3, (size_t)(end - bar - 3), text, size);
}

/* {EXPRESSION}, {WORD}, {hex: EXPRESSION}; {? CONDITION: TEXT | TEXT}; {,m}, {,ts} and {:B} are
 * ",m=8", " --startup 7" and ":block=2", or empty for the defaults; {mixed: ORDER, K, INVERTED,
 * SPECTATORS} and {real: ...} are one cycle (the last two may be left out), {twos: BETA, K} beta
 * cycles of two, {blocks: ORDERS, K, WORDS} several blocks, {order: COUNT, NUMBER} a permutation,
 * {bits: COUNT, NUMBER, INVERTED} the cycles of one of address bits, {ratio: A, B} has three
 * decimals, {defect} is the defect of the schedule. */
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
    } else if (*inside == '?') {
        put_choice(s, inside + 1, inside + length, text, size);
    } else if (strncmp(inside, "mixed:", 6) == 0 || strncmp(inside, "real:", 5) == 0) {
        const struct gsh g = cycle_of(s, strchr(inside, ':') + 1, *inside == 'r');
        gsh_words(&g, words, sizeof words);
        claims_add(text, size, "%s", words);
    } else if (strncmp(inside, "blocks:", 7) == 0) {
        const struct shuffle x = blocks_of(s, inside + 7);
        claims_add(text, size, "%s %s", x.topology, x.workload);
    } else if (strncmp(inside, "twos:", 5) == 0) {
        const struct shuffle x = two_cycles_of(s, inside + 5);
        claims_add(text, size, "%s %s", x.topology, x.workload);
    } else if (strncmp(inside, "order:", 6) == 0) {
        put_order(s, inside + 6, text, size);
    } else if (strncmp(inside, "bits:", 5) == 0) {
        put_bits(s, inside + 5, text, size);
    } else if (strncmp(inside, "ratio:", 6) == 0) {
        inside += 6;
        const double left = (double)evaluate(s, &inside);
        inside += *inside == ',';
        claims_add(text, size, "%.3f", left / (double)evaluate(s, &inside));
    } else if (strncmp(inside, "hex:", 4) == 0) {
        inside += 4;
        claims_add(text, size, "%llx", (unsigned long long)evaluate(s, &inside));
    } else if (length == 6 && strncmp(inside, "defect", 6) == 0) {
        claims_add(text, size, "%s",
                   s->values.seen && s->seen.checked ? s->seen.checked->defect : "");
    } else if (v && *v->text) {
        claims_add(text, size, "%s", v->text);
    } else {
        claims_add(text, size, "%lld", (long long)evaluate(s, &inside));
    }
}

static size_t braces_length(const char *open)
{
    size_t length = 0;
    unsigned depth = 0;
    do
        depth = open[length] == '{' ? depth + 1 : open[length] == '}' ? depth - 1 : depth;
    while (open[length] && (length++, depth > 0));
    return length;
}

static void fill_part(struct script *s, const char *template, size_t length, char *text,
                      size_t size)
{
    const char *end = template + length;
    while (template <end) {
        const char *brace = memchr(template, '{', (size_t)(end - template));
        const size_t plain = (size_t)((brace ? brace : end) - template);
        claims_add(text, size, "%.*s", (int)plain, template);
        template += plain;
        if (brace) {
            const size_t taken = braces_length(template);
            put_braces(s, template + 1, taken - 2, text, size);
            template += taken;
        }
    }
}

static void fill(struct script *s, const char *template, char *text, size_t size)
{
    *text = '\0';
    fill_part(s, template, strlen(template), text, size);
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
#define GRID(word, loop_kind, member, iterator)                                                    \
    if (strlen(word) == length && strncmp(name, word, length) == 0) {                              \
        *ret = (struct loop){.kind = loop_kind};                                                   \
        ret->at.member = iterator;                                                                 \
        return true;                                                                               \
    }
    GRID("multi", BLOCKS, blocks, multi_grid(run))
    GRID("sdp", SDPS, sdp, sdp_grid(run, 51))
    GRID("more sdp", SDPS, sdp, sdp_grid(run, 201))
#undef GRID
    if (strncmp(name, "multi then ", 11) == 0) {
        *ret = (struct loop){.kind = BLOCKS, .then = claims_is_full(run) ? NULL : name + 11};
        ret->at.blocks = multi_grid(run);
        return true;
    }
    return false;
}

/* "in WORD, WORD, ..." or "in [WORD, ...|WORD, ...]": quick, full; or "of TOPOLOGY WORKLOAD": its
 * schedules for n ports. False: something else. */
static bool open_words(struct script *s, struct claims_expression *e, struct loop *ret)
{
    const bool listed = claims_take(e, "in");
    if (!listed && !claims_take(e, "of"))
        return false;
    const char *list = e->at + strspn(e->at, " ");
    char words[TEXT_MAX] = "";
    ret->kind = WORDS;
    ret->at.words.index = 0;
    ret->at.words.names[0] = '\0';
    if (listed) {
        ret->at.words.next = *list != '['             ? list
                             : claims_is_full(s->run) ? strchr(list, '|') + 1
                                                      : list + 1;
        return true;
    }
    fill_part(s, list, strcspn(list, ";"), words, sizeof words);
    s->stop |= !list_schedules(s->run, words, ret->at.words.names);
    ret->at.words.next = ret->at.words.names;
    return true;
}

/* GRID, "multi then ORDERS K, ..." (these in the quick grid), "blocks up to EXPRESSION" (packets),
 * or NAME [as LABEL] = FIRST .. LAST [step STEP or times FACTOR], or NAME in or of words; `last` is
 * true for the last schedule. */
static void open_loop(struct script *s, const char *text, struct loop *ret)
{
    const size_t length = strcspn(text, ";"), name = strcspn(text, " =;");
    if (open_grid(s, text, length, ret))
        return;
    if (strncmp(text, "blocks up to ", 13) == 0) {
        text += 13;
        *ret = (struct loop){.kind = BLOCK_PACKETS};
        ret->at.block_packet = block_packets(s->run, (uint32_t)evaluate(s, &text));
        return;
    }
    *ret = (struct loop){.kind = RANGE};
    struct claims_expression e = expression_at(s, text + name);
    if (name == 0 || name >= sizeof ret->name) {
        wrong(s, "no grid or variable: '%.40s'", text);
        return;
    }
    memcpy(ret->name, text, name);
    memcpy(ret->label, text, name);
    if (open_words(s, &e, ret))
        return;
    if (claims_take(&e, "as")) {
        e.at += strspn(e.at, " ");
        snprintf(ret->label, sizeof ret->label, "%.*s", (int)strcspn(e.at, " ="), e.at);
        e.at += strcspn(e.at, " =");
    }
    ret->at.range.step = 1;
    ret->at.range.times = false;
    bool good = claims_take(&e, "=") && claims_evaluate_sum(&e, &ret->at.range.next) &&
                claims_take(&e, "..") && claims_evaluate_sum(&e, &ret->at.range.last);
    if (good && (claims_take(&e, "step") || (ret->at.range.times = claims_take(&e, "times"))))
        good = claims_evaluate_sum(&e, &ret->at.range.step);
    if (!good || (ret->at.range.times && ret->at.range.step < 2))
        wrong(s, "expected GRID, NAME = FIRST .. LAST or NAME in WORDS; got '%.40s' %s", text,
              e.error);
}

/* A word that is not a number has its index in the list as its value. */
static bool next_word(struct script *s, struct loop *l)
{
    const char *word = l->at.words.next;
    const size_t length = strcspn(word, ",;|]");
    if (length == 0)
        return false;
    const int64_t place = l->at.words.index++;
    const bool number = strspn(word, "0123456789") == length;
    struct variable *v = set(s, l->name, strlen(l->name), l->label, number ? atoi(word) : place);
    if (!number)
        snprintf(v->text, sizeof v->text, "%.*s", (int)length, word);
    word += length + (word[length] == ',');
    l->at.words.next = word + strspn(word, " ");
    if (*l->at.words.names)
        set_number(s, "last", NULL, !*word);
    return true;
}

static void set_blocks(struct script *s, const struct multi *g)
{
    const struct shuffle x = multi_words(g, 1);
    struct variable *v = set(s, "orders", strlen("orders"), "orders", 0);
    for (unsigned b = 0; b < g->blocks; b++)
        v->value = 10 * v->value + g->order[b];
    snprintf(v->text, sizeof v->text, "%.39s", x.name); /* "orders 3,1, K=16" */
    set_number(s, "K", NULL, g->per_node);
    set_number(s, "beta", NULL, g->blocks);
    set_number(s, "r", NULL, g->sigma_r);
    set_number(s, "longest", NULL, g->longest);
    set_number(s, "equal", NULL, g->equal);
    set_number(s, "audited", NULL, g->audited);
    set_number(s, "timed", NULL, g->timed);
}

/* The next of the blocks behind "then". */
static bool next_blocks(struct script *s, struct loop *l)
{
    unsigned digits, K, order[ORDERS_MAX];
    if (!l->then || sscanf(l->then, "%u %u", &digits, &K) != 2)
        return false;
    l->at.blocks = multi_of(s->run, orders_of(digits, order), order, K);
    l->at.blocks.blocks_max = 0; /* the grid has ended */
    l->then += strcspn(l->then, ",;");
    l->then += *l->then == ',';
    return true;
}

/* Its name, its words and those without inversions. */
static void set_sdp(struct script *s, const struct ec_sdp *sdp)
{
    struct ec_sdp plain = *sdp;
    plain.complement = 0;
    values_see(&s->values, NULL);
    s->values.sdp = *sdp;
    s->values.has_sdp = true;
    sdp_name(sdp, set(s, "sdp", strlen("sdp"), NULL, 0)->text, sizeof s->variables->text);
    sdp_words(sdp, set(s, "case", strlen("case"), NULL, 0)->text, sizeof s->variables->text);
    sdp_words(&plain, set(s, "plain", strlen("plain"), NULL, 0)->text, sizeof s->variables->text);
}

/* Advances a loop to its next case and sets its variables. */
static bool next(struct script *s, struct loop *l)
{
    switch (l->kind) {
    case BLOCKS:
        if (!multi_next(&l->at.blocks) && !next_blocks(s, l))
            return false;
        set_blocks(s, &l->at.blocks);
        return true;
    case BLOCK_PACKETS:
        if (!block_packet_next(&l->at.block_packet))
            return false;
        set_number(s, "B", "B", l->at.block_packet.block);
        set_number(s, "ts", "ts", l->at.block_packet.startup);
        set_number(s, "m", NULL, l->at.block_packet.words);
        return true;
    case SDPS:
        if (!sdp_next(&l->at.sdp))
            return false;
        set_sdp(s, &l->at.sdp.s);
        return true;
    case RANGE:
        if (l->at.range.step > 0 ? l->at.range.next > l->at.range.last
                                 : l->at.range.next < l->at.range.last)
            return false;
        set_number(s, l->name, l->label, l->at.range.next);
        l->at.range.next = l->at.range.times ? l->at.range.next * l->at.range.step
                                             : l->at.range.next + l->at.range.step;
        return true;
    case WORDS:
        break;
    }
    return next_word(s, l);
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* NAME = EXPRESSION, NAME = EXPRESSION, ..., up to a bar. */
static void let_all(struct script *s, const char *text)
{
    while (!s->stop && *text && *text != '|') {
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

static void do_let(struct script *s)
{
    let_all(s, s->line->value);
}

/* WHAT: EXPRESSION */
static void do_column(struct script *s)
{
    const bool predicted = *s->line->key == 'p';
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

/* A case or a requirement: STATEMENT [if CONDITION] [, at least BOUND] [when GUARD] [| TEXT]. */
struct statement {
    bool related, conditional, bounded, condition, truth;
    enum claims_relation relation;
    int64_t left, right, bound;
    char text[TEXT_MAX]; /* which case, and what is compared */
};

/* The value behind `word` in the text before `bar`, if it is there. */
static bool read_part(struct script *s, const char *text, const char *bar, const char *word,
                      int64_t *ret)
{
    const char *part = strstr(text, word);
    if (!part || (bar && part > bar))
        return false;
    part += strlen(word);
    *ret = evaluate(s, &part);
    return true;
}

/* `text` is the statement. */
static bool read_statement(struct script *s, const char *text, struct statement *ret)
{
    struct claims_expression e = expression_at(s, text);
    const char *bar = strstr(e.at, " | ");
    int64_t value = 1, condition = 0;
    *ret = (struct statement){.condition = false};
    if ((read_part(s, text, bar, " when ", &value) && !value) || s->stop)
        return false;
    /* Without a run or taps, contention is unknown. */
    if (strstr(e.at, "contended") && s->values.seen &&
        (!s->seen.report || !claims_sees_contention(s->run, &s->seen)))
        return false;
    ret->conditional = read_part(s, text, bar, " if ", &condition);
    ret->condition = condition != 0;
    ret->bounded = read_part(s, text, bar, ", at least ", &ret->bound);
    const char *begin = e.at;
    ret->related = claims_evaluate_sum(&e, &ret->left);
    const char *middle = e.at;
    ret->related = ret->related && claims_take_relation(&e, &ret->relation) &&
                   claims_evaluate_sum(&e, &ret->right);
    e.at += strspn(e.at, " ");
    ret->related = ret->related && (!*e.at || *e.at == '|' || strncmp(e.at, "if ", 3) == 0 ||
                                    *e.at == ',' || strncmp(e.at, "when ", 5) == 0);
    value = 1;
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
    if (!read_statement(s, s->line->value, &x))
        return;
    if (x.related && x.bounded)
        claims_at_most(s->run, (uint64_t)x.left, (uint64_t)x.bound, (uint64_t)x.right, "%s",
                       x.text);
    else if (x.related && x.conditional)
        claims_relate_if(s->run, x.condition, (uint64_t)x.left, x.relation, (uint64_t)x.right, "%s",
                         x.text);
    else if (x.related)
        claims_relate(s->run, (uint64_t)x.left, x.relation, (uint64_t)x.right, "%s", x.text);
    else if (x.conditional)
        claims_case_if(s->run, x.condition, x.truth, "%s", x.text);
    else
        claims_case(s->run, x.truth, "%s", x.text);
}

static bool holds(const struct statement *x)
{
    return x->related ? claims_holds(x->left, x->relation, x->right) : x->truth;
}

static void do_must(struct script *s)
{
    struct statement x;
    if (!read_statement(s, s->line->value, &x))
        return;
    if (x.related && x.relation == CLAIMS_EQ)
        claims_require_equal(s->run, (uint64_t)x.left, (uint64_t)x.right, "%s", x.text);
    else
        claims_require(s->run, holds(&x), "%s", x.text);
}

/* NAME: STATEMENT | TEXT, over a whole grid: NAME becomes 0 with the first false case, and its text
 * that of the case; a later claim reports it. */
static void do_gather(struct script *s)
{
    const size_t length = strcspn(s->line->value, ":");
    const char *text = s->line->value + length;
    struct statement x;
    if (!*text) {
        wrong(s, "expected NAME: STATEMENT | TEXT");
        return;
    }
    struct variable *v = variable_of(s, s->line->value, length);
    v = v ? v : set(s, s->line->value, length, NULL, 1);
    if (v->value && read_statement(s, text + 1, &x) && !holds(&x)) {
        v->value = 0;
        snprintf(v->text, sizeof v->text, "%.199s", x.text);
    }
}

/* NAME = TEXT */
static void do_text(struct script *s)
{
    const size_t length = strcspn(s->line->value, " =");
    const char *text = strstr(s->line->value, "= ");
    char words[TEXT_MAX];
    if (!text) {
        wrong(s, "expected NAME = TEXT");
        return;
    }
    fill(s, text + 2, words, sizeof words);
    snprintf(set(s, s->line->value, length, NULL, 0)->text, sizeof s->variables->text, "%.199s",
             words);
}

/* Does ecube reject "TOPOLOGY WORKLOAD [--algorithm ALGORITHM]"? */
static bool is_refused(const char *words)
{
    char topology[40] = "", workload[160] = "", algorithm[60] = "";
    return sscanf(words, "%39s %159s --algorithm %59s", topology, workload, algorithm) < 2 ||
           claims_refused(topology, workload, *algorithm ? algorithm : NULL);
}

/* The program must reject these words. */
static void do_refuse(struct script *s)
{
    char words[TEXT_MAX];
    fill(s, s->line->value, words, sizeof words);
    claims_require(s->run, is_refused(words), "%s is taken", words);
}

static void see(struct script *s, bool good, const struct claims_seen *seen)
{
    s->stop |= !good;
    if (good)
        s->seen = *seen;
    values_see(&s->values, good ? &s->seen : NULL);
}

static bool is_timed(struct script *s)
{
    const struct variable *v = variable_of(s, "timed", 5);
    return !v || v->value != 0;
}

/* TOPOLOGY SOURCE DESTINATION WORDS STARTUP [ROUTER]: a message alone. */
static void do_single(struct script *s)
{
    char words[TEXT_MAX], topology[40], router[160] = "";
    unsigned n[4];
    struct claims_seen seen;
    fill(s, s->line->value, words, sizeof words);
    values_see(&s->values, NULL);
    if (sscanf(words, "%39s %u %u %u %u %159s", topology, &n[0], &n[1], &n[2], &n[3], router) < 5)
        wrong(s, "expected TOPOLOGY SOURCE DESTINATION WORDS STARTUP [ROUTER]; got '%.60s'", words);
    else if (!s->stop)
        see(s,
            claims_measure_single(s->run, &seen, topology, n[0], n[1], n[2], n[3],
                                  *router ? router : NULL),
            &seen);
}

/* STARTUP [ROUTER]: a message of m words over h links takes ts + th h + tw m cycles. Measures ts,
 * th and tw on three messages, each alone on a 2-cube: two lengths over one link, and two links. */
static void do_constants(struct script *s)
{
    static const uint32_t dst[] = {1, 1, 3}, words[] = {3, 5, 3};
    char text[TEXT_MAX], *router;
    int64_t cycles[3];
    struct claims_seen seen;
    fill(s, s->line->value, text, sizeof text);
    const uint32_t startup = (uint32_t)strtoul(text, &router, 10);
    router += *router == ' ';
    for (unsigned i = 0; i < 3 && !s->stop; i++) {
        see(s,
            claims_measure_single(s->run, &seen, "cube:2", 0, dst[i], words[i], startup,
                                  *router ? router : NULL),
            &seen);
        cycles[i] = s->stop ? 0 : (int64_t)seen.cycles;
    }
    if (s->stop || !claims_require(s->run, cycles[0] < cycles[1] && cycles[0] < cycles[2],
                                   "a message takes no longer over more links, or with more words"))
        return;
    const int64_t tw = (cycles[1] - cycles[0]) / 2, th = cycles[2] - cycles[0];
    set_number(s, "tw", NULL, tw);
    set_number(s, "th", NULL, th);
    set_number(s, "t0", NULL, cycles[0] - th - 3 * tw);
}

/* The map becomes the one before, and has n dimensions. False: too many. */
static bool turn_map(struct script *s, int64_t n)
{
    if (n < 1 || n > MAP_DIMS_MAX) {
        wrong(s, "a map of %lld dimensions: expected 1 to %d", (long long)n, MAP_DIMS_MAX);
        return false;
    }
    memcpy(s->map.was, s->map.to, sizeof s->map.was);
    s->map.dims = (unsigned)n;
    return true;
}

/* TOPOLOGY WORKLOAD: its permutation of address bits, without an audit; without storage bits also
 * the map of its nodes. */
static void do_sdp(struct script *s)
{
    char words[TEXT_MAX], topology[40], workload[200];
    struct ec_topology t;
    struct ec_workload *w = NULL;
    struct ec_error e = {.message = "expected TOPOLOGY WORKLOAD"};
    fill(s, s->line->value, words, sizeof words);
    values_see(&s->values, NULL);
    const bool good = sscanf(words, "%39s %199s", topology, workload) == 2 &&
                      ec_topology_parse(topology, &t, &e) == EC_OK &&
                      ec_workload_open(workload, &t, 1, &w, &e) == EC_OK && w->sdp;
    if (good)
        s->values.sdp = *w->sdp;
    s->values.has_sdp = good;
    if (!good)
        wrong(s, "%s: %s", words, e.message);
    ec_workload_close(w);
    const struct ec_sdp *sdp = &s->values.sdp;
    if (good && sdp->storage == 0 && sdp->processor <= MAP_DIMS_MAX && turn_map(s, sdp->processor))
        for (uint32_t x = 0; x < UINT32_C(1) << sdp->processor; x++)
            s->map.to[x] = (uint32_t)ec_sdp_apply(sdp, x);
}

/* N: EXPRESSION of x, for the nodes x in sequence [until CONDITION], at most 1000 times; or N:
 * shuffled. */
static void do_map(struct script *s)
{
    const char *text = s->line->value, *until = strstr(text, " until ");
    const int64_t n = evaluate(s, &text);
    bool done = false;
    text += *text == ':';
    text += strspn(text, " ");
    if (s->stop || !turn_map(s, n))
        return;
    if (strcmp(text, "shuffled") == 0) {
        map_shuffle(&s->map);
        return;
    }
    for (unsigned tries = 1; !done && !s->stop; tries++) {
        for (uint32_t x = 0; x < UINT32_C(1) << n && !s->stop; x++) {
            const char *at = text;
            set_number(s, "x", NULL, x);
            s->map.to[x] = (uint32_t)evaluate(s, &at) & ((UINT32_C(1) << n) - 1);
        }
        const char *condition = until ? until + strlen(" until ") : "1";
        done = evaluate(s, &condition) != 0;
        if (tries == 1000)
            wrong(s, "no such map in 1000 tries");
    }
}

/* WORDS: every node sends a message of so many words by the map. */
static void do_send(struct script *s)
{
    const char *text = s->line->value;
    const uint32_t words = (uint32_t)evaluate(s, &text);
    struct claims_seen seen;
    values_see(&s->values, NULL);
    if (!s->stop)
        see(s, claims_measure_map(s->run, is_timed(s), &seen, s->map.dims, s->map.to, words),
            &seen);
}

/* The schedule of a topology whose element e is in node EXPRESSION of e and t after step t. Every
 * element goes alone. NULL: out of memory. */
static struct ec_schedule *route(struct script *s, uint32_t nodes, const int64_t *n,
                                 const char *expression)
{
    const uint32_t per_node = (uint32_t)n[0], elements = nodes * per_node;
    const size_t most = (size_t)elements * (uint32_t)n[2] + 1;
    struct ec_schedule *x = calloc(1, sizeof *x);
    if (!x)
        return NULL;
    *x = (struct ec_schedule){.algorithm = "route",
                              .nodes = nodes,
                              .holders = nodes,
                              .per_node = per_node,
                              .words = (uint32_t)n[1],
                              .all_ports = true,
                              .steps = (uint32_t)n[2],
                              .transfers = calloc(most, sizeof *x->transfers),
                              .carried = calloc(most, sizeof *x->carried),
                              .target = calloc((size_t)elements + 1, sizeof *x->target)};
    if (!x->transfers || !x->carried || !x->target) {
        ec_schedule_close(x);
        return NULL;
    }
    for (uint32_t e = 0; e < elements; e++)
        x->target[e] = (struct ec_place){e / per_node, e % per_node};
    for (uint32_t i = 0; i < elements * x->steps && !s->stop; i++) {
        const uint32_t e = i % elements, step = i / elements + 1, used = (uint32_t)x->carried_count;
        const char *text = expression;
        set_number(s, "e", NULL, e);
        set_number(s, "t", NULL, step);
        const uint32_t dst = (uint32_t)evaluate(s, &text) % nodes;
        if (dst == x->target[e].node)
            continue;
        x->transfers[x->transfer_count++] = (struct ec_transfer){
            .step = step, .src = x->target[e].node, .dst = dst, .first = used, .count = 1};
        x->carried[x->carried_count++] = (struct ec_carried){e, e % per_node};
        x->target[e].node = dst;
    }
    return x;
}

/* TOPOLOGY WORKLOAD | K, WORDS, STEPS | EXPRESSION: a schedule of K elements in each node, by the
 * places of its elements, as one of this case. */
static void do_route(struct script *s)
{
    const char *numbers = strstr(s->line->value, " | ");
    const char *expression = numbers ? strstr(numbers + 3, " | ") : NULL;
    char words[TEXT_MAX] = "", topology[40], workload[160];
    int64_t n[4] = {0};
    struct ec_topology t;
    struct claims_seen seen;
    if (!expression) {
        wrong(s, "expected TOPOLOGY WORKLOAD | K, WORDS, STEPS | EXPRESSION");
        return;
    }
    fill_part(s, s->line->value, (size_t)(numbers - s->line->value), words, sizeof words);
    read_numbers(s, numbers + 3, n);
    if (sscanf(words, "%39s %159s", topology, workload) != 2 ||
        ec_topology_parse(topology, &t, NULL) != EC_OK || n[0] < 1 || n[1] < 1 || n[2] < 1) {
        wrong(s, "expected TOPOLOGY WORKLOAD | K, WORDS, STEPS; got '%.60s'", words);
        return;
    }
    struct ec_schedule *x = route(s, t.nodes, n, expression + 3);
    if (claims_require(s->run, x != NULL, "out of memory"))
        see(s, claims_play_schedule(s->run, is_timed(s), &seen, x, topology, workload), &seen);
    s->stop |= !x;
}

/* TOPOLOGY WORKLOAD: the last schedule, reversed, as one of this case. */
static void do_reverse(struct script *s)
{
    char words[TEXT_MAX], topology[40], workload[160];
    struct ec_schedule *back = NULL;
    struct claims_seen seen;
    struct ec_error e;
    fill(s, s->line->value, words, sizeof words);
    if (s->stop)
        return;
    if (!s->values.seen || !s->seen.schedule ||
        sscanf(words, "%39s %159s", topology, workload) != 2)
        wrong(s, "expected a schedule, and TOPOLOGY WORKLOAD; got '%.60s'", words);
    else if (ec_schedule_reverse(s->seen.schedule, &back, &e) != EC_OK)
        wrong(s, "%s", e.message);
    else
        see(s, claims_play_schedule(s->run, is_timed(s), &seen, back, topology, workload), &seen);
}

/* audit, run, measure; aside: an audit that no column shows; steps, play, schedule, with the checks
 * of such schedules; offer: a schedule unless the algorithm refuses the case; best: the one with
 * the fewest steps, or the first with at most `enough`. */
static void do_measurement(struct script *s)
{
    const bool timed = is_timed(s);
    const char *key = s->line->key;
    const struct variable *enough = variable_of(s, "enough", 6);
    struct claims_seen seen;
    char words[TEXT_MAX];
    bool good;
    fill(s, s->line->value, words, sizeof words);
    if (s->stop)
        return;
    values_see(&s->values, NULL);
    if (strcmp(key, "offer") == 0) {
        const bool refused = is_refused(words);
        set_number(s, "refused", NULL, refused);
        if (refused)
            return;
    }
    s->run->aside = strcmp(key, "aside") == 0;
    if (strcmp(key, "audit") == 0 || s->run->aside)
        good = claims_measure(s->run, false, &seen, words);
    else if (strcmp(key, "measure") == 0)
        good = claims_measure(s->run, true, &seen, words);
    else if (strcmp(key, "run") == 0)
        good = claims_measure(s->run, timed, &seen, words);
    else if (strcmp(key, "steps") == 0)
        good = play_steps(s->run, timed, words, &seen);
    else if (strcmp(key, "play") == 0)
        good = play_words(s->run, timed, words, &seen);
    else if (strcmp(key, "best") == 0)
        good = play_best(s->run, words, enough ? (uint64_t)enough->value : 0, timed, &seen);
    else
        good = play_blocks_words(s->run, timed, words, words, &seen);
    s->run->aside = false;
    see(s, good, &seen);
}

/* Repeats the case with --sync data, which must not be slower than step by step. Invalidates what
 * the last run showed. */
static void do_data(struct script *s)
{
    char words[TEXT_MAX];
    if (!is_timed(s))
        return;
    fill(s, s->line->value, words, sizeof words);
    s->stop |= !s->values.seen || !play_data(s->run, s->seen.cycles, words);
    values_see(&s->values, NULL);
}

/* "WHAT WORDS && WHAT WORDS": the commands that show the next cases; "none": there is none. */
static void do_command(struct script *s)
{
    char words[TEXT_MAX], *rest = words, *command;
    fill(s, s->line->value, words, sizeof words);
    claims_without_command(s->run);
    if (strcmp(words, "none") == 0)
        return;
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

/* Writes a row of a schedule's table as the figures print it: "v5 v6 .. .. .. 01 02". */
static void row_text(const struct ec_schedule *s, size_t row, char *text, size_t size)
{
    const unsigned storage = claims_storage(s->per_node);
    const size_t end = row_at(s, row + 1, false);
    size_t i = row_at(s, row, false);
    *text = '\0';
    for (uint32_t step = 1; step <= s->steps; step++) {
        const struct ec_exchange *x = &s->exchanges[i];
        const bool used = i < end && x->step == step;
        if (used)
            claims_add(text, size, "%s%c%u", step > 1 ? " " : "", x->storage ? 'v' : '0',
                       x->processor - storage + 1);
        else
            claims_add(text, size, "%s..", step > 1 ? " " : "");
        i += used;
    }
}

/* ROW / ROW / ...: the table of the last schedule, one case for each row. */
static void do_figure(struct script *s)
{
    const char *drawn = s->line->value;
    const size_t count =
        s->values.seen && s->seen.schedule ? row_at(s->seen.schedule, SIZE_MAX, true) : 0;
    size_t rows = 0;
    char text[TEXT_MAX];
    if (count == 0) {
        wrong(s, "no schedule");
        return;
    }
    for (; *drawn; rows++) {
        const size_t length = strcspn(drawn, "/"), gap = drawn[length] == '/';
        if (rows < count) {
            row_text(s->seen.schedule, rows, text, sizeof text);
            claims_case(s->run,
                        strlen(text) == length - gap && strncmp(text, drawn, length - gap) == 0,
                        "row %zu: %s", rows, text);
        }
        drawn += length + 2 * gap;
    }
    claims_relate(s->run, count, CLAIMS_EQ, rows, "rows");
}

/* The lines that only need their text. */
static void do_note(struct script *s)
{
    const char *key = s->line->key;
    char words[TEXT_MAX];
    fill(s, s->line->value, words, sizeof words);
    if (strcmp(key, "note") == 0)
        claims_remark(s->run, "%s", words);
    else if (strcmp(key, "table") == 0)
        claims_table_row(s->run, "%s", words);
    else if (strcmp(key, "also") == 0)
        claims_command(s->run, "ecube %s", words);
    else if (strcmp(key, "exact") == 0)
        s->stop |= !s->values.seen || !s->seen.report ||
                   !claims_require_predicted(s->run, &s->seen, "%s", words);
    else
        claims_equivalent(s->run);
}

static const struct {
    const char *key;
    void (*act)(struct script *s); /* NULL: see do_line() */
} keys[] = {
    {"for", NULL},
    {"end", NULL},
    {"skip", NULL},
    {"when", NULL},
    {"audit", do_measurement},
    {"run", do_measurement},
    {"measure", do_measurement},
    {"steps", do_measurement},
    {"play", do_measurement},
    {"schedule", do_measurement},
    {"offer", do_measurement},
    {"best", do_measurement},
    {"aside", do_measurement},
    {"single", do_single},
    {"reverse", do_reverse},
    {"route", do_route},
    {"figure", do_figure},
    {"also", do_note},
    {"exact", do_note},
    {"sdp", do_sdp},
    {"map", do_map},
    {"send", do_send},
    {"refuse", do_refuse},
    {"constants", do_constants},
    {"data", do_data},
    {"let", do_let},
    {"text", do_text},
    {"claim", do_claim},
    {"must", do_must},
    {"gather", do_gather},
    {"predict", do_column},
    {"audited", do_column},
    {"note", do_note},
    {"table", do_note},
    {"equivalent", do_note},
    {"command", do_command},
};
enum { KEYS = sizeof keys / sizeof *keys };

static size_t key_of(const char *key)
{
    size_t i = 0;
    while (i < KEYS && strcmp(key, keys[i].key) != 0)
        i++;
    return i;
}

bool claims_script_key(const char *key)
{
    return key_of(key) < KEYS;
}

/* Executes the lines from `first` on once. After "when: CONDITION" lines act only if it is true, up
 * to the next one; "when: always" ends that. */
static void do_lines(struct script *s, const struct claims_line *first)
{
    s->idle = false;
    for (s->line = first; !s->stop && s->line < s->end; s->line++) {
        const size_t i = key_of(s->line->key);
        const char *key = s->line->key, *text = s->line->value;
        if (strcmp(key, "for") == 0 || strcmp(key, "end") == 0)
            break;
        if (strcmp(key, "when") == 0)
            s->idle = strcmp(text, "always") != 0 && evaluate(s, &text) == 0;
        else if (s->idle)
            continue;
        else if (strcmp(key, "skip") != 0)
            keys[i].act(s);
        else if (evaluate(s, &text) != 0)
            break;
    }
}

static void do_loops(struct script *s, const struct claims_line *line, const char *text,
                     const struct grid_end *end);

/* In all loops of `text`: the loops after a grid, or the lines. */
static void do_inner(struct script *s, const struct claims_line *line, const char *inner,
                     const struct grid_end *end)
{
    if (*inner) {
        do_loops(s, line, inner + strspn(inner, " "), end);
    } else if (!end) {
        do_lines(s, line + 1);
    } else {
        const char *condition = end->condition;
        if (end->lets)
            let_all(s, end->lets);
        if (!condition || evaluate(s, &condition) != 0)
            do_inner(s, line, end->inner, end->outer);
    }
}

/* The definition of a grid, "NAME: LOOPS [| NAME = EXPRESSION, ... [| CONDITION]]", behind its
 * name; or NULL. */
static const char *defined_grid(const struct script *s, const char *name, size_t length)
{
    const char *const *forms = s->run->row->forms;
    while (forms && *forms && (strncmp(*forms, name, length) != 0 || (*forms)[length] != ':'))
        forms++;
    return forms && *forms ? *forms + length + 2 : NULL;
}

static const char *behind_bar(const char *text)
{
    const char *bar = text ? strstr(text, " | ") : NULL;
    return bar ? bar + 3 : NULL;
}

/* Executes the loops of a "for" line or of a grid from `text` on, nested, with the lines behind the
 * line. */
static void do_loops(struct script *s, const struct claims_line *line, const char *text,
                     const struct grid_end *end)
{
    const char *bar = behind_bar(text), *grid;
    size_t length = strcspn(text, ";");
    length = bar && (size_t)(bar - 3 - text) < length ? (size_t)(bar - 3 - text) : length;
    const char *inner = text[length] == ';' ? text + length + 1 : "";
    struct loop *l = &s->loops[s->depth];
    s->line = line;
    if ((grid = defined_grid(s, text, length))) {
        const char *lets = behind_bar(grid);
        const struct grid_end here = {lets, behind_bar(lets), inner, end};
        do_loops(s, line, grid, &here);
        return;
    }
    if (s->depth == LOOPS_MAX) {
        wrong(s, "more than %d loops", LOOPS_MAX);
        return;
    }
    open_loop(s, text, l);
    s->depth++;
    while (!s->stop && next(s, l)) {
        do_inner(s, line, inner, end);
        s->line = line;
    }
    s->depth--;
    for (size_t i = 0; s->depth == 0 && i < s->count; i++)
        s->variables[i].label = NULL;
}

void experiment_script(struct claims_run *run)
{
    const struct claims_row *row = run->row;
    struct script s = {.run = run, .end = row->script + row->script_count, .map = {.drawn = 1}};
    s.values.map = &s.map;
    set_number(&s, "with", NULL, row->with);
    do_lines(&s, row->script);
    for (const struct claims_line *line = row->script; !s.stop && line < s.end; line++) {
        if (strcmp(line->key, "for") == 0)
            do_loops(&s, line, line->value, NULL);
        else if (strcmp(line->key, "end") == 0)
            do_lines(&s, line + 1);
    }
    values_close(&s.values);
}
