/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube claims`: executes the program `ecube-claims`.
 *
 * Knows where that program is; must not know its options or exit statuses. */
#include "program/commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "paths.h"
#include "terminal/status.h"

#define CLAIMS_PROGRAM "ecube-claims"

static enum ec_code find_program(char *path, size_t size, struct ec_error *e)
{
    char folder[4000];
    if (!ec_locate(EC_BUILD_ROOT "/harness/study", ".", CLAIMS_PROGRAM, folder, sizeof folder))
        return ec_fail(e, EC_TOOL,
                       "cannot find the program " CLAIMS_PROGRAM
                       ": expected it beside ecube; install it, or build all targets");
    snprintf(path, size, "%s/" CLAIMS_PROGRAM, folder);
    return EC_OK;
}

int cli_claims(const struct cli_command *self, int argc, char **argv, const char *line)
{
    char path[4096];
    struct ec_error e;
    (void)self, (void)argc, (void)line;
    if (find_program(path, sizeof path, &e) == EC_OK) {
        execv(path, argv); /* so that signals and the exit status need no forwarding */
        ec_fail(&e, EC_TOOL, "cannot execute '%.400s': %s", path, strerror(errno));
    }
    return (int)cli_complain(NULL, &e);
}

/* One object per line. */
static json_t *parse_lines(char *text)
{
    json_t *list = json_array();
    for (char *line; list && (line = strsep(&text, "\n"));) {
        json_t *object = *line ? json_loads(line, 0, NULL) : NULL;
        if (object && json_array_append_new(list, object) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

enum ec_code cli_claims_list(json_t **ret, struct ec_error *reterr)
{
    enum { ROOM = 1 << 20 };
    struct ec_args args = {.words = NULL};
    char path[4096], *text = malloc(ROOM);
    int status = 0;
    *ret = NULL;
    enum ec_code code = text ? find_program(path, sizeof path, reterr)
                             : ec_fail(reterr, EC_MEMORY, "out of memory");
    if (code == EC_OK) {
        ec_args_add(&args, "%s", path);
        ec_args_split(&args, "--list --format json");
        code = ec_process_capture(&args, text, ROOM, &status, reterr);
    }
    if (code == EC_OK && status != 0)
        code = ec_fail(reterr, EC_TOOL, "'%.400s --list' failed with status %d", path, status);
    if (code == EC_OK && !(*ret = parse_lines(text)))
        code = ec_fail(reterr, EC_MEMORY, "out of memory");
    ec_args_free(&args);
    free(text);
    return code;
}
