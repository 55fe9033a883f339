/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts in the replay of a failure: the report describes the wave correctly, and the cycles
 * dumped are kept.
 *
 * Knows when a play checks the clock: in every 2^18 / nodes-th cycle, if a tenth of a second has
 * passed. The net of this test fails in a chosen cycle, and sleeps in another one. */
#include "rig.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ecube/shape.h"

enum {
    LOOK = (1 << 18) / 64, /* cube:6 */
    BEFORE = 64,           /* cycles of a failure's wave before its place */
    AFTER = 1 + 32,        /* after it: to the last move, in the next cycle, and some more */
    BAD_NODE = 5,
};

/* The script of the net and its observations. */
struct script {
    const struct ec_net_ops *real;
    struct ec_net_ops mine;
    struct ec_net_fault fault;
    uint64_t fails_in; /* cycle */
    unsigned resets, stops_in_play, play;
    bool waited;
};

static struct script script;

static void reset(struct ec_net *net)
{
    script.resets++;
    script.real->reset(net);
}

static const struct ec_net_fault *fault(const struct ec_net *net)
{
    script.fault.found = net->cycle >= script.fails_in;
    return &script.fault;
}

/* Is this the play to interrupt? Plays count from the request for the traced shape: play 1 has the
 * checks on, play 2 is dumped. */
static bool to_be_stopped(void)
{
    return script.play && script.resets - script.play == script.stops_in_play;
}

static void step(struct ec_net *net, const struct ec_port_events *in, struct ec_port_events *out)
{
    const struct timespec tenth = {.tv_nsec = 110000000};
    if (to_be_stopped() && !script.waited && (net->cycle + 2) % LOOK == 0) {
        script.waited = true;
        nanosleep(&tenth, NULL);
    }
    script.real->step(net, in, out);
}

static bool go_on(void *context, uint64_t cycle, uint64_t done, uint64_t all)
{
    (void)context;
    (void)cycle;
    (void)done;
    (void)all;
    return !(to_be_stopped() && script.waited);
}

static enum ec_code give_traced(void *context, struct ec_shape **ret, struct ec_error *reterr)
{
    struct rig *rig = context;
    const struct ec_failure_options usual = ec_case_failure_options(rig->c);
    script.play = script.resets;
    return usual.traced(usual.context, ret, reterr);
}

static unsigned files_in(const char *folder)
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[600];
        if (entry->d_name[0] == '.')
            continue;
        count++;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
    return count;
}

static struct trial fail_in(struct rig *rig, const char *folder, uint64_t cycle, unsigned stop_in)
{
    const struct ec_failure_options failure = {
        .folder = folder, .traced = give_traced, .context = rig};
    const struct ec_run_options options = {
        .cycles = 20000, .seed = 1, .failure = &failure, .progress = go_on};
    rig_open(rig, &(struct ec_case_spec){.topology = "cube:6", .longest = 8});
    script = (struct script){.real = rig->net->ops,
                             .mine = *rig->net->ops,
                             .fails_in = cycle,
                             .stops_in_play = stop_in,
                             .fault = {.cycle = cycle, .node = BAD_NODE, .what = "a fault"}};
    script.mine.reset = reset;
    script.mine.step = step;
    script.mine.fault = fault;
    rig->net->ops = &script.mine;
    struct trial trial = rig_run(rig, "uniform:rate=0.2,m=8", &options);
    rig->net->ops = script.real;
    trial.options.failure = NULL; /* it ends here */
    return trial;
}

static void open_folder(char *folder)
{
    assert_non_null(mkdtemp(folder));
}

static void a_whole_replay_leaves_a_whole_wave(NO_STATE)
{
    char folder[] = "/tmp/ecube-replay.XXXXXX";
    struct rig rig = {0};
    open_folder(folder);
    struct trial trial = fail_in(&rig, folder, LOOK + 4, 0);
    const struct ec_failure *f = &trial.report->failure;
    assert_string_equal(f->note, "");
    trial_assert_equal(&trial, "first cycle", f->first, LOOK + 4 - BEFORE);
    trial_assert_equal(&trial, "last cycle", f->last, LOOK + 4 + AFTER);
    trial_assert_equal(&trial, "wave", access(f->wave, R_OK) == 0, true);
    trial_assert_equal(&trial, "files", files_in(folder), 4);
    trial_close(&trial);
    rig_close(&rig);
    rmdir(folder);
}

static void what_was_dumped_is_kept(NO_STATE)
{
    char folder[] = "/tmp/ecube-replay.XXXXXX", note[100];
    struct rig rig = {0};
    open_folder(folder);
    struct trial trial = fail_in(&rig, folder, LOOK + 4, 2);
    const struct ec_failure *f = &trial.report->failure;
    snprintf(note, sizeof note, "interrupted: the wave ends in cycle %d", LOOK);
    assert_string_equal(f->note, note);
    trial_assert_equal(&trial, "outcome", trial.report->outcome, EC_RUN_BROKEN);
    trial_assert_equal(&trial, "first cycle", f->first, LOOK + 4 - BEFORE);
    trial_assert_equal(&trial, "last cycle", f->last, LOOK);
    trial_assert_equal(&trial, "wave", access(f->wave, R_OK) == 0, true);
    trial_assert_equal(&trial, "files", files_in(folder), 4);
    trial_close(&trial);
    rig_close(&rig);
    rmdir(folder);
}

static void before_the_window_there_is_none(NO_STATE)
{
    static const char *const notes[] = {"no wave: interrupted",
                                        "no wave: interrupted before cycle 8132"};
    struct rig rig = {0};
    for (unsigned play = 1; play <= 2; play++) {
        char folder[] = "/tmp/ecube-replay.XXXXXX";
        open_folder(folder);
        struct trial trial = fail_in(&rig, folder, 2 * LOOK + 4, play);
        const struct ec_failure *f = &trial.report->failure;
        assert_string_equal(f->note, notes[play - 1]);
        assert_string_equal(f->wave, "");
        trial_assert_equal(&trial, "files", files_in(folder), 0);
        trial_close(&trial);
        rmdir(folder);
    }
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("a replay that is not interrupted leaves a whole wave",
             a_whole_replay_leaves_a_whole_wave),
        TEST("a replay interrupted in its window keeps the cycles dumped", what_was_dumped_is_kept),
        TEST("a replay interrupted before its window leaves no wave, and says so",
             before_the_window_there_is_none),
    };
    return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
