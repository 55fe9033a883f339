/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks of a job, as the program sees them. Knows which process of a rank speaks, to whom and
 * when; must not know what the ranks do together.
 *
 * Like MPI, a process is a rank once, so this is the place of its only variables. */
#include "program/runs/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "program/runs/journal.h"
#include "terminal/interrupt.h"
#include "terminal/status.h"

enum {
    MEET_SECONDS = 25,   /* for the others, after a failure */
    LINGER_SECONDS = 20, /* until the launcher ends this rank */
    /* Until rank 0, which waits for a second, ends all. If a process of this rank was killed, rank
     * 0 does not know of a failure. */
    PATIENCE_MS = 1500,
    PATIENCE_KILLED_MS = 200,
    HEARD_MS = 100,   /* a launcher may not pass on what a rank says just before its end */
    END_SECONDS = 20, /* of MPI, which hangs now and then */
    /* Open MPI kills a rank one second after SIGTERM: within that, it ends its work, or gives it
     * up because another rank is gone. */
    GRACE_MS = 600,
};

/* UNABLE: this rank cannot meet the others. */
enum stage { APART, UNABLE, MEETING, LEFT };

static struct {
    struct launch launch;
    const char *line;
    int error_output;   /* the real standard error of a rank that is silent */
    _Atomic int *stage; /* of this rank, shared with its workers: an enum stage; NULL: no ranks */
    struct world *world;
    pid_t worker; /* to be waited for; 0: none */
} self = {.launch = {.ranks = 1, .here = 1}};

uint32_t cli_rank(void)
{
    return self.launch.rank;
}

uint32_t cli_ranks(void)
{
    return self.launch.ranks;
}

bool cli_ranks_met(void)
{
    return self.stage && *self.stage != APART;
}

enum ec_code cli_ranks_refuse(struct ec_error *reterr)
{
    if (self.launch.ranks == 1)
        return EC_OK;
    return ec_fail(reterr, EC_USAGE,
                   "%u ranks of MPI can share one run, but no list, sweep or regression: start it "
                   "without mpirun; --slice I/N gives each task of a job array its lines of a list",
                   self.launch.ranks);
}

bool cli_ranks_part(void)
{
    const bool first = self.launch.rank == 0;
    self.launch = (struct launch){.ranks = 1, .here = 1};
    return first;
}

/* --- Messages of other ranks ------------------------------------------------------------------ */

/* The last line that this rank would have printed, without the name of the program. */
static void read_message(char *text, size_t size)
{
    static const char name[] = "ecube: ";
    const off_t end = lseek(STDERR_FILENO, 0, SEEK_END);
    const off_t begin = end > (off_t)size - 1 ? end - ((off_t)size - 1) : 0;
    ssize_t got = pread(STDERR_FILENO, text, size - 1, begin);
    got = got > 0 ? got : 0;
    while (got > 0 && text[got - 1] == '\n')
        got--;
    text[got] = '\0';
    const char *line = strrchr(text, '\n');
    line = line ? line + 1 : text;
    if (strncmp(line, name, sizeof name - 1) == 0)
        line += sizeof name - 1;
    memmove(text, line, strlen(line) + 1);
}

/* Does rank 0 end all ranks, or let this one go, within some time? */
static bool rank_0_acts(void)
{
    const struct timespec nap = {.tv_nsec = 20 * 1000000L};
    const int most = *self.stage == MEETING && self.worker == 0 ? PATIENCE_KILLED_MS : PATIENCE_MS;
    for (int ms = 0; ms < most && *self.stage != LEFT; ms += 20) {
        nanosleep(&nap, NULL);
        if (cli_interrupted())
            return true;
    }
    return *self.stage == LEFT;
}

/* What rank 0 does not say: this rank has failed alone. */
static void speak(void)
{
    char host[64] = "an unknown host", text[600];
    read_message(text, sizeof text);
    (void)gethostname(host, sizeof host - 1);
    dprintf(self.error_output, "ecube: rank %u on %s: %s\n", self.launch.rank, host, text);
    nanosleep(&(struct timespec){.tv_nsec = HEARD_MS * 1000000L}, NULL);
}

/* Keep what this process and its workers print. False: it will be printed. */
static bool fall_silent(void)
{
    const int kept = memfd_create("messages", MFD_CLOEXEC);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    self.error_output = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    const bool good = kept >= 0 && nowhere >= 0 && self.error_output >= 0 &&
                      dup2(nowhere, STDOUT_FILENO) >= 0 && dup2(kept, STDERR_FILENO) >= 0;
    if (kept >= 0)
        close(kept);
    if (nowhere >= 0)
        close(nowhere);
    return good;
}

/* --- Begin ------------------------------------------------------------------------------------ */

bool cli_ranks_begin(const char *line, int *ret_status)
{
    struct ec_error e;
    const enum ec_code code = launch_detect(&self.launch, &e);
    self.line = line;
    if (launch_relays()) /* what looks like a terminal is none */
        setenv("TERM", "dumb", true);
    if (self.launch.ranks == 1 && code == EC_OK)
        return true;
    *ret_status = (int)cli_status_of_error(code);
    if (code != EC_OK) {
        if (self.launch.rank == 0)
            cli_complain(NULL, &e);
        return false;
    }
    void *shared =
        mmap(NULL, sizeof *self.stage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || (self.launch.rank > 0 && !fall_silent())) {
        ec_fail(&e, EC_MEMORY, "cannot start rank %u: %s", self.launch.rank, strerror(errno));
        *ret_status = (int)cli_complain(NULL, &e);
        return false;
    }
    self.stage = shared;
    cli_interrupt_launched(self.launch.library == LAUNCH_OPEN_MPI ? GRACE_MS : 0);
    return true;
}

/* --- The meeting ------------------------------------------------------------------------------ */

/* The first 64 bits of the hash of the program and the RTL. */
static uint64_t build_id(void)
{
    char text[CLI_PROGRAM_HASH];
    cli_program_hash(text);
    text[16] = '\0';
    return strtoull(text, NULL, 16);
}

enum ec_code cli_ranks_meet(uint32_t threads, enum ec_code code, struct world **ret,
                            struct ec_error *error)
{
    const struct world_greeting greeting = {.version = EC_VERSION,
                                            .build = build_id(),
                                            .command = self.line,
                                            .threads = threads,
                                            .code = code,
                                            .message = error->message};
    struct ec_error e;
    *self.stage = MEETING;
    if (self.launch.rank > 0) /* MPI may have something to say, */
        dup2(self.error_output, STDERR_FILENO);
    fflush(stdout); /* which is no result */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    const enum ec_code met = world_open(&self.launch, &greeting, &self.world, &e);
    *ret = self.world;
    if (!self.world) /* EC_USAGE: all ranks see that by themselves */
        *self.stage = met == EC_USAGE ? LEFT : UNABLE;
    if (code != EC_OK)
        return code;
    if (met != EC_OK)
        *error = e;
    return met;
}

static void give_up(int signal_number)
{
    (void)signal_number;
    _exit(CLI_FAILED);
}

bool cli_ranks_leave(enum ec_code code)
{
    if (!self.world)
        return false;
    world_part(self.world);
    if (self.world->broken) {
        sleep(self.launch.rank > 0 ? LINGER_SECONDS : 1); /* rank 0 ends all when it has spoken */
        self.world->api->kill(self.world->messages, (int)cli_status_of_error(code));
    }
    signal(SIGALRM, give_up);
    alarm(END_SECONDS);
    world_close(self.world);
    self.world = NULL;
    *self.stage = LEFT;
    return true;
}

void cli_ranks_reap(pid_t worker)
{
    self.worker = worker;
}

/* --- The end ---------------------------------------------------------------------------------- */

static enum ec_code code_of(int status)
{
    switch (status) {
    case CLI_USAGE:
        return EC_USAGE;
    case CLI_TOOL:
        return EC_TOOL;
    case CLI_INTERRUPTED:
        return EC_INTERRUPTED;
    default:
        return EC_INTERNAL;
    }
}

/* Without a worker: tell the others not to wait. */
static void meet_late(int status)
{
    struct ec_error e;
    struct world *world;
    const enum ec_code code = ec_fail(&e, code_of(status), "rank 0 has failed");
    if (self.launch.rank > 0)
        read_message(e.message, sizeof e.message);
    signal(SIGALRM, give_up);
    alarm(MEET_SECONDS);
    (void)cli_ranks_meet(0, code, &world, &e);
    (void)cli_ranks_leave(code);
}

/* The mpirun of MPICH lets the others wait in MPI_Init for a rank that has exited before, but not
 * for one that was killed. */
static void end_all(void)
{
    fflush(NULL);
    signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);
}

int cli_ranks_end(int status)
{
    const bool failed = status != CLI_OK && status != CLI_INTERRUPTED;
    if (self.launch.ranks == 1)
        return status;
    if (*self.stage == MEETING && self.launch.rank > 0 && failed && !rank_0_acts()) {
        speak();
        return status; /* the worker ends with this process, and the launcher ends all */
    }
    if (self.worker > 0)
        ec_process_reap(self.worker);
    if (*self.stage == APART && failed)
        meet_late(status);
    const bool met = *self.stage == MEETING || *self.stage == LEFT;
    if (self.launch.rank > 0 && *self.stage == LEFT) /* rank 0 has the status for the launcher */
        return CLI_OK;
    if (self.launch.rank > 0 && failed && !rank_0_acts())
        speak();
    if (!met && status != CLI_OK && self.launch.library == LAUNCH_MPICH)
        end_all();
    return met && self.launch.rank > 0 && status == CLI_OK ? CLI_FAILED : status;
}
