/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the tables of output keys for docs/OUTPUT.md and for the manual page. A tool of the build,
 * not installed:
 *
 *   print_keys markdown|mdoc
 *
 * Each table begins with the marker line that the documents use. */
#include <stdio.h>
#include <string.h>

#include "base/record.h"

#define ROW(key, unit, column, value, definition) {key, column, unit, definition},

static const struct record_key run[] = {
#define RUN ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key audit[] = {
#define AUDIT ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key compare[] = {
#define COMPARE ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key claims[] = {
#define CLAIM ROW
#include "program/report/claims.def"
    {0}};
static const struct record_key regress[] = {
#define REGRESS ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key regress_mean[] = {
#define REGRESS_MEAN ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key regress_row[] = {
#define REGRESS_ROW ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key sweep[] = {
#define SWEEP ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key sweep_curve[] = {
#define SWEEP_CURVE ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key sweep_point[] = {
#define SWEEP_POINT ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key sweep_class[] = {
#define SWEEP_CLASS ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key sweep_run[] = {
#define SWEEP_RUN ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key plan[] = {
#define PLAN ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key plan_bound[] = {
#define PLAN_BOUND ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key plan_range[] = {
#define PLAN_RANGE ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key plan_point[] = {
#define PLAN_POINT ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key plan_row[] = {
#define PLAN_ROW ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key mutate[] = {
#define MUTATE ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key mutate_judged[] = {
#define MUTATE_JUDGED ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key mutate_dropped[] = {
#define MUTATE_DROPPED ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key mutate_row[] = {
#define MUTATE_ROW ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key latency[] = {
#define LATENCY ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key measurement[] = {
#define MEASUREMENT ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key check[] = {
#define CHECK ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key failure[] = {
#define FAILURE ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key candidate[] = {
#define CANDIDATE ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key channel[] = {
#define CHANNEL ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key fairness[] = {
#define FAIRNESS ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key source[] = {
#define SOURCE ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key interval[] = {
#define INTERVAL ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key class_[] = {
#define CLASS ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key packet[] = {
#define PACKET ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key witness[] = {
#define WITNESS   ROW
#define WITNESSED ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key waiting[] = {
#define WAITING ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key divergence[] = {
#define DIVERGENCE ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key wave[] = {
#define WAVE ROW
#include "program/report/keys.def"
    {0}};
static const struct record_key deliveries[] = {
#define DELIVERIES ROW
#include "program/report/keys.def"
    {0}};

static const struct {
    const char *name;
    const struct record_key *keys;
    bool units; /* the table has a column for them */
} tables[] = {
    {"run", run, true},
    {"audit", audit, true},
    {"compare", compare, true},
    {"claims", claims, true},
    {"regress", regress, true},
    {"means", regress_mean, false},
    {"rows", regress_row, true},
    {"sweep", sweep, true},
    {"curves", sweep_curve, true},
    {"points", sweep_point, true},
    {"pointclass", sweep_class, false},
    {"replications", sweep_run, true},
    {"plan", plan, true},
    {"planbounds", plan_bound, false},
    {"planranges", plan_range, false},
    {"planpoints", plan_point, false},
    {"planrows", plan_row, true},
    {"mutate", mutate, true},
    {"mutatejudges", mutate_judged, false},
    {"mutatedropped", mutate_dropped, false},
    {"mutaterows", mutate_row, false},
    {"latency", latency, false},
    {"measurement", measurement, true},
    {"check", check, false},
    {"failure", failure, false},
    {"candidate", candidate, false},
    {"channel", channel, false},
    {"fairness", fairness, false},
    {"source", source, false},
    {"interval", interval, false},
    {"class", class_, false},
    {"packet", packet, false},
    {"witness", witness, false},
    {"waiting", waiting, false},
    {"wave", wave, false},
    {"divergence", divergence, false},
    {"deliveries", deliveries, false},
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
