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
    char *word, *rest = strstr(text, " deliveries=");
    if (rest)
        *rest++ = '\0';
    if (!read_verdict(text, &r))
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
        if (!read_result(result + strlen(separator), &line.was))
            return ec_fail(
                reterr, EC_USAGE,
                "%.200s:%zu: invalid result: expected after '=' pass|unstable|too "
                "short|stopped|deadlock|fail "
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
        const struct regress_line *l = &f->lines[i];
        const struct regress_result *r = regress_refused(f, l) ? &l->was : &l->is;
        fputs(l->text, out);
        if (r->known && !r->died && !l->differs)
            write_result(r, out);
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

/* What is not the same in two runs of one row; NULL: nothing. */
static const char *difference(const struct regress_result *a, const struct regress_result *b)
{
    if (strcmp(a->verdict, b->verdict) != 0)
        return "verdict";
    if (a->closed != b->closed || (a->closed && a->deliveries != b->deliveries))
        return "deliveries";
    if (a->cycles != b->cycles)
        return "cycles";
    if (a->digest != b->digest)
        return "cycles in which words arrive";
    if (a->taps != b->taps || a->contended != b->contended)
        return "contended cycles";
    return strcmp(a->latency, b->latency) != 0 ? "mean latency" : NULL;
}

void regress_judge_twins(struct regress_file *f)
{
    for (size_t i = 0; i < f->count; i++) {
        struct regress_line *l = &f->lines[i];
        const struct regress_line *plain = &f->lines[l->plain];
        if (!l->twin || !l->is.known || !plain->is.known)
            continue;
        const char *what = difference(&l->is, &plain->is);
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
