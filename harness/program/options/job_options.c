/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `ecube run`, `ecube audit` and `ecube compare`, and their help.
 *
 * Knows which command has which option and what is said of it; nothing of values. */
#include "program/options/job_parse.h"
#include "terminal/arguments.h"

/* One line per option reads better here than what clang-format makes of it. */
/* clang-format off */
#define OPTIONS_TRAFFIC                                                                            \
    {NULL, 0, NULL, 0, "Network and traffic:", 1},                                                 \
    {"router", KEY_ROUTER, "KEY=VALUE,...", 0,                                                     \
     "vcs, depth, switching, order, ports, dateline (see `ecube list routers')", 1},               \
    {"algorithm", KEY_ALGORITHM, "NAME[:KEY=VALUE,...]", 0,                                        \
     "how the pattern is realised: direct (default), or a schedule of `ecube list algorithms'", 1},     \
    {"sync", KEY_SYNC, "step|data", 0,                                                             \
     "a transfer of a schedule starts when all of the step before it have been delivered "         \
     "(default), or when its data is there", 1},                                                   \
    {"local-cost", KEY_LOCAL_COST, "CYCLES", 0,                                                    \
     "what a node needs to move a word within its memory, before the transfer that waits for it "  \
     "(default 0)", 1},                                                                            \
    {"packet", KEY_PACKET, "WORDS", 0,                                                             \
     "longest packet (default: the message in wormhole switching, else the longest that keeps "    \
     "full rate)", 1},                                                                             \
    {"startup", KEY_STARTUP, "CYCLES", 0,                                                          \
     "cycles for which the sending port is occupied before each packet (default 0)", 1},           \
    {"seed", KEY_SEED, "N", 0, "seed of everything random (default 1)", 1}

#define OPTIONS_NETWORK                                                                            \
    OPTIONS_TRAFFIC,                                                                               \
    {"expect", KEY_EXPECT, "congestion-free", 0,                                                   \
     "exit 1 unless the traffic is congestion-free", 1}

#define OPTIONS_OUTPUT(formats, more)                                                                           \
    {NULL, 0, NULL, 0, "Input and output:", 3},                                                    \
    {"from", KEY_FROM, "FILE", 0,                                                                  \
     "do every line of FILE (TOPOLOGY WORKLOAD [OPTION...], # comments, - = standard input) in "   \
     "one process", 3},                                                                            \
    {"format", KEY_FORMAT, formats, 0, "for a person (default), or for a program", 3},     \
    {"output", 'o', "FILE", 0, "write there; FILE changes only when all is written", 3},           \
    {"quiet", 'q', NULL, 0, "the verdict line only; no progress", 3},                              \
    {"verbose", 'v', NULL, 0, more, 3},                                \
    CLI_HELP_OPTION

#define OPTIONS_WINDOW                                                                              \
    {"cycles", KEY_CYCLES, "N", 0,                                                                 \
     "open loop: the measured window (default 10000); else stop after N cycles", 1},               \
    {"warmup", KEY_WARMUP, "N", 0, "open loop: cycles before the window (default 1000)", 1},       \
    {"eject-stall", KEY_EJECT_STALL, "P", 0,                                                       \
     "probability that a node accepts nothing at a port in a cycle (default 0)", 1}

static const struct argp_option run_options[] = {
    OPTIONS_NETWORK,
    OPTIONS_WINDOW,
    {NULL, 0, NULL, 0, "The network's hardware:", 2},
    {"backend", KEY_BACKEND, "NAME", 0, 
     "what steps the routers: tiles (default); flat, one model that is wired in RTL; systemc, an "
     "independent model", 2},
    {"rtl", KEY_RTL, "FILES", 0, "your own router: its sources, comma-separated", 2},
    {"top", KEY_TOP, "NAME", 0, "your own router: its module", 2},
    OPTIONS_OUTPUT("text|json|csv", "text: every check with what was seen"),
    {"packets", KEY_PACKETS, NULL, 0, "every packet with its cycles; needs --format json", 3},
    {NULL, 0, NULL, 0, "Looking inside:", 4},
    {"wave", KEY_WAVE, "FILE.fst", 0,
     "dump what some routers do, with layouts for GTKWave and Surfer beside it", 4},
    {"wave-nodes", KEY_WAVE_NODES, "LIST", 0,
     "which routers: 5, (1,2), x1y2, 0-3, path:SRC-DST, all; comma-separated, at most 64 (default: "
     "all of up to 8, else the longest path)", 4},
    {"wave-cycles", KEY_WAVE_CYCLES, "FROM:TO", 0,
     "which cycles; either end may be left open (default: all)", 4},
    {"events", KEY_EVENTS, "FILE", 0, "log every word: offer, inject, hop, contended, starved, eject",
     4},
    {"events-format", KEY_EVENTS_FORMAT, "text|jsonl", 0,
     "columns or JSON lines (default: by the ending of FILE, .jsonl or not)", 4},
    {"events-nodes", KEY_EVENTS_NODES, "LIST", 0, "of these routers only, as --wave-nodes", 4},
    {"events-packets", KEY_EVENTS_PACKETS, "SRC-DST,...", 0, "of these packets only", 4},
    {"events-cycles", KEY_EVENTS_CYCLES, "FROM:TO", 0, "of these cycles only", 4},
    {"failure-dir", KEY_FAILURE_DIR, "FOLDER", 0,
     "where a failed run leaves its wave, ecube-failure-*.fst (default: the current folder)", 4},
    {"no-failure-wave", KEY_NO_FAILURE_WAVE, NULL, 0, "a failed run leaves no wave", 4},
    {NULL, 0, NULL, 0, "Determinism (none of these changes the digest):", 5},
    {"no-sleep", KEY_NO_SLEEP, NULL, 0, "step quiet routers too", 5},
    {"shuffle", KEY_SHUFFLE, "SEED", 0, "step the routers in an order drawn from SEED", 5},
    {"random-init", KEY_RANDOM_INIT, "SEED", 0, "start all registers at values drawn from SEED", 5},
    {0},
};

static const struct argp_option compare_options[] = {
    OPTIONS_TRAFFIC,
    OPTIONS_WINDOW,
    {NULL, 0, NULL, 0, "The comparison:", 2},
    {"rtl", KEY_RTL, "FILES", 0, "the router of a side `rtl': its sources, comma-separated", 2},
    {"top", KEY_TOP, "NAME", 0, "the router of a side `rtl': its module", 2},
    {"deliveries", KEY_DELIVERIES, NULL, 0,
     "compare what arrives, not when: for routers of different microarchitecture", 2},
    {"soak", KEY_SOAK, NULL, 0,
     "compare random configurations drawn from --seed, one process each, until --time or --cycles "
     "(then of all routers together); a failure is made smaller", 2},
    {"time", KEY_TIME, "SECONDS", 0, "of --soak", 2},
    OPTIONS_OUTPUT("text|json", "text: with --from, each comparison in full"),
    {NULL, 0, NULL, 0, "Looking inside:", 4},
    {"failure-dir", KEY_FAILURE_DIR, "FOLDER", 0,
     "where a difference leaves its waves, ecube-compare-*.fst (default: the current folder)", 4},
    {"no-failure-wave", KEY_NO_FAILURE_WAVE, NULL, 0, "a difference leaves no wave", 4},
    {0},
};
/* clang-format on */

/* A row of a regression: what has no part in its result has no place in it. */
static const struct argp_option row_options[] = {
    OPTIONS_TRAFFIC, OPTIONS_WINDOW, CLI_HELP_OPTION, {0}};

static const struct argp_option audit_options[] = {
    OPTIONS_NETWORK,
    OPTIONS_OUTPUT("text|json|csv", "text: loads as a histogram, too, of up to 64 nodes"),
    {0}};

static const char arguments_doc[] = "TOPOLOGY WORKLOAD\n--from FILE";

const struct argp cli_run_argp = {
    .options = run_options,
    .parser = cli_job_parse,
    .args_doc = arguments_doc,
    .doc = "Simulate one workload on the routers' RTL: verify the delivery of every word, count "
           "every cycle, compare with the closed form.\v"
           "Examples:\n"
           "  ecube run cube:3 shift:q=5,m=64\n"
           "  ecube run cube:6 bitrev:m=8 --router switching=cut-through,depth=9\n"
           "  ecube run cube:4 shift:q=7,labels=gray,m=8 --algorithm gray-signed\n"
           "  ecube run torus:8x8 uniform:rate=0.2,m=8 --cycles 100000\n"
           "  ecube run --from grid.txt --format csv --output grid.csv\n"
           "\n"
           "Exit status: 0 all checks held; 1 a check failed; 2 usage or bad input; 3 no "
           "steady state, or none shown; 4 deadlock; 5 a tool is missing or a build failed.",
};

const struct argp cli_row_argp = {.options = row_options, .parser = cli_job_parse};

const struct argp cli_audit_argp = {
    .options = audit_options,
    .parser = cli_job_parse,
    .args_doc = arguments_doc,
    .doc = "Prove without simulating: the load of every channel, a certificate that the traffic "
           "is congestion-free or two packets that share a channel, freedom from deadlock.\v"
           "Examples:\n"
           "  ecube audit cube:6 bitrev\n"
           "  ecube audit cube:20 shift:q=12345 --expect congestion-free\n"
           "  ecube audit torus:8x8 tornado --router vcs=1,dateline=off\n"
           "\n"
           "Exit status: 0 done; 1 --expect was not met, the routing can deadlock, or the schedule "
           "is wrong; 2 usage or bad input.",
};

const struct argp cli_compare_argp = {
    .options = compare_options,
    .parser = cli_job_parse,
    .args_doc = "A B TOPOLOGY WORKLOAD\nA B --from FILE\nA B --soak",
    .doc = "Step two sides together on one workload, with the same stimulus, and compare all link "
           "words, credits and taps of all routers in every cycle. A side is a backend (see `ecube "
           "list backends'), `rtl' (the router of --rtl and --top), or "
           "tiles:rtl=FILE+FILE...,top=NAME.\v"
           "Examples:\n"
           "  ecube compare tiles flat cube:3 shift:q=5,m=64\n"
           "  ecube compare tiles flat torus:4x4 uniform:rate=0.4,m=8 --cycles 1000\n"
           "  ecube compare tiles flat --soak --cycles 100000 --seed 7\n"
           "\n"
           "Exit status: 0 they agree; 1 they differ; 2 usage or bad input; 5 a tool is missing or "
           "a build failed.",
};
