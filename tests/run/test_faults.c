/* SPDX-License-Identifier: Apache-2.0 */
/* Bugs planted in a copy of the RTL, one at a time: each must make a run fail, and the report must
 * name the router, port and cycle of the first violation of the contract. Most bugs affect only
 * router 5 and the traffic of a trace, so that all three are known here.
 *
 * test_faults PART PARTS: every PARTS-th fault from PART on (each is compiled: about two seconds).
 * test_faults list: the faults, their files, and the checks that must catch them. */
#include <stdlib.h>
#include <string.h>

#include "../tile/fixture.h"
#include "base/file.h"
#include "rig.h"

#define AT_5   "coord_q == 16'd5"
#define IN_5   "coord_i == 16'd5"
#define IN_5_6 "(" IN_5 " || coord_i == 16'd6)"
#define WORD3  "word[i][12:0] == 13'd3"

/* On cube:3 messages of eight words, alone in the network: 4 -> 5 -> 7 (in router 5 from dim0 to
 * dim1, word k leaves it in cycle 3 + k) and 7 -> 5 -> 1 (from dim1 to dim2, the same). */
#define TRACE_4_7 "cycle,source,destination,words\n1,4,7,8\n"
#define TRACE_7_1 "cycle,source,destination,words\n1,7,1,8\n"

struct fault {
    const char *name;
    const char *file, *from, *to; /* the patch; a `from` that ends in "= " is a whole statement */
    const char *topology, *router;
    unsigned packet;
    const char *workload;   /* or the text of a trace */
    enum ec_check_id check; /* that fails */
    const char *says;       /* words of its detail, separated by '|' */
    bool random_init;
    bool by_sleep; /* all checks pass: caught only by comparison with a run without sleep */
};

#define CUBE "cube:3", "", 0

static const struct fault faults[] = {
    {"wrong turn of one word", "ec_input.sv", "front.dst, 1'(InVc)",
     "front.dst ^ (" IN_5 " && front.data[12:0] == 13'd3 ? 16'd2 : 16'd0), 1'(InVc)", CUBE,
     TRACE_4_7, EC_CHECK_DELIVERY,
     .says = "cycle 6, router 5 (101), output local: wrong turn|port dim1"},
    {"wrong dimension order in one router", "ec_router.sv", ".order_high_i(order_high_q)",
     ".order_high_i(order_high_q ^ (" AT_5 "))", CUBE, "bitcomp:m=8", EC_CHECK_LOADS,
     .says = "cycle 2, router 5 (101), output dim2: wrong turn|port dim0"},
    {"wrong dimension order, random traffic", "ec_router.sv", ".order_high_i(order_high_q)",
     ".order_high_i(order_high_q ^ (" AT_5 "))", CUBE, "uniform:rate=0.05,m=4", EC_CHECK_LOADS,
     .says = "cycle |router 5 (101), output |wrong turn"},
    {"words leave by the next port", "ec_router.sv", "leaving[to[i]] = leaver[i]",
     "leaving[" AT_5 " && to[i] == Pw'(1) ? Pw'(2) : to[i]] = leaver[i]", CUBE, TRACE_4_7,
     EC_CHECK_DELIVERY, .says = "cycle 3, router 5 (101), output dim2: wrong turn|port dim1"},
    {"words leave where there is no link", "ec_router.sv", "leaving[to[i]] = leaver[i]",
     "leaving[coord_q == 16'd1 && to[i] == Pw'(1) ? Pw'(2) : to[i]] = leaver[i]", "cube:2", "", 0,
     "bitcomp:m=4", EC_CHECK_LEDGER, .says = "router 1 (01)"},
    {"ties go down", "ec_route.svh", "there <= far", "there < far", "torus:4x4", "vcs=2", 0,
     "cycle,source,destination,words\n1,4,6,8\n", EC_CHECK_LOADS,
     .says = "cycle 2, router 4 (0,1), output -x VC 1: wrong turn|port +x"},
    {"balanced ties go up", "ec_router.sv", "shy = balanced_i", "shy = 1'b0 & balanced_i",
     "torus:4x4", "vcs=2,ties=balanced", 0, "cycle,source,destination,words\n1,5,7,8\n",
     EC_CHECK_LOADS, .says = "cycle 2, router 5 (1,1), output +x VC 0: wrong turn|port -x"},
    {"a credit is not sent", "ec_router.sv", "assign credit_o = pop;",
     "assign credit_o = pop & ~(" AT_5 " ? Bufs'(1) : Bufs'(0));", CUBE, TRACE_4_7,
     EC_CHECK_PROGRESS, .says = "cycle 3, router 5 (101), input dim0|no credit is returned"},
    {"a credit is not counted", "ec_router.sv", ".credit_i(credit_i[p*Vcs +: Vcs])",
     ".credit_i(" AT_5 " && p == 1 ? Vcs'(0) : credit_i[p*Vcs +: Vcs])", CUBE, TRACE_4_7,
     EC_CHECK_PROGRESS,
     .says =
         "after cycle 9 nothing moves|cycle 7, router 5 (101), output dim1: word 4->7 #0.4 could "
         "leave|with 3 of 4 credits free: the router forgot credits"},
    {"a credit too many is sent", "ec_router.sv", "assign credit_o = pop;",
     "assign credit_o = pop | Bufs'(" AT_5 " && pop[1]);", CUBE, TRACE_7_1, EC_CHECK_LEDGER,
     .says = "cycle 3, router 5 (101), input dim0: a credit is returned, but no word leaves"},
    {"a credit too many after reset", "ec_router.sv", ".depth_i(depth_i[Cw-1:0])",
     ".depth_i(depth_i[Cw-1:0] + 1'b1)", CUBE, "hotspot:m=8", EC_CHECK_LEDGER,
     .says = "a word was sent without a credit|cycle |router |port "},
    {"a credit too few after reset", "ec_router.sv", ".depth_i(depth_i[Cw-1:0])",
     ".depth_i(depth_i[Cw-1:0] - 1'b1)", "cube:3", "depth=2", 0, "bitcomp:m=8", EC_CHECK_TIME,
     .says = "12 predicted"},
    {"the tail is dropped", "ec_input.sv",
     "assign word_o = ", "assign word_o = front & ~(64'(" IN_5 ") << 61);", CUBE, TRACE_4_7,
     EC_CHECK_DELIVERY, .says = "cycle 10, router 5 (101), output dim1|leaves as word|(altered)"},
    {"the tail comes early", "ec_input.sv", "assign word_o = ",
     "assign word_o = front | 64'(" IN_5 " && front.data[12:0] == 13'd3) << 61;", CUBE, TRACE_4_7,
     EC_CHECK_DELIVERY, .says = "cycle 6, router 5 (101), output dim1|leaves as word|(altered)"},
    {"the head is dropped", "ec_input.sv",
     "assign word_o = ", "assign word_o = front & ~(64'(" IN_5 ") << 62);", CUBE, TRACE_4_7,
     EC_CHECK_DELIVERY, .says = "cycle 3, router 5 (101), output dim1|leaves as word|(altered)"},
    {"a word is swallowed", "ec_router.sv", "if (pop[i]) leaving",
     "if (pop[i] && !(" AT_5 " && " WORD3 ")) leaving", CUBE, TRACE_4_7, EC_CHECK_DELIVERY,
     .says = "cycle 6, router 5 (101), input dim0|does not leave"},
    {"the last word is swallowed", "ec_router.sv", "if (pop[i]) leaving",
     "if (pop[i] && !(" AT_5 " && word[i][61])) leaving", CUBE, TRACE_4_7, EC_CHECK_PROGRESS,
     .says = "cycle 10, router 5 (101), input dim0|does not leave"},
    {"a whole packet is swallowed", "ec_router.sv", "if (pop[i]) leaving",
     "if (pop[i] && !(" AT_5 ")) leaving", CUBE, TRACE_4_7, EC_CHECK_PROGRESS,
     .says = "cycle 3, router 5 (101), input dim0|does not leave"},
    {"a word is sent again and again", "ec_router.sv", ".pop_i(pop[Buf])",
     ".pop_i(pop[Buf] && !(" AT_5 " && word[Buf][12:0] == 13'd3))", CUBE, TRACE_4_7,
     EC_CHECK_DELIVERY, .says = "cycle 7, router 5 (101), output dim1|duplicated"},
    {"a word is sent two ways", "ec_router.sv", "if (pop[i]) leaving[to[i]] = leaver[i];",
     "if (pop[i]) begin leaving[to[i]] = leaver[i]; if (" AT_5
     " && to[i] == Pw'(1)) leaving[2] = leaver[i]; end",
     CUBE, TRACE_4_7, EC_CHECK_DELIVERY, .says = "cycle 3, router 5 (101), output dim2|"},
    {"a payload bit flips", "ec_input.sv",
     "assign word_o = ", "assign word_o = front ^ 64'(" IN_5 ") << 12;", CUBE, TRACE_4_7,
     EC_CHECK_DELIVERY, .says = "cycle 3, router 5 (101), output dim1|altered"},
    {"a bit of the source flips", "ec_input.sv",
     "assign word_o = ", "assign word_o = front ^ 64'(" IN_5 ") << 42;", CUBE, TRACE_4_7,
     EC_CHECK_DELIVERY, .says = "cycle 3, router 5 (101), output dim1|altered"},
    {"a bit of the destination flips", "ec_input.sv", "assign word_o = ",
     "assign word_o = front ^ 64'(" IN_5 " && front.data[12:0] == 13'd3) << 46;", CUBE, TRACE_4_7,
     EC_CHECK_DELIVERY, .says = "cycle 6, router 5 (101), output dim1|altered"},
    {"virtual channels are exchanged", "ec_input.sv", ": VcBits'(InVc);",
     ": VcBits'(InVc) ^ VcBits'(" IN_5 ");", "mesh:4x4", "vcs=2", 0,
     "cycle,source,destination,words\n1,4,6,8\n", EC_CHECK_VCS,
     .says = "cycle 3, router 5 (1,1), port +x, VC 1: |expected VC 0|got VC 1|wrong VC|instead "
             "of VC 0"},
    {"virtual channels are exchanged, and back in the next router", "ec_input.sv",
     ": VcBits'(InVc);", ": VcBits'(InVc) ^ VcBits'(" IN_5_6 ");", "mesh:4x4", "vcs=2", 0,
     TRACE_4_7, EC_CHECK_VCS,
     .says = "cycle 3, router 5 (1,1), port +x, VC 1: |expected VC 0|got VC 1|wrong VC|instead "
             "of VC 0"},
    {"lanes are exchanged, and back in the next router", "ec_input.sv",
     "{lane[VcBits-1:1], class_out}", "{lane[VcBits-1:1] ^ (VcBits-1)'(" IN_5_6 "), class_out}",
     "torus:4x4", "vcs=4", 0, "cycle,source,destination,words\n1,4,6,8\n", EC_CHECK_VCS,
     .says = "cycle 3, router 5 (1,1), port +x, VC 2: |expected VC 0|got VC 2|wrong VC|instead "
             "of VC 0"},
    {"one body flit is on another virtual channel", "ec_input.sv", ": VcBits'(InVc);",
     ": VcBits'(InVc) ^ VcBits'(" IN_5_6 " && front.data[12:0] == 13'd3);", "mesh:4x4", "vcs=2", 0,
     TRACE_4_7, EC_CHECK_VCS,
     .says = "cycle 6, router 5 (1,1), port +x, VC 1: |expected a head|got a body flit|wrong VC"},
    {"packets are mixed on one of two virtual channels", "ec_router.sv", ".tail_i(tail)",
     ".tail_i({Bufs{1'b1}})", "mesh:4x4", "vcs=2", 0,
     "cycle,source,destination,words\n1,4,7,8\n1,5,7,8\n", EC_CHECK_VCS,
     .says = "router 5 (1,1), port +x, VC 0: |of the open packet|packets are mixed"},
    {"the dateline is forgotten", "ec_route.svh", "{away && (round", "{1'b0 && (round", "torus:4x4",
     "vcs=2", 0, "uniform:rate=0.9,m=16", EC_CHECK_VCS,
     .says = "cycle |router |port |expected class 1 (on the wrap link)|wrong VC"},
    {"the dateline is forgotten in one dimension", "ec_route.svh", "{away && (round",
     "{away && ((round && port != Pw'(2))", "torus:4x4", "vcs=2", 0,
     "cycle,source,destination,words\n1,3,0,8\n1,12,0,8\n", EC_CHECK_VCS,
     .says =
         "cycle 2, router 12 (0,3), port +y, VC 0: |expected class 1 (on the wrap link)|wrong VC"},
    {"the dateline is forgotten in one direction", "ec_route.svh", "{away && (round",
     "{away && ((round && plus)", "torus:4x4", "vcs=2", 0,
     "cycle,source,destination,words\n1,3,0,8\n9,0,3,8\n", EC_CHECK_VCS,
     .says =
         "cycle 10, router 0 (0,0), port -x, VC 0: |expected class 1 (on the wrap link)|wrong VC"},
    {"the class ends with the wrap link", "ec_route.svh", "(round || (same && from_class))",
     "round", "torus:8x8", "vcs=2", 0, "cycle,source,destination,words\n1,7,2,8\n", EC_CHECK_VCS,
     .says = "cycle 3, router 0 (0,0), port +x, VC 0: |class 1 (after the wrap link)|wrong VC"},
    {"the class begins before the wrap link", "ec_route.svh", "(round || (same && from_class))",
     "(round || wrap)", "torus:8x8", "vcs=2", 0, "cycle,source,destination,words\n1,5,0,8\n",
     EC_CHECK_VCS,
     .says = "cycle 2, router 5 (5,0), port +x, VC 1: |class 0 (before the wrap link)|wrong VC"},
    {"the class is kept in the next dimension", "ec_route.svh", "same = FromLink && k == InDim;",
     "same = FromLink;", "torus:4x4", "vcs=2", 0, "cycle,source,destination,words\n1,3,4,8\n",
     EC_CHECK_VCS,
     .says = "cycle 3, router 0 (0,0), port +y, VC 1: |class 0 (before the wrap link)|wrong VC"},
    {"quiet with words in its buffers", "ec_router.sv", "assign quiet_o = ",
     "assign quiet_o = 1'b1;", CUBE, "cycle,source,destination,words\n1,4,7,1\n2,5,7,1\n",
     EC_CHECK_COUNT, .says = "", .by_sleep = true},
    {"two grants at once", "ec_arbiter.sv", "    grant_o = ", "    grant_o = req_i;", CUBE,
     "cycle,source,destination,words\n1,4,7,8\n2,5,7,8\n", EC_CHECK_DELIVERY,
     .says = "cycle 3, router 5 (101), input dim0|does not leave: word"},
    {"a requester is never granted", "ec_arbiter.sv",
     "    grant_o = ", "    grant_o = req_i & ~N'(1) & (~(req_i & ~N'(1)) + 1'b1);", CUBE,
     TRACE_4_7, EC_CHECK_PROGRESS,
     .says = "after cycle |cycle 3, router 5 (101), output dim1: word head 4->7 #0.0 could leave"},
    {"an output is not held by its packet", "ec_router.sv", ".tail_i(tail)",
     ".tail_i({Bufs{1'b1}})", CUBE, "cycle,source,destination,words\n1,4,7,8\n1,5,7,8\n",
     EC_CHECK_DELIVERY, .says = "router 5 (101), output dim1: packets are mixed|cycle "},
    {"a buffer forgets its upper half", "ec_fifo.sv",
     "assign front_o = ", "assign front_o = mem[rd_q[Pw-1:0] & Pw'(1)];", CUBE, "hotspot:m=8",
     EC_CHECK_DELIVERY, .says = "cycle |router |output |altered"},
    {"a word is lost on arrival", "ec_router.sv", ".push_i(push[v])",
     ".push_i(push[v] && !(" AT_5 " && arrival[12:0] == 13'd3))", CUBE, TRACE_4_7,
     EC_CHECK_DELIVERY, .says = "cycle 6, router 5 (101), input dim0|is not in its buffer"},
    {"store-and-forward does not wait for the tail", "ec_router.sv",
     "whole_q <= ", "whole_q <= 1'b0;", "cube:3", "switching=store-and-forward", 2, "bitcomp:m=8",
     EC_CHECK_TIME, .says = "predicted"},
    {"contention is not reported", "ec_output.sv",
     "assign contended_o = ", "assign contended_o = '0;", CUBE, "kshuffle:k=2,m=8",
     EC_CHECK_CONGESTION, .says = "no contention"},
    {"waiting for credits is reported as contention", "ec_output.sv",
     "assign contended_o = ", "assign contended_o = want_i[Bufs-1:0] & ~grant_o;", "cube:3",
     "depth=4,switching=store-and-forward", 2, "bitcomp:m=8", EC_CHECK_CONGESTION,
     .says = "contended cycles at port"},
    {"a register is not reset", "ec_fifo.sv", "      rd_q <= '0;\n", "", CUBE, "bitcomp:m=8",
     EC_CHECK_PROGRESS, .says = "", .random_init = true},
};

/* Replace the only occurrence of `from`. */
static char *patched(const char *text, const struct fault *fault)
{
    const char *hit = strstr(text, fault->from);
    const size_t length = strlen(fault->from);
    if (!hit || strstr(hit + length, fault->from))
        fail_msg("%s: \"%s\" is not in %s just once: the RTL has changed, change this table",
                 fault->name, fault->from, fault->file);
    const char *rest = hit + length;
    if (strncmp(rest - 2, "= ", 2) == 0)
        rest = strchr(rest, ';') + 1;
    char *result = malloc(strlen(text) + strlen(fault->to) + 1);
    assert_non_null(result);
    sprintf(result, "%.*s%s%s", (int)(hit - text), text, fault->to, rest);
    return result;
}

/* Copy the source file, with or without the bug. */
static void plant(const struct fixture *f, const struct fault *fault, bool bug)
{
    char source[PATH_MAX], *text;
    size_t size;
    snprintf(source, sizeof source, "%s/rtl/%s", getenv("TEST_SOURCE_ROOT"), fault->file);
    assert_int_equal(ec_file_read(source, &text, &size, NULL), EC_OK);
    char *result = bug ? patched(text, fault) : strdup(text);
    assert_non_null(result);
    write_text(fixture_path(f, "data/rtl/%s", fault->file), result);
    free(result);
    free(text);
}

static struct trial run_fault(struct rig *rig, const struct fault *fault, bool no_sleep)
{
    char workload[128];
    const bool trace = strchr(fault->workload, '\n') != NULL;
    snprintf(workload, sizeof workload, "%s%s", trace ? "trace:file=" : "",
             trace ? scratch_file(fault->workload) : fault->workload);
    const bool open_loop = strstr(workload, "rate") != NULL;
    const struct ec_run_options options = {
        .cycles = open_loop ? 20000 : 0, .warmup = 100, .seed = 1, .keep_packets = true};
    rig_open(rig, &(struct ec_case_spec){.topology = fault->topology,
                                         .router = fault->router,
                                         .packet = fault->packet,
                                         .longest = 16,
                                         .random_init = fault->random_init ? 4 : 0,
                                         .no_sleep = no_sleep});
    return rig_run(rig, workload, &options);
}

static void assert_caught(const struct trial *trial, const struct fault *fault)
{
    const struct ec_report *r = trial->report;
    if (r->passed)
        trial_fail(trial, "%s: not caught", fault->name);
    if (r->outcome == EC_RUN_DEADLOCK)
        trial_fail(trial, "%s: taken for a deadlock", fault->name);
    if (fault->says[0] == '\0')
        return;
    if (r->checks[fault->check].verdict != EC_VERDICT_FAIL)
        trial_fail(trial, "%s: %s did not fail", fault->name, ec_check_name(fault->check));
    char words[256], *rest = words;
    snprintf(words, sizeof words, "%s", fault->says);
    for (char *word; (word = strsep(&rest, "|"));) {
        if (!strstr(r->checks[fault->check].detail, word))
            trial_fail(trial, "%s: %s does not say '%s'", fault->name, ec_check_name(fault->check),
                       word);
    }
}

struct planted {
    const struct fixture *f;
    const struct fault *fault;
};

static void planted_bug_is_caught(void **state)
{
    const struct planted *planted = *state;
    struct rig rig = {0};
    plant(planted->f, planted->fault, true);
    struct trial trial = run_fault(&rig, planted->fault, false);
    if (planted->fault->by_sleep) {
        struct trial awake = run_fault(&rig, planted->fault, true);
        if (trial.report->digest == awake.report->digest)
            trial_fail(&trial, "%s: not caught", planted->fault->name);
        trial_close(&awake);
    } else {
        assert_caught(&trial, planted->fault);
    }
    printf("caught: %-58s by run%s%s\n", planted->fault->name,
           planted->fault->by_sleep ? ": sleep changes the digest" : ", check ",
           planted->fault->by_sleep ? "" : ec_check_name(planted->fault->check));
    trial_close(&trial);
    rig_close(&rig);
}

static int repair(void **state)
{
    const struct planted *planted = *state;
    plant(planted->f, planted->fault, false);
    scratch_files_remove();
    return 0;
}

/* Otherwise the tests above prove nothing. (A saturated network is not stable.) */
static void without_bugs_the_same_runs_pass(NO_STATE)
{
    for (size_t i = 0; i < COUNT(faults); i++) {
        struct rig rig = {0};
        struct trial trial = run_fault(&rig, &faults[i], false);
        trial_assert_passed_but(&trial, EC_CHECK_STABILITY);
        trial_close(&trial);
        rig_close(&rig);
        scratch_files_remove();
    }
}

static int list_faults(void)
{
    for (size_t i = 0; i < COUNT(faults); i++)
        printf("%s|%s|ecube run: %s\n", faults[i].name, faults[i].file,
               faults[i].by_sleep ? "no_sleep" : ec_check_name(faults[i].check));
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "list") == 0)
        return list_faults();
    static struct planted planted[COUNT(faults)];
    static struct CMUnitTest tests[COUNT(faults) + 1];
    const unsigned part = argc == 3 ? (unsigned)atoi(argv[1]) : 0;
    const unsigned parts = argc == 3 ? (unsigned)atoi(argv[2]) : 0;
    size_t count = 0;
    void *fixture;
    if (parts == 0) {
        fprintf(stderr, "usage: %s PART PARTS\n", argv[0]);
        return 2;
    }
    if (fixture_setup(&fixture) != 0)
        return 1;
    if (part == 0)
        tests[count++] = (struct CMUnitTest){"without bugs the same runs pass",
                                             without_bugs_the_same_runs_pass, NULL, NULL, NULL};
    for (size_t i = part; i < COUNT(faults); i += parts) {
        planted[i] = (struct planted){fixture, &faults[i]};
        tests[count++] =
            (struct CMUnitTest){faults[i].name, planted_bug_is_caught, NULL, repair, &planted[i]};
    }
    const int failed = _cmocka_run_group_tests("faults", tests, count, NULL, NULL);
    fixture_teardown(&fixture);
    return failed;
}
