/* SPDX-License-Identifier: Apache-2.0 */
/* A million nodes: every named permutation on cube:20 within 200 MB. */
#include "unit.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ecube/audit.h"

#define MEGABYTES 200

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SANITIZED = true }; /* which keeps freed memory, and reserves terabytes */
#else
enum { SANITIZED = false };
#endif

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
    assert_true(usage.ru_maxrss < MEGABYTES * 1024 || SANITIZED);
}

/* Bytes of address space in use, from the first number of /proc/self/statm (pages). */
static rlim_t address_space(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;

    assert_non_null(f);
    assert_int_equal(fscanf(f, "%lu", &pages), 1);
    fclose(f);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void short_memory_is_an_error(void **state)
{
    (void)state;
    if (SANITIZED)
        skip();
    struct ec_topology t = topology_of("cube:20"), ring = topology_of("ring:16777216");
    struct ec_router r = router_of("", &t), ring_router = router_of("vcs=1", &ring);
    struct ec_workload *w = workload_of("bitrev", &t), *none = NULL;
    struct ec_audit *a = NULL;
    struct ec_error error;
    struct rlimit before, little;
    struct ec_vertex *cycle = NULL;
    size_t length;
    bool is_free;

    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    /* Megabytes left: sometimes the first allocation fails, sometimes a later one. */
    for (rlim_t room = 1; room <= 90; room += 4) {
        little = before;
        little.rlim_cur = address_space() + (room << 20);
        assert_int_equal(setrlimit(RLIMIT_AS, &little), 0);
        enum ec_code audit = ec_audit_open(&t, &r, w, true, &a, &error);
        enum ec_code deadlock =
            ec_deadlock_free(&ring, &ring_router, &is_free, &cycle, &length, &error);
        enum ec_code open = ec_workload_open("bitrev", &ring, 1, &none, &error);
        assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
        assert_int_equal(audit, EC_MEMORY);
        assert_int_equal(deadlock, EC_MEMORY);
        assert_int_equal(open, EC_MEMORY);
    }
    assert_true(!a && !none && !cycle);
    ec_workload_close(w);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST("the audit of any named permutation of a million nodes fits 200 MB",
             a_million_nodes_fit),
        TEST("lack of memory is an error, not a crash", short_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
