/* SPDX-License-Identifier: Apache-2.0 */
/* --vary: the variants of a sweep, each the words of `ecube run` without a rate. */
#pragma once

#include "program/options/job.h"
#include "program/sweep/search.h"

struct sweep_variant {
    char *label; /* "vcs=4, m=8": what --vary gave it; "": nothing */
    char *topology, *workload;
    struct cli_words options; /* "--router", "vcs=4", "--startup", "3" */
    bool default_precision;   /* no other one was requested */
    struct cli_words words;   /* of a run without a rate, */
    struct cli_job job;       /* which borrows them; after sweep_variant_parse() */
};

struct sweep_variants {
    struct sweep_variant *at; /* [count], the last --vary changes fastest */
    size_t count;
};

/* The cross product of all --vary over the options of the command line, with the precision and the
 * limit of a run; none after an error. EC_USAGE: a --vary without values, of something that cannot
 * vary, or twice of the same. */
enum ec_code sweep_variants_open(const struct cli_job *base, struct sweep_variants *ret,
                                 struct ec_error *reterr);
void sweep_variants_close(struct sweep_variants *v);

/* Fill in the job. A variant that is parsed must not move. EC_USAGE, EC_MEMORY. */
enum ec_code sweep_variant_parse(struct sweep_variant *v, struct ec_error *reterr);

/* The workload with a rate; malloc'd, NULL without memory. */
char *sweep_variant_workload(const struct sweep_variant *v, const struct sweep_rate *rate);

/* The precision of a point. To compare a mean with three zero loads, it need not be as precise as a
 * point of the curve. */
double sweep_variant_precision(const struct sweep_variant *v, enum sweep_purpose purpose);

/* What a run of a point measures, as words and as numbers; `cycles`: of a replica, or 0. */
struct sweep_goal {
    char precision_text[24], cycles_text[24];
    double precision;
    uint64_t cycles;
};
struct sweep_goal sweep_variant_goal(const struct sweep_variant *v, enum sweep_purpose purpose,
                                     uint64_t cycles);

/* The words of a line of `ecube run` at a rate: TOPOLOGY WORKLOAD [OPTION...]. False without
 * memory.
 */
bool sweep_variant_words(const struct sweep_variant *v, const struct sweep_rate *rate,
                         uint64_t seed, uint64_t cycles, struct cli_words *ret);

/* The same without rate and seed; the precision is that of a run for `purpose`. */
bool sweep_variant_base(const struct sweep_variant *v, enum sweep_purpose purpose,
                        struct cli_words *ret);
