/* SPDX-License-Identifier: Apache-2.0 */
/* Reads traces. Knows the columns of a trace and what makes its dependences wrong; must not know
 * when a message starts or how it is sent.
 *
 * A row may name a later one, so ids are resolved after the last row. Until then a row of a trace
 * with dependences takes 64 bytes. */
#include "workload/trace.h"

#include <stdlib.h>

#include "base/list.h"
#include "workload/order.h"
#include "workload/spec.h"

#define CYCLE_MAX (UINT64_C(1) << 48) /* two weeks of simulation at a cycle every 5 ns */
#define ID_MAX    ((uint64_t)INT64_MAX)

enum column { CYCLE, SOURCE, DESTINATION, WORDS, ID, AFTER, DELAY, BEHIND, STEP, COLUMNS };

/* A row besides its message. */
struct row {
    uint64_t id, behind; /* EC_NO_ID: none */
    uint64_t line;
    size_t first; /* of its ids in after[] */
    uint32_t delay, step;
};

struct named {
    uint64_t id;
    uint32_t message;
};

struct reading {
    struct ec_csv csv;
    struct ec_workload *w;
    size_t room; /* of w->messages */
    struct row *rows;
    size_t row_count, row_room;
    uint64_t *after; /* ids, row after row */
    size_t after_count, after_room;
    struct named *names; /* by id */
    size_t name_count;
    struct ec_error *reterr;
};

static enum ec_code no_memory_for_trace(const struct reading *r)
{
    return ec_fail(r->reterr, EC_MEMORY, "%s:%llu: out of memory for more messages", r->csv.path,
                   (unsigned long long)r->csv.line);
}

static bool has(const struct reading *r, enum column column)
{
    return r->csv.present >> column & 1;
}

/* --- Rows ------------------------------------------------------------------------------------- */

enum ec_code trace_no_rows(const struct ec_csv *csv, struct ec_error *reterr)
{
    return ec_fail(reterr, EC_USAGE, "%s: no rows: expected at least one", csv->path);
}

enum ec_code trace_open_csv(const char *workload, struct ec_slice path,
                            const struct ec_csv_column *columns, unsigned count, struct ec_csv *ret,
                            struct ec_error *reterr)
{
    struct ec_error e;
    const enum ec_code code = ec_csv_open(path, columns, count, ret, &e);
    return code == EC_OK ? EC_OK
                         : ec_fail(reterr, code, "workload %s: file=: %s", workload, e.message);
}

/* Has the file more than the four columns of a plain trace? */
static bool is_ordered(const struct reading *r)
{
    return has(r, ID) || has(r, AFTER) || has(r, DELAY) || has(r, BEHIND) || has(r, STEP);
}

/* The columns of the header fit each other. */
static enum ec_code check_columns(const struct reading *r)
{
    if ((has(r, AFTER) || has(r, BEHIND)) && !has(r, ID))
        return ec_fail(r->reterr, EC_USAGE,
                       "%s: column '%s' names messages by their id: expected a column 'id' as well",
                       r->csv.path, has(r, AFTER) ? "after" : "behind");
    if (has(r, AFTER) && has(r, STEP))
        return ec_fail(r->reterr, EC_USAGE,
                       "%s: columns 'step' and 'after': expected one of them, not both",
                       r->csv.path);
    return EC_OK;
}

/* A row without words is work of its node. */
static enum ec_code check_work(const struct reading *r, const struct ec_message *m)
{
    if (m->words > 0 || (m->src == m->dst && is_ordered(r) && !has(r, STEP)))
        return EC_OK;
    return ec_fail(r->reterr, EC_USAGE,
                   "%s:%llu: words '0' is not a message length (1 to %u words); work of a node has "
                   "words 0, source = destination, and a column 'id', 'after' or 'delay', not "
                   "'step'",
                   r->csv.path, (unsigned long long)r->csv.line, EC_MESSAGE_WORDS_MAX);
}

static bool keep_row(struct reading *r, const uint64_t *value)
{
    const struct row row = {.id = value[ID],
                            .behind = value[BEHIND],
                            .line = r->csv.line,
                            .first = r->after_count,
                            .delay = (uint32_t)value[DELAY],
                            .step = (uint32_t)value[STEP]};
    bool room = EC_LIST_PUSH(r->rows, r->row_count, r->row_room, row);
    for (size_t i = 0; room && i < r->csv.list_count; i++)
        room = EC_LIST_PUSH(r->after, r->after_count, r->after_room, r->csv.list[i]);
    return room;
}

static enum ec_code read_rows(struct reading *r)
{
    struct ec_workload *w = r->w;
    uint64_t value[EC_CSV_COLUMNS_MAX];
    bool end;

    for (;;) {
        enum ec_code code = ec_csv_row(&r->csv, value, &end, r->reterr);
        if (code == EC_OK && !end && w->message_count == 0)
            code = check_columns(r);
        if (code != EC_OK)
            return code;
        if (end)
            return w->message_count ? EC_OK : trace_no_rows(&r->csv, r->reterr);
        if (w->message_count == EC_MESSAGES_MAX)
            return ec_fail(r->reterr, EC_USAGE, "%s:%llu: more than %u messages", r->csv.path,
                           (unsigned long long)r->csv.line, EC_MESSAGES_MAX);
        const struct ec_message m = {.cycle = value[CYCLE],
                                     .src = (uint32_t)value[SOURCE],
                                     .dst = (uint32_t)value[DESTINATION],
                                     .words = (uint32_t)value[WORDS]};
        code = check_work(r, &m);
        if (code != EC_OK)
            return code;
        if (!EC_LIST_PUSH(w->messages, w->message_count, r->room, m) ||
            (is_ordered(r) && !keep_row(r, value)))
            return no_memory_for_trace(r);
    }
}

/* --- Ids -------------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->message < y->message ? -1 : 1;
}

static enum ec_code sort_ids(struct reading *r)
{
    struct ec_workload *w = r->w;
    bool sorted = true;

    w->ids = calloc(w->message_count, sizeof *w->ids);
    r->names = calloc(w->message_count, sizeof *r->names);
    if (!w->ids || !r->names)
        return no_memory_for_trace(r);
    for (size_t i = 0; i < w->message_count; i++) {
        w->ids[i] = r->rows[i].id;
        if (w->ids[i] == EC_NO_ID)
            continue;
        sorted = sorted && (r->name_count == 0 || r->names[r->name_count - 1].id < w->ids[i]);
        r->names[r->name_count++] = (struct named){w->ids[i], (uint32_t)i};
    }
    if (!sorted)
        qsort(r->names, r->name_count, sizeof *r->names, by_id);
    for (size_t k = 1; k < r->name_count; k++) {
        const struct named *a = &r->names[k - 1], *b = &r->names[k];
        if (a->id == b->id)
            return ec_fail(r->reterr, EC_USAGE,
                           "%s:%llu: id %llu is that of line %llu, too: expected different ids",
                           r->csv.path, (unsigned long long)r->rows[b->message].line,
                           (unsigned long long)b->id, (unsigned long long)r->rows[a->message].line);
    }
    return EC_OK;
}

/* The message with this id, for which message i waits. */
static enum ec_code resolve(const struct reading *r, const char *column, size_t i, uint64_t id,
                            uint32_t *ret)
{
    const unsigned long long line = r->rows[i].line;
    size_t low = 0, high = r->name_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (r->names[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == r->name_count || r->names[low].id != id)
        return ec_fail(r->reterr, EC_USAGE, "%s:%llu: %s %llu: no message has this id", r->csv.path,
                       line, column, (unsigned long long)id);
    if (r->names[low].message == i)
        return ec_fail(r->reterr, EC_USAGE, "%s:%llu: message %llu waits for itself", r->csv.path,
                       line, (unsigned long long)id);
    *ret = r->names[low].message;
    return EC_OK;
}

/* --- The order -------------------------------------------------------------------------------- */

/* `seen`: for each message the last one (from 1) that waits for it. */
static enum ec_code resolve_after(struct reading *r, uint32_t *seen)
{
    struct ec_message_order *o = r->w->order;
    const size_t count = r->w->message_count;

    for (size_t i = 0; i <= count; i++)
        o->first[i] = i < count ? r->rows[i].first : r->after_count;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = o->first[i]; k < o->first[i + 1]; k++) {
            const enum ec_code code = resolve(r, "after", i, r->after[k], &o->after[k]);
            if (code != EC_OK)
                return code;
            const struct ec_message *m = &r->w->messages[o->after[k]];
            if (order_is_work(r->w, o->after[k]) && m->src != r->w->messages[i].src)
                return ec_fail(r->reterr, EC_USAGE,
                               "%s:%llu: after %llu: that is work of node %u, and node %u sends "
                               "this message: expected the same node",
                               r->csv.path, (unsigned long long)r->rows[i].line,
                               (unsigned long long)r->after[k], m->src, r->w->messages[i].src);
            if (seen[o->after[k]] == i + 1)
                return ec_fail(r->reterr, EC_USAGE, "%s:%llu: after %llu is there twice",
                               r->csv.path, (unsigned long long)r->rows[i].line,
                               (unsigned long long)r->after[k]);
            seen[o->after[k]] = (uint32_t)(i + 1);
        }
    }
    return EC_OK;
}

static enum ec_code resolve_behind(struct reading *r)
{
    const struct ec_message *m = r->w->messages;
    const uint32_t *step = r->w->order->step;
    uint32_t *behind = r->w->order->behind;

    for (size_t i = 0; i < r->w->message_count; i++) {
        behind[i] = EC_NONE;
        if (r->rows[i].behind == EC_NO_ID)
            continue;
        const enum ec_code code = resolve(r, "behind", i, r->rows[i].behind, &behind[i]);
        if (code != EC_OK)
            return code;
        if (order_is_work(r->w, behind[i]))
            return ec_fail(r->reterr, EC_USAGE,
                           "%s:%llu: behind %llu: that is work, which is not sent: use 'after'",
                           r->csv.path, (unsigned long long)r->rows[i].line,
                           (unsigned long long)r->rows[i].behind);
        if (m[behind[i]].src != m[i].src)
            return ec_fail(r->reterr, EC_USAGE,
                           "%s:%llu: behind %llu: node %u sends that message, and node %u this "
                           "one: expected the same node",
                           r->csv.path, (unsigned long long)r->rows[i].line,
                           (unsigned long long)r->rows[i].behind, m[behind[i]].src, m[i].src);
        if (step && step[behind[i]] > step[i])
            return ec_fail(r->reterr, EC_USAGE,
                           "%s:%llu: behind %llu: that message has a later step", r->csv.path,
                           (unsigned long long)r->rows[i].line,
                           (unsigned long long)r->rows[i].behind);
    }
    return EC_OK;
}

static enum ec_code take_steps(struct reading *r)
{
    uint32_t *step = r->w->order->step;

    for (size_t i = 0; i < r->w->message_count; i++) {
        step[i] = r->rows[i].step;
        const unsigned long long line = r->rows[i].line;
        if (step[i] == 0)
            return ec_fail(r->reterr, EC_USAGE, "%s:%llu: a row without a step: expected 1 or more",
                           r->csv.path, line);
        if (i > 0 && step[i] < step[i - 1])
            return ec_fail(r->reterr, EC_USAGE,
                           "%s:%llu: step %u after step %u: expected rows in the order of steps",
                           r->csv.path, line, step[i], step[i - 1]);
    }
    return EC_OK;
}

/* --- Circles ---------------------------------------------------------------------------------- */

/* A message on the way of the search, and the first of its edges not yet followed. */
struct visit {
    uint32_t message;
    uint32_t edge;
};

/* What message i waits for: the messages of after[], then behind[]. EC_NONE: no such edge. */
static uint32_t edge_of(const struct ec_message_order *o, uint32_t i, uint32_t edge)
{
    const size_t count = o->first ? o->first[i + 1] - o->first[i] : 0;

    if (edge < count)
        return o->after[o->first[i] + edge];
    return edge == count && o->behind ? o->behind[i] : EC_NONE;
}

/* circle[0 .. count): each one waits for the next, and the last one for the first. */
static enum ec_code refuse_circle(const struct reading *r, const struct visit *circle, size_t count)
{
    enum { SHOWN = 8 };
    char text[SHOWN * 64] = "";

    for (size_t i = 0; i < count && i < SHOWN; i++) {
        const uint32_t next = circle[i + 1 < count ? i + 1 : 0].message;
        ec_append(text, sizeof text, "%s%llu %sfor %llu", i ? ", " : "",
                  (unsigned long long)r->w->ids[circle[i].message], i ? "" : "waits ",
                  (unsigned long long)r->w->ids[next]);
    }
    if (count > SHOWN)
        ec_append(text, sizeof text, ", ... (%zu messages)", count);
    return ec_fail(r->reterr, EC_USAGE, "%s:%llu: messages wait for each other: %s", r->csv.path,
                   (unsigned long long)r->rows[circle[0].message].line, text);
}

/* A depth-first search along what messages wait for. */
static enum ec_code check_circles(const struct reading *r)
{
    enum { NEW, OPEN, DONE };
    const struct ec_message_order *o = r->w->order;
    const size_t count = r->w->message_count;
    struct visit *way = malloc(count * sizeof *way);
    unsigned char *state = calloc(count, 1);
    enum ec_code code = way && state ? EC_OK : no_memory_for_trace(r);

    for (uint32_t i = 0; code == EC_OK && i < count; i++) {
        size_t depth = 0;
        if (state[i] == NEW) {
            way[depth++] = (struct visit){i, 0};
            state[i] = OPEN;
        }
        while (code == EC_OK && depth > 0) {
            struct visit *top = &way[depth - 1];
            const uint32_t next = edge_of(o, top->message, top->edge++);
            if (next == EC_NONE) {
                state[top->message] = DONE;
                depth--;
            } else if (state[next] == NEW) {
                way[depth++] = (struct visit){next, 0};
                state[next] = OPEN;
            } else if (state[next] == OPEN) {
                while (way[--depth].message != next)
                    ;
                code = refuse_circle(r, &way[depth], (size_t)(top - &way[depth]) + 1);
            }
        }
    }
    free(way);
    free(state);
    return code;
}

/* --- The trace -------------------------------------------------------------------------------- */

static bool allocate_order(struct reading *r)
{
    const size_t count = r->w->message_count;
    struct ec_message_order *o = r->w->order = calloc(1, sizeof *o);

    if (!o)
        return false;
    *o = (struct ec_message_order){.by_step = has(r, STEP), .overtake = true};
    o->delay = has(r, DELAY) ? calloc(count, sizeof *o->delay) : NULL;
    o->behind = has(r, BEHIND) ? calloc(count, sizeof *o->behind) : NULL;
    o->step = o->by_step ? calloc(count, sizeof *o->step) : NULL;
    o->first = o->by_step ? NULL : calloc(count + 1, sizeof *o->first);
    o->after = o->by_step ? NULL : calloc(r->after_count + 1, sizeof *o->after);
    return (o->delay || !has(r, DELAY)) && (o->behind || !has(r, BEHIND)) &&
           (o->by_step ? o->step != NULL : o->first && o->after);
}

static enum ec_code make_order(struct reading *r)
{
    uint32_t *seen = NULL;
    enum ec_code code = EC_OK;

    if (!allocate_order(r) || !(seen = calloc(r->w->message_count, sizeof *seen)))
        return no_memory_for_trace(r);
    struct ec_message_order *o = r->w->order;
    for (size_t i = 0; o->delay && i < r->w->message_count; i++)
        o->delay[i] = r->rows[i].delay;
    if (o->by_step)
        code = take_steps(r);
    else
        code = resolve_after(r, seen);
    free(seen);
    if (code == EC_OK && o->behind)
        code = resolve_behind(r);
    return code == EC_OK ? check_circles(r) : code;
}

static void reading_close(struct reading *r)
{
    ec_csv_close(&r->csv);
    free(r->rows);
    free(r->after);
    free(r->names);
}

enum ec_code trace_read(struct ec_slice path, struct ec_workload *w, struct ec_error *reterr)
{
    char node[48], words[48], cycle[64];
    snprintf(node, sizeof node, "a node (0 to %u)", w->nodes - 1);
    snprintf(words, sizeof words, "a message length (1 to %u words)", EC_MESSAGE_WORDS_MAX);
    snprintf(cycle, sizeof cycle, "a cycle (1 to %llu)", (unsigned long long)CYCLE_MAX);
    static const char id[] = "the id of a message (a whole number below 2^63)";
    const struct ec_csv_column columns[COLUMNS] = {
        [CYCLE] = {.name = "cycle",
                   .what = cycle,
                   .least = 1,
                   .most = CYCLE_MAX,
                   .optional = true,
                   .otherwise = 1},
        [SOURCE] = {.name = "source", .other_name = "src", .what = node, .most = w->nodes - 1},
        [DESTINATION] = {.name = "destination",
                         .other_name = "dst",
                         .what = node,
                         .most = w->nodes - 1},
        [WORDS] = {.name = "words",
                   .other_name = "length",
                   .what = words,
                   .most = EC_MESSAGE_WORDS_MAX},
        [ID] = {.name = "id", .what = id, .most = ID_MAX, .named = true, .otherwise = EC_NO_ID},
        [AFTER] = {.name = "after", .what = id, .most = ID_MAX, .named = true, .list = true},
        [DELAY] = {.name = "delay",
                   .what = "a number of cycles (0 to 4294967295)",
                   .most = UINT32_MAX,
                   .named = true},
        [BEHIND] =
            {.name = "behind", .what = id, .most = ID_MAX, .named = true, .otherwise = EC_NO_ID},
        [STEP] = {.name = "step",
                  .what = "a step (1 to 4294967295)",
                  .least = 1,
                  .most = UINT32_MAX,
                  .named = true},
    };
    struct reading r = {.w = w, .reterr = reterr};

    enum ec_code code = trace_open_csv("trace", path, columns, COLUMNS, &r.csv, reterr);
    if (code == EC_OK)
        code = read_rows(&r);
    if (code == EC_OK && has(&r, ID))
        code = sort_ids(&r);
    if (code == EC_OK && is_ordered(&r))
        code = make_order(&r);
    reading_close(&r);
    return code;
}
