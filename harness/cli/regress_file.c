/* SPDX-License-Identifier: Apache-2.0 */
/* Reading, writing and judging baselines. Knows the format; runs nothing. */
#include "regress_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char separator[] = " = ";

/* NAME=VALUE of a result line; false if it is none that a result has. */
static bool set_value(struct regress_result *r, const char *word)
{
    uint64_t *number = NULL;
    const char *value = strchr(word, '=');
    char *end;
    int base = 10;
    if (!value)
        return false;
    value++;
    if (strncmp(word, "latency=", 8) == 0) {
        snprintf(r->latency, sizeof r->latency, "%s", value);
        return true;
    }
    if (strncmp(word, "deliveries=", 11) == 0) {
        number = &r->deliveries;
        r->closed = strcmp(value, "-") != 0;
        base = 16;
    } else if (strncmp(word, "digest=", 7) == 0) {
        number = &r->digest;
        base = 16;
    } else if (strncmp(word, "cycles=", 7) == 0) {
        number = &r->cycles;
    } else if (strncmp(word, "contended=", 10) == 0) {
        number = &r->contended;
        r->taps = strcmp(value, "-") != 0;
    }
    if (!number)
        return false;
    if (strcmp(value, "-") == 0)
        return true;
    errno = 0;
    *number = strtoull(value, &end, base);
    return errno == 0 && *value && *end == '\0';
}

static bool read_result(char *text, struct regress_result *ret)
{
    struct regress_result r = {.known = true};
    unsigned words = 0;
    for (char *word; (word = strsep(&text, " "));) {
        if (*word == '\0')
            continue;
        if (words++ == 0)
            snprintf(r.verdict, sizeof r.verdict, "%s", word);
        else if (!set_value(&r, word))
            return false;
    }
    *ret = r;
    return words == 6;
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
            return ec_fail(reterr, EC_USAGE,
                           "%.200s:%zu: behind '=' a baseline has VERDICT deliveries=HEX cycles=N "
                           "contended=N latency=X digest=HEX; or delete it and --update",
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
        code = ec_fail(reterr, EC_USAGE,
                       "the baseline '%.200s' has no runs: lines of TOPOLOGY WORKLOAD [OPTION...]",
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
        if (f->lines[i].is.known)
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
