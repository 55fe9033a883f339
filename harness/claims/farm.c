/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that judge rows and send their findings home through pipes, as JSON.
 *
 * Knows processes and pipes; must not know what is judged. */
#include "farm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TICK = 100 /* ms */, JOBS_MAX = 256 };

/* A process at work; pid 0: none. */
struct hand {
    pid_t pid;
    int fd;
    size_t row; /* index */
    char *text; /* what came through the pipe so far */
    size_t length, room;
};

struct yard {
    const struct claims_row *const *rows;
    size_t count, begun, done;
    const struct claims_options *options;
    const struct claims_farm *farm;
    struct claims_finding *findings;
    struct hand hands[JOBS_MAX];
    unsigned jobs;
};

/* What a child has of its parent and must not keep: the ends of its siblings' pipes, and the care
 * for interrupts. */
static void leave_yard(const struct yard *y, pid_t parent)
{
    static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};
    for (unsigned i = 0; i < y->jobs; i++) {
        if (y->hands[i].pid)
            close(y->hands[i].fd);
    }
    for (size_t i = 0; i < sizeof interrupts / sizeof *interrupts; i++)
        signal(interrupts[i], SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it was dead before that */
        _exit(EC_INTERRUPTED);
}

/* The child: judge one row, send what came out, end. */
static void work(const struct claims_row *row, const struct claims_options *options, int fd)
{
    struct claims_finding f;
    struct ec_error e;
    if (claims_judge(row, options, &f, &e) != EC_OK)
        _exit(EC_MEMORY);
    json_t *packed = claims_finding_pack(&f);
    _exit(packed && json_dumpfd(packed, fd, 0) == 0 ? 0 : EC_MEMORY);
}

static enum ec_code start(struct yard *y, struct hand *h, struct ec_error *e)
{
    int pipe_fd[2];
    const pid_t parent = getpid();
    if (pipe2(pipe_fd, O_CLOEXEC) != 0) /* a compiler that a child starts needs none of them */
        return ec_fail(e, EC_IO, "cannot make a pipe: %s", strerror(errno));
    const pid_t pid = fork();
    if (pid < 0) {
        const int error = errno;
        close(pipe_fd[0]);
        close(pipe_fd[1]);
        return ec_fail(e, EC_IO, "cannot start a process: %s", strerror(error));
    }
    if (pid == 0) {
        close(pipe_fd[0]);
        leave_yard(y, parent);
        work(y->rows[y->begun], y->options, pipe_fd[1]);
    }
    close(pipe_fd[1]);
    *h = (struct hand){.pid = pid, .fd = pipe_fd[0], .row = y->begun++};
    return EC_OK;
}

/* A process ended without a finding. */
static void lost(struct claims_finding *f, const struct claims_row *row, int status)
{
    *f = (struct claims_finding){.row = row, .verdict = CLAIMS_NOT_RUN, .commands = json_array()};
    if (WIFSIGNALED(status))
        snprintf(f->note, sizeof f->note, "its process was killed by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) == EC_MEMORY)
        snprintf(f->note, sizeof f->note, "out of memory");
    else
        snprintf(f->note, sizeof f->note, "its process ended with status %d and no finding",
                 WEXITSTATUS(status));
}

static void finish(struct yard *y, struct hand *h)
{
    struct claims_finding *f = &y->findings[h->row];
    int status = 0;
    close(h->fd);
    while (waitpid(h->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    json_t *packed = h->text ? json_loadb(h->text, h->length, 0, NULL) : NULL;
    if (status != 0 || !packed || !claims_finding_unpack(packed, y->rows[h->row], f))
        lost(f, y->rows[h->row], status);
    json_decref(packed);
    free(h->text);
    *h = (struct hand){0};
    y->done++;
}

/* False once there is nothing more to come. */
static bool take(struct hand *h)
{
    if (h->room - h->length < 4096) {
        char *grown = realloc(h->text, h->room + 65536);
        if (!grown)
            return false;
        h->text = grown;
        h->room += 65536;
    }
    const ssize_t got = read(h->fd, h->text + h->length, h->room - h->length);
    if (got > 0)
        h->length += (size_t)got;
    return got > 0 || (got < 0 && errno == EINTR);
}

static void listen_once(struct yard *y)
{
    struct pollfd polls[JOBS_MAX];
    unsigned hand[JOBS_MAX], count = 0;
    for (unsigned i = 0; i < y->jobs; i++) {
        if (!y->hands[i].pid)
            continue;
        hand[count] = i;
        polls[count++] = (struct pollfd){.fd = y->hands[i].fd, .events = POLLIN};
    }
    if (poll(polls, count, TICK) <= 0)
        return;
    for (unsigned i = 0; i < count; i++) {
        if (polls[i].revents && !take(&y->hands[hand[i]]))
            finish(y, &y->hands[hand[i]]);
    }
}

static void end_all(struct yard *y)
{
    for (unsigned i = 0; i < y->jobs; i++) {
        struct hand *h = &y->hands[i];
        if (!h->pid)
            continue;
        kill(h->pid, SIGKILL);
        close(h->fd);
        while (waitpid(h->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
        free(h->text);
        *h = (struct hand){0};
    }
}

enum ec_code claims_farm(const struct claims_row *const *rows, size_t count,
                         const struct claims_options *options, const struct claims_farm *farm,
                         struct claims_finding *findings, struct ec_error *reterr)
{
    struct yard *y = calloc(1, sizeof *y);
    enum ec_code code = EC_OK;
    if (!y)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    *y = (struct yard){.rows = rows,
                       .count = count,
                       .options = options,
                       .farm = farm,
                       .findings = findings,
                       .jobs = farm->jobs < JOBS_MAX ? farm->jobs : JOBS_MAX};
    for (size_t i = 0; i < count; i++)
        findings[i] = (struct claims_finding){0};
    while (code == EC_OK && y->done < count) {
        for (unsigned i = 0; i < y->jobs && y->begun < count && code == EC_OK; i++) {
            if (!y->hands[i].pid)
                code = start(y, &y->hands[i], reterr);
        }
        listen_once(y);
        if (!farm->progress(farm->context, y->done, count))
            break;
    }
    end_all(y);
    free(y);
    return code;
}
