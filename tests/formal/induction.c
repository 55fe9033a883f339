/* SPDX-License-Identifier: Apache-2.0 */
/* Decides what router.sh asks about a circuit: are all its assertions inductive over one step, and
 * can all its covers be reached? Knows the names broken_* and reached of outputs; must not know
 * what they mean.
 *
 *   induction prove FOLDER WAVE CYCLES [PROPERTY]
 *   induction cover FOLDER CYCLES
 *
 * FOLDER has circuit.aig and circuit.map of Yosys. What is not inductive is searched for in the
 * first CYCLES cycles from a reset on; a violation is written to WAVE. Exit status: 0 yes, 1 no, 2
 * the question failed. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prove/induct.h"
#include "prove/solve.h"
#include "prove/trace.h"

/* Of processor time: for a question to the solver, for the induction, and for a search from a
 * reset. */
#define QUESTION_SECONDS  300
#define INDUCTION_SECONDS 3000
#define SEARCH_SECONDS    900

enum { YES, NO, FAILED };

struct question {
    struct ec_aig aig;
    uint32_t *outputs; /* [count] distinct */
    size_t count;
    const char *folder;
    sigset_t mask;
};

/* Assertions inside of the router and invariants have such names; the others are properties at its
 * ports. */
#define INNER ".broken_assertion"

/* A name of an output with `part` in it, or NULL. Of several, one of a property at the ports. */
static const char *name_of(const struct ec_aig *a, uint32_t output, const char *part)
{
    const char *found = NULL;
    for (size_t i = 0; i < a->bit_count; i++) {
        const struct ec_aig_bit *b = &a->bits[i];
        if (!b->input && b->number == output && strstr(b->name, part) != NULL &&
            (found == NULL || strstr(found, INNER) != NULL))
            found = b->name;
    }
    return found;
}

static enum ec_code open_question(struct question *q, const char *folder, const char *part,
                                  struct ec_error *reterr)
{
    char path[4096], map[4096];
    *q = (struct question){.folder = folder};
    snprintf(path, sizeof path, "%s/circuit.aig", folder);
    snprintf(map, sizeof map, "%s/circuit.map", folder);
    sigprocmask(SIG_SETMASK, NULL, &q->mask);
    const enum ec_code code = ec_aig_read(path, map, &q->aig, reterr);
    if (code != EC_OK)
        return code;
    q->outputs = calloc((size_t)q->aig.outputs + 1, sizeof *q->outputs);
    if (q->outputs == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory for outputs");
    for (uint32_t i = 0; i < q->aig.outputs; i++) {
        if (name_of(&q->aig, i, part) != NULL)
            q->outputs[q->count++] = i;
    }
    return q->count > 0 ? EC_OK
                        : ec_fail(reterr, EC_INTERNAL, "%s: no output is named %s", path, part);
}

static void close_question(struct question *q)
{
    ec_aig_free(&q->aig);
    free(q->outputs);
}

/* Search the cycles first .. last - 1 from the reset on. */
static enum ec_code search(const struct question *q, const uint32_t *outputs, size_t count,
                           unsigned first, unsigned last, struct ec_solve_bounded *ret,
                           struct ec_error *reterr)
{
    struct ec_solve s = {
        .aig = &q->aig, .run = {.folder = q->folder, .before = &q->mask}, .what = ""};
    return ec_solve_bounded(&s, outputs, count, first, last, SEARCH_SECONDS, ret, reterr);
}

/* Tell a violation: its cycle, all that is violated in it, and where the wave is. */
static enum ec_code tell(const struct question *q, const struct ec_solve_bounded *b,
                         const char *wave, struct ec_error *reterr)
{
    const size_t cycles = (size_t)b->cycles + 1;
    uint8_t *outputs = calloc(cycles * q->aig.outputs, 1);
    bool legal;
    if (outputs == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory for outputs");
    enum ec_code code = ec_aig_simulate(&q->aig, b->inputs, cycles, outputs, &legal, reterr);
    printf("violated in cycle %u after a reset:\n", b->cycles);
    for (size_t i = 0; code == EC_OK && i < q->count; i++) {
        if (outputs[(size_t)b->cycles * q->aig.outputs + q->outputs[i]])
            printf("  %s\n", name_of(&q->aig, q->outputs[i], "broken_"));
    }
    free(outputs);
    if (code == EC_OK)
        code = ec_prove_wave(&q->aig, b->inputs, b->cycles, wave, reterr);
    if (code == EC_OK)
        printf("  gtkwave %s\n", wave);
    return code;
}

/* What is not inductive, by `keep`: a defect of the router if a trace from a reset leads there,
 * else a state that may be unreachable. */
static enum ec_code explain(const struct question *q, const bool *keep, const char *property,
                            const char *wave, unsigned cycles, struct ec_error *reterr)
{
    enum ec_code code = EC_OK;
    bool found = false;
    uint32_t *open = calloc(q->count, sizeof *open);
    if (open == NULL)
        return ec_fail(reterr, EC_MEMORY, "out of memory for outputs");
    for (int inner = 0; inner <= 1 && code == EC_OK && !found; inner++) {
        struct ec_solve_bounded b;
        size_t count = 0;
        for (size_t i = 0; i < q->count; i++) {
            const bool first = property != NULL ? name_of(&q->aig, q->outputs[i], property) != NULL
                                                : strstr(name_of(&q->aig, q->outputs[i], "broken_"),
                                                         INNER) == NULL;
            if (!keep[i] && first == (inner == 0))
                open[count++] = q->outputs[i];
        }
        code = search(q, open, count, 0, cycles + 1, &b, reterr);
        found = code == EC_OK && b.violated;
        if (found)
            code = tell(q, &b, wave, reterr);
        free(b.inputs);
    }
    if (code == EC_OK && !found) {
        printf("no violation within %u cycles after a reset, but not inductive:\n", cycles);
        for (size_t i = 0; i < q->count; i++) {
            if (!keep[i])
                printf("  %s\n", name_of(&q->aig, q->outputs[i], "broken_"));
        }
    }
    free(open);
    return code;
}

static int prove(const char *folder, const char *wave, unsigned cycles, const char *property,
                 struct ec_error *reterr)
{
    struct question q;
    bool *keep = NULL;
    uint32_t *bad = NULL;
    size_t proved = 0;
    enum ec_code code = open_question(&q, folder, "broken_", reterr);
    if (code == EC_OK && ((keep = calloc(q.count, sizeof *keep)) == NULL ||
                          (bad = calloc(q.count, sizeof *bad)) == NULL))
        code = ec_fail(reterr, EC_MEMORY, "out of memory for outputs");
    for (size_t i = 0; code == EC_OK && i < q.count; i++) {
        keep[i] = true;
        bad[i] = q.aig.output[q.outputs[i]];
    }
    const struct ec_induct induct = {.aig = &q.aig,
                                     .bad = bad,
                                     .count = q.count,
                                     .each = QUESTION_SECONDS,
                                     .seconds = INDUCTION_SECONDS};
    if (code == EC_OK)
        code = ec_induct(&induct, keep, reterr);
    for (size_t i = 0; code == EC_OK && i < q.count; i++)
        proved += keep[i];
    if (code == EC_OK && proved < q.count)
        code = explain(&q, keep, property, wave, cycles, reterr);
    const bool all = proved == q.count;
    free(keep);
    free(bad);
    close_question(&q);
    return code != EC_OK ? FAILED : all ? YES : NO;
}

static int cover(const char *folder, unsigned cycles, struct ec_error *reterr)
{
    struct question q;
    unsigned first = 0;
    enum ec_code code = open_question(&q, folder, ".reached", reterr);
    while (code == EC_OK && q.count > 0) {
        struct ec_solve_bounded b;
        code = search(&q, q.outputs, q.count, first, cycles + 1, &b, reterr);
        if (code != EC_OK || !b.violated)
            break;
        first = b.cycles;
        printf("%s: reached in cycle %u\n", name_of(&q.aig, b.output, ".reached"), b.cycles);
        size_t kept = 0;
        for (size_t i = 0; i < q.count; i++) {
            if (q.outputs[i] != b.output)
                q.outputs[kept++] = q.outputs[i];
        }
        q.count = kept;
        free(b.inputs);
    }
    for (size_t i = 0; code == EC_OK && i < q.count; i++)
        printf("%s: not reached in %u cycles\n", name_of(&q.aig, q.outputs[i], ".reached"), cycles);
    const bool all = q.count == 0;
    close_question(&q);
    return code != EC_OK ? FAILED : all ? YES : NO;
}

int main(int argc, char **argv)
{
    struct ec_error e = {.code = EC_OK};
    int status = FAILED;
    if ((argc == 5 || argc == 6) && strcmp(argv[1], "prove") == 0)
        status = prove(argv[2], argv[3], (unsigned)strtoul(argv[4], NULL, 10),
                       argc == 6 ? argv[5] : NULL, &e);
    else if (argc == 4 && strcmp(argv[1], "cover") == 0)
        status = cover(argv[2], (unsigned)strtoul(argv[3], NULL, 10), &e);
    else
        fprintf(stderr,
                "usage: induction prove FOLDER WAVE CYCLES [PROPERTY] | cover FOLDER CYCLES\n");
    if (e.code != EC_OK)
        fprintf(stderr, "%s\n", e.message);
    return status;
}
