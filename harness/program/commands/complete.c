/* SPDX-License-Identifier: Apache-2.0 */
/* What the shell asks of the program: the words that may stand at the cursor.
 *
 * Knows the words that come from the library; all others come from the table. */
#include "ecube/schedule.h"
#include "ecube/workload.h"
#include "program/commands/commands.h"
#include "program/options/job.h"

static void print_all(const char *const *words, const char *beginning, FILE *out)
{
    for (; *words; words++)
        cli_print_word(beginning, *words, out);
}

static void print_own_words(unsigned complete, const char *beginning, FILE *out)
{
    static const char *const topologies[] = {"ring:", "mesh:", "torus:", "cube:", NULL};
    static const char *const router_keys[] = {"vcs=",
                                              "depth=",
                                              "switching=wormhole",
                                              "switching=cut-through",
                                              "order=low",
                                              "order=high",
                                              "switching=store-and-forward",
                                              "ports=one",
                                              "ports=all",
                                              "dateline=on",
                                              "dateline=off",
                                              NULL};
    const struct ec_algorithm_info *a;
    const struct ec_workload_info *w;
    switch (complete) {
    case CLI_TOPOLOGIES:
        print_all(topologies, beginning, out);
        return;
    case CLI_WORKLOADS:
        for (size_t i = 0; (w = ec_workload_at(i)); i++)
            cli_print_word(beginning, w->name, out);
        return;
    case CLI_ALGORITHMS:
        for (size_t i = 0; (a = ec_algorithm_at(i)); i++)
            cli_print_word(beginning, a->name, out);
        return;
    case CLI_ROUTER_KEYS:
        print_all(router_keys, beginning, out);
        return;
    case CLI_SIDES:
        for (const struct cli_choice *c = cli_backends; c->word; c++)
            cli_print_word(beginning, c->word, out);
        cli_print_word(beginning, "rtl", out);
        cli_print_word(beginning, "tiles:rtl=", out);
        return;
    default:
        return;
    }
}

void cli_complete(const struct cli_command *command, int argc, char **argv)
{
    cli_print_words(&cli_table, command, argc, argv, print_own_words, stdout);
}
