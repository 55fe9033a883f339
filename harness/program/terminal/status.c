/* SPDX-License-Identifier: Apache-2.0 */
/* Exit statuses, the error line, and where results go.
 *
 * The only file that maps outcomes and errors of the library to exit statuses. Must not know
 * options or formats. */
#include "terminal/status.h"

#include <stdio.h>
#include <string.h>

#include "terminal/interrupt.h"

enum cli_status cli_status_of_error(enum ec_code code)
{
    switch (code) {
    case EC_OK:
        return CLI_OK;
    case EC_USAGE:
    case EC_MEMORY: /* out of memory: the request is too large for this machine */
    case EC_IO:
        return CLI_USAGE;
    case EC_TOOL:
        return CLI_TOOL;
    case EC_INTERRUPTED:
        return CLI_INTERRUPTED;
    case EC_UNSOUND:
    case EC_CONTRACT:
    case EC_INTERNAL:
        break;
    }
    return CLI_FAILED;
}

static bool only_stability_is_missing(const struct ec_report *report)
{
    for (unsigned i = 0; i < EC_CHECK_COUNT; i++) {
        const enum ec_verdict v = report->checks[i].verdict;
        if (i != EC_CHECK_STABILITY && (v == EC_VERDICT_FAIL || v == EC_VERDICT_OPEN))
            return false;
    }
    return true;
}

enum cli_status cli_status_of_report(const struct ec_report *report)
{
    switch (report->outcome) {
    case EC_RUN_INTERRUPTED:
        return CLI_INTERRUPTED;
    case EC_RUN_DEADLOCK:
        return CLI_DEADLOCK;
    case EC_RUN_FINISHED:
        if (report->passed)
            return CLI_OK;
        return only_stability_is_missing(report) ? CLI_UNSTABLE : CLI_FAILED;
    case EC_RUN_LIMIT:
        return cli_cause_of_report(report) == EC_CHECK_COUNT ? CLI_STOPPED : CLI_FAILED;
    case EC_RUN_BROKEN:
        break;
    }
    return CLI_FAILED;
}

const char *cli_verdict(enum cli_status status, const struct ec_report *report)
{
    switch (status) {
    case CLI_OK:
        return "pass";
    case CLI_UNSTABLE:
        return report->steady == EC_STEADY_GROWS ? "unstable" : "too short";
    case CLI_DEADLOCK:
        return "deadlock";
    case CLI_STOPPED:
        return "stopped";
    case CLI_INTERRUPTED:
        return "partial";
    default:
        return "fail";
    }
}

unsigned cli_cause_of_report(const struct ec_report *report)
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

static int badness(enum cli_status status)
{
    static const enum cli_status order[] = {CLI_OK,     CLI_STOPPED,    CLI_UNSTABLE,
                                            CLI_FAILED, CLI_DEADLOCK,   CLI_TOOL,
                                            CLI_USAGE,  CLI_INTERRUPTED};
    int i = 0;
    while (order[i] != status)
        i++;
    return i;
}

enum cli_status cli_status_worse(enum cli_status a, enum cli_status b)
{
    return badness(a) >= badness(b) ? a : b;
}

/* Control characters become '?': a newline inside an argument must not make two lines. */
static void put_plain(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        fputc(*c < 0x20 || *c == 0x7f ? '?' : *c, stderr);
}

enum cli_status cli_complain(const char *where, const struct ec_error *error)
{
    fflush(stdout); /* results first, then the error about what follows them */
    fputs("ecube: ", stderr);
    if (where) {
        put_plain(where);
        fputs(": ", stderr);
    }
    put_plain(error->message[0] ? error->message : ec_code_text(error->code));
    fputc('\n', stderr);
    return cli_status_of_error(error->code);
}

enum ec_code cli_output_open(const char *path, struct ec_output *ret, struct ec_error *reterr)
{
    if (path && strcmp(path, "-") != 0)
        return ec_output_open(ret, NULL, path, &cli_interrupt_unfinished, reterr);
    *ret = ec_output_borrow(stdout, "standard output");
    return EC_OK;
}

void cli_output_interrupted(struct ec_output *o)
{
    struct ec_error e;
    o->interrupted = true;
    if (!o->partial)
        return;
    ec_fail(&e, EC_INTERRUPTED, "interrupted: the partial result goes to %.300s", o->partial);
    cli_complain(NULL, &e);
}

enum cli_status cli_output_flush(FILE *file, const char *name)
{
    struct ec_output o = ec_output_borrow(file, name);
    struct ec_error error;
    return ec_output_check(&o, &error) == EC_OK ? CLI_OK : cli_complain(NULL, &error);
}
