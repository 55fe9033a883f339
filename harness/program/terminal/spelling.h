/* SPDX-License-Identifier: Apache-2.0 */
/* How the options of a command line are written, before it is parsed. */
#pragma once

#include "terminal/options.h"

/* Are all words of argv[1...] that look like options options of this scope, with a value where they
 * need one? Stops at --help and sets *ret_help. EC_USAGE names the word and the nearest option. */
enum ec_code cli_check_words(const struct cli_parsed *parsed, int argc, char **argv, bool *ret_help,
                             struct ec_error *e);

/* A key of --router that belongs to a place which this command line does not have: EC_USAGE. */
enum ec_code cli_check_keys(const struct cli_parsed *parsed, const char *keys, struct ec_error *e);

/* Two words that may be the reason for an argument too many: parts of one, or an abbreviation such
 * as `--q 5`, which is --quiet and an argument. `hint` gets "; did you mean ...?", or "". */
void cli_hint_words(const struct cli_parsed *parsed, const char *first, const char *second,
                    char *hint, size_t size);
