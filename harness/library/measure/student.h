/* SPDX-License-Identifier: Apache-2.0 */
/* Student's t for 95 % confidence intervals. */
#pragma once

#define EC_NORMAL_975 1.959963984540054

/* The 97.5 % quantile of Student's t with df >= 1 degrees of freedom. From 8 on Abramowitz and
 * Stegun, 26.7.5, with an error below 0.0002; below that a table, for df rounded down. */
static inline double ec_student_975(double df)
{
    static const double table[] = {0,       12.7062, 4.30265, 3.18245,
                                   2.77645, 2.57058, 2.44691, 2.36462};
    const double x = EC_NORMAL_975, x2 = x * x;
    const double g1 = (x2 + 1) * x / 4;
    const double g2 = ((5 * x2 + 16) * x2 + 3) * x / 96;
    const double g3 = (((3 * x2 + 19) * x2 + 17) * x2 - 15) * x / 384;
    const double g4 = ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) * x / 92160;
    if (df < 8)
        return table[df < 1 ? 1 : (int)df];
    return x + (g1 + (g2 + (g3 + g4 / df) / df) / df) / df;
}
