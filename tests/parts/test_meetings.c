/* SPDX-License-Identifier: Apache-2.0 */
/* How often parts meet: not in cycles in which nothing happens but start-ups. And from where a run
 * that fails is repeated. That the results are those of one part, parity.sh and checkpoint.sh show.
 */
#include <stdatomic.h>
#include <string.h>

#include "program/options/job.h"
#include "session/running.h"
#include "session/session.h"
#include "unit.h"

struct meetings {
    struct ec_case *c;
    struct ec_partition *partition;
    uint64_t cycles;
    atomic_uint wrong; /* parts must not fail in their threads */
};

static const struct exchange_ops *transport;
static uint64_t counted; /* collective calls of part 0 */

static bool swap(struct exchange *x, uint64_t *values, const enum exchange_fold *fold, size_t count)
{
    counted += x->part == 0;
    return transport->swap(x, values, fold, count);
}

static bool fold(struct exchange *x, uint64_t *values, size_t count, enum exchange_fold how)
{
    counted += x->part == 0;
    return transport->fold(x, values, count, how);
}

static void play(struct meetings *m, struct exchange *x)
{
    const struct ec_run_options options = ec_case_run_options(m->c);
    struct rtl_texts texts = {.count = 0};
    struct part part = {0};
    struct running r;
    struct ec_net *tiles;
    struct ec_error e;
    if (session_part(m->c, m->partition, x->part, NULL, &texts, &tiles, &e) != EC_OK ||
        !part_open(&part, x, m->partition, tiles) ||
        running_open(&r, &part.net, &part, m->c->workload, &options, &e) != EC_OK) {
        m->wrong++;
        return;
    }
    running_on(&r, 0);
    m->wrong += r.state != PLAY_DONE;
    if (x->part == 0)
        m->cycles = r.play.cycle - r.play.skipped;
    running_close(&r);
    part_close(&part);
    session_part_end(m->c, x->part);
}

static void body(void *context, struct exchange *x)
{
    static struct exchange_ops ops;
    struct meetings *m = context;
    if (x->part == 0) {
        transport = x->ops;
        ops = *transport;
        ops.swap = swap;
        ops.fold = fold;
        counted = 0;
        x->ops = &ops; /* the others need not be counted: they make the same calls */
    }
    play(m, x);
}

/* Run `words` in two parts. */
static struct meetings run(const char *words)
{
    struct meetings m = {0};
    struct ec_session *s = NULL;
    struct cli_words text = {0};
    struct cli_job job = cli_job_default();
    struct ec_error e;
    if (ec_session_open(NULL, &s, &e) != EC_OK ||
        cli_job_read(words, CLI_LINE, &text, &job, &e) != EC_OK ||
        ec_case_open(s, &job.spec, &m.c, &e) != EC_OK ||
        session_prepare_parts(m.c, 2, &e) != EC_OK ||
        ec_partition_open(&m.c->topology, 2, &m.partition, &e) != EC_OK)
        fail_msg("%s", e.message);
    const struct ec_partition *p = m.partition;
    const struct parts_plan plan = {
        .parts = 2, .first = p->first_neighbour, .neighbour = p->neighbour};
    assert_int_equal(parts_run(&plan, body, &m, &e), EC_OK);
    assert_int_equal(m.wrong, 0);
    ec_partition_close(m.partition);
    ec_case_close(m.c);
    cli_job_free(&job);
    cli_words_free(&text);
    ec_session_close(s);
    return m;
}

/* Eight start-ups, the end, and what they meet for besides. Less than a sixth of the cycles are not
 * silent: eight words on two links, a loop of a credit, and 16 cycles until nothing is under way.
 */
static void nobody_meets_in_a_start_up(NO_STATE)
{
    const struct meetings m = run("cube:6 shift:q=5,m=64 --packet 8 --startup 300");
    assert_true(m.cycles > 8 * 300);
    assert_true(counted < m.cycles / 6);
}

/* A message that waits for others waits for those of other parts, too. */
static void nobody_meets_in_a_start_up_of_a_schedule(NO_STATE)
{
    const struct meetings m = run("torus:8x8 allreduce:m=64 --startup 300");
    assert_true(m.cycles > 28 * 300);
    assert_true(counted < m.cycles / 8);
}

static void parts_meet_where_words_move(NO_STATE)
{
    const struct meetings m = run("cube:6 shift:q=5,m=64");
    assert_true(counted >= m.cycles);
}

/* --- Repetitions ------------------------------------------------------------------------------ */

static void note_phase(void *phases, const char *text)
{
    if (text)
        strncat(phases, text, 1000 - strlen(phases) - 1);
}

/* Run `words` with a checkpoint every so many cycles (0: none), and note its phases. */
static uint64_t run_into_deadlock(const char *words, uint32_t threads, uint64_t every,
                                  char phases[1000])
{
    const struct ec_session_options show = {.phase = note_phase, .context = phases};
    const struct ec_checkpoint_options checkpoint = {
        .path = scratch_file(""), .cycles = every, .program = "this", .command = "it"};
    struct cli_words text = {0};
    struct cli_job job = cli_job_default();
    struct ec_session *s = NULL;
    struct ec_case *c = NULL;
    struct ec_report *report = NULL;
    struct ec_error e;
    phases[0] = '\0';
    if (cli_job_read(words, CLI_LINE, &text, &job, &e) != EC_OK)
        fail_msg("%s", e.message);
    job.spec.threads = threads;
    job.spec.saved = every > 0;
    if (ec_session_open(&show, &s, &e) != EC_OK || ec_case_open(s, &job.spec, &c, &e) != EC_OK)
        fail_msg("%s", e.message);
    struct ec_run_options o = ec_case_run_options(c);
    o.checkpoint = every ? &checkpoint : NULL;
    if (ec_case_run(c, &o, &report, &e) != EC_OK)
        fail_msg("%s", e.message);
    assert_int_equal(report->outcome, EC_RUN_DEADLOCK);
    const uint64_t digest = report->digest + report->simulated_cycles;
    ec_report_close(report);
    ec_case_close(c);
    ec_session_close(s);
    cli_job_free(&job);
    cli_words_free(&text);
    return digest;
}

static void a_failed_run_is_repeated_from_its_checkpoint(NO_STATE)
{
    static const char words[] = "torus:4x4 uniform:rate=0.6,m=16 --cycles 2000 --router vcs=1";
    char phases[1000];
    const uint64_t expected = run_into_deadlock(words, 1, 0, phases);
    assert_null(strstr(phases, "repeating"));
    assert_true(run_into_deadlock(words, 2, 0, phases) == expected);
    assert_non_null(strstr(phases, "repeating the run in one part to find the cause"));
    /* Too late for a checkpoint. */
    assert_true(run_into_deadlock(words, 2, 2000, phases) == expected);
    assert_non_null(strstr(phases, "repeating the run in one part to find the cause"));
    assert_true(run_into_deadlock(words, 2, 40, phases) == expected);
    assert_non_null(strstr(phases, "repeating the run in one part from its last checkpoint"));
    scratch_files_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("parts do not meet in a start-up", nobody_meets_in_a_start_up),
        TEST("nor in those of a schedule", nobody_meets_in_a_start_up_of_a_schedule),
        TEST("they meet in each cycle in which words move", parts_meet_where_words_move),
        TEST("a failed run is repeated from its last checkpoint",
             a_failed_run_is_repeated_from_its_checkpoint),
    };
    return cmocka_run_group_tests_name("meetings", tests, NULL, NULL);
}
