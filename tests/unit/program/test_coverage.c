/* SPDX-License-Identifier: Apache-2.0 */
/* Points of coverage: how they are added up, stored, read, and what becomes of them. */
#include "program/coverage/coverage.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "unit.h"

static const struct ec_point branch = {.file = "a.sv",
                                       .line = 7,
                                       .column = 3,
                                       .page = "v_branch/cell",
                                       .comment = "if",
                                       .lines = "7-8",
                                       .hier = ".ec_tile.u_router.u_one"};

static struct ec_coverage *open_coverage(void)
{
    struct ec_coverage *c = NULL;
    assert_int_equal(ec_coverage_open(&c, NULL), EC_OK);
    return c;
}

static struct ec_units units_of(struct ec_coverage *c)
{
    struct ec_units u;
    assert_int_equal(ec_coverage_check(c, NULL), EC_OK);
    assert_int_equal(ec_units_open(c, &u, NULL), EC_OK);
    return u;
}

static char *text_of(struct ec_coverage *c)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    ec_coverage_write(c, out);
    fclose(out);
    return text;
}

static void instances_of_a_module_are_one_unit(void **state)
{
    (void)state;
    struct ec_coverage *c = open_coverage();
    struct ec_point other = branch;
    other.hier = ".ec_tile.u_router.u_two";
    other.page = "v_branch/cell__D2";
    ec_coverage_add(c, &branch, 0);
    ec_coverage_add(c, &other, 3);
    ec_coverage_add(c, &other, 2);
    struct ec_units u = units_of(c);
    assert_int_equal(u.count, 3); /* lines 7 and 8, and the branch */
    assert_int_equal(u.at[0].kind, EC_KIND_LINE);
    assert_int_equal(u.at[0].line, 7);
    assert_int_equal(u.at[0].hits, 5);
    assert_int_equal(u.at[1].kind, EC_KIND_BRANCH);
    assert_string_equal(u.at[1].name, "if");
    assert_int_equal(u.at[1].hits, 5);
    assert_int_equal(u.at[2].line, 8);
    ec_units_close(&u);
    ec_coverage_close(c);
}

static void lines_are_lists_of_ranges(void **state)
{
    (void)state;
    struct ec_coverage *c = open_coverage();
    struct ec_point block = branch;
    block.page = "v_line/cell";
    block.comment = "block";
    block.lines = "2,4-5,90";
    ec_coverage_add(c, &block, 1);
    struct ec_units u = units_of(c);
    static const uint32_t lines[] = {2, 4, 5, 90};
    assert_int_equal(u.count, COUNT(lines));
    for (size_t i = 0; i < COUNT(lines); i++) {
        assert_int_equal(u.at[i].line, lines[i]);
        assert_int_equal(u.at[i].hits, 1);
    }
    ec_units_close(&u);
    ec_coverage_close(c);
}

static void a_line_has_the_hits_of_its_busiest_point(void **state)
{
    (void)state;
    struct ec_coverage *c = open_coverage();
    struct ec_point block = branch;
    block.page = "v_line/cell";
    block.lines = "7";
    ec_coverage_add(c, &branch, 4);
    ec_coverage_add(c, &block, 9);
    struct ec_units u = units_of(c);
    assert_int_equal(u.at[0].line, 7);
    assert_int_equal(u.at[0].hits, 9);
    ec_units_close(&u);
    ec_coverage_close(c);
}

static void cover_properties_are_told_apart_by_their_place(void **state)
{
    (void)state;
    struct ec_coverage *c = open_coverage();
    struct ec_point point = {.file = "a.sv",
                             .line = 1,
                             .column = 1,
                             .page = "v_user/cell",
                             .comment = "full",
                             .lines = "1",
                             .hier = ".ec_tile.u_router.gen_p__BRA__0__KET__.full"};
    ec_coverage_add(c, &point, 0);
    point.hier =
        ".ec_tile_network.u_network.gen_n__BRA__3__KET__.u_router.gen_p__BRA__1__KET__.full";
    ec_coverage_add(c, &point, 1);
    point.hier = ".elsewhere.full";
    ec_coverage_add(c, &point, 1);
    struct ec_units u = units_of(c);
    assert_int_equal(u.count, 3); /* a user point is not a line */
    assert_string_equal(u.at[0].name, "elsewhere.full");
    assert_string_equal(u.at[1].name, "gen_p[0].full");
    assert_int_equal(u.at[1].hits, 0);
    assert_string_equal(u.at[2].name, "gen_p[1].full");
    struct ec_covered covered[EC_KINDS];
    assert_int_equal(ec_units_of_file(&u, 0, covered), 3);
    assert_int_equal(covered[EC_KIND_USER].all, 3);
    assert_int_equal(covered[EC_KIND_USER].hit, 2);
    assert_int_equal(covered[EC_KIND_LINE].all, 0);
    ec_units_close(&u);
    ec_coverage_close(c);
}

static void points_of_other_kinds_are_left_out(void **state)
{
    (void)state;
    struct ec_coverage *c = open_coverage();
    struct ec_point odd = branch;
    odd.page = "v_expr/cell";
    ec_coverage_add(c, &odd, 1);
    odd.page = "covergroup";
    ec_coverage_add(c, &odd, 1);
    struct ec_units u = units_of(c);
    assert_int_equal(u.count, 0);
    ec_units_close(&u);
    ec_coverage_close(c);
}

static void a_file_has_what_was_written(void **state)
{
    (void)state;
    char path[] = "/tmp/ecube-unit-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    struct ec_coverage *c = open_coverage(), *read = open_coverage();
    struct ec_point point = branch;
    for (uint32_t line = 0; line < 10000; line++) { /* the table grows */
        point.line = line;
        ec_coverage_add(c, &point, line % 3);
    }
    char *text = text_of(c);
    assert_int_equal(ec_file_write(path, text, strlen(text), NULL), EC_OK);
    assert_int_equal(ec_coverage_read(read, path, NULL), EC_OK);
    char *again = text_of(read);
    assert_string_equal(again, text);
    free(again);
    assert_int_equal(ec_coverage_read(read, path, NULL), EC_OK); /* once more: twice the hits */
    again = text_of(read);
    assert_string_not_equal(again, text);
    assert_int_equal(strlen(again), strlen(text));
    free(again);
    free(text);
    unlink(path);
    ec_coverage_close(c);
    ec_coverage_close(read);
}

static void points_without_a_place_are_left_out(void **state)
{
    (void)state;
    static const char text[] = "# SystemC::Coverage-3\nC '\1f\2a.sv\1page\2v_line/cell' 1\n"
                               "C '\1f\2a.sv\1l\2\063\1page\2v_line/cell' 1\n"
                               "C '\1page\2v_line/cell' 1\n";
    char path[] = "/tmp/ecube-unit-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    struct ec_coverage *c = open_coverage();
    assert_int_equal(ec_file_write(path, text, sizeof text - 1, NULL), EC_OK);
    assert_int_equal(ec_coverage_read(c, path, NULL), EC_OK);
    struct ec_units u = units_of(c);
    assert_int_equal(u.count, 0);
    ec_units_close(&u);
    unlink(path);
    ec_coverage_close(c);
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"# SystemC::Coverage-3\nC '\1f\2a.sv' -1\n", ":2: not a point"},
        {"# SystemC::Coverage-3\nC '\1f\2a.sv' 18446744073709551616\n", ":2: not a point"},
        {"", "is not a file of coverage data"},
        {"C '\1f\2a.sv' 1\n", "is not a file of coverage data"},
        {"# SystemC::Coverage-3\nC '\1f\2a.sv' 1", "its end is missing"},
        {"# SystemC::Coverage-3\nC '\1f\2a.sv' 1\nD\n", ":3: not a point"},
        {"# SystemC::Coverage-3\nC '\1f\2a.sv' \n", ":2: not a point"},
        {"# SystemC::Coverage-3\nC '\1f\2a.sv' 1x\n", ":2: not a point"},
        {"# SystemC::Coverage-3\nC '\1f\2a.sv 1\n", ":2: not a point"},
    };
    char path[] = "/tmp/ecube-unit-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_coverage *c = open_coverage();
        struct ec_error e;
        assert_int_equal(ec_file_write(path, cases[i].text, strlen(cases[i].text), NULL), EC_OK);
        assert_int_equal(ec_coverage_read(c, path, &e), EC_USAGE);
        if (!strstr(e.message, cases[i].says))
            fail_msg("'%s' does not say '%s'", e.message, cases[i].says);
        ec_coverage_close(c);
    }
    unlink(path);
    struct ec_coverage *c = open_coverage();
    assert_int_equal(ec_coverage_read(c, path, NULL), EC_IO);
    ec_coverage_close(c);
}

static void nothing_behind_a_zero_byte_is_lost(void **state)
{
    (void)state;
    static const char text[] = "# SystemC::Coverage-3\nC '\1f\2a.sv' 1\0\nC '\1f\2a.sv' 1\n";
    char path[] = "/tmp/ecube-unit-XXXXXX";
    struct ec_coverage *c = open_coverage();
    struct ec_error e = {.message = ""};
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(ec_file_write(path, text, sizeof text - 1, NULL), EC_OK);
    assert_int_equal(ec_coverage_read(c, path, &e), EC_USAGE);
    assert_non_null(strstr(e.message, "a NUL byte"));
    unlink(path);
    ec_coverage_close(c);
}

static void lines_that_are_no_numbers_are_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {"1-18446744073709551615",
                                        "1-4294967295",
                                        "1-600000,1-600000",
                                        "5-4",
                                        "-5",
                                        "5--5",
                                        "5-",
                                        "5,",
                                        "x"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct ec_coverage *c = open_coverage();
        struct ec_units u;
        struct ec_error e;
        struct ec_point block = branch;
        block.lines = lines[i];
        ec_coverage_add(c, &block, 1);
        if (ec_units_open(c, &u, &e) != EC_USAGE)
            fail_msg("'%s' is accepted", lines[i]);
        assert_non_null(strstr(e.message, "damaged"));
        ec_coverage_close(c);
    }
}

static void lcov_gets_lines_and_branches(void **state)
{
    (void)state;
    struct ec_coverage *c = open_coverage();
    struct ec_point other = branch;
    char *text = NULL;
    size_t size;
    other.comment = "else";
    other.lines = "";
    ec_coverage_add(c, &branch, 2);
    ec_coverage_add(c, &other, 0);
    struct ec_units u = units_of(c);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    ec_units_lcov(&u, out);
    fclose(out);
    assert_string_equal(text, "TN:ecube\nSF:a.sv\nBRDA:7,0,0,0\nBRDA:7,0,1,2\nBRF:2\nBRH:1\n"
                              "DA:7,2\nDA:8,2\nLF:2\nLH:2\nend_of_record\n");
    free(text);
    ec_units_close(&u);
    ec_coverage_close(c);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("instances of a module are one unit", instances_of_a_module_are_one_unit),
        TEST("lines are lists of ranges", lines_are_lists_of_ranges),
        TEST("a line has the hits of its busiest point", a_line_has_the_hits_of_its_busiest_point),
        TEST("cover properties are told apart by their place",
             cover_properties_are_told_apart_by_their_place),
        TEST("points of other kinds are left out", points_of_other_kinds_are_left_out),
        TEST("a file has what was written", a_file_has_what_was_written),
        TEST("points without a place are left out", points_without_a_place_are_left_out),
        TEST("damaged files are refused", damaged_files_are_refused),
        TEST("nothing behind a zero byte is lost", nothing_behind_a_zero_byte_is_lost),
        TEST("lines that are no numbers are refused", lines_that_are_no_numbers_are_refused),
        TEST("lcov gets lines and branches", lcov_gets_lines_and_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
