/* SPDX-License-Identifier: Apache-2.0 */
/* The results of runs, audits and comparisons, for people and for programs. */
#pragma once

#include <stdio.h>

#include "base/output.h"
#include "base/record.h"
#include "ecube/compare.h"
#include "ecube/events.h"
#include "ecube/run.h"
#include "ecube/wave.h"
#include "page/recorder.h"
#include "program/options/job.h"
#include "program/report/stored.h"
#include "result/records.h"
#include "terminal/status.h"
#include "terminal/style.h"

/* --- Traces: the wave, the logs and the page that a run writes on request ------------------- */

/* The page of --report. */
struct cli_page {
    const char *path; /* NULL: none was asked for */
    struct ec_recorder *recorder;
    struct ec_output output;
    size_t channels, packets; /* in it */
    uint64_t bytes;
};

struct cli_traces {
    const struct cli_job *job;
    const struct ec_topology *topology;
    struct ec_wave *wave; /* NULL: none was asked for */
    struct ec_wave_summary summary;
    size_t routers;           /* in the wave */
    struct ec_events *events; /* NULL: none was asked for */
    uint64_t lines;           /* of the event log */
    struct ec_log *packets;   /* NULL: none were asked for */
    uint64_t packet_rows;
    struct ec_log *messages; /* the trace of an open loop; NULL: none was asked for */
    struct cli_page page;
    bool has_wave, has_events, has_packets, has_page; /* complete, under their names */
    const struct ec_net_watch *watches[3];            /* for ec_run_options */
    size_t watch_count;
};

/* Before the audit and the build, which can take minutes: refuse a bad selection for a wave. */
enum ec_code cli_traces_check(const struct cli_job *job, const struct ec_case *c,
                              struct ec_error *reterr);
/* Before the run: read the selections, open the files. */
enum ec_code cli_traces_open(struct cli_traces *l, const struct cli_job *job,
                             const struct ec_case *c, struct ec_error *reterr);
/* For ec_run_options.offer; its context is the traces. */
void cli_traces_offer(void *context, const struct ec_offer *offer);
/* After the run, also after a failed one: complete the wave and the logs, each even if another one
 * cannot be written. EC_INTERNAL: a traced router behaved differently from its router. */
enum ec_code cli_traces_finish(struct cli_traces *l, struct ec_error *reterr);
/* The same for the page, which shows the result. */
struct cli_run_result;
enum ec_code cli_traces_show(struct cli_traces *l, const struct cli_run_result *r,
                             struct ec_error *reterr);
void cli_traces_close(struct cli_traces *l);

/* EC_TOOL: this build has no page. Borrows `path` and the case. */
enum ec_code cli_page_open(struct cli_page *p, const char *path, const struct ec_case *c,
                           struct ec_error *reterr);
enum ec_code cli_page_finish(struct cli_page *p, const struct cli_run_result *r,
                             struct ec_error *reterr);
void cli_page_close(struct cli_page *p); /* also of one that is not open */
void cli_page_text(const struct cli_page *p, FILE *out);
/* The page of a stored result that needs no replay. */
enum ec_code cli_page_stored(const struct cli_stored *stored, const char *path,
                             struct ec_error *reterr);

/* An audit: write the trace of --export-trace, if requested. */
enum ec_code cli_export_trace(const struct cli_job *job, const struct ec_case *c,
                              struct ec_error *reterr);

/* How to dump a wave after a failed check. `c` must live as long as the options. */
struct ec_failure_options cli_failure_options(const struct cli_job *job, struct ec_case *c);

/* The commands that open the dump `path` with its layouts; nothing for "". */
void cli_wave_text(const char *path, FILE *out);
/* Where the files are, and the commands that open them. */
void cli_traces_text(const struct cli_traces *l, FILE *out);

/* --- Results -------------------------------------------------------------------------------- */

/* --expect deadlock-free: false if it is violated. Adds its result to other expectations. */
bool cli_expect_deadlock_free(const struct cli_job *job, enum ec_answer possible,
                              struct ec_check *x);

struct cli_run_result {
    const struct cli_job *job;
    const struct ec_case *c;
    const struct ec_report *report;
    const char *shape_key;           /* NULL: nothing was compiled */
    struct ec_check expect;          /* --expect; NONE: nothing was expected */
    const struct cli_traces *traces; /* the wave, the event log and the page, if requested */
    const struct cli_stored *stored; /* NULL, or the result whose replay this is */
    enum cli_status status;
    struct ec_bounds bounds;   /* open loop */
    struct ec_warning warning; /* its remedy applies to a deadlock of this run */
};
/* For the record of the result. */
struct ec_result_details cli_run_details(const struct cli_run_result *r);

struct cli_audit_result {
    const struct cli_job *job;
    const struct ec_case *c;  /* c->audit is NULL in open loop */
    struct ec_proofs *proofs; /* owned */
    struct ec_check expect;
    enum cli_status status;
};

struct cli_compared {
    const struct cli_job *job;
    const struct ec_case *c;
    const char *side[2];          /* as given */
    struct ec_comparison *cycles; /* in lock-step; NULL with --deliveries, which has: */
    struct ec_report *report[2];
    struct ec_delivery_comparison deliveries;
    char reason[2][560]; /* why the run of this side fails, whatever the other side does; "": it
                            does not */
    char died[400]; /* if the process of the comparison died, the reason, and nothing else is known;
                       else "" */
    enum cli_status status;
};

/* --- Text ----------------------------------------------------------------------------------- */

/* "1 cycle", "2 cycles". */
static inline const char *cli_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

enum cli_detail {
    CLI_BRIEF,  /* the verdict line, and what failed */
    CLI_NORMAL, /* figures and a picture of the links */
    CLI_FULL,   /* also every check */
};

void cli_text_run(const struct cli_run_result *r, enum cli_detail detail, const struct cli_style *s,
                  FILE *out);
void cli_text_audit(const struct cli_audit_result *r, enum cli_detail detail,
                    const struct cli_style *s, FILE *out);
void cli_text_compare(const struct cli_compared *r, bool brief, const struct cli_style *s,
                      FILE *out);

/* The last line of a list of jobs: how many of `total` were done, and how they ended. counts[]
 * is indexed by exit status. */
void cli_text_summary(const size_t *counts, size_t total, size_t done, FILE *out);

/* The record of a comparison; NULL if memory ran out. */
json_t *cli_record_compare(const struct cli_compared *r);
/* Its keys in their order, ended by an entry without key. */
extern const struct record_key cli_compare_keys[];

/* Are the messages of a case ordered by steps? */
bool cli_has_steps(const struct ec_case *c);
/* The schedule of a case, and the candidates of "best"; nothing for direct traffic. */
void cli_text_schedule(const struct ec_case *c, FILE *out);
/* struct cli_field.at: the messages on a link, from an audit. */
uint64_t cli_field_load(const void *context, uint32_t node, unsigned link);

/* --- Tables of the text ----------------------------------------------------------------------- */

/* The links and the local ports for which most flits waited. */
void cli_text_channels(const struct cli_run_result *r, FILE *out);
/* A line per interval; without `all`, only so many that they fit a screen. */
void cli_text_intervals(const struct cli_run_result *r, bool all, FILE *out);
/* The traffic classes, if there are several; `latency`: it was measured. */
void cli_text_classes(const struct cli_run_result *r, bool latency, FILE *out);
/* The cycle of waiting of a deadlock; without `all`, only its first buffers. */
void cli_text_waiting(const struct ec_report *report, bool all, FILE *out);
/* How evenly the sources were served. */
void cli_text_fairness(const struct cli_run_result *r, FILE *out);

/* --- Pictures of numbers on links, at most 80 columns wide ----------------------------------- */

/* A number on each link of a network. */
struct cli_field {
    const struct ec_topology *topology;
    uint64_t (*at)(const void *context, uint32_t node, unsigned link); /* of a link that exists */
    const void *context;
    const char *title; /* "messages per link" */
    const char *unit;  /* printed after a number: " %", or "" */
    uint64_t warm;     /* numbers from here on are highlighted; the largest most */
};

/* Meshes and tori of two dimensions as maps, other networks of up to 64 nodes as strips (a row per
 * direction, a column per node), larger networks as a histogram. */
void cli_picture(const struct cli_field *f, const struct cli_style *s, FILE *out);

/* How many links carry how much. */
void cli_histogram(const struct cli_field *f, const struct cli_style *s, FILE *out);
