/* SPDX-License-Identifier: Apache-2.0 */
/* The first change of a regression, cycle by cycle. */
#ifndef CLI_REGRESS_FIRST_H
#define CLI_REGRESS_FIRST_H

#include "program/regress/file.h"

/* Strings are borrowed. */
struct regress_first {
    const char *rtl, *top;   /* NULL: ecube's own router */
    const char *against;     /* a side of `ecube compare'; NULL: the default */
    const char *failure_dir; /* NULL: the current folder */
    bool no_failure_wave;
};

/* Run `ecube compare' on the first run that changed in function, else, if a side was named, in
 * time; or say how it could be done. */
void regress_compare_first(const struct regress_file *f, const struct regress_first *how);

#endif
