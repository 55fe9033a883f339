/* SPDX-License-Identifier: Apache-2.0 */
/* The program: finds the command that the first word names.
 *
 * Knows the commands' names; everything behind the first word is theirs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "program/commands/commands.h"
#include "program/options/words.h"
#include "terminal/output.h"
#include "terminal/status.h"

static const struct cli_command *const commands[] = {
    &cli_command_run,     &cli_command_audit, &cli_command_claims, &cli_command_compare,
    &cli_command_regress, &cli_command_draw,  &cli_command_list,   &cli_command_tile,
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int print_help(void)
{
    printf("Usage: ecube COMMAND [ARGUMENT...]\n"
           "Cycle-exact simulation of interconnection networks whose routers are real RTL.\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-9s%s\n", commands[i]->name, commands[i]->summary);
    printf("  %-9s%s\n", "help", "explain a command: ecube help run");
    printf("\nA first result:\n"
           "  ecube run cube:3 shift:q=5,m=64\n"
           "What there is to choose from:\n"
           "  ecube list\n"
           "\nExit status: 0 all checks held; 1 a check failed; 2 usage or bad input; 3 no\n"
           "steady state, or none shown; 4 deadlock; 5 a tool is missing or a build failed;\n"
           "130 interrupted.\n"
           "More in the manual page: man ecube\n");
    return cli_output_flush(stdout, "standard output");
}

static const struct cli_command *find(const char *word, struct ec_error *reterr)
{
    const char *names[COMMANDS + 2];
    char hint[100];
    for (size_t i = 0; i < COMMANDS; i++) {
        names[i] = commands[i]->name;
        if (strcmp(word, names[i]) == 0)
            return commands[i];
    }
    names[COMMANDS] = "help";
    names[COMMANDS + 1] = NULL;
    ec_nearest_hint(word, strlen(word), names, hint, sizeof hint);
    ec_fail(reterr, EC_USAGE, "unknown command '%.60s'%s%s", word, hint,
            *hint ? "" : "; `ecube --help' names all");
    return NULL;
}

static int help(int argc, char **argv)
{
    struct ec_error e;
    if (argc <= 2)
        return print_help();
    const struct cli_command *command = find(argv[2], &e);
    if (argc > 3) {
        ec_fail(&e, EC_USAGE, "help explains one command at a time; '%.60s' is one too many",
                argv[3]);
        return (int)cli_complain(NULL, &e);
    }
    if (!command)
        return (int)cli_complain(NULL, &e);
    if (!command->argp) /* a program of its own */
        return command->main(command, 2, (char *[]){argv[2], (char *)"--help", NULL}, "");
    cli_arguments_help(command);
    return cli_output_flush(stdout, "standard output");
}

static int dispatch(int argc, char **argv, const char *line)
{
    struct ec_error e;
    if (argc < 2) {
        char names[120] = "";
        for (size_t i = 0; i < COMMANDS; i++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s, ",
                     commands[i]->name);
        ec_fail(&e, EC_USAGE, "a command is missing: %shelp (see ecube --help)", names);
        return (int)cli_complain(NULL, &e);
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("ecube %s\n", EC_VERSION);
        return cli_output_flush(stdout, "standard output");
    }
    if (strcmp(word, "help") == 0)
        return help(argc, argv);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return print_help();
    if (word[0] == '-') {
        ec_fail(&e, EC_USAGE, "'%.60s' before a command: expected --help, --version or a command",
                word);
        return (int)cli_complain(NULL, &e);
    }
    const struct cli_command *command = find(word, &e);
    if (!command)
        return (int)cli_complain(NULL, &e);
    return command->main(command, argc - 1, argv + 1, line);
}

int main(int argc, char **argv)
{
    cli_program_begin();
    char *line = NULL;
    struct cli_words words = {0};
    bool good = cli_words_put(&words, "ecube");
    for (int i = 1; good && i < argc; i++)
        good = cli_words_put(&words, argv[i]);
    if (good)
        line = cli_words_quote(words.at, words.count);
    cli_words_free(&words);
    if (!line) {
        struct ec_error e;
        ec_fail(&e, EC_MEMORY, "out of memory");
        return (int)cli_complain(NULL, &e);
    }
    int status = dispatch(argc, argv, line);
    free(line);
    return status;
}
