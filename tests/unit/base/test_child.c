/* SPDX-License-Identifier: Apache-2.0 */
/* Tools and workers as child processes: their output, folder, signals and descriptors. */
#include "unit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/workers.h"

/* What `sh -c SCRIPT` prints, in `text`. */
static int shell(const char *script, char *text, size_t size)
{
    struct ec_args args = {0};
    struct ec_error error;
    int status = -1;
    ec_args_add(&args, "sh");
    ec_args_add(&args, "-c");
    ec_args_add(&args, "%s", script);
    text[0] = '\0';
    if (ec_process_capture(&args, text, size, &status, &error) != EC_OK)
        status = -1;
    ec_args_free(&args);
    return status;
}

static void both_outputs_are_captured(void **state)
{
    char text[100];
    (void)state;
    assert_int_equal(shell("echo out; echo err >&2; cat; exit 3", text, sizeof text), 3);
    assert_string_equal(text, "out\nerr");
}

/* The pipe of the output then has the numbers of the standard descriptors, in every order. */
static void closed_descriptors_change_nothing(void **state)
{
    (void)state;
    for (int closed = 0; closed < 8; closed++) {
        const pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            char text[100];
            for (int fd = 0; fd < 3; fd++) {
                if (closed >> fd & 1)
                    close(fd);
            }
            const int status = shell("echo out; echo err >&2; cat; exit 3", text, sizeof text);
            _exit(status == 3 && strcmp(text, "out\nerr") == 0 ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (status != 0)
            fail_msg("with descriptors 0x%x closed: status 0x%x", (unsigned)closed,
                     (unsigned)status);
    }
}

static void signals_of_the_parent_are_not_inherited(void **state)
{
    char text[100];
    sigset_t mask;
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    ec_signals_hold(&mask);
    assert_int_equal(shell("kill -TERM $$; echo blocked", text, sizeof text), -1);
    assert_int_equal(shell("kill -PIPE $$; echo ignored", text, sizeof text), 128 + SIGPIPE);
    ec_signals_release(&mask);
    signal(SIGPIPE, SIG_DFL);
    assert_string_equal(text, "");
}

static void handle(int signal_number)
{
    (void)signal_number;
}

/* The timer of the progress ends none: a proof that asks between its steps would be interrupted. */
static void only_a_stop_ends_a_pause(void **state)
{
    const struct {
        int signal;
        bool ends;
    } rows[] = {{SIGINT, true},   {SIGTERM, true},  {SIGHUP, true},   {SIGALRM, true},
                {SIGUSR1, false}, {SIGCHLD, false}, {SIGRTMIN, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const int number = rows[i].signal;
        const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
        struct sigaction old;
        sigset_t own, all, before;
        sigaction(number, &action, &old);
        ec_signals_hold(&before);
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, &own);
        raise(number); /* pending: the pause meets it */
        const bool ended = ec_signals_pause(&before, 1000000);
        pthread_sigmask(SIG_SETMASK, &own, NULL);
        ec_signals_release(&before);
        sigaction(number, &old, NULL);
        if (ended != rows[i].ends)
            fail_msg("signal %d %s a pause", number, ended ? "ends" : "does not end");
    }
}

static void a_tool_that_cannot_start_is_an_error(void **state)
{
    static const struct {
        const char *program, *folder, *says;
    } rows[] = {
        {"no-such-program", NULL, "cannot start no-such-program: No such file or directory"},
        {"/", NULL, "cannot start /: "},
        {"sh", "/no/such/folder", "cannot start sh: No such file or directory"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ec_args args = {0};
        struct ec_error error;
        pid_t pid;
        ec_args_add(&args, "%s", rows[i].program);
        assert_int_equal(ec_process_start(&args, rows[i].folder, 1, &pid, &error), EC_TOOL);
        if (!strstr(error.message, rows[i].says))
            fail_msg("'%s' does not say '%s'", error.message, rows[i].says);
        ec_args_free(&args);
    }
}

static void a_tool_runs_in_its_folder_and_group(void **state)
{
    struct ec_args args = {0};
    struct ec_error error;
    pid_t pid;
    int status = -1;
    (void)state;
    ec_args_add(&args, "sh");
    ec_args_add(&args, "-c");
    ec_args_add(&args, "[ \"$(pwd -P)\" = / ] && [ \"$LC_ALL\" = C ] && kill -KILL 0");
    assert_int_equal(ec_process_start(&args, "/", 1, &pid, &error), EC_OK);
    assert_int_equal(ec_process_wait(&pid, NULL, &status, &error), EC_OK);
    assert_int_equal(status, 128 + SIGKILL);
    ec_args_free(&args);
}

/* Its first bytes are kept. Of a program that fails they are what it says. */
static void an_output_that_is_too_long_is_an_error(void **state)
{
    char text[5];
    (void)state;
    assert_int_equal(shell("printf 1234", text, sizeof text), 0);
    assert_int_equal(shell("printf 12345", text, sizeof text), -1);
    assert_string_equal(text, "1234");
    assert_int_equal(shell("printf 12345; exit 3", text, sizeof text), 3);
    assert_string_equal(text, "1234");
}

/* Without PATH the usual folders count, with an empty part the current one. */
static void programs_are_found(void **state)
{
    char path[200];
    char *before = strdup(getenv("PATH"));
    (void)state;
    unsetenv("PATH");
    assert_true(ec_program_find("sh", path, sizeof path));
    assert_int_equal(access(path, X_OK), 0);
    assert_false(ec_program_find("no-such-program", path, sizeof path));
    setenv("PATH", "/no/such/folder:", 1);
    assert_false(ec_program_find("sh", path, sizeof path));
    assert_true(ec_program_find("/bin/sh", path, sizeof path));
    assert_false(ec_program_find("/bin/sh", path, sizeof "/bin/sh" - 1));
    setenv("PATH", before, 1);
    free(before);
}

/* A tool and a program that it started ignore SIGTERM: they are killed all the same. */
static void a_tool_that_ignores_sigterm_is_killed(void **state)
{
    struct ec_args args = {0};
    struct ec_error error;
    int ready[2];
    pid_t pid;
    char byte;
    (void)state;
    assert_int_equal(pipe(ready), 0);
    ec_args_add(&args, "sh");
    ec_args_add(&args, "-c");
    ec_args_add(&args, "trap '' TERM; sleep 1000 & echo; sleep 1000");
    assert_int_equal(ec_process_start(&args, NULL, ready[1], &pid, &error), EC_OK);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[1]);
    ec_process_kill(0); /* no process */
    ec_process_kill(pid);
    assert_int_equal(read(ready[0], &byte, 1), 0); /* nobody has its output any more */
    close(ready[0]);
    ec_args_free(&args);
}

static void die(void *context, size_t item, void *shared, FILE *out)
{
    (void)context, (void)shared, (void)out;
    if (item > 0)
        _exit(EC_MEMORY);
    raise(SIGTERM);
}

static bool note_death(void *context, const struct ec_work_result *result)
{
    bool *interrupted = context;
    interrupted[result->item] = result->interrupted;
    return true;
}

static bool always(void *context)
{
    (void)context;
    return true;
}

static void a_worker_that_sigterm_ended_was_interrupted(void **state)
{
    bool interrupted[2] = {false, true};
    struct ec_error error;
    const struct ec_workers_plan plan = {.count = 2,
                                         .jobs = 1,
                                         .patient = true,
                                         .context = interrupted,
                                         .work = die,
                                         .done = note_death,
                                         .go_on = always};
    (void)state;
    assert_int_equal(ec_workers_run(&plan, &error), EC_OK);
    assert_true(interrupted[0]);
    assert_false(interrupted[1]);
}

/* --- Without memory --------------------------------------------------------------------------- */

static bool short_of_memory; /* once */

void *real_realloc(void *old, size_t size) __asm__("__real_realloc");
void *realloc_here(void *old, size_t size) __asm__("__wrap_realloc");

void *realloc_here(void *old, size_t size)
{
    const bool fails = short_of_memory;
    short_of_memory = false;
    return fails ? NULL : real_realloc(old, size);
}

static void print_item(void *context, size_t item, void *shared, FILE *out)
{
    (void)context, (void)shared;
    fprintf(out, "item %zu", item);
}

static bool note_result(void *context, const struct ec_work_result *result)
{
    char(*texts)[220] = context;
    snprintf(texts[result->item], sizeof *texts, "%s%s",
             result->status == EC_MEMORY ? "memory: " : "",
             result->whole ? result->text : result->why);
    return true;
}

static void a_result_without_memory_is_told(void **state)
{
    char texts[3][220] = {"", "", ""};
    struct ec_error error;
    const struct ec_workers_plan plan = {.count = 3,
                                         .jobs = 1,
                                         .context = texts,
                                         .work = print_item,
                                         .done = note_result,
                                         .go_on = always};
    (void)state;
    short_of_memory = true;
    assert_int_equal(ec_workers_run(&plan, &error), EC_OK);
    assert_false(short_of_memory);
    assert_string_equal(texts[0], "memory: out of memory for the result of its process");
    assert_string_equal(texts[1], "item 1");
    assert_string_equal(texts[2], "item 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("both outputs are captured", both_outputs_are_captured),
        TEST("an output that is too long is an error", an_output_that_is_too_long_is_an_error),
        TEST("programs are found in PATH or in the usual folders", programs_are_found),
        TEST("closed descriptors change nothing", closed_descriptors_change_nothing),
        TEST("signals of the parent are not inherited", signals_of_the_parent_are_not_inherited),
        TEST("only a stop ends a pause", only_a_stop_ends_a_pause),
        TEST("a tool that cannot start is an error", a_tool_that_cannot_start_is_an_error),
        TEST("a tool runs in its folder and group", a_tool_runs_in_its_folder_and_group),
        TEST("a tool that ignores SIGTERM is killed", a_tool_that_ignores_sigterm_is_killed),
        TEST("a worker that SIGTERM ended was interrupted",
             a_worker_that_sigterm_ended_was_interrupted),
        TEST("a result without memory is told", a_result_without_memory_is_told),
    };
    return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
