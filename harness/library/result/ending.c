/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ended, and why. Knows the checks of a report; must not know exit statuses. */
#include <string.h>

#include "ecube/result.h"

static bool only_stability_is_missing(const struct ec_report *report)
{
    for (unsigned i = 0; i < EC_CHECK_COUNT; i++) {
        const enum ec_verdict v = report->checks[i].verdict;
        if (i != EC_CHECK_STABILITY && (v == EC_VERDICT_FAIL || v == EC_VERDICT_OPEN))
            return false;
    }
    return true;
}

static enum ec_ending ending_alone(const struct ec_report *report)
{
    switch (report->outcome) {
    case EC_RUN_INTERRUPTED:
        return EC_ENDED_PARTIAL;
    case EC_RUN_DEADLOCK:
        return EC_ENDED_DEADLOCKED;
    case EC_RUN_FINISHED:
        if (report->passed)
            return EC_ENDED_PASSED;
        if (!only_stability_is_missing(report))
            break;
        return report->steady == EC_STEADY_GROWS ? EC_ENDED_UNSTABLE : EC_ENDED_TOO_SHORT;
    case EC_RUN_LIMIT:
        if (ec_report_cause(report) == EC_CHECK_COUNT)
            return EC_ENDED_STOPPED;
        break;
    case EC_RUN_BROKEN:
        break;
    }
    return EC_ENDED_FAILED;
}

enum ec_ending ec_report_ending(const struct ec_report *report, const struct ec_check *expected)
{
    const enum ec_ending ending = ending_alone(report);
    const bool failed = expected && expected->verdict == EC_VERDICT_FAIL;
    const bool worse = ending == EC_ENDED_DEADLOCKED || ending == EC_ENDED_PARTIAL;
    return failed && !worse ? EC_ENDED_FAILED : ending;
}

const char *ec_ending_name(enum ec_ending ending)
{
    static const char *const names[] = {
        [EC_ENDED_PASSED] = "pass",         [EC_ENDED_FAILED] = "fail",
        [EC_ENDED_UNSTABLE] = "unstable",   [EC_ENDED_TOO_SHORT] = "too short",
        [EC_ENDED_DEADLOCKED] = "deadlock", [EC_ENDED_STOPPED] = "stopped",
        [EC_ENDED_PARTIAL] = "partial",
    };
    return names[ending];
}

unsigned ec_report_cause(const struct ec_report *report)
{
    unsigned first = EC_CHECK_COUNT;
    for (unsigned i = 0; i < EC_CHECK_COUNT; i++) {
        const struct ec_check *c = &report->checks[i];
        if (c->verdict != EC_VERDICT_FAIL || i == EC_CHECK_STABILITY)
            continue;
        if (strstr(c->detail, "router "))
            return i;
        if (first == EC_CHECK_COUNT)
            first = i;
    }
    return first;
}
