/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the claims: all there, in order, complete. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "study/claims.h"

static void rows_are_those_of_the_inventory_in_its_order(void **state)
{
    (void)state;
    FILE *file = fopen(TEST_DATA "/claims.csv", "r");
    char line[100], expected[100];
    size_t rows = 0;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file)); /* the heading */
    while (fgets(line, sizeof line, file)) {
        const struct claims_row *row = claims_at(rows++);
        assert_non_null(row);
        snprintf(expected, sizeof expected, "%u,%s\n", row->number, row->id);
        assert_string_equal(expected, line);
    }
    fclose(file);
    assert_int_equal(rows, 253);
    assert_int_equal(claims_count(), rows);
    assert_null(claims_at(rows));
}

static void ids_and_numbers_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < claims_count(); i++) {
        for (size_t k = i + 1; k < claims_count(); k++) {
            assert_string_not_equal(claims_at(i)->id, claims_at(k)->id);
            assert_int_not_equal(claims_at(i)->number, claims_at(k)->number);
        }
    }
}

static void every_row_is_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i < claims_count(); i++) {
        const struct claims_row *r = claims_at(i);
        char quick[900], full[900];
        assert_true(*r->place && *r->statement && *r->grid && *r->check && *r->relation);
        assert_non_null(r->remark);
        assert_true(*claims_source(r));
        /* None is without a verdict; what is refuted or conditional has its counterexample. */
        assert_non_null(r->experiment);
        assert_null(r->needs);
        assert_int_not_equal(r->expected, CLAIMS_NOT_RUN);
        const bool counter = r->expected == CLAIMS_REFUTED || r->expected == CLAIMS_CONDITIONAL;
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

static void grids_are_explained(void **state)
{
    (void)state;
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

static void words_match_ids_and_beginnings(void **state)
{
    (void)state;
    const struct claims_row row = {.id = "grama.torus.bound"};
    assert_true(claims_match(&row, "grama.torus.bound"));
    assert_true(claims_match(&row, "grama.torus*"));
    assert_true(claims_match(&row, "*"));
    assert_false(claims_match(&row, "grama.torus"));
    assert_false(claims_match(&row, "grama.cube*"));
    assert_false(claims_match(&row, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_the_inventory_in_its_order),
        cmocka_unit_test(ids_and_numbers_are_unique),
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(grids_are_explained),
        cmocka_unit_test(words_match_ids_and_beginnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
