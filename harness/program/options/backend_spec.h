/* SPDX-License-Identifier: Apache-2.0 */
/* A side of a comparison: a backend, and perhaps a router of one's own. */
#ifndef CLI_SIDE_H
#define CLI_SIDE_H

#include "ecube/session.h"

struct cli_side {
    const char *text;         /* as given; borrowed */
    struct ec_case_spec spec; /* the comparison's, with this side's backend and router */
    char *rtl, *top;          /* of spec; owned; NULL: borrowed from the command line, or none */
};

/* Parse NAME[:rtl=FILE+FILE...,top=NAME], NAME being a backend, or "rtl": tiles of the router of
 * --rtl and --top, which `spec` has. */
enum ec_code cli_side_open(const char *text, const struct ec_case_spec *spec, struct cli_side *ret,
                           struct ec_error *reterr);
void cli_side_close(struct cli_side *s);

#endif
