/* SPDX-License-Identifier: Apache-2.0 */
/* One loaded tile: the shim moves every kind of signal between tile.h and the model, for our
 * router, for a foreign one that lacks taps, and from random initial state. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../unit/runner.h"
#include "ecube/word.h"
#include "fixture.h"

#define DIMS    3
#define LOCAL   3 /* port number */
#define PORTS   4
#define ROUTERS 2

static const struct ec_tile_shape cube3 = {.dims = DIMS,
                                           .links_per_dim = 1,
                                           .locals = 1,
                                           .vcs = 1,
                                           .depth_max = 4,
                                           .stages = 1,
                                           .address_bits = 16};

static const struct ec_word_layout narrow = {.vc_shift = 59,
                                             .dst_shift = 43,
                                             .src_shift = 27,
                                             .address_bits = 16,
                                             .dst_bits = 16,
                                             .number_bits = 14,
                                             .index_bits = 13};

/* A bank of two routers of a 3-cube, nodes 0 and 5, with the arrays of its interface. */
struct bank {
    struct ec_shape *shape;
    const struct ec_tile_api *api;
    struct ec_tile_bank *bank;
    struct ec_tile_io io;
    uint64_t in_word[ROUTERS * PORTS], out_word[ROUTERS * PORTS];
    uint64_t in_valid[ROUTERS], in_credit[ROUTERS], out_valid[ROUTERS], out_credit[ROUTERS];
    uint64_t contended[ROUTERS], starved[ROUTERS];
    uint8_t want[ROUTERS * PORTS], quiet[ROUTERS];
};

static void bank_open(struct bank *b, const struct ec_shape_options *options, uint32_t seed)
{
    static const uint32_t nodes[ROUTERS] = {0, 5};
    struct ec_error error;
    struct ec_tile_place places[ROUTERS] = {0};
    memset(b, 0, sizeof *b);
    for (size_t i = 0; i < ROUTERS; i++) {
        places[i] = (struct ec_tile_place){.coord = nodes[i], .depth = 4, .packet = 8};
        for (unsigned d = 0; d < DIMS; d++) {
            places[i].mask[d] = 1U << d;
            places[i].radix[d] = 2U << d;
        }
    }
    if (ec_shape_open(&cube3, options, &b->shape, &error) != EC_OK)
        fail_msg("%s", error.message);
    b->api = ec_shape_api(b->shape);
    b->bank = b->api->open(ROUTERS, places, NULL, seed, NULL, NULL);
    assert_non_null(b->bank);
    b->api->reset(b->bank);
    b->io =
        (struct ec_tile_io){b->in_word,    b->in_valid,  b->in_credit, b->out_word, b->out_valid,
                            b->out_credit, b->contended, b->starved,   b->want,     b->quiet};
}

static void bank_close(struct bank *b)
{
    b->api->close(b->bank);
    ec_shape_close(b->shape);
}

/* One cycle of both routers; inputs are cleared afterwards, as the interface wants. */
static void bank_step(struct bank *b)
{
    static const uint32_t all[ROUTERS] = {0, 1};
    b->api->step(b->bank, &b->io, all, ROUTERS);
    memset(b->in_word, 0, sizeof b->in_word);
    memset(b->in_valid, 0, sizeof b->in_valid);
    memset(b->in_credit, 0, sizeof b->in_credit);
}

static void put(struct bank *b, size_t router, unsigned port, uint64_t word)
{
    b->in_word[router * PORTS + port] = word;
    b->in_valid[router] |= UINT64_C(1) << port;
}

static void a_word_crosses_a_router_in_one_cycle(NO_STATE)
{
    struct bank b;
    bank_open(&b, NULL, 0);
    assert_true(b.api->has_taps && b.api->has_quiet);
    const uint64_t word = ec_word_pack(&narrow, true, true, 0, 6, 0, 42);
    put(&b, 0, LOCAL, word);
    bank_step(&b);
    assert_int_equal(b.out_valid[0], 1 << 1); /* 0 -> 6: dimension 1 first */
    assert_int_equal(b.out_word[1], word);
    assert_int_equal(b.out_credit[0], 1 << LOCAL);
    assert_int_equal(b.quiet[0], 0);
    assert_int_equal(b.quiet[1], 1);
    assert_int_equal(b.out_valid[1], 0);
    bank_step(&b);
    assert_int_equal(b.out_valid[0], 0);
    assert_int_equal(b.quiet[0], 1);
    bank_close(&b);
}

static void taps_tell_contention_from_starvation(NO_STATE)
{
    struct bank b;
    bank_open(&b, NULL, 0);
    const uint64_t word = ec_word_pack(&narrow, true, true, 0, 5, 0, 1);
    put(&b, 1, 0, word); /* two words for node 5 itself, in one cycle */
    put(&b, 1, 1, word);
    bank_step(&b);
    assert_int_equal(b.out_valid[1], 1 << LOCAL);
    assert_int_equal(b.contended[1], 1 << 1); /* the later port lost */
    assert_int_equal(b.want[PORTS + 1], LOCAL);
    bank_step(&b);
    for (int i = 0; i < 2; i++) { /* the last two of four credits, then none is left */
        put(&b, 1, 0, word);
        bank_step(&b);
    }
    put(&b, 1, 0, word);
    bank_step(&b);
    assert_int_equal(b.out_valid[1], 0);
    assert_int_equal(b.contended[1], 0);
    assert_int_equal(b.starved[1], 1 << 0);
    b.in_credit[1] = 1 << LOCAL;
    bank_step(&b);
    assert_int_equal(b.out_valid[1], 1 << LOCAL);
    bank_close(&b);
}

/* Play the same words into a fresh bank and hash all its outputs. */
static uint64_t history(const struct ec_shape_options *options, uint32_t seed)
{
    struct bank b;
    uint64_t hash = 14695981039346656037U;
    bank_open(&b, options, seed);
    for (unsigned cycle = 0; cycle < 40; cycle++) {
        if (cycle % 3 == 0)
            put(&b, 0, LOCAL, ec_word_pack(&narrow, true, true, 0, cycle % 8, 0, cycle));
        if (cycle % 5 == 0)
            put(&b, 1, cycle % 3, ec_word_pack(&narrow, true, true, 0, 5, 1, cycle));
        bank_step(&b);
        for (size_t i = 0; i < ROUTERS; i++) {
            const uint64_t seen[] = {b.out_valid[i], b.out_credit[i], b.contended[i], b.starved[i],
                                     b.quiet[i]};
            for (size_t k = 0; k < sizeof seen / sizeof *seen; k++)
                hash = (hash ^ seen[k]) * 1099511628211U;
            for (unsigned p = 0; p < PORTS; p++)
                hash = (hash ^ (b.out_valid[i] >> p & 1 ? b.out_word[i * PORTS + p] : 0)) *
                       1099511628211U;
            b.in_credit[i] = b.out_valid[i]; /* every receiver takes its word at once */
        }
    }
    bank_close(&b);
    return hash;
}

static void random_initial_state_shows_nothing_after_a_reset(NO_STATE)
{
    const struct ec_shape_options random_init = {.random_init = true};
    const uint64_t zero = history(NULL, 0);
    assert_int_equal(history(&random_init, 0), zero);
    assert_int_equal(history(&random_init, 1), zero);
    assert_int_equal(history(&random_init, 0xdeadbeef), zero);
}

/* The router under another name, in a separate file; copies of its leaf cells are beside it. */
static const char *write_foreign(const struct fixture *f)
{
    char *path = strdup(fixture_path(f, "foreign_router.sv"));
    char command[6 * PATH_MAX];
    assert_non_null(path);
    snprintf(command, sizeof command,
             "cd %s/rtl && cp ec_*.sv %s && cd %s && rm ec_tile*.sv ec_network.sv && "
             "mv ec_router.sv %s",
             f->data, f->root, f->root, path);
    assert_int_equal(system(command), 0);
    replace_in(path, "module ec_router", "module foreign_router");
    return path;
}

static void a_foreign_router_behaves_as_ours_if_it_is_ours(void **state)
{
    const struct fixture *f = *state;
    const char *path = write_foreign(f);
    const char *const rtl[] = {path, NULL};
    assert_int_equal(history(&(struct ec_shape_options){.rtl = rtl, .top = "foreign_router"}, 0),
                     history(NULL, 0));
    free((char *)path);
}

static void a_foreign_router_may_lack_taps_and_quiet(void **state)
{
    const struct fixture *f = *state;
    const char *path = write_foreign(f);
    const char *const rtl[] = {path, NULL};
    struct bank b;
    replace_in(path, "output logic [Bufs-1:0]                 contended_o,", "");
    replace_in(path, "output logic [Bufs-1:0]                 starved_o,", "");
    replace_in(path, "output logic [Bufs-1:0]                 credit_o,",
               "output logic [Bufs-1:0] credit_o");
    replace_in(path, "output logic [8*Bufs-1:0]               want_o /*verilator split_var*/,", "");
    replace_in(path, "output logic                            quiet_o", "");
    replace_in(path, "  localparam int Cw =",
               "  logic [Bufs-1:0] contended_o, starved_o;\n  logic [8*Bufs-1:0] want_o;\n"
               "  logic quiet_o;\n  localparam int Cw =");
    bank_open(&b, &(struct ec_shape_options){.rtl = rtl, .top = "foreign_router"}, 0);
    assert_false(b.api->has_taps);
    assert_false(b.api->has_quiet);
    put(&b, 0, LOCAL, ec_word_pack(&narrow, true, true, 0, 1, 0, 0));
    bank_step(&b);
    assert_int_equal(b.out_valid[0], 1);
    bank_step(&b);
    assert_int_equal(b.quiet[0], 0);
    bank_close(&b);
    free((char *)path);
}

/* Open the foreign router, which must need so many builds. */
static void expect_builds(struct fixture *f, const struct ec_shape_options *options,
                          unsigned builds)
{
    if (fixture_open(f, options) != EC_OK)
        fail_msg("%s", f->error.message);
    if (f->builds != builds)
        fail_msg("%u builds instead of %u; said:\n%s", f->builds, builds, f->said);
}

/* Of three included files, the last `changes` are changed in turn. */
static void notice_changes(void **state, size_t changes)
{
    static const char *const names[] = {"foreign.svh", "verilator_own.svh", "a folder/foreign.svh"};
    struct fixture *f = *state;
    const char *path = write_foreign(f);
    const char *const rtl[] = {path, NULL};
    const struct ec_shape_options options = {.rtl = rtl, .top = "foreign_router"};
    char line[64];
    assert_int_equal(mkdir(fixture_path(f, "a folder"), 0700), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        write_text(fixture_path(f, "%s", names[i]), "// nothing\n");
        snprintf(line, sizeof line, "`include \"%s\"\n", names[i]);
        append_text(path, line);
    }
    expect_builds(f, &options, 1);
    expect_builds(f, &options, 0);
    for (size_t i = sizeof names / sizeof *names - changes; i < sizeof names / sizeof *names; i++) {
        write_text(fixture_path(f, "%s", names[i]), "// something\n");
        expect_builds(f, &options, 1);
    }
    expect_builds(f, &options, 0);
    free((char *)path);
}

static void a_change_of_an_included_file_is_noticed(void **state)
{
    notice_changes(state, 1);
}

static void a_change_of_any_included_file_is_noticed(void **state)
{
    notice_changes(state, 3);
}

static void a_change_during_the_build_is_noticed(void **state)
{
    struct fixture *f = *state;
    const char *path = write_foreign(f);
    const char *const rtl[] = {path, NULL};
    const struct ec_shape_options options = {.rtl = rtl, .top = "foreign_router"};
    write_text(fixture_path(f, "foreign.svh"), "// nothing\n");
    append_text(path, "`include \"foreign.svh\"\n");
    write_text(
        fixture_path(f, "verilator"),
        "#!/bin/sh\nverilator \"$@\" || exit\n"
        "case \" $* \" in *' --cc '*) echo '// something' >\"${0%/*}/foreign.svh\";; esac\n");
    assert_int_equal(chmod(fixture_path(f, "verilator"), 0700), 0);
    setenv("VERILATOR", fixture_path(f, "verilator"), 1);
    expect_builds(f, &options, 1);
    unsetenv("VERILATOR");
    expect_builds(f, &options, 1);
    expect_builds(f, &options, 0);
    free((char *)path);
}

static void a_header_that_hides_another_one_is_noticed(void **state)
{
    static const char *const folders[] = {"first", "second", "second/more"};
    struct fixture *f = *state;
    const char *path = write_foreign(f);
    const char *const rtl[] = {path, NULL};
    char build[3 * PATH_MAX];
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        assert_int_equal(mkdir(fixture_path(f, "%s", folders[i]), 0700), 0);
    snprintf(build, sizeof build, "--include %s\n--include %s", fixture_path(f, "first"),
             fixture_path(f, "second"));
    const struct ec_shape_options options = {.rtl = rtl, .top = "foreign_router", .build = build};
    write_text(fixture_path(f, "second/more/foreign.svh"), "// nothing\n");
    append_text(path, "`include \"more/foreign.svh\"\n");
    expect_builds(f, &options, 1);
    assert_int_equal(mkdir(fixture_path(f, "first/more"), 0700), 0);
    write_text(fixture_path(f, "first/other.svh"), "// nothing\n");
    expect_builds(f, &options, 0);
    write_text(fixture_path(f, "first/more/foreign.svh"), "// something\n");
    expect_builds(f, &options, 1);
    expect_builds(f, &options, 0);
    free((char *)path);
}

static void the_same_folder_name_elsewhere_is_another_folder(void **state)
{
    static const char *const places[] = {"here", "there"};
    struct fixture *f = *state;
    const char *path = write_foreign(f);
    const char *const rtl[] = {path, NULL};
    const struct ec_shape_options options = {
        .rtl = rtl, .top = "foreign_router", .build = "--include headers"};
    append_text(path, "`include \"foreign.svh\"\n");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_int_equal(mkdir(fixture_path(f, "%s", places[i]), 0700), 0);
        assert_int_equal(mkdir(fixture_path(f, "%s/headers", places[i]), 0700), 0);
        write_text(fixture_path(f, "%s/headers/foreign.svh", places[i]), "// nothing\n");
        assert_int_equal(chdir(fixture_path(f, "%s", places[i])), 0);
        expect_builds(f, &options, 1);
    }
    assert_int_equal(chdir(fixture_path(f, "here")), 0);
    expect_builds(f, &options, 0);
    assert_int_equal(chdir("/"), 0);
    free((char *)path);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(int argc, char **argv)
{
    /* These share one cache, in which the router is compiled once. */
    const struct CMUnitTest shared[] = {
        cmocka_unit_test(a_word_crosses_a_router_in_one_cycle),
        cmocka_unit_test(taps_tell_contention_from_starvation),
        cmocka_unit_test(random_initial_state_shows_nothing_after_a_reset),
        cmocka_unit_test(a_foreign_router_behaves_as_ours_if_it_is_ours),
    };
    const struct CMUnitTest usual[] = {
        TEST(a_foreign_router_may_lack_taps_and_quiet),
        TEST(a_change_of_an_included_file_is_noticed),
    };
    const struct CMUnitTest rare[] = {
        TEST(a_change_of_any_included_file_is_noticed),
        TEST(a_change_during_the_build_is_noticed),
        TEST(a_header_that_hides_another_one_is_noticed),
        TEST(the_same_folder_name_elsewhere_is_another_folder),
    };
    if (argc == 2 && strcmp(argv[1], "rare") == 0)
        return cmocka_run_group_tests(rare, NULL, NULL);
    return cmocka_run_group_tests(shared, fixture_setup, fixture_teardown) +
           cmocka_run_group_tests(usual, NULL, NULL);
}
