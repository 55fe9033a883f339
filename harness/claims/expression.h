/* SPDX-License-Identifier: Apache-2.0 */
/* Integer expressions of the records: + - * / % ^ (power), comparisons, and or not, C ? A : B,
 * [QUICK|FULL], names and functions; and all(I = FIRST .. LAST: EXPRESSION) over a range, with any,
 * sum (of truths: their count), least, most and first (the first I for which it is true, or LAST +
 * 1) for all. */
#ifndef CLAIMS_EXPRESSION_H
#define CLAIMS_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "claims/experiment.h"

enum { CLAIMS_ARGUMENTS_MAX = 6 }; /* of a function */

/* The variable of a range, or the argument of a function. */
struct claims_bound {
    const char *name;
    size_t length;
    int64_t value;
    const struct claims_bound *outer;
};

/* An evaluation. The caller supplies names and functions; they return false for unknown names. */
struct claims_expression {
    const char *at; /* the rest of the text */
    bool full;      /* [QUICK|FULL] is the second */
    bool (*value)(void *context, const char *name, size_t length, int64_t *ret);
    bool (*call)(void *context, const char *name, size_t length, const int64_t *arguments,
                 size_t count, int64_t *ret);
    void *context;

    const struct claims_bound *bound; /* of the ranges around, or NULL */
    unsigned skipping;                /* depth of operands without effect, as after "0 and" */
    unsigned depth;                   /* of nested expressions */
    char error[160];                  /* "": none so far */
};

/* Evaluates the text at ->at and advances it. False: see ->error. */
bool claims_evaluate(struct claims_expression *e, int64_t *ret);
/* The same without operators of lower precedence than +: "a + b" of "a + b <= c". */
bool claims_evaluate_sum(struct claims_expression *e, int64_t *ret);
/* Calls function `name` of `forms`, "NAME(A, B) = EXPRESSION" (the last one is NULL): the arguments
 * are names of its expression, which `e` evaluates. False: there is none, or see ->error. */
bool claims_call_form(struct claims_expression *e, const char *const *forms, const char *name,
                      size_t length, const int64_t *arguments, size_t count, int64_t *ret);
/* left REL right. */
bool claims_holds(int64_t left, enum claims_relation relation, int64_t right);
/* Consumes a comparison operator, if the next one is ==, <=, <, >= or >. */
bool claims_take_relation(struct claims_expression *e, enum claims_relation *ret);
/* Consumes `word`, if it comes next. */
bool claims_take(struct claims_expression *e, const char *word);

#endif
