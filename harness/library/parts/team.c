/* SPDX-License-Identifier: Apache-2.0 */
/* Parts as threads of one process. Knows
 * threads, processors and shared memory; must not know what the parts exchange.
 *
 * Collectives are numbered 1, 2, ... In collective n a part writes its slot n % 2 and marks it with
 * n: it arrives. Then it waits until the slots n % 2 of all parts show n. It writes this slot again
 * in collective n + 2, after it has seen all parts arrive at n + 1, so after all have read the
 * slot. One barrier per collective is therefore enough. The buffers of swaps and gathers are double
 * for the same reason. */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "parts/transport.h"

/* --- A thread waits until another one changes a word: first awake, then asleep (futex) -------- */

typedef _Atomic uint32_t wait_word;

enum {
    AWAKE_NS = 20000, /* about what it costs to sleep and wake up on another processor */
    PAUSES = 64,      /* between two looks at the clock */
    WAIT_MS = 20,
};

static inline void pause_briefly(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("isb");
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

static uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* Watch `word` until it is not `old`, for a few microseconds. True: it changed. */
static bool wait_awake(const wait_word *word, uint32_t old)
{
    uint64_t since = 0;
    for (;;) {
        for (unsigned i = 0; i < PAUSES; i++) {
            if (atomic_load_explicit(word, memory_order_acquire) != old)
                return true;
            pause_briefly();
        }
        const uint64_t now = clock_ns();
        if (!since)
            since = now;
        else if (now - since > AWAKE_NS)
            return false;
    }
}

/* Sleep until wait_wake(word), if it is still `old`; sometimes ends without a reason. False: it
 * took WAIT_MS. */
static bool wait_asleep(wait_word *word, uint32_t old)
{
    const struct timespec most = {.tv_nsec = WAIT_MS * 1000000L};
    return !syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, old, &most, NULL, 0) || errno != ETIMEDOUT;
}

/* Wake all threads that sleep on `word`. */
static void wait_wake(wait_word *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* --- A team ----------------------------------------------------------------------------------- */

enum { LINE = 64 }; /* bytes of a cache line */

enum kind { SWAP, FOLD, GATHER };

/* What a part says in a collective. */
struct slot {
    alignas(LINE) wait_word arrived; /* number of the last collective that used this slot */
    enum kind kind;
    uint64_t count; /* like `kind`, the same in all parts */
    uint64_t values[EXCHANGE_VALUES];
};

/* What a part shows to the others. */
struct desk {
    struct slot slot[2];
    struct exchange_bytes *mail[2];          /* [neighbours] of swaps */
    struct exchange_bytes bulk[2];           /* of gathers and large folds */
    alignas(LINE) _Atomic uint32_t sleepers; /* threads that may sleep until this part arrives */
    atomic_bool gone;                        /* its body has returned */
};

enum gate { GATE_SHUT, GATE_OPEN, GATE_CANCELLED };

struct team {
    const struct parts_plan *plan;
    parts_body *body;
    void *context;
    struct desk *desk;     /* [parts] */
    struct member *member; /* [parts] */
    cpu_set_t allowed;     /* the processors of the calling thread */
    bool crowded; /* more parts than processors: who waits awake keeps others from running */
    bool pinned;
    wait_word gate; /* for new threads: enum gate */

    pthread_mutex_t lock; /* of `end` until it is `stopped` */
    atomic_bool stopped;
    struct exchange_end end;
};

/* A part in its thread. */
struct member {
    alignas(LINE) struct exchange x;
    struct team *team;
    struct desk *desk;
    uint32_t number;                 /* of the last collective, modulo 2^32 */
    unsigned mail, bulk;             /* which of two: being filled; the next to be used */
    uint32_t *mine;                  /* [neighbours] index of this part in its neighbour's mail */
    struct exchange_bytes *gathered; /* [parts] */
    pthread_t thread;
};

/* --- Aborts ----------------------------------------------------------------------------------- */

static void wake_sleepers(struct desk *d)
{
    wait_wake(&d->slot[0].arrived);
    wait_wake(&d->slot[1].arrived);
}

/* Returns false. Only the first reason counts. */
static bool stop(struct team *team, enum ec_code code, const char *why)
{
    pthread_mutex_lock(&team->lock);
    if (!atomic_load(&team->stopped)) {
        exchange_end_set(&team->end, code, why);
        atomic_store(&team->stopped, true);
    }
    pthread_mutex_unlock(&team->lock);
    for (uint32_t q = 0; q < team->plan->parts; q++)
        wake_sleepers(&team->desk[q]);
    return false;
}

static bool stop_early_end(struct member *m, uint32_t part)
{
    char why[EXCHANGE_WHY];
    snprintf(why, sizeof why, "part %u waits for part %u, which has ended", m->x.part, part);
    return stop(m->team, EC_INTERNAL, why);
}

static bool stop_mismatch(struct member *m, uint32_t part)
{
    char why[EXCHANGE_WHY];
    snprintf(why, sizeof why, "parts %u and %u do not exchange the same", m->x.part, part);
    return stop(m->team, EC_INTERNAL, why);
}

/* --- Waiting ---------------------------------------------------------------------------------- */

static void report_wait(const struct member *m, uint32_t part)
{
    if (m->x.waiting)
        m->x.waiting(m->x.waiting_context, part);
}

/* Sleep until part q arrives. False: it never will. */
static bool await_asleep(struct member *m, uint32_t q)
{
    struct desk *d = &m->team->desk[q];
    wait_word *arrived = &d->slot[m->number % 2].arrived;
    bool reported = false, here;
    atomic_fetch_add(&d->sleepers, 1);
    for (;;) {
        const bool over = atomic_load(&d->gone) || atomic_load(&m->team->stopped);
        here = atomic_load(arrived) == m->number; /* after `gone`: it may have arrived first */
        if (here || over)
            break;
        if (!wait_asleep(arrived, m->number - 2)) {
            report_wait(m, q);
            reported = true;
        }
    }
    atomic_fetch_sub(&d->sleepers, 1);
    if (reported)
        report_wait(m, m->x.part);
    return here || stop_early_end(m, q);
}

static inline bool await(struct member *m, uint32_t q)
{
    const wait_word *arrived = &m->team->desk[q].slot[m->number % 2].arrived;
    if (atomic_load_explicit(arrived, memory_order_acquire) == m->number)
        return true;
    if (!m->team->crowded && wait_awake(arrived, m->number - 2))
        return true;
    return await_asleep(m, q);
}

/* --- Collectives ------------------------------------------------------------------------------ */

static void arrive(struct member *m, enum kind kind, uint64_t count, const uint64_t *values,
                   size_t value_count)
{
    struct slot *s = &m->desk->slot[++m->number % 2];
    s->kind = kind;
    s->count = count;
    for (size_t i = 0; i < value_count; i++)
        s->values[i] = values[i];
    atomic_store(&s->arrived, m->number);
    if (atomic_load(
            &m->desk->sleepers)) /* who sleeps counted itself before it looked at `arrived` */
        wait_wake(&s->arrived);
}

/* One collective: all parts arrive, with the same kind and count, and values are folded. */
static bool meet(struct member *m, enum kind kind, uint64_t count, uint64_t *values,
                 const enum exchange_fold *fold, size_t value_count)
{
    if (atomic_load_explicit(&m->team->stopped, memory_order_relaxed))
        return false;
    arrive(m, kind, count, values, value_count);
    for (uint32_t i = 1; i < m->x.parts; i++) {
        const uint32_t q = m->x.part + i < m->x.parts ? m->x.part + i : m->x.part + i - m->x.parts;
        if (!await(m, q))
            return false;
        const struct slot *s = &m->team->desk[q].slot[m->number % 2];
        if (s->kind != kind || s->count != count)
            return stop_mismatch(m, q);
        for (size_t v = 0; v < value_count; v++)
            values[v] = exchange_fold_one(values[v], s->values[v], fold[v]);
    }
    return true;
}

static bool team_swap(struct exchange *x, uint64_t *values, const enum exchange_fold *fold,
                      size_t count)
{
    struct member *m = (struct member *)x;
    if (count > EXCHANGE_VALUES)
        return stop(m->team, EC_INTERNAL, "a swap of too many values");
    if (!meet(m, SWAP, count, values, fold, count))
        return false;
    for (uint32_t k = 0; k < x->neighbours; k++)
        x->from[k] = m->team->desk[x->neighbour[k]].mail[m->mail][m->mine[k]];
    m->mail ^= 1;
    x->to = m->desk->mail[m->mail];
    for (uint32_t k = 0; k < x->neighbours; k++)
        x->to[k].size = 0;
    return true;
}

/* Copy into the buffer that the others read. NULL: out of memory, and all have been told. */
static struct exchange_bytes *fill_bulk(struct member *m, const void *bytes, size_t size)
{
    struct exchange_bytes *b = &m->desk->bulk[m->bulk];
    if (exchange_keep(b, bytes, size))
        return b;
    stop(m->team, EC_MEMORY, "out of memory for what the parts gather");
    return NULL;
}

static bool team_gather(struct exchange *x, const void *bytes, size_t size, bool everyone,
                        const struct exchange_bytes **ret)
{
    struct member *m = (struct member *)x;
    *ret = NULL;
    if (!fill_bulk(m, bytes, size) || !meet(m, GATHER, everyone, NULL, NULL, 0))
        return false;
    if (everyone || x->part == 0) {
        for (uint32_t q = 0; q < x->parts; q++)
            m->gathered[q] = m->team->desk[q].bulk[m->bulk];
        *ret = m->gathered;
    }
    m->bulk ^= 1;
    return true;
}

static bool fold_many(struct member *m, uint64_t *values, size_t count, enum exchange_fold fold)
{
    const struct exchange_bytes *all;
    if (!team_gather(&m->x, values, count * sizeof *values, true, &all))
        return false;
    for (uint32_t q = 0; q < m->x.parts; q++) {
        if (all[q].size != count * sizeof *values)
            return stop_mismatch(m, q);
        if (q != m->x.part)
            exchange_fold_all(values, (const uint64_t *)(const void *)all[q].data, count, fold);
    }
    return true;
}

static bool team_fold(struct exchange *x, uint64_t *values, size_t count, enum exchange_fold fold)
{
    struct member *m = (struct member *)x;
    enum exchange_fold folds[EXCHANGE_VALUES];
    if (count > EXCHANGE_VALUES)
        return fold_many(m, values, count, fold);
    for (size_t i = 0; i < count; i++)
        folds[i] = fold;
    return meet(m, FOLD, count, values, folds, count);
}

static void team_abort(struct exchange *x, enum ec_code code, const char *why)
{
    stop(((struct member *)x)->team, code, why);
}

static const struct exchange_end *team_end(const struct exchange *x)
{
    static const struct exchange_end none = {.code = EC_OK};
    const struct team *team = ((const struct member *)x)->team;
    return atomic_load(&team->stopped) ? &team->end : &none;
}

static const struct exchange_ops team_ops = {
    .swap = team_swap,
    .fold = team_fold,
    .gather = team_gather,
    .abort = team_abort,
    .end = team_end,
};

/* --- Threads ---------------------------------------------------------------------------------- */

/* Bind the calling thread to one of the allowed processors. */
static void pin(const struct team *team, uint32_t part)
{
    uint32_t number = 0;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &team->allowed) || number++ != part)
            continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        pthread_setaffinity_np(pthread_self(), sizeof one, &one);
        return;
    }
}

static void run_member(struct member *m)
{
    struct team *team = m->team;
    if (team->pinned)
        pin(team, m->x.part);
    team->body(team->context, &m->x);
    atomic_store(&m->desk->gone, true);
    wake_sleepers(m->desk);
}

static void *thread_main(void *argument)
{
    struct member *m = argument;
    wait_word *gate = &m->team->gate;
    while (atomic_load(gate) == GATE_SHUT)
        wait_asleep(gate, GATE_SHUT);
    if (atomic_load(gate) == GATE_OPEN)
        run_member(m);
    return NULL;
}

static void open_gate(struct team *team, enum gate to)
{
    atomic_store(&team->gate, (uint32_t)to);
    wait_wake(&team->gate);
}

/* Signals go to the thread that was there before, except those that say that a thread itself
 * failed. */
static void block_signals(sigset_t *ret_before)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t set;
    sigfillset(&set);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&set, own[i]);
    pthread_sigmask(SIG_BLOCK, &set, ret_before);
}

static enum ec_code run_threads(struct team *team, struct ec_error *reterr)
{
    const uint32_t parts = team->plan->parts;
    uint32_t started = 1;
    int error = 0;
    sigset_t before;
    block_signals(&before);
    while (started < parts && !error) {
        struct member *m = &team->member[started];
        error = pthread_create(&m->thread, NULL, thread_main, m);
        started += !error;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    open_gate(team, error ? GATE_CANCELLED : GATE_OPEN);
    if (!error)
        run_member(&team->member[0]);
    for (uint32_t p = 1; p < started; p++)
        pthread_join(team->member[p].thread, NULL);
    if (team->pinned)
        pthread_setaffinity_np(pthread_self(), sizeof team->allowed, &team->allowed);
    return error ? ec_fail(reterr, EC_INTERNAL, "cannot start thread %u of %u: %s", started + 1,
                           parts, strerror(error))
                 : EC_OK;
}

/* --- Setting up ------------------------------------------------------------------------------- */

static void *lines(size_t count, size_t size)
{
    void *at;
    if (posix_memalign(&at, LINE, count && size ? count * size : LINE))
        return NULL;
    return memset(at, 0, count * size);
}

static void find_processors(struct team *team)
{
    const struct parts_plan *plan = team->plan;
    if (sched_getaffinity(0, sizeof team->allowed, &team->allowed))
        return;
    const uint32_t count = (uint32_t)CPU_COUNT(&team->allowed);
    team->crowded = plan->parts > count;
    team->pinned = plan->pin && plan->parts == count;
}

/* Index of `part` among the neighbours of `of`; UINT32_MAX: it is none. */
static uint32_t index_at(const struct parts_plan *plan, uint32_t of, uint32_t part)
{
    for (uint32_t i = plan->first[of]; i < plan->first[of + 1]; i++)
        if (plan->neighbour[i] == part)
            return i - plan->first[of];
    return UINT32_MAX;
}

static enum ec_code open_member(struct team *team, uint32_t part, struct ec_error *reterr)
{
    const struct parts_plan *plan = team->plan;
    struct member *m = &team->member[part];
    struct desk *d = &team->desk[part];
    const uint32_t first = plan->first ? plan->first[part] : 0;
    const uint32_t neighbours = plan->first ? plan->first[part + 1] - first : 0;
    m->team = team;
    m->desk = d;
    m->mine = lines(neighbours, sizeof *m->mine);
    m->gathered = lines(plan->parts, sizeof *m->gathered);
    atomic_init(&d->slot[1].arrived, (uint32_t)-1); /* two before the number of its first use */
    for (unsigned i = 0; i < 2; i++)
        d->mail[i] = lines(neighbours, sizeof *d->mail[i]);
    m->x = (struct exchange){
        .ops = &team_ops,
        .part = part,
        .parts = plan->parts,
        .neighbours = neighbours,
        .neighbour = neighbours ? plan->neighbour + first : NULL,
        .to = d->mail[0],
        .from = lines(neighbours, sizeof *m->x.from),
    };
    if (!m->mine || !m->gathered || !d->mail[0] || !d->mail[1] || !m->x.from)
        return ec_fail(reterr, EC_MEMORY, "out of memory for %u parts", plan->parts);
    for (uint32_t k = 0; k < neighbours; k++) {
        m->mine[k] = index_at(plan, m->x.neighbour[k], part);
        if (m->mine[k] == UINT32_MAX)
            return ec_fail(reterr, EC_INTERNAL, "part %u is no neighbour of its neighbour %u", part,
                           m->x.neighbour[k]);
    }
    return EC_OK;
}

static void close_member(struct team *team, uint32_t part)
{
    struct member *m = &team->member[part];
    struct desk *d = &team->desk[part];
    for (unsigned i = 0; i < 2; i++) {
        for (uint32_t k = 0; d->mail[i] && k < m->x.neighbours; k++)
            exchange_free(&d->mail[i][k]);
        free(d->mail[i]);
        exchange_free(&d->bulk[i]);
    }
    free(m->x.from);
    free(m->gathered);
    free(m->mine);
}

enum ec_code team_run(const struct parts_plan *plan, parts_body *body, void *context,
                      struct ec_error *reterr)
{
    struct team team = {
        .plan = plan,
        .body = body,
        .context = context,
        .desk = lines(plan->parts, sizeof *team.desk),
        .member = lines(plan->parts, sizeof *team.member),
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
    enum ec_code code = EC_OK;
    if (!team.desk || !team.member)
        code = ec_fail(reterr, EC_MEMORY, "out of memory for %u parts", plan->parts);
    for (uint32_t p = 0; !code && p < plan->parts; p++)
        code = open_member(&team, p, reterr);
    if (!code) {
        find_processors(&team);
        code = run_threads(&team, reterr);
    }
    for (uint32_t p = 0; team.desk && team.member && p < plan->parts; p++)
        close_member(&team, p);
    free(team.desk);
    free(team.member);
    return code;
}
