/* SPDX-License-Identifier: Apache-2.0 */
/* Baselines: reads, writes and judges them, and describes changes in words. Knows the format; runs
 * nothing. */
#include "program/regress/regress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/style.h"

/* --- The file --------------------------------------------------------------------------------- */

static const char separator[] = " = ";

static const char *const verdicts[] = {"pass", "unstable", "short", "deadlock", "fail", NULL};
enum { DELIVERED = 3 }; /* the first three */

static bool read_verdict(const char *word, struct regress_result *r)
{
    size_t i = 0;
    while (verdicts[i] && strcmp(verdicts[i], word) != 0)
        i++;
    if (!verdicts[i])
        return false;
    snprintf(r->verdict, sizeof r->verdict, "%s", word);
    return true;
}

bool regress_delivered(const struct regress_result *r)
{
    for (size_t i = 0; i < DELIVERED; i++) {
        if (strcmp(verdicts[i], r->verdict) == 0)
            return true;
    }
    return false;
}

/* Accept only the form that regress_file_write writes: a truncated number is still a number. */
static bool read_digest(const char *text, uint64_t *ret)
{
    const size_t length = strlen(text);
    if (length != 16 || strspn(text, "0123456789abcdef") != length)
        return false;
    *ret = strtoull(text, NULL, 16);
    return true;
}

static bool read_count(const char *text, uint64_t *ret)
{
    const size_t length = strlen(text);
    errno = 0;
    *ret = strtoull(text, NULL, 10);
    return length > 0 && strspn(text, "0123456789") == length && errno == 0;
}

static bool read_latency(const char *text, struct regress_result *r)
{
    const size_t whole = strspn(text, "0123456789");
    snprintf(r->latency, sizeof r->latency, "%s", text);
    if (strcmp(text, "-") == 0)
        return true;
    return whole > 0 && text[whole] == '.' && strspn(text + whole + 1, "0123456789") == 2 &&
           text[whole + 3] == '\0' && strcmp(text, r->latency) == 0;
}

static bool read_deliveries(const char *text, struct regress_result *r)
{
    r->closed = strcmp(text, "-") != 0;
    return !r->closed || read_digest(text, &r->deliveries);
}

static bool read_contended(const char *text, struct regress_result *r)
{
    r->taps = strcmp(text, "-") != 0;
    return !r->taps || read_count(text, &r->contended);
}

static bool read_cycles(const char *text, struct regress_result *r)
{
    return read_count(text, &r->cycles);
}

static bool read_all_words(const char *text, struct regress_result *r)
{
    return read_digest(text, &r->digest);
}

/* VERDICT NAME=VALUE...: every name, in this order. */
static bool read_result(char *text, struct regress_result *ret)
{
    static const struct {
        const char *name;
        bool (*read)(const char *text, struct regress_result *r);
    } values[] = {{"deliveries=", read_deliveries},
                  {"cycles=", read_cycles},
                  {"contended=", read_contended},
                  {"latency=", read_latency},
                  {"digest=", read_all_words}};
    struct regress_result r = {.known = true};
    char *rest = text, *word = strsep(&rest, " ");
    if (!read_verdict(word, &r))
        return false;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const size_t length = strlen(values[i].name);
        word = strsep(&rest, " ");
        if (!word || strncmp(word, values[i].name, length) != 0 ||
            !values[i].read(word + length, &r))
            return false;
    }
    *ret = r;
    return rest == NULL;
}

static bool add_line(struct regress_file *f, struct regress_line line)
{
    if (f->count == f->room) {
        const size_t room = f->room ? 2 * f->room : 64;
        struct regress_line *grown = realloc(f->lines, room * sizeof *grown);
        if (!grown)
            return false;
        f->lines = grown;
        f->room = room;
    }
    f->runs += line.is_run;
    f->lines[f->count++] = line;
    return true;
}

static enum ec_code read_line(struct regress_file *f, const char *path, char *text,
                              struct ec_error *reterr)
{
    struct regress_line line = {0};
    text[strcspn(text, "\r\n")] = '\0';
    line.is_run = text[strspn(text, " \t")] != '\0' && text[strspn(text, " \t")] != '#';
    char *result = line.is_run ? strstr(text, separator) : NULL;
    if (result) {
        *result = '\0';
        if (!read_result(result + strlen(separator), &line.was))
            return ec_fail(
                reterr, EC_USAGE,
                "%.200s:%zu: invalid result: expected after '=' pass|unstable|short|deadlock|fail "
                "deliveries=16 HEX DIGITS|- cycles=N contended=N|- latency=N.NN|- "
                "digest=16 HEX DIGITS; delete the result and use --update to store a new one",
                path, f->count + 1);
    }
    line.text = strdup(text);
    if (!line.text || !add_line(f, line)) {
        free(line.text);
        return ec_fail(reterr, EC_MEMORY, "out of memory for a baseline");
    }
    return EC_OK;
}

enum ec_code regress_file_read(const char *path, struct regress_file *ret, struct ec_error *reterr)
{
    struct regress_file f = {0};
    enum ec_code code = EC_OK;
    char *text = NULL;
    size_t size = 0;
    FILE *in = fopen(path, "re");
    if (!in)
        return ec_fail(reterr, EC_USAGE, "the baseline '%.200s': %s", path, strerror(errno));
    errno = 0;
    while (code == EC_OK && getline(&text, &size, in) >= 0)
        code = read_line(&f, path, text, reterr);
    if (code == EC_OK && ferror(in))
        code = ec_fail(reterr, EC_IO, "cannot read '%.200s': %s", path, strerror(errno));
    if (code == EC_OK && f.runs == 0)
        code = ec_fail(
            reterr, EC_USAGE,
            "the baseline '%.200s' has no runs: expected lines of TOPOLOGY WORKLOAD [OPTION...]",
            path);
    free(text);
    fclose(in);
    if (code == EC_OK)
        *ret = f;
    else
        regress_file_close(&f);
    return code;
}

static void write_result(const struct regress_result *r, FILE *out)
{
    fprintf(out, "%s%s", separator, r->verdict);
    if (r->closed)
        fprintf(out, " deliveries=%016" PRIx64, r->deliveries);
    else
        fputs(" deliveries=-", out);
    fprintf(out, " cycles=%" PRIu64, r->cycles);
    if (r->taps)
        fprintf(out, " contended=%" PRIu64, r->contended);
    else
        fputs(" contended=-", out);
    fprintf(out, " latency=%s digest=%016" PRIx64, r->latency, r->digest);
}

void regress_file_write(const struct regress_file *f, FILE *out)
{
    for (size_t i = 0; i < f->count; i++) {
        fputs(f->lines[i].text, out);
        if (f->lines[i].is.known && !f->lines[i].is.died)
            write_result(&f->lines[i].is, out);
        fputc('\n', out);
    }
}

void regress_file_close(struct regress_file *f)
{
    for (size_t i = 0; i < f->count; i++)
        free(f->lines[i].text);
    free(f->lines);
    *f = (struct regress_file){0};
}

enum regress_change regress_judge(const struct regress_result *was, const struct regress_result *is)
{
    if (is->died)
        return REGRESS_FUNCTION;
    if (!was->known)
        return REGRESS_NEW;
    if (strcmp(was->verdict, is->verdict) != 0 || was->closed != is->closed ||
        (is->closed && was->deliveries != is->deliveries))
        return REGRESS_FUNCTION;
    if (was->cycles != is->cycles || was->digest != is->digest || was->taps != is->taps ||
        was->contended != is->contended || strcmp(was->latency, is->latency) != 0)
        return REGRESS_TIME;
    return REGRESS_SAME;
}

/* --- What changed ----------------------------------------------------------------------------- */

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
        say(s, "taps %s; ", is->taps ? "added" : "removed");
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
