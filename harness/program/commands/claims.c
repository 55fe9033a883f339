/* SPDX-License-Identifier: Apache-2.0 */
/* The list of claims, which the program `ecube-claims` prints. */
#include "program/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"

#define CLAIMS_PROGRAM "ecube-claims"

/* One object per line, with all texts that `ecube list` prints. */
static enum ec_code parse_lines(char *text, json_t **ret, struct ec_error *e)
{
    json_t *list = json_array();
    enum ec_code code = list ? EC_OK : ec_fail(e, EC_MEMORY, "out of memory");
    for (char *line; code == EC_OK && (line = strsep(&text, "\n"));) {
        const char *id, *source, *statement;
        json_t *object = json_loads(line, 0, NULL);
        if (json_unpack(object, "{s:s, s:s, s:s}", "id", &id, "source", &source, "statement",
                        &statement) != 0)
            code = ec_fail(e, EC_TOOL,
                           "unexpected output of " CLAIMS_PROGRAM
                           " --list: expected a JSON object with id, source and statement on each "
                           "line; got '%.200s'",
                           line);
        else if (json_array_append(list, object) != 0)
            code = ec_fail(e, EC_MEMORY, "out of memory");
        json_decref(object);
    }
    if (code == EC_OK)
        *ret = list;
    else
        json_decref(list);
    return code;
}

/* The program's error message, which it prints last. */
static const char *last_line(const char *text)
{
    const char *newline = strrchr(text, '\n');
    return newline ? newline + 1 : text;
}

enum ec_code cli_claims_list(json_t **ret, bool *ret_installed, struct ec_error *reterr)
{
    enum { ROOM = 1 << 20 };
    struct ec_args args = {.words = NULL};
    char path[4096], *text = malloc(ROOM);
    int status = 0;
    enum ec_code code = cli_helper_find(CLAIMS_PROGRAM, path, sizeof path, reterr);
    *ret = NULL;
    *ret_installed = code == EC_OK;
    if (code == EC_OK && !text)
        code = ec_fail(reterr, EC_MEMORY, "out of memory");
    if (code == EC_OK) {
        ec_args_add(&args, "%s", path);
        ec_args_split(&args, "--list --format json");
        code = ec_process_capture(&args, text, ROOM, &status, reterr);
    }
    if (code == EC_OK && status != 0)
        code = ec_fail(reterr, EC_TOOL, "'%.400s --list' failed with status %d%s%.400s", path,
                       status, *text ? ": " : "", last_line(text));
    if (code == EC_OK)
        code = parse_lines(text, ret, reterr);
    ec_args_free(&args);
    free(text);
    return code;
}
