/* SPDX-License-Identifier: Apache-2.0 */
/* The list of claims for `ecube list`, from the program ecube-claims. */
#ifndef CLI_CLAIMS_H
#define CLI_CLAIMS_H

#include <jansson.h>

#include "program/commands/commands.h"

/* All claims, an array of objects with id, source and statement; the caller releases it. EC_TOOL if
 * the program is missing or fails. */
enum ec_code cli_claims_list(json_t **ret, struct ec_error *reterr);

#endif
