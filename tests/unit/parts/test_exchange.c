/* SPDX-License-Identifier: Apache-2.0 */
/* The exchange: do all parts get what all parts gave, and does everyone learn of an end? Parts must
 * not fail in their threads, so they count what is wrong and the test looks at the count. */
#include "unit.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "parts/exchange.h"
#include "parts/ranks/world.h"

/* All ranks, if a launcher has started this program; their tests use no other transport. */
static struct world *world;

enum { MOST_PARTS = 8, ROUNDS = 60, MANY = 1000, BROKEN = 3 };

static const uint32_t part_counts[] = {1, 2, 3, 5, 8};

/* A ring of parts; two parts are neighbours of each other once. */
struct ring {
    struct parts_plan plan;
    uint32_t first[MOST_PARTS + 1], neighbour[2 * MOST_PARTS];
    uint64_t seed; /* of random delays between collectives; 0: none */
    atomic_uint wrong, done, delays;
    atomic_bool reported, over;
    char why[MOST_PARTS][EXCHANGE_WHY];
};

static void ring_open(struct ring *r, uint32_t parts, uint64_t seed)
{
    memset(r, 0, sizeof *r);
    uint32_t n = 0;
    for (uint32_t p = 0; p < parts; p++) {
        const uint32_t a = (p + 1) % parts, b = (p + parts - 1) % parts;
        r->first[p] = n;
        if (parts > 1)
            r->neighbour[n++] = a < b ? a : b;
        if (a != b)
            r->neighbour[n++] = a < b ? b : a;
    }
    r->first[parts] = n;
    r->plan = (struct parts_plan){
        .parts = parts, .first = r->first, .neighbour = r->neighbour, .pin = true};
    r->seed = seed;
}

static void ring_run(struct ring *r, parts_body *body)
{
    struct ec_error error;
    r->plan.world = world;
    if (parts_run(&r->plan, body, r, &error) != EC_OK)
        fail_msg("%s", error.message);
}

/* In all ranks, without and with delays. */
static void run_ranks(parts_body *body)
{
    for (uint64_t seed = 0; seed < 2; seed++) {
        struct ring r;
        ring_open(&r, world->ranks * world->threads, seed);
        ring_run(&r, body);
        if (r.wrong || r.done != world->threads)
            fail_msg("rank %u: %u errors, %u parts finished", world->rank, r.wrong, r.done);
    }
}

/* Run the body with all numbers of parts, without and with delays. */
static void run_all(parts_body *body)
{
    if (world) {
        run_ranks(body);
        return;
    }
    for (size_t i = 0; i < COUNT(part_counts); i++)
        for (uint64_t seed = 0; seed < 2; seed++) {
            struct ring r;
            ring_open(&r, part_counts[i], seed);
            ring_run(&r, body);
            if (r.wrong || r.done != r.plan.parts)
                fail_msg("%u parts: %u errors, %u finished", r.plan.parts, r.wrong, r.done);
        }
}

/* Between collectives: parts come to the next one at different times. */
static void expect(struct ring *r, bool right)
{
    const uint64_t draw = ec_rng_draw(ec_rng_key(r->seed, 0), r->delays++);
    const struct timespec time = {.tv_nsec = (long)ec_rng_below(draw, 100000)};
    r->wrong += !right;
    if (r->seed && draw % 64 == 0)
        nanosleep(&time, NULL);
}

/* What `part` says in a round. */
static uint64_t said(uint32_t part, uint64_t round)
{
    return (part + 1) * UINT64_C(0x9e3779b97f4a7c15) + round * round;
}

static uint64_t folded(const struct exchange *x, uint64_t round, enum exchange_fold fold)
{
    uint64_t all = said(0, round);
    for (uint32_t p = 1; p < x->parts; p++) {
        const uint64_t one = said(p, round);
        all = fold == EXCHANGE_SUM   ? all + one
              : fold == EXCHANGE_MIN ? (all < one ? all : one)
              : fold == EXCHANGE_MAX ? (all > one ? all : one)
                                     : (all | one);
    }
    return all;
}

/* Bytes from one part to another: their number grows and shrinks. */
static size_t letter_size(uint32_t from, uint32_t to, uint64_t round)
{
    return round % 7 == 3 ? 0 : (from + 1) * (to + 3) * (size_t)(round % 11) * 5;
}

static unsigned char letter_byte(uint32_t from, uint32_t to, uint64_t round, size_t i)
{
    return (unsigned char)(from * 7 + to * 31 + round * 3 + i);
}

static void write_letters(struct exchange *x, uint64_t round)
{
    for (uint32_t k = 0; k < x->neighbours; k++) {
        const uint32_t to = x->neighbour[k];
        const size_t size = letter_size(x->part, to, round);
        for (size_t i = 0; i < size; i++) {
            unsigned char *at = exchange_append(x, k, 1);
            *at = letter_byte(x->part, to, round, i);
        }
    }
}

static void read_letters(struct ring *r, const struct exchange *x, uint64_t round)
{
    for (uint32_t k = 0; k < x->neighbours; k++) {
        const uint32_t from = x->neighbour[k];
        const size_t size = letter_size(from, x->part, round);
        expect(r, x->from[k].size == size);
        expect(r, x->to[k].size == 0);
        for (size_t i = 0; i < size && i < x->from[k].size; i++)
            expect(r, x->from[k].data[i] == letter_byte(from, x->part, round, i));
    }
}

static void swap_body(void *context, struct exchange *x)
{
    static const enum exchange_fold fold[] = {EXCHANGE_SUM, EXCHANGE_MIN, EXCHANGE_MAX,
                                              EXCHANGE_OR};
    struct ring *r = context;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint64_t values[COUNT(fold)];
        for (size_t i = 0; i < COUNT(fold); i++)
            values[i] = said(x->part, round);
        write_letters(x, round);
        expect(r, exchange_swap(x, values, fold, round % (COUNT(fold) + 1)));
        for (size_t i = 0; i < COUNT(fold); i++)
            expect(r, values[i] == (i < round % (COUNT(fold) + 1) ? folded(x, round, fold[i])
                                                                  : said(x->part, round)));
        read_letters(r, x, round);
    }
    r->done++;
}

static void a_swap_carries_bytes_and_folds_values(void **state)
{
    (void)state;
    run_all(swap_body);
}

static void fold_body(void *context, struct exchange *x)
{
    static const size_t counts[] = {0, 1, 5, EXCHANGE_VALUES, EXCHANGE_VALUES + 1, MANY};
    struct ring *r = context;
    for (int f = EXCHANGE_SUM; f <= EXCHANGE_OR; f++)
        for (size_t c = 0; c < COUNT(counts); c++) {
            uint64_t values[MANY];
            for (size_t i = 0; i < counts[c]; i++)
                values[i] = said(x->part, i);
            expect(r, exchange_fold(x, values, counts[c], (enum exchange_fold)f));
            for (size_t i = 0; i < counts[c]; i++)
                expect(r, values[i] == folded(x, i, (enum exchange_fold)f));
        }
    r->done++;
}

static void folds_have_any_count(void **state)
{
    (void)state;
    run_all(fold_body);
}

static void gather_body(void *context, struct exchange *x)
{
    struct ring *r = context;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const bool everyone = round % 2;
        const struct exchange_bytes *all;
        unsigned char bytes[4 * ROUNDS * MOST_PARTS];
        const size_t size = letter_size(x->part, 0, round);
        for (size_t i = 0; i < size; i++)
            bytes[i] = letter_byte(x->part, 0, round, i);
        expect(r, exchange_gather(x, size ? bytes : NULL, size, everyone, &all));
        memset(bytes, 0, sizeof bytes); /* the exchange has its own copy */
        expect(r, (all != NULL) == (everyone || x->part == 0));
        for (uint32_t p = 0; all && p < x->parts; p++) {
            expect(r, all[p].size == letter_size(p, 0, round));
            for (size_t i = 0; i < all[p].size; i++)
                expect(r, all[p].data[i] == letter_byte(p, 0, round, i));
        }
    }
    r->done++;
}

static void a_gather_brings_the_bytes_of_all(void **state)
{
    (void)state;
    run_all(gather_body);
}

static void between_body(void *context, struct exchange *x)
{
    struct ring *r = context;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const struct exchange_bytes *all;
        uint64_t one = 1, many[MANY] = {0};
        write_letters(x, round);
        expect(r, exchange_fold(x, &one, 1, EXCHANGE_SUM) && one == x->parts);
        expect(r, exchange_gather(x, &one, sizeof one, true, &all));
        expect(r, round % 3 || exchange_fold(x, many, MANY, EXCHANGE_MAX));
        expect(r, exchange_swap(x, NULL, NULL, 0));
        expect(r, exchange_fold(x, NULL, 0, EXCHANGE_SUM));
        read_letters(r, x, round);
    }
    r->done++;
}

static void other_collectives_do_not_disturb_a_swap(void **state)
{
    (void)state;
    run_all(between_body);
}

/* Rounds until a call fails; part 1 ends in round 20, part 2 in round 30, in the way of `context`.
 */
static void until_false(struct ring *r, struct exchange *x, bool with_abort)
{
    const struct exchange_bytes *all;
    uint64_t values[MANY] = {0};
    const enum exchange_fold fold = EXCHANGE_SUM;
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (x->part == 1 && round == 20) {
            if (!with_abort)
                return;
            exchange_abort(x, EC_MEMORY, "part 1 is tired");
        }
        const bool on = round % 4 == 0   ? exchange_swap(x, values, &fold, 1)
                        : round % 4 == 1 ? exchange_fold(x, values, 3, EXCHANGE_SUM)
                        : round % 4 == 2 ? exchange_fold(x, values, MANY, EXCHANGE_SUM)
                                         : exchange_gather(x, values, 8, round % 8 == 3, &all);
        if (!on) {
            expect(r, round == 20 || (with_abort && round == 19));
            expect(r, !exchange_swap(x, NULL, NULL, 0) && !exchange_fold(x, values, 1, fold) &&
                          !exchange_gather(x, NULL, 0, true, &all) && !all);
            snprintf(r->why[x->part], EXCHANGE_WHY, "%s", exchange_ended(x)->why);
            expect(r, exchange_ended(x)->code == (with_abort ? EC_MEMORY : EC_INTERNAL));
            r->done++;
            return;
        }
    }
}

static void abort_body(void *context, struct exchange *x)
{
    until_false(context, x, true);
}

static void end_body(void *context, struct exchange *x)
{
    until_false(context, x, false);
}

static void nobody_waits_for_an_end(bool with_abort)
{
    for (uint32_t parts = 2; parts <= MOST_PARTS; parts += 3)
        for (uint64_t seed = 0; seed < 4; seed++) {
            struct ring r;
            ring_open(&r, parts, seed);
            ring_run(&r, with_abort ? abort_body : end_body);
            assert_int_equal(r.wrong, 0);
            assert_int_equal(r.done, with_abort ? parts : parts - 1);
            for (uint32_t p = 0; p < parts; p++)
                if (with_abort)
                    assert_string_equal(r.why[p], "part 1 is tired");
                else if (p != 1)
                    assert_non_null(strstr(r.why[p], "waits for part 1, which has ended"));
        }
}

static void all_learn_of_an_abort(void **state)
{
    (void)state;
    nobody_waits_for_an_end(true);
}

static void all_learn_that_a_part_has_ended(void **state)
{
    (void)state;
    nobody_waits_for_an_end(false);
}

static void alone_body(void *context, struct exchange *x)
{
    struct ring *r = context;
    const struct exchange_bytes *all;
    expect(r, exchange_ended(x)->code == EC_OK && exchange_fold(x, NULL, 0, EXCHANGE_SUM));
    exchange_abort(x, EC_IO, "first");
    exchange_abort(x, EC_MEMORY, "second");
    expect(r, !exchange_swap(x, NULL, NULL, 0) && !exchange_fold(x, NULL, 0, EXCHANGE_SUM) &&
                  !exchange_gather(x, NULL, 0, true, &all));
    expect(r, !strcmp(exchange_ended(x)->why, "first") && exchange_ended(x)->code == EC_IO);
}

static void a_single_part_can_abort(void **state)
{
    (void)state;
    struct ring r;
    ring_open(&r, 1, 0);
    ring_run(&r, alone_body);
    assert_int_equal(r.wrong, 0);
}

static void different_body(void *context, struct exchange *x)
{
    struct ring *r = context;
    uint64_t values[2] = {0};
    if (exchange_fold(x, values, x->part == 2 ? 2 : 1, EXCHANGE_SUM))
        exchange_fold(x, values, 1, EXCHANGE_SUM);
    snprintf(r->why[x->part], EXCHANGE_WHY, "%s", exchange_ended(x)->why);
}

static void different_collectives_are_refused(void **state)
{
    (void)state;
    struct ring r;
    ring_open(&r, 3, 0);
    ring_run(&r, different_body);
    for (uint32_t p = 0; p < 3; p++)
        assert_non_null(strstr(r.why[p], "do not exchange the same"));
}

static void on_waiting(void *context, uint32_t part)
{
    struct ring *r = context;
    if (part == 1)
        r->reported = true;
    else
        r->over = part == 0;
}

static void slow_body(void *context, struct exchange *x)
{
    struct ring *r = context;
    if (x->part == 0) {
        x->waiting = on_waiting;
        x->waiting_context = r;
    }
    expect(r, exchange_fold(x, NULL, 0, EXCHANGE_SUM));
    while (x->part == 1 && !r->reported)
        sched_yield();
    expect(r, exchange_fold(x, NULL, 0, EXCHANGE_SUM));
}

static void a_long_wait_is_reported(void **state)
{
    (void)state;
    struct ring r;
    ring_open(&r, 3, 0);
    ring_run(&r, slow_body);
    assert_int_equal(r.wrong, 0);
    assert_true(r.reported && r.over);
}

static void bad_plans_are_refused(void **state)
{
    (void)state;
    struct ring r;
    struct ec_error error;
    ring_open(&r, 3, 0);
    r.neighbour[0] = 2;
    assert_int_equal(parts_run(&r.plan, alone_body, &r, &error), EC_INTERNAL);
    assert_int_equal(r.delays, 0); /* no body has run */
}

/* Now and then large messages between small ones. */
static void large_body(void *context, struct exchange *x)
{
    enum { LARGE = 300000, ALL = 600 };
    struct ring *r = context;
    for (uint64_t round = 0; round < ALL; round++) {
        const size_t size = round % 500 == 7 ? LARGE + 100 * x->part : round % 5;
        for (uint32_t k = 0; k < x->neighbours; k++)
            memset(exchange_append(x, k, size), (int)(round + x->part), size);
        expect(r, exchange_swap(x, NULL, NULL, 0));
        for (uint32_t k = 0; k < x->neighbours; k++) {
            const uint32_t from = x->neighbour[k];
            const size_t got = x->from[k].size;
            expect(r, got == (round % 500 == 7 ? LARGE + 100 * from : round % 5));
            for (size_t i = 0; i < got; i++)
                expect(r, x->from[k].data[i] == (unsigned char)(round + from));
        }
    }
    r->done++;
}

static void messages_have_any_size(void **state)
{
    (void)state;
    run_all(large_body);
}

static void refused_body(void *context, struct exchange *x)
{
    struct ring *r = context;
    expect(r, !exchange_fold(x, NULL, 0, EXCHANGE_SUM));
    expect(r, exchange_ended(x)->code == EC_MEMORY);
    expect(r, !strcmp(exchange_ended(x)->why, "this rank is tired"));
    r->done++;
}

/* Part 1 ends the meeting of all ranks. */
static void ranks_learn_of_an_end(bool with_abort)
{
    struct ring r;
    ring_open(&r, world->ranks * world->threads, 0);
    ring_run(&r, with_abort ? abort_body : end_body);
    assert_int_equal(r.wrong, 0);
    assert_true(world->broken);
    for (uint32_t t = 0; t < world->threads; t++) {
        const uint32_t p = world->rank * world->threads + t;
        if (with_abort)
            assert_string_equal(r.why[p], "part 1 is tired");
        else if (p != 1)
            assert_non_null(strstr(r.why[p], "has ended"));
    }
}

static void all_ranks_learn_of_an_abort(void **state)
{
    (void)state;
    ranks_learn_of_an_end(true);
}

/* The last rank does not take part. */
static void all_ranks_learn_of_a_refusal(void **state)
{
    (void)state;
    struct ring r;
    struct ec_error e = {.code = EC_MEMORY, .message = "this rank is tired"};
    const bool tired = world->rank == world->ranks - 1;
    ring_open(&r, world->ranks * world->threads, 0);
    r.plan.world = world;
    r.plan.refused = tired ? &e : NULL;
    assert_int_equal(parts_run(&r.plan, refused_body, &r, &e), tired ? EC_MEMORY : EC_OK);
    assert_int_equal(r.wrong, 0);
    assert_int_equal(r.done, tired ? 0 : world->threads);
    assert_true(world->broken);
}

static void all_ranks_learn_that_a_part_has_ended(void **state)
{
    (void)state;
    ranks_learn_of_an_end(false);
}

/* Only a build for coverage has it. MPI_Abort() does not call exit(), which would write the counts.
 */
void __gcov_dump(void) __attribute__((weak));

/* `mpirun ... unit_exchange THREADS [abort|end|refusal]` */
static int test_ranks(char **arguments)
{
    const struct CMUnitTest lasting[] = {
        TEST("a swap between ranks carries bytes and folds values",
             a_swap_carries_bytes_and_folds_values),
        TEST("a fold between ranks has any count", folds_have_any_count),
        TEST("a gather brings the bytes of all ranks", a_gather_brings_the_bytes_of_all),
        TEST("other collectives do not disturb a swap between ranks",
             other_collectives_do_not_disturb_a_swap),
        TEST("messages between ranks have any size", messages_have_any_size),
    };
    const struct CMUnitTest an_abort[] = {
        TEST("all ranks learn of an abort", all_ranks_learn_of_an_abort),
    };
    const struct CMUnitTest an_end[] = {
        TEST("all ranks learn that a part has ended", all_ranks_learn_that_a_part_has_ended),
    };
    const struct CMUnitTest a_refusal[] = {
        TEST("all ranks learn that one cannot take part", all_ranks_learn_of_a_refusal),
    };
    struct world_greeting greeting = {.version = "1", .command = "unit_exchange"};
    struct launch launch;
    struct ec_error e;
    greeting.threads = (uint32_t)strtoul(arguments[0], NULL, 10);
    if (launch_detect(&launch, &e) != EC_OK ||
        world_open(&launch, &greeting, &world, &e) != EC_OK) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    const char *mode = arguments[1] ? arguments[1] : "";
    const int failed = !strcmp(mode, "abort")     ? cmocka_run_group_tests(an_abort, NULL, NULL)
                       : !strcmp(mode, "end")     ? cmocka_run_group_tests(an_end, NULL, NULL)
                       : !strcmp(mode, "refusal") ? cmocka_run_group_tests(a_refusal, NULL, NULL)
                                                  : cmocka_run_group_tests(lasting, NULL, NULL);
    world_part(world);
    fflush(NULL);
    if (world->broken) { /* MPI cannot end in good order */
        if (__gcov_dump)
            __gcov_dump();
        sleep(1); /* all ranks have printed by then */
        world->api->kill(world->messages, failed ? 1 : BROKEN);
    }
    world_close(world);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return test_ranks(argv + 1);
    const struct CMUnitTest tests[] = {
        TEST("a swap carries bytes to neighbours and folds values of all parts",
             a_swap_carries_bytes_and_folds_values),
        TEST("a fold has any count of values", folds_have_any_count),
        TEST("a gather brings the bytes of all parts", a_gather_brings_the_bytes_of_all),
        TEST("other collectives do not disturb what a swap carries",
             other_collectives_do_not_disturb_a_swap),
        TEST("all parts learn of an abort", all_learn_of_an_abort),
        TEST("all parts learn that one has ended", all_learn_that_a_part_has_ended),
        TEST("a single part can abort", a_single_part_can_abort),
        TEST("parts that call different collectives are refused",
             different_collectives_are_refused),
        TEST("a part reports a long wait for another one", a_long_wait_is_reported),
        TEST("bad plans are refused", bad_plans_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
