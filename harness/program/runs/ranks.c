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
#include "base/output.h"
#include "program/runs/courier.h"
#include "program/runs/journal.h"
#include "terminal/host.h"
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

enum { INPUT }; /* kinds of frames that are sent here; pools send others */

/* UNABLE: this rank cannot meet the others. */
enum stage { APART, UNABLE, MEETING, LEFT };

static struct {
    struct launch launch;
    const char *line;
    int error_output;   /* the real standard error of a rank that is silent */
    _Atomic int *stage; /* of this rank, shared with its workers: an enum stage; NULL: no ranks */
    struct world *world;
    struct courier *courier; /* NULL: none yet */
    uint32_t lists;
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

/* --- Lists ------------------------------------------------------------------------------------ */

enum ec_code cli_ranks_courier(struct courier **ret, struct ec_error *reterr)
{
    const enum ec_code code = self.courier ? EC_OK : courier_open(&self.courier, reterr);
    *ret = self.courier;
    return code;
}

void cli_ranks_reap(pid_t worker)
{
    self.worker = worker;
}

uint32_t cli_ranks_next_list(void)
{
    return ++self.lists; /* frames of list 0 are not those of a pool */
}

unsigned cli_ranks_processors(void)
{
    const unsigned allowed = cli_host_processors();
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned share = online > self.launch.here ? (unsigned)online / self.launch.here : 1;
    return self.launch.ranks > 1 && share < allowed ? share : allowed;
}

/* A file without a name that replaces the standard input. */
static bool replace_input(const struct courier_frame *text)
{
    const int fd = memfd_create("input", MFD_CLOEXEC);
    bool good = fd >= 0;
    for (size_t at = 0; good && at < text->size;) {
        const ssize_t put = write(fd, text->bytes + at, text->size - at);
        good = put > 0;
        at += good ? (size_t)put : 0;
    }
    good = good && lseek(fd, 0, SEEK_SET) == 0 && dup2(fd, STDIN_FILENO) >= 0;
    if (fd >= 0)
        close(fd);
    return good;
}

/* Everything that standard input has; malloc'd. */
static char *read_input(size_t *ret_size)
{
    char *text = NULL, buffer[65536];
    FILE *all = open_memstream(&text, ret_size);
    ssize_t got = all ? 1 : 0;
    while (got > 0) {
        got = read(STDIN_FILENO, buffer, sizeof buffer);
        if (got > 0)
            fwrite(buffer, 1, (size_t)got, all);
    }
    (void)ec_memstream_close(all, &text);
    return text;
}

enum ec_code cli_ranks_share_input(struct ec_error *reterr)
{
    struct courier *c;
    struct courier_frame f = {.kind = INPUT};
    char *text = NULL;
    enum ec_code code = cli_ranks_courier(&c, reterr);
    if (code != EC_OK)
        return code;
    if (self.launch.rank == 0) {
        text = read_input(&f.size);
        f.bytes = text;
        for (uint32_t r = 1; text && r < self.launch.ranks; r++)
            (void)courier_send(c, r, INPUT, text, f.size);
    }
    if (self.launch.rank > 0 && courier_await(c, &f) != 1)
        code = ec_fail(reterr, EC_INTERRUPTED, "interrupted");
    else if (!f.bytes || f.kind != INPUT || !replace_input(&f))
        code = ec_fail(reterr, EC_IO, "cannot give standard input to all ranks");
    free(text);
    return code;
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
    courier_close(self.courier);
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
