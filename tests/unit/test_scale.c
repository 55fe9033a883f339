/* SPDX-License-Identifier: Apache-2.0 */
/* A million nodes: every named permutation on cube:20 within 200 MB. */
#include "unit.h"

#include <sys/resource.h>

#include "ecube/audit.h"

#define MEGABYTES 200

static void a_million_nodes_fit(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t load;
    } cases[] = {
        {"shift:q=349525", 1},   {"bitcomp", 1},
        {"bitrev", 512},         {"shuffle", 1},
        {"unshuffle", 2},        {"kshuffle:k=10", 512},
        {"transpose:m=64", 512}, {"shift:q=512,labels=gray", 1},
        {"tornado", 0},          {"neighbor", 1},
    };
    struct ec_topology t = topology_of("cube:20");
    struct ec_router r = router_of("", &t);
    struct rusage usage;

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ec_workload *w = workload_of(cases[i].text, &t);
        struct ec_audit *a = NULL;
        assert_int_equal(ec_audit_open(&t, &r, w, false, &a, NULL), EC_OK);
        if (a->max_link_load != cases[i].load)
            fail_msg("%s: load %u, not %u", w->text, a->max_link_load, cases[i].load);
        assert_int_equal(a->channels, 20 << 20);
        ec_audit_close(a);
        ec_workload_close(w);
    }
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
#ifndef __SANITIZE_ADDRESS__ /* it keeps freed memory */
    assert_true(usage.ru_maxrss < MEGABYTES * 1024);
#endif
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("the audit of any named permutation of a million nodes fits 200 MB",
             a_million_nodes_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
