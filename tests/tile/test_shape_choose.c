/* SPDX-License-Identifier: Apache-2.0 */
/* Which shape serves which network, and the pins of its routers. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../unit/runner.h"
#include "ecube/shape.h"
#include "shape/tile_io.h"

static void choose(const char *topology, const char *router, struct ec_tile_shape *shape,
                   struct ec_topology *t, struct ec_router *r)
{
    struct ec_error error;
    if (ec_topology_parse(topology, t, &error) != EC_OK ||
        ec_router_parse(router, t, r, &error) != EC_OK ||
        ec_shape_choose(t, r, shape, &error) != EC_OK)
        fail_msg("%s %s: %s", topology, router, error.message);
}

static void few_shapes_serve_many_networks(NO_STATE)
{
    static const struct {
        const char *topology, *router, *shape;
    } rows[] = {
        {"cube:1", "", "cube dims=3 locals=1 vcs=1 depth=4"},
        {"cube:3", "depth=2", "cube dims=3 locals=1 vcs=1 depth=4"},
        {"cube:4", "depth=5", "cube dims=6 locals=1 vcs=1 depth=8"},
        {"cube:6", "ports=all", "cube dims=6 locals=6 vcs=1 depth=4"},
        {"cube:11", "ports=all,vcs=2", "cube dims=12 locals=12 vcs=2 depth=4"},
        {"cube:16", "depth=9", "cube dims=16 locals=1 vcs=1 depth=16"},
        {"ring:16", "depth=8", "grid dims=2 locals=1 vcs=2 depth=8"},
        {"mesh:8x8", "", "grid dims=2 locals=1 vcs=1 depth=4"},
        {"torus:4x4x4", "vcs=4", "grid dims=3 locals=1 vcs=4 depth=4"},
        {"torus:5x3", "ports=all", "grid dims=2 locals=4 vcs=2 depth=4"},
        {"cube:17", "vcs=8", "cube dims=18 locals=1 vcs=8 depth=4 address=20"},
        {"mesh:300x300", "va=dynamic,stages=2,vcs=4",
         "grid dims=2 locals=1 vcs=4 depth=4 va=dynamic stages=2 address=20"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ec_topology t;
        struct ec_router r;
        struct ec_tile_shape shape;
        char text[128];
        choose(rows[i].topology, rows[i].router, &shape, &t, &r);
        ec_shape_format(&shape, text, sizeof text);
        assert_string_equal(text, rows[i].shape);
    }
}

static void networks_beyond_the_rtl_are_refused_with_a_reason(NO_STATE)
{
    static const struct {
        const char *topology, *router, *reason;
    } rows[] = {
        {"cube:21", "", "21 address bits"},
        {"ring:1048577", "", "21 address bits"},
        {"mesh:1025x1023", "", "21 address bits"},
        {"mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2", "",
         "has 21 dimensions: expected at most 20"},
        {"mesh:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", "ports=all",
         "routers of 68 ports: expected at most 64"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ec_error error = {0};
        struct ec_topology t;
        struct ec_router r;
        struct ec_tile_shape shape;
        assert_int_equal(ec_topology_parse(rows[i].topology, &t, &error), EC_OK);
        assert_int_equal(ec_router_parse(rows[i].router, &t, &r, &error), EC_OK);
        assert_int_equal(ec_shape_choose(&t, &r, &shape, &error), EC_USAGE);
        if (strstr(error.message, rows[i].reason) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", error.message, rows[i].reason);
    }
}

static void a_network_in_rtl_has_its_limit(NO_STATE)
{
    struct ec_error error = {0};
    struct ec_topology t;
    struct ec_router r;
    struct ec_tile_shape shape;
    choose("torus:4x16", "", &shape, &t, &r);
    assert_int_equal(ec_flat_choose(&t, &r, &shape, &error), EC_OK);
    choose("mesh:5x13", "", &shape, &t, &r);
    assert_int_equal(ec_flat_choose(&t, &r, &shape, &error), EC_USAGE);
    assert_non_null(
        strstr(error.message, "mesh:5x13 has 65 nodes; the backend flat takes at most 64"));
    r.depth = EC_DEPTH_MAX + 1;
    assert_int_equal(ec_shape_choose(&t, &r, &shape, &error), EC_USAGE);
    assert_non_null(strstr(error.message, "depth=1025: expected at most 1024 words"));
}

static void placeholders_are_in_values_of_parameters(NO_STATE)
{
    static const struct {
        const char *build;
        bool has;
    } rows[] = {{NULL, false},
                {"", false},
                {"--parameter A=%x0", true},
                {"--define B\n--parameter A=1+%r1*2", true},
                {"--parameter A=%coord", true},
                {"--parameter A=%node", true},
                {"--parameter A=%x", false},
                {"--parameter A=%r", false},
                {"--parameter A=1\n--define A=%x0", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(ec_shape_has_places(rows[i].build), rows[i].has);
}

static void a_place_has_the_fields_of_the_packed_address(NO_STATE)
{
    struct ec_topology t;
    struct ec_router r;
    struct ec_tile_shape shape;
    struct ec_tile_place places[15];
    choose("torus:5x3", "vcs=2,depth=6,switching=cut-through,order=high", &shape, &t, &r);
    r.packet = 5;
    ec_shape_places(&t, &r, &shape, places);
    const struct ec_tile_place *last = &places[14]; /* coordinates (4, 2) */
    assert_int_equal(last->coord, 4 | 2 << 3);
    assert_int_equal(last->mask[0], 7);
    assert_int_equal(last->mask[1], 3 << 3);
    assert_int_equal(last->radix[0], 5);
    assert_int_equal(last->radix[1], 3 << 3);
    assert_int_equal(last->wrap, 3);
    assert_int_equal(last->dateline, 1);
    assert_int_equal(last->order_high, 1);
    assert_int_equal(last->switching, 1);
    assert_int_equal(last->depth, 6);
    assert_int_equal(last->packet, 5);
}

static void dimensions_that_a_network_lacks_are_zero_on_the_pins(NO_STATE)
{
    struct ec_topology t;
    struct ec_router r;
    struct ec_tile_shape shape;
    struct ec_tile_place places[16];
    choose("cube:4", "", &shape, &t, &r);
    ec_shape_places(&t, &r, &shape, places);
    assert_int_equal(shape.dims, 6);
    for (unsigned d = 0; d < EC_TILE_DIMS_MAX; d++) {
        assert_int_equal(places[9].mask[d], d < 4 ? 1U << d : 0);
        assert_int_equal(places[9].radix[d], d < 4 ? 2U << d : 0);
    }
    assert_int_equal(places[9].wrap, 0);
}

/* Outside: links and local ports of the topology, then the unused ports of the shape. */
static void ports_outside_and_inside_are_one_to_one(NO_STATE)
{
    static const struct {
        const char *topology, *router;
        unsigned links, local; /* of the shape: all its links, and where its local ports begin */
    } rows[] = {{"cube:5", "", 5, 6},
                {"cube:4", "ports=all", 4, 6},
                {"ring:5", "", 2, 4},
                {"cube:6", "ports=all", 6, 6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ec_topology t;
        struct ec_router r;
        struct ec_tile_shape shape;
        choose(rows[i].topology, rows[i].router, &shape, &t, &r);
        const struct ec_port_map map = ec_port_map_of(&shape, &t, &r);
        const unsigned ports = ec_tile_shape_links(&shape) + shape.locals;
        uint64_t seen = 0;
        for (unsigned port = 0; port < ports; port++) {
            const unsigned outside = ec_port_outside(&map, port);
            assert_true(outside < ports);
            assert_int_equal(ec_port_inside(&map, outside), port);
            assert_true(ec_ports_outside(&map, UINT64_C(1) << port) == UINT64_C(1) << outside);
            assert_true(ec_ports_inside(&map, UINT64_C(1) << outside) == UINT64_C(1) << port);
            seen |= UINT64_C(1) << outside;
        }
        assert_true(seen == (UINT64_C(1) << ports) - 1);
        assert_int_equal(ec_port_outside(&map, rows[i].links - 1), rows[i].links - 1);
        assert_int_equal(ec_port_outside(&map, rows[i].local), rows[i].links);
        assert_int_equal(ec_port_map_is_identity(&map), rows[i].links == rows[i].local);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_shapes_serve_many_networks),
        cmocka_unit_test(networks_beyond_the_rtl_are_refused_with_a_reason),
        cmocka_unit_test(a_network_in_rtl_has_its_limit),
        cmocka_unit_test(placeholders_are_in_values_of_parameters),
        cmocka_unit_test(a_place_has_the_fields_of_the_packed_address),
        cmocka_unit_test(dimensions_that_a_network_lacks_are_zero_on_the_pins),
        cmocka_unit_test(ports_outside_and_inside_are_one_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
