/* SPDX-License-Identifier: Apache-2.0 */
/* SystemVerilog that Yosys misreads without a word is found, and nothing else. Tried with Yosys
 * 0.23: it gives variables of the first list the width of one element, and refuses members of
 * structs and second dimensions by itself. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "netlist/source.h"
#include "unit.h"

#define RECORD  "typedef struct packed { logic [3:0] a; logic v; } flit_t;\n"
#define VECTOR  "typedef logic [4:0] word_t;\n"
#define PACKAGE "package p;\n" RECORD "endpackage\n"

static void write_file(const char *name, const char *text)
{
    assert_int_equal(ec_file_write(name, text, strlen(text), NULL), EC_OK);
}

static bool speaks; /* what was scanned last */

static enum ec_code scan(const char *const *names, size_t count, char note[100], struct ec_error *e)
{
    struct ec_sources s = {0};
    note[0] = '\0';
    for (size_t i = 0; i < count; i++)
        ec_args_add(&s.files, "%s", names[i]);
    ec_args_add(&s.includes, "headers");
    const enum ec_code code = ec_netlist_scan(&s, NULL, note, 100, &speaks, e);
    ec_sources_free(&s);
    return code;
}

static enum ec_code scan_text(const char *text, char note[100], struct ec_error *e)
{
    static const char *const name = "a.sv";
    write_file(name, text);
    return scan(&name, 1, note, e);
}

static void test_misread(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {RECORD "module m; flit_t s [0:3];", "a.sv:2: Yosys silently misreads an unpacked array of "
                                             "structs, 'flit_t s [...]'"},
        {RECORD "module m; var flit_t s [0:3];", "'flit_t s [...]'"},
        {RECORD "module m; flit_t x, s [0:3];", "',... s [...]'"},
        {RECORD "module m; flit_t x = '0, y = {1'b0, z[3:0]}, s [4];", "',... s [...]'"},
        {RECORD "typedef flit_t array_t [0:3];", "'flit_t array_t [...]'"},
        {"typedef union packed { logic a; logic b; } flit_t; module m; flit_t s [2];", "'flit_t s"},
        {PACKAGE "module m; p::flit_t s [0:3];", "'flit_t s [...]'"},
        {RECORD "module m; flit_t [3:0] s;", "a packed array of a type, 'flit_t [...] s'"},
        {VECTOR "module m; word_t [3:0] s;", "'word_t [...] s'"},
        {VECTOR "module m; word_t [3:0][1:0] s;", "'word_t [...] s'"},
        {VECTOR "typedef word_t [3:0] array_t;", "'word_t [...] array_t'"},
        {VECTOR "typedef struct packed { logic v; word_t [3:0] w; } x_t;", "'word_t [...] w'"},
        {VECTOR "module m (input word_t [3:0] s);", "'word_t [...] s'"},
        {"typedef enum logic [1:0] {A, B} k_t; module m; k_t [3:0] s;", "'k_t [...] s'"},
    };
    char note[100];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_error e = {.message = ""};
        if (scan_text(cases[i].text, note, &e) != EC_TOOL || !strstr(e.message, cases[i].says))
            fail_msg("%s:\n'%s' does not say '%s'", cases[i].text, e.message, cases[i].says);
    }
}

static void test_speaks(void **state)
{
    static const struct {
        const char *text;
        bool speaks;
    } cases[] = {
        {"module m; assign asserted = error; // $display\n", false},
        {"module m; always_comb $displayb(\"x\");", true},
        {"module m; initial $finish;", true},
        {"module m; a: assert property (@(posedge c) b);", true},
        {"`ifndef SYNTHESIS\n`CHECK\n`endif", true},
    };
    char note[100];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(scan_text(cases[i].text, note, NULL), EC_OK);
        if (speaks != cases[i].speaks)
            fail_msg("%s: %d", cases[i].text, speaks);
    }
}

static void test_read(void **state)
{
    static const char *const cases[] = {
        "// " RECORD "/* flit_t s [3]; */ \"flit_t s [3]\"",
        RECORD "module m; flit_t s; assign o = s[3], t = x[2];",
        RECORD "module m (input flit_t s, input logic [3:0] t, logic [1:0] u, output v [3]);",
        RECORD "module m; flit_t s; logic t [0:3]; other #(.W(3)) u (.a(s), .b(t[2]));",
        RECORD "typedef flit_t alias_t; module m; alias_t s [0:3];",
        RECORD
        "function flit_t make(input logic a, logic [3:0] b); return flit_t'(b[2]); endfunction",
        VECTOR "module m; word_t s [0:3], t [2]; assign s[1] = t[0];",
        VECTOR VECTOR "typedef logic [1:0] array_t [0:3];",
        "typedef logic [1:0] array_t [0:3]; typedef logic [1:0] array_t [0:3];",
        VECTOR "module m; assign x.word_t[2] = y; assign word_t[3] = 1'b0;",
        RECORD "module n; typedef logic [4:0] flit_t; flit_t s [0:3];",
        "module m; `include \"none.svh\"\n logic [3:0] a;",
    };
    char note[100];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_error e = {.message = ""};
        if (scan_text(cases[i], note, &e) != EC_OK)
            fail_msg("%s:\n%s", cases[i], e.message);
        assert_string_equal(note, "");
    }
}

static void test_files(void **state)
{
    static const char *const names[] = {"package.sv", "router.sv"};
    char note[100];
    struct ec_error e = {.message = ""};
    (void)state;
    write_file("package.sv", PACKAGE);
    write_file("router.sv", "module m;\n  p::flit_t s [0:3];\nendmodule\n");
    assert_int_equal(scan(names, COUNT(names), note, &e), EC_TOOL);
    assert_non_null(strstr(e.message, "router.sv:2:"));
    assert_int_equal(scan(&names[1], 1, note, &e), EC_OK);
}

static void test_included(void **state)
{
    char note[100];
    struct ec_error e = {.message = ""};
    (void)state;
    write_file("headers/types.svh", "`include \"types.svh\"\n" RECORD);
    assert_int_equal(scan_text("`include \"types.svh\"\nmodule m; flit_t s [0:3];", note, &e),
                     EC_TOOL);
    assert_non_null(strstr(e.message, "a.sv:2:"));
    write_file("headers/body.svh", RECORD "flit_t s [0:3];");
    assert_int_equal(scan_text("module m;\n`include \"body.svh\" // here\n", note, &e), EC_TOOL);
    assert_non_null(strstr(e.message, "headers/body.svh:2:"));
}

/* Each of them could be a dimension, whose end is looked for. */
static void test_unclosed(void **state)
{
    enum { BRACKETS = 200000 };
    char *text = malloc(BRACKETS + 1), note[100];
    struct ec_error e;
    (void)state;
    assert_non_null(text);
    memset(text, '[', BRACKETS);
    text[BRACKETS] = '\0';
    assert_int_equal(scan_text(text, note, &e), EC_OK);
    free(text);
}

static void test_bind(void **state)
{
    char note[100];
    struct ec_error e = {.message = ""};
    (void)state;
    assert_int_equal(scan_text("module m; endmodule\nbind m checks u (.*);", note, &e), EC_OK);
    assert_string_equal(note, "a.sv:2: Yosys ignores 'bind'");
}

/* A file of a library by its name, or one that a tool has found in a folder of modules. */
static void test_libraries(void **state)
{
    static const char *const words[][2] = {{"-v", "library.sv"}, {"-y", "headers"}};
    char note[100] = "";
    struct ec_args found = {0};
    (void)state;
    write_file("a.sv", "module m; endmodule");
    write_file("library.sv", RECORD "module l; flit_t s [0:3]; endmodule");
    ec_args_add(&found, "library.sv");
    for (unsigned k = 0; k < 4; k++) {
        struct ec_error e = {.message = ""};
        struct ec_sources s = {0};
        ec_args_add(&s.files, "a.sv");
        for (size_t i = 0; i < 2; i++)
            ec_args_add(&s.library, "%s", words[k % 2][i]);
        const bool read = k != 1; /* "-y" alone names no file */
        assert_int_equal(ec_netlist_scan(&s, k < 2 ? NULL : &found, note, sizeof note, NULL, &e),
                         read ? EC_TOOL : EC_OK);
        assert_int_equal(strstr(e.message, "library.sv:2:") != NULL, read);
        ec_sources_free(&s);
    }
    ec_args_free(&found);
}

static char folder[] = "/tmp/ecube-unit.XXXXXX";

static int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 && mkdir("headers", 0700) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    (void)state;
    return ec_folder_remove(folder, NULL) == EC_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("dimensions that Yosys loses are found", test_misread),
        TEST("what does more than its circuit is noticed", test_speaks),
        TEST("what it reads right is not refused", test_read),
        TEST("types hold in later files", test_files),
        TEST("and in files that include them", test_included),
        TEST("brackets without end take no time", test_unclosed),
        TEST("what it leaves out is noted", test_bind),
        TEST("libraries are read, too", test_libraries),
    };
    return cmocka_run_group_tests_name("scan", tests, enter_folder, leave_folder);
}
