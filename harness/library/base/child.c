/* SPDX-License-Identifier: Apache-2.0 */
/* Child processes and signals: starts programs, waits for them, ends them, and detects Ctrl-C
 * meanwhile. Knows POSIX; must not know which programs these are or why they run. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/list.h"

#define WAIT_POLL_NS 4000000L

/* A tool that got SIGTERM may take so long to end, and the programs that it started so long after
 * it. Then they are killed. */
#define LEADER_NS 1000000000L
#define GROUP_NS  200000000L

/* --- Arguments -------------------------------------------------------------------------------- */

static void add_owned(struct ec_args *args, char *word)
{
    /* The end needs room, too. */
    if (word == NULL ||
        !ec_list_room(&args->words, sizeof *args->words, args->count + 1, &args->room)) {
        free(word);
        args->failed = true;
        return;
    }
    args->words[args->count++] = word;
    args->words[args->count] = NULL;
}

void ec_args_add(struct ec_args *args, const char *format, ...)
{
    char *word = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&word, format, arguments);
    va_end(arguments);
    add_owned(args, length < 0 ? NULL : word);
}

void ec_args_split(struct ec_args *args, const char *text)
{
    const char *blanks = " \t\n";
    for (const char *word = text + strspn(text, blanks); *word != '\0';) {
        const size_t length = strcspn(word, blanks);
        add_owned(args, strndup(word, length));
        word += length;
        word += strspn(word, blanks);
    }
}

char *ec_args_join(const struct ec_args *args)
{
    size_t size = 1;
    for (size_t i = 0; i < args->count; i++)
        size += strlen(args->words[i]);
    char *text = args->failed ? NULL : malloc(size);
    if (text == NULL)
        return NULL;
    char *end = text;
    *end = '\0';
    for (size_t i = 0; i < args->count; i++)
        end = stpcpy(end, args->words[i]);
    return text;
}

void ec_args_free(struct ec_args *args)
{
    for (size_t i = 0; i < args->count; i++)
        free(args->words[i]);
    free(args->words);
    *args = (struct ec_args){0};
}

/* --- Starting --------------------------------------------------------------------------------- */

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

bool ec_program_find(const char *name, char *path, size_t size)
{
    if (strchr(name, '/') != NULL)
        return snprintf(path, size, "%s", name) < (int)size && is_program(path);
    const char *folders = getenv("PATH");
    if (folders == NULL)
        folders = "/usr/local/bin:/usr/bin:/bin";
    for (;;) {
        const size_t length = strcspn(folders, ":");
        const char *folder = length == 0 ? "." : folders;
        const int used =
            snprintf(path, size, "%.*s/%s", length == 0 ? 1 : (int)length, folder, name);
        if (used > 0 && (size_t)used < size && is_program(path))
            return true;
        if (folders[length] == '\0')
            return false;
        folders += length + 1;
    }
}

/* This process's environment with LC_ALL=C: their messages are searched for English words. The list
 * is malloc'd, its strings are borrowed. */
static char **plain_environment(void)
{
    static const char locale[] = "LC_ALL=C";
    size_t count = 0;
    while (environ[count] != NULL)
        count++;
    char **list = calloc(count + 2, sizeof *list);
    if (list == NULL)
        return NULL;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "LC_ALL=", 7) != 0)
            list[used++] = environ[i];
    }
    list[used] = (char *)locale; /* execve does not write to it */
    return list;
}

/* A group of its own. The parent may ignore or block signals that must end a compiler. */
static int set_group_and_signals(posix_spawnattr_t *attributes)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&defaults, signals[i]);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0)
        error = posix_spawnattr_setsigdefault(attributes, &defaults);
    if (error == 0)
        error = posix_spawnattr_setpgroup(attributes, 0);
    if (error == 0)
        error = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    return error;
}

/* stdin last: `output` may be descriptor 0, if this process has no stdin. */
static int redirect(posix_spawn_file_actions_t *actions, const char *cwd, int output)
{
    int error = posix_spawn_file_actions_adddup2(actions, output, 1);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(actions, output, 2);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (error == 0 && cwd != NULL)
        error = posix_spawn_file_actions_addchdir_np(actions, cwd);
    return error;
}

/* Returns an errno; 0: the child runs. posix_spawn() copies no page tables, and it reports what
 * fails in the child. */
static int launch(const char *path, const struct ec_args *args, char **environment, const char *cwd,
                  int output, pid_t *ret)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = redirect(&actions, cwd, output);
        if (error == 0)
            error = set_group_and_signals(&attributes);
        if (error == 0)
            error = posix_spawn(ret, path, &actions, &attributes, args->words, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

enum ec_code ec_process_start(const struct ec_args *args, const char *cwd, int output, pid_t *ret,
                              struct ec_error *reterr)
{
    char path[PATH_MAX];
    if (args->failed || args->count == 0)
        return ec_fail(reterr, EC_MEMORY, "out of memory for the arguments of a tool");
    char **environment = plain_environment();
    if (environment == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory to start %s", args->words[0]);
    const int error = ec_program_find(args->words[0], path, sizeof path)
                          ? launch(path, args, environment, cwd, output, ret)
                          : ENOENT;
    free(environment);
    if (error != 0)
        return ec_fail(reterr, error == ENOMEM ? EC_MEMORY : EC_TOOL, "cannot start %s: %s",
                       args->words[0], strerror(error));
    return EC_OK;
}

int ec_process_reap(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            return UCHAR_MAX;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* --- Waiting ---------------------------------------------------------------------------------- */

/* A sleep that returns EINTR reveals a signal, whatever the flags of its handler. A signal between
 * two sleeps would be missed, so it is blocked until the next one. */
void ec_signals_hold(sigset_t *ret)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, ret);
}

void ec_signals_release(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* Only what asks the program to stop may end a pause, not the timer of its progress. The alarm may,
 * too: it says that such a signal came before. */
bool ec_signals_pause(const sigset_t *before, long nanoseconds)
{
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    const struct timespec time = {.tv_nsec = nanoseconds};
    sigset_t mask;
    sigfillset(&mask);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        if (!sigismember(before, stops[i]))
            sigdelset(&mask, stops[i]);
    }
    return ppoll(NULL, 0, &time, &mask) < 0 && errno == EINTR;
}

enum ec_code ec_process_wait(pid_t *pid, const sigset_t *before, int *ret_status,
                             struct ec_error *reterr)
{
    static const char interrupted[] = "interrupted while a router shape was being built";
    int status = 0;
    pid_t done;
    do {
        done = waitpid(*pid, &status, before != NULL ? WNOHANG : 0);
        if (done == 0 && ec_signals_pause(before, WAIT_POLL_NS))
            return ec_fail(reterr, EC_INTERRUPTED, "%s", interrupted);
    } while (done == 0 || (done < 0 && errno == EINTR));
    if (done < 0)
        return ec_fail(reterr, EC_INTERNAL, "cannot wait for process %ld: %s", (long)*pid,
                       strerror(errno));
    *pid = 0;
    if (WIFEXITED(status)) {
        *ret_status = WEXITSTATUS(status);
        return EC_OK;
    }
    const int signal = WTERMSIG(status);
    if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP)
        return ec_fail(reterr, EC_INTERRUPTED, "%s", interrupted);
    *ret_status = 128 + signal;
    return EC_OK;
}

/* Wait until the leader of a group has ended, and then the rest of the group. */
static void wait_for_group(pid_t pid)
{
    const struct timespec tick = {.tv_nsec = WAIT_POLL_NS};
    long time = 0;
    while (waitpid(pid, NULL, WNOHANG) == 0) {
        if (time == LEADER_NS)
            kill(-pid, SIGKILL);
        nanosleep(&tick, NULL);
        time += WAIT_POLL_NS;
    }
    for (time = 0; kill(-pid, 0) == 0 && time < GROUP_NS; time += WAIT_POLL_NS)
        nanosleep(&tick, NULL);
    kill(-pid, SIGKILL);
}

void ec_process_kill(pid_t pid)
{
    if (pid == 0)
        return;
    kill(-pid, SIGTERM);
    wait_for_group(pid);
}

/* Read to the end, so that the child never blocks, and keep the part that fits. False: some did
 * not.
 */
static bool read_output(int fd, char *buffer, size_t size)
{
    size_t used = 0;
    bool whole = true;
    for (;;) {
        char rest[512];
        const bool keep = used + 1 < size;
        const ssize_t got =
            keep ? read(fd, buffer + used, size - 1 - used) : read(fd, rest, sizeof rest);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        if (keep)
            used += (size_t)got;
        else
            whole = false;
    }
    while (used > 0 && buffer[used - 1] == '\n')
        used--;
    buffer[used] = '\0';
    return whole;
}

enum ec_code ec_process_capture(const struct ec_args *args, char *buffer, size_t size,
                                int *ret_status, struct ec_error *reterr)
{
    int ends[2];
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return ec_fail(reterr, EC_IO, "cannot create a pipe: %s", strerror(errno));
    enum ec_code code = ec_process_start(args, NULL, ends[1], &pid, reterr);
    close(ends[1]);
    const bool whole = code != EC_OK || read_output(ends[0], buffer, size);
    close(ends[0]);
    if (code == EC_OK)
        code = ec_process_wait(&pid, NULL, ret_status, reterr);
    if (code == EC_OK && *ret_status == 0 && !whole)
        return ec_fail(reterr, EC_TOOL,
                       "the output of %.400s is too long: expected at most %zu bytes",
                       args->words[0], size - 1);
    return code;
}
