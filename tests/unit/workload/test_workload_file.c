/* SPDX-License-Identifier: Apache-2.0 */
/* Maps and traces from files: accepted rows, refused rows and their line numbers. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder for one test program; cmocka's group set-up makes it, the tear-down removes it. */
static char folder[] = "/tmp/ecube-unit-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void write_file(const char *name, const char *content, size_t size, char *path, size_t room)
{
    snprintf(path, room, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(content, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* Open "<kind>:file=<a file with this content>" on cube:2. */
static enum ec_code open_content(const char *kind, const char *content, size_t size,
                                 struct ec_workload **ret, struct ec_error *error)
{
    struct ec_topology t = topology_of("cube:2");
    char path[64], text[128];

    write_file("input.csv", content, size, path, sizeof path);
    snprintf(text, sizeof text, "%s:file=%s", kind, path);
    enum ec_code code = ec_workload_open(text, &t, 1, ret, error);
    unlink(path);
    return code;
}

static void maps_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *content;
        size_t count;
        uint32_t src, dst; /* of the first message */
    } cases[] = {
        {"0,3\n1,2\n2,1\n3,0\n", 4, 0, 3},
        {"src,dst\n3,0\n1,2\n", 2, 1, 2}, /* sorted by source */
        {"source,destination\r\n3,0\r\n", 1, 3, 0},
        {"# a comment, with commas\n\n  \t\n 2 , 2 # self\n", 1, 2, 2},
        {"2,1", 1, 2, 1}, /* no newline at the end */
        {"\xef\xbb\xbfsrc,dst\n2,1\n", 1, 2, 1},
        {"# before the header\nsrc,dst\n2,1\n", 1, 2, 1},
        {"\xef\xbb\xbf"
         "2,1\n",
         1, 2, 1},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_workload *w = NULL;
        struct ec_error error;
        if (open_content("perm", cases[i].content, strlen(cases[i].content), &w, &error) != EC_OK)
            fail_msg("case %zu: %s", i, error.message);
        assert_int_equal(w->message_count, cases[i].count);
        assert_int_equal(w->messages[0].src, cases[i].src);
        assert_int_equal(w->messages[0].dst, cases[i].dst);
        assert_int_equal(w->messages[0].words, 1);
        assert_true(w->permutation);
        ec_workload_close(w);
    }
}

static void traces_are_sorted_stably(void **state)
{
    (void)state;
    static const char content[] = "cycle,source,destination,words\n"
                                  "9,1,0,1\n5,3,2,2\n5,1,2,3\n5,1,0,4\n1,0,0,16777216\n5,1,2,6\n";
    static const struct ec_message sorted[] = {
        {1, 0, 0, 16777216, 0}, {5, 1, 2, 3, 0}, {5, 1, 0, 4, 0},
        {5, 1, 2, 6, 0},        {5, 3, 2, 2, 0}, {9, 1, 0, 1, 0},
    };
    struct ec_workload *w = NULL;
    struct ec_error error;

    if (open_content("trace", content, strlen(content), &w, &error) != EC_OK)
        fail_msg("%s", error.message);
    assert_int_equal(w->message_count, COUNT(sorted));
    for (size_t i = 0; i < COUNT(sorted); i++) {
        assert_int_equal(w->messages[i].cycle, sorted[i].cycle);
        assert_int_equal(w->messages[i].src, sorted[i].src);
        assert_int_equal(w->messages[i].dst, sorted[i].dst);
        assert_int_equal(w->messages[i].words, sorted[i].words);
    }
    assert_false(w->permutation);
    assert_int_equal(w->longest, 16777216);
    ec_workload_close(w);
}

static void long_traces_are_sorted(void **state)
{
    (void)state;
    enum { ROWS = 10007 }; /* several growths of the list, no power of two */
    char *content = malloc(ROWS * 24);
    size_t size = 0;
    struct ec_workload *w = NULL;

    assert_non_null(content);
    for (uint64_t i = 0; i < ROWS; i++)
        size += (size_t)snprintf(content + size, 24, "%llu,%llu,1,%llu\n",
                                 (unsigned long long)(i * 7919 % ROWS / 10 + 1),
                                 (unsigned long long)(i % 4), (unsigned long long)(i + 1));
    assert_int_equal(open_content("trace", content, size, &w, NULL), EC_OK);
    assert_int_equal(w->message_count, ROWS);
    for (size_t i = 1; i < ROWS; i++) {
        const struct ec_message *a = &w->messages[i - 1], *b = &w->messages[i];
        assert_true(a->cycle < b->cycle || (a->cycle == b->cycle && a->src < b->src) ||
                    (a->cycle == b->cycle && a->src == b->src && a->words < b->words));
    }
    ec_workload_close(w);
    free(content);
}

static void traces_have_dependences(void **state)
{
    (void)state;
    static const char content[] = "delay,id,source,words,destination,after,behind\n"
                                  ",30,1,4,0,10 20; 5,\n"
                                  "7,20,0,2,3,,\n"
                                  ",5,0,1,2,,20\n"
                                  "1,10,2,8,1,5,\n"
                                  ",,3,1,3,,\n";
    static const uint32_t after[] = {3, 1, 2, 2},
                          behind[] = {EC_NONE, EC_NONE, 1, EC_NONE, EC_NONE};
    static const uint64_t ids[] = {30, 20, 5, 10, EC_NO_ID};
    static const size_t first[] = {0, 3, 3, 3, 4, 4};
    static const uint32_t delay[] = {0, 7, 0, 1, 0};
    struct ec_workload *w = NULL;
    struct ec_error error;

    if (open_content("trace", content, strlen(content), &w, &error) != EC_OK)
        fail_msg("%s", error.message);
    assert_int_equal(w->message_count, 5);
    assert_int_equal(w->messages[0].src, 1); /* in the order of the file */
    assert_int_equal(w->messages[3].words, 8);
    assert_int_equal(w->messages[4].cycle, 1);
    assert_memory_equal(w->ids, ids, sizeof ids);
    const struct ec_message_order *o = w->order;
    assert_true(o->overtake && !o->by_step && !o->step);
    assert_memory_equal(o->first, first, sizeof first);
    assert_memory_equal(o->after, after, sizeof after);
    assert_memory_equal(o->delay, delay, sizeof delay);
    assert_memory_equal(o->behind, behind, sizeof behind);
    ec_workload_close(w);
}

/* A message may wait for any number of others. */
static void long_lists_are_read(void **state)
{
    (void)state;
    enum { ROWS = 5000 };
    char *content = malloc(ROWS * 40);
    size_t size = 0;
    struct ec_workload *w = NULL;

    assert_non_null(content);
    size += (size_t)snprintf(content, 80, "id,source,destination,words,after\n");
    for (unsigned i = ROWS; i > 0; i--) /* chains of rows that come later */
        size += (size_t)snprintf(content + size, 40, "%u,0,1,1,%.*u\n", i, i > 1 ? 4 : 0, i - 1);
    size += (size_t)snprintf(content + size, 40, "0,1,0,1,");
    for (unsigned i = ROWS; i > 0; i--)
        size += (size_t)snprintf(content + size, 40, " %u", i);
    assert_int_equal(open_content("trace", content, size, &w, NULL), EC_OK);
    assert_int_equal(w->message_count, ROWS + 1);
    assert_int_equal(w->order->first[ROWS + 1] - w->order->first[ROWS], ROWS);
    assert_int_equal(w->order->after[w->order->first[ROWS]], 0);
    assert_int_equal(w->order->after[0], 1);
    ec_workload_close(w);
    free(content);
}

static void bad_content_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *content, *words;
    } cases[] = {
        {"perm", "", "no rows"},
        {"perm", "# nothing\n\n", "no rows"},
        {"perm", "src,dst\n", "no rows"},
        {"perm", "0,1\n0,2\n", ":2:|node 0 sends twice|line 1"},
        {"perm", "0,1\n\n2,1\n", ":3:|node 1 receives twice|line 1"},
        {"perm", "0,4\n", ":1:|'4'|0 to 3"},
        {"perm", "4,0\n", ":1:|src '4'"},
        {"perm", "0\n", ":1:|'0'|src,dst"},
        {"perm", "0,1,2\n", ":1:|'0,1,2'"},
        {"perm", "0,\n", ":1:|'0,'"},
        {"perm", ",1\n", ":1:|',1'"},
        {"perm",
         "0,1\n\xef\xbb\xbf"
         "2,3\n",
         ":2:"},
        {"perm", "0;1\n", ":1:|'0;1'"},
        {"perm", "0,-1\n", "'-1'"},
        {"perm", "0,1.0\n", "'1.0'"},
        {"perm", "0,0x1\n", "'0x1'"},
        {"perm", "0,\"1\"\n", "'\"1\"'"},
        {"perm", "0,99999999999999999999\n", "'99999999999999999999'"},
        {"perm", "from,to\n0,1\n", ":1:"},
        {"perm", "0,1\nsrc,dst\n", ":2:|src 'src'"},
        {"perm", "src,dst\nsrc,dst\n", ":2:"},
        {"trace", "", "no rows"},
        {"trace", "1,0,1\n", ":1:|cycle,source,destination,words"},
        {"trace", "0,0,1,1\n", ":1:|cycle '0'|1 to"},
        {"trace", "1,0,1,0\n", "words '0'|1 to 16777216"},
        {"trace", "1,0,1,16777217\n", "words '16777217'"},
        {"trace", "1,4,1,1\n", "source '4'"},
        {"trace", "1,0,4,1\n", "destination '4'"},
        {"trace", "1,0,1,1\n2,0,1\n", ":2:"},
        {"trace", "999999999999999999,0,1,1\n", "cycle"},
        {"trace", "source,dst,words,foo\n0,1,1,1\n",
         ":1:|unknown column 'foo'|source or src|behind"},
        {"trace", "source,words\n0,1\n", ":1:|no column 'destination'"},
        {"trace", "src,source,dst,words\n0,1,1,1\n", ":1:|'source'|twice"},
        {"trace", "src,dst,words,after\n0,1,1,\n", "'after'|'id'"},
        {"trace", "src,dst,words,behind\n0,1,1,\n", "'behind'|'id'"},
        {"trace", "src,dst,words,id,after,step\n0,1,1,,,1\n", "'step' and 'after'"},
        {"trace", "src,dst,words,id\n0,1,1,7\n1,2,1,6\n1,2,1,7\n", ":4:|id 7|line 2"},
        {"trace", "src,dst,words,id\n0,1,1,x\n", ":2:|id 'x'|2^63"},
        {"trace", "src,dst,words,id,after\n0,1,1,7,8\n", ":2:|after 8|no message"},
        {"trace", "src,dst,words,id,after\n0,1,1,7,7\n", ":2:|message 7 waits for itself"},
        {"trace", "src,dst,words,id,after\n0,1,1,7,\n1,0,1,8,7 7\n", ":3:|after 7|twice"},
        {"trace", "src,dst,words,id,after\n0,1,1,7,x\n", ":2:|after 'x'"},
        {"trace", "src,dst,words,id,behind\n0,1,1,7,\n1,0,1,8,7\n", ":3:|node 0|node 1|same"},
        {"trace", "src,dst,words,id,behind\n0,1,1,7,7\n", ":2:|waits for itself"},
        {"trace", "src,dst,words,id,delay\n0,1,1,7,4294967296\n", ":2:|delay '4294967296'"},
        {"trace", "src,dst,words,id\n0,1,0,1\n", ":2:|words '0'|work of a node"},
        {"trace", "src,dst,words,step\n0,0,0,1\n", ":2:|words '0'|not 'step'"},
        {"trace", "src,dst,words,id,after\n0,0,0,1,\n1,0,2,2,1\n",
         ":3:|after 1|work of node 0|node 1|same"},
        {"trace", "src,dst,words,id,behind\n0,0,0,1,\n0,1,2,2,1\n", ":3:|behind 1|work"},
        {"trace", "src,dst,words,step\n0,1,1,2\n0,1,1,1\n", ":3:|step 1 after step 2"},
        {"trace", "src,dst,words,step\n0,1,1,\n", ":2:|without a step"},
        {"trace", "src,dst,words,id,behind,step\n0,1,1,1,2,1\n0,2,1,2,,2\n",
         ":2:|behind 2|later step"},
        {"trace", "src,dst,words,id,after\n0,1,1,5,\n0,1,1,1,2\n0,1,1,2,5 3\n0,1,1,3,1\n",
         ":3:|wait for each other: 1 waits for 2, 2 for 3, 3 for 1"},
        {"trace", "src,dst,words,id,after,behind\n0,1,1,1,2,\n0,2,1,2,,1\n",
         "wait for each other: 1 waits for 2, 2 for 1"},
        {"trace",
         "src,dst,words,id,after\n0,1,1,1,9\n0,1,1,2,1\n0,1,1,3,2\n0,1,1,4,3\n0,1,1,5,4\n"
         "0,1,1,6,5\n0,1,1,7,6\n0,1,1,8,7\n0,1,1,9,8\n",
         "1 waits for 9, 9 for 8|3 for 2, ... (9 messages)"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_workload *w = NULL;
        struct ec_error error;
        enum ec_code code =
            open_content(cases[i].kind, cases[i].content, strlen(cases[i].content), &w, &error);
        assert_refused(cases[i].content, code, EC_USAGE, &error, cases[i].words);
        assert_null(w);
    }
}

static void odd_files_are_refused(void **state)
{
    (void)state;
    struct ec_workload *w = NULL;
    struct ec_error error;
    struct ec_topology t = topology_of("cube:2");
    char text[128], *content = malloc(1000000);

    assert_non_null(content);
    assert_refused("NUL", open_content("perm", "0,1\n2,\0\n", 8, &w, &error), EC_USAGE, &error,
                   ":2:|NUL");
    memset(content, '1', 1000000);
    assert_refused("one long line", open_content("perm", content, 1000000, &w, &error), EC_USAGE,
                   &error, ":1:|too long");
    memset(content, '#', 999996); /* but a comment may be of any length */
    memcpy(content + 999996, "\n0,1", 4);
    assert_int_equal(open_content("perm", content, 1000000, &w, &error), EC_OK);
    ec_workload_close(w);
    free(content);

    w = NULL;
    assert_refused("/dev/zero", ec_workload_open("perm:file=/dev/zero", &t, 1, &w, &error),
                   EC_USAGE, &error, "/dev/zero:1:|NUL");
    assert_refused("missing", ec_workload_open("trace:file=/nowhere/x.csv", &t, 1, &w, &error),
                   EC_IO, &error, "/nowhere/x.csv|No such file");
    snprintf(text, sizeof text, "perm:file=%s", folder);
    assert_refused("a folder", ec_workload_open(text, &t, 1, &w, &error), EC_IO, &error,
                   "cannot read|directory");
    assert_null(w);
}

static void maps_serve_open_loops_if_complete(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("cube:2");
    char path[64], text[128];
    struct ec_workload *w = NULL;
    struct ec_error error;

    write_file("map.csv", "0,3\n1,2\n2,1\n3,0\n", 16, path, sizeof path);
    snprintf(text, sizeof text, "perm:file=%s,rate=0.1,m=4", path);
    assert_int_equal(ec_workload_open(text, &t, 1, &w, &error), EC_OK);
    assert_string_equal(w->text, text);
    assert_int_equal(w->parts[0].map[1], 2);
    ec_workload_close(w);

    w = NULL;
    write_file("map.csv", "0,3\n2,1\n3,0\n", 12, path, sizeof path);
    assert_refused(text, ec_workload_open(text, &t, 1, &w, &error), EC_USAGE, &error,
                   "node 1 sends nothing|rate");
    unlink(path);
}

static void long_file_names_keep_their_end(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("cube:2");
    char deep[300], name[200], text[1200];
    struct ec_workload *w = NULL;
    struct ec_error error;

    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    snprintf(deep, sizeof deep, "%s/%s", folder, name);
    assert_int_equal(mkdir(deep, 0700), 0);
    char path[1000], local[400];
    snprintf(local, sizeof local, "%s/end-of-%.100s", name, name);
    write_file(local, "0,1\n", 4, path, sizeof path);
    snprintf(text, sizeof text, "perm:file=%s,m=7", path);
    assert_int_equal(ec_workload_open(text, &t, 1, &w, &error), EC_OK);
    assert_int_equal(strlen(w->text), sizeof w->text - 1);
    assert_memory_equal(w->text, "perm:file=...n", 14);
    assert_string_equal(w->text + strlen(w->text) - 7, "nnn,m=7");
    ec_workload_close(w);
    unlink(path);
    rmdir(deep);
}

/* Of a long row or number the first hundred characters are shown. */
static void long_rows_are_shown_in_part(void **state)
{
    (void)state;
    char content[200];
    for (unsigned k = 0; k < 2; k++) {
        struct ec_workload *w = NULL;
        struct ec_error error;
        char says[200];
        memset(content, '7', sizeof content);
        memcpy(content, k ? "7" : "0,1,", k ? 1 : 4); /* one number too many, or too large */
        memcpy(content + sizeof content - 3, ",1\n", 3);
        assert_int_equal(open_content("perm", content, sizeof content, &w, &error), EC_USAGE);
        snprintf(says, sizeof says,
                 k ? "src '%.100s' is not" : "'%.100s' is not a row of 2 numbers", content);
        if (!strstr(error.message, says))
            fail_msg("'%s' does not say '%s'", error.message, says);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("a map is read with or without header, comments, CRLF and byte order mark",
             maps_are_read),
        TEST("a trace is sorted by cycle and source, and stays in order otherwise",
             traces_are_sorted_stably),
        TEST("a long trace in any order is sorted", long_traces_are_sorted),
        TEST("a trace may have dependences, in columns of any order", traces_have_dependences),
        TEST("a message may wait for thousands of others", long_lists_are_read),
        TEST("every wrong row is refused with its line", bad_content_is_refused),
        TEST("binary files, endless lines, folders and missing files are refused",
             odd_files_are_refused),
        TEST("a map with a rate needs a destination for every node",
             maps_serve_open_loops_if_complete),
        TEST("a long file name keeps its end in the canonical text",
             long_file_names_keep_their_end),
        TEST("long rows are shown in part", long_rows_are_shown_in_part),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
