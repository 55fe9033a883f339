/* SPDX-License-Identifier: Apache-2.0 */
/* The program `ecube-verify`, which `ecube tile prove` and `ecube tile mutate` execute under these
 * names. */
#include "program/options/job.h"
#include "terminal/status.h"
#include "verify/commands/commands.h"

int main(int argc, char **argv)
{
    const struct cli_command *command = argc > 0 ? cli_command_find(&cli_table, argv[0]) : NULL;
    struct ec_error e;
    cli_program_begin();
    if (command && command->scope == CLI_PROVE)
        return verify_prove(command, argc, argv);
    if (command && command->scope == CLI_MUTATE)
        return verify_mutate(command, argc, argv);
    ec_fail(&e, EC_USAGE, "ecube-verify is started by ecube: expected ecube tile prove|mutate");
    return (int)cli_complain(NULL, &e);
}
