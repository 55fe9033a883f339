/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the options of `ecube claims`. Data only. */
#include "program/options/claims.h"

#include "base/workers.h"

#define STORE(field) CLI_STORE(struct claims_request, field)

enum { CLAIMS = 1 << 0 };
enum { GRID, ROUTER, IN_OUT };

static const struct cli_group groups[] = {
    [GRID] = {"Grids, lists and tables", NULL},
    [ROUTER] = {"Router hardware", NULL},
    [IN_OUT] = {"Input and output", NULL},
    {0},
};

static const struct cli_choice formats[] = {{"text", CLAIMS_TEXT},
                                            {"json", CLAIMS_JSON},
                                            {"csv", CLAIMS_CSV},
                                            {"markdown", CLAIMS_MARKDOWN},
                                            {0}};

/* Fields side by side read better here than one below the other. */
/* clang-format off */
static const struct cli_option options[] = {
    {.name = "quick", .scope = CLAIMS, .group = GRID, STORE(quick), .excludes = "full",
     .help = "small grids, in less than two minutes (the default)"},
    {.name = "full", .scope = CLAIMS, .group = GRID, STORE(full),
     .help = "large grids, in less than half an hour"},
    {.name = "jobs", .scope = CLAIMS, .group = GRID, .value = "N", .least = 1,
     .most = EC_WORKERS_MAX, STORE(jobs), .otherwise = "the number of processors",
     .help = "number of parallel processes"},
    {.name = "list", .scope = CLAIMS, .group = GRID, STORE(list),
     .excludes = "quick full jobs table quiet rtl top format=text format=csv format=markdown",
     .because = "a list judges nothing",
     .help = "list the claims without judging them"},
    {.name = "table", .scope = CLAIMS, .group = GRID, STORE(table),
     .excludes = "format=text format=json format=markdown", .because = "the table is CSV",
     .help = "for one claim: print the table of its experiment as CSV"},
    {.name = "rtl", .scope = CLAIMS, .group = ROUTER, .value = "FILES", .complete = CLI_FILES,
     STORE(rtl), .needs = "top",
     .help = "use your own router: its SystemVerilog sources, separated by commas"},
    {.name = "top", .scope = CLAIMS, .group = ROUTER, .value = "NAME", STORE(top),
     .needs = "rtl",
     .help = "the name of the router module in these sources"},
    {.name = "format", .scope = CLAIMS, .group = IN_OUT, .choices = formats, STORE(format),
     .otherwise = "text",
     .help = "output format; markdown is docs/study/REPRODUCTION.md"},
    {.name = "output", .letter = 'o', .scope = CLAIMS, .group = IN_OUT, .value = "FILE",
     .complete = CLI_FILES, STORE(output), .otherwise = "standard output",
     .help = "write to FILE, which changes only when all output is written"},
    {.name = "quiet", .letter = 'q', .scope = CLAIMS, .group = IN_OUT, STORE(quiet),
     .help = "print no progress, and only the claims without the expected verdict"},
    {.name = "help", .letter = 'h', .scope = CLAIMS, .group = IN_OUT, STORE(parsed.help),
     .help = "print the help of this command and exit"},
    {0},
};
/* clang-format on */
_Static_assert(sizeof options / sizeof *options <= CLI_OPTIONS_MAX, "raise CLI_OPTIONS_MAX");

static const struct cli_argument arguments[] = {
    {.name = "ID", .scope = CLAIMS, .many = true, .complete = CLI_OWN_WORDS, STORE(ids)},
    {0},
};

static const struct cli_command commands[] = {
    {.name = "claims",
     .scope = CLAIMS,
     .usage = "[ID|BEGINNING*...]",
     .about = "Judge the claims of the literature, all or those named: predict, audit and measure "
              "each on the routers' RTL, and give a verdict. A single claim is shown in full.",
     .notes = "Examples:\n"
              "  ecube claims\n"
              "  ecube claims grama.torus.bound.fwd\n"
              "  ecube claims 'gohil.*' --format csv\n"
              "  ecube claims grama.cube.gain --table\n"
              "\n"
              "Exit status: 0 all verdicts are as expected; 1 one is not; 2 usage or bad input; "
              "5 a tool is missing or a build failed."},
    {0},
};

const struct cli_table claims_table = {options, arguments, commands, groups};
