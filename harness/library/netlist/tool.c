/* SPDX-License-Identifier: Apache-2.0 */
/* Runs Yosys and the solvers as child processes. Knows processes and time; must not know what they
 * compute.
 */
#include "netlist/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

#define POLL_NS 20000000L

/* Seconds without processor time after which a tool hangs: it waits for something that never comes,
 * such as a writer of a named pipe. Long enough for a busy machine. */
#define IDLE_SECONDS 60.0

/* When a child last had processor time. Pauses of this process, too, end its patience slowly: both
 * may have been suspended. */
struct patience {
    double spent, idle, tick;
};

static bool hangs(struct patience *p, double used, double time, double most)
{
    const double passed = time - p->tick;
    p->tick = time;
    p->idle = used > p->spent ? 0 : p->idle + (passed < 1 ? passed : 1);
    p->spent = used;
    return p->idle > most;
}

/* Until the child ends, the time is up, it hangs or a signal comes. */
static enum ec_code wait_for(const struct ec_tool_run *run, const char *name, pid_t pid,
                             int *ret_status, struct ec_error *reterr)
{
    const double most = run->idle > 0 ? run->idle : IDLE_SECONDS;
    struct patience patience = {.tick = ec_clock(CLOCK_MONOTONIC)};
    double looked = ec_clock(CLOCK_MONOTONIC);
    int status;
    for (;;) {
        const pid_t done = waitpid(pid, &status, WNOHANG);
        if (done == pid)
            break;
        if (done < 0 && errno != EINTR)
            return ec_fail(reterr, EC_INTERNAL, "cannot wait for process %ld: %s", (long)pid,
                           strerror(errno));
        if (ec_signals_pause(run->before, POLL_NS)) {
            ec_process_kill(pid);
            return ec_fail(reterr, EC_INTERRUPTED, "interrupted while %.100s ran", name);
        }
        const double time = ec_clock(CLOCK_MONOTONIC), used = ec_clock_of(pid);
        if (run->seconds > 0 && used > run->seconds) {
            ec_process_kill(pid);
            *ret_status = -1;
            return EC_OK;
        }
        if (hangs(&patience, used, time, most)) {
            ec_process_kill(pid);
            return ec_fail(reterr, EC_IO,
                           "%.100s waits for something: it had no processor time for %.3g s "
                           "(does it read a pipe or a terminal?)",
                           name, most);
        }
        if (run->look != NULL && time - looked > 0.1) {
            looked = time;
            run->look(run->context);
        }
    }
    *ret_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return EC_OK;
}

const char *ec_tool_yosys(void)
{
    const char *name = getenv("YOSYS");
    return name != NULL && name[0] != '\0' ? name : "yosys";
}

enum ec_code ec_tool_find(const char *name, struct ec_error *reterr)
{
    char path[PATH_MAX];
    const bool yosys = strcmp(name, ec_tool_yosys()) == 0;
    if (ec_program_find(name, path, sizeof path))
        return EC_OK;
    return ec_fail(reterr, EC_TOOL,
                   "%.200s is not installed: install it with \"apt-get install %.100s\"%s", name,
                   yosys || strcmp(name, EC_TOOL_ABC) == 0 ? "yosys" : name,
                   yosys ? ", or set YOSYS to a program" : "");
}

enum ec_code ec_tool_run(const struct ec_tool_run *run, struct ec_args *args, int *ret_status,
                         struct ec_error *reterr)
{
    char path[PATH_MAX];
    pid_t pid;
    enum ec_code code = EC_OK;
    if (args->failed || args->count == 0)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for the arguments of a tool");
    else
        code = ec_tool_find(args->words[0], reterr);
    if (code == EC_OK)
        code = ec_path(path, sizeof path, reterr, "%s/%s", run->folder, run->log);
    if (code == EC_OK) {
        const int log = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (log < 0)
            code = ec_fail(reterr, EC_IO, "cannot write %s: %s", path, strerror(errno));
        else
            code = ec_process_start(args, run->here ? NULL : run->folder, log, &pid, reterr);
        if (log >= 0)
            close(log);
        if (code == EC_OK)
            code = wait_for(run, args->words[0], pid, ret_status, reterr);
    }
    ec_args_free(args);
    return code;
}

char *ec_tool_text(const char *folder, const char *name)
{
    char path[PATH_MAX], *text = NULL;
    size_t size;
    if (ec_path(path, sizeof path, NULL, "%s/%s", folder, name) != EC_OK ||
        ec_file_read(path, &text, &size, NULL) != EC_OK)
        return NULL;
    return text;
}
