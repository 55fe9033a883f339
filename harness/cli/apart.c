/* SPDX-License-Identifier: Apache-2.0 */
/* Knows processes and pipes; nothing of what is done in them. */
#include "apart.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interrupt.h"

/* A pipe takes so much at once, so neither side waits for the other. */
#define RESULT_MAX PIPE_BUF

/* Until the child closes its end. Ctrl-C reaches all processes of the terminal; a signal that was
 * meant for this one only is passed on once. */
static void wait_for_end(int fd, pid_t child)
{
    struct pollfd end = {.fd = fd, .events = POLLIN};
    bool told = false;
    while (poll(&end, 1, -1) < 0 && errno == EINTR) {
        if (cli_interrupted() && !told)
            kill(child, SIGTERM); /* SIGINT may be ignored there, as in background jobs */
        told = cli_interrupted();
    }
}

static enum ec_code collect(int fd, pid_t child, void *result, size_t size, struct ec_error *reterr)
{
    char copy[RESULT_MAX];
    int status = 0;
    wait_for_end(fd, child);
    const ssize_t got = read(fd, copy, size);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status))
        return ec_fail(reterr, EC_INTERNAL, "the process of this run was ended by signal %d (%s)",
                       WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (got < 0 || (size_t)got != size)
        return ec_fail(reterr, EC_INTERNAL, "the process of this run ended without a result");
    memcpy(result, copy, size);
    return EC_OK;
}

enum ec_code cli_apart(void (*work)(void *context, void *result), void *context, void *result,
                       size_t size, struct ec_error *reterr)
{
    int ends[2];
    if (size > RESULT_MAX)
        return ec_fail(reterr, EC_INTERNAL, "a result of %zu bytes", size);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return ec_fail(reterr, EC_IO, "no pipe to a child process: %s", strerror(errno));
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        work(context, result);
        _exit(write(ends[1], result, size) == (ssize_t)size ? 0 : 1);
    }
    const int error = errno;
    close(ends[1]);
    const enum ec_code code = child < 0
                                  ? ec_fail(reterr, EC_IO, "no child process: %s", strerror(error))
                                  : collect(ends[0], child, result, size, reterr);
    close(ends[0]);
    return code;
}

void cli_apart_become(char *const *words, int out)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* survives exec; nobody would read what it computes */
    if (dup2(out, STDOUT_FILENO) >= 0)
        execv("/proc/self/exe", words);
    fprintf(stderr, "ecube: cannot start /proc/self/exe: %s\n", strerror(errno));
    _exit(127);
}

bool cli_apart_run(char *const *words, int *ret_status)
{
    fflush(NULL); /* else the child writes it, too */
    const pid_t child = fork();
    if (child == 0)
        cli_apart_become(words, STDOUT_FILENO);
    while (child > 0 && waitpid(child, ret_status, 0) < 0 && errno == EINTR)
        ;
    return child > 0;
}
