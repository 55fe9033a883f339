/* SPDX-License-Identifier: Apache-2.0 */
/* The command line as a table: commands, their arguments and options. Parsing, checks, --help,
 * shell completion and the options in the manual page all come from it. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "ecube/error.h"
#include "terminal/words.h"

/* A scope is a set of commands and subcommands, one bit each, that accept an option or argument.
 * The table numbers its commands from 1 << 0; these are not commands, but places that options can
 * come from: */
enum {
    CLI_ALL_LINES = 1 << 28, /* not a line, but the command line, for all lines of the list */
    CLI_LINE = 1 << 29,      /* a line of a --from list */
    CLI_ROW = 1 << 30,       /* a row of a baseline of `ecube regress` */
};

/* A word that an option or argument accepts, and the stored value. */
struct cli_choice {
    const char *word; /* NULL: the end of a list */
    unsigned value;
};

/* The type of the field that a value is stored in. */
enum cli_store {
    CLI_BOOL,
    CLI_U32, /* also enumerations */
    CLI_U64,
    CLI_DOUBLE,
    CLI_STRING,        /* borrowed from the command line */
    CLI_LIST_OF_WORDS, /* an option that may be given several times; or arguments */
};

/* .store and .offset of a field of a target. */
#define CLI_STORE(type, field)                                                                     \
    .store = _Generic(&((type *)0)->field,                                                         \
        bool *: CLI_BOOL,                                                                          \
        unsigned *: CLI_U32,                                                                       \
        uint64_t *: CLI_U64,                                                                       \
        double *: CLI_DOUBLE,                                                                      \
        const char **: CLI_STRING,                                                                 \
        struct cli_words *: CLI_LIST_OF_WORDS),                                                    \
    .offset = offsetof(type, field)

/* How the shell completes a value that is not one of a few choices. */
enum cli_complete { CLI_NO_WORDS, CLI_FILES, CLI_FOLDERS, CLI_OWN_WORDS /* or a larger number */ };

/* An option, or one of several with the same name in different commands. */
struct cli_option {
    const char *name;
    char letter; /* 0: none */
    unsigned scope;
    unsigned group;                   /* index into the groups of the table */
    const char *value;                /* "CYCLES"; NULL: a flag, or `choices` */
    const struct cli_choice *choices; /* NULL: any value of the type; with `value` (CLI_U32): words
                                         besides the numbers */
    const char *pattern;              /* of texts, as in a shell; NULL: not empty */
    double least, most;               /* of numbers; most 0: the largest of the type */
    const char *unit;                 /* of numbers, after a limit: " MHz"; or NULL */
    unsigned complete;                /* enum cli_complete */
    enum cli_store store;
    size_t offset;         /* of the value in the target */
    bool gathers;          /* may be given several times: the text (CLI_STRING) then has a line
                              "--NAME VALUE" for each, and other such options may share it */
    size_t given;          /* of a bool that is set too; 0: none */
    const char *otherwise; /* the default, for the reader; NULL: none to mention */

    /* Words "NAME", "NAME=VALUE" (options) or "NAME" in capitals (arguments), separated by blanks:
     * one of these must be given, and none of those. */
    const char *needs, *excludes;
    const char *because; /* the reason for the exclusion, for messages; NULL: obvious */

    const char *instead; /* how commands of these scopes, which lack it, do the same; or NULL */
    unsigned instead_scope;

    const char *help; /* a short phrase */
    const char *more; /* further sentences for the manual page; NULL: none */
};

/* A word of the command line that is not an option, in order. */
struct cli_argument {
    const char *name; /* "TOPOLOGY" */
    unsigned scope;
    const char *example; /* NULL: optional */
    const char *instead; /* options that replace it */
    const struct cli_choice *choices;
    bool narrows;      /* the value becomes the scope of the rest: a subcommand */
    bool many;         /* one or more; stored in a list of words */
    unsigned complete; /* enum cli_complete */
    enum cli_store store;
    size_t offset;
};

struct cli_command {
    const char *name;   /* "run"; "tile prove" for a subcommand with a row of its own */
    const char *former; /* a name of earlier versions, which still works; NULL: none */
    unsigned scope;     /* 0: a program of its own, with its own table */
    /* argv[0] is the last word of the name; `line` is the whole command line, quoted for a shell.
     * Returns the exit status. */
    int (*run)(const struct cli_command *self, int argc, char **argv, const char *line);
    const char *summary; /* one line; NULL: not in the list of commands */
    const char *usage;   /* alternatives, one a line */
    const char *about;   /* a paragraph */
    const char *notes;   /* examples and exit statuses */
};

struct cli_group {
    const char *heading;
    const char *intro; /* for the manual page; NULL: none */
};

/* Each list ends with a NULL name or heading. */
struct cli_table {
    const struct cli_option *options;
    const struct cli_argument *arguments;
    const struct cli_command *commands;
    const struct cli_group *groups;
};

enum { CLI_OPTIONS_MAX = 144 };

/* Where an option was given. */
enum cli_given {
    CLI_NOT_GIVEN,
    CLI_GIVEN_BEFORE, /* on the command line, for all lines of a list */
    CLI_GIVEN,        /* here */
};

/* Results of parsing besides values: the first member of every target. */
struct cli_parsed {
    const struct cli_table *table;
    unsigned scope;                       /* the command, or its subcommand */
    unsigned narrow;                      /* its subcommand, as soon as the words are known */
    unsigned char given[CLI_OPTIONS_MAX]; /* enum cli_given of each row */
    struct cli_words gathered;            /* the texts of options that gather; owned */
    struct cli_words repeated; /* options that a list repeats for each of its lines; owned */
    bool help;                 /* --help was given, and nothing was parsed */
};

/* Parse argv[1..] of a command into the target, which begins with *parsed. */
enum ec_code cli_parse(const struct cli_table *table, const struct cli_command *command, int argc,
                       char **argv, struct cli_parsed *parsed, struct ec_error *reterr);

/* The same for a line of a file; `place` is CLI_LINE or CLI_ROW. The target already has the values
 * of the command line. */
enum ec_code cli_parse_line(const struct cli_table *table, const struct cli_command *command,
                            unsigned place, int argc, char **argv, struct cli_parsed *parsed,
                            struct ec_error *reterr);

/* Parse, or print the help or the error. True if the command should continue; else *ret_status is
 * the exit status. */
bool cli_begin(const struct cli_table *table, const struct cli_command *command, int argc,
               char **argv, struct cli_parsed *parsed, int *ret_status);

/* Initialize a program: signals, locale, the layout of the help. */
void cli_program_begin(void);

/* EC_MEMORY: nothing is printed. */
enum ec_code cli_print_help(const struct cli_table *table, const struct cli_command *command,
                            FILE *out, struct ec_error *reterr);

/* Print the completions of argv[argc - 1], one a line, for a shell; argv[0] is the command. The
 * shell expands "@files" and "@folders"; `own_words` prints words that are not in the table. */
typedef void (*cli_own_words)(unsigned complete, const char *beginning, FILE *out);
void cli_print_words(const struct cli_table *table, const struct cli_command *command, int argc,
                     char **argv, cli_own_words own_words, FILE *out);
/* Print the word if it has this prefix. */
void cli_print_word(const char *beginning, const char *word, FILE *out);

/* The command of that name, or of that former name; NULL: none. */
const struct cli_command *cli_command_find(const struct cli_table *table, const char *name);

/* Was the option given, and where? */
enum cli_given cli_given(const struct cli_parsed *parsed, const char *option);

/* The word for a value; NULL: none. */
const char *cli_choice_word(const struct cli_choice *choices, unsigned value);

/* The value of one of the words; `what` names the culprit in the message. */
enum ec_code cli_read_choice(const char *what, const char *text, const struct cli_choice *choices,
                             unsigned *ret, struct ec_error *reterr);
