/* SPDX-License-Identifier: Apache-2.0 */
/* Runs items in worker processes. Knows processes, sockets and shared memory; must not know the
 * work.
 *
 * A socket joins a worker to this process. It carries item numbers to the worker and a frame for
 * each item back. When it closes, the worker is gone. */
#include "base/workers.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/output.h"

enum { TICK_MS = 100, NO_PROCESS = 0 };

/* The exit status of a program that SIGINT has ended. */
enum { INTERRUPTED_STATUS = 128 + SIGINT };

/* Precedes the output of a worker for an item. */
struct frame {
    size_t item, size;
};

struct worker {
    pid_t pid; /* NO_PROCESS: none */
    int fd;    /* the socket */
    bool busy; /* with `item` */
    size_t item;
    void *shared;
    char *text; /* received of the frame so far, its head included */
    size_t length, room;
    bool unread; /* there was no memory for it */

    char why[sizeof((struct ec_work_result *)0)->why]; /* why this process killed it; "": it did not
                                                        */
};

struct crew {
    const struct ec_workers_plan *plan;
    struct worker worker[EC_WORKERS_MAX];
    size_t begun;
    bool stopped; /* begin no further item */
};

/* --- In the worker ---------------------------------------------------------------------------- */

static bool put_all(int fd, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        const ssize_t put = send(fd, at, size, MSG_NOSIGNAL); /* the other side may be gone */
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        size -= (size_t)put;
    }
    return true;
}

static bool get_item(int fd, size_t *ret)
{
    ssize_t got;
    do
        got = read(fd, ret, sizeof *ret);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof *ret;
}

/* One item, and its frame. */
static bool do_item(const struct ec_workers_plan *plan, size_t item, void *shared, int fd)
{
    char *text = NULL;
    struct frame frame = {.item = item};
    FILE *out = open_memstream(&text, &frame.size);
    if (!out)
        return false;
    plan->work(plan->context, item, shared, out);
    const bool good = ec_memstream_close(out, &text) && put_all(fd, &frame, sizeof frame) &&
                      put_all(fd, text, frame.size);
    free(text);
    return good;
}

/* A child must not keep the ends of its siblings' sockets. If the parent kills it in the end, it
 * ignores interrupts. Its items must not write to the parent's output. */
static void become_worker(const struct crew *c, pid_t parent)
{
    static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};
    for (unsigned i = 0; i < c->plan->jobs; i++) {
        if (c->worker[i].pid != NO_PROCESS)
            close(c->worker[i].fd);
    }
    for (size_t i = 0; !c->plan->patient && i < sizeof interrupts / sizeof *interrupts; i++)
        signal(interrupts[i], SIG_IGN);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* the parent died before that */
        _exit(EC_INTERRUPTED);
}

static _Noreturn void work_on(const struct crew *c, void *shared, int fd)
{
    size_t item;
    while (get_item(fd, &item)) {
        if (!do_item(c->plan, item, shared, fd))
            _exit(EC_MEMORY);
        if (c->plan->fresh)
            break;
    }
    if (c->plan->ended)
        c->plan->ended(c->plan->context);
    _exit(EC_OK);
}

/* --- In this process -------------------------------------------------------------------------- */

static enum ec_code start_worker(struct crew *c, struct worker *w, struct ec_error *reterr)
{
    int ends[2];
    const pid_t parent = getpid();
    if (!w->shared && c->plan->shared) {
        void *shared =
            mmap(NULL, c->plan->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared == MAP_FAILED)
            return ec_fail(reterr, EC_MEMORY, "out of memory for a worker process");
        w->shared = shared;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return ec_fail(reterr, EC_IO, "cannot start a worker process: %s", strerror(errno));
    fflush(NULL); /* else the worker would write it again */
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        become_worker(c, parent);
        work_on(c, w->shared, ends[1]);
    }
    const int error = errno;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return ec_fail(reterr, EC_IO, "cannot start a worker process: %s", strerror(error));
    }
    w->pid = pid;
    w->fd = ends[0];
    w->length = 0;
    w->unread = false;
    w->why[0] = '\0';
    if (c->plan->hired)
        c->plan->hired(c->plan->context, w->shared);
    return EC_OK;
}

/* Wait for a worker that is about to end, and get the reason. */
static void reap_worker(struct worker *w, struct ec_work_result *ret)
{
    char *const why = ret->why;
    const size_t size = sizeof ret->why;
    close(w->fd);
    const int ended = ec_process_reap(w->pid), status = w->unread ? EC_MEMORY : ended;
    w->pid = NO_PROCESS;
    if (w->why[0])
        snprintf(why, size, "%s", w->why);
    else if (w->unread)
        snprintf(why, size, "out of memory for the result of its process");
    else if (status < 0)
        snprintf(why, size, "its process was killed by signal %d (%s)", -status,
                 strsignal(-status));
    else if (status == EC_MEMORY)
        snprintf(why, size, "its process ran out of memory");
    else
        snprintf(why, size, "its process ended early with status %d", status);
    ret->status = status >= 0 && !w->why[0] ? status : -1;
    ret->late = w->why[0] != '\0';
    ret->killed = status == -SIGKILL && !ret->late;
    /* The last one: it gave up by itself, because it could not end its item in time. */
    ret->interrupted = status == -SIGINT || status == -SIGTERM || status == -SIGHUP ||
                       status == INTERRUPTED_STATUS;
}

static void report_result(struct crew *c, const struct ec_work_result *result)
{
    if (!c->plan->done(c->plan->context, result))
        c->stopped = true;
}

/* A worker is gone. */
static void lose_worker(struct crew *c, struct worker *w)
{
    struct ec_work_result result = {.item = w->item, .shared = w->shared};
    reap_worker(w, &result);
    if (w->busy)
        report_result(c, &result);
    w->busy = false;
}

static bool is_whole(const struct worker *w, struct frame *ret)
{
    if (w->length < sizeof *ret)
        return false;
    memcpy(ret, w->text, sizeof *ret);
    return w->length - sizeof *ret == ret->size;
}

/* Receive the available bytes. False: no more will come. */
static bool receive(struct worker *w)
{
    struct frame frame = {.size = 65536};
    if (w->length >= sizeof frame)
        memcpy(&frame, w->text, sizeof frame);
    const size_t room = sizeof frame + frame.size + 1;
    if (w->room < room) {
        char *grown = realloc(w->text, room);
        w->unread = !grown;
        if (!grown)
            return false;
        w->text = grown;
        w->room = room;
    }
    const ssize_t got = read(w->fd, w->text + w->length, w->room - w->length - 1);
    if (got > 0)
        w->length += (size_t)got;
    return got > 0 || (got < 0 && errno == EINTR);
}

static void take_message(struct crew *c, struct worker *w)
{
    struct frame frame;
    if (!receive(w)) {
        lose_worker(c, w);
        return;
    }
    if (!is_whole(w, &frame))
        return;
    w->text[w->length] = '\0';
    const struct ec_work_result result = {.item = frame.item,
                                          .whole = true,
                                          .text = w->text + sizeof frame,
                                          .size = frame.size,
                                          .shared = w->shared};
    w->busy = false;
    w->length = 0;
    report_result(c, &result);
    if (c->plan->fresh)
        lose_worker(c, w);
}

static void check_life(const struct crew *c, struct worker *w)
{
    if (!c->plan->alive || !w->busy || w->why[0] ||
        c->plan->alive(c->plan->context, w->shared, ec_clock_of(w->pid), w->why, sizeof w->why))
        return;
    kill(w->pid, SIGKILL); /* its socket closes when it is gone */
}

static bool due(struct timespec *last)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t ms =
        (int64_t)(now.tv_sec - last->tv_sec) * 1000 + (now.tv_nsec - last->tv_nsec) / 1000000;
    if (ms < TICK_MS)
        return false;
    *last = now;
    return true;
}

/* Wait for results, at most a tick. */
static void listen_once(struct crew *c)
{
    struct pollfd polls[EC_WORKERS_MAX];
    struct worker *of[EC_WORKERS_MAX];
    nfds_t count = 0;
    for (unsigned i = 0; i < c->plan->jobs; i++) {
        struct worker *w = &c->worker[i];
        if (w->pid == NO_PROCESS)
            continue;
        of[count] = w;
        polls[count++] = (struct pollfd){.fd = w->fd, .events = POLLIN};
    }
    if (poll(polls, count, TICK_MS) <= 0)
        return;
    for (nfds_t i = 0; i < count; i++) {
        if (polls[i].revents)
            take_message(c, of[i]);
    }
}

static bool all_begun(const struct crew *c)
{
    return c->begun == c->plan->count;
}

/* Writing to a worker that is gone fails; its socket will say so. */
static void give(struct crew *c, struct worker *w)
{
    w->item = c->begun++;
    w->busy = true;
    if (c->plan->shared) /* nothing is left of the item before, nor of the worker that did it */
        memset(w->shared, 0, c->plan->shared);
    (void)put_all(w->fd, &w->item, sizeof w->item);
}

static enum ec_code give_all(struct crew *c, struct ec_error *reterr)
{
    const unsigned limit = c->plan->limit ? c->plan->limit(c->plan->context) : c->plan->jobs;
    enum ec_code code = EC_OK;
    for (unsigned i = 0; i < c->plan->jobs && !c->stopped && !all_begun(c) && code == EC_OK; i++) {
        struct worker *w = &c->worker[i];
        if (w->busy)
            continue;
        if (i >= limit) {
            if (w->pid != NO_PROCESS)
                lose_worker(c, w);
            continue;
        }
        if (w->pid == NO_PROCESS)
            code = start_worker(c, w, reterr);
        if (code == EC_OK)
            give(c, w);
    }
    return code;
}

static bool any_busy(const struct crew *c)
{
    for (unsigned i = 0; i < c->plan->jobs; i++) {
        if (c->worker[i].busy)
            return true;
    }
    return false;
}

/* go_on() returned false. If patient, the workers may finish or cut short their current items, and
 * their results are kept. */
static void call_off(struct crew *c)
{
    c->stopped = true;
    for (unsigned i = 0; i < c->plan->jobs; i++) {
        struct worker *w = &c->worker[i];
        if (w->pid == NO_PROCESS || !w->busy)
            continue;
        kill(w->pid, c->plan->patient ? SIGTERM : SIGKILL);
        if (!c->plan->patient)
            w->busy = false; /* its end is not reported */
    }
}

static void close_crew(struct crew *c)
{
    struct ec_work_result ignored;
    if (c->plan->hired)
        c->plan->hired(c->plan->context, NULL);
    for (unsigned i = 0; i < c->plan->jobs; i++) {
        struct worker *w = &c->worker[i];
        if (w->pid != NO_PROCESS && c->plan->last && i == 0) {
            close(w->fd);
            *c->plan->last = w->pid;
        } else if (w->pid != NO_PROCESS) {
            reap_worker(w, &ignored);
        }
        if (w->shared)
            munmap(w->shared, c->plan->shared);
        free(w->text);
    }
    free(c);
}

enum ec_code ec_workers_run(const struct ec_workers_plan *plan, struct ec_error *reterr)
{
    struct crew *c = calloc(1, sizeof *c);
    struct timespec checked = {0};
    enum ec_code code = EC_OK;
    bool called_off = false;
    if (!c)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    c->plan = plan;
    while (code == EC_OK && (any_busy(c) || (!c->stopped && !all_begun(c)))) {
        if (!called_off && !plan->go_on(plan->context)) {
            called_off = true;
            call_off(c);
            continue;
        }
        code = give_all(c, reterr);
        if (code != EC_OK || (all_begun(c) && !any_busy(c)))
            break;
        listen_once(c);
        if (due(&checked)) {
            for (unsigned i = 0; i < plan->jobs; i++)
                check_life(c, &c->worker[i]);
        }
    }
    if (code != EC_OK)
        call_off(c);
    close_crew(c);
    return code;
}
