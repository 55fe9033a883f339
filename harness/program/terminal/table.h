/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup in a table of options, for parsing and completion. */
#pragma once

#include "terminal/options.h"

/* The option of this scope with that name or letter; NULL: none. */
const struct cli_option *cli_find_name(const struct cli_parsed *parsed, const char *name,
                                       size_t length);
const struct cli_option *cli_find_letter(const struct cli_parsed *parsed, int letter);

/* Does it take no value? */
bool cli_is_flag(const struct cli_option *o);
/* "CYCLES", "step|data", or "" for a flag. */
const char *cli_value_name(const struct cli_option *o, char buffer[120]);
