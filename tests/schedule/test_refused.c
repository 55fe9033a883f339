/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that the shift algorithms cannot serve: one line each, with a remedy. */
#include "made.h"

static const struct {
    const char *topology, *workload, *algorithm;
    const char *words; /* all of them in the message */
} cases[] = {
    {"ring:8", "shift:q=3", "rnig", "'rnig'|ring|list algorithms"},
    {"ring:8", "shift:q=3", "ring:order=A", "algorithm ring|'order'|no keys"},
    {"ring:8", "shift:q=3", "direct:block=1", "algorithm direct: expected no keys"},
    {"torus:4x8", "shift:q=3", "ring", "algorithm ring|ring:8|got torus:4x8|use forward, plain"},
    {"mesh:8", "shift:q=3", "ring", "got mesh:8|use line or direct"},
    {"ring:8", "shift:q=3", "line", "mesh:8|got ring:8|use ring or direct"},
    {"mesh:4x4", "shift:q=3", "line", "mesh:8x1|got mesh:4x4|use direct"},
    {"torus:4x8", "shift:q=3", "compensate-each-row", "square torus|torus:4x4|got torus:4x8"},
    {"torus:4x4x4", "shift:q=3", "compensate-wrapped", "square|got torus:4x4x4|use forward"},
    {"mesh:4x4", "shift:q=3", "per-column", "a torus or a ring|got mesh:4x4|use direct"},
    {"mesh:8", "shift:q=3", "forward", "torus:3x4x5|got mesh:8|use line or direct"},
    {"cube:4", "shift:q=3", "plain", "a torus or a ring|got cube:4|gray-forward, gray-signed"},
    {"torus:4x8x3", "hotspot", "plain", "expected shift:q=Q|'hotspot|direct"},
    {"torus:4x4", "bitrev", "forward", "expected shift:q=Q|'bitrev:m=1'|direct"},
    {"torus:4x4", "shift:q=3,rate=0.1", "forward", "known messages|rate="},
    {"torus:4x4", "shift:q=3", "gray-signed", "cube:6|got torus:4x4|use forward, plain, merged"},
    {"cube:4", "shift:q=3,m=8", "gray-signed", "shift:q=3,labels=gray,m=8|'shift:q=3,m=8'"},
    {"cube:4", "shift:q=3,labels=gray", "gray-forward:order=D", "order=D|A|B|C"},
    {"cube:4", "shift:q=3,labels=gray", "gray-forward:order=AB", "order=AB"},
    {"cube:4", "shift:q=3,labels=gray", "gray-forward:order=", "no value"},
    {"cube:4", "shift:q=3", "ecube-steps:order=up", "order=up|low, high, mixed|0 to 3|2-0-1"},
    {"cube:4", "shift:q=3", "ecube-steps:order=0-1-2", "order=0-1-2|0 to 3"},
    {"cube:4", "shift:q=3", "ecube-steps:order=0-1-2-2", "each once"},
    {"cube:4", "shift:q=3", "ecube-steps:order=0-1-2-4", "0 to 3"},
    {"cube:4", "shift:q=3", "ecube-steps:order=0-1-2-3-0", "0 to 3"},
    {"torus:4x4", "shift:q=3", "ecube-steps", "a cube|direct"},
    {"cube:4", "hotspot", "ecube-steps", "permutation|'hotspot"},
    {"cube:1", "hotspot", "ecube-steps", "node 0|receives|sends nothing|direct"},
    {"cube:4", "shift:q=3", "two-phase", "linear|'shift:q=3,m=1' is none|direct"},
    {"cube:4", "randperm", "two-phase", "linear|invertible|'randperm|direct"},
    {"cube:4", "bitrev:K=2", "two-phase", "permutation on a cube|'bitrev:K=2|direct"},
    {"cube:4", "hotspot", "two-phase", "permutation on a cube|'hotspot"},
    {"torus:4x4", "bitrev", "two-phase", "permutation on a cube|direct"},
    {"cube:4", "bitrev", "two-phase:order=0-1", "order=0-1|low or high"},
    /* `best` is named only where it would do. */
    {"cube:4", "shift:q=3", "crossing", "address bits|'shift:q=3,m=1' on cube:4"},
    {"cube:4", "shift:q=3", "a2x2", "address bits|'shift:q=3,m=1' on cube:4"},
    {"cube:4", "bitrev", "crossing-one-port", "inverts dimensions|bitrev:m=1|best"},
    {"cube:4", "bitcomp", "a2x2", "pairs|bitcomp:m=1|best"},
    {"cube:4", "bitcomp", "a2", "one cycle|bitcomp:m=1 has none|best"},
    {"cube:4", "bitrev", "a2", "one cycle|bitrev:m=1 has 2 real cycles|best"},
    {"torus:4x4", "shift:q=3", "gohil-mesh:reading=odd", "reading=odd|nodes, side, mixed, prose"},
    {"mesh:4x4", "shift:q=3", "gohil-mesh", "square torus|got mesh:4x4"},
    {"cube:4", "shift:q=3", "gohil-cube:reading=odd", "printed, received or corrected"},
    {"cube:4", "shift:q=3", "gohil-cube", "shift:q=3,labels=gray,m=1"},
    {"ring:8", "shift:q=3", "gohil-cube", "got ring:8|use ring or direct"},
    /* A schedule of billions of transfers is refused without spending time or memory. */
    {"ring:1000000", "shift:q=500000", "ring", "q=500000|ring:1000000|134217728|smaller|direct"},
    {"mesh:1000000", "shift:q=500000", "line", "mesh:1000000|134217728"},
    {"torus:1024x1024", "shift:q=524800", "forward", "torus:1024x1024|134217728"},
    {"torus:1024x1024", "shift:q=524800", "merged", "134217728"},
    {"torus:1024x1024", "shift:q=524800", "per-column", "134217728"},
    {"torus:64x16x1024", "shift:q=524800", "per-column", "torus:64x16x1024|134217728"},
    {"cube:22", "shift:q=4194303,labels=gray", "gray-forward", "cube:22|134217728"},
    {"cube:23", "shift:q=2796203,labels=gray", "gray-signed", "cube:23|134217728"},
    {"cube:23", "bitcomp", "ecube-steps", "cube:23|134217728"},
    {"cube:10", "bitcomp:K=16384", "crossing", "bitcomp:K=16384|cube:10|134217728"},
    {"cube:10", "bitcomp:K=16384", "crossing-one-port", "134217728"},
    {"cube:22", "shuffle:K=4", "one-port", "cube:22|134217728"},
};

static void one_line_with_what_would_be_right(NO_STATE)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct ec_topology t = topology_of(cases[i].topology);
        struct ec_workload *w = workload_of(cases[i].workload, &t);
        struct ec_schedule *s = NULL;
        struct ec_error error;

        const enum ec_code code = ec_schedule_open(&t, w, cases[i].algorithm, &s, &error);
        assert_refused(cases[i].algorithm, code, EC_USAGE, &error, cases[i].words);
        assert_null(s);
        ec_workload_close(w);
    }
}

/* `ecube list algorithms` is complete, and names are unique. */
static void every_algorithm_says_what_it_is(NO_STATE)
{
    const struct ec_algorithm_info *a, *b;

    for (size_t i = 0; (a = ec_algorithm_at(i)); i++) {
        if (!a->name || !a->parameters || !a->applies || !*a->applies || !a->text || !*a->text ||
            !a->source || !*a->source)
            fail_msg("%s has no description", a->name ? a->name : "an algorithm");
        for (size_t k = 0; k < i && (b = ec_algorithm_at(k)); k++)
            assert_string_not_equal(a->name, b->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("every refusal is one line with a remedy", one_line_with_what_would_be_right),
        TEST("every algorithm has a description", every_algorithm_says_what_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
