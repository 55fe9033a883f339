/* SPDX-License-Identifier: Apache-2.0 */
/* Baselines: reads, writes and judges them. Knows the format of the file; runs and prints
 * nothing. */
#include "program/regress/regress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/list.h"
#include "base/text.h"

/* --- The file --------------------------------------------------------------------------------- */

static const char separator[] = " = ";

static const char *const verdicts[] = {"pass",     "unstable", "too short", "stopped",
                                       "deadlock", "fail",     NULL};
enum { DELIVERED = 3 }; /* the first three */

static bool read_verdict(const char *word, struct regress_result *r)
{
    size_t i = 0;
    if (strcmp(word, "short") == 0) /* its former name */
        word = "too short";
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

bool regress_refused(const struct regress_file *f, const struct regress_line *l)
{
    return l->is.known && !f->accept && !regress_delivered(&l->is);
}

/* VERDICT NAME=VALUE..., as the file has it. */
static void result_text(const struct regress_result *r, char *buffer, size_t size)
{
    char deliveries[20] = "-", contended[24] = "-";
    if (r->closed)
        snprintf(deliveries, sizeof deliveries, "%016" PRIx64, r->deliveries);
    if (r->taps)
        snprintf(contended, sizeof contended, "%" PRIu64, r->contended);
    snprintf(buffer, size,
             "%s deliveries=%s cycles=%" PRIu64 " contended=%s latency=%s digest=%016" PRIx64,
             r->verdict, deliveries, r->cycles, contended, r->latency, r->digest);
}

/* A number with two decimals, or '-'. */
static bool is_latency(const char *text)
{
    const size_t whole = strspn(text, "0123456789");
    return strcmp(text, "-") == 0 ||
           (whole > 0 && text[whole] == '.' && strspn(text + whole + 1, "0123456789") == 2 &&
            text[whole + 3] == '\0');
}

/* Accept only the form that result_text() writes: a truncated number is still a number. */
static bool read_result(const char *text, struct regress_result *ret)
{
    struct regress_result r = {.known = true};
    char verdict[sizeof r.verdict], deliveries[17], contended[21], again[200];
    const char *rest = strstr(text, " deliveries=");
    if (!rest ||
        sscanf(rest,
               " deliveries=%16s cycles=%" SCNu64 " contended=%20s latency=%23s digest=%" SCNx64,
               deliveries, &r.cycles, contended, r.latency, &r.digest) != 5)
        return false;
    snprintf(verdict, sizeof verdict, "%.*s", (int)(rest - text), text);
    if (!read_verdict(verdict, &r) || !is_latency(r.latency))
        return false;
    r.closed = strcmp(deliveries, "-") != 0;
    r.deliveries = r.closed ? strtoull(deliveries, NULL, 16) : 0;
    r.taps = strcmp(contended, "-") != 0;
    r.contended = r.taps ? strtoull(contended, NULL, 10) : 0;
    result_text(&r, again, sizeof again);
    *ret = r;
    return strcmp(again + strlen(r.verdict), rest) == 0;
}

/* Words latency<=NUMBER and cycles<=NUMBER, at least one. */
static bool read_limits(const char *text, struct regress_limits *ret)
{
    struct ec_slice rest = ec_slice_of(text), word, name;
    bool good = true;
    while (good && ec_slice_take(&rest, ' ', &word)) {
        ec_slice_take(&word, '<', &name);
        good = word.at != NULL && word.length > 1 && word.at[0] == '=';
        const struct ec_slice value = {word.at + good, word.length - good};
        if (good && ec_slice_is(name, "latency"))
            good =
                ec_slice_fraction(value, &ret->latency) && ret->latency > 0 && ret->latency < 1e9;
        else
            good = good && ec_slice_is(name, "cycles") &&
                   ec_slice_number(value, UINT64_MAX, &ret->cycles) && ret->cycles > 0;
    }
    return good;
}

static bool add_line(struct regress_file *f, struct regress_line line)
{
    f->runs += line.is_run;
    return EC_LIST_PUSH(f->lines, f->count, f->room, line);
}

static enum ec_code read_line(struct regress_file *f, const char *path, char *text, size_t length,
                              struct ec_error *reterr)
{
    struct regress_line line = {0};
    if (strlen(text) != length) /* a run behind it would not be made */
        return ec_fail(reterr, EC_USAGE, "%.200s:%zu: a zero byte: expected a text file", path,
                       f->count + 1);
    text[strcspn(text, "\r\n")] = '\0';
    line.is_run = text[strspn(text, " \t")] != '\0' && text[strspn(text, " \t")] != '#';
    char *result = line.is_run ? strstr(text, separator) : NULL;
    if (result) {
        *result = '\0';
        if (!read_result(result + strlen(separator), &line.was) &&
            !read_limits(result + strlen(separator), &line.limits))
            return ec_fail(
                reterr, EC_USAGE,
                "%.200s:%zu: invalid result: expected after '=' pass|unstable|too "
                "short|stopped|deadlock|fail "
                "deliveries=16 HEX DIGITS|- cycles=N contended=N|- latency=N.NN|- "
                "digest=16 HEX DIGITS, or limits: latency<=NUMBER cycles<=N; delete the result "
                "and use --update to store a new one",
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
    if (access(path, R_OK) != 0)
        return ec_fail(reterr, EC_USAGE, "the baseline '%.200s': %s%s", path, strerror(errno),
                       errno == ENOENT ? "; --update creates it" : "");
    code = ec_file_read(path, &text, &size, reterr);
    for (char *at = text, *end = text + size; code == EC_OK && at < end;) {
        char *const newline = memchr(at, '\n', (size_t)(end - at));
        char *const last = newline ? newline : end;
        *last = '\0';
        code = read_line(&f, path, at, (size_t)(last - at), reterr);
        at = last + 1;
    }
    if (code == EC_OK && f.runs == 0)
        code = ec_fail(
            reterr, EC_USAGE,
            "the baseline '%.200s' has no runs: expected lines of TOPOLOGY WORKLOAD [OPTION...]",
            path);
    free(text);
    if (code == EC_OK)
        *ret = f;
    else
        regress_file_close(&f);
    return code;
}

static void limits_text(const struct regress_line *l, char *buffer, size_t size)
{
    char latency[40] = "", cycles[40] = "";
    if (l->limits.latency > 0)
        snprintf(latency, sizeof latency, "latency<=%.15g", l->limits.latency);
    if (l->limits.cycles > 0)
        snprintf(cycles, sizeof cycles, "cycles<=%" PRIu64, l->limits.cycles);
    snprintf(buffer, size, "%s%s%s", latency, *latency && *cycles ? " " : "", cycles);
}

void regress_file_write(const struct regress_file *f, FILE *out)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct regress_line *l = &f->lines[i];
        const struct regress_result *r = regress_refused(f, l) ? &l->was : &l->is;
        char text[200];
        result_text(r, text, sizeof text);
        if (regress_limited(l))
            limits_text(l, text, sizeof text);
        const bool stored = regress_limited(l) || (r->known && !r->died && !l->differs);
        fprintf(out, "%s%s%s\n", l->text, stored ? separator : "", stored ? text : "");
    }
}

void regress_file_close(struct regress_file *f)
{
    for (size_t i = 0; i < f->count; i++)
        free(f->lines[i].text);
    free(f->lines);
    *f = (struct regress_file){0};
}

/* What is not the same in two runs of one row; NULL: nothing. */
static const char *difference(const struct regress_result *a, const struct regress_result *b,
                              enum regress_change *ret_change)
{
    *ret_change = REGRESS_FUNCTION;
    if (strcmp(a->verdict, b->verdict) != 0)
        return "verdict";
    if (a->closed != b->closed || (a->closed && a->deliveries != b->deliveries))
        return "deliveries";
    *ret_change = REGRESS_TIME;
    if (a->cycles != b->cycles)
        return "cycles";
    if (a->digest != b->digest)
        return "cycles in which words arrive";
    if (a->taps != b->taps || a->contended != b->contended)
        return "contended cycles";
    if (strcmp(a->latency, b->latency) != 0)
        return "mean latency";
    *ret_change = REGRESS_SAME;
    return NULL;
}

bool regress_limited(const struct regress_line *l)
{
    return l->limits.latency > 0 || l->limits.cycles > 0;
}

static enum regress_change judge_limits(const struct regress_limits *most,
                                        const struct regress_result *is)
{
    const bool late =
        most->latency > 0 && (is->latency[0] == '-' || strtod(is->latency, NULL) > most->latency);
    if (strcmp(is->verdict, "pass") != 0)
        return REGRESS_FUNCTION;
    return late || (most->cycles > 0 && is->cycles > most->cycles) ? REGRESS_TIME : REGRESS_SAME;
}

enum regress_change regress_judge(const struct regress_line *l)
{
    enum regress_change change = REGRESS_NEW;
    if (l->is.died)
        return REGRESS_FUNCTION;
    if (regress_limited(l))
        return judge_limits(&l->limits, &l->is);
    if (l->was.known)
        difference(&l->was, &l->is, &change);
    return change;
}

void regress_judge_twins(struct regress_file *f)
{
    for (size_t i = 0; i < f->count; i++) {
        struct regress_line *l = &f->lines[i];
        const struct regress_line *plain = &f->lines[l->plain];
        if (!l->twin || !l->is.known || !plain->is.known)
            continue;
        enum regress_change change;
        const char *what = difference(&l->is, &plain->is, &change);
        if (!what || (!regress_delivered(&l->is) && !regress_delivered(&plain->is)))
            continue; /* if both fail, each has a cause of its own */
        char cause[sizeof l->detail];
        memcpy(cause, l->detail, sizeof cause);
        l->differs = true;
        l->change = REGRESS_FUNCTION;
        snprintf(l->detail, sizeof l->detail,
                 "%.700s%sdiffers from line %zu, the same run without %s: %s (here %s, %" PRIu64
                 " cycles; there %s, %" PRIu64 " cycles)",
                 cause, cause[0] ? "; " : "", l->plain + 1, l->twin, what, l->is.verdict,
                 l->is.cycles, plain->is.verdict, plain->is.cycles);
    }
}
