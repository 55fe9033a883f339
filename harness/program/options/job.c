/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs: their defaults, lists of them, and the sides of a comparison.
 *
 * Knows the format of a list of runs and of a side; must not know the meaning of the words in a
 * line or of a backend. */
#include "program/options/job.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/keyvalue.h"
#include "base/list.h"
#include "base/output.h"
#include "base/text.h"
#include "workload/mixture.h"

struct cli_job cli_job_default(void)
{
    return (struct cli_job){.spec = ec_case_spec_default(),
                            .seeds = 1,
                            .vcs = 1,
                            .name = "my",
                            .count = 200,
                            .folder = "ecube-mutants",
                            .depth = PROVE_DEPTH,
                            .proof_seconds = PROVE_SECONDS};
}

void cli_job_free(struct cli_job *job)
{
    cli_words_free(&job->topologies);
    cli_words_free(&job->vary);
    cli_words_free(&job->stored);
    cli_words_free(&job->parsed.gathered);
    cli_words_free(&job->parsed.repeated);
}

enum ec_code cli_job_read(const char *text, unsigned place, struct cli_words *words,
                          struct cli_job *job, struct ec_error *reterr)
{
    enum ec_code code =
        cli_words_put(words, "run") ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory");
    if (code == EC_OK)
        code = cli_words_split(text, strlen(text), words, reterr);
    if (code == EC_OK)
        code = cli_parse_line(&cli_table, cli_command_find(&cli_table, "run"), place,
                              (int)words->count, words->at, &job->parsed, reterr);
    return code;
}

void cli_job_share_processors(struct cli_job *job, uint32_t jobs)
{
    job->spec.pin = jobs == 1;
    if (job->spec.threads == EC_THREADS_AUTO && jobs != 1)
        job->spec.threads = 1;
}

void cli_job_choose_format(struct cli_job *job, bool csv)
{
    if (cli_given(&job->parsed, "format") || !job->output)
        return;
    if (ec_name_ends(job->output, ".json"))
        job->format = CLI_JSON;
    else if (csv && ec_name_ends(job->output, ".csv"))
        job->format = CLI_CSV;
}

void cli_job_silence(struct cli_job *job)
{
    job->output = job->output ? "/dev/null" : NULL;
    job->wave = job->events = job->report = job->packets_csv = job->export_trace = NULL;
    job->no_failure_wave = true;
}

/* --- Files of a job ------------------------------------------------------------------------- */

/* The value of a key of "NAME:KEY=VALUE,..."; malloc'd. NULL: there is none. */
static char *find_value(struct ec_slice rest, char separator, const char *key)
{
    struct ec_slice item;
    const size_t length = strlen(key);
    ec_slice_take(&rest, ':', &item);
    while (rest.at && ec_slice_take(&rest, separator, &item)) {
        if (item.length > length && strncmp(item.at, key, length) == 0)
            return strndup(item.at + length, item.length - length);
    }
    return NULL;
}

/* A wave comes with layouts, whose names differ in the ending. */
static void add_wave(const char *wave, unsigned line, struct cli_files *files)
{
    static const char *const endings[] = {"gtkw", "labels", "sucl"};
    char path[PATH_MAX];
    const size_t length = strlen(wave), ending = strlen(".fst");
    cli_files_write(files, "--wave", wave, line);
    if (!ec_name_ends(wave, ".fst"))
        return;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (ec_path(path, sizeof path, NULL, "%.*s.%s", (int)(length - ending), wave, endings[i]) ==
            EC_OK)
            cli_files_write(files, "--wave", path, line);
    }
}

/* The files of a pattern, or of the parts of a mixture. */
static void add_workload(const char *workload, unsigned line, struct cli_files *files)
{
    char *file = find_value(ec_slice_of(workload), ',', "file=");
    char *mixture = find_value(ec_slice_of(workload), ',', "of=");
    struct ec_slice rest = ec_slice_of(mixture ? mixture : ""), part;
    double weight;
    cli_files_read(files, "WORKLOAD", file, line);
    while (mixture_take_part(&rest, &part)) {
        free(file);
        (void)mixture_take_weight(&part, &weight);
        file = find_value(part, ':', "file=");
        cli_files_read(files, "WORKLOAD", file, line);
    }
    free(mixture);
    free(file);
}

void cli_job_files(const struct cli_job *job, unsigned line, struct cli_files *files)
{
    if (job->spec.workload)
        add_workload(job->spec.workload, line, files);
    cli_files_read_all(files, "--rtl", job->spec.rtl, ',', line);
    cli_files_read_build(files, job->spec.build, line);
    for (size_t i = 0; i < 2; i++) {
        struct cli_side side;
        if (!job->side[i] || cli_side_open(job->side[i], &job->spec, &side, NULL) != EC_OK)
            continue; /* which is reported elsewhere */
        cli_files_read_all(files, i == 0 ? "side A" : "side B", side.rtl, ',', line);
        cli_files_read_build(files, side.build, line);
        cli_side_close(&side);
    }
    if (job->wave)
        add_wave(job->wave, line, files);
    cli_files_read(files, "--restart", job->restart && !job->checkpoint ? job->restart : NULL,
                   line);
    cli_files_write(files, "--checkpoint", job->checkpoint, line);
    cli_files_write(files, "--events", job->events, line);
    cli_files_write(files, "--report", job->report, line);
    cli_files_write(files, "--packets-csv", job->packets_csv, line);
    cli_files_write(files, "--export-trace", job->export_trace, line);
}

bool cli_job_put_router(const struct ec_case_spec *spec, struct cli_words *to)
{
    struct ec_slice rest = ec_slice_of(spec->build ? spec->build : ""), line, name;
    bool good = !spec->rtl || (cli_words_put(to, "--rtl") && cli_words_put(to, spec->rtl));
    good = good && (!spec->top || (cli_words_put(to, "--top") && cli_words_put(to, spec->top)));
    while (good && spec->build && ec_slice_take(&rest, '\n', &line)) {
        ec_slice_take(&line, ' ', &name);
        good = cli_words_add(to, name.at, name.length) && cli_words_add(to, line.at, line.length);
    }
    return good;
}

/* --- Lists of jobs ------------------------------------------------------------------------- */

enum {
    LINE_MAX_BYTES = 65536, /* longer lines are an error */
    JOBS_MAX = 1000000,
};

struct reader {
    const struct cli_job *base;
    const struct cli_command *command;
    struct cli_batch *batch;
    size_t room;
    unsigned line;
};

static enum ec_code no_memory_for_list(struct ec_error *e)
{
    return ec_fail(e, EC_MEMORY, "out of memory");
}

/* "ecube run OPTIONS... WORDS..." for a line of a list: options of the line override those of the
 * command line, so they come last. */
static char *command_of(const struct reader *r, const struct cli_words *words)
{
    struct cli_words all = {0};
    char *text = NULL;
    bool good = cli_words_put(&all, "ecube") && cli_words_put(&all, r->command->name);
    for (size_t i = 0; good && i < r->base->parsed.repeated.count; i++)
        good = cli_words_put(&all, r->base->parsed.repeated.at[i]);
    for (size_t i = 1; good && i < words->count; i++)
        good = cli_words_put(&all, words->at[i]);
    if (good)
        text = cli_words_quote(all.at, all.count);
    cli_words_free(&all);
    return text;
}

static void close_line(struct cli_line *l)
{
    cli_words_free(&l->words);
    cli_words_free(&l->job.parsed.gathered);
    free(l->command);
    free(l->bad);
}

bool cli_line_spoil(struct cli_line *l, const struct ec_error *why)
{
    l->bad = malloc(sizeof *l->bad);
    if (l->bad)
        *l->bad = *why;
    return l->bad != NULL;
}

/* From the words of a line to its job. */
static enum ec_code parse_line(const struct reader *r, struct cli_line *l, struct ec_error *e)
{
    l->command = command_of(r, &l->words); /* before parsing, which puts options first */
    if (!l->command)
        return no_memory_for_list(e);
    l->job = *r->base;
    l->job.parsed.repeated = l->job.parsed.gathered = (struct cli_words){0};
    l->job.from = NULL;
    l->job.command = l->command;
    const enum ec_code code = cli_parse_line(&cli_table, r->command, CLI_LINE, (int)l->words.count,
                                             l->words.at, &l->job.parsed, e);
    l->job.spec.warmup_optional = cli_given(&l->job.parsed, "warmup") == CLI_GIVEN_BEFORE;
    return code;
}

static enum ec_code keep_line(struct reader *r, const struct cli_line *l, struct ec_error *e)
{
    struct cli_batch *b = r->batch;
    if (b->count == JOBS_MAX)
        return ec_fail(e, EC_USAGE, "more than %d runs in one list", JOBS_MAX);
    return EC_LIST_PUSH(b->lines, b->count, r->room, *l) ? EC_OK : no_memory_for_list(e);
}

static enum ec_code add_line(struct reader *r, const char *line, size_t length, struct ec_error *e)
{
    struct cli_line l = {.number = r->line};
    enum ec_code code = cli_words_put(&l.words, r->command->name)
                            ? cli_words_split(line, length, &l.words, e)
                            : no_memory_for_list(e);
    const bool empty = code == EC_OK && l.words.count == 1;
    if (code == EC_OK && !empty && strcmp(l.words.at[1], "ecube") == 0)
        code =
            ec_fail(e, EC_USAGE,
                    "a line is TOPOLOGY WORKLOAD [OPTION...]: leave out 'ecube' and its command");
    if (code == EC_OK && !empty)
        code = parse_line(r, &l, e);
    if (code == EC_USAGE && r->base->keep_going) {
        code = cli_line_spoil(&l, e) ? EC_OK : no_memory_for_list(e);
    }
    if (code == EC_OK && !empty)
        code = keep_line(r, &l, e);
    if (code != EC_OK || empty)
        close_line(&l);
    return code;
}

static enum ec_code read_lines(struct reader *r, FILE *in, struct ec_error *e)
{
    char *line = malloc(LINE_MAX_BYTES + 1);
    if (!line)
        return no_memory_for_list(e);
    enum ec_code code = EC_OK;
    int c = 0;
    while (code == EC_OK && c != EOF) {
        size_t n = 0;
        r->line++;
        while (n <= LINE_MAX_BYTES && (c = getc(in)) != EOF && c != '\n' && c != '\0')
            line[n++] = (char)c;
        if (c == '\0')
            code = ec_fail(e, EC_USAGE, "a zero byte: expected a text file");
        else if (n > LINE_MAX_BYTES)
            code = ec_fail(e, EC_USAGE, "a line of more than %d bytes", LINE_MAX_BYTES);
        else
            code = add_line(r, line, n, e);
    }
    if (code == EC_OK && ferror(in))
        code = ec_fail(e, EC_IO, "cannot read: %s", strerror(errno));
    free(line);
    return code;
}

/* As messages name it. */
static const char *list_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static enum ec_code open_list(struct reader *r, struct ec_error *reterr)
{
    const char *path = r->base->from;
    struct ec_error e;
    bool standard_input = strcmp(path, "-") == 0;
    FILE *in = standard_input ? stdin : fopen(path, "re");
    if (!in)
        return ec_fail(reterr, EC_USAGE, "--from '%.200s': %s", path, strerror(errno));
    enum ec_code code = read_lines(r, in, &e);
    if (!standard_input)
        fclose(in);
    if (code != EC_OK)
        return ec_fail(reterr, code, "%.200s:%u: %s", list_name(path), r->line, e.message);
    if (r->batch->count == 0)
        return ec_fail(reterr, EC_USAGE,
                       "--from '%.200s': no runs: expected lines of TOPOLOGY WORKLOAD "
                       "[OPTION...]",
                       path);
    return EC_OK;
}

/* Keep the lines I, I + N, I + 2 N, ...: neighbours, which often cost the same, go to different
 * slices. */
static void take_slice(const struct cli_slice *s, struct cli_batch *b)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (cli_slice_has(s, i))
            b->lines[kept++] = b->lines[i];
        else
            close_line(&b->lines[i]);
    }
    b->count = kept;
}

enum ec_code cli_slice_read(const char *text, struct cli_slice *ret, struct ec_error *reterr)
{
    struct cli_slice s = {1, 1};
    int end = 0;
    if (text && (sscanf(text, "%5u/%5u%n", &s.first, &s.step, &end) != 2 || text[end] ||
                 s.first < 1 || s.first > s.step))
        return ec_fail(reterr, EC_USAGE, "--slice '%.100s': expected I/N with 1 <= I <= N <= 99999",
                       text);
    *ret = s;
    return EC_OK;
}

enum ec_code cli_batch_open(const struct cli_command *command, const struct cli_job *base,
                            const char *line, struct cli_batch *ret, struct ec_error *reterr)
{
    struct cli_batch b = {.list = base->from != NULL};
    struct reader r = {.base = base, .command = command, .batch = &b};
    if (b.list) {
        struct cli_slice slice = {1, 1};
        enum ec_code code = open_list(&r, reterr);
        if (code == EC_OK)
            code = cli_slice_read(base->slice, &slice, reterr);
        if (code == EC_OK)
            take_slice(&slice, &b);
        *ret = b;
        return code;
    }
    b.lines = calloc(1, sizeof *b.lines);
    if (!b.lines)
        return no_memory_for_list(reterr);
    b.lines[0].job = *base;
    b.lines[0].job.parsed.gathered = (struct cli_words){0}; /* of `base` */
    b.lines[0].job.command = line;
    b.count = 1;
    *ret = b;
    return EC_OK;
}

void cli_batch_close(struct cli_batch *b)
{
    for (size_t i = 0; i < b->count; i++)
        close_line(&b->lines[i]);
    free(b->lines);
    *b = (struct cli_batch){0};
}

const char *cli_batch_where(const struct cli_batch *b, size_t job, const char *from, char *buffer,
                            size_t size)
{
    if (!b->list)
        return NULL;
    snprintf(buffer, size, "%.200s:%u", list_name(from), b->lines[job].number);
    return buffer;
}

/* The name of an event log decides its format, but .json alone could mean two of them. */
static enum ec_code check_events(const struct cli_job *job, struct ec_error *e)
{
    if (!job->events || job->events_format != CLI_EVENTS_BY_NAME ||
        !ec_name_ends(job->events, ".json") || ec_name_ends(job->events, ".perfetto.json"))
        return EC_OK;
    return ec_fail(e, EC_USAGE,
                   "--events '%.200s': expected FILE.jsonl (JSON lines) or FILE.perfetto.json "
                   "(ui.perfetto.dev), or --events-format with this name",
                   job->events);
}

/* Can the line read its RTL and write its waves and its log? */
static enum ec_code check_line_files(const struct cli_job *job, struct ec_error *e)
{
    enum ec_code code = check_events(job, e);
    if (code == EC_OK)
        code = cli_rtl_check(job->spec.rtl, job->spec.build, e);
    return code == EC_OK ? cli_folder_check("--failure-dir", job->failure_dir, e) : code;
}

enum ec_code cli_batch_check_files(struct cli_batch *b, const struct cli_job *base,
                                   struct ec_error *reterr)
{
    struct cli_files files = {0};
    struct ec_error e;
    enum ec_code code = EC_OK;
    size_t i = 0;
    for (; i < b->count && code == EC_OK; i++) {
        struct cli_line *const l = &b->lines[i];
        if (l->bad)
            continue;
        code = check_line_files(&l->job, &e);
        if (code != EC_OK && base->keep_going && cli_line_spoil(l, &e))
            code = EC_OK;
        cli_job_files(&l->job, l->number, &files);
    }
    cli_files_write(&files, "--output", base->output, 0);
    cli_files_stdout(&files, base->output);
    cli_files_read(&files, "--from", base->from, 0);
    const enum ec_code shared = cli_files_check(&files, base->from, reterr);
    if (code == EC_OK)
        return shared;
    char where[256];
    const char *line = cli_batch_where(b, i - 1, base->from, where, sizeof where);
    return ec_fail(reterr, code, "%s%s%s", line ? line : "", line ? ": " : "", e.message);
}

/* --- Sides of a comparison ----------------------------------------------------------------- */

enum {
    RTL,
    TOP,
    FIRST_BUILD,
    DEFINE = FIRST_BUILD,
    PARAMETER,
    INCLUDE,
    LIST,
    LIST_HERE,
    KEY_COUNT
};

static const struct ec_key keys[KEY_COUNT] = {
    [RTL] = {"rtl", EC_VALUE_TEXT, .expected = "rtl=FILE+FILE..."},
    [TOP] = {"top", EC_VALUE_TEXT, .expected = "top=NAME"},
    [DEFINE] = {"define", EC_VALUE_TEXT, .expected = "define=NAME=VALUE+..."},
    [PARAMETER] = {"parameter", EC_VALUE_TEXT, .expected = "parameter=NAME=VALUE+..."},
    [INCLUDE] = {"include", EC_VALUE_TEXT, .expected = "include=FOLDER+..."},
    [LIST] = {"file-list", EC_VALUE_TEXT, .expected = "file-list=FILE+..."},
    [LIST_HERE] = {"file-list-here", EC_VALUE_TEXT, .expected = "file-list-here=FILE+..."},
};

static enum ec_code set_backend(struct cli_side *s, struct ec_slice name, struct ec_error *reterr)
{
    const char *words[16] = {NULL};
    size_t count = 0, choice = 0;

    for (; cli_backends[count].word && count + 4 < sizeof words / sizeof *words; count++)
        words[count] = cli_backends[count].word;
    words[count] = "simd";
    words[count + 1] = "auto";
    words[count + 2] = "rtl";
    while (words[choice] && !ec_slice_is(name, words[choice]))
        choice++;
    if (!words[choice])
        return ec_keyvalue_unknown("side", name, words, NULL, reterr);
    if (choice < count) {
        s->spec.backend = cli_backends[choice].value;
        s->spec.rtl = s->spec.top = s->spec.build = NULL;
        return EC_OK;
    }
    s->spec.backend = EC_BACKEND_TILES;
    if (choice < count + 2) {
        s->spec.engine = choice == count ? EC_ENGINE_SIMD : EC_ENGINE_AUTO;
        s->spec.rtl = s->spec.top = s->spec.build = NULL;
        return EC_OK;
    }
    if (!s->spec.top)
        return ec_fail(reterr, EC_USAGE,
                       "side rtl: expected --rtl FILES --top NAME, the router to compare");
    return EC_OK;
}

/* The values of the other keys as lines "--KEY VALUE"; NULL: out of memory. */
static char *build_of(const struct ec_slice *values)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (size_t k = FIRST_BUILD; out && k < KEY_COUNT; k++) {
        struct ec_slice rest = values[k], part;
        while (values[k].at && ec_slice_take(&rest, '+', &part))
            fprintf(out, "--%s %.*s\n", keys[k].name, (int)part.length, part.at);
    }
    (void)ec_memstream_close(out, &text);
    return text;
}

/* The router of the keys, if they are given. Commas separate keys, so '+' separates files. */
static enum ec_code set_router(struct cli_side *s, const struct ec_slice *values,
                               struct ec_error *reterr)
{
    if (!values[TOP].at)
        return EC_OK;
    s->rtl = values[RTL].at ? strndup(values[RTL].at, values[RTL].length) : NULL;
    s->top = strndup(values[TOP].at, values[TOP].length);
    s->build = build_of(values);
    if ((values[RTL].at && !s->rtl) || !s->top || !s->build)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    for (char *c = s->rtl; c && *c; c++)
        *c = *c == '+' ? ',' : *c;
    s->spec.rtl = s->rtl;
    s->spec.top = s->top;
    s->spec.build = *s->build ? s->build : NULL;
    return EC_OK;
}

/* A module, and files that may have it. */
static bool has_router(const struct ec_slice *values)
{
    return values[TOP].at && (values[RTL].at || values[LIST].at || values[LIST_HERE].at);
}

enum ec_code cli_side_open(const char *text, const struct ec_case_spec *spec, struct cli_side *ret,
                           struct ec_error *reterr)
{
    struct cli_side s = {.text = text, .spec = *spec};
    struct ec_slice rest = ec_slice_of(text), name, values[KEY_COUNT] = {{0}};

    ec_slice_take(&rest, ':', &name);
    if (rest.length > 1 && rest.at[rest.length - 1] == ',')
        rest.length--; /* a comma may end the list */
    enum ec_code code = set_backend(&s, name, reterr);
    const struct ec_grammar tiles = {.what = "side",
                                     .name = "tiles",
                                     .keys = keys,
                                     .count = KEY_COUNT,
                                     .taken = (1U << KEY_COUNT) - 1};
    if (code == EC_OK && rest.length)
        code = ec_keyvalue_split(&tiles, rest, values, reterr);
    if (code == EC_OK && rest.length && !has_router(values))
        code = ec_fail(reterr, EC_USAGE,
                       "side '%.100s': expected both rtl=FILE+FILE... and top=NAME", text);
    if (code == EC_OK && rest.length &&
        (s.spec.backend != EC_BACKEND_TILES || ec_slice_is(name, "rtl")))
        code = ec_fail(reterr, EC_USAGE,
                       "side '%.100s': expected tiles:rtl=..., simd:rtl=... or auto:rtl=..., since "
                       "only tiles use routers of other RTL",
                       text);
    if (code == EC_OK)
        code = set_router(&s, values, reterr);
    if (code != EC_OK) {
        cli_side_close(&s);
        return code;
    }
    *ret = s;
    return EC_OK;
}

void cli_side_close(struct cli_side *s)
{
    free(s->rtl);
    free(s->top);
    free(s->build);
    *s = (struct cli_side){0};
}
