/* SPDX-License-Identifier: Apache-2.0 */
/* Drives ABC. Knows its commands and what they print; must not know what a circuit means.
 * A violation is believed only after it was simulated here. */
#include "prove/solve.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define LOG     "abc.log"
#define CIRCUIT "property.aig"
#define INPUTS  "inputs.txt"

/* Assumptions are folded into the properties; equivalent registers are merged. Neither changes the
 * inputs. */
#define PREPARE "read_aiger " CIRCUIT "; fold; strash; scorr; dc2; "

/* A margin for the solver, which looks at its time limit now and then. */
#define GRACE_SECONDS 10

/* --- The solver ------------------------------------------------------------------------------- */

/* The cycles that are done: the last line "   5 + : Var = ...", and 1 for cycle 0. */
static unsigned cycles_in(const char *log, unsigned least)
{
    unsigned done = least, number;
    char mark;
    for (const char *line = log; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (sscanf(line, " %u %c : Var", &number, &mark) == 2 && mark == '+' && number + 1 > done)
            done = number + 1;
        if (*line == '\0')
            break;
    }
    return done;
}

struct look {
    struct ec_solve *s;
    const char *format;
    unsigned first;
};

static void look(void *context)
{
    const struct look *l = context;
    char words[200];
    char *text = ec_tool_text(l->s->run.folder, LOG);
    const unsigned cycles = text != NULL ? cycles_in(text, l->first) : l->first;
    free(text);
    snprintf(words, sizeof words, l->first == UINT_MAX ? "%s: %s" : "%s: %s %u", l->s->what,
             l->format, cycles);
    if (l->s->progress != NULL)
        l->s->progress(l->s->context, words);
}

/* Run a script; *ret: what it printed, malloc'd. A solver that crashes has decided nothing. */
static enum ec_code run_script(struct ec_solve *s, const uint32_t *outputs, size_t count, bool one,
                               const char *script, double seconds, struct look *l, char **ret,
                               struct ec_error *reterr)
{
    char path[PATH_MAX];
    struct ec_args args = {0};
    int status;
    enum ec_code code = ec_path(path, sizeof path, reterr, "%s/" CIRCUIT, s->run.folder);
    if (code == EC_OK)
        code = ec_aig_write(s->aig, outputs, count, one, path, reterr);
    if (code != EC_OK)
        return code;
    /* Without a line buffer its output would come at the end only. */
    if (ec_program_find("stdbuf", path, sizeof path) &&
        ec_program_find(EC_TOOL_ABC, path, sizeof path)) {
        ec_args_add(&args, "stdbuf");
        ec_args_add(&args, "-oL");
    }
    ec_args_add(&args, EC_TOOL_ABC);
    ec_args_add(&args, "-c");
    ec_args_add(&args, "%s", script);
    struct ec_tool_run run = s->run;
    run.log = LOG;
    run.here = false;
    run.seconds = seconds + GRACE_SECONDS;
    run.look = look;
    run.context = l;
    code = ec_tool_run(&run, &args, &status, reterr);
    if (code == EC_OK && status == 128 + SIGKILL)
        code = ec_fail(reterr, EC_TOOL,
                       "%s was killed, by the system for want of memory or by another process: "
                       "nothing is decided",
                       EC_TOOL_ABC);
    if (code == EC_OK && (*ret = ec_tool_text(s->run.folder, LOG)) == NULL)
        code = ec_fail(reterr, EC_IO, "cannot read %s/" LOG, s->run.folder);
    return code;
}

/* --- Bounded search --------------------------------------------------------------------------- */

/* "Output 3 of miter "x" was asserted in frame 4." */
static bool find_violation(const char *log, unsigned *ret_output, unsigned *ret_cycle)
{
    const char *end = strstr(log, " was asserted in frame ");
    const char *line = end;
    while (line != NULL && line > log && line[-1] != '\n')
        line--;
    return end != NULL && sscanf(line, "Output %u", ret_output) == 1 &&
           sscanf(end, " was asserted in frame %u", ret_cycle) == 1;
}

/* The inputs are the last bits of the file, a digit each; those before are registers. */
static enum ec_code read_inputs(const struct ec_solve *s, unsigned cycles, uint8_t **ret,
                                struct ec_error *reterr)
{
    const size_t wanted = (size_t)cycles * s->aig->inputs;
    char *text = ec_tool_text(s->run.folder, INPUTS);
    uint8_t *inputs = malloc(wanted + 1);
    size_t length = text != NULL ? strspn(text, "01") : 0;
    if (inputs == NULL || length < wanted) {
        free(inputs);
        free(text);
        return ec_fail(reterr, EC_TOOL, "%s wrote no counterexample", EC_TOOL_ABC);
    }
    for (size_t i = 0; i < wanted; i++)
        inputs[i] = text[length - wanted + i] == '1';
    free(text);
    *ret = inputs;
    return EC_OK;
}

/* Does the circuit do what the solver says? */
static enum ec_code confirm(const struct ec_solve *s, const struct ec_solve_bounded *b,
                            struct ec_error *reterr)
{
    const size_t cycles = (size_t)b->cycles + 1;
    uint8_t *outputs = malloc(cycles * s->aig->outputs);
    bool legal = false;
    enum ec_code code = outputs != NULL ? EC_OK : ec_fail(reterr, EC_MEMORY, "out of memory");
    if (code == EC_OK)
        code = ec_aig_simulate(s->aig, b->inputs, cycles, outputs, &legal, reterr);
    if (code == EC_OK && (!legal || !outputs[(cycles - 1) * s->aig->outputs + b->output]))
        code = ec_fail(reterr, EC_TOOL, "%s gave a counterexample that is none", EC_TOOL_ABC);
    free(outputs);
    return code;
}

enum ec_code ec_solve_bounded(struct ec_solve *s, const uint32_t *outputs, size_t count,
                              unsigned first, unsigned last, double seconds,
                              struct ec_solve_bounded *ret, struct ec_error *reterr)
{
    char script[400], *log = NULL;
    struct look l = {s, "bounded search, cycle", first};
    unsigned number, cycle;
    *ret = (struct ec_solve_bounded){.cycles = first};
    if (count == 0 || first >= last)
        return EC_OK;
    snprintf(script, sizeof script, PREPARE "bmc3 -S %u -F %u -T %.0f -v; write_cex " INPUTS, first,
             last, seconds < 1 ? 1 : seconds);
    enum ec_code code = run_script(s, outputs, count, false, script, seconds, &l, &log, reterr);
    if (code != EC_OK)
        return code;
    ret->cycles = cycles_in(log, first);
    if (find_violation(log, &number, &cycle) && number < count) {
        ret->violated = true;
        ret->output = outputs[number];
        ret->cycles = cycle;
        code = read_inputs(s, cycle + 1, &ret->inputs, reterr);
        if (code == EC_OK)
            code = confirm(s, ret, reterr);
        if (code != EC_OK) {
            free(ret->inputs);
            ret->inputs = NULL;
        }
    }
    free(log);
    return code;
}

/* --- Proof ------------------------------------------------------------------------------------ */

enum ec_code ec_solve_proved(struct ec_solve *s, const uint32_t *outputs, size_t count,
                             bool together, double seconds, bool *ret, struct ec_error *reterr)
{
    char script[300], *log = NULL;
    struct look l = {s, "proof", UINT_MAX};
    *ret = count == 0;
    if (count == 0)
        return EC_OK;
    snprintf(script, sizeof script, PREPARE "pdr -T %.0f; print_status", seconds < 1 ? 1 : seconds);
    const enum ec_code code =
        run_script(s, outputs, count, together, script, seconds, &l, &log, reterr);
    if (code == EC_OK)
        *ret = strstr(log, "Property proved.") != NULL && strstr(log, "\nStatus = 1 ") != NULL;
    free(log);
    return code;
}
