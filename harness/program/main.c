/* SPDX-License-Identifier: Apache-2.0 */
/* The program: finds the command that the first words name. Must not know options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "program/commands/commands.h"
#include "program/options/job.h"
#include "program/runs/ranks.h"
#include "terminal/status.h"

enum { COMMANDS_MAX = 20 };

static int print_help(void)
{
    printf("Usage: ecube COMMAND [ARGUMENT...]\n"
           "Cycle-exact simulation of interconnection networks whose routers are real RTL.\n\n");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        if (c->summary)
            printf("  %-9s%s\n", c->name, c->summary);
    }
    printf("  %-9s%s\n", "help", "explain a command: ecube help run");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        if (c->former)
            printf("  %-9sformer name of 'ecube %s', which the next version removes\n", c->former,
                   c->name);
    }
    printf("\nA first result:\n"
           "  ecube run cube:3 shift:q=5,m=64\n"
           "Topologies, workloads and other words:\n"
           "  ecube list\n"
           "\nExit status: 0 all checks passed; 1 a check failed; 2 usage or bad input; 3 no\n"
           "steady state, or too short to tell; 4 deadlock; 5 a tool is missing or a build\n"
           "failed; 6 stopped by --cycles; 130 interrupted.\n"
           "The manual page has more: man ecube\n");
    return cli_output_flush(stdout, "standard output");
}

/* The names of all commands, and "help"; NULL-terminated. */
static void list_names(const char *ret[COMMANDS_MAX])
{
    size_t n = 0;
    for (const struct cli_command *c = cli_commands; c->name && n + 2 < COMMANDS_MAX; c++) {
        if (c->summary)
            ret[n++] = c->name;
    }
    ret[n++] = "help";
    ret[n] = NULL;
}

/* The command that the first words name, and how many they are: "tile prove" rather than "tile". */
static const struct cli_command *find(int argc, char **argv, int *ret_words,
                                      struct ec_error *reterr)
{
    const struct cli_command *command = NULL;
    const char *names[COMMANDS_MAX];
    char two[60], hint[100];
    if (argc > 1) {
        snprintf(two, sizeof two, "%.20s %.20s", argv[0], argv[1]);
        command = cli_command_find(&cli_table, two);
    }
    *ret_words = command ? 2 : 1;
    if (!command)
        command = cli_command_find(&cli_table, argv[0]);
    if (command)
        return command;
    list_names(names);
    ec_nearest_hint(argv[0], strlen(argv[0]), names, hint, sizeof hint);
    ec_fail(reterr, EC_USAGE, "unknown command '%.60s'%s%s", argv[0], hint,
            *hint ? "" : "; 'ecube --help' lists all");
    return NULL;
}

/* "check" of `ecube help tile check`: help is the same for all subcommands. */
static bool is_subcommand(const struct cli_command *command, const char *word)
{
    for (const struct cli_argument *a = cli_table.arguments; a->name; a++) {
        for (const struct cli_choice *c = a->choices;
             c && c->word && a->narrows && (a->scope & command->scope); c++) {
            if (strcmp(c->word, word) == 0)
                return true;
        }
    }
    return false;
}

static int help(int argc, char **argv)
{
    struct ec_error e;
    int known;
    if (argc <= 2 || (argc == 3 && (strcmp(argv[2], "help") == 0 ||
                                    strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0)))
        return print_help();
    const struct cli_command *command = find(argc - 2, argv + 2, &known, &e);
    known += 2;
    known += command && argc > known && is_subcommand(command, argv[known]);
    if (command && argc > known)
        ec_fail(&e, EC_USAGE, "unexpected argument '%.60s': expected help COMMAND", argv[known]);
    if (!command || argc > known)
        return (int)cli_complain(NULL, &e);
    return command->run(command, 2, (char *[]){argv[2], (char *)"--help", NULL}, "");
}

/* `ecube --complete ecube WORD...`, for the shell: completions of the last word. */
static int complete(int argc, char **argv, const char *line)
{
    const char *word = argc > 0 ? argv[argc - 1] : "";
    const char *names[COMMANDS_MAX];
    int words;
    const struct cli_command *command =
        argc > 2 ? find(argc - 2, argv + 1, &words, NULL) : NULL; /* without the last word */
    if (command) {
        char own[] = "--complete";
        if (command->scope)
            cli_complete(command, argc - words, argv + words);
        else { /* it has its own table */
            argv[0] = own;
            return command->run(command, argc, argv, line);
        }
    } else if (argc == 2 || (argc == 3 && strcmp(argv[1], "help") == 0)) {
        list_names(names);
        for (size_t i = 0; names[i]; i++)
            cli_print_word(word, names[i], stdout);
        cli_print_word(argc == 2 ? word : "none", "--help", stdout);
        cli_print_word(argc == 2 ? word : "none", "--version", stdout);
    }
    return cli_output_flush(stdout, "standard output");
}

static int dispatch(int argc, char **argv, const char *line)
{
    struct ec_error e;
    const char *word = argc > 1 ? argv[1] : "";
    if (strcmp(word, "--complete") == 0)
        return complete(argc - 2, argv + 2, line);
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("ecube %s\n", EC_VERSION);
        return cli_output_flush(stdout, "standard output");
    }
    if (strcmp(word, "help") == 0)
        return help(argc, argv);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return print_help();
    if (argc < 2) {
        const char *names[COMMANDS_MAX];
        char all[120] = "";
        list_names(names);
        for (size_t i = 0; names[i + 1]; i++)
            ec_append(all, sizeof all, "%s%s", i ? ", " : "", names[i]);
        ec_fail(&e, EC_USAGE, "missing command: expected %s or help", all);
        return (int)cli_complain(NULL, &e);
    }
    if (word[0] == '-') {
        static const char *const options[] = {"--help", "--version", NULL};
        char hint[100];
        ec_fail(&e, EC_USAGE,
                "unexpected option '%.60s': expected --help, --version or a command first%s", word,
                ec_nearest_hint(word, strlen(word), options, hint, sizeof hint));
        return (int)cli_complain(NULL, &e);
    }
    int words;
    const struct cli_command *command = find(argc - 1, argv + 1, &words, &e);
    if (command && command->former && words == 1)
        fprintf(stderr, "ecube: 'ecube %s' is now 'ecube %s'\n", word, command->name);
    return command ? command->run(command, argc - words, argv + words, line)
                   : (int)cli_complain(NULL, &e);
}

/* Several ranks (of MPI) do these commands together. Rank 0 alone does the others. */
static int run_in_rank(int argc, char **argv, const char *line)
{
    const char *word = argc > 1 ? argv[1] : "";
    struct ec_error e;
    if ((strcmp(word, "sweep") == 0 || strcmp(word, "regress") == 0) &&
        cli_ranks_refuse(&e) != EC_OK)
        return (int)cli_complain(NULL, &e);
    if (strcmp(word, "run") != 0 && strcmp(word, "compare") != 0 && !cli_ranks_part())
        return CLI_OK;
    return dispatch(argc, argv, line);
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
    int status;
    if (cli_ranks_begin(line, &status))
        status = cli_ranks_end(run_in_rank(argc, argv, line));
    free(line);
    return status;
}
