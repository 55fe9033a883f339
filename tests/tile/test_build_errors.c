/* SPDX-License-Identifier: Apache-2.0 */
/* Each error that prevents the building of a shape has one clear message. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../unit/runner.h"
#include "fixture.h"

/* Open must fail with `code`, say `word`, and leave no stage. */
static void expect_failure(struct fixture *f, const struct ec_shape_options *options,
                           enum ec_code code, const char *word)
{
    const enum ec_code got = fixture_open(f, options);
    if (got != code || strstr(f->error.message, word) == NULL)
        fail_msg("%s (%s), which is not %s: ...%s...", ec_code_text(got), f->error.message,
                 ec_code_text(code), word);
    assert_null(strchr(f->error.message, '\n'));
    if (exists(f->cache))
        assert_int_equal(count_names(f, "tmp."), 0);
}

static int setup(void **state)
{
    unsetenv("CXX");
    unsetenv("VERILATOR");
    return fixture_setup(state);
}

static void a_missing_verilator_is_named_with_its_package(void **state)
{
    setenv("VERILATOR", "/nowhere/verilator", 1);
    expect_failure(*state, NULL, EC_TOOL, "apt-get install verilator");
    expect_failure(*state, NULL, EC_TOOL, "/nowhere/verilator");
    unsetenv("VERILATOR");
}

static void a_missing_compiler_is_named_with_its_package(void **state)
{
    setenv("CXX", "no-such-c++ -O9", 1);
    expect_failure(*state, NULL, EC_TOOL, "apt-get install g++");
    expect_failure(*state, NULL, EC_TOOL, "no-such-c++");
    unsetenv("CXX");
}

static void an_empty_path_has_no_verilator(void **state)
{
    char *path = strdup(getenv("PATH"));
    assert_non_null(path);
    setenv("PATH", "/nowhere", 1);
    const enum ec_code code = fixture_open(*state, NULL);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(code, EC_TOOL);
}

static void a_tool_that_does_not_work_is_named(void **state)
{
    setenv("CXX", "false", 1);
    expect_failure(*state, NULL, EC_TOOL, "false --version");
    unsetenv("CXX");
}

static void a_syntax_error_comes_with_its_line_and_a_log(void **state)
{
    struct fixture *f = *state;
    append_text(fixture_path(f, "data/rtl/ec_tile.sv"), "module broken( endmodule\n");
    expect_failure(f, NULL, EC_TOOL, "ec_tile.sv:");
    const char *log = strstr(f->error.message, "log: ");
    assert_non_null(log);
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.*s", (int)strcspn(log + 5, ")"), log + 5);
    assert_true(exists(path));
}

static void an_error_of_the_compiler_comes_with_its_line(void **state)
{
    struct fixture *f = *state;
    append_text(fixture_path(f, "data/harness/library/shape/shim/ec_shim.cpp"), "#error planted\n");
    expect_failure(f, NULL, EC_TOOL, "planted");
}

static void an_unreadable_source_is_named(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(unlink(fixture_path(f, "data/harness/library/shape/shim/ec_shim.cpp")), 0);
    expect_failure(f, NULL, EC_IO, "ec_shim.cpp");
}

static void a_data_folder_without_rtl_is_named(void **state)
{
    struct fixture *f = *state;
    setenv("ECUBE_DATA", f->cache, 1);
    expect_failure(f, NULL, EC_IO, "ECUBE_DATA");
}

static void a_cache_that_others_can_write_is_refused(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(chmod(f->cache, 0770), 0);
    expect_failure(f, NULL, EC_IO, "writable by others");
    assert_int_equal(chmod(f->cache, 0702), 0);
    expect_failure(f, NULL, EC_IO, "writable by others");
}

static void a_cache_of_somebody_else_is_refused(void **state)
{
    struct fixture *f = *state;
    if (geteuid() != 0)
        skip(); /* only root can give a folder away */
    assert_int_equal(chown(f->cache, 12345, 12345), 0);
    expect_failure(f, NULL, EC_IO, "belongs to user 12345");
}

static void a_cache_that_is_a_file_is_refused(void **state)
{
    struct fixture *f = *state;
    setenv("ECUBE_CACHE", fixture_path(f, "data/rtl/ec_tile.sv"), 1);
    const enum ec_code code = fixture_open(f, NULL);
    assert_int_equal(code, EC_IO);
    assert_non_null(strstr(f->error.message, "not a folder"));
}

static void without_home_the_user_is_told_what_to_set(void **state)
{
    struct fixture *f = *state;
    unsetenv("ECUBE_CACHE");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_int_equal(fixture_open(f, NULL), EC_IO);
    assert_non_null(strstr(f->error.message, "ECUBE_CACHE"));
}

static void a_foreign_router_needs_files_and_a_name(void **state)
{
    struct fixture *f = *state;
    const char *const missing[] = {fixture_path(f, "missing.sv"), NULL};
    const char *const present[] = {fixture_path(f, "data/rtl/ec_router.sv"), NULL};
    expect_failure(f, &(struct ec_shape_options){.rtl = present}, EC_USAGE,
                   "name of the router module");
    expect_failure(f, &(struct ec_shape_options){.rtl = present, .top = "my-router"}, EC_USAGE,
                   "my-router");
    const char *const empty[] = {present[0], "", NULL};
    char name[300] = "m";
    memset(name + 1, '1', sizeof name - 2);
    expect_failure(f, &(struct ec_shape_options){.rtl = present, .top = "1st"}, EC_USAGE,
                   "\"1st\" is not a valid Verilog module name");
    expect_failure(f, &(struct ec_shape_options){.rtl = present, .top = name}, EC_USAGE,
                   "is too long");
    expect_failure(f, &(struct ec_shape_options){.rtl = empty, .top = "mine"}, EC_USAGE,
                   "the name of RTL file 2 is empty");
    expect_failure(
        f,
        &(struct ec_shape_options){.rtl = present, .top = "mine", .build = "--parameter Low=%x0"},
        EC_USAGE, "the place of mine is a parameter: expected a network");
    expect_failure(
        f,
        &(struct ec_shape_options){
            .rtl = present, .top = "mine", .build = "--parameter Low=%coord", .traced = true},
        EC_USAGE, "such routers have no waves");
    expect_failure(f, &(struct ec_shape_options){.rtl = missing, .top = "mine"}, EC_IO,
                   "missing.sv");
    expect_failure(f, &(struct ec_shape_options){.rtl = present, .top = "mine"}, EC_TOOL, "mine");
}

static void a_network_in_rtl_has_no_routers_of_its_own(void **state)
{
    static const struct ec_topology t;
    static const char *const rtl[] = {"router.sv", NULL};
    expect_failure(*state, &(struct ec_shape_options){.network = &t, .traced = true}, EC_USAGE,
                   "does not support waves");
    expect_failure(*state, &(struct ec_shape_options){.network = &t, .rtl = rtl, .top = "mine"},
                   EC_USAGE, "does not support user routers");
}

/* A copy of the router in root/mine; options that name one file, since Verilator finds the others
 * beside it. */
static struct ec_shape_options mine(const struct fixture *f, const char *top)
{
    static char path[PATH_MAX];
    static const char *const rtl[] = {path, NULL};
    char command[3 * PATH_MAX];
    snprintf(path, sizeof path, "%s", fixture_path(f, "mine/ec_router.sv"));
    snprintf(command, sizeof command,
             "cd %s && rm -rf mine && cp -r data/rtl mine && rm mine/ec_*tile* mine/ec_network.sv",
             f->root);
    assert_int_equal(system(command), 0);
    replace_in(path, "module ec_router", "module my_router");
    return (struct ec_shape_options){.rtl = rtl, .top = top};
}

static void modules_of_a_foreign_router_are_not_borrowed(void **state)
{
    struct fixture *f = *state;
    const struct ec_shape_options options = mine(f, "my_router");
    assert_int_equal(unlink(fixture_path(f, "mine/ec_arbiter.sv")), 0);
    expect_failure(f, &options, EC_TOOL, "module ec_arbiter is not in --rtl (ecube has one");
    expect_failure(f, &options, EC_TOOL, "data/rtl/ec_arbiter.sv)");
}

static void the_name_of_a_foreign_router_is_in_its_files(void **state)
{
    struct fixture *f = *state;
    struct ec_shape_options options = mine(f, "my_routr");
    append_text(options.rtl[0], "// module my_routr\n/* module my_routr */\n");
    expect_failure(f, &options, EC_TOOL, "no module 'my_routr' in ");
    expect_failure(f, &options, EC_TOOL, "did you mean 'my_router'?");
    options.top = "ec_router"; /* exists in ecube's folder only */
    expect_failure(f, &options, EC_TOOL, "no module 'ec_router' in ");
    options.top = "ec_tile";
    expect_failure(f, &options, EC_USAGE, "ecube's wrapper");
}

static void ports_of_a_foreign_router_are_those_of_the_contract(void **state)
{
    static const struct {
        const char *from, *to, *message;
    } ports[] = {
        {"output logic [Bufs-1:0]                 credit_o", "output logic [Bufs:0] credit_o",
         " bits: the contract (section 3.4) expects "},
        {"input  wire  [15:0]                     packet_i", "input wire [7:0] packet_i",
         "port packet_i of my_router has 8 bits: the contract (section 3.2) expects 16"},
        {" dateline_i,", " date_i,", "my_router has no port dateline_i (contract, section 3.2)"},
        {" LinksPerDim =", " LinkPerDim =",
         "my_router has no parameter LinksPerDim (contract, section 3.1)"},
    };
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
        struct fixture *f = *state;
        const struct ec_shape_options options = mine(f, "my_router");
        replace_in(options.rtl[0], ports[i].from, ports[i].to);
        expect_failure(f, &options, EC_TOOL, ports[i].message);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_missing_verilator_is_named_with_its_package),
        TEST(a_missing_compiler_is_named_with_its_package),
        TEST(an_empty_path_has_no_verilator),
        TEST(a_tool_that_does_not_work_is_named),
        TEST(a_syntax_error_comes_with_its_line_and_a_log),
        TEST(an_error_of_the_compiler_comes_with_its_line),
        TEST(an_unreadable_source_is_named),
        TEST(a_data_folder_without_rtl_is_named),
        TEST(a_cache_that_others_can_write_is_refused),
        TEST(a_cache_of_somebody_else_is_refused),
        TEST(a_cache_that_is_a_file_is_refused),
        TEST(without_home_the_user_is_told_what_to_set),
        TEST(a_foreign_router_needs_files_and_a_name),
        TEST(a_network_in_rtl_has_no_routers_of_its_own),
        TEST(modules_of_a_foreign_router_are_not_borrowed),
        TEST(the_name_of_a_foreign_router_is_in_its_files),
        TEST(ports_of_a_foreign_router_are_those_of_the_contract),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
