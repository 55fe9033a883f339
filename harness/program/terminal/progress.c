/* SPDX-License-Identifier: Apache-2.0 */
/* Progress on stderr, printed by the handler of a timer's signal, which calls only
 * async-signal-safe functions. Must not know a run beyond the four numbers it is called with. */
#include "terminal/progress.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "terminal/interrupt.h"
#include "terminal/vitals.h"

#define TICK_NS 200000000

static const char wipe_line[] = "\r\033[K";

/* Room for the seconds behind the activity. */
enum { TAIL_SIZE = 16 };

/* The progress that the handler prints: a handler can reach only globals. */
static struct cli_progress *volatile told;

static double seconds_since(const struct timespec *begin)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) * 1e-9;
}

/* The first of 2, 10, 20, 40, 60, 120, 180, ... that is later than `seconds`. */
static time_t next_line(time_t seconds)
{
    static const time_t first[] = {2, 10, 20, 40};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        if (seconds < first[i])
            return first[i];
    }
    return 60 * (seconds / 60 + 1);
}

void cli_progress_init(struct cli_progress *p, bool quiet)
{
    *p = (struct cli_progress){.quiet = quiet, .terminal = isatty(STDERR_FILENO), .next = 2};
    clock_gettime(CLOCK_MONOTONIC, &p->start);
    struct winsize window;
    const bool known = p->terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0;
    p->columns = known && window.ws_col > TAIL_SIZE ? window.ws_col : 2 * CLI_ACTIVITY_SIZE;
}

/* Append to a line, clipped to its size. */
static size_t put(char *line, size_t used, size_t size, const char *text)
{
    for (; *text && used < size; text++)
        line[used++] = *text;
    return used;
}

static size_t put_seconds(char *line, size_t used, size_t size, time_t seconds)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + seconds % 10);
    while ((seconds /= 10) > 0);
    used = put(line, used, size, " (");
    used = put(line, used, size, digits + at);
    return put(line, used, size, " s)");
}

static void tell(int signal_number)
{
    struct cli_progress *p = told;
    struct timespec now;
    char line[CLI_ACTIVITY_SIZE + sizeof wipe_line + TAIL_SIZE];
    size_t used = 0, most;
    (void)signal_number;
    if (!p || p->busy || !p->armed)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const time_t seconds = now.tv_sec - p->start.tv_sec - (now.tv_nsec < p->start.tv_nsec);
    if (!p->terminal && seconds < p->next)
        return;
    used = put(line, used, sizeof line, p->terminal ? wipe_line : "ecube: ");
    most = used + p->columns - TAIL_SIZE; /* a terminal that wraps the line could not wipe it */
    most = most < sizeof line - TAIL_SIZE ? most : sizeof line - TAIL_SIZE;
    used = put(line, used, most, p->text);
    used = put_seconds(line, used, sizeof line - 1, seconds);
    if (!p->terminal)
        line[used++] = '\n';
    p->dirty = p->terminal;
    p->next = next_line(seconds);
    const int error = errno; /* of the interrupted code */
    (void)!write(STDERR_FILENO, line, used);
    errno = error;
}

/* Without a timer there is no progress, which is not an error. */
static void open_timer(struct cli_progress *p)
{
    struct sigaction action = {.sa_handler = tell, .sa_flags = SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    sigemptyset(&action.sa_mask);
    told = p;
    p->has_timer = sigaction(SIGRTMIN, &action, NULL) == 0 &&
                   timer_create(CLOCK_MONOTONIC, &event, &p->timer) == 0;
    p->quiet |= !p->has_timer;
}

/* The first tick is late enough to print nothing for short activities. */
static void set_timer(struct cli_progress *p, long ns)
{
    const struct timespec tick = {.tv_nsec = ns};
    const struct itimerspec times = {.it_interval = tick, .it_value = tick};
    timer_settime(p->timer, 0, &times, NULL);
    p->armed = ns > 0;
}

void cli_progress_say(struct cli_progress *p, const char *format, ...)
{
    va_list args;
    if (!p || p->quiet)
        return;
    p->busy = true;
    va_start(args, format);
    vsnprintf(p->activity ? p->activity : p->text, CLI_ACTIVITY_SIZE, format, args);
    va_end(args);
    p->busy = false;
    if (p->activity)
        return;
    if (!p->has_timer)
        open_timer(p);
    if (p->has_timer && !p->armed)
        set_timer(p, TICK_NS);
}

void cli_progress_erase(struct cli_progress *p)
{
    if (p->activity)
        p->activity[0] = '\0';
    if (p->armed)
        set_timer(p, 0);
    if (p->dirty)
        fputs(wipe_line, stderr);
    p->dirty = false;
}

void cli_progress_worker(struct cli_progress *p, char *activity)
{
    p->has_timer = p->armed = p->dirty = false; /* a forked process inherits no timers */
    p->activity = activity;
}

void cli_progress_end(struct cli_progress *p)
{
    cli_progress_erase(p);
    if (p->has_timer)
        timer_delete(p->timer);
    told = NULL;
    p->has_timer = false;
    p->quiet = true;
}

static void tell_phase(void *context, const char *text)
{
    if (text)
        cli_progress_say(context, "%s", text);
    else
        cli_progress_erase(context);
}

static void begin_run(void *context, uint32_t nodes, uint64_t cycles_all)
{
    struct cli_progress *p = context;
    p->nodes = nodes;
    p->cycles_all = cycles_all;
    cli_progress_erase(p); /* the phase before it has ended */
    clock_gettime(CLOCK_MONOTONIC, &p->begin);
}

void cli_progress_duration(double seconds, char *buffer, size_t size)
{
    if (seconds < 120)
        snprintf(buffer, size, "%.0f s", seconds);
    else if (seconds < 120 * 60)
        snprintf(buffer, size, "%.0f min", seconds / 60);
    else
        snprintf(buffer, size, "%.1f h", seconds / 3600);
}

/* False after an interrupt. */
static bool tell_run(void *context, uint64_t cycle, uint64_t packets_done, uint64_t packets_all)
{
    struct cli_progress *p = context;
    const double seconds = seconds_since(&p->begin);
    const double done = p->cycles_all ? (double)cycle / (double)p->cycles_all
                        : packets_all ? (double)packets_done / (double)packets_all
                                      : 0;
    char left[40] = "";
    if (done > 0 && done <= 1)
        cli_progress_duration(seconds * (1 - done) / done, left, sizeof left);
    cli_progress_say(p, "%" PRIu64 " cycles, %" PRIu64 " packets, %.1f M router-cycles/s%s%s%s",
                     cycle, packets_done, (double)p->nodes * (double)cycle / seconds / 1e6,
                     left[0] ? ", " : "", left, left[0] ? " left" : "");
    return !cli_interrupted();
}

void cli_progress_line(void *context, const char *line)
{
    const struct cli_progress *p = context;
    if (p->activity) /* the line on the terminal is the parent's, which prints it again */
        fputs(p->terminal ? wipe_line : "", stderr);
    else
        cli_progress_erase(context);
    fprintf(stderr, "ecube: %s\n", line);
}

enum ec_code cli_progress_session(struct cli_progress *p, struct ec_session **ret,
                                  struct ec_error *reterr)
{
    const struct ec_session_options options = {
        .context = p,
        .phase = tell_phase,
        .building = p->quiet ? NULL : cli_progress_line,
        .rtl = p->quiet ? NULL : cli_progress_line,
        .warning = cli_progress_line,
        .begin = begin_run,
        .progress = tell_run,
        .go_on = cli_interrupt_go_on,
    };
    const enum ec_code code = ec_vitals_check(reterr);
    return code == EC_OK ? ec_session_open(&options, ret, reterr) : code;
}
