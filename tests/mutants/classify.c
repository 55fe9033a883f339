/* SPDX-License-Identifier: Apache-2.0 */
/* Compares mutants of a router with it, whether or not a judge kills them: tests ask for those that
 * are killed.
 *
 *   classify FOLDER TOPOLOGY ROUTER TOP SECONDS NUMBER...
 *
 * FOLDER is that of `ecube tile mutate TOPOLOGY --router ROUTER`, with `--top TOP` or, if that is
 * "-", of ecube's router. A line for each mutant: its number and what it is. Number 0 is the router
 * itself. Exit status: 0; 2 the question failed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/shape.h"
#include "mutate/equal.h"

enum { MOST = 500, INVARIANTS_SECONDS = 600 };

static enum ec_code classify(const struct ec_equal_request *q, double seconds,
                             struct ec_error *reterr)
{
    static const char *const names[] = {[EC_EQUAL_UNKNOWN] = "undecided",
                                        [EC_EQUAL_PROVED] = "equivalent",
                                        [EC_EQUAL_DIFFERS] = "different"};
    struct ec_equal *e = NULL;
    enum ec_code code = ec_equal_open(q, &e, reterr);
    for (size_t i = 0; i < q->count && code == EC_OK; i++) {
        struct ec_equal_result r;
        code = ec_equal_judge(e, q->numbers[i], seconds, &r, reterr);
        if (code == EC_OK)
            printf("%u %s\n", q->numbers[i], names[r.verdict]);
    }
    ec_equal_close(e);
    return code;
}

int main(int argc, char **argv)
{
    uint32_t numbers[MOST];
    struct ec_topology t;
    struct ec_router r;
    struct ec_mutants mutants = {0};
    struct ec_mutants_request request = {0};
    struct ec_equal_request q = {.mutants = &mutants,
                                 .request = &request,
                                 .topology = &t,
                                 .router = &r,
                                 .numbers = numbers,
                                 .seconds = INVARIANTS_SECONDS};
    struct ec_error e = {0};
    if (argc < 7 || argc - 6 > MOST)
        return 2;
    request.top = strcmp(argv[4], "-") == 0 ? NULL : argv[4];
    snprintf(mutants.folder, sizeof mutants.folder, "%s", argv[1]);
    for (int k = 6; k < argc; k++)
        numbers[q.count++] = (uint32_t)strtoul(argv[k], NULL, 10);
    enum ec_code code = ec_topology_parse(argv[2], &t, &e);
    if (code == EC_OK)
        code = ec_router_parse(argv[3], &t, &r, &e);
    if (code == EC_OK) /* as without a workload, which must not matter */
        code = ec_router_set_packet(&r, 0, 1, &e);
    if (code == EC_OK)
        code = ec_shape_choose(&t, &r, &request.shape, &e);
    if (code == EC_OK)
        code = classify(&q, strtod(argv[5], NULL), &e);
    if (code == EC_OK)
        return 0;
    fprintf(stderr, "%s\n", e.message);
    return 2;
}
