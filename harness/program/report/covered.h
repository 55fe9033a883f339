/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage as text and as JSON. */
#pragma once

#include "program/coverage/coverage.h"

/* "lines 98.2 %, branches 90.0 %, user points 12 of 14": the kinds that there are. */
void cli_line_coverage(const struct ec_units *u, char *buffer, size_t size);
/* A table of all files, and what is not covered. The caller checks the stream. */
void cli_text_coverage(const struct ec_units *u, FILE *out);
/* The same as JSON; false: out of memory. */
bool cli_record_coverage(const struct ec_units *u, FILE *out);
