/* SPDX-License-Identifier: Apache-2.0 */
/* Starting and waiting for the tools that build a shape.
 *
 * Knows POSIX processes; must not know which programs these are or why they run. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/held_signals.h"

#define WAIT_POLL_NS 4000000L

static void add_owned(struct ec_args *args, char *word)
{
    char **words = word == NULL ? NULL : realloc(args->words, (args->count + 2) * sizeof *words);
    if (words == NULL) {
        free(word);
        args->failed = true;
        return;
    }
    args->words = words;
    words[args->count++] = word;
    words[args->count] = NULL;
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

/* This process's environment with LC_ALL=C: messages of the tools are searched for words. The
 * list is malloc'd, its strings are borrowed. */
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

/* A group of its own; and the parent may ignore or block signals that must end a compiler. */
static int own_group_and_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGTERM);
    sigaddset(&defaults, SIGHUP);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    int failed = posix_spawnattr_setsigmask(attributes, &none);
    if (failed == 0)
        failed = posix_spawnattr_setsigdefault(attributes, &defaults);
    if (failed == 0)
        failed = posix_spawnattr_setpgroup(attributes, 0);
    if (failed == 0)
        failed = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    return failed;
}

static int redirect(posix_spawn_file_actions_t *actions, const char *cwd, int output)
{
    int failed = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (failed == 0)
        failed = posix_spawn_file_actions_adddup2(actions, output, 1);
    if (failed == 0)
        failed = posix_spawn_file_actions_adddup2(actions, output, 2);
    if (failed == 0 && cwd != NULL)
        failed = posix_spawn_file_actions_addchdir_np(actions, cwd);
    return failed;
}

enum ec_code ec_process_start(const struct ec_args *args, const char *cwd, int output, pid_t *ret,
                              struct ec_error *reterr)
{
    if (args->failed || args->count == 0)
        return ec_fail(reterr, EC_MEMORY, "no memory for the arguments of a tool");
    char **environment = plain_environment();
    if (environment == NULL)
        return ec_fail(reterr, EC_MEMORY, "no memory to start %s", args->words[0]);

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0)
        goto cleanup_environment;
    failed = posix_spawnattr_init(&attributes);
    if (failed != 0)
        goto cleanup_actions;
    failed = redirect(&actions, cwd, output);
    if (failed == 0)
        failed = own_group_and_signals(&attributes);
    if (failed == 0)
        failed = posix_spawnp(ret, args->words[0], &actions, &attributes, args->words, environment);
    posix_spawnattr_destroy(&attributes);
cleanup_actions:
    posix_spawn_file_actions_destroy(&actions);
cleanup_environment:
    free(environment);
    if (failed != 0)
        return ec_fail(reterr, EC_TOOL, "cannot start %s: %s", args->words[0], strerror(failed));
    return EC_OK;
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

void ec_process_kill(pid_t pid)
{
    if (pid == 0)
        return;
    kill(-pid, SIGTERM);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* Read until the end, keep what fits; the rest is read too, so that the child never blocks. */
static void read_output(int fd, char *buffer, size_t size)
{
    size_t used = 0;
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
    }
    while (used > 0 && buffer[used - 1] == '\n')
        used--;
    buffer[used] = '\0';
}

enum ec_code ec_process_capture(const struct ec_args *args, char *buffer, size_t size,
                                int *ret_status, struct ec_error *reterr)
{
    int ends[2];
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return ec_fail(reterr, EC_IO, "cannot create a pipe: %s", strerror(errno));
    const enum ec_code code = ec_process_start(args, NULL, ends[1], &pid, reterr);
    close(ends[1]);
    if (code == EC_OK)
        read_output(ends[0], buffer, size);
    close(ends[0]);
    return code == EC_OK ? ec_process_wait(&pid, NULL, ret_status, reterr) : code;
}
