/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the manual page, its source with @OPTIONS@ replaced by the options of both programs and
 * @VERSION@ by the version; or that of a command, from the table alone. A tool of the build, not
 * installed:
 *
 *   print_manual harness/program/ecube.1.in
 *   print_manual harness/program/ecube.1.in 'tile prove' */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/options.h"

/* Of the programs `ecube` and `ecube-claims`. */
extern const struct cli_table cli_table, claims_table;

/* Escape text for roff: each sentence begins a line; backslashes, quotes and leading dots are not
 * commands. */
static void put_text(const char *text)
{
    bool ended = false;
    for (const char *c = text; *c; c++) {
        const bool begins = c == text || (ended && c[-1] == ' ');
        if (*c == ' ' && ended)
            putchar('\n');
        else if (*c == '\\')
            fputs("\\e", stdout);
        else if (*c == '\'')
            fputs("\\(aq", stdout);
        else if (*c == '-' && c[1] == '-')
            fputs("\\-", stdout);
        else
            printf("%s%c", begins && *c == '.' ? "\\&" : "", *c);
        ended = (*c == ' ' && ended) || (strchr(".:", *c) && c[1] == ' ');
    }
}

/* A phrase as a sentence. */
static void put_sentence(const char *phrase)
{
    const bool letter = isalpha((unsigned char)*phrase);
    if (letter)
        putchar(toupper((unsigned char)*phrase));
    put_text(phrase + letter);
    puts(phrase[strlen(phrase) - 1] == '.' ? "" : ".");
}

/* "wave", "format=json" or "BASELINE" as the user writes it, joined by `between`. */
static void put_words(const char *prefix, const char *words, const char *between)
{
    char copy[400], *rest = copy;
    snprintf(copy, sizeof copy, "%s", words);
    fputs(prefix, stdout);
    for (const char *word, *gap = " "; (word = strsep(&rest, " ")); gap = between) {
        const size_t name = strcspn(word, "=");
        printf("%s%s%.*s%s%s", gap, isupper((unsigned char)*word) ? "" : "\\-\\-", (int)name, word,
               word[name] ? " " : "", word[name] ? word + name + 1 : "");
    }
    puts(".");
}

static void put_bounds(const struct cli_option *o)
{
    char text[100] = "";
    if (o->most > 0)
        snprintf(text, sizeof text, "From %g to %g", o->least, o->most);
    else if (o->least > 0)
        snprintf(text, sizeof text, "At least %g", o->least);
    if (*text)
        put_sentence(text);
}

#define EVERY_COMMAND (~0U) /* the scope of the page that names the commands of each option */

/* ".It Fl o , Fl Fl output Ar FILE Pq Cm run , audit" */
static void put_heading(const struct cli_table *table, const struct cli_option *o, unsigned scope)
{
    const char *gap = " Pq Cm ";
    fputs(".It ", stdout);
    if (o->letter)
        printf("Fl %c , ", o->letter);
    printf("Fl Fl %s", o->name);
    if (o->value)
        printf(" Ar %s", o->value);
    for (const struct cli_choice *c = o->choices; c && c->word; c++)
        printf("%s%s", c == o->choices && !o->value ? " Cm " : " | ", c->word);
    for (const struct cli_command *c = table->commands; c->name && scope == EVERY_COMMAND; c++) {
        if (c->scope & o->scope) {
            printf("%s%s", gap, c->name);
            gap = " , ";
        }
    }
    putchar('\n');
}

static void put_option(const struct cli_table *table, const struct cli_option *o, unsigned scope)
{
    char text[300];
    put_heading(table, o, scope);
    put_sentence(o->help);
    put_bounds(o);
    if (o->otherwise) {
        snprintf(text, sizeof text, "Default: %s", o->otherwise);
        put_sentence(text);
    }
    if (o->more)
        put_sentence(o->more);
    if (o->needs)
        put_words("Needs", o->needs, " or ");
    if (o->excludes)
        put_words("Not with", o->excludes, ", ");
}

/* The options of the commands of `scope`; nothing if there are none. */
static void put_group(const struct cli_table *table, unsigned group, unsigned scope, const char *of)
{
    bool any = false;
    for (const struct cli_option *o = table->options; o->name; o++) {
        if (o->group != group || !(o->scope & scope))
            continue;
        if (!any) {
            printf(".Ss %s%s\n", table->groups[group].heading, of);
            if (table->groups[group].intro)
                put_sentence(table->groups[group].intro);
            puts(".Bl -tag -width Ds");
            any = true;
        }
        put_option(table, o, scope);
    }
    if (any)
        puts(".El");
}

static void put_table(const struct cli_table *table, unsigned scope, const char *of)
{
    for (unsigned group = 0; table->groups[group].heading; group++)
        put_group(table, group, scope, of);
}

/* Notes of a command: indented lines as they are, others as paragraphs. */
static void put_notes(const char *notes)
{
    bool literal = false;
    for (const char *line = notes; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char text[1000];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
        if (*text && (*text == ' ') != literal) {
            puts(literal ? ".Ed" : ".Bd -literal");
            literal = !literal;
        }
        if (!*text)
            continue;
        if (!literal && line != notes)
            puts(".Pp");
        put_text(text);
        putchar('\n');
    }
    if (literal)
        puts(".Ed");
}

/* The page of a command; false if there is none of this name. */
static bool put_page(const struct cli_table *table, const char *name)
{
    const struct cli_command *c = table->commands;
    while (c->name && (strcmp(c->name, name) != 0 || !c->scope))
        c++;
    if (!c->name)
        return false;
    char page[40], usage[200], *rest = usage;
    snprintf(page, sizeof page, "ecube-%s", name);
    for (char *p = page; (p = strchr(p, ' '));)
        *p = '-';
    snprintf(usage, sizeof usage, "%s", c->usage);
    printf(".Dt %s 1\n.Os ecube %s\n.Sh NAME\n.Nm %s\n.Nd ", page, EC_VERSION, page);
    const char *summary = c->summary ? c->summary : c->about;
    printf("%.*s\n.Sh SYNOPSIS\n", (int)strcspn(summary, ":."), summary);
    for (const char *line; (line = strsep(&rest, "\n"));)
        printf(".Nm ecube\n.Cm %s\n.Op Ar option ...\n.Ar %s\n", name, line);
    puts(".Sh DESCRIPTION");
    put_text(c->about);
    puts("\n.Sh OPTIONS");
    put_table(table, c->scope, "");
    puts(".Sh NOTES");
    put_notes(c->notes);
    puts(".Sh SEE ALSO\n.Xr ecube 1 :\nworkloads, output keys, environment and exit statuses of "
         "all commands");
    return true;
}

int main(int argc, char **argv)
{
    FILE *in = argc == 2 || argc == 3 ? fopen(argv[1], "r") : NULL;
    char line[1000];
    if (!in) {
        fprintf(stderr, "print_manual: cannot read %s: %s\n", argc > 1 ? argv[1] : "the page",
                argc > 1 ? strerror(errno) : "expected its name");
        return 1;
    }
    bool known = argc == 2;
    while (fgets(line, sizeof line, in)) {
        if (argc == 3) {
            if (strncmp(line, ".Dd ", 4) == 0) {
                fputs(line, stdout);
                known = put_page(&cli_table, argv[2]) || put_page(&claims_table, argv[2]);
            }
        } else if (strcmp(line, ".Os ecube @VERSION@\n") == 0) {
            puts(".Os ecube " EC_VERSION);
        } else if (strcmp(line, "@OPTIONS@\n") == 0) {
            put_table(&cli_table, EVERY_COMMAND, "");
            put_table(&claims_table, EVERY_COMMAND, " (claims)");
        } else {
            fputs(line, stdout);
        }
    }
    fclose(in);
    return fflush(stdout) == 0 && known ? 0 : 1;
}
