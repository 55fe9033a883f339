/* SPDX-License-Identifier: Apache-2.0 */
/* A job: the request of one command line, one line of a --from list or one row of a baseline. */
#pragma once

#include "ecube/session.h"
#include "terminal/files.h"
#include "terminal/options.h"

/* The scopes of the table. */
enum cli_scope {
    CLI_RUN = 1 << 0,
    CLI_AUDIT = 1 << 1,
    CLI_COMPARE = 1 << 2,
    CLI_REGRESS = 1 << 3,
    CLI_DRAW = 1 << 4,
    CLI_LIST = 1 << 5,
    CLI_TILE_BUILD = 1 << 6,
    CLI_TILE_CHECK = 1 << 7,
    CLI_TILE_LIST = 1 << 8,
    CLI_TILE_CLEAN = 1 << 9,
    CLI_SWEEP = 1 << 10,
    CLI_REPORT = 1 << 11,
    CLI_PLAN = 1 << 12,
    CLI_MUTATE = 1 << 13,
    CLI_PROVE = 1 << 14,
    CLI_TILE_EXPORT = 1 << 15,
    CLI_TILE_IMPORT = 1 << 16,
    CLI_TILE_NEW = 1 << 17,
    CLI_TILE_SHAPE = CLI_TILE_BUILD | CLI_TILE_CHECK,
    CLI_TILE_MOVE = CLI_TILE_EXPORT | CLI_TILE_IMPORT,
    CLI_TILE = CLI_TILE_SHAPE | CLI_TILE_LIST | CLI_TILE_CLEAN | CLI_TILE_MOVE | CLI_TILE_NEW,
};

/* Completions of values, besides files and folders. */
enum {
    CLI_TOPOLOGIES = CLI_OWN_WORDS,
    CLI_WORKLOADS,
    CLI_ALGORITHMS,
    CLI_ROUTER_KEYS,
    CLI_SIDES,
};

/* Commands (a list that {0} ends; commands/commands.c), arguments and options of the program. */
extern const struct cli_command cli_commands[];
extern const struct cli_table cli_table;

/* Their words; of backends, disciplines (cli_syncs) and flows the value is the index. */
extern const struct cli_choice cli_backends[], cli_syncs[], cli_flows[], cli_expectations[],
    cli_pictures[], cli_sections[], cli_saturations[];

enum cli_format { CLI_TEXT, CLI_JSON, CLI_CSV, CLI_SVG };
enum cli_events_format {
    CLI_EVENTS_BY_NAME,
    CLI_EVENTS_TEXT,
    CLI_EVENTS_JSONL,
    CLI_EVENTS_PERFETTO,
};
enum cli_picture {
    CLI_PICTURE_BY_CASE,
    CLI_STEPS,
    CLI_PATHS,
    CLI_EXCHANGES,
};
/* How a picture names dimensions. */
enum cli_names { CLI_NAMES_NUMBERS, CLI_NAMES_PAPER };
enum cli_section {
    CLI_LIST_ALL,
    CLI_LIST_TOPOLOGIES,
    CLI_LIST_WORKLOADS,
    CLI_LIST_ROUTERS,
    CLI_LIST_ALGORITHMS,
    CLI_LIST_CLAIMS,
    CLI_LIST_BACKENDS,
};

/* Of a run of a sweep, unless the command line says otherwise. */
#define SWEEP_PRECISION        "0.02"
#define SWEEP_CYCLES           "1000000"
/* Unless it says so, of the runs that only compare the mean latency with a bound. */
#define SWEEP_COARSE_PRECISION "0.05"

/* With fewer replicas, Student's t makes their intervals useless: it is 12.7 for 2. */
enum { CLI_SEEDS_MAX = 1000, CLI_REPLICAS_LEAST = 4, CLI_REPLICAS_AUTO = 8 };

/* The defaults of `ecube tile prove`: cycles, seconds. */
#define PROVE_DEPTH      20
#define PROVE_SECONDS    60
#define PROVE_TEXT(x)    PROVE_TEXT_OF(x) /* for the help */
#define PROVE_TEXT_OF(x) #x
/* Of `ecube tile mutate`: the most mutants. */
#define MUTATE_MAX       50000

enum cli_expect { CLI_EXPECT_CONGESTION_FREE = 1, CLI_EXPECT_DEADLOCK_FREE = 2 };

/* The flow control of a router. */
enum cli_flow { CLI_FLOW_READY, CLI_FLOW_CREDIT, CLI_FLOW_ON_OFF, CLI_FLOW_LENGTH };

/* Which saturation a sweep brackets. */
enum cli_saturation {
    CLI_SATURATION_DEFAULT,
    CLI_SATURATION_BOTH,
    CLI_SATURATION_BACKLOG,
    CLI_SATURATION_LATENCY,
    CLI_SATURATION_NONE,
};

/* Strings are borrowed from the command line or from the batch. */
struct cli_job {
    struct cli_parsed parsed;

    struct ec_case_spec spec;
    unsigned expect; /* enum cli_expect, as bits */

    enum cli_format format;
    const char *output; /* NULL: stdout */
    const char *from;   /* NULL: one job; "-": stdin */
    uint32_t jobs;      /* workers of a list; 0: as many as the processors and the memory allow */
    bool resume, keep_going;
    const char *slice; /* "I/N": only every N-th line, from the I-th on; NULL: all */
    bool quiet, verbose, packets;
    uint64_t interval; /* cycles of a row of the report; 0: default */

    const char *wave, *wave_nodes, *wave_cycles; /* NULL: none, default, all */
    const char *events, *events_nodes, *events_packets, *events_cycles; /* NULL: none, all */
    enum cli_events_format events_format;
    const char *report;                       /* NULL: none */
    const char *packets_csv, *export_trace;   /* NULL: none */
    const char *checkpoint, *every, *restart; /* NULL: none, default, none */
    const char *failure_dir;                  /* NULL: the current folder */
    bool no_failure_wave;
    const char *coverage; /* a folder; NULL: none */
    bool no_toggle;

    /* compare */
    const char *side[2];
    bool deliveries;

    /* sweep */
    const char *rates;        /* NULL: found by itself */
    const char *plot, *title; /* NULL: none */
    const char *follow;       /* file for points as they are measured; NULL: none */
    struct cli_words stored;  /* files of earlier sweeps, plotted again; owned */
    struct cli_words vary;    /* owned */
    unsigned seeds;           /* runs of a point, each as precise as requested */
    unsigned replicas;        /* runs that share the cycles of a point; 0: none */
    enum cli_saturation saturation;
    bool host_figures;

    enum cli_picture picture; /* draw, as the next four */
    enum cli_names names;
    unsigned columns; /* of panels; 0: by the width of a screen */
    unsigned width;   /* in print, millimetres; 0: as on a screen */
    bool compact;
    enum cli_section section; /* list */

    /* regress */
    const char *baseline, *junit, *against; /* NULL: default, none, default */
    bool update, accept_failures, bisect;

    const char *result; /* report: the file of the result */

    /* plan */
    unsigned verified; /* the first rows to run */
    bool no_crossings;

    /* prove */
    unsigned depth;       /* cycles of the bounded search */
    double proof_seconds; /* of each search */
    bool require_proof;   /* what is not proved fails */

    /* mutate */
    uint32_t count;      /* mutants */
    const char *judges;  /* NULL: all */
    const char *folder;  /* for the mutants */
    const char *mutants; /* numbers to be judged; NULL: all */
    double least;        /* of the score, from 0 to 1 */

    struct cli_words topologies;           /* tile; owned */
    const char *archive;                   /* tile export, import */
    bool only, relative, allow_starvation; /* tile check */
    const char *target;                    /* tile new: a folder; as the next three */
    enum cli_flow flow;
    unsigned vcs;
    const char *name;

    const char *command; /* the command line that repeats this job */
};

/* All defaults. */
struct cli_job cli_job_default(void);
void cli_job_free(struct cli_job *job);
/* Add "TOPOLOGY WORKLOAD [OPTION...]" to a job: as a line of a list of runs (`place`: CLI_LINE) or
 * a row of a baseline (CLI_ROW). Its strings are those of *words, which is empty before. */
enum ec_code cli_job_read(const char *text, unsigned place, struct cli_words *words,
                          struct cli_job *job, struct ec_error *reterr);

/* One job at a time (`jobs` 1) binds its threads to processors. Several use the processors already:
 * `auto` threads become one. */
void cli_job_share_processors(struct cli_job *job, uint32_t jobs);

/* Without --format: JSON if --output ends in .json; also CSV if it ends in .csv. */
void cli_job_choose_format(struct cli_job *job, bool csv);

/* Write nothing: another rank does. */
void cli_job_silence(struct cli_job *job);

/* Add the files that the job reads and writes, except output and baseline. */
void cli_job_files(const struct cli_job *job, unsigned line, struct cli_files *files);

/* Add the options that choose the user's router, if there is one. False: out of memory. */
bool cli_job_put_router(const struct ec_case_spec *spec, struct cli_words *to);

/* --- Lists of jobs ------------------------------------------------------------------------- */

/* A job and the owners of its strings. */
struct cli_line {
    struct cli_job job;
    unsigned number;        /* in the file */
    struct cli_words words; /* empty for the command line */
    char *command;          /* job.command; NULL for the command line */
    struct ec_error *bad;   /* with keep_going: why it cannot be done; owned; NULL: it can */
};

/* The command line itself, or the lines of a --from file. */
struct cli_batch {
    struct cli_line *lines;
    size_t count;
    bool list; /* of a file */
};

/* All jobs of `base` (the parsed command line; `line` is the same, quoted). With --from every line
 * is parsed here, so that an error is found before anything runs; options of the command line apply
 * to all lines. The message names file and line; `ret` then has the lines before the bad one. */
enum ec_code cli_batch_open(const struct cli_command *command, const struct cli_job *base,
                            const char *line, struct cli_batch *ret, struct ec_error *reterr);
void cli_batch_close(struct cli_batch *b);
/* The line cannot be done, which its job will report. False: out of memory. */
bool cli_line_spoil(struct cli_line *l, const struct ec_error *why);

/* Check the files and folders that the batch of `base` names: no output is another file of it. */
enum ec_code cli_batch_check_files(struct cli_batch *b, const struct cli_job *base,
                                   struct ec_error *reterr);

/* "grid.txt:12" in `buffer`, or NULL for the command line. */
const char *cli_batch_where(const struct cli_batch *b, size_t job, const char *from, char *buffer,
                            size_t size);

/* --- Sides of a comparison ----------------------------------------------------------------- */

struct cli_side {
    const char *text;         /* as given; borrowed */
    struct ec_case_spec spec; /* the comparison's, with this side's backend and router */
    char *rtl, *top, *build;  /* of spec; owned; NULL: borrowed from the command line, or none */
};

/* Of a point of a sweep. */
static inline unsigned cli_job_runs(const struct cli_job *job)
{
    return job->replicas > 0 ? job->replicas : job->seeds;
}

/* The items first - 1, first - 1 + step and so on of a list. */
struct cli_slice {
    unsigned first, step;
};

/* NULL: the whole list. EC_USAGE. */
enum ec_code cli_slice_read(const char *text, struct cli_slice *ret, struct ec_error *reterr);

static inline bool cli_slice_has(const struct cli_slice *s, size_t item)
{
    return item % s->step == s->first - 1;
}

/* Parse NAME[:rtl=FILE+FILE...,top=NAME...]. NAME is a backend, "simd" or "auto" for tiles with
 * that engine, or "rtl" for tiles of the router that --rtl and --top gave (in `spec`). */
enum ec_code cli_side_open(const char *text, const struct ec_case_spec *spec, struct cli_side *ret,
                           struct ec_error *reterr);
void cli_side_close(struct cli_side *s);
