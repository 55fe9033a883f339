/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged schedules make rows fail: every schedule that an experiment opens passes through here
 * (the linker's --wrap) and is damaged in one way. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/runner.h"
#include "claims/rows.h"
#include "ecube/schedule.h"

static void (*damage)(struct ec_schedule *s); /* NULL: none */

enum ec_code __real_ec_schedule_open(const struct ec_topology *t, const struct ec_workload *w,
                                     const char *algorithm, struct ec_schedule **ret,
                                     struct ec_error *reterr);
enum ec_code __wrap_ec_schedule_open(const struct ec_topology *t, const struct ec_workload *w,
                                     const char *algorithm, struct ec_schedule **ret,
                                     struct ec_error *reterr);

enum ec_code __wrap_ec_schedule_open(const struct ec_topology *t, const struct ec_workload *w,
                                     const char *algorithm, struct ec_schedule **ret,
                                     struct ec_error *reterr)
{
    const enum ec_code code = __real_ec_schedule_open(t, w, algorithm, ret, reterr);
    if (code == EC_OK && damage)
        damage(*ret);
    return code;
}

/* The last transfer is forgotten. */
static void drop_last(struct ec_schedule *s)
{
    s->transfer_count -= s->transfer_count > 0;
}

/* The last transfer comes one step late. */
static void delay_last(struct ec_schedule *s)
{
    s->transfers[s->transfer_count - 1].step = ++s->steps;
}

/* The first two transfers exchange their elements. */
static void swap_two(struct ec_schedule *s)
{
    const struct ec_carried first = s->carried[s->transfers[0].first];
    s->carried[s->transfers[0].first] = s->carried[s->transfers[1].first];
    s->carried[s->transfers[1].first] = first;
}

static struct claims_book book;

static int open_book(NO_STATE)
{
    return claims_book_open(NULL, &book, NULL) == EC_OK ? 0 : -1;
}

static int close_book(NO_STATE)
{
    claims_book_close(&book);
    return 0;
}

static void judge(const char *id, bool good)
{
    const struct claims_options options = {.full = false};
    const struct claims_row *row = NULL;
    struct claims_finding f;
    struct ec_error e;
    for (size_t i = 0; i < book.count && !row; i++)
        row = claims_match(&book.rows[i], id) ? &book.rows[i] : NULL;
    assert_non_null(row);
    assert_int_equal(claims_judge(row, &options, &f, &e), EC_OK);
    if (f.as_expected != good)
        print_error("%s: %s\n", id, f.note);
    assert_int_equal(f.as_expected, good);
    claims_finding_close(&f);
}

static const char *const ids[] = {
    "grama.ring.min",        "grama.torus.derive",   "grama.torus.phases", "grama.fig4.22",
    "grama.torus.bound.fwd", "grama.cube.expand",    "grama.fig4.23",      "grama.cube.signed",
    "grama.cube.step.cfree", "ours.torus.percolumn", "ours.gray.naf",      "err.1",
};

static void damaged(void (*how)(struct ec_schedule *s))
{
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        damage = NULL;
        judge(ids[i], true);
        damage = how;
        judge(ids[i], false);
    }
    damage = NULL;
}

static void a_forgotten_transfer_turns_rows_red(NO_STATE)
{
    damaged(drop_last);
}

static void a_late_transfer_turns_rows_red(NO_STATE)
{
    static const char *const counted[] = {"grama.ring.min", "grama.torus.phases",
                                          "grama.cube.expand", "grama.fig4.22"};
    damage = delay_last;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        judge(counted[i], false);
    damage = NULL;
}

static void exchanged_packets_turn_rows_red(NO_STATE)
{
    damaged(swap_two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_forgotten_transfer_turns_rows_red),
        cmocka_unit_test(a_late_transfer_turns_rows_red),
        cmocka_unit_test(exchanged_packets_turn_rows_red),
    };
    return cmocka_run_group_tests(tests, open_book, close_book);
}
