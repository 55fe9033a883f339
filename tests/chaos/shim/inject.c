/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a command and lets one of its system calls fail, or kills the process that makes it.
 *
 *   inject [--calls A,B,...] [--path TEXT] [--program NAME] --at N[+] WHAT [--count FILE]
 * COMMAND...
 *
 * The calls named, of processes whose name begins with NAME (default: ecube), and on files whose
 * path contains TEXT, are counted over all processes of the command. WHAT happens to the Nth one,
 * with "+" to all later ones as well:
 *   --error ERRNO     it fails with that number
 *   --short           a write() or its relatives take half of the bytes; later ones fail with
 * ENOSPC
 *   --signal NUMBER   the process gets the signal before the call
 * With --at 0 nothing happens. The number of calls is written to the file of --count. The exit
 * status is that of the command, 128 + signal if a signal ended it, 99 if a process of it still
 * runs 10 s later.
 *
 * By seccomp user notification (Linux 5.6): no privileges, any architecture, and also calls inside
 * the C library. Status 77: the system does not allow that. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SKIPPED = 77,
    LEFT = 99,
    BAD_USAGE = 2,
    GRACE_MS = 10000,
    CALLS_MAX = 16,
    BYTES_MAX = 1 << 20
};

/* Which argument names the file. */
enum subject { NOTHING, DESCRIPTOR, PATH, PATH_AT };

static const struct call {
    const char *name;
    int number;
    enum subject subject;
} calls[] = {
    {"write", SYS_write, DESCRIPTOR},
    {"writev", SYS_writev, DESCRIPTOR},
    {"pwrite64", SYS_pwrite64, DESCRIPTOR},
    {"pwritev", SYS_pwritev, DESCRIPTOR},
    {"read", SYS_read, DESCRIPTOR},
    {"pread64", SYS_pread64, DESCRIPTOR},
    {"close", SYS_close, DESCRIPTOR},
    {"fsync", SYS_fsync, DESCRIPTOR},
    {"ftruncate", SYS_ftruncate, DESCRIPTOR},
    {"fchmod", SYS_fchmod, DESCRIPTOR},
    {"flock", SYS_flock, DESCRIPTOR},
    {"openat", SYS_openat, PATH_AT},
    {"mkdirat", SYS_mkdirat, PATH_AT},
    {"unlinkat", SYS_unlinkat, PATH_AT},
    {"renameat", SYS_renameat, PATH_AT},
    {"renameat2", SYS_renameat2, PATH_AT},
    {"mmap", SYS_mmap, NOTHING},
    {"socketpair", SYS_socketpair, NOTHING},
    {"pipe2", SYS_pipe2, NOTHING},
    {"clone", SYS_clone, NOTHING},
    {"clone3", SYS_clone3, NOTHING},
    {"execve", SYS_execve, PATH},
    {"wait4", SYS_wait4, NOTHING},
    {"ppoll", SYS_ppoll, NOTHING},
    {"getdents64", SYS_getdents64, DESCRIPTOR},
    {"lseek", SYS_lseek, DESCRIPTOR},
    {"sendto", SYS_sendto, NOTHING},
    {"newfstatat", SYS_newfstatat, PATH_AT},
#ifdef SYS_rename
    {"rename", SYS_rename, PATH},
    {"mkdir", SYS_mkdir, PATH},
    {"unlink", SYS_unlink, PATH},
    {"rmdir", SYS_rmdir, PATH},
    {"vfork", SYS_vfork, NOTHING},
    {"fork", SYS_fork, NOTHING},
    {"poll", SYS_poll, NOTHING},
    {"readlink", SYS_readlink, PATH},
#endif
};

static struct {
    const struct call *call[CALLS_MAX];
    size_t count;
    const char *path, *program, *total;
    unsigned long at;
    bool later, cut;
    int error, signal;
} what = {.program = "ecube"};

/* --- Arguments -------------------------------------------------------------------------------- */

static _Noreturn void refuse(const char *word)
{
    fprintf(stderr, "inject: unexpected '%s': see the head of tests/chaos/shim/inject.c\n", word);
    exit(BAD_USAGE);
}

/* Calls that this architecture does not have are left out: it has their successors. */
static void take_calls(char *names)
{
    for (char *name; (name = strsep(&names, ",")) != NULL;) {
        for (size_t i = 0; i < sizeof calls / sizeof *calls && what.count < CALLS_MAX; i++) {
            if (strcmp(calls[i].name, name) == 0)
                what.call[what.count++] = &calls[i];
        }
    }
}

static char **take_options(char **argv)
{
    char *end;
    for (argv++; *argv != NULL && strncmp(*argv, "--", 2) == 0; argv++) {
        const char *name = *argv + 2;
        if (strcmp(name, "short") == 0) {
            what.cut = true;
            continue;
        }
        char *value = *++argv;
        if (value == NULL)
            refuse(name);
        if (strcmp(name, "calls") == 0)
            take_calls(value);
        else if (strcmp(name, "path") == 0)
            what.path = value;
        else if (strcmp(name, "program") == 0)
            what.program = value;
        else if (strcmp(name, "count") == 0)
            what.total = value;
        else if (strcmp(name, "error") == 0)
            what.error = atoi(value);
        else if (strcmp(name, "signal") == 0)
            what.signal = atoi(value);
        else if (strcmp(name, "at") == 0)
            what.at = strtoul(value, &end, 10), what.later = *end == '+';
        else
            refuse(name);
    }
    if (*argv == NULL || what.count == 0)
        refuse("end of the arguments");
    return argv;
}

/* --- In the command --------------------------------------------------------------------------- */

/* Returns the descriptor of notifications, or -1. */
static int install_filter(void)
{
    struct sock_filter code[CALLS_MAX + 3];
    unsigned short n = 0;
    code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                             (uint32_t)offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < what.count; i++)
        code[n++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)what.call[i]->number,
                                         (uint8_t)(what.count - i), 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    const struct sock_fprog program = {.len = n, .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                        &program);
}

/* --- Beside it -------------------------------------------------------------------------------- */

/* The bytes at an address of the process; false: it is gone. */
static bool peek(pid_t pid, uint64_t address, void *bytes, size_t size, size_t *ret)
{
    struct iovec here = {bytes, size}, there = {(void *)(uintptr_t)address, size};
    const ssize_t got = process_vm_readv(pid, &here, 1, &there, 1, 0);
    *ret = got > 0 ? (size_t)got : 0;
    return got > 0;
}

static void read_link(pid_t pid, unsigned fd, char *text, size_t size)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%ld/fd/%u", (long)pid, fd);
    const ssize_t length = readlink(name, text, size - 1);
    text[length > 0 ? length : 0] = '\0';
}

static bool is_named(const struct call *call, const struct seccomp_notif *n)
{
    char text[4096] = "";
    size_t got;
    if (what.path == NULL)
        return true;
    const uint64_t address = n->data.args[call->subject == PATH_AT];
    if (call->subject == DESCRIPTOR)
        read_link((pid_t)n->pid, (unsigned)n->data.args[0], text, sizeof text);
    else if (call->subject != NOTHING) { /* not beyond the page, which may be the last one */
        const size_t rest = 4096 - address % 4096;
        if (peek((pid_t)n->pid, address, text, rest, &got) && memchr(text, '\0', got) == NULL)
            (void)peek((pid_t)n->pid, address + rest, text + rest, sizeof text - rest - 1, &got);
        text[sizeof text - 1] = '\0';
    }
    return strstr(text, what.path) != NULL;
}

static bool is_program(pid_t pid)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/%ld/comm", (long)pid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    (void)!read(fd, name, sizeof name - 1);
    close(fd);
    return strncmp(name, what.program, strlen(what.program)) == 0;
}

static bool counts(const struct seccomp_notif *n)
{
    if (!is_program((pid_t)n->pid))
        return false;
    for (size_t i = 0; i < what.count; i++) {
        if (what.call[i]->number == n->data.nr)
            return is_named(what.call[i], n);
    }
    return false;
}

/* What a write of the process would write, at most BYTES_MAX. */
static size_t gather(const struct seccomp_notif *n, char *bytes)
{
    const bool one = n->data.nr == SYS_write || n->data.nr == SYS_pwrite64;
    struct iovec pieces[64] = {{(void *)(uintptr_t)n->data.args[1], n->data.args[2]}};
    size_t count = 1, got = 0, size = 0;
    if (!one) {
        count = n->data.args[2] < 64 ? n->data.args[2] : 64;
        (void)peek((pid_t)n->pid, n->data.args[1], pieces, count * sizeof *pieces, &got);
    }
    for (size_t i = 0; i < count; i++, size += got) {
        const size_t room = BYTES_MAX - size;
        got = 0;
        (void)peek((pid_t)n->pid, (uint64_t)(uintptr_t)pieces[i].iov_base, bytes + size,
                   pieces[i].iov_len < room ? pieces[i].iov_len : room, &got);
    }
    return size;
}

/* Half of the write, in place of the process; negative: an errno. */
static int64_t write_half(const struct seccomp_notif *n)
{
    static char bytes[BYTES_MAX];
    const size_t size = gather(n, bytes) / 2;
    const int process = (int)syscall(SYS_pidfd_open, (pid_t)n->pid, 0);
    const int fd = (int)syscall(SYS_pidfd_getfd, process, (int)n->data.args[0], 0);
    const bool at = n->data.nr == SYS_pwrite64 || n->data.nr == SYS_pwritev;
    const ssize_t put = size == 0 ? 0
                        : at      ? pwrite(fd, bytes, size, (off_t)n->data.args[3])
                                  : write(fd, bytes, size);
    const int error = errno;
    close(fd);
    close(process);
    return put > 0 ? put : put < 0 ? -error : -ENOSPC;
}

static void answer(int listener, unsigned long *count)
{
    struct seccomp_notif n = {0};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &n) != 0)
        return; /* the process is gone */
    struct seccomp_notif_resp r = {.id = n.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    const bool counted = counts(&n);
    *count += counted;
    if (counted && what.at > 0 && (*count == what.at || (what.later && *count > what.at))) {
        int64_t value = what.error > 0 ? -what.error : what.cut ? -ENOSPC : 0;
        if (what.cut && *count == what.at)
            value = write_half(&n);
        if (what.signal > 0)
            kill((pid_t)n.pid, what.signal);
        else
            r = (struct seccomp_notif_resp){
                .id = n.id, .error = value < 0 ? (int)value : 0, .val = value < 0 ? 0 : value};
    }
    (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &r);
}

/* Until no process has the filter any more; false: some still run. */
static bool serve(int listener, pid_t child, unsigned long *count, int *ret_status)
{
    bool ended = false;
    for (int waited = 0; waited < GRACE_MS;) {
        struct pollfd p = {.fd = listener, .events = POLLIN};
        const int ready = poll(&p, 1, 20);
        if (!ended)
            ended = waitpid(child, ret_status, WNOHANG) == child;
        else if (ready == 0)
            waited += 20;
        if (p.revents & POLLIN)
            answer(listener, count);
        else if (p.revents & POLLHUP)
            return ended || waitpid(child, ret_status, 0) == child;
    }
    return false;
}

static void write_count(unsigned long count)
{
    FILE *out = what.total != NULL ? fopen(what.total, "w") : NULL;
    if (out != NULL) {
        fprintf(out, "%lu\n", count);
        fclose(out);
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    char **command = take_options(argv);
    _Atomic int *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return SKIPPED;
    const pid_t child = fork();
    if (child == 0) {
        const int listener = install_filter();
        *shared = listener < 0 ? -1 : listener;
        while (*shared == listener && listener >= 0) /* until the other side has it */
            usleep(1000);
        if (listener < 0)
            _exit(SKIPPED);
        execvp(*command, command);
        _exit(127);
    }
    while (*shared == 0)
        usleep(1000);
    int status = 0, listener = -1;
    if (*shared > 0) {
        const int process = (int)syscall(SYS_pidfd_open, child, 0);
        listener = (int)syscall(SYS_pidfd_getfd, process, (int)*shared, 0);
        close(process);
        *shared = -1;
    }
    if (listener < 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        return SKIPPED;
    }
    unsigned long count = 0;
    const bool all_ended = serve(listener, child, &count, &status);
    write_count(count);
    if (!all_ended)
        return LEFT;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
