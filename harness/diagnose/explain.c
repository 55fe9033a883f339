/* SPDX-License-Identifier: Apache-2.0 */
/* Why a run failed: an exact replay from cycle 0, looked at closely, and what of it belongs into
 * the report. Knows plays and what a diagnosis finds; how it finds that is in diagnosis.c. */
#include "diagnose/explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/diagnosis.h"
#include "run/checks.h"

/* Play again, watched. After a replay to the cycle reached the play is in the very state it was in,
 * unless the user ended it. NULL: no diagnosis. */
static struct diagnosis *replay_diagnosed(struct play *p, uint64_t until)
{
    struct diagnosis *d = diagnosis_open(p->net->topology, p->net->router, p->net->foreign);
    if (!d || !p->net->ops->watch) {
        diagnosis_close(d);
        return NULL;
    }
    if (play_again(p, diagnosis_watch(d), until) && !diagnosis_memory_short(d))
        return d;
    diagnosis_close(d);
    return NULL;
}

__attribute__((format(printf, 2, 3))) static void fail_progress(struct ec_report *report,
                                                                const char *format, ...)
{
    struct ec_check *c = &report->checks[EC_CHECK_PROGRESS];
    c->verdict = EC_VERDICT_FAIL;
    va_list args;
    va_start(args, format);
    vsnprintf(c->detail, sizeof c->detail, format, args);
    va_end(args);
}

/* The router that broke the contract first is the one to look at. */
static void take_violation(const struct diagnosis *d, struct failure_place *place)
{
    uint64_t cycle;
    uint32_t node;
    if (!diagnosis_place(d, &cycle, &node))
        return;
    place->nodes.count = 0;
    if (ec_node_set_add(&place->nodes, node))
        place->cycle = cycle;
}

/* No router holds anything: what was sent has been lost outside of them, and where it was sent is
 * all that is known. */
static void blame_sender(const struct play *p, struct ec_report *report,
                         struct failure_place *place)
{
    const struct ec_topology *t = p->net->topology;
    uint32_t src, dst;
    uint64_t cycle;
    char router[128];
    if (!scoreboard_oldest(&p->board, &src, &dst, &cycle))
        return;
    ec_topology_node_name(t, src, router, sizeof router);
    struct ec_check *c = &report->checks[EC_CHECK_PROGRESS];
    const size_t used = strlen(c->detail);
    snprintf(c->detail + used, sizeof c->detail - used,
             ", and no router has a word: a packet for node %u, sent in cycle %llu at router %s, "
             "is lost on its way in or out",
             dst, (unsigned long long)cycle, router);
    if (ec_node_set_add(&place->nodes, src))
        place->cycle = cycle;
}

bool explain_stand_still(struct play *p, enum play_state *state, struct ec_report *report,
                         struct failure_place *place)
{
    struct diagnosis *d = replay_diagnosed(p, p->cycle);
    const char *cause = d ? diagnosis_violation(d) : NULL;
    char *culprit = NULL;
    bool over = true;
    if (p->interrupted) {
        *state = PLAY_INTERRUPTED;
        report->outcome = EC_RUN_INTERRUPTED;
        diagnosis_close(d);
        return true;
    }
    if (d && (!cause || diagnosis_wrong_vc(d)) &&
        diagnosis_waiting(d, &report->waiting, &report->waiting_count, &culprit, &place->nodes)) {
        report->outcome = EC_RUN_DEADLOCK;
        fail_progress(report, "deadlock by cycle %llu: %zu buffers wait in a circle%s%s",
                      (unsigned long long)p->cycle, report->waiting_count, cause ? "; cause: " : "",
                      cause ? cause : "");
    } else if (*state == PLAY_OLD && !cause) {
        p->age_bound *= 2; /* old but moving: look again when it is twice as old */
        *state = PLAY_ON;
        over = false;
    } else {
        report->outcome = EC_RUN_BROKEN;
        if (cause && *state == PLAY_OLD)
            fail_progress(report, "a packet goes on and on and does not arrive; cause: %s", cause);
        else if (cause)
            fail_progress(report, "after cycle %llu nothing moves; cause: %s",
                          (unsigned long long)p->last_move + 1, cause);
        else
            fail_progress(report, "after cycle %llu nothing moves%s%s",
                          (unsigned long long)p->last_move + 1, culprit ? ": " : "",
                          culprit ? culprit : "");
    }
    place->cycle = p->last_move;
    if (report->outcome == EC_RUN_BROKEN && d && !cause && !culprit)
        blame_sender(p, report, place);
    if (d && report->outcome != EC_RUN_DEADLOCK)
        take_violation(d, place);
    if (!over)
        place->nodes.count = 0;
    free(culprit);
    diagnosis_close(d);
    return over;
}

/* All words went where they were sent, and that was wrong: the schedule is to blame, and neither a
 * diagnosis of routers nor a wave would show it. */
static bool blames_schedule(const struct play *p, const struct ec_report *report)
{
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        if (report->checks[id].verdict == EC_VERDICT_FAIL && id != EC_CHECK_DELIVERY)
            return false;
    }
    return p->options.schedule && report->outcome == EC_RUN_FINISHED && !p->board.failed &&
           report->messages == p->w->message_count;
}

/* The check that the cause belongs to. What the RTL said is its own explanation. */
static struct ec_check *check_to_explain(struct ec_report *report)
{
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        if (id != EC_CHECK_RTL && report->checks[id].verdict == EC_VERDICT_FAIL)
            return &report->checks[id];
    }
    return NULL;
}

void explain(struct play *p, struct ec_report *report, struct failure_place *place)
{
    struct ec_check *c = check_to_explain(report);
    if (!c || report->outcome == EC_RUN_DEADLOCK || report->outcome == EC_RUN_INTERRUPTED)
        return;
    if (report->checks[EC_CHECK_STABILITY].verdict == EC_VERDICT_FAIL &&
        c == &report->checks[EC_CHECK_STABILITY])
        return; /* an overloaded network is no defect */
    if (blames_schedule(p, report))
        return;
    /* A cycle more: what was sent in the last one arrives then, or does not. */
    struct diagnosis *d = replay_diagnosed(p, p->cycle + 1);
    const char *violation = d ? diagnosis_violation(d) : NULL;
    if (violation && !strstr(c->detail, violation)) {
        const size_t used = strlen(c->detail);
        snprintf(c->detail + used, sizeof c->detail - used, "%s%s", used ? "; cause: " : "",
                 violation);
    }
    if (d)
        take_violation(d, place);
    if (p->interrupted)
        report->outcome = EC_RUN_INTERRUPTED;
    diagnosis_close(d);
}

bool explain_by_wave(const struct play *p, const struct ec_report *report)
{
    if (blames_schedule(p, report) || (p->net->rtl && p->net->rtl->broken))
        return false;
    for (unsigned id = 0; id < EC_CHECK_COUNT; id++) {
        if (report->checks[id].verdict == EC_VERDICT_FAIL && id != EC_CHECK_STABILITY)
            return report->outcome != EC_RUN_INTERRUPTED;
    }
    return false;
}
