/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the tables of output keys for docs/output/ and for the manual page. A tool for keys.sh,
 * not installed:
 *
 *   print_keys markdown|mdoc
 *
 * Each table begins with the marker line that the documents use. */
#include <stdio.h>
#include <string.h>

#include "base/record.h"
#include "program/report/claims.def"
#include "program/report/keys.def"
#include "result/keys.def"

#define KEYS(LIST)                  (const struct record_key[]) RECORD_KEYS(LIST)
#define WITNESS_AND_PACKETS_KEYS(X) WITNESS_KEYS(X) WITNESSED_KEYS(X)

static const struct {
    const char *name;
    const struct record_key *keys;
    bool units; /* the table has a column for them */
} tables[] = {
    {"run", KEYS(RUN_KEYS), true},
    {"audit", KEYS(AUDIT_KEYS), true},
    {"compare", KEYS(COMPARE_KEYS), true},
    {"claims", KEYS(CLAIM_KEYS), true},
    {"regress", KEYS(REGRESS_KEYS), true},
    {"means", KEYS(REGRESS_MEAN_KEYS), false},
    {"rows", KEYS(REGRESS_ROW_KEYS), true},
    {"sweep", KEYS(SWEEP_KEYS), true},
    {"curves", KEYS(SWEEP_CURVE_KEYS), true},
    {"points", KEYS(SWEEP_POINT_KEYS), true},
    {"pointclass", KEYS(SWEEP_CLASS_KEYS), false},
    {"replications", KEYS(SWEEP_RUN_KEYS), true},
    {"plan", KEYS(PLAN_KEYS), true},
    {"planbounds", KEYS(PLAN_BOUND_KEYS), false},
    {"planranges", KEYS(PLAN_RANGE_KEYS), false},
    {"planpoints", KEYS(PLAN_POINT_KEYS), false},
    {"planrows", KEYS(PLAN_ROW_KEYS), true},
    {"mutate", KEYS(MUTATE_KEYS), true},
    {"mutatejudges", KEYS(MUTATE_JUDGED_KEYS), false},
    {"mutatedropped", KEYS(MUTATE_DROPPED_KEYS), false},
    {"mutaterows", KEYS(MUTATE_ROW_KEYS), false},
    {"latency", KEYS(LATENCY_KEYS), false},
    {"measurement", KEYS(MEASUREMENT_KEYS), true},
    {"check", KEYS(CHECK_KEYS), false},
    {"failure", KEYS(FAILURE_KEYS), false},
    {"candidate", KEYS(CANDIDATE_KEYS), false},
    {"channel", KEYS(CHANNEL_KEYS), false},
    {"fairness", KEYS(FAIRNESS_KEYS), false},
    {"source", KEYS(SOURCE_KEYS), false},
    {"interval", KEYS(INTERVAL_KEYS), false},
    {"class", KEYS(CLASS_KEYS), false},
    {"packet", KEYS(PACKET_KEYS), false},
    {"witness", KEYS(WITNESS_AND_PACKETS_KEYS), false},
    {"waiting", KEYS(WAITING_KEYS), false},
    {"wave", KEYS(WAVE_KEYS), false},
    {"divergence", KEYS(DIVERGENCE_KEYS), false},
    {"deliveries", KEYS(DELIVERIES_KEYS), false},
};

static void print_markdown(const char *name, const struct record_key *keys, bool units)
{
    printf("<!-- keys: %s -->\n%s\n%s\n", name,
           units ? "| key | unit | definition |" : "| key | definition |",
           units ? "|---|---|---|" : "|---|---|");
    for (; keys->key; keys++) {
        printf("| `%s` | ", keys->key);
        if (units)
            printf("%s%s| ", keys->unit, keys->unit[0] ? " " : "");
        printf("%s |\n", keys->definition);
    }
}

/* `x` in bold; for a link only its text. */
static void print_roff(const char *text)
{
    bool bold = false;
    for (; *text; text++) {
        if (*text == '`') {
            bold = !bold;
            fputs(bold ? "\\fB" : "\\fR", stdout);
        } else if (*text == ']' && text[1] == '(') {
            text = strchr(text, ')');
        } else if (*text == '-') {
            fputs("\\-", stdout);
        } else if (*text != '[') {
            fputc(*text, stdout);
        }
    }
    fputc('\n', stdout);
}

/* Neighbours with one unit and definition share an entry. */
static void print_mdoc(const char *name, const struct record_key *keys)
{
    printf(".\\\" keys: %s\n.Bl -tag -width Ds -compact\n", name);
    while (keys->key) {
        const struct record_key *first = keys;
        printf(".It Va %s", keys++->key);
        while (keys->key && strcmp(keys->definition, first->definition) == 0 &&
               strcmp(keys->unit, first->unit) == 0)
            printf(" , %s", keys++->key);
        fputc('\n', stdout);
        if (first->unit[0])
            printf("(%s) ", first->unit);
        print_roff(first->definition);
    }
    printf(".El\n.\\\" end of keys\n");
}

int main(int argc, char **argv)
{
    if (argc != 2 || (strcmp(argv[1], "markdown") != 0 && strcmp(argv[1], "mdoc") != 0)) {
        fputs("print_keys: expected markdown or mdoc\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (strcmp(argv[1], "markdown") == 0)
            print_markdown(tables[i].name, tables[i].keys, tables[i].units);
        else
            print_mdoc(tables[i].name, tables[i].keys);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
