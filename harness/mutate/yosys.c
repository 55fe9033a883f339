/* SPDX-License-Identifier: Apache-2.0 */
/* Runs Yosys and reads from its log why it failed. */
#include "mutate/yosys.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"

/* $YOSYS, else yosys. */
static enum ec_code find(char *path, size_t size, struct ec_error *reterr)
{
    const char *name = getenv("YOSYS");
    if (name == NULL || name[0] == '\0')
        name = "yosys";
    if (ec_program_find(name, path, size))
        return EC_OK;
    return ec_fail(reterr, EC_TOOL,
                   "%.200s is missing, which makes the mutants: install it with \"apt-get install "
                   "yosys\", or set YOSYS",
                   name);
}

/* The line with the error, or the log if there is none. */
static enum ec_code explain(const char *log, int status, struct ec_error *reterr)
{
    char *text = NULL;
    size_t size;
    char line[600] = "";
    if (ec_file_read(log, &text, &size, NULL) == EC_OK) {
        const char *at = strstr(text, "ERROR: ");
        if (at != NULL)
            snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at + strlen("ERROR: "));
    }
    free(text);
    line[strcspn(line, "\n")] = '\0';
    if (line[0] != '\0')
        return ec_fail(reterr, EC_TOOL, "Yosys cannot read the router: %s (%s)", line, log);
    return ec_fail(reterr, EC_TOOL, "Yosys failed with status %d: see %s", status, log);
}

enum ec_code ec_yosys_run(const char *folder, const char *name, const char *cwd,
                          struct ec_error *reterr)
{
    char yosys[PATH_MAX], log[PATH_MAX];
    struct ec_args args = {0};
    int status = 0;
    enum ec_code code = find(yosys, sizeof yosys, reterr);
    if (code == EC_OK)
        code = ec_path(log, sizeof log, reterr, "%s/%s.log", folder, name);
    if (code != EC_OK)
        return code;
    const int output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output < 0)
        return ec_fail(reterr, EC_IO, "cannot write %s: %s", log, strerror(errno));
    ec_args_add(&args, "%s", yosys);
    ec_args_add(&args, "%s/%s.ys", folder, name);
    sigset_t before;
    pid_t pid = 0;
    ec_signals_hold(&before);
    code = args.failed ? ec_fail(reterr, EC_MEMORY, "out of memory")
                       : ec_process_start(&args, cwd, output, &pid, reterr);
    if (code == EC_OK)
        code = ec_process_wait(&pid, &before, &status, reterr);
    ec_process_kill(pid);
    ec_signals_release(&before);
    close(output);
    ec_args_free(&args);
    return code == EC_OK && status != 0 ? explain(log, status, reterr) : code;
}
