/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations that fail while a network, its rules or its scoreboard are opened, one after the
 * other: each is reported, and nothing is kept. Networks of a part and of all nodes, with every
 * option that allocates. */
#include "backend/tiles.h"
#include "contract/rules.h"
#include "ecube/partition.h"
#include "rig.h"
#include "run/scoreboard.h"

/* The linker puts these in place of the C library's own. */
void *__wrap_calloc(size_t count, size_t size), *__real_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size), *__real_realloc(void *old, size_t size);

static unsigned allocations, failing; /* the number of the one that fails; 0: none */

void *__wrap_calloc(size_t count, size_t size)
{
    return ++allocations == failing ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return ++allocations == failing ? NULL : __real_realloc(old, size);
}

static enum ec_code open_again(const struct rig *g, const struct ec_partition *cut,
                               struct ec_net **ret)
{
    struct ec_error error;
    const struct ec_tiles_options options = {0};
    const enum ec_code code =
        cut ? tiles_open_part(&g->t, &g->r, NULL, &options, cut, 1, ret, &error)
            : ec_tiles_open(&g->t, &g->r, NULL, &options, ret, &error);
    if (code != EC_OK)
        assert_non_null(strstr(error.message, "out of memory"));
    return code;
}

/* Opens the network with each of its allocations failing. */
static void assert_all_reported(const char *topology, const char *router, unsigned dims,
                                uint32_t parts)
{
    struct rig g;
    struct ec_partition *cut = NULL;
    struct ec_net *net = NULL;
    enum ec_code code = EC_MEMORY;
    rig_open(&g, topology, router, dims, NULL);
    if (parts)
        assert_int_equal(ec_partition_open(&g.t, parts, &cut, NULL), EC_OK);
    for (failing = 1; code != EC_OK; failing++) {
        allocations = 0;
        code = open_again(&g, cut, &net);
        assert_int_equal(code, allocations < failing ? EC_OK : EC_MEMORY);
    }
    assert_true(failing > 20);
    failing = 0;
    net->ops->close(net);
    ec_partition_close(cut);
    rig_close(&g);
}

static void a_network_says_that_memory_is_short(void **state)
{
    (void)state;
    assert_all_reported("cube:3", "", 3, 0);
    assert_all_reported("torus:4x3", "vcs=2,ports=all", 3, 0);
    assert_all_reported("torus:4x4", "vcs=4", 2, 0);
    assert_all_reported("cube:3", "link=3", 3, 0);
}

/* So many links leave a part that their list grows. */
static void a_part_says_that_memory_is_short(void **state)
{
    (void)state;
    assert_all_reported("cube:3", "", 3, 2);
    assert_all_reported("torus:4x4", "vcs=4,link=2", 2, 3);
    assert_all_reported("cube:7", "", 7, 2);
}

static void assert_rules_reported(const char *router, uint32_t node, bool foreign)
{
    const struct ec_topology t = topology_of("torus:4x4");
    const struct ec_router r = router_of(router, &t);
    struct rules *rules = NULL;
    for (failing = 1; !rules; failing++) {
        allocations = 0;
        rules = rules_open(&t, &r, node, (struct rules_options){.foreign = foreign});
        assert_int_equal(rules != NULL, allocations < failing);
    }
    assert_true(failing > 8);
    failing = 0;
    rules_close(rules);
}

static void rules_say_that_memory_is_short(void **state)
{
    (void)state;
    assert_rules_reported("vcs=2", EC_NONE, false);
    assert_rules_reported("vcs=2,stages=2", EC_NONE, false);
    assert_rules_reported("vcs=2,stages=3", 5, false);
    assert_rules_reported("vcs=2", 5, true);
    assert_rules_reported("vcs=2", EC_NONE, true);
}

static void a_scoreboard_says_that_memory_is_short(void **state)
{
    (void)state;
    const struct ec_topology t = topology_of("torus:4x4");
    const struct ec_router r = router_of("vcs=2", &t);
    struct scoreboard s;
    bool opened = false;
    for (failing = 1; !opened; failing++) {
        allocations = 0;
        opened = scoreboard_open(&s, &t, &r, NULL) && scoreboard_count_channels(&s) &&
                 scoreboard_count_classes(&s, 3);
        assert_int_equal(opened, allocations < failing);
        scoreboard_close(&s);
    }
    assert_true(failing > 6);
    failing = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_says_that_memory_is_short),
        cmocka_unit_test(a_part_says_that_memory_is_short),
        cmocka_unit_test(rules_say_that_memory_is_short),
        cmocka_unit_test(a_scoreboard_says_that_memory_is_short),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
