/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the claims: all there and complete. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/table.h"
#include "claims/expression.h"
#include "claims/rows.h"

static struct claims_book book;

static int open_book(NO_STATE)
{
    struct ec_error e;
    if (claims_book_open(NULL, &book, &e) == EC_OK)
        return 0;
    print_error("%s\n", e.message);
    return -1;
}

static int close_book(NO_STATE)
{
    claims_book_close(&book);
    return 0;
}

/* The inventory of the sources has 253 claims; our own follow. */
static void every_claim_of_the_inventory_has_a_row_of_its_own(NO_STATE)
{
    enum { INVENTORY = 253 };
    assert_true(book.count > INVENTORY);
    for (size_t i = 0; i < book.count; i++) {
        assert_int_equal(book.rows[i].beyond, i >= INVENTORY);
        assert_int_equal(book.rows[i].number > INVENTORY, book.rows[i].beyond);
        for (size_t k = i + 1; k < book.count; k++) {
            assert_string_not_equal(book.rows[i].id, book.rows[k].id);
            assert_int_not_equal(book.rows[i].number, book.rows[k].number);
        }
    }
}

static void every_row_is_complete(NO_STATE)
{
    for (size_t i = 0; i < book.count; i++) {
        const struct claims_row *r = &book.rows[i];
        char quick[900], full[900];
        assert_true(*r->place && *r->statement && *r->grid && *r->check && *r->relation);
        assert_non_null(r->remark);
        assert_true(*r->source);
        /* Every row has a verdict; refuted or conditional claims have a counterexample, or are
         * conditional because of cases that are open. */
        assert_non_null(r->experiment);
        assert_null(r->needs);
        assert_int_not_equal(r->expected, CLAIMS_NOT_RUN);
        const bool open = r->expected == CLAIMS_CONDITIONAL && strstr(r->remark, "open");
        const bool counter = r->expected == CLAIMS_REFUTED || r->expected == CLAIMS_CONDITIONAL;
        if (!open || r->counterexample)
            assert_int_equal(counter, r->counterexample != NULL);
        claims_grid_text(r, false, quick, sizeof quick);
        claims_grid_text(r, true, full, sizeof full);
        assert_true(strlen(quick) < sizeof quick - 1 && strlen(full) < sizeof full - 1);
        assert_null(strpbrk(quick, "[|]"));
        assert_null(strpbrk(full, "[|]"));
        assert_null(strstr(r->grid, " / "));
        for (const char *c = r->statement; *c; c++)
            assert_true(*c >= ' ' && *c <= '~');
    }
}

static void grids_are_explained(NO_STATE)
{
    struct claims_row row = {.grid = "TOR, PKT m; CUBELESS"};
    char text[600];
    claims_grid_text(&row, false, text, sizeof text);
    assert_non_null(strstr(text, "TOR (torus:sxs, s=2..5, all q), PKT (m in {1, 8}"));
    assert_non_null(strstr(text, "m; CUBELESS"));
    row.grid = "d<=[4|10], ts in [{0}|{0, 7}], all";
    claims_grid_text(&row, false, text, sizeof text);
    assert_string_equal(text, "d<=4, ts in {0}, all");
    claims_grid_text(&row, true, text, sizeof text);
    assert_string_equal(text, "d<=10, ts in {0, 7}, all");
}

static void words_match_ids_and_beginnings(NO_STATE)
{
    const struct claims_row row = {.id = "grama.torus.bound"};
    assert_true(claims_match(&row, "grama.torus.bound"));
    assert_true(claims_match(&row, "grama.torus*"));
    assert_true(claims_match(&row, "*"));
    assert_false(claims_match(&row, "grama.torus"));
    assert_false(claims_match(&row, "grama.cube*"));
    assert_false(claims_match(&row, ""));
}

static bool no_value(void *context, const char *name, size_t length, int64_t *ret)
{
    (void)context, (void)name, (void)length, (void)ret;
    return false;
}

static bool call_form(void *context, const char *name, size_t length, const int64_t *arguments,
                      size_t count, int64_t *ret)
{
    struct claims_expression e = {.value = no_value, .call = call_form};
    (void)context;
    return claims_call_form(&e, book.forms, name, length, arguments, count, ret);
}

/* Replaces {0}, {1}, ... by the cells of a row, orders of blocks as digits. False: one is "-". */
static bool fill_cells(const struct table *t, const char *from, char *to)
{
    for (; *from; from++) {
        if (*from != '{') {
            *to++ = *from;
            continue;
        }
        const size_t cell = strtoul(from + 1, NULL, 10);
        if (!table_has(t, cell))
            return false;
        for (const char *c = t->cell[cell]; *c; c++)
            if (*c != '-')
                *to++ = *c;
        from = strchr(from, '}');
    }
    *to = '\0';
    return true;
}

/* Tables that were counted by moving every element, or found by search. */
static void forms_give_the_numbers_of_the_tables(NO_STATE)
{
    static const struct {
        const char *table, *truth;
    } all[] = {
        {"ring-shift-steps", "shift_ring({0}, {1}) == {2}"},
        {"torus-shift-steps", "shift_forward({0}, {1}) == {2}"},
        {"torus-shift-steps", "shift_plain({0}, {1}) == {3}"},
        {"torus-shift-steps", "shift_merged({0}, {1}) == {4}"},
        {"torus-shift-steps", "shift_per_column({0}, {1}) == {5}"},
        {"torus-shift-steps", "shift_each_row({0}, {1}) == {6}"},
        {"torus-shift-steps",
         "gohil_mesh({0}, {1}) == {2} and gohil_mesh_printed({0}, {1}) == {1}"},
        {"torus-direct-loads", "shift_torus_load({0}, {1}) == {2}"},
        {"torus-shift-worst", "most(q = 1 .. {0}^2 - 1: shift_forward({0}, q)) == {1}"},
        {"torus-shift-worst", "gergel_3_19({0}, 7, 3, 11) == 40 * {3}"},
        {"torus-shift-worst", "most(q = 1 .. {0}^2 - 1: shift_merged({0}, q)) == {5}"},
        {"torus-shift-worst", "most(q = 1 .. {0}^2 - 1: shift_per_column({0}, q)) == {7}"},
        {"gray-shift-steps", "shift_gray_forward({0}, {1}) == {3}"},
        {"gray-shift-steps", "gohil_cube({0}, {1}) == {3}"},
        {"gray-shift-steps", "shift_gray_signed({0}, {1}) == {5}"},
        {"gray-shift-worst", "grama_4_11({0}, 7, 3, 11) == 40 * {1}"},
        {"gray-shift-worst", "gergel_3_20({0}, 7, 3, 11) == 40 * {1}"},
        {"gray-shift-worst", "grama_4_11_signed({0}, 7, 3, 11) == 40 * {2}"},
        {"gsh/one-block", "pipelined({0}, {1}) == {3}"},
        {"gsh/one-block", "concurrent({0}, {1}) == {4} and theorem1({0}, {1}) == {4}"},
        {"gsh/one-block", "parity({0}, {1}) == {5}"},
        {"gsh/one-block-even", "concurrent({0}, {1}) == {2} and theorem1({0}, {1}) == {2}"},
        {"gsh/blocks", "multi_pipelined({0}, {1}) == {2} or multi_pipelined({0}, {1}) == -1"},
        {"gsh/blocks", "multi_pipelined_bound({0}, {1}) <= {2}"},
        {"gsh/blocks", "theorem2({1} < 2 * (order_sum({0}) + 1) ? 3 : 4, {0}, {1}) == {3}"},
        {"gsh/blocks-few", "multi_pipelined_bound({0}, {1}) == {2}"},
        {"gsh/blocks-parity", "multi_parity({0}, {1}) == {2}"},
        {"gsh/aapc", "aapc({0} * {1}, {0}, {2}) == {3}"},
        {"gsh/aapc",
         "aapc_case({2} <= 2 * {0} * ({1} + 1) ? 2 : 3, {0} * {1}, {0} * {1}, {0}, {2}) "
         "== {4}"},
        {"gsh/aapc", "aapc_parity({0} * {1}, {0}, {2}) == {5}"},
        {"real-gsh", "a1_pipelined({0}, {1}) == {3}"},
        {"real-gsh", "a1_concurrent({0}, {1}) == {4}"},
        {"real-gsh", "a1_packed({0}, {1}) == {5}"},
        {"real-gsh", "a2({0}, {1}) == {7}"},
        {"real-pairs", "a22({0}, {2}) == {3} and a22_printed({2}) == {4}"},
        {"real-pairs", "{2} < 4 * {0} or a22_memory({0}, {2}) == {5}"},
    };
    for (size_t i = 0; i < COUNT(all); i++) {
        struct table t = table_open(all[i].table);
        size_t compared = 0;
        while (table_next(&t)) {
            char text[300];
            int64_t truth = 0;
            if (!fill_cells(&t, all[i].truth, text))
                continue;
            struct claims_expression e = {.at = text, .value = no_value, .call = call_form};
            if (!claims_evaluate(&e, &truth) || !truth || *e.at)
                fail_msg("%s, row %zu: %s %s", all[i].table, t.rows, text, e.error);
            compared++;
        }
        if (compared == 0)
            fail_msg("%s: no row for %s", all[i].table, all[i].truth);
    }
}

/* The first file consists of `size` bytes of `text`; the others are empty. */
static void expect_bytes_refused(const char *text, size_t size, const char *message)
{
    static const char *const others[] = {"gohil",    "gergel",  "jh_bounds",  "jh_mixed",
                                         "jh_multi", "jh_real", "jh_machine", "ecube",
                                         "errata",   "beyond"};
    char folder[] = "/tmp/ecube-rows.XXXXXX", path[80];
    struct claims_book other;
    struct ec_error e = {.message = ""};
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i <= sizeof others / sizeof *others; i++) {
        snprintf(path, sizeof path, "%s/%s.txt", folder, i ? others[i - 1] : "grama");
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(text, 1, i ? 0 : size, file), i ? 0 : size);
        fclose(file);
    }
    assert_int_equal(claims_book_open(folder, &other, &e), EC_USAGE);
    if (!strstr(e.message, message))
        print_error("%s, not: %s\n", e.message, message);
    assert_non_null(strstr(e.message, message));
    for (size_t i = 0; i <= sizeof others / sizeof *others; i++) {
        snprintf(path, sizeof path, "%s/%s.txt", folder, i ? others[i - 1] : "grama");
        remove(path);
    }
    remove(folder);
}

static void expect_refused(const char *text, const char *message)
{
    expect_bytes_refused(text, strlen(text), message);
}

static void a_malformed_record_is_refused_with_file_and_line(NO_STATE)
{
    expect_refused("source: x\nno key here\n", "grama.txt:2: expected KEY: VALUE; got 'no key");
    expect_refused("  continued\n", "grama.txt:1: expected KEY: VALUE; got an indented line");
    expect_refused("id: 1 a | x\n", "grama.txt:1: expected id: NUMBER NAME | PLACE below a source");
    expect_refused("source: x\nid: a | x\n", "grama.txt:2: expected id: NUMBER NAME | PLACE");
    expect_refused("source: x\nid: 1 a\n", "grama.txt:2: expected id: NUMBER NAME | PLACE");
    expect_refused("source: x\nform: a + b\n",
                   "grama.txt:2: expected form: NAME(A, B) = EXPRESSION");
    expect_refused("source: x\nform: f(a) = a\nform: f(b) = 2\n",
                   "grama.txt:3: duplicate form 'f(b)");
    expect_refused("source: x\nloops: a\n", "grama.txt:2: expected loops: NAME: LOOPS [| NAME = ");
    expect_refused("source: x\nloops: a: b = 1..2\nloops: a: c = 1..2\n",
                   "grama.txt:3: duplicate loops 'a: c");
    expect_refused("source: x\ngrid: FIG\n", "grama.txt:2: expected source: or id:; got 'grid:'");
    expect_refused("source: x\nid: 1 a | x\nid: 1 b | x\n",
                   "grama.txt:2: claim a: missing 'statement:'");
    expect_refused("source: x\nid: 1 a | x\ngrid: x\n# no\ngrid: y\n",
                   "grama.txt:5: duplicate key 'grid:'");
    expect_refused("source: x\nid: 1 a | x\nverdict: perhaps\n",
                   "grama.txt:3: expected a verdict such as 'holds'; got 'perhaps'");
    expect_refused("source: x\nid: 1 a | x\ncheck: S\n",
                   "grama.txt:3: expected check: RELATION | HOW; got 'S'");
    expect_refused(
        "source: x\nid: 1 a | x\nas: b 1\n",
        "grama.txt:3: expected as: ID or ID NUMBER, an earlier claim with a script and a whole "
        "number from 1; got 'b 1'");
    expect_refused("source: x\nid: 1 a | x\nplaces: x\n", "grama.txt:3: unknown key 'places:'");
    expect_refused("source: x\nid: 1 a | x\nstatement: x\ngrid: x\ncheck: == | x\nverdict: holds\n",
                   "grama.txt:2: claim a: expected either 'needs:' or lines of a script");
    expect_refused("source: x\nid: 1 a | x\nlet: b = 1\ngrid: x\nmust: b == 1\n",
                   "grama.txt:5: the lines of a script must be contiguous");
}

static void a_repeated_key_is_refused(NO_STATE)
{
    expect_refused("source: x\nsource: y\n", "grama.txt:2: duplicate key 'source:' of a file");
    expect_refused("source: x\nid: 1 a | x\nverdict: holds\nverdict: refuted\n",
                   "grama.txt:4: duplicate key 'verdict:' of claim a: expected one");
    expect_refused("source: x\nid: 1 a | x\ncheck: == | S\ncheck: <= | S\n",
                   "grama.txt:4: duplicate key 'check:' of claim a");
    expect_refused("source: x\nid: 1 a | x\nneeds: y\nneeds: z\n",
                   "grama.txt:4: duplicate key 'needs:' of claim a");
    expect_refused("source: x\nid: 1 a | x\nremark: y\nremark: z\n",
                   "grama.txt:4: duplicate key 'remark:' of claim a");
}

static void a_value_with_other_text_behind_it_is_refused(NO_STATE)
{
#define FIRST                                                                                      \
    "source: x\nid: 1 a | x\nstatement: x\ngrid: x\ncheck: == | x\nverdict: holds\nclaim: 1\n"
    expect_refused(FIRST "id: 2 b | x\nas: a 7x\n", "grama.txt:9: expected as: ID or ID NUMBER, ");
    expect_refused(FIRST "id: 2 b | x\nas: a 0\n", "got 'a 0'");
    expect_refused(FIRST "id: 2 b | x\nas: a -1\n", "got 'a -1'");
    expect_refused(FIRST "id: 2 b | x\nas: a 4294967297\n", "got 'a 4294967297'");
#undef FIRST
    expect_refused("source: x\nid: -1 a | x\n", "grama.txt:2: expected id: NUMBER NAME | PLACE");
    expect_refused("source: x\nid: 4294967297 a | x\n", "grama.txt:2: expected id: NUMBER NAME");
    expect_refused("source: x\nid: 1 a | x\ncheck: FOO == | S\n",
                   "grama.txt:3: unknown relation 'FOO ==': expected ==, <=,");
    expect_refused("source: x\nid: 1 a | x\ncheck: === | S\n",
                   "grama.txt:3: unknown relation '==='");
}

static void no_part_of_a_file_is_dropped(NO_STATE)
{
    static const char zero[] = "source: x\nid: 1 a | x\nremark: a\0b\nnot a key\n";
    expect_bytes_refused(zero, sizeof zero - 1, "grama.txt:3: expected text; got a zero byte");
    expect_refused("", "grama.txt:1: expected at least one record, which starts with 'id:'");
    expect_refused("# a comment\nsource: x\n", "grama.txt:1: expected at least one record");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_of_the_inventory_has_a_row_of_its_own),
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(grids_are_explained),
        cmocka_unit_test(forms_give_the_numbers_of_the_tables),
        cmocka_unit_test(a_malformed_record_is_refused_with_file_and_line),
        cmocka_unit_test(a_repeated_key_is_refused),
        cmocka_unit_test(a_value_with_other_text_behind_it_is_refused),
        cmocka_unit_test(no_part_of_a_file_is_dropped),
        cmocka_unit_test(words_match_ids_and_beginnings),
    };
    return cmocka_run_group_tests(tests, open_book, close_book);
}
