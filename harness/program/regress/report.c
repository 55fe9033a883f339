/* SPDX-License-Identifier: Apache-2.0 */
/* What changed, in words. Knows results; not how they came about. */
#include "program/regress/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/style.h"

struct regress_counts regress_count(const struct regress_file *f)
{
    struct regress_counts c = {0};
    for (size_t i = 0; i < f->count; i++) {
        c.stopped += f->lines[i].stopped;
        if (!f->lines[i].is.known)
            continue;
        c.done++;
        c.died += f->lines[i].is.died;
        c.wrong += !regress_delivered(&f->lines[i].is);
        c.same += f->lines[i].change == REGRESS_SAME;
        c.fresh += f->lines[i].change == REGRESS_NEW;
        c.time += f->lines[i].change == REGRESS_TIME;
        c.function += f->lines[i].change == REGRESS_FUNCTION;
    }
    return c;
}

static const char *better(bool less)
{
    return less ? "better" : "worse";
}

/* A text that grows up to the end of its buffer. */
struct sentence {
    char *text;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void say(struct sentence *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(s->text + s->used, s->size - s->used, format, args);
    va_end(args);
    s->used += length > 0 ? (size_t)length : 0;
    if (s->used >= s->size)
        s->used = s->size - 1;
}

static void say_numbers(struct sentence *s, const struct regress_result *was,
                        const struct regress_result *is)
{
    const size_t before = s->used;
    if (was->cycles != is->cycles)
        say(s, "cycles %" PRIu64 " -> %" PRIu64 " (%+.1f %%, %s); ", was->cycles, is->cycles,
            was->cycles ? 100 * ((double)is->cycles / (double)was->cycles - 1) : 0,
            better(is->cycles < was->cycles));
    const bool measured = was->latency[0] != '-' && is->latency[0] != '-';
    if (strcmp(was->latency, is->latency) != 0 && !measured)
        say(s, "mean latency %s -> %s; ", was->latency, is->latency);
    else if (strcmp(was->latency, is->latency) != 0)
        say(s, "mean latency %s -> %s (%s); ", was->latency, is->latency,
            better(strtod(is->latency, NULL) < strtod(was->latency, NULL)));
    if (was->taps && is->taps && was->contended != is->contended)
        say(s, "contended %" PRIu64 " -> %" PRIu64 " (%s); ", was->contended, is->contended,
            better(is->contended < was->contended));
    else if (was->taps != is->taps)
        say(s, "taps %s; ", is->taps ? "are there now" : "are gone");
    if (s->used == before && was->digest != is->digest)
        say(s, "the same cycles in all, but words arrive in others; ");
}

/* One sentence on a changed run. */
static void describe(const struct regress_line *l, char *buffer, size_t size)
{
    const struct regress_result *was = &l->was, *is = &l->is;
    struct sentence s = {.text = buffer, .size = size};
    buffer[0] = '\0';
    if (is->died) {
        say(&s, "%s", l->detail);
        return;
    }
    if (l->change == REGRESS_NEW) {
        say(&s, "no result is stored: %s, %" PRIu64 " cycles", is->verdict, is->cycles);
        return;
    }
    if (strcmp(was->verdict, is->verdict) != 0)
        say(&s, "%s, was %s; ", is->verdict, was->verdict);
    else if (was->closed != is->closed || (is->closed && was->deliveries != is->deliveries))
        say(&s, "other deliveries; ");
    if (l->detail[0])
        say(&s, "%s; ", l->detail);
    if (regress_delivered(was) && regress_delivered(is)) /* else of a run that was not finished */
        say_numbers(&s, was, is);
    if (s.used >= 2 && strcmp(buffer + s.used - 2, "; ") == 0)
        buffer[s.used - 2] = '\0';
}

static const char *const change_names[] = {[REGRESS_SAME] = "same",
                                           [REGRESS_NEW] = "new",
                                           [REGRESS_TIME] = "time",
                                           [REGRESS_FUNCTION] = "function"};

void regress_text(const struct regress_file *f, FILE *out)
{
    const struct cli_style s = cli_style_of(out);
    char text[2048];
    for (size_t i = 0; i < f->count; i++) {
        const struct regress_line *l = &f->lines[i];
        if (!l->is.known || l->change == REGRESS_SAME)
            continue;
        describe(l, text, sizeof text);
        fprintf(out, "  %s%-8s%s  %s\n              %s\n",
                cli_paint(&s, l->change == REGRESS_FUNCTION ? CLI_BAD : CLI_WARM),
                change_names[l->change], cli_unpaint(&s), l->text, text);
    }
}

static void put_xml(const char *text, FILE *out)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '&')
            fputs("&amp;", out);
        else if (*c == '<')
            fputs("&lt;", out);
        else if (*c == '>')
            fputs("&gt;", out);
        else if (*c == '"')
            fputs("&quot;", out);
        else
            fputc(*c < 0x20 || *c >= 0x7f ? '?' : *c, out);
    }
}

void regress_junit(const struct regress_file *f, const char *baseline, FILE *out)
{
    const struct regress_counts n = regress_count(f);
    char text[2048];
    double seconds = 0;
    for (size_t i = 0; i < f->count; i++)
        seconds += f->lines[i].seconds;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"ecube regress ", out);
    put_xml(baseline, out);
    fprintf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\" time=\"%.3f\">\n",
            n.done + n.stopped, n.fresh + n.time + n.function, n.stopped, seconds);
    for (size_t i = 0; i < f->count; i++) {
        const struct regress_line *l = &f->lines[i];
        if (!l->is.known && !l->stopped)
            continue;
        fputs("  <testcase classname=\"ecube.regress\" name=\"", out);
        put_xml(l->text, out);
        fprintf(out, "\" time=\"%.3f\"", l->seconds);
        if (!l->stopped && l->change == REGRESS_SAME) {
            fputs("/>\n", out);
            continue;
        }
        if (l->stopped)
            snprintf(text, sizeof text, "%s", l->detail);
        else
            describe(l, text, sizeof text);
        fprintf(out, ">\n    <%s type=\"%s\" message=\"", l->stopped ? "error" : "failure",
                l->stopped ? "stopped" : change_names[l->change]);
        put_xml(text, out);
        fputs("\"/>\n  </testcase>\n", out);
    }
    fputs("</testsuite>\n", out);
}
