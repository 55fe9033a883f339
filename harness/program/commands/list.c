/* SPDX-License-Identifier: Apache-2.0 */
/* `ecube list`, and the words that a shell completes.
 *
 * Knows the words of the program and their one-line meanings; workloads and algorithms come from
 * their own tables, claims from their program. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "ecube/schedule.h"
#include "ecube/systemc.h"
#include "ecube/workload.h"
#include "program/commands/commands.h"
#include "program/options/job.h"
#include "terminal/status.h"

struct item {
    const char *name, *parameters, *text, *aliases;
    const char *applies; /* of algorithms */
    const char *source;  /* of algorithms and claims */
};

#define ITEM(word, keys, meaning)                                                                  \
    {                                                                                              \
        .name = (word), .parameters = (keys), .text = (meaning), .aliases = ""                     \
    }

static const struct item topologies[] = {
    ITEM("ring", "ring:N", "N nodes in a ring"),
    ITEM("mesh", "mesh:AxB[xC...]", "a grid, dimension 0 first; node label = x + A*y + ..."),
    ITEM("torus", "torus:AxB[xC...]", "a grid with wrap links in every dimension"),
    ITEM("cube", "cube:D", "a hypercube of 2^D nodes; neighbours differ in one address bit"),
    ITEM("fattree", "fattree:K", "a fat tree of switches with K ports, for K*K*K/4 nodes"),
    ITEM("dragonfly", "dragonfly:P,A,H",
         "A*H+1 groups of A routers with P nodes and H global links each"),
    ITEM("graph", "graph:file=NAME", "routers, nodes and links from a file"),
    {0},
};

/* The last one is a file of its own (backend_items). */
static const struct item backends[] = {
    ITEM("tiles", "", "the RTL of one router, compiled once and instantiated for every node"),
    ITEM("flat", "", "the whole network, wired in RTL: a cross-check for up to 64 nodes"),
    ITEM("systemc", "", "an independent model of the network in SystemC: a second opinion"),
    {0},
};

static const struct item routers[] = {
    ITEM("vcs", "vcs=1|2|4|8",
         "virtual channels per link (default 2 if a ring of more than 3 nodes needs a dateline, "
         "else 1)"),
    ITEM("depth", "depth=N",
         "words of an input buffer (default 4, or more where full rate needs it with stages and "
         "link)"),
    ITEM("switching", "switching=wormhole|cut-through|store-and-forward",
         "a packet moves on if the next buffer has a free word, if it has room for the whole "
         "packet, or after the whole packet has arrived (default wormhole)"),
    ITEM("order", "order=low|high|class",
         "the dimension that is routed first; class: the source draws it for each message, with "
         "virtual channels for each order, twice as many by default (O1TURN; default low)"),
    ITEM("ports", "ports=one|all", "local ports of a node: one, or one per link (default one)"),
    ITEM("dateline", "dateline=on|off",
         "two classes of virtual channels, with a change on the wrap link, prevent deadlocks in a "
         "torus (default on if there is a wrap link and vcs >= 2)"),
    ITEM("va", "va=static|dynamic",
         "a packet keeps the lane on which its node sent it, or takes the first free virtual "
         "channel of its class at every hop (default static)"),
    ITEM("stages", "stages=1|2|3",
         "cycles of a word in a router: routing, allocation and the crossbar in one cycle, the "
         "crossbar in one of its own, or all three (default 1)"),
    ITEM("link", "link=N", "cycles from a router to its neighbour, 1 to 64 (default 1)"),
    ITEM("classes", "classes=1|2",
         "message classes with virtual channels of their own (default 2 if the workload has "
         "replies that must not wait for requests, else 1)"),
    ITEM(
        "routing", "routing=dor|minimal|any|table|adaptive|valiant",
        "the links that a packet may take: that of dimension order, any that comes nearer, any, "
        "that of a table, or of those that come nearer the one with the most free credits (with "
        "vcs=2 or more, 4 on a torus); minimal and any are for your own router and leave its paths "
        "unchecked; valiant: by way of a node that the source draws for each message, with virtual "
        "channels for each half of the way, twice as many by default (default dor)"),
    ITEM("table", "table=FILE",
         "the table of routing=table: a line for each router with an entry for each node, PORT or "
         "PORT/CLASS (with dateline=on), or several with '|' between them among which your own "
         "router chooses, or '-'; links come first, then the local port (default: dimension "
         "order)"),
    ITEM("ordered", "ordered=yes|no",
         "packets of one source, destination and class arrive in order, where your own router "
         "chooses the path (default no)"),
    ITEM("ties", "ties=up|balanced",
         "the direction half way round an even ring: up, or up from even coordinates and down from "
         "odd ones, so that uniform traffic loads both directions equally (default up)"),
    ITEM("speedup", "speedup=vcs|1",
         "inputs of the crossbar for a port: one for each virtual channel, or one that they share "
         "(default vcs)"),
    {0},
};

enum { SYSTEMC = sizeof backends / sizeof *backends - 2 };

/* Those of this installation. */
static void backend_items(struct item items[SYSTEMC + 2])
{
    memcpy(items, backends, sizeof backends);
    if (!ec_systemc_found())
        items[SYSTEMC] = (struct item){0};
}

static size_t workload_items(struct item *items, size_t room)
{
    size_t n = 0;
    for (const struct ec_workload_info *i; (i = ec_workload_at(n)) && n + 1 < room;)
        items[n++] = (struct item){.name = i->name,
                                   .parameters = i->parameters,
                                   .text = i->formula,
                                   .aliases = i->aliases};
    items[n] = (struct item){0};
    return n;
}

static size_t algorithm_items(struct item *items, size_t room)
{
    size_t n = 0;
    const struct ec_algorithm_info *a;
    for (; n + 1 < room && (a = ec_algorithm_at(n)); n++)
        items[n] = (struct item){a->name, a->parameters, a->text, "", a->applies, a->source};
    items[n] = (struct item){0};
    return n;
}

static const char *const section_heads[] = {
    [CLI_LIST_TOPOLOGIES] = "TOPOLOGY, the first argument of run and audit",
    [CLI_LIST_WORKLOADS] = ("WORKLOAD, the second argument: NAME[:KEY=VALUE,...]; m=WORDS is the "
                            "length of a message, rate=R (flits/node/cycle) makes any pattern open "
                            "loop; then also burst=CYCLES,on=FRACTION (bursty sources) and "
                            "reply=WORDS,think=CYCLES,queue=N|inf,outstanding=N,classes=1|2 "
                            "(requests with replies)"),
    [CLI_LIST_ROUTERS] = "--router KEY=VALUE,...",
    [CLI_LIST_ALGORITHMS] = "--algorithm NAME[:KEY=VALUE,...]",
    [CLI_LIST_CLAIMS] = "ID, the arguments of claims",
    [CLI_LIST_BACKENDS] = "--backend NAME",
};

/* --- Text --------------------------------------------------------------------------------- */

enum { INDENT = 16, WIDTH = 80 };

/* Words filled into lines from column INDENT on. */
static void put_filled(const char *text)
{
    size_t column = INDENT;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column > INDENT && column + 1 + length > WIDTH) {
            printf("\n%*s", INDENT, "");
            column = INDENT;
        } else if (column > INDENT) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)length, text);
        column += length;
        text += length + strspn(text + length, " ");
    }
    putchar('\n');
}

static void print_section(enum cli_section section, const struct item *items)
{
    printf("%-*s", INDENT, cli_choice_word(cli_sections, section));
    put_filled(section_heads[section]);
    for (; items->name; items++) {
        if (strlen(items->name) < INDENT - 2)
            printf("  %-*s", INDENT - 2, items->name);
        else
            printf("  %s\n%*s", items->name, INDENT, "");
        if (*items->parameters) {
            put_filled(items->parameters);
            printf("%*s", INDENT, "");
        }
        put_filled(items->text);
        if (*items->aliases) {
            printf("%*salso: ", INDENT, "");
            put_filled(items->aliases);
        }
        if (items->applies) {
            printf("%*sfor: ", INDENT, "");
            put_filled(items->applies);
            printf("%*sfrom: ", INDENT, "");
            put_filled(items->source);
        }
    }
}

/* --- JSON --------------------------------------------------------------------------------- */

static json_t *section_json(const struct item *items)
{
    json_t *list = json_array();
    for (; items->name; items++) {
        json_t *o =
            json_pack("{s:s, s:s, s:s, s:s}", "name", items->name, "parameters", items->parameters,
                      "description", items->text, "aliases", items->aliases);
        if ((items->applies &&
             json_object_set_new(o, "applies", json_string(items->applies)) != 0) ||
            (items->source && json_object_set_new(o, "source", json_string(items->source)) != 0)) {
            json_decref(o);
            json_decref(list);
            return NULL;
        }
        if (json_array_append_new(list, o) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* --- Claims ------------------------------------------------------------------------------- */

/* Hundreds of claims would hide the other lists, so `ecube list` only counts them. */
static void print_claims_count(const json_t *claims, const char *why_not)
{
    printf("%-*s", INDENT, cli_choice_word(cli_sections, CLI_LIST_CLAIMS));
    put_filled(section_heads[CLI_LIST_CLAIMS]);
    if (claims) {
        printf("  %-*zustatements of the literature: `ecube list claims'\n", INDENT - 2,
               json_array_size(claims));
    } else {
        printf("  not available:\n%*s", INDENT, "");
        put_filled(why_not);
    }
}

static json_t *claims_json(const json_t *claims)
{
    const size_t count = json_array_size(claims);
    if (!claims)
        return json_null(); /* an empty list would mean that there are none */
    struct item *items = calloc(count + 1, sizeof *items);
    if (!items)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const json_t *claim = json_array_get(claims, i);
        items[i] = (struct item){.name = json_string_value(json_object_get(claim, "id")),
                                 .parameters = "",
                                 .text = json_string_value(json_object_get(claim, "statement")),
                                 .aliases = "",
                                 .source = json_string_value(json_object_get(claim, "source"))};
    }
    json_t *list = section_json(items);
    free(items);
    return list;
}

/* --- The command -------------------------------------------------------------------------- */

/* `why_not`: why `claims` is NULL. False without memory. */
static bool print_sections(const struct cli_job *job, const json_t *claims, const char *why_not)
{
    struct item workloads[64], algorithms[64], found[SYSTEMC + 2];
    const struct item *items[] = {[CLI_LIST_TOPOLOGIES] = topologies,
                                  [CLI_LIST_WORKLOADS] = workloads,
                                  [CLI_LIST_ROUTERS] = routers,
                                  [CLI_LIST_ALGORITHMS] = algorithms,
                                  [CLI_LIST_BACKENDS] = found};
    json_t *all = json_object();
    bool first = true, good = all != NULL;
    workload_items(workloads, sizeof workloads / sizeof *workloads);
    algorithm_items(algorithms, sizeof algorithms / sizeof *algorithms);
    backend_items(found);
    for (const struct cli_choice *c = cli_sections; c->word; c++) {
        if (job->section != CLI_LIST_ALL && job->section != c->value)
            continue;
        const bool of_claims = c->value == CLI_LIST_CLAIMS;
        if (job->format == CLI_TEXT) {
            fputs(first ? "" : "\n", stdout);
            if (of_claims)
                print_claims_count(claims, why_not);
            else
                print_section(c->value, items[c->value]);
        } else {
            json_t *section = of_claims ? claims_json(claims) : section_json(items[c->value]);
            good = json_object_set_new(all, c->word, section) == 0 && good;
        }
        first = false;
    }
    if (job->format != CLI_TEXT && good) {
        json_dumpf(all, stdout, JSON_INDENT(2));
        putchar('\n');
    }
    json_decref(all);
    return good;
}

/* All lists are printed even if ecube-claims is missing, which is no failure, or fails, which is.
 */
static int list(const struct cli_job *job)
{
    json_t *claims = NULL;
    struct ec_error e = {.message = ""};
    enum cli_status complaint = CLI_OK;
    const bool all = job->section == CLI_LIST_ALL;
    bool installed = true;
    enum ec_code code = EC_OK;
    if (all || job->section == CLI_LIST_CLAIMS)
        code = cli_claims_list(&claims, &installed, &e);
    if (code != EC_OK && !(all && code == EC_TOOL))
        return (int)cli_complain(NULL, &e);
    const bool good = print_sections(job, claims, e.message);
    json_decref(claims);
    if (!good) {
        ec_fail(&e, EC_MEMORY, "out of memory");
        return (int)cli_complain(NULL, &e);
    }
    if (code != EC_OK && (installed || job->format != CLI_TEXT)) /* text shows the reason itself */
        complaint = cli_complain(NULL, &e);
    const enum cli_status status = cli_output_flush(stdout, "standard output");
    return (int)(installed ? cli_status_worse(complaint, status) : status);
}

int cli_list(const struct cli_command *self, int argc, char **argv, const char *line)
{
    struct cli_job job = cli_job_default();
    char *claims[] = {(char *)"claims", (char *)"--list", NULL};
    int status;
    if (cli_begin(&cli_table, self, argc, argv, &job.parsed, &status))
        status = job.section == CLI_LIST_CLAIMS && job.format == CLI_TEXT
                     ? cli_claims(self, 2, claims, line)
                     : list(&job);
    cli_job_free(&job);
    return status;
}

/* --- Completion --------------------------------------------------------------------------- */

/* Where the last KEY=VALUE of "NAME:KEY=VALUE,KEY=..." begins. */
static size_t last_item(const char *beginning)
{
    size_t at = strlen(beginning);
    while (at > 0 && !strchr(",:", beginning[at - 1]))
        at--;
    return at;
}

/* Is the key, with its '=', already in the items before the last one? */
static bool is_used(const char *beginning, size_t last, const char *key, size_t length)
{
    for (size_t at = 0; at < last; at += strcspn(beginning + at, ",:") + 1) {
        if (strncmp(beginning + at, key, length) == 0)
            return true;
    }
    return false;
}

/* Of "order=low|high": "order=", and behind that "order=low" and "order=high"; of "depth=N" only
 * "depth=". */
static void print_parameter(const char *parameter, size_t length, const char *beginning, FILE *out)
{
    const size_t last = last_item(beginning), key = strcspn(parameter, "=") + 1;
    const char *value = parameter + key, *end = parameter + length;
    char word[400];
    if (key > length || is_used(beginning, last, parameter, key))
        return;
    if (strncmp(beginning + last, parameter, key) != 0) {
        snprintf(word, sizeof word, "%.*s%.*s", (int)last, beginning, (int)key, parameter);
        cli_print_word(beginning, word, out);
        return;
    }
    if (strncmp(parameter, "file=", key) == 0 || strncmp(parameter, "rtl=", key) == 0)
        fputs("@files\n", out);
    while (memchr(parameter, '|', length) && value < end) {
        const size_t one = strcspn(value, "|,");
        snprintf(word, sizeof word, "%.*s%.*s%.*s", (int)last, beginning, (int)key, parameter,
                 (int)one, value);
        cli_print_word(beginning, word, out);
        value += one + 1;
    }
}

/* The same for each of "q=1..p-1, labels=plain|gray". */
static void print_parameters(const char *parameters, const char *beginning, FILE *out)
{
    for (const char *p = parameters; *p; p += strspn(p, ", ")) {
        const size_t length = strcspn(p, ",");
        print_parameter(p, length, beginning, out);
        p += length;
    }
}

/* The name, or what follows it and a colon. `more` are parameters that are not in `parameters`. */
static void print_named(const char *name, const char *parameters, const char *more,
                        const char *beginning, FILE *out)
{
    const size_t length = strlen(name);
    if (strncmp(beginning, name, length) == 0 && beginning[length] == ':') {
        print_parameters(parameters, beginning, out);
        print_parameters(more, beginning, out);
    } else {
        cli_print_word(beginning, name, out);
    }
}

static void print_topology(const struct item *i, const char *beginning, FILE *out)
{
    static const char *const sizes[] = {"8", "16", "4x4", "8x8", "4x4x4",
                                        "3", "4",  "6",   "10",  NULL};
    struct ec_topology t;
    char word[40];
    snprintf(word, sizeof word, "%s:", i->name);
    if (strncmp(beginning, word, strlen(word)) != 0) {
        cli_print_word(beginning, word, out);
        return;
    }
    for (size_t k = 0; sizes[k]; k++) { /* usual ones: a cube has no 8x8, a mesh no 6 */
        const bool grid = strchr(sizes[k], 'x'), ring = strcmp(i->name, "ring") == 0;
        snprintf(word, sizeof word, "%s:%s", i->name, sizes[k]);
        if (ec_topology_parse(word, &t, NULL) == EC_OK && t.nodes <= 1024 &&
            (grid || t.kind == EC_CUBE || (ring && t.nodes >= 8)))
            cli_print_word(beginning, word, out);
    }
}

static void print_own_words(unsigned complete, const char *beginning, FILE *out)
{
    const struct ec_algorithm_info *a;
    const struct ec_workload_info *w;
    struct item found[SYSTEMC + 2];
    backend_items(found);
    for (const struct item *i = topologies; complete == CLI_TOPOLOGIES && i->name; i++)
        print_topology(i, beginning, out);
    for (size_t i = 0; complete == CLI_WORKLOADS && (w = ec_workload_at(i)); i++)
        print_named(w->name, w->parameters,
                    strcmp(w->name, "trace") == 0     ? "" /* its file has the lengths */
                    : strcmp(w->name, "uniform") == 0 ? "m=WORDS"
                                                      : "rate=R, m=WORDS",
                    beginning, out);
    for (size_t i = 0; complete == CLI_ALGORITHMS && (a = ec_algorithm_at(i)); i++)
        print_named(a->name, a->parameters, "", beginning, out);
    for (const struct item *i = routers; complete == CLI_ROUTER_KEYS && i->name; i++)
        print_parameters(i->parameters, beginning, out);
    for (const struct item *i = found; complete == CLI_SIDES && i->name; i++)
        print_named(i->name, strcmp(i->name, "tiles") == 0 ? "rtl=FILE+FILE, top=NAME" : "", "",
                    beginning, out);
    if (complete == CLI_SIDES)
        cli_print_word(beginning, "rtl", out);
}

void cli_complete(const struct cli_command *command, int argc, char **argv)
{
    cli_print_words(&cli_table, command, argc, argv, print_own_words, stdout);
}
