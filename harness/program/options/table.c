/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the command line: arguments and options, their values and help texts.
 *
 * Data only: it must not know how a command line is parsed or how a value is used. To add an
 * option, add a row here and a field to struct cli_job. */
#include "program/options/job.h"

#include "base/workers.h"

#define STORE(field) CLI_STORE(struct cli_job, field)
#define MARK(field)  .given = offsetof(struct cli_job, field)

/* --- Choices ------------------------------------------------------------------------------- */

const struct cli_choice cli_backends[] = {
    {"tiles", EC_BACKEND_TILES},
    {"flat", EC_BACKEND_FLAT},
    {"systemc", EC_BACKEND_SYSTEMC},
    {0},
};
static const struct cli_choice engines[] = {
    {"verilator", EC_ENGINE_VERILATOR}, {"simd", EC_ENGINE_SIMD}, {"auto", EC_ENGINE_AUTO}, {0}};
const struct cli_choice cli_syncs[] = {{"step", EC_SYNC_STEP}, {"data", EC_SYNC_DATA}, {0}};

static const struct cli_choice record_formats[] = {
    {"text", CLI_TEXT}, {"json", CLI_JSON}, {"csv", CLI_CSV}, {0}};
static const struct cli_choice object_formats[] = {{"text", CLI_TEXT}, {"json", CLI_JSON}, {0}};
static const struct cli_choice picture_formats[] = {{"svg", CLI_SVG}, {"text", CLI_TEXT}, {0}};
static const struct cli_choice events_formats[] = {
    {"text", CLI_EVENTS_TEXT}, {"jsonl", CLI_EVENTS_JSONL}, {"perfetto", CLI_EVENTS_PERFETTO}, {0}};
const struct cli_choice cli_saturations[] = {{"both", CLI_SATURATION_BOTH},
                                             {"backlog", CLI_SATURATION_BACKLOG},
                                             {"latency", CLI_SATURATION_LATENCY},
                                             {"none", CLI_SATURATION_NONE},
                                             {0}};
static const struct cli_choice replica_words[] = {{"auto", CLI_REPLICAS_AUTO}, {0}};
static const struct cli_choice thread_words[] = {{"auto", EC_THREADS_AUTO}, {0}};
const struct cli_choice cli_expectations[] = {
    {"congestion-free", CLI_EXPECT_CONGESTION_FREE},
    {"deadlock-free", CLI_EXPECT_DEADLOCK_FREE},
    {"both", CLI_EXPECT_CONGESTION_FREE | CLI_EXPECT_DEADLOCK_FREE},
    {0}};
static const struct cli_choice deadlock_free[] = {{"deadlock-free", CLI_EXPECT_DEADLOCK_FREE}, {0}};
const struct cli_choice cli_pictures[] = {
    {"steps", CLI_STEPS}, {"paths", CLI_PATHS}, {"table", CLI_EXCHANGES}, {0}};
static const struct cli_choice cli_names[] = {
    {"numbers", CLI_NAMES_NUMBERS}, {"paper", CLI_NAMES_PAPER}, {0}};
const struct cli_choice cli_sections[] = {{"topologies", CLI_LIST_TOPOLOGIES},
                                          {"workloads", CLI_LIST_WORKLOADS},
                                          {"routers", CLI_LIST_ROUTERS},
                                          {"algorithms", CLI_LIST_ALGORITHMS},
                                          {"claims", CLI_LIST_CLAIMS},
                                          {"backends", CLI_LIST_BACKENDS},
                                          {0}};
const struct cli_choice cli_flows[] = {{"valid-ready", CLI_FLOW_READY},
                                       {"credit", CLI_FLOW_CREDIT},
                                       {"on-off", CLI_FLOW_ON_OFF},
                                       {"length", CLI_FLOW_LENGTH},
                                       {0}};
static const struct cli_choice tile_subcommands[] = {
    {"build", CLI_TILE_BUILD},   {"check", CLI_TILE_CHECK},
    {"list", CLI_TILE_LIST},     {"clean", CLI_TILE_CLEAN},
    {"export", CLI_TILE_EXPORT}, {"import", CLI_TILE_IMPORT},
    {"prove", CLI_PROVE},        {"mutate", CLI_MUTATE},
    {"new", CLI_TILE_NEW},       {0}};

/* --- Options ------------------------------------------------------------------------------- */

enum {
    TRAFFIC,
    CURVE,
    PLANNING,
    PROOF,
    MUTATION,
    HARDWARE,
    COMPARISON,
    PICTURE,
    REGRESSION,
    IN_OUT,
    PARALLEL,
    INSIDE,
    DETERMINISM
};

static const struct cli_group groups[] = {
    [TRAFFIC] = {"Network and traffic", NULL},
    [CURVE] = {"Curves", NULL},
    [PLANNING] = {"Plan", NULL},
    [PROOF] = {"Proof", NULL},
    [MUTATION] = {"Mutants", NULL},
    [HARDWARE] = {"Router hardware", NULL},
    [COMPARISON] = {"Comparison", NULL},
    [PICTURE] = {"Picture", NULL},
    [REGRESSION] = {"Regression", NULL},
    [IN_OUT] = {"Input and output", NULL},
    [PARALLEL] = {"Threads",
                  "A run can be split: every part owns some nodes, and the parts meet in every "
                  "cycle. This does not change a result."},
    [INSIDE] = {"Events, waves and failures",
                "These options do not change a result. In a list of runs --wave, --events and "
                "--report belong in the lines, because every run would write the same file."},
    [DETERMINISM] = {"Determinism",
                     "These options do not change the digest of a run: they show that it depends "
                     "on nothing but the words of the run."},
    {0},
};

/* The commands that simulate or audit one workload, and those that also measure time. */
#define CASES (CLI_RUN | CLI_AUDIT | CLI_COMPARE)
#define RUNS  (CLI_RUN | CLI_COMPARE)
#define COMMANDS                                                                                   \
    (CASES | CLI_SWEEP | CLI_REGRESS | CLI_DRAW | CLI_LIST | CLI_TILE | CLI_REPORT | CLI_PLAN |    \
     CLI_PROVE | CLI_MUTATE)
#define ANYWHERE (CLI_LINE | CLI_ROW)

#define NOT_TILES      "backend=flat backend=systemc"
#define ONLY_TILES     "only the backend tiles runs other routers"
#define NO_RTL         "the SystemC model has no RTL"
#define WHERE_IN_LINES "every run would write the same file; put the option into the lines"
#define PAGE_NAME      "?*.@(html|htm)"

/* An option that says how the router of --top is compiled, as a row for the commands with one
 * router and one for those with two. */
#define ROUTER_OPTION .group = HARDWARE, STORE(spec.build), .gathers = true, .needs = "top"
#define ROUTER_ROWS(...)                                                                           \
    {.scope =                                                                                      \
         CLI_RUN | CLI_SWEEP | CLI_LINE | CLI_REGRESS | CLI_TILE_SHAPE | CLI_PROVE | CLI_MUTATE,   \
     ROUTER_OPTION,                                                                                \
     .excludes = NOT_TILES,                                                                        \
     .because = ONLY_TILES,                                                                        \
     __VA_ARGS__},                                                                                 \
    {                                                                                              \
        .scope = CLI_COMPARE | CLI_ALL_LINES, ROUTER_OPTION, __VA_ARGS__                           \
    }

/* How runs are split, as rows for commands that pass it on to their runs in different ways. */
#define THREADS_ROW(commands, ...)                                                                 \
    {                                                                                              \
        .name = "threads", .scope = commands, .group = PARALLEL, .value = "T",                     \
        .choices = thread_words, .least = 1, .most = EC_THREADS_MAX, STORE(spec.threads),          \
        .otherwise = "1",                                                                          \
        .help = "simulate a run with T threads, each with its part of the network", __VA_ARGS__    \
    }

/* One row per line group reads better than one field per line. */
/* clang-format off */
static const struct cli_option options[] = {
    {.name = "router", .scope = CASES | CLI_SWEEP | CLI_DRAW | CLI_PLAN | CLI_MUTATE | CLI_TILE_SHAPE | ANYWHERE, .group = TRAFFIC,
     .value = "KEY=VALUE,...", .complete = CLI_ROUTER_KEYS, STORE(spec.router),
     .help = "keys of the router: vcs, depth, va, stages, link, ...; see 'ecube list routers'",
     .more = "For example vcs=2,depth=8: two virtual channels per link, and 8 words in each input buffer. "
         "va chooses how virtual channels are allocated, stages the cycles of a word in a router, and "
         "link those from a router to the next one."},
    {.name = "algorithm", .scope = CASES | CLI_DRAW | ANYWHERE, .group = TRAFFIC,
     .value = "NAME[:KEY=VALUE,...]", .complete = CLI_ALGORITHMS, STORE(spec.algorithm),
     .otherwise = "direct",
     .help = "send every message directly, or by a schedule; see 'ecube list algorithms'",
     .more = "'direct' sends every message straight to its destination. Every other algorithm "
         "makes a schedule: transfers in steps, most of them between neighbours. A schedule that "
         "uses all links of a node at once selects ports=all. A schedule in which a node sends "
         "data that it does not have can be audited, but not run. 'best' selects the algorithm "
         "with the fewest predicted cycles; run, compare and regress measure candidates without a "
         "prediction, such as congested direct traffic, on ecube's own router."},
    {.name = "sync", .scope = CASES | CLI_PLAN | ANYWHERE, .group = TRAFFIC, .choices = cli_syncs,
     STORE(spec.sync), MARK(spec.has_sync), .otherwise = "step",
     .help = "start a transfer of a schedule when the step before it has been delivered, or when "
         "its data is there",
     .more = "With 'step' a transfer waits until all transfers of the step before it have been "
         "delivered. Each port of a node sends in the order of the schedule."},
    {.name = "sync", .scope = CLI_DRAW, .group = TRAFFIC, .choices = cli_syncs, STORE(spec.sync),
     MARK(spec.has_sync), .needs = "algorithm=best",
     .help = "as for 'ecube run'; for --algorithm best only"},
    {.name = "local-cost", .scope = CASES | CLI_PLAN | ANYWHERE, .group = TRAFFIC, .value = "CYCLES",
     STORE(spec.local_cost), .otherwise = "0",
     .help = "cycles a node needs to move one word within its memory, before a transfer that "
         "waits for it",
     .more = "Before a node sends in a step, it makes all moves since the step in which it last "
         "sent, one word at a time."},
    {.name = "packet", .scope = CASES | CLI_SWEEP | CLI_PLAN | ANYWHERE, .group = TRAFFIC, .value = "WORDS", .least = 1,
     STORE(spec.packet),
     .otherwise = "the message in wormhole switching, else the longest packet at full rate",
     .help = "longest packet",
     .more = "Longer messages are cut into packets."},
    {.name = "packet", .scope = CLI_DRAW, .group = TRAFFIC, .value = "WORDS", .least = 1,
     STORE(spec.packet), .needs = "algorithm=best",
     .help = "as for 'ecube run'; for --algorithm best only"},
    {.name = "startup", .scope = CASES | CLI_SWEEP | CLI_PLAN | ANYWHERE, .group = TRAFFIC, .value = "CYCLES",
     STORE(spec.startup), .otherwise = "0",
     .help = "cycles for which the sending port is busy before each packet"},
    {.name = "combine", .scope = CASES | CLI_PLAN | ANYWHERE, .group = TRAFFIC, .value = "CYCLES",
     STORE(spec.combine), .otherwise = "0",
     .help = "cycles a node needs to combine a word with its own in a reduction",
     .more = "For allreduce and reducescatter. A node combines the words that have arrived before it forwards them."},
    {.name = "startup", .scope = CLI_DRAW, .group = TRAFFIC, .value = "CYCLES", STORE(spec.startup),
     .needs = "algorithm=best",
     .help = "as for 'ecube run'; for --algorithm best only"},
    {.name = "seed", .scope = CASES | CLI_SWEEP | CLI_DRAW | CLI_PLAN | CLI_MUTATE | CLI_TILE_CHECK | ANYWHERE, .group = TRAFFIC, .value = "N",
     STORE(spec.seed), .otherwise = "1",
     .help = "seed of all random numbers"},
    {.name = "expect", .scope = CLI_RUN | CLI_AUDIT | CLI_LINE, .group = TRAFFIC,
     .choices = cli_expectations, STORE(expect),
     .help = "exit with status 1 unless the traffic is congestion-free, deadlock-free, or both",
     .more = "Congestion-free means that no two messages share a channel and, in a run, that no "
         "flit waited for another packet. Deadlock-free means that the traffic has no cycle of channels that "
         "wait for each other, which is proved from its paths (the key deadlock_possible is 'no')."},
    {.name = "expect", .scope = CLI_SWEEP | CLI_REGRESS, .group = TRAFFIC,
     .choices = deadlock_free, STORE(expect),
     .help = "exit with status 1 unless the traffic of every curve or row is proved to be deadlock-free",
     .more = "The key deadlock_possible must be 'no' everywhere."},
    {.name = "cycles", .scope = RUNS | ANYWHERE, .group = TRAFFIC, .value = "N", .least = 1,
     STORE(spec.cycles), MARK(spec.has_cycles), .otherwise = "10000 in open loop, else no limit",
     .help = "open loop: length of the measured window; otherwise stop after N cycles",
     .more = "With --precision: the most cycles that may be measured. In open loop, messages are created after the window, too, until all messages "
         "created in it have arrived. A closed workload is STOPPED if a word has not arrived in cycle N."},
    {.name = "warmup", .scope = RUNS | ANYWHERE, .group = TRAFFIC, .value = "N", STORE(spec.warmup),
     MARK(spec.has_warmup), .otherwise = "1000",
     .help = "open loop: cycles before the measured window",
     .more = "Closed workloads reject this option. On the command line of a list it applies to "
         "the open-loop lines."},
    {.name = "precision", .scope = CLI_RUN | CLI_SWEEP | CLI_LINE, .group = TRAFFIC, .value = "P",
     .least = EC_PRECISION_LEAST, .most = EC_PRECISION_MOST, STORE(spec.precision),
     .excludes = "warmup", .because = "a measurement finds its own warm-up",
     .help = "open loop: run until the mean latency is known within this part of it, such as 2%",
     .more = "The run finds its own warm-up and length. It ends when the half-width of the 95 % "
         "confidence interval of the mean latency is at most P times the mean and a steady state "
         "is shown, when the backlogs of some sources grow, or after --cycles (2000000 by "
         "default). Every figure of the measurement has its interval. In a sweep, the default is 2%, "
         "and 5% for the runs that look for three times the latency without load."},
    {.name = "clock", .scope = CLI_RUN | CLI_PLAN | CLI_LINE, .group = TRAFFIC, .value = "MHZ",
     .least = 0.001, .most = 1000000, .unit = " MHz", STORE(spec.clock),
     .help = "clock of the machine: also show times in microseconds",
     .more = "It does not change a result."},
    {.name = "link-bits", .scope = CLI_RUN | CLI_PLAN | CLI_LINE, .group = TRAFFIC, .value = "BITS",
     .least = 1, .most = 65536, STORE(spec.link_bits), .needs = "clock",
     .help = "bits of data in a word: also show bandwidths in GB/s",
     .more = "A link carries a word per cycle. 1 GB is 10^9 bytes. It does not change a result."},
    {.name = "eject-stall", .scope = RUNS | CLI_SWEEP | ANYWHERE, .group = TRAFFIC, .value = "P", .most = 0.99,
     STORE(spec.eject_stall), .otherwise = "0",
     .help = "probability that a node accepts nothing at a local port in a cycle",
     .more = "A word arrives, and latency ends, when the node takes it. The report has the achieved rate."},

    {.name = "backend", .scope = CLI_RUN | CLI_SWEEP | CLI_LINE, .group = HARDWARE, .choices = cli_backends,
     STORE(spec.backend), .otherwise = "tiles",
     .help = "what simulates the routers; see 'ecube list backends'",
     .more = "'tiles' is the RTL of one router, instantiated for every node and wired by the "
         "program. 'flat' is the whole network in RTL, for up to 64 nodes: a cross-check with the "
         "same results, slower to build and to run. 'systemc' is an independent model in SystemC, "
         "written from the router contract alone: it checks every cycle, with the same results. "
         "It needs an ecube that was built with SystemC. One process can have only one such "
         "model, so each line of a list gets its own process."},
    {.name = "engine", .scope = CLI_RUN | CLI_SWEEP | CLI_REGRESS | ANYWHERE, .group = HARDWARE, .choices = engines,
     STORE(spec.engine), .otherwise = "verilator", .excludes = "backend=flat backend=systemc",
     .because = "it is for the backend tiles",
     .help = "what makes the code of the routers; results are the same",
     .more = "'simd' steps up to 16 routers in one instruction, which is faster where many routers are "
         "busy, and slower where few are (docs/RESULTS.md). It needs Yosys. Assertions and messages of "
         "your own router are not checked. 'auto' takes it by a fixed rule of network and workload "
         "(docs/adr/0025-routers-in-vectors.md), and Verilator where it cannot; --verbose of a run shows "
         "why. Waves and stories of failures are made with Verilator."},
    {.name = "rtl", .scope = CLI_RUN | CLI_SWEEP | CLI_LINE | CLI_REGRESS | CLI_TILE_SHAPE | CLI_PROVE | CLI_MUTATE, .group = HARDWARE,
     .value = "FILES", .complete = CLI_FILES, STORE(spec.rtl), .needs = "top",
     .excludes = NOT_TILES, .because = ONLY_TILES,
     .help = "use your own router: its SystemVerilog sources, separated by commas"},
    {.name = "rtl", .scope = CLI_COMPARE | CLI_ALL_LINES, .group = HARDWARE, .value = "FILES",
     .complete = CLI_FILES, STORE(spec.rtl), .needs = "top",
     .help = "the router of the side 'rtl': its SystemVerilog sources, separated by commas"},
    {.name = "top", .scope = CLI_RUN | CLI_SWEEP | CLI_LINE | CLI_REGRESS | CLI_TILE_SHAPE | CLI_PROVE | CLI_MUTATE, .group = HARDWARE,
     .value = "NAME", STORE(spec.top), .needs = "rtl file-list file-list-here",
     .help = "the module in these sources that is the router"},
    {.name = "top", .scope = CLI_COMPARE | CLI_ALL_LINES, .group = HARDWARE, .value = "NAME",
     STORE(spec.top), .needs = "rtl file-list file-list-here",
     .help = "the module in these sources that is the router"},
    ROUTER_ROWS(.name = "file-list", .letter = 'f', .value = "FILE", .complete = CLI_FILES,
     .help = "more sources of your router, from a file list as simulators read it",
     .more = "Can be repeated. A list has names of files, +incdir+FOLDER, +define+NAME=VALUE, -f and -F "
         "with another list, and -y, -v, -I, -D, -G and +libext+ as in Verilator; comments begin with "
         "// or #, $NAME is a variable of the environment. Names are relative to the current folder. "
         "These files are compiled before those of --rtl."),
    ROUTER_ROWS(.name = "file-list-here", .letter = 'F', .value = "FILE", .complete = CLI_FILES,
     .help = "the same, with names relative to the folder of the list"),
    ROUTER_ROWS(.name = "include", .value = "FOLDER", .complete = CLI_FOLDERS,
     .help = "look for included files of your router here, too; can be repeated",
     .more = "The folders of all sources are searched anyway, after these."),
    ROUTER_ROWS(.name = "define", .value = "NAME[=VALUE]",
     .help = "a macro of your router's sources; can be repeated"),
    ROUTER_ROWS(.name = "parameter", .value = "NAME=VALUE",
     .help = "a parameter of your router besides those of the contract; can be repeated",
     .more = "In VALUE, %x0, %x1, ... stand for the coordinates of a router, %coord for its packed "
         "address, %node for its number, and %r0, %r1, ... for the radices. With coordinates every "
         "place is compiled on its own, 64 at most."),

    {.name = "rates", .scope = CLI_SWEEP, .group = CURVE, .value = "LIST|FROM:TO:STEP",
     STORE(rates), .otherwise = "found, from 5 to 110 % of the bound by the busiest channel",
     .help = "offered rates, in flits/node/cycle: 0.1,0.2,0.25 or 0.05:0.4:0.05"},
    {.name = "vary", .scope = CLI_SWEEP, .group = CURVE, .value = "KEY=A,B,...", STORE(vary),
     .help = "a curve for each value; several --vary give all combinations, KEY+KEY=A+B,C+D pairs",
     .more = "KEY is a key of the router (vcs, depth, va, stages, link, ...), a key of the "
         "workload (m, share, classes, ...), an option that 'ecube run' also has (packet, startup, "
         "eject-stall, ...), 'topology', 'workload', 'pattern' (another name before the keys of "
         "WORKLOAD), or 'rtl': FILE+FILE...:top=MODULE, with a label NAME=FILE+..., or 'ecube' for "
         "the router that comes with it. Keys joined by + vary together: "
         "--vary topology+m=mesh:8x8+4,torus:8x8+8. If the values contain commas, separate them by semicolons: "
         "--vary 'workload=uniform:m=8;hotspot:node=3,share=0.1'."},
    {.name = "seeds", .scope = CLI_SWEEP, .group = CURVE, .value = "N", .least = 1,
     .most = CLI_SEEDS_MAX, STORE(seeds), .otherwise = "1",
     .help = "independent runs of every point, with the seeds SEED, SEED + 1, ...",
     .more = "The mean of a row is then the mean of the means of its runs, and its interval comes "
         "from their spread."},
    {.name = "replicas", .scope = CLI_SWEEP, .group = CURVE, .value = "R", .choices = replica_words,
     .least = CLI_REPLICAS_LEAST, .most = CLI_SEEDS_MAX, STORE(replicas), .excludes = "seeds",
     .because = "replicas have seeds of their own",
     .help = "measure every point by R runs together, with the seeds SEED, SEED + 1, ...",
     .more = "The runs of a point are equally long, at most LIMIT / R cycles, and are made longer until "
         "their common interval is as precise as requested. So R processors finish a point next to "
         "saturation several times as soon. "
         "'auto' means 8. The result does not depend on --jobs."},
    {.name = "saturation", .scope = CLI_SWEEP, .group = CURVE, .choices = cli_saturations,
     STORE(saturation), .otherwise = "both; with --rates none",
     .help = "which saturation to bracket to 1 % of the bound",
     .more = "'backlog': the backlog of a source grows. 'latency': the mean latency is above 3 "
         "times that at zero load."},
    {.name = "cycles", .scope = CLI_SWEEP | CLI_ALL_LINES, .group = CURVE, .value = "LIMIT",
     .least = 1, STORE(spec.cycles), MARK(spec.has_cycles), .otherwise = SWEEP_CYCLES,
     .help = "a run ends after this time even if its latency is less precise than requested"},
    {.name = "plot", .scope = CLI_SWEEP, .group = CURVE, .value = "FILE", .complete = CLI_FILES,
     STORE(plot),
     .help = "draw the curves: FILE ends in .svg, .pdf or .png",
     .more = "The plot is as wide as a column of a paper. Top panel: mean latency, with 95 % intervals. "
         "Bottom panel: accepted load. Both show theory, computed without simulation: the "
         "latency without contention, and the bound of the busiest channel. This needs gnuplot, which "
         "runs share/ecube/harness/program/sweep/plot.gp."},
    {.name = "follow", .scope = CLI_SWEEP, .group = CURVE, .value = "FILE", .complete = CLI_FILES,
     STORE(follow),
     .help = "also write every point to FILE as soon as it is measured: a line of JSON",
     .more = "For programs that show a running sweep. A line contains the keys of a point and "
         "the `variant` of its curve, in the order of measurement. FILE may "
         "be a pipe."},
    {.name = "title", .scope = CLI_SWEEP, .group = CURVE, .value = "TEXT", STORE(title),
     .needs = "plot",
     .help = "a line above the plot"},
    {.name = "from", .scope = CLI_SWEEP, .group = CURVE, .value = "FILE,...", STORE(stored),
     .complete = CLI_FILES, .needs = "plot format=csv output",
     .excludes = "TOPOLOGY rates vary seeds replicas saturation cycles format=json host-figures follow slice",
     .because = "nothing is measured",
     .help = "plot the curves of earlier sweeps (JSON or CSV) in one plot",
     .more = "Can be repeated. With several files, the key begins each label with the name of its "
         "file. --format csv converts one FILE."},
    {.name = "host-figures", .scope = CLI_SWEEP, .group = IN_OUT, STORE(host_figures),
     .needs = "format=json format=csv",
     .help = "add the seconds and the memory of every point, which differ from host to host"},

    {.name = "deliveries", .scope = CLI_COMPARE | CLI_LINE, .group = COMPARISON, STORE(deliveries),
     .excludes = "failure-dir", .because = "a comparison of deliveries writes no waves",
     .help = "compare what arrives, not when: for routers of different microarchitecture",
     .more = "Every source must have delivered the same packets to every destination in the same "
         "order. In open loop one side may have sent more when its sources stopped; the report "
         "shows how many."},

    {.name = "budget", .scope = CLI_PLAN, .group = PLANNING, .value = "CYCLES", STORE(spec.budget),
     MARK(spec.has_budget),
     .otherwise = "2^21 / nodes, or the cycles of the fastest candidate if that is more",
     .help = "run a candidate without a prediction for at most CYCLES; 0: run none",
     .more = "A candidate that takes longer is listed with a lower bound."},
    {.name = "no-crossings", .scope = CLI_PLAN, .group = PLANNING, STORE(no_crossings),
     .help = "only rank: do not look for the sizes and start-ups where another algorithm is fastest"},
    {.name = "run", .scope = CLI_PLAN, .group = PLANNING, .value = "N", STORE(verified),
     .otherwise = "0",
     .help = "verify the first N rows: run them, check everything, compare the cycles"},

    {.name = "router", .scope = CLI_PROVE, .group = TRAFFIC, .value = "KEY=VALUE,...",
     .complete = CLI_ROUTER_KEYS, STORE(spec.router), .needs = "TOPOLOGY",
     .help = "keys of the router: vcs, depth, va, stages, ...; see 'ecube list routers'"},
    {.name = "packet", .scope = CLI_PROVE, .group = TRAFFIC, .value = "WORDS", .least = 1,
     STORE(spec.packet), .needs = "TOPOLOGY", .otherwise = "every one that fits the buffer",
     .help = "longest packet, in cut-through and store-and-forward"},
    {.name = "packet", .scope = CLI_TILE_CHECK, .group = TRAFFIC, .value = "WORDS", .least = 1,
     STORE(spec.packet), .otherwise = "several that fit the buffer",
     .help = "longest packet of the named mode, in cut-through and store-and-forward"},
    {.name = "depth", .scope = CLI_PROVE, .group = PROOF, .value = "CYCLES", .least = 1,
     .most = 1000, STORE(depth), .otherwise = PROVE_TEXT(PROVE_DEPTH),
     .help = "search for counterexamples of up to this many cycles after the reset"},
    {.name = "seconds", .scope = CLI_PROVE, .group = PROOF, .value = "N", .least = 1,
     .most = 86400, STORE(proof_seconds), .otherwise = PROVE_TEXT(PROVE_SECONDS),
     .help = "processor time for each search of a shape: induction (ecube's router), bounded, proof, "
             "longer bounded; for covers half of it",
     .more = "A property that is undecided after this time is reported with the depth that was "
         "reached, never as proved."},
    {.name = "require-proof", .scope = CLI_PROVE, .group = PROOF, STORE(require_proof),
     .help = "exit with status 1 unless every property that is asked of the router is proved"},

    {.name = "count", .scope = CLI_MUTATE, .group = MUTATION, .value = "N", .least = 1,
     .most = MUTATE_MAX, STORE(count), .otherwise = "200",
     .help = "number of mutants; fewer if the router has fewer places for them"},
    {.name = "judges", .scope = CLI_MUTATE, .group = MUTATION, .value = "LIST", STORE(judges),
     .otherwise = "tile,rows,lockstep",
     .help = "use only these checks",
     .more = "tile: 'ecube tile check', in everything that the compiled router serves. rows: runs "
         "whose verdicts and digests must equal the results of the unmutated router: the rows of 'ecube "
         "regress' that use this compiled router, and a dozen on TOPOLOGY. lockstep: the same runs beside "
         "the unmutated router, comparing all signals in every cycle."},
    {.name = "mutants", .scope = CLI_MUTATE, .group = MUTATION, .value = "LIST", STORE(mutants),
     .otherwise = "all",
     .help = "judge only these of the mutants that --count makes: 4,17-20",
     .more = "For example the survivors, after the checks were improved. The mutants are not compiled again."},
    {.name = "least", .scope = CLI_MUTATE, .group = MUTATION, .value = "SHARE", .most = 1, STORE(least),
     .otherwise = "0",
     .help = "exit with status 1 if a smaller share of the mutants is killed",
     .more = "A mutant that could not be judged counts as not killed."},
    {.name = "folder", .scope = CLI_MUTATE, .group = MUTATION, .value = "FOLDER",
     .complete = CLI_FOLDERS, STORE(folder), .otherwise = "ecube-mutants",
     .help = "folder for the mutants; files of an earlier score are replaced"},
    {.name = "jobs", .scope = CLI_MUTATE, .group = MUTATION, .value = "N", .least = 1,
     .most = EC_WORKERS_MAX, STORE(jobs),
     .otherwise = "as many as there are processors, and memory for them",
     .help = "judge N mutants at a time, each in its own process",
     .more = "The result does not depend on N, except for times."},

    {.name = "what", .scope = CLI_DRAW, .group = PICTURE, .choices = cli_pictures, STORE(picture),
     .otherwise = "table or steps with --algorithm, else paths",
     .help = "what to draw",
     .more = "'steps' shows the steps of a schedule with the packets that every node holds after "
         "each. 'paths' shows the paths of all messages. "
         "'table' shows the exchanges of a schedule, one line for each row of memory. A "
         "report shows what happens in a run ('ecube run --report')."},
    {.name = "columns", .scope = CLI_DRAW, .group = PICTURE, .value = "N", .least = 1, .most = 100,
     STORE(columns), .otherwise = "as many as a screen shows",
     .help = "panels side by side"},
    {.name = "names", .scope = CLI_DRAW, .group = PICTURE, .choices = cli_names, STORE(names),
     .otherwise = "numbers",
     .help = "names of dimensions",
     .more = "'paper' shows the symbols of Johnsson and Ho, for --what table: i for alpha_i, i' in "
         "the second block, v for an extra storage dimension."},
    {.name = "compact", .scope = CLI_DRAW, .group = PICTURE, STORE(compact),
     .help = "less space between nodes, for a page of paper"},
    {.name = "width", .scope = CLI_DRAW, .group = PICTURE, .value = "MM", .least = 10, .most = 2000,
     STORE(width), .otherwise = "as on a screen",
     .help = "width of the picture in print, millimetres"},

    {.name = "update", .scope = CLI_REGRESS, .group = REGRESSION, STORE(update),
     .needs = "BASELINE", .excludes = "against bisect failure-dir no-failure-wave",
     .because = "an update compares nothing",
     .help = "store the results in BASELINE instead of judging them",
     .more = "A file that does not exist begins with the matrix that comes with ecube."},
    {.name = "accept-failures", .scope = CLI_REGRESS, .group = REGRESSION, STORE(accept_failures),
     .help = "treat rows that fail, deadlock or are stopped like other results",
     .more = "--update stores them; otherwise it keeps the former result. Without --update, unchanged failures do not change the exit status."},
    {.name = "against", .scope = CLI_REGRESS, .group = REGRESSION, .value = "SIDE",
     .complete = CLI_SIDES, STORE(against), .excludes = "quiet format=json format=csv",
     .otherwise = "if the function changed: systemc, but with --rtl none",
     .help = "compare the first changed run with SIDE cycle by cycle",
     .more = "SIDE is a side of 'ecube compare'."},
    {.name = "junit", .scope = CLI_REGRESS, .group = REGRESSION, .value = "FILE",
     .complete = CLI_FILES, STORE(junit),
     .help = "also write JUnit XML, for a CI system",
     .more = "Each run is a test case, a change is a failure, and a run that could not be "
         "finished is an error."},

    {.name = "bisect", .scope = CLI_REGRESS, .group = REGRESSION, STORE(bisect),
     .help = "exit with the statuses that 'git bisect run' expects",
     .more = "0: nothing changed; 1: something changed; 125 (skip): a row could not be run, or has "
         "no result, for example because the RTL does not compile; 128 or more (end the "
         "bisection): wrong usage, a baseline that is missing or has wrong rows, or an interrupt."},

    {.name = "from", .scope = CASES | CLI_PLAN, .group = IN_OUT, .value = "FILE", .complete = CLI_FILES,
     STORE(from), .excludes = "TOPOLOGY",
     .because = "the lines of the file give the topologies and workloads",
     .help = "process every line of FILE: TOPOLOGY WORKLOAD [OPTION...]; - is standard input",
     .more = "Options of the command line apply to all lines; options of a line take precedence. "
         "Blank lines and the text after a '#' are ignored. All lines are checked before the "
         "first one runs."},
    {.name = "jobs", .scope = CASES | CLI_PLAN, .group = IN_OUT, .value = "N", .least = 1,
     .most = EC_WORKERS_MAX, STORE(jobs), .needs = "from",
     .otherwise = "as many as there are processors, and memory for them",
     .help = "run N lines of the list at a time, each in its own process",
     .more = "The output is the same for every N, in the order of the list, except for times and "
         "memory."},
    {.name = "jobs", .scope = CLI_REGRESS, .group = REGRESSION, .value = "N", .least = 1,
     .most = EC_WORKERS_MAX, STORE(jobs),
     .otherwise = "as many as there are processors, and memory for them",
     .help = "run N rows at a time, each in its own process"},
    {.name = "jobs", .scope = CLI_SWEEP, .group = CURVE, .value = "N", .least = 1,
     .most = EC_WORKERS_MAX, STORE(jobs),
     .otherwise = "as many as there are processors, and memory for them",
     .help = "make N runs at a time, each in its own process",
     .more = "The result does not depend on N."},
    {.name = "keep-going", .scope = CLI_SWEEP, .group = CURVE, STORE(keep_going),
     .help = "measure the other points if one cannot be run",
     .more = "A point whose router cannot be built is then a row that says so. A point that fails "
         "a check never ends a sweep."},
    {.name = "resume", .scope = CASES | CLI_PLAN | CLI_SWEEP, .group = IN_OUT, STORE(resume), .needs = "output",
     .excludes = "coverage", .because = "the points of finished runs are not kept",
     .help = "take the results that an interrupted list has left in OUTPUT.journal",
     .more = "A list with --output keeps every result in OUTPUT.journal as soon as it exists, and "
         "removes that file when all results are written. --resume reuses the results of "
         "unchanged lines, if ecube and the files that they read are unchanged, and runs the other "
         "lines. Without a journal it runs all lines."},
    {.name = "resume", .scope = CLI_MUTATE, .group = IN_OUT, STORE(resume),
     .help = "take the results that an interrupted command has left in FOLDER/score.journal",
     .more = "Every result is kept there as soon as it exists, until all mutants have one. --resume "
         "reuses the results of unchanged mutants if ecube, the router and the checks are unchanged, "
         "and judges the others."},
    {.name = "keep-going", .scope = CASES | CLI_PLAN, .group = IN_OUT, STORE(keep_going), .needs = "from",
     .help = "continue with the other lines if one cannot be run",
     .more = "A line that is wrong, or whose router cannot be built, has no result. It is reported "
         "after all others, with its exit status. Without this option the list ends there."},
    {.name = "slice", .scope = CLI_SWEEP, .group = IN_OUT, .value = "I/N", STORE(slice), .needs = "output",
     .help = "measure only the points I, I + N, I + 2 N, ... of the first round",
     .more = "N commands with I from 1 to N, perhaps on N computers, measure all of them. Their journals "
         "put together are that of the sweep, which --resume completes. See docs/LISTS.md."},
    {.name = "slice", .scope = CASES | CLI_PLAN, .group = IN_OUT, .value = "I/N", STORE(slice),
     .needs = "from",
     .help = "run only the lines I, I + N, I + 2 N, ... of the list",
     .more = "N commands with I from 1 to N, perhaps on N computers, run the whole list. Their "
         "journals put together are that of the list. See docs/LISTS.md."},
    {.name = "format", .scope = CLI_RUN | CLI_SWEEP | CLI_AUDIT | CLI_PLAN | CLI_MUTATE, .group = IN_OUT, .choices = record_formats,
     STORE(format), .otherwise = "json or csv if --output ends in .json or .csv, else text",
     .help = "output format"},
    {.name = "format", .scope = CLI_REGRESS, .group = IN_OUT, .choices = record_formats,
     STORE(format), .otherwise = "text",
     .help = "output format"},
    {.name = "format", .scope = CLI_COMPARE, .group = IN_OUT, .choices = object_formats,
     STORE(format), .otherwise = "json if --output ends in .json, else text",
     .help = "output format"},
    {.name = "format", .scope = CLI_PROVE, .group = IN_OUT, .choices = object_formats,
     STORE(format), .otherwise = "text",
     .help = "output format; json: a line for each property"},
    {.name = "format", .scope = CLI_LIST, .group = IN_OUT, .choices = object_formats,
     STORE(format), .otherwise = "text",
     .help = "output format"},
    {.name = "format", .scope = CLI_TILE_LIST | CLI_TILE_CHECK, .group = IN_OUT,
     .choices = object_formats, STORE(format), .otherwise = "text",
     .help = "output format of 'tile list', and of 'tile check': a line for each mode"},
    {.name = "format", .scope = CLI_DRAW, .group = IN_OUT, .choices = picture_formats,
     STORE(format), .otherwise = "svg if FILE ends in .svg, else text",
     .help = "a picture, or the same for the terminal"},
    {.name = "output", .letter = 'o', .scope = CASES | CLI_SWEEP | CLI_DRAW | CLI_PLAN | CLI_MUTATE, .group = IN_OUT, .value = "FILE",
     .complete = CLI_FILES, STORE(output), .otherwise = "standard output",
     .help = "write to FILE, which changes only when all output is written",
     .more = "'-' is standard output."},
    {.name = "output", .letter = 'o', .scope = CLI_REPORT, .group = IN_OUT, .value = "FILE.html",
     .pattern = PAGE_NAME, .complete = CLI_FILES, STORE(report),
     .otherwise = "RESULT with .html instead of .json",
     .help = "the page, which changes only when all of it is written"},
    {.name = "quiet", .letter = 'q', .scope = CASES | CLI_SWEEP | CLI_REGRESS | CLI_PLAN | CLI_MUTATE, .group = IN_OUT, STORE(quiet),
     .excludes = "verbose",
     .help = "print only the verdict line, and no progress",
     .more = "Checks that were not made are still printed. Without this option, standard error "
         "shows the current activity if it takes more than two seconds: a terminal shows one line "
         "that changes, a file gets lines at growing intervals of up to a minute."},
    {.name = "quiet", .letter = 'q', .scope = CLI_TILE_SHAPE, .group = IN_OUT, STORE(quiet),
     .help = "print no progress, and of a breach neither the cycles before it nor a waveform"},
    {.name = "quiet", .letter = 'q', .scope = CLI_REPORT | CLI_PROVE, .group = IN_OUT, STORE(quiet),
     .help = "print no progress"},
    {.name = "verbose", .letter = 'v', .scope = CLI_PLAN, .group = IN_OUT, STORE(verbose),
     .help = "print all candidates, also those that differ from faster ones in parameters only"},
    {.name = "verbose", .letter = 'v', .scope = CASES, .group = IN_OUT, STORE(verbose),
     .help = "print more text: all checks, load histograms, full reports of a list",
     .more = "Run: every check with what it saw. Audit: the loads as a histogram, and for up to "
         "64 nodes as a picture. With --from: the full report of every line."},
    {.name = "packets", .scope = CLI_RUN, .group = IN_OUT, STORE(packets), .needs = "format=json",
     .help = "add a log of all packets and their cycles"},
    {.name = "packets-csv", .scope = CLI_RUN | CLI_LINE, .group = IN_OUT, .value = "FILE",
     .pattern = "!(-|)", .complete = CLI_FILES, STORE(packets_csv), .excludes = "from",
     .because = WHERE_IN_LINES,
     .help = "write a row for each packet: where from, where to, its cycles, hops and latency",
     .more = "Rows are written as the packets arrive, so that a run of any length takes no more "
         "memory. OUTPUT.md has the columns."},
    {.name = "export-trace", .scope = CLI_RUN | CLI_AUDIT | CLI_LINE, .group = IN_OUT,
     .value = "FILE", .pattern = "!(-|)", .complete = CLI_FILES, STORE(export_trace),
     .excludes = "from", .because = WHERE_IN_LINES,
     .help = "write the messages and what they wait for as a trace, which trace:file=FILE plays",
     .more = "The trace of a schedule takes the same cycles as the schedule. It needs the same "
         "network, router, --packet and --startup; a comment in FILE has the command. A run of "
         "random traffic writes the messages that its nodes have sent."},
    {.name = "interval", .scope = CLI_RUN | CLI_LINE, .group = IN_OUT, .value = "CYCLES",
     .least = 1, STORE(interval), .otherwise = "8 to 16 intervals for a trace, else none",
     .help = "report messages, words, latency and waiting for every CYCLES cycles",
     .more = "The table shows the phases of an application: in each interval the busiest channel, "
         "which near 100 % is the bottleneck, and the link for which most flits waited, which is "
         "often its effect. Smaller CYCLES, for example 50, give finer rows. Intervals in which "
         "nothing happened are left out."},

    {.name = "checkpoint", .scope = CLI_RUN, .group = IN_OUT, .value = "FILE", .pattern = "!(-|)",
     .complete = CLI_FILES, STORE(checkpoint),
     .excludes = "from wave events report packets packets-csv export-trace coverage " NOT_TILES,
     .because = "its state cannot be saved",
     .help = "keep the state of the run in FILE, from which --restart continues",
     .more = "FILE is replaced every --every, and when the run is interrupted; a run that is killed "
         "leaves the former one. If it cannot be written, a line says so, and the run goes on. The "
         "routers are compiled once more, in a variant whose state can be saved."},
    {.name = "every", .scope = CLI_RUN, .group = IN_OUT, .value = "TIME", .needs = "checkpoint restart",
     STORE(every), .otherwise = "10min",
     .help = "time between two checkpoints: 90s, 10min, 2h, or 50000cycles"},
    {.name = "restart", .scope = CLI_RUN, .group = IN_OUT, .value = "FILE", .pattern = "!(-|)",
     .complete = CLI_FILES, STORE(restart),
     .help = "continue the run of a checkpoint; the result is that of a run that was not interrupted",
     .more = "FILE has the command, whose files must be where they were. Only --threads, --checkpoint, "
         "--every, --format, --output, --quiet and --verbose can be given, too, and replace "
         "those of the command. The program must be the one that wrote FILE."},

    THREADS_ROW(CLI_RUN | CLI_LINE,
     .more = "At most one thread per node. 'auto' takes as many as there are processors, but only "
         "as far as that pays: each has about 2 us of work or more between two exchanges, and the run "
         "takes more than 20 ms (see docs/SCALING.md). Where several runs are done at a time, "
         "--jobs is divided by T, and 'auto' means 1 unless --jobs is 1. Started by mpirun or srun, "
         "every rank has T threads."),
    THREADS_ROW(CLI_SWEEP | CLI_REGRESS, .more = "As for 'ecube run'."),
    THREADS_ROW(CLI_COMPARE | CLI_ALL_LINES, .needs = "deliveries",
     .more = "Only whole runs are split, as --deliveries makes them. Without it the two sides are "
         "stepped together, in one thread."),
    {.name = "help", .letter = 'h', .scope = COMMANDS, .group = IN_OUT, STORE(parsed.help),
     .help = "print the help of this command and exit"},

    {.name = "wave", .scope = CLI_RUN | CLI_LINE, .group = INSIDE, .value = "FILE.fst",
     .pattern = "?*.fst", .complete = CLI_FILES, STORE(wave), .excludes = "from",
     .because = WHERE_IN_LINES,
     .help = "dump a waveform of some routers, and layouts for GTKWave and Surfer",
     .more = "The layouts are FILE.gtkw with FILE.labels for GTKWave, and FILE.sucl for Surfer. "
         "One unit of time is one cycle."},
    {.name = "wave-nodes", .scope = CLI_RUN | CLI_LINE, .group = INSIDE, .value = "LIST",
     STORE(wave_nodes), .needs = "wave", .otherwise = "all of up to 8, else the longest path",
     .help = "which routers: 5, (1,2), x1y2, 0-3, path:SRC-DST or all, separated by commas",
     .more = "At most 64 routers. 'path:SRC-DST' selects the routers on the path of a packet."},
    {.name = "wave-cycles", .scope = CLI_RUN | CLI_LINE, .group = INSIDE, .value = "FROM:TO",
     STORE(wave_cycles), .needs = "wave", .otherwise = "all",
     .help = "which cycles, counted from 1; either end may be missing"},
    {.name = "report", .scope = CLI_RUN | CLI_LINE, .group = INSIDE, .value = "FILE.html",
     .pattern = PAGE_NAME, .complete = CLI_FILES, STORE(report), .excludes = "from",
     .because = WHERE_IN_LINES,
     .instead = "add '--format json >F.json', then 'ecube report F.json' makes the page",
     .instead_scope = CLI_SWEEP | CLI_COMPARE | CLI_REGRESS,
     .help = "write a page for a web browser: network, link use over time, packets, tables",
     .more = "The page is one file that needs no network. It shows when and where words waited, and "
         "the path of every packet that it keeps. Long runs and large networks are summed up in "
         "bins of time and in regions; the page lists what was left out."},
    {.name = "events", .scope = CLI_RUN | CLI_LINE, .group = INSIDE, .value = "FILE",
     .pattern = "!(-|)", .complete = CLI_FILES, STORE(events), .excludes = "from",
     .because = WHERE_IN_LINES,
     .help = "log every word: offer, inject, hop, contended, starved, eject",
     .more = "The log is never part of the report; /dev/stderr is standard error."},
    {.name = "events-format", .scope = CLI_RUN | CLI_LINE, .group = INSIDE,
     .choices = events_formats, STORE(events_format), .needs = "events",
     .otherwise = "by the end of FILE",
     .help = "columns, JSON lines, or a trace for ui.perfetto.dev",
     .more = "A FILE that ends in .jsonl is jsonl, one that ends in .perfetto.json perfetto, any other "
         "text. perfetto has a track for each link and VC, a slice for each packet on it, arrows from "
         "hop to hop, and the words in the input buffers. One microsecond is one cycle."},
    {.name = "events-nodes", .scope = CLI_RUN | CLI_LINE, .group = INSIDE, .value = "LIST",
     STORE(events_nodes), .needs = "events", .otherwise = "all",
     .help = "log only these routers; LIST as for --wave-nodes"},
    {.name = "events-packets", .scope = CLI_RUN | CLI_LINE, .group = INSIDE, .value = "SRC-DST,...",
     STORE(events_packets), .needs = "events", .otherwise = "all",
     .help = "log only packets from these sources to these destinations"},
    {.name = "events-cycles", .scope = CLI_RUN | CLI_LINE, .group = INSIDE, .value = "FROM:TO",
     STORE(events_cycles), .needs = "events", .otherwise = "all",
     .help = "log only these cycles"},
    {.name = "failure-dir", .scope = RUNS | CLI_LINE, .group = INSIDE, .value = "FOLDER",
     .complete = CLI_FOLDERS, STORE(failure_dir), .excludes = "no-failure-wave",
     .otherwise = "the current folder",
     .help = "where a failed check or a difference leaves its waveforms",
     .more = "After a failure the run is repeated with the checks of the RTL, and the routers "
         "concerned are dumped from shortly before the cause on to ecube-failure-*.fst "
         "(ecube-compare-*.fst for a comparison). A folder that does not exist is made."},
    {.name = "failure-dir", .scope = CLI_REGRESS, .group = INSIDE, .value = "FOLDER",
     .complete = CLI_FOLDERS, STORE(failure_dir),
     .excludes = "no-failure-wave quiet format=json format=csv", .otherwise = "the current folder",
     .help = "where the comparison of a change leaves its waveforms"},
    {.name = "failure-dir", .scope = CLI_PROVE, .group = INSIDE, .value = "FOLDER",
     .complete = CLI_FOLDERS, STORE(failure_dir), .excludes = "no-failure-wave",
     .otherwise = "the current folder",
     .help = "where counterexamples leave their waveforms, ecube-prove-*.vcd"},
    {.name = "failure-dir", .scope = CLI_TILE_CHECK, .group = INSIDE, .value = "FOLDER",
     .complete = CLI_FOLDERS, STORE(failure_dir),
     .excludes = "no-failure-wave quiet format=json", .otherwise = "the current folder",
     .help = "where a breach of the contract leaves its waveform, ecube-check-*.fst",
     .more = "The wave shows the router from 48 cycles before the breach on. It needs another "
         "compilation of the router. With --quiet and --format json there is no wave."},
    {.name = "no-failure-wave",
     .scope = RUNS | CLI_LINE | CLI_REGRESS | CLI_PROVE | CLI_TILE_CHECK, .group = INSIDE,
     STORE(no_failure_wave),
     .help = "write no waveform after a failure"},

    {.name = "coverage", .scope = CLI_RUN | CLI_REGRESS, .group = INSIDE, .value = "FOLDER",
     .complete = CLI_FOLDERS, STORE(coverage), .excludes = "backend=systemc engine=simd",
     .because = "only Verilator's code counts",
     .help = "which lines, branches, bits and cover properties of the RTL the runs reached",
     .more = "The routers are compiled with counters. FOLDER gets summary.txt, summary.json, "
         "coverage.dat for verilator_coverage, coverage.info for lcov and, with genhtml, pages in "
         "html/: of all runs, workers and routers together."},
    {.name = "no-toggle", .scope = CLI_RUN | CLI_REGRESS, .group = INSIDE, STORE(no_toggle),
     .needs = "coverage",
     .help = "do not count bits: routers compile and run several times faster"},

    {.name = "no-sleep", .scope = CLI_RUN | CLI_SWEEP | ANYWHERE, .group = DETERMINISM, STORE(spec.no_sleep),
     .help = "also step idle routers"},
    {.name = "shuffle", .scope = CLI_RUN | CLI_SWEEP | ANYWHERE, .group = DETERMINISM, .value = "SEED",
     .least = 1, STORE(spec.shuffle), .excludes = "backend=flat backend=systemc",
     .because = "the whole network is one model there",
     .help = "step the routers of each cycle in an order drawn from SEED"},
    {.name = "random-init", .scope = CLI_RUN | CLI_SWEEP | ANYWHERE, .group = DETERMINISM, .value = "SEED",
     .least = 1, STORE(spec.random_init), .excludes = "backend=systemc", .because = NO_RTL,
     .help = "start all registers at values drawn from SEED"},
    {.name = "only", .scope = CLI_TILE_CHECK, .group = HARDWARE, STORE(only),
     .help = "check the named network and mode only, not everything that the router may serve"},
    {.name = "relative", .scope = CLI_TILE_CHECK, .group = HARDWARE, STORE(relative),
     .help = "also check that what the router shows does not depend on its place",
     .more = "For a router that sees relative coordinates only: the same traffic, translated to another "
         "place with the same links, must give the same outputs in every cycle."},
    {.name = "style", .scope = CLI_TILE_NEW, .group = HARDWARE, .choices = cli_flows, STORE(flow),
     .otherwise = "valid-ready",
     .help = "flow control of your router",
     .more = "'credit': credits that count from a constant. 'length': valid/ready, and the first flit has the "
         "length of its packet."},
    {.name = "vcs", .scope = CLI_TILE_NEW, .group = HARDWARE, .value = "N", .least = 1, .most = 8,
     STORE(vcs), .otherwise = "1", .help = "virtual channels of your router: 1, 2, 4 or 8"},
    {.name = "name", .scope = CLI_TILE_NEW, .group = HARDWARE, .value = "NAME", STORE(name),
     .otherwise = "my", .help = "begins the names of modules and files"},
    {.name = "allow-starvation", .scope = CLI_TILE_CHECK | CLI_MUTATE, .group = HARDWARE, STORE(allow_starvation),
     .help = "do not judge how long an input waits for a saturated output",
     .more = "An allocation in two steps whose pointers also move when the second step refuses serves "
         "some inputs never while all buffers are full. Many public routers do that; everything else "
         "is checked and measured."},
    {.name = "random-init", .scope = CLI_TILE_BUILD, .group = HARDWARE, STORE(spec.random_init),
     .help = "the variant that 'ecube run --random-init' needs"},
    {0},
};
/* clang-format on */
_Static_assert(sizeof options / sizeof *options <= CLI_OPTIONS_MAX, "raise CLI_OPTIONS_MAX");

/* --- Arguments ----------------------------------------------------------------------------- */

static const struct cli_argument arguments[] = {
    {.name = "A", .scope = CLI_COMPARE, .example = "tiles", .complete = CLI_SIDES, STORE(side[0])},
    {.name = "B", .scope = CLI_COMPARE, .example = "flat", .complete = CLI_SIDES, STORE(side[1])},
    {.name = "TOPOLOGY",
     .scope = CASES | CLI_SWEEP | CLI_DRAW | CLI_PLAN | ANYWHERE,
     .example = "cube:3",
     .instead = "from restart",
     .complete = CLI_TOPOLOGIES,
     STORE(spec.topology)},
    {.name = "WORKLOAD",
     .scope = CASES | CLI_SWEEP | CLI_DRAW | CLI_PLAN | ANYWHERE,
     .example = "shift:q=5,m=64",
     .instead = "from restart",
     .complete = CLI_WORKLOADS,
     STORE(spec.workload)},
    {.name = "subcommand",
     .scope = CLI_TILE,
     .example = "list",
     .choices = tile_subcommands,
     .narrows = true,
     STORE(parsed.scope)},
    {.name = "TOPOLOGY",
     .scope = CLI_TILE_SHAPE,
     .example = "cube:6",
     .many = true,
     .complete = CLI_TOPOLOGIES,
     STORE(topologies)},
    {.name = "FILE",
     .scope = CLI_TILE_MOVE,
     .example = "routers.tar",
     .complete = CLI_FILES,
     STORE(archive)},
    {.name = "FOLDER",
     .scope = CLI_TILE_NEW,
     .example = "mine",
     .complete = CLI_FOLDERS,
     STORE(target)},
    {.name = "TOPOLOGY", .scope = CLI_PROVE, .complete = CLI_TOPOLOGIES, STORE(spec.topology)},
    {.name = "TOPOLOGY",
     .scope = CLI_MUTATE,
     .example = "cube:3",
     .complete = CLI_TOPOLOGIES,
     STORE(spec.topology)},
    {.name = "section", .scope = CLI_LIST, .choices = cli_sections, STORE(section)},
    {.name = "RESULT",
     .scope = CLI_REPORT,
     .example = "result.json",
     .complete = CLI_FILES,
     STORE(result)},
    {.name = "BASELINE", .scope = CLI_REGRESS, .complete = CLI_FILES, STORE(baseline)},
    {0},
};

const struct cli_table cli_table = {options, arguments, cli_commands, groups};
