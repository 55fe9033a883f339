/* SPDX-License-Identifier: Apache-2.0 */
/* Output that either arrives whole or is reported missing. Knows standard output and the signal
 * handlers; how a file is written is in base/output.c. */
#include "terminal/output.h"

#include <string.h>

#include "terminal/interrupt.h"

enum ec_code cli_output_open(const char *path, struct ec_output *ret, struct ec_error *reterr)
{
    if (path && strcmp(path, "-") != 0)
        return ec_output_open(ret, NULL, path, &cli_interrupt_unfinished, reterr);
    *ret = ec_output_borrow(stdout, "standard output");
    return EC_OK;
}

enum cli_status cli_output_flush(FILE *file, const char *name)
{
    struct ec_output o = ec_output_borrow(file, name);
    struct ec_error error;
    return ec_output_check(&o, &error) == EC_OK ? CLI_OK : cli_complain(NULL, &error);
}
