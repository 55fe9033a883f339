/* SPDX-License-Identifier: Apache-2.0 */
/* Router options: defaults, every key, every refusal, the packet bound. */
#include "unit.h"

#include <string.h>

static void defaults_fit_the_topology(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *options, *text;
    } cases[] = {
        {"cube:6", "",
         "vcs=1,depth=4,switching=wormhole,order=low,ports=one,dateline=off,packet=0"},
        {"mesh:8x8", NULL,
         "vcs=1,depth=4,switching=wormhole,order=low,ports=one,dateline=off,packet=0"},
        {"torus:4x4", NULL,
         "vcs=2,depth=4,switching=wormhole,order=low,ports=one,dateline=on,packet=0"},
        {"torus:3x3", NULL, /* no path of two links, so there is no cycle to break */
         "vcs=1,depth=4,switching=wormhole,order=low,ports=one,dateline=off,packet=0"},
        {"torus:2x8", NULL,
         "vcs=2,depth=4,switching=wormhole,order=low,ports=one,dateline=on,packet=0"},
        {"ring:2", NULL,
         "vcs=1,depth=4,switching=wormhole,order=low,ports=one,dateline=off,packet=0"},
        {"torus:3x3", "vcs=2",
         "vcs=2,depth=4,switching=wormhole,order=low,ports=one,dateline=on,packet=0"},
        {"torus:4x4", "vcs=1", /* can deadlock, which is allowed: the audit reports it */
         "vcs=1,depth=4,switching=wormhole,order=low,ports=one,dateline=off,packet=0"},
        {"torus:4x4", "dateline=off",
         "vcs=2,depth=4,switching=wormhole,order=low,ports=one,dateline=off,packet=0"},
        {"cube:3", "vcs=4,depth=1024,switching=cut-through,order=high,ports=all,dateline=off",
         "vcs=4,depth=1024,switching=cut-through,order=high,ports=all,dateline=off,packet=0"},
        {"ring:8", "switching=store-and-forward,dateline=on,vcs=4",
         "vcs=4,depth=4,switching=store-and-forward,order=low,ports=one,dateline=on,packet=0"},
        {"cube:3", "va=static,stages=1,link=1,classes=1",
         "vcs=1,depth=4,switching=wormhole,order=low,ports=one,dateline=off,packet=0"},
        {"cube:3", "link=2,stages=2", /* full rate needs 2 link + stages - 1 = 5 */
         "vcs=1,depth=5,switching=wormhole,order=low,ports=one,dateline=off,stages=2,link=2,"
         "packet=0"},
        {"cube:3", "link=64,switching=cut-through",
         "vcs=1,depth=130,switching=cut-through,order=low,ports=one,dateline=off,link=64,packet=0"},
        {"ring:8", "vcs=8,va=dynamic,stages=3,link=3,classes=2,depth=4",
         "vcs=8,depth=4,switching=wormhole,order=low,ports=one,dateline=on,va=dynamic,stages=3,"
         "link=3,classes=2,packet=0"},
        {"mesh:4x4", "routing=adaptive",
         "vcs=2,depth=4,switching=wormhole,order=low,ports=one,dateline=off,va=dynamic,"
         "routing=adaptive,packet=0"},
        {"torus:5x4", "routing=adaptive,order=high,ties=balanced",
         "vcs=4,depth=4,switching=wormhole,order=high,ports=one,dateline=on,va=dynamic,"
         "routing=adaptive,ties=balanced,packet=0"},
        {"torus:3x3", "routing=adaptive",
         "vcs=2,depth=4,switching=wormhole,order=low,ports=one,dateline=off,va=dynamic,"
         "routing=adaptive,packet=0"},
        {"torus:5x4", "ties=balanced",
         "vcs=2,depth=4,switching=wormhole,order=low,ports=one,dateline=on,ties=balanced,packet=0"},
        {"mesh:4x4", "order=class",
         "vcs=2,depth=4,switching=wormhole,order=class,ports=one,dateline=off,packet=0"},
        {"torus:4x4", "order=class,ports=all,classes=2",
         "vcs=4,depth=4,switching=wormhole,order=class,ports=all,dateline=on,packet=0"},
        {"torus:4x4", "routing=valiant,order=high",
         "vcs=4,depth=4,switching=wormhole,order=high,ports=one,dateline=on,routing=valiant,"
         "packet=0"},
        {"torus:3x3", "routing=valiant", /* no datelines needed */
         "vcs=2,depth=4,switching=wormhole,order=low,ports=one,dateline=off,routing=valiant,"
         "packet=0"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_topology t = topology_of(cases[i].topology);
        struct ec_router r = router_of(cases[i].options, &t);
        char text[160];
        ec_router_format(&r, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

static void lanes_and_local_ports_follow(void **state)
{
    (void)state;
    struct ec_topology torus = topology_of("torus:4x4"), cube = topology_of("cube:5");
    struct ec_router r = router_of("vcs=4", &torus);

    assert_int_equal(ec_router_lanes(&r), 2);
    r = router_of("vcs=4", &cube);
    assert_int_equal(ec_router_lanes(&r), 4);
    assert_int_equal(ec_router_locals(&r, &cube), 1);
    r = router_of("ports=all", &cube);
    assert_int_equal(ec_router_locals(&r, &cube), 5);
    r = router_of("ports=all", &torus);
    assert_int_equal(ec_router_locals(&r, &torus), 4);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *text, *words;
    } cases[] = {
        {"cube:3", "vcs=0", "vcs=0:|1, 2, 4 or 8"},
        {"cube:3", "vcs=3", "vcs=3:|1, 2, 4 or 8"},
        {"cube:3", "vcs=6", "vcs=6:|1, 2, 4 or 8"},
        {"cube:3", "vcs=16", "vcs=16:"},
        {"cube:3", "va=free", "static or dynamic"},
        {"cube:3", "stages=0", "1 to 3"},
        {"cube:3", "stages=4", "stages=4:|1 to 3"},
        {"cube:3", "link=0", "1 to 64"},
        {"cube:3", "link=65", "link=65:|1 to 64"},
        {"cube:3", "classes=3", "1 to 2"},
        {"cube:3", "classes=2", "classes=2|vcs=2|vcs=1"},
        {"torus:4x4", "classes=2", "classes=2|vcs=4|vcs=2"},
        {"cube:3", "vcs=two", "vcs=two:"},
        {"cube:3", "vcs=", "no value|1, 2, 4 or 8"},
        {"cube:3", "vcs", "'vcs'|no value|1, 2, 4 or 8"},
        {"cube:3", "vc=2", "'vc'|did you mean 'vcs'"},
        {"cube:3", "depth=0", "1 to 1024"},
        {"cube:3", "depth=1025", "depth=1025:|1 to 1024"},
        {"cube:3", "depth=-4", "depth=-4:"},
        {"cube:3", "depth=99999999999999999999", "1 to 1024"},
        {"cube:3", "dept=4", "did you mean 'depth'"},
        {"cube:3", "switching=wormole", "did you mean 'wormhole'"},
        {"cube:3", "switching=vct", "wormhole, cut-through or store-and-forward"},
        {"cube:3", "order=lowest", "low, high or class"},
        {"cube:3", "order=class,vcs=1", "vcs=2 or more|vcs=1"},
        {"torus:4x4", "order=class,vcs=2", "vcs=4 or more with datelines|vcs=2"},
        {"torus:4x4", "order=class,vcs=4,dateline=off", "dateline=on|rings"},
        {"cube:3", "order=class,vcs=4,classes=1", "no classes=1"},
        {"cube:3", "order=class,routing=table", "routing=dor"},
        {"cube:3", "order=class,routing=valiant", "routing=dor"},
        {"cube:3", "routing=any,order=class", "routing=dor"},
        {"torus:4x4", "routing=valiant,vcs=2", "leg|vcs=4 or more with datelines|vcs=2"},
        {"mesh:4x4", "routing=valiant,ports=all", "leave out ports=all"},
        {"cube:11", "routing=valiant", "10 each|11"},
        {"cube:3", "ports=2", "one or all"},
        {"cube:3", "dateline=yes", "off or on"},
        {"cube:3", "dateline=on", "cube:3|wraps"},
        {"mesh:4x4", "vcs=2,dateline=on", "mesh:4x4|wraps"},
        {"torus:4x4", "vcs=1,dateline=on", "vcs=1|vcs=2"},
        {"torus:4x4", "packet=8", "--packet"},
        {"cube:3", "routing=up", "dor, minimal, any, table, adaptive or valiant"},
        {"torus:5x3", "ties=balanced", "even|leave it out"},
        {"mesh:4x4", "ties=balanced", "even|leave it out"},
        {"torus:4x4", "ties=balanced,routing=any", "routing=any"},
        {"torus:4x4", "ties=even", "up or balanced"},
        {"mesh:4x4", "ordered=yes", "routing=minimal"},
        {"mesh:4x4", "routing=dor,ordered=no", "routing=minimal"},
        {"mesh:4x4", "routing=any,order=low", "leave out order"},
        {"mesh:4x4", "routing=any,ports=all", "leave out ports=all"},
        {"torus:4x4", "routing=minimal,dateline=on", "dateline=off"},
        {"mesh:4x4", "routing=adaptive,vcs=1", "vcs=2 or more|got vcs=1"},
        {"mesh:4x4", "routing=adaptive,vcs=2,classes=2", "vcs=4 or more and two message classes"},
        {"torus:4x4", "routing=adaptive,vcs=2", "vcs=4 or more with datelines"},
        {"mesh:4x4", "routing=adaptive,va=static", "leave out va=static"},
        {"mesh:4x4", "routing=adaptive,ports=all", "leave out ports=all"},
        {"mesh:4x4", "routing=adaptive,ordered=yes", "leave it out"},
        {"mesh:4x4", "routing=adaptive,table=x", "routing=table"},
        {"mesh:4x4", "routing=minimal,ordered=yes,vcs=2", "vcs=2|classes=1"},
        {"cube:3", "table=a.txt", "table=a.txt|routing=table"},
        {"cube:3", "routing=table,ordered=yes", "leave it out"},
        {"cube:3", "routing=table,ports=all", "leave out ports=all"},
        {"cube:3", "routing=table,table=a.txt,order=high", "leave out order"},
        {"ring:4", "routing=table,table=a.txt,ties=balanced", "leave out ties"},
        {"cube:3", "routing=table,dateline=on,vcs=2", "cube:3|wraps"},
        {"cube:3", "vcs=1,vcs=2", "vcs|repeated"},
        {"cube:3", "vcs=1,", "''"},
        {"cube:3", ",vcs=1", "''"},
        {"cube:3", "vcs=1;depth=2", "vcs=1;depth=2:"},
        {"cube:3", "vcs = 1", "'vcs '"},
        {"cube:3", "banana=1", "'banana'|vcs, depth"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_topology t = topology_of(cases[i].topology);
        struct ec_router r;
        struct ec_error error;
        enum ec_code code = ec_router_parse(cases[i].text, &t, &r, &error);
        assert_refused(cases[i].text, code, EC_USAGE, &error, cases[i].words);
    }
}

static void default_packet_keeps_full_rate(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        uint32_t longest, packet;
    } cases[] = {
        {"depth=4", 64, 64},
        {"depth=4", 1, 1},
        {"depth=4,switching=cut-through", 64, 3},
        {"depth=4,switching=cut-through", 2, 2},
        {"depth=1,switching=cut-through", 8, 1},
        {"depth=4,switching=store-and-forward", 64, 2},
        {"depth=5,switching=store-and-forward", 64, 2},
        {"depth=1,switching=store-and-forward", 64, 1},
        {"depth=128,switching=store-and-forward", 64, 64},
        {"link=10,switching=cut-through", 64, 3},       /* depth 22 */
        {"link=10,switching=store-and-forward", 64, 2}, /* depth 22 */
        {"link=3,stages=3,depth=12,switching=cut-through", 64, 5},
        {"link=3,stages=3,depth=12,switching=store-and-forward", 64, 3},
        {"link=9,depth=4,switching=cut-through", 64, 1},
        {"link=9,depth=4,switching=store-and-forward", 64, 1},
    };
    struct ec_topology t = topology_of("cube:3");

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_router r = router_of(cases[i].options, &t);
        assert_int_equal(ec_router_set_packet(&r, 0, cases[i].longest, NULL), EC_OK);
        assert_int_equal(r.packet, cases[i].packet);
    }
}

static void packet_must_fit_the_buffer(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("cube:3");
    static const char *const whole[] = {"depth=6,switching=cut-through",
                                        "depth=6,switching=store-and-forward"};

    for (size_t i = 0; i < COUNT(whole); i++) {
        struct ec_router r = router_of(whole[i], &t);
        struct ec_error error;
        assert_int_equal(ec_router_set_packet(&r, 6, 100, &error), EC_OK);
        assert_int_equal(r.packet, 6);
        enum ec_code code = ec_router_set_packet(&r, 7, 100, &error);
        assert_refused(whole[i], code, EC_USAGE, &error, " 7 | 6|switching");
        assert_int_equal(r.packet, 6); /* untouched */
    }
    struct ec_router r = router_of("depth=2", &t);
    assert_int_equal(ec_router_set_packet(&r, 1000, 100, NULL), EC_OK);
}

static void message_classes_come_from_the_workload(void **state)
{
    (void)state;
    struct ec_topology t = topology_of("cube:3");
    struct ec_error error;
    char text[160];

    struct ec_router r = router_of("vcs=4", &t);
    assert_int_equal(ec_router_set_classes(&r, 2, &error), EC_OK);
    assert_int_equal(r.classes, 2);
    ec_router_format(&r, text, sizeof text);
    assert_null(strstr(text, "classes"));

    r = router_of("vcs=4,classes=2", &t); /* lanes stay free: worth telling */
    assert_int_equal(ec_router_set_classes(&r, 1, &error), EC_OK);
    assert_int_equal(r.classes, 2);
    ec_router_format(&r, text, sizeof text);
    assert_non_null(strstr(text, ",classes=2,packet="));

    r = router_of("vcs=4,classes=1", &t);
    enum ec_code code = ec_router_set_classes(&r, 2, &error);
    assert_refused("classes=1", code, EC_USAGE, &error, "classes=1|2 message classes");

    t = topology_of("torus:4x4");
    r = router_of("vcs=2", &t); /* which datelines take */
    code = ec_router_set_classes(&r, 2, &error);
    assert_refused("vcs=2", code, EC_USAGE, &error, "need a lane each|with datelines|vcs=4");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("defaults fit the topology and every key can be set", defaults_fit_the_topology),
        TEST("lanes and local ports follow from the options", lanes_and_local_ports_follow),
        TEST("message classes come from the workload", message_classes_come_from_the_workload),
        TEST("every wrong router option is refused in one clear line", bad_options_are_refused),
        TEST("the default packet bound is the largest at full rate",
             default_packet_keeps_full_rate),
        TEST("a packet bound above the depth is refused where whole packets are kept",
             packet_must_fit_the_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
