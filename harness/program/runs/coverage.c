/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of --coverage: files of the workers, and the results that come of them.
 *
 * Knows processes and files; must not know points, nor what the summary says. */
#include "program/runs/coverage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "program/report/covered.h"
#include "program/runs/ranks.h"
#include "session/session.h"

#define DATA  "coverage.dat"
#define LCOV  "coverage.info"
#define TEXT  "summary.txt"
#define JSON  "summary.json"
#define PAGES "html"
#define PART  ".part"

enum ec_cover cli_coverage_kinds(const struct cli_job *job)
{
    if (!job->coverage)
        return EC_COVER_NONE;
    return job->no_toggle ? EC_COVER_CODE : EC_COVER_ALL;
}

/* --- Files of the workers --------------------------------------------------------------------- */

/* PROCESS.part; another file of the user may have this ending. */
static bool is_part(const char *name)
{
    const size_t digits = strspn(name, "0123456789");
    return digits > 0 && strcmp(name + digits, PART) == 0;
}

/* Add them to the points, or remove them. */
static enum ec_code sweep_parts(struct cli_coverage *v, bool add, struct ec_error *reterr)
{
    char path[PATH_MAX];
    char **names = NULL;
    size_t count = 0;
    enum ec_code code = ec_folder_names(v->folder, &names, &count, reterr);
    for (size_t i = 0; i < count && code == EC_OK; i++) {
        if (!is_part(names[i]))
            continue;
        code = ec_path(path, sizeof path, reterr, "%s/%s", v->folder, names[i]);
        v->parts += add;
        if (code == EC_OK && add)
            code = ec_coverage_read(v->points, path, reterr);
        else if (code == EC_OK)
            unlink(path);
    }
    free(names);
    return code;
}

/* Write into `name` of the folder with one of these functions. */
struct writer {
    void (*points)(struct ec_coverage *c, FILE *out);
    void (*units)(const struct ec_units *u, FILE *out);
    bool (*judged)(const struct ec_units *u, FILE *out); /* false: out of memory */
};

static enum ec_code put(const struct cli_coverage *v, const struct ec_units *u, const char *name,
                        const struct writer *w, int *ret_errno, struct ec_error *reterr)
{
    struct ec_output out;
    enum ec_code code = ec_output_open_in(&out, "the coverage", v->folder, name, reterr);
    if (code != EC_OK) {
        *ret_errno = errno;
        return code;
    }
    bool good = true;
    if (w->points)
        w->points(v->points, out.file);
    else if (w->units)
        w->units(u, out.file);
    else
        good = w->judged(u, out.file);
    if (!good) {
        ec_output_discard(&out);
        return ec_fail(reterr, EC_MEMORY, "out of memory for the summary of the coverage");
    }
    code = ec_output_commit(&out, reterr);
    *ret_errno = out.error;
    return code;
}

/* The points of this process, instead of those files: nothing is lost if the process ends here. */
static enum ec_code put_data(struct cli_coverage *v, struct ec_error *reterr)
{
    static const struct writer data = {.points = ec_coverage_write};
    int error;
    const enum ec_code code = put(v, NULL, DATA, &data, &error, reterr);
    return code == EC_OK ? sweep_parts(v, false, reterr) : code;
}

/* Another process would remove the files of the workers of this one. The workers inherit the lock,
 * and end with this process. */
static enum ec_code lock_folder(struct cli_coverage *v, struct ec_error *reterr)
{
    v->lock = open(v->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (v->lock < 0 || flock(v->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return EC_OK; /* a file system without locks is no reason to do without coverage */
    return ec_fail(reterr, EC_USAGE,
                   "--coverage '%.200s' is in use: another process keeps its coverage there",
                   v->folder);
}

enum ec_code cli_coverage_open(struct cli_coverage *v, const struct cli_job *job,
                               struct ec_error *reterr)
{
    *v = (struct cli_coverage){.folder = job->coverage, .quiet = job->quiet, .lock = -1};
    if (!v->folder)
        return EC_OK;
    if (cli_ranks() > 1)
        return ec_fail(reterr, EC_USAGE,
                       "--coverage does not work with several ranks: use --threads or --jobs");
    enum ec_code code = ec_folder_make(v->folder, EC_FOLDER_USUAL, reterr);
    if (code == EC_OK)
        code = cli_folder_check("--coverage", v->folder, reterr);
    if (code == EC_OK)
        code = lock_folder(v, reterr);
    if (code == EC_OK)
        code = ec_coverage_open(&v->points, reterr);
    if (code != EC_OK)
        return code;
    v->lost =
        mmap(NULL, sizeof *v->lost, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (v->lost == MAP_FAILED) {
        v->lost = NULL;
        return ec_fail(reterr, EC_MEMORY, "out of memory for coverage");
    }
    return sweep_parts(v, false, reterr);
}

/* A worker is a copy of the process that opened `v`. */
void cli_coverage_keep(struct cli_coverage *v, const struct ec_session *s)
{
    static const struct writer data = {.points = ec_coverage_write};
    char name[64];
    int error = 0;
    if (!v->folder)
        return;
    if (!v->own) {
        v->points = NULL;
        v->own = ec_coverage_open(&v->points, NULL) == EC_OK;
    }
    if (v->own)
        session_points(s, ec_coverage_add, v->points);
    snprintf(name, sizeof name, "%ld" PART, (long)getpid());
    if (!v->own || ec_coverage_check(v->points, NULL) != EC_OK)
        *v->lost = ENOMEM;
    else if (put(v, NULL, name, &data, &error, NULL) != EC_OK)
        *v->lost = error ? error : EIO;
}

/* --- Results ---------------------------------------------------------------------------------- */

/* Pages for a browser, if there is a tool that makes them. */
static void make_pages(const struct cli_coverage *v)
{
    char program[PATH_MAX], text[1000];
    struct ec_args args = {0};
    int status = 0;
    if (!ec_program_find("genhtml", program, sizeof program)) {
        if (!v->quiet)
            fprintf(stderr, "ecube: no pages of the coverage: genhtml is missing: install it with "
                            "\"apt-get install lcov\"\n");
        return;
    }
    ec_args_add(&args, "%s", program);
    ec_args_split(&args, "--quiet --branch-coverage --output-directory");
    ec_args_add(&args, "%s/" PAGES, v->folder);
    ec_args_add(&args, "%s/" LCOV, v->folder);
    const enum ec_code code = ec_process_capture(&args, text, sizeof text, &status, NULL);
    ec_args_free(&args);
    if ((code != EC_OK || status != 0) && !v->quiet)
        fprintf(stderr, "ecube: no pages of the coverage: genhtml failed (status %d): %.*s\n",
                status, (int)strcspn(text, "\n"), text);
}

static enum ec_code write_results(struct cli_coverage *v, const struct ec_units *u,
                                  struct ec_error *reterr)
{
    static const struct {
        const char *name;
        struct writer writer;
    } files[] = {
        {LCOV, {.units = ec_units_lcov}},
        {TEXT, {.units = cli_text_coverage}},
        {JSON, {.judged = cli_record_coverage}},
    };
    enum ec_code code = put_data(v, reterr);
    int error;
    for (size_t i = 0; i < sizeof files / sizeof *files && code == EC_OK; i++)
        code = put(v, u, files[i].name, &files[i].writer, &error, reterr);
    return code;
}

enum cli_status cli_coverage_finish(struct cli_coverage *v)
{
    struct ec_units units = {0};
    struct ec_error e;
    char line[300];
    if (!v->folder)
        return CLI_OK;
    enum ec_code code = *v->lost ? ec_fail_write(&e, "the coverage", v->folder, *v->lost) : EC_OK;
    if (code == EC_OK)
        code = sweep_parts(v, true, &e);
    else
        sweep_parts(v, false, NULL);
    if (code == EC_OK)
        code = ec_units_open(v->points, &units, &e);
    const bool any = code == EC_OK && units.count > 0;
    if (any)
        code = write_results(v, &units, &e);
    else if (code == EC_OK)
        code = sweep_parts(v, false, &e);
    if (code == EC_OK && !v->quiet && v->parts > 0) {
        cli_line_coverage(&units, line, sizeof line);
        fprintf(stderr, "ecube: coverage in %s: %s\n", v->folder, line);
    }
    if (any && code == EC_OK)
        make_pages(v);
    ec_units_close(&units);
    return code == EC_OK ? CLI_OK : cli_complain(NULL, &e);
}

void cli_coverage_close(struct cli_coverage *v)
{
    ec_coverage_close(v->points);
    if (v->lost)
        munmap(v->lost, sizeof *v->lost);
    if (v->folder && v->lock >= 0)
        close(v->lock);
}
