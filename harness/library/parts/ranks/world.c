/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks of a job. Knows where the modules are, who may work together, and how to wait; must not
 * know what ranks compute. */
#include "parts/ranks/world.h"

#include <dlfcn.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/file.h"
#include "parts/transport.h"
#include "paths.h"

/* --- The module ------------------------------------------------------------------------------- */

static enum ec_code find_module(const struct launch *launch, char path[PATH_MAX],
                                struct ec_error *reterr)
{
    const char *name = launch_library_name(launch->library);
    char file[64], folder[PATH_MAX];
    snprintf(file, sizeof file, "ecube-mpi-%s.so", name);
    if (ec_locate(EC_BUILD_ROOT "/harness/library/parts/mpi", EC_LIBDIR "/ecube", file, folder,
                  sizeof folder))
        return ec_path(path, PATH_MAX, reterr, "%s/%s", folder, file);
    return ec_fail(reterr, EC_TOOL,
                   "%s started %u processes, but this ecube cannot use that MPI: %s is missing; "
                   "build ecube with -Dmpi=enabled where %s is installed, or choose another module "
                   "with ECUBE_MPI",
                   launch->launcher, launch->ranks, file,
                   launch->library == LAUNCH_MPICH ? "libmpich-dev" : "libopenmpi-dev");
}

/* MPI looks for symbols of its own library in its plugins, so they must be global. It cannot be
 * unloaded. */
static enum ec_code load_module(const struct launch *launch, const struct messages_api **ret,
                                struct ec_error *reterr)
{
    char path[PATH_MAX];
    const enum ec_code code = find_module(launch, path, reterr);
    if (code != EC_OK)
        return code;
    void *object = dlopen(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    if (!object)
        return ec_fail(reterr, EC_TOOL, "cannot load the module for %s: %s", launch->launcher,
                       dlerror());
    const struct messages_api *(*entry)(void) = NULL;
    *(void **)&entry = dlsym(object, MESSAGES_ENTRY); /* the POSIX idiom for functions */
    const struct messages_api *api = entry ? entry() : NULL;
    dlclose(object);
    if (!api || api->abi != MESSAGES_ABI)
        return ec_fail(reterr, EC_TOOL, "%s is not of this version of ecube", path);
    *ret = api;
    return EC_OK;
}

/* --- Waiting ---------------------------------------------------------------------------------- */

enum {
    TESTS = 32,           /* between two looks at the clock, */
    TESTS_CROWDED = 4,    /* while another rank needs the processor */
    SPIN_NS = 200 * 1000, /* longer than a balanced run waits in a cycle */
    LOOK_NS = 1000 * 1000,
    NAP_NS = 5 * 1000,
    NAP_MOST_NS = 50 * 1000,
    NAP_IDLE_NS = 10 * 1000 * 1000, /* at most, where nothing depends on it */
    SLACK_NS = 1000,
};

static uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* Sleep, for about as long as now and then is not noticed. A process that has slept gets the
 * processor sooner than one that has only yielded it. */
static void nap(uint64_t passed, bool idle)
{
    const uint64_t most = idle ? NAP_IDLE_NS : NAP_MOST_NS, worth = passed / 8;
    const uint64_t time = worth < NAP_NS ? NAP_NS : worth < most ? worth : most;
    nanosleep(&(struct timespec){.tv_nsec = (long)time}, NULL);
}

int world_await(const struct world *w, const struct world_wait *wait)
{
    const uint64_t spin = w->crowded ? 0 : SPIN_NS;
    const unsigned tests = w->crowded ? TESTS_CROWDED : TESTS;
    uint64_t start = 0, looked = 0;
    for (;;) {
        for (unsigned i = 0; i < tests; i++) {
            const int done = wait->test(wait->object);
            if (done)
                return done;
        }
        const uint64_t now = clock_ns();
        start = start ? start : now;
        const uint64_t passed = now - start;
        if (passed >= spin)
            nap(passed, wait->idle);
        if (!wait->look || passed < LOOK_NS || now - looked < LOOK_NS)
            continue;
        looked = now;
        if (!wait->look(wait->context, passed))
            return 0;
    }
}

/* --- The greeting ----------------------------------------------------------------------------- */

/* Its layout never changes, so that different versions understand each other that far. */
struct card {
    char title[16];
    char version[32];
    char host[64];
    uint64_t build;
    uint64_t command_hash;
    uint32_t threads;
    uint32_t code;
    char command[192];
    char message[696];
};

static const char card_title[16] = "ecube rank 1";

_Static_assert(sizeof(struct card) == 1024 && sizeof(struct card) % MESSAGES_UNIT == 0,
               "all versions have the same");

static void fill(struct card *c, const struct world_greeting *g)
{
    memset(c, 0, sizeof *c);
    memcpy(c->title, card_title, sizeof c->title);
    snprintf(c->version, sizeof c->version, "%s", g->version);
    if (gethostname(c->host, sizeof c->host - 1) != 0)
        snprintf(c->host, sizeof c->host, "an unknown host");
    c->build = g->build;
    c->command_hash = XXH3_64bits(g->command, strlen(g->command));
    c->threads = g->threads;
    c->code = (uint32_t)g->code;
    snprintf(c->command, sizeof c->command, "%s", g->command);
    snprintf(c->message, sizeof c->message, "%s", g->code != EC_OK && g->message ? g->message : "");
}

/* Rank r and rank 0 would not compute the same. */
static enum ec_code compare(const struct card *c, const struct card *zero, uint32_t r,
                            struct ec_error *reterr)
{
    if (memcmp(c->title, zero->title, sizeof c->title) != 0 ||
        strncmp(c->version, zero->version, sizeof c->version) != 0)
        return ec_fail(reterr, EC_TOOL,
                       "rank %u on %.60s is ecube %.31s, and rank 0 on %.60s is ecube %.31s: "
                       "install the same version on all hosts",
                       r, c->host, c->version, zero->host, zero->version);
    if (c->build != zero->build)
        return ec_fail(reterr, EC_TOOL,
                       "rank %u on %.60s and rank 0 on %.60s are different builds of ecube %.31s, "
                       "or have different RTL: install the same on all hosts",
                       r, c->host, zero->host, c->version);
    if (c->command_hash != zero->command_hash)
        return ec_fail(reterr, EC_USAGE,
                       "rank %u was started with '%.190s' and rank 0 with '%.190s': expected the "
                       "same command",
                       r, c->command, zero->command);
    return EC_OK;
}

static enum ec_code judge(const struct card *cards, uint32_t ranks, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    for (uint32_t r = 1; code == EC_OK && r < ranks; r++)
        code = compare(&cards[r], &cards[0], r, reterr);
    for (uint32_t r = 0; code == EC_OK && r < ranks; r++) {
        const struct card *c = &cards[r];
        if (c->code == EC_OK)
            continue;
        code = r == 0 ? ec_fail(reterr, (enum ec_code)c->code, "%.695s", c->message)
                      : ec_fail(reterr, (enum ec_code)c->code, "rank %u on %.60s: %.695s", r,
                                c->host, c->message);
    }
    return code;
}

/* `--threads auto` depends on the host. */
static uint32_t least_threads(const struct card *cards, uint32_t ranks)
{
    uint32_t least = cards[0].threads;
    for (uint32_t r = 1; r < ranks; r++)
        least = cards[r].threads < least ? cards[r].threads : least;
    return least;
}

/* Where this rank is among those of its host. */
struct place {
    uint32_t index, count;
};

static struct place find_place(const struct card *cards, const struct world *w)
{
    struct place p = {0};
    for (uint32_t r = 0; r < w->ranks; r++) {
        const bool here = strncmp(cards[r].host, cards[w->rank].host, sizeof cards[r].host) == 0;
        p.index += here && r < w->rank;
        p.count += here;
    }
    return p;
}

/* If the launcher has not bound the ranks of this host, and they need all of its processors: bind
 * this one, else two of them may share one processor for long, since they never sleep. */
static void bind_rank(const struct world *w, const struct place *p, uint64_t processors)
{
    cpu_set_t allowed, own;
    uint64_t number = 0;
    if ((uint64_t)p->count * w->threads < processors ||
        sched_getaffinity(0, sizeof allowed, &allowed) != 0 ||
        (uint64_t)CPU_COUNT(&allowed) != processors)
        return;
    CPU_ZERO(&own);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed))
            continue;
        for (uint64_t t = 0; t < w->threads; t++) {
            if ((p->index * (uint64_t)w->threads + t) % processors == number)
                CPU_SET(cpu, &own);
        }
        number++;
    }
    (void)sched_setaffinity(0, sizeof own, &own);
}

static void settle(struct world *w, const struct card *cards)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const uint64_t processors = online > 0 ? (uint64_t)online : 1;
    const struct place place = find_place(cards, w);
    w->threads = least_threads(cards, w->ranks);
    for (uint32_t r = 0; r < w->ranks; r++)
        snprintf(w->host[r], sizeof *w->host, "%.63s", cards[r].host);
    w->crowded = (uint64_t)place.count * w->threads > processors;
    bind_rank(w, &place, processors);
    (void)prctl(PR_SET_TIMERSLACK, SLACK_NS, 0, 0, 0); /* else short naps take long */
}

static int test_messages(void *object)
{
    const struct world *w = object;
    return w->api->test(w->messages);
}

static enum ec_code fail_messages(const struct world *w, struct ec_error *reterr)
{
    return ec_fail(reterr, EC_TOOL, "%s: the ranks cannot exchange messages: %s", w->api->library,
                   w->api->why(w->messages));
}

/* The cards of all ranks. They have no part in it that may not be read by another version. */
static enum ec_code exchange_cards(struct world *w, const struct card *own, struct card *cards,
                                   struct ec_error *reterr)
{
    int *units = calloc(2 * (size_t)w->ranks, sizeof *units);
    if (!units)
        return ec_fail(reterr, EC_MEMORY, "out of memory for %u ranks", w->ranks);
    const int each = sizeof *own / MESSAGES_UNIT;
    for (uint32_t r = 0; r < w->ranks; r++) {
        units[r] = each;
        units[w->ranks + r] = (int)r * each;
    }
    const struct world_wait wait = {.test = test_messages, .object = w};
    const bool good =
        w->api->collect_start(w->messages, own, cards, units, units + w->ranks, true) &&
        world_await(w, &wait) == 1;
    free(units);
    return good ? EC_OK : fail_messages(w, reterr);
}

static enum ec_code meet(struct world *w, const struct world_greeting *greeting,
                         struct ec_error *reterr)
{
    struct card *cards = calloc((size_t)w->ranks + 1, sizeof *cards);
    w->leave = calloc(2 * (size_t)w->ranks, sizeof *w->leave);
    w->host = calloc(w->ranks, sizeof *w->host);
    w->answered = calloc(w->ranks, sizeof *w->answered);
    w->crowded = true; /* as long as the hosts are not known */
    enum ec_code code = cards && w->leave && w->host && w->answered
                            ? EC_OK
                            : ec_fail(reterr, EC_MEMORY, "out of memory for %u ranks", w->ranks);
    if (code == EC_OK) {
        fill(&cards[w->ranks], greeting);
        code = exchange_cards(w, &cards[w->ranks], cards, reterr);
    }
    if (code != EC_OK)
        w->broken = true;
    else
        code = judge(cards, w->ranks, reterr);
    if (code == EC_OK)
        settle(w, cards);
    free(cards);
    return code;
}

/* Did the launcher start as many processes as MPI knows? */
static enum ec_code check_size(const struct launch *launch, const struct world *w,
                               struct ec_error *reterr)
{
    if (w->ranks == launch->ranks && w->rank == launch->rank)
        return EC_OK;
    return ec_fail(reterr, EC_USAGE,
                   "%s started %u processes, but %s connects only %u: use the mpirun of %s, or "
                   "choose another module with ECUBE_MPI",
                   launch->launcher, launch->ranks, w->api->library, w->ranks, w->api->library);
}

enum ec_code world_open(const struct launch *launch, const struct world_greeting *greeting,
                        struct world **ret, struct ec_error *reterr)
{
    char why[MESSAGES_WHY];
    struct world *w = calloc(1, sizeof *w);
    *ret = NULL;
    if (!w)
        return ec_fail(reterr, EC_MEMORY, "out of memory");
    enum ec_code code = load_module(launch, &w->api, reterr);
    if (code == EC_OK && !w->api->begin(&w->messages, &w->rank, &w->ranks, why))
        code = ec_fail(reterr, EC_TOOL, "cannot start %s: %s", w->api->library, why);
    if (code != EC_OK) {
        free(w);
        return code;
    }
    code = check_size(launch, w, reterr);
    if (code != EC_OK) {
        w->api->end(w->messages);
        free(w);
        return code;
    }
    *ret = w;
    return meet(w, greeting, reterr);
}

/* --- The end ---------------------------------------------------------------------------------- */

static int find_close(void *object)
{
    struct world *w = object;
    uint32_t rank = EC_NONE;
    size_t size;
    const int found = w->api->find(w->messages, WORLD_TAG_CLOSE, &rank, &size);
    if (found != 1)
        return found;
    return w->api->take(w->messages, NULL) ? 1 : -1;
}

static int all_sent(void *object)
{
    const struct world *w = object;
    return w->api->sent(w->messages);
}

/* In rank 0: have all others answered? */
static int all_closed(void *object)
{
    struct world *w = object;
    int found = 0;
    while ((found = find_close(w)) == 1)
        w->closed++;
    return found < 0 ? -1 : w->closed == w->ranks - 1;
}

static bool send_close(const struct world *w, uint32_t rank)
{
    return w->api->send(w->messages, rank, WORLD_TAG_CLOSE, NULL, 0);
}

/* Rank 0 may be at work for long, and MPI_Finalize would wait for it with all its power. */
static bool close_together(struct world *w)
{
    const struct world_wait gone = {.test = all_sent, .object = w};
    const struct world_wait found = {.test = find_close, .object = w, .idle = true};
    const struct world_wait closed = {.test = all_closed, .object = w, .idle = true};
    if (w->rank > 0)
        return world_await(w, &found) == 1 && send_close(w, 0) && world_await(w, &gone) == 1;
    for (uint32_t r = 1; r < w->ranks; r++) {
        if (!send_close(w, r))
            return false;
    }
    return world_await(w, &closed) == 1 && world_await(w, &gone) == 1;
}

void world_part(struct world *w)
{
    if (!w->broken && !close_together(w))
        w->broken = true;
}

void world_close(struct world *w)
{
    if (!w)
        return;
    if (!w->broken)
        w->api->end(w->messages);
    free(w->leave);
    free(w->host);
    free(w->answered);
    free(w);
}
