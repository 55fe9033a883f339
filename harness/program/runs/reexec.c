/* SPDX-License-Identifier: Apache-2.0 */
/* Knows processes and pipes; nothing of what is done in them. */
#include "program/runs/reexec.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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
