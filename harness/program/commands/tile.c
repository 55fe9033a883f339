/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube tile`: the cache of compiled router shapes. `ecube tile prove` and `ecube tile mutate` are
 * in harness/verify.
 *
 * Knows the subcommands; must not know keys and files of the cache. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ecube/session.h"
#include "ecube/shape.h"
#include "ecube/trial.h"
#include "program/commands/commands.h"
#include "program/commands/tile_check.h"
#include "program/commands/tile_new.h"
#include "program/options/job.h"
#include "program/runs/pool.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "terminal/status.h"
#include "terminal/words.h"

/* --- build, check ----------------------------------------------------------------------------- */

struct state {
    const struct cli_job *job;
    struct cli_progress progress;
    struct ec_session *session;
    struct ec_vitals *vitals; /* in a worker: its own */
    enum cli_status status;
};

static enum ec_code build_one(struct state *s, const char *topology, FILE *out, struct ec_error *e)
{
    const struct cli_job *job = s->job;
    struct ec_case_spec spec = job->spec;
    struct ec_case *c;
    struct ec_tile_shape shape;
    struct ec_shape *open;
    char description[160];
    spec.topology = topology;
    enum ec_code code = ec_case_open(s->session, &spec, &c, e);
    if (code != EC_OK)
        return code;
    if (job->parsed.scope == CLI_TILE_CHECK) {
        code = cli_tile_check(job, c, &s->progress, s->vitals, out, e);
        ec_case_close(c);
        return code;
    }
    code = ec_shape_choose(&c->topology, &c->router, &shape, e);
    if (code == EC_OK)
        code = ec_case_shape(c, &open, e);
    if (code == EC_OK && spec.top)
        code = ec_trial_initial(open, &c->topology, &c->router, &s->vitals->pulse[0], e);
    if (code == EC_OK) {
        ec_shape_format(&shape, description, sizeof description);
        fprintf(out, "%s  %s  %s\n", ec_shape_key(open), topology, description);
    }
    ec_case_close(c);
    return code;
}

static void watch_tile(void *context, struct ec_vitals *vitals)
{
    struct state *s = context;
    s->vitals = vitals;
}

static void build_in_worker(void *context, size_t item, FILE *out, struct cli_reply *reply)
{
    struct state *s = context;
    reply->code = build_one(s, s->job->topologies.at[item], out, &reply->error);
}

/* A shape that cannot be built or breaks the contract does not stop the others. */
static bool one_done(void *context, const struct cli_pool_result *result)
{
    struct state *s = context;
    const char *topology = s->job->topologies.at[result->item];
    struct ec_error e = result->reply->error;
    fwrite(result->bytes, 1, result->size, stdout);
    if (e.code == EC_INTERNAL)
        ec_fail(&e, result->death ? EC_CONTRACT : EC_INTERNAL, "%s: %s%s", topology,
                result->late ? "not judged: " : "", result->reply->error.message);
    if (result->reply->code != EC_OK)
        s->status = cli_status_worse(s->status, cli_complain(NULL, &e));
    return true;
}

static enum cli_status build(const struct cli_job *job)
{
    struct state s = {.job = job, .status = CLI_OK};
    struct ec_error e;
    const struct cli_pool pool = {.count = job->topologies.count,
                                  .jobs = 1, /* a build uses several processors itself */
                                  .progress = &s.progress,
                                  .context = &s,
                                  .work = build_in_worker,
                                  .watched = watch_tile,
                                  .done = one_done};
    cli_progress_init(&s.progress, job->quiet);
    cli_interrupt_catch();
    if (cli_folder_check("--failure-dir", job->failure_dir, &e) != EC_OK ||
        cli_progress_session(&s.progress, &s.session, &e) != EC_OK ||
        cli_pool_run(&pool, &e) != EC_OK)
        s.status = cli_status_worse(s.status, cli_complain(NULL, &e));
    cli_progress_end(&s.progress);
    ec_session_close(s.session);
    return cli_interrupted() ? CLI_INTERRUPTED : s.status;
}

/* --- list, clean -------------------------------------------------------------------------- */

struct listing {
    json_t *array;    /* NULL: text */
    char sources[33]; /* of ecube's own RTL now; "": not known */
    size_t count;
    bool failed;
};

/* "2026-11-22 06:10", in the user's time zone, or as ISO 8601 in UTC. */
static const char *time_text(int64_t seconds, bool iso, char buffer[32])
{
    const time_t when = (time_t)seconds;
    struct tm tm;
    buffer[0] = '\0';
    if (seconds && (iso ? gmtime_r(&when, &tm) : localtime_r(&when, &tm)))
        strftime(buffer, 32, iso ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%d %H:%M", &tm);
    return buffer;
}

/* "c++ 12.2.0" of "c++ (Debian 12.2.0-14+deb12u1) 12.2.0": without what is in parentheses, at most
 * `words` words. */
static void print_version(const char *line, unsigned words)
{
    const char *gap = "";
    while (*line && words > 0) {
        const size_t length = *line == '(' ? strcspn(line, ")") + 1 : strcspn(line, " ");
        if (*line != '(') {
            printf("%s%.*s", gap, (int)length, line);
            gap = " ";
            words--;
        }
        line += strnlen(line, length);
        line += strspn(line, " ");
    }
}

/* "Verilator 5.006, c++ 12.2.0, RTL 6bc5771f of mine/router.sv": what entries of one shape differ
 * in. */
static void print_origin(const struct listing *l, const struct ec_shape_entry *e)
{
    print_version(e->verilator, 2);
    printf(", ");
    print_version(e->compiler, 8);
    if (e->sources[0])
        printf(", RTL %.8s", e->sources);
    if (e->rtl[0])
        printf(" of %.*s%s", (int)strcspn(e->rtl, ","), e->rtl, strchr(e->rtl, ',') ? ",..." : "");
    else if (e->sources[0] && l->sources[0])
        printf(strcmp(e->sources, l->sources) == 0 ? " (current)" : " (another version)");
    if (e->reason[0])
        printf(", %s", e->reason);
}

static const char *state_of(const struct ec_shape_entry *e)
{
    return e->valid ? "valid" : e->stale ? "stale" : "damaged";
}

static void list_entry(void *context, const struct ec_shape_entry *e)
{
    struct listing *l = context;
    char built[32];
    if (l->array) {
        json_t *o = json_pack(
            "{s:s, s:s, s:I, s:b, s:b, s:s, s:b, s:b, s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:s}",
            "key", e->key, "description", e->description, "bytes", (json_int_t)e->bytes, "valid",
            (int)e->valid, "stale", (int)e->stale, "reason", e->reason, "traced", (int)e->traced,
            "random_init", (int)e->random_init, "top", e->top, "rtl", e->rtl, "sources", e->sources,
            "verilator", e->verilator, "compiler", e->compiler, "built",
            time_text(e->built, true, built), "seconds", e->seconds, "build", e->build);
        l->failed |= json_array_append_new(l->array, o) != 0;
    } else {
        if (l->count == 0)
            printf("%-52s  %9s  %-7s  %-32s  %-16s  %s\n", "shape", "size", "state", "key", "built",
                   "from");
        printf("%-52s  %6.2f MB  %-7s  %-32s  %-16s  ", e->description, (double)e->bytes / 1e6,
               state_of(e), e->key, time_text(e->built, false, built));
        print_origin(l, e);
        putchar('\n');
    }
    l->count++;
}

static enum ec_code list(const struct cli_job *job, struct ec_error *e)
{
    struct listing l = {.array = job->format ? json_array() : NULL};
    char path[4096] = "";
    if (job->format && !l.array)
        return ec_fail(e, EC_MEMORY, "out of memory");
    enum ec_code code = ec_shape_cache_path(path, sizeof path, e);
    if (ec_shape_sources(l.sources, NULL) != EC_OK)
        l.sources[0] = '\0';
    if (code == EC_OK)
        code = ec_shape_list(list_entry, &l, e);
    if (code == EC_OK && l.failed)
        code = ec_fail(e, EC_MEMORY, "out of memory");
    if (code == EC_OK && l.array) {
        json_dumpf(l.array, stdout, JSON_INDENT(2));
        putchar('\n');
    } else if (code == EC_OK) {
        printf("%zu shape%s in %s\n", l.count, l.count == 1 ? "" : "s", path);
    }
    json_decref(l.array);
    return code;
}

static enum ec_code clean(struct ec_error *e)
{
    size_t removed = 0;
    enum ec_code code = ec_shape_clean(&removed, e);
    if (code == EC_OK)
        printf("removed %zu shape%s\n", removed, removed == 1 ? "" : "s");
    return code;
}

/* --- export, import ------------------------------------------------------------------------ */

struct selection {
    char sources[33]; /* as in struct listing */
    struct cli_words keys;
    size_t left_out;
    bool failed;
};

/* Routers that a run here would use. */
static void select_entry(void *context, const struct ec_shape_entry *e)
{
    struct selection *s = context;
    const bool current = e->top[0] || strcmp(e->sources, s->sources) == 0;
    if (e->valid && e->portable && current)
        s->failed |= !cli_words_put(&s->keys, e->key);
    else if (e->sources[0])
        s->left_out++;
}

static enum ec_code export_routers(const char *path, struct ec_error *e)
{
    struct selection s = {.failed = false};
    char cache[4096];
    size_t count = 0;
    enum ec_code code = ec_shape_sources(s.sources, e);
    if (code == EC_OK)
        code = ec_shape_cache_path(cache, sizeof cache, e);
    if (code == EC_OK)
        code = ec_shape_list(select_entry, &s, e);
    if (code == EC_OK && s.failed)
        code = ec_fail(e, EC_MEMORY, "out of memory");
    if (code == EC_OK)
        code = ec_shape_export(path, s.keys.at, s.keys.count, &count, e);
    if (code == EC_OK)
        printf("exported %zu shape%s of %s to %s; %zu left out\n", count, count == 1 ? "" : "s",
               cache, path, s.left_out + s.keys.count - count);
    cli_words_free(&s.keys);
    return code;
}

static enum ec_code import_routers(const char *path, struct ec_error *e)
{
    size_t count = 0;
    const enum ec_code code = ec_shape_import(path, &count, e);
    if (code == EC_OK)
        printf("imported %zu shape%s from %s\n", count, count == 1 ? "" : "s", path);
    return code;
}

static enum ec_code maintain(const struct cli_job *job, struct ec_error *e)
{
    switch (job->parsed.scope) {
    case CLI_TILE_LIST:
        return list(job, e);
    case CLI_TILE_CLEAN:
        return clean(e);
    case CLI_TILE_EXPORT:
        return export_routers(job->archive, e);
    case CLI_TILE_NEW:
        return cli_tile_new(job, stdout, e);
    default:
        return import_routers(job->archive, e);
    }
}

int cli_tile(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct cli_job job = cli_job_default();
    struct ec_error e;
    int status;
    (void)line;
    if (cli_begin(&cli_table, self, argc, argv, &job.parsed, &status)) {
        const unsigned scope = job.parsed.scope;
        if (scope & CLI_TILE_SHAPE)
            status = (int)build(&job);
        else if (maintain(&job, &e) != EC_OK)
            status = (int)cli_complain(NULL, &e);
        else
            status = CLI_OK;
        status = (int)cli_status_worse((enum cli_status)status,
                                       cli_output_flush(stdout, "standard output"));
    }
    cli_job_free(&job);
    return status;
}
