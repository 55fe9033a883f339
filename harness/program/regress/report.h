/* SPDX-License-Identifier: Apache-2.0 */
/* A regression for a person, and for a CI system. */
#ifndef CLI_REGRESS_REPORT_H
#define CLI_REGRESS_REPORT_H

#include "program/regress/file.h"

struct regress_counts {
    size_t same, fresh, time, function; /* by what changed */
    size_t done, stopped;               /* runs to their end; runs that could not be */
    size_t wrong;                       /* of those done: not everything was delivered */
    size_t died;                        /* of those done: with their process */
};

struct regress_counts regress_count(const struct regress_file *f);
/* The rows that changed, and by how much. */
void regress_text(const struct regress_file *f, FILE *out);
/* JUnit XML: a test case a run, a failure where it changed, an error where it stopped. */
void regress_junit(const struct regress_file *f, const char *baseline, FILE *out);

#endif
