/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the solvers as child processes. Knows processes and time; must not know what they compute.
 */
#include "prove/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

#define POLL_NS 20000000L

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Processor time of a child that has not been waited for. */
static double spent(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* For the pauses: only what asks the program to stop may end one, not the timer of its progress. */
static sigset_t pause_mask(const sigset_t *before)
{
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t mask;
    sigfillset(&mask);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        if (!sigismember(before, stops[i]))
            sigdelset(&mask, stops[i]);
    }
    return mask;
}

/* Until the child ends, the time is up or a signal comes. */
static enum ec_code wait_for(const struct ec_tool_run *run, pid_t pid, int *ret_status,
                             struct ec_error *reterr)
{
    const sigset_t mask = pause_mask(run->before);
    double looked = now();
    int status;
    for (;;) {
        const pid_t done = waitpid(pid, &status, WNOHANG);
        if (done == pid)
            break;
        if (done < 0 && errno != EINTR)
            return ec_fail(reterr, EC_INTERNAL, "cannot wait for process %ld: %s", (long)pid,
                           strerror(errno));
        if (ec_signals_pause(&mask, POLL_NS)) {
            ec_process_kill(pid);
            return ec_fail(reterr, EC_INTERRUPTED, "interrupted during a proof");
        }
        const double time = now();
        if (run->seconds > 0 && spent(pid) > run->seconds) {
            ec_process_kill(pid);
            *ret_status = -1;
            return EC_OK;
        }
        if (run->look != NULL && time - looked > 0.1) {
            looked = time;
            run->look(run->context);
        }
    }
    *ret_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return EC_OK;
}

enum ec_code ec_tool_run(const struct ec_tool_run *run, struct ec_args *args, int *ret_status,
                         struct ec_error *reterr)
{
    char path[PATH_MAX];
    pid_t pid;
    enum ec_code code = EC_OK;
    if (args->failed || args->count == 0)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for the arguments of a tool");
    else if (!ec_program_find(args->words[0], path, sizeof path))
        code =
            ec_fail(reterr, EC_TOOL,
                    "%s is not installed: proofs need it, install it with \"apt-get install %s\"",
                    args->words[0], args->words[0]);
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
            code = wait_for(run, pid, ret_status, reterr);
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
