/* SPDX-License-Identifier: Apache-2.0 */
/* Completes a word of a command line by the table of options, for a shell. Knows the grammar
 * NAME:KEY=VALUE,...; must not know any particular word. */
#include <stdio.h>
#include <string.h>

#include "terminal/options.h"
#include "terminal/table.h"

void cli_print_word(const char *beginning, const char *word, FILE *out)
{
    if (strncmp(word, beginning, strlen(beginning)) == 0)
        fprintf(out, "%s\n", word);
}

/* The possible values of an option. */
static void print_values(const struct cli_choice *choices, unsigned complete, const char *beginning,
                         cli_own_words own_words, FILE *out)
{
    for (const struct cli_choice *c = choices; c && c->word; c++)
        cli_print_word(beginning, c->word, out);
    if (complete == CLI_FILES || complete == CLI_FOLDERS)
        fputs(complete == CLI_FILES ? "@files\n" : "@folders\n", out);
    else if (complete != CLI_NO_WORDS)
        own_words(complete, beginning, out);
}

/* The option of a word "--name" or "-n" whose value is the next word; NULL: no such option. */
static const struct cli_option *awaits_value(const struct cli_parsed *parsed, const char *word)
{
    const struct cli_option *o = NULL;
    if (strncmp(word, "--", 2) == 0)
        o = cli_find_name(parsed, word + 2, strlen(word + 2));
    else if (word[0] == '-' && word[1] && !word[2])
        o = cli_find_letter(parsed, word[1]);
    return o && !cli_is_flag(o) ? o : NULL;
}

/* The argument that follows those in argv[1] to argv[argc - 2]; NULL: no further argument. */
static const struct cli_argument *next_argument(struct cli_parsed *parsed, int argc, char **argv)
{
    const struct cli_argument *a = parsed->table->arguments;
    for (int i = 1; i <= argc - 1; i++) {
        while (a->name && !(a->scope & parsed->scope))
            a++;
        if (i == argc - 1 || !a->name)
            break;
        if (awaits_value(parsed, argv[i]))
            i++;
        else if (argv[i][0] != '-' && !a->many) {
            if (a->narrows)
                cli_read_choice("", argv[i], a->choices, &parsed->scope, NULL);
            a++;
        }
    }
    return a->name ? a : NULL;
}

void cli_print_words(const struct cli_table *table, const struct cli_command *command, int argc,
                     char **argv, cli_own_words own_words, FILE *out)
{
    struct cli_parsed parsed = {.table = table, .scope = command->scope};
    const char *word = argv[argc - 1], *value = strchr(word, '=');
    const struct cli_argument *a = next_argument(&parsed, argc, argv);
    const struct cli_option *o = awaits_value(&parsed, argv[argc - 2]);
    if (!o && value && strncmp(word, "--", 2) == 0) {
        o = cli_find_name(&parsed, word + 2, (size_t)(value - word - 2));
        word = value + 1;
    }
    if (o) {
        print_values(o->choices, o->complete, word, own_words, out);
    } else if (*word == '-') {
        char name[60];
        for (o = table->options; o->name; o++) {
            snprintf(name, sizeof name, "--%s", o->name);
            if (o->scope & parsed.scope)
                cli_print_word(word, name, out);
        }
    } else if (a) {
        print_values(a->choices, a->complete, word, own_words, out);
    }
}
