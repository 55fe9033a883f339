/* SPDX-License-Identifier: Apache-2.0 */
/* File lists and options of a user's router: what is kept of each word, and what is refused. */
#include "shape/sources.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

static char root[] = "/tmp/unit-sources-XXXXXX";

static void put(const char *name, const char *text)
{
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0 && fclose(out) == 0);
}

/* In a folder of its own: a.sv, b.sv, inc/c.svh, sub/d.sv. */
static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(root) || chdir(root) != 0 || mkdir("inc", 0700) != 0 || mkdir("sub", 0700) != 0)
        return -1;
    put("a.sv", "");
    put("b.sv", "");
    put("inc/c.svh", "");
    put("sub/d.sv", "");
    setenv("UNIT_B", "b", 1);
    return 0;
}

static int remove_folder(void **state)
{
    char command[80];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return chdir("/") | system(command);
}

static void join(const struct ec_args *args, const char *title, char *text, size_t size)
{
    for (size_t i = 0; i < args->count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s %s", used ? "; " : "", title, args->words[i]);
    }
}

/* What the list says, as one line, or the error. */
static const char *read_list(const char *list)
{
    static char text[1100];
    struct ec_sources s = {0};
    struct ec_error error = {0};
    put("list.f", list);
    text[0] = '\0';
    if (ec_sources_read(NULL, "--file-list list.f", &s, &error) == EC_OK) {
        join(&s.files, "file", text, sizeof text);
        join(&s.includes, "include", text, sizeof text);
        join(&s.defines, "define", text, sizeof text);
        join(&s.parameters, "parameter", text, sizeof text);
        join(&s.library, "library", text, sizeof text);
    } else {
        snprintf(text, sizeof text, "%s", error.message);
    }
    ec_sources_free(&s);
    return text;
}

static void every_word_has_its_place(void **state)
{
    static const struct {
        const char *list, *says;
    } rows[] = {
        {"", ""},
        {"a.sv b.sv\n", "file a.sv; file b.sv"},
        {"// no word\na.sv # nor this\n/* nor\nthese b.sv */ b.sv", "file a.sv; file b.sv"},
        {"\"a.sv\" '$UNIT_B.sv' ${UNIT_B}.sv $(UNIT_B).sv",
         "file a.sv; file b.sv; file b.sv; file b.sv"},
        {"\\a.sv", "file a.sv"},
        {"-I inc -Iinc +incdir+inc+inc", "include inc; include inc; include inc; include inc"},
        {"-D ONE -DTWO=2 +define+THREE+FOUR=4",
         "define ONE; define TWO=2; define THREE; define FOUR=4"},
        {"-G Depth=4 -GWidth=8 -GDepth=2", "parameter Depth=2; parameter Width=8"},
        {"-G Text=\\\"a(\\\"", "parameter Text=\"a(\""},
        {"-y sub -v sub/d.sv +libext+.sv+.v",
         "library -y; library sub; library -v; library sub/d.sv; library +libext+.sv+.v"},
        {"-sv --sv -sverilog --timing --no-timing -Wall -Wno-WIDTH +1800-2017ext+sv a.sv",
         "file a.sv"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_string_equal(read_list(rows[i].list), rows[i].says);
}

/* -f: names begin in the current folder; -F: in that of the list. */
static void lists_are_in_lists(void **state)
{
    (void)state;
    put("sub/more.f", "d.sv");
    assert_string_equal(read_list("a.sv -F sub/more.f"), "file a.sv; file sub/d.sv");
    assert_string_equal(read_list("-f sub/more.f"),
                        "sub/more.f:1: source: cannot read d.sv: No such file or directory; -F "
                        "sub/more.f takes names relative to the list");
    assert_non_null(strstr(read_list("a.sv\n-f list.f"),
                           "list.f:2: list.f: more than 16 lists in lists: does it name itself?"));
}

/* Each list names the next one twice, so there would be 4095 of them. */
static void lists_do_not_multiply(void **state)
{
    enum { LEVELS = 12 };
    char name[20], words[60];
    (void)state;
    for (unsigned i = 1; i <= LEVELS; i++) {
        snprintf(name, sizeof name, "sub/%u.f", i);
        snprintf(words, sizeof words, "-f sub/%u.f -f sub/%u.f", i + 1, i + 1);
        put(name, i < LEVELS ? words : "");
    }
    assert_null(strstr(read_list("-f sub/4.f"), "more than"));
    assert_non_null(strstr(read_list("-f sub/1.f"), "more than 1000 file lists: name each of"));
}

static void wrong_words_are_refused_in_their_line(void **state)
{
    static const struct {
        const char *list, *says;
    } rows[] = {
        {"\n\nx.sv", "list.f:3: source: cannot read x.sv: No such file or directory"},
        {"inc", "list.f:1: source: inc is a folder"},
        {"-I a.sv", "list.f:1: -I: a.sv is not a folder"},
        {"/dev/null", "list.f:1: source: /dev/null is not a regular file"},
        {"-v", "list.f:1: option '-v' needs a value"},
        {"-ysub", "list.f:1: option '-ysub' is not supported in a file list: expected"},
        {"-", "list.f:1: option '-' is not supported in a file list: expected"},
        {"+notimingchecks", "list.f:1: '+notimingchecks' is not supported: expected +incdir+"},
        {"a.sv \"b.sv\n\"", "list.f:1: a quote is not closed"},
        {"a.sv 'b.sv", "list.f:1: a quote is not closed"},
        {"$UNIT_NONE", "list.f:1: the environment variable UNIT_NONE is not set"},
        {"$", "list.f:1: '$': expected $NAME, ${NAME} or $(NAME)"},
        {"${UNIT_B)", "list.f:1: '${UNIT_B)': expected $NAME, ${NAME} or $(NAME)"},
        {"\"\"", "list.f:1: source: a name is empty"},
        {"-D 1", "list.f:1: --define '1': expected NAME or NAME=VALUE"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *const text = read_list(rows[i].list);
        if (strncmp(text, rows[i].says, strlen(rows[i].says)) != 0)
            fail_msg("'%s': expected '%s'", text, rows[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("every word of a list has its place", every_word_has_its_place),
        TEST("lists are in lists", lists_are_in_lists),
        TEST("lists do not multiply", lists_do_not_multiply),
        TEST("wrong words are refused in their line", wrong_words_are_refused_in_their_line),
    };
    return cmocka_run_group_tests_name("sources", tests, make_folder, remove_folder);
}
