/* SPDX-License-Identifier: Apache-2.0 */
/* Tools of proofs and mutants: which one, and how long it may take. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "netlist/tool.h"

/* Run `sh -c SCRIPT` in a private folder. */
static enum ec_code shell(const char *script, double seconds, double idle, int *ret_status,
                          struct ec_error *reterr)
{
    char folder[] = "/tmp/ecube-tool.XXXXXX", remove[100];
    struct ec_args args = {0};
    sigset_t before;
    assert_non_null(mkdtemp(folder));
    const struct ec_tool_run run = {
        .folder = folder, .log = "log", .seconds = seconds, .idle = idle, .before = &before};
    ec_args_add(&args, "sh");
    ec_args_add(&args, "-c");
    ec_args_add(&args, "%s", script);
    ec_signals_hold(&before);
    const enum ec_code code = ec_tool_run(&run, &args, ret_status, reterr);
    ec_signals_release(&before);
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    assert_int_equal(system(remove), 0);
    return code;
}

static void its_status_is_returned(void **state)
{
    struct ec_error e;
    int status;
    (void)state;
    assert_int_equal(shell("exit 3", 0, 0, &status, &e), EC_OK);
    assert_int_equal(status, 3);
}

static void one_that_computes_for_too_long_is_killed(void **state)
{
    struct ec_error e;
    int status;
    (void)state;
    assert_int_equal(shell("while :; do :; done", 0.2, 0, &status, &e), EC_OK);
    assert_int_equal(status, -1);
}

static void one_that_waits_for_a_pipe_is_killed_and_named(void **state)
{
    struct ec_error e;
    int status;
    (void)state;
    assert_int_equal(shell("mkfifo pipe; read line <pipe", 0, 0.5, &status, &e), EC_IO);
    assert_non_null(strstr(e.message, "sh waits for something"));
}

static void a_pause_is_not_a_hang(void **state)
{
    struct ec_error e;
    int status;
    (void)state;
    assert_int_equal(shell("sleep 0.2; exit 4", 0, 20, &status, &e), EC_OK);
    assert_int_equal(status, 4);
}

static void the_environment_chooses_yosys(void **state)
{
    struct ec_error e;
    (void)state;
    assert_int_equal(setenv("YOSYS", "/nowhere/yosys", 1), 0);
    assert_string_equal(ec_tool_yosys(), "/nowhere/yosys");
    assert_int_equal(ec_tool_find(ec_tool_yosys(), &e), EC_TOOL);
    assert_string_equal(e.message, "/nowhere/yosys is not installed: install it with \"apt-get "
                                   "install yosys\", or set YOSYS to a program");
    assert_int_equal(setenv("YOSYS", "", 1), 0);
    assert_string_equal(ec_tool_yosys(), "yosys");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("its status is returned", its_status_is_returned),
        TEST("one that computes for too long is killed", one_that_computes_for_too_long_is_killed),
        TEST("one that waits for a pipe is killed and named",
             one_that_waits_for_a_pipe_is_killed_and_named),
        TEST("a pause is not a hang", a_pause_is_not_a_hang),
        TEST("the environment chooses yosys", the_environment_chooses_yosys),
    };
    return cmocka_run_group_tests_name("tool", tests, NULL, NULL);
}
