/* SPDX-License-Identifier: Apache-2.0 */
/* How many links carry how much. */
#ifndef CLI_HISTOGRAM_H
#define CLI_HISTOGRAM_H

#include <stdio.h>

#include "program/report/field.h"
#include "program/terminal/style.h"

void cli_histogram(const struct cli_field *f, const struct cli_style *s, FILE *out);

#endif
