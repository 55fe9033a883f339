/* SPDX-License-Identifier: Apache-2.0 */
/* Stored results. Knows schemas and commands; must not know how a run is made or shown. */
#include "program/report/stored.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "program/report/keys.def" /* the schemas */
#include "result/keys.def"

static const struct {
    const char *schema;
    unsigned oldest; /* number of the schema that is still read */
    const char *name;
    const char *list; /* of what its page shows; NULL: that comes from a replay */
} kinds[] = {
    [CLI_STORED_RUN] = {RUN_SCHEMA, 2, "run", NULL},
    [CLI_STORED_COMPARE] = {COMPARE_SCHEMA, 1, "compare", NULL},
    [CLI_STORED_SWEEP] = {SWEEP_SCHEMA, 1, "sweep", "curves"},
    [CLI_STORED_REGRESS] = {REGRESS_SCHEMA, 1, "regress", "rows"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* --- Reading ---------------------------------------------------------------------------------- */

/* NULL: absent, or no text. */
static const char *text_at(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static enum ec_code refuse(const struct cli_stored *s, struct ec_error *reterr, const char *why)
{
    return ec_fail(reterr, EC_USAGE, "'%.300s': %s", s->path, why);
}

static enum ec_code parse(struct cli_stored *s, FILE *in, struct ec_error *reterr)
{
    json_error_t e;
    s->result = json_loadf(in, JSON_REJECT_DUPLICATES, &e);
    if (json_is_object(s->result))
        return EC_OK;
    /* Without memory to begin with, jansson says nothing. */
    if (!s->result && (e.text[0] == '\0' || json_error_code(&e) == json_error_out_of_memory))
        return ec_fail(reterr, EC_MEMORY, "out of memory for '%.300s'", s->path);
    if (ferror(in))
        return ec_fail(reterr, EC_USAGE, "'%.300s': %s", s->path, strerror(errno));
    if (s->result)
        return refuse(s, reterr, "expected one JSON object, the result of one command");
    if (strncmp(e.text, "end of file expected", strlen("end of file expected")) == 0)
        return refuse(
            s, reterr,
            "more than one result: expected one JSON object; choose a line of a list, for "
            "example with sed -n 3p");
    return ec_fail(reterr, EC_USAGE,
                   "'%.300s' is not JSON: line %d: %.200s; expected what a command with --format "
                   "json has printed",
                   s->path, e.line, e.text);
}

/* NAME-NUMBER, with the current number or an older one that is still read. */
static bool is_schema(const char *schema, unsigned k)
{
    const char *const digits = strrchr(kinds[k].schema, '-') + 1;
    const size_t length = (size_t)(digits - kinds[k].schema);
    return strncmp(schema, kinds[k].schema, length) == 0 && strlen(schema) == length + 1 &&
           schema[length] >= (char)('0' + kinds[k].oldest) && schema[length] <= *digits;
}

static enum ec_code find_kind(struct cli_stored *s, struct ec_error *reterr)
{
    const char *schema = text_at(s->result, "schema");
    for (unsigned k = 0; schema && k < KINDS; k++) {
        if (is_schema(schema, k)) {
            s->kind = k;
            s->kind_name = kinds[k].name;
            return EC_OK;
        }
    }
    return ec_fail(reterr, EC_USAGE,
                   "'%.300s' has the schema '%.60s': expected %s, %s, %s or %s (--format json)",
                   s->path, schema ? schema : "", kinds[0].schema, kinds[1].schema, kinds[2].schema,
                   kinds[3].schema);
}

/* The page of a damaged result would be empty. */
static enum ec_code check_list(const struct cli_stored *s, struct ec_error *reterr)
{
    const char *key = kinds[s->kind].list;
    const json_t *list = json_object_get(s->result, key);
    bool good = json_is_array(list);
    for (size_t i = 0; i < json_array_size(list); i++)
        good = good && json_is_object(json_array_get(list, i));
    if (good)
        return EC_OK;
    return ec_fail(reterr, EC_USAGE, "'%.300s': key '%s': expected a list of objects", s->path,
                   key);
}

static enum ec_code check_replayable(const struct cli_stored *s, struct ec_error *reterr)
{
    const char *outcome = text_at(s->result, "outcome");
    if (!s->command)
        return refuse(s, reterr, "no key 'command': the run cannot be repeated");
    if (outcome && strcmp(outcome, "interrupted") == 0)
        return refuse(s, reterr, "the run was interrupted and cannot be repeated up to that cycle");
    if (s->kind == CLI_STORED_RUN && !s->digest)
        return refuse(s, reterr,
                      "no digest: the process of the run died, so a replay cannot be checked");
    return EC_OK;
}

enum ec_code cli_stored_read(const char *path, struct cli_stored *ret, struct ec_error *reterr)
{
    const bool standard_input = strcmp(path, "-") == 0;
    struct cli_stored s = {.path = standard_input ? "standard input" : path};
    FILE *in = standard_input ? stdin : fopen(path, "re");
    if (!in)
        return ec_fail(reterr, EC_USAGE, "cannot read '%.300s': %s", path, strerror(errno));
    enum ec_code code = parse(&s, in, reterr);
    if (!standard_input)
        fclose(in);
    if (code == EC_OK)
        code = find_kind(&s, reterr);
    if (code == EC_OK) {
        s.command = text_at(s.result, "command");
        s.digest = text_at(s.result, "digest");
        s.version = text_at(s.result, "version");
        if (s.kind == CLI_STORED_RUN || s.kind == CLI_STORED_COMPARE)
            code = check_replayable(&s, reterr);
        else
            code = check_list(&s, reterr);
    }
    if (code == EC_OK)
        *ret = s;
    else
        cli_stored_close(&s);
    return code;
}

void cli_stored_close(struct cli_stored *s)
{
    json_decref(s->result);
    *s = (struct cli_stored){0};
}

/* --- The command ------------------------------------------------------------------------------ */

/* Only the case is taken over: a stored command must not write files. */
static void take_case(struct cli_replay *r, const struct cli_job *stored)
{
    r->job = cli_job_default();
    r->job.spec = stored->spec;
    r->job.interval = stored->interval;
    r->job.expect = stored->expect;
    r->job.no_failure_wave = true;
}

static enum ec_code parse_command(const struct cli_stored *s, struct cli_replay *r,
                                  struct ec_error *e)
{
    struct cli_job job = cli_job_default();
    const struct cli_command *command = cli_command_find(&cli_table, s->kind_name);
    enum ec_code code = cli_words_split(s->command, strlen(s->command), &r->words, e);
    if (code == EC_OK && (r->words.count < 2 || strcmp(r->words.at[0], "ecube") != 0 ||
                          strcmp(r->words.at[1], s->kind_name) != 0))
        code = ec_fail(e, EC_USAGE, "expected ecube %s ...", s->kind_name);
    if (code == EC_OK)
        code = cli_parse(&cli_table, command, (int)r->words.count - 1, r->words.at + 1, &job.parsed,
                         e);
    if (code == EC_OK && (job.from || job.parsed.help))
        code = ec_fail(e, EC_USAGE, "expected one %s", s->kind_name);
    if (code == EC_OK)
        take_case(r, &job);
    if (code == EC_OK && s->kind == CLI_STORED_COMPARE) {
        code = cli_side_open(job.side[0], &job.spec, &r->side, e);
        if (code == EC_OK)
            r->job.spec = r->side.spec;
    }
    cli_job_free(&job);
    return code;
}

enum ec_code cli_replay_open(const struct cli_stored *s, struct cli_replay *ret,
                             struct ec_error *reterr)
{
    struct cli_replay r = {.job = cli_job_default()};
    struct ec_error e;
    const enum ec_code code = parse_command(s, &r, &e);
    if (code == EC_OK) {
        *ret = r;
        return EC_OK;
    }
    cli_replay_close(&r);
    return ec_fail(reterr, code, "'%.200s': the stored command '%.200s': %.500s", s->path,
                   s->command, e.message);
}

void cli_replay_close(struct cli_replay *r)
{
    cli_words_free(&r->words);
    cli_side_close(&r->side);
    cli_job_free(&r->job);
}

/* --- The result ------------------------------------------------------------------------------- */

static const char *version_of(const struct cli_stored *s)
{
    return s->version ? s->version : "of unknown version";
}

/* A comparison that ended early delivered less than side A alone. */
static enum ec_code check_compared(const struct cli_stored *s, const struct ec_report *report,
                                   struct ec_error *reterr)
{
    const json_t *words = json_object_get(s->result, "words");
    const char *outcome = text_at(s->result, "outcome");
    if (!json_is_integer(words) || !outcome || strcmp(outcome, "finished") != 0 ||
        (uint64_t)json_integer_value(words) == report->words)
        return EC_OK;
    return ec_fail(reterr, EC_INTERNAL,
                   "'%.300s': ecube %.40s delivered %" JSON_INTEGER_FORMAT
                   " words on side A, the replay by ecube " EC_VERSION " delivers %" PRIu64
                   ": no report is written, because it would show another run",
                   s->path, version_of(s), json_integer_value(words), report->words);
}

enum ec_code cli_stored_check(const struct cli_stored *s, const struct ec_report *report,
                              struct ec_error *reterr)
{
    char digest[20];
    if (report->outcome == EC_RUN_INTERRUPTED)
        return ec_fail(reterr, EC_INTERRUPTED, "interrupted: no report is written");
    if (s->kind == CLI_STORED_COMPARE)
        return check_compared(s, report, reterr);
    snprintf(digest, sizeof digest, "%016" PRIx64, report->digest);
    if (strcmp(digest, s->digest) == 0)
        return EC_OK;
    return ec_fail(
        reterr, EC_INTERNAL,
        "'%.300s': the run of ecube %.40s has the digest %.40s, its replay by ecube " EC_VERSION
        " has %s: no report is written, because it would show another run",
        s->path, version_of(s), s->digest, digest);
}
