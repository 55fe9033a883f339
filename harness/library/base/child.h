/* SPDX-License-Identifier: Apache-2.0 */
/* Child processes, and detection of Ctrl-C without signal handlers of the library. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "ecube/error.h"

/* A growing, NULL-terminated list of arguments; all strings are owned. `failed` remembers a failed
 * allocation, so one check after many ec_args_add() is enough. */
struct ec_args {
    char **words;
    size_t count, room;
    bool failed;
};
void ec_args_add(struct ec_args *args, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Add the words of `text`, separated by blanks (the convention of CXX and its like). */
void ec_args_split(struct ec_args *args, const char *text);
/* All words joined by blanks, malloc'd (the caller frees); NULL: out of memory. */
char *ec_args_join(const struct ec_args *args);
void ec_args_free(struct ec_args *args);

/* The executable that the shell would run for `name`; false if there is none. */
bool ec_program_find(const char *name, char *path, size_t size);

/* Start a tool: words[0], looked up in PATH, in folder `cwd` (NULL: the current one). Its stdout
 * and stderr go to the descriptor `output`, its stdin is empty and its locale is C. It leads a
 * process group, so that ec_process_kill() also ends the programs that it started: a compiler
 * driver does not pass signals on. */
enum ec_code ec_process_start(const struct ec_args *args, const char *cwd, int output, pid_t *ret,
                              struct ec_error *reterr);

/* Wait for the end of a child. Returns its exit status, or minus the signal that ended it (255: no
 * such child). */
int ec_process_reap(pid_t pid);

/* Block SIGINT, SIGTERM and SIGHUP in this thread except during pauses. *ret is the previous mask,
 * for the pauses and for the end. */
void ec_signals_hold(sigset_t *ret);
void ec_signals_release(const sigset_t *before);

/* Sleep. True if the program handled one of these signals, or SIGALRM, since the last pause. (One
 * that it does not handle ends it here.) All others wait until the end of the pause. */
bool ec_signals_pause(const sigset_t *before, long nanoseconds);

/* Wait for a tool; *pid becomes 0 once it has ended. EC_INTERRUPTED if it died of SIGINT, SIGTERM
 * or SIGHUP, or if this process handled a signal meanwhile (then the child may still run:
 * ec_process_kill); `before` is the mask of ec_signals_hold, or NULL for a short, uninterruptible
 * wait. Otherwise *ret_status is its exit status, 128 + signal if another signal killed it. */
enum ec_code ec_process_wait(pid_t *pid, const sigset_t *before, int *ret_status,
                             struct ec_error *reterr);

/* End a child with all its children, and wait for it. Does nothing if `pid` is 0. */
void ec_process_kill(pid_t pid);

/* Run a program and keep its output without the newlines at the end. If it does not fit, the first
 * size - 1 bytes are kept, and that is EC_TOOL unless the program failed anyway. */
enum ec_code ec_process_capture(const struct ec_args *args, char *buffer, size_t size,
                                int *ret_status, struct ec_error *reterr);
