/* SPDX-License-Identifier: Apache-2.0 */
/* The pulse of several threads: does a watching process see which part hangs, and which one died?
 */
#include "unit.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parts/heartbeat.h"
#include "terminal/vitals.h"

static struct ec_net_pulse first = {.router = 7};

static void a_wait_shows_the_other_part(void **state)
{
    (void)state;
    struct ec_net_pulse other = {.router = 3};
    ec_net_pulse_begin(&first, 20);
    ec_net_pulse_end(&first);
    ec_net_pulse_begin(&other, 21);
    heartbeat_show(&first, &other);
    assert_true(first.inside);
    assert_int_equal(first.cycle, 21);
    assert_int_equal(first.router, 3);
    const uint64_t beats = first.beats;
    heartbeat_show(&first, &other);
    assert_int_equal(first.beats, beats); /* it hangs */
    ec_net_pulse_begin(&other, 22);
    heartbeat_show(&first, &other);
    assert_int_not_equal(first.beats, beats);
    heartbeat_show_end(&first);
    assert_false(first.inside);
}

enum death { ABORTS, CRASHES, EXITS, DIES_OUTSIDE, DIES_WHOLE };

struct victim {
    struct ec_vitals *vitals;
    enum death death;
};

static void *die(void *context)
{
    const struct victim *v = context;
    struct ec_net_pulse own = {.router = 3};
    if (v->death != DIES_WHOLE)
        heartbeat_enter(&own, &v->vitals->pulse[0]);
    ec_net_pulse_begin(&own, 500);
    if (v->death == DIES_OUTSIDE)
        ec_net_pulse_end(&own);
    if (v->death == CRASHES)
        raise(SIGSEGV);
    if (v->death == EXITS)
        exit(5);
    abort();
}

/* What is said of a process whose first part is in the RTL while another thread dies. */
static bool death_of(enum death death, char *text, size_t size)
{
    struct ec_vitals *v =
        mmap(NULL, sizeof *v, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct victim victim = {.vitals = v, .death = death};
    assert_true(v != MAP_FAILED);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        pthread_t thread;
        const struct rlimit no_core = {0};
        setrlimit(RLIMIT_CORE, &no_core);
        for (int s = 1; s < 32; s++)
            signal(s, SIG_DFL); /* the unit-test runner has handlers */
        heartbeat_guard();
        v->pulse[0].router = 1;
        ec_net_pulse_begin(&v->pulse[0], 499);
        pthread_create(&thread, NULL, die, &victim);
        pthread_join(thread, NULL);
        _exit(0);
    }
    int status;
    waitpid(pid, &status, 0);
    struct ec_work_result result = {.shared = v, .why = "killed by signal 0"};
    result.why[17] = (char)('0' + (WIFSIGNALED(status) ? WTERMSIG(status) % 10 : 0));
    const bool in_rtl = ec_vitals_death(&result, text, size);
    munmap(v, sizeof *v);
    return in_rtl;
}

static void a_thread_that_dies_leaves_its_place(void **state)
{
    (void)state;
    static const struct {
        enum death death;
        bool in_rtl;
        const char *text;
    } cases[] = {
        {ABORTS, true, "cycle 500, router 3: killed by signal 6"},
        {CRASHES, true, "cycle 500, router 3: killed by signal 1"}, /* 11 */
        {EXITS, true, "cycle 500, router 3: killed by signal 0"},
        {DIES_OUTSIDE, false, "killed by signal 6, not in the RTL: this is an error in ecube"},
        {DIES_WHOLE, true, "cycle 499, router 1: killed by signal 6"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[300];
        assert_int_equal(death_of(cases[i].death, text, sizeof text), cases[i].in_rtl);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a part that waits shows the pulse of the other one", a_wait_shows_the_other_part),
        TEST("a thread that dies leaves its place", a_thread_that_dies_leaves_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
