/* SPDX-License-Identifier: Apache-2.0 */
/* Exit statuses, the error line, and where results go.
 *
 * The only file that maps outcomes and errors of the library to exit statuses. Must not know
 * options or formats. */
#include "terminal/status.h"

#include <string.h>

#include "ecube/result.h"
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

enum cli_status cli_status_of_report(const struct ec_report *report)
{
    static const enum cli_status statuses[] = {
        [EC_ENDED_PASSED] = CLI_OK,           [EC_ENDED_FAILED] = CLI_FAILED,
        [EC_ENDED_UNSTABLE] = CLI_UNSTABLE,   [EC_ENDED_TOO_SHORT] = CLI_UNSTABLE,
        [EC_ENDED_DEADLOCKED] = CLI_DEADLOCK, [EC_ENDED_STOPPED] = CLI_STOPPED,
        [EC_ENDED_PARTIAL] = CLI_INTERRUPTED,
    };
    return statuses[ec_report_ending(report, NULL)];
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
