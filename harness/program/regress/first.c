/* SPDX-License-Identifier: Apache-2.0 */
/* From a row that changed to the cycle in which it began. Knows the command line of a comparison,
 * which is a process of its own, as a user would call it; nothing of how one is made. */
#include "program/regress/first.h"

#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "ecube/systemc.h"
#include "terminal/words.h"

/* "ecube compare SIDE tiles|rtl WORDS...". */
static bool command_of(const struct regress_first *how, const struct regress_line *l,
                       const char *against, struct cli_words *ret)
{
    bool good = cli_words_put(ret, "ecube") && cli_words_put(ret, "compare") &&
                cli_words_put(ret, against) && cli_words_put(ret, how->rtl ? "rtl" : "tiles") &&
                cli_words_split(l->text, strlen(l->text), ret, NULL) == EC_OK;
    if (how->rtl)
        good = good && cli_words_put(ret, "--rtl") && cli_words_put(ret, how->rtl) &&
               cli_words_put(ret, "--top") && cli_words_put(ret, how->top);
    if (how->failure_dir)
        good = good && cli_words_put(ret, "--failure-dir") && cli_words_put(ret, how->failure_dir);
    if (how->no_failure_wave)
        good = good && cli_words_put(ret, "--no-failure-wave");
    return good;
}

static const struct regress_line *first_of(const struct regress_file *f, enum regress_change change)
{
    for (size_t i = 0; i < f->count; i++) {
        if (f->lines[i].is.known && f->lines[i].change == change)
            return &f->lines[i];
    }
    return NULL;
}

/* ecube's own router is the second opinion on another one; on itself, where rtl/ was edited, the
 * model is. */
static const char *default_side(const struct regress_first *how)
{
    if (how->rtl)
        return "tiles";
    return ec_systemc_found() ? "systemc" : NULL;
}

static void run(struct cli_words *words)
{
    char *text = cli_words_quote(words->at, words->count);
    struct ec_error e;
    pid_t child;
    printf("  first      %s\n", text ? text : "");
    free(text);
    if (ec_process_again(words->at, -1, &child, &e) == EC_OK)
        ec_process_reap(child);
    else
        printf("             %s\n", e.message);
}

void regress_compare_first(const struct regress_file *f, const struct regress_first *how)
{
    const struct regress_line *l = first_of(f, REGRESS_FUNCTION);
    const char *against = how->against ? how->against : default_side(how);
    struct cli_words words = {0};
    if (!l && how->against)
        l = first_of(f, REGRESS_TIME);
    if (!l || !against)
        printf("  (--against SIDE compares the first change cycle by cycle: see ecube help "
               "compare)\n");
    else if (command_of(how, l, against, &words))
        run(&words);
    cli_words_free(&words);
}
