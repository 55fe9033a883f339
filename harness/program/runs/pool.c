/* SPDX-License-Identifier: Apache-2.0 */
/* Hands the items of a list to workers and their results to the caller, in list order.
 *
 * Knows workers, interrupts, progress, memory and the journal; must not know what an item is. */
#include "program/runs/pool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/usage.h"
#include "parts/host.h"
#include "program/runs/ranks.h"
#include "terminal/interrupt.h"
#include "terminal/status.h"

/* The workers leave a tenth of the available memory to the rest of the system. */
enum { SPARE = 10 };
/* Results that wait for an earlier one. Beyond this no further item begins. */
#define HELD_BYTES_MAX ((size_t)256 << 20)

/* What a worker shares with this process. */
struct desk {
    struct ec_vitals vitals; /* first: ec_vitals_alive() gets it */
    size_t item;
    char activity[CLI_ACTIVITY_SIZE];
};

/* The last bytes of a worker's output. */
struct trailer {
    struct cli_reply reply;
    uint64_t peak; /* memory of the worker so far, in bytes */
};

/* A result that waits for those before it. */
struct held {
    struct cli_reply reply;
    char death[400]; /* "": the worker did not die of the RTL */
    bool late;
    size_t size;
    char bytes[];
};

struct pool {
    const struct cli_pool *plan;
    size_t *todo; /* [todo_count] the items that are not in the journal */
    size_t todo_count;
    struct held **held; /* [plan->count] */
    size_t held_bytes;
    size_t next;       /* the first item that was not handed over */
    size_t ended;      /* of `todo` */
    bool stopped;      /* by the caller */
    bool unkept;       /* the journal cannot be written; that was said */
    enum ec_code code; /* out of memory, or EC_OK */
    enum ec_code last; /* in a worker: of its last item */
    unsigned jobs;
    uint64_t memory, need; /* bytes for all workers, and for one; 0: not known */
    bool limited;          /* by memory, which was said */
    bool told;             /* the progress shows an item */
    const struct desk *desk[EC_WORKERS_MAX];
    unsigned desks;
    struct timespec start;
};

/* --- In a worker ------------------------------------------------------------------------------ */

/* If the item of all ranks has ended before they met, the others must know. */
static void tell_ranks(const struct pool *p, struct cli_reply *reply)
{
    struct world *world;
    if (p->plan->split && !cli_ranks_met())
        reply->code = cli_ranks_meet(1, reply->code, &world, &reply->error);
}

static void do_in_worker(void *context, size_t item, void *shared, FILE *out)
{
    struct pool *p = context;
    struct desk *desk = shared;
    struct trailer t = {.reply.code = EC_OK};
    item = p->todo[item];
    desk->item = item;
    cli_interrupt_worker(&desk->vitals);
    cli_progress_worker(p->plan->progress, desk->activity);
    for (unsigned side = 0; p->plan->session && side < 2; side++)
        ec_session_show(p->plan->session, side, &desk->vitals.pulse[side]);
    if (p->plan->watched)
        p->plan->watched(p->plan->context, &desk->vitals);
    p->plan->work(p->plan->context, item, out, &t.reply);
    if (p->plan->coverage)
        cli_coverage_keep(p->plan->coverage, p->plan->session);
    tell_ranks(p, &t.reply);
    p->last = t.reply.code;
    t.reply.final = t.reply.final && t.reply.code == EC_OK && !cli_interrupted();
    t.peak = ec_peak_memory();
    desk->activity[0] = '\0';
    fwrite(&t, sizeof t, 1, out);
}

static void end_worker(void *context)
{
    const struct pool *p = context;
    if (cli_ranks_leave(p->last))
        exit(EC_OK);
}

/* --- Order ------------------------------------------------------------------------------------ */

static void hand_over(struct pool *p, size_t item, const struct held *h, const char *bytes)
{
    const struct cli_pool_result result = {.item = item,
                                           .reply = &h->reply,
                                           .bytes = bytes,
                                           .size = h->size,
                                           .death = h->death[0] ? h->death : NULL,
                                           .late = h->late};
    if (!p->plan->done(p->plan->context, &result))
        p->stopped = true;
}

/* The result of an item that the journal has. */
static bool find_kept(const struct pool *p, size_t item, struct held *ret, const char **ret_bytes)
{
    const void *kept;
    size_t size;
    int status;
    if (!p->plan->journal ||
        !cli_journal_find(p->plan->journal, &p->plan->keys[item], &kept, &size) ||
        size < sizeof status)
        return false;
    memcpy(&status, kept, sizeof status);
    *ret = (struct held){.reply = {.whole = true, .final = true, .status = status},
                         .size = size - sizeof status};
    *ret_bytes = (const char *)kept + sizeof status;
    return true;
}

/* Hand over the results whose turn it is. `all`: no further result will come, so those that are
 * missing are left out. */
static void hand_over_all(struct pool *p, bool all)
{
    for (; p->next < p->plan->count && !p->stopped; p->next++) {
        struct held *h = p->held[p->next], kept;
        const char *bytes;
        if (h) {
            hand_over(p, p->next, h, h->bytes);
            p->held_bytes -= h->size;
            p->held[p->next] = NULL;
            free(h);
        } else if (find_kept(p, p->next, &kept, &bytes)) {
            hand_over(p, p->next, &kept, bytes);
        } else if (!all) {
            return;
        }
    }
}

/* --- In this process, for every result -------------------------------------------------------- */

static void keep_in_journal(struct pool *p, size_t item, const struct held *h)
{
    struct ec_error e;
    const int status = h->reply.status;
    if (!p->plan->journal || p->unkept || !h->reply.final ||
        cli_journal_add(p->plan->journal, &p->plan->keys[item], &status, sizeof status, h->bytes,
                        h->size, &e) == EC_OK)
        return;
    p->unkept = true;
    cli_progress_erase(p->plan->progress);
    cli_complain(NULL, &e);
}

/* Why there is no result of a worker that is gone. */
static void explain_loss(const struct ec_work_result *r, struct held *h)
{
    char what[sizeof h->death];
    ec_vitals_tidy(r->shared);
    if (cli_interrupted() || r->interrupted) {
        ec_fail(&h->reply.error, EC_INTERRUPTED, "%s", cli_interrupt_reason());
    } else {
        const bool in_rtl = ec_vitals_death(r, what, sizeof what);
        snprintf(h->death, sizeof h->death, "%s", in_rtl ? what : "");
        h->late = r->late;
        ec_fail(&h->reply.error, !in_rtl && r->status == EC_MEMORY ? EC_MEMORY : EC_INTERNAL, "%s",
                what);
    }
    h->reply.code = h->reply.error.code;
}

/* Takes ownership. */
static void take_held(struct pool *p, size_t item, struct held *h)
{
    p->ended++;
    keep_in_journal(p, item, h);
    p->held[item] = h;
    p->held_bytes += h->size;
    hand_over_all(p, false);
}

static bool result_came(void *context, const struct ec_work_result *r)
{
    struct pool *p = context;
    const size_t item = p->todo[r->item];
    struct trailer t = {.peak = 0};
    const size_t size = r->whole ? r->size - sizeof t : 0;
    struct held *h = malloc(sizeof *h + size + 1);
    if (!h) {
        p->code = EC_MEMORY;
        return false;
    }
    *h = (struct held){.size = size};
    if (r->whole) {
        memcpy(h->bytes, r->text, size);
        memcpy(&t, r->text + size, sizeof t);
        h->reply = t.reply;
        p->need = t.peak > p->need ? t.peak : p->need;
    } else {
        explain_loss(r, h);
    }
    h->bytes[size] = '\0';
    take_held(p, item, h);
    return !p->stopped;
}

/* --- How many workers, and how far they are --------------------------------------------------- */

static void say_limit(struct pool *p, unsigned limit)
{
    char line[200];
    if (p->limited || p->plan->progress->quiet)
        return;
    snprintf(line, sizeof line,
             "memory limits the list to %u worker%s at a time instead of %u: one needs %" PRIu64
             " MB, %" PRIu64 " MB are available",
             limit, limit == 1 ? "" : "s", p->jobs, p->need >> 20, p->memory >> 20);
    cli_progress_line(p->plan->progress, line);
    p->limited = true;
}

static unsigned allowed(void *context)
{
    struct pool *p = context;
    if (p->held_bytes > HELD_BYTES_MAX)
        return 0;
    if (p->plan->jobs > 0 || !p->memory || !p->need)
        return p->jobs;
    const uint64_t room = (p->memory - p->memory / SPARE) / p->need;
    if (room >= p->jobs)
        return p->jobs;
    const unsigned limit = room > 0 ? (unsigned)room : 1;
    say_limit(p, limit);
    return limit;
}

static void note_desk(void *context, void *shared)
{
    struct pool *p = context;
    unsigned i = 0;
    cli_interrupt_watch(NULL, shared);
    if (!shared) { /* all are gone */
        p->desks = 0;
        return;
    }
    while (i < p->desks && p->desk[i] != shared)
        i++;
    p->desk[i] = shared;
    p->desks = i < p->desks ? p->desks : i + 1;
}

/* The first item that is at work, or NULL. */
static const struct desk *first_at_work(const struct pool *p)
{
    const struct desk *first = NULL;
    for (unsigned i = 0; i < p->desks; i++) {
        if (p->desk[i]->activity[0] && (!first || p->desk[i]->item < first->item))
            first = p->desk[i];
    }
    return first;
}

static void tell(struct pool *p)
{
    const struct desk *d = first_at_work(p);
    struct timespec now;
    char left[60] = "";
    if (!d)
        return;
    p->told = true;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds = (double)(now.tv_sec - p->start.tv_sec);
    if (p->ended > 0 && seconds >= 1) {
        char text[30];
        cli_progress_duration(seconds * (double)(p->todo_count - p->ended) / (double)p->ended, text,
                              sizeof text);
        snprintf(left, sizeof left, ", %zu done, about %s left",
                 p->plan->count - p->todo_count + p->ended, text);
    }
    if (p->plan->list)
        cli_progress_say(p->plan->progress, "%s %zu of %zu%s: %.*s", p->plan->what, d->item + 1,
                         p->plan->count, left, CLI_ACTIVITY_SIZE - 1, d->activity);
    else
        cli_progress_say(p->plan->progress, "%.*s", CLI_ACTIVITY_SIZE - 1, d->activity);
}

static bool goes_on(void *context)
{
    struct pool *p = context;
    tell(p);
    /* A worker of another rank takes leave of rank 0 by itself. */
    return !cli_interrupted() && (!p->stopped || cli_rank() > 0) && p->code == EC_OK;
}

/* --- The list --------------------------------------------------------------------------------- */

static enum ec_code open_pool(struct pool *p, struct ec_error *e)
{
    const size_t count = p->plan->count;
    struct held kept;
    const char *bytes;
    p->todo = malloc((count + 1) * sizeof *p->todo);
    p->held = calloc(count + 1, sizeof(struct held *));
    if (!p->todo || !p->held)
        return ec_fail(e, EC_MEMORY, "out of memory for a list of %zu", count);
    for (size_t i = 0; i < count; i++) {
        if (!find_kept(p, i, &kept, &bytes))
            p->todo[p->todo_count++] = i;
    }
    const unsigned threads = p->plan->threads ? p->plan->threads : 1;
    p->jobs = (p->plan->jobs ? p->plan->jobs : ec_host_processors()) / threads;
    p->jobs = p->jobs ? p->jobs : 1;
    const unsigned most = p->todo_count < EC_WORKERS_MAX ? (unsigned)p->todo_count : EC_WORKERS_MAX;
    p->jobs = most < p->jobs ? most : p->jobs;
    p->memory = ec_host_memory();
    p->need = p->plan->bytes;
    clock_gettime(CLOCK_MONOTONIC, &p->start);
    return EC_OK;
}

static void close_pool(struct pool *p)
{
    for (size_t i = 0; p->held && i < p->plan->count; i++)
        free(p->held[i]);
    free(p->held);
    free(p->todo);
}

size_t cli_pool_bytes(uint32_t nodes)
{
    enum { BASE = 4 << 20, PER_NODE = 3000 };
    return BASE + (size_t)nodes * PER_NODE;
}

enum ec_code cli_pool_run(const struct cli_pool *plan, struct ec_error *reterr)
{
    struct pool p = {.plan = plan};
    enum ec_code code = open_pool(&p, reterr);
    pid_t last = 0;
    struct ec_workers_plan workers = {.count = p.todo_count,
                                      .jobs = p.jobs,
                                      .fresh = plan->fresh,
                                      .patient = true,
                                      .shared = sizeof(struct desk),
                                      .context = &p,
                                      .work = do_in_worker,
                                      .ended = end_worker,
                                      .hired = note_desk,
                                      .done = result_came,
                                      .limit = allowed,
                                      .go_on = goes_on,
                                      .alive = ec_vitals_alive};
    if (code == EC_OK)
        hand_over_all(&p, false); /* those of the journal */
    if (plan->split) /* it leaves the other ranks while this process writes the result */
        workers.last = &last;
    if (code == EC_OK && !p.stopped)
        code = ec_workers_run(&workers, reterr);
    cli_ranks_reap(last);
    if (code == EC_OK && p.code != EC_OK)
        code = ec_fail(reterr, p.code, "out of memory for the results of a list");
    if (p.held)
        hand_over_all(&p, true);
    if (p.told)
        cli_progress_erase(plan->progress);
    close_pool(&p);
    return code;
}
