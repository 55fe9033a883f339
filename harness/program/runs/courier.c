/* SPDX-License-Identifier: Apache-2.0 */
/* The courier. Knows sockets and letters between ranks; must not know what is in a frame.
 *
 * In the socket a frame is its head and its bytes. As a letter it is the same. */
#include "program/runs/courier.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "program/runs/ranks.h"
#include "terminal/interrupt.h"

enum {
    NAP_MS = 2, /* between two looks for letters */
    WAIT_MS = 100,
    LEAVE_MS = 300,   /* after an interrupt */
    MET = UINT16_MAX, /* the first frame of a courier: the error of the meeting */
};

struct head {
    uint32_t rank, kind; /* the other rank */
    uint64_t size;
};

/* Bytes that grow at the end and shrink at the beginning. */
struct queue {
    char *bytes;
    size_t begin, end, room;
};

/* Room for `size` more bytes at the end. */
static bool queue_room(struct queue *q, size_t size)
{
    if (q->begin == q->end)
        q->begin = q->end = 0;
    if (size <= q->room - q->end)
        return true;
    if (q->begin > 0) {
        memmove(q->bytes, q->bytes + q->begin, q->end - q->begin);
        q->end -= q->begin;
        q->begin = 0;
    }
    size_t room = q->room ? q->room : 65536;
    while (room - q->end < size)
        room *= 2;
    char *grown = room > q->room ? realloc(q->bytes, room) : q->bytes;
    if (!grown)
        return false;
    q->bytes = grown;
    q->room = room;
    return true;
}

/* The complete frame at the beginning; false: there is none yet. */
static bool queue_frame(const struct queue *q, struct head *ret)
{
    const size_t size = q->end - q->begin;
    if (size < sizeof *ret)
        return false;
    memcpy(ret, q->bytes + q->begin, sizeof *ret);
    return size - sizeof *ret >= ret->size;
}

/* --- The child -------------------------------------------------------------------------------- */

struct round {
    struct world *world;
    int fd;
    struct queue in, out; /* from and to the parent */
    bool over;            /* the parent, or rank 0, has closed */
};

static bool put_frame(struct round *r, const struct head *h, const void *bytes)
{
    if (!queue_room(&r->out, sizeof *h + h->size))
        return false;
    memcpy(r->out.bytes + r->out.end, h, sizeof *h);
    if (h->size)
        memcpy(r->out.bytes + r->out.end + sizeof *h, bytes, h->size);
    r->out.end += sizeof *h + h->size;
    return true;
}

/* Hand everything that has come to the parent. False: MPI has failed, or memory is short. */
static bool take_letters(struct round *r)
{
    const struct world *w = r->world;
    for (;;) {
        struct head h;
        uint32_t rank;
        size_t size;
        const int found = w->api->letter_find(w->messages, WORLD_TAG_FRAME, &rank, &size);
        if (found <= 0)
            return found == 0;
        if (size < sizeof h || !queue_room(&r->out, size) ||
            !w->api->letter_take(w->messages, r->out.bytes + r->out.end))
            return false;
        memcpy(&h, r->out.bytes + r->out.end, sizeof h);
        if (h.size != size - sizeof h) /* damaged: the next frame would begin anywhere */
            return false;
        h.rank = rank;
        memcpy(r->out.bytes + r->out.end, &h, sizeof h);
        r->out.end += size;
    }
}

static bool send_letters(struct round *r)
{
    const struct world *w = r->world;
    struct head h;
    while (queue_frame(&r->in, &h)) {
        if (!w->api->letter_send(w->messages, h.rank, WORLD_TAG_FRAME, r->in.bytes + r->in.begin,
                                 sizeof h + h.size))
            return false;
        r->in.begin += sizeof h + h.size;
    }
    return w->api->letters_gone(w->messages) >= 0;
}

static bool read_parent(struct round *r)
{
    if (!queue_room(&r->in, 65536))
        return false;
    const ssize_t got = read(r->fd, r->in.bytes + r->in.end, r->in.room - r->in.end);
    if (got == 0)
        r->over = true;
    else if (got > 0)
        r->in.end += (size_t)got;
    return got >= 0 || errno == EINTR || errno == EAGAIN;
}

static bool write_parent(struct round *r)
{
    const ssize_t put =
        send(r->fd, r->out.bytes + r->out.begin, r->out.end - r->out.begin, MSG_NOSIGNAL);
    if (put > 0)
        r->out.begin += (size_t)put;
    return put > 0 || errno == EINTR || errno == EAGAIN;
}

/* Carry until the parent closes. False: the ranks cannot go on. */
static bool carry(struct round *r)
{
    while (!r->over) {
        struct pollfd p = {.fd = r->fd, .events = POLLIN};
        if (r->out.begin < r->out.end)
            p.events |= POLLOUT;
        poll(&p, 1, NAP_MS);
        if (((p.revents & POLLOUT) && !write_parent(r)) ||
            ((p.revents & (POLLIN | POLLHUP)) && !read_parent(r)))
            r->over = true;                              /* the parent is gone */
        const bool closing = world_is_closing(r->world); /* what came before is taken yet */
        if (!send_letters(r) || !take_letters(r))
            return false;
        if (closing && r->out.begin == r->out.end)
            break;
    }
    return true;
}

/* The parent ends everything: this process does not take part in signals to the group. */
static _Noreturn void be_courier(int fd, pid_t parent)
{
    static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};
    struct ec_error e = {.code = EC_OK};
    struct round r = {.fd = fd};
    for (size_t i = 0; i < sizeof interrupts / sizeof *interrupts; i++)
        signal(interrupts[i], SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EC_INTERRUPTED);
    enum ec_code code = cli_ranks_meet(0, EC_OK, &r.world, &e);
    e.code = code;
    const struct head met = {.kind = MET, .size = sizeof e};
    bool good = put_frame(&r, &met, &e) && write_parent(&r);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    if (good && code == EC_OK && !carry(&r)) {
        r.world->broken = true;
        code = EC_INTERNAL;
    }
    (void)cli_ranks_leave(code);
    exit(code);
}

/* --- The parent ------------------------------------------------------------------------------- */

struct courier {
    pid_t pid;
    int fd;
    struct queue in;
};

static enum ec_code start(struct courier *c, struct ec_error *reterr)
{
    int ends[2];
    const pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return ec_fail(reterr, EC_IO, "cannot start a process for messages: %s", strerror(errno));
    fflush(NULL);
    c->pid = fork();
    if (c->pid == 0) {
        close(ends[0]);
        be_courier(ends[1], parent);
    }
    const int error = errno;
    close(ends[1]);
    c->fd = ends[0];
    if (c->pid > 0)
        return EC_OK;
    close(c->fd);
    return ec_fail(reterr, EC_IO, "cannot start a process for messages: %s", strerror(error));
}

/* The first frame says whether all ranks may go on. */
static enum ec_code read_meeting(struct courier *c, struct ec_error *reterr)
{
    struct courier_frame f;
    struct ec_error e;
    const int got = courier_await(c, &f);
    if (got == 0)
        return ec_fail(reterr, EC_INTERRUPTED, "interrupted");
    if (got < 0 || f.kind != MET || f.size != sizeof e)
        return ec_fail(reterr, EC_INTERNAL, "the process for messages has ended");
    memcpy(&e, f.bytes, sizeof e);
    if (e.code != EC_OK)
        *reterr = e;
    return e.code;
}

enum ec_code courier_open(struct courier **ret, struct ec_error *reterr)
{
    struct courier *c = calloc(1, sizeof *c);
    if (!c)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    enum ec_code code = start(c, reterr);
    if (code != EC_OK) {
        free(c);
        return code;
    }
    code = read_meeting(c, reterr);
    if (code == EC_OK)
        *ret = c;
    else
        courier_close(c);
    return code;
}

static bool has_ended(const struct courier *c)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

void courier_close(struct courier *c)
{
    if (!c)
        return;
    close(c->fd);
    for (int ms = 0; cli_interrupted() && ms < LEAVE_MS && !has_ended(c); ms += NAP_MS)
        poll(NULL, 0, NAP_MS);
    if (cli_interrupted()) /* the launcher ends all, and may not wait for MPI to end */
        kill(c->pid, SIGKILL);
    ec_process_reap(c->pid);
    free(c->in.bytes);
    free(c);
}

int courier_fd(const struct courier *c)
{
    return c->fd;
}

bool courier_send(struct courier *c, uint32_t rank, uint32_t kind, const void *bytes, size_t size)
{
    const struct head h = {.rank = rank, .kind = kind, .size = size};
    const struct iovec pieces[] = {{(void *)&h, sizeof h}, {(void *)bytes, size}};
    struct iovec left[2] = {pieces[0], pieces[1]};
    struct msghdr m = {.msg_iov = left, .msg_iovlen = 2};
    while (left[0].iov_len + left[1].iov_len > 0) {
        ssize_t put = sendmsg(c->fd, &m, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        for (size_t i = 0; i < 2; i++) {
            const size_t gone = (size_t)put < left[i].iov_len ? (size_t)put : left[i].iov_len;
            left[i].iov_base = (char *)left[i].iov_base + gone;
            left[i].iov_len -= gone;
            put -= (ssize_t)gone;
        }
    }
    return true;
}

int courier_take(struct courier *c, struct courier_frame *ret)
{
    struct head h;
    while (!queue_frame(&c->in, &h)) {
        if (!queue_room(&c->in, 65536))
            return -1;
        const ssize_t got =
            recv(c->fd, c->in.bytes + c->in.end, c->in.room - c->in.end, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return 0;
        if (got <= 0)
            return -1;
        c->in.end += (size_t)got;
    }
    *ret = (struct courier_frame){.rank = h.rank,
                                  .kind = h.kind,
                                  .bytes = c->in.bytes + c->in.begin + sizeof h,
                                  .size = h.size};
    c->in.begin += sizeof h + h.size;
    return 1;
}

enum ec_code courier_explain(const struct courier *c, struct ec_error *reterr)
{
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT) == 0 && info.si_code != CLD_EXITED)
        return ec_fail(reterr, EC_INTERNAL,
                       "the process for messages between ranks was killed by signal %d (%s)",
                       info.si_status, strsignal(info.si_status));
    return ec_fail(reterr, EC_INTERRUPTED, "another rank has ended before the list");
}

int courier_await(struct courier *c, struct courier_frame *ret)
{
    for (;;) {
        struct pollfd p = {.fd = c->fd, .events = POLLIN};
        const int got = courier_take(c, ret);
        if (got != 0)
            return got;
        if (cli_interrupted())
            return 0;
        poll(&p, 1, WAIT_MS);
    }
}
