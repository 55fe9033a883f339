/* SPDX-License-Identifier: Apache-2.0 */
/* The list of mutations that Yosys chose, one command `mutate` a line. */
#ifndef EC_MUTATE_LIST_H
#define EC_MUTATE_LIST_H

#include <stdbool.h>

#include "mutate/mutants.h"

/* Can the mutation be judged? Those of clocks cannot: they make another circuit, not a defect in
 * this one. */
bool list_judges(const char *line);

/* Read the mutant of a line, which is changed. */
void list_read(char *line, uint32_t number, struct ec_mutant *ret);

#endif
