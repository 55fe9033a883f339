/* SPDX-License-Identifier: Apache-2.0 */
/* Records what an experiment reports: cases, numbers, notes, commands.
 *
 * Must not know verdicts, networks, schedules or any claim. */
#include "claims/run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool claims_is_full(const struct claims_run *run)
{
    return run->options->full;
}

/* --- Texts ------------------------------------------------------------------------------------ */

/* A truncated text could be misleading, so the row fails. */
static void note_cut(struct claims_run *run, const char *text)
{
    run->cut = true;
    claims_break(run, "text too long: %.100s...", text);
}

static void format_text(struct claims_run *run, char *buffer, size_t size, const char *format,
                        va_list args)
{
    const int length = vsnprintf(buffer, size, format, args);
    if (length < 0 || (size_t)length >= size)
        note_cut(run, buffer);
}

#define FORMATTED(run, buffer, format)                                                             \
    do {                                                                                           \
        va_list args_;                                                                             \
        va_start(args_, format);                                                                   \
        format_text(run, buffer, sizeof(buffer), format, args_);                                   \
        va_end(args_);                                                                             \
    } while (0)

/* Marks the truncation; for texts whose end does not matter. */
#define ABRIDGED(buffer, format)                                                                   \
    do {                                                                                           \
        va_list args_;                                                                             \
        va_start(args_, format);                                                                   \
        if (vsnprintf(buffer, sizeof(buffer), format, args_) >= (int)sizeof(buffer))               \
            memcpy((buffer) + sizeof(buffer) - sizeof "...", "...", sizeof "...");                 \
        va_end(args_);                                                                             \
    } while (0)

/* A text of any length, owned by the caller. NULL if out of memory, which is recorded. */
#define ALLOCATED(run, text, format)                                                               \
    do {                                                                                           \
        va_list args_;                                                                             \
        va_start(args_, format);                                                                   \
        if (vasprintf(&(text), format, args_) < 0) {                                               \
            (text) = NULL;                                                                         \
            (run)->memory_short = true;                                                            \
        }                                                                                          \
        va_end(args_);                                                                             \
    } while (0)

static void keep(struct claims_run *run, char **to, const char *text)
{
    free(*to);
    *to = text ? strdup(text) : NULL;
    run->memory_short |= text && !*to;
}

void claims_add(char *buffer, size_t size, const char *format, ...)
{
    const size_t used = strlen(buffer);
    va_list args;
    va_start(args, format);
    const int more = vsnprintf(buffer + used, size - used, format, args);
    va_end(args);
    if (more < 0 || (size_t)more >= size - used)
        *buffer = '\0';
}

void claims_append(struct claims_run *run, char *buffer, size_t size, const char *separator,
                   const char *text)
{
    const size_t used = strlen(buffer);
    const int more = snprintf(buffer + used, size - used, "%s%s", used ? separator : "", text);
    if (more < 0 || (size_t)more >= size - used)
        note_cut(run, text);
}

/* --- Cases ------------------------------------------------------------------------------------ */

static void count_case(struct claims_run *run, bool with_condition, bool condition, bool truth,
                       const char *text)
{
    struct claims_finding *f = run->finding;
    run->cases++;
    run->true_cases += truth;
    if (with_condition) {
        run->conditional = true;
        run->inside += condition;
        run->inside_true += condition && truth;
        run->outside += !condition;
        run->outside_true += !condition && truth;
    }
    if (with_condition && condition && truth && run->chosen && !run->inside_command)
        keep(run, &run->inside_command, run->command);
    if (!truth && !*f->counterexample) {
        claims_append(run, f->counterexample, sizeof f->counterexample, "", text);
        keep(run, &run->counter_command, run->command);
    }
}

void claims_case(struct claims_run *run, bool truth, const char *format, ...)
{
    char text[240];
    FORMATTED(run, text, format);
    count_case(run, false, false, truth, text);
}

void claims_case_if(struct claims_run *run, bool condition, bool truth, const char *format, ...)
{
    char text[240];
    FORMATTED(run, text, format);
    if (condition && !truth)
        claims_break(run, "the condition is met, but the statement is false: %s", text);
    if (!condition && truth)
        claims_break(run, "the condition is not met, but the statement is true: %s", text);
    count_case(run, true, condition, truth, text);
}

static bool related(uint64_t left, enum claims_relation rel, uint64_t right)
{
    switch (rel) {
    case CLAIMS_EQ:
        return left == right;
    case CLAIMS_LE:
        return left <= right;
    case CLAIMS_LT:
        return left < right;
    case CLAIMS_GE:
        return left >= right;
    case CLAIMS_GT:
        break;
    }
    return left > right;
}

static void relate(struct claims_run *run, bool with_condition, bool condition, uint64_t left,
                   enum claims_relation rel, uint64_t right, const char *text)
{
    static const char *const stated[] = {[CLAIMS_EQ] = "",
                                         [CLAIMS_LE] = "at most ",
                                         [CLAIMS_LT] = "less than ",
                                         [CLAIMS_GE] = "at least ",
                                         [CLAIMS_GT] = "more than "};
    const bool truth = related(left, rel, right);
    char shown[320];
    snprintf(shown, sizeof shown, "%s: %" PRIu64 ", stated %s%" PRIu64, text, left, stated[rel],
             right);
    if (with_condition)
        claims_case_if(run, condition, truth, "%s", shown);
    else
        count_case(run, false, false, truth, shown);
    if ((rel == CLAIMS_LE || rel == CLAIMS_GE) && truth) {
        const uint64_t slack = left < right ? right - left : left - right;
        run->bounds++;
        run->reached += slack == 0;
        run->slack = slack > run->slack ? slack : run->slack;
    }
}

void claims_relate(struct claims_run *run, uint64_t left, enum claims_relation rel, uint64_t right,
                   const char *format, ...)
{
    char text[240];
    FORMATTED(run, text, format);
    relate(run, false, false, left, rel, right, text);
}

void claims_relate_if(struct claims_run *run, bool condition, uint64_t left,
                      enum claims_relation rel, uint64_t right, const char *format, ...)
{
    char text[240];
    FORMATTED(run, text, format);
    relate(run, true, condition, left, rel, right, text);
}

void claims_at_most(struct claims_run *run, uint64_t known, uint64_t bound, uint64_t stated,
                    const char *format, ...)
{
    char text[240];
    FORMATTED(run, text, format);
    if (known < bound)
        claims_break(run, "%s: %" PRIu64 ", below the bound %" PRIu64, text, known, bound);
    if (known <= stated) {
        count_case(run, true, true, true, text);
    } else if (bound > stated) {
        claims_append(run, text, sizeof text, "", " at least");
        relate(run, true, false, bound, CLAIMS_LE, stated, text);
    } else if (run->open++ == 0) {
        snprintf(run->first_open, sizeof run->first_open,
                 "%.150s: %" PRIu64 " known, bound %" PRIu64 ", stated %" PRIu64, text, known,
                 bound, stated);
    }
}

void claims_break(struct claims_run *run, const char *format, ...)
{
    if (!*run->broken)
        ABRIDGED(run->broken, format);
}

/* Part of the statement could not be checked, so the row cannot hold. */
static void leave_open(struct claims_run *run, const char *what)
{
    if (!strstr(run->unchecked, what))
        claims_append(run, run->unchecked, sizeof run->unchecked, ", ", what);
}

bool claims_require(struct claims_run *run, bool truth, const char *format, ...)
{
    char text[240];
    FORMATTED(run, text, format);
    if (!truth)
        claims_break(run, "%s", text);
    return truth;
}

bool claims_require_equal(struct claims_run *run, uint64_t left, uint64_t right, const char *format,
                          ...)
{
    char text[240];
    FORMATTED(run, text, format);
    if (left != right)
        claims_break(run, "%s: %" PRIu64 ", not %" PRIu64, text, left, right);
    return left == right;
}

bool claims_sees_contention(struct claims_run *run, const struct claims_seen *seen)
{
    if (!seen->report->has_taps)
        leave_open(run, "contended cycles (no taps)");
    return seen->report->has_taps;
}

bool claims_require_uncontended(struct claims_run *run, const struct claims_seen *seen,
                                const char *format, ...)
{
    char text[240];
    FORMATTED(run, text, format);
    return !claims_sees_contention(run, seen) ||
           claims_require_equal(run, seen->contended, 0, "%s", text);
}

bool claims_require_predicted(struct claims_run *run, const struct claims_seen *seen,
                              const char *format, ...)
{
    char text[240];
    FORMATTED(run, text, format);
    if (seen->report->checks[EC_CHECK_TIME].verdict == EC_VERDICT_UNCHECKED) {
        leave_open(run, "predicted cycles (foreign pipeline)");
        return true;
    }
    return claims_require(run, seen->report->has_prediction, "%s: no prediction", text) &&
           claims_require_equal(run, seen->cycles, seen->predicted, "%s", text);
}

void claims_equivalent(struct claims_run *run)
{
    run->equivalent = true;
}

/* --- Columns ---------------------------------------------------------------------------------- */

void claims_span(struct claims_run *run, enum claims_column column, const char *what,
                 uint64_t value)
{
    const size_t room = sizeof run->spans[column] / sizeof *run->spans[column];
    if (run->aside)
        return;
    for (size_t i = 0; i < room; i++) {
        struct claims_span *s = &run->spans[column][i];
        if (!*s->what) {
            *s = (struct claims_span){.low = value, .high = value};
            snprintf(s->what, sizeof s->what, "%s", what);
            return;
        }
        if (strcmp(s->what, what) == 0) {
            s->low = value < s->low ? value : s->low;
            s->high = value > s->high ? value : s->high;
            return;
        }
    }
    note_cut(run, what);
}

void claims_predicted(struct claims_run *run, const char *what, uint64_t value)
{
    if (run->options->rtl && strncmp(what, "cycles", strlen("cycles")) == 0)
        return; /* the closed forms describe ecube's own pipeline only */
    claims_span(run, CLAIMS_PREDICTED, what, value);
}

void claims_audited(struct claims_run *run, const char *what, uint64_t value)
{
    claims_span(run, CLAIMS_AUDITED, what, value);
}

void claims_measured(struct claims_run *run, const char *what, uint64_t value)
{
    claims_span(run, CLAIMS_MEASURED, what, value);
}

void claims_remark(struct claims_run *run, const char *format, ...)
{
    char *text;
    ALLOCATED(run, text, format);
    if (text)
        claims_append(run, run->finding->note, sizeof run->finding->note, "; ", text);
    free(text);
}

static void add_command(struct claims_run *run, const char *text)
{
    json_t *list = run->finding->commands, *old;
    size_t i;
    json_array_foreach(list, i, old)
    {
        if (strcmp(json_string_value(old), text) == 0)
            return;
    }
    if (json_array_append_new(list, json_string(text)) != 0)
        run->memory_short = true;
}

void claims_without_command(struct claims_run *run)
{
    keep(run, &run->command, NULL);
    run->chosen = false;
}

void claims_command(struct claims_run *run, const char *format, ...)
{
    char *text;
    ALLOCATED(run, text, format);
    if (text)
        add_command(run, text);
    free(text);
}

void claims_set_command(struct claims_run *run, const char *format, ...)
{
    if (run->aside)
        return;
    free(run->command);
    ALLOCATED(run, run->command, format);
    run->chosen = false;
}

void claims_remember(struct claims_run *run, bool measured, uint64_t value)
{
    if (run->aside || (run->largest_measured && !measured))
        return;
    if (run->largest_command && run->largest_measured == measured && value <= run->largest)
        return;
    run->largest = value;
    run->largest_measured = measured;
    keep(run, &run->largest_command, run->command);
}

void claims_table_row(struct claims_run *run, const char *format, ...)
{
    struct claims_finding *f = run->finding;
    char *text, *cell;
    ALLOCATED(run, text, format);
    char *rest = text;
    json_t *cells = json_array();
    while (cells && (cell = strsep(&rest, ",")))
        if (json_array_append_new(cells, json_string(cell)) != 0)
            run->memory_short = true;
    free(text);
    if (!f->table)
        f->table = json_array();
    if (!f->table || json_array_append_new(f->table, cells) != 0)
        run->memory_short = true;
}
