/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of the program: names, functions, summaries and the texts of their help.
 *
 * Data only. Options and arguments are in options/table.c. */
#include "program/commands/commands.h"
#include "program/options/job.h"

const struct cli_command cli_commands[] = {
    {.name = "run",
     .scope = CLI_RUN,
     .run = cli_run,
     .summary = "simulate a workload on the routers' RTL, verify and count",
     .usage = "TOPOLOGY WORKLOAD\n--from FILE",
     .about = "Simulate one workload on the routers' RTL: verify the delivery of every word, count "
              "every cycle, and compare the count with the closed form.",
     .notes = "Examples:\n"
              "  ecube run cube:3 shift:q=5,m=64\n"
              "  ecube run cube:6 bitrev:m=8 --router switching=cut-through,depth=9\n"
              "  ecube run cube:4 shift:q=7,labels=gray,m=8 --algorithm gray-signed\n"
              "  ecube run torus:8x8 uniform:rate=0.2,m=8 --cycles 100000\n"
              "  ecube run torus:8x8 tornado:m=64 --report tornado.html\n"
              "  ecube run cube:8 uniform:rate=0.2,m=8 --threads auto\n"
              "  ecube run --from grid.txt --format csv --output grid.csv\n"
              "\n"
              "Exit status: 0 all checks passed; 1 a check failed; 2 usage or bad input; 3 no "
              "steady state, or too short to tell; 4 deadlock; 5 a tool is missing or a build "
              "failed; 6 stopped by --cycles before everything was delivered."},
    {.name = "sweep",
     .scope = CLI_SWEEP,
     .run = cli_sweep,
     .summary = "measure latency against load up to saturation, with error bars",
     .usage = "TOPOLOGY WORKLOAD\n--from FILE,... --plot FILE",
     .about =
         "Measure the curve of latency and accepted load against the offered rate. Every point "
         "is a run that finds its own warm-up and length, with 95 % confidence intervals. "
         "Without --rates, the rates follow from the exact bound of the busiest channel, and "
         "saturation is bracketed to 1 % of it. WORKLOAD has no rate=. 'ecube report' makes a page "
         "of a sweep that --output FILE.json has written.",
     .notes =
         "Examples:\n"
         "  ecube sweep cube:3 uniform:m=4 --cycles 20000 --precision 10%\n"
         "  ecube sweep cube:3 uniform:m=4 --rates 0.1,0.3 --vary vcs=1,2 --plot vcs.svg\n"
         "  ecube sweep cube:4 uniform --rates 0.1,0.3 --vary pattern=uniform,transpose\n"
         "  ecube sweep cube:3 uniform:m=1 --rates 0.1:0.5:0.1 --seeds 5\n"
         "\n"
         "Exit status: 0 done, also beyond saturation; 1 a check of a point failed; 2 usage or "
         "bad input; 4 deadlock; 5 a tool is missing or a build failed."},
    {.name = "audit",
     .scope = CLI_AUDIT,
     .run = cli_audit,
     .summary = "prove or refute congestion and deadlock freedom, without simulating",
     .usage = "TOPOLOGY WORKLOAD\n--from FILE",
     .about = "Prove without simulating: the load of every channel, a certificate that the traffic "
              "is congestion-free or two packets that share a channel, and freedom from deadlock.",
     .notes = "Examples:\n"
              "  ecube audit cube:6 bitrev\n"
              "  ecube audit cube:20 shift:q=12345 --expect congestion-free\n"
              "  ecube audit torus:8x8 tornado --router vcs=1,dateline=off\n"
              "\n"
              "Exit status: 0 done; 1 --expect was not met, the routing can deadlock, or the "
              "schedule is wrong; 2 usage or bad input."},
    {.name = "plan",
     .scope = CLI_PLAN,
     .run = cli_plan,
     .summary = "rank the algorithms by cycles, beside a lower bound",
     .usage = "TOPOLOGY WORKLOAD\n--from FILE",
     .about =
         "Rank all algorithms that carry the workload, direct traffic among them, by cycles, "
         "beside a lower bound that no algorithm can beat. Cycles are predicted where no two "
         "messages meet; else the candidate is run on the routers' RTL, within a budget. Without "
         "ports= in --router, algorithms for one port and for all ports compete.",
     .notes = "Columns:\n"
              "  cycles     as predicted, measured or at least; / bound: their ratio to the\n"
              "             lower bound for these ports\n"
              "  steps      of the schedule\n"
              "  start-ups  packets one after the other\n"
              "  memory     the most elements in a node\n"
              "  optimal    yes (cycles = bound), in steps (no schedule of single elements\n"
              "             has fewer steps), no (another row is faster) or not known\n"
              "\n"
              "Examples:\n"
              "  ecube plan cube:6 transpose:K=64\n"
              "  ecube plan torus:8x8 shift:q=11,m=64 --startup 20\n"
              "  ecube plan cube:4 gsh:cycle=7-6-5-4,K=16,m=8 --router ports=one --run 2\n"
              "  ecube plan ring:16 shift:q=5,m=8 --format csv\n"
              "\n"
              "Exit status: 0 done; 1 with --run, a run failed or took other cycles; 2 usage or "
              "bad input; 5 a tool is missing or a build failed."},
    {.name = "compare",
     .scope = CLI_COMPARE,
     .run = cli_compare,
     .summary = "step two backends or routers together, name the first difference",
     .usage = "A B TOPOLOGY WORKLOAD\nA B --from FILE",
     .about = "Step two sides together on one workload, with the same stimulus, and compare all "
              "link words, credits and taps of all routers in every cycle. A side is a backend "
              "(see 'ecube list backends'), 'simd' or 'auto' (tiles with that engine), 'rtl' (the "
              "router of --rtl and --top), or "
              "tiles:rtl=FILE+FILE...,top=NAME, with further keys define, parameter, include and "
              "file-list.",
     .notes = "Examples:\n"
              "  ecube compare tiles flat cube:3 shift:q=5,m=64\n"
              "  ecube compare tiles flat torus:4x4 uniform:rate=0.4,m=8 --cycles 1000\n"
              "\n"
              "Exit status: 0 they agree; 1 they differ, or a side fails on its own; 2 usage or "
              "bad input; 4 with --deliveries, a side deadlocks; 5 a tool is missing or a build "
              "failed."},
    {.name = "regress",
     .scope = CLI_REGRESS,
     .run = cli_regress,
     .summary = "run a matrix and report what changed against stored results",
     .usage = "[BASELINE]",
     .about = "Run the matrix of a baseline and report what changed against its results: in "
              "function (something else is delivered, or a check fails) or in time (the same "
              "deliveries in other cycles). The default BASELINE comes with ecube. With "
              "--format json >FILE.json, 'ecube report FILE.json' makes a page of the result.",
     .notes =
         "Examples:\n"
         "  ecube regress\n"
         "  ecube regress --junit regress.xml --quiet\n"
         "  ecube regress mine.txt --update\n"
         "  ecube regress mine.txt\n"
         "\n"
         "Exit status: 0 nothing changed (or --update); 1 something changed or fails; 2 usage or "
         "bad input; 5 a tool is missing or a build failed. With --bisect: see there."},
    {.name = "draw",
     .scope = CLI_DRAW,
     .run = cli_draw,
     .summary = "draw schedules, paths and memory",
     .usage = "TOPOLOGY WORKLOAD",
     .about =
         "Draw the paths of all messages; the steps, the table or the memory of a schedule; the "
         "factors of a permutation. 'ecube run --report' shows the links of a run.",
     .notes =
         "Examples:\n"
         "  ecube draw cube:3 shift:q=5 --output paths.svg\n"
         "  ecube draw torus:4x4 shift:q=5 --algorithm forward\n"
         "\n"
         "docs/study/GALLERY.md has the commands of all figures of Grama et al., Gohil, Gergel, "
         "Johnsson and Ho.\n"
         "\n"
         "Exit status: 0 done; 2 usage or bad input; 5 a tool is missing or a build failed."},
    {.name = "tile",
     .scope = CLI_TILE,
     .run = cli_tile,
     .summary =
         "start, check, prove and mutate a router; build, list, copy and clean compiled shapes",
     .usage = "build TOPOLOGY...\ncheck TOPOLOGY...\nnew FOLDER\nlist\nclean\nexport|import "
              "FILE\nprove|mutate ...",
     .about = "Build router shapes before they are needed, check a router against the contract, "
              "list the cache or empty it, and copy its routers through a FILE to a machine "
              "without Verilator and a compiler; write an adapter for a router with another "
              "interface into FOLDER, with a router to begin with, a file list, rows for 'ecube "
              "regress' and a CI job, which all pass as they are; 'ecube tile prove --help' and "
              "'ecube tile mutate "
              "--help' explain the other two. The check drives single routers with legal traffic: "
              "thoroughly on TOPOLOGY, then briefly in everything else that the router may serve, "
              "with other numbers of VCs, local ports and deeper buffers. It takes a few seconds, "
              "and the time to compile these shapes. The cache is $ECUBE_CACHE, else "
              "$XDG_CACHE_HOME/ecube, else ~/.cache/ecube.",
     .notes = "Examples:\n"
              "  ecube tile build cube:6 torus:8x8\n"
              "  ecube tile build mesh:8x8 --router vcs=2,depth=16\n"
              "  ecube tile check cube:3\n"
              "  ecube tile check torus:4x4 --router vcs=4 --only\n"
              "  ecube tile new --style on-off --vcs 2 --name noc mine\n"
              "  ecube tile list\n"
              "  ecube tile export routers.tar\n"
              "\n"
              "Exit status: 0 done; 1 a router breaks the contract; 2 usage or bad input; 5 a tool "
              "is missing or a build failed."},
    {.name = "tile prove",
     .former = "prove",
     .scope = CLI_PROVE,
     .run = cli_verify,
     .usage = "[TOPOLOGY]",
     .about =
         "Prove properties of a single router, ecube's own or yours (--rtl), for any legal "
         "traffic: "
         "a formal proof instead of simulation. With TOPOLOGY, the proof is for every node of that "
         "network and the options of --router; else for small shapes. Each property is PROVED (in "
         "every cycle, by induction), HOLDS TO DEPTH n (no counterexample of up to n cycles after "
         "the reset), FAILED (with the shortest counterexample, as text and as a wave), or NOT "
         "CHECKED (with the reason). Yosys, ABC and CaDiCaL do the work.",
     .notes =
         "The last line begins with PROVED, PARTLY PROVED n of m, NOT PROVED, or FAILED. m does "
         "not count properties that do not apply to this router.\n"
         "\n"
         "Examples:\n"
         "  ecube tile prove\n"
         "  ecube tile prove mesh:2 --router depth=1 --depth 5 --seconds 5\n"
         "  ecube tile prove mesh:3 --router depth=2\n"
         "  ecube tile prove mesh:3 --rtl my.sv --top my --router depth=2 --seconds 120\n"
         "\n"
         "Exit status: 0 no property failed; 1 a property failed, or is not proved with "
         "--require-proof; 2 usage or bad input; 5 a tool is missing, or Yosys cannot read "
         "the router."},
    {.name = "tile mutate",
     .former = "mutate",
     .scope = CLI_MUTATE,
     .run = cli_verify,
     .usage = "TOPOLOGY",
     .about =
         "Make copies of the router with one small defect each, mutants, and find out which of "
         "them "
         "the checks of ecube kill. Survivors are listed with their source line. The mutants are "
         "made by "
         "Yosys in the netlist of the router for TOPOLOGY. The checks run in turn until one "
         "kills the mutant.",
     .notes =
         "Examples:\n"
         "  ecube tile mutate cube:3 --count 10 --judges tile\n"
         "  ecube tile mutate torus:4x4 --router vcs=2 --count 500 --seed 2\n"
         "  ecube tile mutate mesh:4x4 --rtl mine.sv --top mine --least 0.9\n"
         "\n"
         "docs/MUTATION.md shows how to debug a survivor.\n"
         "\n"
         "Exit status: 0 done; 1 the score is below --least, or the unmutated router fails; 2 "
         "usage "
         "or bad input; 5 a tool is missing, Yosys cannot read the router, or a build failed; 130 "
         "interrupted, with the score of the mutants judged so far."},
    {.name = "list",
     .scope = CLI_LIST,
     .run = cli_list,
     .summary = "list topologies, workloads, router options, algorithms, claims, backends",
     .usage = "[topologies|workloads|routers|algorithms|claims|backends]",
     .about = "List the words that the other commands accept.",
     .notes = "Examples:\n"
              "  ecube list workloads\n"
              "  ecube list --format json\n"
              "\n"
              "Exit status: 0 done; 2 usage or bad input."},
    {.name = "report",
     .scope = CLI_REPORT,
     .run = cli_report,
     .summary = "make a page for a web browser from a stored result",
     .usage = "RESULT",
     .about =
         "Make a page for a web browser from a result that --format json has written. A run is "
         "run again and recorded; the page is written only if the replay has the digest of "
         "the result. Of a comparison, side A is run again. Sweeps and regressions are shown "
         "as they are. RESULT '-' is standard input.",
     .notes = "Examples:\n"
              "  ecube run torus:8x8 tornado:m=64 --format json --output tornado.json\n"
              "  ecube report tornado.json\n"
              "  ecube report tornado.json --output page.html\n"
              "\n"
              "To record a run as it runs: ecube run ... --report FILE.html\n"
              "\n"
              "Exit status: 0 the page is written; 1 the replay differs from the result; 2 usage "
              "or bad input; 5 a tool is missing, a build failed, or this ecube was built without "
              "reports."},
    /* ecube-claims has its own table for the rest. */
    {.name = "claims",
     .run = cli_claims,
     .summary = "judge every claim of the literature: predicted, audited, measured"},
    {0},
};
