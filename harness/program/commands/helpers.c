/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that other programs do: `ecube claims` executes ecube-claims, `ecube tile prove` and
 * `ecube tile mutate` execute ecube-verify.
 *
 * Knows where these programs are; must not know their options or exit statuses. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "paths.h"
#include "program/commands/commands.h"
#include "program/options/job.h"
#include "terminal/status.h"

#define PREFIX "ecube-" /* before the name of a program's room in the build tree */

enum ec_code cli_helper_find(const char *name, char *path, size_t size, struct ec_error *reterr)
{
    char built[4000], folder[4000];
    const enum ec_code code =
        ec_path(built, sizeof built, reterr, EC_BUILD_ROOT "/harness/%s", name + strlen(PREFIX));
    if (code != EC_OK)
        return code;
    if (!ec_locate(built, ".", name, folder, sizeof folder))
        return ec_fail(reterr, EC_TOOL,
                       "cannot find the program %s: expected it beside ecube; install it, or build "
                       "all targets (ecube-verify: with libcadical-dev)",
                       name);
    return ec_path(path, size, reterr, "%s/%s", folder, name);
}

static int start(const char *name, char **argv)
{
    char path[4096];
    struct ec_error e;
    if (cli_helper_find(name, path, sizeof path, &e) == EC_OK) {
        execv(path, argv); /* so that signals and the exit status need no forwarding */
        ec_fail(&e, EC_TOOL, "cannot execute '%.400s': %s", path, strerror(errno));
    }
    return (int)cli_complain(NULL, &e);
}

int cli_claims(const struct cli_command *self, int argc, char **argv, const char *line)
{
    (void)self, (void)argc, (void)line;
    return start("ecube-claims", argv);
}

/* Help and errors of the command line do not need the other program. */
int cli_verify(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct cli_job job = cli_job_default();
    struct cli_words words = {0}; /* parsing changes their order */
    struct ec_error e;
    bool good = true;
    int status;
    (void)line;
    for (int i = 0; i < argc && good; i++)
        good = cli_words_put(&words, argv[i]);
    if (good) {
        good = cli_begin(&cli_table, self, argc, words.at, &job.parsed, &status);
    } else {
        ec_fail(&e, EC_MEMORY, "out of memory");
        status = (int)cli_complain(NULL, &e);
    }
    cli_job_free(&job);
    cli_words_free(&words);
    argv[0] = (char *)self->name;
    return good ? start("ecube-verify", argv) : status;
}
